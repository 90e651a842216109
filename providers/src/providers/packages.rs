//! What the package providers share: the wanted state, Chef's rules for the version to install, the assertions and the change (SPEC-converge 3.4,
//! "package").

use super::chef_install::{is_chef, refused};
use super::support::*;
use rchef_change::package::{Manager, PackageVerb};
use rchef_change::{Assertion, Change, Command, EngineStep, PackageChange, PackageItem, State};
use rchef_host::{Host, OpenFlags, compose};
use rchef_recipe::run::chef_error;
use rchef_ruby::{Res, Symbol, Value, Vm};
use std::cmp::Ordering;

/// Default timeout of a package manager in seconds.
const TIMEOUT: f64 = 900.0;

pub(crate) const PACKAGE: &str = "Chef::Exceptions::Package";

/// What a package resource asks for, whatever its package manager.
pub(crate) struct Wish {
    pub verb: PackageVerb,
    /// The resource's name in messages.
    pub resource: String,
    /// The packages, each with the wanted version.
    pub packages: Vec<(String, Option<String>)>,
    /// Package files, one for each package; empty if the property is nil.
    pub sources: Vec<String>,
    /// The packages as given in the resource.
    pub shown: String,
    /// The version as given in the resource.
    pub version: Option<String>,
    pub options: Vec<String>,
    pub environment: Vec<(String, String)>,
    pub timeout: f64,
    pub may_downgrade: bool,
    /// Allow packages of Chef's own client (`allow_chef_install` of client.rb).
    pub allows_chef: bool,
}

/// The state of one package of the resource.
#[derive(Default)]
pub(crate) struct Item {
    pub name: String,
    pub wanted: Option<String>,
    pub current: Option<String>,
    pub candidate: Option<String>,
    /// Whether the package is locked at its version.
    pub held: bool,
    /// The manager's name of the package, if different.
    pub real: Option<String>,
    /// Whether the installed version fits, for managers where that is not simple equality.
    pub fits: Option<bool>,
}

impl Item {
    /// Whether the wanted version, or any version if none is named, is installed.
    pub fn is_satisfied(&self) -> bool {
        self.fits.unwrap_or(match &self.wanted {
            Some(wanted) => self.current.as_ref() == Some(wanted),
            None => self.current.is_some(),
        })
    }
    /// Whether the candidate version must be known.
    pub fn is_due(&self, upgrade: bool) -> bool {
        !self.is_satisfied() || upgrade && self.wanted.is_none()
    }
    /// Whether nothing that fits is installed.
    fn is_missing(&self) -> bool {
        self.fits.map_or(self.current.is_none(), |fits| !fits)
    }
    /// The manager's name of the package.
    pub fn real(&self) -> &str {
        self.real.as_deref().unwrap_or(&self.name)
    }
}

/// The verb of an action.
pub(crate) fn verb(action: &str) -> PackageVerb {
    match action {
        "upgrade" => PackageVerb::Upgrade,
        "remove" => PackageVerb::Remove,
        "purge" => PackageVerb::Purge,
        "lock" => PackageVerb::Lock,
        "unlock" => PackageVerb::Unlock,
        "reconfig" => PackageVerb::Reconfigure,
        _ => PackageVerb::Install,
    }
}

impl Wish {
    /// Reads the properties that all package resources share.
    pub fn read(vm: &mut Vm, resource: &Value, action: &str) -> Res<Wish> {
        let given = get(vm, resource, "package_name")?;
        let is_list = matches!(given, Value::Array(_));
        let (names, versions) = (list(vm, resource, "package_name")?, list(vm, resource, "version")?);
        let wanted = |index: usize| versions.get(index).filter(|version| !version.is_empty()).cloned();
        let packages = names.into_iter().enumerate().map(|(index, name)| (name, wanted(index))).collect();
        let mut environment = Vec::new();
        for (key, value) in pairs(vm, resource, "environment")? {
            environment.push((vm.to_s_text(&key)?, vm.to_s_text(&value)?));
        }
        let may_downgrade = Symbol::intern_static("allow_downgrade");
        Ok(Wish {
            verb: verb(action),
            resource: vm.to_s_text(resource)?,
            packages,
            sources: list(vm, resource, "source")?,
            shown: if is_list { vm.inspect(&given)? } else { vm.to_s_text(&given)? },
            version: text_opt(vm, resource, "version")?,
            options: list(vm, resource, "options")?,
            environment,
            timeout: seconds(vm, resource, "timeout")?.unwrap_or(TIMEOUT),
            allows_chef: crate::coerce::config(vm, "allow_chef_install")?.truthy(),
            may_downgrade: !vm.respond_to(resource, may_downgrade, false)? || flag(vm, resource, "allow_downgrade")?,
        })
    }

    /// Rejects an Array of packages together with `source`.
    pub fn check_source(&self, vm: &mut Vm, resource: &Value) -> Res<()> {
        if !self.sources.is_empty() && matches!(get(vm, resource, "package_name")?, Value::Array(_)) {
            let text = "You may not specify both multipackage and source";
            return Err(chef_error(vm, "InvalidResourceSpecification", text));
        }
        Ok(())
    }

    /// Whether the action installs.
    pub fn installs(&self) -> bool {
        matches!(self.verb, PackageVerb::Install | PackageVerb::Upgrade)
    }

    /// The package files: those of `source`, else names that are paths of existing files.
    pub fn resolved_sources(&self, host: &dyn Host) -> Vec<Option<String>> {
        if !self.sources.is_empty() {
            return self.sources.iter().cloned().map(Some).collect();
        }
        let is_file = |name: &String| name.contains('/') && compose::exists(host, name.as_bytes());
        self.packages.iter().map(|(name, _)| Some(name.clone()).filter(is_file)).collect()
    }

    /// A command of the manager, with the resource's environment and timeout.
    pub fn command(&self, words: Vec<String>) -> Command {
        let command = Command::system(words).within(Some(self.timeout));
        self.environment.iter().fold(command, |command, (name, value)| command.with_env(name, value))
    }

    /// A query of the manager; its failure is no error.
    pub fn query(&self, words: &[&str]) -> Command {
        let words = words.iter().map(|word| (*word).to_string()).collect();
        Command { until_exit: false, ..self.command(words) }
    }

    /// What is said where one of the names is Chef's own client, which is installed only on request.
    fn refuses_chef<'a>(&self, mut names: impl Iterator<Item = &'a str>) -> Option<Assertion> {
        let name = names.find(|name| is_chef(name)).filter(|_| self.installs() && !self.allows_chef)?;
        Some(refused(&self.resource, name))
    }

    /// Rejects names, versions and files that programs would misread, and packages of Chef's client.
    pub fn unfit(&self) -> Option<Assertion> {
        let given = self.packages.iter().map(|(name, _)| name.as_str()).chain(self.sources.iter().map(String::as_str));
        if let Some(refused) = self.refuses_chef(given) {
            return Some(refused);
        }
        let names = self.packages.iter().map(|(name, _)| ("package", name));
        let files = self.sources.iter().map(|source| ("package file", source));
        let versions = self.packages.iter().filter_map(|(_, version)| Some(("version", version.as_ref()?)));
        names.chain(files).chain(versions).find_map(|(what, text)| unfit(PACKAGE, what, text))
    }
}

/// Compares two versions.
pub(crate) type Compare<'a> = &'a dyn Fn(&str, &str) -> Looked<Ordering>;

/// The version to install of each package (None: nothing to do), and the warnings.
pub(crate) fn targets(wish: &Wish, items: &[Item], compare: Compare<'_>) -> Looked<(Vec<Option<String>>, Vec<Change>)> {
    let (mut targets, mut warnings) = (Vec::new(), Vec::new());
    for item in items {
        let target = match wish.verb {
            PackageVerb::Upgrade => upgrade(wish, item, compare)?,
            _ => {
                let (target, skipped) = install(wish, item, compare)?;
                warnings.extend(skipped.map(|than| {
                    let message = format!(
                        "{} {} has installed version {}, which is newer than available version {than}. Skipping...)",
                        wish.resource,
                        item.name,
                        item.current.as_deref().unwrap_or_default()
                    );
                    Change::Engine(EngineStep::Log { level: "warn".into(), message, counts: false })
                }));
                target
            }
        };
        targets.push(target);
    }
    Ok((targets, warnings))
}

/// The version to install, and the version that is skipped because a newer one is installed.
fn install(wish: &Wish, item: &Item, compare: Compare<'_>) -> Looked<(Option<String>, Option<String>)> {
    if let (Some(current), Some(wanted)) = (&item.current, &item.wanted)
        && !wish.may_downgrade
        && compare(current, wanted)? == Ordering::Greater
    {
        return Ok((None, Some(wanted.clone())));
    }
    if item.is_satisfied() {
        return Ok((None, None));
    }
    let target = item.wanted.clone().filter(|_| item.fits.is_none());
    Ok((target.or_else(|| item.candidate.clone()), None))
}

/// The version to upgrade to.
fn upgrade(wish: &Wish, item: &Item, compare: Compare<'_>) -> Looked<Option<String>> {
    let Some(current) = &item.current else { return Ok(item.candidate.clone()) };
    let Some(candidate) = &item.candidate else { return Ok(None) };
    let is_wanted = item.wanted.as_ref() == Some(current);
    let is_older = !wish.may_downgrade && compare(current, candidate)? == Ordering::Greater;
    if is_wanted || is_older || candidate == current && !item.is_missing() {
        return Ok(None);
    }
    Ok(Some(candidate.clone()))
}

/// The names of packages without a candidate, among those that `keep` accepts.
fn without_candidate(items: &[Item], keep: impl Fn(&Item) -> bool) -> String {
    let missing = items.iter().filter(|item| keep(item) && item.candidate.is_none());
    missing.map(|item| item.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn no_candidate(head: &str, names: &str) -> Option<Assertion> {
    (!names.is_empty()).then(|| {
        Assertion::new(PACKAGE, format!("{head}o candidate version available for {names}"))
            .assuming(format!("Assuming a repository that offers {names} would have been configured"))
    })
}

/// The assertions of all package resources: each package to be installed has a candidate.
pub(crate) fn requirements(wish: &Wish, items: &[Item]) -> Vec<Assertion> {
    // a file may hold another package than its name says
    if let Some(failed) = wish.unfit().or_else(|| wish.refuses_chef(items.iter().map(Item::real))) {
        return vec![failed];
    }
    let mut failed = Vec::new();
    if wish.verb == PackageVerb::Install {
        let is_forced = |item: &Item| item.wanted.is_some() && item.current.is_some() && !item.is_satisfied();
        failed.extend(no_candidate("No version specified, and n", &without_candidate(items, is_forced)));
    }
    if wish.installs() && wish.sources.is_empty() {
        failed.extend(no_candidate("N", &without_candidate(items, Item::is_missing)));
    }
    failed
}

/// Rejects the property `environment`, for managers that Chef gives none.
pub(crate) fn no_environment(wish: &Wish) -> Option<Assertion> {
    let text = "The environment property is not supported for package resources on this platform";
    (!wish.environment.is_empty()).then(|| Assertion::new(PACKAGE, text))
}

/// A comparison for managers that install only what they offer: any other version counts as older.
pub(crate) fn only_equal(left: &str, right: &str) -> Looked<Ordering> {
    Ok(if left == right { Ordering::Equal } else { Ordering::Less })
}

/// The state of the packages, looked up one at a time; the candidate only where an installation may be due.
pub(crate) fn one_by_one(
    wish: &Wish,
    installed: impl Fn(&str) -> Looked<Option<String>>,
    candidate: impl Fn(&str) -> Looked<String>,
) -> Looked<Vec<Item>> {
    let mut items = Vec::new();
    for (name, wanted) in &wish.packages {
        let mut item =
            Item { name: name.clone(), wanted: wanted.clone(), current: installed(name)?, ..Item::default() };
        if wish.installs() && item.is_due(wish.verb == PackageVerb::Upgrade) {
            item.candidate = Some(candidate(name)?);
        }
        items.push(item);
    }
    Ok(items)
}

/// Asserts that the package files exist.
pub(crate) fn missing_files(wish: &Wish, sources: &[Option<String>], host: &dyn Host) -> Option<Assertion> {
    let is_missing =
        |source: &&Option<String>| source.as_ref().is_none_or(|source| !compose::exists(host, source.as_bytes()));
    let missing: Vec<String> = sources
        .iter()
        .filter(is_missing)
        .map(|source| source.as_ref().map_or("nil".to_string(), |source| format!("{source:?}")))
        .collect();
    (!missing.is_empty()).then(|| {
        Assertion::new(PACKAGE, format!("{} source file(s) do not exist: [{}]", wish.resource, missing.join(", ")))
            .assuming("Assuming they would have been previously created.")
    })
}

/// Whether packages are to be removed: some are installed, in the version that the resource names.
pub(crate) fn is_removed(items: &[Item]) -> bool {
    let installed = items.iter().any(|item| item.current.is_some());
    let fits = |item: &Item| item.fits.unwrap_or(item.wanted == item.current);
    installed
        && (items.iter().all(|item| item.wanted.is_none())
            || items.iter().any(|item| item.wanted.is_some() && fits(item)))
}

/// The change to the packages. `commands` makes the command lines for the packages to change, each with the version to install.
pub(crate) fn plan(
    wish: &Wish,
    items: &[Item],
    manager: Manager,
    compare: Compare<'_>,
    commands: impl Fn(&[(&Item, Option<&str>)]) -> Looked<Vec<Command>>,
) -> Looked<Vec<Change>> {
    let (targets, mut changes) = match wish.installs() {
        true => targets(wish, items, compare)?,
        false => (Vec::new(), Vec::new()),
    };
    let pairs: Vec<(&Item, Option<&str>)> = match wish.verb {
        PackageVerb::Install | PackageVerb::Upgrade => items
            .iter()
            .zip(&targets)
            .filter(|(_, target)| target.is_some())
            .map(|(item, target)| (item, target.as_deref()))
            .collect(),
        PackageVerb::Lock if items.iter().all(|item| item.held) => Vec::new(),
        PackageVerb::Unlock if items.iter().all(|item| !item.held) => Vec::new(),
        PackageVerb::Remove | PackageVerb::Purge if !is_removed(items) => Vec::new(),
        _ => items.iter().map(|item| (item, None)).collect(),
    };
    // only a why-run gets here with a package that has no candidate: it assumes that there will be one, which counts as an update
    let is_assumed =
        wish.installs() && wish.sources.is_empty() && !without_candidate(items, Item::is_missing).is_empty();
    if pairs.is_empty() && !is_assumed {
        return Ok(changes);
    }
    let keeps = matches!(wish.verb, PackageVerb::Lock | PackageVerb::Unlock);
    let changed = |(item, target): &(&Item, Option<&str>)| PackageItem {
        name: item.name.clone(),
        real: item.real.clone(),
        from: item.current.clone(),
        to: target.map(str::to_string).or_else(|| item.current.clone().filter(|_| keeps)),
    };
    changes.push(Change::Packages(PackageChange {
        verb: wish.verb,
        items: pairs.iter().map(changed).collect(),
        shown: wish.shown.clone(),
        version: wish.version.clone(),
        may_downgrade: wish.may_downgrade,
        manager,
        commands: if pairs.is_empty() { Vec::new() } else { commands(&pairs)? },
    }));
    Ok(changes)
}

/// The state properties of `current_resource`.
pub(crate) fn state(wish: &Wish, items: &[Item]) -> Vec<(&'static str, State)> {
    let (mut names, mut versions): (Vec<String>, Vec<String>) =
        items.iter().map(|item| (item.name.clone(), item.current.clone().unwrap_or_default())).unzip();
    if wish.packages.len() != 1 {
        return vec![("package_name", State::List(names)), ("version", State::List(versions))];
    }
    let version = versions.pop().filter(|version| !version.is_empty());
    vec![("package_name", State::text(names.pop())), ("version", State::text(version))]
}

/// Logs the warnings of a plan.
pub(crate) fn say(vm: &mut Vm, step: &EngineStep) -> Res<()> {
    match step {
        EngineStep::Log { level, message, .. } => log(vm, level, message),
        other => Err(vm.not_implemented(other.kind())),
    }
}

/// The functions that are the same for all package providers.
macro_rules! package_provider {
    ($class:literal) => {
        fn state(desired: &Desired, items: &Vec<Item>, _host: &dyn Host) -> Vec<(&'static str, rchef_change::State)> {
            packages::state(&desired.wish, items)
        }
        fn class(_: &mut Vm, _: &Value) -> Res<&'static str> {
            Ok($class)
        }
        fn carry_out(vm: &mut Vm, _: &Value, step: &rchef_change::EngineStep) -> Res<()> {
            packages::say(vm, step)
        }
    };
}
pub(crate) use package_provider;

/// Splits an rpm version: `[EPOCH:]VERSION[-RELEASE]`.
fn rpm_parts(version: &str) -> (&str, &str, Option<&str>) {
    let (epoch, rest) = match version.split_once(':') {
        Some((epoch, rest)) if epoch.bytes().all(|byte| byte.is_ascii_digit()) => (epoch, rest),
        _ => ("0", version),
    };
    match rest.rsplit_once('-') {
        Some((version, release)) => (epoch, version, Some(release)),
        None => (epoch, rest, None),
    }
}

/// Compares two versions by rpm's rules: epoch, version, and release if both have one.
pub(crate) fn compare_rpm(left: &str, right: &str) -> Ordering {
    let (left, right) = (rpm_parts(left), rpm_parts(right));
    let release = match (left.2, right.2) {
        (Some(left), Some(right)) => compare_segments(left, right),
        _ => Ordering::Equal,
    };
    compare_segments(left.0, right.0).then_with(|| compare_segments(left.1, right.1)).then(release)
}

/// Compares by segments of digits and letters. `~` sorts before everything, even the end of the text; `^` after the end, but before anything else.
fn compare_segments(left: &str, right: &str) -> Ordering {
    let is_separator = |c: char| !c.is_ascii_alphanumeric() && c != '~' && c != '^';
    let (mut left, mut right) = (left, right);
    loop {
        (left, right) = (left.trim_start_matches(is_separator), right.trim_start_matches(is_separator));
        for (mark, alone) in [('~', Ordering::Less), ('^', Ordering::Greater)] {
            match (left.starts_with(mark), right.starts_with(mark)) {
                (true, true) => (left, right) = (&left[1..], &right[1..]),
                // a caret sorts after the end, but before anything else
                (true, false) if mark == '^' && !right.is_empty() => return Ordering::Less,
                (false, true) if mark == '^' && !left.is_empty() => return Ordering::Greater,
                (true, false) => return alone,
                (false, true) => return alone.reverse(),
                (false, false) => {}
            }
        }
        if left.is_empty() || right.is_empty() {
            return left.len().cmp(&right.len());
        }
        let is_number = left.starts_with(|c: char| c.is_ascii_digit());
        if is_number != right.starts_with(|c: char| c.is_ascii_digit()) {
            return if is_number { Ordering::Greater } else { Ordering::Less };
        }
        let end = |text: &str| {
            let within = |c: char| c.is_ascii_alphanumeric() && c.is_ascii_digit() == is_number;
            text.find(|c: char| !within(c)).unwrap_or(text.len())
        };
        let ((ours, left_rest), (theirs, right_rest)) = (left.split_at(end(left)), right.split_at(end(right)));
        let order = if is_number {
            let (ours, theirs) = (ours.trim_start_matches('0'), theirs.trim_start_matches('0'));
            ours.len().cmp(&theirs.len()).then_with(|| ours.cmp(theirs))
        } else {
            ours.cmp(theirs)
        };
        if order != Ordering::Equal {
            return order;
        }
        (left, right) = (left_rest, right_rest);
    }
}

/// The version of a package file as rpm's own tools format it.
pub(crate) fn rpm_version(rpm: &rchef_host::queries::Rpm) -> String {
    format!("{}-{}", rpm.version, rpm.release)
}

/// Whether a file has the magic number of an rpm file.
pub(crate) fn is_rpm(host: &dyn Host, path: &str) -> bool {
    let mut start = [0; 4];
    host.stat(path.as_bytes()).is_ok_and(|stat| stat.is_file())
        && host.open(path.as_bytes(), OpenFlags::RDONLY, 0).is_ok_and(|file| file.read(&mut start, None).is_ok())
        && start == [0xed, 0xab, 0xee, 0xdb]
}

/// The data of a package file (`rpm -qp`): name, epoch, version, release, architecture.
pub(crate) fn rpm_file(wish: &Wish, host: &dyn Host, path: &str) -> Looked<Option<rchef_host::queries::Rpm>> {
    let format = "%{NAME} %{EPOCH} %{VERSION} %{RELEASE} %{ARCH}\\n";
    let output = wish.query(&["rpm", "-qp", "--queryformat", format, path]).run(host)?;
    Ok(rchef_host::queries::parse_rpm_list(&output.stdout).into_iter().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients() {
        for name in
            ["chef", "cinc", "/tmp/chef_18.1.0-1_amd64.deb", "chef-18.1.0-1.el8.x86_64.rpm", "chef-infra-client"]
        {
            assert!(is_chef(name), "{name}");
        }
        for name in ["chefdk", "chef-server-core", "cinc-auditor", "ruby-chef-utils", "chef-zero"] {
            assert!(!is_chef(name), "{name}");
        }
    }

    #[test]
    fn rpm_versions() {
        let sorted = [
            "1.0~rc1-1",
            "1.0-1",
            "1.0^git1-1",
            "1.0a-1",
            "1.0.1-1",
            "1.2-1",
            "1.2-2.el9",
            "1.10-1",
            "1.10-1a",
            "1:0.1-1",
        ];
        for (index, left) in sorted.iter().enumerate() {
            for (other, right) in sorted.iter().enumerate() {
                assert_eq!(compare_rpm(left, right), index.cmp(&other), "{left} {right}");
            }
        }
        assert_eq!(compare_rpm("0:1.2-3", "1.2"), Ordering::Equal);
        assert_eq!(compare_rpm("1.05", "1.5"), Ordering::Equal);
    }
}
