//! The files of a repository, checked on all processors.

use rchef_host::{Files, RealHost, compose};
use rchef_lint::discover;
use rchef_lint::engine::{Engine, Report};
use rchef_lint::file::File;
use rchef_lint::rule::{Hit, Level, Rule};
use rchef_lint::source::Source;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Native stack of a worker: deep code is walked by recursion; pages are only taken when touched.
const STACK: usize = 128 << 20;

/// A finding of a file.
pub struct Found {
    /// The file, as it is told.
    pub path: String,
    /// Of a rule; or a syntax error.
    pub what: What,
    /// Line and column, from 1.
    pub start: (usize, usize),
    /// Behind the last character.
    pub end: (usize, usize),
    /// The line.
    pub text: String,
}

/// What a finding is.
pub enum What {
    /// A rule's.
    Rule(Hit),
    /// The file does not parse.
    Syntax(String),
}

impl Found {
    /// How much it matters.
    pub fn level(&self, engine: &Engine) -> Level {
        match &self.what {
            What::Rule(hit) => engine.rule(hit).level,
            What::Syntax(_) => Level::Error,
        }
    }
}

/// What came of it.
#[derive(Default)]
pub struct Done {
    /// By path and place.
    pub found: Vec<Found>,
    /// How many files were looked at.
    pub files: usize,
    /// How many findings comments hide.
    pub suppressed: usize,
    /// How many files were corrected.
    pub corrected: usize,
    /// Files that could not be read or written.
    pub problems: Vec<String>,
}

/// Checks, and with `fix` corrects first (unsafely where it holds true).
pub fn check(engine: &Engine, paths: &[String], wanted: &(impl Fn(&Rule) -> bool + Sync), fix: Option<bool>) -> Done {
    let host = RealHost::new();
    let mut done = Done::default();
    let mut files = Vec::new();
    let here = vec![".".to_string()];
    for path in if paths.is_empty() { &here } else { paths } {
        match host.stat(path.as_bytes()) {
            Ok(stat) if stat.is_dir() => walk(&host, path, "", &mut files, &mut done.problems),
            Ok(_) => files.push(plain(path)),
            Err(error) => done.problems.push(format!("{path}: {}", error.message())),
        }
    }
    files.sort();
    files.dedup();
    let root_name = root_name(&host);
    let next = AtomicUsize::new(0);
    let whole = Mutex::new((done, Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(files.len().max(1)));
    let worker = || {
        let host = RealHost::new();
        let mut own = Done::default();
        let mut results = Vec::new();
        while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let at = results.len();
            one(&host, engine, path, &root_name, wanted, fix, &mut own);
            results.push((path.clone(), own.found.split_off(0)));
            debug_assert!(results.len() == at + 1);
        }
        if let Ok(mut whole) = whole.lock() {
            let (done, all) = &mut *whole;
            done.files += own.files;
            done.suppressed += own.suppressed;
            done.corrected += own.corrected;
            done.problems.extend(own.problems);
            all.extend(results);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker);
        }
    });
    let (mut done, mut all) = whole.into_inner().unwrap_or_default();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    done.found = all.into_iter().flat_map(|(_, found)| found).collect();
    done.problems.sort();
    done
}

/// The name of the current folder, for a cookbook that is the repository itself.
fn root_name(host: &RealHost) -> String {
    let path = host.getcwd().unwrap_or_default();
    String::from_utf8_lossy(path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()).into_owned()
}

fn plain(path: &str) -> String {
    path.strip_prefix("./").unwrap_or(path).to_string()
}

fn walk(host: &RealHost, folder: &str, below: &str, files: &mut Vec<String>, problems: &mut Vec<String>) {
    let entries = match host.readdir(folder.as_bytes()) {
        Ok(entries) => entries,
        Err(error) => {
            problems.push(format!("{folder}: {}", error.message()));
            return;
        }
    };
    for entry in entries {
        let Ok(name) = String::from_utf8(entry.name) else { continue };
        let path = plain(&format!("{}/{name}", folder.trim_end_matches('/')));
        let inner = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
        match entry.kind {
            rchef_host::FileKind::Directory if !discover::excluded_folder(&inner) => {
                walk(host, &path, &inner, files, problems);
            }
            rchef_host::FileKind::File if !discover::excluded(&inner) => {
                let named = discover::is_ruby(&inner);
                if named || (!name.contains('.') && shebang(host, &path)) {
                    files.push(path);
                }
            }
            _ => {}
        }
    }
}

fn shebang(host: &RealHost, path: &str) -> bool {
    let mut start = [0; 128];
    host.open(path.as_bytes(), rchef_host::OpenFlags::RDONLY, 0)
        .and_then(|file| file.read(&mut start, None))
        .is_ok_and(|count| discover::has_shebang(path, start.get(..count).unwrap_or_default()))
}

fn one(
    host: &RealHost,
    engine: &Engine,
    path: &str,
    root_name: &str,
    wanted: &impl Fn(&Rule) -> bool,
    fix: Option<bool>,
    done: &mut Done,
) {
    let mut bytes = match compose::read_file(host, path.as_bytes()) {
        Ok(bytes) => bytes,
        Err(error) => {
            done.problems.push(format!("{path}: {}", error.message()));
            return;
        }
    };
    done.files += 1;
    let cookbook = cookbook_name(host, path);
    let file = File { path, root_name, cookbook_name: cookbook.as_deref(), year: 0 };
    let active = engine.active(path, wanted);
    if let Some(corrected) = fix.and_then(|unsafe_too| engine.correct(&file, &bytes, &active, unsafe_too)) {
        match compose::write_file(host, path.as_bytes(), corrected.as_bytes(), 0o644) {
            Ok(()) => done.corrected += 1,
            Err(error) => done.problems.push(format!("{path}: {}", error.message())),
        }
        bytes = corrected.into_bytes();
    }
    let Some(source) = Source::new(&bytes) else {
        let what = What::Syntax("the file is not UTF-8".into());
        done.found.push(Found { path: path.into(), what, start: (1, 1), end: (1, 1), text: String::new() });
        return;
    };
    let Report { hits, suppressed, errors } = engine.check(&file, &source, &active);
    done.suppressed += suppressed.len();
    let place = |span: rchef_lint::ast::Span, what| {
        let start = source.place(span.start);
        let text = source.line_text(start.0).to_string();
        Found { path: path.into(), what, start, end: source.place(span.end), text }
    };
    let parsed_as_ruby = path.ends_with(".rb") || errors.is_empty();
    done.found.extend(
        errors.into_iter().take(usize::from(parsed_as_ruby)).map(|error| place(error.span, What::Syntax(error.text))),
    );
    done.found.extend(hits.into_iter().map(|hit| place(hit.span, What::Rule(hit))));
}

/// What the metadata of the cookbook calls it, for a file that is two folders below.
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
