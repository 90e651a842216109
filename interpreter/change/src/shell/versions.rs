//! Programs that print their version, and the output of programs whose packages are only planned: these cannot be run yet, but the packages'
//! versions are known.

use rchef_host::processes::USUAL_FOLDERS;
use rchef_host::queries::Package;
use rchef_host::{DoubtKind, OverlayHost, Queries, compose};

/// A program that prints its version and does nothing else if one of these flags is its only argument.
struct Teller {
    program: &'static str,
    flags: &'static [&'static str],
    /// Its Debian package, and the text before the version in the first line of output for the first flag.
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

/// Whether a command prints a version and does nothing else.
pub(super) fn only_tells(program: &str, words: &[&str]) -> bool {
    matches!(words, [flag] if TELLERS.iter().any(|known| known.program == program && known.flags.contains(flag)))
}

/// The first line of output of a program that is not installed yet; recorded as an assumption.
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

/// The upstream part of a Debian version: without epoch and Debian revision.
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
