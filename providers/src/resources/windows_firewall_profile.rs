use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_firewall_profile",
    class: "WindowsFirewallProfile",
    doc: "Configures profiles of the firewall (Windows).",
    introduced: "16.3",
    provides: &[Provides::always("windows_firewall_profile")],
    actions: &["enable", "disable"],
    default_action: &["enable"],
    properties: &[
        prop("profile", &[Str])
            .name_property()
            .equal_to(&[LitStr("Domain"), LitStr("Public"), LitStr("Private")])
            .doc("The profile."),
        prop("default_inbound_action", &[Str, Nil])
            .equal_to(&[LitStr("Allow"), LitStr("Block"), LitStr("NotConfigured")])
            .doc("What happens to incoming traffic."),
        prop("default_outbound_action", &[Str, Nil])
            .equal_to(&[LitStr("Allow"), LitStr("Block"), LitStr("NotConfigured")])
            .doc("What happens to outgoing traffic."),
        prop("allow_inbound_rules", &[Bool, Str])
            .equal_to(&[True, False, LitStr("NotConfigured")])
            .doc("Take rules for incoming traffic."),
        prop("allow_local_firewall_rules", &[Bool, Str])
            .equal_to(&[True, False, LitStr("NotConfigured")])
            .doc("Take local rules too."),
        prop("allow_local_ipsec_rules", &[Bool, Str])
            .equal_to(&[True, False, LitStr("NotConfigured")])
            .doc("Take local rules of IPsec too."),
        prop("allow_user_apps", &[Bool, Str])
            .equal_to(&[True, False, LitStr("NotConfigured")])
            .doc("Take users' rules for programs."),
        prop("allow_user_ports", &[Bool, Str])
            .equal_to(&[True, False, LitStr("NotConfigured")])
            .doc("Take users' rules for ports."),
        prop("allow_unicast_response", &[Bool, Str])
            .equal_to(&[True, False, LitStr("NotConfigured")])
            .doc("Let answers to broadcasts in."),
        prop("display_notification", &[Bool, Str])
            .equal_to(&[True, False, LitStr("NotConfigured")])
            .doc("Tell users what is blocked."),
    ],
    ..ResourceDef::DEFAULT
};
