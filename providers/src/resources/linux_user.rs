use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "linux_user",
    class: "User::LinuxUser",
    parent: "User",
    provider: "User::Linux",
    doc: "Users by useradd, usermod and userdel.",
    provides: &[Provides::always("linux_user"), Provides::os("user", &["linux"])],
    ..ResourceDef::DEFAULT
};
