use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "rhsm_errata",
    class: "RhsmErrata",
    doc: "Installs an erratum (Red Hat).",
    introduced: "14.0",
    provides: &[Provides::when("rhsm_errata", coerce::anywhere)],
    actions: &["install"],
    default_action: &["install"],
    properties: &[prop("errata_id", &[Str]).name_property().doc("The erratum.")],
    ..ResourceDef::DEFAULT
};
