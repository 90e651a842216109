//! The properties `mode`, `owner` and `group` (SPEC-converge 3.2).

use super::support::*;
use rchef_change::{Access, Account};
use rchef_ruby::{Res, Value, Vm};

pub(crate) fn read(vm: &mut Vm, resource: &Value) -> Res<Access> {
    let mode = get(vm, resource, "mode")?;
    let mode = match &mode {
        Value::Nil | Value::False => None,
        Value::Int(number) => Some(*number),
        other => Some(octal(&vm.to_s_text(other)?)),
    };
    if let Some(number) = mode
        && !(0..=0o7777).contains(&number)
    {
        return Err(vm.argument_error(format!("Option mode's value {number} not in valid numeric range!")));
    }
    Ok(Access {
        mode: mode.map(|number| number as u32),
        owner: account(vm, resource, "owner")?,
        group: account(vm, resource, "group")?,
    })
}

/// The value of a text of octal digits, as `String#oct` reads it; -1 if it is too large.
pub(crate) fn octal(text: &str) -> i64 {
    let digits: String = text.trim().chars().take_while(|c| ('0'..='7').contains(c)).collect();
    if digits.is_empty() { 0 } else { i64::from_str_radix(&digits, 8).unwrap_or(-1) }
}

/// An owner or group; a String of digits is a name, not a number.
fn account(vm: &mut Vm, resource: &Value, name: &'static str) -> Res<Option<Account>> {
    let value = get(vm, resource, name)?;
    Ok(match &value {
        Value::Nil | Value::False => None,
        Value::Int(number) => Some(Account::Id(*number as u32)),
        other => Some(Account::Name(vm.to_s_text(other)?)),
    })
}
