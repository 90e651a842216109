//! The provider classes for a DSL name, as `Chef.provider_handler_map` has them: those that cookbooks registered, and the shipped ones.

use super::names;
use crate::process::process_mut;
use crate::resource::registry::{Entry, Filters, insert_by_rank, matches, registry_mut};
use crate::run::class;
use rchef_ruby::{ClassId, Res, Symbol, Value, Vm};

/// The provider classes of a name, the preferred one first; those for the node, or all of them without a node.
///
/// # Errors
/// An exception of a filter's block.
pub fn enabled(vm: &mut Vm, node: &Value, name: Symbol) -> Res<Vec<ClassId>> {
    names::load(vm)?;
    let base = class(vm, |classes| classes.provider)?;
    let shipped = process_mut(vm).provider_names;
    let mut all: Vec<Entry> = Vec::new();
    for row in shipped.iter().filter(|row| row.provides.name == name.as_str()) {
        if let Some(class) = names::below(vm, base, row.class) {
            let filters = Filters { overriding: row.overriding, ..Filters::of(&row.provides) };
            all.push(Entry { class, filters });
        }
    }
    for entry in registry_mut(vm).provider_entries(name).into_iter().rev() {
        insert_by_rank(&mut all, entry, |entry| &entry.filters);
    }
    let mut found = Vec::new();
    for entry in all {
        if node.is_nil() || matches(vm, &entry.filters, node)? {
            found.push(entry.class);
        }
    }
    Ok(found)
}
