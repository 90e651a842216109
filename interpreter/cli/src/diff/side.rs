//! A side of a comparison: read from a dump, or compiled from a directory or a git revision.

use crate::input::layout;
use rchef_host::processes::{CommandSpec, run};
use rchef_host::{Files, RealHost, compose};
use serde_json::Value as Json;

/// How sides are compiled.
#[derive(Clone, Debug, Default)]
pub struct Compile {
    /// Run list.
    pub run_list: Option<String>,
    /// Simulated platform.
    pub platform: Option<String>,
    /// Facts.
    pub ohai: Option<String>,
    /// JSON attributes.
    pub json: Option<String>,
    /// Environment.
    pub environment: Option<String>,
    /// Further options.
    pub more: Vec<String>,
}

/// A side.
pub struct Side {
    /// What it is called in the answer.
    pub name: String,
    /// Its dump.
    pub dump: Json,
}

/// Reads or compiles a side.
///
/// # Errors
/// What is wrong with it.
pub fn read(host: &RealHost, place: &str, how: &Compile) -> Result<Side, String> {
    let name = match &how.platform {
        Some(platform) if !place.ends_with(".json") => format!("{place} ({platform})"),
        _ => place.to_string(),
    };
    match host.stat(place.as_bytes()) {
        Ok(stat) if stat.is_dir() => Ok(Side { name, dump: compile(host, place, how)? }),
        Ok(_) => Ok(Side { name: place.to_string(), dump: load(host, place)? }),
        Err(_) => {
            let (temporary, folder) = revision(host, place)?;
            let dump = compile(host, &folder, how);
            let _ = compose::remove_dir_all(host, temporary.as_bytes());
            Ok(Side { name, dump: dump? })
        }
    }
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

/// Compiles a directory in a process of its own, so that both sides are compiled at the same time and each in its directory.
fn compile(host: &RealHost, folder: &str, how: &Compile) -> Result<Json, String> {
    let cwd = host.getcwd().map_err(|error| error.to_string())?;
    let cwd = String::from_utf8_lossy(&cwd).into_owned();
    let absolute = |path: &String| crate::input::config::absolute(&cwd, path);
    let mut argv: Vec<String> =
        ["/proc/self/exe", "compile", "--dump=json", "--expand", "--render=text"].map(str::to_string).to_vec();
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
    argv.extend(how.more.iter().cloned());
    let root = absolute(&folder.to_string());
    let named = how.more.iter().any(|word| word.starts_with("--cookbook-path"));
    let laid = if !named && layout::is_cookbook(host, &root) { Some(layout::temporary(host, "diff")?) } else { None };
    let made = laid.as_ref().map_or(Ok(()), |laid| layout::around(host, &root, laid).map(drop));
    if laid.is_some() {
        argv.extend(["--allow-path".to_string(), root.clone()]);
    }
    let mut spec = CommandSpec::argv(argv);
    spec.cwd = Some(laid.clone().unwrap_or(root).into_bytes());
    let output = made.and_then(|()| run(host, &spec.captured()).map_err(|error| format!("{folder}: {error}")));
    if let Some(laid) = laid {
        let _ = compose::remove_dir_all(host, laid.as_bytes());
    }
    let output = output?;
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    match serde_json::from_slice::<Json>(&output.stdout) {
        Ok(dump) if dump["status"] == "complete" => Ok(dump),
        _ => Err(format!("{folder}: the compile failed\n{complaint}")),
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

/// Writes a revision's files into a temporary directory, by an index of its own: the work tree and its index stay as they are. The result is that
/// directory, and where the current directory lies in it.
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
