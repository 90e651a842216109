//! Turns the dump of a compile into findings.
//!
//! A resource needs its provider, template or file only if guards and `action :nothing` let it act. A failure caused by something that the compile
//! had to assume (the result of a command or search, a data bag, a file, a user, the network) is reported as dependent on that assumption, not as
//! an error. After a failed compile nothing is reported about what was not reached.

use super::words::{place_in, shortened};
use crate::attribute_reads::named_in;
use crate::check::options::Weight;
use rchef_model::code::Code;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

/// A finding of one unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub rule: Code,
    pub weight: Weight,
    /// `cookbook/file:line`; empty if unknown.
    pub source: String,
    pub message: String,
    /// The assumption that this finding is, or depends on.
    pub assumed: Option<String>,
    /// Kind and subject of the assumption, if a stub can answer it.
    pub asked: Option<(String, String)>,
    /// Keys of resources that failed only because of this finding; they are not reported as findings.
    pub cascades: Vec<String>,
}

impl Finding {
    /// The form in which a forked process passes it to the parent.
    pub fn to_json(&self) -> Json {
        let weight = match self.weight {
            Weight::Error => 0,
            Weight::Warning => 1,
            Weight::Assumption => 2,
        };
        json!([self.rule.as_str(), weight, self.source, self.message, self.assumed, self.asked, self.cascades])
    }

    /// Reads the form of [`Finding::to_json`].
    pub fn from_json(value: &Json) -> Option<Self> {
        let text = |at: usize| value[at].as_str().map(str::to_string);
        let asked = |at: usize| Some((value[5][0].as_str()?.to_string(), value[5][at].as_str()?.to_string()));
        Some(Self {
            rule: Code::parse(value[0].as_str()?)?,
            weight: match value[1].as_u64()? {
                0 => Weight::Error,
                1 => Weight::Warning,
                _ => Weight::Assumption,
            },
            source: text(2)?,
            message: text(3)?,
            assumed: text(4),
            asked: asked(1),
            cascades: value[6].as_array()?.iter().filter_map(Json::as_str).map(str::to_string).collect(),
        })
    }
}

/// The verdict on a unit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Fails,
    /// The cookbook itself raises, so Chef would too.
    Refuses,
    /// An attribute or data bag is missing.
    InputMissing,
    /// Number of resource types that rchef cannot converge on the platform.
    CannotConverge(usize),
    /// Number of assumptions that findings depend on.
    Depends(usize),
    /// It runs; number of deprecations.
    Deprecated(usize),
    Runs,
}

impl Verdict {
    pub fn words(&self) -> String {
        let many = |count: usize, one: &str| if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") };
        match self {
            Self::Fails => "fails".into(),
            Self::Refuses => "refuses".into(),
            Self::InputMissing => "input missing".into(),
            Self::CannotConverge(types) => format!("cannot converge: {}", many(*types, "resource type")),
            Self::Depends(count) => format!("depends on {}", many(*count, "assumption")),
            Self::Deprecated(count) => format!("runs, {}", many(*count, "deprecation")),
            Self::Runs => "runs".into(),
        }
    }
}

/// The input for judging a compile.
pub struct Case<'a> {
    pub dump: &'a Json,
    /// The line at a source place, for detecting a `raise` in it.
    pub line: &'a dyn Fn(&str) -> Option<String>,
    /// The node's facts; None if they are this machine's, which are complete.
    pub facts: &'a dyn Fn() -> Option<&'a Json>,
}

/// The findings of a compile, failures first.
pub fn judge(case: &Case<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    let failed = case.dump["status"] == "failed";
    if failed {
        let failure = failure(case, &case.dump["error"], "", &[]);
        let missing = case.dump["missing_cookbooks"].as_array().map(Vec::as_slice).unwrap_or_default();
        if failure.rule != Code::MissingCookbook || missing.is_empty() {
            found.push(failure);
        } else {
            found.extend(missing.iter().map(|one| {
                let text = |key: &str| one[key].as_str().unwrap_or_default().to_string();
                Finding { source: text("source"), message: text("text"), ..failure.clone() }
            }));
        }
    }
    let acting = Acting::of(case.dump);
    let mut broken: Vec<String> = Vec::new();
    let mut walk = Walk { case, acting: &acting, found: &mut found, broken: &mut broken, missing: Vec::new() };
    walk.list(&case.dump["resources"], false);
    let missing = std::mem::take(&mut walk.missing);
    providers(missing, &mut found);
    lints(case.dump, failed, &mut found);
    assumptions(case.dump, &mut found);
    found
}

pub fn verdict(findings: &[Finding]) -> Verdict {
    let errors: Vec<&Finding> = findings.iter().filter(|finding| finding.weight == Weight::Error).collect();
    let only = |rules: &[Code]| !errors.is_empty() && errors.iter().all(|finding| rules.contains(&finding.rule));
    if only(&[Code::NoProvider]) {
        return Verdict::CannotConverge(errors.len());
    }
    if only(&[Code::Refuses, Code::NoProvider]) {
        return Verdict::Refuses;
    }
    if only(&[Code::AttributeMissing, Code::DataBagMissing, Code::NoProvider]) {
        return Verdict::InputMissing;
    }
    if !errors.is_empty() {
        return Verdict::Fails;
    }
    let broken =
        findings.iter().filter(|finding| finding.weight == Weight::Assumption && finding.rule != Code::Assumed);
    let assumed: BTreeSet<&str> = broken.filter_map(|finding| finding.assumed.as_deref()).collect();
    if !assumed.is_empty() {
        return Verdict::Depends(assumed.len());
    }
    match findings.iter().filter(|finding| finding.rule == Code::Deprecated).count() {
        0 => Verdict::Runs,
        count => Verdict::Deprecated(count),
    }
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
    broken: &'w mut Vec<String>,
    /// Type, key and source of resources without a provider.
    missing: Vec<(String, String, String)>,
}

impl Walk<'_, '_> {
    fn list(&mut self, list: &Json, idle: bool) {
        for record in list.as_array().into_iter().flatten() {
            self.one(record, idle || !self.acting.acts(record));
        }
    }

    fn one(&mut self, record: &Json, idle: bool) {
        let text = |key: &str| record[key].as_str().unwrap_or_default().to_string();
        let (key, source) = (text("key"), text("source"));
        if !idle && record["provider"].is_null() {
            self.missing.push((text("type"), key.clone(), source.clone()));
        }
        let error = &record["rendered"]["error"];
        if !idle && !error.is_null() {
            self.found.push(unrendered(self.case, error, &key, &source));
        }
        for child in record["children"].as_array().into_iter().flatten() {
            self.list(&child["resources"], idle);
            self.list(&child["on_change"], idle);
            let error = &child["error"];
            if error.is_null() || idle {
                continue;
            }
            let mut found = failure(self.case, error, &source, self.broken);
            if of_other_systems(record["type"].as_str().unwrap_or_default()) && found.weight == Weight::Error {
                found.rule = Code::OtherSystem;
                found.weight = Weight::Warning;
                found.message = format!("{key} is of another operating system; {}", found.message);
            }
            match self
                .found
                .iter_mut()
                .find(|first| found.rule == Code::Cascade && !first.cascades.contains(&key) && is_cause(first))
            {
                Some(cause) => cause.cascades.push(key.clone()),
                None => self.found.push(found),
            }
            self.broken.push(key.clone());
        }
    }
}

/// Whether other failures may be a consequence of this one.
fn is_cause(finding: &Finding) -> bool {
    matches!(finding.weight, Weight::Error | Weight::Assumption) && finding.rule != Code::Cascade
}

/// A failure as a finding. `broken`: keys of resources whose actions have already failed in this run.
fn failure(case: &Case<'_>, error: &Json, place: &str, broken: &[String]) -> Finding {
    let text = |key: &str| error[key].as_str().unwrap_or_default().to_string();
    let (class, message) = (text("class"), text("message"));
    let first = shortened(message.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim());
    let filled = |source: &String| !source.is_empty();
    let source = Some(text("location")).filter(filled).or_else(|| Some(place.to_string()).filter(filled));
    let source = source.or_else(|| place_in(&message)).unwrap_or_default();
    let mut finding = Finding {
        rule: rule_of(&class, &message),
        weight: Weight::Error,
        message: if first.is_empty() { class.clone() } else { format!("{class}: {first}") },
        source,
        assumed: None,
        asked: None,
        cascades: Vec::new(),
    };
    if finding.rule == Code::NotificationUnresolved && !broken.is_empty() {
        finding.rule = Code::Cascade;
    }
    if finding.rule == Code::UnresolvedRequire
        && let Some(assumed) = awaited_gem(case.dump, &message)
    {
        finding.weight = Weight::Assumption;
        finding.rule = Code::DependsOnAssumption;
        finding.assumed = Some(assumed);
        return finding;
    }
    if let Some((assumed, asked)) = assumption_of(case, error, &finding.source) {
        finding.weight = Weight::Assumption;
        finding.rule = Code::DependsOnAssumption;
        finding.assumed = Some(assumed);
        finding.asked = asked;
        return finding;
    }
    let line = (case.line)(&finding.source).unwrap_or_default();
    if finding.rule == Code::CompileFailed {
        let raises = ["raise", "fail", "Chef::Application.fatal!"].iter().any(|word| has_word(&line, word));
        if raises {
            finding.rule = Code::Refuses;
            finding.message = format!("the cookbook ends the run: {first}");
        } else if class == "NoMethodError" && message.contains("for nil") {
            absent(case, &line, &mut finding);
        }
    }
    finding
}

/// The gem that `require` did not find but that a `chef_gem` of the run would have installed, as a message with that resource's place.
fn awaited_gem(dump: &Json, message: &str) -> Option<String> {
    let file = message.split_once("cannot load such file -- ")?.1.split_whitespace().next()?.replace('/', "-");
    let gems = dump["resources"].as_array()?.iter().filter(|record| record["type"] == "chef_gem");
    gems.filter_map(|record| {
        let name = record["properties"]["package_name"].as_str().or(record["name"].as_str())?;
        let whole = file == name || file.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'));
        let place = record["source"].as_str().unwrap_or_default();
        whole.then(|| {
            format!("the gem {name} is not here (chef_gem installs it in a run, {place}): --gem-path FOLDER says where it is")
        })
    })
    .next()
}

/// Names the attribute or fact that is nil in a line of code, if there is one.
fn absent(case: &Case<'_>, line: &str, finding: &mut Finding) {
    let merged = &case.dump["attributes"]["merged"];
    let mut paths = Vec::new();
    named_in(line, &mut paths);
    for path in paths {
        let Some(first) = path.first() else { continue };
        let own = merged.get(first).is_some();
        let mut at = Some(if own { merged } else { (case.facts)().unwrap_or(&Json::Null) });
        // only inner keys: the last one may be nil on purpose
        let missing = path[..path.len() - 1].iter().position(|key| {
            at = at.and_then(|map| map.get(key)).filter(|value| !value.is_null());
            at.is_none()
        });
        let Some(depth) = missing else { continue };
        let name = path[..=depth].iter().fold("node".to_string(), |name, key| format!("{name}['{key}']"));
        if !own && (case.facts)().is_none() {
            continue;
        }
        if !own && (depth > 0 || FACTS.contains(&first.as_str())) {
            finding.rule = Code::FactAbsent;
            finding.weight = Weight::Assumption;
            finding.assumed = Some(format!("the fact {name} is absent in the node's facts"));
            finding.asked = Some(("fact".into(), path[..=depth].join("/")));
        } else {
            finding.rule = Code::AttributeMissing;
            finding.message = format!("{name} is not set ({})", finding.message);
        }
        return;
    }
}

/// Facts that only some nodes have.
const FACTS: &[&str] = &[
    "packages",
    "machine_id",
    "block_device",
    "languages",
    "cloud",
    "cloud_v2",
    "ec2",
    "gce",
    "azure",
    "openstack",
    "rackspace",
    "virtualization",
    "dmi",
    "filesystem",
    "filesystem2",
    "network",
    "memory",
    "cpu",
    "lsb",
    "etc",
    "chef_packages",
    "sysconf",
    "init_package",
    "systemd_paths",
    "zpools",
    "lspci",
    "hostnamectl",
    "root_group",
    "fips",
    "scsi",
    "pci",
    "shells",
    "sessions",
    "ohai",
    "timezone",
    "time",
    "uptime",
    "command",
    "keys",
    "counters",
    "ipaddress",
    "macaddress",
    "ip6address",
    "fqdn",
    "domain",
];

/// The rule for an exception's class and message.
fn rule_of(class: &str, message: &str) -> Code {
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
        "NoMemoryError" if message.contains("(--limit-") => Code::LimitPassed,
        "HTTPClientException" | "InvalidDataBagPath" => Code::DataBagMissing,
        _ if message.contains("(--limit-") => Code::LimitPassed,
        _ => Code::CompileFailed,
    }
}

/// Whether a line of code, without its comment, contains a word.
fn has_word(line: &str, word: &str) -> bool {
    let code = line.split(" #").next().unwrap_or_default();
    code.match_indices(word).any(|(at, _)| {
        let letter = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
        !letter(code[..at].chars().next_back()) && !letter(code[at + word.len()..].chars().next())
    })
}

/// Something that the compile had to assume.
struct Unanswered {
    kind: &'static str,
    subject: String,
    source: String,
    callers: Vec<String>,
    words: String,
}

/// Environment variables that are no assumption: a simulated node has them, or code reads them all.
const GIVEN: &[&str] = &["HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TZ", "USER", "*", "PATHEXT", "TMPDIR"];

/// All assumptions of a compile, in order.
fn unanswered(dump: &Json) -> Vec<Unanswered> {
    let mut all = Vec::new();
    let text = |entry: &Json, key: &str| entry[key].as_str().unwrap_or_default().to_string();
    let strings = |list: &Json| -> Vec<String> {
        list.as_array().into_iter().flatten().filter_map(Json::as_str).map(str::to_string).collect()
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
            ("read_file" | "read_stat" | "read_dir" | "read_link", "absent") => {
                ("file", format!("the file {subject} is not there"))
            }
            ("read_user", _) => ("user", format!("there is no user {subject}")),
            ("read_group", _) => ("group", format!("there is no group {subject}")),
            ("read_package", _) => ("package", format!("the package {subject} is not installed")),
            ("read_env", _) if !GIVEN.contains(&subject.as_str()) => {
                ("env", format!("the environment variable {subject} is not set"))
            }
            _ => continue,
        };
        all.push(Unanswered { kind, subject, source: text(entry, "source"), callers: strings(callers), words });
    }
    for entry in dump["asked"].as_array().into_iter().flatten().filter(|entry| entry["found"] == 0) {
        let (kind, subject) = (text(entry, "kind"), text(entry, "subject"));
        let (kind, words) = match kind.as_str() {
            "search" => ("search", format!("the search {subject} finds nothing")),
            "data_bag" => ("data_bag", format!("there is no data bag {subject}")),
            _ => ("data_bag_item", format!("there is no data bag item {}", subject.replace(' ', "/"))),
        };
        all.push(Unanswered {
            kind,
            subject,
            source: text(entry, "source"),
            callers: strings(&entry["callers"]),
            words,
        });
    }
    all
}

/// Kind and subject of an assumption that a stub can answer.
type Asked = Option<(String, String)>;

/// The assumption that a failure depends on, as a message and as its kind and subject. It is the one that the failure's message names, else one made
/// at a line of the backtrace, else one made shortly before such a line: first by the code there itself, then by code that it called.
fn assumption_of(case: &Case<'_>, error: &Json, source: &str) -> Option<(String, Asked)> {
    let all = unanswered(case.dump);
    let message = error["message"].as_str().unwrap_or_default();
    let class = error["class"].as_str().unwrap_or_default();
    let mut frames: Vec<&str> = error["backtrace"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    frames.push(source);
    let place = |frame: &str| -> Option<(String, u32)> {
        let (file, line) = frame.split(":in ").next()?.rsplit_once(':')?;
        Some((file.to_string(), line.parse().ok()?))
    };
    let places: Vec<(String, u32)> = frames.iter().filter_map(|frame| place(frame)).collect();
    let named = all.iter().rev().find(|one| one.subject.len() > 2 && message.contains(one.subject.as_str()));
    let at_line = |asked: &str| place(asked).is_some_and(|asked| places.contains(&asked));
    let before = |asked: &str| {
        place(asked).is_some_and(|(file, line)| {
            places.iter().any(|(other, at)| *other == file && line <= *at && at - line < 60)
        })
    };
    let last = |fits: &dyn Fn(&Unanswered) -> bool| all.iter().rev().find(|one| fits(one));
    let called = |one: &Unanswered, fits: &dyn Fn(&str) -> bool| one.callers.iter().any(|caller| fits(caller));
    // exceptions about something missing on the machine
    let machine = class.starts_with("Errno::")
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
        );
    // failures that no answer can change
    let certain =
        ["LoadError", "SyntaxError", "CookbookNotFound", "RecipeNotFound", "RoleNotFound", "NotImplementedError"];
    // an unknown name depends on no assumption, unless the receiver is nil
    let unknown = matches!(class, "NameError" | "NoMethodError") && !message.contains("for nil");
    if unknown || certain.iter().any(|name| class.ends_with(name)) || message.contains("(--limit-") {
        return None;
    }
    let found = named
        .or_else(|| last(&|one| at_line(&one.source)))
        .or_else(|| last(&|one| before(&one.source)))
        .or_else(|| last(&|one| called(one, &at_line)))
        .or_else(|| last(&|one| called(one, &before)));
    let found = found.map(|one| (one.words.clone(), Some((one.kind.to_string(), one.subject.clone()))));
    let bare = || (format!("the machine is bare: {}", message.lines().next().unwrap_or(class)), None);
    found.or_else(|| machine.then(bare))
}

/// The finding for a template or file that cannot be rendered.
fn unrendered(case: &Case<'_>, error: &Json, key: &str, source: &str) -> Finding {
    let class = error["class"].as_str().unwrap_or_default();
    let message = error["message"].as_str().unwrap_or_default();
    let first = message.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let lacks = lacked(message);
    let missing = class.ends_with("FileNotFound") || class.ends_with("CookbookNotFound") || lacks.is_some();
    let told = lacks.unwrap_or_else(|| format!("{class}: {first}"));
    let failed = error["location"].as_str().filter(|place| place.contains("/templates/"));
    let mut finding = Finding {
        rule: match (missing, key.starts_with("template[")) {
            (true, true) => Code::MissingTemplate,
            (true, false) => Code::MissingFile,
            (false, _) => Code::TemplateFails,
        },
        // earlier resources may provide what the template calls
        weight: if missing { Weight::Error } else { Weight::Warning },
        source: failed.unwrap_or(source).to_string(),
        message: match failed {
            Some(_) => format!("{key} of {source}: {told}"),
            None => format!("{key}: {told}"),
        },
        assumed: None,
        asked: None,
        cascades: Vec::new(),
    };
    if let Some((assumed, asked)) = Some(()).filter(|()| !missing).and_then(|()| assumption_of(case, error, source)) {
        finding.weight = Weight::Assumption;
        finding.assumed = Some(assumed);
        finding.asked = asked;
    }
    if missing && of_other_path(case, key) {
        finding.rule = Code::OtherSystem;
        finding.weight = Weight::Warning;
        finding.message = format!("{key} is a path of another operating system; {told}");
    }
    finding
}

/// The files missing from a cookbook, according to the message: for each file the most general of the listed locations.
fn lacked(message: &str) -> Option<String> {
    let (cookbook, rest) = message.split_once(" does not contain a file at any of these locations:")?;
    let cookbook = cookbook.rsplit('\n').next().unwrap_or(cookbook);
    let cookbook = &cookbook[cookbook.rfind("Cookbook '").unwrap_or(0)..];
    let lines = rest.lines().map(str::trim).skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty());
    let lines: Vec<&str> = lines.collect();
    // `templates/debian/a.erb` is a platform's variant of `templates/a.erb`
    let inner = |line: &str| line.split_once('/').map_or(String::new(), |(_, inner)| format!("/{inner}"));
    let special = |line: &str| lines.iter().any(|other| *other != line && line.ends_with(&inner(other)));
    let general: Vec<&str> = lines.iter().copied().filter(|line| !special(line)).collect();
    if general.is_empty() {
        return None;
    }
    Some(format!("{} has no {}", cookbook.trim().replacen("Cookbook", "cookbook", 1), general.join(", ")))
}

/// Whether a resource's name is a path of another operating system, from which the default source name would be derived differently there.
fn of_other_path(case: &Case<'_>, key: &str) -> bool {
    let name = key.split_once('[').map_or(key, |(_, name)| name);
    let family =
        case.dump["attributes"]["automatic"]["os"].as_str().or((case.facts)().and_then(|facts| facts["os"].as_str()));
    let mut letters = name.chars();
    let drive = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && letters.next() == Some(':')
        && matches!(letters.next(), Some('\\' | '/'));
    let mac =
        ["/Users/", "/Applications/", "/Library/", "/System/Library/"].iter().any(|start| name.starts_with(start));
    drive && family.unwrap_or("linux") != "windows" || mac && family.unwrap_or("linux") != "darwin"
}

/// Resource types of other operating systems, which Chef cannot converge here either.
fn of_other_systems(kind: &str) -> bool {
    let prefixes = ["windows_", "powershell_", "dsc_", "chocolatey_", "homebrew_", "macos_"];
    let names = [
        "batch",
        "registry_key",
        "msu_package",
        "cab_package",
        "launchd",
        "dmg_package",
        "osx_profile",
        "plist",
        "mac_user",
        "macports_package",
    ];
    prefixes.iter().any(|prefix| kind.starts_with(prefix)) || names.contains(&kind)
}

/// Adds a finding for each resource type without a provider.
fn providers(mut missing: Vec<(String, String, String)>, found: &mut Vec<Finding>) {
    missing.sort_by(|a, b| a.0.cmp(&b.0));
    for group in missing.chunk_by(|a, b| a.0 == b.0) {
        let Some((kind, key, source)) = group.first() else { continue };
        let others = if group.len() == 1 { String::new() } else { format!(" and {} more", group.len() - 1) };
        let foreign = of_other_systems(kind);
        let (rule, weight, words) = if foreign {
            (
                Code::OtherSystem,
                Weight::Warning,
                "is of another operating system: Chef cannot converge it on this platform either",
            )
        } else {
            (Code::NoProvider, Weight::Error, "cannot be converged by rchef on this platform")
        };
        found.push(Finding {
            rule,
            weight,
            source: source.clone(),
            message: format!("{kind} {words}: {key}{others}"),
            assumed: None,
            asked: None,
            cascades: Vec::new(),
        });
    }
}

/// The message about a deprecated feature; names the version that removed it and the replacement if known.
fn removed(what: String) -> String {
    let known = [
        ("node.set_unless", "Chef 14 removed node.set_unless: use node.normal_unless or node.default_unless"),
        ("node.set", "Chef 14 removed node.set: use node.normal or node.default"),
    ];
    known.iter().find(|(name, _)| *name == what).map_or(what, |(_, text)| (*text).to_string())
}

/// Adds the findings of the compile itself.
fn lints(dump: &Json, failed: bool, found: &mut Vec<Finding>) {
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
        let cause = found.iter_mut().find(|first| notifies && first.weight == Weight::Assumption && is_cause(first));
        if let Some(cause) = cause {
            cause.cascades.push(text("text"));
            continue;
        }
        let assumed = (weight == Weight::Assumption).then(|| text("text"));
        let message = if rule == Code::Deprecated { removed(text("text")) } else { text("text") };
        found.push(Finding {
            rule,
            weight,
            source: text("source"),
            message,
            assumed,
            asked: None,
            cascades: Vec::new(),
        });
    }
}

/// Adds assumptions about commands, searches and data bags as findings.
fn assumptions(dump: &Json, found: &mut Vec<Finding>) {
    for one in unanswered(dump) {
        let told =
            ["the command", "the search", "there is no data bag"].iter().any(|start| one.words.starts_with(start));
        if told {
            let assumed = Some(one.words.clone());
            let message = format!("assumed: {}", one.words);
            found.push(Finding {
                rule: Code::Assumed,
                weight: Weight::Assumption,
                source: one.source,
                message,
                assumed,
                asked: Some((one.kind.to_string(), one.subject)),
                cascades: Vec::new(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Case, Code, Finding, Verdict, judge, verdict};
    use super::{Json, json};
    use crate::check::options::Weight;

    fn judged(dump: &Json, line: &str) -> Vec<Finding> {
        let facts = json!({"packages": {}});
        judge(&Case { dump, line: &|_| Some(line.to_string()), facts: &|| Some(&facts) })
    }

    fn error(class: &str, message: &str) -> Json {
        json!({"class": class, "message": message, "location": "a/recipes/default.rb:9", "backtrace": ["a/recipes/default.rb:9:in `from_file'"]})
    }

    #[test]
    fn idle_resources_need_nothing() {
        let idle = json!({"id": "r1", "key": "apt_update[x]", "type": "apt_update", "action": ["nothing"], "source": "a/recipes/default.rb:1"});
        let dump = json!({"status": "complete", "resources": [idle]});
        assert!(judged(&dump, "").is_empty());
        let mut notified = dump.clone();
        notified["notifications"] = json!([{"to_id": "r1"}]);
        let found = judged(&notified, "");
        assert_eq!((found[0].rule, verdict(&found)), (Code::NoProvider, Verdict::CannotConverge(1)));
        let stopped =
            json!({"id": "r1", "key": "k", "type": "apt_update", "action": ["update"], "stopped_by_guard": true});
        assert!(judged(&json!({"status": "complete", "resources": [stopped]}), "").is_empty());
    }

    #[test]
    fn files_that_a_cookbook_lacks() {
        let listed = |places: &str| {
            let places = places.replace(' ', "\n  ");
            super::lacked(&format!(
                "Cookbook 'a' (1.0.0) does not contain a file at any of these locations:\n  {places}\n\nThis cookbook _does_ contain: ['x']"
            ))
        };
        for (places, told) in [
            ("templates/host-x/q.erb templates/debian/q.erb templates/q.erb", "templates/q.erb"),
            ("templates/n1.erb templates/sub/n2.erb", "templates/n1.erb, templates/sub/n2.erb"),
            ("files/default/sub/n files/sub/n", "files/sub/n"),
        ] {
            assert_eq!(listed(places), Some(format!("cookbook 'a' (1.0.0) has no {told}")));
        }
        assert_eq!(super::lacked("no such file"), None);
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
            ("aws-sdkx", None),
            ("x", None),
        ] {
            let assumed = super::awaited_gem(&dump, &format!("cannot load such file -- {file}"));
            assert_eq!(assumed.is_some(), found.is_some(), "{file}");
            assert!(assumed.unwrap_or_default().starts_with(found.unwrap_or_default()), "{file}");
        }
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
        assert_eq!((found.len(), found[0].rule, verdict(&found)), (1, Code::Refuses, Verdict::Refuses));
        let nil = "undefined method `[]' for nil:NilClass";
        let effects = json!({"effects": [{"kind": "command", "subject": "named -v", "detail": "not run", "source": "a/recipes/default.rb:8"}]});
        let found = judged(&failed(error("NoMethodError", nil), effects), "x[1]");
        assert_eq!((found[0].weight, verdict(&found)), (Weight::Assumption, Verdict::Depends(1)));
        assert!(found[0].assumed.as_ref().unwrap().contains("`named -v`"));
        let helper = json!({"effects": [{"kind": "command", "subject": "vgs", "detail": "not run", "source": "a/libraries/l.rb:3"}], "callers": {"effects": [["a/recipes/default.rb:8"]]}});
        let raises = "raise 'no group' unless group";
        let found = judged(&failed(error("RuntimeError", "no group"), helper.clone()), raises);
        assert_eq!(found[0].asked, Some(("command".to_string(), "vgs".to_string())));
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
        assert_eq!(verdict(&found), Verdict::InputMissing);
    }
}
