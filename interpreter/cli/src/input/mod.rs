//! The input of a run: one resolution for `client`, `compile`, `check` and `explain`.
//!
//! A command makes a [`Request`] from its options, evaluates the configuration ([`config::configure`]) and resolves both to a [`Resolved`]:
//! chef-repo, cookbook paths, node name, environment, JSON attributes, run list and policies.

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
use rchef_ruby::embed::frame::Definee;
use rchef_ruby::{ClassId, Value, Vm};
use serde_json::Value as Json;

/// The kind of command, which determines the default configuration file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// `client`: `/etc/chef/client.rb`; with `--local-mode` a workstation's configuration.
    Client { local: bool },
    /// `solo`: `/etc/chef/solo.rb`.
    Solo,
    /// `apply`: no file.
    Apply,
    /// A command that only compiles: the configuration file in the chef-repo.
    Compile,
}

/// A command's options about its node.
pub struct Request<'a> {
    pub options: &'a NodeOptions,
    pub run_list: &'a RunListOptions,
    pub program: Program,
    /// The working directory.
    pub cwd: &'a str,
    /// The chef-repo at or above `cwd`, else `cwd`.
    pub repository: String,
    /// Whether there is no chef-repo at or above `cwd`.
    pub assumed: bool,
}

impl<'a> Request<'a> {
    /// `host` is the machine to search for the chef-repo.
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

/// The resolved input of a run.
pub struct Resolved {
    /// The compile's input; with the first policy, if there are any.
    pub input: Input,
    pub policies: Vec<policy::Choice>,
    /// The node's normal attributes before the run: the saved ones, overridden by the JSON attributes.
    pub normal: Json,
    /// Warnings to log once the log is open.
    pub warnings: Vec<String>,
}

/// Makes a path absolute, unless it is a URL.
pub fn located(cwd: &str, path: &str) -> String {
    if is_address(path) { path.to_string() } else { absolute(cwd, path) }
}
/// Whether a path is a URL.
pub fn is_address(path: &str) -> bool {
    path.starts_with("http://") || path.starts_with("https://")
}

/// Reads a file or URL.
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

fn json_attributes(vm: &mut Vm, host: &dyn Host, path: &str) -> Result<(Vec<u8>, Json), Refusal> {
    let bytes = read(vm, host, path).map_err(|why| config::unloaded(path, &why))?;
    match serde_json::from_slice::<Json>(&bytes) {
        Ok(json) if json.is_object() => Ok((bytes, json)),
        Ok(_) => Err((1, format!("Could not parse the provided JSON file ({path}): it is no JSON object"))),
        Err(error) => Err((1, diagnostic::broken_json("the file", path, &bytes, &error))),
    }
}

/// The chef-repo: the configured one, else that of the configured cookbook paths, else the one at or above the current directory.
pub fn chef_repo(vm: &mut Vm, host: &dyn Host, request: &Request<'_>, warnings: &mut Vec<String>) -> String {
    if let Some(path) = config::paths(vm, "chef_repo_path", request.cwd).into_iter().next() {
        return path.trim_end_matches('/').to_string();
    }
    let configured = config::paths(vm, "cookbook_path", request.cwd);
    if let Some(found) = repository::of_cookbooks(host, &configured) {
        return found;
    }
    if request.program == Program::Solo {
        // chef-solo's default place, which older configurations rely on
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

/// The chef-repos of the configuration: `chef_repo_path`, else the directories that contain those of `cookbook_path`, as in Chef.
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

/// Makes the settings for parts of the chef-repo absolute, and gives these paths. With several chef-repos, unset ones name the directory of each.
fn places(vm: &mut Vm, cwd: &str) -> Vec<String> {
    let repos = configured_repos(vm, cwd);
    let mut all = Vec::new();
    for (folder, key) in repo::PLACES {
        let mut places = config::paths(vm, key, cwd);
        if places.is_empty() && repos.len() > 1 {
            places = repos.iter().map(|repo| format!("{repo}/{folder}")).collect();
        }
        // a String stays one, because cookbooks read these settings, too
        let is_text = matches!(rchef_recipe::chef_class::setting(vm, key), Ok(Value::Str(_)));
        match places.as_slice() {
            [] => {}
            [place] if is_text => config::set(vm, key, Value::str(place)),
            _ => config::set(vm, key, Value::array(places.iter().map(Value::str).collect())),
        }
        all.extend(places);
    }
    all
}

pub enum Facts {
    /// JSON text.
    Text(Vec<u8>),
    Collected(serde_json::Map<String, Json>),
}

impl Facts {
    /// The node name according to the facts.
    fn name(&self) -> Option<String> {
        match self {
            Facts::Text(text) => rchef_recipe::compile::name_of(text),
            Facts::Collected(facts) => rchef_recipe::compile::name_in(facts),
        }
    }
}

/// Resolves a request with an evaluated configuration. `host` is for files that the command line names, `facts` are the node's.
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
        // the repository first: links inside it are not followed, even if other paths name them
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
