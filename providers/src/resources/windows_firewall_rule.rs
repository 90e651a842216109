use crate::coerce;
use crate::prelude::*;
use crate::providers::support::{get, new_resource, text};
use crate::resources::powershell::{Line, quoted};
use rchef_ruby::{Args, MethodDef, def};

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_firewall_rule",
    class: "WindowsFirewallRule",
    doc: "Keeps rules of the firewall (Windows).",
    introduced: "14.7",
    provides: &[Provides::always("windows_firewall_rule")],
    actions: &["create", "delete"],
    default_action: &["create"],
    properties: &[
        prop("rule_name", &[Str]).name_property().doc("The rule."),
        prop("description", &[Str]).doc("Description."),
        prop("displayname", &[Str]).lazy(own_name).since("16.0").doc("Name for people."),
        prop("group", &[Str]).since("16.0").doc("Group of rules."),
        prop("local_address", &[Str]).doc("Local address."),
        prop("local_port", &[Str, Int, Array]).coerce(ports).doc("Local ports."),
        prop("remote_address", &[Str, Array]).coerce(ports).doc("Remote addresses."),
        prop("remote_port", &[Str, Int, Array]).coerce(ports).doc("Remote ports."),
        prop("direction", &[Sym, Str])
            .coerce(coerce::string_to_lower_sym)
            .default(LitSym("inbound"))
            .equal_to(&[LitSym("inbound"), LitSym("outbound")])
            .doc("In or out."),
        prop("protocol", &[Str]).default(LitStr("TCP")).doc("Protocol."),
        prop("icmp_type", &[Str, Int]).default(LitStr("Any")).since("16.0").doc("Type of ICMP."),
        prop("firewall_action", &[Sym, Str])
            .coerce(coerce::string_to_lower_sym)
            .default(LitSym("allow"))
            .equal_to(&[LitSym("allow"), LitSym("block"), LitSym("notconfigured")])
            .doc("What happens."),
        prop("profile", &[Sym, Str, Array])
            .coerce(profiles)
            .default(LitSym("any"))
            .callbacks(&[("contains values not in :public, :private, :domain, :any or :notapplicable", known_profiles)])
            .doc("Profiles that it holds in."),
        prop("program", &[Str]).doc("Program that it is for."),
        prop("service", &[Str]).doc("Service that it is for."),
        prop("interface_type", &[Sym, Str])
            .coerce(coerce::string_to_lower_sym)
            .default(LitSym("any"))
            .equal_to(&[LitSym("any"), LitSym("wireless"), LitSym("wired"), LitSym("remoteaccess")])
            .doc("Kind of interface."),
        prop("enabled", &[TRUE_CLASS, FALSE_CLASS]).default(True).doc("Is on."),
    ],
    aliases: &[
        ("localip", "local_address"),
        ("remoteip", "remote_address"),
        ("localport", "local_port"),
        ("remoteport", "remote_port"),
        ("interfacetype", "interface_type"),
    ],
    provider_methods: METHODS,
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[def("firewall_command", firewall_command, 1)];

/// Options of the command that makes or changes a rule, with the properties that they are for.
const OPTIONS: [(&str, &str); 13] = [
    ("Description", "description"),
    ("LocalAddress", "local_address"),
    ("LocalPort", "local_port"),
    ("RemoteAddress", "remote_address"),
    ("RemotePort", "remote_port"),
    ("Direction", "direction"),
    ("Protocol", "protocol"),
    ("IcmpType", "icmp_type"),
    ("Action", "firewall_action"),
    ("Profile", "profile"),
    ("Program", "program"),
    ("Service", "service"),
    ("InterfaceType", "interface_type"),
];

/// The command that makes (`New`) or changes (`Set`) the rule.
fn firewall_command(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (resource, verb) = (new_resource(vm, this)?, vm.to_s_text(args.at(0))?);
    let mut line = Line::new(&format!("{verb}-NetFirewallRule"), &text(vm, &resource, "rule_name")?);
    match verb.as_str() {
        "New" => {
            line.option(vm, &resource, "DisplayName", "displayname")?;
            line.option(vm, &resource, "Group", "group")?;
        }
        "Set" => line.option(vm, &resource, "NewDisplayName", "displayname")?,
        _ => {}
    }
    for (option, property) in OPTIONS {
        line.option(vm, &resource, option, property)?;
    }
    let enabled = get(vm, &resource, "enabled")?;
    line.0.push_str(&format!(" -Enabled {}", quoted(vm, &enabled)?));
    Ok(Value::str(line.0))
}

fn own_name(vm: &mut Vm, resource: &Value) -> Res {
    coerce::read(vm, resource, "rule_name")
}

/// Ports as a sorted Array of Strings.
fn ports(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    let list = match value {
        Value::Str(_) => coerce::split_commas(vm, resource, value)?,
        _ => coerce::to_array(vm, resource, value)?,
    };
    let list = coerce::sorted(vm, &list)?;
    coerce::map(vm, &list, "to_s")
}

/// Profiles as a sorted Array of lower-case Symbols.
fn profiles(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    let list = coerce::to_array(vm, resource, value)?;
    let list = coerce::map(vm, &list, "downcase")?;
    let list = coerce::map(vm, &list, "to_sym")?;
    coerce::sorted(vm, &list)
}

fn known_profiles(vm: &mut Vm, value: &Value) -> Res<bool> {
    let items = vm.to_array(value)?;
    let known = |name: &str| matches!(name, "public" | "private" | "domain" | "any" | "notapplicable");
    Ok(items.iter().all(|item| matches!(item, Value::Sym(name) if known(name.as_str()))))
}
