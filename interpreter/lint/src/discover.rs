//! Finds the files to check: the Ruby files by RuboCop's rules, minus Cookstyle's exclusions.

use crate::glob;

const NAMES: &[&str] = &[
    ".irbrc",
    ".pryrc",
    ".simplecov",
    "buildfile",
    "Appraisals",
    "Berksfile",
    "Brewfile",
    "Buildfile",
    "Capfile",
    "Cheffile",
    "Dangerfile",
    "Deliverfile",
    "Fastfile",
    "Gemfile",
    "Guardfile",
    "Jarfile",
    "Mavenfile",
    "Podfile",
    "Puppetfile",
    "Rakefile",
    "rakefile",
    "Schemafile",
    "Snapfile",
    "Steepfile",
    "Thorfile",
    "Vagabondfile",
    "Vagrantfile",
    ".foodcritic",
];
const ENDINGS: &[&str] = &[
    "rb",
    "arb",
    "axlsx",
    "builder",
    "fcgi",
    "gemfile",
    "gemspec",
    "god",
    "jb",
    "jbuilder",
    "mspec",
    "opal",
    "pluginspec",
    "podspec",
    "rabl",
    "rake",
    "rbuild",
    "rbw",
    "rbx",
    "ru",
    "ruby",
    "spec",
    "thor",
    "watchr",
];
/// Default exclusions, relative to the root of the check.
const EXCLUDED: &[&str] =
    &["node_modules/**/*", "tmp/**/*", "vendor/**/*", ".git/**/*", "**/files/**/*", "**/vendor/**/*", "Guardfile"];

/// Whether a path is checked by its name.
#[must_use]
pub fn is_ruby(path: &str) -> bool {
    let base = path.rsplit('/').next().unwrap_or(path);
    if path.ends_with(".delivery/project.toml") || path.ends_with(".delivery/config.json") {
        return true;
    }
    // files in hidden folders are only checked if configured
    let folders = path.strip_suffix(base).unwrap_or_default();
    if folders.split('/').any(|part| part.len() > 1 && part.starts_with('.') && part != "..") {
        return false;
    }
    NAMES.contains(&base)
        || base.ends_with("Fastfile")
        || base.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// Whether a path is excluded by default. `path` is relative to the root of the check.
#[must_use]
pub fn excluded(path: &str) -> bool {
    EXCLUDED.iter().any(|pattern| glob::matches(pattern, path))
}

/// Whether all files in a folder are excluded.
#[must_use]
pub fn excluded_folder(path: &str) -> bool {
    let base = path.rsplit('/').next().unwrap_or(path);
    matches!(base, ".git" | "files" | "vendor") || path == "node_modules" || path == "tmp"
}

/// Whether a file without an extension has a shebang line with Ruby.
#[must_use]
pub fn has_shebang(path: &str, bytes: &[u8]) -> bool {
    let base = path.rsplit('/').next().unwrap_or(path);
    !base.contains('.')
        && bytes.starts_with(b"#!")
        && bytes.split(|byte| *byte == b'\n').next().is_some_and(|line| {
            let line = String::from_utf8_lossy(line);
            ["ruby", "macruby", "rake", "jruby", "rbx"]
                .iter()
                .any(|name| line.split(['/', ' ']).any(|word| word.trim_end() == *name))
        })
}
