//! What packages of Debian bring: the packages that come along, the files of their archives, and what their scripts do where
//! debhelper has written them.
//!
//! A plan reads the archives that apt would fetch, from apt's own cache or from one of the plan's. What a script does beyond
//! the forms that are known here is noted as not known.

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
        let path = |suffix: &str| format!("/var/lib/dpkg/info/{name}.{suffix}").into_bytes();
        let listed = compose::read_file(overlay, &path("list")).unwrap_or_default();
        let kept = compose::read_file(overlay, &path("conffiles")).unwrap_or_default();
        let kept: Vec<&[u8]> = kept.split(|byte| *byte == b'\n').collect();
        let purges = change.verb == PackageVerb::Purge;
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
    Ok(())
}

fn gone() -> ServiceState {
    ServiceState { load: "not-found".into(), active: "inactive".into(), sub: "dead".into(), ..ServiceState::default() }
}

fn install(change: &PackageChange, overlay: &OverlayHost) -> Result<()> {
    let unknown = |what: &str| overlay.doubt(DoubtKind::Contents, what.as_bytes());
    let shown = format!("package {}", change.shown);
    let apt = change.commands.iter().find(|command| command.has_word("apt-get"));
    let apt = apt.filter(|_| change.manager == Manager::Dpkg);
    let Some((apt, coming)) = apt.and_then(|apt| Some((apt, simulate(apt, overlay)?))) else {
        unknown(&shown);
        return Ok(());
    };
    for package in &coming {
        let known = overlay.package(&package.name)?.unwrap_or_default();
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
    let mut scripts = Vec::new();
    let mut controls = Vec::new();
    for package in &coming {
        let control = archives.get(&package.name).and_then(|archive| {
            let control = Control::of(overlay, archive).ok()?;
            unpack(overlay, archive, &control).ok()?;
            Some(control)
        });
        match control {
            Some(control) => controls.push((package, control)),
            None => unknown(&format!("package {}", package.name)),
        }
    }
    for (package, control) in &controls {
        let known = control.script.as_ref().is_none_or(|script| {
            let text = lossy(script);
            let parameters = ["configure", ""];
            let script = Script { text: &text, name: "postinst", package: &package.name, parameters: &parameters };
            script::run(overlay, &script)
        });
        if !known {
            scripts.push(package.name.as_str());
        }
    }
    if !scripts.is_empty() {
        unknown(&format!("what the installation scripts of {} do", scripts.join(", ")));
    }
    Ok(())
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
fn simulate(apt: &Command, overlay: &OverlayHost) -> Option<Vec<Coming>> {
    // apt would write its log of plans, over that of the last installation
    let output = with_words(apt, &["-s", "-o", "Dir::Log::Planner="])
        .query(overlay)
        .ok()
        .filter(|output| output.status.success())?;
    let text = lossy(&output.stdout);
    let mut coming = Vec::new();
    // Inst NAME [OLD] (VERSION SOURCE [ARCHITECTURE]) …
    for line in text.lines() {
        let Some(rest) = line.strip_prefix("Inst ") else { continue };
        let name = rest.split(' ').next()?.to_string();
        let inner = rest.split_once('(')?.1.split_once(')')?.0;
        let version = inner.split(' ').next()?.to_string();
        let architecture = inner.rsplit_once('[')?.1.trim_end_matches(']').to_string();
        coming.push(Coming { name, version, architecture });
    }
    Some(coming)
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
    /// What runs once its files are there.
    script: Option<Vec<u8>>,
}

impl Control {
    fn of(overlay: &OverlayHost, archive: &[u8]) -> Result<Self> {
        let mut control = Self::default();
        each_of(overlay, "--ctrl-tarfile", archive, &mut |entry, content| {
            let mut data = Vec::new();
            let kept = match entry.name.strip_prefix(b"./").unwrap_or(&entry.name) {
                b"conffiles" => &mut control.configuration,
                b"postinst" => control.script.get_or_insert_default(),
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
                if data.len() as u64 > command::LARGE {
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
