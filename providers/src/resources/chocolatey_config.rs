use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "chocolatey_config",
    class: "ChocolateyConfig",
    doc: "Sets settings of Chocolatey (Windows).",
    introduced: "14.3",
    provides: &[Provides::always("chocolatey_config")],
    actions: &["set", "unset"],
    default_action: &["set"],
    properties: &[
        prop("config_key", &[Str]).name_property().doc("The setting."),
        prop("value", &[Str]).doc("Its value."),
    ],
    ..ResourceDef::DEFAULT
};
