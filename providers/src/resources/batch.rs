use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "batch",
    class: "Batch",
    parent: "WindowsScript",
    doc: "Runs a batch script (Windows).",
    provides: &[Provides::always("batch")],
    init: Some(init),
    default_guard_interpreter: "batch",
    ..ResourceDef::DEFAULT
};

fn init(vm: &mut Vm, resource: &Value, _name: &Value) -> Res<()> {
    coerce::put(vm, resource, "@interpreter", Value::str("cmd.exe"));
    Ok(())
}
