//! `rchef compile`: a run list to a resource collection, dumped as YAML or JSON, without touching the machine; what other commands that compile share.

use crate::config::{self, absolute};
use crate::diagnostic;
use crate::machine::{self, Access};
use clap::{Args, Parser, ValueEnum};
use rchef_host::{Files, Host, Processes, RealHost, SourceLocation, StandardStream, Streams, compose};
use rchef_model::document::Value as Json;
use rchef_providers::facts::Choice;
use rchef_recipe::compile::Input;
use rchef_recipe::data::policy;
use rchef_recipe::{dump, provider, run};
use rchef_ruby::vm::Limits;
use rchef_ruby::{Error, Value, Vm};
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

/// Order in which files of several cookbooks load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LoadOrder {
    /// Resources of all cookbooks, then providers of all.
    Seed,
    /// Providers and resources cookbook by cookbook, as Chef 19 does.
    Chef19,
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
    /// Configuration file (`client.rb`)
    #[arg(short = 'c', long, value_name = "FILE", help_heading = "Node")]
    pub config: Option<String>,
    /// JSON attributes
    #[arg(short = 'j', long = "json-attributes", value_name = "FILE", help_heading = "Node")]
    pub json: Option<String>,
    /// Environment
    #[arg(short = 'E', long, help_heading = "Node")]
    pub environment: Option<String>,
    /// Node name (default: the facts' fqdn, machinename or hostname)
    #[arg(short = 'N', long, default_value = "", hide_default_value = true, help_heading = "Node")]
    pub node_name: String,
    /// Directories that hold cookbooks (default: `cookbooks`)
    #[arg(long = "cookbook-path", value_name = "DIR", help_heading = "Node")]
    pub cookbook_path: Vec<String>,
    /// Folders with gems of pure Ruby, or `.gem` archives (also: `vendor/gems`, and GEM_PATH unless the node is simulated)
    #[arg(long = "gem-path", value_name = "PATH", help_heading = "Node")]
    pub gem_path: Vec<String>,
    /// Let recipes use every cookbook of the path, as chef-solo does, not only those that the run list reaches
    #[arg(long, help_heading = "Node")]
    pub flat: bool,
    /// Order in which files of several cookbooks load
    #[arg(long = "load-order", value_name = "ORDER", value_enum, help_heading = "Node")]
    pub load_order: Option<LoadOrder>,
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
    /// What a simulated node lets through, and limits.
    #[command(flatten)]
    pub access: Access,
}

/// Compile a run list into a resource collection, without touching the machine.
#[derive(Parser, Debug)]
#[command(
    name = "rchef compile",
    about = "Compile a run list into a resource collection, without touching the machine",
    after_help = "Run it in a chef-repo. Exit status: 0 compiled, 1 the compile failed (the dump goes as far as it got, with `status: failed`), 2 wrong usage.\n\nWith --platform, --ohai or --root the compile is hermetic: code sees the chef-repo, the simulated facts and what a flag names (--allow-path, --allow-network, --env, --exec), and nothing else of this machine, so that two machines give the same dump. Links in the chef-repo that lead out of it are not followed. The clock is simulated (--at), random numbers are the same in every run. --live reads this machine instead.\n\nExamples:\n  rchef compile -o 'recipe[web]' --platform ubuntu-22.04\n  rchef compile -o 'role[db]' -E prod --ohai node.json --dump=json --dump-only resources,notifications\n  rchef compile -o web --platform rocky-9 --format=table"
)]
pub struct Options {
    /// Run list, e.g. `recipe[web],recipe[web::tls]`
    #[arg(
        short = 'o',
        long = "override-runlist",
        visible_short_alias = 'r',
        visible_alias = "runlist",
        value_name = "RUNLIST",
        required_unless_present = "policy_names",
        default_value = "",
        hide_default_value = true
    )]
    pub run_list: String,
    /// Policies whose locks say what runs, in order; each by itself, with what the one before left in the node's normal attributes
    #[arg(
        long = "policy-name",
        id = "policy_names",
        value_name = "NAME",
        value_delimiter = ',',
        help_heading = "Policy"
    )]
    pub policies: Vec<String>,
    /// Group of the policies
    #[arg(long = "policy-group", value_name = "NAME", requires = "policy_names", default_value = policy::DEFAULT_GROUP, help_heading = "Policy")]
    pub policy_group: String,
    /// A named run list of the policy
    #[arg(long = "named-run-list", value_name = "NAME", requires = "policy_names", help_heading = "Policy")]
    pub named_run_list: Option<String>,
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
    /// A view for people instead of the dump
    #[arg(long, value_name = "VIEW", conflicts_with = "dump")]
    pub format: Option<View>,
}

/// A machine with the model and every shipped resource.
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

/// Reads a command's options; an exit status when there is nothing more to do.
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

/// Runs; the number is the exit status.
pub fn run(args: &[String]) -> u8 {
    let options: Options = match parse("rchef compile", args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    let real = Rc::new(RealHost::new());
    let done = compile(&real, &options);
    // printing waits for who reads
    rchef_host::end_no_more();
    let done = done.and_then(|(text, failed)| {
        match &options.file {
            Some(path) => compose::write_file(&*real, path.as_bytes(), text.as_bytes(), 0o644)
                .map_err(|error| format!("{path}: {}", error.message()))?,
            None => {
                diagnostic::print(&text);
            }
        }
        Ok(failed)
    });
    match done {
        Ok(failed) => u8::from(failed),
        Err(text) => {
            diagnostic::complain(&format!("{}\n", text.trim_end()));
            1
        }
    }
}

fn compile(real: &Rc<RealHost>, options: &Options) -> Result<(String, bool), String> {
    let shown = dump_options(real, options)?;
    let started = rchef_host::Clock::monotonic_ns(&**real);
    let mut start = Start::new(&options.facts, &options.node, &options.run_list);
    start.own_output = options.file.is_none();
    if options.policies.is_empty() {
        let mut compiled = Compiled::start(real, &start)?;
        let (document, failed) = one(&mut compiled, &shown, options.expand)?;
        let finished = rchef_host::Clock::monotonic_ns(&**real);
        let text = render(options, &document, finished.saturating_sub(started));
        // the process ends here: taking a large dump and machine apart would be a tenth of the time
        std::mem::forget(document);
        std::mem::forget(compiled);
        return Ok((text, failed));
    }
    let (mut documents, mut failed) = (Vec::new(), false);
    for name in &options.policies {
        start.policy = Some(policy::Choice {
            name: name.clone(),
            group: options.policy_group.clone(),
            named_run_list: options.named_run_list.clone(),
        });
        let mut compiled = Compiled::start(real, &start)?;
        let (document, ended) = one(&mut compiled, &shown, options.expand)?;
        documents.push(document);
        failed = ended;
        if failed {
            break;
        }
        let normal = rchef_recipe::compile::normal_attributes(&mut compiled.vm);
        let normal = normal.map_err(|error| diagnostic::describe(&mut compiled.vm, error))?;
        start.carried = Some((name.clone(), normal));
        start.host = Some(compiled.vm.host.clone());
    }
    let finished = rchef_host::Clock::monotonic_ns(&**real);
    let document = match documents.len() {
        1 => documents.remove(0),
        _ => dump::policies(documents, failed),
    };
    Ok((render(options, &document, finished.saturating_sub(started)), failed))
}

/// Compiles and makes the document; whether the compile failed.
fn one(compiled: &mut Compiled, shown: &dump::Options, expand: bool) -> Result<(Json, bool), String> {
    let immediate = dump::options(&mut compiled.vm).immediate;
    *dump::options(&mut compiled.vm) = dump::Options { immediate, ..shown.clone() };
    compiled.compile(expand);
    let failed = compiled.failure.is_some();
    Ok((compiled.document()?, failed))
}

fn render(options: &Options, document: &Json, took: u64) -> String {
    match (options.format, options.dump) {
        (Some(view), _) => {
            let each = |document: &Json| match view {
                View::Table => crate::view::table(document, took),
                View::Tree => crate::view::tree(document),
            };
            match document.get("policies").and_then(Json::as_array) {
                Some(several) => several
                    .iter()
                    .map(|one| {
                        format!(
                            "policy {}\n{}\n",
                            one["inputs"]["policy"]["name"].as_str().unwrap_or_default(),
                            each(one)
                        )
                    })
                    .collect(),
                None => each(document),
            }
        }
        (None, Some(Form::Json)) => document.to_json() + "\n",
        (None, _) => rchef_model::yaml::to_yaml(document),
    }
}

fn dump_options(real: &Rc<RealHost>, options: &Options) -> Result<dump::Options, String> {
    let mut shown = dump::Options {
        automatic: options.automatic,
        defaults: options.defaults,
        insertion_order: options.order == "insertion",
        reveal: options.reveal,
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

/// A compile: before it, and after.
pub struct Compiled {
    /// The machine.
    pub vm: Vm,
    /// What it starts from.
    pub input: Input,
    /// What ended it.
    pub failure: Option<Error>,
}

/// What a compile is told.
pub struct Start<'a> {
    facts: &'a Facts,
    node: &'a Node,
    run_list: &'a str,
    /// The policy, and what an earlier one left.
    policy: Option<policy::Choice>,
    carried: Option<(String, Vec<u8>)>,
    /// The host of an earlier one.
    host: Option<Rc<dyn Host>>,
    /// Standard output is for the result alone: what code prints goes to standard error.
    own_output: bool,
}

impl<'a> Start<'a> {
    /// A run list on a node.
    pub fn new(facts: &'a Facts, node: &'a Node, run_list: &'a str) -> Start<'a> {
        Start { facts, node, run_list, policy: None, carried: None, host: None, own_output: true }
    }
}

fn read(real: &RealHost, path: &str) -> Result<Vec<u8>, String> {
    compose::read_file(real, path.as_bytes()).map_err(|error| format!("{path}: {}", error.message()))
}

fn read_json(real: &RealHost, path: &str) -> Result<Vec<u8>, String> {
    let bytes = read(real, path)?;
    match serde_json::from_slice::<serde_json::Value>(&bytes) {
        Ok(_) => Ok(bytes),
        Err(error) => Err(super::diagnostic::broken_json("the file", path, &bytes, &error)),
    }
}

impl Compiled {
    /// Makes the machine and its overlay.
    pub fn start(real: &Rc<RealHost>, start: &Start<'_>) -> Result<Compiled, String> {
        let (facts, node) = (start.facts, start.node);
        let cwd = real.getcwd().map_err(|error| error.to_string())?;
        let cwd = String::from_utf8_lossy(&cwd).into_owned();
        let ohai = match (&facts.ohai, &facts.platform) {
            (Some(path), _) => read_json(real, &absolute(&cwd, path))?,
            (None, Some(name)) => simulated(name)?,
            (None, None) => rchef_providers::facts::collect_text(&**real, &Choice::default()),
        };
        let mut paths: Vec<String> = node.cookbook_path.iter().map(|path| absolute(&cwd, path)).collect();
        let host = match &start.host {
            Some(host) => host.clone(),
            None => machine::host_for(real, facts, node, &ohai, &cwd, start.own_output)?,
        };
        let mut vm = machine(host.clone())?;
        node.access.limit(&mut vm, node.immediate);
        if let Some(path) = &node.config {
            let path = absolute(&cwd, path);
            let source = read(real, &path)?;
            config::begin(&mut vm);
            config::evaluate(&mut vm, &path, &source).map_err(|(_, text)| text)?;
            if paths.is_empty() {
                paths = config::paths(&mut vm, "cookbook_path", &cwd);
            }
        }
        let repo = config::text_setting(&mut vm, "chef_repo_path").filter(|_| node.config.is_some());
        let repo = repo.map_or_else(|| cwd.clone(), |path| absolute(&cwd, &path));
        if paths.is_empty() {
            paths.push(format!("{repo}/cookbooks"));
        }
        let mut named = vec![repo.clone()];
        for (_, key) in rchef_recipe::data::repo::PLACES.iter().filter(|_| node.config.is_some()) {
            let places = config::paths(&mut vm, key, &cwd);
            if !places.is_empty() {
                config::set(&mut vm, key, Value::array(places.iter().map(Value::str).collect()));
            }
            named.extend(places);
        }
        if let Some(overlay) = host.as_overlay() {
            // the repository first: links below it open nothing, whatever names them
            for path in named.iter().chain(&paths) {
                overlay.pass_through(path.as_bytes());
            }
        }
        let configured = |vm: &mut Vm, key: &str| node.config.as_ref().and_then(|_| config::text_setting(vm, key));
        let environment = node.environment.clone().or_else(|| configured(&mut vm, "environment"));
        let node_name = match node.node_name.as_str() {
            "" => configured(&mut vm, "node_name").unwrap_or_default(),
            given => given.to_string(),
        };
        let order = configured(&mut vm, "load_order");
        let input = Input {
            repo,
            cookbook_paths: paths,
            run_list: start.run_list.to_string(),
            overriding: true,
            node_name,
            ohai,
            json: node.json.as_deref().map(|path| read_json(real, &absolute(&cwd, path))).transpose()?,
            environment: environment.filter(|_| start.policy.is_none() || node.environment.is_some()),
            flat: node.flat,
            policy: start.policy.clone(),
            carried: start.carried.clone(),
            enforce_versions: false,
            chef19_order: node
                .load_order
                .map_or(order.is_some_and(|order| order == "chef19"), |order| order == LoadOrder::Chef19),
        };
        rchef_stdlib::add_gem_folders(&mut vm, machine::gem_places(real, facts, node, &cwd));
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
        Ok(Compiled { vm, input, failure: None })
    }

    /// Compiles; with `expand` the actions of cookbook-defined resources run, too.
    pub fn compile(&mut self, expand: bool) {
        self.failure = rchef_recipe::compile::compile(&mut self.vm, &self.input).err();
        if self.failure.is_none() && expand {
            self.failure = provider::runner::expand_run(&mut self.vm).err();
        }
        // code that rescued the error of a limit and went on was ended without one
        if self.failure.as_ref().is_some_and(|failure| failure.exception().is_none())
            && let Some(text) = self.vm.passed_limit().map(str::to_string)
        {
            self.failure = Some(self.vm.limit_error(text));
        }
        let _ = rchef_ruby::core::io::flush_all(&mut self.vm);
    }

    /// The dump; the failure is told on standard error.
    pub fn document(&mut self) -> Result<Json, String> {
        let failure = self.failure.take();
        if let Some(exception) = failure.as_ref().and_then(|error| error.exception().cloned()) {
            let shown = diagnostic::diagnose(&mut self.vm, &exception);
            diagnostic::complain(&shown);
        }
        match dump::document(&mut self.vm, &self.input, failure) {
            Ok(document) => Ok(document),
            Err(error) => Err(diagnostic::describe(&mut self.vm, error)),
        }
    }
}

/// The facts of a simulated platform.
pub fn simulated(name: &str) -> Result<Vec<u8>, String> {
    rchef_providers::facts::simulated(name).ok_or_else(|| {
        format!("rchef knows no simulated platform {name}; it knows {}", rchef_providers::facts::names().join(", "))
    })
}

/// Gives effects that wait the place of the Ruby code that runs now.
fn locate(vm: &Vm) {
    let Some(overlay) = vm.host.as_overlay().filter(|overlay| overlay.is_waiting()) else { return };
    let own = |(file, _): &(Rc<str>, u32)| !file.starts_with("<internal:");
    let place = match vm.current_location() {
        Some(place) if own(&place) => Some(place),
        _ => vm.places().into_iter().find(own),
    };
    let place = place.map(|(file, line)| SourceLocation { file, line });
    overlay.locate(place.as_ref());
}
