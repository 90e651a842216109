//! Ohai's Filesystem: the data of df(1), mount(8), lsblk(8) and blkid(8).

use super::source::{Choice, Facts, entries, put, read, read_word};
use rchef_host::{Host, StatFs};
use serde_json::{Map, Value as Json, json};

/// `filesystem`: by device, by mount point, and by both.
pub(super) fn collect(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    let devices = devices(host);
    let mut pairs: Vec<(String, Facts)> = Vec::new();
    for mount in host.mounts().unwrap_or_default() {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (device, point) = (text(&mount.device), text(&mount.point));
        let key = format!("{device},{point}");
        // a mount over another hides it
        pairs.retain(|(known, _)| *known != key);
        let mut entry = Facts::new();
        entry.insert("device".into(), json!(device));
        if let Some(sizes) = host.statfs(&mount.point).ok().filter(|sizes| sizes.blocks > 0) {
            entry.extend(sizes_of(&sizes));
        }
        entry.insert("mount".into(), json!(point));
        entry.insert("fs_type".into(), json!(text(&mount.kind)));
        entry.insert("mount_options".into(), json!(text(&mount.options).split(',').collect::<Vec<_>>()));
        if let Some(known) = devices.iter().find(|known| known.path == device) {
            put(&mut entry, "uuid", known.uuid.clone());
            put(&mut entry, "label", known.label.clone());
        }
        pairs.push((key, entry));
    }
    for device in &devices {
        let start = format!("{},", device.path);
        if !pairs.iter().any(|(key, _)| key.starts_with(&start)) {
            let mut entry = Facts::new();
            entry.insert("device".into(), json!(device.path));
            put(&mut entry, "uuid", device.uuid.clone());
            put(&mut entry, "label", device.label.clone());
            pairs.push((start, entry));
        }
    }
    let by_device = view(&pairs, "device", "mount", "mounts");
    let by_mount = view(&pairs, "mount", "device", "devices");
    let by_pair: Facts = pairs.into_iter().map(|(key, entry)| (key, Json::Object(entry))).collect();
    facts.insert("filesystem".into(), json!({ "by_device": by_device, "by_mountpoint": by_mount, "by_pair": by_pair }));
}

/// The entries grouped by one of their keys; their values of `other` become a list.
fn view(pairs: &[(String, Facts)], key: &str, other: &str, list: &str) -> Facts {
    let mut view = Facts::new();
    for (_, entry) in pairs {
        let Some(Json::String(name)) = entry.get(key) else { continue };
        let Json::Object(merged) = view.entry(name.clone()).or_insert_with(|| Json::Object(Map::new())) else {
            continue;
        };
        for (field, value) in entry {
            if field != key && field != other {
                merged.insert(field.clone(), value.clone());
            }
        }
        if let Json::Array(names) = merged.entry(list).or_insert_with(|| json!([])) {
            names.extend(entry.get(other).cloned());
        }
    }
    view
}

/// Sizes as df prints them: in kilobytes, and the percentage used of the space for ordinary users, rounded up.
fn sizes_of(sizes: &StatFs) -> Facts {
    let kilobytes = |blocks: u64| (u128::from(blocks) * u128::from(sizes.block_size) / 1024).to_string();
    let used = sizes.blocks - sizes.free;
    let percent = |used: u64, of: u64| {
        if of == 0 { None } else { Some(format!("{}%", (u128::from(used) * 100).div_ceil(u128::from(of)))) }
    };
    let mut facts = Facts::new();
    facts.insert("kb_size".into(), json!(kilobytes(sizes.blocks)));
    facts.insert("kb_used".into(), json!(kilobytes(used)));
    facts.insert("kb_available".into(), json!(kilobytes(sizes.available)));
    put(&mut facts, "percent_used", percent(used, used + sizes.available));
    if sizes.inodes > 0 {
        let used = sizes.inodes - sizes.inodes_free;
        facts.insert("total_inodes".into(), json!(sizes.inodes.to_string()));
        facts.insert("inodes_used".into(), json!(used.to_string()));
        facts.insert("inodes_available".into(), json!(sizes.inodes_free.to_string()));
        put(&mut facts, "inodes_percent_used", percent(used, sizes.inodes));
    }
    facts
}

struct Device {
    path: String,
    uuid: Option<String>,
    label: Option<String>,
}

/// Block devices and their partitions; UUIDs and labels come from udev's links under /dev/disk.
fn devices(host: &dyn Host) -> Vec<Device> {
    let mut found = Vec::new();
    let (uuids, labels) = (links(host, "/dev/disk/by-uuid"), links(host, "/dev/disk/by-label"));
    let of =
        |known: &[(String, String)], name: &str| known.iter().find(|(to, _)| to == name).map(|(_, from)| from.clone());
    for disk in entries(host, "/sys/block") {
        // a loop device without a file, or an empty drive
        if read_word(host, &format!("/sys/block/{disk}/size")).is_none_or(|size| size == "0") {
            continue;
        }
        let parts = entries(host, &format!("/sys/block/{disk}"));
        let parts = parts.into_iter().filter(|part| part.starts_with(&disk));
        for name in std::iter::once(disk.clone()).chain(parts) {
            // a device-mapper volume is known by its name under /dev/mapper
            let mapped = read(host, &format!("/sys/block/{name}/dm/name")).map(|name| format!("/dev/mapper/{name}"));
            found.push(Device {
                path: mapped.unwrap_or_else(|| format!("/dev/{name}")),
                uuid: of(&uuids, &name),
                label: of(&labels, &name),
            });
        }
    }
    found
}

/// The symbolic links in a folder: the last component of each target, and the link's name.
fn links(host: &dyn Host, folder: &str) -> Vec<(String, String)> {
    let target = |name: String| {
        let to = host.readlink(format!("{folder}/{name}").as_bytes()).ok()?;
        Some((String::from_utf8_lossy(rchef_host::files::basename(&to)).into_owned(), name))
    };
    entries(host, folder).into_iter().filter_map(target).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_dfs() {
        let sizes = StatFs {
            block_size: 4096,
            blocks: 1000,
            free: 400,
            available: 300,
            inodes: 100,
            inodes_free: 99,
            name_max: 255,
        };
        let facts = Json::Object(sizes_of(&sizes));
        let expected = json!({
            "kb_size": "4000", "kb_used": "2400", "kb_available": "1200", "percent_used": "67%",
            "total_inodes": "100", "inodes_used": "1", "inodes_available": "99", "inodes_percent_used": "1%",
        });
        assert_eq!(facts, expected);
    }

    #[test]
    fn a_device_mounted_twice_lists_both() {
        let entry = |point: &str| match json!({ "device": "/dev/sda1", "mount": point, "fs_type": "ext4" }) {
            Json::Object(map) => (format!("/dev/sda1,{point}"), map),
            _ => Default::default(),
        };
        let pairs = [entry("/"), entry("/srv")];
        let device = json!({ "/dev/sda1": { "fs_type": "ext4", "mounts": ["/", "/srv"] } });
        assert_eq!(Json::Object(view(&pairs, "device", "mount", "mounts")), device);
        let mounts = json!({ "/": { "fs_type": "ext4", "devices": ["/dev/sda1"] }, "/srv": { "fs_type": "ext4", "devices": ["/dev/sda1"] } });
        assert_eq!(Json::Object(view(&pairs, "mount", "device", "devices")), mounts);
    }
}
