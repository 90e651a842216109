//! What a run starts from: one resolution for `client`, `compile`, `check` and `explain`.
//!
//! A command makes a [`Request`] of its options, evaluates the configuration ([`config::configure`]) and resolves both to a [`Resolved`]:
//! the chef-repo, cookbook paths, node name, environment, JSON attributes, run list and policies.

pub mod config;
pub mod layout;
mod options;
mod policies;
pub mod repository;

pub use options::{LoadOrder, NodeOptions, RunListOptions};

use crate::diagnostic;
use config::{Configuration, Refusal, absolute};
use rchef_host::{Host, compose};
use rchef_recipe::compile::Input;
use rchef_recipe::data::{policy, repo};
use rchef_recipe::run::run_mut;
use rchef_ruby::frame::Definee;
use rchef_ruby::{ClassId, Value, Vm};
use serde_json::Value as Json;

/// Which command asks: it says which configuration file is read unless one is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// `client`: `/etc/chef/client.rb`; with `--local-mode` a workstation's configuration.
    Client { local: bool },
    /// `solo`: `/etc/chef/solo.rb`.
    Solo,
    /// `apply`: none.
    Apply,
    /// A command that only compiles: the configuration in the chef-repo.
    Compile,
}

/// What a command is told of its node.
pub struct Request<'a> {
    /// Node, policy, cookbooks.
    pub options: &'a NodeOptions,
    pub run_list: &'a RunListOptions,
    pub program: Program,
    /// The directory that the command was called in.
    pub cwd: &'a str,
    /// The chef-repo at or above it, itself where there is none.
    pub repository: String,
    /// Whether there is none.
    pub assumed: bool,
}

impl<'a> Request<'a> {
    /// A request; `host` is the machine that the chef-repo is looked for on.
    pub fn new(
        host: &dyn Host,
        options: &'a NodeOptions,
        run_list: &'a RunListOptions,
        program: Program,
        cwd: &'a str,
    ) -> Request<'a> {
        let found = repository::find(host, cwd);
        let assumed = found.is_none();
        Request { options, run_list, program, cwd, repository: found.unwrap_or_else(|| cwd.to_string()), assumed }
    }
}

/// What a run starts from.
pub struct Resolved {
    /// The start of the compile; with the first policy, where there are any.
    pub input: Input,
    /// The policies that follow each other.
    pub policies: Vec<policy::Choice>,
    /// The node's normal attributes before anything runs: saved ones, and those of the JSON attributes in place of them.
    pub normal: Json,
    /// What is to be logged once there is a log.
    pub warnings: Vec<String>,
}

/// A path made absolute, unless it is an address.
pub fn located(cwd: &str, path: &str) -> String {
    if is_address(path) { path.to_string() } else { absolute(cwd, path) }
}
/// Whether a path is an address to fetch from.
pub fn is_address(path: &str) -> bool {
    path.starts_with("http://") || path.starts_with("https://")
}

/// The contents of a file, or of what an address leads to.
pub fn read(vm: &mut Vm, host: &dyn Host, path: &str) -> Result<Vec<u8>, String> {
    if !is_address(path) {
        return compose::read_file(host, path.as_bytes()).map_err(|error| error.message().to_string());
    }
    let main = Value::Class(ClassId::OBJECT);
    let code = b"require 'open-uri'; ->(url) { URI.open(url, &:read) }";
    let opener = vm.run_string_as(code, "(open)", &main, Definee::SingletonOf(main.clone()));
    let fetched = opener.and_then(|opener| vm.call_name(&opener, "call", &[Value::str(path)]));
    match fetched.and_then(|text| vm.to_str(&text)) {
        Ok(text) => Ok(text.get(vm).bytes().to_vec()),
        Err(error) => {
            let exception = vm.error_value(error);
            Err(crate::formatter::error::message(vm, &exception))
        }
    }
}

/// Reads JSON attributes.
fn json_attributes(vm: &mut Vm, host: &dyn Host, path: &str) -> Result<(Vec<u8>, Json), Refusal> {
    let bytes = read(vm, host, path).map_err(|why| config::unloaded(path, &why))?;
    match serde_json::from_slice::<Json>(&bytes) {
        Ok(json) if json.is_object() => Ok((bytes, json)),
        Ok(_) => Err((1, format!("Could not parse the provided JSON file ({path}): it is no JSON object"))),
        Err(error) => Err((1, diagnostic::broken_json("the file", path, &bytes, &error))),
    }
}

/// The chef-repo: what the configuration says, else what it says of cookbooks, else the one at or above the current directory.
pub fn chef_repo(vm: &mut Vm, host: &dyn Host, request: &Request<'_>, warnings: &mut Vec<String>) -> String {
    if let Some(path) = config::paths(vm, "chef_repo_path", request.cwd).into_iter().next() {
        return path.trim_end_matches('/').to_string();
    }
    let configured = config::paths(vm, "cookbook_path", request.cwd);
    if let Some(found) = repository::of_cookbooks(host, &configured) {
        return found;
    }
    if request.program == Program::Solo {
        // chef-solo's own place, which older configurations count on
        let cache = config::text_setting(vm, "cache_path").unwrap_or_else(|| "/var/chef".into());
        if let Some(found) = repository::find(host, &cache) {
            return found;
        }
    }
    if request.assumed && configured.is_empty() && matches!(request.program, Program::Client { .. } | Program::Solo) {
        warnings.push("No cookbooks directory found at or above current directory.  Assuming CWD.".into());
    }
    request.repository.clone()
}

/// The chef-repos of the configuration: `chef_repo_path`, else what holds the directories of `cookbook_path`, as Chef derives it.
fn configured_repos(vm: &mut Vm, cwd: &str) -> Vec<String> {
    let mut repos = config::paths(vm, "chef_repo_path", cwd);
    if repos.is_empty() {
        repos = repository::above(&config::paths(vm, "cookbook_path", cwd));
    }
    let mut found = Vec::new();
    for repo in repos {
        let repo = repo.trim_end_matches('/').to_string();
        if !found.contains(&repo) {
            found.push(repo);
        }
    }
    found
}

/// Makes the settings that name parts of the chef-repo absolute; gives the places. Of several chef-repos each has such a part.
fn places(vm: &mut Vm, cwd: &str) -> Vec<String> {
    let repos = configured_repos(vm, cwd);
    let mut all = Vec::new();
    for (folder, key) in repo::PLACES {
        let mut places = config::paths(vm, key, cwd);
        if places.is_empty() && repos.len() > 1 {
            places = repos.iter().map(|repo| format!("{repo}/{folder}")).collect();
        }
        if !places.is_empty() {
            config::set(vm, key, Value::array(places.iter().map(Value::str).collect()));
        }
        all.extend(places);
    }
    all
}

/// The facts of the node.
pub enum Facts {
    /// As JSON text.
    Text(Vec<u8>),
    Collected(serde_json::Map<String, Json>),
}

impl Facts {
    /// The name that they give the node.
    fn name(&self) -> Option<String> {
        match self {
            Facts::Text(text) => rchef_recipe::compile::name_of(text),
            Facts::Collected(facts) => rchef_recipe::compile::name_in(facts),
        }
    }
}

/// Resolves a request whose configuration was evaluated. `host` is where files that the command line names are read, `facts` are the node's.
pub fn resolve(
    vm: &mut Vm,
    host: &dyn Host,
    request: &Request<'_>,
    configuration: &Configuration,
    facts: Facts,
) -> Result<Resolved, Refusal> {
    let (options, cwd) = (request.options, request.cwd);
    let mut warnings = configuration.warnings.clone();
    config::check_places(vm, host, request)?;
    let repository = chef_repo(vm, host, request, &mut warnings);
    let mut cookbook_paths: Vec<String> = options.cookbook_path.iter().map(|path| absolute(cwd, path)).collect();
    if cookbook_paths.is_empty() {
        cookbook_paths = config::paths(vm, "cookbook_path", cwd);
    }
    if cookbook_paths.is_empty() {
        cookbook_paths.extend(configured_repos(vm, cwd).iter().map(|repo| format!("{repo}/cookbooks")));
    }
    if cookbook_paths.is_empty() {
        cookbook_paths.push(format!("{repository}/cookbooks"));
    }
    let mut named = vec![repository.clone()];
    named.extend(places(vm, cwd));
    if let Some(overlay) = vm.host.clone().as_overlay() {
        // the repository first: links below it open nothing, whatever names them
        for path in named.iter().chain(&cookbook_paths) {
            overlay.pass_through(path.as_bytes());
        }
    }
    run_mut(vm).repo.clone_from(&repository);
    let node_name = options.node_name.clone().filter(|name| !name.is_empty());
    let node_name = node_name.or_else(|| config::text_setting(vm, "node_name"));
    let environment = options.environment.clone().or_else(|| config::text_setting(vm, "environment"));
    let given = options.json.clone().or_else(|| config::text_setting(vm, "json_attribs"));
    let json = match given {
        Some(path) => Some(json_attributes(vm, host, &located(cwd, &path))?),
        None => None,
    };
    let saved = node_name.clone().or_else(|| facts.name());
    let saved = policies::saved_node(vm, saved.as_deref());
    let policies = policies::choose(vm, options, cwd, json.as_ref().map(|(_, json)| json), &saved)?;
    let mut normal = saved["normal"].as_object().cloned().unwrap_or_default();
    normal.extend(
        json.iter().filter_map(|(_, json)| json.as_object()).flatten().map(|(key, value)| (key.clone(), value.clone())),
    );
    let order = config::text_setting(vm, "load_order");
    let caches = repository::caches(&*vm.host.clone());
    let (ohai, collected) = match facts {
        Facts::Text(text) => (text, None),
        Facts::Collected(facts) => (Vec::new(), Some(facts)),
    };
    let input = Input {
        repo: repository,
        caches,
        cookbook_paths,
        run_list: request.run_list.overriding.clone().or(request.run_list.run_list.clone()).unwrap_or_default(),
        overriding: request.run_list.overriding.is_some(),
        node_name: node_name.unwrap_or_default(),
        ohai,
        collected,
        json: json.map(|(bytes, _)| bytes),
        environment,
        flat: options.flat,
        policy: policies.first().cloned(),
        chef19_order: options
            .load_order
            .map_or(order.is_some_and(|order| order == "chef19"), |order| order == LoadOrder::Chef19),
        ..Input::default()
    };
    Ok(Resolved { input, policies, normal: Json::Object(normal), warnings })
}
