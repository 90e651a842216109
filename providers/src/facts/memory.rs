//! Ohai's Memory.

use super::source::{Choice, Facts, read};
use rchef_host::Host;
use serde_json::{Value as Json, json};

/// The fields of /proc/meminfo and their attributes.
const NAMES: &[(&str, &str)] = &[
    ("MemTotal", "total"),
    ("MemFree", "free"),
    ("MemAvailable", "available"),
    ("Buffers", "buffers"),
    ("Cached", "cached"),
    ("Active", "active"),
    ("Inactive", "inactive"),
    ("HighTotal", "high_total"),
    ("HighFree", "high_free"),
    ("LowTotal", "low_total"),
    ("LowFree", "low_free"),
    ("Dirty", "dirty"),
    ("Writeback", "writeback"),
    ("AnonPages", "anon_pages"),
    ("Mapped", "mapped"),
    ("Slab", "slab"),
    ("SReclaimable", "slab_reclaimable"),
    ("SUnreclaim", "slab_unreclaim"),
    ("PageTables", "page_tables"),
    ("NFS_Unstable", "nfs_unstable"),
    ("Bounce", "bounce"),
    ("CommitLimit", "commit_limit"),
    ("Committed_AS", "committed_as"),
    ("VmallocTotal", "vmalloc_total"),
    ("VmallocUsed", "vmalloc_used"),
    ("VmallocChunk", "vmalloc_chunk"),
    ("Hugepagesize", "hugepage_size"),
    ("Hugetlb", "hugetlb"),
];
const SWAP: &[(&str, &str)] = &[("SwapCached", "cached"), ("SwapTotal", "total"), ("SwapFree", "free")];
/// Page counts, which have no unit.
const HUGE: &[(&str, &str)] = &[
    ("HugePages_Total", "total"),
    ("HugePages_Free", "free"),
    ("HugePages_Rsvd", "reserved"),
    ("HugePages_Surp", "surplus"),
];

/// `memory`: sizes as Strings such as `1024kB`.
pub(super) fn collect(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    let Some(text) = read(host, "/proc/meminfo") else { return };
    facts.insert("memory".into(), Json::Object(parse(&text)));
}

fn parse(text: &str) -> Facts {
    let (mut memory, mut swap, mut huge, mut direct) = (Facts::new(), Facts::new(), Facts::new(), Facts::new());
    for line in text.lines() {
        let Some((name, value)) = line.split_once(':') else { continue };
        let size: String = value.split_whitespace().collect();
        let known = |names: &[(&str, &'static str)]| {
            names.iter().find(|(label, _)| *label == name).map(|(_, key)| (*key).to_string())
        };
        if let Some(key) = known(NAMES) {
            memory.insert(key, json!(size));
        } else if let Some(key) = known(SWAP) {
            swap.insert(key, json!(size));
        } else if let Some(key) = known(HUGE) {
            huge.insert(key, json!(size));
        } else if let Some(page) = name.strip_prefix("DirectMap") {
            direct.insert(page.into(), json!(size));
        }
    }
    for (key, part) in [("swap", swap), ("hugepages", huge), ("directmap", direct)] {
        memory.insert(key.into(), Json::Object(part));
    }
    memory
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_keep_their_unit() {
        let memory = parse(
            "MemTotal:       24684084 kB\nSwapTotal:             0 kB\nHugePages_Rsvd:        3\nDirectMap4k:       30720 kB\nZswap: 1 kB\n",
        );
        assert_eq!(
            Json::Object(memory),
            json!({ "total": "24684084kB", "swap": { "total": "0kB" }, "hugepages": { "reserved": "3" }, "directmap": { "4k": "30720kB" } })
        );
    }
}
