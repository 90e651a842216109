use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_font",
    class: "WindowsFont",
    doc: "Installs fonts (Windows).",
    introduced: "14.0",
    provides: &[Provides::when("windows_font", coerce::anywhere)],
    actions: &["install"],
    default_action: &["install"],
    properties: &[
        prop("font_name", &[Str]).name_property().doc("The font's file."),
        prop("source", &[Str]).coerce(font_source).doc("Where to find it, if not in the cookbook."),
    ],
    ..ResourceDef::DEFAULT
};

/// Replaces the backslashes in a path with a drive letter by single slashes.
fn font_source(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    Ok(match coerce::text(vm, value) {
        Some(text) if text.chars().nth(1) == Some(':') => Value::str(text.replace('\\', "/").replace("//", "/")),
        _ => value.clone(),
    })
}
