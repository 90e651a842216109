//! Units that maintainer scripts enable and start: aliases, conditions, and the directories that systemd creates for them.

use crate::lossy;
use rchef_host::compose;
use rchef_host::files::Access;
use rchef_host::overlay::unit_settings;
use rchef_host::queries::unit_name;
use rchef_host::{DoubtKind, Files, OverlayHost, Queries};

/// Whether packages may start their services: not if there is an executable `policy-rc.d`, which usually denies it.
pub(super) fn may_start(overlay: &OverlayHost) -> bool {
    overlay.access(b"/usr/sbin/policy-rc.d", Access::EXECUTE, true).is_err()
}

/// Whether that policy does more than deny everything.
pub(super) fn has_own_policy(overlay: &OverlayHost) -> bool {
    let text = lossy(&compose::read_file(overlay, b"/usr/sbin/policy-rc.d").unwrap_or_default());
    let mut rows = text.lines().map(str::trim).filter(|row| !row.is_empty() && !row.starts_with('#'));
    rows.next() != Some("exit 101")
}

/// Whether a unit file exists.
pub(super) fn is_there(overlay: &OverlayHost, unit: &str) -> bool {
    let found = overlay.services(&[unit]).unwrap_or_default().remove(unit).unwrap_or_default();
    !found.fragment.is_empty()
}

/// Enables a unit that is disabled or has no state yet; others, such as masked ones, stay.
pub(super) fn enable(overlay: &OverlayHost, unit: &str) {
    let state = overlay.services(&[unit]).unwrap_or_default().remove(unit).unwrap_or_default();
    if state.unit_file == "disabled" || state.unit_file.is_empty() {
        overlay.assume_unit_verb("enable", unit);
    }
}

/// Starts a unit if it is enabled and its conditions hold.
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
            for alias in overlay.unit_aliases(&unit, &state.fragment) {
                overlay.assume_unit_verb("start", &alias);
            }
        }
        Some(false) => {}
        None => overlay
            .doubt(DoubtKind::Effects, format!("the start of {unit}, whose conditions cannot be told,").as_bytes()),
    }
}

/// Whether the conditions of a unit hold; None if that is unknown.
fn holds(overlay: &OverlayHost, unit: &str, fragment: &str) -> Option<bool> {
    let mut conditions = Vec::new();
    for (key, value) in unit_settings(overlay, unit, fragment).ok()? {
        if !key.starts_with("Condition") && !key.starts_with("Assert") {
            continue;
        }
        if value.is_empty() {
            // an empty value resets conditions of this kind
            let kind = if key.starts_with("Assert") { "Assert" } else { "Condition" };
            conditions.retain(|(key, _): &(String, String)| !key.starts_with(kind));
        } else {
            conditions.push((key, value));
        }
    }
    let mut holds = true;
    for (key, value) in conditions {
        // of the conditions marked with `|` only one must hold
        if value.starts_with('|') {
            return None;
        }
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
    #![allow(clippy::unwrap_used)] // a failure fails the test
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
        host.unit_directories("x.service", "/etc/x.service").unwrap();
        for (path, there) in
            [("/var/lib/a", true), ("/var/lib/c", true), ("/var/cache/b", false), ("/var/cache/d", true)]
        {
            assert_eq!(host.stat(path.as_bytes()).is_ok(), there, "{path}");
        }
        compose::write_file(&host, b"/etc/y.service", b"[Service]\nDynamicUser=yes\n", 0o644).unwrap();
        assert!(!host.unit_directories("y.service", "/etc/y.service").unwrap());
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
        let either = b"[Unit]\nConditionPathExists=|/etc\nConditionPathExists=|/nowhere\n";
        compose::write_file(&host, b"/etc/y.service", either, 0o644).unwrap();
        assert_eq!(holds(&host, "y.service", "/etc/y.service"), None);
    }
}
