use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "chef_sleep",
    class: "ChefSleep",
    doc: "Waits.",
    introduced: "15.5",
    provides: &[Provides::always("chef_sleep")],
    actions: &["sleep"],
    default_action: &["sleep"],
    properties: &[prop("seconds", &[Str, Int]).name_property().coerce(coerce::integer).doc("Seconds.")],
    ..ResourceDef::DEFAULT
};
