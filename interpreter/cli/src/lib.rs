//! The commands of `rchef`, a module for each; `view` renders dumps for people, `diagnostic` renders errors.

mod attribute_reads;
mod check;
mod client;
mod compile;
mod complete;
mod diagnostic;
mod diff;
mod explain;
mod facts;
mod formatter;
mod input;
mod machine;
mod node;
mod policy;
mod resources;
mod ruby;
mod service;
mod stubs;
mod view;

use std::process::ExitCode;

/// Stack size of the main program, for deep Ruby recursion; pages are only allocated when used.
const STACK: usize = 1 << 30;

const USAGE: &str = "rchef runs Chef cookbooks without Ruby and without Chef.\n
Converge this machine:
  rchef client [-o RUNLIST | -r RUNLIST | --policy-name NAME] [-W] [-j FILE] [-c FILE] [FILE...]
  rchef solo [-o RUNLIST] [-c FILE] ...
  rchef apply FILE... | -e TEXT | -s
  rchef client --plan FILE         only what a plan says\n
See what a run would change:
  rchef plan [-o RUNLIST | --policy-name NAME] [--json | --format markdown] [--out FILE]\n
Look without touching anything (in a chef-repo):
  rchef compile -o RUNLIST [--platform NAME | --ohai FILE] [--dump[=yaml|json] | --format=table|tree] [--expand]
  rchef explain ATTRIBUTE RUNLIST [--platform NAME | --ohai FILE] [--json]
  rchef check [PATH...]            what is wrong, removed or deprecated, without running anything
  rchef check -o RUNLIST | --all-recipes | --all-roles | --kitchen | --nodes DIR | --policy NAME [--platform NAME]...
  rchef diff FROM [TO] -o RUNLIST [--platform NAME]   directories, git revisions or dumps\n
Bring a node along from a Chef Infra Server (in a chef-repo):
  rchef node import FILE...        what `knife node show -l -Fj NODE` printed\n
Policyfiles:
  rchef policy install|update|show|diff|export [POLICYFILE]\n
Look things up:
  rchef resources [NAME]           what a resource does, its properties and actions
  rchef facts [--platform NAME]    the automatic attributes that cookbooks see\n
And:
  rchef ruby [-e CODE] [-r FILE]... [-I DIR]... [FILE [ARG...]]
  rchef service print|install      systemd units that run the client regularly
  rchef completions SHELL
  rchef man [COMMAND]
  rchef --version
  rchef --licenses                 the notices of what the program is made of\n
`rchef COMMAND --help` tells more.\n";

/// Runs the command that the process arguments name. The program must use [`rchef_ruby::embed::memory::Counting`] as its allocator.
pub fn main() -> ExitCode {
    rchef_host::one_heap();
    let mut all = std::env::args_os().map(|arg| arg.to_string_lossy().into_owned());
    let path = all.next().unwrap_or_default();
    let args: Vec<String> = all.collect();
    let called = path.rsplit('/').next().unwrap_or_default();
    if ["chef-client", "chef-solo", "chef-apply"].contains(&called) {
        return ExitCode::from(on_large_stack(|| client::run(called, &args)));
    }
    if called == "ruby" {
        return ExitCode::from(on_large_stack(|| ruby::run(&args, Some(&path))));
    }
    match args.first().map(String::as_str) {
        Some("--version" | "-V") => {
            return diagnostic::print(&format!(
                "rchef {} (Chef {})\n",
                env!("CARGO_PKG_VERSION"),
                rchef_recipe::CHEF_VERSION
            ));
        }
        Some("--licenses") => {
            let version = env!("CARGO_PKG_VERSION");
            return diagnostic::print(&format!("rchef {version}: Apache License 2.0\n\n{}", rchef_ruby::NOTICE));
        }
        Some("help") => match &args[1..] {
            [] => return diagnostic::print(USAGE),
            [name, ..] if name == "help" => return diagnostic::print(USAGE),
            words => {
                let mut asked = words.to_vec();
                // `ruby` only has the short option
                asked.push(if words[0] == "ruby" { "-h" } else { "--help" }.into());
                return ExitCode::from(on_large_stack(|| run(&asked)));
            }
        },
        None | Some("--help" | "-h") => return diagnostic::print(USAGE),
        _ => {}
    }
    ExitCode::from(on_large_stack(|| run(&args)))
}

fn on_large_stack(program: impl FnOnce() -> u8) -> u8 {
    let done = rchef_ruby::embed::vm::on_large_stack(STACK, || {
        rchef_ruby::embed::memory::keep_small_blocks();
        program()
    });
    done.unwrap_or_else(|error| {
        diagnostic::complain(&format!(
            "rchef: cannot run: {error}; is there enough memory for its stack (ulimit -v)?\n"
        ));
        1
    })
}

fn run(args: &[String]) -> u8 {
    match args.first().map(String::as_str) {
        Some("ruby") => ruby::run(&args[1..], None),
        Some("client") => client::run("rchef client", &args[1..]),
        Some("solo") => client::run("rchef solo", &args[1..]),
        Some("apply") => client::run("rchef apply", &args[1..]),
        Some("plan") => client::plan::run(&args[1..]),
        Some("node") => node::run(&args[1..]),
        Some("service") => service::run(&args[1..]),
        Some("policy") => policy::run(&args[1..]),
        Some("compile") => compile::run(&args[1..]),
        Some("explain") => explain::run(&args[1..]),
        Some("check") => check::run(&args[1..]),
        Some("diff") => diff::run(&args[1..]),
        Some("resources") => resources::run(&args[1..]),
        Some("facts") => facts::run(&args[1..]),
        Some("completions") => complete::completions(&args[1..]),
        Some("man") => complete::man(&args[1..]),
        Some(other) => {
            let tree = complete::tree();
            let names: Vec<String> = tree.get_subcommands().map(|command| command.get_name().to_string()).collect();
            let near = diagnostic::suggest(other, &names);
            diagnostic::complain(&format!(
                "rchef: there is no command '{other}'{near}\nhint: `rchef --help` lists the commands\n"
            ));
            2
        }
        None => 2,
    }
}
