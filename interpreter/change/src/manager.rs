//! Package managers: the installed versions that each reports, and what it is assumed to report after a planned change.

use crate::{ChangeError, Command, Result, lossy};
use rchef_host::overlay::Answer;
use rchef_host::queries::{Package, Rpm};
use rchef_host::{Host, OverlayHost, Purpose, compose, files};

/// A package manager, as far as queries of installed versions are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manager {
    Dpkg,
    /// rpm, with versions as `VERSION-RELEASE`, preceded by an epoch if there is one.
    Rpm,
    /// rpm, with versions as `EPOCH:VERSION-RELEASE.ARCHITECTURE`, as in dnf and yum.
    Dnf,
    Pacman,
    Portage,
    Snap,
}

impl Manager {
    /// The installed versions of a package.
    ///
    /// # Errors
    /// The manager cannot be queried.
    pub fn installed(self, host: &dyn Host, name: &str) -> Result<Vec<String>> {
        Ok(match self {
            Manager::Dpkg => {
                host.package(name)?.filter(Package::installed).map(|package| package.version).into_iter().collect()
            }
            Manager::Rpm => {
                let shown = |rpm: &Rpm| match rpm.epoch.as_str() {
                    "0" => format!("{}-{}", rpm.version, rpm.release),
                    epoch => format!("{epoch}:{}-{}", rpm.version, rpm.release),
                };
                host.rpm(name)?.iter().map(shown).collect()
            }
            Manager::Dnf => {
                let shown = |rpm: &Rpm| format!("{}:{}-{}.{}", rpm.epoch, rpm.version, rpm.release, rpm.architecture);
                host.rpm(name)?.iter().map(shown).collect()
            }
            Manager::Pacman => {
                let output = Command::system(["pacman", "-Q", "--", name]).query(host)?;
                let text = lossy(&output.stdout);
                text.lines().filter_map(|line| Some(line.split_once(' ')?.1.trim().to_string())).collect()
            }
            Manager::Portage => portage_versions(host, name)?.into_iter().map(|(_, version)| version).collect(),
            Manager::Snap => snap_version(host, name)?.into_iter().collect(),
        })
    }

    /// Makes the overlay report a package as installed in a version, or as not installed, for managers that are queried themselves. False for dpkg
    /// and rpm, whose package lists the overlay keeps.
    pub(crate) fn assume(self, overlay: &OverlayHost, name: &str, version: Option<&str>) -> Result<bool> {
        match self {
            Manager::Dpkg | Manager::Rpm | Manager::Dnf => return Ok(false),
            Manager::Pacman => assume_pacman(overlay, name, version),
            Manager::Portage => assume_portage(overlay, name, version)?,
            Manager::Snap => assume_snap(overlay, name, version),
        }
        Ok(true)
    }
}

/// The list of dnf 4's plugin `versionlock`; None if the plugin is not installed or not enabled.
///
/// # Errors
/// Its configuration cannot be read.
pub fn dnf_locks(host: &dyn Host) -> Result<Option<String>> {
    let Some(text) = compose::read_opt(host, b"/etc/dnf/plugins/versionlock.conf")? else { return Ok(None) };
    let text = lossy(&text);
    let setting = |name: &str| {
        let pairs = text.lines().filter_map(|line| line.split_once('='));
        pairs.filter(|(key, _)| key.trim() == name).map(|(_, value)| value.trim()).next_back()
    };
    let is_off = setting("enabled")
        .is_some_and(|value| ["0", "no", "false", "off"].contains(&value.to_ascii_lowercase().as_str()));
    Ok(setting("locklist").filter(|_| !is_off).map(str::to_string))
}

/// Makes the overlay report a package as locked to its version, or as not locked.
pub(crate) fn assume_dnf_lock(overlay: &OverlayHost, name: &str, version: Option<&str>) -> Result<()> {
    let Some(path) = dnf_locks(overlay)? else { return Ok(()) };
    let text = lossy(&compose::read_opt(overlay, path.as_bytes())?.unwrap_or_default());
    let is_other = |line: &&str| line.rsplitn(3, '-').nth(2) != Some(name);
    let mut lines: Vec<String> = text.lines().filter(is_other).map(str::to_string).collect();
    if let Some(version) = version {
        let version = version.rsplit_once('.').map_or(version, |(version, _)| version);
        lines.push(format!("{name}-{version}.*"));
    }
    Ok(compose::write_file(overlay, path.as_bytes(), (lines.join("\n") + "\n").as_bytes(), 0o644)?)
}

/// Portage's database of installed packages.
const DATABASE: &str = "/var/db/pkg";

/// The installed versions of a Portage package, each with its category: the directories `CATEGORY/NAME-VERSION` in /var/db/pkg.
///
/// # Errors
/// The directories cannot be read.
pub fn portage_versions(host: &dyn Host, name: &str) -> Result<Vec<(String, String)>> {
    let (category, base) = match name.rsplit_once('/') {
        Some((category, base)) => (Some(category), base),
        None => (None, name),
    };
    let listed = |path: &[u8]| match host.readdir(path) {
        Ok(entries) => Ok(entries.into_iter().map(|entry| lossy(&entry.name)).collect()),
        Err(error) if matches!(error.name(), Some("ENOENT" | "ENOTDIR")) => Ok(Vec::new()),
        Err(error) => Err(error),
    };
    let categories = match category {
        Some(category) => vec![category.to_string()],
        None => listed(DATABASE.as_bytes())?,
    };
    let mut found = Vec::new();
    for category in categories {
        let versions = listed(&files::join(DATABASE.as_bytes(), category.as_bytes()))?;
        let versions = versions.iter().filter_map(|entry| entry.strip_prefix(base)?.strip_prefix('-'));
        // otherwise it is another package named NAME-OTHER
        let versions = versions.filter(|version| version.starts_with(|c: char| c.is_ascii_digit()));
        found.extend(versions.map(|version| (category.clone(), version.to_string())));
    }
    Ok(found)
}

fn assume_portage(overlay: &OverlayHost, name: &str, version: Option<&str>) -> Result<()> {
    let (mut category, base) = match name.rsplit_once('/') {
        Some((category, base)) => (Some(category.to_string()), base),
        None => (None, name),
    };
    for (other, old) in portage_versions(overlay, name)? {
        compose::remove_dir_all(overlay, format!("{DATABASE}/{other}/{base}-{old}").as_bytes())?;
        category.get_or_insert(other);
    }
    // without a category, only Portage knows the directory; `~` before a version means any revision of it
    if let (Some(version), Some(category)) = (version, category) {
        let path = format!("{DATABASE}/{category}/{base}-{}", version.trim_start_matches('~'));
        compose::create_dir_all(overlay, path.as_bytes(), 0o755)?;
    }
    Ok(())
}

/// snapd's message for a snap that is not installed.
const NO_SNAP: &str = "error: no matching snaps installed";

/// The installed version of a snap.
///
/// # Errors
/// snapd cannot be queried or fails.
pub fn snap_version(host: &dyn Host, name: &str) -> Result<Option<String>> {
    let output = Command { until_exit: false, ..Command::system(["snap", "list", name]) }.query(host)?;
    if !output.status.success() {
        let why = lossy(&output.stderr);
        if why.contains(NO_SNAP) {
            return Ok(None);
        }
        return Err(ChangeError::raise("Chef::Exceptions::Package", format!("snap list {name}: {}", why.trim())));
    }
    let text = lossy(&output.stdout);
    let mut lines = text.lines().map(str::split_whitespace);
    Ok(lines.find_map(|mut words| (words.next() == Some(name)).then(|| words.next().map(str::to_string))?))
}

/// The assumed answer of a failing program.
fn failure(text: &str) -> Answer {
    Answer { stderr: format!("{text}\n").into_bytes(), ..Answer::status(1) }
}

fn assume_snap(overlay: &OverlayHost, name: &str, version: Option<&str>) {
    let answer = match version {
        Some(version) => {
            Answer::output(format!("Name  Version  Rev  Tracking  Publisher  Notes\n{name}  {version}  -  -  -  -\n"))
        }
        None => failure(NO_SNAP),
    };
    overlay.assume_answer(format!("snap list {name}").as_bytes(), answer, false);
}

fn assume_pacman(overlay: &OverlayHost, name: &str, version: Option<&str>) {
    let answer = match version {
        Some(version) => Answer::output(format!("{name} {version}\n")),
        None => failure(&format!("error: package '{name}' was not found")),
    };
    overlay.assume_answer(format!("pacman -Q -- {name}").as_bytes(), answer, false);
    // the list of available packages also contains the installed versions
    let before = overlay.set_purpose(Purpose::Query);
    let list = Command::system(["pacman", "-Sl"]).query(overlay);
    overlay.set_purpose(before);
    let Some(list) = list.ok().filter(|list| list.status.success()) else { return };
    let marked = |line: &str| {
        let words: Vec<&str> = line.split(' ').take(3).collect();
        match (words.get(1) == Some(&name), version) {
            (true, Some(version)) => format!("{} [installed: {version}]\n", words.join(" ")),
            (true, None) => format!("{}\n", words.join(" ")),
            (false, _) => format!("{line}\n"),
        }
    };
    let lines: String = lossy(&list.stdout).lines().map(marked).collect();
    overlay.assume_answer(b"pacman -Sl", Answer::output(lines), false);
}
