//! `rchef diff`: compares two compiles: of two versions of a repository, of two platforms, or of rchef and a chef-client.
//!
//! A side is a dump, a directory or a git revision; [`side`] reads or compiles it, [`compare`] finds the differences, [`show`] renders them.
//! `diff/schema.json` describes the JSON output.

mod compare;
mod fleet;
mod ignore;
mod show;
mod side;
mod value;

use crate::check::compiled::platforms;
use crate::compile::parse;
use crate::diagnostic;
use clap::{Parser, ValueEnum};
pub use compare::compare;
pub use ignore::Ignore;
use rchef_host::{RealHost, compose};
use side::Compile;
pub use side::Side;

/// Form of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// For a pull request.
    Markdown,
}

/// Compare two compiles.
#[derive(Parser, Debug)]
#[command(
    name = "rchef diff",
    about = "Compare what two versions of a repository, two platforms or two dumps compile to",
    after_help = "FROM and TO are directories, git revisions (read without touching the work tree) or dumps: files that `rchef compile --dump=json` wrote, or a real chef-client with the handler that `rchef diff --chef-handler` prints. Without TO the current directory is compared.\nOptions behind `--` are handed to `rchef compile`.\nExit status: 0 compared, 1 failed (a side or a node cannot be read or compiled in time); with --detailed-exitcode 0 the same, 2 different, 1 failed.\n\nExamples:\n  rchef diff main -o 'role[web]' --platform ubuntu-22.04\n  rchef diff v1 v2 -o web --platform rocky-9 --format markdown\n  rchef diff main -o web --platform 'debian-*' --platform 'ubuntu-*'\n  rchef diff --platforms ubuntu-20.04,ubuntu-22.04 -o web\n  rchef diff main --nodes nodes\n  rchef diff /var/tmp/chef-dump.json . -o web --ohai node.json"
)]
pub struct Options {
    /// The side before: a directory, a git revision or a dump
    #[arg(value_name = "FROM")]
    pub from: Option<String>,
    /// The side after (default: the current directory)
    #[arg(value_name = "TO")]
    pub to: Option<String>,
    /// The side before
    #[arg(long = "from", value_name = "SIDE", id = "from_side", conflicts_with = "from")]
    pub from_side: Option<String>,
    /// The side after
    #[arg(long = "to", value_name = "SIDE", id = "to_side", conflicts_with = "to")]
    pub to_side: Option<String>,
    /// Run list of sides that are compiled
    #[arg(short = 'o', long = "override-runlist", visible_alias = "runlist", value_name = "RUNLIST")]
    pub run_list: Option<String>,
    /// Compile the node objects of a directory, each with its own facts and run list, and tell equal differences once
    #[arg(long, value_name = "DIR", conflicts_with_all = ["run_list", "platform", "platforms", "ohai", "json", "environment"])]
    pub nodes: Option<String>,
    /// Simulated platform of sides that are compiled, or a pattern such as `ubuntu-*`; may be repeated. On several platforms equal differences are told once
    #[arg(long = "platform", value_name = "NAME", conflicts_with = "ohai")]
    pub platform: Vec<String>,
    /// Compare two platforms of the current directory, or of FROM
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',', conflicts_with_all = ["platform", "ohai", "to"])]
    pub platforms: Vec<String>,
    /// Facts (Ohai data) of sides that are compiled
    #[arg(long, value_name = "FILE")]
    pub ohai: Option<String>,
    /// JSON attributes of sides that are compiled
    #[arg(short = 'j', long = "json-attributes", value_name = "FILE")]
    pub json: Option<String>,
    /// Environment of sides that are compiled
    #[arg(short = 'E', long)]
    pub environment: Option<String>,
    /// Leave out what matches: `file[/x]`, `template[*]#variables`, `node['a']`; may be repeated
    #[arg(long, value_name = "PATTERN")]
    pub ignore: Vec<String>,
    /// A file with a pattern a line (default: `.rchef-diff-ignore`, where it exists)
    #[arg(long, value_name = "FILE")]
    pub ignore_file: Option<String>,
    /// Form of the answer
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub format: Form,
    /// Exit with 2 when there are differences
    #[arg(long)]
    pub detailed_exitcode: bool,
    /// Print a handler for chef-client 14 to 19 that writes what a run compiled, for a comparison with it
    #[arg(long)]
    pub chef_handler: bool,
    /// Print the JSON schema of `--format json`
    #[arg(long)]
    pub schema: bool,
    /// Further options of `rchef compile`
    #[arg(last = true, value_name = "OPTION")]
    pub more: Vec<String>,
}

/// Runs the command; gives the exit status.
pub fn run(args: &[String]) -> u8 {
    let options: Options = match parse("rchef diff", args) {
        Ok(options) => options,
        Err(status) => return status.min(1),
    };
    if options.chef_handler {
        diagnostic::print(include_str!("diff/chef_handler.rb"));
        return 0;
    }
    if options.schema {
        diagnostic::print(include_str!("diff/schema.json"));
        return 0;
    }
    match differences(&options) {
        Ok(answer) => {
            diagnostic::print(&answer.text);
            match (answer.failed, answer.differ && options.detailed_exitcode) {
                (true, _) => 1,
                (_, true) => 2,
                _ => 0,
            }
        }
        Err(text) => {
            diagnostic::complain(&format!("rchef diff: {}\n", text.trim_end()));
            1
        }
    }
}

/// A rendered comparison.
pub struct Answer {
    pub text: String,
    pub differ: bool,
    /// Whether some of it could not be compared.
    pub failed: bool,
}

fn differences(options: &Options) -> Result<Answer, String> {
    let host = RealHost::new();
    let ignore = patterns(&host, options)?;
    let given = |positional: &Option<String>, named: &Option<String>| positional.clone().or_else(|| named.clone());
    let from = given(&options.from, &options.from_side);
    let to = given(&options.to, &options.to_side);
    if from.is_none() && options.platforms.is_empty() {
        return Err("name what to compare with: a directory, a git revision or a dump".into());
    }
    let platforms = platforms(&options.platform)?;
    if options.nodes.is_some() || platforms.len() > 1 {
        let from = from.unwrap_or_else(|| ".".into());
        let to = to.unwrap_or_else(|| ".".into());
        return match &options.nodes {
            Some(nodes) => fleet::of_nodes(&host, options, nodes, [&from, &to], &ignore),
            None => fleet::of_platforms(&host, options, &platforms, [&from, &to], &ignore),
        };
    }
    let compile = |platform: Option<&String>| Compile {
        run_list: options.run_list.clone(),
        platform: platform.or(platforms.first()).cloned(),
        ohai: options.ohai.clone(),
        json: options.json.clone(),
        environment: options.environment.clone(),
        expand: true,
        more: options.more.clone(),
    };
    let here = || ".".to_string();
    let sides = match options.platforms.as_slice() {
        [one, other] => {
            let place = from.unwrap_or_else(here);
            [(place.clone(), compile(Some(one))), (place, compile(Some(other)))]
        }
        [_, ..] => return Err("--platforms takes two names: --platforms ubuntu-20.04,ubuntu-22.04".into()),
        [] => [(from.unwrap_or_else(here), compile(None)), (to.unwrap_or_else(here), compile(None))],
    };
    let [from, to] = read(&host, sides)?;
    let found = compare::compare(&from, &to, &ignore);
    let text = match options.format {
        Form::Text => show::text(&from, &to, &found),
        Form::Json => format!("{:#}\n", show::json(&from, &to, &found)),
        Form::Markdown => show::markdown(&from, &to, &found),
    };
    Ok(Answer { text, differ: found.differ(), failed: false })
}

/// Gets both sides. Dumps are read first, because they determine whether the other side is compiled with `--expand`.
fn read(host: &RealHost, sides: [(String, Compile); 2]) -> Result<[Side; 2], String> {
    let mut read: [Option<Side>; 2] = [None, None];
    for ((place, _), side) in sides.iter().zip(&mut read) {
        *side = side::loaded(host, place).transpose()?;
    }
    let expand = read.iter().flatten().all(|side| side.expanded);
    let rest = sides.iter().enumerate().filter(|(at, _)| read[*at].is_none());
    let rest: Vec<_> = rest.map(|(at, (place, how))| (at, place, Compile { expand, ..how.clone() })).collect();
    for (at, side) in crate::check::on_all(&rest, |host, (at, place, how)| (*at, side::compiled(host, place, how))) {
        read[at] = Some(side?);
    }
    match read {
        [Some(from), Some(to)] => Ok([from, to]),
        _ => Err("a side could not be read".into()),
    }
}

fn patterns(host: &RealHost, options: &Options) -> Result<Ignore, String> {
    const USUAL: &str = ".rchef-diff-ignore";
    let mut lines = options.ignore.clone();
    let usual = Some(USUAL.to_string()).filter(|path| compose::exists(host, path.as_bytes()));
    if let Some(path) = options.ignore_file.clone().or(usual) {
        let bytes =
            compose::read_file(host, path.as_bytes()).map_err(|error| format!("{path}: {}", error.message()))?;
        lines.extend(String::from_utf8_lossy(&bytes).lines().map(str::to_string));
    }
    Ok(Ignore::new(&lines))
}
