use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "portage_package",
    class: "PortagePackage",
    parent: "Package",
    provider: "Package::Portage",
    serves: &[("package", "gentoo")],
    doc: "Packages by Portage (Gentoo).",
    provides: &[Provides::always("portage_package")],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    properties: &[
        prop("package_name", &[Str]).identity().doc("The package."),
        prop("version", &[Str]).doc("Version to have."),
        prop("timeout", &[Str, Int]).desired_state(false).default(LitInt(3600)).doc("Seconds to let it run."),
    ],
    ..ResourceDef::DEFAULT
};
