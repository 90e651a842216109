use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "habitat_sup",
    class: "HabitatSup",
    doc: "Runs the supervisor of Habitat.",
    introduced: "17.3",
    provides: &[Provides::when("habitat_sup", coerce::anywhere)],
    actions: &["run"],
    default_action: &["run"],
    properties: &[
        prop("bldr_url", &[Str]).doc("Address of the builder."),
        prop("permanent_peer", &[Bool]).default(False).doc("Never forgotten by the ring."),
        prop("listen_ctl", &[Str]).doc("Control address."),
        prop("listen_gossip", &[Str]).doc("Gossip address."),
        prop("listen_http", &[Str]).doc("HTTP address."),
        prop("org", &[Str]).default(LitStr("default")).doc("Organisation."),
        prop("peer", &[Str, Array]).coerce(coerce::string_in_array).doc("Peers to begin with."),
        prop("ring", &[Str]).doc("Name of the ring's key."),
        prop("hab_channel", &[Str]).doc("Channel of the supervisor."),
        prop("auto_update", &[Bool]).default(False).doc("Update the supervisor by itself."),
        prop("auth_token", &[Str]).sensitive().doc("Token for the builder."),
        prop("gateway_auth_token", &[Str]).sensitive().doc("Token for the HTTP address."),
        prop("update_condition", &[Str]).doc("What counts as an update."),
        prop("limit_no_files", &[Str]).doc("Limit of open files."),
        prop("license", &[Str]).equal_to(&[LitStr("accept")]).doc("Acceptance of the licence."),
        prop("health_check_interval", &[Str, Int]).coerce(to_s).doc("Seconds between health checks."),
        prop("event_stream_application", &[Str]).doc("Application that events name."),
        prop("event_stream_environment", &[Str]).doc("Environment that events name."),
        prop("event_stream_site", &[Str]).doc("Site that events name."),
        prop("event_stream_url", &[Str]).doc("Where events go."),
        prop("event_stream_token", &[Str]).doc("Token for events."),
        prop("event_stream_cert", &[Str]).doc("Certificate for events."),
        prop("sup_version", &[Str]).doc("Version of the supervisor."),
        prop("launcher_version", &[Str]).doc("Version of the launcher."),
        prop("service_version", &[Str]).doc("Version of the Windows service."),
        prop("keep_latest", &[Str]).doc("Keep as many old releases."),
        prop("toml_config", &[Bool]).default(False).doc("Configure by a file instead of options."),
    ],
    ..ResourceDef::DEFAULT
};

fn to_s(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    vm.call(value, rchef_ruby::sym::TO_S, &[])
}
