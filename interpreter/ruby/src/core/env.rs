//! ENV: the host's environment as a Hash-like object.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::heap;
use crate::method::{MethodDef, any, def, opt};
use crate::string::RString;
use crate::value::Value;
use rchef_syntax::symbol::sym;

fn env_value(vm: &mut Vm, bytes: Vec<u8>) -> Value {
    let mut value = Value::string(RString::utf8(bytes));
    if let Some(internal) =
        super::encoding::default_internal(vm).filter(|internal| *internal != rchef_text::encoding::Encoding::Utf8)
    {
        let to = super::encoding::object(vm, internal);
        if let Ok(converted) = vm.call_name(&value, "encode", &[to]) {
            value = converted;
        }
    }
    value.set_flag(heap::FROZEN, true);
    value
}
fn bytes_arg(vm: &mut Vm, value: &Value, what: &str) -> Res<Vec<u8>> {
    let string = vm.to_str(value)?;
    let found = string.get(vm);
    if !found.encoding().is_ascii_compatible() {
        let name = found.encoding().name();
        return Err(vm.argument_error(format!("bad environment variable {what}: ASCII incompatible encoding: {name}")));
    }
    let bytes = found.bytes().to_vec();
    if bytes.contains(&0) {
        return Err(vm.argument_error(format!("bad environment variable {what}: contains null byte")));
    }
    Ok(bytes)
}
fn name_arg(vm: &mut Vm, value: &Value) -> Res<Vec<u8>> {
    bytes_arg(vm, value, "name")
}
fn value_arg(vm: &mut Vm, value: &Value) -> Res<Vec<u8>> {
    bytes_arg(vm, value, "value")
}
fn get(vm: &mut Vm, name: &[u8]) -> Value {
    match vm.host.env(name) {
        Some(value) => env_value(vm, value),
        None => Value::Nil,
    }
}
fn pairs(vm: &mut Vm) -> Vec<(Value, Value)> {
    let list = vm.host.env_list();
    list.into_iter().map(|(name, value)| (env_value(vm, name), env_value(vm, value))).collect()
}
fn names(vm: &mut Vm) -> Vec<Value> {
    pairs(vm).into_iter().map(|(name, _)| name).collect()
}
fn as_hash(vm: &mut Vm) -> Res {
    let pairs = pairs(vm);
    vm.new_hash(pairs)
}
fn pair(name: Value, value: Value) -> Value {
    Value::array(vec![name, value])
}
fn remove(vm: &mut Vm, name: &Value) -> Res<()> {
    let name = name_arg(vm, name)?;
    vm.host.remove_env(&name);
    Ok(())
}
fn put(vm: &mut Vm, name: &Value, value: &Value) -> Res<()> {
    if value.is_nil() {
        return remove(vm, name);
    }
    let (name, value) = (name_arg(vm, name)?, value_arg(vm, value)?);
    if name.is_empty() || name.contains(&b'=') {
        let shown = format!("setenv({})", String::from_utf8_lossy(&name));
        return Err(vm.errno(22, Some(&shown)));
    }
    vm.host.set_env(&name, &value).map_err(|error| vm.host_error(&error))
}

fn aref(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = name_arg(vm, args.at(0))?;
    Ok(get(vm, &name))
}
fn aset(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    put(vm, args.at(0), args.at(1))?;
    Ok(args.at(1).clone())
}
fn fetch(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = name_arg(vm, args.at(0))?;
    if args.block.is_some() && args.len() == 2 {
        vm.warn("block supersedes default value argument")?;
    }
    if let Some(value) = vm.host.env(&name) {
        return Ok(env_value(vm, value));
    }
    if let Some(block) = args.block {
        return vm.yield1(block, args.at(0).clone());
    }
    match args.get(1) {
        Some(default) => Ok(default.clone()),
        None => {
            let shown = String::from_utf8_lossy(&name).into_owned();
            Err(vm.key_error(format!("key not found: {shown:?}"), this, args.at(0)))
        }
    }
}
fn delete(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = name_arg(vm, args.at(0))?;
    match vm.host.env(&name) {
        Some(value) => {
            vm.host.remove_env(&name);
            Ok(env_value(vm, value))
        }
        None => match args.block {
            Some(block) => vm.yield1(block, args.at(0).clone()),
            None => Ok(Value::Nil),
        },
    }
}
fn has_key(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = name_arg(vm, args.at(0))?;
    Ok(Value::bool(vm.host.env(&name).is_some()))
}
fn has_value(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let Some(wanted) = vm.check_str(args.at(0))? else { return Ok(Value::Nil) };
    let wanted = wanted.get(vm).bytes().to_vec();
    Ok(Value::bool(vm.host.env_list().iter().any(|(_, value)| *value == wanted)))
}
fn key(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let wanted = value_arg(vm, args.at(0))?;
    let found = vm.host.env_list().into_iter().find(|(_, value)| *value == wanted);
    Ok(found.map_or(Value::Nil, |(name, _)| env_value(vm, name)))
}
fn assoc(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = name_arg(vm, args.at(0))?;
    let value = get(vm, &name);
    if value.is_nil() {
        return Ok(Value::Nil);
    }
    let name = env_value(vm, name);
    Ok(pair(name, value))
}
fn rassoc(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let Some(wanted) = vm.check_str(args.at(0))? else { return Ok(Value::Nil) };
    let wanted = wanted.get(vm).bytes().to_vec();
    let found = vm.host.env_list().into_iter().find(|(_, value)| *value == wanted);
    Ok(match found {
        Some((name, value)) => {
            let (name, value) = (env_value(vm, name), env_value(vm, value));
            pair(name, value)
        }
        None => Value::Nil,
    })
}
fn keys(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(names(vm)))
}
fn values(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(pairs(vm).into_iter().map(|(_, value)| value).collect()))
}
fn values_at(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let mut out = Vec::new();
    for name in args.pos {
        let name = name_arg(vm, name)?;
        out.push(get(vm, &name));
    }
    Ok(Value::array(out))
}
fn length(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(vm.host.env_list().len()))
}
fn is_empty(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(vm.host.env_list().is_empty()))
}
fn each_pair(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return vm.enumerator(this, "each_pair", args) };
    for (name, value) in pairs(vm) {
        vm.yield1(block, pair(name, value))?;
    }
    Ok(this.clone())
}
fn each_key(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return vm.enumerator(this, "each_key", args) };
    for name in names(vm) {
        vm.yield1(block, name)?;
    }
    Ok(this.clone())
}
fn each_value(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return vm.enumerator(this, "each_value", args) };
    for (_, value) in pairs(vm) {
        vm.yield1(block, value)?;
    }
    Ok(this.clone())
}
/// The pairs for which the block's result is `wanted`.
fn chosen(vm: &mut Vm, args: Args<'_>, wanted: bool) -> Res<Vec<(Value, Value)>> {
    let Some(block) = args.block else { return Ok(Vec::new()) };
    let mut out = Vec::new();
    for (name, value) in pairs(vm) {
        if vm.yield2(block, name.clone(), value.clone())?.truthy() == wanted {
            out.push((name, value));
        }
    }
    Ok(out)
}
fn select(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return vm.enumerator(this, "select", args);
    }
    let found = chosen(vm, args, true)?;
    vm.new_hash(found)
}
fn reject(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return vm.enumerator(this, "reject", args);
    }
    let found = chosen(vm, args, false)?;
    vm.new_hash(found)
}
/// Deletes the pairs for which the block's result is `doomed`; returns nil if there are none.
fn prune(vm: &mut Vm, this: &Value, args: Args<'_>, doomed: bool) -> Res {
    let found = chosen(vm, args, doomed)?;
    for (name, _) in &found {
        remove(vm, name)?;
    }
    Ok(if found.is_empty() { Value::Nil } else { this.clone() })
}
fn select_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return vm.enumerator(this, "select!", args);
    }
    prune(vm, this, args, false)
}
fn reject_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return vm.enumerator(this, "reject!", args);
    }
    prune(vm, this, args, true)
}
fn keep_if(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return vm.enumerator(this, "keep_if", args);
    }
    prune(vm, this, args, false)?;
    Ok(this.clone())
}
fn delete_if(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return vm.enumerator(this, "delete_if", args);
    }
    prune(vm, this, args, true)?;
    Ok(this.clone())
}
fn slice(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let mut found = Vec::new();
    for name in args.pos {
        let bytes = name_arg(vm, name)?;
        let value = get(vm, &bytes);
        if !value.is_nil() {
            found.push((name.clone(), value));
        }
    }
    vm.new_hash(found)
}
fn except(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let hash = as_hash(vm)?;
    vm.call(&hash, Symbol::intern_static("except"), args.pos)
}
fn invert(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let found = pairs(vm).into_iter().map(|(name, value)| (value, name)).collect();
    vm.new_hash(found)
}
fn to_hash(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    as_hash(vm)
}
fn to_h(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let hash = as_hash(vm)?;
    match args.block {
        Some(_) => vm.call_args(&hash, sym::TO_H, args),
        None => Ok(hash),
    }
}
fn to_a(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(pairs(vm).into_iter().map(|(name, value)| pair(name, value)).collect()))
}
fn clear(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    for (name, _) in vm.host.env_list() {
        vm.host.remove_env(&name);
    }
    Ok(this.clone())
}
fn shift(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let Some((name, value)) = vm.host.env_list().into_iter().next() else { return Ok(Value::Nil) };
    vm.host.remove_env(&name);
    let (name, value) = (env_value(vm, name), env_value(vm, value));
    Ok(pair(name, value))
}
/// The pairs of a Hash argument, all checked before any is set.
fn checked_pairs(vm: &mut Vm, value: &Value) -> Res<Vec<(Value, Value)>> {
    let hash = vm.to_hash(value)?;
    let found: Vec<(Value, Value)> = hash.get(vm).iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    Ok(found)
}
fn replace(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let found = checked_pairs(vm, args.at(0))?;
    let mut kept = Vec::new();
    for (name, value) in &found {
        kept.push(name_arg(vm, name)?);
        // nil removes a variable, as `[]=` does
        if !value.is_nil() {
            value_arg(vm, value)?;
        }
    }
    for (name, value) in &found {
        put(vm, name, value)?;
    }
    for (name, _) in vm.host.env_list() {
        if !kept.contains(&name) {
            vm.host.remove_env(&name);
        }
    }
    Ok(this.clone())
}
fn update(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    for hash in args.pos {
        for (name, value) in checked_pairs(vm, hash)? {
            let mut value = value;
            if let Some(block) = args.block {
                let bytes = name_arg(vm, &name)?;
                let old = get(vm, &bytes);
                if !old.is_nil() {
                    value = vm.yield_block(block, Args::new(&[name.clone(), old, value]))?;
                }
            }
            put(vm, &name, &value)?;
        }
    }
    Ok(this.clone())
}
fn rehash(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::Nil)
}
fn freeze(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Err(vm.type_error("cannot freeze ENV"))
}
fn to_s(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::str("ENV"))
}
fn inspect(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let mut parts = Vec::new();
    for (name, value) in pairs(vm) {
        parts.push(format!("{}=>{}", vm.inspect(&name)?, vm.inspect(&value)?));
    }
    Ok(Value::str(format!("{{{}}}", parts.join(", "))))
}
fn dup(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Err(vm.type_error("Cannot dup ENV, use ENV.to_h to get a copy of ENV as a hash"))
}
/// `ENV.clone` is ENV itself in Ruby 3.1, with a warning.
fn clone(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [freeze]) = args.take_keywords(vm, [sym::FREEZE])?;
    if !pos.is_empty() {
        return Err(vm.arity_error(pos.len(), "0"));
    }
    match freeze {
        None | Some(Value::Nil | Value::False) => {}
        Some(Value::True) => return Err(vm.type_error("cannot freeze ENV")),
        Some(other) => {
            let class = vm.class_name_of(&other);
            return Err(vm.argument_error(format!("unexpected value for freeze: {class}")));
        }
    }
    vm.warn_deprecated("ENV.clone is deprecated; use ENV.to_h instead")?;
    Ok(this.clone())
}

static METHODS: &[MethodDef] = &[
    def("[]", aref, 1),
    def("[]=", aset, 2),
    def("store", aset, 2),
    opt("fetch", fetch, 1, 2),
    def("delete", delete, 1),
    def("key?", has_key, 1),
    def("has_key?", has_key, 1),
    def("include?", has_key, 1),
    def("member?", has_key, 1),
    def("value?", has_value, 1),
    def("has_value?", has_value, 1),
    def("key", key, 1),
    def("assoc", assoc, 1),
    def("rassoc", rassoc, 1),
    def("keys", keys, 0),
    def("values", values, 0),
    any("values_at", values_at),
    def("length", length, 0),
    def("size", length, 0),
    def("empty?", is_empty, 0),
    def("each_pair", each_pair, 0),
    def("each_key", each_key, 0),
    def("each_value", each_value, 0),
    def("select", select, 0),
    def("reject", reject, 0),
    def("select!", select_bang, 0),
    def("reject!", reject_bang, 0),
    def("keep_if", keep_if, 0),
    def("delete_if", delete_if, 0),
    any("slice", slice),
    any("except", except),
    def("invert", invert, 0),
    def("to_hash", to_hash, 0),
    def("to_h", to_h, 0),
    def("to_a", to_a, 0),
    def("clear", clear, 0),
    def("shift", shift, 0),
    def("replace", replace, 1),
    any("update", update),
    any("merge!", update),
    def("rehash", rehash, 0),
    def("freeze", freeze, 0),
    def("to_s", to_s, 0),
    def("inspect", inspect, 0),
    def("dup", dup, 0),
    opt("clone", clone, 0, 1),
];

pub(super) fn boot(vm: &mut Vm) {
    let env = Value::object(ClassId::OBJECT);
    if let Some(class) = vm.singleton_class(&env) {
        vm.include_module(class, ClassId::ENUMERABLE);
        vm.define_methods(class, METHODS);
        for (new, old) in [("each", "each_pair"), ("filter", "select"), ("filter!", "select!")] {
            vm.define_alias(class, new, old);
        }
    }
    vm.const_set(ClassId::OBJECT, Symbol::intern_static("ENV"), env);
}
