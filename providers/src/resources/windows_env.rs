use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_env",
    class: "WindowsEnv",
    doc: "Sets environment variables (Windows).",
    provides: &[Provides::always("windows_env"), Provides::always("env")],
    actions: &["create", "delete", "modify"],
    default_action: &["create"],
    properties: &[
        prop("key_name", &[Str]).name_property().doc("Name of the variable."),
        prop("value", &[Str]).required_for(&["create", "modify"]).doc("Its value."),
        prop("delim", &[Str, Nil, False]).desired_state(false).doc("Separator, to treat the value as a list."),
        prop("user", &[Str]).default(LitStr("<System>")).doc("User whose variable it is."),
    ],
    ..ResourceDef::DEFAULT
};
