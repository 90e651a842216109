//! `chef_guid`: a number that the machine keeps, by which reports know it whatever its name.

use super::save::PRIVATE;
use crate::input::config::{set, text_setting};
use rchef_host::{Host, compose};
use rchef_ruby::{Value, Vm};
use serde_json::{Map, Value as Json};

/// Gives the node its `chef_guid`: the configuration's, else what the file `chef_guid_path` (below `folder` by default) has, which is made when
/// it is not there and `writes` allows it. `facts` are the node's.
pub fn keep(vm: &mut Vm, folder: &str, writes: bool, facts: &mut Map<String, Json>) {
    if text_setting(vm, "chef_guid").is_none() {
        find(vm, folder, writes);
    }
    let Some(guid) = text_setting(vm, "chef_guid") else { return };
    facts.shift_insert(0, "chef_guid".into(), guid.into());
}

fn find(vm: &mut Vm, folder: &str, writes: bool) {
    let path = text_setting(vm, "chef_guid_path").unwrap_or_else(|| format!("{folder}/chef_guid"));
    let host = vm.host.clone();
    let known = compose::read_file(&*host, path.as_bytes()).ok();
    let known =
        known.map(|bytes| String::from_utf8_lossy(&bytes).lines().next().unwrap_or_default().trim().to_string());
    let guid = match known.filter(|guid| !guid.is_empty()) {
        Some(guid) => guid,
        None if writes => {
            let guid = uuid(&*host);
            let above = path.rsplit_once('/').map_or(".", |(above, _)| above);
            let written = compose::create_dir_all(&*host, above.as_bytes(), 0o755)
                .and_then(|_| compose::atomic_write(&*host, path.as_bytes(), guid.as_bytes(), PRIVATE));
            // a number that is not kept says nothing
            if written.is_err() {
                return;
            }
            guid
        }
        None => return,
    };
    set(vm, "chef_guid", Value::str(guid));
}

/// A random UUID.
pub fn uuid(host: &dyn Host) -> String {
    let mut bytes = [0; 16];
    let _ = host.fill(&mut bytes);
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}
