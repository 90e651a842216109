use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "snap_package",
    class: "SnapPackage",
    parent: "Package",
    provider: "Package::Snap",
    doc: "Packages by snap.",
    introduced: "15.0",
    provides: &[Provides::always("snap_package")],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    properties: &[prop("channel", &[Str])
        .desired_state(false)
        .default(LitStr("stable"))
        .equal_to(&[LitStr("edge"), LitStr("beta"), LitStr("candidate"), LitStr("stable")])
        .doc("Channel.")],
    ..ResourceDef::DEFAULT
};
