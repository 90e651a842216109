//! Compresses the embedded Ruby sources (`src/ruby`, `src/bundled`) with deflate: of all the libraries a run requires a few.

#![allow(clippy::disallowed_methods)] // it runs while rchef is built, on the machine that builds

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The strongest of deflate's levels; it costs a second or two of the build.
const LEVEL: u8 = 10;

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("src");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    for folder in ["ruby", "bundled"] {
        // Relative to the package, so that a checkout elsewhere with the same build folder is up to date.
        println!("cargo::rerun-if-changed=src/{folder}");
        compress(&root, Path::new(folder), &out)?;
    }
    Ok(())
}

fn compress(root: &Path, folder: &Path, out: &Path) -> io::Result<()> {
    fs::create_dir_all(out.join(folder))?;
    for entry in fs::read_dir(root.join(folder))? {
        let path = folder.join(entry?.file_name());
        if root.join(&path).is_dir() {
            compress(root, &path, out)?;
        } else {
            fs::write(out.join(&path), miniz_oxide::deflate::compress_to_vec(&fs::read(root.join(&path))?, LEVEL))?;
        }
    }
    Ok(())
}
