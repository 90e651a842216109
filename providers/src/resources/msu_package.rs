use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "msu_package",
    class: "MsuPackage",
    parent: "Package",
    provider: "Package::Msu",
    doc: "Installs `.msu` updates (Windows).",
    introduced: "12.17",
    provides: &[Provides::always("msu_package")],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    default_action: &["install"],
    mixins: &["Chef::Mixin::Uris"],
    properties: &[
        prop("package_name", &[Str]).identity().doc("The package."),
        prop("version", &[Str, Array]).hidden().doc("Version to have."),
        prop("source", &[Str])
            .coerce(coerce::uri_or_path)
            .lazy(coerce::package_name)
            .doc("The file, by path or address."),
        prop("checksum", &[Str]).desired_state(false).doc("SHA-256 of the download."),
        prop("timeout", &[Str, Int]).desired_state(false).default(LitInt(3600)).doc("Seconds to let it run."),
    ],
    ..ResourceDef::DEFAULT
};
