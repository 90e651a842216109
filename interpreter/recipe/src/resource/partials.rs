//! The property tables of `use 'core::…'`.

use super::class;
use super::def::{PropertyDef, Type, prop};
use super::property;
use rchef_ruby::{ClassId, Res, Vm};

static SECURABLE: &[PropertyDef] = &[
    prop("owner", &[Type::Str, Type::Int]).doc("Who owns it: name or number."),
    prop("group", &[Type::Str, Type::Int]).doc("Its group: name or number."),
    prop("mode", &[Type::Str, Type::Int]).doc("Permission bits."),
];

/// Adds the properties of a shipped partial to a class.
pub fn apply(vm: &mut Vm, id: ClassId, name: &str) -> Res<()> {
    let table = match name.trim_start_matches('_') {
        "securable" | "mixin/securable" => SECURABLE,
        other => return Err(vm.runtime_error(format!("rchef has no partial core::{other}"))),
    };
    for def in table {
        let made = property::from_def(def, id);
        class::add_property(vm, id, made)?;
    }
    Ok(())
}
