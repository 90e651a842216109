use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "solaris_user",
    class: "User::SolarisUser",
    parent: "User",
    provider: "User::Solaris",
    doc: "Users by useradd (Solaris).",
    provides: &[Provides::always("solaris_user"), Provides::os("user", &["omnios", "solaris2"])],
    ..ResourceDef::DEFAULT
};
