//! Packages.

use crate::command::forget_answers;
use crate::{Command, Description, Result, Why};
use rchef_host::queries::Package;
use rchef_host::{Host, OverlayHost};

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
        }
    }
}

/// One package of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageItem {
    /// Its name.
    pub name: String,
    /// The installed version.
    pub from: Option<String>,
    /// The version to be installed; absent where none is to remain.
    pub to: Option<String>,
}

/// A change of packages, by one command of their manager.
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
    /// What does it.
    pub command: Command,
}

impl PackageChange {
    pub(crate) fn apply(&self, host: &dyn Host) -> Result<()> {
        let result = self.command.run(host);
        forget_answers(host);
        result.map(drop)
    }

    pub(crate) fn assume(&self, overlay: &OverlayHost) -> Result<()> {
        use rchef_host::Queries;
        for item in &self.items {
            let known = overlay.package(&item.name)?.unwrap_or_else(|| Package {
                name: item.name.clone(),
                want: "install".into(),
                flag: "ok".into(),
                ..Package::default()
            });
            let changed = match self.verb {
                PackageVerb::Install | PackageVerb::Upgrade => Some(Package {
                    version: item.to.clone().unwrap_or(known.version),
                    state: "installed".into(),
                    ..known
                }),
                PackageVerb::Remove => {
                    Some(Package { want: "deinstall".into(), state: "config-files".into(), ..known })
                }
                PackageVerb::Purge => None,
                PackageVerb::Lock => Some(Package { want: "hold".into(), ..known }),
                PackageVerb::Unlock => Some(Package { want: "install".into(), ..known }),
            };
            overlay.assume_package(&item.name, changed);
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
        };
        let description = Description::new(kind, &self.shown, why);
        self.items
            .iter()
            .fold(description, |description, item| description.with(&item.name, item.from.clone(), item.to.clone()))
    }
}
