use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "hostname",
    class: "Hostname",
    doc: "Sets the host's name.",
    introduced: "14.0",
    provides: &[Provides::always("hostname")],
    actions: &["set"],
    default_action: &["set"],
    properties: &[
        prop("hostname", &[Str]).name_property().doc("Name."),
        prop("fqdn", &[Str]).since("17.0").doc("Full name, for the hosts file."),
        prop("ipaddress", &[Str]).lazy(ipaddress).doc("Address for the hosts file."),
        prop("aliases", &[Array, Nil]).default(Nil).doc("Further names for the hosts file."),
        prop("compile_time", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(True)
            .doc("Run while the recipe is read."),
        prop("windows_reboot", &[TRUE_CLASS, FALSE_CLASS]).default(True).doc("Reboot if the name changed (Windows)."),
        prop("domain_user", &[Str]).since("17.2").doc("User that may rename in the domain (Windows)."),
        prop("domain_password", &[Str]).sensitive().since("17.2").doc("Password of that user."),
    ],
    ..ResourceDef::DEFAULT
};

fn ipaddress(vm: &mut Vm, resource: &Value) -> Res {
    coerce::node(vm, resource, "ipaddress")
}
