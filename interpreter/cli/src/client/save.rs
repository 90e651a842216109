//! Saves the node in the chef-repo.

use rchef_host::compose::{self, Finish};
use rchef_recipe::data::repo;
use rchef_recipe::node::{self, Component};
use rchef_recipe::run::run_mut;
use rchef_ruby::{Res, Vm};
use serde_json::{Map, Value as Json};

/// Mode of files that may contain the node's secrets.
pub const PRIVATE: Finish = Finish { mode: Some(0o600), uid: None, gid: None, sync: false };

/// The node as it is saved, after the allow and block lists (SPEC-compile 2.8): keys in the order of Chef's local mode, without empty levels and
/// the environment `_default`.
pub fn document(vm: &mut Vm) -> Res<Json> {
    let node = run_mut(vm).node.clone();
    let data = vm.call_name(&node, "data_for_save", &[])?;
    let mut full = match rchef_recipe::data::plain_json(vm, &data) {
        Ok(Some(full)) => full,
        // an exceeded limit ends the run
        Err(error) if error.exception().is_none() => return Err(error),
        Ok(None) | Err(_) => {
            let text = vm.call_name(&data, "to_json", &[]);
            match text.and_then(|text| vm.to_s_text(&text)) {
                Ok(text) => serde_json::from_str(&text).unwrap_or_default(),
                Err(_) => lossy(vm)?,
            }
        }
    };
    let name = vm.call_name(&node, "name", &[])?;
    let mut saved = Map::new();
    saved.insert("name".into(), vm.to_s_text(&name)?.into());
    let mut keep = |key: &str, wanted: fn(&Json) -> bool| {
        if let Some(value) = full.get_mut(key).map(Json::take).filter(wanted) {
            saved.insert(key.into(), value);
        }
    };
    keep("chef_environment", |name| name.as_str().is_some_and(|name| name != "_default"));
    for level in ["override", "normal", "default", "automatic"] {
        keep(level, |level| level.as_object().is_some_and(|map| !map.is_empty()));
    }
    keep("run_list", Json::is_array);
    for key in ["policy_name", "policy_group"] {
        keep(key, |value| !value.is_null());
    }
    Ok(Json::Object(saved))
}

/// The node's document if a value cannot be written as JSON; such values are written as in a dump.
fn lossy(vm: &mut Vm) -> Res<Json> {
    let node = run_mut(vm).node.clone();
    let mut full = Map::new();
    for (key, component) in [
        ("normal", Component::Normal),
        ("default", Component::Default),
        ("override", Component::Override),
        ("automatic", Component::Automatic),
    ] {
        let value = node::component(vm, &node, component)?;
        let shown = rchef_recipe::dump::value::encode(vm, &value, true)?;
        full.insert(key.into(), shown.into());
    }
    for key in ["chef_environment", "policy_name", "policy_group"] {
        let value = vm.call_name(&node, key, &[])?;
        full.insert(key.into(), if value.is_nil() { Json::Null } else { vm.to_s_text(&value)?.into() });
    }
    let list = vm.call_name(&node, "primary_runlist", &[])?;
    let mut items = Vec::new();
    for item in vm.to_array(&list)? {
        items.push(Json::from(vm.to_s_text(&item)?));
    }
    full.insert("run_list".into(), items.into());
    Ok(Json::Object(full))
}

/// Writes `nodes/NAME.json`.
pub fn save(vm: &mut Vm, document: &Json) -> Res<()> {
    let name = document["name"].as_str().unwrap_or_default();
    let path = repo::path(vm, &format!("nodes/{name}.json"));
    let folder = path.rsplit_once('/').map_or("nodes", |(folder, _)| folder).to_string();
    let host = vm.host.clone();
    let mut text = serde_json::to_vec_pretty(document).unwrap_or_default();
    text.push(b'\n');
    let written = compose::create_dir_all(&*host, folder.as_bytes(), 0o755)
        .and_then(|_| compose::atomic_write(&*host, path.as_bytes(), &text, PRIVATE));
    written.map_err(|error| vm.host_error(&error))
}
