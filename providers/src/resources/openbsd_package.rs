use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "openbsd_package",
    class: "OpenbsdPackage",
    parent: "Package",
    provider: "Package::Openbsd",
    doc: "Packages by pkg_add (OpenBSD).",
    introduced: "12.1",
    provides: &[Provides::always("openbsd_package"), Provides::os("package", &["openbsd"])],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    properties: &[
        prop("package_name", &[Str]).identity().doc("The package."),
        prop("version", &[Str]).doc("Version to have."),
    ],
    ..ResourceDef::DEFAULT
};
