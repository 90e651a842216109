use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "selinux_module",
    class: "SelinuxModule",
    doc: "Builds, installs and removes policy modules of SELinux.",
    introduced: "18.0",
    provides: &[Provides::always("selinux_module")],
    actions: &["create", "delete", "install", "remove"],
    default_action: &["create"],
    properties: &[
        prop("module_name", &[Str]).name_property().doc("The module."),
        prop("source", &[Str]).doc("Its source in the cookbook."),
        prop("content", &[Str]).doc("Its source as text."),
        prop("cookbook", &[Str]).desired_state(false).doc("Cookbook that holds `source`."),
        prop("base_dir", &[Str]).default(LitStr("/etc/selinux/local")).doc("Where sources are kept."),
    ],
    provider_methods: crate::providers::selinux_setup::MODULE_METHODS,
    ..ResourceDef::DEFAULT
};
