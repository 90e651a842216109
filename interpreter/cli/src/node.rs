//! `rchef node import`: converts nodes of a Chef Infra Server into files of the chef-repo.

use crate::compile::parse;
use crate::diagnostic;
use crate::input::config::{self, Refusal};
use crate::input::{NodeOptions, Program, Request, RunListOptions};
use clap::{Parser, Subcommand};
use rchef_host::compose::{self, Finish};
use rchef_host::{Files, RealHost, StandardStream, Streams};
use rchef_recipe::data::repo;
use rchef_ruby::Vm;
use serde_json::{Map, Value as Json};
use std::rc::Rc;

/// Saved nodes of the chef-repo.
#[derive(Parser, Debug)]
#[command(name = "rchef node", about = "Bring saved nodes into the chef-repo")]
pub struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Save nodes as a Chef Infra Server printed them, so that their normal attributes (generated passwords among them) and run lists stay
    #[command(
        after_help = "Example:\n  knife node show -l -Fj web1 > web1.json     # where knife is\n  rchef node import web1.json                 # in the chef-repo"
    )]
    Import(Import),
}

/// What is imported.
#[derive(clap::Args, Debug)]
struct Import {
    /// Replace nodes that are saved already
    #[arg(long)]
    force: bool,
    /// Configuration file, where it says that nodes are elsewhere than in `nodes`
    #[arg(short = 'c', long, value_name = "FILE")]
    config: Option<String>,
    /// What `knife node show -l -Fj NODE` or `knife search node QUERY -l -Fj` printed; `-` is standard input
    #[arg(required = true)]
    files: Vec<String>,
}

/// Runs the command; gives the exit status.
pub fn run(args: &[String]) -> u8 {
    let options: Options = match parse("rchef node", args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    let Command::Import(import) = options.command;
    match import_all(&import) {
        Ok(saved) => {
            diagnostic::print(&saved.iter().map(|line| format!("{line}\n")).collect::<String>());
            0
        }
        Err((status, text)) => {
            diagnostic::complain(&format!("rchef node import: {}\n", text.trim_end()));
            status
        }
    }
}

/// The nodes in knife's output: a single node, or the rows of a search.
fn nodes(json: Json) -> Vec<Json> {
    match json {
        Json::Array(list) => list.into_iter().flat_map(nodes).collect(),
        Json::Object(mut map) => match map.get_mut("rows").map(Json::take) {
            Some(Json::Array(rows)) => rows.into_iter().flat_map(nodes).collect(),
            _ => vec![Json::Object(map)],
        },
        _ => Vec::new(),
    }
}

/// Name and document of a node as a chef-repo stores it; the error is a message.
fn document(mut node: Json) -> Result<(String, Json), String> {
    let name = node["name"].as_str().unwrap_or_default().to_string();
    let plain = |c: char| c.is_alphanumeric() || "-_:.".contains(c);
    if name.is_empty() || !name.chars().all(plain) || name.starts_with('.') {
        return Err("there is no node in it: a node has a `name`".into());
    }
    let Some(map) = node.as_object_mut() else { return Err("a node is a JSON object".into()) };
    if !map.contains_key("normal") {
        return Err(format!(
            "the node {name} comes without normal attributes: `knife node show -l -Fj {name}` prints them"
        ));
    }
    let mut kept = Map::new();
    for key in [
        "name",
        "chef_environment",
        "override",
        "normal",
        "default",
        "automatic",
        "run_list",
        "policy_name",
        "policy_group",
    ] {
        let usual =
            |value: &Json| value.is_null() || value.as_object().is_some_and(Map::is_empty) || value == "_default";
        if let Some(value) = map.get_mut(key).map(Json::take).filter(|value| !usual(value)) {
            kept.insert(key.into(), value);
        }
    }
    kept.entry("normal").or_insert_with(|| Json::Object(Map::new()));
    Ok((name, Json::Object(kept)))
}

fn read(real: &RealHost, path: &str) -> Result<Vec<u8>, Refusal> {
    let bytes = match path {
        "-" => real.standard(StandardStream::Input).and_then(|input| compose::read_all(&*input)),
        path => compose::read_file(real, path.as_bytes()),
    };
    bytes.map_err(|error| (1, format!("{path}: {}", error.message())))
}

fn import_all(import: &Import) -> Result<Vec<String>, Refusal> {
    let real = Rc::new(RealHost::new());
    let mut vm = crate::compile::machine(real.clone()).map_err(|text| (1, text))?;
    let cwd = real.getcwd().map_err(|error| (1, error.to_string()))?;
    let cwd = String::from_utf8_lossy(&cwd).into_owned();
    let (options, run_list) =
        (NodeOptions { config: import.config.clone(), ..NodeOptions::default() }, RunListOptions::default());
    let request = Request::new(&*real, &options, &run_list, Program::Client { local: true }, &cwd);
    let settings = config::configure(&mut vm, &*real, &request)?;
    crate::input::resolve(&mut vm, &*real, &request, &settings, crate::input::Facts::Text(b"{}".to_vec()))?;
    let mut found = Vec::new();
    for path in &import.files {
        let bytes = read(&real, path)?;
        let json: Json = serde_json::from_slice(&bytes)
            .map_err(|error| (1, diagnostic::broken_json("the file", path, &bytes, &error)))?;
        let all = nodes(json);
        if all.is_empty() {
            return Err((1, format!("{path}: there is no node in it")));
        }
        for node in all {
            found.push(document(node).map_err(|text| (1, format!("{path}: {text}")))?);
        }
    }
    let saved = found.into_iter().map(|(name, node)| save(&mut vm, &real, import.force, &name, &node)).collect();
    real.settle();
    saved
}

fn save(vm: &mut Vm, real: &RealHost, force: bool, name: &str, node: &Json) -> Result<String, Refusal> {
    let path = repo::path(vm, &format!("nodes/{name}.json"));
    if !force && compose::exists(real, path.as_bytes()) {
        return Err((1, format!("{path} is there already: --force replaces it")));
    }
    let folder = path.rsplit_once('/').map_or("nodes", |(folder, _)| folder);
    let text = format!("{node:#}\n");
    let private = Finish { mode: Some(0o600), uid: None, gid: None, sync: true };
    compose::create_dir_all(real, folder.as_bytes(), 0o755)
        .and_then(|_| compose::atomic_write(real, path.as_bytes(), text.as_bytes(), private))
        .map_err(|error| (1, format!("{path}: {}", error.message())))?;
    let count = node["normal"].as_object().map_or(0, Map::len);
    Ok(format!("node {name}: {count} normal attributes, saved in {path}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_knife_prints() {
        let (name, node) = document(json!({
            "name": "web1", "chef_environment": "_default", "run_list": ["role[web]"], "normal": { "db": { "password": "x" } },
            "default": {}, "automatic": { "fqdn": "web1.example.org" }, "json_class": "Chef::Node"
        }))
        .unwrap();
        let keys: Vec<&String> = node.as_object().unwrap().keys().collect();
        assert_eq!(
            (name.as_str(), keys),
            (
                "web1",
                ["name", "normal", "automatic", "run_list"]
                    .iter()
                    .map(|key| key.to_string())
                    .collect::<Vec<_>>()
                    .iter()
                    .collect()
            )
        );
    }

    #[test]
    fn rows_of_a_search_are_nodes() {
        assert_eq!(nodes(json!({ "results": 2, "rows": [{ "name": "a" }, { "name": "b" }] })).len(), 2);
    }

    #[test]
    fn names_stay_in_the_folder() {
        for name in ["../x", "", ".x", "a/b"] {
            assert!(document(json!({ "name": name, "normal": {} })).is_err(), "{name}");
        }
        assert!(document(json!({ "name": "a" })).unwrap_err().contains("normal attributes"));
    }
}
