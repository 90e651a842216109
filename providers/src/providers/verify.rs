//! `verify`: checks of new content before it is written (SPEC-converge 3.1).

use super::staged::Staged;
use super::support::*;
use rchef_change::file::Content;
use rchef_host::{DoubtKind, OpenFlags, compose, files};
use rchef_recipe::provider::simulation;
use rchef_recipe::run::{ActionMode, Subject, about, chef_error, class, converge_mut};
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, opt, sym};

static METHODS: &[MethodDef] = &[opt("initialize", initialize, 3, 3)];

fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let block = args.block.map_or(Value::Nil, |block| Value::Proc(vm.block_to_proc(block)));
    for (name, value) in
        [("@parent_resource", args.at(0)), ("@command", args.at(1)), ("@command_opts", args.at(2)), ("@block", &block)]
    {
        vm.ivar_set(this, Symbol::intern_static(name), value.clone());
    }
    Ok(Value::Nil)
}

/// Registers `Chef::Resource::File::Verification`.
pub(crate) fn boot(vm: &mut Vm) -> Res<()> {
    let resource = class(vm, |classes| classes.resource)?;
    if let Some(Value::Class(file)) = vm.const_resolve(resource, Symbol::intern_static("File"))? {
        let verification = vm.define_class(file, "Verification", ClassId::OBJECT);
        vm.define_methods(verification, METHODS);
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

fn one(vm: &mut Vm, check: &Value, staged: &str, target: &str, content: &Content) -> Res<Option<Refused>> {
    let slot = |vm: &Vm, name: &'static str| vm.ivar_get(check, Symbol::intern_static(name)).unwrap_or_default();
    let (command, options, block) = (slot(vm, "@command"), slot(vm, "@command_opts"), slot(vm, "@block"));
    let ((passed, output), shown) = match &command {
        _ if block.truthy() => {
            let ask = |vm: &mut Vm| Ok(vm.call(&block, sym::CALL, &[Value::str(staged)])?.truthy());
            ((simulation::verification(vm, ask)?, String::new()), "<Proc>".to_string())
        }
        Value::Sym(name) => {
            let (result, class) = match name.as_str() {
                "json" => ((is_json(vm, content)?, String::new()), "Json"),
                "yaml" => ((is_yaml(vm, content)?, String::new()), "Yaml"),
                "systemd_unit" => (unit(vm, &options, target, content)?, "SystemdUnit"),
                other => {
                    return Err(chef_error(
                        vm,
                        "VerificationNotFound",
                        format!("No file verification for {other} found."),
                    ));
                }
            };
            (result, format!(":{name} (Chef::Resource::File::Verification::{class})"))
        }
        text => {
            let line = vm.to_s_text(text)?;
            if line.contains("%{file}") {
                return Err(vm.argument_error(format!("The %{{file}} expansion for verify commands has been removed. Please use %{{path}} instead. Command: {line}")));
            }
            (run(vm, line.replace("%{path}", staged).replace("%%", "%"), &options)?, line)
        }
    };
    Ok((!passed).then_some(Refused { check: shown, output }))
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
