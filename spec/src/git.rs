//! Repositories of git that tests make.

use std::path::Path;
use std::process::Command;

/// Runs git in a folder, as somebody; a message where it fails.
pub fn git(folder: &Path, args: &[&str]) -> Result<(), String> {
    let who = ["-c", "user.name=one", "-c", "user.email=one@example.com"];
    match Command::new("git").args(who).args(args).current_dir(folder).status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("git {args:?} fails")),
    }
}

/// Makes a folder a repository with everything that is in it committed.
pub fn commit_all(folder: &Path) -> Result<(), String> {
    git(folder, &["init", "-q"])?;
    git(folder, &["add", "-A"])?;
    git(folder, &["commit", "-q", "-m", "first"])
}
