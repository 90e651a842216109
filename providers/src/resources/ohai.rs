use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "ohai",
    class: "Ohai",
    doc: "Collects facts anew.",
    provides: &[Provides::always("ohai")],
    actions: &["reload"],
    default_action: &["reload"],
    properties: &[prop("plugin", &[Str]).doc("Attribute whose plugins run; all if it is not given.")],
    ..ResourceDef::DEFAULT
};
