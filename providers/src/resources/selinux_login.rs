use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "selinux_login",
    class: "SelinuxLogin",
    doc: "Maps login names to users of SELinux.",
    introduced: "18.1",
    provides: &[Provides::always("selinux_login")],
    actions: &["manage", "add", "modify", "delete"],
    default_action: &["manage"],
    properties: &[
        prop("login", &[Str]).name_property().doc("The login name."),
        prop("user", &[Str]).doc("User of SELinux."),
        prop("range", &[Str]).doc("Range."),
    ],
    provider_mixins: &[crate::providers::selinux_common::MODULE],
    provider_methods: crate::providers::selinux_accounts::LOGIN_METHODS,
    ..ResourceDef::DEFAULT
};
