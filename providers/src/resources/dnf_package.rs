use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "dnf_package",
    class: "DnfPackage",
    parent: "Package",
    provider: "Package::Dnf",
    doc: "Packages by dnf.",
    introduced: "12.18",
    provides: &[
        Provides::always("dnf_package"),
        Provides { platform_version: ">= 8", ..Provides::family("package", &["rhel"]) },
        Provides { platform_version: ">= 22", ..Provides::platform("package", &["fedora"]) },
        Provides { test: Some(amazon_with_dnf), ..Provides::platform("package", &["amazon"]) },
    ],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock", "flush_cache"],
    properties: &[
        prop("arch", &[Str, Array]).coerce(coerce::flat_array).doc("Architecture to have."),
        prop("flush_cache", &[Hash])
            .coerce(coerce::flush_cache)
            .lazy(coerce::no_flush)
            .doc("When to drop the cached list of packages: before or after the action."),
        prop("allow_downgrade", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(True)
            .doc("May install an older version than the one there."),
        prop("environment", &[Hash])
            .desired_state(false)
            .default_empty(Hash)
            .since("18.8")
            .doc("Environment variables for dnf."),
    ],
    ..ResourceDef::DEFAULT
};

/// Whether this Amazon Linux has dnf: 2 does not, 2022 and later do. (Chef looks for the program; here the node may be another machine than this
/// one.)
fn amazon_with_dnf(vm: &mut Vm, node: &Value) -> Res<bool> {
    let version = vm.call(node, rchef_ruby::sym::AREF, &[Value::str("platform_version")])?;
    let version = vm.to_s_text(&version)?;
    Ok(version.split('.').next().and_then(|major| major.parse::<u32>().ok()).is_some_and(|major| major >= 2022))
}
