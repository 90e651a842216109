//! Ohai's DMI: the firmware's description of the machine, from /sys/class/dmi/id.

use super::source::{Choice, Facts, exists, put, read_word};
use rchef_host::Host;
use serde_json::{Value as Json, json};

/// The groups of dmidecode(8) and the files of their fields. Only root can read serial numbers and the UUID.
const GROUPS: &[(&str, &[(&str, &str)])] = &[
    ("bios", &[("vendor", "bios_vendor"), ("version", "bios_version"), ("release_date", "bios_date")]),
    (
        "system",
        &[
            ("manufacturer", "sys_vendor"),
            ("product_name", "product_name"),
            ("version", "product_version"),
            ("serial_number", "product_serial"),
            ("uuid", "product_uuid"),
            ("sku_number", "product_sku"),
            ("family", "product_family"),
        ],
    ),
    (
        "base_board",
        &[
            ("manufacturer", "board_vendor"),
            ("product_name", "board_name"),
            ("version", "board_version"),
            ("serial_number", "board_serial"),
            ("asset_tag", "board_asset_tag"),
        ],
    ),
    (
        "chassis",
        &[
            ("manufacturer", "chassis_vendor"),
            ("type", "chassis_type"),
            ("version", "chassis_version"),
            ("serial_number", "chassis_serial"),
            ("asset_tag", "chassis_asset_tag"),
        ],
    ),
];

/// Chassis types by their number in the SMBIOS specification.
const CHASSIS: [&str; 36] = [
    "Other",
    "Unknown",
    "Desktop",
    "Low Profile Desktop",
    "Pizza Box",
    "Mini Tower",
    "Tower",
    "Portable",
    "Laptop",
    "Notebook",
    "Hand Held",
    "Docking Station",
    "All In One",
    "Sub Notebook",
    "Space-saving",
    "Lunch Box",
    "Main Server Chassis",
    "Expansion Chassis",
    "Sub Chassis",
    "Bus Expansion Chassis",
    "Peripheral Chassis",
    "RAID Chassis",
    "Rack Mount Chassis",
    "Sealed-case PC",
    "Multi-system",
    "CompactPCI",
    "AdvancedTCA",
    "Blade",
    "Blade Enclosing",
    "Tablet",
    "Convertible",
    "Detachable",
    "IoT Gateway",
    "Embedded PC",
    "Mini PC",
    "Stick PC",
];

/// `dmi`: empty without a firmware table, as in most containers.
pub(super) fn collect(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    let mut dmi = Facts::new();
    if exists(host, "/sys/class/dmi/id") {
        for (group, fields) in GROUPS {
            let mut found = Facts::new();
            for (key, file) in *fields {
                let text = read_word(host, &format!("/sys/class/dmi/id/{file}")).filter(|text| !text.is_empty());
                let text = if *key == "type" { text.and_then(|text| chassis(&text)) } else { text };
                put(&mut found, key, text);
            }
            if !found.is_empty() {
                dmi.insert((*group).into(), Json::Object(found));
            }
        }
    }
    facts.insert("dmi".into(), json!(dmi));
}

fn chassis(number: &str) -> Option<String> {
    let at = number.parse::<usize>().ok()?.checked_sub(1)?;
    CHASSIS.get(at).map(|name| (*name).to_string())
}
