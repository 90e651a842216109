use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "habitat_service",
    class: "HabitatService",
    doc: "Loads and runs services of Habitat.",
    introduced: "17.3",
    provides: &[Provides::always("habitat_service")],
    actions: &["load", "unload", "start", "stop", "restart", "reload"],
    default_action: &["load"],
    properties: &[
        prop("service_name", &[Str]).name_property().doc("The package."),
        prop("loaded", &[Bool]).default(False).hidden().doc("Is loaded, as found."),
        prop("running", &[Bool]).default(False).hidden().doc("Runs, as found."),
        prop("strategy", &[Sym, Str])
            .coerce(coerce::string_to_sym)
            .default(LitSym("none"))
            .equal_to(&[
                LitSym("none"),
                LitStr("none"),
                LitSym("at-once"),
                LitStr("at-once"),
                LitSym("rolling"),
                LitStr("rolling"),
            ])
            .doc("How updates come in."),
        prop("topology", &[Sym, Str])
            .coerce(coerce::string_to_sym)
            .default(LitSym("standalone"))
            .equal_to(&[LitSym("standalone"), LitStr("standalone"), LitSym("leader"), LitStr("leader")])
            .doc("Standalone or with a leader."),
        prop("bldr_url", &[Str]).default(LitStr("https://bldr.habitat.sh/")).doc("Address of the builder."),
        prop("channel", &[Sym, Str]).coerce(coerce::string_to_sym).default(LitSym("stable")).doc("Channel of updates."),
        prop("bind", &[Str, Array]).coerce(coerce::string_in_array).default_empty(Array).doc("Services that it needs."),
        prop("binding_mode", &[Sym, Str])
            .coerce(coerce::string_to_sym)
            .default(LitSym("strict"))
            .equal_to(&[LitSym("strict"), LitStr("strict"), LitSym("relaxed"), LitStr("relaxed")])
            .doc("Whether it starts before what it needs."),
        prop("service_group", &[Str]).default(LitStr("default")).doc("Group."),
        prop("shutdown_timeout", &[Int]).default(LitInt(8)).doc("Seconds to wait for it to stop."),
        prop("health_check_interval", &[Int]).default(LitInt(30)).doc("Seconds between health checks."),
        prop("remote_sup", &[Str])
            .desired_state(false)
            .default(LitStr("127.0.0.1:9632"))
            .doc("Control address of the supervisor."),
        prop("remote_sup_http", &[Str])
            .desired_state(false)
            .default(LitStr("127.0.0.1:9631"))
            .doc("HTTP address of the supervisor."),
        prop("gateway_auth_token", &[Str]).desired_state(false).sensitive().doc("Token for that address."),
        prop("update_condition", &[Sym, Str])
            .coerce(coerce::string_to_sym)
            .default(LitSym("latest"))
            .equal_to(&[LitSym("latest"), LitStr("latest"), LitSym("track-channel"), LitStr("track-channel")])
            .doc("What counts as an update."),
    ],
    ..ResourceDef::DEFAULT
};
