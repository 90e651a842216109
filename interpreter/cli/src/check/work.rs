//! Checks the files of a repository on all processors.

use super::changed::Changed;
use super::documents::{self, Names};
use super::found::{Correction, Done, Found, What};
use super::parallel::on_all;
use super::settings::Settings;
use super::{encoding, ignored};
use rchef_change::diff::unified;
use rchef_host::{Clock, FileKind, Files, RealHost, compose, files};
use rchef_lint::config::{Config, Wishes};
use rchef_lint::discover;
use rchef_lint::engine::{Engine, Report};
use rchef_lint::file::File;
use rchef_lint::known::Known;
use rchef_lint::rule::Rule;
use std::collections::BTreeSet;

/// What to do with corrections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Correct {
    /// Nothing.
    No,
    /// Show them as diffs.
    Show,
    /// Return them; findings of these files are left out.
    Collect,
}

pub struct Asked<'a> {
    /// Files and directories.
    pub paths: &'a [String],
    /// Check only these changed files.
    pub only: Option<&'a Changed>,
    pub configured: bool,
    pub correct: Correct,
    /// Follow links to files of the repository. False when files are corrected, because each must be corrected under its own path.
    pub links: bool,
    /// Include corrections that may change the behaviour.
    pub unsafe_too: bool,
    /// Roles, environments and data bags, too.
    pub documents: bool,
}

/// A file with the index of its configuration.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Item {
    path: String,
    config: usize,
    /// Whether the static rules look at it.
    ruled: bool,
    /// The chef-repo of a document: a role, an environment, an item of a data bag.
    base: Option<String>,
}

/// Collects files and configurations.
struct Walk<'h> {
    host: &'h RealHost,
    configured: bool,
    links: bool,
    /// Whether documents are collected, and the chef-repo in which they are looked for.
    documents: bool,
    base: String,
    files: Vec<Item>,
    configs: Vec<Config>,
    /// For each configuration, the part from settings files.
    wishes: Vec<Wishes>,
    problems: Vec<String>,
}

/// Checks files, and corrects them if requested.
pub fn check(engine: &Engine, asked: &Asked<'_>, wanted: &(impl Fn(&Config, &Rule, &str) -> bool + Sync)) -> Done {
    Ground::of(asked).check(engine, asked, wanted, None)
}

/// The files to check with their configurations, and what is known around them.
pub struct Ground {
    files: Vec<Item>,
    configs: Vec<Config>,
    wishes: Vec<Wishes>,
    known: Known,
    problems: Vec<String>,
}

impl Ground {
    /// What the paths and options ask for.
    pub fn of(asked: &Asked<'_>) -> Self {
        let host = RealHost::new();
        let mut walk = Walk {
            host: &host,
            configured: asked.configured,
            links: asked.links,
            documents: asked.documents,
            base: String::new(),
            files: Vec::new(),
            configs: vec![Config::default()],
            wishes: vec![Wishes::default()],
            problems: Vec::new(),
        };
        let here = [".".to_string()];
        for path in if asked.paths.is_empty() { &here } else { asked.paths } {
            let config = walk.above(&plain(path));
            walk.base = documents::base_of(&host, &plain(path));
            match host.stat(path.as_bytes()) {
                Ok(stat) if stat.is_dir() => walk.folder(path, "", config),
                Ok(_) => walk.file(plain(path), config, true),
                Err(error) => walk.problems.push(format!("{path}: {}", error.message())),
            }
        }
        let Walk { mut files, configs, wishes, problems, .. } = walk;
        files.sort();
        files.dedup_by(|a, b| a.path == b.path);
        let bases: BTreeSet<&str> = files.iter().filter_map(|item| item.base.as_deref()).collect();
        let known = super::index::known(&host, files.iter().map(|item| item.path.as_str()), &bases);
        files.retain(|item| asked.only.is_none_or(|changed| changed.has(&host, &item.path)));
        Self { files, configs, wishes, known, problems }
    }

    /// Applies rules; only to these files where some are named.
    pub fn check(
        &self,
        engine: &Engine,
        asked: &Asked<'_>,
        wanted: &(impl Fn(&Config, &Rule, &str) -> bool + Sync),
        paths: Option<&[String]>,
    ) -> Done {
        let host = RealHost::new();
        let named = |item: &&Item| paths.is_none_or(|paths| paths.contains(&item.path));
        let files: Vec<&Item> = self.files.iter().filter(named).collect();
        let (configs, wishes, known) = (self.configs.as_slice(), self.wishes.as_slice(), &self.known);
        let names = Names::of(&host, files.iter().filter_map(|item| item.base.as_deref()), known);
        let (root_name, year) = (&*root_name(&host), year(&host));
        let worker = Worker { engine, asked, configs, wishes, root_name, year, known, names: &names, wanted };
        let mut done = worker.all(&files);
        done.problems.extend(self.problems.iter().cloned());
        done.problems.sort();
        done
    }
}

/// Data shared by the threads.
struct Worker<'a, W> {
    engine: &'a Engine,
    asked: &'a Asked<'a>,
    configs: &'a [Config],
    wishes: &'a [Wishes],
    root_name: &'a str,
    year: u32,
    known: &'a Known,
    names: &'a Names<'a>,
    wanted: &'a W,
}

impl<W: Fn(&Config, &Rule, &str) -> bool + Sync> Worker<'_, W> {
    fn all(&self, files: &[&Item]) -> Done {
        let parts = on_all(files, |host, item| {
            let mut done = Done::default();
            self.one(host, item, &mut done);
            done
        });
        let mut done = Done::default();
        for part in parts {
            done.found.extend(part.found);
            done.files += part.files;
            done.suppressed += part.suppressed;
            done.corrected += part.corrected;
            done.diffs.extend(part.diffs);
            done.corrections.extend(part.corrections);
            done.problems.extend(part.problems);
        }
        done
    }

    fn one(&self, host: &RealHost, item: &Item, done: &mut Done) {
        let path = item.path.as_str();
        let bytes = match compose::read_file(host, path.as_bytes()) {
            Ok(bytes) => bytes,
            Err(error) => {
                done.problems.push(format!("{path}: {}", error.message()));
                return;
            }
        };
        done.files += 1;
        if let Some(base) = item.base.as_ref().filter(|_| path.ends_with(".json")) {
            let found = documents::json(self.names, base, path, &bytes);
            self.add(item, &String::from_utf8_lossy(&bytes), found, done);
        }
        if item.ruled {
            self.ruled(host, item, bytes, done);
        }
    }

    /// Adds the findings of a document that are not suppressed.
    fn add(&self, item: &Item, text: &str, mut found: Vec<Found>, done: &mut Done) {
        found.retain(|found| !ignored::by_settings(&self.wishes[item.config], found));
        if found.is_empty() {
            return;
        }
        let comments = rchef_lint::suppress::ignored(text);
        let before = found.len();
        found.retain(|found| !ignored::by_comment(&comments, found));
        done.suppressed += before - found.len();
        done.found.extend(found);
        done.found.sort_by_key(|found| found.start);
    }

    /// Applies the static rules to a file.
    fn ruled(&self, host: &RealHost, item: &Item, bytes: Vec<u8>, done: &mut Done) {
        let path = item.path.as_str();
        let cookbook = cookbook_name(host, path);
        let file = File {
            path,
            root_name: self.root_name,
            cookbook_name: cookbook.as_deref(),
            year: self.year,
            known: self.known,
        };
        let config = &self.configs[item.config];
        let active = self.engine.active(path, |rule| (self.wanted)(config, rule, path));
        if self.asked.correct != Correct::No
            && let Some((corrected, rules)) = self.engine.correct(&file, &bytes, &active, self.asked.unsafe_too)
        {
            match self.asked.correct {
                Correct::Show => done.diffs.push(diff(path, &bytes, &corrected)),
                Correct::Collect => {
                    done.corrections.push(Correction { path: path.into(), after: corrected, rules });
                    return;
                }
                Correct::No => {}
            }
        }
        let Some(source) = encoding::source(&bytes) else {
            let what = What::Syntax("the file is not UTF-8".into());
            done.found.push(Found {
                path: path.into(),
                what,
                start: (1, 1),
                end: (1, 1),
                text: String::new(),
                reach: None,
            });
            return;
        };
        let Report { hits, suppressed, errors } = self.engine.check(&file, &source, &active);
        done.suppressed += suppressed.len();
        let place = |span: rchef_lint::ast::Span, what| {
            let start = source.place(span.start);
            let text = source.line_text(start.0).to_string();
            Found { path: path.into(), what, start, end: source.place(span.end), text, reach: None }
        };
        // other kinds of files are only listed, not parsed as Ruby
        let ruby = ![".toml", ".json", ".foodcritic"].iter().any(|ending| path.ends_with(ending));
        // a template of a Ruby file is named as the file, and has ERB's tags
        let template = path.split('/').rev().skip(1).any(|folder| folder == "templates");
        let first = errors.into_iter().take(usize::from(ruby && !template));
        done.found.extend(first.map(|error| place(error.span, What::Syntax(error.text))));
        done.found.extend(hits.into_iter().map(|hit| place(hit.span, What::Rule(hit))));
        if let Some(base) = item.base.as_ref().filter(|_| ruby) {
            self.add(item, &source.text, documents::ruby(self.names, base, path, &source), done);
        }
    }
}

fn diff(path: &str, before: &[u8], after: &str) -> String {
    let before = String::from_utf8_lossy(before);
    unified(&before, after, Some((&format!("a/{path}"), &format!("b/{path}"))))
}

/// The current year in UTC.
fn year(host: &RealHost) -> u32 {
    let days = host.wall_ns() / 86_400_000_000_000;
    // average years of 365.2425 days: an error of a day does not matter for copyright lines
    u32::try_from(1970 + (days * 10_000 + 5_000) / 3_652_425).unwrap_or(1970)
}

/// The name of the current directory, for a repository that is a cookbook.
fn root_name(host: &RealHost) -> String {
    let path = host.getcwd().unwrap_or_default();
    String::from_utf8_lossy(path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()).into_owned()
}

fn plain(path: &str) -> String {
    path.strip_prefix("./").unwrap_or(path).to_string()
}

impl Walk<'_> {
    /// Index of the configuration for a path, searched from the current directory down to that of the path.
    fn above(&mut self, path: &str) -> usize {
        let mut config = 0;
        let mut at = 0;
        if path.starts_with('/') || path.starts_with("..") || path == "." {
            return config;
        }
        loop {
            config = self.configuration(&path[..at], config);
            match path[at..].find('/') {
                Some(slash) => at += slash + 1,
                None => return config,
            }
        }
    }

    /// Index of the configuration of a directory (empty, or with a trailing slash): its own, or else `above`.
    fn configuration(&mut self, folder: &str, above: usize) -> usize {
        if !self.configured {
            return above;
        }
        let path = format!("{folder}.rubocop.yml");
        let mut found = None;
        if compose::exists(self.host, path.as_bytes()) {
            match Config::load(&path, &|path: &str| text_of(self.host, path)) {
                Ok(config) => found = Some(config.with(self.wishes[above].clone())),
                Err(text) => self.problems.push(text),
            }
        }
        let mut wishes = self.wishes[above].clone();
        match settings(self.host, folder) {
            Ok(Some(settings)) => {
                wishes = settings.wishes;
                found = Some(found.unwrap_or_else(|| self.configs[above].clone()).with(wishes.clone()));
            }
            Ok(None) => {}
            Err(text) => self.problems.push(text),
        }
        let Some(config) = found else { return above };
        self.configs.push(config);
        self.wishes.push(wishes);
        self.configs.len() - 1
    }

    /// Whether a link is followed: only to files inside the repository, and not when files are corrected.
    fn follows(&self, path: &str) -> bool {
        let inside = || {
            let (root, target) = (self.host.realpath(b".").ok()?, self.host.realpath(path.as_bytes()).ok()?);
            Some(target.strip_prefix(root.as_slice())?.starts_with(b"/"))
        };
        self.links && self.host.stat(path.as_bytes()).is_ok_and(|stat| stat.is_file()) && inside().unwrap_or(false)
    }

    /// Whether documents may lie in a folder.
    fn has_documents(&self, path: &str) -> bool {
        self.documents && path.strip_prefix(self.base.as_str()).is_some_and(documents::has_documents)
    }

    /// Adds a file that the static rules look at (`ruled`), or that is a document.
    fn file(&mut self, path: String, config: usize, ruled: bool) {
        let is = self.documents && path.strip_prefix(self.base.as_str()).is_some_and(documents::is_document);
        let is_json = path.ends_with(".json");
        if ruled || is && is_json {
            let base = is.then(|| self.base.clone());
            self.files.push(Item { path, config, ruled: ruled && !(is && is_json), base });
        }
    }

    fn folder(&mut self, folder: &str, below: &str, above: usize) {
        let entries = match self.host.readdir(folder.as_bytes()) {
            Ok(entries) => entries,
            Err(error) => {
                self.problems.push(format!("{folder}: {}", error.message()));
                return;
            }
        };
        let names = [".rubocop.yml", "rchef.toml", ".rchef.toml"];
        let own = entries.iter().any(|entry| names.iter().any(|name| entry.name == name.as_bytes()));
        let config =
            if own { self.configuration(&plain(&format!("{}/", folder.trim_end_matches('/'))), above) } else { above };
        for entry in entries {
            let Ok(name) = String::from_utf8(entry.name) else { continue };
            let path = plain(&format!("{}/{name}", folder.trim_end_matches('/')));
            let inner = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
            match entry.kind {
                FileKind::Directory if !discover::excluded_folder(&inner) || self.has_documents(&path) => {
                    self.folder(&path, &inner, config);
                }
                FileKind::File | FileKind::Symlink if !self.configs[config].excludes(&path) => {
                    if entry.kind == FileKind::Symlink && !self.follows(&path) {
                        continue;
                    }
                    let named = || discover::is_ruby(&inner) || self.configs[config].includes(&path);
                    let by_name = !discover::excluded(&inner) && named();
                    let by_text = || !discover::excluded(&inner) && !name.contains('.') && shebang(self.host, &path);
                    let ruled = by_name || by_text();
                    self.file(path, config, ruled);
                }
                _ => {}
            }
        }
    }
}

fn text_of(host: &RealHost, path: &str) -> Option<String> {
    compose::read_file(host, path.as_bytes()).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// The settings file of a directory (empty, or with a trailing slash).
pub fn settings(host: &RealHost, folder: &str) -> Result<Option<Settings>, String> {
    for name in super::settings::NAMES {
        let path = format!("{folder}{name}");
        if let Some(text) = text_of(host, &path) {
            let all = rchef_lint::rules::all();
            let known = |name: &str| all.iter().any(|rule| rule.is_named(name)) || ignored::is_rule(name);
            let settings = Settings::parse(&path, &text, &known)?;
            for (key, named) in settings.files() {
                stays_inside(host, folder, named).map_err(|error| format!("{path}: {key}: {error}"))?;
            }
            return Ok(Some(settings));
        }
    }
    Ok(None)
}

/// Whether a file that settings name lies in their repository, links followed: the settings may be somebody else's, and then name no other file of
/// this machine.
fn stays_inside(host: &RealHost, folder: &str, named: &str) -> Result<(), String> {
    let cwd = host.getcwd().map_err(|error| error.to_string())?;
    let real = |path: &[u8]| host.realpath(path).unwrap_or_else(|_| files::lexical(path));
    let folder = if folder.is_empty() { cwd.clone() } else { files::absolute(&cwd, folder.as_bytes()) };
    let folder = real(&folder);
    let mut root = folder.as_slice();
    while root != b"/" && !compose::exists(host, &[root, b"/.git"].concat()) {
        root = files::dirname(root);
    }
    let root = if root == b"/" { folder.as_slice() } else { root };
    let file = real(&files::absolute(&cwd, named.as_bytes()));
    let is_inside = file.strip_prefix(root).is_some_and(|rest| rest.starts_with(b"/") || root == b"/");
    if is_inside { Ok(()) } else { Err(format!("{named} is outside of the repository; name it on the command line")) }
}

fn shebang(host: &RealHost, path: &str) -> bool {
    let mut start = [0; 128];
    host.open(path.as_bytes(), rchef_host::OpenFlags::RDONLY, 0)
        .and_then(|file| file.read(&mut start, None))
        .is_ok_and(|count| discover::has_shebang(path, start.get(..count).unwrap_or_default()))
}

/// The name that the metadata gives the cookbook, for a file directly in `resources` or `libraries`.
fn cookbook_name(host: &RealHost, path: &str) -> Option<String> {
    let mut parts = path.rsplit('/');
    let folder = parts.nth(1)?;
    if !matches!(folder, "resources" | "libraries") {
        return None;
    }
    let root = path.strip_suffix(&format!("{folder}/{}", path.rsplit('/').next()?))?;
    let metadata = compose::read_file(host, format!("{root}metadata.rb").as_bytes()).ok()?;
    rchef_lint::cookbook_name(&metadata)
}
