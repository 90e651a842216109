use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "selinux_boolean",
    class: "SelinuxBoolean",
    doc: "Sets booleans of SELinux.",
    introduced: "18.0",
    provides: &[Provides::always("selinux_boolean")],
    actions: &["set"],
    default_action: &["set"],
    properties: &[
        prop("boolean", &[Str]).name_property().doc("The boolean."),
        prop("value", &[Int, Str, Bool])
            .required()
            .coerce(selinux_bool)
            .equal_to(&[LitStr("on"), LitStr("off")])
            .doc("On or off."),
        prop("persistent", &[Bool]).desired_state(false).default(True).doc("Keep it after a reboot."),
    ],
    provider_mixins: &[crate::providers::selinux_common::MODULE],
    ..ResourceDef::DEFAULT
};

/// Coerces every accepted spelling to `on` or `off`.
fn selinux_bool(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    let on = match value {
        Value::True | Value::Int(1) => true,
        Value::False | Value::Int(0) => false,
        _ => match coerce::text(vm, value).as_deref() {
            Some("on" | "true" | "1") => true,
            Some("off" | "false" | "0") => false,
            _ => {
                let shown = vm.to_s_text(value)?;
                return Err(vm.argument_error(format!("selinux_bool: Invalid selinux boolean value {shown}")));
            }
        },
    };
    Ok(Value::str(if on { "on" } else { "off" }))
}
