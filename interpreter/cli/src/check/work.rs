//! Checks the files of a repository on all processors.

use super::changed::Changed;
use super::options::Weight;
use super::parallel::on_all;
use super::settings::Settings;
use rchef_change::diff::unified;
use rchef_host::{Clock, Files, RealHost, compose, files};
use rchef_lint::config::{Config, Wishes};
use rchef_lint::discover;
use rchef_lint::engine::{Engine, Report};
use rchef_lint::file::File;
use rchef_lint::known::Known;
use rchef_lint::rule::{Hit, Level, Rule};
use rchef_lint::source::Source;
use rchef_model::code::Code;

/// A finding in a file.
#[derive(Clone)]
pub struct Found {
    /// The path as it is reported.
    pub path: String,
    pub what: What,
    /// Line and column, from 1.
    pub start: (usize, usize),
    /// Line and column after the last character.
    pub end: (usize, usize),
    pub text: String,
    /// Whether compiles reach this place; None without compiles.
    pub reach: Option<Reach>,
}

/// Whether compiles reach the place of a static finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Compiles report the same problem, with this severity, in these units.
    Confirmed(Weight, Vec<String>),
    /// These units load the file without reporting the problem.
    Reached(Vec<String>),
    /// No unit loads the file.
    No,
}

/// The kind of a finding.
#[derive(Clone)]
pub enum What {
    Rule(Hit),
    Compiled(Box<Compiled>),
    /// The file cannot be parsed.
    Syntax(String),
}

#[derive(Clone)]
pub struct Compiled {
    pub rule: Code,
    pub weight: Weight,
    pub message: String,
    /// Why it matters.
    pub why: &'static str,
    /// What to do now.
    pub todo: String,
    pub assumed: Option<String>,
    /// Resources that fail only because of it.
    pub cascades: Vec<String>,
    /// The affected units.
    pub places: Vec<String>,
    /// What is not there, of a document that names it.
    pub subject: String,
}

impl Found {
    /// The level, which takes compiles into account.
    pub fn level(&self, engine: &Engine) -> Level {
        match &self.what {
            // an error would break a run, but no compiled unit breaks here
            What::Rule(hit) if matches!(self.reach, Some(Reach::Reached(_) | Reach::No)) => {
                engine.rule(hit).level.min(Level::Warning)
            }
            What::Rule(hit) => match self.reach {
                Some(Reach::Confirmed(weight, _)) => engine.rule(hit).level.max(weight.level()),
                _ => engine.rule(hit).level,
            },
            What::Syntax(_) => Level::Error,
            What::Compiled(what) => what.weight.level(),
        }
    }
}

/// The result of a check.
#[derive(Default)]
pub struct Done {
    /// In the order of paths and places.
    pub found: Vec<Found>,
    /// Number of checked files.
    pub files: usize,
    /// Number of findings suppressed by comments.
    pub suppressed: usize,
    /// Number of corrected files.
    pub corrected: usize,
    /// Corrections to be written.
    pub corrections: Vec<Correction>,
    /// Messages about corrections that were made.
    pub notes: Vec<String>,
    /// Diffs of corrections that were not made, one per file.
    pub diffs: Vec<String>,
    /// Number of findings that the baseline contains.
    pub known: usize,
    /// Number of baseline entries that are no longer found.
    pub gone: usize,
    /// Files that could not be read or written.
    pub problems: Vec<String>,
}

/// A file with its correction.
pub struct Correction {
    pub path: String,
    pub before: Vec<u8>,
    pub after: String,
    /// The rules that correct something in the file as it was.
    pub rules: Vec<&'static str>,
}

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
}

/// Collects files and configurations.
struct Walk<'h> {
    host: &'h RealHost,
    configured: bool,
    links: bool,
    files: Vec<Item>,
    configs: Vec<Config>,
    /// For each configuration, the part from settings files.
    wishes: Vec<Wishes>,
    problems: Vec<String>,
}

/// Checks files, and corrects them if requested.
pub fn check(engine: &Engine, asked: &Asked<'_>, wanted: &(impl Fn(&Config, &Rule, &str) -> bool + Sync)) -> Done {
    let host = RealHost::new();
    let mut walk = Walk {
        host: &host,
        configured: asked.configured,
        links: asked.links,
        files: Vec::new(),
        configs: vec![Config::default()],
        wishes: vec![Wishes::default()],
        problems: Vec::new(),
    };
    let here = [".".to_string()];
    for path in if asked.paths.is_empty() { &here } else { asked.paths } {
        let config = walk.above(&plain(path));
        match host.stat(path.as_bytes()) {
            Ok(stat) if stat.is_dir() => walk.folder(path, "", config),
            Ok(_) => walk.files.push(Item { path: plain(path), config }),
            Err(error) => walk.problems.push(format!("{path}: {}", error.message())),
        }
    }
    let Walk { mut files, configs, problems, .. } = walk;
    files.sort();
    files.dedup_by(|a, b| a.path == b.path);
    let known = super::index::known(&host, files.iter().map(|item| item.path.as_str()));
    files.retain(|item| asked.only.is_none_or(|changed| changed.has(&host, &item.path)));
    let root_name = root_name(&host);
    let worker =
        Worker { engine, asked, configs: &configs, root_name: &root_name, year: year(&host), known: &known, wanted };
    let mut done = worker.all(&files);
    if asked.documents {
        let mut found = super::documents::check(&host, asked.paths, &known);
        let wishes = settings(&host, "").ok().flatten().map(|settings| settings.wishes).unwrap_or_default();
        done.suppressed += super::compiled::switched_off(&host, &wishes, &mut found);
        done.found.extend(found);
    }
    done.problems.extend(problems);
    done.problems.sort();
    done
}

/// Data shared by the threads.
struct Worker<'a, W> {
    engine: &'a Engine,
    asked: &'a Asked<'a>,
    configs: &'a [Config],
    root_name: &'a str,
    year: u32,
    known: &'a Known,
    wanted: &'a W,
}

impl<W: Fn(&Config, &Rule, &str) -> bool + Sync> Worker<'_, W> {
    fn all(&self, files: &[Item]) -> Done {
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
            && let Some(corrected) = self.engine.correct(&file, &bytes, &active, self.asked.unsafe_too)
        {
            match self.asked.correct {
                Correct::Show => done.diffs.push(diff(path, &bytes, &corrected)),
                Correct::Collect => {
                    let rules = self.engine.correcting(&file, &bytes, &active, self.asked.unsafe_too);
                    done.corrections.push(Correction { path: path.into(), before: bytes, after: corrected, rules });
                    return;
                }
                Correct::No => {}
            }
        }
        let Some(source) = Source::new(&bytes).or_else(|| Source::decoded(&bytes)) else {
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
        let ruby = !path.ends_with(".toml") && !path.ends_with(".json");
        let first = errors.into_iter().take(usize::from(ruby));
        done.found.extend(first.map(|error| place(error.span, What::Syntax(error.text))));
        done.found.extend(hits.into_iter().map(|hit| place(hit.span, What::Rule(hit))));
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
                rchef_host::FileKind::Directory if !discover::excluded_folder(&inner) => {
                    self.folder(&path, &inner, config);
                }
                rchef_host::FileKind::File | rchef_host::FileKind::Symlink
                    if !discover::excluded(&inner) && !self.configs[config].excludes(&path) =>
                {
                    if entry.kind == rchef_host::FileKind::Symlink && !self.follows(&path) {
                        continue;
                    }
                    let named = discover::is_ruby(&inner) || self.configs[config].includes(&path);
                    if named || (!name.contains('.') && shebang(self.host, &path)) {
                        self.files.push(Item { path, config });
                    }
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
            let known = |name: &str| all.iter().any(|rule| rule.is_named(name)) || super::compiled::is_rule(name);
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
