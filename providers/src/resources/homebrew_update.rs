use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "homebrew_update",
    class: "HomebrewUpdate",
    doc: "Updates Homebrew's list of packages (macOS).",
    introduced: "16.2",
    provides: &[Provides::when("homebrew_update", coerce::anywhere)],
    actions: &["periodic", "update"],
    default_action: &["periodic"],
    mixins: &["Chef::Mixin::Homebrew"],
    properties: &[
        prop("name", &[Str]).default(LitStr("")).doc("Not needed: the resource has no name of its own."),
        prop("frequency", &[Int]).default(LitInt(86400)).doc("Seconds that the list stays fresh for `:periodic`."),
    ],
    ..ResourceDef::DEFAULT
};
