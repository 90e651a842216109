//! `rchef check`: whether a run list runs on each of several platforms, and what stands in the way.
//!
//! The JSON form is `{schema: "rchef-check/1", run_list, platforms: [{platform, policy?, verdict, resources, findings: [{code, severity,
//! source?, text, why, todo}]}]}`; verdicts are `runs`, `runs with deprecations` and `cannot run`, severities `error` and `warning`.

mod baseline;
mod formats;
mod render;
mod scan;
mod work;

use crate::compile::{Facts, Node, Start, for_each_policy, parse};
use crate::diagnostic;
use crate::input::RunListOptions;
use clap::{Parser, ValueEnum};
use rchef_host::{RealHost, compose};
use rchef_recipe::dump::{self, effects::Finding};
use rchef_recipe::run::{converge_mut, run_mut};
use rchef_recipe::{context, cookbook};
use rchef_ruby::{Res, Value, Vm};
use serde_json::{Map, Value as Json, json};
use std::fmt::Write;
use std::rc::Rc;

/// Form of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// Say whether a run list runs, and what stands in the way.
#[derive(Parser, Debug)]
#[command(
    name = "rchef check",
    about = "Say per platform whether a run list runs with rchef, and what stands in the way",
    after_help = "Each platform is compiled with the actions of cookbook-defined resources run and built-in ones doing nothing.\nExit status: 0 it runs everywhere, 1 it cannot run somewhere, 2 wrong usage.\n\nExamples:\n  rchef check -o 'role[web]' --platform ubuntu-22.04 --platform rocky-9\n  rchef check -o web --ohai node.json --format json"
)]
pub struct Options {
    /// What runs.
    #[command(flatten)]
    pub run_list: RunListOptions,
    /// Simulated platform; may be given several times (without one: this machine's facts, or `--ohai`)
    #[arg(long = "platform", value_name = "NAME", conflicts_with = "ohai")]
    pub platforms: Vec<String>,
    /// Facts (Ohai data) from a JSON file
    #[arg(long, value_name = "FILE", help_heading = "Node")]
    pub ohai: Option<String>,
    /// Node and machine.
    #[command(flatten)]
    pub node: Node,
    /// Form of the answer
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub format: Form,
}

/// What one platform gave, or one policy on it.
struct Verdict {
    platform: String,
    policy: Option<String>,
    resources: usize,
    findings: Vec<Found>,
}

/// A finding with what it means.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Found {
    source: String,
    code: String,
    text: String,
    error: bool,
    deprecation: bool,
}

impl Verdict {
    fn word(&self) -> &'static str {
        if self.findings.iter().any(|found| found.error) {
            "cannot run"
        } else if self.findings.iter().any(|found| found.deprecation) {
            "runs with deprecations"
        } else {
            "runs"
        }
    }
}

/// Runs; the number is the exit status.
pub fn run(args: &[String]) -> u8 {
    if !names_run_list(args) {
        return scan::run(args);
    }
    let options: Options = match parse("rchef check", args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    let names: Vec<Option<String>> =
        if options.platforms.is_empty() { vec![None] } else { options.platforms.iter().cloned().map(Some).collect() };
    let mut verdicts = Vec::new();
    for name in names {
        match check(&options, name) {
            Ok(found) => verdicts.extend(found),
            Err(text) => {
                diagnostic::complain(&format!("rchef check: {}\n", text.trim_end()));
                return 2;
            }
        }
    }
    // printing waits for who reads
    rchef_host::end_no_more();
    let text = match options.format {
        Form::Text => verdicts.iter().map(text).collect(),
        Form::Json => format!("{:#}\n", document(&options.run_list, &verdicts)),
    };
    diagnostic::print(&text);
    u8::from(verdicts.iter().any(|verdict| verdict.word() == "cannot run"))
}

/// Whether the arguments ask for a compile rather than for the static rules.
fn names_run_list(args: &[String]) -> bool {
    let long = ["--override-runlist", "--runlist", "--policy-name"];
    args.iter().take_while(|arg| *arg != "--").any(|arg| {
        arg.starts_with("-o")
            || arg.starts_with("-r")
            || long.iter().any(|name| arg == name || arg.strip_prefix(name).is_some_and(|rest| rest.starts_with('=')))
    })
}

fn check(options: &Options, platform: Option<String>) -> Result<Vec<Verdict>, String> {
    let real = Rc::new(RealHost::new());
    let facts = Facts { ohai: options.ohai.clone(), platform: platform.clone() };
    let platform = platform.or_else(|| options.ohai.clone()).unwrap_or_else(|| "this machine".into());
    let mut verdicts = Vec::new();
    for_each_policy(&real, &mut Start::new(&facts, &options.node, &options.run_list), |mut compiled| {
        compiled.compile(true);
        let failure = compiled.failure.take();
        let failed = failure.is_some();
        let policy = compiled.input.policy.as_ref().map(|policy| policy.name.clone());
        let vm = &mut compiled.vm;
        let findings = gather(vm, failure).map_err(|error| diagnostic::describe(vm, error))?;
        let root = run_mut(vm).root.clone();
        let resources = if root.is_nil() { 0 } else { context::resources(vm, &root).map_or(0, |list| list.len()) };
        verdicts.push(Verdict { platform: platform.clone(), policy, resources, findings });
        Ok((!failed).then_some(compiled))
    })?;
    Ok(verdicts)
}

fn gather(vm: &mut Vm, failure: Option<rchef_ruby::Error>) -> Res<Vec<Found>> {
    let mut found = Vec::new();
    if let Some(error) = failure {
        let one = exception(vm, error)?;
        let missing = if one.code == "missing-cookbook" { missing_cookbooks(vm) } else { Vec::new() };
        if missing.is_empty() {
            found.push(one);
        }
        found.extend(missing);
    }
    let root = run_mut(vm).root.clone();
    for expansion in converge_mut(vm).expansions.clone() {
        if let Some(value) = expansion.error {
            let place = found_place(vm, &expansion.resource)?;
            let mut one = exception(vm, rchef_recipe::provider::class::raise(value))?;
            if one.source.is_empty() {
                one.source = place;
            }
            found.push(one);
        }
    }
    let mut findings = dump::findings(vm)?;
    if !root.is_nil() {
        files(vm, &root, &mut findings)?;
        for expansion in converge_mut(vm).expansions.clone() {
            if !expansion.context.is_nil() {
                files(vm, &expansion.context, &mut findings)?;
            }
        }
    }
    gems(vm, &mut findings);
    for lint in findings {
        let source = if lint.file.is_empty() { String::new() } else { format!("{}:{}", lint.file, lint.line) };
        let error = is_error(&lint.code);
        found.push(Found { source, deprecation: lint.code == "deprecated", error, code: lint.code, text: lint.text });
    }
    found.sort_by(|a, b| (!a.error, &a.code, a).cmp(&(!b.error, &b.code, b)));
    found.dedup();
    Ok(found)
}

/// Every cookbook that the run list or the metadata of a cookbook that it reaches names, and that the cookbook path has not.
fn missing_cookbooks(vm: &mut Vm) -> Vec<Found> {
    let recipes = rchef_recipe::data::role::of_run(vm).recipes.clone();
    let all = cookbook::cookbooks(vm).all.clone();
    let mut names: Vec<String> = Vec::new();
    let mut found = Vec::new();
    let mut miss = |source: String, text: String| {
        found.push(Found { source, code: "missing-cookbook".into(), text, error: true, deprecation: false });
    };
    for (recipe, _) in recipes.iter() {
        let name = recipe.split("::").next().unwrap_or(recipe);
        if !all.iter().any(|known| known.name == name) {
            miss(
                String::new(),
                format!("no directory of the cookbook path has the cookbook {name}, which the run list names"),
            );
        } else if !names.iter().any(|known| known == name) {
            names.push(name.to_string());
        }
    }
    let mut at = 0;
    while let Some(known) = names.get(at).and_then(|name| all.iter().find(|known| known.name == *name)) {
        at += 1;
        for (name, constraint) in &known.metadata.depends {
            if all.iter().any(|other| other.name == *name) {
                if !names.contains(name) {
                    names.push(name.clone());
                }
                continue;
            }
            let (file, line) = depends_line(vm, known, name);
            let text = format!(
                "no directory of the cookbook path has the cookbook {name} ({constraint}), which {} depends on",
                known.name
            );
            miss(format!("{}/{file}:{line}", known.name), text);
        }
    }
    found
}

/// Where the metadata names a dependency.
fn depends_line(vm: &Vm, known: &cookbook::Cookbook, name: &str) -> (&'static str, usize) {
    for file in ["metadata.json", "metadata.rb"] {
        let Ok(bytes) = compose::read_file(&*vm.host, format!("{}/{file}", known.root).as_bytes()) else { continue };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let names =
            |line: &str| [format!("'{name}'"), format!("\"{name}\"")].iter().any(|quoted| line.contains(quoted));
        return (file, text.lines().position(names).map_or(1, |at| at + 1));
    }
    ("metadata.rb", 1)
}

/// What recipes a cookbook has, for the finding of one that it has not.
fn recipes_of(vm: &mut Vm, message: &str) -> Option<String> {
    let name = message.rsplit("for cookbook ").next()?;
    let known = cookbook::cookbooks(vm).all.iter().find(|known| known.name == name)?;
    let mut recipes: Vec<&str> = known
        .files
        .iter()
        .filter_map(|file| file.strip_prefix("recipes/")?.rsplit_once('.').map(|(name, _)| name))
        .filter(|name| !name.starts_with('_'))
        .collect();
    recipes.sort_unstable();
    recipes.truncate(12);
    Some(if recipes.is_empty() {
        "it has no recipes: other cookbooks use its resources".into()
    } else {
        format!("it has {}", recipes.join(", "))
    })
}

fn is_error(code: &str) -> bool {
    matches!(
        code,
        "notification-unresolved"
            | "notification-fails"
            | "no-provider"
            | "missing-template"
            | "missing-file"
            | "gem-with-extension"
            | "unsatisfied-version"
    )
}

/// The finding of an exception: the code says what kind of trouble it is.
fn exception(vm: &mut Vm, error: rchef_ruby::Error) -> Res<Found> {
    let record = dump::error_record(vm, error)?;
    let text = |key: &str| record[key].as_str().unwrap_or_default().to_string();
    let (class, message) = (text("class"), text("message"));
    let code = match class.rsplit("::").next().unwrap_or_default() {
        "LoadError" => "unresolved-require",
        "CookbookNotFound" => "missing-cookbook",
        "RecipeNotFound" => "missing-recipe",
        "FileNotFound" => "missing-template",
        "MissingRole" | "RoleNotFound" => "missing-role",
        "EnvironmentNotFound" => "missing-environment",
        "CookbookChefVersionMismatch" => "chef-version",
        "ResourceNotFound" => "notification-unresolved",
        "ProviderNotFound" | "UnsupportedAction" | "NoSuchResourceType" => "no-provider",
        "SyntaxError" => "syntax-error",
        "NotImplementedError" => "not-supported",
        "NoMemoryError" if message.contains("(--limit-") => "limit-passed",
        _ => "compile-failed",
    };
    let mut first = message.lines().next().unwrap_or_default().to_string();
    if let Some(recipes) = (code == "missing-recipe").then(|| recipes_of(vm, &message)).flatten() {
        first = format!("{first} ({recipes})");
    }
    Ok(Found {
        source: text("location"),
        code: code.into(),
        text: format!("{class}: {first}"),
        error: true,
        deprecation: false,
    })
}

fn found_place(vm: &mut Vm, resource: &Value) -> Res<String> {
    let place = rchef_recipe::resource::instance::source_of(vm, resource)?;
    Ok(place.map(|(file, line)| dump::short_place(vm, &format!("{file}:{line}"))).unwrap_or_default())
}

/// Templates and cookbook files that the cookbooks do not have.
fn files(vm: &mut Vm, context: &Value, findings: &mut Vec<Finding>) -> Res<()> {
    for resource in context::resources(vm, context)? {
        let kind = rchef_recipe::resource::instance::name_of_type(vm, &resource)?;
        let kind = vm.to_s_text(&kind)?;
        let (segment, code) = match kind.as_str() {
            "template" => ("templates", "missing-template"),
            "cookbook_file" => ("files", "missing-file"),
            _ => continue,
        };
        let get = |name: &str| vm.ivar_get(&resource, rchef_ruby::Symbol::intern(name)).unwrap_or_default();
        let (source, cookbook, owner, local, name) =
            (get("@source"), get("@cookbook"), get("@cookbook_name"), get("@local"), get("@name"));
        if local.truthy() {
            continue;
        }
        let mut names = Vec::new();
        for item in vm.to_array(&source)? {
            match item {
                Value::Str(_) => names.push(vm.to_s_text(&item)?),
                _ => break,
            }
        }
        if names.is_empty() {
            if !source.is_nil() {
                continue;
            }
            let base = vm.to_s_text(&name)?;
            let base = base.rsplit('/').next().unwrap_or_default().to_string();
            names.push(if kind == "template" { format!("{base}.erb") } else { base });
        }
        let holder = if cookbook.is_nil() { owner } else { cookbook };
        if holder.is_nil() || !matches!(holder, Value::Str(_) | Value::Sym(_)) {
            continue;
        }
        let holder = vm.to_s_text(&holder)?;
        let known = cookbook::cookbooks(vm).all.iter().any(|known| known.name == holder);
        if !known || cookbook::find_file(vm, &holder, segment, &names)?.is_none() {
            let place = found_place(vm, &resource)?;
            let (file, line) = place.rsplit_once(':').unwrap_or_default();
            let text = if known {
                format!("cookbook {holder} has no {segment}/{}", names.join(" or "))
            } else {
                format!("there is no cookbook {holder} for {segment}/{}", names.join(" or "))
            };
            findings.push(Finding { file: file.into(), line: line.parse().unwrap_or(0), code: code.into(), text });
        }
    }
    Ok(())
}

/// Gems that the metadata of used cookbooks asks for.
fn gems(vm: &mut Vm, findings: &mut Vec<Finding>) {
    let known = cookbook::cookbooks(vm);
    for name in known.order.clone() {
        let Some(found) = known.all.iter().find(|cookbook| cookbook.name == name) else { continue };
        for gem in &found.metadata.gems {
            let text = format!("the cookbook asks for the gem {}", gem.join(" "));
            findings.push(Finding { file: format!("{name}/metadata.rb"), line: 0, code: "gem".into(), text });
        }
    }
}

/// Why a finding matters, and what to do.
fn advice(code: &str) -> (&'static str, &'static str) {
    match code {
        "unresolved-require" => (
            "rchef has no library of that name: it carries its own standard library and no gems with C code",
            "use what the standard library has, or put a pure-Ruby gem where `require` finds it",
        ),
        "gem" => (
            "rchef has no RubyGems installer: gems of cookbooks are not installed",
            "check that what the cookbook requires of it is part of rchef, or replace it",
        ),
        "missing-cookbook" => {
            ("the run list or a dependency names it", "add it to the cookbook path, or correct the name")
        }
        "missing-recipe" => ("the run list or include_recipe names it", "correct the name, or add the recipe"),
        "missing-role" => ("the run list names it", "add the role to roles/, or remove it from the run list"),
        "missing-environment" => ("the node is in it", "add it to environments/, or correct the name"),
        "missing-template" | "missing-file" => (
            "the resource fails when it is converged",
            "add the file to the cookbook, or correct `source` and `cookbook`",
        ),
        "missing-cookbook-dependency" => (
            "the cookbook's attributes and libraries are not loaded, only its recipe",
            "add `depends` to the metadata of the cookbook that includes it",
        ),
        "notification-unresolved" | "notification-fails" => {
            ("the run fails before it converges anything", "declare the target, or correct its name and action")
        }
        "subscription-unresolved" => ("it never fires", "correct the name, or remove the subscription"),
        "no-provider" => (
            "rchef cannot converge this resource on the platform",
            "leave it out there (`only_if`, `case platform`), or keep Chef for this node",
        ),
        "unsatisfied-version" => (
            "a client ends here: it resolves versions as a Chef server does",
            "put the version that is asked for into the cookbook path, or loosen the constraint",
        ),
        "shared-name" => {
            ("attribute files go by their base names, and one name is evaluated once", "rename one of the two files")
        }
        "notification-parked" => (
            "in an action body the notification waits until its target is declared",
            "nothing, unless the order matters: declare the target first then",
        ),
        "chef-version" => {
            ("the cookbook does not accept the version that rchef claims", "use a version of the cookbook that does")
        }
        "deprecated" => (
            "later Chef or Ruby versions removed it; rchef still runs it",
            "replace it when the cookbook is changed next",
        ),
        "assumed-empty" => (
            "the command ran while the recipes were compiled; its answer is not known here",
            "answer it with --stub-command, or compile on the node with --exec",
        ),
        "overlay-failure" => (
            "the overlay has not what the machine may have",
            "look at the action; with --immediate=record it is only listed",
        ),
        "duplicate-key" => ("the first of them can no longer be looked up or notified", "give them different names"),
        "syntax-error" => ("the file is not valid Ruby 3.1", "correct the line"),
        "limit-passed" => (
            "code that does not end, or grows without end, is stopped",
            "look for a loop; if the cookbook needs more, raise the limit by the option that is named",
        ),
        "not-supported" => ("rchef does not do this", "avoid it, or tell the project"),
        _ => {
            ("the code raised an exception while it was compiled", "see the line; `rchef compile` shows the backtrace")
        }
    }
}

/// So many findings of one kind at one line are shown to people; `--format json` has all.
const AT_ONE_PLACE: usize = 3;

/// Findings of one kind stand together, with why they matter and what to do once.
fn text(verdict: &Verdict) -> String {
    let policy = verdict.policy.as_ref().map(|name| format!(", policy {name}")).unwrap_or_default();
    let mut out = format!("{}{policy}: {} ({} resources)\n", verdict.platform, verdict.word(), verdict.resources);
    for group in verdict.findings.chunk_by(|a, b| a.code == b.code && a.error == b.error) {
        for there in group.chunk_by(|a, b| a.source == b.source) {
            for found in there.iter().take(AT_ONE_PLACE) {
                let sign = if found.error { "error" } else { "warning" };
                let place = if found.source.is_empty() { String::new() } else { format!("{}: ", found.source) };
                let _ = writeln!(out, "  {place}{sign} {}: {}", found.code, found.text);
            }
            if let Some(more) = there.len().checked_sub(AT_ONE_PLACE).filter(|more| *more > 0) {
                let _ = writeln!(out, "    … and {more} more at {}", there[0].source);
            }
        }
        if let Some(found) = group.first() {
            let (why, todo) = advice(&found.code);
            let _ = writeln!(out, "    why: {why}\n    do:  {todo}");
        }
    }
    out
}

fn document(run_list: &RunListOptions, verdicts: &[Verdict]) -> Json {
    let given = run_list.overriding.as_ref().or(run_list.run_list.as_ref());
    let platforms: Vec<Json> = verdicts
        .iter()
        .map(|verdict| {
            let findings: Vec<Json> = verdict.findings.iter().map(finding).collect();
            let mut map = Map::new();
            map.insert("platform".into(), json!(verdict.platform));
            if let Some(policy) = &verdict.policy {
                map.insert("policy".into(), json!(policy));
            }
            map.insert("verdict".into(), json!(verdict.word()));
            map.insert("resources".into(), json!(verdict.resources));
            map.insert("findings".into(), Json::Array(findings));
            Json::Object(map)
        })
        .collect();
    json!({ "schema": "rchef-check/1", "run_list": given.cloned().unwrap_or_default(), "platforms": platforms })
}
fn finding(found: &Found) -> Json {
    let (why, todo) = advice(&found.code);
    let mut map = Map::new();
    map.insert("code".into(), json!(found.code));
    map.insert("severity".into(), json!(if found.error { "error" } else { "warning" }));
    if !found.source.is_empty() {
        map.insert("source".into(), json!(found.source));
    }
    map.insert("text".into(), json!(found.text));
    map.insert("why".into(), json!(why));
    map.insert("todo".into(), json!(todo));
    Json::Object(map)
}
