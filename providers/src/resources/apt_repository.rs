use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "apt_repository",
    class: "AptRepository",
    doc: "Keeps an APT repository's entry and key.",
    introduced: "12.9",
    provides: &[Provides::when("apt_repository", coerce::anywhere)],
    actions: &["add", "remove"],
    default_action: &["add"],
    properties: &[
        prop("repo_name", &[Str])
            .name_property()
            .regex(r"^[^/]+$")
            .message("repo_name property cannot contain a forward slash '/'")
            .since("14.1")
            .doc("Name of the file under /etc/apt/sources.list.d."),
        prop("uri", &[Str]).doc("Base address."),
        prop("distribution", &[Str, Nil, FALSE_CLASS]).lazy(codename).doc("Suite; by default the release's code name."),
        prop("components", &[Array]).default_empty(Array).doc("Components of the suite."),
        prop("arch", &[Str, Nil, FALSE_CLASS]).doc("Architectures, comma-separated."),
        prop("trusted", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Take packages without a valid signature."),
        prop("deb_src", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Add source packages too."),
        prop("keyserver", &[Str, Nil, FALSE_CLASS])
            .default(LitStr("keyserver.ubuntu.com"))
            .doc("Where keys are looked up."),
        prop("key", &[Str, Array, Nil, FALSE_CLASS])
            .coerce(coerce::array_or_false)
            .default_empty(Array)
            .doc("Keys: fingerprints, addresses or files of the cookbook."),
        prop("key_proxy", &[Str, Nil, FALSE_CLASS]).doc("Proxy for the key server."),
        prop("signed_by", &[Str, Bool, Nil])
            .default(True)
            .doc("Tie the repository to its key: true for the keyring made here, or a keyring's path or fingerprint."),
        prop("cookbook", &[Str, Nil, FALSE_CLASS]).desired_state(false).doc("Cookbook that holds the key files."),
        prop("cache_rebuild", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(True)
            .doc("Refresh APT's lists after a change."),
        prop("options", &[Str, Array])
            .coerce(coerce::to_array)
            .default_empty(Array)
            .doc("Further options in the entry's brackets."),
    ],
    manages: Manages::Object(Object::new("repository", "repo_name")),
    ..ResourceDef::DEFAULT
};

/// `node["lsb"]["codename"]`.
fn codename(vm: &mut Vm, resource: &Value) -> Res {
    let lsb = coerce::node(vm, resource, "lsb")?;
    vm.call(&lsb, rchef_ruby::sym::AREF, &[Value::str("codename")])
}
