use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "cron_access",
    class: "CronAccess",
    doc: "Lets users use cron, or keeps them from it.",
    introduced: "14.4",
    provides: &[Provides::always("cron_access"), Provides::always("cron_manage")],
    actions: &["allow", "deny"],
    default_action: &["allow"],
    properties: &[prop("user", &[Str]).name_property().doc("The user.")],
    ..ResourceDef::DEFAULT
};
