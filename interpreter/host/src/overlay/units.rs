//! systemd's unit files: their locations, their settings, and the links that enable units.

use super::OverlayHost;
use super::doubt::DoubtKind;
use crate::compose::{Finish, create_dir_all, exists, read_file, set_access};
use crate::error::Result;
use crate::files::{Files, join};
use crate::queries::{Queries, ServiceState, unit_name};
use crate::users::Users;
use std::collections::BTreeMap;

/// Directories of unit files, highest precedence first: systemd.unit(5), Unit File Load Path.
const FOLDERS: [&str; 5] = [
    "/etc/systemd/system",
    "/run/systemd/system",
    "/usr/local/lib/systemd/system",
    "/lib/systemd/system",
    "/usr/lib/systemd/system",
];

/// Settings in the section `[Install]`.
const OF_INSTALL: [&str; 6] = ["Alias", "Also", "DefaultInstance", "RequiredBy", "UpheldBy", "WantedBy"];

/// The settings of a unit file and its drop-ins, in the order in which systemd reads them; settings in the wrong section are omitted.
///
/// # Errors
/// A file cannot be read.
pub fn unit_settings(files: &(impl Files + ?Sized), unit: &str, fragment: &str) -> Result<Vec<(String, String)>> {
    let mut paths = vec![fragment.as_bytes().to_vec()];
    paths.extend(drop_ins(files, unit));
    let mut settings = Vec::new();
    for path in paths {
        let text = read_file(files, &path)?;
        settings.extend(settings_of(&String::from_utf8_lossy(&text)));
    }
    Ok(settings)
}

/// The drop-ins of a unit, by name. Of several with the same name the most specific one is used, and then the one in the first directory.
fn drop_ins(files: &(impl Files + ?Sized), unit: &str) -> Vec<Vec<u8>> {
    let mut names: Vec<&str> = unit.rsplit_once('.').map(|(_, suffix)| suffix).into_iter().collect();
    let template = template_of(unit);
    names.extend(template.as_deref());
    names.push(unit);
    let mut found: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
    for name in names {
        for place in FOLDERS.iter().rev() {
            let folder = format!("{place}/{name}.d");
            for entry in files.readdir(folder.as_bytes()).unwrap_or_default() {
                if entry.name.ends_with(b".conf") {
                    let path = join(folder.as_bytes(), &entry.name);
                    found.insert(entry.name, path);
                }
            }
        }
    }
    found.into_values().collect()
}

/// The template of a unit instance.
fn template_of(unit: &str) -> Option<String> {
    let (stem, rest) = unit.split_once('@')?;
    rest.rsplit_once('.').map(|(_, suffix)| format!("{stem}@.{suffix}"))
}

/// The settings in a unit file: systemd.syntax(7).
fn settings_of(text: &str) -> Vec<(String, String)> {
    let (mut settings, mut section, mut begun) = (Vec::new(), String::new(), String::new());
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(more) = line.strip_suffix('\\') {
            begun += more;
            begun.push(' ');
            continue;
        }
        let line = std::mem::take(&mut begun) + line;
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = name.to_string();
        } else if let Some((key, value)) = line.split_once('=') {
            let (key, value) = (key.trim_end(), value.trim());
            let counts = match section.as_str() {
                "Install" => OF_INSTALL.contains(&key),
                "Unit" => true,
                _ => !key.starts_with("Condition") && !key.starts_with("Assert"),
            };
            if counts && (section == "Install" || !OF_INSTALL.contains(&key)) {
                settings.push((key.to_string(), value.to_string()));
            }
        }
    }
    settings
}

/// What enabling a unit does.
#[derive(Default)]
struct Links {
    /// Links below `/etc/systemd/system` through which targets want the unit.
    wanted: Vec<String>,
    names: Vec<String>,
    /// Units that are enabled as well (`Also`).
    along: Vec<String>,
}

fn links(settings: &[(String, String)], unit: &str) -> Links {
    let mut links = Links::default();
    // a template is enabled as the instance that it names
    let instance = unit.split_once("@.").map(|(name, kind)| {
        let default = settings.iter().rfind(|(key, _)| key == "DefaultInstance").map(|(_, value)| value.trim());
        default.filter(|default| !default.is_empty()).map(|default| format!("{name}@{default}.{kind}"))
    });
    let Some(unit) = instance.unwrap_or_else(|| Some(unit.to_string())) else { return links };
    for (key, value) in settings {
        let list = match key.as_str() {
            "WantedBy" | "RequiredBy" => &mut links.wanted,
            "Alias" => &mut links.names,
            "Also" => &mut links.along,
            _ => continue,
        };
        if value.is_empty() {
            // an empty value clears the list
            list.clear();
        }
        for word in value.split_whitespace().filter(|word| !word.contains(['%', '/']) && *word != unit) {
            list.push(match key.as_str() {
                "WantedBy" => format!("{word}.wants/{unit}"),
                "RequiredBy" => format!("{word}.requires/{unit}"),
                _ => word.to_string(),
            });
        }
    }
    links
}

impl OverlayHost {
    /// The aliases of a unit once it is enabled.
    pub fn unit_aliases(&self, unit: &str, fragment: &str) -> Vec<String> {
        self.quietly(|| links(&unit_settings(self, unit, fragment).unwrap_or_default(), unit).names)
    }

    /// Creates or removes the links that enable a unit, with the states of its aliases.
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
        let Links { wanted, names, along } = links(&settings, &unit);
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
        // set before the other units, because two units may name each other
        self.assume_service(&unit, state.clone());
        for name in along {
            let found = self.services(&[&name]).unwrap_or_default().remove(&name).unwrap_or_default();
            if (found.unit_file == "enabled") != enabled && !found.fragment.is_empty() {
                self.assume_unit_verb(if enabled { "enable" } else { "disable" }, &name);
            }
        }
    }

    /// Creates the directories that systemd creates when a unit starts (`StateDirectory` etc.), and those that its program is known to create; false
    /// if some are unknown.
    ///
    /// # Errors
    /// A file of the unit cannot be read, or a directory cannot be made.
    pub fn unit_directories(&self, unit: &str, fragment: &str) -> Result<bool> {
        const KINDS: [(&str, &str); 5] = [
            ("StateDirectory", "/var/lib"),
            ("LogsDirectory", "/var/log"),
            ("CacheDirectory", "/var/cache"),
            ("ConfigurationDirectory", "/etc"),
            ("RuntimeDirectory", "/run"),
        ];
        let settings = unit_settings(self, unit, fragment)?;
        let value = |key: &str| settings.iter().rfind(|(name, _)| name == key).map(|(_, value)| value.clone());
        let is_dynamic = value("DynamicUser").is_some_and(|value| ["yes", "true", "on", "1"].contains(&value.as_str()));
        let user = value("User").map(|name| self.user_by_name(name.as_bytes())).transpose()?;
        let group = value("Group").map(|name| self.group_by_name(name.as_bytes())).transpose()?;
        // the owner is unknown
        let mut known = !is_dynamic && user != Some(None) && group != Some(None);
        let (user, group) = (user.flatten(), group.flatten());
        for (kind, parent) in KINDS {
            let mode = value(&format!("{kind}Mode")).and_then(|mode| u32::from_str_radix(&mode, 8).ok());
            let owned = kind != "ConfigurationDirectory";
            let uid = user.as_ref().map(|user| user.uid).filter(|_| owned);
            let gid = group.as_ref().map(|group| group.gid).or(user.as_ref().map(|user| user.gid)).filter(|_| owned);
            let names = settings.iter().filter(|(name, _)| name == kind).map(|(_, value)| value);
            // an empty value clears the list
            let names = names
                .fold(String::new(), |all, value| if value.is_empty() { String::new() } else { all + " " + value });
            for name in names.split_whitespace() {
                if is_dynamic || name.contains(['%', ':']) {
                    known = false;
                    continue;
                }
                let path = format!("{parent}/{name}");
                create_dir_all(self, path.as_bytes(), 0o755)?;
                let access = Finish { mode: mode.or(Some(0o755)), uid, gid, ..Finish::default() };
                set_access(self, path.as_bytes(), access, true)?;
            }
        }
        if unit == "apache2.service" {
            self.make_apache_directories()?;
        }
        Ok(known)
    }

    /// Assumes the effects of starting a unit.
    pub(super) fn assume_started(&self, unit: &str, fragment: &str) {
        let unit = unit_name(unit);
        let planned = if fragment.is_empty() { self.planned_unit(&unit) } else { None };
        let fragment = planned.map_or_else(|| fragment.to_string(), |planned| planned.fragment);
        if !self.simulates() || fragment.is_empty() {
            return;
        }
        let known = self.quietly(|| self.with_all_rights(|| self.unit_directories(&unit, &fragment)));
        if known.is_ok_and(|known| !known) {
            self.doubt(DoubtKind::Effects, format!("the start of {unit}").as_bytes());
        }
    }

    /// The state of a unit whose file may exist only in the overlay.
    pub(super) fn planned_unit(&self, name: &str) -> Option<ServiceState> {
        let id = unit_name(name);
        // an instance uses the file of its template
        let template = template_of(&id);
        let names: Vec<&String> = std::iter::once(&id).chain(&template).collect();
        let mut paths = FOLDERS.iter().flat_map(|folder| names.iter().map(move |name| format!("{folder}/{name}")));
        let fragment = self.quietly(|| paths.find(|path| exists(self, path.as_bytes())))?;
        let settings = self.quietly(|| unit_settings(self, &id, &fragment).ok())?;
        let installs = settings.iter().any(|(key, _)| OF_INSTALL.contains(&key.as_str()));
        let Links { wanted, names, .. } = links(&settings, &id);
        let is_enabled = self.quietly(|| {
            let mut paths = wanted.iter().chain(&names).map(|link| format!("{}/{link}", FOLDERS[0]));
            paths.any(|path| Files::lstat(self, path.as_bytes()).is_ok())
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
    use crate::{OverlayOptions, RealHost};

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

    fn machine(texts: &[(&str, &str)]) -> OverlayHost {
        let options = OverlayOptions { policy: Policy::Simulate, ..OverlayOptions::default() };
        let host = OverlayHost::empty(std::rc::Rc::new(RealHost::new()), &skeleton::linux(), options).unwrap();
        for (path, text) in texts {
            create_dir_all(&host, crate::files::dirname(path.as_bytes()), 0o755).unwrap();
            write_file(&host, path.as_bytes(), text.as_bytes(), 0o644).unwrap();
        }
        host
    }

    #[test]
    fn sections_and_lines_that_go_on() {
        let text = "[Unit]\nAlias=z.service\n[Install]\nWantedBy=a.target \\\n# not this\n b.target\nAlias=old.service\n\
            Alias=\nAlso=x.socket\n[Service]\nConditionPathExists=/x\n";
        let host = machine(&[
            ("/usr/lib/systemd/system/x.service", text),
            ("/usr/lib/systemd/system/x.socket", "[Install]\nWantedBy=sockets.target\nAlso=x.service\n"),
        ]);
        assert!(host.assume_unit_verb("enable", "x"));
        let there = |path: &str| host.lstat(format!("/etc/systemd/system/{path}").as_bytes()).is_ok();
        assert!(there("a.target.wants/x.service") && there("b.target.wants/x.service"));
        assert!(there("sockets.target.wants/x.socket"));
        assert!(!there("z.service") && !there("old.service"));
        let fragment = "/usr/lib/systemd/system/x.service";
        let settings = unit_settings(&host, "x.service", fragment).unwrap();
        assert!(!settings.iter().any(|(key, _)| key.starts_with("Condition")));
    }

    #[test]
    fn the_first_drop_in_of_a_name_counts() {
        let host = machine(&[
            ("/usr/lib/systemd/system/x.service", "[Service]\nA=0\n"),
            ("/usr/lib/systemd/system/x.service.d/a.conf", "[Service]\nA=1\n"),
            ("/etc/systemd/system/x.service.d/a.conf", "[Service]\nA=2\n"),
            ("/etc/systemd/system/service.d/b.conf", "[Service]\nA=4\n"),
            ("/lib/systemd/system/x.service.d/c.conf", "[Service]\nA=3\n"),
        ]);
        let settings = unit_settings(&host, "x.service", "/usr/lib/systemd/system/x.service").unwrap();
        let values: Vec<&str> = settings.iter().map(|(_, value)| value.as_str()).collect();
        assert_eq!(values, ["0", "2", "4", "3"]);
    }

    #[test]
    fn the_start_of_a_unit_makes_its_directories() {
        let host = machine(&[
            ("/usr/lib/systemd/system/x.service", "[Service]\nStateDirectory=x\n"),
            ("/usr/lib/systemd/system/y.service", "[Service]\nStateDirectory=y:alias\n"),
            ("/usr/lib/systemd/system/z.service", "[Service]\nUser=nobody-here\nStateDirectory=z\n"),
        ]);
        assert!(host.assume_unit_verb("start", "x"));
        assert!(host.stat(b"/var/lib/x").unwrap().is_dir() && host.take_doubts().is_empty());
        for unit in ["y", "z"] {
            assert!(host.assume_unit_verb("start", unit));
            assert_eq!(host.take_doubts().len(), 1, "{unit}");
        }
    }
}
