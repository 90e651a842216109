//! The properties `mode`, `owner` and `group` (SPEC-converge 3.2).

use super::support::*;
use rchef_change::{Access, Account, State};
use rchef_host::{Host, Stat};
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

/// `owner`, `group` and `mode` of a file as Chef reports them: accounts by name, unless the resource gives their number (Chef's
/// ScanAccessControl).
pub(crate) fn state(access: &Access, stat: &Stat, host: &dyn Host) -> Vec<(&'static str, State)> {
    let shown = |asked: &Option<Account>, id: u32, name: Option<Vec<u8>>| match (asked, name) {
        (Some(Account::Id(_)), _) | (_, None) => State::Int(id.into()),
        (_, Some(name)) => State::Text(lossy(&name)),
    };
    let owner = host.user_by_id(stat.uid).ok().flatten().map(|user| user.name);
    let group = host.group_by_id(stat.gid).ok().flatten().map(|group| group.name);
    vec![
        ("owner", shown(&access.owner, stat.uid, owner)),
        ("group", shown(&access.group, stat.gid, group)),
        ("mode", State::Text(format!("0{:o}", stat.perm()))),
    ]
}

/// As [`state`], of the file at a path: what a resource reports after its action. Nothing if there is none.
pub(crate) fn reported(access: &Access, path: &[u8], host: &dyn Host) -> Vec<(&'static str, State)> {
    host.stat(path).map_or_else(|_| Vec::new(), |stat| state(access, &stat, host))
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
