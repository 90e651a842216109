//! Descriptions of actions: `action :name, description: "…"` and `action_description` (chef: lib/chef/provider.rb).

use super::class;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, def, opt};

const SLOT: &str = "@action_descriptions";

/// `action_description(action, text = nil)` of `Chef::Provider`, and of resource classes, which forward to their action classes.
pub static METHODS: &[MethodDef] =
    &[opt("action_description", action_description, 1, 2), def("action_descriptions", action_descriptions, 0)];

fn class_of(vm: &mut Vm, this: &Value) -> ClassId {
    match this {
        Value::Class(id) => class::action_class_of(vm, *id).unwrap_or(*id),
        _ => ClassId::OBJECT,
    }
}
/// Stores the `description:` of an action's declaration.
pub fn note(vm: &mut Vm, id: ClassId, action: Symbol, args: &Args<'_>) -> Res<()> {
    let Some(options) = args.split().1 else { return Ok(()) };
    let Some(text) = vm.hash_get_sym(options, Symbol::intern_static("description")) else { return Ok(()) };
    let table = own(vm, id)?;
    if let Value::Hash(table) = &table {
        vm.hash_set(table, Value::Sym(action), text)?;
    }
    Ok(())
}
fn own(vm: &mut Vm, id: ClassId) -> Res {
    let (holder, slot) = (Value::Class(id), Symbol::intern_static(SLOT));
    if let Some(found) = vm.ivar_get(&holder, slot) {
        return Ok(found);
    }
    let made = vm.new_hash(Vec::new())?;
    vm.ivar_set(&holder, slot, made.clone());
    Ok(made)
}
fn action_description(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (id, action) = (class_of(vm, this), vm.to_name(args.at(0))?);
    if let Some(text) = args.get(1).filter(|text| !text.is_nil()).cloned() {
        if let Value::Hash(table) = &own(vm, id)? {
            vm.hash_set(table, Value::Sym(action), text.clone())?;
        }
        return Ok(text);
    }
    let mut at = Some(id);
    while let Some(id) = at {
        if let Some(Value::Hash(table)) = vm.ivar_get(&Value::Class(id), Symbol::intern_static(SLOT))
            && let Some(found) = vm.hash_get_sym(&table, action)
        {
            return Ok(found);
        }
        at = vm.class(id).superclass;
    }
    Ok(Value::Nil)
}
fn action_descriptions(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let id = class_of(vm, this);
    own(vm, id)
}
