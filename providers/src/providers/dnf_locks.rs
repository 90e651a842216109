//! The locks of dnf 4's plugin `versionlock`. The plugin applies them when dnf resolves a transaction but not when dnf is queried for available
//! packages, so they have to be applied to the answers here. dnf 5 applies its locks to queries, too.

use super::dnf_package::matches;
use super::support::*;
use rchef_change::package::dnf_locks;
use rchef_host::queries::Rpm;
use rchef_host::{Host, compose};

/// The version locks of a machine.
#[derive(Default)]
pub(crate) struct Locks {
    kept: Vec<String>,
    excluded: Vec<String>,
}

/// Whether a pattern, in any form that dnf accepts for a package, matches this one.
fn means(pattern: &str, rpm: &Rpm) -> bool {
    let Rpm { name, epoch, version, release, architecture } = rpm;
    let forms = [
        format!("{name}-{epoch}:{version}-{release}.{architecture}"),
        format!("{name}-{epoch}:{version}-{release}"),
        format!("{name}-{version}-{release}.{architecture}"),
        format!("{name}-{version}-{release}"),
        format!("{name}-{epoch}:{version}"),
        format!("{name}-{version}"),
        format!("{name}.{architecture}"),
        name.clone(),
    ];
    forms.iter().any(|form| matches(pattern, form))
}

/// Whether a lock is one of the package of this name. dnf takes a pattern in all its forms: `a-b` is the package of that name, and version `b` of `a`.
/// A package is locked by a pattern whose version nothing has, too.
fn locks(pattern: &str, name: &str) -> bool {
    let architecture = pattern.rsplit_once('.').map(|(name, _)| name);
    let version = pattern.rsplit_once('-').map(|(name, _)| name);
    let release = version.and_then(|rest| rest.rsplit_once('-')).map(|(name, _)| name);
    let names = [Some(pattern), architecture, version, release];
    names.into_iter().flatten().any(|found| !found.is_empty() && matches(found, name))
}

impl Locks {
    /// The locks in the plugin's list; empty if the plugin is not installed or not enabled.
    pub fn load(host: &dyn Host) -> Looked<Locks> {
        let list = match dnf_locks(host)? {
            Some(place) => compose::read_opt(host, place.as_bytes())?,
            None => None,
        };
        let list = lossy(&list.unwrap_or_default());
        let lines = list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let (excluded, kept) = lines.map(str::to_string).partition(|line| line.starts_with('!'));
        Ok(Locks { kept, excluded })
    }

    pub fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.excluded.is_empty()
    }

    /// Removes from `offered` what the locks do not allow: other versions of a locked package, and excluded packages.
    pub fn apply(&self, offered: &mut Vec<Rpm>) {
        let is_allowed = |rpm: &Rpm| {
            let mut of_name = self.kept.iter().filter(|pattern| locks(pattern, &rpm.name)).peekable();
            let is_free = of_name.peek().is_none() || of_name.any(|pattern| means(pattern, rpm));
            is_free && !self.excluded.iter().any(|pattern| means(pattern.trim_start_matches(['!', ' ']), rpm))
        };
        offered.retain(is_allowed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rpm(name: &str, version: &str) -> Rpm {
        let [name, epoch, version, release, architecture] = [name, "0", version, "1", "noarch"].map(str::to_string);
        Rpm { name, epoch, version, release, architecture }
    }

    #[test]
    fn what_stays() {
        let cases: [(&[&str], &[&str], &[&str]); 8] = [
            (&[], &[], &["1.0", "2.0"]),
            (&["a-0:1.0-1.*"], &[], &["1.0"]),
            (&["a-0:3.0-1.*"], &[], &[]),
            (&["a-b"], &[], &[]),
            (&["a.*"], &[], &["1.0", "2.0"]),
            (&["a-0:1.0-1.*", "a-2.*"], &[], &["1.0", "2.0"]),
            (&["ab-0:1.0-1.*"], &["!a-0:2.0-1.*"], &["1.0"]),
            (&[], &["! a"], &[]),
        ];
        for (kept, excluded, left) in cases {
            let texts = |lines: &[&str]| lines.iter().map(|line| (*line).to_string()).collect();
            let locks = Locks { kept: texts(kept), excluded: texts(excluded) };
            let mut offered = vec![rpm("a", "1.0"), rpm("a", "2.0")];
            locks.apply(&mut offered);
            let versions: Vec<&str> = offered.iter().map(|rpm| rpm.version.as_str()).collect();
            assert_eq!(versions, left, "{kept:?} {excluded:?}");
        }
        // an installed package can be locked to a version that is not offered
        let locks = Locks { kept: vec!["a-0:0.9-1.*".into()], excluded: Vec::new() };
        let mut offered = vec![rpm("a", "1.0")];
        locks.apply(&mut offered);
        assert!(offered.is_empty());
    }
}
