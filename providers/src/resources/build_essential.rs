use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "build_essential",
    class: "BuildEssential",
    doc: "Installs compilers and what else is needed to build software.",
    introduced: "14.0",
    provides: &[Provides::when("build_essential", coerce::anywhere)],
    actions: &["install", "upgrade"],
    default_action: &["install"],
    properties: &[
        prop("name", &[Str]).default(LitStr("")).doc("Not needed: the resource has no name of its own."),
        prop("raise_if_unsupported", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(False)
            .since("15.5")
            .doc("Fail on platforms that it does not know."),
    ],
    provider_methods: crate::providers::build_essential::METHODS,
    ..ResourceDef::DEFAULT
};
