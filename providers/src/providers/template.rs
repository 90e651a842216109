//! `template`.

use super::cookbook_file::cookbook_of;
use super::file;
use super::support::*;
use rchef_host::compose;
use rchef_recipe::erb;
use rchef_recipe::provider::native::{Plan, Provider};
use rchef_recipe::run::run_mut;
use rchef_ruby::{Res, Symbol, Value, Vm};

/// Provider of `template`.
pub(crate) struct Template;

impl Provider for Template {
    fn actions(&self) -> &'static [&'static str] {
        file::ACTIONS
    }
    fn plan(&self, vm: &mut Vm, resource: &Value, action: Symbol) -> Res<Plan> {
        let local = flag(vm, resource, "local")?;
        let names = list(vm, resource, "source")?;
        if local && action.as_str().starts_with("create") {
            let path = names.first().cloned().unwrap_or_default();
            let there = on(vm, |host| Ok(compose::exists(host, path.as_bytes())))?;
            let assume = format!("Template source {path} does not exist. Assuming it would have been created.");
            if !require(
                vm,
                resource,
                action,
                there,
                "FileNotFound",
                &format!("Template source {path} could not be found."),
                &[assume],
            )? {
                return Ok(Vec::new());
            }
        }
        file::plan(vm, resource, action, |vm| render(vm, resource, &names, local).map(Some))
    }
}

/// A value with every lazy one in it evaluated.
fn settled(vm: &mut Vm, resource: &Value, value: Value) -> Res {
    if crate::coerce::is_lazy(vm, &value) {
        let value = crate::coerce::force(vm, resource, value)?;
        return settled(vm, resource, value);
    }
    // other containers are passed as they are: node attributes must stay what they are
    match &value {
        Value::Hash(hash) => {
            let pairs: Vec<(Value, Value)> =
                hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
            if !pairs.iter().any(|(_, item)| crate::coerce::is_lazy(vm, item)) {
                return Ok(value);
            }
            let mut made = Vec::new();
            for (key, item) in pairs {
                made.push((key, settled(vm, resource, item)?));
            }
            vm.new_hash(made)
        }
        _ => Ok(value),
    }
}

fn render(vm: &mut Vm, resource: &Value, names: &[String], local: bool) -> Res<Vec<u8>> {
    let cookbook = cookbook_of(vm, resource)?;
    let path = erb::source_path(vm, &cookbook, names, local)?;
    let source = on(vm, |host| compose::read_file(host, path.as_bytes()))?;
    let node = run_mut(vm).node.clone();
    let (recipe, line) = (get(vm, resource, "recipe_name")?, get(vm, resource, "source_line")?);
    let declared_in = get(vm, resource, "cookbook_name")?;
    let (file, number) = match &line {
        Value::Nil => (Value::Nil, Value::Nil),
        other => {
            let text = vm.to_s_text(other)?;
            let mut parts = text.splitn(3, ':');
            let file = parts.next().map_or(Value::Nil, Value::str);
            (file, parts.next().map_or(Value::Nil, Value::str))
        }
    };
    let name = names.first().map_or(Value::Nil, Value::str);
    let mut pairs: Vec<(Symbol, Value)> = [
        ("node", node),
        ("cookbook_name", declared_in),
        ("recipe_name", recipe),
        ("recipe_line_string", line),
        ("recipe_path", file),
        ("recipe_line", number),
        ("template_name", name),
        ("template_path", Value::str(&path)),
        ("_template_cookbook", Value::str(&cookbook)),
    ]
    .into_iter()
    .map(|(name, value)| (Symbol::intern_static(name), value))
    .collect();
    let variables = get(vm, resource, "variables")?;
    let variables = settled(vm, resource, variables)?;
    if let Value::Hash(hash) = &variables {
        let given: Vec<(Value, Value)> = hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        for (key, value) in given {
            let key = vm.to_name(&key)?;
            let value = settled(vm, resource, value)?;
            pairs.push((key, value));
        }
    }
    let modules = get(vm, resource, "helper_modules")?;
    let modules = vm.to_array(&modules)?;
    let context = erb::context(vm, &pairs, &modules)?;
    erb::render(vm, &source, &context)
}
