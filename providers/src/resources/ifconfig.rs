use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "ifconfig",
    class: "Ifconfig",
    doc: "Configures network interfaces.",
    provides: &[Provides::always("ifconfig")],
    actions: &["add", "delete", "enable", "disable"],
    default_action: &["add"],
    properties: &[
        prop("inet_addr", &[Str]).doc("Address."),
        prop("mask", &[Str]).doc("Netmask."),
        prop("target", &[Str]).name_property().doc("Address of the interface."),
        prop("hwaddr", &[Str]).doc("Hardware address."),
        prop("family", &[Str]).default(LitStr("inet")).since("14.0").doc("Address family (Debian)."),
        prop("bcast", &[Str]).doc("Broadcast address."),
        prop("mtu", &[Str]).doc("Largest packet."),
        prop("metric", &[Str]).doc("Metric."),
        prop("device", &[Str]).identity().doc("The interface."),
        prop("onboot", &[Str]).doc("Bring up at boot."),
        prop("network", &[Str]).doc("Network address."),
        prop("bootproto", &[Str]).doc("Protocol at boot."),
        prop("onparent", &[Str]).doc("Bring up with its parent."),
        prop("ethtool_opts", &[Str]).since("13.4").doc("Options of ethtool."),
        prop("bonding_opts", &[Str]).since("13.4").doc("Options of bonding."),
        prop("master", &[Str]).since("13.4").doc("Bond that it belongs to."),
        prop("slave", &[Str]).since("13.4").doc("Is part of a bond."),
        prop("vlan", &[Str]).since("14.4").doc("Is a VLAN."),
        prop("gateway", &[Str]).since("14.4").doc("Gateway."),
        prop("bridge", &[Str]).since("16.7").doc("Bridge that it belongs to."),
    ],
    ..ResourceDef::DEFAULT
};
