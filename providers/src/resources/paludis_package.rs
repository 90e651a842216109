use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "paludis_package",
    class: "PaludisPackage",
    parent: "Package",
    provider: "Package::Paludis",
    doc: "Packages by Paludis.",
    introduced: "12.1",
    provides: &[Provides::always("paludis_package")],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    properties: &[
        prop("package_name", &[Str]).identity().doc("The package."),
        prop("version", &[Str]).doc("Version to have."),
        prop("timeout", &[Str, Int]).desired_state(false).default(LitInt(3600)).doc("Seconds to let it run."),
    ],
    ..ResourceDef::DEFAULT
};
