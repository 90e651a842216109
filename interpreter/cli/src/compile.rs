//! `rchef compile`: compiles a run list to a resource collection and dumps it as YAML or JSON, without changing the machine. Also functions for
//! other commands that compile.

use crate::diagnostic;
use crate::input::config::{self, absolute};
use crate::input::{self, NodeOptions, Program, Request, RunListOptions};
use crate::machine::{self, Access};
use crate::stubs::Stubs;
use clap::{Args, Parser, ValueEnum};
use rchef_host::{
    FileHandle, Files, Host, OpenFlags, Processes, RealHost, SourceLocation, StandardStream, Streams, compose,
};
use rchef_model::Out;
use rchef_model::document::Value as Json;
use rchef_providers::facts::Choice;
use rchef_recipe::compile::Input;
use rchef_recipe::data::policy;
use rchef_recipe::{dump, provider, run};
use rchef_ruby::embed::method::MethodId;
use rchef_ruby::embed::vm::Limits;
use rchef_ruby::{Error, Res, Value, Vm};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Form of a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For people and diffs.
    Yaml,
    /// For programs.
    Json,
}

/// What people look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum View {
    /// Resources line by line, notifications as arrows, attributes, timings.
    Table,
    /// Recipes, what they include and declare, nested.
    Tree,
}

/// A part of the attributes section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// The tree that recipes see, without Ohai's data.
    Merged,
    /// The components as they were written.
    Levels,
    /// Who set each value, what it shadows, what was merged.
    Provenance,
    /// Every write in order.
    #[value(alias = "provenance+history")]
    History,
    /// Nothing.
    None,
}

/// `--immediate`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Immediate {
    /// They run on the in-memory overlay: code after them sees their effect.
    Overlay,
    /// They are listed and do nothing.
    Record,
    /// They plan and report, and change nothing.
    Whyrun,
    /// They really run, as does everything else that recipes do at compile time: on this machine, without an overlay.
    Run,
}

/// The facts of the node.
#[derive(Args, Debug, Clone, Default)]
pub struct Facts {
    /// Facts (Ohai data) from a JSON file; the compile is hermetic
    #[arg(long, value_name = "FILE", conflicts_with = "platform", help_heading = "Node")]
    pub ohai: Option<String>,
    /// Simulated facts of a platform, e.g. `ubuntu-22.04` (`rchef facts --list` names them); the compile is hermetic
    #[arg(long, value_name = "NAME", help_heading = "Node")]
    pub platform: Option<String>,
}

/// Which node, which cookbooks, which machine: the same for every command that compiles.
#[derive(Args, Debug, Clone)]
pub struct Node {
    /// Which node.
    #[command(flatten)]
    pub options: NodeOptions,
    /// What happens to actions that recipes run at compile time
    #[arg(long, value_enum, default_value_t = Immediate::Overlay, help_heading = "Machine")]
    pub immediate: Immediate,
    /// Read this machine's files instead of an empty root
    #[arg(long, help_heading = "Machine")]
    pub live: bool,
    /// Read the files below this directory as the machine's, instead of an empty root
    #[arg(long, value_name = "DIR", conflicts_with = "live", help_heading = "Machine")]
    pub root: Option<String>,
    /// Really run commands that code runs while it is compiled (else they are recorded and taken to print nothing and succeed)
    #[arg(long, help_heading = "Machine")]
    pub exec: bool,
    /// Answer commands whose line the regular expression matches, e.g. `--stub-command '^dpkg -s nginx=Version: 1.2:0'` (in REGEX write `\=` for `=`; in OUTPUT `\n` is a newline)
    #[arg(long = "stub-command", value_name = "REGEX=OUTPUT[:STATUS]", help_heading = "Machine")]
    pub stubs: Vec<String>,
    /// Answers to what code asks: a YAML file with commands, data bags, searches, files, users, groups, environment and facts, as `rchef check --write-stubs` drafts it; may be repeated
    #[arg(long = "stub", value_name = "FILE", help_heading = "Machine")]
    pub answers: Vec<String>,
    /// What a simulated node lets through, and limits.
    #[command(flatten)]
    pub access: Access,
    /// Texts that code sees in place of files, by absolute path: for corrections that are tried before they are written.
    #[arg(skip)]
    pub edited: Edited,
}

/// Texts in place of files, by path.
pub type Edited = Rc<BTreeMap<String, Vec<u8>>>;

/// Compile a run list into a resource collection, without touching the machine.
#[derive(Parser, Debug)]
#[command(
    name = "rchef compile",
    about = "Compile a run list into a resource collection, without touching the machine",
    after_help = "Run it in a chef-repo. Exit status: 0 compiled, 1 the compile failed (the dump goes as far as it got, with `status: failed`), 2 wrong usage.\n\nWith --platform, --ohai or --root the compile is hermetic: code sees the chef-repo, the simulated facts and what a flag names (--allow-path, --allow-network, --env, --exec), and nothing else of this machine, so that two machines give the same dump. Links in the chef-repo that lead out of it are not followed. The clock is simulated (--at), random numbers are the same in every run. --live reads this machine instead.\n\nExamples:\n  rchef compile -o 'recipe[web]' --platform ubuntu-22.04\n  rchef compile -o 'role[db]' -E prod --ohai node.json --dump=json --dump-only resources,notifications\n  rchef compile -o web --platform rocky-9 --format=table"
)]
pub struct Options {
    /// What runs.
    #[command(flatten)]
    pub run_list: RunListOptions,
    /// Facts.
    #[command(flatten)]
    pub facts: Facts,
    /// Node and machine.
    #[command(flatten)]
    pub node: Node,
    /// Print the dump
    #[arg(long, value_name = "FORM", num_args = 0..=1, default_missing_value = "yaml", require_equals = true, help_heading = "Dump")]
    pub dump: Option<Form>,
    /// Run the actions of cookbook-defined resources and show what they declare
    #[arg(long, help_heading = "Dump")]
    pub expand: bool,
    /// Show what templates, cookbook_files and files with content write: the SHA-256, with `=text` the content too
    #[arg(long, value_name = "WHAT", num_args = 0..=1, default_missing_value = "digest", require_equals = true, value_parser = ["digest", "text"], help_heading = "Dump")]
    pub render: Option<String>,
    /// Write the dump to a file
    #[arg(long = "dump-file", value_name = "FILE", help_heading = "Dump")]
    pub file: Option<String>,
    /// Only these sections
    #[arg(long = "dump-only", value_name = "SECTION", value_delimiter = ',', value_parser = clap::builder::PossibleValuesParser::new(dump::SECTIONS), help_heading = "Dump")]
    pub only: Vec<String>,
    /// Parts of the attributes section (default: merged, levels, provenance)
    #[arg(long = "dump-attributes", value_name = "PART", value_delimiter = ',', help_heading = "Dump")]
    pub attributes: Vec<Part>,
    /// Ohai's data in the attributes section too
    #[arg(long = "dump-automatic", help_heading = "Dump")]
    pub automatic: bool,
    /// Properties' defaults too, not only what is set
    #[arg(long = "dump-defaults", help_heading = "Dump")]
    pub defaults: bool,
    /// Order of maps inside values
    #[arg(long = "dump-order", value_name = "ORDER", value_parser = ["sorted", "insertion"], default_value = "sorted", help_heading = "Dump")]
    pub order: String,
    /// Show sensitive values (only on a terminal, or with RCHEF_REVEAL_SENSITIVE=1)
    #[arg(long = "reveal-sensitive", help_heading = "Dump")]
    pub reveal: bool,
    /// Show of sensitive values their HMAC-SHA256 with the key in a file, so that a change can be seen
    #[arg(long = "sensitive-digest", value_name = "KEYFILE", conflicts_with = "reveal", help_heading = "Dump")]
    pub digest: Option<String>,
    /// Time, host, directory and version too: such a dump differs from run to run
    #[arg(long = "dump-volatile", help_heading = "Dump")]
    pub volatile: bool,
    /// Ask the blocks of guards, and say what exceptions are about, what was asked of a server and which cookbooks lack: for `rchef check`
    #[arg(long, hide = true)]
    pub for_check: bool,
    /// A view for people instead of the dump
    #[arg(long, value_name = "VIEW", conflicts_with = "dump")]
    pub format: Option<View>,
}

/// A VM with the Chef model and every shipped resource.
pub fn machine(host: Rc<dyn Host>) -> Result<Vm, String> {
    let limits = Limits::of_machine(&rchef_host::RealHost::new());
    let mut vm = Vm::new(host).ok_or("a machine is already running on this thread")?;
    vm.limits = limits;
    rchef_stdlib::register(&mut vm);
    if let Err(error) = rchef_providers::boot(&mut vm) {
        return Err(diagnostic::describe(&mut vm, error));
    }
    Ok(vm)
}

/// Parses a command's options; the error is the exit status after help or a usage error.
pub fn parse<T: Parser>(name: &str, args: &[String]) -> Result<T, u8> {
    T::try_parse_from(std::iter::once(name.to_string()).chain(args.iter().cloned())).map_err(|error| {
        let text = error.render().to_string();
        if error.use_stderr() {
            diagnostic::complain(&text);
            return 2;
        }
        diagnostic::print(&text);
        0
    })
}

/// Runs the command; gives the exit status.
pub fn run(args: &[String]) -> u8 {
    let options: Options = match parse("rchef compile", args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    let real = Rc::new(RealHost::new());
    match compile(&real, &options) {
        Ok(failed) => u8::from(failed),
        Err(text) => {
            diagnostic::complain(&format!("{}\n", text.trim_end()));
            1
        }
    }
}

/// Opens the file for the dump. A dump that shows secrets gets mode 0600, also if the file exists.
fn open_dump(real: &RealHost, path: &str, revealed: bool) -> rchef_host::Result<Box<dyn FileHandle>> {
    if !revealed {
        return real.open(path.as_bytes(), OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::TRUNC, 0o644);
    }
    let file = real.open(path.as_bytes(), OpenFlags::WRONLY | OpenFlags::CREAT, 0o600)?;
    if file.stat()?.is_file() {
        file.chmod(0o600)?;
        file.truncate(0)?;
    }
    Ok(file)
}

/// Writes the dump, or the view that was asked for, to its file or standard output; a reader that goes away is no error.
fn write_out(real: &RealHost, options: &Options, document: &Json, took: u64) -> rchef_host::Result<()> {
    let to = match &options.file {
        Some(path) => open_dump(real, path, options.reveal)?,
        None => match real.standard(StandardStream::Output) {
            Ok(handle) => handle,
            Err(_) => return Ok(()),
        },
    };
    let mut done = Ok(());
    let mut write = |part: &str| {
        if done.is_ok() {
            done = compose::write_all(&*to, part.as_bytes());
        }
    };
    let mut out = Out::to(&mut write);
    render(options, document, took, &mut out);
    out.finish();
    if options.file.is_some() { done } else { Ok(()) }
}

fn compile(real: &Rc<RealHost>, options: &Options) -> Result<bool, String> {
    let started = rchef_host::Clock::monotonic_ns(&**real);
    let collected = collect(real, options, None);
    // the time limit ends here: a slow reader may delay the output
    rchef_host::end_no_more();
    let (document, failed) = collected?;
    let took = rchef_host::Clock::monotonic_ns(&**real).saturating_sub(started);
    let path = options.file.as_deref().unwrap_or_default();
    write_out(real, options, &document, took).map_err(|error| format!("{path}: {}", error.message()))?;
    // the process ends here: dropping a large dump would take a tenth of the time
    std::mem::forget(document);
    Ok(failed)
}

/// Compiles and makes the dump; gives whether the compile failed. `ready` is a VM of [`ready`].
///
/// # Errors
/// A message about why nothing could be compiled.
pub fn collect(real: &Rc<RealHost>, options: &Options, ready: Option<Vm>) -> Result<(Json, bool), String> {
    let shown = dump_options(real, options)?;
    let mut start = Start::new(&options.facts, &options.node, &options.run_list);
    start.own_output = options.file.is_none();
    start.ready.set(ready);
    let (mut documents, mut failed, mut single) = (Vec::new(), false, None);
    let mut provisional = Vec::new();
    for_each_policy(real, &mut start, |mut compiled| {
        run::converge_mut(&mut compiled.vm).heeds_guards = options.for_check;
        rchef_recipe::cookbook::cookbooks(&mut compiled.vm).lenient = options.for_check;
        let (mut document, ended) = one(&mut compiled, &shown, options.expand)?;
        if options.for_check {
            for_check(&mut compiled.vm, &mut document, &compiled.hint);
        }
        failed = ended;
        if compiled.policies.len() <= 1 {
            single = Some(document);
            // the process ends soon: dropping the VM would take a tenth of the time
            std::mem::forget(compiled);
            return Ok(None);
        }
        documents.push(document);
        let read = compiled.provisional();
        if let Some(policy) = compiled.input.policy.as_ref().filter(|_| !read.is_empty()) {
            provisional.push(rchef_model::json!({ "policy": policy.name, "reads": read }));
        }
        Ok((!ended).then_some(compiled))
    })?;
    let document = match (single, documents.len()) {
        (Some(document), _) => document,
        (None, 1) => documents.remove(0),
        (None, _) => dump::policies(rchef_providers::register::ALL, documents, provisional, failed),
    };
    Ok((document, failed))
}

/// A VM that has already read the cookbooks of these options, for forked compiles, and the Ruby files of these cookbooks.
/// None if this fails: the compile itself reports why.
pub fn ready(real: &Rc<RealHost>, options: &Options) -> Option<(Vm, Vec<String>)> {
    let start = Start::new(&options.facts, &options.node, &options.run_list);
    let compiled = Compiled::start(real, &start);
    rchef_host::end_no_more();
    let Compiled { mut vm, input, .. } = compiled.ok()?;
    if input.policy.is_some() {
        return None;
    }
    rchef_recipe::cookbook::discover::ahead(&mut vm, &input.cookbook_paths).ok()?;
    let mut files = Vec::new();
    for cookbook in &rchef_recipe::cookbook::cookbooks(&mut vm).all {
        let ruby = cookbook.files.iter().filter(|file| file.ends_with(".rb"));
        files.extend(ruby.map(|file| format!("{}/{file}", cookbook.root)));
    }
    for kind in ["roles", "environments"] {
        let names = rchef_recipe::data::repo::names(&mut vm, kind, false);
        let ruby = names.iter().filter(|name| name.ends_with(".rb"));
        files.extend(ruby.map(|name| rchef_recipe::data::repo::path(&mut vm, &format!("{kind}/{name}"))));
    }
    Some((vm, files))
}

/// Starts a compile of the run list, or of one policy after the other, each with the normal attributes that the previous one left. `work` returns
/// the compile to continue with the next policy.
pub fn for_each_policy(
    real: &Rc<RealHost>,
    start: &mut Start<'_>,
    mut work: impl FnMut(Compiled) -> Result<Option<Compiled>, String>,
) -> Result<(), String> {
    let mut at = 0;
    loop {
        let compiled = Compiled::start(real, start)?;
        let policies = compiled.policies.clone();
        let Some(mut compiled) = work(compiled)? else { return Ok(()) };
        let (Some(done), Some(next)) = (policies.get(at), policies.get(at + 1)) else { return Ok(()) };
        let normal = rchef_recipe::compile::normal_attributes(&mut compiled.vm);
        let normal = normal.map_err(|error| diagnostic::describe(&mut compiled.vm, error))?;
        start.changed.extend(changed_keys(&compiled.initial, &normal));
        start.policy = Some(next.clone());
        start.carried = Some((done.name.clone(), normal));
        start.host = Some(compiled.vm.host.clone());
        at += 1;
    }
}

/// For each effect (or read) of a document, in order, the calls that led to it.
fn callers(vm: &mut Vm, reads: bool) -> Json {
    let host = vm.host.clone();
    let effects = host.as_overlay().map(|overlay| overlay.effects()).unwrap_or_default();
    let shown = effects.iter().filter(|effect| effect.kind.is_read() == reads);
    shown.map(|effect| places(vm, effect.callers.iter().map(|at| (&*at.file, at.line)))).collect()
}

fn places<'a>(vm: &mut Vm, places: impl Iterator<Item = (&'a str, u32)>) -> Json {
    places.map(|(file, line)| Json::from(dump::short_place(vm, &format!("{file}:{line}")))).collect()
}

/// Adds to a document what only `rchef check` needs.
fn for_check(vm: &mut Vm, document: &mut Json, hint: &str) {
    let callers: Vec<(&str, Json)> =
        [("effects", false), ("reads", true)].map(|(key, reads)| (key, callers(vm, reads))).into();
    let asked = run::run_mut(vm).asked.clone();
    let asked: Json = asked
        .into_iter()
        .map(|asked| {
            let source = dump::short_place(vm, &format!("{}:{}", asked.file, asked.line));
            let callers = places(vm, asked.callers.iter().map(|(file, line)| (file.as_str(), *line)));
            rchef_model::json!({ "kind": asked.kind, "subject": asked.subject, "found": asked.found, "source": source, "callers": callers })
        })
        .collect();
    let missing: Json = crate::check::compiled::missing_cookbooks(vm)
        .into_iter()
        .map(|one| rchef_model::json!({ "source": one.source, "text": one.text, "name": one.name }))
        .collect();
    let names = names(vm);
    let gems: Json = crate::check::compiled::gems(vm)
        .into_iter()
        .map(|(name, source)| rchef_model::json!({ "name": name, "source": source }))
        .collect();
    let known = rchef_recipe::cookbook::cookbooks(vm);
    let mut reached: BTreeSet<String> =
        known.loaded.iter().map(|file| format!("{}/{}", file.cookbook, file.path)).collect();
    let recipes: Vec<String> = known.recipes.iter().map(|recipe| recipe.path.clone()).collect();
    reached.extend(recipes.into_iter().map(|path| dump::short_place(vm, &path)));
    let reached: Json = reached.into_iter().map(Json::from).collect();
    let roots = rchef_recipe::cookbook::cookbooks(vm).all.clone();
    let roots = roots.iter().map(|one| (one.name.clone(), Json::from(one.root.clone()))).collect();
    let sources: Json = sources(vm).into_iter().map(Json::from).collect();
    if let Json::Object(map) = document {
        map.insert("gems".into(), gems);
        map.insert("reached".into(), reached);
        map.insert("callers".into(), Json::Object(callers.into_iter().collect()));
        map.insert("asked".into(), asked);
        map.insert("roots".into(), Json::Object(roots));
        map.insert("sources".into(), sources);
        map.insert("missing_cookbooks".into(), missing);
        map.insert("names".into(), names);
        map.insert("hint".into(), Json::from(hint.trim_start_matches("hint: ").trim_end().to_string()));
    }
}

/// What lines name that findings of the dump (`lints`) are about.
fn names(vm: &mut Vm) -> Json {
    let lints = run::run_mut(vm).lints.clone().into_iter().map(|lint| (lint.file, lint.line, lint.text, lint.name));
    let used = vm.deprecations.clone().into_iter().map(|used| (used.file.to_string(), used.line, used.text, used.name));
    let all: Vec<_> = lints.chain(used).filter(|(.., name)| !name.is_empty()).collect();
    all.into_iter()
        .map(|(file, line, text, name)| {
            let source = dump::short_place(vm, &format!("{file}:{line}"));
            rchef_model::json!({ "source": source, "text": text, "name": name })
        })
        .collect()
}

/// Files and directories outside of cookbooks that a compile depends on: its roles, its environment, the data bags that it read.
fn sources(vm: &mut Vm) -> Vec<String> {
    use rchef_recipe::data::{expanded, repo};
    let mut found: Vec<String> = expanded::of_run(vm).applied.iter().map(|role| role.source.clone()).collect();
    let node = run::run_mut(vm).node.clone();
    if let Ok(environment) = vm.call_name(&node, "chef_environment", &[]).and_then(|name| vm.to_s_text(&name)) {
        found.extend([".rb", ".json"].map(|ending| format!("environments/{environment}{ending}")));
    }
    for asked in &run::run_mut(vm).asked {
        let mut words = asked.subject.split(' ');
        match (asked.kind, words.next(), words.next()) {
            ("data_bag_item", Some(bag), Some(id)) => found.push(format!("data_bags/{bag}/{id}.json")),
            ("data_bag", Some(bag), _) => found.push(format!("data_bags/{bag}")),
            ("search", Some("role"), _) => found.push("roles".into()),
            ("search", Some("environment"), _) => found.push("environments".into()),
            ("search", Some("node"), _) => found.push("nodes".into()),
            ("search", Some(bag), _) => found.push(format!("data_bags/{bag}")),
            _ => {}
        }
    }
    found.sort();
    found.dedup();
    found.iter().map(|below| repo::path(vm, below)).collect()
}

/// Top-level keys with a changed value, except `tags`.
fn changed_keys(before: &serde_json::Value, after: &[u8]) -> Vec<String> {
    let after: serde_json::Value = serde_json::from_slice(after).unwrap_or_default();
    let all = after.as_object().into_iter().flatten();
    all.filter(|(key, value)| *key != "tags" && before.get(key) != Some(*value)).map(|(key, _)| key.clone()).collect()
}

/// Compiles and makes the document; gives whether the compile failed.
fn one(compiled: &mut Compiled, shown: &dump::Options, expand: bool) -> Result<(Json, bool), String> {
    let immediate = dump::options(&mut compiled.vm).immediate;
    *dump::options(&mut compiled.vm) = dump::Options { immediate, ..shown.clone() };
    rchef_recipe::secrets::secrets(&mut compiled.vm).revealed = shown.reveal;
    compiled.compile(expand);
    let failed = compiled.failure.is_some();
    Ok((compiled.document()?, failed))
}

fn render(options: &Options, document: &Json, took: u64, out: &mut Out<'_>) {
    match (options.format, options.dump) {
        (Some(view), _) => {
            let each = |document: &Json| match view {
                View::Table => crate::view::table(document, took),
                View::Tree => crate::view::tree(document),
            };
            match document.get("policies").and_then(Json::as_array) {
                Some(several) => {
                    for one in several {
                        let name = one["inputs"]["policy"]["name"].as_str().unwrap_or_default();
                        out.push_str(&format!("policy {name}\n{}\n", each(one)));
                    }
                }
                None => out.push_str(&each(document)),
            }
        }
        (None, Some(Form::Json)) => {
            document.write_json(out, Some(0));
            out.push('\n');
        }
        (None, _) => rchef_model::yaml::write(document, out),
    }
}

fn dump_options(real: &Rc<RealHost>, options: &Options) -> Result<dump::Options, String> {
    let mut shown = dump::Options {
        automatic: options.automatic,
        defaults: options.defaults,
        insertion_order: options.order == "insertion",
        reveal: options.reveal,
        about: options.for_check,
        only: options.only.clone(),
        render: options.render.as_ref().map(|what| (rchef_providers::rendered as dump::Renderer, what == "text")),
        ..dump::Options::default()
    };
    if !options.attributes.is_empty() {
        let has = |part: Part| options.attributes.contains(&part);
        shown.attributes = dump::Attributes {
            merged: has(Part::Merged),
            levels: has(Part::Levels),
            provenance: has(Part::Provenance) || has(Part::History),
            history: has(Part::History),
        };
    }
    let allowed = || {
        let terminal = real.standard(StandardStream::Output).is_ok_and(|handle| handle.is_tty());
        terminal || real.env(b"RCHEF_REVEAL_SENSITIVE").is_some_and(|value| value == b"1")
    };
    if options.reveal && !allowed() {
        return Err("--reveal-sensitive needs a terminal, or RCHEF_REVEAL_SENSITIVE=1 in the environment".into());
    }
    if let Some(path) = &options.digest {
        let key =
            compose::read_file(&**real, path.as_bytes()).map_err(|error| format!("{path}: {}", error.message()))?;
        if key.trim_ascii().is_empty() {
            return Err(format!("{path}: the key of --sensitive-digest is empty"));
        }
        shown.digest = Some(key.trim_ascii().to_vec());
    }
    if options.volatile {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let seconds = rchef_host::Clock::wall_ns(&**real).div_euclid(1_000_000_000);
        shown.volatile = vec![
            ("epoch", seconds.to_string()),
            ("host", real.uname().map(|found| found.nodename).unwrap_or_default()),
            ("directory", real.getcwd().map(text).unwrap_or_default()),
            ("rchef", env!("CARGO_PKG_VERSION").to_string()),
        ];
    }
    Ok(shown)
}

pub struct Compiled {
    pub vm: Vm,
    pub input: Input,
    /// All policies of the node, in order; this compile is of one of them.
    pub policies: Vec<policy::Choice>,
    /// The error that ended the compile.
    pub failure: Option<Error>,
    /// What to do about the failure, once the dump is made.
    hint: String,
    /// The node's normal attributes before the compile.
    initial: serde_json::Value,
    /// Top-level normal attributes that earlier policies changed.
    changed: Vec<String>,
}

/// The parameters of a compile.
pub struct Start<'a> {
    facts: &'a Facts,
    node: &'a Node,
    run_list: &'a RunListOptions,
    /// The policy, and the name and normal attributes of the previous one.
    policy: Option<policy::Choice>,
    carried: Option<(String, Vec<u8>)>,
    /// Top-level normal attributes that earlier policies changed.
    changed: Vec<String>,
    /// The host of the previous policy's compile.
    host: Option<Rc<dyn Host>>,
    /// Standard output is reserved for the result: output of Ruby code goes to standard error.
    own_output: bool,
    /// A VM that has already read the cookbooks.
    ready: Cell<Option<Vm>>,
}

impl<'a> Start<'a> {
    pub fn new(facts: &'a Facts, node: &'a Node, run_list: &'a RunListOptions) -> Start<'a> {
        Start {
            facts,
            node,
            run_list,
            policy: None,
            carried: None,
            changed: Vec::new(),
            host: None,
            own_output: true,
            ready: Cell::new(None),
        }
    }
}

fn read_json(real: &RealHost, path: &str) -> Result<Vec<u8>, String> {
    let bytes = compose::read_file(real, path.as_bytes()).map_err(|error| format!("{path}: {}", error.message()))?;
    // checks only that it is JSON; values are read when they are needed
    match serde_json::from_slice::<&serde_json::value::RawValue>(&bytes) {
        Ok(_) => Ok(bytes),
        Err(error) => Err(super::diagnostic::broken_json("the file", path, &bytes, &error)),
    }
}

impl Compiled {
    /// Creates the VM and its overlay.
    pub fn start(real: &Rc<RealHost>, start: &Start<'_>) -> Result<Compiled, String> {
        let facts = start.facts;
        let stubs = Stubs::read(real, &start.node.answers)?;
        let node = &stubs.added_to(start.node);
        let cwd = real.getcwd().map_err(|error| error.to_string())?;
        let cwd = String::from_utf8_lossy(&cwd).into_owned();
        let ohai = match (&facts.ohai, &facts.platform) {
            (Some(path), _) => read_json(real, &absolute(&cwd, path))?,
            (None, Some(name)) => simulated(name)?,
            (None, None) => rchef_providers::facts::collect_text(&**real, &Choice::default()),
        };
        let ohai = stubs.facts(ohai);
        let request = Request::new(&**real, &node.options, start.run_list, Program::Compile, &cwd);
        let host = match &start.host {
            Some(host) => host.clone(),
            None => machine::host_for(real, facts, node, &ohai, &request, start.own_output)?,
        };
        let ready = start.ready.take();
        let fresh = ready.is_none();
        let mut vm = match ready {
            Some(mut vm) => {
                vm.host = host.clone();
                vm
            }
            None => machine(host.clone())?,
        };
        node.access.limit(&mut vm, node.immediate);
        let settings = config::configure(&mut vm, &**real, &request).map_err(|(_, text)| text)?;
        let resolved = input::resolve(&mut vm, &**real, &request, &settings, input::Facts::Text(ohai))
            .map_err(|(_, text)| text)?;
        let mut input = resolved.input;
        input.live = node.live && facts.ohai.is_none() && facts.platform.is_none();
        let initial = match &start.carried {
            Some((_, normal)) => serde_json::from_slice(normal).unwrap_or_default(),
            None => resolved.normal,
        };
        input.carried.clone_from(&start.carried);
        if start.policy.is_some() {
            input.policy.clone_from(&start.policy);
        }
        if fresh {
            rchef_stdlib::add_gem_folders(&mut vm, machine::gem_places(real, facts, node, &cwd));
        }
        let cache = config::text_setting(&mut vm, "file_cache_path")
            .unwrap_or_else(|| rchef_recipe::chef_class::local_cache(&mut vm).to_string());
        if let Some(overlay) = host.as_overlay().filter(|_| cache.starts_with('/')) {
            // a client creates its cache before it compiles
            let _ = overlay.quietly(|| compose::create_dir_all(overlay, cache.as_bytes(), 0o755));
        }
        stubs.plant(&mut vm)?;
        if let Some(overlay) = host.as_overlay() {
            overlay.take_effects();
            overlay.defer_places();
        }
        vm.after_native = Some(locate);
        let (mode, name) = match node.immediate {
            Immediate::Overlay => (run::ActionMode::Overlay, "overlay"),
            Immediate::Record => (run::ActionMode::Record, "record"),
            Immediate::Whyrun => (run::ActionMode::WhyRun, "whyrun"),
            Immediate::Run => (run::ActionMode::Converge, "run"),
        };
        run::converge_mut(&mut vm).mode = mode;
        dump::options(&mut vm).immediate = name;
        Ok(Compiled {
            vm,
            input,
            policies: resolved.policies,
            failure: None,
            hint: String::new(),
            initial,
            changed: start.changed.clone(),
        })
    }

    /// Compiles; with `expand` also runs the actions of cookbook-defined resources.
    pub fn compile(&mut self, expand: bool) {
        run::converge_mut(&mut self.vm).expands = expand;
        self.failure = rchef_recipe::compile::compile(&mut self.vm, &self.input).err();
        if self.failure.is_none() && expand {
            self.failure = provider::runner::expand_run(&mut self.vm).err();
        }
        // code that rescued the error of a limit was ended without an exception
        if self.failure.as_ref().is_some_and(|failure| failure.exception().is_none())
            && let Some(passed) = self.vm.passed_limit().cloned()
        {
            self.failure = Some(self.vm.limit_error(&passed));
        }
        let _ = rchef_ruby::embed::io::flush_all(&mut self.vm);
    }

    /// Top-level attributes that the compile read and earlier policies changed: their converge may change the result of this compile.
    fn provisional(&mut self) -> Vec<String> {
        let node = run::run_mut(&mut self.vm).node.clone();
        let read = rchef_recipe::node::attribute::asked_for(&mut self.vm, &node).unwrap_or_default();
        self.changed.iter().filter(|key| read.contains(key)).cloned().collect()
    }

    /// The dump; reports the failure on standard error.
    pub fn document(&mut self) -> Result<Json, String> {
        let failure = self.failure.take();
        if let Some(exception) = failure.as_ref().and_then(|error| error.exception().cloned()) {
            let shown = diagnostic::diagnose(&mut self.vm, &exception);
            diagnostic::complain(&shown);
            self.hint = diagnostic::part(&mut self.vm, &exception, diagnostic::Part::Hint);
        }
        match dump::document(&mut self.vm, &self.input, failure) {
            Ok(document) => Ok(document),
            Err(error) => Err(diagnostic::describe(&mut self.vm, error)),
        }
    }
}

pub fn simulated(name: &str) -> Result<Vec<u8>, String> {
    rchef_providers::facts::simulated(name).ok_or_else(|| {
        format!("rchef knows no simulated platform {name}; it knows {}", rchef_providers::facts::names().join(", "))
    })
}

/// Gives the overlay's pending effects the place of the Ruby code that is running.
fn locate(vm: &mut Vm, _: MethodId, _: &Value, result: Res) -> Res {
    let Some(overlay) = vm.host.as_overlay().filter(|overlay| overlay.is_waiting()) else { return result };
    let own = |(file, _): &(Rc<str>, u32)| !file.starts_with("<internal:");
    let calls: Vec<_> = vm.places().into_iter().filter(own).collect();
    let place = vm.current_location().filter(own).or_else(|| calls.first().cloned());
    let place = place.map(|(file, line)| SourceLocation { file, line });
    let mut callers: Vec<_> = calls.into_iter().map(|(file, line)| SourceLocation { file, line }).collect();
    callers.retain(|caller| Some(caller) != place.as_ref());
    overlay.locate(place.as_ref(), &callers);
    result
}
