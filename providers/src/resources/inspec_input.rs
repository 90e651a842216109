use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "inspec_input",
    class: "InspecInput",
    doc: "Adds inputs of InSpec to the compliance phase.",
    introduced: "17.5",
    provides: &[Provides::always("inspec_input")],
    actions: &["add"],
    default_action: &["add"],
    properties: &[
        prop("name", &[Hash, Str]).doc("Name."),
        prop("input", &[Hash, Str]).name_property().doc("The inputs, as Hash or path."),
        prop("source", &[Hash, Str]).name_property().doc("Where the inputs are."),
    ],
    ..ResourceDef::DEFAULT
};
