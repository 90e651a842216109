use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "dpkg_package",
    class: "DpkgPackage",
    parent: "Package",
    provider: "Package::Dpkg",
    doc: "Installs `.deb` files by dpkg.",
    provides: &[Provides::always("dpkg_package")],
    properties: &[
        prop("source", &[Str, Array, Nil]).doc("The package's file, or several."),
        prop("response_file", &[Str]).desired_state(false).doc("Debconf answers: a template of the cookbook."),
        prop("response_file_variables", &[Hash])
            .desired_state(false)
            .default_empty(Hash)
            .doc("Variables for that template."),
        prop("allow_downgrade", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(True)
            .doc("May install an older version than the one there."),
        prop("environment", &[Hash])
            .desired_state(false)
            .default_empty(Hash)
            .since("18.8")
            .doc("Environment variables for dpkg."),
    ],
    ..ResourceDef::DEFAULT
};
