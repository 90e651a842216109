use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "homebrew_package",
    class: "HomebrewPackage",
    parent: "Package",
    provider: "Package::Homebrew",
    doc: "Packages by Homebrew (macOS).",
    introduced: "12.0",
    provides: &[Provides::always("homebrew_package"), Provides::os("package", &["darwin"])],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    properties: &[prop("homebrew_user", &[Str, Int]).doc("User to run brew as.")],
    ..ResourceDef::DEFAULT
};
