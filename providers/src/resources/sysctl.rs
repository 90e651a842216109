use crate::coerce;
use crate::prelude::*;
use rchef_ruby::{Args, MethodDef, def};

pub static DEF: ResourceDef = ResourceDef {
    name: "sysctl",
    class: "Sysctl",
    doc: "Sets kernel parameters now and for later boots.",
    introduced: "14.0",
    provides: &[Provides::when("sysctl", coerce::anywhere), Provides::when("sysctl_param", coerce::anywhere)],
    actions: &["apply", "remove"],
    default_action: &["apply"],
    properties: &[
        prop("key", &[Str]).name_property().doc("The parameter, with dots."),
        prop("ignore_error", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(False)
            .doc("Go on if the kernel does not know it."),
        prop("value", &[Array, Str, Int, Float]).required_for(&["apply"]).coerce(coerce_value).doc("The value."),
        prop("comment", &[Array, Str])
            .desired_state(false)
            .default_empty(Array)
            .since("15.8")
            .doc("Lines above it in the file."),
        prop("conf_dir", &[Str]).default(LitStr("/etc/sysctl.d")).doc("Directory of the file."),
    ],
    after_created: Some(after_created),
    methods: METHODS,
    manages: Manages::Object(Object::new("sysctl", "key")),
    provider_methods: crate::providers::sysctl::METHODS,
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[def("coerce_value", coerce_value_method, 1)];

/// The elements of a list, joined by spaces.
fn coerce_value(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    match value {
        Value::Array(_) => vm.call_name(value, "join", &[Value::str(" ")]),
        _ => vm.call(value, rchef_ruby::sym::TO_S, &[]),
    }
}

fn coerce_value_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    coerce_value(vm, this, args.at(0))
}

/// Raises on platforms other than Linux.
fn after_created(vm: &mut Vm, resource: &Value) -> Res<()> {
    if coerce::node_text(vm, resource, "os")? == "linux" {
        return Ok(());
    }
    Err(vm.runtime_error(
        "The sysctl resource requires Linux as it needs sysctl and the sysctl.d directory functionality.",
    ))
}
