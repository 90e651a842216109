use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "python",
    class: "Python",
    parent: "Script",
    doc: "Runs a Python script.",
    provides: &[Provides::always("python")],
    init: Some(init),
    overlay: true,
    guard_command: GuardCommand::Program { program: "python", option: "-c" },
    ..ResourceDef::DEFAULT
};

fn init(vm: &mut Vm, resource: &Value, _name: &Value) -> Res<()> {
    coerce::put(vm, resource, "@interpreter", Value::str("python"));
    Ok(())
}
