//! `gem_package` and `chef_gem`.
//!
//! `chef_gem` is for recipes: it installs the gem into rchef's own gem home, where `require` finds it. Only pure-Ruby gems work there; a gem with a
//! compiled extension is refused by name. `gem_package` is for a Ruby on the machine, whose `gem` program does the work. Without such a program, it
//! does what `chef_gem` does.

use super::chef_install::{is_chef, refused};
use super::fetch::simple_client;
use super::support::*;
use rchef_change::gem::GemChange;
use rchef_change::{Assertion, Change, Command, EngineStep, State};
use rchef_host::{Host, compose};
use rchef_recipe::run::chef_error;
use rchef_ruby::embed::method::Arity;
use rchef_ruby::{Args, Block, ClassId, Res, Symbol, Value, Vm, sym};

pub(crate) struct GemPackage;

/// The default source of gems.
const SERVER: &str = "https://rubygems.org";

/// Timeout of the `gem` program in seconds.
const TIMEOUT: f64 = 900.0;

/// A `gem` program and its options.
struct GemProgram {
    path: String,
    /// The gem servers.
    servers: Vec<String>,
    options: Vec<String>,
}

/// What a `gem_package` or `chef_gem` resource asks for, and the state of the gem.
pub(crate) struct Desired {
    action: &'static str,
    name: String,
    /// The version requirement.
    version: Option<String>,
    current: Option<String>,
    /// Whether the current version satisfies the requirement.
    satisfied: bool,
    /// The version that the source offers; looked up only if needed.
    candidate: Option<String>,
    file: Option<String>,
    has_source: bool,
    has_environment: bool,
    /// The `gem` program to use; None if rchef installs the gem itself.
    program: Option<GemProgram>,
    timeout: f64,
    /// The resource's name in messages, where the gem is Chef's client and may not be installed.
    refused: Option<String>,
}

impl Desired {
    fn is_install(&self) -> bool {
        matches!(self.action, "install" | "upgrade")
    }
    /// The version to install; None if there is nothing to do.
    fn target(&self) -> Option<String> {
        match (self.action, &self.version, &self.current) {
            ("install", Some(_), Some(_)) if self.satisfied => None,
            ("install", Some(version), _) => Some(version.clone()),
            ("install", None, Some(_)) => None,
            ("upgrade", _, Some(current)) if Some(current) == self.candidate.as_ref() => None,
            // as in Chef, whether the source has the gem only shows when it is installed
            _ => self.candidate.clone().or_else(|| self.has_source.then(String::new)),
        }
    }
}

impl Provider for GemPackage {
    type Desired = Desired;
    type Current = ();
    const ACTIONS: &'static [&'static str] = &["install", "upgrade", "remove", "purge"];

    fn class(_: &mut Vm, _: &Value) -> Res<&'static str> {
        Ok("Package::Rubygems")
    }

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        rchef_ruby::embed::load::require(vm, "rubygems/remote")?;
        let (name, version) = (text(vm, resource, "package_name")?, text_opt(vm, resource, "version")?);
        let sources = list(vm, resource, "source")?;
        let file = only_file(&sources).map(str::to_string);
        let is_refused = matches!(action, "install" | "upgrade")
            && std::iter::once(&name).chain(&file).any(|gem| is_chef(gem))
            && !crate::coerce::config(vm, "allow_chef_install")?.truthy();
        let mut desired = Desired {
            action,
            refused: if is_refused { Some(vm.to_s_text(resource)?) } else { None },
            current: None,
            satisfied: false,
            candidate: None,
            has_source: !sources.is_empty(),
            has_environment: flag(vm, resource, "environment")?,
            program: program(vm, resource, &sources, file.is_some())?,
            timeout: seconds(vm, resource, "timeout")?.unwrap_or(TIMEOUT),
            name,
            version,
            file,
        };
        if !requirements(&desired).is_empty() {
            return Ok(desired);
        }
        look(vm, &mut desired)?;
        // a `gem` program finds the given version itself
        let by_program = desired.program.is_some() && desired.version.is_some() && desired.file.is_none();
        let is_due = action == "upgrade" || !desired.satisfied && !by_program;
        if desired.is_install() && is_due {
            desired.candidate = candidate(vm, resource, &desired)?;
        }
        Ok(desired)
    }
    fn load(_: &Desired, _: &dyn Host) -> Looked<()> {
        Ok(())
    }
    fn requirements(desired: &Desired, (): &(), _: &dyn Host) -> Looked<Vec<Assertion>> {
        let mut failed = requirements(desired);
        if failed.is_empty()
            && desired.is_install()
            && desired.candidate.is_none()
            && (desired.current.is_none() || desired.version.is_some() && !desired.satisfied)
            && !desired.has_source
            && (desired.program.is_none() || desired.version.is_none())
        {
            let message = format!("No candidate version available for {}", desired.name);
            let assume = format!("Assuming a repository that offers {} would have been configured", desired.name);
            failed.push(Assertion::new("Chef::Exceptions::Package", message).assuming(assume));
        }
        Ok(failed)
    }
    fn plan(desired: &Desired, (): &(), _: &dyn Host) -> Looked<Vec<Change>> {
        let name = &desired.name;
        let (words, to) = if desired.is_install() {
            let Some(target) = desired.target() else { return Ok(Vec::new()) };
            let from = desired.current.as_deref().unwrap_or("uninstalled");
            let words = match desired.action {
                "install" => format!("install version {target} of package {name}"),
                _ => {
                    let to = desired.candidate.as_deref().unwrap_or_default();
                    format!("upgrade package {name} from {from} to {to}")
                }
            };
            (words, Some(target))
        } else {
            let fits = desired.version.is_none() || desired.version == desired.current;
            if desired.current.is_none() || !fits {
                return Ok(Vec::new());
            }
            let version = desired.version.as_ref().map_or(String::new(), |version| format!("version {version} of "));
            let words = match desired.action {
                // the double space is Chef's
                "purge" => format!("purge {} package {name}", version.trim_end()),
                _ => format!("remove {version}package {name}"),
            };
            (words, None)
        };
        let Some(program) = &desired.program else {
            let verb = if to.is_some() { "install" } else { "uninstall" };
            return Ok(vec![Change::Engine(EngineStep::Gem { verb: verb.into(), name: name.clone(), words })]);
        };
        let mut line = vec![program.path.clone()];
        match &to {
            Some(target) => {
                line.extend(["install".into(), desired.file.clone().unwrap_or_else(|| name.clone()), "-q".into()]);
                line.push("--no-document".into());
                if !target.is_empty() && desired.file.is_none() {
                    line.extend(["-v".into(), target.clone()]);
                }
                line.extend(program.servers.iter().cloned());
            }
            None => {
                line.extend(["uninstall", name, "-q", "-x", "-I"].map(String::from));
                match &desired.version {
                    Some(version) => line.extend(["-v".into(), version.clone()]),
                    None => line.push("-a".into()),
                }
            }
        }
        line.extend(program.options.iter().cloned());
        let command = Command::system(line).within(Some(desired.timeout));
        let version = (desired.current.clone(), to);
        Ok(vec![Change::Gem(GemChange { name: name.clone(), version, words, command })])
    }
    fn carry_out(vm: &mut Vm, resource: &Value, step: &EngineStep) -> Res<()> {
        let EngineStep::Gem { verb, name, .. } = step else { return Ok(()) };
        let gem = constant(vm, "Gem")?;
        let home = vm.call_name(&gem, "home", &[])?;
        let version = text_opt(vm, resource, "version")?.map_or(Value::Nil, Value::str);
        if verb != "install" {
            let remote = constant(vm, "Gem::Remote")?;
            return vm.call_name(&remote, "uninstall", &[Value::str(name), version, home]).map(drop);
        }
        let remote = remote(vm, resource)?;
        let sources = list(vm, resource, "source")?;
        match only_file(&sources) {
            Some(file) => vm.call_name(&remote, "install_file", &[Value::str(file), home]).map(drop),
            None => {
                let class = constant(vm, "Gem::Dependency")?;
                let dependency = vm.call(&class, sym::NEW, &[Value::str(name), version])?;
                vm.call_name(&remote, "install", &[dependency, home]).map(drop)
            }
        }
    }
    fn state(desired: &Desired, (): &(), _host: &dyn Host) -> Vec<(&'static str, State)> {
        let version = desired.current.clone().map_or(State::Nil, State::Text);
        vec![("package_name", State::Text(desired.name.clone())), ("version", version)]
    }
}

/// The assertions that do not depend on the machine.
fn requirements(desired: &Desired) -> Vec<Assertion> {
    let mut failed: Vec<Assertion> = desired.refused.iter().map(|resource| refused(resource, &desired.name)).collect();
    if desired.has_environment {
        let message = "The environment property is not supported for package resources on this platform";
        failed.push(Assertion::new("Chef::Exceptions::Package", message));
    }
    failed.extend(unfit("Chef::Exceptions::Package", "gem", &desired.name));
    let version =
        desired.version.iter().filter_map(|version| unfit("Chef::Exceptions::Package", "gem version", version));
    failed.extend(version);
    let file = desired.file.iter().filter_map(|file| unfit("Chef::Exceptions::Package", "gem file", file));
    failed.extend(file);
    failed
}

/// The `.gem` file that a resource has as its source; None if the source is a server.
fn only_file(sources: &[String]) -> Option<&str> {
    match sources {
        [source] if !source.starts_with("http://") && !source.starts_with("https://") => Some(source),
        _ => None,
    }
}

/// A `Gem::Dependency` of the gem and its requirement.
fn dependency(vm: &mut Vm, desired: &Desired) -> Res {
    let class = constant(vm, "Gem::Dependency")?;
    let version = desired.version.as_ref().map_or(Value::Nil, Value::str);
    vm.call(&class, sym::NEW, &[Value::str(&desired.name), version])
}

fn servers(vm: &mut Vm, resource: &Value) -> Res<Vec<String>> {
    let given = list(vm, resource, "source")?;
    let configured = crate::coerce::config(vm, "rubygems_url")?;
    let default = get(vm, resource, "include_default_source")?;
    let includes = match &default {
        Value::Nil => configured.truthy() || given.is_empty() && !flag(vm, resource, "clear_sources")?,
        other => other.truthy(),
    };
    let mut found = given;
    if includes {
        match &configured {
            Value::Nil => found.push(SERVER.into()),
            other => {
                for server in vm.to_array(other)? {
                    found.push(vm.to_s_text(&server)?);
                }
            }
        }
    }
    Ok(found)
}

/// A `Gem::Remote` with these servers; its requests are made by `Chef::HTTP::Simple`.
fn remote(vm: &mut Vm, resource: &Value) -> Res {
    let servers = crate::coerce::strings(servers(vm, resource)?);
    let fetch = |vm: &mut Vm, _: &Value, args: Args<'_>| {
        let address = args.at(0).clone();
        let class = simple_client(vm)?;
        let options = crate::coerce::symbol_hash(vm, &[("disable_gzip", Value::True)])?;
        let http = vm.call(&class, sym::NEW, &[address.clone(), options])?;
        match vm.call_name(&http, "get", &[address]) {
            Err(error) => {
                let class = vm.class_named("Net::HTTPClientException").unwrap_or(ClassId::STANDARD_ERROR);
                let Some(exception) = error.exception().cloned().filter(|exception| vm.is_a(exception, class)) else {
                    return Err(error);
                };
                let response = vm.call_name(&exception, "response", &[])?;
                let code = vm.call_name(&response, "code", &[])?;
                if vm.to_s_text(&code)? == "404" { Ok(Value::Nil) } else { Err(error) }
            }
            other => other,
        }
    };
    let fetch = vm.native_proc(Arity { min: 1, max: Some(1) }, false, fetch);
    let class = constant(vm, "Gem::Remote")?;
    vm.call_args(&class, sym::NEW, Args::new(&[servers]).with_block(Some(Block::Proc(&fetch))))
}

/// The `gem` program and its options; None if rchef installs the gem itself.
fn program(vm: &mut Vm, resource: &Value, sources: &[String], is_file: bool) -> Res<Option<GemProgram>> {
    let own = vm.class_named("Chef::Resource::ChefGem").is_some_and(|class| vm.is_a(resource, class));
    if own {
        return Ok(None);
    }
    let options = get(vm, resource, "options")?;
    let is_table = matches!(options, Value::Hash(_));
    let given = text_opt(vm, resource, "gem_binary")?;
    if given.is_some() && is_table {
        let (shown, place) = (vm.to_s_text(resource)?, text(vm, resource, "source_line")?);
        let text =
            format!("options cannot be given as a hash when using an explicit gem_binary\nin {shown} from {place}");
        return Err(vm.argument_error(text));
    }
    let Some(path) = given.or_else(|| which(&*vm.host)) else { return Ok(None) };
    if is_table {
        return Err(chef_error(vm, "Package", "gem_package: options for a gem program are text or a list, not a Hash"));
    }
    let mut program = GemProgram { path, servers: Vec::new(), options: Vec::new() };
    if !is_file {
        let clear = get(vm, resource, "clear_sources")?;
        let configured = crate::coerce::config(vm, "rubygems_url")?.truthy();
        if if clear.is_nil() { !sources.is_empty() || configured } else { clear.truthy() } {
            program.servers.push("--clear-sources".to_string());
        }
        program.servers.extend(servers(vm, resource)?.into_iter().map(|server| format!("--source={server}")));
    }
    match &options {
        Value::Str(_) => {
            let split = vm.call_name(&options, "split", &[])?;
            program.options = texts(vm, &split)?;
        }
        Value::Nil => {}
        other => program.options = texts(vm, other)?,
    }
    Ok(Some(program))
}

fn texts(vm: &mut Vm, value: &Value) -> Res<Vec<String>> {
    let items = vm.to_array(value)?;
    items.iter().map(|item| vm.to_s_text(item)).collect()
}

/// The path of `gem` in PATH.
fn which(host: &dyn Host) -> Option<String> {
    let path = host.env(b"PATH").unwrap_or_default();
    let folders = path.split(|byte| *byte == b':').filter(|folder| folder.starts_with(b"/"));
    compose::program(host, folders, "gem").map(|path| lossy(&path))
}

fn look(vm: &mut Vm, desired: &mut Desired) -> Res<()> {
    let wanted = dependency(vm, desired)?;
    if let Some(program) = &desired.program {
        let command = Command::system([program.path.as_str(), "list", "--local", "--exact", &desired.name]);
        let host = vm.host.clone();
        let output = command.run(&*host).map_err(|error| raised(vm, &error))?;
        let versions = versions(&lossy(&output.stdout), &desired.name);
        desired.current = choose(vm, &wanted, &versions)?;
    } else {
        let remote = constant(vm, "Gem::Remote")?;
        let current = vm.call_name(&remote, "current", std::slice::from_ref(&wanted))?;
        desired.current = if current.is_nil() { None } else { Some(vm.to_s_text(&current)?) };
    }
    if let Some(current) = desired.current.clone() {
        desired.satisfied = satisfies(vm, &wanted, &current)?;
    }
    Ok(())
}

/// The version that the source offers.
fn candidate(vm: &mut Vm, resource: &Value, desired: &Desired) -> Res<Option<String>> {
    if let Some(file) = &desired.file {
        let class = constant(vm, "Gem::Package")?;
        let package = vm.call(&class, sym::NEW, &[Value::str(file)])?;
        let spec = vm.call_name(&package, "spec", &[])?;
        let version = vm.call_name(&spec, "version", &[])?;
        return vm.to_s_text(&version).map(Some);
    }
    let wanted = dependency(vm, desired)?;
    let remote = remote(vm, resource)?;
    let offer = vm.call_name(&remote, "newest", &[wanted])?;
    if offer.is_nil() {
        return Ok(None);
    }
    let version = vm.call_name(&offer, "version", &[])?;
    vm.to_s_text(&version).map(Some)
}

/// Versions in the output of `gem list`: `NAME (2.0, default: 1.9)`.
fn versions(output: &str, name: &str) -> Vec<String> {
    let head = format!("{name} (");
    let Some(rest) = output.lines().find_map(|line| line.strip_prefix(&head)) else { return Vec::new() };
    let list = rest.trim_end().trim_end_matches(')');
    list.split(',')
        .filter_map(|word| word.trim().trim_start_matches("default: ").split(' ').next())
        .map(String::from)
        .collect()
}

fn satisfies(vm: &mut Vm, dependency: &Value, version: &str) -> Res<bool> {
    let class = constant(vm, "Gem::Version")?;
    let version = vm.call(&class, sym::NEW, &[Value::str(version)])?;
    let requirement = vm.call_name(dependency, "requirement", &[])?;
    Ok(vm.call(&requirement, Symbol::intern_static("satisfied_by?"), &[version])?.truthy())
}

/// The first version that satisfies the requirement (`gem list` starts with the newest), else the first.
fn choose(vm: &mut Vm, dependency: &Value, versions: &[String]) -> Res<Option<String>> {
    for version in versions {
        if satisfies(vm, dependency, version)? {
            return Ok(Some(version.clone()));
        }
    }
    Ok(versions.first().cloned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_gems_are_read() {
        let output = "\n*** LOCAL GEMS ***\n\njson (2.6.3, default: 2.6.1)\njson_pure (2.0)\n";
        assert_eq!(versions(output, "json"), ["2.6.3", "2.6.1"]);
        assert_eq!(versions(output, "json_pure"), ["2.0"]);
        assert!(versions(output, "none").is_empty());
    }
}
