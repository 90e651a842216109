use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "apt_package",
    class: "AptPackage",
    parent: "Package",
    provider: "Package::Apt",
    doc: "Packages by APT.",
    provides: &[Provides::always("apt_package"), Provides::family("package", &["debian"])],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    properties: &[
        prop("default_release", &[Str]).desired_state(false).doc("Release to prefer."),
        prop("overwrite_config_files", &[TRUE_CLASS, FALSE_CLASS])
            .default(False)
            .since("14.0")
            .doc("Take the package's configuration files over changed ones."),
        prop("response_file", &[Str]).desired_state(false).doc("Debconf answers: a template of the cookbook."),
        prop("response_file_variables", &[Hash])
            .desired_state(false)
            .default_empty(Hash)
            .doc("Variables for that template."),
        prop("anchor_package_regex", &[TRUE_CLASS, FALSE_CLASS])
            .default(False)
            .since("18.3")
            .doc("Anchor the name at both ends, so that APT does not read it as a pattern."),
        prop("environment", &[Hash])
            .desired_state(false)
            .default_empty(Hash)
            .since("18.8")
            .doc("Environment variables for APT."),
    ],
    ..ResourceDef::DEFAULT
};
