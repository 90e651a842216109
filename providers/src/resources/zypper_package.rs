use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "zypper_package",
    class: "ZypperPackage",
    parent: "Package",
    provider: "Package::Zypper",
    doc: "Packages by zypper.",
    provides: &[Provides::always("zypper_package"), Provides::family("package", &["suse"])],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    properties: &[
        prop("gpg_check", &[TRUE_CLASS, FALSE_CLASS]).lazy(check_gpg).doc("Check signatures."),
        prop("allow_downgrade", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(True)
            .since("13.6")
            .doc("May install an older version than the one there."),
        prop("global_options", &[Str, Array])
            .coerce(coerce::shellsplit)
            .since("14.6")
            .doc("Options before the subcommand."),
    ],
    ..ResourceDef::DEFAULT
};

fn check_gpg(vm: &mut Vm, _resource: &Value) -> Res {
    coerce::config(vm, "zypper_check_gpg")
}
