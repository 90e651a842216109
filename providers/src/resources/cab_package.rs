use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "cab_package",
    class: "CabPackage",
    parent: "Package",
    provider: "Package::Cab",
    doc: "Installs `.cab` packages by DISM (Windows).",
    introduced: "12.15",
    provides: &[Provides::always("cab_package")],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    mixins: &["Chef::Mixin::Uris"],
    properties: &[
        prop("package_name", &[Str]).identity().doc("The package."),
        prop("version", &[Str]).doc("Version to have."),
        prop("source", &[Str])
            .coerce(coerce::uri_or_path)
            .lazy(coerce::package_name)
            .doc("The file, by path or address."),
    ],
    ..ResourceDef::DEFAULT
};
