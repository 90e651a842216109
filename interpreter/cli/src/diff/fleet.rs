//! Compares two versions of a repository for every node of a directory, or on several platforms: equal differences are reported once, with their
//! nodes or platforms; lines around a change of a content do not count.

use super::compare::{Found, Kind, compare};
use super::side::{Side, at, revision};
use super::{Answer, Form, Ignore, Options, show};
use crate::check::compiled::{Bar, Repository, Unit, compile_all, nodes};
use crate::diagnostic::counted;
use crate::input::layout;
use rchef_host::files::lexical;
use rchef_host::{Files, RealHost, compose};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Maximum number of node names shown for a group.
const NAMES: usize = 4;

/// The bytes that the forked process of each node returned.
type Left = Vec<Option<Vec<u8>>>;

/// The differences of the node objects of a directory.
///
/// # Errors
/// A side or the nodes cannot be read.
pub fn of_nodes(
    host: &RealHost,
    options: &Options,
    folder: &str,
    sides: [&String; 2],
    ignore: &Ignore,
) -> Result<Answer, String> {
    let cwd = String::from_utf8_lossy(&host.getcwd().map_err(|error| error.to_string())?).into_owned();
    let mut own = Repository::at(cwd.clone(), cwd.clone());
    let units = nodes(host, &mut own, folder);
    let result = units.and_then(|units| Ok((differences(host, options, &cwd, sides, &units, ignore)?, units)));
    own.remove(host);
    let (left, units) = result?;
    let mut answer = told(options.format, "node", &units, &left, &[own.problems.as_slice(), &own.skipped].concat());
    answer.failed |= !own.problems.is_empty();
    Ok(answer)
}

/// The differences of one run list on several platforms.
///
/// # Errors
/// A side cannot be read.
pub fn of_platforms(
    host: &RealHost,
    options: &Options,
    platforms: &[String],
    sides: [&String; 2],
    ignore: &Ignore,
) -> Result<Answer, String> {
    let cwd = String::from_utf8_lossy(&host.getcwd().map_err(|error| error.to_string())?).into_owned();
    let policy = options.more.iter().any(|word| word.starts_with("--policy"));
    if options.run_list.is_none() && options.json.is_none() && !policy {
        return Err("there is no run list, so there is nothing to compare: name one with -o".into());
    }
    let unit = |platform: &String| Unit {
        name: platform.clone(),
        run_list: options.run_list.clone().unwrap_or_default(),
        platform: Some(platform.clone()),
        json: options.json.as_ref().map(|path| crate::input::config::absolute(&cwd, path)),
        environment: options.environment.clone(),
        ..Unit::default()
    };
    let units: Vec<Unit> = platforms.iter().map(unit).collect();
    let left = differences(host, options, &cwd, sides, &units, ignore)?;
    Ok(told(options.format, "platform", &units, &left, &[]))
}

/// Compiles all units on both sides, and compares them; removes what it has written for that.
fn differences(
    host: &RealHost,
    options: &Options,
    cwd: &str,
    sides: [&String; 2],
    units: &[Unit],
    ignore: &Ignore,
) -> Result<Left, String> {
    let mut temporary = Vec::new();
    let result = compiled(host, options, cwd, sides, units, ignore, &mut temporary);
    for folder in temporary {
        let _ = compose::remove_dir_all(host, folder.as_bytes());
    }
    result
}

/// The directory of a side in which its units are compiled, and the one that stands in their dumps.
fn place(host: &RealHost, cwd: &str, side: &str, temporary: &mut Vec<String>) -> Result<(String, String), String> {
    let root = match host.stat(side.as_bytes()) {
        Ok(stat) if stat.is_dir() => crate::input::config::absolute(cwd, side),
        Ok(_) => {
            return Err(format!("{side}: with --nodes or several platforms a side is a directory or a git revision"));
        }
        Err(_) => {
            let (whole, folder) = revision(host, side)?;
            temporary.push(whole);
            folder
        }
    };
    let root = String::from_utf8_lossy(&lexical(root.as_bytes())).into_owned();
    if !layout::is_cookbook(host, &root) {
        return Ok((root.clone(), root));
    }
    let laid = layout::temporary(host, "diff")?;
    temporary.push(laid.clone());
    layout::around(host, &root, &laid)?;
    Ok((laid, root))
}

/// Compiles all units on both sides, and compares them in the processes that compile the second one.
fn compiled(
    host: &RealHost,
    options: &Options,
    cwd: &str,
    sides: [&String; 2],
    units: &[Unit],
    ignore: &Ignore,
    temporary: &mut Vec<String>,
) -> Result<Left, String> {
    let mut folders = Vec::new();
    for side in sides {
        folders.push(place(host, cwd, side, temporary)?);
    }
    let compile = |at: usize, each: &crate::check::compiled::Each<'_>| -> Result<Left, String> {
        let (folder, root) = &folders[at];
        let arguments = |unit: &Unit| {
            let mut argv: Vec<String> = ["--dump=json", "--expand", "--render=text"].map(str::to_string).to_vec();
            if folder != root {
                argv.extend(["--allow-path".to_string(), root.clone()]);
            }
            argv.extend(unit.of_node(&options.more));
            argv
        };
        let repository = Repository::at(folder.clone(), cwd.to_string());
        let mut bar = Bar::new(host, units.len());
        let left = compile_all(&repository, units, &arguments, each, &mut |done| bar.show(done));
        bar.remove();
        left
    };
    // the names of the sides' directories are not a difference
    let here = |side: usize, dump: Json| {
        let (folder, root) = &folders[side];
        let others = [folder, root].into_iter().filter(|other| other.as_str() != cwd);
        others.fold(dump, |dump, other| at(dump, other, cwd))
    };
    let before = compile(0, &|_, _, dump| {
        dump.map_or_else(|text| text.into_bytes(), |dump| here(0, dump).to_string().into_bytes())
    })?;
    let names = sides.map(String::clone);
    compile(1, &|_, unit, dump| {
        let own = units.iter().position(|other| other.name == unit.name);
        let first = own.and_then(|own| before[own].as_deref()).map(|bytes| {
            serde_json::from_slice::<Json>(bytes).map_err(|_| String::from_utf8_lossy(bytes).into_owned())
        });
        one(&names, first, dump.map(|dump| here(1, dump)), ignore).to_string().into_bytes()
    })
}

/// The differences of one node.
fn one(
    names: &[String; 2],
    before: Option<Result<Json, String>>,
    after: Result<Json, String>,
    ignore: &Ignore,
) -> Json {
    let failure = |dump: &Json| {
        let error = &dump["error"];
        (dump["status"] != "complete").then(|| {
            format!(
                "{}: {}",
                error["location"].as_str().unwrap_or("?"),
                error["message"].as_str().unwrap_or("it fails")
            )
        })
    };
    let (before, after) = match (before, after) {
        (Some(Ok(before)), Ok(after)) => (before, after),
        (None, _) => return json!({ "failed": format!("{} does not compile in time", names[0]) }),
        (Some(Err(text)), _) | (_, Err(text)) => return json!({ "failed": text }),
    };
    match (failure(&before), failure(&after)) {
        (None, None) => {}
        (Some(was), Some(is)) if was == is => return json!({ "failed": format!("fails on both sides: {is}") }),
        (was, is) => {
            let words = |what: Option<String>| what.unwrap_or_else(|| "compiles".into());
            return json!({ "failed": format!("{}: {}\n    {}: {}", names[0], words(was), names[1], words(is)), "differs": true });
        }
    }
    let side = |name: &String, dump| Side { name: name.clone(), dump, expanded: true };
    let (from, to) = (side(&names[0], before), side(&names[1], after));
    let found = compare(&from, &to, ignore);
    let text = show::body(&found);
    json!({ "differs": found.differ(), "short": short(&found, &to.dump), "text": text, "group": show::changes(&found), "json": show::json(&from, &to, &found) })
}

/// A short form: numbers of differing resources by type, and services that restart or reload because of them.
fn short(found: &Found, after: &Json) -> String {
    let mut counts: BTreeMap<(char, String), usize> = BTreeMap::new();
    let mut acts: Vec<String> = Vec::new();
    for change in &found.resources {
        let own = change.key.rsplit(" > ").next().unwrap_or(&change.key);
        let kind = own.split('[').next().unwrap_or(own).to_string();
        *counts.entry((show::sign(change.kind), kind)).or_default() += 1;
        if !matches!(change.kind, Kind::Added | Kind::Changed) {
            continue;
        }
        let record = after["resources"].as_array().into_iter().flatten().find(|record| record["key"] == own);
        let Some(id) = record.and_then(|record| record["id"].as_str()) else { continue };
        for edge in after["notifications"].as_array().into_iter().flatten().filter(|edge| edge["from_id"] == id) {
            if let (Some(action @ ("restart" | "reload")), Some(target)) =
                (edge["action"].as_str(), edge["to"].as_str())
            {
                let act = format!("{target} {action}s");
                if !acts.contains(&act) {
                    acts.push(act);
                }
            }
        }
    }
    let mut words: Vec<String> =
        counts.into_iter().map(|((sign, kind), count)| format!("{sign}{count} {kind}")).collect();
    words.extend(acts);
    if words.is_empty() && found.differ() {
        words.push("only attributes".into());
    }
    words.join(", ")
}

/// Renders the groups, the largest first.
fn told(form: Form, what: &str, units: &[Unit], left: &[Option<Vec<u8>>], skipped: &[String]) -> Answer {
    let failed = left.iter().any(Option::is_none);
    let lost = json!({ "failed": "the compile ended without an answer: it was stopped after its time, or crashed" });
    let mut groups: BTreeMap<String, (Json, Vec<&str>)> = BTreeMap::new();
    for (unit, left) in units.iter().zip(left) {
        let answer: Json =
            left.as_deref().and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_else(|| lost.clone());
        let key = format!("{}{}", answer["failed"], answer["group"]);
        groups.entry(key).or_insert_with(|| (answer, Vec::new())).1.push(&unit.name);
    }
    let mut groups: Vec<(Json, Vec<&str>)> = groups.into_values().collect();
    groups.sort_by_key(|(answer, names)| (answer["failed"].is_null(), usize::MAX - names.len()));
    let differ = groups.iter().any(|(answer, _)| answer["differs"] == true);
    if form == Form::Json {
        let list: Vec<Json> = groups
            .iter()
            .map(|(answer, names)| {
                json!({ (format!("{what}s")): names, "failed": answer["failed"], "summary": answer["short"], "differences": answer["json"] })
            })
            .collect();
        let schema = format!("rchef-diff-{what}s/1");
        let text = format!("{:#}\n", json!({ "schema": schema, "groups": list, "not_compared": skipped }));
        return Answer { text, differ, failed };
    }
    let mut out = String::new();
    let (open, close) = if form == Form::Markdown { ("```diff\n", "```\n") } else { ("", "") };
    for (answer, names) in &groups {
        let head = match (answer["failed"].as_str(), answer["differs"] == true) {
            (Some(_), _) => "cannot be compared".to_string(),
            (None, true) => answer["short"].as_str().unwrap_or_default().to_string(),
            (None, false) => "the same".to_string(),
        };
        let mark = if form == Form::Markdown { "### " } else { "" };
        let _ = writeln!(out, "{mark}{}: {head}", counted(names.len(), what));
        let shown = names.iter().take(NAMES).copied().collect::<Vec<_>>().join(", ");
        let more = names.len().saturating_sub(NAMES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ = writeln!(out, "  {shown}{more}");
        if let Some(text) = answer["failed"].as_str().or(answer["text"].as_str()).filter(|text| !text.is_empty()) {
            out.push_str(open);
            for line in text.lines() {
                let _ = writeln!(out, "  {line}");
            }
            out.push_str(close);
        }
    }
    for line in skipped.iter().take(NAMES) {
        let _ = writeln!(out, "not compared: {line}");
    }
    if let Some(more) = skipped.len().checked_sub(NAMES).filter(|more| *more > 0) {
        let _ = writeln!(out, "not compared: {more} more");
    }
    Answer { text: out, differ, failed }
}
