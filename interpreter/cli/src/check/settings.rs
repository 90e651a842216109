//! `rchef.toml` (or `.rchef.toml`): rules and files of a repository, and options of `check`.
//!
//! `select`, `ignore`, `exclude`, `per-path-ignores` and `target-chef` apply to the file's directory and those below; the nearest file counts.
//! `level`, `fail-on`, `baseline`, `platforms` and `stubs` are read from the working directory; options of the command line take precedence.

use clap::ValueEnum;
use rchef_lint::config::Wishes;
use serde_json::Value as Json;

/// Names of the file, in order of precedence.
pub const NAMES: &[&str] = &["rchef.toml", ".rchef.toml"];

pub const DRAFT: &str = "\
# Settings of `rchef check`; each line shows the default.

# Only these rules (ids, Cookstyle's names, departments); empty: those that are on by default.
select = []
# Not these rules.
ignore = []
# Files that are left out, as patterns from this folder.
exclude = []
# The version of Chef whose advice counts.
# target-chef = \"18\"
# Findings below this level are not told: info, warning, error.
level = \"warning\"
# Findings from this level on make the exit status 1, with and without run lists.
fail-on = \"warning\"
# Findings that are known, written by --write-baseline.
# baseline = \"rchef-baseline.json\"
# Platforms that run lists are compiled on without --platform, --ohai or --live; patterns such as \"ubuntu-*\" too.
platforms = []
# Answers to what compiles ask, as --write-stubs drafts them.
stubs = []

# Rules that do not count for some files.
[per-path-ignores]
# \"cookbooks/legacy/**/*\" = [\"Chef/Deprecations\"]
";

/// The contents of a settings file.
#[derive(Debug, Default)]
pub struct Settings {
    pub wishes: Wishes,
    pub level: Option<super::options::Least>,
    pub fail_on: Option<super::options::Least>,
    pub baseline: Option<String>,
    pub stubs: Vec<String>,
    pub platforms: Vec<String>,
}

/// The names of settings that are not tables.
const SETTINGS: &[&str] =
    &["select", "ignore", "exclude", "target-chef", "level", "fail-on", "baseline", "platforms", "stubs"];

impl Settings {
    /// Parses the text of the file at `path`. `known` says whether a name denotes a rule.
    ///
    /// # Errors
    /// The invalid key, and why it is invalid.
    pub fn parse(path: &str, text: &str, known: &dyn Fn(&str) -> bool) -> Result<Self, String> {
        let document: Json = basic_toml::from_str(text).map_err(|error| format!("{path}: {error}"))?;
        let folder = path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
        let mut settings = Self::default();
        for (key, value) in document.as_object().into_iter().flatten() {
            settings.set(key, value, &folder, known).map_err(|error| format!("{path}: {key}: {error}"))?;
        }
        Ok(settings)
    }

    /// The files that the settings name, with their keys.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let baseline = self.baseline.iter().map(|path| ("baseline", path.as_str()));
        baseline.chain(self.stubs.iter().map(|path| ("stubs", path.as_str())))
    }

    fn set(&mut self, key: &str, value: &Json, folder: &str, known: &dyn Fn(&str) -> bool) -> Result<(), String> {
        let level = || {
            let text = value.as_str().unwrap_or_default();
            super::options::Least::from_str(text, true)
                .map_err(|_| "it is one of info (or assumption), warning, error".to_string())
        };
        let text = || value.as_str().map(str::to_string).ok_or_else(|| "it is a text".to_string());
        let globs = |list: Vec<String>| list.into_iter().map(|glob| format!("{folder}{glob}")).collect();
        match key {
            "select" => self.wishes.select = rules(value, known)?,
            "ignore" => self.wishes.ignore = rules(value, known)?,
            "exclude" => self.wishes.exclude = globs(texts(value)?),
            "per-path-ignores" => {
                let table = value.as_object().ok_or("it is a table of patterns with lists of rules")?;
                for (glob, names) in table {
                    if SETTINGS.contains(&glob.as_str()) {
                        return Err(format!(
                            "{glob} stands below [per-path-ignores], where patterns of paths stand: put it above"
                        ));
                    }
                    self.wishes.ignore_in.push((format!("{folder}{glob}"), rules(names, known)?));
                }
            }
            "target-chef" => self.wishes.target_chef = Some(text()?),
            "level" => self.level = Some(level()?),
            "fail-on" => self.fail_on = Some(level()?),
            "baseline" => self.baseline = Some(format!("{folder}{}", text()?)),
            "platforms" => self.platforms = texts(value)?,
            "stubs" => self.stubs = texts(value)?.into_iter().map(|path| format!("{folder}{path}")).collect(),
            _ => {
                return Err("there is no such setting; `rchef check --init` writes a file with all of them".into());
            }
        }
        Ok(())
    }
}

fn texts(value: &Json) -> Result<Vec<String>, String> {
    let list = value.as_array().ok_or("it is a list of texts")?;
    list.iter().map(|item| item.as_str().map(str::to_string).ok_or_else(|| "it is a list of texts".into())).collect()
}

fn rules(value: &Json, known: &dyn Fn(&str) -> bool) -> Result<Vec<String>, String> {
    let names = texts(value)?;
    match names.iter().find(|name| !known(name)) {
        Some(name) => Err(format!("there is no rule {name}; `rchef check --list-rules` lists them")),
        None => Ok(names),
    }
}

#[cfg(test)]
mod tests {
    use super::{DRAFT, Settings};

    #[test]
    fn a_file() {
        let known = |name: &str| name.starts_with("Chef");
        let text = "ignore = ['Chef/Style']\nexclude = ['old/**/*']\nfail-on = 'error'\n[per-path-ignores]\n'a/**' = ['Chef/Sharing']\n";
        let settings = Settings::parse("x/rchef.toml", text, &known).unwrap();
        assert_eq!(settings.wishes.exclude, ["x/old/**/*"]);
        assert_eq!(settings.wishes.ignore_in[0].0, "x/a/**");
        assert!(settings.fail_on.is_some() && settings.level.is_none());
        for (wrong, says) in [
            ("ignore = ['nothing']", "there is no rule nothing"),
            ("level = 'loud'", "one of info"),
            ("colour = 1", "no such setting"),
            ("select = 1", "list of texts"),
            ("select = [", "rchef.toml"),
        ] {
            assert!(Settings::parse("rchef.toml", wrong, &known).unwrap_err().contains(says), "{wrong}");
        }
        assert!(Settings::parse("rchef.toml", DRAFT, &known).is_ok());
    }
}
