//! `--changed-since REF`: the files in which a work tree differs from a git revision.

use rchef_host::files::{absolute, basename, dirname, join, lexical};
use rchef_host::processes::{CommandSpec, run};
use rchef_host::{Files, RealHost};
use std::collections::BTreeSet;

/// The files in which a work tree differs from a revision.
pub struct Changed {
    /// Paths of changed, new and deleted files, relative to the top of the work tree.
    paths: BTreeSet<String>,
    /// Absolute path of the work tree, with links resolved.
    top: Vec<u8>,
    cwd: Vec<u8>,
}

impl Changed {
    /// Whether a file has changed; `path` may contain links.
    pub fn has(&self, host: &RealHost, path: &str) -> bool {
        let path = absolute(&self.cwd, path.as_bytes());
        let whole = whole(host, &path);
        let inside = whole.strip_prefix(&join(&self.top, b"")[..]);
        inside.is_some_and(|inside| self.paths.contains(&*String::from_utf8_lossy(inside)))
    }

    /// Whether a directory contains a changed file, or is itself a changed file or link; `path` may contain links.
    pub fn touches(&self, host: &RealHost, path: &str) -> bool {
        // the empty path is the current directory
        let path = if path.is_empty() { "." } else { path };
        let folder = join(&real(host, &absolute(&self.cwd, path.as_bytes())), b"");
        self.has(host, path) || self.paths.iter().any(|path| join(&self.top, path.as_bytes()).starts_with(&folder))
    }
}

/// Resolves links in the directory of a path but not a final one, because git tracks links as files.
pub fn whole(host: &RealHost, path: &[u8]) -> Vec<u8> {
    join(&real(host, dirname(path)), basename(path))
}

/// Resolves links, if the path exists.
pub fn real(host: &RealHost, path: &[u8]) -> Vec<u8> {
    host.realpath(path).unwrap_or_else(|_| lexical(path))
}

/// Asks git for the changes.
///
/// # Errors
/// git's message, for example for an unknown revision or outside of a repository.
pub fn since(host: &RealHost, revision: &str) -> Result<Changed, String> {
    let git = |args: &[&str]| -> Result<Vec<u8>, String> {
        let spec = CommandSpec::argv(std::iter::once("git").chain(args.iter().copied()));
        let output = run(host, &spec.captured()).map_err(|error| format!("git: {error}"))?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            return Err(format!("--changed-since {revision}: {}", text.lines().next().unwrap_or("git fails")));
        }
        Ok(output.stdout)
    };
    let top = git(&["rev-parse", "--show-toplevel"])?;
    let top = top.strip_suffix(b"\n").unwrap_or(&top);
    let mut paths = BTreeSet::new();
    for args in [
        &["diff", "--name-only", "-z", "--end-of-options", revision, "--"][..],
        &["ls-files", "--others", "--exclude-standard", "--full-name", "-z", ":/"],
    ] {
        let listed = String::from_utf8_lossy(&git(args)?).into_owned();
        paths.extend(listed.split('\0').filter(|path| !path.is_empty()).map(str::to_string));
    }
    let cwd = host.getcwd().map_err(|error| error.message().to_string())?;
    Ok(Changed { paths, top: real(host, top), cwd })
}
