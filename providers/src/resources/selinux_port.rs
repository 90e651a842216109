use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "selinux_port",
    class: "SelinuxPort",
    doc: "Keeps the port contexts of SELinux.",
    introduced: "18.0",
    provides: &[Provides::always("selinux_port")],
    actions: &["manage", "addormodify", "add", "modify", "delete"],
    default_action: &["manage"],
    properties: &[
        prop("port", &[Int, Str]).name_property().regex(r"^\d+$").doc("Port."),
        prop("protocol", &[Str])
            .required_for(&["manage", "add", "modify"])
            .equal_to(&[LitStr("tcp"), LitStr("udp")])
            .doc("Protocol."),
        prop("secontext", &[Str]).required_for(&["manage", "add", "modify"]).doc("Context."),
    ],
    provider_mixins: &[crate::providers::selinux_common::MODULE],
    ..ResourceDef::DEFAULT
};
