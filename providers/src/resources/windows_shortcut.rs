use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_shortcut",
    class: "WindowsShortcut",
    doc: "Makes shortcuts (Windows).",
    introduced: "14.0",
    provides: &[Provides::when("windows_shortcut", coerce::anywhere)],
    actions: &["create"],
    default_action: &["create"],
    properties: &[
        prop("shortcut_name", &[Str]).name_property().doc("Path of the shortcut."),
        prop("target", &[Str]).doc("What it opens."),
        prop("arguments", &[Str]).doc("Arguments of the target."),
        prop("description", &[Str]).doc("Description."),
        prop("cwd", &[Str]).doc("Directory to start in."),
        prop("iconlocation", &[Str]).doc("Icon, as path and index."),
    ],
    ..ResourceDef::DEFAULT
};
