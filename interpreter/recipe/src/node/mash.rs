//! `ChefUtils::Mash` (`Mash`): a Hash that stores Symbol keys as Strings. Facts: chef-utils 19, mash.rb.

use super::classes::{Kinds, define_hook, up};
use rchef_ruby::{Args, ClassId, Gc, MethodDef, RHash, Res, Symbol, Value, Vm, any, at_least, def, opt, sym};

static METHODS: &[MethodDef] = &[
    opt("initialize", initialize, 0, 1).private(),
    def("[]", aref, 1),
    def("[]=", aset, 2),
    def("store", aset, 2),
    def("regular_reader", regular_reader, 1),
    def("regular_writer", regular_writer, 2),
    def("regular_update", regular_update, 1),
    def("regular_clear", regular_clear, 0),
    def("regular_delete", regular_delete, 1),
    def("internal_get", regular_reader, 1),
    def("internal_set", internal_set, 2),
    opt("default", default, 0, 1),
    def("update", update, 1),
    def("merge!", update, 1),
    def("replace", replace, 1),
    def("merge", merge, 1),
    def("key?", has_key, 1),
    def("has_key?", has_key, 1),
    def("include?", has_key, 1),
    def("member?", has_key, 1),
    opt("fetch", fetch, 1, 2),
    any("values_at", values_at),
    at_least("dig", dig, 1),
    def("delete", delete, 1),
    any("except", except),
    def("stringify_keys!", itself, 0),
    def("symbolize_keys", symbolize_keys, 0),
    def("to_hash", to_hash, 0),
    def("convert_key", convert_key, 1).protected(),
    def("convert_value", convert_value, 1).protected(),
];
static SINGLETON: &[MethodDef] = &[def("from_hash", from_hash, 1)];

pub(super) fn boot(vm: &mut Vm, kinds: Kinds) {
    vm.class_mut(kinds.mash).allocator = Some(|_, class| Ok(Value::Hash(Gc::new(class, RHash::default()))));
    vm.define_methods(kinds.mash, METHODS);
    vm.define_singleton_methods(kinds.mash, SINGLETON);
    define_hook(vm, kinds.mash, "initialize_copy", initialize_copy);
}

/// The stored form of a key: Symbols become Strings.
pub(crate) fn key(key: &Value) -> Value {
    match key {
        Value::Sym(symbol) => Value::bytes(symbol.as_bytes()),
        other => other.clone(),
    }
}
/// The value of a key, given as a String or Symbol.
#[inline]
pub(crate) fn get(vm: &mut Vm, hash: &Gc<RHash>, key: &Value) -> Res<Option<Value>> {
    match key {
        Value::Sym(symbol) => match vm.hash_get_str(hash, symbol.as_str()) {
            Some(value) => Ok(Some(value)),
            None => Ok(vm.hash_get_sym(hash, *symbol)),
        },
        _ => vm.hash_get(hash, key),
    }
}
/// The underlying hash of a Mash.
pub(crate) fn contents(vm: &mut Vm, this: &Value) -> Res<Gc<RHash>> {
    match this {
        Value::Hash(gc) => Ok(gc.clone()),
        _ => Err(vm.type_error("a Hash is needed")),
    }
}
/// The pairs of a Hash; for the attributes of a node, the merged ones.
pub(crate) fn pairs(vm: &mut Vm, hash: &Value) -> Res<Vec<(Value, Value)>> {
    let tree =
        if super::attribute::owner(vm, hash).is_some() { super::attribute::whole(vm, hash)? } else { hash.clone() };
    let gc = vm.to_hash(&tree)?;
    Ok(gc.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect())
}
pub(crate) fn new(vm: &mut Vm, pairs: Vec<(Value, Value)>) -> Res {
    let class = super::classes::kinds(vm).mash;
    let gc = Gc::new(class, RHash::with_capacity(pairs.len()));
    for (name, value) in pairs {
        let value = convert(vm, &value)?;
        vm.hash_set(&gc, key(&name), value)?;
    }
    Ok(Value::Hash(gc))
}
/// The stored form of a value: plain Hashes become Mashes, Arrays are copied with converted elements.
pub(crate) fn convert(vm: &mut Vm, value: &Value) -> Res {
    vm.check_stack()?;
    vm.check_memory()?;
    match value {
        Value::Hash(gc) if vm.real_class(gc.class()) == ClassId::HASH => {
            let found = pairs(vm, value)?;
            let mash = new(vm, found)?;
            let default = gc.get(vm).default.clone();
            if let Value::Hash(mash) = &mash {
                mash.get_mut(vm).default = default;
            }
            Ok(mash)
        }
        Value::Array(gc) => {
            let mut items = Vec::with_capacity(gc.get(vm).items.len());
            for item in gc.get(vm).items.clone() {
                items.push(convert(vm, &item)?);
            }
            Ok(Value::array(items))
        }
        other => Ok(other.clone()),
    }
}
/// Calls `convert_value`, which a subclass may override.
fn converted(vm: &mut Vm, this: &Value, value: &Value) -> Res {
    match value {
        Value::Hash(_) | Value::Array(_) | Value::Object(_) => {}
        _ if vm.class_of(this) == super::classes::kinds(vm).mash => return Ok(value.clone()),
        _ => {}
    }
    vm.call_name(this, "convert_value", std::slice::from_ref(value))
}
/// Calls `convert_key`, which a subclass may override.
fn key_of(vm: &mut Vm, this: &Value, name: &Value) -> Res {
    let class = vm.class_of(this);
    if class == super::classes::kinds(vm).mash || vm.is_native_method(class, Symbol::intern_static("convert_key")) {
        return Ok(key(name));
    }
    vm.call_name(this, "convert_key", std::slice::from_ref(name))
}

fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let gc = contents(vm, this)?;
    if let Some(block) = args.block {
        let block = Value::Proc(vm.block_to_proc(block));
        gc.get_mut(vm).default_proc = block;
    }
    match args.at(0) {
        Value::Hash(_) => vm.call(this, sym::UPDATE, args.pos),
        other => {
            gc.get_mut(vm).default = other.clone();
            Ok(Value::Nil)
        }
    }
}
fn initialize_copy(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (to, from) = (contents(vm, this)?, args.at(0));
    let mash = super::classes::kinds(vm).mash;
    for (key, value) in pairs(vm, from)? {
        let value = if matches!(value, Value::Array(_)) || vm.is_a(&value, mash) {
            vm.call(&value, sym::DUP, &[])?
        } else {
            value
        };
        vm.hash_set(&to, key, value)?;
    }
    Ok(this.clone())
}
fn missing(vm: &mut Vm, this: &Value, name: &Value) -> Res {
    vm.call(this, sym::DEFAULT, std::slice::from_ref(name))
}
pub(super) fn aref(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let gc = contents(vm, this)?;
    match get(vm, &gc, args.at(0))? {
        Some(value) => Ok(value),
        None => missing(vm, this, args.at(0)),
    }
}
/// `Mash#[]=`, also used by the other methods that write.
fn aset(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.check_frozen(this)?;
    let gc = contents(vm, this)?;
    let (name, value) = (key_of(vm, this, args.at(0))?, converted(vm, this, args.at(1))?);
    vm.hash_set(&gc, name, value.clone())?;
    Ok(value)
}
fn regular_reader(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let gc = contents(vm, this)?;
    match vm.hash_get(&gc, args.at(0))? {
        Some(value) => Ok(value),
        None => missing(vm, this, args.at(0)),
    }
}
fn regular_writer(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.check_frozen(this)?;
    let gc = contents(vm, this)?;
    vm.hash_set(&gc, args.at(0).clone(), args.at(1).clone())?;
    Ok(args.at(1).clone())
}
fn internal_set(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let value = vm.call_name(this, "convert_value", &args.pos[1..])?;
    regular_writer(vm, this, Args::new(&[args.at(0).clone(), value]))
}
fn regular_update(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.check_frozen(this)?;
    let gc = contents(vm, this)?;
    for (name, value) in pairs(vm, args.at(0))? {
        vm.hash_set(&gc, name, value)?;
    }
    Ok(this.clone())
}
fn regular_clear(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    vm.check_frozen(this)?;
    let gc = contents(vm, this)?;
    gc.get_mut(vm).clear();
    Ok(this.clone())
}
fn regular_delete(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.check_frozen(this)?;
    let gc = contents(vm, this)?;
    Ok(Value::or_nil(vm.hash_delete(&gc, args.at(0))?))
}
fn default(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let gc = contents(vm, this)?;
    let Some(name) = args.get(0) else { return Ok(gc.get(vm).default.clone()) };
    if let Value::Sym(_) = name
        && let Some(value) = get(vm, &gc, name)?
    {
        return Ok(value);
    }
    let (default, block) = (gc.get(vm).default.clone(), gc.get(vm).default_proc.clone());
    match &block {
        Value::Proc(block) => vm.call_proc(block, Args::new(&[this.clone(), name.clone()])),
        _ => Ok(default),
    }
}
pub(super) fn update(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.check_frozen(this)?;
    let gc = contents(vm, this)?;
    for (name, value) in pairs(vm, args.at(0))? {
        let (name, value) = (key_of(vm, this, &name)?, converted(vm, this, &value)?);
        vm.hash_set(&gc, name, value)?;
    }
    Ok(this.clone())
}
fn replace(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.check_frozen(this)?;
    let new = pairs(vm, args.at(0))?;
    let gc = contents(vm, this)?;
    gc.get_mut(vm).clear();
    for (name, value) in new {
        let (name, value) = (key_of(vm, this, &name)?, converted(vm, this, &value)?);
        vm.hash_set(&gc, name, value)?;
    }
    Ok(this.clone())
}
fn merge(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let copy = vm.call(this, sym::DUP, &[])?;
    vm.call(&copy, sym::UPDATE, args.pos)
}
pub(super) fn has_key(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let gc = contents(vm, this)?;
    Ok(Value::bool(get(vm, &gc, args.at(0))?.is_some()))
}
fn fetch(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let gc = contents(vm, this)?;
    if let Some(value) = get(vm, &gc, args.at(0))? {
        return Ok(value);
    }
    let name = key_of(vm, this, args.at(0))?;
    match (args.block, args.get(1)) {
        (Some(block), _) => vm.yield1(block, name),
        (None, Some(default)) => Ok(default.clone()),
        (None, None) => {
            let shown = vm.inspect(&name)?;
            Err(vm.key_error(format!("key not found: {shown}"), this, &name))
        }
    }
}
fn values_at(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut found = Vec::with_capacity(args.len());
    for name in args.pos {
        let name = key_of(vm, this, name)?;
        found.push(vm.call(this, sym::AREF, &[name])?);
    }
    Ok(Value::array(found))
}
fn dig(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let value = vm.call(this, sym::AREF, &args.pos[..1])?;
    if args.len() == 1 || value.is_nil() {
        return Ok(value);
    }
    if !vm.respond_to(&value, sym::DIG, false)? {
        let class = vm.class_name_of(&value);
        return Err(vm.type_error(format!("{class} does not have #dig method")));
    }
    vm.call(&value, sym::DIG, &args.pos[1..])
}
fn delete(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.check_frozen(this)?;
    let gc = contents(vm, this)?;
    let name = key_of(vm, this, args.at(0))?;
    match (vm.hash_delete(&gc, &name)?, args.block) {
        (Some(value), _) => Ok(value),
        (None, Some(block)) => vm.yield1(block, name),
        (None, None) => Ok(Value::Nil),
    }
}
fn except(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let names: Vec<Value> = args.pos.iter().map(key).collect();
    let mash = super::classes::kinds(vm).mash;
    up(vm, this, mash, Symbol::intern_static("except"), Args::new(&names))
}
fn itself(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(this.clone())
}
fn symbolize_keys(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let mut found = Vec::new();
    for (name, value) in pairs(vm, this)? {
        found.push((vm.call(&name, sym::TO_SYM, &[])?, value));
    }
    let default = contents(vm, this)?.get(vm).default.clone();
    let hash = vm.new_hash(found)?;
    if let Value::Hash(gc) = &hash {
        gc.get_mut(vm).default = default;
    }
    Ok(hash)
}
fn to_hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let mut copy = contents(vm, this)?.get(vm).clone();
    copy.iterating = 0;
    copy.default_proc = Value::Nil;
    Ok(Value::hash(copy))
}
fn convert_key(_: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(key(args.at(0)))
}
fn convert_value(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    convert(vm, args.at(0))
}
fn from_hash(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let gc = vm.to_hash(args.at(0))?;
    let found = pairs(vm, args.at(0))?;
    let mash = new(vm, found)?;
    let default = gc.get(vm).default.clone();
    if let Value::Hash(mash) = &mash {
        mash.get_mut(vm).default = default;
    }
    Ok(mash)
}
