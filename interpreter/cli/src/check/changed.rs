//! `--changed-since REF`: the files that a work tree has otherwise than a git revision.

use rchef_host::RealHost;
use rchef_host::processes::{CommandSpec, run};
use std::collections::BTreeSet;

/// Paths from the current directory, of changed and of new files.
///
/// # Errors
/// What git says: there is no such revision, or no repository.
pub fn since(host: &RealHost, revision: &str) -> Result<BTreeSet<String>, String> {
    let mut all = BTreeSet::new();
    for args in [
        vec!["diff", "--name-only", "--relative", "--diff-filter=d", "-z", "--end-of-options", revision],
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
    Ok(all)
}
