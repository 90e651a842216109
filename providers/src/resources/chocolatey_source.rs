use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "chocolatey_source",
    class: "ChocolateySource",
    doc: "Keeps package sources of Chocolatey (Windows).",
    introduced: "14.3",
    provides: &[Provides::always("chocolatey_source")],
    actions: &["add", "remove", "disable", "enable"],
    default_action: &["add"],
    properties: &[
        prop("source_name", &[Str]).name_property().doc("Name."),
        prop("source", &[Str]).doc("Address or path."),
        prop("bypass_proxy", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Go past the system's proxy."),
        prop("admin_only", &[TRUE_CLASS, FALSE_CLASS]).default(False).since("15.1").doc("For administrators alone."),
        prop("allow_self_service", &[TRUE_CLASS, FALSE_CLASS])
            .default(False)
            .since("15.1")
            .doc("For self-service too."),
        prop("priority", &[Int]).default(LitInt(0)).doc("Priority, 1 first; 0 has none."),
        prop("disabled", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(False)
            .hidden()
            .doc("Is off, as found."),
        prop("username", &[Str]).since("17.7").doc("User for the source."),
        prop("password", &[Str]).desired_state(false).sensitive().since("17.7").doc("Password for the source."),
        prop("cert", &[Str]).since("17.7").doc("Client certificate."),
        prop("cert_password", &[Str])
            .desired_state(false)
            .sensitive()
            .since("17.7")
            .doc("Password of that certificate."),
    ],
    ..ResourceDef::DEFAULT
};
