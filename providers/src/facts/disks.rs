//! Ohai's BlockDevice.

use super::source::{Choice, Facts, entries, exists, put, read_word};
use rchef_host::Host;
use serde_json::Value as Json;

/// `block_device`: the attributes of each device in /sys/block.
pub(super) fn collect(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    let mut devices = Facts::new();
    for name in entries(host, "/sys/block") {
        let mut device = Facts::new();
        for (folder, keys) in [
            ("", &["size", "removable"][..]),
            ("device/", &["model", "rev", "state", "timeout", "vendor", "queue_depth", "firmware_rev"]),
            ("queue/", &["rotational", "physical_block_size", "logical_block_size"]),
        ] {
            // a purely virtual device (loop, RAM disk) has no `device` directory
            if folder == "device/" && !exists(host, &format!("/sys/block/{name}/device")) {
                continue;
            }
            for key in keys {
                put(&mut device, key, read_word(host, &format!("/sys/block/{name}/{folder}{key}")));
            }
        }
        devices.insert(name, Json::Object(device));
    }
    if !devices.is_empty() {
        facts.insert("block_device".into(), Json::Object(devices));
    }
}
