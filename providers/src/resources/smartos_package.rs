use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "smartos_package",
    class: "SmartosPackage",
    parent: "Package",
    provider: "Package::SmartOS",
    doc: "Packages by pkgin (SmartOS).",
    provides: &[Provides::always("smartos_package"), Provides::family("package", &["smartos"])],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    properties: &[
        prop("package_name", &[Str]).identity().doc("The package."),
        prop("version", &[Str]).doc("Version to have."),
    ],
    ..ResourceDef::DEFAULT
};
