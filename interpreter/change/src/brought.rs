//! Simulates changes of Debian packages: their dependencies, the files of their archives, and the effects of their maintainer scripts.
//!
//! A plan reads the archives that apt would fetch, from apt's own cache or the plan's. Maintainer scripts run on the overlay ([`script`]); effects
//! that are not known are reported as doubts.

mod account;
mod code;
mod command;
mod done;
mod dpkg;
mod script;
mod sh;
mod unit;

pub use code::{answer, assume};

use crate::package::{Manager, PackageChange, PackageVerb};
use crate::{Command, Result, lossy};
use dpkg::{Control, kept, remove_files, unpack};
use rchef_host::compose;
use rchef_host::queries::Package;
use rchef_host::{DoubtKind, OverlayHost, Purpose, Queries, files};
use script::Script;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum download size for archives, in bytes.
const MOST: u64 = 150 << 20;

/// Maximum number of packages whose names an assumption lists.
const SHOWN: usize = 8;

/// A package that will be installed.
struct Coming {
    name: String,
    version: String,
    architecture: String,
    /// The installed version that it replaces.
    old: Option<String>,
}

/// The result of apt's own simulation.
#[derive(Default)]
struct Simulated {
    /// In unpacking order.
    coming: Vec<Coming>,
    /// Names of packages in configuration order.
    configured: Vec<String>,
    /// Names of packages that apt will remove.
    going: Vec<String>,
}

/// Applies a package change to the overlay.
pub(crate) fn assume_packages(change: &PackageChange, overlay: &OverlayHost) -> Result<()> {
    let before = overlay.set_purpose(Purpose::Query);
    let result = overlay.with_all_rights(|| match change.verb {
        PackageVerb::Install | PackageVerb::Upgrade => install(change, overlay),
        PackageVerb::Remove | PackageVerb::Purge => remove(change, overlay),
        _ => Ok(()),
    });
    overlay.set_purpose(before);
    result
}

/// Removes packages and those that depend on them; configuration files stay unless purged.
fn remove(change: &PackageChange, overlay: &OverlayHost) -> Result<()> {
    if change.manager != Manager::Dpkg {
        overlay.doubt(DoubtKind::Contents, format!("removal of {}", change.shown).as_bytes());
        return Ok(());
    }
    let apt = change.commands.iter().find(|command| command.has_word("apt-get"));
    let simulated = apt.and_then(|apt| simulate(apt, overlay));
    // apt does not know packages that only the plan has installed
    let mut going = simulated.as_ref().map(|simulated| simulated.going.clone()).unwrap_or_default();
    let mut known = simulated.is_some_and(|simulated| simulated.coming.is_empty());
    for item in &change.items {
        let name = item.real.as_ref().unwrap_or(&item.name);
        if !going.contains(name) {
            known &= overlay.base().package(name)?.is_none_or(|package| !package.installed());
            going.push(name.clone());
        }
    }
    for name in &going {
        known &= removed(overlay, name, change.verb == PackageVerb::Purge);
    }
    if !known {
        overlay.doubt(DoubtKind::Effects, format!("the removal of {}", going.join(", ")).as_bytes());
    }
    Ok(())
}

/// Removes a package from the overlay; gives whether the effects of its scripts are fully known.
fn removed(overlay: &OverlayHost, name: &str, purges: bool) -> bool {
    let found = overlay.package(name).ok().flatten().unwrap_or_default();
    let is_there = found.installed();
    let script = |kind: &str, step: &str| runs(overlay, name, kind, kept(overlay, name, kind).as_deref(), &[step]);
    let mut known = !is_there || script("prerm", "remove");
    remove_files(overlay, name, false);
    known &= !is_there || script("postrm", "remove");
    if purges {
        known &= script("postrm", "purge");
        remove_files(overlay, name, true);
    }
    let left = Package { want: "deinstall".into(), state: "config-files".into(), ..found };
    let has_configuration = !purges && kept(overlay, name, "conffiles").is_some();
    overlay.assume_package(name, Some(left).filter(|_| has_configuration));
    known
}

fn install(change: &PackageChange, overlay: &OverlayHost) -> Result<()> {
    let unknown = |what: &str| overlay.doubt(DoubtKind::Contents, what.as_bytes());
    let shown = format!("package {}", change.shown);
    let apt = change.commands.iter().find(|command| command.has_word("apt-get"));
    let apt = apt.filter(|_| change.manager == Manager::Dpkg);
    let Some((apt, simulated)) = apt.and_then(|apt| Some((apt, simulate(apt, overlay)?))) else {
        unknown(&shown);
        return Ok(());
    };
    let Simulated { mut coming, configured, going } = simulated;
    // apt does not know packages that the plan has already installed
    coming.retain(|package| !is_there(overlay, package));
    for name in &going {
        removed(overlay, name, false);
        unknown(&format!("removal of package {name}, which cannot stay beside {},", change.shown));
    }
    let mut former = BTreeMap::new();
    for package in &mut coming {
        let known = overlay.package(&package.name)?.unwrap_or_default();
        package.old = Some(known.version.clone()).filter(|_| known.installed());
        let kept = Some(known.version).filter(|version| !version.is_empty() && known.state != "not-installed");
        former.extend(package.old.clone().or(kept).map(|old| (package.name.clone(), old)));
        let installed = Package {
            name: package.name.clone(),
            version: package.version.clone(),
            architecture: package.architecture.clone(),
            want: "install".into(),
            flag: "ok".into(),
            state: "installed".into(),
            provides: known.provides,
        };
        overlay.assume_package(&package.name, Some(installed));
    }
    let archives = match overlay.archives() {
        Some(folder) => fetch(apt, &coming, overlay, folder),
        None => BTreeMap::new(),
    };
    let mut controls = BTreeMap::new();
    let (mut open, mut unread, mut brought) = (Vec::new(), Vec::new(), BTreeSet::new());
    for package in &coming {
        let old = former.get(&package.name).map(String::as_str);
        let archive = archives.get(&package.name);
        match archive.and_then(|archive| put(overlay, package, old, archive, &mut brought)) {
            Some((control, known)) => {
                controls.insert(package.name.as_str(), control);
                if !known {
                    open.push(package.name.as_str());
                }
            }
            None => unread.push(package.name.as_str()),
        }
    }
    if !unread.is_empty() {
        unknown(&listed(&unread));
    }
    let rest = coming.iter().map(|package| &package.name).filter(|name| !configured.contains(name));
    for name in configured.iter().chain(rest) {
        let Some((name, control)) = controls.get_key_value(name.as_str()) else { continue };
        let old = former.get(*name).map_or("", String::as_str);
        if !runs(overlay, name, "postinst", control.file("postinst"), &["configure", old]) && !open.contains(name) {
            open.push(name);
        }
    }
    if !open.is_empty() {
        unknown(&format!("what the installation scripts of {} do", open.join(", ")));
    }
    Ok(())
}

/// Packages by name, the first [`SHOWN`] of many.
fn listed(names: &[&str]) -> String {
    match names {
        [name] => format!("package {name}"),
        [first @ .., last] if names.len() <= SHOWN => format!("packages {} and {last}", first.join(", ")),
        _ => format!("packages {} and {} more", names[..SHOWN].join(", "), names.len() - SHOWN),
    }
}

fn is_there(overlay: &OverlayHost, package: &Coming) -> bool {
    let known = overlay.package(&package.name).ok().flatten();
    known.is_some_and(|known| known.installed() && known.version == package.version)
}

/// Runs a package's script, if any; gives whether its effects are fully known.
fn runs(overlay: &OverlayHost, package: &str, name: &str, text: Option<&[u8]>, parameters: &[&str]) -> bool {
    text.is_none_or(|text| script::run(overlay, &Script { text: &lossy(text), name, package, parameters }))
}

/// Unpacks a package and runs the scripts that precede its configuration: those of the old version, and `preinst`. Gives the archive's control
/// files, and whether the scripts' effects are fully known; None if the archive cannot be read.
fn put(
    overlay: &OverlayHost,
    package: &Coming,
    old: Option<&str>,
    archive: &[u8],
    brought: &mut BTreeSet<Vec<u8>>,
) -> Option<(Control, bool)> {
    let control = Control::of(overlay, archive).ok()?;
    let is_upgrade = package.old.is_some();
    // read now, because unpacking replaces the old version's scripts
    let former = ["prerm", "postrm"].map(|kind| is_upgrade.then(|| kept(overlay, &package.name, kind)).flatten());
    let [before, after] = former.each_ref().map(Option::as_deref);
    let new = package.version.as_str();
    let upgrade = ["upgrade", new];
    let mut known = runs(overlay, &package.name, "prerm", before, &upgrade);
    let parameters = match old {
        Some(old) => vec![if is_upgrade { "upgrade" } else { "install" }, old, new],
        None => vec!["install"],
    };
    known &= runs(overlay, &package.name, "preinst", control.file("preinst"), &parameters);
    known &= unpack(overlay, archive, &control, package, brought).ok()?;
    known &= runs(overlay, &package.name, "postrm", after, &upgrade);
    Some((control, known))
}

/// An `apt-get` command with further arguments in front of its own.
fn with_words(apt: &Command, words: &[&str]) -> Command {
    let mut argv: Vec<String> = apt.program.to_argv().iter().map(|word| lossy(word)).collect();
    for word in words.iter().rev() {
        argv.insert(1, (*word).to_string());
    }
    Command::system(argv)
}

/// What apt would install, by `apt-get -s`, which needs no privileges; None if that fails.
fn simulate(apt: &Command, overlay: &OverlayHost) -> Option<Simulated> {
    // otherwise apt overwrites its planner log of the last installation
    let output = with_words(apt, &["-s", "-o", "Dir::Log::Planner="])
        .query(overlay)
        .ok()
        .filter(|output| output.status.success())?;
    simulated(&lossy(&output.stdout))
}

/// Parses the output of `apt-get -s`.
fn simulated(text: &str) -> Option<Simulated> {
    let mut simulated = Simulated::default();
    for line in text.lines() {
        let Some((verb, rest)) = line.split_once(' ') else { continue };
        let name = rest.split(' ').next()?.to_string();
        match verb {
            // Inst NAME [OLD] (VERSION SOURCE [ARCHITECTURE]) …
            "Inst" => {
                let inner = rest.split_once('(')?.1.split_once(')')?.0;
                let version = inner.split(' ').next()?.to_string();
                let architecture = inner.rsplit_once('[')?.1.trim_end_matches(']').to_string();
                let old = rest.split(' ').nth(1).and_then(|word| word.strip_prefix('[')?.strip_suffix(']'));
                simulated.coming.push(Coming { name, version, architecture, old: old.map(str::to_string) });
            }
            "Conf" => simulated.configured.push(name),
            "Remv" | "Purg" => simulated.going.push(name),
            _ => {}
        }
    }
    Some(simulated)
}

/// The archives by package name, from apt's cache or the plan's `folder`, into which missing ones are downloaded.
fn fetch(apt: &Command, coming: &[Coming], overlay: &OverlayHost, folder: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let look = |found: &mut BTreeMap<String, Vec<u8>>| {
        for package in coming {
            let version = package.version.replace(':', "%3a");
            let file = format!("{}_{version}_{}.deb", package.name, package.architecture);
            for place in [b"/var/cache/apt/archives".as_slice(), folder] {
                let path = files::join(place, file.as_bytes());
                if overlay.base().stat(&path).is_ok_and(|stat| stat.is_file()) {
                    found.entry(package.name.clone()).or_insert(path);
                }
            }
        }
    };
    look(&mut found);
    let lacking: Vec<&Coming> = coming.iter().filter(|package| !found.contains_key(&package.name)).collect();
    if lacking.is_empty() {
        return found;
    }
    // lines: 'URL' FILE SIZE CHECKSUM
    let sizes =
        with_words(apt, &["--print-uris"]).query(overlay).map(|output| lossy(&output.stdout)).unwrap_or_default();
    let size: u64 = sizes.lines().filter_map(|line| line.rsplit(' ').nth(1)?.parse::<u64>().ok()).sum();
    if size > MOST || compose::create_dir_all(overlay.base(), folder, 0o755).is_err() {
        return found;
    }
    let wanted = lacking.iter().map(|package| format!("{}:{}={}", package.name, package.architecture, package.version));
    let plain = |word: String| word.replace(":all=", "=");
    let words = ["apt-get", "-q", "download"].into_iter().map(str::to_string).chain(wanted.map(plain));
    let mut download = Command::system(words);
    download.cwd = Some(folder.to_vec());
    let _ = download.query(overlay);
    look(&mut found);
    found
}

/// An overlay over a machine that has only the standard directories and the programs that scripts use.
#[cfg(test)]
#[allow(clippy::unwrap_used)] // a failure fails the test
pub(crate) fn machine() -> OverlayHost {
    use rchef_host::overlay::{Policy, skeleton};
    use rchef_host::{OverlayOptions, RealHost};
    let options = OverlayOptions { policy: Policy::Simulate, ..OverlayOptions::default() };
    let mut entries = skeleton::linux();
    let programs = command::names();
    entries.extend(programs.map(|name| skeleton::SkeletonEntry::file(&format!("/usr/bin/{name}"), 0o755, "")));
    OverlayHost::empty(std::rc::Rc::new(RealHost::new()), &entries, options).unwrap()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a failure fails the test
    use super::*;
    use rchef_host::Files;

    #[test]
    fn what_apt_says_it_will_do() {
        let text = "Reading package lists...\nRemv old [0.9]\nInst b (2 Debian:12 [all])\nInst a [1:0.9-1] (1:1.0-1 Debian:12 [amd64]) []\n\
            Conf a (1:1.0-1 Debian:12 [amd64])\nConf b (2 Debian:12 [all])\n";
        let found = simulated(text).unwrap();
        let coming: Vec<_> =
            found.coming.iter().map(|it| (it.name.as_str(), it.old.as_deref(), it.version.as_str())).collect();
        assert_eq!(coming, [("b", None, "2"), ("a", Some("1:0.9-1"), "1:1.0-1")]);
        assert_eq!((found.configured, found.going), (vec!["a".into(), "b".into()], vec!["old".to_string()]));
        assert_eq!(found.coming[1].architecture, "amd64");
    }

    #[test]
    fn many_packages_are_one_assumption() {
        assert_eq!(listed(&["a"]), "package a");
        assert_eq!(listed(&["a", "b", "c"]), "packages a, b and c");
        let names: Vec<String> = (0..274).map(|number| format!("p{number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(listed(&names), "packages p0, p1, p2, p3, p4, p5, p6, p7 and 266 more");
    }

    #[test]
    fn scripts_are_told_which_version_was_there() {
        let host = machine();
        let text = b"[ \"$1\" = upgrade ] && mkdir \"/srv/$2-$3-$DPKG_MAINTSCRIPT_NAME\"\nexit 0\n";
        assert!(runs(&host, "x", "preinst", Some(text), &["upgrade", "0.9", "1.0"]));
        assert!(host.stat(b"/srv/0.9-1.0-preinst").is_ok());
        assert!(runs(&host, "x", "preinst", None, &["install"]));
        assert!(!runs(&host, "x", "preinst", Some(b"frob\n"), &["install"]));
    }
}
