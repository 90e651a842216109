use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_feature_powershell",
    class: "WindowsFeaturePowershell",
    doc: "Installs and removes features by PowerShell (Windows).",
    introduced: "14.0",
    provides: &[Provides::when("windows_feature_powershell", coerce::anywhere)],
    actions: &["install", "remove", "delete"],
    default_action: &["install"],
    properties: &[
        prop("feature_name", &[Array, Str]).name_property().coerce(coerce::lower_list).doc("Feature, or several."),
        prop("source", &[Str]).doc("Where to find its files."),
        prop("all", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("With everything below it."),
        prop("timeout", &[Int]).desired_state(false).default(LitInt(600)).doc("Seconds to let it run."),
        prop("management_tools", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("With the tools to manage it."),
    ],
    ..ResourceDef::DEFAULT
};
