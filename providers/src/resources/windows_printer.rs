use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_printer",
    class: "WindowsPrinter",
    doc: "Keeps printers (Windows).",
    introduced: "14.0",
    provides: &[Provides::when("windows_printer", coerce::anywhere)],
    actions: &["create", "delete"],
    default_action: &["create"],
    properties: &[
        prop("device_id", &[Str]).name_property().doc("Name of the printer."),
        prop("comment", &[Str]).doc("A comment."),
        prop("default", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Is the default printer."),
        prop("driver_name", &[Str]).required_for(&["create"]).doc("Driver."),
        prop("location", &[Str]).doc("Where it stands."),
        prop("shared", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Is shared."),
        prop("share_name", &[Str]).doc("Name of the share."),
        prop("ipv4_address", &[Str])
            .callbacks(&[("The ipv4_address property must be in the IPv4 format of `WWW.XXX.YYY.ZZZ`", coerce::ipv4)])
            .doc("Address."),
        prop("create_port", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(True)
            .since("17.3")
            .doc("Make its port too."),
        prop("port_name", &[Str]).lazy(coerce::ip_port_name).since("17.3").doc("Name of the port."),
    ],
    ..ResourceDef::DEFAULT
};
