//! String, one file per kind of method. Methods that are given a Regexp call [`regexp`].

mod access;
mod case;
pub(crate) mod common;
mod compare;
mod convert;
mod crypt;
mod edit;
mod encode;
mod format;
mod iterate;
pub mod join;
mod lines;
mod numbers;
mod pack;
mod pad;
mod regexp;
mod search;
mod split;
mod strip;
mod translate;

pub(crate) use encode::{EncodeOptions, encode_options};
pub use iterate::succ_of;

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::heap::Gc;
use crate::method::{MethodDef, any, def};
use crate::string::RString;
use crate::value::Value;
pub use common::append;
use common::{keyword, me, me_mut};
pub(super) use join::operand;
pub use join::{compatible, incompatible};
use rchef_syntax::symbol::sym;

static METHODS: &[MethodDef] = &[
    any("initialize", initialize).private(),
    def("initialize_copy", replace, 1).private(),
    def("replace", replace, 1),
    def("clear", clear, 0),
    def("empty?", empty, 0),
    def("length", length, 0),
    def("size", length, 0),
    def("bytesize", bytesize, 0),
    def("to_s", to_s, 0),
    def("to_str", to_s, 0),
    def("+@", unfrozen, 0),
    def("-@", deduplicated, 0),
    def("freeze", freeze, 0),
];
static SINGLETON: &[MethodDef] = &[def("try_convert", try_convert, 1), any("new", new)];

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::STRING).allocator =
        Some(|_, class| Ok(Value::Str(Gc::new(class, RString::binary(Vec::new())))));
    vm.define_singleton_methods(ClassId::STRING, SINGLETON);
    for table in [
        METHODS,
        access::METHODS,
        case::METHODS,
        compare::METHODS,
        convert::METHODS,
        edit::METHODS,
        encode::METHODS,
        iterate::METHODS,
        lines::METHODS,
        numbers::METHODS,
        pad::METHODS,
        search::METHODS,
        split::METHODS,
        strip::METHODS,
        translate::METHODS,
        regexp::METHODS,
    ] {
        vm.define_methods(ClassId::STRING, table);
    }
    vm.include_module(ClassId::STRING, ClassId::COMPARABLE);
    format::boot(vm);
    crypt::boot(vm);
    pack::boot(vm);
}

/// `String.new(text = "", encoding:, capacity:)`: the general `new`, with a fast path for copying a plain String.
fn new(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let (Value::Class(ClassId::STRING), [Value::Str(from)], false) = (this, args.pos, vm.redefined) {
        return Ok(Value::string(from.get(vm).clone()));
    }
    let Value::Class(class) = this else { return Ok(Value::Nil) };
    let made = Value::Str(Gc::new(*class, RString::binary(Vec::new())));
    vm.call_args(&made, sym::INITIALIZE, args)?;
    Ok(made)
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [encoding, _capacity]) = args.take_keywords(vm, [sym::ENCODING, keyword("capacity")])?;
    if pos.len() > 1 {
        return Err(vm.arity_error(pos.len(), "0..1"));
    }
    if !args.pos.is_empty() {
        vm.check_frozen(this)?;
    }
    if let Some(text) = pos.first() {
        replace(vm, this, Args::new(std::slice::from_ref(text)))?;
    }
    if let Some(encoding) = encoding.filter(|value| !value.is_nil()) {
        let encoding = super::encoding::to_encoding(vm, &encoding)?;
        me_mut(vm, this)?.get_mut(vm).set_encoding(encoding);
    }
    Ok(this.clone())
}
fn replace(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me_mut(vm, this)?;
    let other = vm.to_str(args.at(0))?;
    if !me.same(&other) {
        let contents = other.get(vm).clone();
        me.get_mut(vm).replace(contents);
    }
    Ok(this.clone())
}
fn try_convert(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(vm.check_str(args.at(0))?.map_or(Value::Nil, Value::Str))
}
fn clear(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let string = me_mut(vm, this)?.get_mut(vm);
    *string.bytes_mut() = Vec::new();
    Ok(this.clone())
}
fn empty(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(me(vm, this)?.get(vm).bytes().is_empty()))
}
fn length(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(me(vm, this)?.get(vm).char_count()))
}
fn bytesize(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(me(vm, this)?.get(vm).bytesize()))
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let me = me(vm, this)?;
    if vm.real_class_of(this) == ClassId::STRING {
        return Ok(this.clone());
    }
    Ok(Value::string(me.get(vm).clone()))
}
fn freeze(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    vm.freeze(this);
    Ok(this.clone())
}
fn unfrozen(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if !vm.frozen(this) {
        return Ok(this.clone());
    }
    vm.call(this, sym::DUP, &[])
}

fn deduplicated(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let has_state = me.ext(vm).is_some_and(|ext| !ext.ivars.is_empty() || ext.data.is_some());
    if has_state || me.class() != ClassId::STRING {
        if !me.frozen() {
            let copy = Value::Str(Gc::new(vm.real_class_of(this), me.get(vm).clone()));
            vm.freeze(&copy);
            return Ok(copy);
        }
        return Ok(this.clone());
    }
    let contents = me.get(vm).clone();
    let frozen = me.frozen();
    let own = this.clone();
    let make = move |bytes: &[u8], encoding| {
        if frozen { own } else { Value::string(RString::new(bytes, encoding)) }
    };
    Ok(vm.interned(contents.bytes(), contents.encoding(), make))
}
