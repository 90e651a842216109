//! RubyVM: what programs ask of MRI itself. `tree` has the trees of sources, `find` the nodes of code and places.

mod find;
mod tree;

pub(crate) use find::{definitions, read};

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::method::{MethodDef, def, opt};
use crate::value::Value;

/// Whether `RubyVM.keep_script_lines` is set; sources are kept anyway.
#[derive(Default)]
struct KeepsScriptLines(bool);

/// RubyVM.stat: how often what is cached of constants, classes and class variables became invalid.
fn stat(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let constants = vm.const_serial as i64;
    let numbers = [
        ("global_constant_state", constants),
        ("class_serial", vm.classes.len() as i64),
        ("global_cvar_state", constants),
    ];
    match args.get(0) {
        Some(Value::Sym(name)) => match numbers.iter().find(|(known, _)| *known == name.as_str()) {
            Some((_, number)) => Ok(Value::Int(*number)),
            None => Err(vm.argument_error(format!("unknown key: {name}"))),
        },
        Some(filled @ Value::Hash(hash)) => {
            vm.check_frozen(filled)?;
            for (name, number) in numbers {
                vm.hash_set(hash, Value::sym(name), Value::Int(number))?;
            }
            Ok(Value::Hash(hash.clone()))
        }
        Some(_) => Err(vm.type_error("non-hash or symbol given")),
        None => vm.new_hash(numbers.map(|(name, number)| (Value::sym(name), Value::Int(number))).to_vec()),
    }
}
fn keeps_script_lines(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(vm.extension::<KeepsScriptLines>().0))
}
fn set_keeps_script_lines(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    vm.extension::<KeepsScriptLines>().0 = args.at(0).truthy();
    Ok(args.at(0).clone())
}
static SINGLETON: &[MethodDef] = &[
    opt("stat", stat, 0, 1),
    def("keep_script_lines", keeps_script_lines, 0),
    def("keep_script_lines=", set_keeps_script_lines, 1),
];

/// Compilers to machine code are MRI's own: here they are always off.
fn is_off(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(false))
}
fn refuse_pause(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Err(vm.runtime_error("MJIT is not enabled"))
}
static COMPILER: &[MethodDef] = &[def("enabled?", is_off, 0)];
static PAUSES: &[MethodDef] = &[opt("pause", refuse_pause, 0, 1), def("resume", refuse_pause, 0)];

pub(super) fn boot(vm: &mut Vm) {
    let class = vm.define_class(ClassId::OBJECT, "RubyVM", ClassId::OBJECT);
    vm.undefine_new(class);
    vm.define_singleton_methods(class, SINGLETON);
    for name in ["MJIT", "YJIT"] {
        let compiler = vm.define_module(class, name);
        vm.define_singleton_methods(compiler, COMPILER);
        if name == "MJIT" {
            vm.define_singleton_methods(compiler, PAUSES);
        }
    }
    tree::boot(vm, class);
}
