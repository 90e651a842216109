use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_printer_port",
    class: "WindowsPrinterPort",
    doc: "Keeps printer ports (Windows).",
    introduced: "14.0",
    provides: &[Provides::when("windows_printer_port", coerce::anywhere)],
    actions: &["create", "delete"],
    default_action: &["create"],
    properties: &[
        prop("ipv4_address", &[Str])
            .name_property()
            .callbacks(&[("The ipv4_address property must be in the format of WWW.XXX.YYY.ZZZ!", coerce::ipv4)])
            .doc("Address."),
        prop("port_name", &[Str]).lazy(coerce::ip_port_name).doc("Name of the port."),
        prop("port_number", &[Int]).default(LitInt(9100)).doc("Number of the port."),
        prop("port_description", &[Str])
            .desired_state(false)
            .deprecated("Windows no longer keeps a description of a port")
            .doc("Formerly: description."),
        prop("snmp_enabled", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Ask it by SNMP."),
        prop("port_protocol", &[Int])
            .default(LitInt(1))
            .equal_to(&[LitInt(1), LitInt(2)])
            .message("port_protocol must be either 1 for RAW or 2 for LPR!")
            .doc("1 for raw, 2 for LPR."),
    ],
    ..ResourceDef::DEFAULT
};
