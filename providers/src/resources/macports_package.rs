use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "macports_package",
    class: "MacportsPackage",
    parent: "Package",
    provider: "Package::Macports",
    doc: "Packages by MacPorts (macOS).",
    provides: &[Provides::always("macports_package")],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    properties: &[
        prop("package_name", &[Str]).identity().doc("The package."),
        prop("version", &[Str]).doc("Version to have."),
    ],
    ..ResourceDef::DEFAULT
};
