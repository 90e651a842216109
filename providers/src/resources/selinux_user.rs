use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "selinux_user",
    class: "SelinuxUser",
    doc: "Keeps users of SELinux.",
    introduced: "18.1",
    provides: &[Provides::always("selinux_user")],
    actions: &["manage", "add", "modify", "delete"],
    default_action: &["manage"],
    properties: &[
        prop("user", &[Str]).name_property().doc("The user."),
        prop("level", &[Str]).doc("Level."),
        prop("range", &[Str]).doc("Range."),
        prop("roles", &[Array]).coerce(coerce::sorted_array).doc("Roles."),
    ],
    provider_mixins: &[crate::providers::selinux_common::MODULE],
    provider_methods: crate::providers::selinux_accounts::USER_METHODS,
    ..ResourceDef::DEFAULT
};
