use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "inspec_waiver",
    class: "InspecWaiver",
    doc: "Adds a waiver of InSpec to the compliance phase.",
    introduced: "17.5",
    provides: &[Provides::always("inspec_waiver")],
    actions: &["add"],
    default_action: &["add"],
    properties: &[
        prop("control", &[Str]).name_property().doc("The control."),
        prop("expiration", &[Str])
            .callbacks(&[(
                "Expiration date should be a valid calendar date and match the following format: YYYY-MM-DD",
                coerce::date,
            )])
            .doc("Last day, YYYY-MM-DD."),
        prop("run_test", &[Bool]).doc("Run the control all the same."),
        prop("justification", &[Str]).doc("Why."),
        prop("source", &[Hash, Str]).doc("Where the waiver is."),
    ],
    ..ResourceDef::DEFAULT
};
