use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "package",
    class: "Package",
    doc: "Installs, upgrades or removes packages with the package manager of the platform; parent of all package resources.",
    provides: &[Provides::always("package")],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    default_action: &["install"],
    properties: &[
        prop("package_name", &[Str, Array]).identity().doc("One package or several."),
        prop("version", &[Str, Array])
            .doc("Version to have; for several packages a list in the same order, nil where any will do."),
        prop("options", &[Str, Array])
            .coerce(coerce::shellsplit)
            .doc("Extra command-line options for the package manager."),
        prop("source", &[Str]).desired_state(false).doc("A package file, or a repository, to install from."),
        prop("timeout", &[Str, Int]).desired_state(false).doc("Seconds after which the package manager is given up."),
        prop("environment", &[Hash])
            .desired_state(false)
            .since("18.8")
            .doc("Environment variables for the package manager."),
    ],
    init_first: Some(init),
    manages: Manages::Object(Object { several: true, ..Object::new("package", "package_name") }),
    ..ResourceDef::DEFAULT
};

/// The name, also an Array of names, is the default of `package_name`.
fn init(vm: &mut Vm, resource: &Value, name: &Value) -> Res<()> {
    coerce::write(vm, resource, "package_name", name.clone())
}
