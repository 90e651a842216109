use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_dns_record",
    class: "WindowsDnsRecord",
    doc: "Keeps DNS records (Windows).",
    introduced: "15.0",
    provides: &[Provides::always("windows_dns_record")],
    actions: &["create", "delete"],
    default_action: &["create"],
    properties: &[
        prop("record_name", &[Str]).name_property().doc("The record."),
        prop("zone", &[Str]).required().doc("Its zone."),
        prop("target", &[Str]).required().doc("What it leads to."),
        prop("record_type", &[Str])
            .default(LitStr("ARecord"))
            .equal_to(&[LitStr("ARecord"), LitStr("CNAME"), LitStr("PTR")])
            .doc("Type."),
        prop("dns_server", &[Str]).default(LitStr("localhost")).since("16.3").doc("Server that has it."),
    ],
    ..ResourceDef::DEFAULT
};
