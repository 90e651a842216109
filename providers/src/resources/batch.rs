//! `batch`.

use crate::coerce;
use crate::prelude::*;

/// `Chef::Resource::Batch`.
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

/// Its interpreter.
fn init(vm: &mut Vm, resource: &Value, _name: &Value) -> Res<()> {
    coerce::put(vm, resource, "@interpreter", Value::str("cmd.exe"));
    Ok(())
}
