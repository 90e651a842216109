//! What nobody answered in a compile, and which of it a failure depends on.

use super::finding::{Asked, Finding};
use super::foreign::only_there;
use super::judge::Case;
use super::linked::{Needs, in_one_method};
use super::words::place;
use crate::check::options::Weight;
use rchef_model::code::Code;
use serde_json::Value as Json;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A line of a file of a cookbook.
type Place = (String, usize);

/// Something that the compile had to assume.
struct Unanswered {
    kind: &'static str,
    subject: String,
    source: String,
    /// The line that asks, and those of the calls that led there.
    places: Vec<Place>,
    words: String,
}

/// Environment variables that are no assumption: a simulated node has them, or code reads them all.
const GIVEN: &[&str] = &[
    "HOME",
    "LANG",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TZ",
    "USER",
    "*",
    "PATHEXT",
    "TMPDIR",
    // the libraries of HTTP read them
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
];
/// A question this many lines above a failure may still be its cause.
const NEAR: usize = 60;

/// The place of a frame of a backtrace.
fn place_in(frame: &str) -> Option<Place> {
    place(frame).map(|(file, line)| (file.to_string(), line))
}

/// All assumptions of a compile, in order.
fn unanswered(dump: &Json) -> Vec<Unanswered> {
    let mut all = Vec::new();
    let text = |entry: &Json, key: &str| entry[key].as_str().unwrap_or_default().to_string();
    let mut add = |kind, subject: String, source: String, callers: &Json, words| {
        let callers = callers.as_array().into_iter().flatten().filter_map(Json::as_str);
        let places = std::iter::once(source.as_str()).chain(callers).filter_map(place_in).collect();
        all.push(Unanswered { kind, subject, source, places, words });
    };
    let told = ["effects", "reads"].into_iter().flat_map(|key| {
        let entries = dump[key].as_array().into_iter().flatten().enumerate();
        entries.map(move |(at, entry)| (entry, &dump["callers"][key][at]))
    });
    for (entry, callers) in told {
        let (kind, subject, detail) = (text(entry, "kind"), text(entry, "subject"), text(entry, "detail"));
        let (kind, words) = match (kind.as_str(), detail.as_str()) {
            ("command", "not run") => ("command", format!("the command `{subject}` prints nothing and succeeds")),
            ("network", "refused") => ("network", format!("{subject} cannot be reached")),
            ("read_file", "absent") => ("file", format!("the file {subject} is not there")),
            ("read_stat" | "read_dir" | "read_link", "absent") => ("path", format!("the file {subject} is not there")),
            ("read_user" | "read_group", _) if subject == "*" => {
                ("accounts", "the machine has only the users and groups of every system".to_string())
            }
            ("read_user", "absent") => ("user", format!("there is no user {subject}")),
            ("read_group", "absent") => ("group", format!("there is no group {subject}")),
            ("read_package", "absent" | "candidate") => ("package", format!("the package {subject} is not installed")),
            ("read_env", _) if !GIVEN.contains(&subject.as_str()) => {
                ("env", format!("the environment variable {subject} is not set"))
            }
            _ => continue,
        };
        add(kind, subject, text(entry, "source"), callers, words);
    }
    for entry in dump["asked"].as_array().into_iter().flatten().filter(|entry| entry["found"] == 0) {
        let (kind, subject) = (text(entry, "kind"), text(entry, "subject"));
        let (kind, words) = match kind.as_str() {
            "search" => ("search", format!("the search {subject} finds nothing")),
            "data_bag" => ("data_bag", format!("there is no data bag {subject}")),
            _ => ("data_bag_item", format!("there is no data bag item {}", subject.replace(' ', "/"))),
        };
        add(kind, subject, text(entry, "source"), &entry["callers"], words);
    }
    all
}

impl Unanswered {
    fn asked(&self) -> Asked {
        Asked { kind: self.kind.to_string(), subject: self.subject.clone(), source: self.source.clone() }
    }

    /// Whether a run asks it for an answer that only the machine or the server has; files, users and packages are looked at in passing, too.
    fn is_command(&self) -> bool {
        matches!(self.kind, "command" | "network" | "search" | "data_bag" | "data_bag_item")
    }
}

/// Makes a failure one that depends on something that was not answered, where it does.
pub fn excuse(case: &Case<'_>, error: &Json, finding: &mut Finding) -> bool {
    let there = only_there(case, &error["about"]).map(|words| (words, None));
    let found = match error["about"]["kind"].as_str() {
        _ if there.is_some() => there.clone(),
        Some("library") => awaited_gem(case.dump, &error["about"]).map(|words| (words, None)),
        _ => match (error["about"]["kind"].as_str(), error["about"]["name"].as_str()) {
            (Some("simulated"), Some(what)) => {
                Some((format!("a run does what a simulated machine does not: {what}"), None))
            }
            _ => assumption_of(case, error, &finding.source),
        },
    };
    let Some((assumed, asked)) = found else { return false };
    finding.weight = Weight::Assumption;
    finding.assumed = Some(assumed);
    if there.is_some() {
        finding.todo = Some("nothing here can answer it: rchef converges Linux only, keep Chef for this node".into());
    } else if error["about"]["kind"] == "library" {
        finding.todo =
            Some("give the folder of the gem with --gem-path, or put it into vendor/gems of the repository".into());
    } else if asked.as_ref().is_some_and(|asked| asked.kind == "network") {
        finding.todo = Some("let the check reach the network with --allow-network: --stub has no answer for it".into());
    }
    finding.asked = asked;
    true
}

/// The gem that `require` did not find and that a `chef_gem` before it, or the metadata of a cookbook, installs in a run, with the line that declares it.
fn awaited_gem(dump: &Json, about: &Json) -> Option<String> {
    let feature = about["name"].as_str().filter(|_| about["kind"] == "library")?;
    let (file, first) = (feature.replace('/', "-"), feature.split('/').next().unwrap_or(feature));
    let mut records = Vec::new();
    gem_resources(&dump["resources"], &mut records);
    let declared = records.into_iter().filter_map(|record| {
        let name = record["properties"]["package_name"].as_str().or(record["name"].as_str())?;
        Some((name, record["source"].as_str().unwrap_or_default(), "chef_gem installs it in a run"))
    });
    let listed = dump["gems"].as_array().into_iter().flatten();
    let listed = listed.filter_map(|one| {
        Some((one["name"].as_str()?, one["source"].as_str().unwrap_or_default(), "a run installs it"))
    });
    declared
        .chain(listed)
        .find(|(name, ..)| {
            let begins = file.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'));
            file == *name || begins || words_of(first).all(|word| words_of(name).any(|other| other == word))
        })
        .map(|(name, place, how)| {
            let place = if place.is_empty() { String::new() } else { format!(", {place}") };
            format!("the gem {name} is not here ({how}{place}): --gem-path FOLDER says where it is")
        })
}

/// The words of a gem's or library's name, in small letters: the gem `ruby-dbus` has the library `dbus`.
pub fn words_of(name: &str) -> impl Iterator<Item = String> {
    name.split(['-', '_']).map(str::to_lowercase)
}

/// The chef_gems of a list of resources, and of what their actions declare.
fn gem_resources<'d>(list: &'d Json, found: &mut Vec<&'d Json>) {
    for record in list.as_array().into_iter().flatten() {
        if record["type"] == "chef_gem" {
            found.push(record);
        }
        for child in record["children"].as_array().into_iter().flatten() {
            gem_resources(&child["resources"], found);
            gem_resources(&child["on_change"], found);
        }
    }
}

/// Whether no answer can change a failure: it is of the code itself.
fn is_certain(class: &str, about: &Json) -> bool {
    let by_class = [
        "LoadError",
        "SyntaxError",
        "CookbookNotFound",
        "RecipeNotFound",
        "RoleNotFound",
        "NotImplementedError",
        "MergingError",
    ];
    let by_kind = [
        "limit", "syntax", "library", "cookbook", "recipe", "metadata", "run_list", "constant", "property", "versions",
        "twice", "locked", "unlocked", "roles",
    ];
    let kind = about["kind"].as_str().unwrap_or_default();
    // an unknown name depends on no assumption, unless the receiver is nil
    let unknown = matches!(kind, "method" | "variable") && about["receiver"] != "NilClass";
    unknown || by_kind.contains(&kind) || by_class.iter().any(|name| class.ends_with(name))
}

/// Whether such an exception says that something of the machine is not there.
fn is_of_machine(class: &str) -> bool {
    class.starts_with("Errno::")
        || class.ends_with("ShellCommandFailed")
        || class.contains("SocketError")
        || class.contains("Timeout")
        || class.starts_with("OpenURI::")
        || class.starts_with("Net::")
        || matches!(
            class,
            "Chef::Exceptions::UserIDNotFound"
                | "Chef::Exceptions::GroupIDNotFound"
                | "Chef::Exceptions::Exec"
                | "Chef::Exceptions::Package"
        )
}

/// The assumption that a failure depends on, in words and as what was asked: what its message names, else the question that is nearest to a line of its
/// backtrace and that the line needs.
fn assumption_of(case: &Case<'_>, error: &Json, source: &str) -> Option<(String, Option<Asked>)> {
    let message = error["message"].as_str().unwrap_or_default();
    let class = error["class"].as_str().unwrap_or_default();
    if is_certain(class, &error["about"]) {
        return None;
    }
    let all = unanswered(case.dump);
    let mut frames: Vec<Place> =
        error["backtrace"].as_array().into_iter().flatten().filter_map(Json::as_str).filter_map(place_in).collect();
    frames.extend(place_in(source));
    let named = all.iter().rev().find(|one| one.subject.len() > 2 && names(message, &one.subject));
    let found = named.or_else(|| nearest(case, &all, &frames));
    let found = found.map(|one| (one.words.clone(), Some(one.asked())));
    let bare = || (format!("the machine is bare: {}", message.lines().next().unwrap_or(class)), None);
    found.or_else(|| is_of_machine(class).then(bare))
}

/// Whether a message has a subject as a whole: `gone` is not in `gone2`, nor `/etc/a` in `/etc/a.conf`.
fn names(message: &str, subject: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || "_-/".contains(letter);
    message.match_indices(subject).any(|(at, _)| {
        let (before, mut after) = (&message[..at], message[at + subject.len()..].chars());
        let next = after.next();
        // a dot ends a sentence, or goes on with a file's ending
        let goes_on = next.is_some_and(is_part) || next == Some('.') && after.next().is_some_and(is_part);
        !before.ends_with(|letter| is_part(letter) || letter == '.') && !goes_on
    })
}

/// The question that a failure at these places, the innermost first, most likely depends on.
fn nearest<'u>(case: &Case<'_>, all: &'u [Unanswered], frames: &[Place]) -> Option<&'u Unanswered> {
    let mut files: BTreeMap<&str, Option<Vec<String>>> = BTreeMap::new();
    for (file, _) in frames.iter().chain(all.iter().flat_map(|one| &one.places)) {
        files.entry(file).or_insert_with(|| (case.text)(file));
    }
    let text = |file: &str| files.get(file).and_then(Option::as_ref);
    let needs: Vec<Option<Needs>> = frames.iter().map(|(file, line)| Some(Needs::of(text(file)?, *line))).collect();
    // how far a question is from a frame: the distance in lines, that of the frame, and whether it is a command
    let distance = |one: &Unanswered| -> Option<(usize, usize)> {
        let of_frame = |(depth, (file, line)): (usize, &Place)| {
            let near = one.places.iter().filter_map(|(asked, at)| {
                let lines = line.checked_sub(*at).filter(|lines| asked == file && *lines < NEAR)?;
                let linked = match (text(file), &needs[depth]) {
                    (Some(text), Some(needs)) => {
                        lines == 0 || in_one_method(text, *at, *line) && needs.lines.contains(at)
                    }
                    _ => true,
                };
                linked.then_some(lines)
            });
            Some((near.min()? + 3 * depth, depth))
        };
        frames.iter().enumerate().filter_map(of_frame).min()
    };
    let close = all.iter().enumerate().filter_map(|(at, one)| {
        let (lines, depth) = distance(one)?;
        Some(((lines + if one.is_command() { 0 } else { 4 }, depth, Reverse(at)), one))
    });
    let close = close.min_by_key(|(key, _)| *key).map(|(_, one)| one);
    close.or_else(|| {
        // asked elsewhere: in a method that the failing lines name, or where an attribute is set that they read
        all.iter().rev().find(|one| {
            one.places.iter().any(|(asked, at)| {
                let Some(lines) = text(asked) else { return false };
                frames
                    .iter()
                    .zip(&needs)
                    .any(|((file, _), needs)| needs.as_ref().is_some_and(|needs| needs.has(lines, *at, file == asked)))
            })
        })
    })
}

/// Adds assumptions about commands, searches and data bags as findings.
pub fn listed(dump: &Json) -> impl Iterator<Item = Finding> {
    let all = unanswered(dump).into_iter().filter(|one| one.is_command() && one.kind != "network");
    all.map(|one| {
        let assumed = Some(one.words.clone());
        let message = format!("assumed: {}", one.words);
        let finding = Finding::error(Code::Assumed, one.source.clone(), message);
        Finding { weight: Weight::Assumption, assumed, asked: Some(one.asked()), ..finding }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn subjects_in_messages() {
        for (message, subject, is) in [
            ("No such file or directory @ rb_sysopen - /etc/a", "/etc/a", true),
            ("cannot read /etc/a.", "/etc/a", true),
            ("cannot read /etc/a.conf", "/etc/a", false),
            ("cannot read /srv/etc/a", "/etc/a", false),
            ("no group 'vgs'", "vgs", true),
            ("no vgs2, no my-vgs", "vgs", false),
        ] {
            assert_eq!(super::names(message, subject), is, "{message}");
        }
    }

    #[test]
    fn gems_that_a_run_installs() {
        let gem = |name: &str| json!({"type": "chef_gem", "name": name, "source": "a/recipes/default.rb:1"});
        let dump = json!({"resources": [{"type": "package", "name": "x"}, gem("mixlib-install"), gem("aws-sdk")]});
        for (file, found) in [
            (
                "mixlib/install",
                Some("the gem mixlib-install is not here (chef_gem installs it in a run, a/recipes/default.rb:1)"),
            ),
            ("aws-sdk-core", Some("the gem aws-sdk is not here")),
            ("install/x", Some("the gem mixlib-install is not here")),
            ("aws-sdkx", None),
            ("x", None),
        ] {
            let assumed = super::awaited_gem(&dump, &json!({"kind": "library", "name": file}));
            assert_eq!(assumed.is_some(), found.is_some(), "{file}");
            assert!(assumed.unwrap_or_default().starts_with(found.unwrap_or_default()), "{file}");
        }
    }
}
