//! The merged containers: `Chef::Node::ImmutableMash` and `Chef::Node::ImmutableArray`. Facts: chef 18, lib/chef/node/immutable_collections.rb.

use super::classes::{Kinds, kinds, resolve, up};
use super::track::Track;
use super::{mash, merge, path};
use rchef_ruby::embed::value::RArray;
use rchef_ruby::{Args, Error, Gc, MethodDef, RHash, RString, Res, Symbol, Value, Vm, any, def, opt, sym};

static MASH: &[MethodDef] = &[
    opt("initialize", initialize, 0, 4).private(),
    def("[]", aref, 1),
    def("internal_set", internal_set, 2),
    def("attribute?", mash::has_key, 1),
    def("dup", dup, 0),
    def("to_h", to_h, 0),
    def("to_hash", to_h, 0),
    any("to_yaml", to_yaml),
    def("convert_value", convert_value, 1),
    def("immutablize", convert_value, 1),
    def("safe_dup", safe_dup, 1),
];
static ARRAY: &[MethodDef] = &[
    opt("initialize", array_initialize, 0, 4).private(),
    any("[]", array_aref),
    def("dup", array_dup, 0),
    def("to_a", to_a, 0),
    def("to_array", to_a, 0),
    any("to_yaml", array_to_yaml),
    def("convert_value", convert_value, 1),
    def("immutablize", convert_value, 1),
    def("safe_dup", safe_dup, 1),
];
/// Methods of merged hashes that raise.
pub(super) static HASH_REFUSED: &[MethodDef] = &[
    any("[]=", refuse),
    any("deep_merge!", refuse),
    any("extract!", refuse),
    any("slice!", refuse),
    any("clear", refuse),
    any("collect!", refuse),
    any("compact!", refuse),
    any("default=", refuse),
    any("default_proc=", refuse),
    any("delete", refuse),
    any("delete_if", refuse),
    any("except!", refuse),
    any("filter!", refuse),
    any("keep_if", refuse),
    any("map!", refuse),
    any("merge!", refuse),
    any("rehash", refuse),
    any("reject!", refuse),
    any("replace", refuse),
    any("select!", refuse),
    any("shift", refuse),
    any("store", refuse),
    any("transform_keys!", refuse),
    any("transform_values!", refuse),
    any("update", refuse),
    any("stringify_keys!", refuse),
    any("compact_blank!", refuse),
    any("symbolize_keys!", refuse),
    any("deep_transform_keys!", refuse),
    any("deep_symbolize_keys!", refuse),
    any("deep_stringify_keys!", refuse),
];
/// Path methods that write; the attribute object has its own.
static PATH_REFUSED: &[MethodDef] =
    &[any("unlink!", refuse), any("unlink", refuse), any("write!", refuse), any("write", refuse)];
static ARRAY_REFUSED: &[MethodDef] = &[
    any("<<", refuse),
    any("[]=", refuse),
    any("append", refuse),
    any("clear", refuse),
    any("collect!", refuse),
    any("compact!", refuse),
    any("concat", refuse),
    any("default=", refuse),
    any("default_proc=", refuse),
    any("delete", refuse),
    any("delete_at", refuse),
    any("delete_if", refuse),
    any("fill", refuse),
    any("filter!", refuse),
    any("flatten!", refuse),
    any("insert", refuse),
    any("keep_if", refuse),
    any("map!", refuse),
    any("merge!", refuse),
    any("pop", refuse),
    any("prepend", refuse),
    any("push", refuse),
    any("reject!", refuse),
    any("replace", refuse),
    any("reverse!", refuse),
    any("rotate!", refuse),
    any("select!", refuse),
    any("shift", refuse),
    any("shuffle!", refuse),
    any("slice!", refuse),
    any("sort!", refuse),
    any("sort_by!", refuse),
    any("uniq!", refuse),
    any("unshift", refuse),
    any("compact_blank!", refuse),
    any("extract_options!", refuse),
];

pub(super) fn boot(vm: &mut Vm, kinds: Kinds) {
    vm.define_methods(kinds.immutable_mash, path::METHODS);
    vm.define_methods(kinds.immutable_mash, HASH_REFUSED);
    vm.define_methods(kinds.immutable_mash, PATH_REFUSED);
    vm.define_methods(kinds.immutable_mash, MASH);
    vm.define_methods(kinds.immutable_array, ARRAY_REFUSED);
    vm.define_methods(kinds.immutable_array, ARRAY);
}

fn refuse(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Err(read_only(vm))
}
#[cold]
pub(crate) fn read_only(vm: &mut Vm) -> Error {
    crate::run::chef_error(vm, "ImmutableAttributeModification", crate::exceptions::READ_ONLY)
}

/// The immutable form of a value, recursively; Strings become frozen copies.
pub(crate) fn immutable(vm: &mut Vm, kinds: &Kinds, value: &Value) -> Res {
    match value {
        Value::Str(gc) => {
            if gc.frozen() {
                return Ok(value.clone());
            }
            let copy = vm.shallow_copy(value)?;
            vm.freeze(&copy);
            Ok(copy)
        }
        Value::Hash(gc) => {
            if gc.class() == kinds.immutable_mash || vm.is_a(value, kinds.immutable_mash) {
                return Ok(value.clone());
            }
            if vm.data::<Track>(value).is_some() {
                return tracked(vm, kinds, value);
            }
            vm.check_stack()?;
            vm.check_memory()?;
            let gc = if super::attribute::owner(vm, value).is_some() {
                let tree = super::attribute::whole(vm, value)?;
                vm.to_hash(&tree)?
            } else {
                gc.clone()
            };
            let mut copy = gc.get(vm).clone();
            if copy.iter().any(|(key, _)| matches!(key, Value::Sym(_))) {
                let entries = copy.take_entries();
                let made = Gc::new(kinds.immutable_mash, RHash::with_capacity(entries.len()));
                for entry in entries {
                    let value = immutable(vm, kinds, &entry.value)?;
                    vm.hash_set(&made, mash::key(&entry.key), value)?;
                }
                return Ok(Value::Hash(made));
            }
            (copy.default, copy.default_proc, copy.iterating) = (Value::Nil, Value::Nil, 0);
            for value in copy.values_mut() {
                if !is_plain(value) {
                    *value = immutable(vm, kinds, value)?;
                }
            }
            Ok(Value::Hash(Gc::new(kinds.immutable_mash, copy)))
        }
        Value::Array(gc) => {
            if gc.class() == kinds.immutable_array || vm.is_a(value, kinds.immutable_array) {
                return Ok(value.clone());
            }
            if vm.data::<Track>(value).is_some() {
                return tracked(vm, kinds, value);
            }
            vm.check_stack()?;
            vm.check_memory()?;
            let mut items = gc.get(vm).items.clone();
            for item in &mut items {
                if !is_plain(item) {
                    *item = immutable(vm, kinds, item)?;
                }
            }
            Ok(Value::Array(Gc::new(kinds.immutable_array, RArray { items: items.into() })))
        }
        Value::Object(_) if !vm.frozen(value) => {
            let copy = merge::dup_of(vm, value)?;
            vm.freeze(&copy);
            Ok(copy)
        }
        other => Ok(other.clone()),
    }
}
/// The immutable form of a writable container. Unchanged parts of the last form are reused, so that after a write only the enclosing containers are
/// created again.
fn tracked(vm: &mut Vm, kinds: &Kinds, value: &Value) -> Res {
    vm.check_stack()?;
    vm.check_memory()?;
    let form = vm.data::<Track>(value).map(|track| track.form.clone()).unwrap_or_default();
    let (keys, mut values): (Vec<Value>, Vec<Value>) = match value {
        Value::Hash(gc) => gc.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).unzip(),
        Value::Array(gc) => (Vec::new(), gc.get(vm).items.clone()),
        _ => return Ok(value.clone()),
    };
    if keys.iter().any(|key| matches!(key, Value::Sym(_))) {
        let found = keys.into_iter().zip(values).collect();
        let plain = vm.new_hash(found)?;
        return immutable(vm, kinds, &plain);
    }
    let (old_keys, old): (Vec<Value>, Vec<Value>) = match &form {
        Value::Hash(gc) => gc.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).unzip(),
        Value::Array(gc) => (Vec::new(), gc.get(vm).items.clone()),
        _ => (Vec::new(), Vec::new()),
    };
    let mut same = !form.is_nil() && values.len() == old.len() && keys.iter().zip(&old_keys).all(|(a, b)| a.same(b));
    for (index, value) in values.iter_mut().enumerate() {
        let known = old.get(index);
        match (&*value, known) {
            (Value::Str(now), Some(Value::Str(then))) if now.class() == then.class() && identical(vm, now, then) => {
                *value = Value::Str(then.clone())
            }
            _ if is_plain(value) => same = same && known.is_some_and(|known| known.same(value)),
            _ => {
                *value = immutable(vm, kinds, value)?;
                same = same && known.is_some_and(|known| known.same(value));
            }
        }
    }
    if same {
        return Ok(form);
    }
    let made = match value {
        Value::Hash(gc) => {
            let mut copy = gc.get(vm).clone();
            (copy.default, copy.default_proc, copy.iterating) = (Value::Nil, Value::Nil, 0);
            copy.values_mut().zip(values).for_each(|(slot, value)| *slot = value);
            Value::Hash(Gc::new(kinds.immutable_mash, copy))
        }
        _ => Value::Array(Gc::new(kinds.immutable_array, RArray { items: values.into() })),
    };
    if let Some(track) = vm.data_mut::<Track>(value) {
        track.form = made.clone();
    }
    Ok(made)
}
fn identical(vm: &Vm, a: &Gc<RString>, b: &Gc<RString>) -> bool {
    let (a, b) = (a.get(vm), b.get(vm));
    a.encoding() == b.encoding() && a.bytes() == b.bytes()
}
#[inline]
fn is_plain(value: &Value) -> bool {
    !matches!(value, Value::Str(_) | Value::Hash(_) | Value::Array(_) | Value::Object(_))
}
/// A copy with plain Hashes and Arrays, recursively, independent of the original.
pub(crate) fn plain(vm: &mut Vm, value: &Value) -> Res {
    match value {
        Value::Hash(gc) => {
            vm.check_stack()?;
            vm.check_memory()?;
            let mut copy = gc.get(vm).clone();
            (copy.default, copy.default_proc, copy.iterating) = (Value::Nil, Value::Nil, 0);
            for value in copy.values_mut() {
                if !is_plain(value) {
                    *value = plain(vm, value)?;
                }
            }
            Ok(Value::hash(copy))
        }
        Value::Array(gc) => {
            vm.check_stack()?;
            vm.check_memory()?;
            let mut items = gc.get(vm).items.clone();
            for item in &mut items {
                if !is_plain(item) {
                    *item = plain(vm, item)?;
                }
            }
            Ok(Value::array(items))
        }
        Value::Str(_) => vm.shallow_copy(value),
        Value::Object(_) => merge::dup_of(vm, value),
        other => Ok(other.clone()),
    }
}

fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (kinds, gc) = (kinds(vm), mash::contents(vm, this)?);
    if args.at(0).is_nil() {
        return Ok(Value::Nil);
    }
    for (key, value) in mash::pairs(vm, args.at(0))? {
        let value = immutable(vm, &kinds, &value)?;
        vm.hash_set(&gc, mash::key(&key), value)?;
    }
    Ok(Value::Nil)
}
fn aref(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Value::Hash(gc) = this else { return Ok(Value::Nil) };
    match mash::get(vm, gc, args.at(0))? {
        Some(value) => resolve(vm, value),
        None => Ok(Value::Nil),
    }
}
fn internal_set(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (kinds, gc) = (kinds(vm), mash::contents(vm, this)?);
    let value = immutable(vm, &kinds, args.at(1))?;
    vm.hash_set(&gc, mash::key(args.at(0)), value.clone())?;
    Ok(value)
}
/// A Mash with copies of the nested containers.
fn dup(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let mut pairs = mash::pairs(vm, this)?;
    for (_, value) in &mut pairs {
        *value = merge::dup_of(vm, value)?;
    }
    mash::new(vm, pairs)
}
fn to_h(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    plain(vm, this)
}
fn to_yaml(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let plain = plain(vm, this)?;
    vm.call_args(&plain, Symbol::intern_static("to_yaml"), args)
}
fn convert_value(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let kinds = kinds(vm);
    immutable(vm, &kinds, args.at(0))
}
fn safe_dup(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    merge::dup_of(vm, args.at(0))
}
/// `node['a'].foo` with the legacy DSL: the attribute of that name.
pub(super) fn method_missing(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (Some((Value::Sym(name), rest)), Value::Hash(gc)) = (args.pos.split_first(), this) else {
        return Ok(Value::Nil);
    };
    if rest.is_empty()
        && super::classes::state(vm).legacy_dsl
        && let Some(value) = mash::get(vm, gc, &Value::Sym(*name))?
    {
        vm.deprecated("node attributes as methods");
        return resolve(vm, value);
    }
    Err(vm.no_method_error(this, *name, rest, rchef_ruby::embed::call::CallKind::Method, None))
}

fn array_initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Value::Array(gc) = this else { return Ok(Value::Nil) };
    let kinds = kinds(vm);
    let mut items = if args.at(0).is_nil() { Vec::new() } else { vm.to_array(args.at(0))? };
    for item in &mut items {
        *item = immutable(vm, &kinds, item)?;
    }
    gc.get_mut(vm).items = items.into();
    Ok(Value::Nil)
}
fn array_aref(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let (Value::Array(gc), [Value::Int(index)]) = (this, args.pos) {
        let items = &gc.get(vm).items;
        let at = if *index < 0 { *index + items.len() as i64 } else { *index };
        let value = usize::try_from(at).ok().and_then(|at| items.get(at)).cloned().unwrap_or_default();
        return resolve(vm, value);
    }
    let class = kinds(vm).immutable_array;
    let value = up(vm, this, class, sym::AREF, args)?;
    resolve(vm, value)
}
/// A plain Array with copies of the elements.
pub(super) fn array_copy(vm: &mut Vm, this: &Value) -> Res {
    let mut items = vm.to_array(this)?;
    for item in &mut items {
        *item = merge::dup_of(vm, item)?;
    }
    Ok(Value::array(items))
}
fn array_dup(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    array_copy(vm, this)
}
fn to_a(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    plain(vm, this)
}
pub(super) fn array_to_yaml(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let plain = plain(vm, this)?;
    vm.call_args(&plain, Symbol::intern_static("to_yaml"), args)
}
