use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "habitat_sup",
    class: "HabitatSupWindows",
    parent: "HabitatSup",
    doc: "The supervisor of Habitat as a service of Windows.",
    provides: &[Provides::os("habitat_sup", &["windows"]), Provides::always("habitat_sup_windows")],
    actions: &["run"],
    ..ResourceDef::DEFAULT
};
