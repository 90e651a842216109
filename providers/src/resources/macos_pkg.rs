use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "macos_pkg",
    class: "MacosPkg",
    doc: "Installs `.pkg` files (macOS).",
    introduced: "18.1",
    provides: &[Provides::when("macos_pkg", coerce::anywhere)],
    actions: &["install"],
    default_action: &["install"],
    properties: &[
        prop("checksum", &[Str]).doc("SHA-256 of the download."),
        prop("file", &[Str]).doc("Path of the package."),
        prop("headers", &[Hash]).desired_state(false).doc("HTTP headers for the download."),
        prop("package_id", &[Str]).required().doc("Receipt that shows that it is installed."),
        prop("source", &[Str]).doc("Address of the package."),
        prop("target", &[Str]).default(LitStr("/")).doc("Volume to install on."),
    ],
    ..ResourceDef::DEFAULT
};
