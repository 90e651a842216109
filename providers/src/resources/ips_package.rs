use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "ips_package",
    class: "IpsPackage",
    parent: "Package",
    provider: "Package::Ips",
    doc: "Packages by IPS (Solaris).",
    provides: &[Provides::always("ips_package"), Provides::os("package", &["solaris2"])],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    properties: &[
        prop("package_name", &[Str]).identity().doc("The package."),
        prop("version", &[Str]).doc("Version to have."),
        prop("accept_license", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(False)
            .doc("Accept its licence."),
    ],
    ..ResourceDef::DEFAULT
};
