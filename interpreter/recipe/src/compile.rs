//! Phases 0 to 2: the node, the cookbooks' files, the recipes (SPEC-compile 0.1, 2.2).

use crate::cookbook::{self, runlist};
use crate::events::{emit, loading};
use crate::names::N;
use crate::node::{self, Component};
use crate::run::{chef_error, run_mut};
use crate::{context, recipe};
use rchef_ruby::{Res, Value, Vm};

/// What a compile starts from.
#[derive(Default, Clone)]
pub struct Input {
    /// Directories that hold cookbooks.
    pub cookbook_paths: Vec<String>,
    /// Run list, as given.
    pub run_list: String,
    /// Node name.
    pub node_name: String,
    /// Automatic attributes as JSON text.
    pub ohai: Vec<u8>,
    /// JSON attributes (`-j`) as text.
    pub json: Option<Vec<u8>>,
    /// Environment.
    pub environment: Option<String>,
}

/// A JSON document as Ruby values: Hashes with String keys.
pub fn json_value(vm: &mut Vm, json: &serde_json::Value) -> Res {
    use serde_json::Value as Json;
    Ok(match json {
        Json::Null => Value::Nil,
        Json::Bool(flag) => Value::bool(*flag),
        Json::Number(number) => match number.as_i64() {
            Some(small) => Value::Int(small),
            None => Value::Float(number.as_f64().unwrap_or(0.0)),
        },
        Json::String(text) => Value::str(text),
        Json::Array(items) => {
            let mut list = Vec::with_capacity(items.len());
            for item in items {
                list.push(json_value(vm, item)?);
            }
            Value::array(list)
        }
        Json::Object(map) => {
            let mut pairs = Vec::with_capacity(map.len());
            for (key, value) in map {
                pairs.push((Value::str(key), json_value(vm, value)?));
            }
            vm.new_hash(pairs)?
        }
    })
}

fn parse_json(vm: &mut Vm, bytes: &[u8], what: &str) -> Res<serde_json::Value> {
    serde_json::from_slice(bytes).map_err(|error| vm.runtime_error(format!("{what} is not JSON: {error}")))
}

/// Builds the node, loads the cookbooks and evaluates the recipes of the run list.
pub fn compile(vm: &mut Vm, input: &Input) -> Res<()> {
    let name = if input.node_name.is_empty() { "chef" } else { &input.node_name };
    let node = node::create(vm, name)?;
    run_mut(vm).node = node.clone();
    let root = context::create(vm, &Value::Nil, false, &Value::Nil)?;
    run_mut(vm).root = root.clone();
    vm.ivar_set(&node, N.i_run_context, root.clone());
    let facts = parse_json(vm, &input.ohai, "the Ohai data")?;
    let facts = json_value(vm, &facts)?;
    node::set_component(vm, &node, Component::Automatic, facts)?;
    if let Some(bytes) = &input.json {
        let attributes = parse_json(vm, bytes, "the JSON attributes")?;
        let attributes = json_value(vm, &attributes)?;
        node::merge_into(vm, &node, Component::Normal, attributes)?;
    }
    if let Some(environment) = &input.environment {
        vm.call_name(&node, "chef_environment", &[Value::str(environment)])?;
    }
    vm.call_name(&node, "tags", &[])?;
    cookbook::discover::discover(vm, &input.cookbook_paths)?;
    let mut recipes = Vec::new();
    for item in runlist::parse(vm, &input.run_list)? {
        match item {
            runlist::Item::Recipe(name, _) => {
                if !recipes.contains(&name) {
                    recipes.push(name);
                }
            }
            runlist::Item::Role(name) => {
                let error = chef_error(vm, "MissingRole", format!("The expanded run list includes nonexistent roles: {name}"));
                if let Some(exception) = error.exception().cloned() {
                    emit(vm, |sink, vm| sink.run_list_expand_failed(vm, &input.run_list, &exception));
                }
                return Err(error);
            }
        }
    }
    set_run_list_attributes(vm, &node, &recipes)?;
    cookbook::load::load_all(vm, &recipes)?;
    for name in &recipes {
        let (cookbook, short) = recipe::split_name(vm, name, None)?;
        if let Err(error) = recipe::load(vm, &root, &cookbook, &short) {
            let missing = error.exception().is_some_and(|exception| vm.class_name_of(exception) == "Chef::Exceptions::RecipeNotFound");
            let path = match cookbook::recipe_file(vm, &cookbook, &short) {
                Ok(cookbook::RecipeFile::Ruby(path, _) | cookbook::RecipeFile::Data(path, _)) if !missing => Some(path),
                _ => None,
            };
            return loading(vm, path.as_deref(), Err(error));
        }
    }
    Ok(())
}

fn set_run_list_attributes(vm: &mut Vm, node: &Value, recipes: &[String]) -> Res<()> {
    let automatic = vm.call(node, N.automatic, &[])?;
    let mut both = Vec::new();
    for name in recipes {
        both.push(Value::str(name));
        if !name.contains("::") {
            both.push(Value::str(format!("{name}::default")));
        }
    }
    let full = recipes.iter().map(|name| Value::str(if name.contains("::") { name.clone() } else { format!("{name}::default") })).collect();
    for (key, value) in [("recipes", Value::array(both)), ("expanded_run_list", Value::array(full)), ("roles", Value::array(Vec::new()))] {
        vm.call(&automatic, rchef_ruby::sym::ASET, &[Value::str(key), value])?;
    }
    Ok(())
}
