//! GC: objects are reference counted; a collection frees unreachable cycles ([`Vm::collect_cycles`]).

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::method::{MethodDef, def, opt};
use crate::value::Value;

#[derive(Default)]
struct State {
    stress: Value,
}

/// With `GC.stress` a collection runs once per this many steps.
const STRESS_STEPS: u64 = 64;

static SINGLETON: &[MethodDef] = &[
    opt("start", start, 0, 1),
    def("enable", enable, 0),
    def("disable", disable, 0),
    def("stress", stress, 0),
    def("stress=", set_stress, 1),
    def("count", count, 0),
    opt("stat", stat, 0, 1),
    def("measure_total_time", yes, 0),
    def("measure_total_time=", itself, 1),
    def("total_time", zero, 0),
    def("auto_compact", no, 0),
    def("auto_compact=", itself, 1),
];
static METHODS: &[MethodDef] = &[opt("garbage_collect", start, 0, 1)];

/// The number of collections so far.
pub fn runs(vm: &Vm) -> i64 {
    vm.collections.runs as i64
}

pub(super) fn start(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let names = ["full_mark", "immediate_mark", "immediate_sweep"].map(Symbol::intern_static);
    args.take_keywords(vm, names)?;
    vm.collect_cycles();
    Ok(Value::Nil)
}
fn enable(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(std::mem::replace(&mut vm.collections.disabled, false)))
}
fn disable(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(std::mem::replace(&mut vm.collections.disabled, true)))
}
fn stress(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let stress = vm.extension::<State>().stress.clone();
    Ok(if stress.is_nil() { Value::False } else { stress })
}
fn set_stress(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    vm.extension::<State>().stress = args.at(0).clone();
    vm.collect_every(if args.at(0).truthy() { STRESS_STEPS } else { 0 });
    Ok(args.at(0).clone())
}
fn count(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(runs(vm)))
}
fn stat(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let runs = runs(vm);
    let figures = [
        ("count", runs),
        ("time", 0),
        ("heap_live_slots", vm.collections.left as i64),
        ("total_freed_objects", vm.collections.freed as i64),
        ("minor_gc_count", 0),
        ("major_gc_count", runs),
    ];
    match args.at(0) {
        Value::Sym(name) => match figures.iter().find(|(known, _)| *known == name.as_str()) {
            Some((_, figure)) => Ok(Value::Int(*figure)),
            None => Err(vm.argument_error(format!("unknown key: {name}"))),
        },
        Value::Nil | Value::Hash(_) => {
            vm.new_hash(figures.iter().map(|(name, figure)| (Value::sym(name), Value::Int(*figure))).collect())
        }
        _ => Err(vm.type_error("non-hash or symbol given")),
    }
}
fn yes(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::True)
}
fn no(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::False)
}
fn zero(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(0))
}
fn itself(_: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(args.at(0).clone())
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_singleton_methods(ClassId::GC, SINGLETON);
    vm.define_methods(ClassId::GC, METHODS);
}
