//! The command lines of `rchef client`, `solo` and `apply`, and the meaning of Chef flags for servers, Ruby and agents, which rchef lacks.

use super::run_options::RunOptions;
use crate::input::config::{FAILURE, Refusal};
use crate::input::{NodeOptions, Program, RunListOptions};
use clap::builder::PossibleValuesParser;
use clap::{ArgAction, ArgMatches, Args, Command, CommandFactory, FromArgMatches, Parser};
use rchef_host::{RealHost, StandardStream, Streams, compose};
use rchef_recipe::compile::{RecipeFile, RecipeForm};
use rchef_recipe::log::Level;

/// The values of `-l`; with `auto` the level depends on whether a formatter shows the run.
pub(super) fn levels() -> PossibleValuesParser {
    PossibleValuesParser::new(["auto"].into_iter().chain(Level::NAMES))
}

/// What is printed and logged.
#[derive(Args, Debug)]
pub struct OutputOptions {
    /// Only say what would be changed
    #[arg(short = 'W', long = "why-run")]
    pub why_run: bool,
    /// Level of the log: auto, trace, debug, info, warn, error, fatal
    #[arg(short = 'l', long = "log_level", alias = "log-level", value_name = "LEVEL", value_parser = levels(), hide_possible_values = true, help_heading = "Output")]
    pub log_level: Option<String>,
    /// Where the log goes: a file, STDOUT, STDERR or syslog (default: the configuration's `log_location`, else standard output)
    #[arg(short = 'L', long = "logfile", value_name = "FILE", help_heading = "Output")]
    pub log_file: Option<String>,
    /// Output: doc, min, null (default: the configuration's `formatter`, else doc)
    #[arg(short = 'F', long = "format", value_name = "NAME", help_heading = "Output")]
    pub format: Option<String>,
    /// The log at level info instead of the output of a formatter
    #[arg(long = "force-logger", help_heading = "Output")]
    pub force_logger: bool,
    /// The output of a formatter, also where the configuration asks for the log
    #[arg(long = "force-formatter", help_heading = "Output")]
    pub force_formatter: bool,
    /// Colours on a terminal
    #[arg(long, overrides_with = "no_color", help_heading = "Output")]
    pub color: bool,
    /// No colours
    #[arg(long, help_heading = "Output")]
    pub no_color: bool,
    /// List the resources that took longest, 10 unless a number says how many
    #[arg(long = "slow-report", value_name = "COUNT", num_args = 0..=1, default_missing_value = "10", help_heading = "Output")]
    pub slow_report: Option<u32>,
    /// Do not wait until what is written has reached the disk
    #[arg(long = "no-fsync")]
    pub no_fsync: bool,
    /// Version
    #[arg(short = 'v', long = "version", action = ArgAction::SetTrue)]
    pub version: bool,
    /// Flags of Chef that say nothing here.
    #[command(flatten)]
    pub foreign: Foreign,
}

/// Flags that every one of Chef's programs has and that are accepted without effect, or refused.
#[derive(Args, Debug)]
pub struct Foreign {
    #[arg(long = "chef-license", value_name = "VALUE", num_args = 0..=1, hide = true)]
    license: Option<Option<String>>,
    #[arg(long = "profile-ruby", hide = true)]
    profile_ruby: bool,
    #[arg(long = "no-profile-ruby", hide = true)]
    no_profile_ruby: bool,
    #[arg(long = "no-slow-report", hide = true)]
    no_slow_report: bool,
    #[arg(long = "always-dump-stacktrace", hide = true)]
    always_dump_stacktrace: bool,
    #[arg(long = "no-always-dump-stacktrace", hide = true)]
    no_always_dump_stacktrace: bool,
    /// Collect only the facts that a run itself needs: names, platform, system
    #[arg(long = "minimal-ohai", help_heading = "Node")]
    pub minimal_ohai: bool,
    #[arg(long = "fatal-windows-admin-check", hide = true)]
    windows_admin: bool,
    #[arg(long = "no-fatal-windows-admin-check", hide = true)]
    no_windows_admin: bool,
}

/// Flags of chef-client and chef-solo that are accepted without effect, or refused: they speak of a server, of a remote target or of agents.
#[derive(Args, Debug)]
pub struct OfServer {
    /// Address of a Chef Infra Server: refused, for rchef has no client for one yet
    #[arg(short = 'S', long = "server", value_name = "URL", help_heading = "Server")]
    pub server: Option<String>,
    #[arg(short = 'k', long = "client_key", alias = "client-key", value_name = "FILE", hide = true)]
    client_key: Option<String>,
    #[arg(short = 'K', long = "validation_key", alias = "validation-key", value_name = "FILE", hide = true)]
    validation_key: Option<String>,
    #[arg(short = 'R', long = "enable-reporting", hide = true)]
    enable_reporting: bool,
    #[arg(long = "skip-cookbook-sync", hide = true)]
    skip_cookbook_sync: bool,
    #[arg(long = "no-skip-cookbook-sync", hide = true)]
    no_skip_cookbook_sync: bool,
    #[arg(long, hide = true)]
    listen: bool,
    #[arg(long = "no-listen", hide = true)]
    no_listen: bool,
    #[arg(long = "chef-zero-host", value_name = "HOST", hide = true)]
    zero_host: Option<String>,
    #[arg(long = "chef-zero-port", value_name = "PORT", hide = true)]
    zero_port: Option<String>,
    #[arg(long, hide = true)]
    fips: bool,
    #[arg(long = "no-fips", hide = true)]
    no_fips: bool,
    #[arg(long = "credentials", value_name = "FILE", hide = true)]
    credentials: Option<String>,
    #[arg(short = 't', long = "target", value_name = "TARGET", hide = true)]
    target: Option<String>,
    #[arg(long, hide = true)]
    ez: bool,
}

/// When runs happen.
#[derive(Args, Debug)]
pub struct ScheduleOptions {
    /// Run every so many seconds, each time in a process of its own
    #[arg(short = 'i', long, value_name = "SECONDS", help_heading = "Schedule")]
    pub interval: Option<u64>,
    /// At most so many seconds more before each run, at random
    #[arg(short = 's', long, value_name = "SECONDS", help_heading = "Schedule")]
    pub splay: Option<u64>,
    /// Go on in the background, by default every 1800 seconds; WAIT: seconds before the first run
    #[arg(short = 'd', long, value_name = "WAIT", num_args = 0..=1, help_heading = "Schedule")]
    pub daemonize: Option<Option<u64>>,
    /// File with the daemon's process id (default: /tmp/chef-client.pid)
    #[arg(short = 'P', long = "pid", value_name = "FILE", help_heading = "Schedule")]
    pub pid_file: Option<String>,
    /// Run in a process of its own, as with an interval
    #[arg(short = 'f', long, overrides_with = "no_fork", help_heading = "Schedule")]
    pub fork: bool,
    /// Run in this process
    #[arg(long = "no-fork", help_heading = "Schedule")]
    pub no_fork: bool,
    /// This process is one run of a schedule.
    #[arg(long, hide = true)]
    pub forked: bool,
    /// This process is the daemon in the background.
    #[arg(long = "in-background", hide = true)]
    pub in_background: bool,
}

/// Converges this machine from a chef-repo.
#[derive(Parser, Debug)]
#[command(
    name = "rchef client",
    about = "Converge this machine from a chef-repo",
    disable_version_flag = true,
    after_help = "Flags of chef-client that speak of a server, a licence or Ruby are accepted where nothing is lost by it, with a warning where something is, and refused where they ask for what rchef does not do.\n\nExit status: 0 the run succeeded, 1 it failed, 2 and 3 ended by INT and TERM, 35, 37 and 41 reboots, 43 the configuration cannot be used."
)]
pub struct Options {
    /// Use the repository on disk (always so)
    #[arg(short = 'z', long = "local-mode")]
    pub local: bool,
    /// What runs.
    #[command(flatten)]
    pub run_list: RunListOptions,
    /// Which node.
    #[command(flatten)]
    pub node: NodeOptions,
    /// What is printed.
    #[command(flatten)]
    pub output: OutputOptions,
    /// One run: no interval, no splay
    #[arg(long)]
    pub once: bool,
    /// An archive (.tgz; an address or a file) that is unpacked into the chef-repo before the run
    #[arg(long = "recipe-url", value_name = "URL")]
    pub recipe_url: Option<String>,
    #[arg(long = "delete-entire-chef-repo", hide = true)]
    delete_entire_chef_repo: bool,
    /// The node is a new one: what its cookbooks generate and keep in it, such as passwords, is not anywhere yet
    #[arg(long = "new-node")]
    pub new_node: bool,
    /// As chef-solo's legacy mode: recipes may use every cookbook of the path, and the node is not saved
    #[arg(long = "legacy-mode")]
    pub legacy: bool,
    /// Say before anything is changed what two of several policies manage differently; the run stops where there is such a thing
    #[arg(long = "check-conflicts", help_heading = "Policy")]
    pub check_conflicts: bool,
    /// This run is for one of several policies: the file that says which.
    #[arg(long = "policy-child", value_name = "FILE", hide = true)]
    pub child: Option<String>,
    /// How the converge is carried out.
    #[command(flatten)]
    pub run: RunOptions,
    /// Run as this user, with the user's groups (root only)
    #[arg(short = 'u', long, value_name = "USER")]
    pub user: Option<String>,
    /// Run as this group (root only)
    #[arg(short = 'g', long, value_name = "GROUP")]
    pub group: Option<String>,
    /// This process is already the user's.
    #[arg(long = "changed-user", hide = true)]
    pub changed_user: bool,
    /// When runs happen.
    #[command(flatten)]
    pub schedule: ScheduleOptions,
    /// What a server would do.
    #[command(flatten)]
    pub server: OfServer,
    /// Recipe files to run after the run list
    pub files: Vec<String>,
}

/// Converges recipes that are in no cookbook.
#[derive(Parser, Debug)]
#[command(
    name = "rchef apply",
    about = "Converge recipes that are in no cookbook: files, text, standard input",
    disable_version_flag = true,
    after_help = "Examples:\n  rchef apply -e \"package 'tree'\"\n  rchef apply -W site.rb\n  generate | rchef apply -s --yaml"
)]
pub struct ApplyOptions {
    /// The text of a recipe
    #[arg(short = 'e', long, value_name = "TEXT", conflicts_with_all = ["stdin", "files"])]
    pub execute: Option<String>,
    /// The recipe from standard input
    #[arg(short = 's', long, conflicts_with = "files")]
    pub stdin: bool,
    /// The recipe is YAML (also files that end in .yml or .yaml)
    #[arg(long, conflicts_with = "as_json")]
    pub yaml: bool,
    /// The recipe is JSON (also files that end in .json)
    #[arg(long = "json")]
    pub as_json: bool,
    /// JSON attributes
    #[arg(short = 'j', long = "json-attributes", value_name = "FILE")]
    pub json: Option<String>,
    /// What is printed.
    #[command(flatten)]
    pub output: OutputOptions,
    /// Recipe files
    pub files: Vec<String>,
}

/// The program by the name of the binary, or by the command.
pub fn program(name: &str) -> Program {
    match name.rsplit(['-', ' ']).next() {
        Some("apply") => Program::Apply,
        Some("solo") => Program::Solo,
        _ => Program::Client { local: false },
    }
}

/// The clap command of `client` or `solo`. In `solo`, `-r` is the URL of an archive, and there is no option for the run list.
pub fn command(program: Program) -> Command {
    let command = Options::command();
    if program != Program::Solo {
        return command;
    }
    command
        .name("rchef solo")
        .about("Converge this machine from a chef-repo, as chef-solo does")
        .mut_arg("run_list", |arg| arg.short(None).hide(true))
        .mut_arg("recipe_url", |arg| arg.short('r'))
}

/// A parsed command line: options, and the recipes of `apply`.
pub struct Called {
    pub options: Options,
    /// The recipes of `apply`.
    pub recipes: Vec<Recipe>,
}

/// A recipe of `apply`.
pub enum Recipe {
    File(String, Option<RecipeForm>),
    Text(String, Option<RecipeForm>),
    Input(Option<RecipeForm>),
}

/// Parses a command line.
pub fn parse(program: Program, name: &str, args: &[String]) -> Result<Called, clap::Error> {
    let words = std::iter::once(name.to_string()).chain(args.iter().cloned());
    let read = |command: Command, words: &mut dyn Iterator<Item = String>| -> Result<ArgMatches, clap::Error> {
        command.try_get_matches_from(words)
    };
    if program != Program::Apply {
        let found = read(command(program), &mut words.into_iter())?;
        return Ok(Called { options: Options::from_arg_matches(&found)?, recipes: Vec::new() });
    }
    let found = read(ApplyOptions::command(), &mut words.into_iter())?;
    let given = ApplyOptions::from_arg_matches(&found)?;
    let blank = read(Options::command(), &mut std::iter::once(name.to_string()))?;
    let mut options = Options::from_arg_matches(&blank)?;
    options.output = given.output;
    options.node.json = given.json;
    let form = match (given.yaml, given.as_json) {
        (true, _) => Some(RecipeForm::Yaml),
        (_, true) => Some(RecipeForm::Json),
        _ => None,
    };
    let recipes = match (given.execute, given.stdin) {
        (Some(text), _) => vec![Recipe::Text(text, form)],
        (None, true) => vec![Recipe::Input(form)],
        _ => given.files.into_iter().map(|path| Recipe::File(path, form)).collect(),
    };
    Ok(Called { options, recipes })
}

impl Recipe {
    /// The recipe's source.
    pub fn read(&self, cwd: &str) -> Result<RecipeFile, Refusal> {
        let real = RealHost::new();
        let names = ("(chef-apply cookbook)".to_string(), "(chef-apply recipe)".to_string());
        let of = |path: &str, source: Vec<u8>, form: &Option<RecipeForm>| RecipeFile {
            form: form.unwrap_or_else(|| RecipeForm::of(path)),
            path: path.to_string(),
            source,
            names: names.clone(),
        };
        match self {
            Recipe::Text(text, form) => Ok(of("-e", text.clone().into_bytes(), form)),
            Recipe::Input(form) => {
                let read = real.standard(StandardStream::Input).and_then(|input| compose::read_all(&*input));
                let source = read.map_err(|error| (1, format!("standard input: {}", error.message())))?;
                Ok(of("(stdin)", source, form))
            }
            Recipe::File(path, form) => {
                let path = crate::input::config::absolute(cwd, path);
                let source = compose::read_file(&real, path.as_bytes());
                let source = source.map_err(|error| (1, format!("No file exists at {path} ({})", error.message())))?;
                Ok(of(&path, source, form))
            }
        }
    }
}

impl Options {
    /// Refuses flags that rchef cannot honour; `local`: whether the run is certainly a local-mode one.
    pub fn refused(&self, local: bool) -> Result<(), Refusal> {
        let refuse = |text: &str| Err((1, text.to_string()));
        if self.output.foreign.profile_ruby {
            return refuse(
                "--profile-ruby: there is no Ruby to profile\nhint: --slow-report lists the resources that took longest",
            );
        }
        if self.delete_entire_chef_repo {
            return refuse(
                "--delete-entire-chef-repo: rchef deletes no chef-repo, for what stands in it may be the only copy\nhint: remove what --recipe-url is to replace before the run",
            );
        }
        if self.server.fips {
            return refuse("--fips: the cryptographic library that is linked in has no FIPS provider");
        }
        if let Some(target) = &self.server.target {
            return refuse(&format!(
                "--target {target}: rchef converges the machine that it runs on; copy the binary and the chef-repo there and run it over ssh"
            ));
        }
        if self.recipe_url.is_some() && !local {
            return refuse("recipe-url can be used only in local-mode");
        }
        Ok(())
    }

    /// Messages about flags that are accepted but have no effect, with the reason.
    pub fn without_effect(&self) -> Vec<String> {
        let server = &self.server;
        let mut found = Vec::new();
        let mut note = |given: bool, flag: &str, why: &str| {
            if given {
                found.push(format!("{flag} has no effect: {why}"));
            }
        };
        let local = "the run is from a chef-repo, no server is asked";
        note(server.server.is_some(), "--server", local);
        note(server.client_key.is_some(), "--client_key", local);
        note(server.validation_key.is_some(), "--validation_key", local);
        note(server.credentials.is_some(), "--credentials", local);
        note(server.enable_reporting, "--enable-reporting", "there is no server to report to");
        note(server.skip_cookbook_sync, "--skip-cookbook-sync", "cookbooks are read where they are");
        note(self.output.foreign.windows_admin, "--fatal-windows-admin-check", "it speaks of Windows");
        note(
            self.output.foreign.always_dump_stacktrace,
            "--always-dump-stacktrace",
            "errors show where they come from",
        );
        found
    }
}

/// The refusal of a run against a Chef Infra Server.
pub fn no_server(url: &str) -> Refusal {
    let text = format!(
        "chef_server_url is {url}, and rchef has no client for a Chef Infra Server yet\nhint: run from a chef-repo on this machine with --local-mode (-z), or take chef_server_url out of the configuration; `rchef node import` takes what `knife node show -l -Fj NODE` prints, so that the node keeps its attributes"
    );
    (FAILURE, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(args: &[&str]) -> Options {
        let args: Vec<String> = args.iter().map(ToString::to_string).collect();
        parse(Program::Client { local: false }, "rchef client", &args).unwrap().options
    }

    #[test]
    fn names_of_programs() {
        assert_eq!(program("chef-solo"), Program::Solo);
        assert_eq!(program("rchef apply"), Program::Apply);
        assert_eq!(program("chef-client"), Program::Client { local: false });
        assert_eq!(program("rchef client"), Program::Client { local: false });
    }

    #[test]
    fn r_is_an_archive_in_solo() {
        let args = ["-r".to_string(), "http://x/y.tgz".to_string()];
        let solo = parse(Program::Solo, "chef-solo", &args).unwrap().options;
        assert_eq!(solo.recipe_url.as_deref(), Some("http://x/y.tgz"));
        assert_eq!(client(&["-r", "recipe[a]"]).run_list.run_list.as_deref(), Some("recipe[a]"));
    }

    #[test]
    fn what_is_refused() {
        for flag in ["--profile-ruby", "--delete-entire-chef-repo", "--fips"] {
            assert!(client(&["-z", flag]).refused(true).is_err(), "{flag}");
        }
        assert!(client(&["--recipe-url", "x.tgz"]).refused(false).is_err());
        assert!(client(&["--no-profile-ruby", "--no-fips", "--chef-license", "accept"]).refused(true).is_ok());
    }

    #[test]
    fn what_has_no_effect_is_said() {
        let options = client(&["-z", "-k", "client.pem", "--no-listen", "--chef-zero-port", "8889"]);
        assert_eq!(options.without_effect().len(), 1);
    }

    #[test]
    fn a_licence_may_have_a_value() {
        assert!(client(&["--chef-license"]).files.is_empty());
        assert!(client(&["--slow-report"]).output.slow_report == Some(10));
    }
}
