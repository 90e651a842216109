use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "habitat_sup",
    class: "HabitatSupSystemd",
    parent: "HabitatSup",
    doc: "The supervisor of Habitat under systemd.",
    provides: &[Provides::os("habitat_sup", &["linux"]), Provides::always("habitat_sup_systemd")],
    actions: &["run", "stop"],
    ..ResourceDef::DEFAULT
};
