//! `rchef compile`: a run list to a resource collection, dumped as YAML or JSON, without touching the machine.

use clap::{Parser, ValueEnum};
use rchef_host::overlay::{OverlayHost, OverlayOptions, Policy, skeleton};
use rchef_host::{Files, Host, RealHost, SourceLocation, compose};
use rchef_recipe::compile::Input;
use rchef_recipe::{dump, provider};
use rchef_ruby::Vm;
use std::cell::RefCell;
use std::rc::Rc;

/// Form of a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For people and diffs.
    Yaml,
    /// For programs.
    Json,
}

/// Compiles a run list and shows the resource collection; nothing on this machine is changed.
#[derive(Parser, Debug)]
#[command(
    name = "rchef compile",
    about = "Compile a run list into a resource collection, without touching the machine"
)]
pub struct Options {
    /// Run list, e.g. `recipe[web],recipe[web::tls]`
    #[arg(short = 'o', long = "override-runlist", value_name = "RUNLIST", required = true)]
    pub run_list: String,
    /// Facts (Ohai data) from a JSON file
    #[arg(long, value_name = "FILE", conflicts_with = "platform")]
    pub ohai: Option<String>,
    /// Simulated facts of a platform, e.g. `ubuntu-22.04`
    #[arg(long, value_name = "NAME")]
    pub platform: Option<String>,
    /// Read this machine's files instead of an empty root
    #[arg(long)]
    pub live: bool,
    /// Really run commands that recipes run while they are compiled
    #[arg(long)]
    pub exec: bool,
    /// JSON attributes
    #[arg(short = 'j', long = "json-attributes", value_name = "FILE")]
    pub json: Option<String>,
    /// Print the dump
    #[arg(long, value_name = "FORM", num_args = 0..=1, default_missing_value = "yaml", require_equals = true)]
    pub dump: Option<Form>,
    /// Run the actions of cookbook-defined resources and show what they declare
    #[arg(long)]
    pub expand: bool,
    /// Directories that hold cookbooks (default: `cookbooks`)
    #[arg(long = "cookbook-path", value_name = "DIR")]
    pub cookbook_path: Vec<String>,
    /// Folders with gems of pure Ruby, or `.gem` archives (also: GEM_PATH, `vendor/gems`)
    #[arg(long = "gem-path", value_name = "PATH")]
    pub gem_path: Vec<String>,
    /// Environment
    #[arg(short = 'E', long)]
    pub environment: Option<String>,
    /// Node name
    #[arg(short = 'N', long, default_value = "chef")]
    pub node_name: String,
    /// Let recipes use every cookbook of the path, as chef-solo does, not only those that the run list reaches.
    #[arg(long)]
    pub flat: bool,
    /// What happens to actions that recipes run at compile time.
    #[arg(long, value_enum, default_value_t = Immediate::Overlay)]
    pub immediate: Immediate,
}

/// `--immediate`
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Immediate {
    /// They run on the in-memory overlay: code after them sees their effect.
    Overlay,
    /// They are listed and do nothing.
    Record,
    /// They plan and report, and change nothing.
    Whyrun,
}

/// A machine with the model and every shipped resource.
pub fn machine(host: Rc<dyn Host>) -> Result<Vm, String> {
    let mut vm = Vm::new(host).ok_or("a machine is already running on this thread")?;
    rchef_stdlib::register(&mut vm);
    if let Err(error) = rchef_providers::boot(&mut vm) {
        return Err(super::diagnostic::describe(&mut vm, error));
    }
    Ok(vm)
}

fn say(host: &RealHost, text: &str) {
    let _ = host.standard_write(text);
}

trait StandardWrite {
    fn standard_write(&self, text: &str) -> rchef_host::Result<()>;
}
impl StandardWrite for RealHost {
    fn standard_write(&self, text: &str) -> rchef_host::Result<()> {
        use rchef_host::Streams;
        compose::write_all(&*self.standard(rchef_host::StandardStream::Output)?, text.as_bytes())
    }
}

fn complain(host: &RealHost, text: &str) {
    use rchef_host::Streams;
    if let Ok(handle) = host.standard(rchef_host::StandardStream::Error) {
        let _ = compose::write_all(&*handle, text.as_bytes());
    }
}

/// Runs; the number is the exit status.
pub fn run(args: &[String]) -> u8 {
    let real = Rc::new(RealHost::new());
    let options =
        match Options::try_parse_from(std::iter::once("rchef compile".to_string()).chain(args.iter().cloned())) {
            Ok(options) => options,
            Err(error) => {
                let text = error.render().to_string();
                if error.use_stderr() {
                    complain(&real, &text);
                    return 2;
                }
                say(&real, &text);
                return 0;
            }
        };
    match compile(&real, &options) {
        Ok((text, failed)) => {
            say(&real, &text);
            u8::from(failed)
        }
        Err(text) => {
            complain(&real, &format!("{}\n", text.trim_end()));
            1
        }
    }
}

fn compile(real: &Rc<RealHost>, options: &Options) -> Result<(String, bool), String> {
    let cwd = real.getcwd().map_err(|error| error.to_string())?;
    let cwd = String::from_utf8_lossy(&cwd).into_owned();
    let absolute = |path: &str| if path.starts_with('/') { path.to_string() } else { format!("{cwd}/{path}") };
    let read = |path: &str| {
        compose::read_file(&**real, absolute(path).as_bytes()).map_err(|error| format!("{path}: {}", error.message()))
    };
    let ohai = match (&options.ohai, &options.platform) {
        (Some(path), _) => read(path)?,
        (None, Some(name)) => rchef_providers::facts::simulated(name).ok_or_else(|| {
            format!("rchef knows no simulated platform {name}; it knows {}", rchef_providers::facts::names().join(", "))
        })?,
        (None, None) => rchef_providers::facts::collect(&**real),
    };
    let paths: Vec<String> = if options.cookbook_path.is_empty() {
        vec![absolute("cookbooks")]
    } else {
        options.cookbook_path.iter().map(|path| absolute(path)).collect()
    };
    let input = Input {
        repo: cwd.clone(),
        cookbook_paths: paths,
        run_list: options.run_list.clone(),
        overriding: true,
        node_name: options.node_name.clone(),
        ohai,
        json: match &options.json {
            Some(path) => Some(read(path)?),
            None => None,
        },
        environment: options.environment.clone(),
        flat: options.flat,
    };
    let host = overlay(real, options, &cwd)?;
    let mut vm = machine(host.clone())?;
    rchef_stdlib::add_gem_folders(&mut vm, gem_places(real, options, &cwd));
    let place: Rc<RefCell<Option<SourceLocation>>> = Rc::default();
    let seen = place.clone();
    host.set_location_source(Rc::new(move || seen.borrow().clone()));
    rchef_recipe::run::run_mut(&mut vm).mode = match options.immediate {
        Immediate::Overlay => rchef_recipe::run::ActionMode::Overlay,
        Immediate::Record => rchef_recipe::run::ActionMode::Record,
        Immediate::Whyrun => rchef_recipe::run::ActionMode::WhyRun,
    };
    let mut failure = rchef_recipe::compile::compile(&mut vm, &input).err();
    if failure.is_none() && options.expand {
        failure = provider::runner::expand_run(&mut vm).err();
    }
    let failed = failure.is_some();
    let shown = failure
        .as_ref()
        .and_then(|error| error.exception().cloned())
        .map(|exception| super::diagnostic::diagnose(&mut vm, &exception));
    let document = match dump::document(&mut vm, &input, failure) {
        Ok(document) => document,
        Err(error) => return Err(super::diagnostic::describe(&mut vm, error)),
    };
    if let Some(shown) = shown {
        complain(real, &shown);
    }
    let text = match options.dump.unwrap_or(Form::Yaml) {
        Form::Yaml => dump::yaml::to_yaml(&document),
        Form::Json => format!("{document:#}\n"),
    };
    Ok((text, failed))
}

/// Where gems are looked for, absolute: what the command line names, then the chef-repo's own, then the environment's.
fn gem_places(real: &RealHost, options: &Options, cwd: &str) -> Vec<String> {
    let environment = real.env(b"GEM_PATH").unwrap_or_default();
    let environment = String::from_utf8_lossy(&environment).into_owned();
    options
        .gem_path
        .iter()
        .map(String::as_str)
        .chain(["vendor/gems"])
        .chain(environment.split(':').filter(|part| !part.is_empty()))
        .map(|path| String::from_utf8_lossy(&rchef_host::files::absolute(cwd.as_bytes(), path.as_bytes())).into_owned())
        .collect()
}

/// The overlay that a compile runs on: this machine read-only with `--live`, else an empty root with the chef-repo visible.
fn overlay(real: &Rc<RealHost>, options: &Options, cwd: &str) -> Result<Rc<dyn Host>, String> {
    let policy = if options.exec { Policy::Run } else { Policy::Record };
    let mut settings = OverlayOptions {
        policy,
        passthrough: vec![cwd.as_bytes().to_vec()],
        cwd: Some(b"/".to_vec()),
        ..OverlayOptions::default()
    };
    settings.passthrough.extend(gem_places(real, options, cwd).into_iter().map(String::into_bytes));
    for path in &options.cookbook_path {
        settings.passthrough.push(path.as_bytes().to_vec());
    }
    if options.live || (options.ohai.is_none() && options.platform.is_none()) {
        return Ok(Rc::new(OverlayHost::over(real.clone(), settings)));
    }
    OverlayHost::empty(real.clone(), &skeleton::linux(), settings)
        .map(|host| Rc::new(host) as Rc<dyn Host>)
        .map_err(|error| error.to_string())
}
