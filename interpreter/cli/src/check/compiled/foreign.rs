//! What is of another operating system than the node's.

use super::judge::Case;
use serde_json::Value as Json;

/// Whether a resource's name is a path of another operating system, from which the default source name would be derived differently there.
pub fn of_other_path(case: &Case<'_>, key: &str) -> bool {
    let name = key.split_once('[').map_or(key, |(_, name)| name);
    let os = os(case);
    let mut letters = name.chars();
    let drive = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && letters.next() == Some(':')
        && matches!(letters.next(), Some('\\' | '/'));
    let mac =
        ["/Users/", "/Applications/", "/Library/", "/System/Library/"].iter().any(|start| name.starts_with(start));
    drive && os != "windows" || mac && os != "darwin"
}

/// The node's operating system as Ohai names it: `linux`, `windows`, `darwin` ...
fn os<'c>(case: &'c Case<'_>) -> &'c str {
    let own = case.dump["attributes"]["automatic"]["os"].as_str();
    own.or_else(|| (case.facts)().and_then(|facts| facts["os"].as_str())).unwrap_or("linux")
}

/// Whether a resource type is of another operating system than the node's, so that Chef cannot converge it there either.
pub fn of_other_systems(case: &Case<'_>, kind: &str) -> bool {
    let of = system_of(kind);
    of.is_some_and(|of| of != os(case))
}

/// Whether the node is one that rchef converges: on another one a guard is no way out.
pub fn of_linux(case: &Case<'_>) -> bool {
    os(case) == "linux"
}

/// What of Ruby or its library only Windows has, where a failure on a Windows node is about such a constant or library.
pub fn only_there(case: &Case<'_>, about: &Json) -> Option<String> {
    let name = about["name"].as_str().filter(|_| os(case) == "windows")?;
    // the module Win32 is there on every system, what is in it only on Windows
    let name = match about["within"].as_str().filter(|module| module.starts_with("Win32")) {
        Some(module) => format!("{module}::{name}"),
        None => name.to_string(),
    };
    let is = match about["kind"].as_str()? {
        "constant" => name.starts_with("Win32") || name.starts_with("WIN32OLE"),
        "library" => ["win32/", "win32-", "win32ole"].iter().any(|start| name.starts_with(start)),
        _ => false,
    };
    is.then(|| format!("{name} is there on Windows only"))
}

/// The operating system that a resource type is of.
fn system_of(kind: &str) -> Option<&'static str> {
    const WINDOWS: &[&str] =
        &["batch", "registry_key", "msu_package", "cab_package", "env", "chef_client_scheduled_task"];
    const MACOS: &[&str] = &[
        "launchd",
        "dmg_package",
        "osx_profile",
        "plist",
        "mac_user",
        "macports_package",
        "macosx_service",
        "chef_client_launchd",
    ];
    let starts = |all: &[&str]| all.iter().any(|start| kind.starts_with(start));
    if WINDOWS.contains(&kind) || starts(&["windows_", "powershell_", "dsc_", "chocolatey_"]) {
        Some("windows")
    } else if MACOS.contains(&kind) || starts(&["homebrew_", "macos_"]) {
        Some("darwin")
    } else {
        None
    }
}
