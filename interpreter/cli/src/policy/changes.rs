//! `rchef policy diff`: compares two locks section by section, in chef-cli's format.

use super::Work;
use crate::diagnostic;
use rchef_change::diff::unified;
use rchef_host::CommandSpec;
use rchef_model::policyfile as rules;
use rchef_recipe::policyfile::{Failure, Storage, read_lock};
use serde_json::Value as Json;
use std::fmt::Write as _;

/// A lock with its label.
struct Side {
    name: String,
    lock: Json,
}

fn refused<T>(text: String) -> Result<T, Failure> {
    Err(Failure::Refused(text))
}

/// Prints the differences.
pub(super) fn run(work: &Work, given: &[String], git: Option<&str>, head: bool) -> Result<(), Failure> {
    let (old, new) = sides(work, given, if head { Some("HEAD") } else { git })?;
    match report(&old, &new) {
        Some(report) => {
            diagnostic::print(&report);
        }
        None => {
            let name = old.lock["name"].as_str().unwrap_or_default();
            let text = format!("No changes for policy lock '{name}' between '{}' and '{}'\n", old.name, new.name);
            diagnostic::complain(&text);
        }
    }
    Ok(())
}

fn sides(work: &Work, given: &[String], git: Option<&str>) -> Result<(Side, Side), Failure> {
    let read = |path: &String| -> Result<Side, Failure> {
        let storage = work.storage(Some(path))?;
        Ok(Side { name: path.clone(), lock: read_lock(&*work.real, &storage.lock).map_err(Failure::Refused)? })
    };
    if let ([old, new], None) = (given, git)
        && old.ends_with(".lock.json")
        && new.ends_with(".lock.json")
    {
        return Ok((read(old)?, read(new)?));
    }
    let is_file = |word: &String| word.ends_with(".rb") || word.ends_with(".lock.json");
    let (files, groups): (Vec<&String>, Vec<&String>) = given.iter().partition(|word| is_file(word));
    if files.len() > 1 {
        let files: Vec<&str> = files.iter().map(|file| file.as_str()).collect();
        return refused(format!(
            "Only one file can be compared with a git revision or a policy group (given: {}); two locks are compared without either",
            files.join(", ")
        ));
    }
    let given = files.first().map_or("Policyfile.rb", |file| file.as_str());
    let storage = work.storage(Some(given))?;
    let shown = given.strip_suffix(".rb").map_or_else(|| given.to_string(), |stem| format!("{stem}.lock.json"));
    let local = || -> Result<Side, Failure> { Ok(Side { name: format!("local:{shown}"), lock: work.lock(&storage)? }) };
    let hint = "hint: rchef policy diff --help";
    match (git, groups.as_slice()) {
        (Some(revisions), []) => match two(revisions, "git comparison")? {
            (old, Some(new)) => Ok((of_git(work, &storage, old)?, of_git(work, &storage, new)?)),
            (old, None) => Ok((of_git(work, &storage, old)?, local()?)),
        },
        (None, [groups]) => {
            let name = work.lock(&storage).ok().and_then(|lock| lock["name"].as_str().map(str::to_string));
            let stem = file_name(&storage.lock).trim_end_matches(".lock.json").to_string();
            let policy = name.unwrap_or(stem);
            match two(groups, "policy group comparison")? {
                (old, Some(new)) => Ok((of_group(work, &policy, old)?, of_group(work, &policy, new)?)),
                (old, None) => Ok((of_group(work, &policy, old)?, local()?)),
            }
        }
        (Some(_), _) => refused(format!(
            "Conflicting arguments and options: git and Policy Group comparisons cannot be mixed\n{hint}"
        )),
        _ => refused(format!(
            "No comparison specified: diff compares a lock with a git revision (--git REF, --head) or a policy group, or two locks\n{hint}"
        )),
    }
}

/// Splits `A...B`, or gives a single reference.
fn two<'a>(words: &'a str, what: &str) -> Result<(&'a str, Option<&'a str>), Failure> {
    match words.split("...").collect::<Vec<_>>().as_slice() {
        found if found.contains(&"") => refused(format!("Unable to parse {what} `{words}`. A reference is empty.")),
        [old] => Ok((old, None)),
        [old, new] => Ok((old, Some(new))),
        _ => refused(format!("Unable to parse {what} `{words}`. Only 2 references can be specified.")),
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// The lock in a git revision.
fn of_git(work: &Work, storage: &Storage, revision: &str) -> Result<Side, Failure> {
    if revision.starts_with('-') {
        return refused(format!("{revision} is no git revision"));
    }
    let name = format!("git:{revision}");
    let object = format!("{revision}:./{}", file_name(&storage.lock));
    let mut spec = CommandSpec::argv(["git", "show", &object]).captured();
    spec.cwd = Some(storage.folder.as_bytes().to_vec());
    let done = rchef_host::processes::run(&*work.real, &spec);
    let done = done.map_err(|error| Failure::Refused(format!("git cannot be run: {}", error.message())))?;
    if !done.status.success() {
        return refused(format!(
            "Git command `git show {object}` failed with message: {}",
            String::from_utf8_lossy(&done.stderr).trim_end()
        ));
    }
    match serde_json::from_slice(&done.stdout) {
        Ok(lock) => Ok(Side { name, lock }),
        Err(error) => refused(format!("Invalid JSON in lockfile at git ref '{revision}': {error}")),
    }
}

/// The lock that a policy group of the chef-repo names.
fn of_group(work: &Work, policy: &str, group: &str) -> Result<Side, Failure> {
    let repository = crate::input::repository::find(&*work.real, &work.cwd).unwrap_or_else(|| work.cwd.clone());
    let path = format!("{repository}/policy_groups/{group}.json");
    let bytes = rchef_host::compose::read_file(&*work.real, path.as_bytes())
        .map_err(|error| Failure::Refused(format!("policy group {group}: {path}: {}", error.message())))?;
    let json: Json = serde_json::from_slice(&bytes)
        .map_err(|error| Failure::Refused(format!("policy group {group}: {path} is not JSON: {error}")))?;
    let Some(revision) = json["policies"][policy]["revision_id"].as_str() else {
        return refused(format!("No Policyfile lock named '{policy}' found in policy_group '{group}' ({path})"));
    };
    let path = format!("{repository}/policies/{policy}-{revision}.json");
    Ok(Side { name: format!("policy_group:{group}"), lock: read_lock(&*work.real, &path).map_err(Failure::Refused)? })
}

/// The differences in chef-cli's format; None if there are none.
fn report(old: &Side, new: &Side) -> Option<String> {
    let name = old.lock["name"].as_str().unwrap_or_default();
    let sections =
        ["revision_id", "run_list", "named_run_lists", "cookbook_locks", "default_attributes", "override_attributes"];
    let differs = |key: &str| old.lock[key] != new.lock[key];
    if !sections.into_iter().any(differs) {
        return None;
    }
    let mut out = format!("Policy lock '{name}' differs between '{}' and '{}':\n\n", old.name, new.name);
    let text = |value: &Json| value.as_str().unwrap_or_default().to_string();
    heading(&mut out, "REVISION ID CHANGED", '=');
    lines(&mut out, &[text(&old.lock["revision_id"])], &[text(&new.lock["revision_id"])]);
    let list = |value: &Json| value.as_array().into_iter().flatten().map(&text).collect::<Vec<_>>();
    if differs("run_list") {
        heading(&mut out, "RUN LIST CHANGED", '=');
        lines(&mut out, &list(&old.lock["run_list"]), &list(&new.lock["run_list"]));
    }
    if differs("named_run_lists") {
        heading(&mut out, "NAMED RUN LISTS CHANGED", '=');
        lines(&mut out, &json_lines(&old.lock["named_run_lists"]), &json_lines(&new.lock["named_run_lists"]));
    }
    cookbooks(&mut out, &old.lock["cookbook_locks"], &new.lock["cookbook_locks"]);
    for (key, title) in
        [("default_attributes", "DEFAULT ATTRIBUTES CHANGED"), ("override_attributes", "OVERRIDE ATTRIBUTES CHANGED")]
    {
        if differs(key) {
            heading(&mut out, title, '=');
            lines(&mut out, &json_lines(&old.lock[key]), &json_lines(&new.lock[key]));
        }
    }
    Some(out)
}

fn cookbooks(out: &mut String, old: &Json, new: &Json) {
    let names = |locks: &Json| locks.as_object().map(|map| map.keys().cloned().collect::<Vec<_>>()).unwrap_or_default();
    let (before, after) = (names(old), names(new));
    let added = after.iter().filter(|name| !before.contains(name));
    let removed = before.iter().filter(|name| !after.contains(name));
    let modified = before.iter().filter(|name| after.contains(name) && old[name.as_str()] != new[name.as_str()]);
    let groups: [(&str, Vec<&String>); 3] = [
        ("ADDED COOKBOOKS", added.collect()),
        ("REMOVED COOKBOOKS", removed.collect()),
        ("MODIFIED COOKBOOKS", modified.collect()),
    ];
    for (title, names) in groups.into_iter().filter(|(_, names)| !names.is_empty()) {
        heading(out, title, '=');
        for name in names {
            out.push('\n');
            heading(out, name, '-');
            let of = |locks: &Json| locks.get(name.as_str()).map(json_lines).unwrap_or_default();
            lines(out, &of(old), &of(new));
        }
    }
}

fn heading(out: &mut String, text: &str, under: char) {
    let line: String = std::iter::repeat_n(under, text.chars().count()).collect();
    let _ = writeln!(out, "{text}\n{line}");
}

fn json_lines(value: &Json) -> Vec<String> {
    rules::pretty(value).lines().map(str::to_string).collect()
}

fn lines(out: &mut String, old: &[String], new: &[String]) {
    let join = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let (old, new) = (join(old), join(new));
    let _ = write!(out, "\n{}\n", unified(&old, &new, None));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn side(name: &str, lock: Json) -> Side {
        Side { name: name.into(), lock }
    }

    #[test]
    fn nothing_changed() {
        let lock = json!({ "name": "app", "revision_id": "1", "cookbook_locks": {} });
        assert_eq!(report(&side("git:HEAD", lock.clone()), &side("local:x.lock.json", lock)), None);
    }

    #[test]
    fn sections_that_differ() {
        let old = json!({ "name": "app", "revision_id": "1", "run_list": ["recipe[a::default]"], "cookbook_locks": { "a": { "version": "1.0.0" }, "gone": {} } });
        let new = json!({ "name": "app", "revision_id": "2", "run_list": ["recipe[a::default]", "recipe[b::default]"], "cookbook_locks": { "a": { "version": "1.1.0" }, "b": {} } });
        let text = report(&side("old", old), &side("new", new)).unwrap_or_default();
        assert!(text.contains("REVISION ID CHANGED\n===================\n\n@@ -1 +1 @@\n-1\n+2\n\n"), "{text}");
        assert!(text.contains("RUN LIST CHANGED\n================\n"), "{text}");
        for title in ["ADDED COOKBOOKS", "REMOVED COOKBOOKS", "MODIFIED COOKBOOKS"] {
            assert!(text.contains(title), "{text}");
        }
        assert!(text.contains("-  \"version\": \"1.0.0\"\n+  \"version\": \"1.1.0\"\n"), "{text}");
    }
}
