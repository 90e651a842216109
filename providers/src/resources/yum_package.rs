use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "yum_package",
    class: "YumPackage",
    parent: "Package",
    provider: "Package::Yum",
    doc: "Packages by yum.",
    provides: &[Provides::always("yum_package"), Provides::family("package", &["fedora", "rhel", "amazon"])],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    properties: &[
        prop("package_name", &[Str, Array]).identity().coerce(coerce::plain_array).doc("One package or several."),
        prop("version", &[Str, Array]).coerce(coerce::plain_array).doc("Version to have."),
        prop("arch", &[Str, Array]).coerce(coerce::plain_array).doc("Architecture to have."),
        prop("flush_cache", &[Hash])
            .coerce(coerce::flush_cache)
            .lazy(coerce::no_flush)
            .doc("When to drop the cached list of packages: before or after the action."),
        prop("allow_downgrade", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(True)
            .doc("May install an older version than the one there."),
        prop("yum_binary", &[Str]).doc("The yum program."),
        prop("environment", &[Hash])
            .desired_state(false)
            .default_empty(Hash)
            .since("18.8")
            .doc("Environment variables for yum."),
    ],
    ..ResourceDef::DEFAULT
};
