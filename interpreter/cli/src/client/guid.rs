//! `chef_guid`: a GUID that the machine stores, by which reports identify it whatever its name.

use super::save::PRIVATE;
use crate::input::config::{set, text_setting};
use rchef_host::compose;
use rchef_recipe::process::uuid;
use rchef_ruby::{Value, Vm};
use serde_json::{Map, Value as Json};

/// Gives the node its `chef_guid`: the configuration's, else the contents of `chef_guid_path` (default: a file in `folder`). `facts` are the
/// node's.
pub fn keep(vm: &mut Vm, folder: &str, facts: &mut Map<String, Json>) {
    if text_setting(vm, "chef_guid").is_none() {
        let path = path(vm, folder);
        let known = compose::read_file(&*vm.host.clone(), path.as_bytes()).unwrap_or_default();
        let known = String::from_utf8_lossy(&known).lines().next().unwrap_or_default().trim().to_string();
        if known.is_empty() {
            return;
        }
        set(vm, "chef_guid", Value::str(known));
    }
    add(vm, facts);
}

/// Generates a GUID for a machine without one. A run does this once it journals its temporary files.
pub fn make(vm: &mut Vm, folder: &str, facts: &mut Map<String, Json>) {
    if text_setting(vm, "chef_guid").is_some() {
        return;
    }
    let (path, host) = (path(vm, folder), vm.host.clone());
    let guid = uuid(&*host);
    let above = path.rsplit_once('/').map_or(".", |(above, _)| above);
    let written = compose::create_dir_all(&*host, above.as_bytes(), 0o755)
        .and_then(|_| compose::atomic_write(&*host, path.as_bytes(), guid.as_bytes(), PRIVATE));
    // an id that could not be stored is not used
    if written.is_ok() {
        set(vm, "chef_guid", Value::str(guid));
        add(vm, facts);
    }
}

fn path(vm: &mut Vm, folder: &str) -> String {
    text_setting(vm, "chef_guid_path").unwrap_or_else(|| format!("{folder}/chef_guid"))
}

fn add(vm: &mut Vm, facts: &mut Map<String, Json>) {
    if let Some(guid) = text_setting(vm, "chef_guid") {
        facts.shift_insert(0, "chef_guid".into(), guid.into());
    }
}
