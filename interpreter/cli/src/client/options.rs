//! The command line of `rchef client`, `solo` and `apply`.

use super::run_options::RunOptions;
use crate::input::{NodeOptions, RunListOptions};
use clap::{ArgAction, Parser};

/// Converges this machine from a chef-repo.
#[derive(Parser, Debug)]
#[command(name = "rchef client", about = "Converge this machine from a chef-repo", disable_version_flag = true)]
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
    /// Only say what would be changed
    #[arg(short = 'W', long = "why-run")]
    pub why_run: bool,
    /// Level of the log: auto, trace, debug, info, warn, error, fatal
    #[arg(short = 'l', long = "log_level", alias = "log-level", value_name = "LEVEL")]
    pub log_level: Option<String>,
    /// File of the log
    #[arg(short = 'L', long = "logfile", value_name = "FILE")]
    pub log_file: Option<String>,
    /// Output: doc, min, null
    #[arg(short = 'F', long = "format", value_name = "NAME", default_value = "doc")]
    pub format: String,
    /// Colours on a terminal
    #[arg(long, overrides_with = "no_color")]
    pub color: bool,
    /// No colours
    #[arg(long)]
    pub no_color: bool,
    /// Do not wait until what is written has reached the disk
    #[arg(long = "no-fsync")]
    pub no_fsync: bool,
    /// One run (always so)
    #[arg(long)]
    pub once: bool,
    /// Ignored: rchef asks for no licence
    #[arg(long = "chef-license", value_name = "VALUE", num_args = 0..=1)]
    pub license: Option<String>,
    /// How it converges.
    #[command(flatten)]
    pub run: RunOptions,
    /// Version
    #[arg(short = 'v', long = "version", action = ArgAction::SetTrue)]
    pub version: bool,
    /// Recipe files to run after the run list
    pub files: Vec<String>,
}
