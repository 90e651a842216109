//! A side of a comparison: read from a dump, or compiled from a directory or a git revision.

use crate::input::layout;
use rchef_host::files::lexical;
use rchef_host::processes::{CommandSpec, run};
use rchef_host::{Files, RealHost, compose};
use serde_json::Value as Json;

/// Options for compiling sides.
#[derive(Clone, Debug, Default)]
pub struct Compile {
    pub run_list: Option<String>,
    pub platform: Option<String>,
    pub ohai: Option<String>,
    pub json: Option<String>,
    pub environment: Option<String>,
    /// Run the actions of cookbook-defined resources.
    pub expand: bool,
    pub more: Vec<String>,
}

pub struct Side {
    /// Name in the output.
    pub name: String,
    pub dump: Json,
    /// Whether the dump contains resources that actions declare.
    pub expanded: bool,
}

/// Reads a side that is a dump; None if it must be compiled.
///
/// # Errors
/// A message about what is wrong with the dump.
pub fn loaded(host: &RealHost, place: &str) -> Option<Result<Side, String>> {
    let stat = host.stat(place.as_bytes()).ok()?;
    let side = |dump: Json| {
        let expanded = dump["resources"].as_array().into_iter().flatten().any(|one| !one["children"].is_null());
        Side { name: place.to_string(), dump, expanded }
    };
    (!stat.is_dir()).then(|| load(host, place).map(side))
}

/// Compiles a side.
///
/// # Errors
/// A message about what is wrong with it.
pub fn compiled(host: &RealHost, place: &str, how: &Compile) -> Result<Side, String> {
    let name = match &how.platform {
        Some(platform) => format!("{place} ({platform})"),
        None => place.to_string(),
    };
    let dump = if host.stat(place.as_bytes()).is_ok() {
        compile(host, &name, place, how)?
    } else {
        let (temporary, folder) = revision(host, place)?;
        let dump = compile(host, &name, &folder, how);
        let _ = compose::remove_dir_all(host, temporary.as_bytes());
        dump?
    };
    Ok(Side { name, dump, expanded: how.expand })
}

fn load(host: &RealHost, path: &str) -> Result<Json, String> {
    let bytes = compose::read_file(host, path.as_bytes()).map_err(|error| format!("{path}: {}", error.message()))?;
    let dump: Json = serde_json::from_slice(&bytes).map_err(|error| format!("{path}: it is not JSON: {error}"))?;
    match dump["schema"].as_str() {
        Some("rchef-dump/1" | "chef-dump/1") => Ok(dump),
        _ => Err(format!(
            "{path}: it is not a dump of `rchef compile --dump=json` or of the handler that `rchef diff --chef-handler` prints"
        )),
    }
}

/// Compiles a directory in a child process, so that both sides compile in parallel and each in its own directory. In the dump, the directory is
/// replaced by the current one, because the different names of the sides' directories are not a difference. `name` is for messages.
fn compile(host: &RealHost, name: &str, folder: &str, how: &Compile) -> Result<Json, String> {
    let cwd = host.getcwd().map_err(|error| error.to_string())?;
    let cwd = String::from_utf8_lossy(&cwd).into_owned();
    let absolute = |path: &String| crate::input::config::absolute(&cwd, path);
    let mut argv: Vec<String> =
        ["/proc/self/exe", "compile", "--dump=json", "--render=text"].map(str::to_string).to_vec();
    if how.expand {
        argv.push("--expand".into());
    }
    let mut option = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            argv.extend([name.to_string(), value]);
        }
    };
    option("-o", how.run_list.clone());
    option("--platform", how.platform.clone());
    option("--ohai", how.ohai.as_ref().map(absolute));
    option("-j", how.json.as_ref().map(absolute));
    option("-E", how.environment.clone());
    let mut last = "";
    for word in &how.more {
        // files of the caller, not of a side
        argv.push(match word.split_once('=') {
            Some(("--stub", path)) => format!("--stub={}", absolute(&path.to_string())),
            _ if last == "--stub" => absolute(word),
            _ => word.clone(),
        });
        last = word;
    }
    let root = String::from_utf8_lossy(&lexical(absolute(&folder.to_string()).as_bytes())).into_owned();
    let named = how.more.iter().any(|word| word.starts_with("--cookbook-path"));
    let laid = if !named && layout::is_cookbook(host, &root) { Some(layout::temporary(host, "diff")?) } else { None };
    let made = laid.as_ref().map_or(Ok(()), |laid| layout::around(host, &root, laid).map(drop));
    if laid.is_some() {
        argv.extend(["--allow-path".to_string(), root.clone()]);
    }
    let mut spec = CommandSpec::argv(argv);
    spec.cwd = Some(laid.clone().unwrap_or_else(|| root.clone()).into_bytes());
    let output = made.and_then(|()| run(host, &spec.captured()).map_err(|error| format!("{name}: {error}")));
    if let Some(laid) = &laid {
        let _ = compose::remove_dir_all(host, laid.as_bytes());
    }
    let output = output?;
    let folders: Vec<String> = laid.into_iter().chain([root]).filter(|folder| *folder != cwd).collect();
    let complaint = folders.iter().fold(String::from_utf8_lossy(&output.stderr).into_owned(), |text, folder| {
        moved(&text, folder, &cwd).unwrap_or(text)
    });
    match serde_json::from_slice::<Json>(&output.stdout) {
        Ok(dump) if dump["status"] == "complete" => {
            let none = |list: &Json| list.as_array().is_none_or(Vec::is_empty);
            if how.run_list.is_none() && !dump["run_list"].is_null() && none(&dump["run_list"]["expanded"]) {
                return Err(format!("{name}: its run list is empty, so there is nothing to compare: name one with -o"));
            }
            Ok(folders.iter().fold(dump, |dump, folder| at(dump, folder, &cwd)))
        }
        _ => Err(format!("{name}: the compile failed\n{complaint}")),
    }
}

/// Replaces a directory by another one in a text; None if the text does not contain it.
fn moved(text: &str, folder: &str, other: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(found) = rest.find(folder) {
        let (before, after) = (&rest[..found], &rest[found + folder.len()..]);
        let part = |letter: char| letter.is_alphanumeric() || "_-./".contains(letter);
        let whole = !before.chars().next_back().is_some_and(part)
            && !after.chars().next().is_some_and(|letter| letter != '/' && letter != '.' && part(letter));
        out.push_str(before);
        out.push_str(if whole { other } else { folder });
        rest = after;
    }
    (!out.is_empty()).then(|| out + rest)
}

/// Replaces a directory by another one in a dump. Digests of contents that contain it are removed, because they would no longer match.
pub fn at(value: Json, folder: &str, other: &str) -> Json {
    match value {
        Json::String(text) => Json::String(moved(&text, folder, other).unwrap_or(text)),
        Json::Array(items) => items.into_iter().map(|item| at(item, folder, other)).collect(),
        Json::Object(mut map) => {
            if map.get("text").and_then(Json::as_str).is_some_and(|text| moved(text, folder, other).is_some()) {
                map.remove("sha256");
            }
            map.into_iter()
                .map(|(key, value)| (moved(&key, folder, other).unwrap_or(key), at(value, folder, other)))
                .collect()
        }
        other => other,
    }
}

fn git(host: &RealHost, args: &[&str], index: Option<&str>) -> Result<String, String> {
    let mut spec = CommandSpec::argv(std::iter::once("git").chain(args.iter().copied()));
    if let Some(index) = index {
        spec.env.insert(b"GIT_INDEX_FILE".to_vec(), Some(index.as_bytes().to_vec()));
    }
    let output = run(host, &spec.captured()).map_err(|error| format!("git: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).trim_end().to_string())
    }
}

/// Writes a revision's files into a temporary directory, with a separate index: the work tree and its index stay unchanged. Gives the temporary
/// directory, and the path in it that corresponds to the current directory.
///
/// # Errors
/// There is no such revision, or git fails.
pub fn revision(host: &RealHost, name: &str) -> Result<(String, String), String> {
    let unknown = |text: String| {
        format!("{name}: it is neither a directory, nor a dump, nor a revision of the git repository here ({text})")
    };
    let commit =
        git(host, &["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{name}^{{commit}}")], None)
            .map_err(|text| unknown(if text.is_empty() { "git knows none of that name".into() } else { text }))?;
    let below = git(host, &["rev-parse", "--show-prefix"], None)?;
    let folder = layout::temporary(host, "diff")?;
    let (index, prefix) = (format!("{folder}/index"), format!("{folder}/tree/"));
    let written = git(host, &["read-tree", commit.trim()], Some(&index))
        .and_then(|_| git(host, &["checkout-index", "--all", "--quiet", &format!("--prefix={prefix}")], Some(&index)));
    if let Err(text) = written {
        let _ = compose::remove_dir_all(host, folder.as_bytes());
        return Err(format!("{name}: git cannot write its files: {text}"));
    }
    let inner = format!("{prefix}{}", below.trim()).trim_end_matches('/').to_string();
    Ok((folder, inner))
}
