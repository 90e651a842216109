use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "chef_handler",
    class: "ChefHandler",
    doc: "Registers handlers that hear how the run ended.",
    introduced: "14.0",
    provides: &[Provides::when("chef_handler", coerce::anywhere)],
    actions: &["enable", "disable"],
    default_action: &["enable"],
    properties: &[
        prop("class_name", &[Str]).name_property().doc("Class of the handler."),
        prop("source", &[Str]).doc("File that defines it."),
        prop("arguments", &[Array, Hash]).default_empty(Array).doc("Arguments of its `new`."),
        prop("type", &[Hash]).lazy(report_and_exception).doc("Which events it gets."),
    ],
    aliases: &[("supports", "type")],
    ..ResourceDef::DEFAULT
};

fn report_and_exception(vm: &mut Vm, _resource: &Value) -> Res {
    coerce::symbol_hash(vm, &[("report", Value::True), ("exception", Value::True)])
}
