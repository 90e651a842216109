//! `rchef completions` and `rchef man`, made from the clap commands that the help texts come from.

use crate::compile::parse;
use crate::diagnostic;
use clap::{Command, CommandFactory, Parser};
use clap_complete::Shell;

/// Every command, as one clap tree.
pub fn tree() -> Command {
    let leaf = |command: Command, name: &'static str| command.name(name).bin_name(format!("rchef {name}"));
    Command::new("rchef")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Runs Chef cookbooks without Ruby and without Chef")
        .subcommand_required(true)
        .subcommand(leaf(crate::client::flags::Options::command(), "client"))
        .subcommand(leaf(crate::client::flags::command(crate::input::Program::Solo), "solo"))
        .subcommand(leaf(crate::client::flags::ApplyOptions::command(), "apply"))
        .subcommand(leaf(crate::client::plan::Options::command(), "plan"))
        .subcommand(leaf(crate::node::Options::command(), "node"))
        .subcommand(leaf(crate::policy::Options::command(), "policy"))
        .subcommand(leaf(crate::compile::Options::command(), "compile"))
        .subcommand(leaf(crate::check::command(), "check"))
        .subcommand(leaf(crate::diff::Options::command(), "diff"))
        .subcommand(leaf(crate::explain::Options::command(), "explain"))
        .subcommand(leaf(crate::resources::Options::command(), "resources"))
        .subcommand(leaf(crate::facts::Options::command(), "facts"))
        .subcommand(leaf(crate::service::Options::command(), "service"))
        .subcommand(leaf(Completions::command(), "completions"))
        .subcommand(leaf(Man::command(), "man"))
        .subcommand(Command::new("ruby").about("Run plain Ruby on the engine: -e CODE, -r FILE, -I DIR, files"))
}

/// Print a shell's completion script.
#[derive(Parser, Debug)]
#[command(
    name = "rchef completions",
    about = "Print the completion script of a shell",
    after_help = "Example:\n  rchef completions bash > /usr/share/bash-completion/completions/rchef"
)]
pub struct Completions {
    /// The shell
    pub shell: Shell,
}

/// Print a manual page.
#[derive(Parser, Debug)]
#[command(
    name = "rchef man",
    about = "Print the manual page of rchef or of a command, in roff",
    after_help = "Example:\n  rchef man compile | man -l -"
)]
pub struct Man {
    /// The command; without one, rchef itself
    pub command: Option<String>,
}

/// Runs `completions`; gives the exit status.
pub fn completions(args: &[String]) -> u8 {
    let options: Completions = match parse("rchef completions", args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut tree(), "rchef", &mut script);
    diagnostic::print(&String::from_utf8_lossy(&script));
    0
}

/// Runs `man`; gives the exit status.
pub fn man(args: &[String]) -> u8 {
    let options: Man = match parse("rchef man", args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    let mut all = tree();
    let command = match &options.command {
        None => Some(all),
        Some(name) => all.find_subcommand_mut(name).map(|found| {
            let title = format!("rchef-{name}");
            found.clone().display_name(title)
        }),
    };
    let Some(command) = command else {
        let name = options.command.unwrap_or_default();
        diagnostic::complain(&format!("rchef man: there is no command {name}\n"));
        return 1;
    };
    let mut page = Vec::new();
    if clap_mangen::Man::new(command).render(&mut page).is_err() {
        return 1;
    }
    diagnostic::print(&String::from_utf8_lossy(&page));
    0
}

#[cfg(test)]
mod tests {
    use super::tree;

    #[test]
    fn every_command_of_the_help() {
        let tree = tree();
        tree.clone().debug_assert();
        for line in crate::USAGE.lines().filter_map(|line| line.strip_prefix("  rchef ")) {
            let name = line.split(' ').next().unwrap_or_default();
            assert!(name.starts_with("--") || tree.find_subcommand(name).is_some(), "{name}");
        }
    }
}
