//! `chef_handler`: adds handlers to the lists in `Chef::Config`, which are run at the end of the run.

use super::support::*;
use rchef_change::{Change, EngineStep};
use rchef_host::Host;
use rchef_recipe::chef_class::{config, log_line};
use rchef_ruby::{ClassId, Res, Value, Vm, sym};

/// `chef_handler` never counts as updated.
pub(crate) struct ChefHandler;

fn list(vm: &mut Vm, kind: &str) -> Res {
    let config = config(vm)?;
    let key = Value::sym(&format!("{kind}_handlers"));
    let found = vm.call(&config, sym::AREF, std::slice::from_ref(&key))?;
    if !found.is_nil() {
        return Ok(found);
    }
    vm.call(&config, sym::ASET, &[key, Value::array(Vec::new())])
}

/// Removes the handlers of a class from a list.
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

fn enable(vm: &mut Vm, resource: &Value, class: &str, lists: &[String]) -> Res<()> {
    for kind in lists {
        unregister(vm, kind, class)?;
    }
    let source = get(vm, resource, "source")?;
    if !source.is_nil() {
        let main = vm.main.clone();
        vm.call_name(&main, "require", &[source])?;
    }
    let found = vm.call_name(&Value::Class(ClassId::OBJECT), "const_get", &[Value::str(class)])?;
    let arguments = match get(vm, resource, "arguments")? {
        Value::Array(items) => items.get(vm).items.clone(),
        other => vec![other],
    };
    let handler = vm.call(&found, sym::NEW, &arguments)?;
    for kind in lists {
        log_line(vm, "info", format!("Enabling {class} as a {kind} handler."));
        let list = list(vm, kind)?;
        vm.call(&list, sym::LSHIFT, std::slice::from_ref(&handler))?;
    }
    Ok(())
}

impl Provider for ChefHandler {
    type Desired = EngineStep;
    type Current = ();
    const ACTIONS: &'static [&'static str] = &["enable", "disable"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<EngineStep> {
        let enable = action == "enable";
        let mut lists = Vec::new();
        // the handler is removed from every list in `type`, then added to those whose value is true
        for (kind, wanted) in pairs(vm, resource, "type")? {
            if wanted.truthy() || !enable {
                lists.push(vm.to_s_text(&kind)?);
            }
        }
        Ok(EngineStep::Handler { class: text(vm, resource, "class_name")?, lists, enable })
    }
    fn load(_: &EngineStep, _: &dyn Host) -> Looked<()> {
        Ok(())
    }
    fn plan(desired: &EngineStep, (): &(), _: &dyn Host) -> Looked<Vec<Change>> {
        Ok(vec![Change::Engine(desired.clone())])
    }
    fn carry_out(vm: &mut Vm, resource: &Value, step: &EngineStep) -> Res<()> {
        let EngineStep::Handler { class, lists, enable: on } = step else { return Ok(()) };
        if *on {
            return enable(vm, resource, class, lists);
        }
        for kind in lists {
            unregister(vm, kind, class)?;
        }
        Ok(())
    }
}
