//! Packages.

use crate::brought;
use crate::command::forget_installed;
use crate::{ChangeError, Command, Description, Result, Why};
use rchef_host::queries::Package;
use rchef_host::{Host, OverlayHost};

use crate::manager::assume_dnf_lock;
pub use crate::manager::{Manager, dnf_locks, portage_versions, snap_version};

/// The type of a change of packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackageVerb {
    Install,
    /// Install, or upgrade to a newer version.
    Upgrade,
    Remove,
    /// Remove with configuration files.
    Purge,
    /// Lock at the current version.
    Lock,
    Unlock,
    /// Load debconf answers before an installation.
    Preseed,
    /// Load debconf answers, and reconfigure installed packages with them.
    Reconfigure,
}

impl PackageVerb {
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

/// A package in a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackageItem {
    pub name: String,
    /// The manager's name of the package if different: the package that provides a virtual one.
    pub real: Option<String>,
    pub from: Option<String>,
    /// The version to install; None for a removal.
    pub to: Option<String>,
}

/// A change of packages by their manager.
#[derive(Clone, Debug)]
pub struct PackageChange {
    pub verb: PackageVerb,
    pub items: Vec<PackageItem>,
    /// The packages as given in the resource.
    pub shown: String,
    /// The version as given in the resource.
    pub version: Option<String>,
    /// Whether an upgrade may install an older version.
    pub may_downgrade: bool,
    /// The manager to query for installed versions afterwards.
    pub manager: Manager,
    /// The commands, in order.
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
        // in a run that executes no commands, nothing has changed, so the change is assumed
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

    /// Whether an installed version is the announced one; for rpm, the release and the epoch may be omitted.
    fn is_version(&self, installed: &str, announced: &str) -> bool {
        if let (Manager::Portage, Some(base)) = (self.manager, announced.strip_prefix('~')) {
            // matches any revision of the version
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

    /// The error for a package that is not installed as announced although no command has failed.
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
        // maintainer scripts get the previous versions as arguments
        if overlay.simulates() {
            brought::assume_packages(self, overlay)?;
        }
        for item in &self.items {
            let name = item.real.as_ref().unwrap_or(&item.name);
            let there = match self.verb {
                PackageVerb::Install | PackageVerb::Upgrade => Some(item.to.as_deref()),
                PackageVerb::Remove | PackageVerb::Purge => Some(None),
                _ => None,
            };
            if overlay.simulates()
                && let Some(version) = there
                && self.manager.assume(overlay, name, version)?
            {
                continue;
            }
            if self.manager == Manager::Dnf && matches!(self.verb, PackageVerb::Lock | PackageVerb::Unlock) {
                let version = item.from.as_deref().filter(|_| self.verb == PackageVerb::Lock);
                assume_dnf_lock(overlay, name, version)?;
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
                // debconf's database is not part of dpkg's
                PackageVerb::Preseed | PackageVerb::Reconfigure => continue,
            };
            overlay.assume_package(name, changed);
        }
        Ok(())
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
