use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "freebsd_package",
    class: "FreebsdPackage",
    parent: "Package",
    doc: "Packages by pkg or ports (FreeBSD).",
    provides: &[Provides::always("freebsd_package"), Provides::platform("package", &["freebsd"])],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    after_created: Some(after_created),
    ..ResourceDef::DEFAULT
};

/// Chooses the provider: ports are built, everything else is installed by pkg.
fn after_created(vm: &mut Vm, resource: &Value) -> Res<()> {
    let source = coerce::read(vm, resource, "source")?;
    let source = vm.to_s_text(&source)?;
    let ports = source.lines().any(|line| line.eq_ignore_ascii_case("ports"));
    let name = if ports { "Chef::Provider::Package::Freebsd::Port" } else { "Chef::Provider::Package::Freebsd::Pkgng" };
    let class = rchef_recipe::run::constant(vm, name)?;
    coerce::put(vm, resource, "@provider", class);
    Ok(())
}
