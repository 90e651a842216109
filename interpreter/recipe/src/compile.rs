//! Phases 0 to 2: building the node, loading the cookbooks' files, evaluating the recipes (SPEC-compile 0.1, 2.2).

use crate::cookbook;
use crate::data::{expanded, json_object, json_value, policy, repo, role};
use crate::events::{emit, loading};
use crate::names::N;
use crate::node::{self, Component, provenance};
pub use crate::recipe::{RecipeFile, RecipeForm};
use crate::run::{chef_error, run_mut};
use crate::{context, ohai, recipe, subscribers};
use rchef_model::role::Kind;
use rchef_model::run_list::{self, InvalidItem, Item};
use rchef_ruby::text::strftime::{TimeParts, strftime};
use rchef_ruby::{Error, Res, Value, Vm};

/// The input of a compile.
#[derive(Default, Clone)]
pub struct Input {
    /// The chef-repo directory with `roles`, `environments`, `data_bags` and `nodes`.
    pub repo: String,
    /// Directories that hold cookbooks.
    pub cookbook_paths: Vec<String>,
    /// The given run list; empty to use that of the node or the policy.
    pub run_list: String,
    /// The given run list, even if empty, is for this run only and does not change the node's own (`-o`).
    pub overriding: bool,
    pub node_name: String,
    /// Automatic attributes as JSON text.
    pub ohai: Vec<u8>,
    /// The automatic attributes, if they were collected in this process; used instead of `ohai`.
    pub collected: Option<serde_json::Map<String, serde_json::Value>>,
    /// JSON attributes (`-j`) as text.
    pub json: Option<Vec<u8>>,
    pub environment: Option<String>,
    /// Load every cookbook of the path, not only those that the run list reaches (the flat regime, SPEC-compile 1.3).
    pub flat: bool,
    /// The policy of the run, whose lock gives the cookbooks, attributes and, unless one is given, the run list.
    pub policy: Option<policy::Choice>,
    /// The name of an earlier policy in the same run and the normal attributes after it; used instead of saved ones and of `json`.
    pub carried: Option<(String, Vec<u8>)>,
    /// Load files in Chef 19's order: providers and resources cookbook by cookbook (SPEC-compile 0.2, C-1).
    pub chef19_order: bool,
    /// Version conflicts are errors, as with a server; otherwise they are findings.
    pub enforce_versions: bool,
    /// Recipe files to evaluate after the run list.
    pub files: Vec<RecipeFile>,
    /// Caches of package tools, searched for cookbooks that the cookbook paths do not have.
    pub caches: Vec<String>,
    /// The policy is one of several; each has its own cookbook directory.
    pub one_of_several: bool,
    /// Ignore the saved node.
    pub fresh: bool,
    /// The facts are those of this machine, so they can be collected again and this machine's Ohai plugins run.
    pub live: bool,
}

/// A JSON document as Ruby values.
fn parse_json(vm: &mut Vm, bytes: &[u8], what: &str) -> Res {
    let error = match rchef_stdlib::parse_json(vm, bytes) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let of_parser = vm.class_named("JSON::ParserError");
    if of_parser.and_then(|class| vm.exception_of(&error, class)).is_none() {
        return Err(error);
    }
    // this error tells the line and column
    let read = serde_json::from_slice(bytes).map_err(|error| crate::run::not_json(vm, what, &error))?;
    json_value(vm, &read)
}

/// Builds the node before any policy or run list is applied, for use before and after several policies.
pub fn load_node(vm: &mut Vm, input: &Input) -> Res {
    run_mut(vm).repo.clone_from(&input.repo);
    build_node(vm, input)
}

/// The default name of a node: `fqdn`, else `machinename`, else `hostname` of its facts.
pub fn name_of(ohai: &[u8]) -> Option<String> {
    name_in(serde_json::from_slice::<serde_json::Value>(ohai).ok()?.as_object()?)
}

/// [`name_of`] for parsed facts.
pub fn name_in(facts: &serde_json::Map<String, serde_json::Value>) -> Option<String> {
    ["fqdn", "machinename", "hostname"]
        .iter()
        .find_map(|key| facts.get(*key)?.as_str().filter(|text| !text.is_empty()).map(str::to_string))
}

/// Builds the node: saved state, Ohai data, JSON attributes, environment (SPEC-compile 2.2, steps 1 to 4).
fn build_node(vm: &mut Vm, input: &Input) -> Res {
    let found;
    let name = if input.node_name.is_empty() {
        let known = input.collected.as_ref().map_or_else(|| name_of(&input.ohai), name_in);
        found = known.unwrap_or_else(|| "chef".into());
        &found
    } else {
        &input.node_name
    };
    let settings = crate::chef_class::config(vm)?;
    vm.call(&settings, rchef_ruby::sym::ASET, &[Value::sym("node_name"), Value::str(name)])?;
    let saved = if name.contains('/') || input.fresh { None } else { repo::saved_node(vm, name)? };
    let node = node::create(vm, name)?;
    if let Some(saved) = saved {
        load_saved(vm, &node, &saved, name)?;
    }
    run_mut(vm).node = node.clone();
    let root = context::create(vm, &Value::Nil, false, &Value::Nil)?;
    run_mut(vm).root = root.clone();
    vm.call_name(&node, "run_context=", &[root])?;
    if let Some(environment) = &input.environment {
        vm.call_name(&node, "chef_environment", &[Value::str(environment)])?;
    }
    let facts = match &input.collected {
        Some(collected) => json_object(vm, collected)?,
        None => parse_json(vm, &input.ohai, "the Ohai data")?,
    };
    run_mut(vm).live_facts = input.live;
    let facts = ohai::at_start(vm, facts)?;
    ohai::platform_version(vm, &facts)?;
    provenance::set_source(vm, Some(provenance::OHAI));
    node::set_component(vm, &node, Component::Automatic, facts)?;
    provenance::set_source(vm, None);
    if let Some((policy, bytes)) = &input.carried {
        let attributes = parse_json(vm, bytes, "the node")?;
        provenance::set_source(vm, Some(&format!("policies/{policy}")));
        node::set_component(vm, &node, Component::Normal, attributes)?;
        provenance::set_source(vm, None);
    } else if let Some(bytes) = &input.json {
        let attributes = parse_json(vm, bytes, "the JSON attributes")?;
        provenance::set_source(vm, Some(provenance::JSON));
        let consumed = vm.call_name(&node, "consume_attributes", &[attributes]);
        provenance::set_source(vm, None);
        consumed?;
    }
    vm.call_name(&node, "tags", &[])?;
    Ok(node)
}

/// Restores what a node keeps from its last run: normal attributes, environment, run list.
fn load_saved(vm: &mut Vm, node: &Value, saved: &serde_json::Value, name: &str) -> Res<()> {
    provenance::set_source(vm, Some(&format!("nodes/{name}.json")));
    if let Some(normal) = saved.get("normal") {
        let normal = json_value(vm, normal)?;
        node::set_component(vm, node, Component::Normal, normal)?;
    }
    provenance::set_source(vm, None);
    for key in ["chef_environment", "run_list"] {
        if let Some(value) = saved.get(key).filter(|value| !value.is_null()) {
            let value = json_value(vm, value)?;
            vm.call_name(node, key, &[value])?;
        }
    }
    Ok(())
}

/// The Ruby exception for an invalid entry of a run list.
fn invalid_item(vm: &mut Vm, error: &InvalidItem) -> Error {
    let error = vm.argument_error(error.to_string());
    crate::run::about(vm, error, crate::run::Subject::RunListItem)
}

/// The items of one of the node's run lists.
fn listed(vm: &mut Vm, node: &Value, name: &str) -> Res<Vec<Item>> {
    let list = vm.call_name(node, name, &[])?;
    let mut items = Vec::new();
    for entry in vm.to_array(&list)? {
        let text = vm.to_s_text(&entry)?;
        items.push(Item::parse(&text).map_err(|error| invalid_item(vm, &error))?);
    }
    Ok(items)
}

/// The items of the run list to expand: the given one, else the node's own.
fn run_list_items(vm: &mut Vm, input: &Input, node: &Value) -> Res<Vec<Item>> {
    let given = run_list::parse(&input.run_list).map_err(|error| invalid_item(vm, &error))?;
    if given.is_empty() && !input.overriding {
        return listed(vm, node, "run_list");
    }
    node::object::store_run_list(vm, node, texts(&given), input.overriding);
    Ok(given)
}

fn texts(items: &[Item]) -> Vec<Value> {
    items.iter().map(|item| Value::str(item.to_string())).collect()
}

/// The items of a policy run, which become the node's run list: those given, else those of the JSON attributes, else the node's own if
/// `policy_persist_run_list` is set, else the lock's.
fn policy_items(vm: &mut Vm, input: &Input, policy: &policy::Policy, node: &Value) -> Res<Vec<Item>> {
    let given = run_list::parse(&input.run_list).map_err(|error| invalid_item(vm, &error))?;
    let mut items = given;
    if items.is_empty() && !input.overriding {
        let persists = crate::chef_class::setting(vm, "policy_persist_run_list")?;
        let json: serde_json::Value =
            input.json.as_ref().and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_default();
        if persists.truthy() || !json["run_list"].is_null() || !json["recipes"].is_null() {
            items = listed(vm, node, "run_list")?;
        }
    }
    if items.is_empty() && !input.overriding {
        items = policy.run_list(vm)?;
    }
    for item in &items {
        policy.check(vm, item)?;
    }
    node::object::store_run_list(vm, node, texts(&items), input.overriding);
    Ok(items)
}

/// Logs an override of the run list, or that the run list is empty.
fn tell_run_list(vm: &mut Vm, input: &Input, node: &Value, items: &[Item]) -> Res<()> {
    let shown = |items: &[Item]| items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    if input.overriding {
        let own = listed(vm, node, "primary_runlist")?;
        crate::chef_class::log_line(vm, "warn", "Run List override has been provided.");
        crate::chef_class::log_line(vm, "warn", format!("Original Run List: [{}]", shown(&own)));
        crate::chef_class::log_line(vm, "warn", format!("Overridden Run List: [{}]", shown(items)));
    } else if items.is_empty() && input.files.is_empty() {
        let name = vm.call_name(node, "name", &[])?;
        let name = vm.to_s_text(&name)?;
        crate::chef_class::log_line(vm, "warn", format!("Node {name} has an empty run list."));
    }
    Ok(())
}

/// The node's normal attributes as JSON, which the next run starts with.
pub fn normal_attributes(vm: &mut Vm) -> Res<Vec<u8>> {
    let node = run_mut(vm).node.clone();
    if node.is_nil() {
        return Ok(b"{}".to_vec());
    }
    let normal = node::component(vm, &node, Component::Normal)?;
    let text = vm.call_name(&normal, "to_json", &[])?;
    Ok(vm.to_s_text(&text)?.into_bytes())
}

/// The environment's document; None for `_default`.
fn load_environment(vm: &mut Vm, name: &str) -> Res<Option<expanded::Stored>> {
    if name == "_default" {
        return Ok(None);
    }
    match role::load(vm, Kind::Environment, name)? {
        Some(found) => Ok(Some(found)),
        None => Err(role::missing(vm, Kind::Environment, name)),
    }
}
fn apply(vm: &mut Vm, node: &Value, document: &expanded::Stored, default: Component, over: Component) -> Res<()> {
    provenance::set_source(vm, Some(&document.source));
    let mut done = Ok(());
    for (key, component) in [("default_attributes", default), ("override_attributes", over)] {
        let Some(attributes) = document.role.attributes(key) else { continue };
        done = json_value(vm, attributes).and_then(|attributes| node::merge_into(vm, node, component, attributes));
        if done.is_err() {
            break;
        }
    }
    provenance::set_source(vm, None);
    done
}

/// Builds the node, loads the cookbooks and evaluates the recipes of the run list.
pub fn compile(vm: &mut Vm, input: &Input) -> Res<()> {
    run_mut(vm).compiling = true;
    let done = evaluate(vm, input);
    run_mut(vm).compiling = false;
    done
}

fn evaluate(vm: &mut Vm, input: &Input) -> Res<()> {
    run_mut(vm).repo.clone_from(&input.repo);
    let node = build_node(vm, input)?;
    let root = run_mut(vm).root.clone();
    let policy = match &input.policy {
        Some(_) if input.environment.is_some() => return Err(policy::with_environment(vm)),
        Some(choice) => Some(policy::load(vm, choice)?),
        None => None,
    };
    if let Some(policy) = &policy {
        let (name, group) = (Value::str(&policy.choice.name), Value::str(&policy.choice.group));
        vm.call_name(&node, "policy_name", &[name])?;
        vm.call_name(&node, "policy_group", std::slice::from_ref(&group))?;
        vm.call_name(&node, "chef_environment", &[group])?;
    }
    let environment = vm.call_name(&node, "chef_environment", &[])?;
    let environment = vm.to_s_text(&environment)?;
    let config = crate::chef_class::config(vm)?;
    vm.call(&config, rchef_ruby::sym::ASET, &[Value::sym("environment"), Value::str(&environment)])?;
    cookbook::cookbooks(vm).searched = input.cookbook_paths.iter().chain(&input.caches).cloned().collect();
    match &policy {
        Some(policy) => policy.cookbooks(vm, &input.cookbook_paths, &input.caches)?,
        None => cookbook::discover::discover(vm, &input.cookbook_paths)?,
    }
    // from here on, a local run of Chef reads the copies that it got from its own server
    let cache = match crate::chef_class::setting(vm, "file_cache_path")? {
        Value::Nil => crate::chef_class::local_cache(vm).to_string(),
        path => vm.to_s_text(&path)?,
    };
    let copies = match input.policy.as_ref().filter(|_| input.one_of_several) {
        Some(policy) => cookbook::own_folder::path(&cache, &policy.name),
        None => format!("{cache}/cookbooks"),
    };
    vm.call(&config, rchef_ruby::sym::ASET, &[Value::sym("cookbook_path"), Value::str(copies)])?;
    let items = match &policy {
        Some(policy) => policy_items(vm, input, policy, &node)?,
        None => run_list_items(vm, input, &node)?,
    };
    tell_run_list(vm, input, &node, &items)?;
    let expansion = role::expand(vm, items, &environment)?;
    let mut limits = None;
    match &policy {
        Some(policy) => policy.attributes(vm, &node)?,
        None => limits = load_environment(vm, &environment)?,
    }
    if let Some(found) = &limits {
        apply(vm, &node, found, Component::EnvDefault, Component::EnvOverride)?;
    }
    for applied in &expansion.applied {
        apply(vm, &node, applied, Component::RoleDefault, Component::RoleOverride)?;
    }
    set_run_list_attributes(vm, &node, &expansion, &environment)?;
    if let Some(policy) = &policy {
        let automatic = vm.call(&node, N.automatic, &[])?;
        for (key, value) in [
            ("policy_name", policy.choice.name.as_str()),
            ("policy_group", &policy.choice.group),
            ("policy_revision", policy.revision()),
        ] {
            vm.call(&automatic, rchef_ruby::sym::ASET, &[Value::str(key), Value::str(value)])?;
        }
    }
    *crate::data::policy::of_run(vm) = policy;
    *crate::data::expanded::of_run(vm) = expansion.clone();
    if !expansion.missing.is_empty() {
        let error = chef_error(
            vm,
            "MissingRole",
            format!("The expanded run list includes nonexistent roles: {}", expansion.missing.join(", ")),
        );
        let error = crate::run::about(vm, error, crate::run::Subject::Roles(expansion.missing.clone()));
        if let Some(exception) = error.exception().cloned() {
            emit(vm, |sink, vm| sink.run_list_expand_failed(vm, &input.run_list, &exception));
        }
        return Err(error);
    }
    compliance_defaults(vm, &node)?;
    subscribers::started(vm)?;
    if input.policy.is_none() {
        cookbook::discover::name_by_folder(vm, &expansion.recipes);
        let fixed = limits.as_ref().map(|found| found.role.cookbook_versions()).unwrap_or_default();
        cookbook::cache::complete(vm, &input.caches, &expansion.recipes, &fixed)?;
    }
    if input.policy.is_none() && !input.flat {
        versions(vm, input, limits.as_ref(), &expansion)?;
    }
    let recipes: Vec<String> = expansion.recipes.names().map(str::to_string).collect();
    cookbook::cookbooks(vm).flat = input.flat;
    cookbook::cookbooks(vm).chef19_order = input.chef19_order;
    cookbook::load::load_all(vm, &recipes)?;
    load_recipes(vm, &root, &recipes, &input.files)
}

/// The value that [`compliance_defaults`] wrote, in the form of a dump. The dump shows the attribute only if it differs from this.
#[derive(Default)]
pub struct ComplianceDefaults(pub serde_json::Value);

/// Writes `node['audit']`: the settings of Chef's compliance phase, at the default level when the node is loaded, so below those of roles and
/// environments.
fn compliance_defaults(vm: &mut Vm, node: &Value) -> Res<()> {
    let cache = crate::chef_class::setting(vm, "cache_path")?;
    let cache = if cache.is_nil() { String::new() } else { vm.to_s_text(&cache)? };
    // the time in the node's facts instead of the clock, so that the same input gives the same dump
    let automatic = vm.call(node, N.automatic, &[])?;
    let seconds = match vm.call_name(&automatic, "fetch", &[Value::str("ohai_time"), Value::Nil])? {
        Value::Float(seconds) => seconds.get() as i64,
        Value::Int(seconds) => seconds,
        _ => vm.host.wall_ns() / 1_000_000_000,
    };
    let time = TimeParts::at(seconds.into(), 0, 0, Some("UTC"), true);
    let stamp = strftime(b"%Y%m%d%H%M%S", &time).unwrap_or_default();
    let stamp = String::from_utf8_lossy(&stamp);
    let settings = serde_json::json!({
        "inspec_backend_cache": true, "reporter": null, "fetcher": null, "insecure": null, "quiet": false, "profiles": {}, "inputs": {},
        "attributes": {}, "waiver_file": null,
        "json_file": { "location": format!("{cache}/compliance_reports/compliance-{stamp}.json") },
        "run_time_limit": 1.0, "result_message_limit": 10000, "result_include_backtrace": false, "control_results_limit": 50,
        "chef_node_attribute_enabled": true, "compliance_phase": false, "interval": { "enabled": false, "time": 1440 },
    });
    let mut shown = settings.clone();
    if let Some(location) = shown.pointer_mut("/json_file/location") {
        let text = location.as_str().unwrap_or_default().to_string();
        *location = crate::chef_class::without_cache(vm, text).into();
    }
    vm.extension::<ComplianceDefaults>().0 = shown;
    let settings = json_value(vm, &settings)?;
    let default = vm.call_name(node, "default", &[])?;
    provenance::set_source(vm, Some(provenance::CHEF));
    let done = vm.call(&default, rchef_ruby::sym::ASET, &[Value::str("audit"), settings]);
    provenance::set_source(vm, None);
    done.map(drop)
}

/// Evaluates the recipes of the expanded run list.
fn load_recipes(vm: &mut Vm, root: &Value, recipes: &[String], files: &[RecipeFile]) -> Res<()> {
    subscribers::tell(vm, "recipe_load_start", |_| Ok(vec![Value::len(recipes.len())]))?;
    for (index, name) in recipes.iter().enumerate() {
        cookbook::cookbooks(vm).run_list_index = index;
        let (cookbook, short) = recipe::split_name(vm, name, None)?;
        let result = recipe::load(vm, root, &cookbook, &short).and_then(|_| subscribers::raised(vm));
        let missing = result
            .as_ref()
            .err()
            .and_then(|error| error.exception())
            .is_some_and(|exception| vm.class_name_of(exception) == "Chef::Exceptions::RecipeNotFound");
        let path = cookbook::recipe_path(vm, &cookbook, &short).ok().filter(|_| !missing);
        if let Err(error) = result {
            if let Some(exception) = error.exception().cloned() {
                subscribers::recipe_failed(vm, path.as_deref(), name, &exception)?;
            }
            return loading(vm, path.as_deref(), Err(error));
        }
        subscribers::tell(vm, "recipe_file_loaded", |_| {
            Ok(vec![path.map(Value::str).unwrap_or_default(), Value::str(name)])
        })?;
    }
    subscribers::tell_plain(vm, "recipe_load_complete")?;
    for file in files {
        recipe::load_file(vm, root, file)?;
    }
    subscribers::tell(vm, "cookbook_compilation_complete", |_| Ok(vec![root.clone()]))
}

/// Whether the versions of the cookbooks satisfy the constraints of the run list, the environment and the metadata.
fn versions(
    vm: &mut Vm,
    input: &Input,
    environment: Option<&expanded::Stored>,
    expansion: &expanded::Expansion,
) -> Res<()> {
    let limits = environment.map(|found| found.role.cookbook_versions()).unwrap_or_default();
    let Some(conflict) = cookbook::solve::conflict(vm, &expansion.recipes, &limits) else { return Ok(()) };
    if !input.enforce_versions {
        let root = conflict.dependent.as_ref().and_then(|name| {
            cookbook::cookbooks(vm).all.iter().find(|found| found.name == *name).map(|found| found.root.clone())
        });
        let file = root.map(|root| format!("{root}/metadata.rb")).unwrap_or_default();
        let text = format!("{}: {}", conflict.answer, conflict.text);
        run_mut(vm).lints.push(crate::run::Lint {
            file,
            line: 0,
            code: rchef_model::code::Code::UnsatisfiedVersion,
            text,
            name: conflict.cookbook,
        });
        return Ok(());
    }
    let recipes: Vec<String> = expansion.recipes.names().map(str::to_string).collect();
    emit(vm, |sink, vm| sink.cookbook_resolution_start(vm, &recipes));
    let error = crate::dsl::data::unsolvable(vm, &conflict.answer);
    if let Some(exception) = error.exception().cloned() {
        emit(vm, |sink, vm| sink.cookbook_resolution_failed(vm, &recipes, &exception));
    }
    Err(error)
}

fn set_run_list_attributes(vm: &mut Vm, node: &Value, expansion: &expanded::Expansion, environment: &str) -> Res<()> {
    let automatic = vm.call(node, N.automatic, &[])?;
    let both = expansion.recipes.all_names().map(Value::str).collect();
    let full = expansion.recipes.qualified().map(Value::str).collect();
    let roles = expansion.roles.iter().map(Value::str).collect();
    for (key, value) in [
        ("recipes", Value::array(both)),
        ("expanded_run_list", Value::array(full)),
        ("roles", Value::array(roles)),
        ("chef_environment", Value::str(environment)),
    ] {
        vm.call(&automatic, rchef_ruby::sym::ASET, &[Value::str(key), value])?;
    }
    Ok(())
}
