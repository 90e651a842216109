//! Programs that tell their version, and what they will tell when their packages are only planned: they cannot be asked yet, but the packages'
//! versions are known.

use rchef_host::processes::USUAL_FOLDERS;
use rchef_host::queries::Package;
use rchef_host::{DoubtKind, OverlayHost, Queries, compose};

/// A program that tells its version, and does nothing else, when one of its flags is its only word.
struct Teller {
    program: &'static str,
    flags: &'static [&'static str],
    /// Debian's package that it comes with, and the text that is in front of the version in the first line of what the first flag prints.
    first_line: Option<(&'static str, &'static str)>,
}

const fn teller(program: &'static str, flags: &'static [&'static str]) -> Teller {
    Teller { program, flags, first_line: None }
}

const fn of_package(package: &'static str, text: &'static str, teller: Teller) -> Teller {
    Teller { first_line: Some((package, text)), ..teller }
}

const TELLERS: &[Teller] = &[
    of_package("apache2-bin", "Server version: Apache/", teller("apache2", &["-v"])),
    of_package("haproxy", "HAProxy version ", teller("haproxy", &["-v", "-vv"])),
    teller("httpd", &["-v"]),
    teller("java", &["-version"]),
    teller("mysqld", &["-V"]),
    of_package("bind9", "BIND ", teller("named", &["-v", "-V"])),
    teller("nginx", &["-v", "-V"]),
    teller("perl", &["-v"]),
    teller("php", &["-v"]),
    teller("psql", &["-V"]),
    of_package("redis-server", "Redis server v=", teller("redis-server", &["-v"])),
    teller("ruby", &["-v"]),
    of_package("squid", "Squid Cache: Version ", teller("squid", &["-v"])),
    of_package("unbound", "Version ", teller("unbound", &["-V"])),
    teller("varnishd", &["-V"]),
];

/// Whether a program with its words tells its version and does nothing else.
pub(super) fn only_tells(program: &str, words: &[&str]) -> bool {
    matches!(words, [flag] if TELLERS.iter().any(|known| known.program == program && known.flags.contains(flag)))
}

/// The first line of what a program tells that the machine does not have yet; noted as an assumption.
pub(super) fn told(overlay: &OverlayHost, program: &str, words: &[&str]) -> Option<Vec<u8>> {
    let [flag] = words else { return None };
    let known = TELLERS.iter().find(|known| known.program == program && known.flags.first() == Some(flag))?;
    let (package, text) = known.first_line?;
    if compose::program(overlay.base(), USUAL_FOLDERS.iter().map(|folder| folder.as_bytes()), program).is_some() {
        return None;
    }
    let planned = overlay.package(package).ok()?.filter(Package::installed)?;
    let version = upstream(&planned.version);
    let told = format!("`{program} {flag}` tells {version}, the version of package {package}");
    overlay.doubt(DoubtKind::Version, told.as_bytes());
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
