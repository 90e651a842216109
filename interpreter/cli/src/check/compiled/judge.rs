//! Turns the dump of a compile into findings.
//!
//! A resource needs its provider, template or file only if guards and `action :nothing` let it act. A failure caused by something that the compile had to assume
//! (the answer of a command, a search, a data bag, a file, a user, the network) depends on that assumption ([`super::assumed`]); it is not told as an error. After
//! a failed compile nothing is said of what was not reached. What an exception is about is data of the dump (`about`): its message is told, not read.

use super::absent::absent;
use super::assumed;
use super::finding::Finding;
use super::foreign::{of_linux, of_other_path, of_other_systems};
use super::nameless;
use super::unreached::{self, Broken};
use super::words::{self, has_name, lacked, missing_of, place, place_of, said};
use crate::check::options::Weight;
use rchef_model::code::Code;
use serde_json::Value as Json;
use std::collections::BTreeSet;

/// Rules whose advice is the same for any failure, so that the hint of the exception says more.
const HINTED: &[Code] = &[
    Code::CompileFailed,
    Code::MissingCookbook,
    Code::MissingRecipe,
    Code::NotificationUnresolved,
    Code::UnresolvedRequire,
];

/// The input for judging a compile.
pub struct Case<'a> {
    pub dump: &'a Json,
    /// The lines of a file of a cookbook.
    pub text: &'a dyn Fn(&str) -> Option<Vec<String>>,
    /// The cookbook whose library defines a method, of those that the run did not load, and the library's file.
    pub library: &'a dyn Fn(&str) -> Option<(String, String)>,
    /// The node's facts; None if they are this machine's, which are complete.
    pub facts: &'a dyn Fn() -> Option<&'a Json>,
}

impl Case<'_> {
    /// The line of a source.
    fn line(&self, source: &str) -> Option<String> {
        let (file, line) = place(source)?;
        (self.text)(file)?.into_iter().nth(line.checked_sub(1)?)
    }
}

/// The findings of a compile, failures first.
pub fn judge(case: &Case<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    let failed = case.dump["status"] == "failed";
    let missing = case.dump["missing_cookbooks"].as_array().map(Vec::as_slice).unwrap_or_default();
    found.extend(missing.iter().map(|one| {
        let text = |key: &str| one[key].as_str().unwrap_or_default().to_string();
        let (subject, missing) = (Some(text("name")), vec![text("name")]);
        Finding { subject, missing, ..Finding::error(Code::MissingCookbook, text("source"), text("text")) }
    }));
    if failed {
        let error = &case.dump["error"];
        let mut failure = failure(case, error, "", &[]);
        let lacks = may_lack(&failure, &error["about"]);
        let cause = lacks.then(|| of_missing(case, &found, &error["about"], &failure)).flatten();
        if lacks && cause.is_none() && failure.todo.is_none() {
            failure.todo = of_several(&found, &error["about"]);
        }
        if HINTED.contains(&failure.rule) && failure.weight == Weight::Error && failure.todo.is_none() {
            failure.todo = case.dump["hint"].as_str().filter(|hint| !hint.is_empty()).map(str::to_string);
        }
        let told = failure.rule == Code::MissingCookbook && found.iter().any(|one| one.missing == failure.missing);
        match cause.and_then(|at| found.get_mut(at)) {
            _ if told => {}
            // what a missing cookbook brings is not there
            Some(cause) => cause.hang(&failure),
            None => found.push(failure),
        }
    }
    let acting = Acting::of(case.dump);
    let mut broken: Vec<Broken> = Vec::new();
    let mut walk = Walk { case, acting: &acting, found: &mut found, broken: &mut broken, missing: Vec::new() };
    walk.list(&case.dump["resources"], Above::default());
    let missing = std::mem::take(&mut walk.missing);
    providers(case, missing, &mut found);
    lints(case, failed, &broken, &mut found);
    found.extend(assumed::listed(case.dump));
    found.iter_mut().for_each(words::without_marks);
    found
}

/// Whether a failure may come of a cookbook that is missing: of its resources, methods, libraries, attributes.
fn may_lack(failure: &Finding, about: &Json) -> bool {
    let names = ["method", "variable", "constant", "resource", "library", "property", "target"];
    failure.weight == Weight::Error
        && (failure.rule == Code::AttributeMissing || about["kind"].as_str().is_some_and(|kind| names.contains(&kind)))
}

/// The finding of the missing cookbook that a failure comes of, by place: of the one whose name begins what is not there, else of the only one, unless a
/// cookbook that is there has a resource of the name.
fn of_missing(case: &Case<'_>, found: &[Finding], about: &Json, failure: &Finding) -> Option<usize> {
    let attribute = failure.missing.first().filter(|_| failure.rule == Code::AttributeMissing);
    let name = attribute.map(String::as_str).or(about["name"].as_str()).unwrap_or_default();
    let missing = || found.iter().enumerate().filter(|(_, one)| one.rule == Code::MissingCookbook);
    let begins = |(_, one): &(usize, &Finding)| {
        let own = one.missing.first().map(|cookbook| cookbook.replace('-', "_")).unwrap_or_default();
        let rest = name.replace('-', "_").strip_prefix(&own).map(str::to_string);
        !own.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    };
    let longest = missing().filter(begins).max_by_key(|(_, one)| one.missing.first().map_or(0, String::len));
    let names: BTreeSet<&String> = missing().flat_map(|(_, one)| &one.missing).collect();
    let only = || missing().next().filter(|_| names.len() == 1 && nameless::resource(case, about).is_none());
    longest.or_else(only).map(|(at, _)| at)
}

/// What to do about a failure that may come of any of several missing cookbooks.
fn of_several(found: &[Finding], about: &Json) -> Option<String> {
    /// Maximum number of names shown.
    const NAMES: usize = 5;
    // the value is the problem, not what is called on it
    if about["receiver"] == "NilClass" {
        return None;
    }
    let missing = found.iter().filter(|one| one.rule == Code::MissingCookbook);
    let names: BTreeSet<&str> = missing.flat_map(|one| &one.missing).map(String::as_str).collect();
    let all: Vec<&str> = names.iter().copied().take(NAMES).collect();
    let more = names.len().checked_sub(NAMES).filter(|more| *more > 0).map(|more| format!(" and {more} more"));
    (names.len() > 1).then(|| {
        format!(
            "a cookbook that is missing may bring it ({}{}); if not, check the spelling",
            all.join(", "),
            more.unwrap_or_default()
        )
    })
}

/// Ids of resources that receive notifications.
struct Acting {
    notified: BTreeSet<String>,
}

impl Acting {
    fn of(dump: &Json) -> Self {
        let edges = dump["notifications"].as_array().into_iter().flatten();
        let notified = edges.filter_map(|edge| edge["to_id"].as_str()).map(str::to_string).collect();
        Self { notified }
    }

    /// Whether a resource may act at all.
    fn acts(&self, record: &Json) -> bool {
        if record["stopped_by_guard"] == true {
            return false;
        }
        let actions = record["action"].as_array();
        let idle = actions.is_some_and(|list| list.iter().all(|action| action == "nothing"));
        !idle || record["id"].as_str().is_some_and(|id| self.notified.contains(id))
    }
}

struct Walk<'w, 'a> {
    case: &'w Case<'a>,
    acting: &'w Acting,
    found: &'w mut Vec<Finding>,
    broken: &'w mut Vec<Broken>,
    /// Type, key and source of resources without a provider.
    missing: Vec<(String, String, String)>,
}

/// What a resource has of those above it.
#[derive(Clone, Copy, Default)]
struct Above {
    /// It does not act.
    idle: bool,
    /// Chef goes on after its failure.
    ignored: bool,
}

impl Above {
    /// Whether a run goes on after this failure: Chef rescues any StandardError, so not a file that cannot be required, nor the end of the run.
    fn ignores(self, error: &Json) -> bool {
        const BEYOND: &[&str] = &[
            "Exception",
            "Interrupt",
            "LoadError",
            "NoMemoryError",
            "NotImplementedError",
            "ScriptError",
            "SecurityError",
            "SignalException",
            "SyntaxError",
            "SystemExit",
            "SystemStackError",
        ];
        self.ignored && !BEYOND.contains(&error["class"].as_str().unwrap_or_default())
    }
}

impl Walk<'_, '_> {
    fn list(&mut self, list: &Json, above: Above) {
        for record in list.as_array().into_iter().flatten() {
            let own = &record["common"]["ignore_failure"];
            self.one(
                record,
                Above {
                    idle: above.idle || !self.acting.acts(record),
                    ignored: above.ignored || !own.is_null() && own != false,
                },
            );
        }
    }

    fn one(&mut self, record: &Json, above: Above) {
        let text = |key: &str| record[key].as_str().unwrap_or_default().to_string();
        let (key, source) = (text("key"), text("source"));
        if !above.idle && record["provider"].is_null() {
            self.missing.push((text("type"), key.clone(), source.clone()));
        }
        let error = &record["rendered"]["error"];
        if !above.idle && !error.is_null() && !above.ignores(error) {
            self.found.push(unrendered(self.case, error, &key, &source));
        }
        for child in record["children"].as_array().into_iter().flatten() {
            self.list(&child["resources"], above);
            self.list(&child["on_change"], above);
            let error = &child["error"];
            if !error.is_null() && !above.idle && !above.ignores(error) {
                self.failed(record, child, (&key, &source));
            }
        }
    }

    /// Tells the failure of an action, guard or lazy value of a resource, below its cause where that is known.
    fn failed(&mut self, record: &Json, child: &Json, (key, source): (&str, &str)) {
        let error = &child["error"];
        let mut found = failure(self.case, error, source, self.broken);
        let lacks = may_lack(&found, &error["about"]);
        let cause = match lacks.then(|| of_missing(self.case, self.found, &error["about"], &found)).flatten() {
            Some(at) => Some(at),
            None => unreached::cause(self.case, self.broken, error).and_then(|broken| broken.finding),
        };
        if let Some(at) = cause
            && let Some(cause) = self.found.get_mut(at)
        {
            cause.hang(&found);
            self.broken.push(Broken::new(error, Some(at)));
            return;
        }
        if lacks && found.todo.is_none() {
            found.todo = of_several(self.found, &error["about"]);
        }
        if found.rule == Code::CompileFailed && found.todo.is_none() {
            found.todo = advice(&error["about"]).map(str::to_string);
        }
        let what = match child["evaluated"].as_str() {
            Some("guard") => Some("a guard"),
            Some("lazy") => Some("a lazy value"),
            _ => None,
        };
        if let Some(what) = what {
            if found.weight == Weight::Error {
                found.rule = Code::GuardFails;
                found.weight = Weight::Warning;
            }
            found.message = format!("{what} of {key}: {}", found.message);
            self.found.push(found);
            return;
        }
        if of_other_systems(self.case, record["type"].as_str().unwrap_or_default()) && found.weight == Weight::Error {
            found.rule = Code::OtherSystem;
            found.weight = Weight::Warning;
            found.message = format!("{key} is of another operating system; {}", found.message);
        }
        let cause = self.found.iter_mut().find(|first| {
            found.rule == Code::Cascade && !first.cascades.iter().any(|told| told == key) && is_cause(first)
        });
        let mut at = None;
        match cause {
            Some(cause) => cause.cascades.push(key.to_string()),
            None => {
                at = Some(self.found.len());
                self.found.push(found);
            }
        }
        self.broken.push(Broken::new(error, at));
    }
}

/// Whether other failures may be a consequence of this one.
fn is_cause(finding: &Finding) -> bool {
    matches!(finding.weight, Weight::Error | Weight::Assumption) && finding.rule != Code::Cascade
}

/// A failure as a finding. `broken`: actions that have already failed in this run.
fn failure(case: &Case<'_>, error: &Json, place: &str, broken: &[Broken]) -> Finding {
    let of_library = without_library(error);
    let error = of_library.as_ref().unwrap_or(error);
    let text = |key: &str| error[key].as_str().unwrap_or_default().to_string();
    let (class, about) = (text("class"), &error["about"]);
    let first = said(about, &text("message"));
    let filled = |source: &String| !source.is_empty();
    let source = Some(text("location")).filter(filled).or_else(|| Some(place.to_string()).filter(filled));
    let source = source.or_else(|| place_of(about)).unwrap_or_default();
    let message = if first.is_empty() { class.clone() } else { format!("{class}: {first}") };
    let mut finding = Finding::error(rule_of(&class, about), source, message);
    finding.subject = subject(about);
    finding.missing = missing_of(about);
    if about["kind"] == "twice"
        && let Some((file, _)) = words::place(&finding.source)
    {
        let text = (case.text)(file).unwrap_or_default();
        let line = text.iter().position(|line| line.starts_with("name")).map_or(1, |at| at + 1);
        finding.source = format!("{file}:{line}");
    }
    if finding.rule == Code::NotificationUnresolved && !broken.is_empty() {
        finding.rule = Code::Cascade;
    }
    let line = case.line(&finding.source).unwrap_or_default();
    if opens_url(&class, &first) {
        finding.message = format!("open takes no URL since Ruby 3 ({})", finding.message);
        finding.todo = Some("use URI.open".into());
        return finding;
    }
    let of_nil = about["receiver"] == "NilClass";
    if of_nil && absent(case, &line, &mut finding) && finding.rule == Code::FactAbsent {
        return finding;
    }
    if assumed::excuse(case, error, &mut finding) {
        finding.rule = Code::DependsOnAssumption;
        return finding;
    }
    if let (Code::NoProvider, Some(name)) =
        (finding.rule, about["name"].as_str().filter(|name| of_other_systems(case, name)))
    {
        finding.rule = Code::OtherSystem;
        finding.message =
            format!("{name} is of another operating system, and Chef refuses it here, too ({})", finding.message);
        finding.todo = Some(
            "declare it only where the platform has it (`if windows?`, `if macos?`); a guard comes too late".into(),
        );
    }
    if finding.rule == Code::CompileFailed {
        unknown(case, about, &mut finding);
        let ends = |words: &[&'static str]| words.iter().copied().find(|word| has_name(&line, word));
        let told = match class.as_str() {
            "SystemExit" => ends(&["Chef::Application.fatal!", "exit", "exit!", "abort"]),
            _ => ends(&["raise", "fail"]).map(|_| first.as_str()),
        };
        if let Some(told) = told.filter(|_| about["kind"].is_null()) {
            finding.rule = Code::Refuses;
            finding.message = format!("the cookbook ends the run: {told}");
        }
    }
    finding
}

/// The failure to load a library, in place of that of a constant of the library which a `rescue` names.
fn without_library(error: &Json) -> Option<Json> {
    let causes = error["causes"].as_array().filter(|_| error["about"]["kind"] == "constant")?;
    let cause = causes.iter().find(|cause| cause["about"]["kind"] == "library")?;
    let mut told = error.clone();
    for key in ["class", "message", "about"] {
        told[key] = cause[key].clone();
    }
    Some(told)
}

/// Whether `open` was given a URL: Ruby 3 takes it for the name of a file, so it fails on every node.
fn opens_url(class: &str, message: &str) -> bool {
    let schemes = ["https://", "http://", "ftp://"];
    let named = message.split_once("rb_sysopen - ").filter(|_| class == "Errno::ENOENT");
    named.is_some_and(|(_, file)| schemes.iter().any(|scheme| file.starts_with(scheme)))
}

/// The name in the code that a failure is about.
fn subject(about: &Json) -> Option<String> {
    let key = match about["kind"].as_str()? {
        // the value is the problem, not what is called on it
        _ if about["receiver"] == "NilClass" => return None,
        "recipe" => "cookbook",
        "data_bag" => "bag",
        _ => "name",
    };
    about[key].as_str().map(str::to_string)
}

/// Says of a resource that is not there whether Chef removed it, or which cookbook of the repository has it.
fn unknown(case: &Case<'_>, about: &Json, finding: &mut Finding) {
    let receiver = about["receiver"].as_str().unwrap_or_default();
    let is_method = ["method", "variable"].iter().any(|kind| about["kind"] == *kind) && receiver.starts_with("Chef::");
    let Some(name) = about["name"].as_str().filter(|_| is_method || about["kind"] == "resource") else { return };
    if let Some(place) = nameless::resource(case, about) {
        finding.todo = Some(format!(
            "{place} sets resource_name without provides, which Chef 16 needs: add the line provides :{name} below it"
        ));
        return;
    }
    if is_method && let Some((cookbook, file)) = (case.library)(name) {
        finding.todo = Some(format!(
            "the cookbook {cookbook} defines {name} in {file}: add depends '{cookbook}' to the metadata of the cookbook that uses it"
        ));
        return;
    }
    if let Some((version, instead)) = rchef_lint::rules::removed_resource(name) {
        finding.message = format!("Chef {version} removed the resource {name} ({})", finding.message);
        finding.todo = Some(format!("use {instead}"));
        return;
    }
    let has = |cookbook: &String| {
        let own = cookbook.replace('-', "_");
        let file = match name.strip_prefix(own.as_str()) {
            Some("") => "default",
            Some(rest) => rest.strip_prefix('_')?,
            None => return None,
        };
        (case.text)(&format!("{cookbook}/resources/{file}.rb")).map(|_| cookbook.clone())
    };
    let known = case.dump["roots"].as_object().into_iter().flatten();
    let is_resource = about["kind"] == "resource" || about["receiver"] == "Chef::Recipe";
    if let Some(cookbook) = known.map(|(name, _)| name).filter(|_| is_resource).find_map(has) {
        finding.todo = Some(format!(
            "the cookbook {cookbook} has the resource {name}: add depends '{cookbook}' to the metadata of the cookbook that uses it"
        ));
    }
}

/// What to do about a failure of an action, by what it is about.
fn advice(about: &Json) -> Option<&'static str> {
    match about["kind"].as_str()? {
        _ if about["receiver"] == "NilClass" => Some("a value here is nil: often a node attribute that is not set"),
        "nil" => Some("a value here is nil: often a node attribute that is not set"),
        "method" | "variable" | "constant" => Some(
            "nothing of this name is there: check the spelling, and that the cookbook that provides it is a dependency",
        ),
        "property" => Some("the resource has no property of this name: check the spelling"),
        "action" => Some("the resource has no such action: take one of those in the message"),
        "required" => Some("give the resource this property"),
        _ => None,
    }
}

/// The rule that an exception's class, and what it is about, say.
fn rule_of(class: &str, about: &Json) -> Code {
    match about["kind"].as_str() {
        Some("limit") => return Code::LimitPassed,
        Some("json") => return Code::SyntaxError,
        Some("data_bag") => return Code::DataBagMissing,
        Some("resource") => return Code::NoProvider,
        _ => {}
    }
    match class.rsplit("::").next().unwrap_or_default() {
        "LoadError" => Code::UnresolvedRequire,
        "CookbookNotFound" => Code::MissingCookbook,
        "RecipeNotFound" => Code::MissingRecipe,
        "FileNotFound" => Code::MissingFile,
        "MissingRole" | "RoleNotFound" => Code::MissingRole,
        "EnvironmentNotFound" => Code::MissingEnvironment,
        "CookbookChefVersionMismatch" => Code::ChefVersion,
        "ResourceNotFound" => Code::NotificationUnresolved,
        "ProviderNotFound" | "UnsupportedAction" | "NoSuchResourceType" => Code::NoProvider,
        "SyntaxError" => Code::SyntaxError,
        "NotImplementedError" => Code::NotSupported,
        "InvalidDataBagPath" => Code::DataBagMissing,
        _ => Code::CompileFailed,
    }
}

/// The finding for a template or file that cannot be rendered.
fn unrendered(case: &Case<'_>, error: &Json, key: &str, source: &str) -> Finding {
    let class = error["class"].as_str().unwrap_or_default();
    let about = &error["about"];
    let lacks = lacked(about);
    let missing = class.ends_with("FileNotFound") || class.ends_with("CookbookNotFound") || lacks.is_some();
    let first = said(about, error["message"].as_str().unwrap_or_default());
    let told = lacks.unwrap_or_else(|| format!("{class}: {first}"));
    let failed = error["location"].as_str().filter(|place| place.contains("/templates/"));
    let rule = match (missing, key.starts_with("template[")) {
        (true, true) => Code::MissingTemplate,
        (true, false) => Code::MissingFile,
        (false, true) => Code::TemplateFails,
        (false, false) => Code::GuardFails,
    };
    let message = match failed {
        Some(_) => format!("{key} of {source}: {told}"),
        None if rule == Code::GuardFails => format!("the content of {key}: {told}"),
        None => format!("{key}: {told}"),
    };
    let mut finding = Finding::error(rule, failed.unwrap_or(source).to_string(), message);
    if !missing {
        // earlier resources may provide what the template calls
        finding.weight = Weight::Warning;
        assumed::excuse(case, error, &mut finding);
    }
    if missing && of_other_path(case, key) {
        finding.rule = Code::OtherSystem;
        finding.weight = Weight::Warning;
        finding.message = format!("{key} is a path of another operating system; {told}");
    }
    finding
}

/// Adds a finding for each resource type without a provider.
fn providers(case: &Case<'_>, mut missing: Vec<(String, String, String)>, found: &mut Vec<Finding>) {
    missing.sort_by(|a, b| a.0.cmp(&b.0));
    for group in missing.chunk_by(|a, b| a.0 == b.0) {
        let Some((kind, key, source)) = group.first() else { continue };
        let others = if group.len() == 1 { String::new() } else { format!(" and {} more", group.len() - 1) };
        let foreign = of_other_systems(case, kind);
        let (rule, weight, words) = if foreign {
            (
                Code::OtherSystem,
                Weight::Warning,
                "is of another operating system: Chef cannot converge it on this platform either",
            )
        } else {
            (Code::NoProvider, Weight::Error, "cannot be converged by rchef on this platform")
        };
        let message = format!("{kind} {words}: {key}{others}");
        let named = if kind == "env" { "windows_env" } else { kind };
        let todo = match rchef_providers::level(named) {
            _ if !foreign && !of_linux(case) => Some("rchef converges Linux only: keep Chef for this node".to_string()),
            rchef_providers::Level::Refused(why) => Some(why.to_string()),
            _ => None,
        };
        found.push(Finding { weight, todo, ..Finding::error(rule, source.clone(), message) });
    }
}

/// The line of the metadata that depends on a cookbook; the first one where none says so.
fn of_depends(case: &Case<'_>, source: &str, name: &str) -> String {
    let Some((file, _)) = words::place(source) else { return source.to_string() };
    let text = (case.text)(file).unwrap_or_default();
    let says = |line: &String| line.trim_start().starts_with("depends") && has_name(line, name);
    format!("{file}:{}", text.iter().position(says).map_or(1, |at| at + 1))
}

/// Adds the findings of the compile itself.
fn lints(case: &Case<'_>, failed: bool, broken: &[Broken], found: &mut Vec<Finding>) {
    let dump = case.dump;
    let failures = found.len();
    let mut told = Vec::new();
    for lint in dump["lints"].as_array().into_iter().flatten() {
        let text = |key: &str| lint[key].as_str().unwrap_or_default().to_string();
        let Some(rule) = Code::parse(&text("code")) else { continue };
        let weight = match rule {
            Code::NotificationUnresolved | Code::NotificationFails if !failed => Weight::Error,
            Code::SubscriptionUnresolved if !failed => Weight::Warning,
            Code::UnsatisfiedVersion => Weight::Error,
            Code::SharedName | Code::Deprecated | Code::MissingCookbookDependency => Weight::Warning,
            Code::OverlayFailure => Weight::Assumption,
            _ => continue,
        };
        let notifies = matches!(rule, Code::NotificationUnresolved | Code::NotificationFails);
        let edges = dump["notifications"].as_array().into_iter().flatten();
        let own = edges.filter(|edge| notifies && edge["source"] == lint["source"] && edge["resolves"] == "no");
        let targets: Vec<&str> = own.filter_map(|edge| edge["to"].as_str()).collect();
        let unreached = broken.iter().filter(|broken| broken.would_declare(case, &text("source"), &targets));
        let cause = match unreached.filter_map(|broken| broken.finding).next() {
            Some(at) => found.get_mut(at),
            None => found.iter_mut().find(|first| notifies && first.weight == Weight::Assumption && is_cause(first)),
        };
        if let Some(cause) = cause {
            cause.cascades.push(text("text"));
            continue;
        }
        let assumed = (weight == Weight::Assumption).then(|| text("text"));
        // what rchef keeps and Chef 18 does not
        let removed = rchef_lint::rules::removed_method(&text("text")).filter(|_| rule == Code::Deprecated);
        let (rule, message) = match removed {
            Some((version, instead)) => {
                (Code::RemovedApi, format!("Chef {version} removed {}: use {instead}", text("text")))
            }
            // what Chef's Ruby 3.1 warns of; the text is Ruby's, without a version
            None if text("text").starts_with("Object#=~") => (
                rule,
                "Object#=~ of an object that is no String or Regexp gives nil, and Ruby 3.2 removed it".to_string(),
            ),
            None => (rule, text("text")),
        };
        let named = dump["names"].as_array().into_iter().flatten();
        let own = named.filter(|one| one["source"] == lint["source"] && one["text"] == lint["text"]);
        let subject = own.filter_map(|one| one["name"].as_str()).map(str::to_string).next();
        let source = match (rule, &subject) {
            (Code::UnsatisfiedVersion, Some(name)) => of_depends(case, &text("source"), name),
            _ => text("source"),
        };
        if rule == Code::NotificationUnresolved {
            told.extend(targets.into_iter().map(str::to_string));
        }
        found.push(Finding { weight, assumed, subject, ..Finding::error(rule, source, message) });
    }
    // the failure of the action that declares it is the same, with the place of the action
    let mut at = 0..;
    found.retain(|one| {
        let failure = at.next().is_some_and(|at| at < failures);
        let same =
            one.rule == Code::NotificationUnresolved && one.subject.as_ref().is_some_and(|name| told.contains(name));
        !(failure && same)
    });
}

#[cfg(test)]
mod tests {
    use super::super::finding::Verdict;
    use super::Json;
    use super::{Case, Code, Finding, judge};
    use crate::check::options::Weight;
    use serde_json::json;

    fn judged(dump: &Json, line: &str) -> Vec<Finding> {
        let facts = json!({"packages": {}});
        // what is asked in line 8 is what line 9 needs
        let text = |_: &str| {
            let mut lines = vec![String::new(); 7];
            lines.extend(["x = group = asked".to_string(), line.to_string()]);
            Some(lines)
        };
        judge(&Case { dump, text: &text, library: &|_| None, facts: &|| Some(&facts) })
    }

    fn error(class: &str, message: &str) -> Json {
        let words: Vec<&str> = message.split('`').nth(1).unwrap_or_default().split('\'').collect();
        let about = match class {
            "NoMethodError" | "NameError" => {
                let receiver = if message.contains(" nil:") { "NilClass" } else { "Chef::Recipe" };
                json!({"kind": if class == "NameError" { "variable" } else { "method" }, "name": words[0], "receiver": receiver})
            }
            _ => Json::Null,
        };
        json!({"class": class, "message": message, "about": about, "location": "a/recipes/default.rb:9", "backtrace": ["a/recipes/default.rb:9:in `from_file'"]})
    }

    #[test]
    fn idle_resources_need_nothing() {
        let idle = json!({"id": "r1", "key": "apt_update[x]", "type": "apt_update", "action": ["nothing"], "source": "a/recipes/default.rb:1"});
        let dump = json!({"status": "complete", "resources": [idle]});
        assert!(judged(&dump, "").is_empty());
        let mut notified = dump.clone();
        notified["notifications"] = json!([{"to_id": "r1"}]);
        let found = judged(&notified, "");
        assert_eq!((found[0].rule, Verdict::of(&found)), (Code::NoProvider, Verdict::CannotConverge(1)));
        let stopped =
            json!({"id": "r1", "key": "k", "type": "apt_update", "action": ["update"], "stopped_by_guard": true});
        assert!(judged(&json!({"status": "complete", "resources": [stopped]}), "").is_empty());
    }

    #[test]
    fn failures() {
        let failed = |error: Json, more: Json| {
            let mut dump = json!({"status": "failed", "error": error, "lints": [{"code": "notification-unresolved", "text": "x"}]});
            for (key, value) in more.as_object().unwrap() {
                dump[key] = value.clone();
            }
            dump
        };
        let dump = failed(error("RuntimeError", "only for Debian"), json!({}));
        let found = judged(&dump, "  raise 'only for Debian' unless x");
        assert_eq!((found.len(), found[0].rule, Verdict::of(&found)), (1, Code::Refuses, Verdict::Refuses));
        let nil = "undefined method `[]' for nil:NilClass";
        let effects = json!({"effects": [{"kind": "command", "subject": "named -v", "detail": "not run", "source": "a/recipes/default.rb:8"}]});
        let found = judged(&failed(error("NoMethodError", nil), effects), "x[1]");
        assert_eq!((found[0].weight, Verdict::of(&found)), (Weight::Assumption, Verdict::Depends(1)));
        assert!(found[0].assumed.as_ref().unwrap().contains("`named -v`"));
        let helper = json!({"effects": [{"kind": "command", "subject": "vgs", "detail": "not run", "source": "a/libraries/l.rb:3"}], "callers": {"effects": [["a/recipes/default.rb:8"]]}});
        let raises = "raise 'no group' unless group";
        let found = judged(&failed(error("RuntimeError", "no group"), helper.clone()), raises);
        let asked = found[0].asked.as_ref().map(|asked| (asked.kind.as_str(), asked.subject.as_str()));
        assert_eq!(asked, Some(("command", "vgs")));
        for (class, typo) in [
            ("NameError", "undefined local variable or method `versoin' for package[x]:Chef::Resource::Package"),
            ("NoMethodError", "undefined method `pakage' for cookbook: a, recipe: default :Chef::Recipe"),
        ] {
            let found = judged(&failed(error(class, typo), helper.clone()), "pakage 'x'");
            assert_eq!((found[0].rule, found[0].weight), (Code::CompileFailed, Weight::Error), "{typo}");
        }
        let mut elsewhere = helper;
        elsewhere["callers"]["effects"][0][0] = json!("a/recipes/other.rb:8");
        let found = judged(&failed(error("RuntimeError", "no group"), elsewhere), raises);
        assert_eq!((found[0].rule, found[0].weight), (Code::Refuses, Weight::Error));
        let found = judged(&failed(error("NoMethodError", nil), json!({})), "a = node['packages']['curl']['version']");
        assert_eq!((found[0].rule, found[0].weight), (Code::FactAbsent, Weight::Assumption));
        assert_eq!(
            found[0].assumed.as_deref(),
            Some("the fact node['packages']['curl'] is absent in the node's facts")
        );
        let merged = json!({"attributes": {"merged": {"web": {"a": 1}}}});
        let found = judged(&failed(error("NoMethodError", nil), merged), "a = node['web']['b']['c']");
        assert!(found[0].message.starts_with("node['web']['b'] is not set"), "{}", found[0].message);
        assert_eq!(Verdict::of(&found), Verdict::InputMissing);
    }
}
