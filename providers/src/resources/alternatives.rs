use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "alternatives",
    class: "Alternatives",
    doc: "Manages the links of the alternatives system.",
    introduced: "16.0",
    provides: &[Provides::when("alternatives", coerce::anywhere)],
    actions: &["install", "set", "remove", "auto", "refresh"],
    default_action: &["install"],
    properties: &[
        prop("link_name", &[Str]).name_property().doc("Name of the group of links."),
        prop("link", &[Str]).lazy(link).doc("The link that people use; by default under /usr/bin."),
        prop("path", &[Str]).doc("What it leads to."),
        prop("priority", &[Str, Int]).coerce(coerce::to_i).doc("Weight in automatic mode."),
    ],
    provider_methods: crate::providers::alternatives::METHODS,
    ..ResourceDef::DEFAULT
};

fn link(vm: &mut Vm, resource: &Value) -> Res {
    let name = coerce::read(vm, resource, "link_name")?;
    let name = vm.to_s_text(&name)?;
    Ok(Value::str(format!("/usr/bin/{name}")))
}
