//! What packages of Debian bring: the packages that come along, the files of their archives, and what their scripts do.
//!
//! A plan reads the archives that apt would fetch, from apt's own cache or from one of the plan's. Their scripts run on the overlay ([`script`]);
//! what is not known of one is noted.

mod account;
mod command;
mod done;
mod script;
mod sh;
mod unit;

use crate::archive::read::{self, Kind};
use crate::package::{Manager, PackageChange, PackageVerb};
use crate::{ChangeError, Command, Result, lossy};
use rchef_host::compose::{self, Finish};
use rchef_host::queries::{Package, ServiceState};
use rchef_host::{DoubtKind, Files, OpenFlags, OverlayHost, Purpose, Queries, files};
use script::Script;
use std::collections::BTreeMap;

/// Most that is downloaded to look at, in bytes.
const MOST: u64 = 150 << 20;

/// A package that will be installed.
struct Coming {
    name: String,
    version: String,
    architecture: String,
    /// The version that it takes the place of.
    old: Option<String>,
}

/// What apt will do, by its own simulation.
#[derive(Default)]
struct Simulated {
    /// In the order in which they are unpacked.
    coming: Vec<Coming>,
    /// Names of packages, in the order in which they are configured.
    configured: Vec<String>,
    /// Names of packages that go, since they cannot stay.
    going: Vec<String>,
}

/// Takes what the packages of a change bring as there.
pub(crate) fn assume(change: &PackageChange, overlay: &OverlayHost) -> Result<()> {
    let before = overlay.set_purpose(Purpose::Query);
    let result = overlay.with_all_rights(|| match change.verb {
        PackageVerb::Install | PackageVerb::Upgrade => install(change, overlay),
        PackageVerb::Remove | PackageVerb::Purge => remove(change, overlay),
        _ => Ok(()),
    });
    overlay.set_purpose(before);
    result
}

/// The files of removed packages go, except for configuration.
fn remove(change: &PackageChange, overlay: &OverlayHost) -> Result<()> {
    if change.manager != Manager::Dpkg {
        overlay.doubt(DoubtKind::Contents, format!("removal of {}", change.shown).as_bytes());
        return Ok(());
    }
    for item in &change.items {
        let name = item.real.as_ref().unwrap_or(&item.name);
        remove_files(overlay, name, change.verb == PackageVerb::Purge);
    }
    Ok(())
}

/// Takes away the files of a package; its configuration where it is purged.
fn remove_files(overlay: &OverlayHost, name: &str, purges: bool) {
    let path = |suffix: &str| format!("/var/lib/dpkg/info/{name}.{suffix}").into_bytes();
    let listed = compose::read_file(overlay, &path("list")).unwrap_or_default();
    let kept = compose::read_file(overlay, &path("conffiles")).unwrap_or_default();
    let kept: Vec<&[u8]> = kept.split(|byte| *byte == b'\n').collect();
    for file in listed.split(|byte| *byte == b'\n').filter(|file| file.len() > 2) {
        let Ok(stat) = overlay.lstat(file) else { continue };
        if stat.is_dir() || kept.contains(&file) && !purges {
            continue;
        }
        let unit = lossy(files::basename(file));
        if unit.ends_with(".service") && overlay.unlink(file).is_ok() {
            overlay.assume_service(&unit, gone());
        } else {
            let _ = overlay.unlink(file);
        }
    }
}

fn gone() -> ServiceState {
    ServiceState { load: "not-found".into(), active: "inactive".into(), sub: "dead".into(), ..ServiceState::default() }
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
    // apt does not know what the plan has installed already
    coming.retain(|package| package.old.is_some() || !is_there(overlay, package));
    for name in &going {
        remove_files(overlay, name, false);
        overlay.assume_package(name, None);
        unknown(&format!("removal of package {name}, which cannot stay beside {},", change.shown));
    }
    let mut former = BTreeMap::new();
    for package in &coming {
        let known = overlay.package(&package.name)?.unwrap_or_default();
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
    let mut open = Vec::new();
    for package in &coming {
        let old = former.get(&package.name).map(String::as_str);
        match archives.get(&package.name).and_then(|archive| put(overlay, package, old, archive)) {
            Some((control, known)) => {
                controls.insert(package.name.as_str(), control);
                if !known {
                    open.push(package.name.as_str());
                }
            }
            None => unknown(&format!("package {}", package.name)),
        }
    }
    let rest = coming.iter().map(|package| &package.name).filter(|name| !configured.contains(name));
    for name in configured.iter().chain(rest) {
        let Some((name, control)) = controls.get_key_value(name.as_str()) else { continue };
        let old = former.get(*name).map_or("", String::as_str);
        if !runs(overlay, name, "postinst", control.after.as_deref(), &["configure", old]) && !open.contains(name) {
            open.push(name);
        }
    }
    if !open.is_empty() {
        unknown(&format!("what the installation scripts of {} do", open.join(", ")));
    }
    Ok(())
}

fn is_there(overlay: &OverlayHost, package: &Coming) -> bool {
    let known = overlay.package(&package.name).ok().flatten();
    known.is_some_and(|known| known.installed() && known.version == package.version)
}

/// Runs a script of a package, where it has one; whether all that it does is known.
fn runs(overlay: &OverlayHost, package: &str, name: &str, text: Option<&[u8]>, parameters: &[&str]) -> bool {
    text.is_none_or(|text| script::run(overlay, &Script { text: &lossy(text), name, package, parameters }))
}

/// Puts a package to where it belongs, with the scripts that run before it is configured: those of the former version, and `preinst`. Gives what its
/// archive says, and whether all that the scripts do is known; absent where the archive cannot be read.
fn put(overlay: &OverlayHost, package: &Coming, old: Option<&str>, archive: &[u8]) -> Option<(Control, bool)> {
    let control = Control::of(overlay, archive).ok()?;
    let is_upgrade = package.old.is_some();
    let names = [package.name.clone(), format!("{}:{}", package.name, package.architecture)];
    let of_former = |kind: &str, step: &[&str]| {
        let paths = names.iter().map(|name| format!("/var/lib/dpkg/info/{name}.{kind}"));
        let text = paths.filter(|_| is_upgrade).find_map(|path| compose::read_file(overlay, path.as_bytes()).ok());
        runs(overlay, &package.name, kind, text.as_deref(), step)
    };
    let new = package.version.as_str();
    let upgrade = ["upgrade", new];
    let mut known = of_former("prerm", &upgrade);
    let parameters = match old {
        Some(old) => vec![if is_upgrade { "upgrade" } else { "install" }, old, new],
        None => vec!["install"],
    };
    known &= runs(overlay, &package.name, "preinst", control.before.as_deref(), &parameters);
    unpack(overlay, archive, &control).ok()?;
    known &= of_former("postrm", &upgrade);
    Some((control, known))
}

/// The words of an `apt-get` command with others put in front of its own.
fn with_words(apt: &Command, words: &[&str]) -> Command {
    let mut argv: Vec<String> = apt.program.to_argv().iter().map(|word| lossy(word)).collect();
    for word in words.iter().rev() {
        argv.insert(1, (*word).to_string());
    }
    Command::system(argv)
}

/// What apt would install, by its own simulation, which needs no rights; absent where it cannot tell.
fn simulate(apt: &Command, overlay: &OverlayHost) -> Option<Simulated> {
    // apt would write its log of plans, over that of the last installation
    let output = with_words(apt, &["-s", "-o", "Dir::Log::Planner="])
        .query(overlay)
        .ok()
        .filter(|output| output.status.success())?;
    simulated(&lossy(&output.stdout))
}

/// What apt's simulation says.
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

/// The archives by package: from apt's cache, else fetched into a folder of the plan's.
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
    // 'ADDRESS' FILE SIZE CHECKSUM
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

/// The entries of a part of an archive, as `dpkg-deb` hands it on: it writes nothing for that, as it would to tell of it.
fn each_of(overlay: &OverlayHost, part: &str, archive: &[u8], visit: read::Visit<'_>) -> Result<()> {
    let output = Command::system(["dpkg-deb", part, &lossy(archive)]).query(overlay)?;
    if !output.status.success() {
        return Err(ChangeError::raise("RuntimeError", format!("dpkg-deb cannot read {}", lossy(archive))));
    }
    // the archive reader takes a file; the overlay's temporary one is in memory
    let staged = compose::temp_file(overlay, b"/tmp", b"rchef-plan-", b".tar")?;
    compose::write_all(&*staged.1, &output.stdout)?;
    drop(output);
    let result = read::each_entry(overlay, &staged.0, visit);
    overlay.unlink(&staged.0)?;
    result
}

/// What an archive says of itself.
#[derive(Default)]
struct Control {
    /// Its files that are configuration, a line each.
    configuration: Vec<u8>,
    /// What runs before its files are there.
    before: Option<Vec<u8>>,
    /// What runs once its files are there.
    after: Option<Vec<u8>>,
}

impl Control {
    fn of(overlay: &OverlayHost, archive: &[u8]) -> Result<Self> {
        let mut control = Self::default();
        each_of(overlay, "--ctrl-tarfile", archive, &mut |entry, content| {
            let mut data = Vec::new();
            let kept = match entry.name.strip_prefix(b"./").unwrap_or(&entry.name) {
                b"conffiles" => &mut control.configuration,
                b"preinst" => control.before.get_or_insert_default(),
                b"postinst" => control.after.get_or_insert_default(),
                _ => &mut data,
            };
            content.read_to_end(kept).map_err(|error| ChangeError::raise("RuntimeError", error.to_string()))?;
            Ok(())
        })?;
        Ok(control)
    }
}

/// Puts the files of an archive onto the overlay. Configuration that is there stays as it is.
fn unpack(overlay: &OverlayHost, archive: &[u8], control: &Control) -> Result<()> {
    let conffiles: Vec<&[u8]> = control.configuration.split(|byte| *byte == b'\n').collect();
    let mut links = Vec::new();
    each_of(overlay, "--fsys-tarfile", archive, &mut |entry, content| {
        let relative = entry.name.strip_prefix(b".").unwrap_or(&entry.name);
        let path = files::lexical(&files::join(b"/", relative.strip_prefix(b"/").unwrap_or(relative)));
        if path == b"/" {
            return Ok(());
        }
        let there = compose::lstat_opt(overlay, &path)?;
        let owner = Finish {
            mode: Some(entry.mode & 0o7777),
            uid: Some(entry.user.0),
            gid: Some(entry.group.0),
            ..Finish::default()
        };
        match &entry.kind {
            Kind::Directory if there.is_some() => {}
            Kind::Directory => {
                compose::create_dir_all(overlay, &path, 0o755)?;
                compose::set_access(overlay, &path, owner, true)?;
            }
            Kind::Symlink(to) if there.is_none() => overlay.symlink(to, &path)?,
            Kind::HardLink(to) if there.is_none() => links.push((to.clone(), path)),
            Kind::File if there.is_some() && conffiles.contains(&path.as_slice()) => {}
            Kind::File => {
                let mut data = Vec::new();
                if content.read_to_end(&mut data).is_err() {
                    return Ok(());
                }
                compose::create_dir_all(overlay, files::dirname(&path), 0o755)?;
                if data.len() as u64 > crate::LARGE {
                    let flags = OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::TRUNC;
                    overlay.open(&path, flags, 0o644)?.truncate(data.len() as u64)?;
                } else {
                    compose::write_file(overlay, &path, &data, 0o644)?;
                }
                compose::set_access(overlay, &path, owner, true)?;
            }
            _ => {}
        }
        Ok(())
    })?;
    for (to, path) in links {
        let to = files::lexical(&files::join(b"/", to.strip_prefix(b"./").unwrap_or(&to)));
        let _ = overlay.link(&to, &path);
    }
    Ok(())
}

/// A machine with nothing but its skeleton, which plans.
#[cfg(test)]
#[allow(clippy::unwrap_used)] // a failure is the test's
pub(crate) fn machine() -> OverlayHost {
    use rchef_host::overlay::{Policy, skeleton};
    use rchef_host::{OverlayOptions, RealHost};
    let options = OverlayOptions { policy: Policy::Simulate, ..OverlayOptions::default() };
    OverlayHost::empty(std::rc::Rc::new(RealHost::new()), &skeleton::linux(), options).unwrap()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a failure is the test's
    use super::*;

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
    fn scripts_are_told_which_version_was_there() {
        let host = machine();
        let text = b"[ \"$1\" = upgrade ] && mkdir \"/srv/$2-$3-$DPKG_MAINTSCRIPT_NAME\"\nexit 0\n";
        assert!(runs(&host, "x", "preinst", Some(text), &["upgrade", "0.9", "1.0"]));
        assert!(host.stat(b"/srv/0.9-1.0-preinst").is_ok());
        assert!(runs(&host, "x", "preinst", None, &["install"]));
        assert!(!runs(&host, "x", "preinst", Some(b"frob\n"), &["install"]));
    }
}
