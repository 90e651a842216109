use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "rhsm_subscription",
    class: "RhsmSubscription",
    doc: "Attaches subscriptions (Red Hat).",
    introduced: "14.0",
    provides: &[Provides::when("rhsm_subscription", coerce::anywhere)],
    actions: &["attach", "remove"],
    default_action: &["attach"],
    properties: &[prop("pool_id", &[Str]).name_property().doc("The pool.")],
    provider_methods: crate::providers::rhsm::SUBSCRIPTION_METHODS,
    ..ResourceDef::DEFAULT
};
