//! `rchef plan`: what a run would change, by running it on an overlay of this machine.
//!
//! The run is the client's: the same input, compile and converge. Only its host is an overlay, which assumes changes instead of making them
//! ([`rchef_recipe::run::ActionMode::Plan`]). [`collect`] records the run into a [`document`], which [`show`] renders.

mod attributes;
mod collect;
mod document;
pub mod saved;
mod show;
pub mod targets;

use super::flags::{Called, Options as ClientOptions, levels};
use super::{Prepared, fresh, prepare};
use crate::diagnostic;
use crate::input::{NodeOptions, Program, RunListOptions};
use clap::{CommandFactory, FromArgMatches, Parser, ValueEnum};
use collect::Collector;
use document::Document;
use rchef_host::overlay::{Answerer, Identity, Policy};
use rchef_host::{Files, Identity as _, OverlayHost, OverlayOptions, Processes, RealHost, compose};
use rchef_recipe::compile;
use rchef_recipe::log::{Level, show_from};
use rchef_recipe::provider::runner;
use rchef_recipe::run::{ActionMode, converge_mut, run_mut};
use rchef_ruby::{Res, Value, Vm};
use serde_json::{Value as Json, json};
use std::cell::RefCell;
use std::rc::Rc;

/// Form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For a terminal.
    Text,
    /// For a review.
    Markdown,
    /// For programs; `--schema` prints its schema.
    Json,
}

/// Say what a run would change on this machine, without changing anything.
#[derive(Parser, Debug)]
#[command(
    name = "rchef plan",
    about = "Say what a run would change on this machine, without changing anything",
    after_help = "The whole run is simulated: each change is taken as made, so that later resources, guards and templates see it. Commands are not run; what they do is not known, and everything that rests on that is listed as an assumption. Guards are asked (--no-guards: taken to let their action go on). Archives of packages that would be installed are fetched into rchef's cache to see what they bring (--no-archives: not known).\n\nExit status: 0 the plan was made, 1 it was not, or the run would fail. With --detailed-exitcode: 0 nothing to do, 2 changes, 1 failed.\n\nExamples:\n  rchef plan -o 'recipe[web]'\n  rchef plan -o 'recipe[web]' --out web.plan && rchef client --plan web.plan\n  rchef plan --policy-name web --json"
)]
pub struct Options {
    /// What runs.
    #[command(flatten)]
    pub run_list: RunListOptions,
    /// Which node.
    #[command(flatten)]
    pub node: NodeOptions,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Form::Text, help_heading = "Output")]
    pub format: Form,
    /// The same as --format json
    #[arg(long = "json", help_heading = "Output")]
    pub as_json: bool,
    /// Print the JSON schema of --json
    #[arg(long, help_heading = "Output")]
    pub schema: bool,
    /// Exit status 0: nothing to do, 2: changes, 1: failed
    #[arg(long = "detailed-exitcode", help_heading = "Output")]
    pub detailed: bool,
    /// Keep the plan in a file, for `rchef client --plan FILE`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub out: Option<String>,
    /// Plan only this resource and what it needs, e.g. `template[/etc/motd]`
    #[arg(long, value_name = "RESOURCE", help_heading = "Run")]
    pub target: Vec<String>,
    /// Do not ask guards that are commands: take them to let their action go on
    #[arg(long = "no-guards", help_heading = "Run")]
    pub no_guards: bool,
    /// Do not fetch archives of packages to see what they bring
    #[arg(long = "no-archives", help_heading = "Run")]
    pub no_archives: bool,
    /// Let code of cookbooks reach the network
    #[arg(long = "allow-network", help_heading = "Run")]
    pub network: bool,
    /// Answer commands whose line the regular expression matches
    #[arg(long = "stub-command", value_name = "REGEX=OUTPUT[:STATUS]", help_heading = "Run")]
    pub stubs: Vec<String>,
    /// File with such answers, one a line
    #[arg(long = "stubs", value_name = "FILE", help_heading = "Run")]
    pub stub_file: Option<String>,
    /// As chef-solo's legacy mode: recipes may use every cookbook of the path
    #[arg(long = "legacy-mode", help_heading = "Run")]
    pub legacy: bool,
    /// The node is a new one, as with `rchef client --new-node`
    #[arg(long = "new-node", help_heading = "Run")]
    pub new_node: bool,
    /// Level of the log
    #[arg(short = 'l', long = "log_level", alias = "log-level", value_name = "LEVEL", value_parser = levels(), hide_possible_values = true, help_heading = "Output")]
    pub log_level: Option<String>,
    /// Use the repository on disk (always so)
    #[arg(short = 'z', long = "local-mode", hide = true)]
    pub local: bool,
    /// Recipe files to run after the run list
    pub files: Vec<String>,
}

/// Runs the command; gives the exit status.
pub fn run(args: &[String]) -> u8 {
    let options: Options = match crate::compile::parse("rchef plan", args) {
        Ok(options) => options,
        Err(2) => return 1,
        Err(status) => return status,
    };
    if options.schema {
        diagnostic::print(include_str!("schema.json"));
        return 0;
    }
    let plan = match make(&options, args) {
        Ok(plan) => plan,
        Err(text) => {
            diagnostic::complain(&format!("{}\n", text.trim_end()));
            return 1;
        }
    };
    let form = if options.as_json { Form::Json } else { options.format };
    diagnostic::print(&match form {
        Form::Json => format!("{plan:#}\n"),
        Form::Text => show::plain(&plan),
        Form::Markdown => show::markdown(&plan),
    });
    if let Some(path) = &options.out
        && let Err(text) = saved::write(path, &plan, args)
    {
        diagnostic::complain(&format!("{text}\n"));
        return 1;
    }
    let totals = &plan["summary"];
    let open = ["changes", "unknown"].iter().any(|key| totals[*key].as_u64().unwrap_or(0) > 0);
    match (plan["status"] == "complete", options.detailed && open) {
        (false, _) => 1,
        (true, true) => 2,
        (true, false) => 0,
    }
}

/// Makes a plan with the arguments of a kept one.
pub fn again(words: &[String]) -> Result<Json, String> {
    let words: Vec<String> = std::iter::once("rchef plan".to_string()).chain(words.iter().cloned()).collect();
    let options = Options::try_parse_from(&words).map_err(|error| error.render().to_string())?;
    make(&options, &words[1..])
}

/// The client options that correspond to those of a plan.
fn as_client(options: &Options) -> Result<ClientOptions, String> {
    let blank = ClientOptions::command().try_get_matches_from(["rchef client"]);
    let blank = blank.map_err(|error| error.render().to_string())?;
    let mut client = ClientOptions::from_arg_matches(&blank).map_err(|error| error.render().to_string())?;
    client.local = true;
    // a plan assumes a run by root; the configuration's `user` is for the run itself
    client.changed_user = true;
    client.run_list = options.run_list.clone();
    client.node = options.node.clone();
    client.legacy = options.legacy;
    client.new_node = options.new_node;
    client.output.log_level.clone_from(&options.log_level);
    client.files.clone_from(&options.files);
    Ok(client)
}

/// The client options and targets that correspond to a plan's arguments.
pub fn client_of(words: &[String]) -> Result<(ClientOptions, Vec<String>), String> {
    let words: Vec<String> = std::iter::once("rchef plan".to_string()).chain(words.iter().cloned()).collect();
    let options = Options::try_parse_from(&words).map_err(|error| error.render().to_string())?;
    Ok((as_client(&options)?, options.target))
}

/// Directory for downloaded package archives: root's cache, or the user's own.
fn archives(real: &RealHost) -> Vec<u8> {
    if real.uids().1 == 0 {
        return b"/var/cache/rchef/archives".to_vec();
    }
    let home = real.env(b"HOME").unwrap_or_else(|| b"/tmp".to_vec());
    [&home[..], b"/.cache/rchef/archives"].concat()
}

fn overlay(real: &Rc<RealHost>, options: &Options) -> Result<Rc<OverlayHost>, String> {
    let mut answers: Vec<Answerer> = Vec::new();
    let mut stubs = options.stubs.clone();
    if let Some(path) = &options.stub_file {
        let text =
            compose::read_file(&**real, path.as_bytes()).map_err(|error| format!("{path}: {}", error.message()))?;
        let text = String::from_utf8_lossy(&text).into_owned();
        stubs.extend(text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).map(str::to_string));
    }
    for stub in &stubs {
        answers.push(crate::machine::answerer(stub)?);
    }
    let settings = OverlayOptions {
        policy: Policy::Simulate,
        answers,
        // a plan assumes a run by root
        identity: Some(Identity { uid: 0, gid: 0, groups: vec![0] }),
        network: options.network,
        output_to_error: true,
        asks_guards: !options.no_guards,
        archives: (!options.no_archives).then(|| archives(real)),
        only_looks: Some(Rc::new({
            let machine = real.clone();
            move |spec| rchef_change::shell::looks::only_looks(&*machine, spec)
        })),
        evaluates: Some(Rc::new(rchef_change::answer)),
        assumes: Some(Rc::new(rchef_change::assume)),
        ..OverlayOptions::default()
    };
    Ok(Rc::new(OverlayHost::over(real.clone(), settings)))
}

fn make(options: &Options, words: &[String]) -> Result<Json, String> {
    let real = Rc::new(RealHost::new());
    let host = overlay(&real, options)?;
    let document = Rc::new(RefCell::new(Document { targets: options.target.clone(), ..Document::default() }));
    let mut carried: Option<(String, Vec<u8>)> = None;
    let mut next = 0;
    // targets that no policy has declared yet
    let mut open = options.target.clone();
    loop {
        let client = as_client(options)?;
        let called = Called { options: client, recipes: Vec::new() };
        let mut vm = crate::compile::machine(host.clone())?;
        let place = |path: &String| rchef_host::files::absolute(&real.getcwd().unwrap_or_default(), path.as_bytes());
        rchef_stdlib::offer_declared_gems(&mut vm);
        let places = options.node.gem_path.iter().map(|path| String::from_utf8_lossy(&place(path)).into_owned());
        rchef_stdlib::add_gem_folders(&mut vm, places.collect::<Vec<_>>());
        let prepared = prepare(&mut vm, &called, Program::Client { local: true }, "client", words);
        let mut prepared = prepared.map_err(|(_, text)| text)?;
        let policy = (prepared.policies.len() > 1).then(|| prepared.policies.get(next).cloned()).flatten();
        if let Some(policy) = &policy {
            prepared.input.policy = Some(policy.clone());
            prepared.input.carried.clone_from(&carried);
            prepared.input.one_of_several = true;
        }
        let name = policy.as_ref().map(|policy| policy.name.clone());
        of_one(&mut vm, options, &prepared, &document, name.clone(), &mut open);
        next += 1;
        let goes_on = document.borrow().failure.is_none() && next < prepared.policies.len();
        if !goes_on {
            if let (Some(_), Some(absent), None) = (&name, open.first(), &document.borrow().failure) {
                return Err(format!("no policy of the run has a resource {absent} in its recipes"));
            }
            return Ok(document.take().into_json());
        }
        let normal = compile::normal_attributes(&mut vm).map_err(|error| diagnostic::describe(&mut vm, error))?;
        carried = name.map(|name| (name, normal));
    }
}

/// Plans one policy, or the only run list.
fn of_one(
    vm: &mut Vm,
    options: &Options,
    prepared: &Prepared,
    document: &Rc<RefCell<Document>>,
    policy: Option<String>,
    open: &mut Vec<String>,
) {
    let level = options.log_level.as_deref().and_then(Level::named).unwrap_or(Level::Warn);
    show_from(vm, level);
    converge_mut(vm).mode = ActionMode::Plan;
    let collector = Rc::new(Collector::new(document.clone(), policy.clone()));
    rchef_recipe::events::sinks(vm).push(collector.clone());
    {
        let mut document = document.borrow_mut();
        document.node.clone_from(&prepared.input.node_name);
        let list = prepared.input.run_list.split(',').filter(|item| !item.is_empty()).map(str::to_string);
        match policy {
            Some(policy) => document.run_list.push(policy),
            None => document.run_list = list.collect(),
        }
    }
    let first = document.borrow().records.len();
    let done = converge(vm, options, prepared, open);
    let _ = rchef_ruby::embed::io::flush_all(vm);
    collector.look(vm);
    let failure = done.err().and_then(|error| failure(vm, error));
    attributes::add(vm, &mut document.borrow_mut().records[first..]);
    let mut document = document.borrow_mut();
    document.failure = failure;
    mask(vm, &mut document, first);
}

/// Masks the run's secrets in what it has added to the document.
fn mask(vm: &mut Vm, document: &mut Document, first: usize) {
    for record in &mut document.records[first..] {
        for value in record.values_mut() {
            super::report::mask(vm, value);
        }
    }
    for assumption in &mut document.assumptions {
        for text in std::iter::once(&mut assumption.text).chain(&mut assumption.resource) {
            *text = rchef_recipe::secrets::shown(vm, text).into_owned();
        }
    }
    if let Some(failure) = &mut document.failure {
        super::report::mask(vm, failure);
    }
}

fn converge(vm: &mut Vm, options: &Options, prepared: &Prepared, open: &mut Vec<String>) -> Res<()> {
    // a run starts by creating its cache, and recipes put files there
    let (host, cache) = (vm.host.clone(), prepared.cache.as_bytes());
    if let Err(error) = compose::create_dir_all(&*host, cache, 0o755)
        && host.stat(cache).is_ok_and(|stat| !stat.is_dir())
    {
        return Err(vm.host_error(&error));
    }
    if let Err(error) = compile::compile(vm, &prepared.input) {
        return runner::abort_compile(vm, error);
    }
    if prepared.guards_new_node {
        fresh::check(vm, &prepared.input.node_name)?;
    }
    if prepared.policies.len() > 1 {
        let absent = targets::choose_known(vm, &options.target, true)?;
        open.retain(|name| absent.contains(name));
    } else {
        targets::choose(vm, &options.target, true)?;
    }
    runner::converge_run(vm)
}

/// The error that ended a run; None for a successful SystemExit.
fn failure(vm: &mut Vm, error: rchef_ruby::Error) -> Option<Json> {
    let exception = vm.error_value(error);
    let class = vm.class_name_of(&exception);
    let message = crate::formatter::error::message(vm, &exception);
    if class == "SystemExit" && vm.call_name(&exception, "success?", &[]).is_ok_and(|value| value.truthy()) {
        return None;
    }
    let backtrace = crate::formatter::error::backtrace(vm, &exception);
    let own = backtrace.iter().find(|line| !line.starts_with("<internal:")).cloned();
    Some(json!({"class": class, "message": message, "place": own}))
}

fn root(vm: &mut Vm) -> Value {
    run_mut(vm).root.clone()
}
