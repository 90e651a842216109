//! `Chef::Provider`: base class, action classes of custom resources, choice of the provider, the runner.

pub(crate) mod acting;
pub mod class;
pub mod command;
pub mod composite;
pub mod contract;
mod expansion;
pub mod failure;
pub mod handlers;
pub mod names;
pub mod native;
pub mod preflight;
pub mod runner;
pub(crate) mod runner_class;
pub mod simulation;
pub mod state;

use crate::resource::class as resource_class;
use crate::resource::instance;
use crate::resource::state::{Slot, read};
use crate::run::{chef_error, run_mut};
use rchef_ruby::{Res, Symbol, Value, Vm, sym};

/// The names to find providers by: the resource's own, then those of its class and its ancestors.
fn names_of(vm: &mut Vm, resource: &Value) -> Res<Vec<Symbol>> {
    let id = vm.real_class_of(resource);
    let name = instance::name_of_type(vm, resource)?;
    let mut names = Vec::new();
    if let Value::Sym(name) = name {
        names.push(name);
    }
    for ancestor in resource_class::lineage(vm, id) {
        if let Some(name) = resource_class::resource_name(vm, ancestor)
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    Ok(names)
}

/// Whether a class registered with `provides` may be the resource's provider.
pub fn has_mapped(vm: &mut Vm, resource: &Value) -> Res<bool> {
    let id = vm.real_class_of(resource);
    if native::is_custom(vm, id) {
        return Ok(false);
    }
    Ok(names_of(vm, resource)?.into_iter().any(|name| crate::resource::registry::registry_mut(vm).has_provider(name)))
}

/// The provider class for a resource's action (SPEC-compile 1.8): the explicit one, else the resource's action class, else the one that provides
/// the name.
pub fn class_for(vm: &mut Vm, resource: &Value, action: Symbol) -> Res {
    let explicit = read(vm, resource, Slot::Provider);
    if matches!(explicit, Value::Class(_)) {
        return Ok(explicit);
    }
    let id = vm.real_class_of(resource);
    if let Some(found) = resource_class::action_class_of(vm, id) {
        return Ok(Value::Class(found));
    }
    if native::is_custom(vm, id) {
        return native::class_for(vm, resource);
    }
    let names = names_of(vm, resource)?;
    let node = run_mut(vm).node.clone();
    for name in names {
        for entry in crate::resource::registry::registry_mut(vm).provider_entries(name) {
            if crate::resource::registry::matches(vm, &entry.filters, &node)? {
                let class = Value::Class(entry.class);
                let supports = Symbol::intern_static("supports?");
                if vm.respond_to(&class, supports, true)?
                    && !vm.call(&class, supports, &[resource.clone(), Value::Sym(action)])?.truthy()
                {
                    continue;
                }
                return Ok(class);
            }
        }
    }
    if resource_class::lineage(vm, id).into_iter().any(|ancestor| resource_class::is_shipped(vm, ancestor)) {
        return native::class_for(vm, resource);
    }
    let shown = vm.to_s_text(resource)?;
    let mut facts = Vec::new();
    for key in ["platform", "platform_version"] {
        let value = if node.is_nil() { Value::Nil } else { vm.call(&node, sym::AREF, &[Value::str(key)])? };
        facts.push(vm.to_s_text(&value)?);
    }
    Err(chef_error(
        vm,
        "ProviderNotFound",
        format!("Cannot find a provider for {shown} on {} version {}", facts[0], facts[1]),
    ))
}

/// The provider that a resource's `provider_for_action` gives, which its class may replace.
pub(crate) fn asked_for_action(vm: &mut Vm, resource: &Value, action: Symbol) -> Res {
    vm.call(resource, Symbol::intern_static("provider_for_action"), &[Value::Sym(action)])
}

/// A provider for a resource's action.
pub fn for_action(vm: &mut Vm, resource: &Value, action: Symbol) -> Res {
    let class = class_for(vm, resource, action)?;
    let context = instance::context_of(vm, resource)?;
    let provider = vm.call(&class, sym::NEW, &[resource.clone(), context])?;
    state::write(vm, &provider, state::Slot::Action, Value::Sym(action));
    Ok(provider)
}
