use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "zypper_repository",
    class: "ZypperRepository",
    doc: "Keeps repositories of zypper.",
    introduced: "13.3",
    provides: &[Provides::when("zypper_repository", coerce::anywhere), Provides::when("zypper_repo", coerce::anywhere)],
    actions: &["create", "remove", "add", "refresh"],
    default_action: &["create"],
    properties: &[
        prop("repo_name", &[Str])
            .name_property()
            .regex(r"^[^/]+$")
            .message("repo_name property cannot contain a forward slash `/`")
            .doc("Identifier."),
        prop("description", &[Str]).doc("Name for people."),
        prop("type", &[Str]).default(LitStr("NONE")).doc("Type of the repository."),
        prop("enabled", &[TRUE_CLASS, FALSE_CLASS]).default(True).doc("Whether it is used."),
        prop("autorefresh", &[TRUE_CLASS, FALSE_CLASS]).default(True).doc("Refresh by itself."),
        prop("gpgcheck", &[TRUE_CLASS, FALSE_CLASS]).default(True).doc("Check signatures."),
        prop("gpgkey", &[Str, Array]).coerce(coerce::to_array).default_empty(Array).doc("Addresses of the keys."),
        prop("baseurl", &[Str]).doc("Address of the repository."),
        prop("mirrorlist", &[Str]).doc("Address of a list of mirrors."),
        prop("path", &[Str]).doc("Path below the address."),
        prop("priority", &[Int]).default(LitInt(99)).doc("Priority, lower first."),
        prop("keeppackages", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Keep downloaded packages."),
        prop("mode", &[Str, Int]).default(LitStr("0644")).doc("Mode of the file."),
        prop("refresh_cache", &[TRUE_CLASS, FALSE_CLASS]).default(True).doc("Refresh after a change."),
        prop("source", &[Str]).doc("Template to use instead of the built-in one."),
        prop("cookbook", &[Str]).desired_state(false).lazy(own_cookbook).doc("Cookbook that holds the template."),
        prop("gpgautoimportkeys", &[TRUE_CLASS, FALSE_CLASS]).default(True).doc("Import keys without asking."),
    ],
    aliases: &[("key", "gpgkey"), ("uri", "baseurl")],
    manages: Manages::Object(Object::new("repository", "repo_name")),
    ..ResourceDef::DEFAULT
};

fn own_cookbook(vm: &mut Vm, resource: &Value) -> Res {
    coerce::read(vm, resource, "cookbook_name")
}
