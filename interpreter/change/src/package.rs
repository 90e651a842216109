//! Packages.

use crate::brought;
use crate::command::forget_installed;
use crate::{ChangeError, Command, Description, Result, Why, lossy};
use rchef_host::overlay::Answer;
use rchef_host::queries::{Package, Rpm};
use rchef_host::{Host, OverlayHost, compose, files};

/// What is done with packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackageVerb {
    /// Installed.
    Install,
    /// Installed, or brought to a newer version.
    Upgrade,
    /// Removed.
    Remove,
    /// Removed with their configuration.
    Purge,
    /// Kept at their version.
    Lock,
    /// No longer kept.
    Unlock,
    /// Debconf gets answers before an installation.
    Preseed,
    /// Debconf gets answers, by which installed packages configure themselves anew.
    Reconfigure,
}

impl PackageVerb {
    /// The action's name.
    pub fn as_str(self) -> &'static str {
        match self {
            PackageVerb::Install => "install",
            PackageVerb::Upgrade => "upgrade",
            PackageVerb::Remove => "remove",
            PackageVerb::Purge => "purge",
            PackageVerb::Lock => "lock",
            PackageVerb::Unlock => "unlock",
            PackageVerb::Preseed => "preseed",
            PackageVerb::Reconfigure => "reconfigure",
        }
    }
}

/// A package manager, as far as its answers about what is installed go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manager {
    /// dpkg.
    Dpkg,
    /// rpm, whose versions are written `VERSION-RELEASE`, an epoch before it where there is one.
    Rpm,
    /// rpm, whose versions are written `EPOCH:VERSION-RELEASE.ARCHITECTURE`, as dnf and yum have them.
    Dnf,
    /// pacman.
    Pacman,
    /// Portage.
    Portage,
    /// snapd.
    Snap,
}

impl Manager {
    /// The installed versions of a package.
    ///
    /// # Errors
    /// The manager cannot be asked.
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
}

/// Where Portage keeps what is installed.
const DATABASE: &str = "/var/db/pkg";

/// The installed versions of a package of Portage, each with its category: the folders `CATEGORY/NAME-VERSION` below /var/db/pkg.
///
/// # Errors
/// The folders cannot be read.
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
        // another package may be called NAME-OTHER
        let versions = versions.filter(|version| version.starts_with(|c: char| c.is_ascii_digit()));
        found.extend(versions.map(|version| (category.clone(), version.to_string())));
    }
    Ok(found)
}

/// The installed version of a snap.
///
/// # Errors
/// snapd cannot be asked, or refuses to answer.
pub fn snap_version(host: &dyn Host, name: &str) -> Result<Option<String>> {
    let output = Command { until_exit: false, ..Command::system(["snap", "list", name]) }.query(host)?;
    if !output.status.success() {
        let why = lossy(&output.stderr);
        if why.contains("no matching snaps installed") {
            return Ok(None);
        }
        return Err(ChangeError::raise("Chef::Exceptions::Package", format!("snap list {name}: {}", why.trim())));
    }
    let text = lossy(&output.stdout);
    let mut lines = text.lines().map(str::split_whitespace);
    Ok(lines.find_map(|mut words| (words.next() == Some(name)).then(|| words.next().map(str::to_string))?))
}

/// Takes a package of pacman as installed in a version, or as not installed.
fn assume_pacman(overlay: &OverlayHost, name: &str, version: Option<&str>) -> Result<()> {
    let answer = match version {
        Some(version) => Answer::output(format!("{name} {version}\n")),
        None => {
            let stderr = format!("error: package '{name}' was not found\n").into_bytes();
            Answer { stdout: Vec::new(), stderr, code: 1 }
        }
    };
    overlay.assume_answer(format!("pacman -Q -- {name}").as_bytes(), answer, false);
    // the list of what can be had says what is installed, too
    let list = Command::system(["pacman", "-Sl"]).query(overlay);
    let list = list.map(|output| lossy(&output.stdout)).unwrap_or_default();
    let mut lines = String::new();
    for line in list.lines() {
        let words: Vec<&str> = line.split(' ').take(3).collect();
        lines.push_str(&match (words.get(1) == Some(&name), version) {
            (true, Some(version)) => format!("{} [installed: {version}]\n", words.join(" ")),
            (true, None) => format!("{}\n", words.join(" ")),
            (false, _) => format!("{line}\n"),
        });
    }
    overlay.assume_answer(b"pacman -Sl", Answer::output(lines), false);
    Ok(())
}

/// One package of a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackageItem {
    /// Its name.
    pub name: String,
    /// The name that the manager has it under, where that is another: the package that provides a virtual one.
    pub real: Option<String>,
    /// The installed version.
    pub from: Option<String>,
    /// The version to be installed; absent where none is to remain.
    pub to: Option<String>,
}

/// A change of packages, by their manager.
#[derive(Clone, Debug)]
pub struct PackageChange {
    /// What is done.
    pub verb: PackageVerb,
    /// The packages.
    pub items: Vec<PackageItem>,
    /// The packages as the resource names them.
    pub shown: String,
    /// The version that the resource names.
    pub version: Option<String>,
    /// An upgrade may install an older version.
    pub may_downgrade: bool,
    /// What knows afterwards what is installed.
    pub manager: Manager,
    /// What does it, in order.
    pub commands: Vec<Command>,
}

impl PackageChange {
    pub(crate) fn apply(&self, host: &dyn Host) -> Result<()> {
        let result = self.commands.iter().try_for_each(|command| command.run(host).map(drop));
        forget_installed(host);
        result?;
        if !matches!(self.verb, PackageVerb::Install | PackageVerb::Upgrade) {
            return Ok(());
        }
        let found = self.items.iter().map(|item| self.installed(host, item)).collect::<Result<Vec<_>>>()?;
        // where commands are not run, nothing has changed, and the change is taken as made
        let is_as_before = |(item, found): (&PackageItem, &Vec<String>)| item.from.as_ref() == found.first();
        if let Some(overlay) = host.as_overlay().filter(|overlay| !overlay.runs_commands())
            && self.items.iter().zip(&found).all(is_as_before)
        {
            return self.assume(overlay);
        }
        let differs = |(item, found): &(&PackageItem, Vec<String>)| {
            item.to.as_ref().is_some_and(|to| !found.iter().any(|version| self.is_version(version, to)))
        };
        let differs = self.items.iter().zip(found).find(differs);
        differs.map_or(Ok(()), |(item, found)| Err(self.refused(item, &found)))
    }

    /// Whether an installed version is the announced one; of rpm's versions the release and the epoch may be left out.
    fn is_version(&self, installed: &str, announced: &str) -> bool {
        if let (Manager::Portage, Some(base)) = (self.manager, announced.strip_prefix('~')) {
            // any revision of it
            return installed.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with("-r"));
        }
        if self.manager != Manager::Rpm {
            return installed == announced;
        }
        let plain = installed.split_once(':').map_or(installed, |(_, version)| version);
        let fits = |version: &str| {
            version.strip_prefix(announced).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        fits(installed) || fits(plain)
    }

    fn installed(&self, host: &dyn Host, item: &PackageItem) -> Result<Vec<String>> {
        self.manager.installed(host, item.real.as_ref().unwrap_or(&item.name))
    }

    /// The error of a package that is not there as announced although nothing has failed.
    fn refused(&self, item: &PackageItem, found: &[String]) -> ChangeError {
        let found = if found.is_empty() { "none".to_string() } else { found.join(", ") };
        let commands: Vec<String> = self.commands.iter().map(Command::shown).collect();
        let message = format!(
            "version {} of package {} was to be installed, but {found} is installed after {} ended without an error; a hold, a pin or an option may keep the package manager from it",
            item.to.as_deref().unwrap_or_default(),
            item.name,
            commands.join(" and ")
        );
        ChangeError::raise("Chef::Exceptions::Package", message)
    }

    pub(crate) fn assume(&self, overlay: &OverlayHost) -> Result<()> {
        use rchef_host::Queries;
        for item in &self.items {
            let name = item.real.as_ref().unwrap_or(&item.name);
            if self.assume_elsewhere(overlay, name, item)? {
                continue;
            }
            let known = overlay.package(name)?.unwrap_or_else(|| Package {
                name: name.clone(),
                want: "install".into(),
                flag: "ok".into(),
                ..Package::default()
            });
            let changed = match self.verb {
                PackageVerb::Install | PackageVerb::Upgrade => {
                    let version = item.to.clone().unwrap_or(known.version);
                    let (version, architecture) = match version.rsplit_once('.') {
                        Some((version, architecture)) if self.manager == Manager::Dnf => {
                            (version.to_string(), architecture.to_string())
                        }
                        _ => (version, known.architecture),
                    };
                    Some(Package { version, architecture, state: "installed".into(), ..known })
                }
                PackageVerb::Remove => {
                    Some(Package { want: "deinstall".into(), state: "config-files".into(), ..known })
                }
                PackageVerb::Purge => None,
                PackageVerb::Lock => Some(Package { want: "hold".into(), ..known }),
                PackageVerb::Unlock => Some(Package { want: "install".into(), ..known }),
                // what debconf knows is not part of what dpkg knows
                PackageVerb::Preseed | PackageVerb::Reconfigure => continue,
            };
            overlay.assume_package(name, changed);
        }
        if overlay.simulates() {
            brought::assume(self, overlay)?;
        }
        Ok(())
    }

    /// Takes a package as changed whose manager keeps no list that the overlay has; false for the others.
    fn assume_elsewhere(&self, overlay: &OverlayHost, name: &str, item: &PackageItem) -> Result<bool> {
        if !overlay.simulates() || !matches!(self.manager, Manager::Snap | Manager::Pacman | Manager::Portage) {
            return Ok(false);
        }
        let there = match self.verb {
            PackageVerb::Install | PackageVerb::Upgrade => item.to.as_deref().map(|to| to.trim_start_matches('~')),
            PackageVerb::Remove | PackageVerb::Purge => None,
            _ => return Ok(true),
        };
        match (self.manager, there) {
            (Manager::Snap, Some(version)) => {
                let table = format!("Name  Version  Rev  Tracking  Publisher  Notes\n{name}  {version}  -  -  -  -\n");
                overlay.assume_answer(format!("snap list {name}").as_bytes(), Answer::output(table), false);
            }
            (Manager::Snap, None) => {
                let stderr = b"error: no matching snaps installed\n".to_vec();
                let answer = Answer { stdout: Vec::new(), stderr, code: 1 };
                overlay.assume_answer(format!("snap list {name}").as_bytes(), answer, false);
            }
            (Manager::Pacman, version) => assume_pacman(overlay, name, version)?,
            (_, version) => {
                let base = name.rsplit('/').next().unwrap_or(name);
                let mut category = name.rsplit_once('/').map(|(category, _)| category.to_string());
                for (other, old) in portage_versions(overlay, name)? {
                    compose::remove_dir_all(overlay, format!("{DATABASE}/{other}/{base}-{old}").as_bytes())?;
                    category.get_or_insert(other);
                }
                // without a category only Portage knows where it goes
                if let (Some(version), Some(category)) = (version, category) {
                    let path = format!("{DATABASE}/{category}/{base}-{version}");
                    compose::create_dir_all(overlay, path.as_bytes(), 0o755)?;
                }
            }
        }
        Ok(true)
    }

    pub(crate) fn describe(&self) -> Description {
        let why = match self.verb {
            PackageVerb::Install if self.items.iter().all(|item| item.from.is_none()) => Why::Absent,
            PackageVerb::Remove | PackageVerb::Purge => Why::Present,
            _ => Why::Differs,
        };
        let kind = match self.verb {
            PackageVerb::Install => "install_packages",
            PackageVerb::Upgrade => "upgrade_packages",
            PackageVerb::Remove => "remove_packages",
            PackageVerb::Purge => "purge_packages",
            PackageVerb::Lock => "lock_packages",
            PackageVerb::Unlock => "unlock_packages",
            PackageVerb::Preseed => "preseed_packages",
            PackageVerb::Reconfigure => "reconfigure_packages",
        };
        let description = Description::new(kind, &self.shown, why);
        self.items
            .iter()
            .fold(description, |description, item| description.with(&item.name, item.from.clone(), item.to.clone()))
    }
}
