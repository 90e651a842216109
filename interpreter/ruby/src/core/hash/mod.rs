//! Hash: creation, access and default values here; `iterate`: iteration; `edit`: changes; `compare`: comparison and conversion.

mod compare;
mod edit;
mod iterate;

pub(crate) use compare::pair_of;
pub(crate) use iterate::each_entry;

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::natives::itself;
use crate::error::{Error, Res};
use crate::hash::RHash;
use crate::heap::{BY_IDENTITY, Gc, KEYWORDS};
use crate::method::{Arity, MethodDef, any, at_least, def, opt};
use crate::value::Value;
use rchef_syntax::symbol::sym;

static METHODS: &[MethodDef] = &[
    opt("initialize", initialize, 0, 1).private(),
    def("[]", get, 1),
    def("[]=", set, 2),
    def("store", set, 2),
    opt("fetch", fetch, 1, 2),
    any("fetch_values", fetch_values),
    any("values_at", values_at),
    at_least("dig", dig, 1),
    def("key", key, 1),
    def("key?", has_key, 1),
    def("has_key?", has_key, 1),
    def("include?", has_key, 1),
    def("member?", has_key, 1),
    def("value?", has_value, 1),
    def("has_value?", has_value, 1),
    def("assoc", assoc, 1),
    def("rassoc", rassoc, 1),
    def("keys", keys, 0),
    def("values", values, 0),
    def("to_a", to_a, 0),
    def("length", length, 0),
    def("size", length, 0),
    def("empty?", is_empty, 0),
    opt("default", default, 0, 1),
    def("default=", set_default, 1),
    def("default_proc", default_proc, 0),
    def("default_proc=", set_default_proc, 1),
    def("compare_by_identity", compare_by_identity, 0),
    def("compare_by_identity?", is_by_identity, 0),
    def("to_proc", to_proc, 0),
    def("to_hash", itself, 0),
    def("deconstruct_keys", itself, 1),
];
static SINGLETON: &[MethodDef] = &[
    any("[]", create),
    def("try_convert", try_convert, 1),
    def("ruby2_keywords_hash?", is_keywords, 1),
    def("ruby2_keywords_hash", with_keywords, 1),
];

/// The receiver.
pub(crate) fn this_hash<'a>(vm: &mut Vm, this: &'a Value) -> Res<&'a Gc<RHash>> {
    match this {
        Value::Hash(gc) => Ok(gc),
        _ => {
            let class = vm.describe(this);
            Err(vm.type_error(format!("wrong argument type {class} (expected Hash)")))
        }
    }
}
/// The receiver; FrozenError if it is frozen.
pub(crate) fn modify<'a>(vm: &mut Vm, this: &'a Value) -> Res<&'a Gc<RHash>> {
    vm.check_frozen(this)?;
    this_hash(vm, this)
}
/// A plain Hash with the same pairs and the same comparison of keys, without default value.
pub(crate) fn plain_copy(vm: &Vm, hash: &Gc<RHash>) -> Gc<RHash> {
    let mut contents = hash.get(vm).clone();
    contents.default = Value::Nil;
    contents.default_proc = Value::Nil;
    let copy = Gc::new(ClassId::HASH, contents);
    copy.set_flag(BY_IDENTITY, hash.flag(BY_IDENTITY));
    copy
}
/// A copy of the same class with default value, instance variables and payload.
pub(crate) fn full_copy(vm: &mut Vm, this: &Value) -> Res<Gc<RHash>> {
    let copy = vm.shallow_copy(this)?;
    this_hash(vm, &copy).cloned()
}
/// An empty plain Hash.
pub(crate) fn empty() -> Gc<RHash> {
    Gc::new(ClassId::HASH, RHash::default())
}

fn check_default_proc(vm: &mut Vm, proc: &Gc<crate::frame::RProc>) -> Res<()> {
    if proc.get(vm).lambda {
        let arity = vm.proc_arity(proc, true);
        if arity != 2 && !(-3..0).contains(&arity) {
            let takes = if arity < 0 { -arity - 1 } else { arity };
            return Err(vm.type_error(format!("default_proc takes two arguments (2 for {takes})")));
        }
    }
    Ok(())
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let hash = modify(vm, this)?;
    match args.block {
        Some(block) => {
            if !args.is_empty() {
                return Err(vm.arity_error(args.len(), "0"));
            }
            let proc = vm.block_to_proc(block);
            check_default_proc(vm, &proc)?;
            let contents = hash.get_mut(vm);
            contents.default = Value::Nil;
            contents.default_proc = Value::Proc(proc);
        }
        None => {
            let contents = hash.get_mut(vm);
            contents.default = args.at(0).clone();
            contents.default_proc = Value::Nil;
        }
    }
    Ok(this.clone())
}
fn create(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Value::Class(class) = this else { return Ok(Value::Nil) };
    let made = Gc::new(*class, RHash::default());
    if let [only] = args.pos {
        if let Some(other) = vm.check_hash(only)? {
            let copy = plain_copy(vm, &other);
            *made.get_mut(vm) = copy.get(vm).clone();
            if other.flag(BY_IDENTITY) {
                // the copy compares keys by value: rehash them
                let entries = made.get_mut(vm).take_entries();
                for entry in entries {
                    vm.hash_set(&made, entry.key, entry.value)?;
                }
            }
            return Ok(Value::Hash(made));
        }
        if let Some(pairs) = vm.check_ary(only)? {
            for (index, pair) in pairs.get(vm).items.clone().into_iter().enumerate() {
                let Some(pair_items) = vm.check_ary(&pair)? else {
                    let class = vm.describe(&pair);
                    return Err(vm.argument_error(format!("wrong element type {class} at {index} (expected array)")));
                };
                let (key, value) = match pair_items.get(vm).items.as_slice() {
                    [key] => (key.clone(), Value::Nil),
                    [key, value] => (key.clone(), value.clone()),
                    other => {
                        let count = other.len();
                        return Err(vm.argument_error(format!("invalid number of elements ({count} for 1..2)")));
                    }
                };
                vm.hash_set(&made, key, value)?;
            }
            return Ok(Value::Hash(made));
        }
    }
    if !args.len().is_multiple_of(2) {
        return Err(vm.argument_error("odd number of arguments for Hash"));
    }
    for pair in args.pos.chunks(2) {
        vm.hash_set(&made, pair[0].clone(), pair[1].clone())?;
    }
    Ok(Value::Hash(made))
}
fn try_convert(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(vm.check_hash(args.at(0))?.map(Value::Hash).unwrap_or_default())
}
fn is_keywords(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(this_hash(vm, args.at(0))?.flag(KEYWORDS)))
}
fn with_keywords(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let copy = full_copy(vm, args.at(0))?;
    copy.set_flag(KEYWORDS, true);
    Ok(Value::Hash(copy))
}

/// The value for a missing key, from `default` if a subclass overrides it.
pub(crate) fn default_value(vm: &mut Vm, this: &Value, hash: &Gc<RHash>, key: &Value) -> Res {
    let class = vm.class_of(this);
    let own = class == ClassId::HASH
        || vm.find_method(class, sym::DEFAULT).is_some_and(|id| vm.method(id).owner == ClassId::HASH);
    if !own {
        return vm.call(this, sym::DEFAULT, std::slice::from_ref(key));
    }
    match hash.get(vm).default_proc.clone() {
        Value::Proc(proc) => vm.call_proc(&proc, Args::new(&[this.clone(), key.clone()])),
        _ => Ok(hash.get(vm).default.clone()),
    }
}
pub(crate) fn aref(vm: &mut Vm, this: &Value, key: &Value) -> Res {
    let hash = this_hash(vm, this)?;
    match vm.hash_get(hash, key)? {
        Some(value) => Ok(value),
        None => default_value(vm, this, hash, key),
    }
}
fn get(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    aref(vm, this, args.at(0))
}
fn set(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let hash = modify(vm, this)?;
    vm.hash_set(hash, args.at(0).clone(), args.at(1).clone())?;
    Ok(args.at(1).clone())
}
/// The characters of a key that an error message shows at most.
const KEY_SHOWN: usize = 65;

#[cold]
fn key_not_found(vm: &mut Vm, this: &Value, key: &Value) -> Error {
    match vm.inspect(key) {
        Ok(shown) => {
            let shown = match shown.char_indices().nth(KEY_SHOWN) {
                Some(_) => shown.chars().take(KEY_SHOWN - 3).chain("...".chars()).collect(),
                None => shown,
            };
            vm.key_error(format!("key not found: {shown}"), this, key)
        }
        Err(error) => error,
    }
}
fn fetch(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let hash = this_hash(vm, this)?;
    if args.block.is_some() && args.len() == 2 {
        vm.warn("block supersedes default value argument")?;
    }
    if let Some(value) = vm.hash_get(hash, args.at(0))? {
        return Ok(value);
    }
    match (args.block, args.get(1)) {
        (Some(block), _) => vm.yield1(block, args.at(0).clone()),
        (None, Some(value)) => Ok(value.clone()),
        (None, None) => Err(key_not_found(vm, this, args.at(0))),
    }
}
fn fetch_values(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let hash = this_hash(vm, this)?;
    let mut found = Vec::with_capacity(args.len());
    for key in args.pos {
        found.push(match (vm.hash_get(hash, key)?, args.block) {
            (Some(value), _) => value,
            (None, Some(block)) => vm.yield1(block, key.clone())?,
            (None, None) => return Err(key_not_found(vm, this, key)),
        });
    }
    Ok(Value::array(found))
}
fn values_at(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut found = Vec::with_capacity(args.len());
    for key in args.pos {
        found.push(aref(vm, this, key)?);
    }
    Ok(Value::array(found))
}
fn dig(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let value = aref(vm, this, args.at(0))?;
    dig_further(vm, value, &args.pos[1..])
}
/// Calls `dig` on the result of a step.
pub(crate) fn dig_further(vm: &mut Vm, value: Value, rest: &[Value]) -> Res {
    if rest.is_empty() || value.is_nil() {
        return Ok(value);
    }
    if !vm.respond_to(&value, sym::DIG, true)? {
        let class = vm.own_class_name(&value);
        return Err(vm.type_error(format!("{class} does not have #dig method")));
    }
    vm.call(&value, sym::DIG, rest)
}
/// The first pair with an equal value.
fn find_value(vm: &mut Vm, this: &Value, wanted: &Value) -> Res<Option<(Value, Value)>> {
    let hash = this_hash(vm, this)?;
    let mut found = None;
    each_entry(vm, hash, |vm, key, value| {
        if vm.equal(&value, wanted)? {
            found = Some((key, value));
        }
        Ok(found.is_none())
    })?;
    Ok(found)
}
fn key(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(find_value(vm, this, args.at(0))?.map(|(key, _)| key).unwrap_or_default())
}
fn has_key(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let hash = this_hash(vm, this)?;
    Ok(Value::bool(vm.hash_find(hash, args.at(0))?.is_some()))
}
fn has_value(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(find_value(vm, this, args.at(0))?.is_some()))
}
fn assoc(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let hash = this_hash(vm, this)?;
    let slot = vm.hash_find(hash, args.at(0))?;
    if let Some(entry) = slot.and_then(|slot| hash.get(vm).slot(slot)) {
        return Ok(Value::array(vec![entry.key.clone(), entry.value.clone()]));
    }
    // keys are compared with `==`, which is less strict than `eql?`
    let mut found = Value::Nil;
    each_entry(vm, hash, |vm, key, value| {
        if vm.equal(&key, args.at(0))? {
            found = Value::array(vec![key, value]);
        }
        Ok(found.is_nil())
    })?;
    Ok(found)
}
fn rassoc(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(find_value(vm, this, args.at(0))?.map(|(key, value)| Value::array(vec![key, value])).unwrap_or_default())
}
fn keys(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let hash = this_hash(vm, this)?;
    Ok(Value::array(hash.get(vm).iter().map(|(key, _)| key.clone()).collect()))
}
fn values(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let hash = this_hash(vm, this)?;
    Ok(Value::array(hash.get(vm).iter().map(|(_, value)| value.clone()).collect()))
}
fn to_a(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let hash = this_hash(vm, this)?;
    Ok(Value::array(hash.get(vm).iter().map(|(key, value)| Value::array(vec![key.clone(), value.clone()])).collect()))
}
fn length(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(this_hash(vm, this)?.get(vm).len()))
}
fn is_empty(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(this_hash(vm, this)?.get(vm).is_empty()))
}
fn default(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let contents = this_hash(vm, this)?.get(vm);
    match (contents.default_proc.clone(), args.get(0)) {
        (Value::Proc(proc), Some(key)) => vm.call_proc(&proc, Args::new(&[this.clone(), key.clone()])),
        _ => Ok(contents.default.clone()),
    }
}
fn set_default(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let contents = modify(vm, this)?.get_mut(vm);
    contents.default = args.at(0).clone();
    contents.default_proc = Value::Nil;
    Ok(args.at(0).clone())
}
fn default_proc(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(this_hash(vm, this)?.get(vm).default_proc.clone())
}
fn set_default_proc(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let hash = modify(vm, this)?;
    let given = args.at(0);
    let proc = match given {
        Value::Nil => Value::Nil,
        Value::Proc(_) => given.clone(),
        _ => vm.try_convert(given, sym::TO_PROC)?.unwrap_or(Value::Undef),
    };
    match &proc {
        Value::Nil => {}
        Value::Proc(proc) => check_default_proc(vm, proc)?,
        _ => {
            let class = vm.class_name_of(given);
            return Err(vm.type_error(format!("wrong default_proc type {class} (expected Proc)")));
        }
    }
    let contents = hash.get_mut(vm);
    contents.default = Value::Nil;
    contents.default_proc = proc;
    Ok(given.clone())
}
fn compare_by_identity(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let hash = this_hash(vm, this)?;
    if hash.flag(BY_IDENTITY) {
        return Ok(this.clone());
    }
    vm.check_frozen(this)?;
    if hash.get(vm).iterating > 0 {
        return Err(vm.runtime_error("compare_by_identity during iteration"));
    }
    hash.set_flag(BY_IDENTITY, true);
    edit::refile(vm, hash)?;
    Ok(this.clone())
}
fn is_by_identity(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(this_hash(vm, this)?.flag(BY_IDENTITY)))
}
fn to_proc(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let hash = this.clone();
    Ok(Value::Proc(
        vm.native_proc(Arity { min: 1, max: Some(1) }, true, move |vm, _, args| aref(vm, &hash, args.at(0))),
    ))
}

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::HASH).allocator = Some(|_, class| Ok(Value::Hash(Gc::new(class, RHash::default()))));
    vm.include_module(ClassId::HASH, ClassId::ENUMERABLE);
    vm.define_methods(ClassId::HASH, METHODS);
    vm.define_methods(ClassId::HASH, iterate::METHODS);
    vm.define_methods(ClassId::HASH, edit::METHODS);
    vm.define_methods(ClassId::HASH, compare::METHODS);
    vm.define_singleton_methods(ClassId::HASH, SINGLETON);
}
