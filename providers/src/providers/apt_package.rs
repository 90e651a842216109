//! `apt_package`: `package` of the Debian family (SPEC-converge 3.4). What is installed is read from dpkg's status; candidates are looked up
//! only when one is needed, then for every package of the run at once.

use super::shell;
use super::support::*;
use rchef_recipe::context;
use rchef_recipe::provider::native::{Plan, Provider};
use rchef_recipe::run::{chef_error, run_mut};
use rchef_ruby::{Res, Symbol, Value, Vm};

/// Provider of `apt_package`.
pub(crate) struct AptPackage;

/// One package of the resource.
struct Item {
    name: String,
    /// The version asked for.
    wanted: Option<String>,
    current: Option<String>,
    held: bool,
    candidate: Option<String>,
    /// Stands for a package of another name.
    real: Option<String>,
}

fn items(vm: &mut Vm, resource: &Value) -> Res<Vec<Item>> {
    let names = list(vm, resource, "package_name")?;
    let versions = list(vm, resource, "version")?;
    let mut items = Vec::new();
    for (index, name) in names.into_iter().enumerate() {
        let found = on(vm, |host| host.package(&name))?;
        let held = found.as_ref().is_some_and(|package| package.want == "hold");
        let current = found.filter(|package| package.installed()).map(|package| package.version);
        let wanted = versions.get(index).filter(|version| !version.is_empty()).cloned();
        items.push(Item { name, wanted, current, held, candidate: None, real: None });
    }
    Ok(items)
}

/// Names of packages that the run's resources will ask about: those given plainly.
fn names_of_run(vm: &mut Vm, first: &[Item]) -> Res<Vec<String>> {
    let mut names: Vec<String> = first.iter().map(|item| item.name.clone()).collect();
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
            if !names.contains(&name) && on(vm, |host| host.package(&name))?.is_none_or(|package| !package.installed())
            {
                names.push(name);
            }
        }
    }
    Ok(names)
}

fn look_up(vm: &mut Vm, items: &mut [Item]) -> Res<()> {
    let names = names_of_run(vm, items)?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let found = on(vm, |host| host.candidates(&names))?;
    for item in items {
        let known = found.get(&item.name);
        item.candidate = match &item.wanted {
            Some(version) => known.and_then(|known| known.versions.iter().find(|offered| *offered == version).cloned()),
            None => known.and_then(|known| known.candidate.clone()),
        };
        if item.candidate.is_none() && item.current.is_none() {
            resolve_virtual(vm, item)?;
        }
    }
    Ok(())
}

/// A package that only others provide stands for the one that does.
fn resolve_virtual(vm: &mut Vm, item: &mut Item) -> Res<()> {
    let output = shell::query(vm, &["apt-cache", "showpkg", &item.name])?;
    let text = lossy(&output.stdout);
    let Some((_, providers)) = text.rsplit_once("Reverse Provides:") else { return Ok(()) };
    let mut names: Vec<String> =
        providers.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_string).collect();
    names.sort();
    names.dedup();
    if names.len() > 1 {
        let text =
            format!("{} is a virtual package provided by multiple packages, you must explicitly select one", item.name);
        return Err(chef_error(vm, "Package", text));
    }
    let Some(real) = names.pop() else { return Ok(()) };
    item.current =
        on(vm, |host| host.package(&real))?.filter(|package| package.installed()).map(|package| package.version);
    item.candidate = on(vm, |host| host.candidates(&[&real]))?.get(&real).and_then(|known| known.candidate.clone());
    item.real = Some(real);
    Ok(())
}

fn assume_repository(vm: &mut Vm, resource: &Value, action: Symbol, missing: &[String], head: &str) -> Res<()> {
    let names = missing.join(", ");
    let assume = format!("Assuming a repository that offers {names} would have been configured");
    require(
        vm,
        resource,
        action,
        missing.is_empty(),
        "Package",
        &format!("{head}no candidate version available for {names}"),
        &[assume],
    )
    .map(drop)
}

fn options_of(vm: &mut Vm, resource: &Value) -> Res<Vec<String>> {
    list(vm, resource, "options")
}

fn apt(vm: &mut Vm, resource: &Value, argv: Vec<String>) -> Res<()> {
    let mut env = vec![("DEBIAN_FRONTEND".to_string(), "noninteractive".to_string())];
    if let Value::Hash(hash) = get(vm, resource, "environment")? {
        let pairs: Vec<(Value, Value)> = hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        for (key, value) in pairs {
            env.push((vm.to_s_text(&key)?, vm.to_s_text(&value)?));
        }
    }
    let timeout = match text_opt(vm, resource, "timeout")? {
        Some(text) => text.trim().parse().unwrap_or(900.0),
        None => 900.0,
    };
    let result = shell::command(vm, &argv, &env, Some(timeout));
    forget_answers(vm);
    result.map(drop)
}

fn words(head: &[&str], options: Vec<String>, verb: &str, names: Vec<String>) -> Vec<String> {
    let mut argv: Vec<String> = head.iter().map(|word| word.to_string()).collect();
    argv.extend(options);
    argv.push(verb.to_string());
    argv.extend(names);
    argv
}

fn install(vm: &mut Vm, resource: &Value, targets: &[String]) -> Res<()> {
    let options = options_of(vm, resource)?;
    let mut head = vec!["apt-get".to_string(), "-q".into(), "-y".into(), "--allow-downgrades".into()];
    if !options.iter().any(|option| option.contains("--force-conf")) {
        let confs: &[&str] =
            if flag(vm, resource, "overwrite_config_files")? { &["confnew"] } else { &["confdef", "confold"] };
        for conf in confs {
            head.extend(["-o".to_string(), format!("Dpkg::Options::=--force-{conf}")]);
        }
    }
    if let Some(release) = text_opt(vm, resource, "default_release")? {
        head.extend(["-o".to_string(), format!("APT::Default-Release={release}")]);
    }
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    apt(vm, resource, words(&head, options, "install", targets.to_vec()))
}

/// Installation or upgrade: the target version of each package, in one command.
fn install_plan(vm: &mut Vm, resource: &Value, action: Symbol, mut items: Vec<Item>) -> Res<Plan> {
    let upgrade = action.as_str() == "upgrade";
    let needs = |item: &Item| match (&item.wanted, &item.current) {
        (Some(wanted), Some(current)) => wanted != current,
        (None, Some(_)) => upgrade,
        (_, None) => true,
    };
    if !items.iter().any(needs) {
        return Ok(Vec::new());
    }
    look_up(vm, &mut items)?;
    let missing = |keep: &dyn Fn(&Item) -> bool| {
        items
            .iter()
            .filter(|item| keep(item) && item.candidate.is_none())
            .map(|item| item.name.clone())
            .collect::<Vec<_>>()
    };
    if !upgrade {
        let forced = missing(&|item| item.wanted.is_some() && item.wanted != item.current);
        assume_repository(vm, resource, action, &forced, "No version specified, and ")?;
    }
    let absent = missing(&|item| item.current.is_none());
    let assume = format!("Assuming a repository that offers {} would have been configured", absent.join(", "));
    require(
        vm,
        resource,
        action,
        absent.is_empty(),
        "Package",
        &format!("No candidate version available for {}", absent.join(", ")),
        &[assume],
    )?;
    let (mut lines, mut targets) = (Vec::new(), Vec::new());
    for item in items.iter().filter(|item| needs(item)) {
        let target = match (&item.wanted, upgrade) {
            (Some(wanted), _) => wanted.clone(),
            (None, _) => match &item.candidate {
                Some(candidate) if Some(candidate) != item.current.as_ref() => candidate.clone(),
                _ => continue,
            },
        };
        if upgrade && item.wanted.is_none() && !newer(vm, item, &target)? {
            continue;
        }
        lines.push(if upgrade {
            let from = item.current.as_deref().unwrap_or("uninstalled");
            format!(
                "upgrade(allow_downgrade) package {} from {from} to {}",
                item.name,
                item.candidate.as_deref().unwrap_or(&target)
            )
        } else {
            format!("install version {target} of package {}", item.name)
        });
        targets.push(if item.real.is_some() { item.name.clone() } else { format!("{}={target}", item.name) });
    }
    if targets.is_empty() {
        return Ok(Vec::new());
    }
    Ok(vec![steps(lines, move |vm, resource| install(vm, resource, &targets))])
}

/// Whether a candidate is above what is installed, by Debian's rules.
fn newer(vm: &mut Vm, item: &Item, target: &str) -> Res<bool> {
    let Some(current) = &item.current else { return Ok(true) };
    Ok(shell::query(vm, &["dpkg", "--compare-versions", target, "gt", current])?.status.success())
}

impl Provider for AptPackage {
    fn actions(&self) -> &'static [&'static str] {
        &["install", "upgrade", "remove", "purge", "lock", "unlock"]
    }
    fn plan(&self, vm: &mut Vm, resource: &Value, action: Symbol) -> Res<Plan> {
        let given = get(vm, resource, "package_name")?;
        let source = flag(vm, resource, "source")?;
        if source && matches!(given, Value::Array(_)) {
            return Err(chef_error(
                vm,
                "InvalidResourceSpecification",
                "You may not specify both multipackage and source",
            ));
        }
        require(
            vm,
            resource,
            action,
            !source,
            "Package",
            "apt package provider cannot handle source property. Use dpkg provider instead",
            &[],
        )?;
        let items = items(vm, resource)?;
        let name = action.as_str();
        if matches!(name, "install" | "upgrade") {
            return install_plan(vm, resource, action, items);
        }
        let shown = match &given {
            Value::Array(_) => vm.inspect(&given)?,
            other => vm.to_s_text(other)?,
        };
        let version = match text_opt(vm, resource, "version")? {
            Some(version) => format!("version {version} of "),
            None => String::new(),
        };
        let names: Vec<String> = items.iter().map(|item| item.name.clone()).collect();
        if matches!(name, "lock" | "unlock") {
            let lock = name == "lock";
            if items.iter().all(|item| item.held == lock) {
                return Ok(Vec::new());
            }
            return Ok(vec![step(format!("{name} {version}package {shown}"), move |vm, resource| {
                let options = options_of(vm, resource)?;
                apt(vm, resource, words(&["apt-mark"], options, if lock { "hold" } else { "unhold" }, names.clone()))
            })]);
        }
        let installed = items.iter().any(|item| item.current.is_some());
        let fits = items.iter().all(|item| item.wanted.is_none())
            || items.iter().any(|item| item.wanted.is_some() && item.wanted == item.current);
        if !installed || !fits {
            return Ok(Vec::new());
        }
        let line = if name == "purge" {
            format!("purge {} package {shown}", version.trim_end())
        } else {
            format!("remove {version}package {shown}")
        };
        let verb = name.to_string();
        Ok(vec![step(line, move |vm, resource| {
            let options = options_of(vm, resource)?;
            apt(vm, resource, words(&["apt-get", "-q", "-y"], options, &verb, names.clone()))
        })])
    }
}
