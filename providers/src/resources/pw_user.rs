use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "pw_user",
    class: "User::PwUser",
    parent: "User",
    provider: "User::Pw",
    doc: "Users by pw (FreeBSD).",
    provides: &[Provides::always("pw_user"), Provides::os("user", &["freebsd"])],
    ..ResourceDef::DEFAULT
};
