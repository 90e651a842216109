use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "breakpoint",
    class: "Breakpoint",
    doc: "Stops the run in chef-shell; does nothing elsewhere.",
    introduced: "12.0",
    provides: &[Provides::always("breakpoint")],
    actions: &["break"],
    default_action: &["break"],
    ..ResourceDef::DEFAULT
};
