use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "gem_package",
    class: "GemPackage",
    parent: "Package",
    provider: "Package::Rubygems",
    doc: "Installs gems into a Ruby of the system.",
    provides: &[Provides::always("gem_package")],
    actions: &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"],
    properties: &[
        prop("package_name", &[Str]).identity().doc("The gem."),
        prop("version", &[Str]).doc("Version or requirement."),
        prop("source", &[Str, Array]).doc("Gem servers, or the path of a gem."),
        prop("clear_sources", &[TRUE_CLASS, FALSE_CLASS, Nil])
            .desired_state(false)
            .lazy(clear_gem_sources)
            .doc("Use `source` alone and drop configured servers."),
        prop("gem_binary", &[Str]).desired_state(false).doc("The `gem` program of the Ruby that is meant."),
        prop("include_default_source", &[TRUE_CLASS, FALSE_CLASS, Nil])
            .default(Nil)
            .since("13.0")
            .doc("Whether the configured default server is asked too."),
        prop("options", &[Str, Hash, Array, Nil])
            .desired_state(false)
            .doc("Options for the gem command; a Hash goes to the gem library."),
    ],
    manages: Manages::Object(Object { several: true, ..Object::new("gem", "package_name") }),
    ..ResourceDef::DEFAULT
};

fn clear_gem_sources(vm: &mut Vm, _resource: &Value) -> Res {
    coerce::config(vm, "clear_gem_sources")
}
