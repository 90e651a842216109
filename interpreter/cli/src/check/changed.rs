//! `--changed-since REF`: the files that a work tree has otherwise than a git revision.

use rchef_host::processes::{CommandSpec, run};
use rchef_host::{Files, RealHost};
use std::collections::BTreeSet;

/// The files below the current directory that are otherwise than in a revision.
pub struct Changed {
    /// Paths from the current directory, of changed, new and deleted files.
    pub paths: BTreeSet<String>,
    cwd: String,
}

impl Changed {
    /// Whether a file is one of them, its path being absolute or from the current directory.
    pub fn has(&self, path: &str) -> bool {
        let inside = match path.strip_prefix(self.cwd.as_str()) {
            Some(rest) => rest.trim_start_matches('/'),
            None => path.trim_start_matches("./"),
        };
        self.paths.contains(inside)
    }
}

/// Asks git.
///
/// # Errors
/// What git says: there is no such revision, or no repository.
pub fn since(host: &RealHost, revision: &str) -> Result<Changed, String> {
    let mut all = BTreeSet::new();
    for args in [
        vec!["diff", "--name-only", "--relative", "-z", "--end-of-options", revision],
        vec!["ls-files", "--others", "--exclude-standard", "-z"],
    ] {
        let spec = CommandSpec::argv(std::iter::once("git").chain(args));
        let output = run(host, &spec.captured()).map_err(|error| format!("git: {error}"))?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            return Err(format!("--changed-since {revision}: {}", text.lines().next().unwrap_or("git fails")));
        }
        let paths = String::from_utf8_lossy(&output.stdout).into_owned();
        all.extend(paths.split('\0').filter(|path| !path.is_empty()).map(str::to_string));
    }
    let cwd = host.getcwd().map_err(|error| error.message().to_string())?;
    Ok(Changed { paths: all, cwd: String::from_utf8_lossy(&cwd).into_owned() })
}
