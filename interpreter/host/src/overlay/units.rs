//! Files of systemd's units: where they are, what they say, and the links by which one is enabled.

use super::OverlayHost;
use crate::compose::{create_dir_all, read_file};
use crate::error::Result;
use crate::files::{Files, join};
use crate::queries::{ServiceState, unit_name};

/// Where unit files are, the first ones before the others: systemd.unit(5), Unit File Load Path.
const FOLDERS: [&str; 5] = [
    "/etc/systemd/system",
    "/run/systemd/system",
    "/usr/local/lib/systemd/system",
    "/lib/systemd/system",
    "/usr/lib/systemd/system",
];

/// The settings of a unit file and its drop-ins, in the order in which systemd reads them.
///
/// # Errors
/// A file cannot be read.
pub fn unit_settings(files: &(impl Files + ?Sized), unit: &str, fragment: &str) -> Result<Vec<(String, String)>> {
    let mut texts = vec![read_file(files, fragment.as_bytes())?];
    for place in ["/usr/lib", "/usr/local/lib", "/run", "/etc"] {
        let folder = format!("{place}/systemd/system/{unit}.d");
        let entries = files.readdir(folder.as_bytes()).unwrap_or_default();
        let mut names: Vec<Vec<u8>> = entries.into_iter().map(|entry| entry.name).collect();
        names.retain(|name| name.ends_with(b".conf"));
        names.sort();
        for name in names {
            texts.push(read_file(files, &join(folder.as_bytes(), &name))?);
        }
    }
    let texts: Vec<String> = texts.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect();
    let settings = texts.iter().flat_map(|text| text.lines()).filter_map(|line| line.trim().split_once('='));
    Ok(settings.map(|(key, value)| (key.trim_end().to_string(), value.trim_start().to_string())).collect())
}

/// The links of an enabled unit below `/etc/systemd/system`: those by which its targets want it, and its other names.
fn links(settings: &[(String, String)], unit: &str) -> (Vec<String>, Vec<String>) {
    let (mut wanted, mut names) = (Vec::new(), Vec::new());
    for (key, value) in settings {
        for word in value.split_whitespace().filter(|word| !word.contains(['%', '/'])) {
            match key.as_str() {
                "WantedBy" => wanted.push(format!("{word}.wants/{unit}")),
                "RequiredBy" => wanted.push(format!("{word}.requires/{unit}")),
                "Alias" if word != unit => names.push(word.to_string()),
                _ => {}
            }
        }
    }
    (wanted, names)
}

impl OverlayHost {
    /// The other names that a unit has once it is enabled.
    pub fn unit_aliases(&self, unit: &str, fragment: &str) -> Vec<String> {
        self.quietly(|| links(&unit_settings(self, unit, fragment).unwrap_or_default(), unit).1)
    }

    /// Makes the links by which a unit is enabled, with the states of its other names, or takes them away.
    pub(super) fn assume_links(&self, unit: &str, state: &mut ServiceState, enabled: bool) {
        let unit = unit_name(unit);
        if state.fragment.is_empty()
            && let Some(planned) = self.planned_unit(&unit)
        {
            (state.fragment, state.load) = (planned.fragment, planned.load);
        }
        if state.fragment.is_empty() {
            return;
        }
        let settings = self.quietly(|| unit_settings(self, &unit, &state.fragment).unwrap_or_default());
        let (wanted, names) = links(&settings, &unit);
        self.quietly(|| {
            self.with_all_rights(|| {
                for link in wanted.iter().chain(&names) {
                    let path = format!("{}/{link}", FOLDERS[0]);
                    let there = Files::lstat(self, path.as_bytes());
                    if enabled && there.is_err() {
                        let folder = crate::files::dirname(path.as_bytes());
                        let _ = create_dir_all(self, folder, 0o755);
                        let _ = self.symlink(state.fragment.as_bytes(), path.as_bytes());
                    } else if !enabled && there.is_ok_and(|stat| stat.is_symlink()) {
                        let _ = self.unlink(path.as_bytes());
                    }
                }
            });
        });
        for name in names {
            let state = if enabled {
                ServiceState { load: "loaded".into(), ..state.clone() }
            } else {
                ServiceState { load: "not-found".into(), active: "inactive".into(), ..ServiceState::default() }
            };
            self.assume_service(&name, state);
        }
    }

    /// The state of a unit that only the overlay has a file of.
    pub(super) fn planned_unit(&self, name: &str) -> Option<ServiceState> {
        let id = unit_name(name);
        // an instance is what its template says
        let template = id
            .split_once('@')
            .and_then(|(stem, rest)| rest.rsplit_once('.').map(|(_, suffix)| format!("{stem}@.{suffix}")));
        let names: Vec<&String> = std::iter::once(&id).chain(&template).collect();
        let mut paths = FOLDERS.iter().flat_map(|folder| names.iter().map(move |name| format!("{folder}/{name}")));
        let (fragment, text) =
            self.quietly(|| paths.find_map(|path| Some((path.clone(), read_file(self, path.as_bytes()).ok()?))))?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let installs = text.lines().any(|line| line.trim() == "[Install]");
        let is_enabled = self.quietly(|| {
            let wanted = text.lines().filter_map(|line| {
                let (key, targets) = line.split_once('=')?;
                let folder = match key.trim() {
                    "WantedBy" => "wants",
                    "RequiredBy" => "requires",
                    _ => return None,
                };
                let paths = targets.split_whitespace().map(|target| format!("{}/{target}.{folder}/{id}", FOLDERS[0]));
                Some(paths.collect::<Vec<_>>())
            });
            wanted.flatten().any(|path| Files::lstat(self, path.as_bytes()).is_ok())
        });
        let unit_file = match (installs, is_enabled) {
            (_, true) => "enabled",
            (true, false) => "disabled",
            (false, false) => "static",
        };
        Some(ServiceState {
            load: "loaded".into(),
            active: "inactive".into(),
            sub: "dead".into(),
            unit_file: unit_file.into(),
            fragment,
            id,
            ..ServiceState::default()
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a failure is the test's
    use super::*;
    use crate::compose::write_file;
    use crate::overlay::{Policy, skeleton};
    use crate::{OverlayOptions, Queries, RealHost};

    #[test]
    fn an_enabled_unit_has_its_links() {
        let options = OverlayOptions { policy: Policy::Simulate, ..OverlayOptions::default() };
        let host = OverlayHost::empty(std::rc::Rc::new(RealHost::new()), &skeleton::linux(), options).unwrap();
        let text = b"[Install]\nWantedBy=multi-user.target\nAlias=y.service x.service\n";
        create_dir_all(&host, b"/usr/local/lib/systemd/system", 0o755).unwrap();
        write_file(&host, b"/usr/local/lib/systemd/system/x.service", text, 0o644).unwrap();
        assert_eq!(host.services(&["x"]).unwrap()["x"].unit_file, "disabled");
        assert!(host.assume_unit_verb("enable", "x"));
        for name in ["x", "y"] {
            let state = &host.services(&[name]).unwrap()[name];
            assert_eq!((state.unit_file.as_str(), state.load.as_str()), ("enabled", "loaded"), "{name}");
        }
        let link = b"/etc/systemd/system/multi-user.target.wants/x.service";
        assert_eq!(host.readlink(link).unwrap(), b"/usr/local/lib/systemd/system/x.service");
        assert_eq!(
            host.readlink(b"/etc/systemd/system/y.service").unwrap(),
            b"/usr/local/lib/systemd/system/x.service"
        );
        assert!(host.assume_unit_verb("disable", "x"));
        assert!(host.lstat(link).is_err() && host.lstat(b"/etc/systemd/system/y.service").is_err());
        assert_eq!(host.services(&["y"]).unwrap()["y"].load, "not-found");
    }
}
