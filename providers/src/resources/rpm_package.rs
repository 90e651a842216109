use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "rpm_package",
    class: "RpmPackage",
    parent: "Package",
    provider: "Package::Rpm",
    doc: "Installs `.rpm` files by rpm.",
    provides: &[Provides::always("rpm_package")],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    properties: &[
        prop("allow_downgrade", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(True)
            .doc("May install an older version than the one there."),
        prop("package_name", &[Str]).identity().doc("The package."),
        prop("version", &[Str]).doc("Version to have."),
        prop("environment", &[Hash])
            .desired_state(false)
            .default_empty(Hash)
            .since("18.8")
            .doc("Environment variables for rpm."),
    ],
    ..ResourceDef::DEFAULT
};
