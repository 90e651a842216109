use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "bff_package",
    class: "BffPackage",
    parent: "Package",
    provider: "Package::Bff",
    doc: "Packages by installp (AIX).",
    introduced: "12.0",
    provides: &[Provides::always("bff_package")],
    properties: &[
        prop("package_name", &[Str]).identity().doc("The package."),
        prop("version", &[Str]).doc("Version to have."),
    ],
    ..ResourceDef::DEFAULT
};
