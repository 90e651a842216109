use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "plist",
    class: "PlistResource",
    doc: "Sets values in property lists (macOS).",
    introduced: "16.0",
    provides: &[Provides::always("plist")],
    actions: &["set"],
    default_action: &["set"],
    properties: &[
        prop("path", &[Str]).name_property().doc("The file."),
        prop("entry", &[Str]).doc("The key."),
        prop("value", &[TRUE_CLASS, FALSE_CLASS, Str, Int, Float, Hash]).doc("The value."),
        prop("encoding", &[Str]).default(LitStr("binary")).doc("Format of the file."),
        prop("owner", &[Str]).default(LitStr("root")).doc("Owner of the file."),
        prop("group", &[Str]).default(LitStr("wheel")).doc("Group of the file."),
        prop("mode", &[Str, Int]).doc("Mode of the file."),
    ],
    ..ResourceDef::DEFAULT
};
