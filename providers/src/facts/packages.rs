//! Ohai's Packages.

use super::source::{Choice, Facts, output};
use rchef_host::Host;
use serde_json::{Value as Json, json};

/// The output format for rpm(8): one package a line.
const RPM: &str = r"%{NAME}\t%|EPOCH?{%{EPOCH}}:{0}|\t%{VERSION}\t%{RELEASE}\t%{INSTALLTIME}\t%{ARCH}\n";

/// `packages`: the installed packages by name.
pub(super) fn collect(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    let mut packages = Facts::new();
    match facts.get("platform_family").and_then(Json::as_str) {
        Some("debian") => {
            for package in host.packages().unwrap_or_default() {
                let entry =
                    json!({ "version": package.version, "arch": package.architecture, "status": package.state });
                packages.insert(package.name, entry);
            }
        }
        Some("rhel" | "fedora" | "suse" | "amazon") => {
            for line in output(host, &["rpm", "-qa", "--qf", RPM]).lines() {
                let [name, epoch, version, release, installed, arch] = line.split('\t').collect::<Vec<_>>()[..] else {
                    continue;
                };
                let entry = json!({ "epoch": epoch, "version": version, "release": release, "installdate": installed, "arch": arch });
                packages.insert(name.into(), entry);
            }
        }
        Some("arch") => {
            for (name, version) in pacman(host) {
                packages.insert(name, json!({ "version": version }));
            }
        }
        _ => return,
    }
    facts.insert("packages".into(), Json::Object(packages));
}

fn pacman(host: &dyn Host) -> Vec<(String, String)> {
    let text = output(host, &["pacman", "-Q"]);
    text.lines().filter_map(|line| line.split_once(' ')).map(|(name, version)| (name.into(), version.into())).collect()
}
