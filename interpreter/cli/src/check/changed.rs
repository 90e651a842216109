//! `--changed-since REF`: the files that a work tree has otherwise than a git revision.

use rchef_host::files::{absolute, basename, dirname, join, lexical};
use rchef_host::processes::{CommandSpec, run};
use rchef_host::{Files, RealHost};
use std::collections::BTreeSet;

/// The files below the current directory that are otherwise than in a revision.
pub struct Changed {
    /// Paths from the current directory, of changed, new and deleted files.
    pub paths: BTreeSet<String>,
    /// The current directory, without links.
    cwd: Vec<u8>,
}

impl Changed {
    /// Whether a file is one of them, by any path that leads to it.
    pub fn has(&self, host: &RealHost, path: &str) -> bool {
        let path = absolute(&self.cwd, path.as_bytes());
        let whole = whole(host, &path);
        let inside = whole.strip_prefix(&join(&self.cwd, b"")[..]);
        inside.is_some_and(|inside| self.paths.contains(&*String::from_utf8_lossy(inside)))
    }

    /// Whether a folder, by any path that leads to it, has one of them.
    pub fn touches(&self, host: &RealHost, folder: &str) -> bool {
        let folder = join(&real(host, &absolute(&self.cwd, folder.as_bytes())), b"");
        self.paths.iter().any(|path| join(&self.cwd, path.as_bytes()).starts_with(&folder))
    }
}

/// A path without links up to its last part: git knows a link as a file of its own.
pub fn whole(host: &RealHost, path: &[u8]) -> Vec<u8> {
    join(&real(host, dirname(path)), basename(path))
}

/// A path without links, as far as it is there.
pub fn real(host: &RealHost, path: &[u8]) -> Vec<u8> {
    host.realpath(path).unwrap_or_else(|_| lexical(path))
}

/// Asks git.
///
/// # Errors
/// What git says: there is no such revision, or no repository.
pub fn since(host: &RealHost, revision: &str) -> Result<Changed, String> {
    let mut all = BTreeSet::new();
    for args in [
        vec!["diff", "--name-only", "--relative", "-z", "--end-of-options", revision, "--"],
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
    let cwd = host.getcwd().and_then(|cwd| host.realpath(&cwd)).map_err(|error| error.message().to_string())?;
    Ok(Changed { paths: all, cwd })
}
