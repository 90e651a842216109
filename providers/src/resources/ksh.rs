use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "ksh",
    class: "Ksh",
    parent: "Script",
    doc: "Runs a ksh script.",
    introduced: "12.6",
    provides: &[Provides::always("ksh")],
    init: Some(init),
    overlay: true,
    guard_command: GuardCommand::Program { program: "ksh", option: "-c" },
    ..ResourceDef::DEFAULT
};

fn init(vm: &mut Vm, resource: &Value, _name: &Value) -> Res<()> {
    coerce::put(vm, resource, "@interpreter", Value::str("ksh"));
    Ok(())
}
