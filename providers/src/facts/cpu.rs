//! Ohai's Cpu: the data of lscpu(1), read from lscpu's own sources.

use super::source::{Choice, Facts, entries, put, read, read_word};
use rchef_host::Host;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

const CPUS: &str = "/sys/devices/system/cpu";

/// `cpu`: each processor, and the totals.
pub(super) fn collect(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    let blocks = cpuinfo(&read(host, "/proc/cpuinfo").unwrap_or_default());
    let Some(first) = blocks.first() else { return };
    let field = |key: &str| first.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone());
    let topology: Vec<Place> = blocks.iter().enumerate().map(|(at, block)| Place::of(host, at, block)).collect();
    let sockets: BTreeSet<_> = topology.iter().map(|place| &place.socket).collect();
    let cores: BTreeSet<_> = topology.iter().map(|place| (&place.socket, &place.core)).collect();
    let (total, real, all_cores) = (blocks.len(), sockets.len(), cores.len());
    let per_socket = all_cores / real.max(1);
    let mut flags: Vec<String> =
        field("flags").or(field("Features")).unwrap_or_default().split_whitespace().map(str::to_string).collect();
    flags.sort_unstable();
    let mut cpu = Facts::new();
    if let Ok(names) = host.uname() {
        let modes = if names.machine == "x86_64" { vec!["32-bit", "64-bit"] } else { Vec::new() };
        cpu.insert("architecture".into(), json!(names.machine));
        if !modes.is_empty() {
            cpu.insert("cpu_opmodes".into(), json!(modes));
        }
    }
    let order = if cfg!(target_endian = "little") { "little endian" } else { "big endian" };
    cpu.insert("byte_order".into(), json!(order));
    put(&mut cpu, "address_sizes", field("address sizes").map(|text| json!(text.split(", ").collect::<Vec<_>>())));
    cpu.insert("cpus".into(), json!(total));
    cpu.insert("cpus_online".into(), json!(online(host, total)));
    cpu.insert("threads_per_core".into(), json!(total / all_cores.max(1)));
    cpu.insert("cores_per_socket".into(), json!(per_socket));
    cpu.insert("sockets".into(), json!(real));
    let common = common(&field);
    cpu.extend(common.clone());
    put(&mut cpu, "virtualization", virtualization(&flags));
    if flags.iter().any(|flag| flag == "hypervisor") {
        cpu.insert("virtualization_type".into(), json!("full"));
        put(&mut cpu, "hypervisor_vendor", hypervisor(host));
    }
    for (key, value) in caches(host) {
        cpu.insert(key, json!(value));
    }
    let (nodes, node_cpus) = numa(host);
    if nodes > 0 {
        cpu.insert("numa_nodes".into(), json!(nodes));
    }
    cpu.insert("numa_node_cpus".into(), Json::Object(node_cpus));
    cpu.insert("vulnerability".into(), Json::Object(vulnerabilities(host)));
    cpu.insert("flags".into(), json!(flags));
    for (at, (block, place)) in blocks.iter().zip(&topology).enumerate() {
        let mut one = common.clone();
        let size = block.iter().find(|(key, _)| key == "cache size").map(|(_, size)| size.clone());
        put(&mut one, "cache_size", size);
        one.insert("physical_id".into(), json!(place.socket));
        one.insert("core_id".into(), json!(place.core));
        one.insert("cores".into(), json!(per_socket.to_string()));
        one.insert("flags".into(), json!(flags));
        cpu.insert(at.to_string(), Json::Object(one));
    }
    cpu.insert("total".into(), json!(total));
    cpu.insert("real".into(), json!(real));
    cpu.insert("cores".into(), json!(all_cores));
    facts.insert("cpu".into(), Json::Object(cpu));
}

type Block = Vec<(String, String)>;

/// The processors of /proc/cpuinfo, each as its fields.
fn cpuinfo(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    for part in text.split("\n\n") {
        let fields: Block = (part.lines())
            .filter_map(|line| line.split_once(':'))
            .map(|(key, value)| (key.trim().to_string(), value.trim().to_string()))
            .collect();
        if fields.iter().any(|(key, _)| key == "processor") {
            blocks.push(fields);
        }
    }
    blocks
}

/// The position of a processor in the machine.
struct Place {
    socket: String,
    core: String,
}

impl Place {
    fn of(host: &dyn Host, at: usize, block: &Block) -> Self {
        let field = |key: &str| block.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone());
        let topology = |key: &str| read_word(host, &format!("{CPUS}/cpu{at}/topology/{key}"));
        Self {
            socket: field("physical id").or_else(|| topology("physical_package_id")).unwrap_or_else(|| "0".into()),
            core: field("core id").or_else(|| topology("core_id")).unwrap_or_else(|| at.to_string()),
        }
    }
}

/// The attributes that all processors have in common.
fn common(field: &impl Fn(&str) -> Option<String>) -> Facts {
    let mut facts = Facts::new();
    for (key, label) in [
        ("vendor_id", "vendor_id"),
        ("family", "cpu family"),
        ("model", "model"),
        ("model_name", "model name"),
        ("stepping", "stepping"),
        ("mhz", "cpu MHz"),
    ] {
        put(&mut facts, key, field(label));
    }
    let speed = field("bogomips").or(field("BogoMIPS"));
    put(&mut facts, "bogomips", speed);
    facts
}

/// The processor's extension for virtualization, by its vendor's name.
fn virtualization(flags: &[String]) -> Option<&'static str> {
    let has = |name: &str| flags.iter().any(|flag| flag == name);
    if has("vmx") {
        Some("VT-x")
    } else if has("svm") {
        Some("AMD-V")
    } else {
        None
    }
}

/// The vendor of the hypervisor that this machine runs on, from the CPUID signature.
fn hypervisor(host: &dyn Host) -> Option<&'static str> {
    let name = match host.hypervisor_signature()?.as_slice() {
        b"KVMKVMKVM\0\0\0" => "KVM",
        b"Microsoft Hv" => "Microsoft",
        b"VMwareVMware" => "VMware",
        b"XenVMMXenVMM" => "Xen",
        b"prl hyperv  " => "Parallels",
        b"bhyve bhyve " => "bhyve",
        b"TCGTCGTCGTCG" => "QEMU",
        b"ACRNACRNACRN" => "ACRN",
        _ => return None,
    };
    Some(name)
}

/// The processors that a list such as `0-3,8` names.
fn count(list: &str) -> Vec<u32> {
    let part = |part: &str| -> Vec<u32> {
        match part.split_once('-') {
            Some((from, to)) => match (from.parse(), to.parse()) {
                (Ok(from), Ok(to)) => (from..=to).collect(),
                _ => Vec::new(),
            },
            None => part.parse().into_iter().collect(),
        }
    };
    list.split(',').flat_map(part).collect()
}

fn online(host: &dyn Host, total: usize) -> usize {
    read_word(host, &format!("{CPUS}/online")).map_or(total, |list| count(&list).len())
}

/// The caches by level and type, each with its total size over the machine as lscpu prints it.
fn caches(host: &dyn Host) -> Vec<(String, String)> {
    let mut found: Vec<(String, u64)> = Vec::new();
    let mut seen = BTreeSet::new();
    for cpu in entries(host, CPUS) {
        if !cpu.strip_prefix("cpu").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()) && !rest.is_empty()) {
            continue;
        }
        let listed = entries(host, &format!("{CPUS}/{cpu}/cache"));
        for index in listed.iter().filter(|name| name.starts_with("index")) {
            let of = |key: &str| read_word(host, &format!("{CPUS}/{cpu}/cache/{index}/{key}"));
            let (Some(level), Some(kind), Some(size)) = (of("level"), of("type"), of("size")) else { continue };
            let kind = match kind.as_str() {
                "Data" => "d",
                "Instruction" => "i",
                _ => "",
            };
            let key = format!("l{level}{kind}_cache");
            if !seen.insert((key.clone(), of("shared_cpu_map").unwrap_or_default())) {
                continue;
            }
            let kilobytes: u64 = size.trim_end_matches('K').parse().unwrap_or(0);
            match found.iter_mut().find(|(known, _)| *known == key) {
                Some((_, sum)) => *sum += kilobytes,
                None => found.push((key, kilobytes)),
            }
        }
    }
    let shown = |kilobytes: u64| match kilobytes {
        _ if kilobytes >= 1024 && kilobytes.is_multiple_of(1024) => format!("{} MiB", kilobytes / 1024),
        _ if kilobytes >= 1024 => format!("{:.1} MiB", kilobytes as f64 / 1024.0),
        _ => format!("{kilobytes} KiB"),
    };
    found.into_iter().map(|(key, size)| (key, shown(size))).collect()
}

fn numa(host: &dyn Host) -> (usize, Facts) {
    let mut nodes = Facts::new();
    for entry in entries(host, "/sys/devices/system/node") {
        let Some(number) = entry.strip_prefix("node").filter(|rest| rest.parse::<u32>().is_ok()) else { continue };
        let list = read_word(host, &format!("/sys/devices/system/node/{entry}/cpulist")).unwrap_or_default();
        nodes.insert(number.to_string(), json!(count(&list)));
    }
    (nodes.len(), nodes)
}

/// The kernel's report on known vulnerabilities of the processor; lscpu writes their names with spaces, Ohai with underscores.
fn vulnerabilities(host: &dyn Host) -> Facts {
    let folder = format!("{CPUS}/vulnerabilities");
    let one = |name: String| {
        let text = read_word(host, &format!("{folder}/{name}"))?;
        let text = text.replacen("Mitigation: ", "Mitigation; ", 1);
        Some((name, Json::String(text)))
    };
    entries(host, &folder).into_iter().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::machine;
    use super::*;

    #[test]
    fn two_sockets_with_two_threads_a_core() {
        let mut text = String::new();
        for (at, (socket, core)) in [(0, 0), (0, 0), (1, 0), (1, 0)].into_iter().enumerate() {
            text += &format!(
                "processor\t: {at}\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\nphysical id\t: {socket}\ncore id\t\t: {core}\nflags\t\t: vmx fpu\n\n"
            );
        }
        let host = machine(&[("/proc/cpuinfo", &text)], "web1");
        let mut facts = Facts::new();
        collect(&host, &Choice::default(), &mut facts);
        let cpu = &facts["cpu"];
        assert_eq!((&cpu["total"], &cpu["real"], &cpu["cores"]), (&json!(4), &json!(2), &json!(2)));
        assert_eq!((&cpu["threads_per_core"], &cpu["cores_per_socket"]), (&json!(2), &json!(1)));
        assert_eq!((&cpu["flags"], &cpu["virtualization"]), (&json!(["fpu", "vmx"]), &json!("VT-x")));
        assert_eq!(cpu["3"]["physical_id"], json!("1"));
        assert_eq!(count("0-2,5"), [0, 1, 2, 5]);
    }
}
