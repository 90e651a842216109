//! `rchef facts`: the facts of this machine or of a simulated platform.

use crate::compile::{parse, simulated};
use crate::diagnostic;
use clap::Parser;
use rchef_host::RealHost;
use rchef_providers::facts::Choice;
use serde_json::Value as Json;

/// Print the facts (automatic attributes) that cookbooks see.
#[derive(Parser, Debug)]
#[command(
    name = "rchef facts",
    about = "Print the facts that cookbooks see as automatic attributes, as JSON",
    after_help = "Examples:\n  rchef facts > node.json\n  rchef facts --platform rocky-9 platform_family\n  rchef facts --list"
)]
pub struct Options {
    /// Of a simulated platform instead of this machine
    #[arg(long, value_name = "NAME")]
    pub platform: Option<String>,
    /// Names of the simulated platforms
    #[arg(long)]
    pub list: bool,
    /// Also what an optional plugin of Ohai collects, e.g. `Passwd`; may be given several times
    #[arg(long = "optional", value_name = "PLUGIN")]
    pub optional: Vec<String>,
    /// Only this one, e.g. `kernel/machine`
    #[arg(value_name = "ATTRIBUTE")]
    pub attribute: Option<String>,
}

/// Runs the command; gives the exit status.
pub fn run(args: &[String]) -> u8 {
    let options: Options = match parse("rchef facts", args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    if options.list {
        diagnostic::print(&format!("{}\n", rchef_providers::facts::names().join("\n")));
        return 0;
    }
    let facts = match &options.platform {
        Some(name) => match simulated(name) {
            Ok(facts) => Ok(facts),
            Err(text) => {
                diagnostic::complain(&format!("rchef facts: {text}\n"));
                return 2;
            }
        },
        None => {
            let choice = Choice { optional: options.optional.clone(), ..Choice::default() };
            Ok(rchef_providers::facts::collect_text(&RealHost::new(), &choice))
        }
    };
    let shown = facts.and_then(|bytes| {
        let all: Json = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
        let Some(path) = &options.attribute else { return Ok(all) };
        let found = path.split(['/', '.']).try_fold(&all, |value, key| value.get(key));
        found.cloned().ok_or_else(|| format!("there is no fact {path}"))
    });
    match shown {
        Ok(Json::String(text)) => {
            diagnostic::print(&format!("{text}\n"));
            0
        }
        Ok(facts) => {
            diagnostic::print(&format!("{facts:#}\n"));
            0
        }
        Err(text) => {
            diagnostic::complain(&format!("rchef facts: {text}\n"));
            1
        }
    }
}
