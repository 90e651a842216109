//! Array: natives that work directly on the elements.
//!
//! - here: creation, conversion, comparison, inspection; - `common`: helpers; - `access`: reading and writing by index; - `iterate`: each and related
//!   methods;
//! - `edit`: adding, removing; - `sets`: set operations, uniq; - `order`: sorting, searching, shuffling; - `combine`: product, permutations, flatten,
//!   join.

mod access;
mod combine;
pub(crate) mod common;
mod edit;
mod iterate;
pub mod order;
pub mod select;
mod sets;

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::natives::{check_room, item, itself, once, paired};
use crate::error::Res;
use crate::heap::{BUSY, Gc};
use crate::method::{MethodDef, any, def, opt};
use crate::string::RString;
use crate::value::{RHash, Value};
pub(crate) use common::{ary, items, modify};
use rchef_syntax::symbol::sym;
use std::cmp::Ordering;

pub(crate) use combine::join;

static METHODS: &[MethodDef] = &[
    opt("initialize", initialize, 0, 2).private(),
    def("initialize_copy", replace, 1).private(),
    def("replace", replace, 1),
    def("to_a", to_a, 0),
    def("to_ary", itself, 0),
    def("deconstruct", itself, 0),
    def("to_h", to_h, 0),
    def("to_s", inspect, 0),
    def("inspect", inspect, 0),
    def("length", length, 0),
    def("size", length, 0),
    def("empty?", is_empty, 0),
    def("==", equal, 1),
    def("eql?", eql, 1),
    def("hash", hash, 0),
    def("<=>", compare, 1),
];

static SINGLETON: &[MethodDef] = &[any("[]", make), def("try_convert", try_convert, 1)];

/// Array.new(size = 0, default = nil) { |index| … }, Array.new(array)
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = modify(vm, this)?;
    array.get_mut(vm).items.clear();
    let Some(first) = args.get(0) else {
        if args.block.is_some() {
            vm.warn_verbose("given block not used")?;
        }
        return Ok(this.clone());
    };
    if args.len() == 1
        && !matches!(first, Value::Int(_))
        && let Some(other) = vm.check_ary(first)?
    {
        let items = other.get(vm).items.clone();
        array.get_mut(vm).items = items.into();
        return Ok(this.clone());
    }
    let count = vm.to_int(first)?;
    if count < 0 {
        return Err(vm.argument_error("negative array size"));
    }
    let count = check_room(vm, count)?;
    match args.block {
        Some(block) => {
            if args.len() == 2 {
                vm.warn("block supersedes default value argument")?;
            }
            for index in 0..count {
                let value = vm.yield1(block, Value::len(index))?;
                let items = &mut array.get_mut(vm).items;
                if items.len() < index {
                    items.resize(index, Value::Nil);
                }
                items.truncate(index);
                items.push(value);
            }
        }
        None => array.get_mut(vm).items = vec![args.at(1).clone(); count].into(),
    }
    Ok(this.clone())
}
fn make(_: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let class = crate::class::this_class(this);
    Ok(Value::array_of(class, args.pos.to_vec()))
}
fn try_convert(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(vm.check_ary(args.at(0))?.map_or(Value::Nil, Value::Array))
}
fn replace(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = modify(vm, this)?;
    let other = vm.to_ary(args.at(0))?;
    let items = other.get(vm).items.clone();
    array.get_mut(vm).items = items.into();
    Ok(this.clone())
}
/// Array#to_a: the receiver; for a subclass a plain Array.
fn to_a(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if vm.real_class_of(this) == ClassId::ARRAY { Ok(this.clone()) } else { Ok(Value::array(items(vm, this)?)) }
}
fn to_h(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = ary(vm, this)?;
    let hash = Gc::new(ClassId::HASH, RHash::with_capacity(array.get(vm).items.len()));
    let mut index = 0;
    while let Some(element) = item(vm, array, index) {
        let element = match args.block {
            Some(block) => vm.yield1(block, element)?,
            None => element,
        };
        let Some(pair) = vm.check_ary(&element)? else {
            let class = vm.class_name_of(&element);
            return Err(vm.type_error(format!("wrong element type {class} at {index} (expected array)")));
        };
        let (key, value) = match pair.get(vm).items.as_slice() {
            [key, value] => (key.clone(), value.clone()),
            other => {
                let count = other.len();
                return Err(vm.argument_error(format!("wrong array length at {index} (expected 2, was {count})")));
            }
        };
        vm.hash_set(&hash, key, value)?;
        index += 1;
    }
    Ok(Value::Hash(hash))
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let array = ary(vm, this)?.clone();
    if array.get(vm).items.is_empty() {
        return Ok(Value::string(RString::ascii("[]")));
    }
    let shown = once(vm, this, |vm| {
        let mut out = RString::ascii("[");
        let mut index = 0;
        while let Some(element) = item(vm, &array, index) {
            if index > 0 {
                out.push_bytes(b", ", None);
            }
            vm.tick_by(1)?;
            let text = vm.inspect_str(&element)?;
            if index == 0 {
                // the whole has the encoding of its first part until a later part needs more
                out = RString::new(b"[".to_vec(), text.get(vm).encoding());
            }
            vm.append(&mut out, &text)?;
            index += 1;
        }
        out.push_bytes(b"]", None);
        Ok(Value::string(out))
    })?;
    Ok(shown.unwrap_or_else(|| Value::string(RString::ascii("[...]"))))
}
fn length(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(ary(vm, this)?.get(vm).items.len()))
}
fn is_empty(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(ary(vm, this)?.get(vm).items.is_empty()))
}
fn each_pair_agrees(vm: &mut Vm, this: &Value, other: &Value, agree: fn(&mut Vm, &Value, &Value) -> Res<bool>) -> Res {
    let (a, b) = (ary(vm, this)?, ary(vm, other)?);
    if a.same(b) {
        return Ok(Value::True);
    }
    if a.get(vm).items.len() != b.get(vm).items.len() {
        return Ok(Value::False);
    }
    let answer = paired(vm, this, other, |vm| {
        let mut index = 0;
        loop {
            match (item(vm, a, index), item(vm, b, index)) {
                (Some(x), Some(y)) => {
                    if !x.same(&y) && !agree(vm, &x, &y)? {
                        return Ok(false);
                    }
                }
                (None, None) => return Ok(true),
                _ => return Ok(false),
            }
            index += 1;
        }
    })?;
    Ok(Value::bool(answer.unwrap_or(true)))
}
/// Array#==
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    if !matches!(other, Value::Array(_)) {
        if matches!(other, Value::Object(_)) && vm.respond_to(other, sym::TO_ARY, true)? {
            return Ok(Value::bool(vm.call(other, sym::EQ, std::slice::from_ref(this))?.truthy()));
        }
        return Ok(Value::False);
    }
    each_pair_agrees(vm, this, other, Vm::eq)
}
fn eql(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    if !matches!(other, Value::Array(_)) {
        return Ok(Value::False);
    }
    each_pair_agrees(vm, this, other, Vm::eql)
}
/// Array#hash: equal for equal arrays of any class, computed by `Vm::hash_shown`.
fn hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let array = ary(vm, this)?;
    let plain = if array.class() == ClassId::ARRAY { this.clone() } else { Value::array(array.get(vm).items.clone()) };
    if this.flag(BUSY) {
        return Ok(Value::Int(array.get(vm).items.len() as i64));
    }
    Ok(Value::Int(vm.hash_shown(&plain)? as i64))
}
/// Array#<=>
fn compare(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(other) = vm.check_ary(args.at(0))? else { return Ok(Value::Nil) };
    let array = ary(vm, this)?;
    if array.same(&other) {
        return Ok(Value::Int(0));
    }
    let with = Value::Array(other.clone());
    let answer = paired(vm, this, &with, |vm| {
        let mut index = 0;
        while let (Some(x), Some(y)) = (item(vm, array, index), item(vm, &other, index)) {
            let answer = vm.call(&x, sym::CMP, &[y])?;
            if !matches!(answer, Value::Int(0)) {
                return Ok(Some(answer));
            }
            index += 1;
        }
        Ok(None)
    })?;
    match answer {
        Some(Some(answer)) => Ok(answer),
        Some(None) => {
            let order = array.get(vm).items.len().cmp(&other.get(vm).items.len());
            Ok(Value::Int(match order {
                Ordering::Less => -1,
                Ordering::Equal => 0,
                Ordering::Greater => 1,
            }))
        }
        None => Ok(Value::Nil),
    }
}

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::ARRAY).allocator = Some(|_, class| Ok(Value::array_of(class, Vec::new())));
    vm.include_module(ClassId::ARRAY, ClassId::ENUMERABLE);
    for table in
        [METHODS, access::METHODS, iterate::METHODS, edit::METHODS, sets::METHODS, order::METHODS, combine::METHODS]
    {
        vm.define_methods(ClassId::ARRAY, table);
    }
    vm.define_singleton_methods(ClassId::ARRAY, SINGLETON);
}
