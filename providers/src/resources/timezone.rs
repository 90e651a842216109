use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "timezone",
    class: "Timezone",
    doc: "Sets the time zone.",
    introduced: "14.6",
    provides: &[Provides::always("timezone")],
    actions: &["set"],
    default_action: &["set"],
    properties: &[prop("timezone", &[Str]).name_property().doc("The zone.")],
    methods: crate::providers::timezone::METHODS,
    ..ResourceDef::DEFAULT
};
