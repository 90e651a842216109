use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_path",
    class: "WindowsPath",
    doc: "Adds to and removes from PATH (Windows).",
    introduced: "13.4",
    provides: &[Provides::when("windows_path", coerce::anywhere)],
    actions: &["add", "remove"],
    default_action: &["add"],
    properties: &[prop("path", &[Str]).name_property().doc("The directory.")],
    ..ResourceDef::DEFAULT
};
