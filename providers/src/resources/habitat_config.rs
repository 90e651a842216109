use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "habitat_config",
    class: "HabitatConfig",
    doc: "Sets the configuration of a service group of Habitat.",
    introduced: "17.3",
    provides: &[Provides::always("habitat_config")],
    actions: &["apply"],
    default_action: &["apply"],
    properties: &[
        prop("config", &[Class("ChefUtils::Mash")]).required().coerce(coerce::to_mash).doc("The configuration."),
        prop("service_group", &[Str]).name_property().doc("The group."),
        prop("remote_sup", &[Str])
            .desired_state(false)
            .default(LitStr("127.0.0.1:9632"))
            .doc("Control address of a supervisor."),
        prop("remote_sup_http", &[Str])
            .desired_state(false)
            .default(LitStr("127.0.0.1:9631"))
            .doc("HTTP address of a supervisor."),
        prop("gateway_auth_token", &[Str]).desired_state(false).sensitive().doc("Token for that address."),
        prop("user", &[Str]).desired_state(false).doc("Name of the user's key."),
    ],
    ..ResourceDef::DEFAULT
};
