use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "ruby",
    class: "Ruby",
    parent: "Script",
    doc: "Runs a Ruby script.",
    provides: &[Provides::always("ruby")],
    init: Some(init),
    overlay: true,
    guard_command: GuardCommand::Program { program: "ruby", option: "-e" },
    ..ResourceDef::DEFAULT
};

fn init(vm: &mut Vm, resource: &Value, _name: &Value) -> Res<()> {
    coerce::put(vm, resource, "@interpreter", Value::str("ruby"));
    Ok(())
}
