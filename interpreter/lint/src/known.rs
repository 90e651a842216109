//! What rules know from outside the checked file: the resources that Chef ships, and the cookbooks of the repository.
//!
//! Cookbooks are not fully parsed: the names that a file may define are taken from its lines. So more names count as defined than in a run, and
//! rules that report undefined names do not report too much. A cookbook that defines names at run time is marked as `open`.

mod template;

use crate::ast::{self, Kind, N};
use crate::source::Source;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// A resource that Chef ships, under one of its DSL names.
#[derive(Clone, Debug, Default)]
pub struct Shipped {
    /// The names of properties and of other methods that set something.
    pub properties: BTreeSet<&'static str>,
    /// Actions except `:nothing`.
    pub actions: BTreeSet<&'static str>,
}

/// A cookbook of the repository.
#[derive(Clone, Debug, Default)]
pub struct Cookbook {
    pub name: String,
    /// The cookbook's folder relative to the repository's root, either empty or ending in a slash.
    pub root: String,
    /// Whether it has metadata.
    pub described: bool,
    /// Cookbooks that its metadata depends on.
    pub depends: BTreeSet<String>,
    /// Whether the lists here may be incomplete: the cookbook defines names at run time, or two cookbooks have this name.
    pub open: bool,
    /// DSL names of resources and definitions.
    pub resources: BTreeSet<String>,
    /// Methods that its files define.
    pub methods: BTreeSet<String>,
    /// Recipes by name.
    pub recipes: BTreeSet<String>,
    /// Templates by their path below `templates` (and `default`), with the variables that each needs; None if it has several variants or cannot be
    /// parsed.
    pub templates: BTreeMap<String, Option<Vec<Needed>>>,
    /// Hashes of the words in its code.
    words: FxHashSet<u64>,
}

/// A variable that a template calls something on, or shows, wherever it is evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needed {
    /// Without the `@`.
    pub name: String,
    /// The line in the template, from 1.
    pub line: usize,
    /// Something is called on it that nil does not have; otherwise it is only shown.
    pub called: bool,
}

#[derive(Debug, Default)]
pub struct Known {
    /// Resources that Chef ships, by DSL name; empty if the caller does not provide them.
    pub shipped: BTreeMap<&'static str, Shipped>,
    /// Cookbooks by name.
    pub cookbooks: BTreeMap<String, Cookbook>,
    /// The methods that all cookbooks define.
    pub methods: BTreeSet<String>,
    /// A Berksfile, a Policyfile or the like brings cookbooks that are not here.
    pub fetched: bool,
}

/// A cookbook with those that it depends on, as far as they are here.
pub struct Reach<'k> {
    pub cookbooks: Vec<&'k Cookbook>,
    /// None of them is missing.
    pub whole: bool,
}

impl Known {
    /// No knowledge: rules that need it report nothing.
    pub const NOTHING: &'static Self =
        &Self { shipped: BTreeMap::new(), cookbooks: BTreeMap::new(), methods: BTreeSet::new(), fetched: false };

    /// Adds a cookbook. If another one has the same name, both are merged and marked as `open`, since it is not known which of them a run uses.
    pub fn add(&mut self, cookbook: Cookbook) {
        self.methods.extend(cookbook.methods.iter().cloned());
        if let Some(known) = self.cookbooks.get_mut(&cookbook.name) {
            known.open = true;
            known.resources.extend(cookbook.resources);
            known.recipes.extend(cookbook.recipes);
            known.methods.extend(cookbook.methods);
            return;
        }
        self.cookbooks.insert(cookbook.name.clone(), cookbook);
    }

    /// The cookbook that contains this path.
    #[must_use]
    pub fn cookbook_of(&self, path: &str) -> Option<&Cookbook> {
        self.cookbooks
            .values()
            .filter(|cookbook| path.starts_with(&cookbook.root))
            .max_by_key(|cookbook| cookbook.root.len())
    }

    /// A cookbook and its direct and indirect dependencies, without those that are not here; `None` when one that is here has no metadata or makes names at run time.
    #[must_use]
    pub fn reach_here<'k>(&'k self, cookbook: &'k Cookbook) -> Option<Reach<'k>> {
        let mut whole = true;
        let mut all = vec![cookbook];
        let mut at = 0;
        while let Some(next) = all.get(at) {
            if next.open || !next.described {
                return None;
            }
            for name in &next.depends {
                let Some(other) = self.cookbooks.get(name) else {
                    whole = false;
                    continue;
                };
                if !all.iter().any(|known| known.name == other.name) {
                    all.push(other);
                }
            }
            at += 1;
        }
        Some(Reach { cookbooks: all, whole })
    }

    /// Whether a call of this name without a receiver may be a shipped resource or a method of some cookbook.
    #[must_use]
    pub fn defines(&self, name: &str) -> bool {
        self.shipped.contains_key(name) || self.methods.contains(name)
    }
}

impl Cookbook {
    /// Reads a cookbook from its files, given as paths below its folder and contents. `folder` is its name if the metadata has none.
    #[must_use]
    pub fn read(root: &str, folder: &str, files: &[(String, Vec<u8>)]) -> Self {
        let mut cookbook = Self { name: folder.to_string(), root: root.to_string(), ..Self::default() };
        let has_json = files.iter().any(|(path, _)| path == "metadata.json");
        for (path, bytes) in files {
            match path.as_str() {
                "metadata.rb" if !has_json || !cookbook.described => cookbook.metadata(bytes),
                "metadata.json" => cookbook.metadata_json(bytes),
                _ => {}
            }
        }
        for (path, bytes) in files {
            cookbook.file(path, bytes);
        }
        cookbook
    }

    /// Whether the code contains a word.
    #[must_use]
    pub fn mentions(&self, word: &str) -> bool {
        self.words.contains(&hash(word))
    }

    fn metadata(&mut self, bytes: &[u8]) {
        self.described = true;
        let Some(source) = Source::new(bytes) else { return };
        ast::parse(&source.text, |parsed| {
            let Ok(tree) = parsed else { return };
            for call in tree.root().all().filter(|node| node.is(Kind::Send)) {
                if call.is_call("name") && call.argc() == 1 {
                    self.name = call.arg(0).and_then(N::as_str).unwrap_or(&self.name).to_string();
                } else if call.is_call("depends") {
                    match call.arg(0).and_then(N::as_str) {
                        Some(name) => {
                            self.depends.insert(name.to_string());
                        }
                        None => self.depends_of_list(call),
                    }
                }
            }
        });
    }

    /// Reads `%w(a b).each { |name| depends name }`.
    fn depends_of_list(&mut self, call: N<'_>) {
        let list = call.ancestors().find(|outer| outer.is(Kind::Block)).and_then(N::recv);
        let names: Vec<&str> = match list {
            Some(list) if list.is(Kind::Array) => list.kids().filter_map(N::as_str).collect(),
            Some(list) => list.pairs().filter_map(|(key, _)| key.as_str()).collect(),
            None => Vec::new(),
        };
        self.open |= names.is_empty();
        self.depends.extend(names.into_iter().map(str::to_string));
    }

    /// Reads the dependencies in `metadata.json`; the rest is not parsed.
    fn metadata_json(&mut self, bytes: &[u8]) {
        self.described = true;
        let text = String::from_utf8_lossy(bytes);
        if let Some((_, rest)) = text.split_once("\"dependencies\"")
            && let Some(body) = rest.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map(|(body, _)| body)
        {
            // names and version constraints alternate
            let quoted = body.split('"').skip(1).step_by(2);
            self.depends.extend(quoted.step_by(2).map(str::to_string));
        }
    }

    fn file(&mut self, path: &str, bytes: &[u8]) {
        let (folder, inner) = path.split_once('/').unwrap_or(("", path));
        if folder == "templates" {
            self.template(inner, bytes);
        }
        let text = String::from_utf8_lossy(bytes);
        if !matches!(path, "metadata.rb" | "metadata.json") {
            self.words(&text);
        }
        let stem = inner.strip_suffix(".rb");
        match (folder, stem) {
            ("recipes", _) => {
                let name = stem.or(inner.strip_suffix(".yml")).or(inner.strip_suffix(".yaml"));
                let name = name.or(inner.strip_suffix(".json"));
                // a recipe in a subfolder is known by its base name
                self.recipes.extend(name.map(|name| name.rsplit('/').next().unwrap_or(name).to_string()));
            }
            ("", Some("recipe")) => {
                self.recipes.insert("default".into());
            }
            ("resources" | "providers", Some(stem)) if folder == "resources" => {
                let own = self.name.replace('-', "_");
                self.resources.insert(if stem == "default" { own } else { format!("{own}_{stem}") });
            }
            _ => {}
        }
        if stem.is_some() && folder != "test" && folder != "spec" {
            for line in text.lines() {
                self.line(line.trim_start(), folder);
            }
        }
    }

    /// Records the names that a line may define.
    fn line(&mut self, line: &str, folder: &str) {
        if line.starts_with('#') {
            return;
        }
        if let Some(rest) = line.strip_prefix("def ") {
            let rest = rest.strip_prefix("self.").unwrap_or(rest);
            self.methods.insert(first_word(rest).to_string());
        }
        for word in ["define_method", "attr_accessor", "attr_writer", "alias_method", "def_delegators", "alias "] {
            if let Some((_, rest)) = line.split_once(word) {
                let named = rest.split([':', ' ', ',', '"', '\'', '(']).map(first_word).filter(|name| !name.is_empty());
                self.methods.extend(named.map(str::to_string));
            }
        }
        for word in ["provides", "resource_name", "define"] {
            let Some(rest) = after_word(line, word) else { continue };
            let rest = rest.trim_start_matches([' ', '(', '=']);
            match rest.strip_prefix([':', '\'', '"']) {
                Some(name) => {
                    let end = name.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
                    self.resources.insert(name[..end.unwrap_or(name.len())].to_string());
                }
                None => self.open |= word != "define" && !rest.is_empty() && !rest.starts_with(['?', '.', '#']),
            }
        }
        if folder == "libraries" {
            if let Some(rest) = line.strip_prefix("class ") {
                let name = rest.split(['<', ' ', ';']).next().unwrap_or_default();
                self.resources.insert(snake(name.rsplit("::").next().unwrap_or(name)));
            }
            let makes = ["method_missing", "const_set", "Class.new", "class_eval", "instance_eval", "module_eval"];
            self.open |= makes.iter().any(|word| line.contains(word));
        }
    }

    fn template(&mut self, inner: &str, bytes: &[u8]) {
        if !inner.ends_with(".erb") {
            return;
        }
        let name = match inner.split_once('/') {
            Some((folder, rest)) if folder == "default" || folder.contains('-') || variant(folder) => rest,
            _ => inner,
        };
        let needed = template::needed(bytes);
        match self.templates.get_mut(name) {
            Some(several) => *several = None,
            None => {
                self.templates.insert(name.to_string(), needed);
            }
        }
    }

    fn words(&mut self, text: &str) {
        for word in text.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '-') {
            if !word.is_empty() {
                self.words.insert(hash(word));
                if word.contains('-') {
                    self.words.extend(word.split('-').map(hash));
                }
            }
        }
    }
}

/// Whether a folder in `templates` is for a platform and not part of the template's name.
fn variant(folder: &str) -> bool {
    let platforms = [
        "amazon",
        "arch",
        "centos",
        "debian",
        "fedora",
        "freebsd",
        "gentoo",
        "mac_os_x",
        "omnios",
        "openbsd",
        "opensuse",
        "oracle",
        "redhat",
        "rhel",
        "scientific",
        "smartos",
        "solaris2",
        "suse",
        "ubuntu",
        "windows",
    ];
    platforms.contains(&folder)
}

fn hash(word: &str) -> u64 {
    word.bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn first_word(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '?' | '!'));
    &text[..end.unwrap_or(text.len())]
}

/// The rest of a line after a whole word.
fn after_word<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let at = line.find(word)?;
    let alone = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric() && letter != '_');
    let rest = &line[at + word.len()..];
    (alone(line[..at].chars().next_back()) && alone(rest.chars().next())).then_some(rest)
}

/// Converts `FooBar` to `foo_bar`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    let mut before = '_';
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit()) {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
        before = letter;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Cookbook, Known};

    fn cookbook(name: &str, files: &[(&str, &str)]) -> Cookbook {
        let files: Vec<_> = files.iter().map(|(path, text)| (path.to_string(), text.as_bytes().to_vec())).collect();
        Cookbook::read(&format!("cookbooks/{name}/"), name, &files)
    }

    #[test]
    fn names() {
        let web = cookbook(
            "my-web",
            &[
                ("metadata.rb", "name 'my-web'\n%w(apt yum).each { |name| depends name }\ndepends 'base', '> 1'\n"),
                ("resources/site.rb", "provides :web_site\nproperty :a, String\ndef helper?(x)\nend\n"),
                ("libraries/a.rb", "class Chef::Resource::FooBar < Chef::Resource\nend\n"),
                ("definitions/x.rb", "define :a_definition do\nend\n"),
                ("recipes/default.rb", ""),
                ("templates/default/a/b.erb", ""),
            ],
        );
        assert_eq!(web.depends.iter().map(String::as_str).collect::<Vec<_>>(), ["apt", "base", "yum"]);
        for name in ["my_web_site", "web_site", "foo_bar", "a_definition"] {
            assert!(web.resources.contains(name), "{name}: {:?}", web.resources);
        }
        assert!(web.methods.contains("helper?") && web.recipes.contains("default") && !web.open);
        assert!(web.templates.contains_key("a/b.erb"));
    }

    #[test]
    fn reach_ends_at_what_is_not_here() {
        let mut known = Known::default();
        known.add(cookbook(
            "web",
            &[("metadata.json", r#"{"name": "web", "dependencies": {"base": ">= 0", "c": "> 1"}}"#)],
        ));
        known.add(cookbook("base", &[("metadata.rb", "name 'base'\n")]));
        assert!(!known.reach_here(&known.cookbooks["web"]).unwrap().whole);
        known.add(cookbook("c", &[("metadata.rb", "name 'c'\ndepends 'base'\n")]));
        let reach = known.reach_here(&known.cookbooks["web"]).unwrap();
        assert_eq!((reach.cookbooks.len(), reach.whole), (3, true));
        assert_eq!(known.cookbook_of("cookbooks/web/recipes/a.rb").unwrap().name, "web");
    }
}
