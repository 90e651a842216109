//! Owner, group and mode of files, directories and links (`Chef::Mixin::Securable`).

use crate::coerce::text;
use crate::prelude::*;
use rchef_recipe::resource::def::PropertyDef;

/// Chef's `user_valid_regex` and `group_valid_regex`.
pub(crate) const USER_REGEX: &str = r"^[^-+~:,\t\r\n\f\0]+[^:,\t\r\n\f\0]*$";

pub(crate) const OWNER: PropertyDef =
    prop("owner", &[]).legacy().desired_state(true).regex(USER_REGEX).doc("Owning user, by name or number.");
pub(crate) const GROUP: PropertyDef =
    prop("group", &[]).legacy().desired_state(true).regex(USER_REGEX).doc("Owning group, by name or number.");
pub(crate) const MODE: PropertyDef = prop("mode", &[])
    .legacy()
    .desired_state(true)
    .callbacks(&[("not in valid numeric range", mode_in_range)])
    .doc("Permission bits, as an octal String or an Integer.");
/// `mode` of resources where it is an accessor and not a property.
pub(crate) const MODE_ACCESSOR: PropertyDef = PropertyDef { desired_state: None, ..MODE };
/// Other names of the properties.
pub(crate) const ALIASES: &[(&str, &str)] = &[("user", "owner")];

/// Validates a mode: an octal number of at most four digits; raises as `Integer()` does for anything that is not a number.
fn mode_in_range(vm: &mut Vm, value: &Value) -> Res<bool> {
    let number = match text(vm, value) {
        Some(text)
            if !text.is_empty()
                && text.len() < 5
                && text.bytes().all(|byte| byte.is_ascii_digit())
                && !text.bytes().any(|byte| byte > b'7') =>
        {
            return Ok(true);
        }
        Some(text) => {
            let text = if text.starts_with('0') { text } else { format!("0{text}") };
            vm.call_name(&Value::Nil, "Integer", &[Value::str(text)])?
        }
        None => vm.call_name(&Value::Nil, "Integer", std::slice::from_ref(value))?,
    };
    Ok(matches!(number, Value::Int(0..=0o7777)))
}
