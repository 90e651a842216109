use crate::coerce;
use crate::prelude::*;
use crate::providers::support::{flag, get, new_resource};
use rchef_ruby::{Args, MethodDef, def, sym};

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_feature_powershell",
    class: "WindowsFeaturePowershell",
    doc: "Installs and removes features by PowerShell (Windows).",
    introduced: "14.0",
    provides: &[Provides::when("windows_feature_powershell", coerce::anywhere)],
    actions: &["install", "remove", "delete"],
    default_action: &["install"],
    properties: &[
        prop("feature_name", &[Array, Str]).name_property().coerce(coerce::lower_list).doc("Feature, or several."),
        prop("source", &[Str]).doc("Where to find its files."),
        prop("all", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("With everything below it."),
        prop("timeout", &[Int]).desired_state(false).default(LitInt(600)).doc("Seconds to let it run."),
        prop("management_tools", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("With the tools to manage it."),
    ],
    provider_methods: METHODS,
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[
    def("features_to_install", to_install, 0),
    def("features_to_remove", to_remove, 0),
    def("features_to_delete", to_delete, 0),
];

/// The resource's features that the node's list has in one of these states, in the resource's order.
fn features(vm: &mut Vm, resource: &Value, states: &[&str]) -> Res {
    let known = coerce::node(vm, resource, "powershell_features_cache")?;
    let mut listed = Vec::new();
    for state in states {
        let names = vm.call(&known, sym::AREF, &[Value::str(state)])?;
        listed.extend(vm.to_array(&names)?);
    }
    let wanted = get(vm, resource, "feature_name")?;
    vm.call_name(&wanted, "&", &[Value::array(listed)])
}

/// Features whose files were removed can be installed only from a source.
fn to_install(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    let states: &[&str] = if flag(vm, &resource, "source")? { &["disabled", "removed"] } else { &["disabled"] };
    features(vm, &resource, states)
}

fn to_remove(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    features(vm, &resource, &["enabled"])
}

fn to_delete(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    features(vm, &resource, &["enabled", "disabled"])
}
