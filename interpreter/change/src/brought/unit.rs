//! Units that installation scripts of packages enable and start: their other names, their conditions, and the directories that systemd makes for them.

use crate::{Result, lossy};
use rchef_host::compose::{self, Finish};
use rchef_host::overlay::unit_settings;
use rchef_host::queries::unit_name;
use rchef_host::{DoubtKind, Files, OverlayHost, Queries, Users};

/// Makes the directories that systemd makes for a unit when it starts (`StateDirectory` and its like); whether they are known.
pub(super) fn directories(overlay: &OverlayHost, unit: &str, fragment: &str) -> Result<bool> {
    const KINDS: [(&str, &str); 5] = [
        ("StateDirectory", "/var/lib"),
        ("LogsDirectory", "/var/log"),
        ("CacheDirectory", "/var/cache"),
        ("ConfigurationDirectory", "/etc"),
        ("RuntimeDirectory", "/run"),
    ];
    let settings = unit_settings(overlay, unit, fragment)?;
    let value = |key: &str| settings.iter().rfind(|(name, _)| name == key).map(|(_, value)| value.clone());
    if value("DynamicUser").is_some_and(|value| ["yes", "true", "on", "1"].contains(&value.as_str())) {
        return Ok(false);
    }
    let user = value("User").map(|name| overlay.user_by_name(name.as_bytes())).transpose()?.flatten();
    let group = value("Group").map(|name| overlay.group_by_name(name.as_bytes())).transpose()?.flatten();
    for (kind, parent) in KINDS {
        let mode = value(&format!("{kind}Mode")).and_then(|mode| u32::from_str_radix(&mode, 8).ok());
        let owned = kind != "ConfigurationDirectory";
        let uid = user.as_ref().map(|user| user.uid).filter(|_| owned);
        let gid = group.as_ref().map(|group| group.gid).or(user.as_ref().map(|user| user.gid)).filter(|_| owned);
        let names = settings.iter().filter(|(name, _)| name == kind).map(|(_, value)| value);
        // an empty value takes back what was there
        let names =
            names.fold(String::new(), |all, value| if value.is_empty() { String::new() } else { all + " " + value });
        for name in names.split_whitespace().filter(|name| !name.contains(['%', ':'])) {
            let path = format!("{parent}/{name}");
            compose::create_dir_all(overlay, path.as_bytes(), 0o755)?;
            let access = Finish { mode: mode.or(Some(0o755)), uid, gid, ..Finish::default() };
            compose::set_access(overlay, path.as_bytes(), access, true)?;
        }
    }
    for (_, path, owner) in MADE.iter().filter(|(name, ..)| *name == unit) {
        if let (Err(_), Some(user)) = (overlay.stat(path.as_bytes()), overlay.user_by_name(owner.as_bytes())?) {
            compose::create_dir_all(overlay, path.as_bytes(), 0o755)?;
            let access = Finish { uid: Some(user.uid), ..Finish::default() };
            compose::set_access(overlay, path.as_bytes(), access, true)?;
        }
    }
    Ok(true)
}

/// Directories that the program of a unit makes when it starts, and whose they are.
const MADE: &[(&str, &str, &str)] =
    &[("apache2.service", "/var/run/apache2/socks", "www-data"), ("apache2.service", "/var/lock/apache2", "www-data")];

/// Whether packages may start their services.
pub(super) fn may_start(overlay: &OverlayHost) -> bool {
    overlay.stat(b"/usr/sbin/policy-rc.d").is_err()
}

/// Takes a unit as enabled where nobody has said otherwise.
pub(super) fn enable(overlay: &OverlayHost, unit: &str) {
    let state = overlay.services(&[unit]).unwrap_or_default().remove(unit).unwrap_or_default();
    if state.unit_file == "disabled" || state.unit_file.is_empty() {
        overlay.assume_unit_verb("enable", unit);
    }
}

/// A package starts a unit that is enabled, and whose conditions hold.
pub(super) fn start(overlay: &OverlayHost, unit: &str) {
    let unit = unit_name(unit);
    if !overlay.systemd_running() {
        return;
    }
    let state = overlay.services(&[&unit]).unwrap_or_default().get(&unit).cloned().unwrap_or_default();
    if state.unit_file != "enabled" {
        return;
    }
    match holds(overlay, &unit, &state.fragment) {
        Some(true) => {
            overlay.assume_unit_verb("start", &unit);
            if !directories(overlay, &unit, &state.fragment).unwrap_or(false) {
                overlay.doubt(DoubtKind::Effects, format!("the start of {unit}").as_bytes());
            }
            for alias in overlay.unit_aliases(&unit, &state.fragment) {
                overlay.assume_unit_verb("start", &alias);
            }
        }
        Some(false) => {}
        None => overlay
            .doubt(DoubtKind::Effects, format!("the start of {unit}, whose conditions cannot be told,").as_bytes()),
    }
}

/// Whether the conditions of a unit hold; absent where that cannot be told.
fn holds(overlay: &OverlayHost, unit: &str, fragment: &str) -> Option<bool> {
    let mut conditions = Vec::new();
    for (key, value) in unit_settings(overlay, unit, fragment).ok()? {
        if !key.starts_with("Condition") && !key.starts_with("Assert") {
            continue;
        }
        if value.is_empty() {
            // an empty value takes back all of its kind
            let kind = if key.starts_with("Assert") { "Assert" } else { "Condition" };
            conditions.retain(|(key, _): &(String, String)| !key.starts_with(kind));
        } else {
            conditions.push((key, value));
        }
    }
    let mut holds = true;
    for (key, value) in conditions {
        let (wanted, value) = value.strip_prefix('!').map_or((true, value.as_str()), |value| (false, value));
        let found = match key.as_str() {
            "ConditionPathExists" | "AssertPathExists" => compose::exists(overlay, value.as_bytes()),
            "ConditionPathIsDirectory" => overlay.stat(value.as_bytes()).is_ok_and(|stat| stat.is_dir()),
            "ConditionFileNotEmpty" => overlay.stat(value.as_bytes()).is_ok_and(|stat| stat.size > 0),
            "ConditionVirtualization" if value == "container" => compose::exists(overlay, b"/run/systemd/container"),
            "ConditionCapability" => has_capability(overlay, value)?,
            _ => return None,
        };
        holds &= found == wanted;
    }
    Some(holds)
}

/// Whether processes of this machine may have a capability.
fn has_capability(overlay: &OverlayHost, name: &str) -> Option<bool> {
    const NUMBERS: &[(&str, u32)] = &[
        ("CAP_NET_ADMIN", 12),
        ("CAP_SYS_MODULE", 16),
        ("CAP_SYS_ADMIN", 21),
        ("CAP_SYS_TIME", 25),
        ("CAP_AUDIT_CONTROL", 30),
    ];
    let number = NUMBERS.iter().find(|(known, _)| *known == name)?.1;
    let status = lossy(&compose::read_file(overlay, b"/proc/1/status").ok()?);
    let bound = status.lines().find_map(|line| line.strip_prefix("CapBnd:"))?.trim().to_string();
    Some(u64::from_str_radix(&bound, 16).ok()? >> number & 1 == 1)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a failure is the test's
    use super::super::machine;
    use super::*;

    #[test]
    fn directories_are_added_by_drop_ins() {
        let host = machine();
        compose::create_dir_all(&host, b"/etc/systemd/system/x.service.d", 0o755).unwrap();
        compose::write_file(&host, b"/etc/x.service", b"[Service]\nStateDirectory=a\nCacheDirectory=b\n", 0o644)
            .unwrap();
        let more = b"[Service]\nStateDirectory=c\nCacheDirectory=\nCacheDirectory=d\n";
        compose::write_file(&host, b"/etc/systemd/system/x.service.d/a.conf", more, 0o644).unwrap();
        directories(&host, "x.service", "/etc/x.service").unwrap();
        for (path, there) in
            [("/var/lib/a", true), ("/var/lib/c", true), ("/var/cache/b", false), ("/var/cache/d", true)]
        {
            assert_eq!(host.stat(path.as_bytes()).is_ok(), there, "{path}");
        }
        compose::write_file(&host, b"/etc/y.service", b"[Service]\nDynamicUser=yes\n", 0o644).unwrap();
        assert!(!directories(&host, "y.service", "/etc/y.service").unwrap());
    }

    #[test]
    fn a_drop_in_takes_conditions_back() {
        let host = machine();
        let unit = b"[Unit]\nConditionPathExists=/nowhere\n";
        compose::create_dir_all(&host, b"/etc/systemd/system/x.service.d", 0o755).unwrap();
        compose::write_file(&host, b"/etc/x.service", unit, 0o644).unwrap();
        assert_eq!(holds(&host, "x.service", "/etc/x.service"), Some(false));
        compose::write_file(&host, b"/etc/systemd/system/x.service.d/a.conf", b"[Unit]\nConditionPathExists=\n", 0o644)
            .unwrap();
        assert_eq!(holds(&host, "x.service", "/etc/x.service"), Some(true));
        compose::write_file(&host, b"/etc/systemd/system/x.service.d/b.conf", b"[Unit]\nConditionMemory=1G\n", 0o644)
            .unwrap();
        assert_eq!(holds(&host, "x.service", "/etc/x.service"), None);
    }
}
