use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "swap_file",
    class: "SwapFile",
    doc: "Makes swap files.",
    introduced: "14.0",
    provides: &[Provides::when("swap_file", coerce::anywhere)],
    actions: &["create", "remove"],
    default_action: &["create"],
    properties: &[
        prop("path", &[Str]).name_property().doc("The file."),
        prop("size", &[Int]).doc("Megabytes."),
        prop("persist", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Keep it in fstab."),
        prop("timeout", &[Int]).desired_state(false).default(LitInt(600)).doc("Seconds to let it be made."),
        prop("swappiness", &[Int]).doc("Value for vm.swappiness."),
    ],
    ..ResourceDef::DEFAULT
};
