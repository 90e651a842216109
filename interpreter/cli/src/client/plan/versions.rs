//! What programs of packages that are planned tell as their version: they cannot be asked yet, but their packages' versions are known.

use rchef_host::processes::USUAL_FOLDERS;
use rchef_host::{Access, DoubtKind, OverlayHost, Queries};

/// Programs, how they are asked, the package that they come with, and the text that is in front of their version.
const TOLD: &[(&str, &[&str], &str, &str)] = &[
    ("apache2", &["-v"], "apache2-bin", "Server version: Apache/"),
    ("haproxy", &["-v"], "haproxy", "HAProxy version "),
    ("named", &["-v"], "bind9", "BIND "),
    ("redis-server", &["-v", "--version"], "redis-server", "Redis server v="),
    ("squid", &["-v"], "squid", "Squid Cache: Version "),
    ("unbound", &["-V"], "unbound", "Version "),
];

/// The first line of what a program tells that the machine does not have yet; noted as an assumption.
pub(super) fn told(overlay: &OverlayHost, program: &str, words: &[&str]) -> Option<Vec<u8>> {
    let [flag] = words else { return None };
    let (_, _, package, text) = TOLD.iter().find(|(name, flags, ..)| *name == program && flags.contains(flag))?;
    let path = |folder: &&str| format!("{folder}/{program}").into_bytes();
    if USUAL_FOLDERS.iter().any(|folder| overlay.base().access(&path(folder), Access::EXECUTE, true).is_ok()) {
        return None;
    }
    let planned = overlay.package(package).ok()?.filter(|package| package.state == "installed")?;
    let version = upstream(&planned.version);
    overlay.doubt(
        DoubtKind::Version,
        format!("`{program} {flag}` tells {version}, the version of package {package}").as_bytes(),
    );
    Some(format!("{text}{version}\n").into_bytes())
}

/// The part of a Debian version that is the program's own: without the epoch and Debian's revision.
fn upstream(version: &str) -> &str {
    let version = version.split_once(':').map_or(version, |(_, rest)| rest);
    let version = version.rsplit_once('-').map_or(version, |(upstream, _)| upstream);
    version.split_once('+').map_or(version, |(upstream, _)| upstream)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rchef_host::overlay::{Policy, skeleton};
    use rchef_host::queries::Package;
    use rchef_host::{OverlayOptions, RealHost};
    use std::rc::Rc;

    #[test]
    fn versions_of_planned_packages() {
        let options = OverlayOptions { policy: Policy::Simulate, ..OverlayOptions::default() };
        let host = OverlayHost::empty(Rc::new(RealHost::new()), &skeleton::linux(), options).unwrap();
        assert_eq!(told(&host, "named", &["-v"]), None);
        let package = Package {
            name: "bind9".into(),
            version: "1:9.18.49+dfsg-1~deb12u3".into(),
            state: "installed".into(),
            ..Package::default()
        };
        host.assume_package("bind9", Some(package));
        assert_eq!(told(&host, "named", &["-v"]).unwrap(), b"BIND 9.18.49\n");
        assert_eq!(host.take_doubts()[0].kind, DoubtKind::Version);
        assert_eq!(told(&host, "named", &["-V"]), None);
    }
}
