use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "pacman_package",
    class: "PacmanPackage",
    parent: "Package",
    provider: "Package::Pacman",
    serves: &[("package", "arch")],
    doc: "Packages by pacman.",
    provides: &[Provides::always("pacman_package")],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    ..ResourceDef::DEFAULT
};
