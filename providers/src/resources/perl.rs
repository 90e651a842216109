use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "perl",
    class: "Perl",
    parent: "Script",
    doc: "Runs a Perl script.",
    provides: &[Provides::always("perl")],
    init: Some(init),
    overlay: true,
    guard_command: GuardCommand::Program { program: "perl", option: "-e" },
    ..ResourceDef::DEFAULT
};

fn init(vm: &mut Vm, resource: &Value, _name: &Value) -> Res<()> {
    coerce::put(vm, resource, "@interpreter", Value::str("perl"));
    Ok(())
}
