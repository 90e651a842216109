//! Renderings of the plan: text for a terminal, Markdown for a review.

use super::document::shown_aspect;
use crate::diagnostic::counted;
use serde_json::Value as Json;
use std::fmt::Write;

fn text<'a>(json: &'a Json, key: &str) -> &'a str {
    json[key].as_str().unwrap_or_default()
}

fn list<'a>(json: &'a Json, key: &str) -> impl Iterator<Item = &'a Json> {
    json[key].as_array().into_iter().flatten()
}

fn place(record: &Json) -> String {
    match record.get("source") {
        Some(source) => format!("{}:{}", text(source, "file"), source["line"]),
        None => String::new(),
    }
}

/// Whether an action is shown: it changes something, is unknown, fails, or is skipped by an assumed guard.
fn is_shown(record: &Json) -> bool {
    match text(record, "status") {
        "change" | "unknown" | "failed" => true,
        _ => record.get("assumptions").is_some(),
    }
}

fn sign(record: &Json) -> char {
    let removes = |change: &Json| text(change, "why") == "present";
    let makes = |change: &Json| text(change, "why") == "absent";
    match text(record, "status") {
        "unknown" => '?',
        "failed" => '!',
        "skipped" | "up_to_date" => '=',
        _ if list(record, "changes").any(makes) => '+',
        _ if list(record, "changes").any(removes) => '-',
        _ => '~',
    }
}

/// The reasons why an action does something.
fn reasons(record: &Json) -> Vec<String> {
    let mut reasons = Vec::new();
    if let Some(notified) = record.get("notified") {
        let also: Vec<&str> = list(notified, "also_by").filter_map(Json::as_str).collect();
        let also = if also.is_empty() { String::new() } else { format!(", also by {}", also.join(", ")) };
        let at = match place(notified) {
            place if place.is_empty() => place,
            place => format!(" at {place}"),
        };
        reasons.push(format!("notified by {}{at} ({}){also}", text(notified, "by"), text(notified, "timing")));
    }
    for change in list(record, "changes") {
        let subject = text(change, "subject");
        let reason = match text(change, "why") {
            "absent" => format!("{subject} is not there"),
            "present" => format!("{subject} is there"),
            "differs" => format!("{subject} differs"),
            _ => "the action does it each time".to_string(),
        };
        if !reasons.contains(&reason) && !subject.is_empty() {
            reasons.push(reason);
        }
    }
    // what is said of an assumption says whether a guard was asked
    let is_known = record.get("assumptions").is_none();
    for guard in list(record, "guards").filter_map(Json::as_str).filter(|_| is_known) {
        let held = if guard.starts_with("only_if") { "holds" } else { "does not hold" };
        reasons.push(format!("{guard} {held}"));
    }
    if let Some(guard) = record.get("guard") {
        reasons.push(format!("stopped by {}", guard.as_str().unwrap_or_default()));
    }
    reasons
}

fn attribute(found: &Json) -> String {
    let value = found.get("value").map(|value| format!(" = {value}")).unwrap_or_default();
    let by = found.get("set_by").map(|by| {
        let source = by["source"].as_str().or(by["name"].as_str()).unwrap_or_default();
        format!(" ({})", format!("{} {source}", text(found, "level")).trim_end())
    });
    format!("{}{value}{}", text(found, "attribute"), by.unwrap_or_default())
}

/// The aspects of a change that get another value, or all if none does.
fn changed_aspects(change: &Json) -> impl Iterator<Item = String> {
    let differs = |aspect: &Json| aspect["from"] != aspect["to"];
    let all = !list(change, "aspects").any(differs);
    list(change, "aspects").filter(move |aspect| all || differs(aspect)).map(shown_aspect)
}

fn summary(plan: &Json) -> String {
    let totals = &plan["summary"];
    let count = |key: &str| totals[key].as_u64().unwrap_or(0);
    let mut parts = vec![format!("{} of {} actions change something", count("changes"), count("actions"))];
    if count("resting_on_assumptions") > 0 {
        let rests = count("resting_on_assumptions");
        parts.push(format!("{rests} of them {} on assumptions", if rests == 1 { "rests" } else { "rest" }));
    }
    parts.push(format!("{} up to date", count("up_to_date")));
    for (key, words) in [("skipped", "skipped"), ("unknown", "could not be planned"), ("failed", "would fail")] {
        if count(key) > 0 {
            parts.push(format!("{} {words}", count(key)));
        }
    }
    parts.push(match count("assumptions") {
        0 => "no assumption".to_string(),
        several => counted(several as usize, "assumption"),
    });
    format!("Plan: {}.", parts.join(", "))
}

/// The error that ends the run; only its first line if an action has shown all of it.
fn failure(plan: &Json, error: &Json) -> String {
    let message = text(error, "message");
    let is_shown = list(plan, "actions").any(|record| {
        let known = text(&record["error"], "message");
        !known.is_empty() && message.ends_with(known)
    });
    let message = if is_shown { message.lines().next().unwrap_or_default() } else { message };
    format!("{}: {message}", text(error, "class"))
}

pub fn plain(plan: &Json) -> String {
    let mut out = String::new();
    let mut policy = String::new();
    for record in list(plan, "actions").filter(|record| is_shown(record)) {
        if text(record, "policy") != policy {
            policy = text(record, "policy").to_string();
            let _ = writeln!(out, "policy {policy}");
        }
        let indent = "  ".repeat(1 + record["nesting"].as_u64().unwrap_or(0) as usize);
        let _ = writeln!(
            out,
            "{indent}{} {} :{}   {}",
            sign(record),
            text(record, "resource"),
            text(record, "action"),
            place(record)
        );
        let inner = format!("{indent}    ");
        for change in list(record, "changes") {
            let aspects: Vec<String> = changed_aspects(change).collect();
            if !aspects.is_empty() {
                let _ = writeln!(out, "{inner}{}", aspects.join(", "));
            }
            for command in list(change, "commands").filter_map(Json::as_str) {
                let _ = writeln!(out, "{inner}$ {}", command.replace('\n', &format!("\n{inner}  ")));
            }
        }
        if record.get("changes").is_none() {
            for step in list(record, "steps").filter_map(Json::as_str) {
                let _ = writeln!(out, "{inner}{step}");
            }
        }
        for line in list(record, "diff").filter_map(Json::as_str) {
            let _ = writeln!(out, "{inner}| {line}");
        }
        let reasons = reasons(record);
        if !reasons.is_empty() {
            let _ = writeln!(out, "{inner}why: {}", reasons.join("; "));
        }
        for found in list(record, "attributes") {
            let _ = writeln!(out, "{inner}by: {}", attribute(found));
        }
        if let Some(error) = record.get("error") {
            let message = text(error, "message").replace('\n', &format!("\n{inner}  "));
            let _ = writeln!(out, "{inner}error: {}: {message}", text(error, "class"));
        }
        let rests: Vec<String> = list(record, "rests_on").map(|id| format!("[{id}]")).collect();
        if !rests.is_empty() {
            let noun = if rests.len() == 1 { "assumption" } else { "assumptions" };
            let _ = writeln!(out, "{inner}rests on {noun} {}", rests.join(" "));
        }
    }
    if plan["summary"]["assumptions"].as_u64().unwrap_or(0) > 0 {
        out.push_str("\nAssumptions:\n");
        for found in list(plan, "assumptions") {
            let at = found["resource"].as_str().unwrap_or("the compile");
            let _ = writeln!(out, "  [{}] {at}: {}", found["id"], text(found, "text"));
        }
    }
    if let Some(error) = plan.get("error") {
        let _ = writeln!(out, "\nThe run would fail: {}", failure(plan, error));
    }
    let _ = writeln!(out, "\n{}", summary(plan));
    out
}

pub fn markdown(plan: &Json) -> String {
    let mut out = format!("## Plan for `{}`\n\n{}\n", text(plan, "node"), summary(plan));
    let shown: Vec<&Json> = list(plan, "actions").filter(|record| is_shown(record)).collect();
    if !shown.is_empty() {
        out.push_str("\n| | resource | action | change | why | declared at | assumptions |\n|--|--|--|--|--|--|--|\n");
    }
    let cell = |text: String| text.replace('|', "\\|").replace('\n', " ");
    for record in &shown {
        let changes: Vec<String> = list(record, "changes")
            .flat_map(|change| {
                let commands = list(change, "commands").filter_map(Json::as_str).map(|command| format!("`{command}`"));
                changed_aspects(change).chain(commands).collect::<Vec<_>>()
            })
            .collect();
        let rests: Vec<String> = list(record, "rests_on").map(ToString::to_string).collect();
        let row = [
            sign(record).to_string(),
            format!("`{}`", text(record, "resource")),
            text(record, "action").to_string(),
            changes.join("<br>"),
            reasons(record).join("<br>"),
            place(record),
            rests.join(", "),
        ];
        let _ = writeln!(out, "| {} |", row.map(cell).join(" | "));
    }
    for record in shown.iter().filter(|record| record.get("diff").is_some()) {
        let diff: Vec<&str> = list(record, "diff").filter_map(Json::as_str).collect();
        let _ = writeln!(
            out,
            "\n<details><summary>{}</summary>\n\n````diff\n{}\n````\n</details>",
            text(record, "resource"),
            diff.join("\n")
        );
    }
    if list(plan, "assumptions").next().is_some() {
        out.push_str("\n### Assumptions\n\n");
        for found in list(plan, "assumptions") {
            let at = found["resource"].as_str().unwrap_or("the compile");
            let _ = writeln!(out, "{}. `{at}`: {}", found["id"], text(found, "text"));
        }
    }
    if let Some(error) = plan.get("error") {
        let _ = writeln!(out, "\n**The run would fail:** {}", failure(plan, error));
    }
    out
}
