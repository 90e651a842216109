//! A unit is a run list on a platform, compiled in a repository or in a temporary chef-repo around a single cookbook.

use super::finding::{Finding, Verdict};
use super::judge::{Case, judge};
use crate::compile::Edited;
use crate::input::layout;
use rchef_host::files::{absolute, lexical};
use rchef_host::{FileKind, Files, RealHost, compose};
use rchef_model::code::Code;
use serde_json::{Value as Json, json};
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

/// Time limit of a unit in seconds, unless `--limit-time` is given.
const SECONDS: &str = "9";
/// Sections of the dump that are needed.
const SECTIONS: &str = "cookbooks,attributes,resources,notifications,effects,reads,lints";

/// Where units are compiled.
pub struct Repository {
    /// The chef-repo: the current directory, or a temporary one.
    pub folder: String,
    /// Cookbooks of a temporary chef-repo: names and paths relative to the current directory.
    pub laid: BTreeMap<String, String>,
    /// A temporary directory, created on demand.
    temporary: Option<String>,
    pub cwd: String,
    /// What was not checked, and why.
    pub skipped: Vec<String>,
    /// What could not be read, and why.
    pub problems: Vec<String>,
    /// Texts that compiles see in place of files.
    pub edited: Edited,
    /// The directories of cookbooks, from the current directory.
    paths: Vec<String>,
    /// Values of `--cookbook-path` that compiles need beside those of the command line.
    more_paths: Vec<String>,
    /// The cookbooks there by the names of their directories, for compiles that failed before reporting these.
    folders: Folders,
    /// Values of `--cookbook-path` that hold a copy of a cookbook of this repository, with the directories of links to the others there that replace them.
    replaced: BTreeMap<String, String>,
    /// Links in the temporary directory, and the paths that are shown for them.
    links: Vec<(String, String)>,
}

#[derive(Clone, Debug, Default)]
pub struct Unit {
    pub name: String,
    pub run_list: String,
    pub platform: Option<String>,
    /// A file with the facts.
    pub ohai: Option<String>,
    /// A file with JSON attributes.
    pub json: Option<String>,
    pub environment: Option<String>,
    /// The node name.
    pub node: Option<String>,
    /// Values of `--config-option`.
    pub settings: Vec<String>,
    /// The file that has the run list, from the current directory.
    pub origin: Option<String>,
    /// The suite whose run list it is, in that file.
    pub section: Option<String>,
}

/// Directories of cookbooks by name.
pub type Folders = BTreeMap<String, String>;

/// The result of a unit.
pub struct Result_ {
    pub verdict: Verdict,
    /// Number of declared resources.
    pub resources: usize,
    pub findings: Vec<Finding>,
    /// As [`Repository::folder_of`] gives them.
    pub cookbooks: Folders,
    /// Other files and directories that it depends on: roles, its environment, data bags.
    pub sources: Vec<String>,
    /// Loaded files of cookbooks, such as `web/recipes/default.rb`.
    pub reached: Vec<String>,
    /// Whether a failure ended the compile.
    pub stopped: bool,
}

impl Result_ {
    /// Joins the results of two policies of one unit.
    fn join(mut self, other: Self) -> Self {
        self.findings.extend(other.findings);
        self.cookbooks.extend(other.cookbooks);
        self.sources.extend(other.sources);
        self.reached.extend(other.reached);
        let stopped = self.stopped || other.stopped;
        Self { verdict: Verdict::of(&self.findings), resources: self.resources + other.resources, stopped, ..self }
    }
}

impl Repository {
    /// The current directory or, if it is a single cookbook, a temporary chef-repo around it. `given` are values of `--cookbook-path`; a single
    /// cookbook that lies in one of them, or beside which a configuration file was named, needs none.
    ///
    /// # Errors
    /// The temporary chef-repo cannot be created.
    pub fn here(host: &RealHost, given: &[String], configured: bool) -> Result<Self, String> {
        let cwd = host.getcwd().map_err(|error| error.to_string())?;
        let cwd = String::from_utf8_lossy(&cwd).into_owned();
        let own = cwd.rsplit('/').next().unwrap_or_default();
        let here = host.realpath(b".").ok();
        let holds = |path: &String| here.is_some() && host.realpath(format!("{path}/{own}").as_bytes()).ok() == here;
        let single = !configured && layout::is_cookbook(host, &cwd) && !given.iter().any(holds);
        let usual = layout::cookbook_path(host, &cwd).filter(|_| !configured && !single);
        let mut repository = Self::at(cwd.clone(), cwd);
        match (given, usual) {
            ([_, ..], _) => repository.paths = given.to_vec(),
            ([], Some(path)) => {
                repository.paths = vec![path.to_string()];
                repository.more_paths = vec![crate::input::config::absolute(&repository.cwd, path)];
            }
            ([], None) => repository.paths = vec!["cookbooks".to_string()],
        }
        for path in &repository.paths {
            for entry in host.readdir(path.as_bytes()).unwrap_or_default() {
                let name = String::from_utf8_lossy(&entry.name).into_owned();
                let folder = below(path, &name);
                repository.folders.entry(name).or_insert(folder);
            }
        }
        if single {
            let folder = repository.temporary(host)?;
            if !given.is_empty() {
                repository.more_paths.push(format!("{folder}/cookbooks"));
            }
            repository.laid = layout::around(host, &repository.cwd, &folder)?;
            let link = |(name, path): (&String, &String)| (format!("{folder}/cookbooks/{name}"), path.clone());
            repository.links = repository.laid.iter().map(link).collect();
            for (at, path) in given.iter().enumerate() {
                let path = crate::input::config::absolute(&repository.cwd, path);
                let instead = format!("{folder}/given-{at}");
                if let Some(others) = layout::without(host, &path, &instead, &repository.laid)? {
                    for (name, path) in others {
                        repository.links.push((format!("{instead}/{name}"), repository.below_here(&path)));
                    }
                    repository.replaced.insert(path, instead);
                }
            }
            repository.folder = folder;
        }
        Ok(repository)
    }

    /// A directory, without looking for cookbooks.
    pub fn at(folder: String, cwd: String) -> Self {
        Self {
            folder,
            laid: BTreeMap::new(),
            temporary: None,
            cwd,
            skipped: Vec::new(),
            problems: Vec::new(),
            edited: Edited::default(),
            paths: Vec::new(),
            more_paths: Vec::new(),
            folders: Folders::new(),
            replaced: BTreeMap::new(),
            links: Vec::new(),
        }
    }

    /// What a value of `--cookbook-path`, as an absolute path, is for compiles.
    pub fn cookbook_path(&self, path: String) -> String {
        self.replaced.get(&path).cloned().unwrap_or(path)
    }

    /// The temporary directory, which is created if necessary.
    ///
    /// # Errors
    /// It cannot be created.
    pub fn temporary(&mut self, host: &RealHost) -> Result<String, String> {
        if let Some(folder) = &self.temporary {
            return Ok(folder.clone());
        }
        let made = layout::temporary(host, "check")?;
        self.temporary = Some(made.clone());
        Ok(made)
    }

    /// Writes a temporary file for a unit; gives its path.
    pub fn write(&mut self, host: &RealHost, name: &str, content: &[u8]) -> Result<String, String> {
        let safe: String = name.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect();
        let path = format!("{}/{safe}.json", self.temporary(host)?);
        compose::write_file(host, path.as_bytes(), content, 0o600)
            .map_err(|error| format!("{path}: {}", error.message()))?;
        Ok(path)
    }

    /// Removes the temporary directory.
    pub fn remove(&mut self, host: &RealHost) {
        if let Some(folder) = self.temporary.take() {
            let _ = compose::remove_dir_all(host, folder.as_bytes());
        }
    }

    /// A path relative to the current directory if it is below it; the current directory itself is empty.
    fn below_here(&self, path: &str) -> String {
        let path = String::from_utf8_lossy(&lexical(path.as_bytes())).into_owned();
        match path.strip_prefix(self.cwd.as_str()) {
            Some("") => String::new(),
            Some(rest) if self.cwd == "/" => rest.to_string(),
            Some(rest) if rest.starts_with('/') => rest[1..].to_string(),
            _ => path,
        }
    }

    /// A path, which may be absolute, relative to the current directory where it is below it.
    pub fn relative(&self, path: &str) -> String {
        self.below_here(&String::from_utf8_lossy(&absolute(self.cwd.as_bytes(), path.as_bytes())))
    }

    /// The relative path of a cookbook that a compile found at `root`.
    fn folder_of(&self, name: &str, root: &str) -> String {
        let link = || self.links.iter().find(|(link, _)| link == root).map(|(_, path)| path.clone());
        self.laid.get(name).cloned().or_else(link).unwrap_or_else(|| self.below_here(root))
    }

    /// The cookbooks of a dump with their relative paths.
    fn cookbooks_of(&self, dump: &Json) -> Folders {
        let names = dump["cookbooks"].as_array().into_iter().flatten().filter_map(|book| book["name"].as_str());
        names.filter_map(|name| Some((name.to_string(), self.folder_of(name, dump["roots"][name].as_str()?)))).collect()
    }

    /// The relative paths of the files that a dump's compile loaded.
    pub fn reached(&self, dump: &Json) -> BTreeSet<String> {
        let cookbooks = self.cookbooks_of(dump);
        let files = dump["reached"].as_array().into_iter().flatten().filter_map(Json::as_str);
        files.map(|file| self.file(file, &cookbooks)).collect()
    }

    /// The cookbook whose library defines a method, of those that a compile found and did not load, and the library's path.
    fn library(&self, host: &RealHost, dump: &Json, loaded: &Folders, name: &str) -> Option<(String, String)> {
        let defines = |line: &str| {
            let rest = line.trim_start().strip_prefix("def ")?;
            let rest = rest.strip_prefix("self.").unwrap_or(rest).strip_prefix(name)?;
            (!rest.starts_with(|letter: char| letter.is_alphanumeric() || "_?!=".contains(letter))).then_some(())
        };
        let all = dump["roots"].as_object().into_iter().flatten();
        let others = all.filter(|(cookbook, _)| !loaded.contains_key(*cookbook));
        others.filter_map(|(cookbook, root)| Some((cookbook, self.folder_of(cookbook, root.as_str()?)))).find_map(
            |(cookbook, folder)| {
                let place = if folder.is_empty() { "libraries".to_string() } else { format!("{folder}/libraries") };
                let mut files: Vec<String> = host
                    .readdir(place.as_bytes())
                    .unwrap_or_default()
                    .into_iter()
                    .map(|entry| format!("{place}/{}", String::from_utf8_lossy(&entry.name)))
                    .collect();
                files.sort();
                let has = |path: &String| {
                    let bytes = compose::read_file(host, path.as_bytes()).unwrap_or_default();
                    String::from_utf8_lossy(&bytes).lines().find_map(defines).is_some()
                };
                files.into_iter().find(has).map(|path| (cookbook.clone(), path))
            },
        )
    }

    /// Takes the paths of this machine out of a finding: the repository's own are from its root.
    fn shorten(&self, finding: &mut Finding) {
        let texts = [Some(&mut finding.message), finding.todo.as_mut(), finding.assumed.as_mut()];
        for text in texts.into_iter().flatten() {
            if !self.links.is_empty() && text.contains(self.folder.as_str()) {
                *text = self.without_links(text);
            }
            for folder in [&self.cwd, &self.folder].into_iter().filter(|folder| folder.len() > 1) {
                if text.contains(folder.as_str()) {
                    *text = text.replace(&format!("{folder}/./"), "").replace(&format!("{folder}/"), "");
                }
            }
        }
    }

    /// A text with the paths of cookbooks in place of the links to them.
    fn without_links(&self, text: &str) -> String {
        let mut text = text.to_string();
        for (link, path) in &self.links {
            let mut from = 0;
            while let Some(at) = text[from..].find(link.as_str()).map(|at| from + at) {
                let rest = &text[at + link.len()..];
                if rest.starts_with(|letter: char| letter.is_alphanumeric() || "_-.".contains(letter)) {
                    from = at + link.len();
                    continue;
                }
                // the current directory itself
                let (end, shown) = match path.as_str() {
                    "" if rest.starts_with('/') => (at + link.len() + 1, ""),
                    "" => (at + link.len(), "."),
                    path => (at + link.len(), path),
                };
                text.replace_range(at..end, shown);
                from = at + shown.len();
            }
        }
        text
    }

    /// The relative path of a source such as `web/recipes/default.rb`.
    pub fn file(&self, source: &str, cookbooks: &Folders) -> String {
        let Some((name, inner)) = source.split_once('/') else { return source.to_string() };
        match cookbooks.get(name).or_else(|| self.laid.get(name)) {
            Some(folder) if folder.is_empty() => inner.to_string(),
            Some(folder) => format!("{folder}/{inner}"),
            None if self.folders.contains_key(name) => format!("{}/{inner}", self.folders[name]),
            None if source.starts_with('/') => self.below_here(source),
            None => source.to_string(),
        }
    }
}

/// Every recipe of the repository's cookbooks.
pub fn recipes(host: &RealHost, repository: &Repository) -> Vec<Unit> {
    if !repository.laid.is_empty() {
        return repository.laid.values().flat_map(|folder| recipes_of(host, repository, folder)).collect();
    }
    let mut folders: Vec<String> = Vec::new();
    for path in &repository.paths {
        let entries = host.readdir(path.as_bytes()).unwrap_or_default().into_iter();
        let names = entries.filter(|entry| entry.kind != FileKind::File);
        folders.extend(names.map(|entry| below(path, &String::from_utf8_lossy(&entry.name))));
    }
    folders.sort();
    folders.iter().flat_map(|folder| recipes_of(host, repository, folder)).collect()
}

/// The path of an entry of a directory.
fn below(folder: &str, name: &str) -> String {
    match folder.trim_end_matches('/') {
        "." => name.to_string(),
        folder => format!("{}/{name}", folder.strip_prefix("./").unwrap_or(folder)),
    }
}

/// Every recipe of the cookbook in a directory relative to the current one; empty if a run of the repository would not find the cookbook there.
pub fn recipes_of(host: &RealHost, repository: &Repository, folder: &str) -> Vec<Unit> {
    let found = repository.laid.values().any(|laid| laid == folder)
        || repository.laid.is_empty() && {
            let name = folder.rsplit('/').next().unwrap_or_default();
            repository.paths.iter().any(|path| below(path, name) == folder)
        };
    if !found {
        return Vec::new();
    }
    let at = |name: &str| if folder.is_empty() { name.to_string() } else { format!("{folder}/{name}") };
    let metadata = compose::read_file(host, at("metadata.rb").as_bytes()).ok();
    let own = folder.rsplit('/').next().unwrap_or_default().to_string();
    let laid = repository.laid.iter().find(|(_, laid)| *laid == folder).map(|(name, _)| name.clone());
    let name = laid.or_else(|| metadata.and_then(|bytes| rchef_lint::cookbook_name(&bytes))).unwrap_or(own);
    let entries = host.readdir(at("recipes").as_bytes()).unwrap_or_default();
    let mut files: Vec<String> =
        entries.into_iter().map(|entry| String::from_utf8_lossy(&entry.name).into_owned()).collect();
    files.sort();
    let recipes = files.iter().filter_map(|file| file.strip_suffix(".rb"));
    recipes
        .map(|recipe| {
            let run_list = format!("recipe[{name}::{recipe}]");
            Unit { name: format!("{name}::{recipe}"), run_list, ..Unit::default() }
        })
        .collect()
}

impl Unit {
    /// The result of this unit, as a forked process passes it to the parent.
    pub fn left(&self, host: &RealHost, repository: &Repository, dump: Result<Json, String>) -> Json {
        let result = match dump {
            Err(complaint) => {
                let mut broken = self.broken(&complaint);
                let place = complaint.lines().find_map(|line| line.trim_start().strip_prefix("--> "));
                if let (Some(finding), Some(place)) = (broken.findings.first_mut(), place) {
                    finding.source = repository.below_here(place);
                }
                broken.findings.iter_mut().for_each(|finding| repository.shorten(finding));
                broken
            }
            Ok(dump) => match dump["policies"].as_array() {
                Some(several) => several
                    .iter()
                    .map(|dump| self.judged(host, repository, dump))
                    .reduce(Result_::join)
                    .unwrap_or_else(|| self.broken("")),
                None => self.judged(host, repository, &dump),
            },
        };
        let findings: Json = result.findings.iter().map(Finding::to_json).collect();
        json!({
            "resources": result.resources, "findings": findings, "cookbooks": result.cookbooks,
            "sources": result.sources, "reached": result.reached, "stopped": result.stopped,
        })
    }

    /// Reads the form of [`Unit::left`]; None is a unit that crashed or timed out.
    pub fn result(&self, left: Option<&[u8]>) -> Result_ {
        let Some(left) = left.and_then(|bytes| serde_json::from_slice::<Json>(bytes).ok()) else {
            return self.broken(
                "the compile ended without an answer: it was stopped after its time (--limit-time), or crashed",
            );
        };
        let findings: Vec<Finding> =
            left["findings"].as_array().into_iter().flatten().filter_map(Finding::from_json).collect();
        Result_ {
            verdict: Verdict::of(&findings),
            resources: left["resources"].as_u64().and_then(|count| usize::try_from(count).ok()).unwrap_or(0),
            findings,
            cookbooks: serde_json::from_value(left["cookbooks"].clone()).unwrap_or_default(),
            sources: serde_json::from_value(left["sources"].clone()).unwrap_or_default(),
            reached: serde_json::from_value(left["reached"].clone()).unwrap_or_default(),
            stopped: left["stopped"] == true,
        }
    }

    /// The arguments of `rchef compile` for a check of this unit.
    pub fn arguments(&self, repository: &Repository, more: &[String]) -> Vec<String> {
        let mut argv: Vec<String> = [
            "--for-check",
            "--dump=json",
            "--expand",
            "--render",
            "--dump-only",
            SECTIONS,
            "--dump-attributes",
            "merged",
        ]
        .map(str::to_string)
        .to_vec();
        if !repository.laid.is_empty() {
            argv.extend(["--allow-path".to_string(), repository.cwd.clone()]);
        }
        for path in repository.replaced.keys() {
            argv.extend(["--allow-path".to_string(), path.clone()]);
        }
        for path in &repository.more_paths {
            argv.extend(["--cookbook-path".to_string(), path.clone()]);
        }
        argv.extend(self.of_node(more));
        argv
    }

    /// The options of `rchef compile` for the node and run list of this unit and a time limit, followed by `more`.
    pub fn of_node(&self, more: &[String]) -> Vec<String> {
        let mut argv = Vec::new();
        let options = [
            ("--platform", &self.platform),
            ("--ohai", &self.ohai),
            ("-j", &self.json),
            ("-E", &self.environment),
            ("-N", &self.node),
        ];
        for (name, value) in options {
            argv.extend(value.iter().flat_map(|value| [name.to_string(), value.clone()]));
        }
        argv.extend(self.settings.iter().flat_map(|setting| ["--config-option".to_string(), setting.clone()]));
        // a policy has its own run list
        if !self.run_list.is_empty() {
            argv.extend(["-o".to_string(), self.run_list.clone()]);
        }
        if !more.iter().any(|arg| arg.starts_with("--limit-time")) {
            argv.extend(["--limit-time".to_string(), SECONDS.to_string()]);
        }
        argv.extend(more.iter().cloned());
        argv
    }

    fn judged(&self, host: &RealHost, repository: &Repository, dump: &Json) -> Result_ {
        let list = |key: &str| dump[key].as_array().map(Vec::as_slice).unwrap_or_default();
        let cookbooks = repository.cookbooks_of(dump);
        let sources = list("sources").iter().filter_map(Json::as_str).map(|path| repository.below_here(path)).collect();
        let facts: LazyCell<Option<Json>, _> = LazyCell::new(|| match (&self.platform, &self.ohai) {
            (Some(name), _) => {
                rchef_providers::facts::simulated(name).and_then(|text| serde_json::from_slice(&text).ok())
            }
            (None, Some(path)) => {
                compose::read_file(host, path.as_bytes()).ok().and_then(|text| serde_json::from_slice(&text).ok())
            }
            (None, None) => None,
        });
        let text = |file: &str| {
            let bytes = compose::read_file(host, repository.file(file, &cookbooks).as_bytes()).ok()?;
            Some(String::from_utf8_lossy(&bytes).lines().map(str::to_string).collect())
        };
        let library = |name: &str| repository.library(host, dump, &cookbooks, name);
        let mut findings = judge(&Case { dump, text: &text, library: &library, facts: &|| facts.as_ref() });
        for finding in &mut findings {
            repository.shorten(finding);
        }
        // the place of a missing item of a run list is where the list has it
        for finding in findings.iter_mut().filter(|finding| finding.source.is_empty()) {
            if matches!(finding.rule, Code::MissingRecipe | Code::MissingRole | Code::MissingCookbook) {
                let file = self.role_file(host, repository).or_else(|| self.origin.clone());
                finding.source = file.map(|file| self.item_place(host, &file, finding)).unwrap_or_default();
            }
        }
        let reached = list("reached").iter().filter_map(Json::as_str).map(str::to_string).collect();
        Result_ {
            verdict: Verdict::of(&findings),
            resources: list("resources").len(),
            findings,
            cookbooks,
            sources,
            reached,
            stopped: dump["status"] == "failed",
        }
    }

    /// The file of the role, if the run list is a single role.
    fn role_file(&self, host: &RealHost, repository: &Repository) -> Option<String> {
        let name = self.run_list.strip_prefix("role[")?.strip_suffix(']')?;
        let paths = ["rb", "json"].map(|end| format!("roles/{name}.{end}"));
        paths.into_iter().find(|path| compose::exists(host, format!("{}/{path}", repository.cwd).as_bytes()))
    }

    /// The line of a file with run lists that has the item that a finding is about; the first line if none has it.
    fn item_place(&self, host: &RealHost, file: &str, finding: &Finding) -> String {
        let text = compose::read_file(host, file.as_bytes()).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        // a recipe is named with its cookbook, a cookbook by any of its recipes
        let about = |item: &str, missing: &str| {
            item == missing
                || item.split("::").next() == Some(missing)
                || missing.strip_suffix("::default") == Some(item)
        };
        let role = finding.rule == Code::MissingRole;
        let item = self.run_list.split(',').map(str::trim).find(|item| {
            item.starts_with("role[") == role && finding.missing.iter().any(|missing| about(bare(item), missing))
        });
        // as it stands there, or without what the list may leave out
        let forms = match (item, finding.missing.first()) {
            (Some(item), _) => vec![item, bare(item)],
            (None, missing) => missing.into_iter().map(String::as_str).collect(),
        };
        let line = item_line(&text, self.section.as_deref(), &forms);
        format!("{file}:{}", line.unwrap_or(1))
    }

    /// The result of a compile that ended without a dump.
    fn broken(&self, complaint: &str) -> Result_ {
        let message =
            complaint.lines().map(|line| line.trim_start_matches("error: ")).find(|line| !line.trim().is_empty());
        let message = message.unwrap_or("the compile ended without a word").to_string();
        let finding = Finding::error(Code::CompileFailed, String::new(), message);
        let findings = vec![finding];
        Result_ {
            verdict: Verdict::of(&findings),
            resources: 0,
            findings,
            cookbooks: Folders::new(),
            sources: Vec::new(),
            reached: Vec::new(),
            stopped: true,
        }
    }
}

/// An item of a run list without `recipe[...]` or `role[...]`, and without a version.
fn bare(item: &str) -> &str {
    let item = item.trim();
    let inner = item.split_once('[').and_then(|(_, inner)| inner.strip_suffix(']')).unwrap_or(item);
    inner.split_once('@').map_or(inner, |(name, _)| name)
}

/// The line, from 1, that has an item of a run list in one of its forms, best first: in the suite named `section` if it is there, else anywhere; of the
/// suite if it is nowhere.
fn item_line(text: &str, section: Option<&str>, forms: &[&str]) -> Option<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let letter = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || "_-:".contains(letter));
    let has = |line: &str, item: &str| {
        let code = line.split(" #").next().unwrap_or_default();
        !code.trim_start().starts_with('#')
            && code.match_indices(item).any(|(at, _)| {
                let quoted = |mark: Option<char>| matches!(mark, Some('\'' | '"' | '[' | ']' | ' ' | ',' | '@') | None);
                let (before, after) = (code[..at].chars().next_back(), code[at + item.len()..].chars().next());
                !letter(before) && !letter(after) && quoted(before) && quoted(after)
            })
    };
    let suite = section.and_then(|name| {
        let first = lines.iter().position(|line| line.trim_end() == "suites:").unwrap_or(0);
        let named = |line: &&str| {
            let value = line.trim_start().trim_start_matches("- ").trim_start().strip_prefix("name:");
            value.is_some_and(|value| {
                value.split(" #").next().unwrap_or_default().trim().trim_matches(['\'', '"']) == name
            })
        };
        Some(first + lines.get(first..)?.iter().position(named)?)
    });
    let own = suite.and_then(|start| {
        let depth = |line: &str| line.len() - line.trim_start_matches([' ', '-']).len();
        let keys = lines.get(start).map_or(0, |line| depth(line));
        // the suite ends where another begins, or what has fewer columns
        let rest = lines.get(start + 1..)?;
        let ends = |line: &&str| {
            !line.trim().is_empty() && (depth(line) < keys || depth(line) == keys && line.trim_start().starts_with('-'))
        };
        let end = rest.iter().position(ends).unwrap_or(rest.len());
        let rest = rest.get(..end)?;
        Some(start + 1 + forms.iter().find_map(|form| rest.iter().position(|line| has(line, form)))?)
    });
    let anywhere = || forms.iter().find_map(|form| lines.iter().position(|line| has(line, form)));
    own.or_else(anywhere).or(suite).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::{bare, item_line};

    #[test]
    fn lines_of_items() {
        let text = "---\nplatforms:\n  - name: one\n    run_list: recipe[base]\nsuites:\n  - name: one\n    run_list:\n    - recipe[a]\n    # recipe[b]\n    - recipe[b]\n  - run_list: [ 'a::b' ]\n    name: 'two'\n  - name: \"three\"\n    run_list:\n      - role[a]\n";
        for (suite, item, line) in [
            ("one", "a", Some(8)),
            ("one", "b", Some(10)),
            ("one", "base", Some(4)),
            ("two", "a::b", Some(11)),
            ("three", "a", Some(15)),
            ("three", "gone", Some(13)),
            ("none", "gone", None),
        ] {
            assert_eq!(item_line(text, Some(suite), &[item]), line, "{suite} {item}");
        }
        assert_eq!(item_line("{\n\"run_list\": [\"recipe[a]\"]}", None, &["a"]), Some(2));
        assert_eq!(item_line("- recipe[a]\n- role[a]\n", None, &["role[a]", "a"]), Some(2));
        assert_eq!((bare("recipe[a::b@1.0]"), bare(" a "), bare("role[x]")), ("a::b", "a", "x"));
    }
}
