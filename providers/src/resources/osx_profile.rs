use crate::coerce;
use crate::prelude::*;
use rchef_ruby::{Args, MethodDef, opt};

pub static DEF: ResourceDef = ResourceDef {
    name: "osx_profile",
    class: "OsxProfile",
    doc: "Installs configuration profiles (macOS).",
    introduced: "12.7",
    provides: &[Provides::always("osx_profile"), Provides::always("osx_config_profile")],
    actions: &["install", "remove"],
    default_action: &["install"],
    properties: &[
        prop("profile_name", &[Str]).name_property().doc("The profile."),
        prop("profile", &[Str, Hash]).doc("Its file in the cookbook, or its content."),
        prop("identifier", &[Str]).doc("Identifier, for removal."),
    ],
    methods: METHODS,
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[opt("path", path, 0, 1)];

/// The path of the profile that the action wrote; can be set once.
fn path(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if !coerce::take(vm, this, "@path").truthy() {
        coerce::put(vm, this, "@path", args.at(0).clone());
    }
    Ok(coerce::take(vm, this, "@path"))
}
