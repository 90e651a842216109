use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_pagefile",
    class: "WindowsPagefile",
    doc: "Configures page files (Windows).",
    introduced: "14.0",
    provides: &[Provides::when("windows_pagefile", coerce::anywhere)],
    actions: &["set", "delete"],
    default_action: &["set"],
    properties: &[
        prop("path", &[Str]).name_property().coerce(coerce::backslashes).doc("The file."),
        prop("system_managed", &[TRUE_CLASS, FALSE_CLASS]).doc("Windows chooses its size."),
        prop("automatic_managed", &[TRUE_CLASS, FALSE_CLASS]).doc("Windows manages all page files."),
        prop("initial_size", &[Int]).doc("First size in megabytes."),
        prop("maximum_size", &[Int]).doc("Largest size in megabytes."),
    ],
    ..ResourceDef::DEFAULT
};
