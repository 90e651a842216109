//! `windows_user`.

use crate::coerce;
use crate::prelude::*;

/// `Chef::Resource::User::WindowsUser`.
pub static DEF: ResourceDef = ResourceDef {
    name: "windows_user",
    class: "User::WindowsUser",
    parent: "User",
    doc: "Users of Windows.",
    provides: &[Provides::always("windows_user"), Provides::os("user", &["windows"])],
    properties: &[
        prop("full_name", &[Str]).since("14.6").doc("Full name."),
        prop("uid", &[Str, Int, NIL_CLASS]).coerce(uid).doc("User number."),
    ],
    ..ResourceDef::DEFAULT
};

/// A number where it is one.
fn uid(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    Ok(match coerce::text(vm, value).and_then(|text| text.trim().parse::<i64>().ok()) {
        Some(number) => Value::Int(number),
        None => value.clone(),
    })
}
