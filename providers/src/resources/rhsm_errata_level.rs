use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "rhsm_errata_level",
    class: "RhsmErrataLevel",
    doc: "Installs all errata of a severity (Red Hat).",
    introduced: "14.0",
    provides: &[Provides::when("rhsm_errata_level", coerce::anywhere)],
    actions: &["install"],
    default_action: &["install"],
    properties: &[prop("errata_level", &[Str])
        .name_property()
        .coerce(coerce::downcase)
        .equal_to(&[LitStr("critical"), LitStr("moderate"), LitStr("important"), LitStr("low")])
        .doc("The severity.")],
    ..ResourceDef::DEFAULT
};
