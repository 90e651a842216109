use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_user",
    class: "User::WindowsUser",
    parent: "User",
    provider: "User::Windows",
    doc: "Users of Windows.",
    provides: &[Provides::always("windows_user"), Provides::os("user", &["windows"])],
    properties: &[
        prop("full_name", &[Str]).since("14.6").doc("Full name."),
        prop("uid", &[Str, Int, NIL_CLASS]).coerce(uid).doc("User number."),
    ],
    ..ResourceDef::DEFAULT
};

/// An Integer if the value is a number; otherwise unchanged.
fn uid(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    if !value.truthy() {
        return Ok(value.clone());
    }
    Ok(coerce::integer(vm, resource, value).unwrap_or_else(|_| value.clone()))
}
