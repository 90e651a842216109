//! GC::Profiler: when the collections ran while it was enabled, and how long they took.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::heap::CollectionRecord;
use crate::method::{MethodDef, def, opt};
use crate::value::Value;

static SINGLETON: &[MethodDef] = &[
    def("enable", enable, 0),
    def("disable", disable, 0),
    def("enabled?", is_enabled, 0),
    def("clear", clear, 0),
    def("raw_data", raw_data, 0),
    def("total_time", total_time, 0),
    def("result", result, 0),
    opt("report", report, 0, 1),
];

fn enable(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    vm.collections.profiled = true;
    Ok(Value::Nil)
}
fn disable(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    vm.collections.profiled = false;
    Ok(Value::Nil)
}
fn is_enabled(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(vm.collections.profiled))
}
fn clear(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    vm.collections.records.clear();
    Ok(Value::Nil)
}
fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}
/// A Hash for each collection, with MRI's keys.
fn raw_data(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let mut list = Vec::new();
    for record in vm.collections.records.clone() {
        let flags = super::info(vm, record.forced)?;
        let (cells, bytes) = (Value::len(record.cells), Value::len(record.bytes));
        let pairs = [
            ("GC_FLAGS", flags),
            ("GC_TIME", Value::float(seconds(record.took))),
            ("GC_INVOKE_TIME", Value::float(seconds(record.at))),
            ("HEAP_USE_SIZE", bytes.clone()),
            ("HEAP_TOTAL_SIZE", bytes),
            ("HEAP_TOTAL_OBJECTS", cells),
            ("MOVED_OBJECTS", Value::Int(0)),
            ("GC_IS_MARKED", Value::True),
        ];
        list.push(vm.new_hash(pairs.map(|(name, value)| (Value::sym(name), value)).into())?);
    }
    Ok(Value::array(list))
}
fn total_time(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::float(seconds(vm.collections.records.iter().map(|record| record.took).sum())))
}
/// The table that `report` prints.
fn table(records: &[CollectionRecord], runs: u64) -> String {
    if records.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "GC {runs} invokes.\nIndex    Invoke Time(sec)       Use Size(byte)     Total Size(byte)         Total Object                    GC Time(ms)\n"
    );
    for (index, record) in records.iter().enumerate() {
        let CollectionRecord { at, took, cells, bytes, .. } = record;
        text.push_str(&format!(
            "{:5} {:19.3} {bytes:20} {bytes:20} {cells:20} {:30.20}\n",
            index + 1,
            seconds(*at),
            seconds(*took) * 1000.0
        ));
    }
    text
}
fn result(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::str(table(&vm.collections.records, vm.collections.runs)))
}
fn report(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let text = Value::str(table(&vm.collections.records, vm.collections.runs));
    let to = match args.at(0) {
        Value::Nil => vm.global_get(Symbol::intern_static("$stdout"))?,
        given => given.clone(),
    };
    vm.call_name(&to, "write", &[text])?;
    Ok(Value::Nil)
}

pub(super) fn boot(vm: &mut Vm) {
    let module = vm.define_module(ClassId::GC, "Profiler");
    vm.define_singleton_methods(module, SINGLETON);
}
