//! `apt_package`: `package` on the Debian family (SPEC-converge 3.4). Installed versions are read from dpkg's status file; candidates are looked up
//! only when one is needed, and then for all packages of the run at once.

use super::along;
use super::debconf;
use super::packages::{self, Item, PACKAGE, Wish, package_provider};
use super::support::*;
use rchef_change::package::{Manager, PackageVerb};
use rchef_change::{Assertion, Change, ChangeError, Command, PackageChange, PackageItem};
use rchef_host::Host;
use rchef_host::queries::Package;
use rchef_recipe::context;
use rchef_recipe::run::run_mut;
use rchef_ruby::{Res, Symbol, Value, Vm};
use std::cmp::Ordering;

pub(crate) struct AptPackage;

/// What a package resource asks for.
pub(crate) struct Desired {
    wish: Wish,
    /// A file of answers that debconf gets first.
    seed: Option<String>,
    default_release: Option<String>,
    overwrite_config_files: bool,
    /// Packages of the run's other resources, whose candidates are looked up in the same call.
    along: Vec<String>,
}

fn installed(package: Option<Package>) -> Option<String> {
    package.filter(Package::installed).map(|package| package.version)
}

fn read(vm: &mut Vm, resource: &Value, action: &str) -> Res<Desired> {
    let wish = Wish::read(vm, resource, action)?;
    wish.check_source(vm, resource)?;
    Ok(Desired {
        wish,
        seed: None,
        default_release: text_opt(vm, resource, "default_release")?,
        overwrite_config_files: flag(vm, resource, "overwrite_config_files")?,
        along: Vec::new(),
    })
}

/// Whether an action of the resource is `:upgrade`; a `lazy` one is not evaluated.
fn upgrades(vm: &Vm, resource: &Value) -> bool {
    let is_upgrade = |value: &Value| matches!(value, Value::Sym(name) if name.as_str() == "upgrade");
    match vm.ivar_get(resource, Symbol::intern_static("@action")).unwrap_or_default() {
        Value::Array(items) => items.get(vm).items.iter().any(is_upgrade),
        other => is_upgrade(&other),
    }
}

/// Names of packages whose candidates the run's resources will need: those that are not installed or to be upgraded. `lazy` names are left out.
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
        let upgrades = upgrades(vm, &resource);
        for text in texts.iter().filter(|text| matches!(text, Value::Str(_))) {
            let name = vm.to_s_text(text)?;
            if !names.contains(&name) && (upgrades || installed(on(vm, |host| host.package(&name))?).is_none()) {
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
        let Some(known) = found.get(&item.name) else { continue };
        item.candidate = match &item.wanted {
            Some(version) => known.versions.iter().find(|offered| *offered == version).cloned(),
            None => known.candidate.clone(),
        };
        // a package that apt knows is not virtual, whatever versions of it are on offer
        if known.candidate.is_none() && item.candidate.is_none() && item.current.is_none() {
            resolve_virtual(host, item, &known.providers)?;
        }
    }
    Ok(())
}

/// Resolves a virtual package to the only package that provides it.
fn resolve_virtual(host: &dyn Host, item: &mut Item, providers: &[String]) -> Looked<()> {
    let [real] = providers else {
        if providers.is_empty() {
            return Ok(());
        }
        let message =
            format!("{} is a virtual package provided by multiple packages, you must explicitly select one", item.name);
        return Err(ChangeError::raise(PACKAGE, message));
    };
    item.current = installed(host.package(real)?);
    item.candidate = host.candidates(&[real])?.get(real).and_then(|known| known.candidate.clone());
    item.real = Some(real.clone());
    Ok(())
}

/// Whether an installed package provides this name.
fn is_provided(host: &dyn Host, name: &str) -> Looked<bool> {
    let provides = |package: &Package| {
        let mut names = package.provides.split(',').filter_map(|part| part.split_whitespace().next());
        package.installed() && names.any(|provided| provided == name)
    };
    Ok(host.packages()?.iter().any(provides))
}

/// The command of the action for these packages.
fn command(desired: &Desired, names: &[String]) -> Command {
    let mut words: Vec<String> = Vec::new();
    let mut say = |text: &str| words.push(text.to_string());
    let verb = match desired.wish.verb {
        PackageVerb::Lock | PackageVerb::Unlock => {
            say("apt-mark");
            if desired.wish.verb == PackageVerb::Lock { "hold" } else { "unhold" }
        }
        PackageVerb::Install | PackageVerb::Upgrade => {
            ["apt-get", "-q", "-y", "--allow-downgrades"].into_iter().for_each(&mut say);
            if !desired.wish.options.iter().any(|option| option.contains("--force-conf")) {
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
    desired.wish.options.iter().map(String::as_str).for_each(&mut say);
    say(verb);
    names.iter().map(String::as_str).for_each(&mut say);
    let command = desired.wish.command(words);
    if command.env.contains_key(&b"DEBIAN_FRONTEND"[..]) {
        return command;
    }
    command.with_env("DEBIAN_FRONTEND", "noninteractive")
}

/// Compares versions by dpkg's rules.
fn compare(host: &dyn Host, left: &str, right: &str) -> Looked<Ordering> {
    let words = ["dpkg", "--compare-versions", left, "gt", right];
    let is_newer = Command { until_exit: false, ..Command::system(words) }.query(host)?.status.success();
    Ok(if is_newer { Ordering::Greater } else { Ordering::Less })
}

/// A package as it is named on the command line.
fn target(item: &Item, to: Option<&str>, installs: bool) -> String {
    match to {
        Some(version) if installs && item.real.is_none() => format!("{}={version}", item.name),
        _ if installs => item.name.clone(),
        _ => item.real().to_string(),
    }
}

impl Provider for AptPackage {
    type Desired = Desired;
    type Current = Vec<Item>;
    const ACTIONS: &'static [&'static str] = &["install", "upgrade", "remove", "purge", "reconfig", "lock", "unlock"];
    const HELPERS: &'static [&'static str] =
        &["install_package", "upgrade_package", "remove_package", "purge_package", "lock_package", "unlock_package"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let mut desired = read(vm, resource, action)?;
        if desired.wish.installs() {
            let mut due = desired.wish.verb == PackageVerb::Upgrade;
            for (name, wanted) in &desired.wish.packages {
                let current = installed(on(vm, |host| host.package(name))?);
                due |= current.is_none() || wanted.is_some() && *wanted != current;
            }
            if due {
                desired.along = asked_along(vm)?;
                for (name, _) in &desired.wish.packages {
                    if !desired.along.contains(name) && desired.wish.unfit().is_none() {
                        along::remember(vm, "package", name);
                    }
                }
                along::add_remembered(vm, "package", &mut desired.along)?;
            }
        }
        Ok(desired)
    }

    fn load(desired: &Desired, host: &dyn Host) -> Looked<Vec<Item>> {
        let wish = &desired.wish;
        let mut items = Vec::new();
        for (name, wanted) in &wish.packages {
            let found = host.package(name)?;
            let held = found.as_ref().is_some_and(|package| package.want == "hold");
            let current = installed(found);
            items.push(Item { name: name.clone(), wanted: wanted.clone(), current, held, ..Item::default() });
        }
        if !wish.sources.is_empty() || wish.unfit().is_some() {
            return Ok(items);
        }
        match wish.verb {
            PackageVerb::Install | PackageVerb::Upgrade => {
                let upgrade = wish.verb == PackageVerb::Upgrade;
                if items.iter().any(|item| item.is_due(upgrade)) {
                    look_up(desired, host, &mut items)?;
                }
            }
            PackageVerb::Remove | PackageVerb::Purge => {
                let mut virtuals = Vec::new();
                for item in items.iter_mut().filter(|item| item.current.is_none()) {
                    if is_provided(host, &item.name)? {
                        virtuals.push(item);
                    }
                }
                let names: Vec<&str> = virtuals.iter().map(|item| item.name.as_str()).collect();
                let found = if names.is_empty() { Default::default() } else { host.candidates(&names)? };
                for item in virtuals {
                    if let Some(known) = found.get(&item.name).filter(|known| known.candidate.is_none()) {
                        resolve_virtual(host, item, &known.providers)?;
                    }
                }
            }
            _ => {}
        }
        Ok(items)
    }

    fn requirements(desired: &Desired, items: &Vec<Item>, _: &dyn Host) -> Looked<Vec<Assertion>> {
        let wish = &desired.wish;
        if !wish.sources.is_empty() {
            let message = "apt package provider cannot handle source property. Use dpkg provider instead";
            return Ok(vec![Assertion::new(PACKAGE, message)]);
        }
        let upgrade = wish.verb == PackageVerb::Upgrade;
        let due = wish.installs() && items.iter().any(|item| item.is_due(upgrade));
        if !due {
            return Ok(wish.unfit().into_iter().collect());
        }
        Ok(packages::requirements(wish, items))
    }

    fn complete(vm: &mut Vm, resource: &Value, desired: &mut Desired, items: &Vec<Item>) -> Res<()> {
        desired.seed = debconf::seed_for(vm, resource, &desired.wish, items, &compare)?;
        Ok(())
    }

    fn plan(desired: &Desired, items: &Vec<Item>, host: &dyn Host) -> Looked<Vec<Change>> {
        let wish = &desired.wish;
        let answers = match &desired.seed {
            Some(seed) => Some(debconf::change(wish, &debconf::due(host, wish, items, &compare)?, seed)),
            None => None,
        };
        if wish.verb == PackageVerb::Reconfigure {
            return Ok(answers.into_iter().collect());
        }
        let compare = |left: &str, right: &str| compare(host, left, right);
        let changes = packages::plan(wish, items, Manager::Dpkg, &compare, |due| {
            let names: Vec<String> = due.iter().map(|(item, to)| target(item, *to, wish.installs())).collect();
            Ok(vec![command(desired, &names)])
        })?;
        Ok(answers.into_iter().chain(changes).collect())
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
        let names = match args.is_empty() {
            true => desired.wish.packages.drain(..).map(|(name, _)| name).collect(),
            false => names,
        };
        let installs = desired.wish.installs();
        let (mut items, mut targets) = (Vec::new(), Vec::new());
        for (index, name) in names.into_iter().enumerate() {
            let to = versions.get(index).filter(|version| !version.is_empty()).cloned();
            targets.push(match &to {
                Some(version) if installs => format!("{name}={version}"),
                _ => name.clone(),
            });
            items.push(PackageItem { name, to, ..PackageItem::default() });
        }
        let wish = &desired.wish;
        Ok(vec![Change::Packages(PackageChange {
            verb: wish.verb,
            items,
            shown: wish.shown.clone(),
            version: wish.version.clone(),
            may_downgrade: wish.may_downgrade,
            manager: Manager::Dpkg,
            commands: vec![command(&desired, &targets)],
        })])
    }

    package_provider!("Package::Apt");
}
