use crate::coerce;
use crate::prelude::*;

/// `Chef::Resource::User::WindowsUser`.
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

/// A number where it is one.
fn uid(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    if !value.truthy() {
        return Ok(value.clone());
    }
    Ok(coerce::integer(vm, resource, value).unwrap_or_else(|_| value.clone()))
}
