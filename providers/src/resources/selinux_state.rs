use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "selinux_state",
    class: "SelinuxState",
    doc: "Sets the mode of SELinux.",
    introduced: "18.0",
    provides: &[Provides::always("selinux_state")],
    actions: &["enforcing", "permissive", "disabled"],
    default_action: &["enforcing"],
    properties: &[
        prop("config_file", &[Str]).default(LitStr("/etc/selinux/config")).doc("Its configuration."),
        prop("persistent", &[Bool]).default(True).doc("Keep it after a reboot."),
        prop("policy", &[Str])
            .lazy(policy)
            .equal_to(&[
                LitStr("default"),
                LitStr("minimum"),
                LitStr("mls"),
                LitStr("src"),
                LitStr("strict"),
                LitStr("targeted"),
            ])
            .doc("Policy."),
        prop("automatic_reboot", &[Bool, Sym]).default(False).doc("Reboot where the change needs it."),
    ],
    deprecated_aliases: &[("temporary", "persistent", "temporary is now persistent, with the opposite meaning")],
    provider_mixins: &[crate::providers::selinux_common::MODULE],
    ..ResourceDef::DEFAULT
};

fn policy(vm: &mut Vm, resource: &Value) -> Res {
    Ok(match coerce::node_text(vm, resource, "platform_family")?.as_str() {
        "rhel" | "fedora" | "amazon" => Value::str("targeted"),
        "debian" => Value::str("default"),
        _ => Value::Nil,
    })
}
