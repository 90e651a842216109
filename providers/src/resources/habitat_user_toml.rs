use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "habitat_user_toml",
    class: "HabitatUserToml",
    doc: "Keeps the user's settings of a service of Habitat.",
    introduced: "17.3",
    provides: &[Provides::always("habitat_user_toml")],
    actions: &["create", "delete"],
    default_action: &["create"],
    properties: &[
        prop("config", &[Class("ChefUtils::Mash")]).required().coerce(coerce::to_mash).doc("The settings."),
        prop("service_name", &[Str]).name_property().doc("The service."),
    ],
    ..ResourceDef::DEFAULT
};
