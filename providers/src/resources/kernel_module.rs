use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "kernel_module",
    class: "KernelModule",
    doc: "Loads modules now and at boot.",
    introduced: "14.3",
    provides: &[Provides::always("kernel_module")],
    actions: &["install", "uninstall", "blacklist", "disable", "enable", "load", "unload"],
    default_action: &["install"],
    properties: &[
        prop("modname", &[Str]).name_property().doc("The module."),
        prop("options", &[Array]).since("15.4").doc("Parameters of the module."),
        prop("load_dir", &[Str]).default(LitStr("/etc/modules-load.d")).doc("Directory of the file that loads it."),
        prop("unload_dir", &[Str]).default(LitStr("/etc/modprobe.d")).doc("Directory of the file that blacklists it."),
    ],
    manages: Manages::Object(Object::new("kernel module", "modname")),
    ..ResourceDef::DEFAULT
};
