//! The interface of native providers, and the runner that executes their plans.
//!
//! A provider gives the wanted state ([`Provider::read`]), the current state ([`Provider::load`]), the failed assertions
//! ([`Provider::requirements`]) and the changes ([`Provider::plan`]). Only `read` and `complete` have access to the VM; the other functions query
//! the machine through [`Host`], and none of them knows whether this is a why-run. Raising, printing, assuming and applying are done by the runner.

use super::class::report_lines;
use super::failure::of_class;
pub use super::failure::raised;
use super::simulation;
use super::state::Slot;
use crate::chef_class::setting;
use crate::converge::{Proposed, is_let_through};
use crate::events::Line;
use crate::names::N;
use crate::resource::property;
use crate::run::{ActionMode, chef_error, converge_mut};
use crate::unsent;
use rchef_change::diff::Limits;
use rchef_change::render::Renderer;
use rchef_change::{Assertion, Change, ChangeError, EngineStep, State};
use rchef_host::{Host, Purpose};
use rchef_ruby::{Args, ClassId, Error, Res, Symbol, Value, Vm, sym};
use std::marker::PhantomData;

/// The result of querying the machine.
pub type Looked<T> = Result<T, ChangeError>;

/// The provider of a shipped resource.
pub trait Provider: 'static {
    /// The properties of the resource, typed and converted once.
    type Desired;
    /// The current state.
    type Current;

    /// The supported actions.
    const ACTIONS: &'static [&'static str];

    /// Reads the properties that the action needs. Ruby code only runs for lazy properties and overridden methods.
    ///
    /// # Errors
    /// What that Ruby code raises, or an invalid property.
    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Self::Desired>;

    /// Reads the current state.
    ///
    /// # Errors
    /// The machine cannot be queried.
    fn load(desired: &Self::Desired, host: &dyn Host) -> Looked<Self::Current>;

    /// The failed assertions, in Chef's order.
    ///
    /// # Errors
    /// The machine cannot be queried.
    fn requirements(_desired: &Self::Desired, _current: &Self::Current, _host: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(Vec::new())
    }

    /// Reads what Chef only reads after all assertions have passed: content, templates.
    ///
    /// # Errors
    /// What Ruby code raises.
    fn complete(_vm: &mut Vm, _resource: &Value, _desired: &mut Self::Desired, _current: &Self::Current) -> Res<()> {
        Ok(())
    }

    /// The changes to make, in order.
    ///
    /// # Errors
    /// The wanted state cannot be reached.
    fn plan(desired: &Self::Desired, current: &Self::Current, host: &dyn Host) -> Looked<Vec<Change>>;

    /// Checks the changes before they are applied (`verify` of a file), in a why-run, too.
    ///
    /// # Errors
    /// A check fails.
    fn check(_vm: &mut Vm, _resource: &Value, _changes: &[Change]) -> Res<()> {
        Ok(())
    }

    /// Runs actions of further resources after the changes, in a why-run, too; they plan and print by themselves.
    ///
    /// # Errors
    /// As [`Provider::read`], and failures of those actions.
    fn after(_vm: &mut Vm, _resource: &Value, _desired: &Self::Desired) -> Res<()> {
        Ok(())
    }

    /// Executes a step that needs the VM.
    ///
    /// # Errors
    /// What Ruby code raises.
    fn carry_out(vm: &mut Vm, _resource: &Value, step: &EngineStep) -> Res<()> {
        Err(vm.not_implemented(step.kind()))
    }

    /// The state properties of `current_resource`.
    fn state(_desired: &Self::Desired, _current: &Self::Current, _host: &dyn Host) -> Vec<(&'static str, State)> {
        Vec::new()
    }

    /// The properties that the resource itself has after the action, if the states of resources are observed.
    fn reported(_desired: &Self::Desired, _host: &dyn Host) -> Vec<(&'static str, State)> {
        Vec::new()
    }

    /// The provider's class in `Chef::Provider` on this node; if empty, the one with the name of the resource's class.
    ///
    /// # Errors
    /// The node cannot be read.
    fn class(_vm: &mut Vm, _resource: &Value) -> Res<&'static str> {
        Ok("")
    }

    /// Properties with mutable defaults that Chef's provider reads once it has loaded the current state: from then on messages list them.
    const READS: &'static [&'static str] = &[];

    /// The same for providers where it depends on the resource.
    fn reads(_desired: &Self::Desired) -> &'static [&'static str] {
        Self::READS
    }

    /// Methods of the Ruby class that make one type of change (`start_service`) and that subclasses may override.
    const HELPERS: &'static [&'static str] = &[];

    /// The helper method that makes a change, and its arguments.
    fn helper_of(_change: &Change) -> Option<(&'static str, Vec<Value>)> {
        None
    }

    /// The changes of a helper method that is called directly.
    ///
    /// # Errors
    /// As [`Provider::read`].
    fn helper(vm: &mut Vm, _resource: &Value, name: &'static str, _args: &[Value]) -> Res<Vec<Change>> {
        Err(vm.not_implemented(name))
    }
}

/// A provider without its associated types, for the registry.
pub(crate) trait AnyProvider {
    /// The supported actions; empty for a placeholder that supports none.
    fn actions(&self) -> &'static [&'static str];
    /// Runs an action; `provider` is the Ruby provider object.
    fn act(&self, vm: &mut Vm, provider: &Value, resource: &Value, action: &'static str) -> Res<()>;
    fn current(&self, _vm: &mut Vm, _resource: &Value, _action: &'static str) -> Res {
        Ok(Value::Nil)
    }
    /// See [`Provider::class`].
    fn class(&self, _vm: &mut Vm, _resource: &Value) -> Res<&'static str> {
        Ok("")
    }
    /// See [`Provider::HELPERS`].
    fn helpers(&self) -> &'static [&'static str] {
        &[]
    }
    /// See [`Provider::helper`].
    fn helper(&self, vm: &mut Vm, _resource: &Value, name: &'static str, _args: &[Value]) -> Res<Vec<Change>> {
        Err(vm.not_implemented(name))
    }
}

/// Wraps a provider for the registry.
pub(crate) struct Erased<P>(pub PhantomData<P>);

impl<P: Provider> AnyProvider for Erased<P> {
    fn actions(&self) -> &'static [&'static str] {
        P::ACTIONS
    }
    fn act(&self, vm: &mut Vm, provider: &Value, resource: &Value, action: &'static str) -> Res<()> {
        run::<P>(vm, provider, resource, action)
    }
    fn current(&self, vm: &mut Vm, resource: &Value, action: &'static str) -> Res {
        let (desired, current) = begin::<P>(vm, resource, action)?;
        let host = vm.host.clone();
        current_resource(vm, resource, P::state(&desired, &current, &*host))
    }
    fn class(&self, vm: &mut Vm, resource: &Value) -> Res<&'static str> {
        P::class(vm, resource)
    }
    fn helpers(&self) -> &'static [&'static str] {
        P::HELPERS
    }
    fn helper(&self, vm: &mut Vm, resource: &Value, name: &'static str, args: &[Value]) -> Res<Vec<Change>> {
        P::helper(vm, resource, name, args)
    }
}

fn begin<P: Provider>(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<(P::Desired, P::Current)> {
    let desired = property::read_at_once(vm, |vm| P::read(vm, resource, action))?;
    let host = vm.host.clone();
    let current = simulation::asking(vm, |_| P::load(&desired, &*host)).map_err(|error| raised(vm, &error))?;
    Ok((desired, current))
}

/// Runs an action: assertions, content, plan, checks, changes. `provider` is the Ruby provider object.
fn run<P: Provider>(vm: &mut Vm, provider: &Value, resource: &Value, action: &'static str) -> Res<()> {
    let host = vm.host.clone();
    let (mut desired, current) = begin::<P>(vm, resource, action)?;
    let is_observed = crate::events::states_are_observed(vm);
    if is_observed && super::state::read(vm, provider, Slot::CurrentResource).is_nil() {
        let made = current_resource(vm, resource, P::state(&desired, &current, &*host))?;
        super::state::write(vm, provider, Slot::CurrentResource, made.clone());
        let name = Symbol::intern_static(action);
        crate::events::emit(vm, |sink, vm| sink.resource_current_state_loaded(vm, resource, name, &made));
    }
    for name in P::reads(&desired) {
        vm.call_name(resource, name, &[])?;
    }
    let failed = simulation::asking(vm, |_| P::requirements(&desired, &current, &*host));
    let failed = failed.map_err(|error| raised(vm, &error))?;
    if !settle(vm, provider, resource, action, failed)? {
        return Ok(());
    }
    P::complete(vm, resource, &mut desired, &current)?;
    let changes = simulation::asking(vm, |_| P::plan(&desired, &current, &*host));
    let changes = changes.map_err(|error| raised(vm, &error))?;
    if !changes.is_empty() {
        simulation::with_purpose(vm, Purpose::Check, |vm| P::check(vm, resource, &changes))?;
    }
    for change in &changes {
        carry_out::<P>(vm, provider, resource, change)?;
    }
    if is_observed && converge_mut(vm).mode.applies() && !simulation::is_plan(vm) {
        set_properties(vm, resource, P::reported(&desired, &*host));
    }
    P::after(vm, resource, &desired)
}

/// Handles failed assertions: raises in a run; in a why-run prints them with what is assumed instead. Gives whether the action continues.
pub(super) fn settle(
    vm: &mut Vm,
    provider: &Value,
    resource: &Value,
    action: &'static str,
    failed: Vec<Assertion>,
) -> Res<bool> {
    let action = Symbol::intern_static(action);
    // a plan knows the state of the machine, unless an earlier action had unknown effects
    let why_run = converge_mut(vm).mode == ActionMode::WhyRun;
    for assertion in failed {
        let assumed = (why_run || simulation::may_hold(vm, assertion.class)) && !assertion.assumptions.is_empty();
        let sinks = crate::events::sinks(vm).clone();
        if !assertion.message.is_empty() {
            let error = of_class(vm, assertion.class, &assertion.message);
            if let Some(exception) = error.exception().cloned() {
                for sink in &sinks {
                    sink.provider_requirement_failed(vm, action, resource, &exception, &assertion.message);
                }
            }
            if !assumed {
                return Err(error);
            }
        }
        if !assumed {
            continue;
        }
        for text in &assertion.assumptions {
            for sink in &sinks {
                sink.whyrun_assumption(vm, action, resource, text);
            }
        }
        if assertion.blocks {
            for sink in &sinks {
                sink.resource_bypassed(vm, resource, action, provider);
            }
            return Ok(false);
        }
    }
    Ok(true)
}

/// Applies a change if the run makes changes, and reports it.
fn carry_out<P: Provider>(vm: &mut Vm, provider: &Value, resource: &Value, change: &Change) -> Res<()> {
    let applies = converge_mut(vm).mode.applies();
    vm.serve_interrupts()?;
    let name = super::state::read(vm, provider, Slot::Action);
    let action = vm.to_name(&name).unwrap_or(N.nothing);
    if !matches!(change, Change::Engine(step) if !step.is_update())
        && !is_let_through(vm, resource, action, Proposed::Change(change))?
    {
        return Ok(());
    }
    crate::events::emit(vm, |sink, vm| sink.resource_change(vm, resource, action, change));
    if let Change::Engine(step) = change {
        if applies || step.runs_in_why_run() {
            owing(vm, provider, resource, |vm| match simulation::is_plan(vm) {
                true => simulation::step(vm, step, |vm| P::carry_out(vm, resource, step)),
                false => P::carry_out(vm, resource, step),
            })?;
        }
        if !step.is_update() {
            return Ok(());
        }
    } else if applies {
        let helper = P::helper_of(change).map(|(name, args)| (Symbol::intern_static(name), args));
        owing(vm, provider, resource, |vm| match helper.filter(|(name, _)| is_overridden(vm, provider, *name)) {
            Some((name, args)) => {
                vm.call(provider, name, &args)?;
                if simulation::is_plan(vm) { apply(vm, resource, change) } else { Ok(()) }
            }
            None => apply(vm, resource, change),
        })?;
    }
    report(vm, provider, change)
}

/// Applies a change if the run makes changes, and reports it.
pub(super) fn make(vm: &mut Vm, provider: &Value, resource: &Value, change: &Change) -> Res<()> {
    let action = super::state::read(vm, provider, Slot::Action);
    let action = vm.to_name(&action).unwrap_or(N.nothing);
    if !is_let_through(vm, resource, action, Proposed::Change(change))? {
        return Ok(());
    }
    crate::events::emit(vm, |sink, vm| sink.resource_change(vm, resource, action, change));
    if converge_mut(vm).mode.applies() {
        owing(vm, provider, resource, |vm| apply(vm, resource, change))?;
    }
    report(vm, provider, change)
}

/// Reports a change that was made or would have been.
pub(super) fn report(vm: &mut Vm, provider: &Value, change: &Change) -> Res<()> {
    let why_run = !converge_mut(vm).mode.applies();
    let host = vm.host.clone();
    // only diffs have limits
    let limits = if matches!(change, Change::WriteFile(_)) { limits(vm)? } else { Limits::default() };
    let renderer = Renderer { host: &*host, why_run, limits };
    let keeps_diff = matches!(change, Change::WriteFile(_)) && crate::events::states_are_observed(vm);
    for update in renderer.updates(change) {
        if keeps_diff {
            keep_diff(vm, provider, &update);
        }
        report_lines(vm, provider, &update)?;
    }
    Ok(())
}

/// Sets `diff` of a resource that writes a file, for reports; its lines are separated by a backslash and an `n`, as in Chef.
fn keep_diff(vm: &mut Vm, provider: &Value, update: &[Line]) {
    let lines: Vec<&str> = update
        .iter()
        .filter_map(|line| match line {
            Line::Detail(text) => Some(text.as_str()),
            Line::Step(_) => None,
        })
        .collect();
    // otherwise the lines say why there is no diff
    if lines.first().is_some_and(|first| first.starts_with("--- ")) {
        let resource = super::state::new_resource(vm, provider);
        vm.ivar_set(&resource, Symbol::intern_static("@diff"), Value::str(lines.join("\\n")));
    }
}

/// Makes a change; its notifications are recorded as owed before it. If it fails as the first change of its action, they are withdrawn.
pub(crate) fn owing<T>(
    vm: &mut Vm,
    provider: &Value,
    resource: &Value,
    change: impl FnOnce(&mut Vm) -> Res<T>,
) -> Res<T> {
    let fresh = unsent::changing(vm, resource)?;
    let result = change(vm);
    let first = !super::state::state(vm, provider).is_some_and(|state| state.converged);
    let failed = result.as_ref().err().and_then(|error| error.exception());
    if first && failed.is_some_and(|exception| vm.is_a(exception, ClassId::STANDARD_ERROR)) {
        unsent::withdraw(vm, &fresh);
    }
    result
}

/// Whether a provider's method is overridden in Ruby.
pub(crate) fn is_overridden(vm: &mut Vm, provider: &Value, name: Symbol) -> bool {
    use rchef_ruby::embed::method::MethodBody;
    let class = vm.class_of(provider);
    vm.find_method(class, name)
        .is_some_and(|id| !matches!(vm.method(id).body, MethodBody::Native(..) | MethodBody::Closure(..)))
}

/// Applies a change; the output of its commands is sent to the event sinks.
pub(crate) fn apply(vm: &mut Vm, resource: &Value, change: &Change) -> Res<()> {
    if simulation::is_plan(vm) {
        return simulation::assume(vm, change);
    }
    let host = vm.host.clone();
    let sinks = crate::events::sinks(vm).clone();
    let applied = change.apply_streaming(&*host, &mut |bytes| {
        for sink in &sinks {
            sink.stream_output(vm, resource, bytes);
        }
    });
    let applied = applied.map_err(|error| raised(vm, &error))?;
    for warning in applied.warnings {
        crate::chef_class::log_line(vm, "warn", warning);
    }
    if let Some(checksum) = applied.checksum {
        vm.ivar_set(resource, Symbol::intern_static("@final_checksum"), Value::str(&checksum));
    }
    Ok(())
}

/// The diff settings of the configuration, once they are read.
#[derive(Default)]
struct Known(Option<Limits>);

/// The diff settings of `Chef::Config`, read once for a run.
fn limits(vm: &mut Vm) -> Res<Limits> {
    let limits = match vm.extension::<Known>().0 {
        Some(known) => known,
        None => configured(vm)?,
    };
    vm.extension::<Known>().0 = Some(limits);
    // a notification to send `:before` is a why-run of one resource
    Ok(Limits { staged_apart: converge_mut(vm).mode == ActionMode::WhyRun, ..limits })
}

fn configured(vm: &mut Vm) -> Res<Limits> {
    let mut limits = Limits { disabled: setting(vm, "diff_disabled")?.truthy(), ..Limits::default() };
    if let Value::Int(size) = setting(vm, "diff_filesize_threshold")? {
        limits.file_size = size.max(0) as usize;
    }
    if let Value::Int(size) = setting(vm, "diff_output_threshold")? {
        limits.output = size.max(0) as usize;
    }
    Ok(limits)
}

/// `current_resource`: a resource of the same class with the current state.
fn current_resource(vm: &mut Vm, resource: &Value, state: Vec<(&'static str, State)>) -> Res {
    let class = vm.real_class_of(resource);
    let name = vm.ivar_get(resource, N.i_name).unwrap_or_default();
    let made = vm.call_args(&Value::Class(class), sym::NEW, Args::new(&[name]))?;
    set_properties(vm, &made, state);
    Ok(made)
}

fn set_properties(vm: &mut Vm, resource: &Value, state: Vec<(&'static str, State)>) {
    for (name, state) in state {
        let value = match state {
            State::Nil => Value::Nil,
            State::Bool(flag) => Value::bool(flag),
            State::Int(number) => Value::Int(number),
            State::Text(text) => Value::str(text),
            State::List(texts) => Value::array(texts.iter().map(Value::str).collect()),
        };
        vm.ivar_set(resource, Symbol::intern(&format!("@{name}")), value);
    }
}

/// The error for a resource without a provider.
pub(crate) fn no_provider(vm: &mut Vm, resource: &Value) -> Res<Error> {
    let shown = vm.to_s_text(resource)?;
    if let Some((kind, why)) = super::native::refusal(vm, resource) {
        return Ok(chef_error(vm, "UnsupportedAction", format!("{shown}: rchef does not converge {kind}: {why}")));
    }
    let class = vm.real_class_of(resource);
    let lineage = crate::resource::class::lineage(vm, class);
    let kind = lineage.into_iter().find_map(|id| crate::resource::class::resource_name(vm, id));
    let kind = kind.map_or("this resource".to_string(), |kind| kind.to_string());
    let text = format!("{shown}: rchef cannot converge {kind} yet (there is no native provider for it)");
    Ok(chef_error(vm, "UnsupportedAction", text))
}

/// The error for an action that its provider does not support.
pub(crate) fn no_action(vm: &mut Vm, resource: &Value, action: &str) -> Res<Error> {
    let shown = vm.to_s_text(resource)?;
    Ok(chef_error(vm, "UnsupportedAction", format!("{shown}: rchef's provider cannot run the action :{action}")))
}
