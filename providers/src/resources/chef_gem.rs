use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "chef_gem",
    class: "ChefGem",
    parent: "GemPackage",
    doc: "Installs gems for recipes to use.",
    provides: &[Provides::always("chef_gem")],
    properties: &[
        prop("package_name", &[Str]).identity().doc("The gem."),
        prop("version", &[Str]).doc("Version or requirement."),
        prop("gem_binary", &[Str]).default(LitStr("/usr/bin/gem")).callbacks(&[("The `chef_gem` resource is restricted to the current gem environment, use `gem_package` to install to other environments.", own_gem_binary)]).doc("The client's own gem program; nothing else is taken."),
    ],
    manages: Manages::Nothing,
    ..ResourceDef::DEFAULT
};

/// Validates `gem_binary`: gems of the client itself are installed by its own `gem` only.
fn own_gem_binary(vm: &mut Vm, value: &Value) -> Res<bool> {
    Ok(coerce::text(vm, value).is_some_and(|path| path == "/usr/bin/gem"))
}
