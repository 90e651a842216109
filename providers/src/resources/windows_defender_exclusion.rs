use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_defender_exclusion",
    class: "WindowsDefenderExclusion",
    doc: "Excludes files from Defender (Windows).",
    introduced: "17.3",
    provides: &[Provides::always("windows_defender_exclusion")],
    actions: &["add", "remove"],
    default_action: &["add"],
    properties: &[
        prop("paths", &[Str, Array]).coerce(consistent_paths).default_empty(Array).doc("Paths."),
        prop("extensions", &[Str, Array]).coerce(consistent_paths).default_empty(Array).doc("Extensions."),
        prop("process_paths", &[Str, Array]).coerce(consistent_paths).default_empty(Array).doc("Programs."),
    ],
    ..ResourceDef::DEFAULT
};

/// Paths in lower case, with backslashes.
fn consistent_paths(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    if !value.truthy() {
        return Ok(Value::array(Vec::new()));
    }
    let list = coerce::lower_list(vm, resource, value)?;
    let mut paths = Vec::new();
    for path in vm.to_array(&list)? {
        paths.push(coerce::backslashes(vm, resource, &path)?);
    }
    Ok(Value::array(paths))
}
