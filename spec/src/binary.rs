//! The built `rchef`.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The `rchef` of the profile that this test was built in, brought up to date; a message when it does not build.
pub fn binary() -> Result<PathBuf, String> {
    let folder = own_folder();
    match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => built("dev"),
        Some(other) => built(other),
    }
}

/// The `rchef` of a profile, brought up to date; a message when it does not build.
pub fn built(profile: &str) -> Result<PathBuf, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let done = Command::new(cargo).args(["build", "--quiet", "--package", "rchef", "--profile", profile]).status();
    match done {
        Ok(status) if status.success() => {
            let folder = if profile == "dev" { "debug" } else { profile };
            Ok(own_folder().with_file_name(folder).join("rchef"))
        }
        _ => Err("rchef does not build".into()),
    }
}

/// Where the programs of this test's profile are.
fn own_folder() -> PathBuf {
    let test = std::env::current_exe().unwrap_or_default();
    test.parent().and_then(Path::parent).map(Path::to_path_buf).unwrap_or_default()
}
