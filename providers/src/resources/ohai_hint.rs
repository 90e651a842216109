use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "ohai_hint",
    class: "OhaiHint",
    doc: "Keeps hints for Ohai.",
    introduced: "14.0",
    provides: &[Provides::when("ohai_hint", coerce::anywhere)],
    actions: &["create", "delete"],
    default_action: &["create"],
    properties: &[
        prop("hint_name", &[Str]).name_property().doc("The hint."),
        prop("content", &[Hash]).doc("What it says."),
        prop("compile_time", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(True)
            .doc("Run while the recipe is read."),
    ],
    ..ResourceDef::DEFAULT
};
