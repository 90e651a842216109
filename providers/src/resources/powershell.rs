//! Commands of PowerShell that providers of Windows' resources are made of.

use crate::providers::support::get;
use rchef_ruby::{Res, Value, Vm};

/// A command that grows option by option.
pub(super) struct Line(pub String);

impl Line {
    /// A cmdlet with what it is about.
    pub fn new(cmdlet: &str, name: &str) -> Line {
        Line(format!("{cmdlet} -Name '{name}'"))
    }
    /// Adds an option with the value of a property, unless that is nil or false.
    pub fn option(&mut self, vm: &mut Vm, resource: &Value, option: &str, property: &'static str) -> Res<()> {
        let value = get(vm, resource, property)?;
        if value.truthy() {
            let value = quoted(vm, &value)?;
            self.0.push_str(&format!(" -{option} {value}"));
        }
        Ok(())
    }
}

/// A value in quotes; the elements of an Array apart from each other.
pub(super) fn quoted(vm: &mut Vm, value: &Value) -> Res<String> {
    let items = match value {
        Value::Array(_) => vm.to_array(value)?,
        other => vec![other.clone()],
    };
    let mut texts = Vec::new();
    for item in items {
        texts.push(vm.to_s_text(&item)?);
    }
    Ok(format!("'{}'", texts.join("', '")))
}
