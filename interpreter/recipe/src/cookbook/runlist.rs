//! Run lists: items, parsing, recipes in order (SPEC-compile 1.11).

use rchef_ruby::{Res, Vm};

/// An entry of a run list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A recipe and its version.
    Recipe(String, Option<String>),
    /// A role.
    Role(String),
}

impl std::fmt::Display for Item {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Item::Recipe(name, None) => write!(out, "recipe[{name}]"),
            Item::Recipe(name, Some(version)) => write!(out, "recipe[{name}@{version}]"),
            Item::Role(name) => write!(out, "role[{name}]"),
        }
    }
}

/// Reads one entry.
pub fn item(vm: &mut Vm, text: &str) -> Res<Item> {
    let text = text.trim();
    let inside = |prefix: &str| text.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(']'));
    let bad = |vm: &mut Vm| {
        vm.argument_error(format!("Unable to create Chef::RunList::RunListItem from String:\"{text}\": must be recipe[recipe_name] or role[role_name]"))
    };
    let (name, is_role) = match (inside("recipe["), inside("role[")) {
        (Some(name), _) => (name, false),
        (_, Some(name)) => (name, true),
        _ => (text, false),
    };
    if name.contains(['[', ']']) || name.is_empty() {
        return Err(bad(vm));
    }
    if is_role {
        return Ok(Item::Role(name.to_string()));
    }
    match name.split_once('@') {
        None => Ok(Item::Recipe(name.to_string(), None)),
        Some((name, version)) => {
            let parts: Vec<&str> = version.split('.').collect();
            let numeric = parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
            if !numeric || !(2..=3).contains(&parts.len()) {
                return Err(bad(vm));
            }
            Ok(Item::Recipe(name.to_string(), Some(version.to_string())))
        }
    }
}

/// Splits a comma-separated run list.
pub fn parse(vm: &mut Vm, text: &str) -> Res<Vec<Item>> {
    text.split(',').filter(|part| !part.trim().is_empty()).map(|part| item(vm, part)).collect()
}
