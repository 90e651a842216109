use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_auto_run",
    class: "WindowsAutorun",
    doc: "Starts programs at login (Windows).",
    introduced: "14.0",
    provides: &[Provides::when("windows_auto_run", coerce::anywhere)],
    actions: &["create", "remove"],
    default_action: &["create"],
    properties: &[
        prop("program_name", &[Str]).name_property().doc("Name of the entry."),
        prop("path", &[Str]).coerce(coerce::backslashes).doc("The program."),
        prop("args", &[Str]).doc("Its arguments."),
        prop("root", &[Sym])
            .default(LitSym("machine"))
            .equal_to(&[LitSym("machine"), LitSym("user")])
            .doc("For the machine or for the user."),
    ],
    aliases: &[("program", "path")],
    ..ResourceDef::DEFAULT
};
