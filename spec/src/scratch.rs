//! Scratch directories with a copy of a chef-repo.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, io, process};

/// Stands for the scratch directory in the files of a case and in what is recorded.
pub const ROOT: &str = "@ROOT@";

static NEXT: AtomicUsize = AtomicUsize::new(0);

/// A directory of its own, removed when dropped.
pub struct Scratch {
    pub root: PathBuf,
}

impl Scratch {
    /// A new empty directory with a `repo` and a `home` in it.
    pub fn new() -> io::Result<Scratch> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let root = env::temp_dir().canonicalize()?.join(format!("rchef-spec-{}-{number}", process::id()));
        let _ = fs::remove_dir_all(&root);
        for name in ["repo", "home"] {
            fs::create_dir_all(root.join(name))?;
        }
        Ok(Scratch { root })
    }
    /// Where the chef-repo is.
    pub fn repo(&self) -> PathBuf {
        self.root.join("repo")
    }
    /// Copies a directory (links are followed) into `to`, with [`ROOT`] in text files replaced.
    pub fn copy(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let (source, target) = (entry.path(), to.join(entry.file_name()));
            if source.is_dir() {
                self.copy(&source, &target)?;
                continue;
            }
            match fs::read_to_string(&source) {
                Ok(text) => fs::write(&target, text.replace(ROOT, &self.root.to_string_lossy()))?,
                Err(_) => drop(fs::copy(&source, &target)?),
            }
        }
        Ok(())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}
