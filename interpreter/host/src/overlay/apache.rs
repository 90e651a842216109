//! The effects of Debian's `a2enmod`, `a2ensite` and related programs: links from the enabled modules, sites and configurations of Apache to the
//! available ones, and records of who enabled what (`/var/lib/apache2`); and the directories that Apache creates.

use super::OverlayHost;
use crate::compose::{Finish, create_dir_all, exists, lstat_opt, read_file, set_access, write_file};
use crate::error::Result;
use crate::files::Files;
use crate::options::parsed;
use crate::users::Users;

/// Modules that `a2dismod` disables only after confirmation.
const ESSENTIAL: &str = "alias auth_basic authn_file authz_host authz_user autoindex deflate dir env filter logio mime negotiation setenvif unixd version watchdog";

/// Modules for which more happens than making links, or depending on the running server.
const SPECIAL: &[&str] = &["cgi", "cache_disk"];

/// The file of Apache's variables.
const ENVIRONMENT: &[u8] = b"/etc/apache2/envvars";

/// Directories that Apache creates when it starts; they belong to its user.
const MADE: [&str; 2] = ["/var/run/apache2/socks", "/var/lock/apache2"];

/// Maximum depth of dependencies.
const DEPTH: usize = 20;

/// A call of one of these programs.
struct Request {
    enables: bool,
    /// `module`, `site` or `conf`.
    object: &'static str,
    /// The directory of available ones.
    available: &'static str,
    enabled: &'static str,
    suffix: &'static str,
    forced: bool,
    by: &'static str,
}

impl OverlayHost {
    /// Assumes the effects of one of these programs; false if it is another program, the effects are unknown, or it would fail.
    pub fn assume_apache(&self, program: &str, words: &[&str]) -> bool {
        let (verb, object) = match (program.strip_prefix("a2en"), program.strip_prefix("a2dis")) {
            (Some(object), _) => (true, object),
            (_, Some(object)) => (false, object),
            _ => return false,
        };
        let (object, available, enabled, suffix) = match object {
            "mod" => ("module", "/etc/apache2/mods-available", "/etc/apache2/mods-enabled", ".load"),
            "site" => ("site", "/etc/apache2/sites-available", "/etc/apache2/sites-enabled", ".conf"),
            "conf" => ("conf", "/etc/apache2/conf-available", "/etc/apache2/conf-enabled", ".conf"),
            _ => return false,
        };
        let Some(given) = parsed("qfm", "quiet force maintmode", false, words) else { return false };
        let by = if given.has(&["m", "maintmode"]) { "maint" } else { "admin" };
        let forced = given.has(&["f", "force"]);
        let request = Request { enables: verb, object, available, enabled, suffix, forced, by };
        let names: Vec<&str> = given.operands.iter().map(|word| word.strip_suffix(suffix).unwrap_or(word)).collect();
        !names.is_empty()
            && !names.iter().any(|name| name.contains(['*', '?', '[', '/']))
            && !self.has_own_apache_folders()
            && self.quietly(|| self.with_all_rights(|| names.iter().all(|name| self.switch(&request, name, DEPTH))))
    }

    /// Assumes that one name is enabled or disabled; false if the effects are unknown.
    fn switch(&self, request: &Request, name: &str, depth: usize) -> bool {
        let target = format!("{}/{name}{}", request.available, request.suffix);
        let Some(depth) = depth.checked_sub(1) else { return false };
        if SPECIAL.contains(&name) || !exists(self, target.as_bytes()) {
            return false;
        }
        let mut files = vec![request.suffix];
        if request.object == "module" && exists(self, format!("{}/{name}.conf", request.available).as_bytes()) {
            files.push(".conf");
        }
        if request.enables {
            let wanted = self.told_above(&target, "Depends");
            if request.object == "module" {
                let conflicts = self.told_above(&target, "Conflicts");
                let is_enabled = |other: &String| exists(self, format!("{}/{other}.load", request.enabled).as_bytes());
                if !wanted.iter().all(|other| self.switch(request, other, depth)) || conflicts.iter().any(is_enabled) {
                    return false;
                }
            } else if !wanted
                .iter()
                .all(|module| exists(self, format!("/etc/apache2/mods-enabled/{module}.load").as_bytes()))
            {
                return false;
            }
        } else if request.object == "module"
            && (self.is_needed(request, name) || !request.forced && ESSENTIAL.split(' ').any(|known| known == name))
        {
            return false;
        }
        let mut is_marked = false;
        for suffix in files {
            let link = format!("{}/{name}{suffix}", request.enabled);
            let there = match lstat_opt(self, link.as_bytes()) {
                Ok(None) => false,
                // these programs do not touch anything but links
                Ok(Some(stat)) if stat.is_symlink() => true,
                _ => return false,
            };
            if there && request.enables {
                let file = format!("{}/{name}{suffix}", request.available);
                match self.realpath(link.as_bytes()) {
                    Ok(real) if self.realpath(file.as_bytes()).is_ok_and(|file| file == real) => continue,
                    Ok(_) => return false,
                    Err(_) if self.unlink(link.as_bytes()).is_err() => return false,
                    Err(_) => {}
                }
            } else if there == request.enables {
                continue;
            }
            // a missing link to the configuration alone is made without a record
            is_marked |= suffix == request.suffix;
            let folder = request.available.rsplit('/').next().unwrap_or_default();
            let done = if request.enables {
                self.symlink(format!("../{folder}/{name}{suffix}").as_bytes(), link.as_bytes())
            } else {
                self.unlink(link.as_bytes())
            };
            if done.is_err() {
                return false;
            }
        }
        !is_marked || self.mark(request, name)
    }

    /// A variable that Apache's environment file sets.
    fn apache_variable(&self, name: &str) -> Option<String> {
        let text = read_file(self, ENVIRONMENT).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let rows = text.lines().map(|row| row.trim_start().trim_start_matches("export ").trim_start());
        let value = rows.rev().find_map(|row| row.strip_prefix(name)?.strip_prefix('='))?;
        Some(value.trim().trim_matches(['"', '\'']).to_string())
    }

    /// Whether Apache's environment file names other directories than those that are assumed here.
    fn has_own_apache_folders(&self) -> bool {
        const FOLDERS: [&str; 8] = [
            "APACHE_CONFDIR",
            "APACHE_STATE_DIRECTORY",
            "APACHE_MODS_AVAILABLE",
            "APACHE_MODS_ENABLED",
            "APACHE_SITES_AVAILABLE",
            "APACHE_SITES_ENABLED",
            "APACHE_CONF_AVAILABLE",
            "APACHE_CONF_ENABLED",
        ];
        self.quietly(|| FOLDERS.iter().any(|name| self.apache_variable(name).is_some()))
    }

    /// Creates the directories that Apache creates when it starts.
    ///
    /// # Errors
    /// A directory cannot be made.
    pub(super) fn make_apache_directories(&self) -> Result<()> {
        let owner = self.apache_variable("APACHE_RUN_USER").unwrap_or_else(|| "www-data".to_string());
        let Some(user) = self.user_by_name(owner.as_bytes())? else { return Ok(()) };
        for path in MADE {
            if Files::stat(self, path.as_bytes()).is_err() {
                create_dir_all(self, path.as_bytes(), 0o755)?;
                set_access(self, path.as_bytes(), Finish { uid: Some(user.uid), ..Finish::default() }, true)?;
            }
        }
        Ok(())
    }

    /// Records who enabled or disabled it, replacing earlier records.
    fn mark(&self, request: &Request, name: &str) -> bool {
        let folder = |state: &str, by: &str| format!("/var/lib/apache2/{}/{state}_by_{by}", request.object);
        for state in ["enabled", "disabled"] {
            for by in ["admin", "maint"] {
                let _ = self.unlink(format!("{}/{name}", folder(state, by)).as_bytes());
            }
        }
        let folder = folder(if request.enables { "enabled" } else { "disabled" }, request.by);
        create_dir_all(self, folder.as_bytes(), 0o755).is_ok()
            && write_file(self, format!("{folder}/{name}").as_bytes(), b"", 0o644).is_ok()
    }

    /// Whether an enabled module depends on this one.
    fn is_needed(&self, request: &Request, name: &str) -> bool {
        let entries = self.readdir(request.enabled.as_bytes()).unwrap_or_default();
        let mut loads = entries.iter().filter(|entry| entry.name.ends_with(b".load"));
        loads.any(|entry| {
            let path = format!("{}/{}", request.enabled, String::from_utf8_lossy(&entry.name));
            self.told_above(&path, "Depends").iter().any(|other| other == name)
        })
    }

    /// The names after `# KEY:` in the comments at the start of a file.
    fn told_above(&self, path: &str, key: &str) -> Vec<String> {
        let text = read_file(self, path.as_bytes()).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let mut lines = text.lines().take_while(|line| line.trim().is_empty() || line.trim_start().starts_with('#'));
        let told = lines.find_map(|line| line.strip_prefix("# ")?.strip_prefix(key)?.strip_prefix(':'));
        told.unwrap_or_default().split_whitespace().map(str::to_string).collect()
    }
}
