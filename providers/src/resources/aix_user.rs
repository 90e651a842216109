use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "aix_user",
    class: "User::AixUser",
    parent: "User",
    provider: "User::Aix",
    doc: "Users by mkuser, chuser and rmuser (AIX).",
    provides: &[Provides::always("aix_user"), Provides::os("user", &["aix"])],
    ..ResourceDef::DEFAULT
};
