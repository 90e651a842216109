//! Compresses the embedded Ruby sources (`src/ruby`, `src/bundled`) with deflate: of all the libraries a run requires a few. Comments are left out;
//! lines keep their numbers.

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
            let mut source = fs::read(root.join(&path))?;
            if path.extension().is_some_and(|kind| kind == "rb") {
                source = without_comments(&source).ok_or_else(|| {
                    io::Error::other(format!("the lines of {} moved when its comments were taken out", path.display()))
                })?;
            }
            fs::write(out.join(&path), miniz_oxide::deflate::compress_to_vec(&source, LEVEL))?;
        }
    }
    Ok(())
}

/// The source without comments and the blanks before them, but for those that Ruby reads itself (`frozen_string_literal`, `encoding`). None if a line would
/// be lost.
fn without_comments(source: &[u8]) -> Option<Vec<u8>> {
    let parsed = ruby_prism::parse(source);
    let mut kept = Vec::with_capacity(source.len());
    let mut at = 0;
    for comment in parsed.comments() {
        let (start, end) = (comment.location().start() as usize, comment.location().end() as usize);
        let text = &source[start..end];
        if [&b"frozen_string_literal"[..], b"coding"]
            .iter()
            .any(|word| text.windows(word.len()).any(|part| part == *word))
        {
            continue;
        }
        kept.extend_from_slice(&source[at..start]);
        while kept.last().is_some_and(|byte| matches!(byte, b' ' | b'\t')) {
            kept.pop();
        }
        kept.extend(text.iter().filter(|byte| **byte == b'\n'));
        at = end;
    }
    kept.extend_from_slice(&source[at..]);
    let lines = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
    (lines(&kept) == lines(source)).then_some(kept)
}
