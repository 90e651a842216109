use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "reboot",
    class: "Reboot",
    doc: "Reboots now or at the end of the run.",
    introduced: "12.0",
    provides: &[Provides::always("reboot")],
    actions: &["request_reboot", "reboot_now", "cancel"],
    default_action: &["nothing"],
    properties: &[
        prop("reason", &[Str]).default(LitStr("Reboot by Chef Infra Client")).doc("What is written to the log."),
        prop("delay_mins", &[Int]).default(LitInt(0)).doc("Minutes to wait."),
    ],
    ..ResourceDef::DEFAULT
};
