use crate::coerce;
use crate::prelude::*;
use rchef_ruby::{Args, MethodDef, def};

pub static DEF: ResourceDef = ResourceDef {
    name: "systemd_unit",
    class: "SystemdUnit",
    doc: "Keeps unit files of systemd and the state of their units.",
    introduced: "12.11",
    provides: &[Provides::when("systemd_unit", coerce::anywhere)],
    actions: &[
        "create",
        "delete",
        "preset",
        "revert",
        "enable",
        "disable",
        "reenable",
        "mask",
        "unmask",
        "start",
        "stop",
        "restart",
        "reload",
        "try_restart",
        "reload_or_restart",
        "reload_or_try_restart",
    ],
    default_action: &["nothing"],
    properties: &[
        prop("enabled", &[TRUE_CLASS, FALSE_CLASS]).hidden().doc("Enabled, as found."),
        prop("active", &[TRUE_CLASS, FALSE_CLASS]).hidden().doc("Running, as found."),
        prop("masked", &[TRUE_CLASS, FALSE_CLASS]).hidden().doc("Masked, as found."),
        prop("static", &[TRUE_CLASS, FALSE_CLASS]).hidden().doc("Static, as found."),
        prop("indirect", &[TRUE_CLASS, FALSE_CLASS]).hidden().doc("Indirect, as found."),
        prop("user", &[Str]).desired_state(false).doc("User whose systemd instance is meant; none is the system's."),
        prop("content", &[Str, Hash]).doc("The unit file, as text or as sections."),
        prop("triggers_reload", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(True)
            .doc("Run daemon-reload after a change."),
        prop("verify", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(True)
            .doc("Check the unit with systemd-analyze before it is written."),
        prop("unit_name", &[Str]).name_property().since("13.7").doc("Name of the unit with its suffix."),
    ],
    methods: METHODS,
    manages: Manages::Object(Object { ending: ".service", ..Object::new("service", "unit_name") }),
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[def("to_ini", to_ini, 0)];

/// The text of the unit file: a Hash of sections becomes `[Section]` and `Option = value` lines.
fn to_ini(vm: &mut Vm, this: &Value, _args: Args<'_>) -> Res {
    let content = coerce::read(vm, this, "content")?;
    let Value::Hash(sections) = &content else {
        return vm.call(&content, rchef_ruby::sym::TO_S, &[]);
    };
    let mut out = String::new();
    for (name, options) in pairs(vm, sections) {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&format!("[{}]\n", vm.to_s_text(&name)?));
        let Value::Hash(options) = &options else { continue };
        for (key, value) in pairs(vm, options) {
            let key = vm.to_s_text(&key)?;
            let values = coerce::flat_array(vm, this, &value)?;
            for value in vm.to_array(&values)? {
                let value = vm.to_s_text(&value)?;
                out.push_str(&if value.is_empty() { format!("{key} =\n") } else { format!("{key} = {value}\n") });
            }
        }
    }
    Ok(Value::str(out))
}

fn pairs(vm: &Vm, hash: &rchef_ruby::Gc<rchef_ruby::RHash>) -> Vec<(Value, Value)> {
    hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect()
}
