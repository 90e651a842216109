use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "bash",
    class: "Bash",
    parent: "Script",
    doc: "Runs a bash script.",
    provides: &[Provides::always("bash")],
    init: Some(init),
    overlay: true,
    guard_command: GuardCommand::Program { program: "bash", option: "-c" },
    ..ResourceDef::DEFAULT
};

fn init(vm: &mut Vm, resource: &Value, _name: &Value) -> Res<()> {
    coerce::put(vm, resource, "@interpreter", Value::str("bash"));
    Ok(())
}
