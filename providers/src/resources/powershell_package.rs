use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "powershell_package",
    class: "PowershellPackage",
    parent: "Package",
    provider: "Package::Powershell",
    doc: "Packages of PowerShell (Windows).",
    introduced: "12.16",
    provides: &[Provides::always("powershell_package")],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    properties: &[
        prop("package_name", &[Str, Array]).coerce(coerce::flat_array).doc("One package or several."),
        prop("version", &[Str, Array]).coerce(coerce::flat_array).doc("Version to have."),
        prop("source", &[Str]).since("14.0").doc("Repository."),
        prop("skip_publisher_check", &[Bool])
            .desired_state(false)
            .default(False)
            .since("14.3")
            .doc("Do not check who published it."),
        prop("allow_clobber", &[TRUE_CLASS, FALSE_CLASS])
            .default(False)
            .since("18.5")
            .doc("May replace commands of others."),
    ],
    ..ResourceDef::DEFAULT
};
