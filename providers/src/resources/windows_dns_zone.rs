use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_dns_zone",
    class: "WindowsDnsZone",
    doc: "Makes DNS zones (Windows).",
    introduced: "15.0",
    provides: &[Provides::always("windows_dns_zone")],
    actions: &["create", "delete"],
    default_action: &["create"],
    properties: &[
        prop("zone_name", &[Str]).name_property().doc("The zone."),
        prop("replication_scope", &[Str]).default(LitStr("Domain")).doc("Where it is replicated."),
        prop("server_type", &[Str])
            .default(LitStr("Domain"))
            .equal_to(&[LitStr("Domain"), LitStr("Standalone")])
            .doc("Kept in the directory or in a file."),
    ],
    ..ResourceDef::DEFAULT
};
