use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "route",
    class: "Route",
    doc: "Keeps routes.",
    provides: &[Provides::always("route")],
    actions: &["add", "delete"],
    default_action: &["add"],
    properties: &[
        prop("target", &[Str]).name_property().doc("Address or network."),
        prop("comment", &[Str, Nil]).since("14.0").doc("A comment."),
        prop("metric", &[Int, Nil]).doc("Metric."),
        prop("netmask", &[Str, Nil]).doc("Netmask."),
        prop("gateway", &[Str, Nil]).doc("Gateway."),
        prop("device", &[Str, Nil]).desired_state(false).doc("Interface."),
        prop("route_type", &[Sym, Str])
            .desired_state(false)
            .default(LitSym("host"))
            .equal_to(&[LitSym("host"), LitSym("net")])
            .doc("To a host or to a network."),
    ],
    ..ResourceDef::DEFAULT
};
