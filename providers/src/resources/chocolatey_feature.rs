use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "chocolatey_feature",
    class: "ChocolateyFeature",
    doc: "Switches features of Chocolatey (Windows).",
    introduced: "15.1",
    provides: &[Provides::always("chocolatey_feature")],
    actions: &["enable", "disable"],
    default_action: &["enable"],
    properties: &[
        prop("feature_name", &[Str]).name_property().doc("The feature."),
        prop("feature_state", &[TRUE_CLASS, FALSE_CLASS]).default(False).hidden().doc("Is on, as found."),
    ],
    ..ResourceDef::DEFAULT
};
