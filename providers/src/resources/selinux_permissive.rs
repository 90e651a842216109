use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "selinux_permissive",
    class: "SelinuxPermissive",
    doc: "Makes domains of SELinux permissive.",
    introduced: "18.0",
    provides: &[Provides::always("selinux_permissive")],
    actions: &["add", "delete"],
    default_action: &["add"],
    properties: &[prop("context", &[Str]).name_property().doc("The domain.")],
    ..ResourceDef::DEFAULT
};
