use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "rhsm_repo",
    class: "RhsmRepo",
    doc: "Enables and disables repositories (Red Hat).",
    introduced: "14.0",
    provides: &[Provides::when("rhsm_repo", coerce::anywhere)],
    actions: &["enable", "disable"],
    default_action: &["enable"],
    properties: &[prop("repo_name", &[Str]).name_property().doc("The repository.")],
    provider_methods: crate::providers::rhsm::REPO_METHODS,
    ..ResourceDef::DEFAULT
};
