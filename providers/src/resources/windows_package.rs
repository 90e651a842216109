use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_package",
    class: "WindowsPackage",
    parent: "Package",
    provider: "Package::Windows",
    doc: "Installs and removes software by MSI and EXE installers (Windows).",
    introduced: "11.12",
    provides: &[Provides::when("windows_package", coerce::anywhere), Provides::os("package", &["windows"])],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    mixins: &["Chef::Mixin::Uris"],
    properties: &[
        prop("package_name", &[Str]).identity().doc("Display name of the software."),
        prop("options", &[Str]).doc("Further options of the installer."),
        prop("installer_type", &[Sym])
            .equal_to(&[
                LitSym("custom"),
                LitSym("inno"),
                LitSym("installshield"),
                LitSym("msi"),
                LitSym("nsis"),
                LitSym("wise"),
            ])
            .doc("Kind of the installer, if it cannot be told from the file."),
        prop("timeout", &[Str, Int]).desired_state(false).default(LitInt(600)).doc("Seconds to let the installer run."),
        prop("returns", &[Str, Int, Array]).desired_state(false).lazy(returns).doc("Exit codes that mean success."),
        prop("source", &[Str]).coerce(coerce::uri_or_path).doc("Installer, by path or address."),
        prop("checksum", &[Str])
            .desired_state(false)
            .coerce(coerce::downcase)
            .doc("SHA-256 of a downloaded installer."),
        prop("remote_file_attributes", &[Hash]).desired_state(false).doc("Properties for the download's remote_file."),
    ],
    init: Some(init),
    ..ResourceDef::DEFAULT
};

fn returns(_vm: &mut Vm, _resource: &Value) -> Res {
    Ok(Value::array(vec![Value::Int(0), Value::Int(3010)]))
}

/// If the name ends in `.msi`, it is also the source.
fn init(vm: &mut Vm, resource: &Value, _name: &Value) -> Res<()> {
    let name = coerce::take(vm, resource, "@package_name");
    if coerce::text(vm, &name).is_some_and(|name| name.to_lowercase().ends_with(".msi")) {
        coerce::write(vm, resource, "source", name)?;
    }
    Ok(())
}
