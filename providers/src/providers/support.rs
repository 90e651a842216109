//! What providers share: steps of a plan, properties as Rust values, requirements, host errors.

use rchef_host::Host;
use rchef_recipe::provider::native::Change;
use rchef_recipe::run::{ActionMode, chef_error, converge_mut};
use rchef_ruby::{Res, Symbol, Value, Vm};
use std::rc::Rc;

type Apply = Box<dyn Fn(&mut Vm, &Value) -> Res<()>>;

/// One step of a plan: what is said and what is done.
pub(crate) struct Step {
    lines: Vec<String>,
    apply: Apply,
}

impl Change for Step {
    fn describe(&self) -> Vec<String> {
        self.lines.clone()
    }
    fn apply(&self, vm: &mut Vm, resource: &Value) -> Res<()> {
        (self.apply)(vm, resource)
    }
}

/// A step with these lines.
pub(crate) fn steps(lines: Vec<String>, apply: impl Fn(&mut Vm, &Value) -> Res<()> + 'static) -> Box<dyn Change> {
    Box::new(Step { lines, apply: Box::new(apply) })
}

/// A step with one line.
pub(crate) fn step(line: impl Into<String>, apply: impl Fn(&mut Vm, &Value) -> Res<()> + 'static) -> Box<dyn Change> {
    steps(vec![line.into()], apply)
}

/// Whether this is a why-run.
pub(crate) fn why_run(vm: &mut Vm) -> bool {
    converge_mut(vm).mode == ActionMode::WhyRun
}

/// A property's value.
pub(crate) fn get(vm: &mut Vm, resource: &Value, name: &str) -> Res {
    vm.call(resource, Symbol::intern(name), &[])
}

/// A property's value as text; `None` when nil (or false).
pub(crate) fn text_opt(vm: &mut Vm, resource: &Value, name: &str) -> Res<Option<String>> {
    let value = get(vm, resource, name)?;
    if value.truthy() { Ok(Some(vm.to_s_text(&value)?)) } else { Ok(None) }
}

/// A property's value as text; empty when nil.
pub(crate) fn text(vm: &mut Vm, resource: &Value, name: &str) -> Res<String> {
    Ok(text_opt(vm, resource, name)?.unwrap_or_default())
}

/// A property's truth.
pub(crate) fn flag(vm: &mut Vm, resource: &Value, name: &str) -> Res<bool> {
    Ok(get(vm, resource, name)?.truthy())
}

/// A property's elements as texts.
pub(crate) fn list(vm: &mut Vm, resource: &Value, name: &str) -> Res<Vec<String>> {
    let value = get(vm, resource, name)?;
    if value.is_nil() {
        return Ok(Vec::new());
    }
    let mut texts = Vec::new();
    for item in vm.to_array(&value)? {
        texts.push(if item.is_nil() { String::new() } else { vm.to_s_text(&item)? });
    }
    Ok(texts)
}

/// The bytes of a value's `to_s`.
pub(crate) fn bytes(vm: &mut Vm, value: &Value) -> Res<Vec<u8>> {
    Ok(vm.to_s(value)?.get(vm).bytes().to_vec())
}

/// A host call, its error as the `Errno` of Ruby.
pub(crate) fn on<T>(vm: &mut Vm, call: impl FnOnce(&dyn Host) -> rchef_host::Result<T>) -> Res<T> {
    let host: Rc<dyn Host> = vm.host.clone();
    call(&*host).map_err(|error| vm.host_error(&error))
}

/// An assertion about the machine (SPEC-converge 2.6): in why-run a failed one with assumptions lets the run go on. Gives whether it holds.
pub(crate) fn require(
    vm: &mut Vm,
    resource: &Value,
    action: Symbol,
    holds: bool,
    class: &str,
    message: &str,
    assume: &[String],
) -> Res<bool> {
    if holds {
        return Ok(true);
    }
    let error = chef_error(vm, class, message);
    let sinks = rchef_recipe::events::sinks(vm).clone();
    if why_run(vm) {
        if let Some(exception) = error.exception().cloned() {
            for sink in &sinks {
                sink.provider_requirement_failed(vm, action, resource, &exception, message);
            }
        }
        if !assume.is_empty() {
            for text in assume {
                for sink in &sinks {
                    sink.whyrun_assumption(vm, action, resource, text);
                }
            }
            return Ok(false);
        }
    } else if let Some(exception) = error.exception().cloned() {
        for sink in &sinks {
            sink.provider_requirement_failed(vm, action, resource, &exception, message);
        }
    }
    Err(error)
}

/// Logs through `Chef::Log`.
pub(crate) fn log(vm: &mut Vm, level: &str, message: &str) -> Res<()> {
    let logger = rchef_recipe::chef_api::logger_value(vm)?;
    vm.call_name(&logger, level, &[Value::str(message)]).map(drop)
}

/// Bytes as text.
pub(crate) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Forgets what the package and service managers said: something ran that may have changed it.
pub(crate) fn forget_answers(vm: &mut Vm) {
    use rchef_host::queries::Topic;
    for topic in [Topic::Packages, Topic::Candidates, Topic::Services] {
        vm.host.invalidate(topic);
    }
}
