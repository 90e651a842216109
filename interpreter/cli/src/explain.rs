//! `rchef explain`: the history of one attribute.

use crate::compile::{Compiled, Facts, Node, Start, parse};
use crate::diagnostic;
use crate::input::RunListOptions;
use clap::Parser;
use rchef_host::RealHost;
use rchef_model::document::Value as Json;
use rchef_recipe::dump::{self, attributes::Sources};
use rchef_recipe::node::provenance;
use rchef_recipe::run::run_mut;
use std::fmt::Write;
use std::rc::Rc;

/// Tell who set an attribute, what it shadows and what merged.
#[derive(Parser, Debug)]
#[command(
    name = "rchef explain",
    about = "Tell who set an attribute, what it shadows and what merged",
    after_help = "Exit status: 0 the attribute is set, 1 it is not, or the compile failed.\n\nExamples:\n  rchef explain \"node['apache']['port']\" 'role[web]' --platform ubuntu-22.04\n  rchef explain apache.port 'recipe[web]' -E prod --json"
)]
pub struct Options {
    /// The attribute: `node['a']['b']`, or `a.b`
    #[arg(value_name = "ATTRIBUTE")]
    pub attribute: String,
    /// Run list; or `-o`, or a policy
    #[arg(value_name = "RUNLIST", conflicts_with_all = ["overriding", "run_list"])]
    pub items: Option<String>,
    /// What runs.
    #[command(flatten)]
    pub run_list: RunListOptions,
    /// Facts.
    #[command(flatten)]
    pub facts: Facts,
    /// Node and machine.
    #[command(flatten)]
    pub node: Node,
    /// As JSON
    #[arg(long = "json")]
    pub as_json: bool,
}

/// The keys of `node['a']["b"][:c]`, `a.b.c` or `a/b`.
fn path(text: &str) -> Option<Vec<String>> {
    let text = text.trim();
    let bracketed = text.find('[');
    let Some(start) = bracketed else {
        let text = text.strip_prefix("node.").unwrap_or(text);
        let keys: Vec<String> = text.split(['.', '/']).map(str::to_string).collect();
        return keys.iter().all(|key| !key.is_empty()).then_some(keys);
    };
    let mut keys = Vec::new();
    let mut rest = &text[start..];
    while !rest.is_empty() {
        let inner = rest.strip_prefix('[')?;
        let (key, after) = match inner.chars().next()? {
            quote @ ('\'' | '"') => {
                inner[1..].split_once(quote).and_then(|(key, after)| Some((key, after.strip_prefix(']')?)))?
            }
            _ => inner.split_once(']').map(|(key, after)| (key.trim_start_matches(':'), after))?,
        };
        keys.push(key.to_string());
        rest = after.trim_start();
    }
    Some(keys)
}

/// Runs the command; gives the exit status.
pub fn run(args: &[String]) -> u8 {
    let options: Options = match parse("rchef explain", args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    let Some(path) = path(&options.attribute) else {
        let given = &options.attribute;
        diagnostic::complain(&format!("rchef explain: {given} names no attribute; write it as node['a']['b']\n"));
        return 2;
    };
    let explained = explain(&options, &path);
    // the time limit ends here: a slow reader may delay the output
    rchef_host::end_no_more();
    match explained {
        Ok((text, found)) => {
            diagnostic::print(&text);
            u8::from(!found)
        }
        Err(text) => {
            diagnostic::complain(&format!("{}\n", text.trim_end()));
            1
        }
    }
}

fn explain(options: &Options, path: &[String]) -> Result<(String, bool), String> {
    let real = Rc::new(RealHost::new());
    let mut run_list = options.run_list.clone();
    run_list.overriding = options.items.clone().or(run_list.overriding);
    let mut compiled = Compiled::start(&real, &Start::new(&options.facts, &options.node, &run_list))?;
    if let [first, .., _] = &compiled.policies[..] {
        return Err(format!(
            "rchef explain: several policies are chosen; name one of them (--policy-name {})",
            first.name
        ));
    }
    provenance::keep_values(&mut compiled.vm);
    compiled.compile(false);
    let failed = compiled.failure.is_some();
    if let Some(error) = compiled.failure.take() {
        diagnostic::complain(&diagnostic::describe(&mut compiled.vm, error));
        diagnostic::complain("The compile failed there: what follows is the history up to it.\n");
    }
    let vm = &mut compiled.vm;
    let node = run_mut(vm).node.clone();
    let found = Sources::collect(vm, &node).and_then(|sources| sources.explain(vm, path));
    let found = found.map_err(|error| diagnostic::describe(vm, error))?;
    let found = dump::mask::apply(vm, found);
    let set = found["found"].as_bool() == Some(true) && !failed;
    let text = if options.as_json { format!("{found:#}\n") } else { shown(&found) };
    Ok((text, set))
}

fn name_of(path: &Json) -> String {
    let keys = path.as_array().cloned().unwrap_or_default();
    keys.iter().fold("node".into(), |name, key| format!("{name}['{}']", key.as_str().unwrap_or_default()))
}

/// `role web (roles/web.rb)`, `attribute file web/attributes/default.rb:3`.
fn author(by: &Json) -> String {
    let kind = by["kind"].as_str().unwrap_or("machinery");
    let words = match kind {
        "json_cli" => "JSON attributes (-j)".to_string(),
        "machinery" => "rchef itself".to_string(),
        "ohai" => "Ohai".to_string(),
        other => other.replace('_', " "),
    };
    let name = by["name"].as_str().map(|name| format!(" {name}")).unwrap_or_default();
    match by["source"].as_str() {
        Some(source) if by["name"].as_str().is_some() => format!("{words}{name} ({source})"),
        Some(source) => format!("{words}{name} {source}"),
        None => format!("{words}{name}"),
    }
}

fn shown(found: &Json) -> String {
    let mut out = String::new();
    let name = name_of(&found["path"]);
    if found["found"].as_bool() != Some(true) {
        let _ = writeln!(out, "{name} is not set.");
    } else {
        let _ = writeln!(out, "{name} = {}", found["value"]);
        for key in ["set_by", "vivified_by"] {
            if let Some(by) = found.get(key) {
                let verb = if key == "set_by" { "set by" } else { "made empty when read by" };
                let _ = writeln!(
                    out,
                    "  {verb} {}, level {} (rank {} of 15)",
                    author(by),
                    found["level"].as_str().unwrap_or_default(),
                    found["rank"]
                );
            }
        }
        for (key, title) in [("merged_from", "merged from"), ("shadows", "shadows")] {
            for source in found[key].as_array().into_iter().flatten() {
                let level = source["level"].as_str().unwrap_or_default();
                let _ = writeln!(out, "  {title} {level} {} from {}", source["value"], author(source));
            }
        }
    }
    let history = found["history"].as_array().cloned().unwrap_or_default();
    if history.is_empty() {
        return out;
    }
    let _ = writeln!(out, "\nHistory:");
    let winners: Vec<&Json> = found["merged_from"]
        .as_array()
        .map_or_else(|| found.get("set_by").into_iter().collect(), |list| list.iter().collect());
    for event in &history {
        let wins = winners.iter().any(|winner| winner["seq"] == event["seq"]);
        let at = if event["path"] == found["path"] { String::new() } else { format!(" {}", name_of(&event["path"])) };
        let value = event.get("value").map(|value| format!(" = {value}")).unwrap_or_default();
        let _ = writeln!(
            out,
            "{} {:>5}  {:<14} {:<7}{at}{value}\n             {}",
            if wins { '*' } else { ' ' },
            event["seq"],
            event["level"].as_str().unwrap_or_default(),
            event["act"].as_str().unwrap_or_default(),
            author(event)
        );
    }
    out.push_str("(* counts)\n");
    out
}
