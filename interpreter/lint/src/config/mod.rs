//! `.rubocop.yml`: the rules and files that a repository configures.
//!
//! It reads `AllCops` (`Exclude`, `Include`, `TargetChefVersion`, `DisabledByDefault`, `EnabledByDefault`), `Enabled`, `Include` and `Exclude` of
//! rules and departments, and `inherit_from` with files of the repository. `require`, `inherit_gem` and URLs are ignored: nothing is loaded or
//! fetched. A repository's own `Exclude` adds to Cookstyle's default exclusions.

pub mod yaml;

use crate::glob;
use crate::rule::Rule;
use crate::rules::at_least;
use yaml::Value;

/// The maximum depth of `inherit_from`.
const DEEPEST: usize = 16;

/// The configuration of a folder and everything below it.
#[derive(Clone, Debug, Default)]
pub struct Config {
    exclude: Vec<String>,
    include: Vec<String>,
    target_chef: Option<String>,
    /// Whether rules that are not configured are enabled (`DisabledByDefault`, `EnabledByDefault`).
    default: Option<bool>,
    /// Settings of rules and departments; later ones override earlier ones.
    settings: Vec<(String, Setting)>,
    /// The settings of `rchef.toml`.
    wishes: Wishes,
}

/// The rules and files selected in `rchef.toml`. Names are rule IDs, Cookstyle's names, departments or `all`; patterns are relative to the
/// repository's root.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Run only these rules; if empty, those that are enabled by default.
    pub select: Vec<String>,
    pub ignore: Vec<String>,
    /// Ignore these rules in files that match the pattern.
    pub ignore_in: Vec<(String, Vec<String>)>,
    /// Patterns of excluded files.
    pub exclude: Vec<String>,
    /// The target version of Chef.
    pub target_chef: Option<String>,
}

#[derive(Clone, Debug, Default)]
struct Setting {
    enabled: Option<bool>,
    include: Option<Vec<String>>,
    exclude: Vec<String>,
}

impl Config {
    /// Loads the file at `path` and the files it inherits; `read` gives files of the repository by path.
    ///
    /// # Errors
    /// The path of the invalid file and the reason.
    pub fn load(path: &str, read: &dyn Fn(&str) -> Option<String>) -> Result<Self, String> {
        let mut config = Self::default();
        config.add(path, read, 0)?;
        Ok(config)
    }

    /// Replaces the settings of `rchef.toml`.
    #[must_use]
    pub fn with(mut self, wishes: Wishes) -> Self {
        self.target_chef = wishes.target_chef.clone().or(self.target_chef);
        self.wishes = wishes;
        self
    }

    fn add(&mut self, path: &str, read: &dyn Fn(&str) -> Option<String>, depth: usize) -> Result<(), String> {
        if depth > DEEPEST {
            return Err(format!("{path}: files inherit from each other in a circle"));
        }
        let Some(text) = read(path) else { return Err(format!("{path}: there is no such file")) };
        let document = Value::parse(&text).map_err(|error| format!("{path}: {error}"))?;
        let folder = path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
        for other in document.get("inherit_from").map(Value::texts).unwrap_or_default() {
            if !other.contains("://") && !other.contains('*') && !other.starts_with('/') {
                self.add(&join(&folder, &other), read, depth + 1)?;
            }
        }
        let Value::Map(pairs) = &document else { return Err(format!("{path}: it is not a map")) };
        for (name, value) in pairs {
            if name == "AllCops" {
                self.all_cops(value, &folder);
            } else if name.starts_with("Chef") {
                let paths = |key: &str| value.get(key).map(|list| under(&folder, list));
                self.settings.push((
                    name.clone(),
                    Setting {
                        enabled: value.get("Enabled").and_then(Value::text).and_then(boolean),
                        include: paths("Include"),
                        exclude: paths("Exclude").unwrap_or_default(),
                    },
                ));
            }
        }
        Ok(())
    }

    fn all_cops(&mut self, value: &Value, folder: &str) {
        if let Some(list) = value.get("Exclude") {
            self.exclude.extend(under(folder, list));
        }
        if let Some(list) = value.get("Include") {
            self.include.extend(under(folder, list));
        }
        if let Some(version) = value.get("TargetChefVersion").and_then(Value::text) {
            let number = version.starts_with(|letter: char| letter.is_ascii_digit());
            self.target_chef = number.then(|| version.to_string());
        }
        for (key, on) in [("DisabledByDefault", false), ("EnabledByDefault", true)] {
            if value.get(key).and_then(Value::text).and_then(boolean) == Some(true) {
                self.default = Some(on);
            }
        }
    }

    /// Whether a file is excluded from all rules.
    #[must_use]
    pub fn excludes(&self, path: &str) -> bool {
        any(&self.exclude, path) || any(&self.wishes.exclude, path)
    }

    /// Whether a file is included that would not be checked because of its name.
    #[must_use]
    pub fn includes(&self, path: &str) -> bool {
        any(&self.include, path)
    }

    /// Whether a rule is enabled for a path (regardless of comments and `--select` on the command line).
    #[must_use]
    pub fn wants(&self, rule: &Rule, path: &str) -> bool {
        let named = |names: &[String]| names.iter().any(|name| rule.is_named(name));
        if !self.wishes.select.is_empty() {
            return named(&self.wishes.select) && self.reaches(rule, path);
        }
        // RuboCop's default for unconfigured cops does not apply to rchef's own rules
        let mut on = if rule.is_own() { rule.default } else { self.default.unwrap_or(rule.default) };
        for (name, setting) in self.matching(rule) {
            if name == rule.alias || setting.enabled == Some(false) {
                on = setting.enabled.unwrap_or(on);
            }
        }
        on && self.reaches(rule, path)
    }

    /// Whether a rule applies to a path, given the configured paths, the target version of Chef and the ignored rules.
    #[must_use]
    pub fn reaches(&self, rule: &Rule, path: &str) -> bool {
        let version =
            self.target_chef.as_ref().is_none_or(|target| rule.since.is_empty() || at_least(target, rule.since));
        let named = |names: &[String]| names.iter().any(|name| rule.is_named(name));
        let ignored = named(&self.wishes.ignore)
            || self.wishes.ignore_in.iter().any(|(glob, names)| named(names) && glob::matches(glob, path));
        version
            && !ignored
            && self.matching(rule).all(|(_, setting)| {
                !any(&setting.exclude, path) && setting.include.as_ref().is_none_or(|list| any(list, path))
            })
    }

    fn matching(&self, rule: &Rule) -> impl Iterator<Item = (&str, &Setting)> {
        let (alias, department) = (rule.alias, rule.department());
        self.settings
            .iter()
            .filter(move |(name, _)| name == alias || name == department || name == "Chef")
            .map(|(name, setting)| (name.as_str(), setting))
    }
}

fn any(patterns: &[String], path: &str) -> bool {
    patterns.iter().any(|pattern| glob::matches(pattern, path))
}

fn boolean(text: &str) -> Option<bool> {
    match text {
        "true" | "yes" | "on" => Some(true),
        "false" | "no" | "off" => Some(false),
        _ => None,
    }
}

/// The patterns in a folder's configuration, relative to the repository's root. A pattern for a folder covers its contents only if it ends in
/// `/**/*`.
fn under(folder: &str, list: &Value) -> Vec<String> {
    list.texts().into_iter().map(|pattern| join(folder, pattern.strip_prefix("./").unwrap_or(&pattern))).collect()
}

/// A path relative to a folder, with `..` resolved.
fn join(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::Config;

    fn rule(alias: &str) -> &'static crate::rule::Rule {
        crate::rules::all().into_iter().find(|rule| rule.alias == alias).unwrap()
    }

    #[test]
    fn rubocop_yml() {
        let files = |path: &str| {
            match path {
            "a/.rubocop.yml" => Some(
                "inherit_from: ../todo.yml\nrequire: nothing\nAllCops:\n  TargetChefVersion: 12.9\n  Exclude:\n    - 'old/**/*'\nChef/Style:\n  Enabled: false\nChef/Effortless/CookbookUsesSearch:\n  Enabled: true\n"
                    .to_string(),
            ),
            "todo.yml" => Some("Chef/Deprecations/NodeSet:\n  Exclude: [a/recipes/x.rb]\n".to_string()),
            _ => None,
        }
        };
        let config = Config::load("a/.rubocop.yml", &files).unwrap();
        assert!(config.excludes("a/old/b/c.rb") && !config.excludes("old/b/c.rb"));
        let node_set = rule("Chef/Deprecations/NodeSet");
        assert!(config.wants(node_set, "a/recipes/y.rb") && !config.wants(node_set, "a/recipes/x.rb"));
        assert!(!config.wants(rule("Chef/Style/FileMode"), "a/recipes/y.rb"));
        assert!(config.wants(rule("Chef/Effortless/CookbookUsesSearch"), "a/recipes/y.rb"));
        assert!(!config.wants(rule("Chef/Modernize/ExecuteSleep"), "a/recipes/y.rb"), "it needs Chef 15.5");
        assert!(Config::load("b/.rubocop.yml", &files).is_err());
        let circle = |_: &str| Some("inherit_from: .rubocop.yml\n".to_string());
        assert!(Config::load(".rubocop.yml", &circle).is_err());
    }
}
