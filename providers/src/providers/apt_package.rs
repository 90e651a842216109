//! `apt_package`: `package` of the Debian family (SPEC-converge 3.4). What is installed is read from dpkg's status; candidates are looked up
//! only when one is needed, then for every package of the run at once.

use super::support::*;
use rchef_change::package::PackageVerb;
use rchef_change::{Assertion, Change, ChangeError, Command, PackageChange, PackageItem, State};
use rchef_host::Host;
use rchef_host::queries::Package;
use rchef_recipe::context;
use rchef_recipe::run::{chef_error, run_mut};
use rchef_ruby::{Res, Symbol, Value, Vm};

/// Provider of `apt_package`.
pub(crate) struct AptPackage;

/// Seconds that apt is given where the resource says nothing.
const TIMEOUT: f64 = 900.0;

/// What a package resource asks for.
pub(crate) struct Desired {
    verb: PackageVerb,
    /// The packages, each with the version that is asked for.
    packages: Vec<(String, Option<String>)>,
    /// The packages as the resource names them.
    shown: String,
    /// The version as the resource names it.
    version: Option<String>,
    /// The resource names a file, which apt cannot install.
    has_source: bool,
    options: Vec<String>,
    default_release: Option<String>,
    overwrite_config_files: bool,
    environment: Vec<(String, String)>,
    timeout: f64,
    /// Packages that other resources of the run will ask about: their candidates are looked up in the same call.
    along: Vec<String>,
}

/// What is known of one package of the resource.
#[derive(Default)]
pub(crate) struct Item {
    name: String,
    wanted: Option<String>,
    current: Option<String>,
    held: bool,
    candidate: Option<String>,
    /// Only packages of other names provide it.
    is_virtual: bool,
}

impl Item {
    /// Whether the wish alone does not show that nothing is to be done.
    fn is_due(&self, upgrade: bool) -> bool {
        match (&self.wanted, &self.current) {
            (Some(wanted), Some(current)) => wanted != current,
            (None, Some(_)) => upgrade,
            (_, None) => true,
        }
    }
}

fn verb(action: &str) -> PackageVerb {
    match action {
        "upgrade" => PackageVerb::Upgrade,
        "remove" => PackageVerb::Remove,
        "purge" => PackageVerb::Purge,
        "lock" => PackageVerb::Lock,
        "unlock" => PackageVerb::Unlock,
        _ => PackageVerb::Install,
    }
}

fn installed(package: Option<Package>) -> Option<String> {
    package.filter(Package::installed).map(|package| package.version)
}

fn read(vm: &mut Vm, resource: &Value, action: &str) -> Res<Desired> {
    let given = get(vm, resource, "package_name")?;
    let is_list = matches!(given, Value::Array(_));
    let has_source = flag(vm, resource, "source")?;
    if has_source && is_list {
        let text = "You may not specify both multipackage and source";
        return Err(chef_error(vm, "InvalidResourceSpecification", text));
    }
    let (names, versions) = (list(vm, resource, "package_name")?, list(vm, resource, "version")?);
    let wanted = |index: usize| versions.get(index).filter(|version| !version.is_empty()).cloned();
    let packages = names.into_iter().enumerate().map(|(index, name)| (name, wanted(index))).collect();
    let mut environment = Vec::new();
    for (key, value) in pairs(vm, resource, "environment")? {
        environment.push((vm.to_s_text(&key)?, vm.to_s_text(&value)?));
    }
    Ok(Desired {
        verb: verb(action),
        packages,
        shown: if is_list { vm.inspect(&given)? } else { vm.to_s_text(&given)? },
        version: text_opt(vm, resource, "version")?,
        has_source,
        options: list(vm, resource, "options")?,
        default_release: text_opt(vm, resource, "default_release")?,
        overwrite_config_files: flag(vm, resource, "overwrite_config_files")?,
        environment,
        timeout: seconds(vm, resource, "timeout")?.unwrap_or(TIMEOUT),
        along: Vec::new(),
    })
}

/// Names of packages that the run's resources will ask about: those given plainly that are not installed.
fn asked_along(vm: &mut Vm) -> Res<Vec<String>> {
    let mut names = Vec::new();
    let root = run_mut(vm).root.clone();
    if root.is_nil() {
        return Ok(names);
    }
    let class = vm.class_named("Chef::Resource::AptPackage");
    for resource in context::resources(vm, &root)? {
        if !class.is_some_and(|class| vm.is_a(&resource, class)) {
            continue;
        }
        let value = vm.ivar_get(&resource, Symbol::intern_static("@package_name")).unwrap_or_default();
        let texts = match &value {
            Value::Str(_) => vec![value],
            Value::Array(items) => items.get(vm).items.clone(),
            _ => continue,
        };
        for text in texts.iter().filter(|text| matches!(text, Value::Str(_))) {
            let name = vm.to_s_text(text)?;
            if !names.contains(&name) && installed(on(vm, |host| host.package(&name))?).is_none() {
                names.push(name);
            }
        }
    }
    Ok(names)
}

fn look_up(desired: &Desired, host: &dyn Host, items: &mut [Item]) -> Looked<()> {
    let own = items.iter().map(|item| item.name.as_str());
    let mut names: Vec<&str> = own.collect();
    let more: Vec<&str> = desired.along.iter().map(String::as_str).filter(|name| !names.contains(name)).collect();
    names.extend(more);
    let found = host.candidates(&names)?;
    for item in items {
        let known = found.get(&item.name);
        item.candidate = match &item.wanted {
            Some(version) => known.and_then(|known| known.versions.iter().find(|offered| *offered == version).cloned()),
            None => known.and_then(|known| known.candidate.clone()),
        };
        // a package that apt knows is not virtual, whatever versions of it are on offer
        let is_known = known.is_some_and(|known| known.candidate.is_some());
        if !is_known && item.candidate.is_none() && item.current.is_none() {
            resolve_virtual(host, item)?;
        }
    }
    Ok(())
}

/// A package that only others provide stands for the one that does.
fn resolve_virtual(host: &dyn Host, item: &mut Item) -> Looked<()> {
    let query = Command { until_exit: false, ..Command::system(["apt-cache", "showpkg", &item.name]) };
    let text = lossy(&query.query(host)?.stdout);
    let Some((_, providers)) = text.rsplit_once("Reverse Provides:") else { return Ok(()) };
    let mut names: Vec<&str> = providers.lines().filter_map(|line| line.split_whitespace().next()).collect();
    names.sort_unstable();
    names.dedup();
    if names.len() > 1 {
        let message =
            format!("{} is a virtual package provided by multiple packages, you must explicitly select one", item.name);
        return Err(ChangeError::raise("Chef::Exceptions::Package", message));
    }
    let Some(real) = names.pop() else { return Ok(()) };
    item.current = installed(host.package(real)?);
    item.candidate = host.candidates(&[real])?.get(real).and_then(|known| known.candidate.clone());
    item.is_virtual = true;
    Ok(())
}

/// The command of an action on these packages.
fn command(desired: &Desired, names: &[String]) -> Command {
    let mut words: Vec<String> = Vec::new();
    let mut say = |text: &str| words.push(text.to_string());
    let verb = match desired.verb {
        PackageVerb::Lock | PackageVerb::Unlock => {
            say("apt-mark");
            if desired.verb == PackageVerb::Lock { "hold" } else { "unhold" }
        }
        PackageVerb::Install | PackageVerb::Upgrade => {
            ["apt-get", "-q", "-y", "--allow-downgrades"].into_iter().for_each(&mut say);
            if !desired.options.iter().any(|option| option.contains("--force-conf")) {
                let confs: &[&str] =
                    if desired.overwrite_config_files { &["confnew"] } else { &["confdef", "confold"] };
                for conf in confs {
                    say("-o");
                    say(&format!("Dpkg::Options::=--force-{conf}"));
                }
            }
            if let Some(release) = &desired.default_release {
                say("-o");
                say(&format!("APT::Default-Release={release}"));
            }
            "install"
        }
        other => {
            ["apt-get", "-q", "-y"].into_iter().for_each(&mut say);
            other.as_str()
        }
    };
    desired.options.iter().map(String::as_str).for_each(&mut say);
    say(verb);
    names.iter().map(String::as_str).for_each(&mut say);
    let mut command =
        Command::system(words).within(Some(desired.timeout)).with_env("DEBIAN_FRONTEND", "noninteractive");
    for (name, value) in &desired.environment {
        command = command.with_env(name, value);
    }
    command
}

/// The packages that have no candidate, among those that are looked at.
fn without_candidate(items: &[Item], keep: impl Fn(&Item) -> bool) -> String {
    let missing = items.iter().filter(|item| keep(item) && item.candidate.is_none());
    missing.map(|item| item.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn no_candidate(head: &str, names: &str) -> Option<Assertion> {
    (!names.is_empty()).then(|| {
        Assertion::new("Chef::Exceptions::Package", format!("{head}o candidate version available for {names}"))
            .assuming(format!("Assuming a repository that offers {names} would have been configured"))
    })
}

/// Whether a candidate is above what is installed, by Debian's rules.
fn is_newer(host: &dyn Host, item: &Item, target: &str) -> Looked<bool> {
    let Some(current) = &item.current else { return Ok(true) };
    let words = ["dpkg", "--compare-versions", target, "gt", current];
    Ok(Command { until_exit: false, ..Command::system(words) }.query(host)?.status.success())
}

/// Installation or upgrade: the target version of each package, in one command.
fn install(desired: &Desired, items: &[Item], host: &dyn Host) -> Looked<Vec<Change>> {
    let upgrade = desired.verb == PackageVerb::Upgrade;
    let (mut changed, mut targets) = (Vec::new(), Vec::new());
    for item in items.iter().filter(|item| item.is_due(upgrade)) {
        let target = match &item.wanted {
            Some(wanted) => wanted.clone(),
            None => match &item.candidate {
                Some(candidate) if Some(candidate) != item.current.as_ref() => candidate.clone(),
                _ => continue,
            },
        };
        if upgrade && item.wanted.is_none() && !is_newer(host, item, &target)? {
            continue;
        }
        targets.push(if item.is_virtual { item.name.clone() } else { format!("{}={target}", item.name) });
        let to = item.candidate.clone().filter(|_| upgrade).unwrap_or(target);
        changed.push(PackageItem { name: item.name.clone(), from: item.current.clone(), to: Some(to) });
    }
    // a why-run has assumed a candidate that nobody knows: an update of which nothing can be said
    let assumed = |item: &Item| item.is_due(upgrade) && item.current.is_none() && item.candidate.is_none();
    let is_due = !targets.is_empty() || items.iter().any(assumed);
    Ok(if is_due { vec![change(desired, changed, &targets)] } else { Vec::new() })
}

fn change(desired: &Desired, items: Vec<PackageItem>, names: &[String]) -> Change {
    Change::Packages(PackageChange {
        verb: desired.verb,
        items,
        shown: desired.shown.clone(),
        version: desired.version.clone(),
        command: command(desired, names),
    })
}

impl Provider for AptPackage {
    type Desired = Desired;
    type Current = Vec<Item>;
    const ACTIONS: &'static [&'static str] = &["install", "upgrade", "remove", "purge", "lock", "unlock"];
    const HELPERS: &'static [&'static str] =
        &["install_package", "upgrade_package", "remove_package", "purge_package", "lock_package", "unlock_package"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let mut desired = read(vm, resource, action)?;
        if matches!(desired.verb, PackageVerb::Install | PackageVerb::Upgrade) {
            let mut due = desired.verb == PackageVerb::Upgrade;
            for (name, wanted) in &desired.packages {
                let current = installed(on(vm, |host| host.package(name))?);
                due |= current.is_none() || wanted.is_some() && *wanted != current;
            }
            if due {
                desired.along = asked_along(vm)?;
            }
        }
        Ok(desired)
    }

    fn load(desired: &Desired, host: &dyn Host) -> Looked<Vec<Item>> {
        let mut items = Vec::new();
        for (name, wanted) in &desired.packages {
            let found = host.package(name)?;
            let held = found.as_ref().is_some_and(|package| package.want == "hold");
            items.push(Item {
                name: name.clone(),
                wanted: wanted.clone(),
                current: installed(found),
                held,
                ..Item::default()
            });
        }
        let upgrade = desired.verb == PackageVerb::Upgrade;
        let installs = upgrade || desired.verb == PackageVerb::Install;
        let fits = |item: &Item| unfit("", "", &item.name).is_none();
        let due = items.iter().any(|item| item.is_due(upgrade)) && items.iter().all(fits);
        if installs && !desired.has_source && due {
            look_up(desired, host, &mut items)?;
        }
        Ok(items)
    }

    fn requirements(desired: &Desired, items: &Vec<Item>, _: &dyn Host) -> Looked<Vec<Assertion>> {
        if desired.has_source {
            let message = "apt package provider cannot handle source property. Use dpkg provider instead";
            return Ok(vec![Assertion::new("Chef::Exceptions::Package", message)]);
        }
        let unfit = items.iter().find_map(|item| unfit("Chef::Exceptions::Package", "package", &item.name));
        if let Some(failed) = unfit {
            return Ok(vec![failed]);
        }
        let upgrade = desired.verb == PackageVerb::Upgrade;
        let installs = upgrade || desired.verb == PackageVerb::Install;
        if !installs || !items.iter().any(|item| item.is_due(upgrade)) {
            return Ok(Vec::new());
        }
        let mut failed = Vec::new();
        if !upgrade {
            let names = without_candidate(items, |item| item.wanted.is_some() && item.wanted != item.current);
            failed.extend(no_candidate("No version specified, and n", &names));
        }
        failed.extend(no_candidate("N", &without_candidate(items, |item| item.current.is_none())));
        Ok(failed)
    }

    fn plan(desired: &Desired, items: &Vec<Item>, host: &dyn Host) -> Looked<Vec<Change>> {
        let is_due = match desired.verb {
            PackageVerb::Install | PackageVerb::Upgrade => return install(desired, items, host),
            PackageVerb::Lock => !items.iter().all(|item| item.held),
            PackageVerb::Unlock => !items.iter().all(|item| !item.held),
            PackageVerb::Remove | PackageVerb::Purge => {
                let installed = items.iter().any(|item| item.current.is_some());
                let fits = items.iter().all(|item| item.wanted.is_none())
                    || items.iter().any(|item| item.wanted.is_some() && item.wanted == item.current);
                installed && fits
            }
        };
        if !is_due {
            return Ok(Vec::new());
        }
        let keeps = matches!(desired.verb, PackageVerb::Lock | PackageVerb::Unlock);
        let changed = |item: &Item| PackageItem {
            name: item.name.clone(),
            from: item.current.clone(),
            to: item.current.clone().filter(|_| keeps),
        };
        let names: Vec<String> = items.iter().map(|item| item.name.clone()).collect();
        Ok(vec![change(desired, items.iter().map(changed).collect(), &names)])
    }

    fn state(desired: &Desired, items: &Vec<Item>) -> Vec<(&'static str, State)> {
        let (mut names, mut versions): (Vec<String>, Vec<String>) =
            items.iter().map(|item| (item.name.clone(), item.current.clone().unwrap_or_default())).unzip();
        if desired.packages.len() != 1 {
            return vec![("package_name", State::List(names)), ("version", State::List(versions))];
        }
        let version = versions.pop().filter(|version| !version.is_empty());
        vec![("package_name", State::text(names.pop())), ("version", State::text(version))]
    }

    fn class(_: &dyn Host) -> &'static str {
        "Package::Apt"
    }

    fn helper_of(change: &Change) -> Option<(&'static str, Vec<Value>)> {
        let Change::Packages(packages) = change else { return None };
        let verb = packages.verb.as_str();
        let name = AptPackage::HELPERS.iter().find(|name| name.strip_suffix("_package") == Some(verb))?;
        let names = packages.items.iter().map(|item| Value::str(&item.name)).collect();
        let version = |item: &PackageItem| item.to.as_ref().or(item.from.as_ref()).map_or(Value::Nil, Value::str);
        Some((name, vec![Value::array(names), Value::array(packages.items.iter().map(version).collect())]))
    }

    fn helper(vm: &mut Vm, resource: &Value, name: &'static str, args: &[Value]) -> Res<Vec<Change>> {
        let mut desired = read(vm, resource, name.strip_suffix("_package").unwrap_or(name))?;
        let mut columns = [Vec::new(), Vec::new()];
        for (column, given) in columns.iter_mut().zip(args) {
            for item in vm.to_array(given)? {
                column.push(if item.is_nil() { String::new() } else { vm.to_s_text(&item)? });
            }
        }
        let [names, versions] = columns;
        let names = if args.is_empty() { desired.packages.drain(..).map(|(name, _)| name).collect() } else { names };
        let installs = matches!(desired.verb, PackageVerb::Install | PackageVerb::Upgrade);
        let (mut items, mut targets) = (Vec::new(), Vec::new());
        for (index, name) in names.into_iter().enumerate() {
            let to = versions.get(index).filter(|version| !version.is_empty()).cloned();
            targets.push(match &to {
                Some(version) if installs => format!("{name}={version}"),
                _ => name.clone(),
            });
            items.push(PackageItem { name, from: None, to });
        }
        Ok(vec![change(&desired, items, &targets)])
    }
}
