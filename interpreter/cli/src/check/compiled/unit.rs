//! What is compiled: a run list on a platform, from a repository as it is or from one that is laid out around a single cookbook.

use super::judge::{Case, Finding, Verdict, judge, verdict};
use crate::input::layout;
use rchef_host::files::lexical;
use rchef_host::{FileKind, Files, RealHost, compose};
use rchef_model::code::Code;
use serde_json::{Value as Json, json};
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

/// Most seconds of one unit, unless `--limit-time` says otherwise.
const SECONDS: &str = "9";
/// Sections of the dump that are judged.
const SECTIONS: &str = "cookbooks,attributes,resources,notifications,effects,reads,lints";

/// Where units are compiled.
pub struct Repository {
    /// The directory; the current one when it is a chef-repo.
    pub folder: String,
    /// Where cookbooks lie that are laid out: name and folder from the current directory.
    pub laid: BTreeMap<String, String>,
    /// A temporary directory, made when it is needed.
    temporary: Option<String>,
    pub cwd: String,
    /// What was not checked, and why.
    pub skipped: Vec<String>,
    /// The folders below `cookbooks`, where a compile that failed early does not say where its cookbooks lie.
    folders: BTreeSet<String>,
}

/// One run list on one platform.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// What it is called.
    pub name: String,
    pub run_list: String,
    pub platform: Option<String>,
    /// A file with its facts.
    pub ohai: Option<String>,
    /// A file with its attributes.
    pub json: Option<String>,
    pub environment: Option<String>,
    /// The name of its node.
    pub node: Option<String>,
    /// Settings of the configuration, as `--config-option` takes them.
    pub settings: Vec<String>,
}

/// Folders of cookbooks by the cookbooks' names.
pub type Folders = BTreeMap<String, String>;

/// What came of a unit.
pub struct Result_ {
    pub verdict: Verdict,
    /// How many resources it declares.
    pub resources: usize,
    pub findings: Vec<Finding>,
    /// The folders of its cookbooks by their names, as [`Repository::folder_of`] gives them.
    pub cookbooks: Folders,
    /// Files and folders beside these that it depends on: roles, its environment, data bags.
    pub sources: Vec<String>,
    /// Files of cookbooks that were loaded, such as `web/recipes/default.rb`.
    pub reached: Vec<String>,
}

impl Result_ {
    /// Of two parts of one unit.
    fn join(mut self, other: Self) -> Self {
        self.findings.extend(other.findings);
        self.cookbooks.extend(other.cookbooks);
        self.sources.extend(other.sources);
        self.reached.extend(other.reached);
        Self { verdict: verdict(&self.findings), resources: self.resources + other.resources, ..self }
    }
}

impl Repository {
    /// The current directory, or a layout around the cookbook that it is, unless options say where the cookbooks are.
    ///
    /// # Errors
    /// The layout cannot be made.
    pub fn here(host: &RealHost, named: bool) -> Result<Self, String> {
        let cwd = host.getcwd().map_err(|error| error.to_string())?;
        let cwd = String::from_utf8_lossy(&cwd).into_owned();
        let entries = host.readdir(b"cookbooks").unwrap_or_default().into_iter();
        let folders = entries.map(|entry| String::from_utf8_lossy(&entry.name).into_owned()).collect();
        let mut repository =
            Self { folder: cwd.clone(), laid: BTreeMap::new(), temporary: None, cwd, skipped: Vec::new(), folders };
        if !named && layout::is_cookbook(host, &repository.cwd) {
            let folder = repository.temporary(host)?;
            repository.laid = layout::around(host, &repository.cwd, &folder)?;
            repository.folder = folder;
        }
        Ok(repository)
    }

    /// A folder as it is.
    pub fn at(folder: String, cwd: String) -> Self {
        Self { folder, laid: BTreeMap::new(), temporary: None, cwd, skipped: Vec::new(), folders: BTreeSet::new() }
    }

    /// The temporary directory.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn temporary(&mut self, host: &RealHost) -> Result<String, String> {
        if let Some(folder) = &self.temporary {
            return Ok(folder.clone());
        }
        let made = layout::temporary(host, "check")?;
        self.temporary = Some(made.clone());
        Ok(made)
    }

    /// Writes a file for a unit; its path.
    pub fn write(&mut self, host: &RealHost, name: &str, content: &[u8]) -> Result<String, String> {
        let safe: String = name.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect();
        let path = format!("{}/{safe}.json", self.temporary(host)?);
        compose::write_file(host, path.as_bytes(), content, 0o600)
            .map_err(|error| format!("{path}: {}", error.message()))?;
        Ok(path)
    }

    /// Removes what was made.
    pub fn remove(&mut self, host: &RealHost) {
        if let Some(folder) = self.temporary.take() {
            let _ = compose::remove_dir_all(host, folder.as_bytes());
        }
    }

    /// A path from the current directory, where it is below that; the current directory is empty.
    fn below_here(&self, path: &str) -> String {
        let path = String::from_utf8_lossy(&lexical(path.as_bytes())).into_owned();
        match path.strip_prefix(self.cwd.as_str()) {
            Some("") => String::new(),
            Some(rest) if self.cwd == "/" => rest.to_string(),
            Some(rest) if rest.starts_with('/') => rest[1..].to_string(),
            _ => path,
        }
    }

    /// The folder of a cookbook that a compile found at `root`.
    fn folder_of(&self, name: &str, root: &str) -> String {
        self.laid.get(name).cloned().unwrap_or_else(|| self.below_here(root))
    }

    /// The file of a source such as `web/recipes/default.rb`, from the current directory.
    pub fn file(&self, source: &str, cookbooks: &Folders) -> String {
        let Some((name, inner)) = source.split_once('/') else { return source.to_string() };
        match cookbooks.get(name).or_else(|| self.laid.get(name)) {
            Some(folder) if folder.is_empty() => inner.to_string(),
            Some(folder) => format!("{folder}/{inner}"),
            None if self.folders.contains(name) => format!("cookbooks/{source}"),
            None if source.starts_with('/') => self.below_here(source),
            None => source.to_string(),
        }
    }
}

/// Every recipe of the cookbooks that are here.
pub fn recipes(host: &RealHost, repository: &Repository) -> Vec<Unit> {
    if !repository.laid.is_empty() {
        return repository.laid.values().flat_map(|folder| recipes_of(host, repository, folder)).collect();
    }
    let mut names: Vec<String> = host
        .readdir(b"cookbooks")
        .unwrap_or_default()
        .into_iter()
        .filter(|entry| entry.kind != FileKind::File)
        .map(|entry| String::from_utf8_lossy(&entry.name).into_owned())
        .collect();
    names.sort();
    names.iter().flat_map(|name| recipes_of(host, repository, &format!("cookbooks/{name}"))).collect()
}

/// Every recipe of a cookbook, by its folder from the current directory; none when a run of the repository would not find it there.
pub fn recipes_of(host: &RealHost, repository: &Repository, folder: &str) -> Vec<Unit> {
    let found = repository.laid.values().any(|laid| laid == folder)
        || repository.laid.is_empty() && folder.strip_prefix("cookbooks/").is_some_and(|name| !name.contains('/'));
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
    /// What a copy of this process leaves of it: its findings, and what tells its files.
    pub fn left(&self, host: &RealHost, repository: &Repository, dump: Result<Json, String>) -> Json {
        let result = match dump {
            Err(complaint) => {
                let mut broken = self.broken(&complaint);
                let place = complaint.lines().find_map(|line| line.trim_start().strip_prefix("--> "));
                if let (Some(finding), Some(place)) = (broken.findings.first_mut(), place) {
                    finding.source = repository.below_here(place);
                }
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
        json!({ "resources": result.resources, "findings": findings, "cookbooks": result.cookbooks, "sources": result.sources, "reached": result.reached })
    }

    /// Back from that form; a unit that left nothing did not end in time, or crashed.
    pub fn result(&self, left: Option<&[u8]>) -> Result_ {
        let Some(left) = left.and_then(|bytes| serde_json::from_slice::<Json>(bytes).ok()) else {
            return self.broken(
                "the compile ended without an answer: it was stopped after its time (--limit-time), or crashed",
            );
        };
        let findings: Vec<Finding> =
            left["findings"].as_array().into_iter().flatten().filter_map(Finding::from_json).collect();
        Result_ {
            verdict: verdict(&findings),
            resources: left["resources"].as_u64().and_then(|count| usize::try_from(count).ok()).unwrap_or(0),
            findings,
            cookbooks: serde_json::from_value(left["cookbooks"].clone()).unwrap_or_default(),
            sources: serde_json::from_value(left["sources"].clone()).unwrap_or_default(),
            reached: serde_json::from_value(left["reached"].clone()).unwrap_or_default(),
        }
    }

    /// The arguments of `rchef compile` that compile it for a judgement.
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
        argv.extend(self.of_node(more));
        argv
    }

    /// The options of `rchef compile` that say which node it is and what it runs, then `more`; its time is limited.
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
        // A policy says by itself what runs.
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
        let names = list("cookbooks").iter().filter_map(|book| book["name"].as_str());
        let cookbooks: Folders = names
            .filter_map(|name| Some((name.to_string(), repository.folder_of(name, dump["roots"][name].as_str()?))))
            .collect();
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
        let line = |source: &str| {
            let (file, line) = source.split(":in ").next()?.rsplit_once(':')?;
            let bytes = compose::read_file(host, repository.file(file, &cookbooks).as_bytes()).ok()?;
            let line: usize = line.parse().ok()?;
            String::from_utf8_lossy(&bytes).lines().nth(line.checked_sub(1)?).map(str::to_string)
        };
        let mut findings = judge(&Case { dump, line: &line, facts: &|| facts.as_ref() });
        // what a role names is not there
        for finding in findings.iter_mut().filter(|finding| finding.source.is_empty()) {
            if matches!(finding.rule, Code::MissingRecipe | Code::MissingRole | Code::MissingCookbook) {
                finding.source = self.role_file(host, repository).unwrap_or_default();
            }
        }
        let reached = list("reached").iter().filter_map(Json::as_str).map(str::to_string).collect();
        Result_ {
            verdict: verdict(&findings),
            resources: list("resources").len(),
            findings,
            cookbooks,
            sources,
            reached,
        }
    }

    /// The file of the one role that it runs.
    fn role_file(&self, host: &RealHost, repository: &Repository) -> Option<String> {
        let name = self.run_list.strip_prefix("role[")?.strip_suffix(']')?;
        let paths = ["rb", "json"].map(|end| format!("roles/{name}.{end}"));
        let found =
            paths.into_iter().find(|path| compose::exists(host, format!("{}/{path}", repository.cwd).as_bytes()))?;
        Some(format!("{found}:1"))
    }

    /// A compile that ended without a dump.
    fn broken(&self, complaint: &str) -> Result_ {
        let message =
            complaint.lines().map(|line| line.trim_start_matches("error: ")).find(|line| !line.trim().is_empty());
        let finding = Finding {
            rule: Code::CompileFailed,
            weight: crate::check::options::Weight::Error,
            source: String::new(),
            message: message.unwrap_or("the compile ended without a word").to_string(),
            assumed: None,
            asked: None,
            cascades: Vec::new(),
        };
        let findings = vec![finding];
        Result_ {
            verdict: verdict(&findings),
            resources: 0,
            findings,
            cookbooks: Folders::new(),
            sources: Vec::new(),
            reached: Vec::new(),
        }
    }
}
