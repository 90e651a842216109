use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "solaris_package",
    class: "SolarisPackage",
    parent: "Package",
    provider: "Package::Solaris",
    doc: "Packages by pkgadd (Solaris).",
    provides: &[Provides::always("solaris_package")],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    properties: &[
        prop("package_name", &[Str]).identity().doc("The package."),
        prop("version", &[Str]).doc("Version to have."),
    ],
    ..ResourceDef::DEFAULT
};
