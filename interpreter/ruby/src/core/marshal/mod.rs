//! Marshal, format version 4.8: `dump` writes, `load` reads.

mod dump;
mod exception;
mod load;

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::method::{MethodDef, opt};
use crate::string::RString;
use crate::value::Value;
use rchef_syntax::symbol::sym;

static FUNCTIONS: &[MethodDef] =
    &[opt("dump", dump_method, 1, 3), opt("load", load_method, 1, 3), opt("restore", load_method, 1, 3)];

/// Marshal.dump(object, io = nil, limit = -1)
fn dump_method(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (mut io, mut limit) = (None, -1);
    match (args.get(1), args.get(2)) {
        (Some(to), Some(depth)) => {
            if !to.is_nil() {
                io = Some(to.clone());
            }
            if !depth.is_nil() {
                limit = vm.to_int(depth)?;
            }
        }
        (Some(Value::Int(depth)), None) => limit = *depth,
        (Some(Value::Nil), None) => return Err(vm.type_error("instance of IO needed")),
        (Some(to), None) => io = Some(to.clone()),
        _ => {}
    }
    if let Some(io) = &io {
        if !vm.respond_to(io, sym::WRITE, true)? {
            return Err(vm.type_error("instance of IO needed"));
        }
        let binmode = Symbol::intern_static("binmode");
        if vm.respond_to(io, binmode, true)? {
            vm.call(io, binmode, &[])?;
        }
    }
    let bytes = dump::dump(vm, args.at(0), limit)?;
    let text = Value::string(RString::binary(bytes));
    match io {
        Some(io) => {
            vm.call(&io, sym::WRITE, &[text])?;
            Ok(io)
        }
        None => Ok(text),
    }
}

/// Marshal.load(source, proc = nil, freeze: false)
fn load_method(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (pos, [freeze]) = args.take_keywords(vm, [sym::FREEZE])?;
    if !(1..=2).contains(&pos.len()) {
        return Err(vm.arity_error(pos.len(), "1..2"));
    }
    let proc = pos.get(1).filter(|proc| !proc.is_nil()).cloned();
    load::load(vm, &pos[0], proc, freeze.is_some_and(|freeze| freeze.truthy()))
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_module_functions(ClassId::MARSHAL, FUNCTIONS);
    for (name, value) in [("MAJOR_VERSION", 4), ("MINOR_VERSION", 8)] {
        vm.const_set(ClassId::MARSHAL, Symbol::intern_static(name), Value::Int(value));
    }
}
