use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "apt_update",
    class: "AptUpdate",
    doc: "Refreshes APT's lists of packages.",
    introduced: "12.7",
    provides: &[Provides::when("apt_update", coerce::anywhere)],
    actions: &["periodic", "update"],
    default_action: &["periodic"],
    properties: &[
        prop("name", &[Str]).default(LitStr("")).doc("Not needed: the resource has no name of its own."),
        prop("frequency", &[Int]).default(LitInt(86400)).doc("Seconds that lists stay fresh for `:periodic`."),
    ],
    ..ResourceDef::DEFAULT
};
