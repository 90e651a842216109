//! Ohai's Kernel, OS, InitPackage, Fips and Machineid.

use super::source::{Choice, Facts, put, read, read_word};
use rchef_host::Host;
use serde_json::{Value as Json, json};

/// `kernel`: uname(2), and the modules in /proc/modules.
pub(super) fn collect(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    let mut kernel = Facts::new();
    if let Ok(names) = host.uname() {
        // on Linux, `uname -p` of coreutils always prints `unknown`
        for (key, value) in [
            ("name", names.sysname),
            ("release", names.release),
            ("version", names.version),
            ("machine", names.machine),
            ("processor", "unknown".into()),
        ] {
            kernel.insert(key.into(), Json::String(value));
        }
        kernel.insert("os".into(), json!("GNU/Linux"));
    }
    let mut modules = Facts::new();
    for line in read(host, "/proc/modules").unwrap_or_default().lines() {
        let mut words = line.split(' ');
        if let (Some(name), Some(size), Some(users)) = (words.next(), words.next(), words.next()) {
            let mut module = Facts::new();
            module.insert("size".into(), json!(size));
            module.insert("refcount".into(), json!(users));
            let version = read_word(host, &format!("/sys/module/{name}/version"));
            put(&mut module, "version", version.filter(|version| !version.is_empty()));
            modules.insert(name.into(), Json::Object(module));
        }
    }
    kernel.insert("modules".into(), Json::Object(modules));
    facts.insert("kernel".into(), Json::Object(kernel));
}

/// `os` and `os_version`.
pub(super) fn os(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    facts.insert("os".into(), json!("linux"));
    put(facts, "os_version", host.uname().ok().map(|names| names.release));
}

/// `init_package`: the name of process 1.
pub(super) fn init_package(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    facts.insert("init_package".into(), json!(read(host, "/proc/1/comm").unwrap_or_else(|| "init".into())));
}

/// `fips`: whether the kernel is in FIPS mode.
pub(super) fn fips(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    let on = read_word(host, "/proc/sys/crypto/fips_enabled").is_some_and(|text| text == "1");
    facts.insert("fips".into(), json!({ "kernel": { "enabled": on } }));
}

pub(super) fn machine_id(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    let id = read(host, "/etc/machine-id").or_else(|| read(host, "/var/lib/dbus/machine-id"));
    put(facts, "machine_id", id);
}
