use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "csh",
    class: "Csh",
    parent: "Script",
    doc: "Runs a csh script.",
    provides: &[Provides::always("csh")],
    init: Some(init),
    overlay: true,
    guard_command: GuardCommand::Program { program: "csh", option: "-c" },
    ..ResourceDef::DEFAULT
};

fn init(vm: &mut Vm, resource: &Value, _name: &Value) -> Res<()> {
    coerce::put(vm, resource, "@interpreter", Value::str("csh"));
    Ok(())
}
