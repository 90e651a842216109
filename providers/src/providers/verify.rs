//! `verify`: checks of new content before it is written (SPEC-converge 3.1).

use super::staged::Staged;
use super::support::*;
use rchef_change::file::Content;
use rchef_host::{DoubtKind, OpenFlags, compose, files};
use rchef_recipe::provider::simulation;
use rchef_recipe::run::{ActionMode, Subject, about, chef_error, class, converge_mut};
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, def, opt, sym};

static METHODS: &[MethodDef] = &[
    opt("initialize", initialize, 3, 3).private(),
    opt("verify", verify, 1, 2),
    def("output", output, 0),
    def("to_s", to_s, 0),
];
static CLASS_METHODS: &[MethodDef] =
    &[def("provides", provides, 1), def("provides?", is_provider, 1), def("lookup", lookup, 1)];
/// The checks that Chef ships: name, class.
static SHIPPED: &[(&str, &str)] = &[("json", "Json"), ("yaml", "Yaml"), ("systemd_unit", "SystemdUnit")];
static SHIPPED_METHODS: &[MethodDef] = &[opt("verify", verify_shipped, 1, 2)];
const CLASS: &str = "Chef::Resource::File::Verification";
const PROVIDES: &str = "@provides";

fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let block = args.block.map_or(Value::Nil, |block| Value::Proc(vm.block_to_proc(block)));
    for (name, value) in
        [("@parent_resource", args.at(0)), ("@command", args.at(1)), ("@command_opts", args.at(2)), ("@block", &block)]
    {
        vm.ivar_set(this, Symbol::intern_static(name), value.clone());
    }
    Ok(Value::Nil)
}

fn slot(vm: &Vm, check: &Value, name: &'static str) -> Value {
    vm.ivar_get(check, Symbol::intern_static(name)).unwrap_or_default()
}

/// `provides :name` in the body of a subclass: `verify :name` of a resource means this class.
fn provides(vm: &mut Vm, class: &Value, args: Args<'_>) -> Res {
    vm.ivar_set(class, Symbol::intern_static(PROVIDES), args.at(0).clone());
    Ok(args.at(0).clone())
}
fn is_provider(vm: &mut Vm, class: &Value, args: Args<'_>) -> Res {
    let own = slot(vm, class, PROVIDES);
    Ok(Value::bool(vm.eq(&own, args.at(0))?))
}
/// The subclass of a class that provides a name.
fn find(vm: &mut Vm, class: &Value, name: &Value) -> Res<Option<Value>> {
    let below = vm.call_name(class, "subclasses", &[])?;
    for each in vm.to_array(&below)? {
        if vm.call_name(&each, "provides?", std::slice::from_ref(name))?.truthy() {
            return Ok(Some(each));
        }
        if let Some(found) = find(vm, &each, name)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}
fn lookup(vm: &mut Vm, class: &Value, args: Args<'_>) -> Res {
    if let Some(found) = find(vm, class, args.at(0))? {
        return Ok(found);
    }
    let name = vm.to_s_text(args.at(0))?;
    Err(chef_error(vm, "VerificationNotFound", format!("No file verification for {name} found.")))
}
/// The registered check that `verify :name` means, for the same resource.
fn registered(vm: &mut Vm, check: &Value, name: &Value) -> Res {
    let Some(base) = vm.class_named(CLASS) else { return Err(vm.not_implemented(CLASS)) };
    let class = vm.call_name(&Value::Class(base), "lookup", std::slice::from_ref(name))?;
    let (parent, options) = (slot(vm, check, "@parent_resource"), slot(vm, check, "@command_opts"));
    vm.call(&class, sym::NEW, &[parent, name.clone(), options])
}
/// `verify(path, options = {})`: whether the file at the path has valid content.
fn verify(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (command, block) = (slot(vm, this, "@command"), slot(vm, this, "@block"));
    let options = if args.at(1).is_nil() { vm.new_hash(Vec::new())? } else { args.at(1).clone() };
    match &command {
        _ if block.truthy() => vm.call(&block, sym::CALL, &[args.at(0).clone()]),
        Value::Sym(_) => {
            let check = registered(vm, this, &command)?;
            vm.call_name(&check, "verify", &[args.at(0).clone(), options])
        }
        Value::Nil => Ok(Value::Nil),
        text => {
            let (line, path) = (vm.to_s_text(text)?, vm.to_s_text(args.at(0))?);
            let line = with_path(vm, &line, &path)?;
            let own = slot(vm, this, "@command_opts");
            let (passed, output) = run(vm, line, &own)?;
            vm.ivar_set(this, Symbol::intern_static("@output"), Value::str(output));
            Ok(Value::bool(passed))
        }
    }
}
/// `verify` of a check that Chef ships.
fn verify_shipped(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let class = vm.real_class_of(this);
    let name = slot(vm, &Value::Class(class), PROVIDES);
    let (name, path) = (vm.to_s_text(&name)?, vm.to_s_text(args.at(0))?);
    let content = on(vm, |host| compose::read_file(host, path.as_bytes()))?;
    let (parent, options) = (slot(vm, this, "@parent_resource"), slot(vm, this, "@command_opts"));
    let target = if vm.respond_to(&parent, Symbol::intern_static("path"), false)? {
        vm.call_name(&parent, "path", &[])?
    } else {
        Value::str(&path)
    };
    let target = vm.to_s_text(&target)?;
    match shipped(vm, &name, &options, &target, &Content::from(content))? {
        Some((passed, output)) => {
            vm.ivar_set(this, Symbol::intern_static("@output"), Value::str(output));
            Ok(Value::bool(passed))
        }
        None => Ok(Value::Nil),
    }
}
fn output(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(slot(vm, this, "@output"))
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let command = slot(vm, this, "@command");
    if slot(vm, this, "@block").truthy() {
        return Ok(Value::str("<Proc>"));
    }
    let Value::Sym(name) = command else { return Ok(command) };
    let Some(base) = vm.class_named(CLASS) else { return Err(vm.not_implemented(CLASS)) };
    let class = vm.call_name(&Value::Class(base), "lookup", &[command])?;
    let class = vm.to_s_text(&class)?;
    Ok(Value::str(format!(":{name} ({class})")))
}

/// Registers `Chef::Resource::File::Verification`.
pub(crate) fn boot(vm: &mut Vm) -> Res<()> {
    let resource = class(vm, |classes| classes.resource)?;
    if let Some(Value::Class(file)) = vm.const_resolve(resource, Symbol::intern_static("File"))? {
        let verification = vm.define_class(file, "Verification", ClassId::OBJECT);
        vm.define_methods(verification, METHODS);
        vm.define_singleton_methods(verification, CLASS_METHODS);
        for (name, class) in SHIPPED {
            let class = vm.define_class(verification, class, verification);
            vm.define_methods(class, SHIPPED_METHODS);
            vm.ivar_set(&Value::Class(class), Symbol::intern_static(PROVIDES), Value::sym(name));
        }
    }
    Ok(())
}

/// Runs a resource's checks on new content for `target`; raises ValidationFailed for the first that fails.
pub(crate) fn check(vm: &mut Vm, resource: &Value, target: &str, content: &Content) -> Res<()> {
    let checks = get(vm, resource, "verifications")?;
    let checks = vm.to_array(&checks)?;
    if checks.is_empty() {
        return Ok(());
    }
    let base = files::basename(target.as_bytes()).to_vec();
    let dot = base.iter().skip(1).position(|byte| *byte == b'.').map_or(base.len(), |at| at + 1);
    let (stem, ext) = base.split_at(dot);
    let label = [b"chef-", stem].concat();
    let host = vm.host.clone();
    // a why-run does not write to the directory, which may not even exist yet
    let mode = converge_mut(vm).mode;
    let directory = files::dirname(target.as_bytes());
    let staged = on(vm, |_| {
        let (staged, handle) = match mode {
            ActionMode::WhyRun => Staged::elsewhere(&host, &label, ext),
            ActionMode::Plan => Staged::planned(&host, directory, &label, ext),
            _ => Staged::inside(&host, directory, &label, ext),
        }?;
        compose::pour(&*host, &*handle, content.source())?;
        Ok(staged)
    })?;
    let shown = lossy(&staged.path);
    for item in &checks {
        let Some(refused) = one(vm, item, &shown, target, content)? else { continue };
        let mut text = format!("Proposed content for {target} failed verification ");
        if flag(vm, resource, "sensitive")? {
            text.push_str("[sensitive]");
        } else {
            text.push_str(&format!("{}\n{}", refused.check, refused.output));
            let kept = match mode {
                ActionMode::Converge => keep_rejected(vm, target, content)?,
                // in the cache only, as Chef does; a cache that cannot be written fails no why-run
                ActionMode::WhyRun => keep_rejected(vm, target, content).ok().flatten(),
                _ => None,
            };
            if let Some(path) = kept {
                text.push_str(&format!("\nTemporary file moved to {path}"));
            }
        }
        let error = chef_error(vm, "ValidationFailed", text);
        return Err(about(vm, error, Subject::Verification));
    }
    Ok(())
}

/// A check that does not hold.
struct Refused {
    /// The check as `Verification#to_s` has it.
    check: String,
    /// What its command printed.
    output: String,
}

/// Keeps refused content in the cache, where its user can look at it: `failed_validations`, readable for its owner alone. Gives the path.
fn keep_rejected(vm: &mut Vm, target: &str, content: &Content) -> Res<Option<String>> {
    let cache = crate::coerce::config(vm, "file_cache_path")?;
    if cache.is_nil() {
        return Ok(None);
    }
    let directory = format!("{}/failed_validations", vm.to_s_text(&cache)?);
    on(vm, |host| {
        compose::create_dir_all(host, directory.as_bytes(), 0o755)?;
        let path = format!("{directory}/{}", rchef_change::diff::staged_name(host, target.as_bytes()));
        let flags = OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::EXCL | OpenFlags::NOFOLLOW;
        compose::pour(host, &*host.open(path.as_bytes(), flags, 0o600)?, content.source())?;
        Ok(Some(path))
    })
}

/// The whole content in memory.
fn all<'a>(vm: &mut Vm, content: &'a Content) -> Res<std::borrow::Cow<'a, [u8]>> {
    let host = vm.host.clone();
    content.bytes(&*host).map_err(|error| raised(vm, &error))
}

/// Runs a check's command; gives whether it succeeded, the command, and its output.
fn run(vm: &mut Vm, line: String, options: &Value) -> Res<(bool, String)> {
    let command = rchef_recipe::provider::command::read(vm, &Value::str(&line), options, None)?;
    let host = vm.host.clone();
    let output = command.query(&*host).map_err(|error| raised(vm, &error))?;
    let shown = format!("STDOUT: {}\nSTDERR: {}", lossy(&output.stdout).trim(), lossy(&output.stderr).trim());
    Ok((output.status.success(), shown))
}

/// `verify :systemd_unit`: systemd's own check of a unit file, which depends on the file's name. Succeeds if systemd-analyze is not installed.
fn unit(vm: &mut Vm, options: &Value, target: &str, content: &Content) -> Res<(bool, String)> {
    let host = vm.host.clone();
    let Some(program) = which(&*host, "systemd-analyze") else { return Ok((true, String::new())) };
    if simulation::is_plan(vm) {
        simulation::doubt(vm, DoubtKind::NotVerified, &format!("{program} verify {target}"));
        return Ok((true, String::new()));
    }
    let dir = on(vm, |host| compose::temp_subdir(host, &compose::temp_dir(host), b"chef-systemd-unit", b""))?;
    let path = files::join(&dir, files::basename(target.as_bytes()));
    let line = format!("{program} verify {}", lossy(&path));
    let written = all(vm, content).and_then(|content| on(vm, |host| compose::write_file(host, &path, &content, 0o600)));
    let checked = written.and_then(|()| run(vm, line, options));
    on(vm, |host| compose::remove_dir_all(host, &dir))?;
    checked
}

/// The line of a check's command for a path.
fn with_path(vm: &mut Vm, line: &str, path: &str) -> Res<String> {
    if line.contains("%{file}") {
        return Err(vm.argument_error(format!(
            "The %{{file}} expansion for verify commands has been removed. Please use %{{path}} instead. Command: {line}"
        )));
    }
    Ok(line.replace("%{path}", path).replace("%%", "%"))
}

/// Applies a check that Chef ships; None for other names.
fn shipped(vm: &mut Vm, name: &str, options: &Value, target: &str, content: &Content) -> Res<Option<(bool, String)>> {
    Ok(Some(match name {
        "json" => (is_json(vm, content)?, String::new()),
        "yaml" => (is_yaml(vm, content)?, String::new()),
        "systemd_unit" => unit(vm, options, target, content)?,
        _ => return Ok(None),
    }))
}

/// Applies a check that a cookbook has registered.
fn own(vm: &mut Vm, check: &Value, name: &Value, staged: &str) -> Res<(bool, String)> {
    let made = registered(vm, check, name)?;
    let empty = vm.new_hash(Vec::new())?;
    let ask = |vm: &mut Vm| Ok(vm.call_name(&made, "verify", &[Value::str(staged), empty.clone()])?.truthy());
    let passed = simulation::verification(vm, ask)?;
    let output = vm.call_name(&made, "output", &[])?;
    Ok((passed, if output.is_nil() { String::new() } else { vm.to_s_text(&output)? }))
}

fn one(vm: &mut Vm, check: &Value, staged: &str, target: &str, content: &Content) -> Res<Option<Refused>> {
    let (command, options, block) =
        (slot(vm, check, "@command"), slot(vm, check, "@command_opts"), slot(vm, check, "@block"));
    let (passed, output) = match &command {
        _ if block.truthy() => {
            let ask = |vm: &mut Vm| Ok(vm.call(&block, sym::CALL, &[Value::str(staged)])?.truthy());
            (simulation::verification(vm, ask)?, String::new())
        }
        Value::Sym(name) => match shipped(vm, name.as_str(), &options, target, content)? {
            Some(result) => result,
            None => own(vm, check, &command, staged)?,
        },
        text => {
            let line = vm.to_s_text(text)?;
            let line = with_path(vm, &line, staged)?;
            run(vm, line, &options)?
        }
    };
    if passed {
        return Ok(None);
    }
    let shown = vm.call(check, sym::TO_S, &[])?;
    Ok(Some(Refused { check: vm.to_s_text(&shown)?, output }))
}

fn is_json(vm: &mut Vm, content: &Content) -> Res<bool> {
    Ok(serde_json::from_slice::<serde_json::Value>(&all(vm, content)?).is_ok())
}

fn is_yaml(vm: &mut Vm, content: &Content) -> Res<bool> {
    rchef_ruby::embed::load::require(vm, "yaml")?;
    let Some(yaml) = vm.class_named("YAML") else { return Err(vm.not_implemented("YAML")) };
    let content = all(vm, content)?;
    vm.rescue(
        ClassId::STANDARD_ERROR,
        |vm| vm.call_name(&Value::Class(yaml), "load", &[Value::bytes(content.to_vec())]).map(|_| true),
        |_, _| Ok(false),
    )
}
