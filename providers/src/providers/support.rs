//! Properties as Rust values, and other functions that the providers share.

use rchef_change::Assertion;
use rchef_host::Host;
use rchef_ruby::{Res, Symbol, Value, Vm};
use std::rc::Rc;

pub(crate) use rchef_change::lossy;
pub(crate) use rchef_recipe::provider::contract::{Looked, Provider, raised};
pub(crate) use rchef_recipe::run::constant;

pub(crate) fn get(vm: &mut Vm, resource: &Value, name: &'static str) -> Res {
    vm.call(resource, Symbol::intern_static(name), &[])
}

/// A property as text; None if nil or false.
pub(crate) fn text_opt(vm: &mut Vm, resource: &Value, name: &'static str) -> Res<Option<String>> {
    let value = get(vm, resource, name)?;
    if value.truthy() { Ok(Some(vm.to_s_text(&value)?)) } else { Ok(None) }
}

/// A property as text; empty if nil.
pub(crate) fn text(vm: &mut Vm, resource: &Value, name: &'static str) -> Res<String> {
    Ok(text_opt(vm, resource, name)?.unwrap_or_default())
}

/// A property as the bytes of a path; empty if nil.
pub(crate) fn path(vm: &mut Vm, resource: &Value, name: &'static str) -> Res<Vec<u8>> {
    let value = get(vm, resource, name)?;
    if value.truthy() { bytes(vm, &value) } else { Ok(Vec::new()) }
}

pub(crate) fn flag(vm: &mut Vm, resource: &Value, name: &'static str) -> Res<bool> {
    Ok(get(vm, resource, name)?.truthy())
}

/// The elements of a property as texts.
pub(crate) fn list(vm: &mut Vm, resource: &Value, name: &'static str) -> Res<Vec<String>> {
    let value = get(vm, resource, name)?;
    texts(vm, &value)
}

/// The elements of a list as texts; none if it is nil.
pub(crate) fn texts(vm: &mut Vm, list: &Value) -> Res<Vec<String>> {
    if list.is_nil() {
        return Ok(Vec::new());
    }
    let mut texts = Vec::new();
    for item in vm.to_array(list)? {
        texts.push(if item.is_nil() { String::new() } else { vm.to_s_text(&item)? });
    }
    Ok(texts)
}

/// The pairs of a property; empty if it is not a Hash.
pub(crate) fn pairs(vm: &mut Vm, resource: &Value, name: &'static str) -> Res<Vec<(Value, Value)>> {
    match get(vm, resource, name)? {
        Value::Hash(hash) => Ok(hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect()),
        _ => Ok(Vec::new()),
    }
}

/// A property in seconds, given as a number or as text; None if nil, false or not a number.
pub(crate) fn seconds(vm: &mut Vm, resource: &Value, name: &'static str) -> Res<Option<f64>> {
    let value = get(vm, resource, name)?;
    Ok(match &value {
        Value::Nil | Value::False => None,
        Value::Str(_) => vm.to_s_text(&value)?.trim().parse().ok(),
        other => Some(vm.to_f64(other)?),
    })
}

pub(crate) fn bytes(vm: &mut Vm, value: &Value) -> Res<Vec<u8>> {
    Ok(vm.to_s(value)?.get(vm).bytes().to_vec())
}

/// Calls the host; its error is raised as Ruby's `Errno` exception.
pub(crate) fn on<T>(vm: &mut Vm, call: impl FnOnce(&dyn Host) -> rchef_host::Result<T>) -> Res<T> {
    let host: Rc<dyn Host> = vm.host.clone();
    call(&*host).map_err(|error| vm.host_error(&error))
}

/// What a command writes that a provider or resource runs by its Ruby method `shell_out` or `shell_out!`, which code may replace.
pub(crate) fn shell_out(vm: &mut Vm, this: &Value, method: &'static str, words: &[&str]) -> Res<String> {
    let words: Vec<Value> = words.iter().map(Value::str).collect();
    let done = vm.call_name(this, method, &words)?;
    stdout(vm, &done)
}

/// What a command of `Mixlib::ShellOut` has written.
pub(crate) fn stdout(vm: &mut Vm, done: &Value) -> Res<String> {
    let written = get(vm, done, "stdout")?;
    vm.to_s_text(&written)
}

/// The resource of a provider, by its Ruby method.
pub(crate) fn new_resource(vm: &mut Vm, provider: &Value) -> Res {
    get(vm, provider, "new_resource")
}

/// Chef's exception for a failure, as Ruby's error.
pub(crate) fn failure(vm: &mut Vm, class: &'static str, text: impl Into<String>) -> rchef_ruby::Error {
    raised(vm, &rchef_change::ChangeError::raise(class, text.into()))
}

/// Runs an action of a new resource that is in no resource collection, as some of Chef's providers do. It notifies nobody; the outer resource
/// counts as updated if it is.
pub(crate) fn run_resource(
    vm: &mut Vm,
    outer: &Value,
    (class, name): (&'static str, &str),
    properties: &[(&'static str, Value)],
    action: &'static str,
) -> Res<()> {
    let base = rchef_recipe::run::class(vm, |classes| classes.resource)?;
    let Some(class) = vm.const_resolve(base, Symbol::intern_static(class))? else {
        return Err(vm.not_implemented(class));
    };
    let context = get(vm, outer, "run_context")?;
    let made = vm.call(&class, rchef_ruby::sym::NEW, &[Value::str(name), context])?;
    for (property, value) in properties {
        vm.call(&made, Symbol::intern_static(property), std::slice::from_ref(value))?;
    }
    vm.call_name(&made, "run_action", &[Value::sym(action)])?;
    if vm.call_name(&made, "updated?", &[])?.truthy() {
        vm.call_name(outer, "updated_by_last_action", &[Value::True])?;
    }
    Ok(())
}

/// Logs through `Chef::Log`.
pub(crate) fn log(vm: &mut Vm, level: &str, message: &str) -> Res<()> {
    let logger = rchef_recipe::chef_class::logger_value(vm)?;
    vm.call_name(&logger, level, &[Value::str(message)]).map(drop)
}

/// The path of a program, as Chef's `which` finds it: in PATH, then in the usual directories.
pub(crate) fn which(host: &dyn Host, program: &str) -> Option<String> {
    let path = host.env(b"PATH").unwrap_or_default();
    let usual = ["/bin", "/usr/bin", "/sbin", "/usr/sbin"].map(str::as_bytes);
    rchef_host::compose::program(host, path.split(|byte| *byte == b':').chain(usual), program).map(|path| lossy(&path))
}

/// Whether the node is a Docker container.
pub(crate) fn is_docker(vm: &mut Vm, resource: &Value) -> Res<bool> {
    let node = get(vm, resource, "node")?;
    let role = ["virtualization", "systems", "docker"].map(Value::str);
    let role = vm.call_name(&node, "read", &role)?;
    Ok(role.truthy() && vm.to_s_text(&role)? == "guest")
}

/// A text as a single word of a shell command, escaped as by Ruby's Shellwords.
pub(crate) fn shell_escaped(text: &str) -> String {
    if text.is_empty() {
        return "''".into();
    }
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '\n' => escaped.push_str("'\n'"),
            c if c.is_ascii_alphanumeric() || "_-.,:+/@".contains(c) => escaped.push(c),
            c => escaped.extend(['\\', c]),
        }
    }
    escaped
}

/// Rejects what [`unfit`] rejects, and anything that is not a single plain word for a shell.
pub(crate) fn unfit_word(class: &'static str, what: &str, name: &str) -> Option<Assertion> {
    unfit(class, what, name).or_else(|| {
        let bad = name.contains(|c: char| c.is_whitespace() || "'\"`$&|<>()*?[]{}!#\\".contains(c));
        let fault = "it holds what a shell would interpret";
        bad.then(|| Assertion::new(class, format!("{name:?} cannot be the name of a {what}: {fault}")))
    })
}

/// Rejects a name that a program would take for an option, or that is not a single word.
pub(crate) fn unfit(class: &'static str, what: &str, name: &str) -> Option<Assertion> {
    let fault = if name.starts_with('-') {
        "it begins with '-', so programs would take it for an option"
    } else if name.contains(|c: char| c.is_control() || c == ';') {
        "it holds a ';' or a control character"
    } else {
        return None;
    };
    Some(Assertion::new(class, format!("{name:?} cannot be the name of a {what}: {fault}")))
}

/// Whether a path is writable. Errors other than missing permission are returned.
pub(crate) fn is_writable(host: &dyn Host, path: &[u8]) -> Looked<bool> {
    match host.access(path, rchef_host::Access::WRITE, true) {
        Ok(()) => Ok(true),
        Err(error) if matches!(error.name(), Some("EACCES" | "EPERM" | "EROFS" | "ENOENT" | "ENOTDIR")) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// The content of a file; None if there is none.
pub(crate) fn contents(host: &dyn Host, path: &str) -> Looked<Option<Vec<u8>>> {
    Ok(rchef_host::compose::read_opt(host, path.as_bytes())?)
}

/// The write that replaces the content of a file; owner, group and mode stay.
pub(crate) fn rewritten(host: &dyn Host, path: &str, content: Vec<u8>) -> Looked<rchef_change::WriteFile> {
    let replaces = match rchef_host::compose::stat_opt(host, path.as_bytes())? {
        Some(stat) => {
            let content = rchef_host::compose::read_file(host, path.as_bytes())?;
            Some(rchef_change::file::Replaced { content: content.into(), modified: stat.mtime })
        }
        None => None,
    };
    Ok(rchef_change::WriteFile {
        path: path.into(),
        target: path.into(),
        content: Some(content.into()),
        replaces,
        access: rchef_change::AccessChange::default(),
        atomic: true,
        backup: rchef_change::Backup::default(),
        sensitive: false,
    })
}
