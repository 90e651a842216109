use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_feature",
    class: "WindowsFeature",
    doc: "Installs and removes roles and features (Windows).",
    introduced: "14.0",
    provides: &[Provides::when("windows_feature", coerce::anywhere)],
    actions: &["install", "remove", "delete"],
    default_action: &["install"],
    properties: &[
        prop("feature_name", &[Array, Str]).name_property().doc("Feature, or several."),
        prop("source", &[Str]).doc("Where to find its files."),
        prop("all", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("With everything that it needs."),
        prop("management_tools", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("With the tools to manage it."),
        prop("install_method", &[Sym])
            .default(LitSym("windows_feature_dism"))
            .equal_to(&[
                LitSym("windows_feature_dism"),
                LitSym("windows_feature_powershell"),
                LitSym("windows_feature_servermanagercmd"),
            ])
            .doc("By DISM or by PowerShell."),
        prop("timeout", &[Int]).desired_state(false).default(LitInt(600)).doc("Seconds to let it run."),
    ],
    ..ResourceDef::DEFAULT
};
