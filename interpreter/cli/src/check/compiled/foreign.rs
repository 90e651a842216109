//! What is of another operating system than the node's.

use super::judge::Case;

/// Whether a resource's name is a path of another operating system, from which the default source name would be derived differently there.
pub fn of_other_path(case: &Case<'_>, key: &str) -> bool {
    let name = key.split_once('[').map_or(key, |(_, name)| name);
    let family =
        case.dump["attributes"]["automatic"]["os"].as_str().or((case.facts)().and_then(|facts| facts["os"].as_str()));
    let mut letters = name.chars();
    let drive = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && letters.next() == Some(':')
        && matches!(letters.next(), Some('\\' | '/'));
    let mac =
        ["/Users/", "/Applications/", "/Library/", "/System/Library/"].iter().any(|start| name.starts_with(start));
    drive && family.unwrap_or("linux") != "windows" || mac && family.unwrap_or("linux") != "darwin"
}

/// Resource types of other operating systems, which Chef cannot converge here either.
pub fn of_other_systems(kind: &str) -> bool {
    let prefixes = ["windows_", "powershell_", "dsc_", "chocolatey_", "homebrew_", "macos_"];
    let names = [
        "batch",
        "registry_key",
        "msu_package",
        "cab_package",
        "launchd",
        "dmg_package",
        "osx_profile",
        "plist",
        "mac_user",
        "macports_package",
    ];
    prefixes.iter().any(|prefix| kind.starts_with(prefix)) || names.contains(&kind)
}
