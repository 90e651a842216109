//! The `rchef` under test.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The `rchef` of the profile that this test was built in, brought up to date; a message when it does not build.
pub fn binary() -> Result<PathBuf, String> {
    let test = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder = test.parent().and_then(Path::parent).map(Path::to_path_buf).unwrap_or_default();
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(other) => other,
    };
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let built = Command::new(cargo).args(["build", "--quiet", "--package", "rchef", "--profile", profile]).status();
    match built {
        Ok(status) if status.success() => Ok(folder.join("rchef")),
        _ => Err("rchef does not build".into()),
    }
}
