use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "chocolatey_package",
    class: "ChocolateyPackage",
    parent: "Package",
    provider: "Package::Chocolatey",
    doc: "Packages by Chocolatey (Windows).",
    introduced: "12.7",
    provides: &[Provides::always("chocolatey_package")],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    properties: &[
        prop("options", &[Str, Array]).doc("Further options of choco."),
        prop("list_options", &[Str]).since("15.3").doc("Further options when choco lists packages."),
        prop("user", &[Str]).since("15.3").doc("User for the source."),
        prop("password", &[Str]).sensitive().since("15.3").doc("Password for the source."),
        prop("package_name", &[Str, Array]).coerce(coerce::flat_array).doc("One package or several."),
        prop("bulk_query", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Ask for all packages at once."),
        prop("use_choco_list", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Ask choco for what is installed."),
        prop("version", &[Str, Array]).coerce(coerce::flat_array).doc("Version to have."),
        prop("returns", &[Int, Array])
            .desired_state(false)
            .lazy(returns)
            .since("12.18")
            .doc("Exit codes that mean success."),
    ],
    ..ResourceDef::DEFAULT
};

fn returns(_vm: &mut Vm, _resource: &Value) -> Res {
    Ok(Value::array(vec![Value::Int(0), Value::Int(2)]))
}
