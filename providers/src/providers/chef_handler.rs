//! `chef_handler`: what it enables is in `Chef::Config`'s lists, where the end of the run finds it.

use super::support::*;
use rchef_recipe::chef_api::{config, log_line};
use rchef_recipe::provider::native::{Plan, Provider};
use rchef_ruby::{ClassId, Res, Symbol, Value, Vm, sym};

/// Provider of `chef_handler`. Nothing that it does counts as a change.
pub(crate) struct ChefHandler;

/// The kinds that the property `type` names, with whether each is wanted.
fn kinds(vm: &mut Vm, resource: &Value) -> Res<Vec<(String, bool)>> {
    let Value::Hash(table) = get(vm, resource, "type")? else { return Ok(Vec::new()) };
    let pairs: Vec<(Value, Value)> = table.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    pairs.into_iter().map(|(key, wanted)| Ok((vm.to_s_text(&key)?, wanted.truthy()))).collect()
}

fn list(vm: &mut Vm, kind: &str) -> Res {
    let config = config(vm)?;
    let key = Value::sym(&format!("{kind}_handlers"));
    let found = vm.call(&config, sym::AREF, std::slice::from_ref(&key))?;
    if !found.is_nil() {
        return Ok(found);
    }
    vm.call(&config, sym::ASET, &[key, Value::array(Vec::new())])
}

/// Takes the handlers of a class off a list.
fn unregister(vm: &mut Vm, kind: &str, class: &str) -> Res<()> {
    let list = list(vm, kind)?;
    for handler in vm.to_array(&list)? {
        if vm.class_name_of(&handler) == class {
            log_line(vm, "info", format!("Disabling {class} as a {kind} handler."));
            vm.call(&list, sym::DELETE, &[handler])?;
        }
    }
    Ok(())
}

fn enable(vm: &mut Vm, resource: &Value) -> Res<()> {
    let (class, kinds) = (text(vm, resource, "class_name")?, kinds(vm, resource)?);
    for (kind, _) in kinds.iter().filter(|(_, wanted)| *wanted) {
        unregister(vm, kind, &class)?;
    }
    let source = get(vm, resource, "source")?;
    if !source.is_nil() {
        let main = vm.main.clone();
        vm.call_name(&main, "require", &[source])?;
    }
    let found = vm.call_name(&Value::Class(ClassId::OBJECT), "const_get", &[Value::str(&class)])?;
    let arguments = match get(vm, resource, "arguments")? {
        Value::Array(items) => items.get(vm).items.clone(),
        other => vec![other],
    };
    let handler = vm.call(&found, sym::NEW, &arguments)?;
    for (kind, _) in kinds.iter().filter(|(_, wanted)| *wanted) {
        log_line(vm, "info", format!("Enabling {class} as a {kind} handler."));
        let list = list(vm, kind)?;
        vm.call(&list, sym::LSHIFT, std::slice::from_ref(&handler))?;
    }
    Ok(())
}

impl Provider for ChefHandler {
    fn actions(&self) -> &'static [&'static str] {
        &["enable", "disable"]
    }
    fn plan(&self, vm: &mut Vm, resource: &Value, action: Symbol) -> Res<Plan> {
        if action.as_str() == "enable" {
            enable(vm, resource)?;
        } else {
            let class = text(vm, resource, "class_name")?;
            for (kind, _) in kinds(vm, resource)? {
                unregister(vm, &kind, &class)?;
            }
        }
        Ok(Vec::new())
    }
}
