use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "notify_group",
    class: "NotifyGroup",
    doc: "Does nothing but pass a notification on.",
    introduced: "15.8",
    provides: &[Provides::always("notify_group")],
    actions: &["run"],
    default_action: &["nothing"],
    ..ResourceDef::DEFAULT
};
