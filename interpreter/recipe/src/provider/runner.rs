//! Running actions: guards, retries, failures, notifications, the delayed queue, the converge of a collection (SPEC-compile 4.2, 4.3, 4.5; Chef::Runner).

use super::simulation;
use crate::chef_class::log_line;
use crate::context::{self, CollectionData, Notification, Timing};
use crate::converge::Part;
use crate::events::emit;
use crate::log::{Level, detail, wants};
use crate::names::N;
use crate::notification::{self, check_references, fire_at, must_resolve, queue};
pub use crate::resource::instance::actions;
use crate::resource::{class as resource_class, instance, property, state};
use crate::run::{ActionMode, Executed, Expansion, chef_error, converge_mut, lint, run_mut};
use crate::unsent;
use rchef_model::code::Code;
use rchef_model::notification::Queued;
use rchef_ruby::{ClassId, Res, Symbol, Unwind, Value, Vm, sym};
use std::time::Duration;

fn ivar(vm: &Vm, this: &Value, name: Symbol) -> Value {
    vm.ivar_get(this, name).unwrap_or_default()
}

/// "TYPE[NAME] (CB::REC line N) had an error: CLASS: original".
pub fn wrapped_message(vm: &mut Vm, resource: &Value, exception: &Value) -> Res<String> {
    let (shown, place) = (vm.to_s_text(resource)?, instance::place_of(vm, resource)?);
    let class = vm.class_name_of(exception);
    let text = vm.call(exception, sym::MESSAGE, &[])?;
    Ok(format!("{shown} ({place}) had an error: {class}: {}", vm.to_s_text(&text)?))
}

/// The first guard that stops an action.
fn stopping_guard(vm: &mut Vm, resource: &Value) -> Res<Option<Value>> {
    let lists = state::state(vm, resource).map(|state| [state.only_if.made().cloned(), state.not_if.made().cloned()]);
    for list in lists.into_iter().flatten() {
        let Some(Value::Array(list)) = list else { continue };
        for guard in list.get(vm).items.clone() {
            let ask = |vm: &mut Vm| vm.call(&guard, N.continue_p, &[]).map(|answer| answer.truthy());
            if !simulation::guard(vm, ask)? {
                return Ok(Some(guard));
            }
        }
    }
    Ok(None)
}

/// Whether a guard with a block stops a resource. A block that raises does not, since a simulated node may lack what it needs.
fn stops_expansion(vm: &mut Vm, resource: &Value, action: Symbol) -> Res<bool> {
    let lists = state::state(vm, resource).map(|state| [state.only_if.made().cloned(), state.not_if.made().cloned()]);
    for list in lists.into_iter().flatten() {
        let Some(Value::Array(list)) = list else { continue };
        for guard in list.get(vm).items.clone() {
            if vm.call_name(&guard, "block", &[])?.is_nil() {
                continue;
            }
            match vm.call(&guard, N.continue_p, &[]) {
                Ok(answer) if !answer.truthy() => return Ok(true),
                Err(error) if error.exception().is_none() => return Err(error),
                Err(error) => fails_alone(vm, resource, (action, Part::Guard), error),
                _ => {}
            }
        }
    }
    Ok(false)
}

/// Keeps the error of something that a resource evaluates before its action.
fn fails_alone(vm: &mut Vm, resource: &Value, (action, part): (Symbol, Part), error: rchef_ruby::Error) {
    let error = Some(vm.error_value(error));
    let made = Expansion { part, error, ..Expansion::new(resource, action, &Value::Nil) };
    converge_mut(vm).expansions.push(made);
}

/// Evaluates the lazy values of a resource's properties, as its action would. Those of rendered files are evaluated where the files are rendered.
fn evaluate_lazies(vm: &mut Vm, resource: &Value, action: Symbol) -> Res<()> {
    let class = vm.real_class_of(resource);
    for property in resource_class::all_properties(vm, class).iter() {
        let Some(value) = vm.ivar_get(resource, property.ivar) else { continue };
        if property.rendered || !property::is_lazy(vm, &value)? {
            continue;
        }
        match property::get(vm, resource, property) {
            Err(error) if error.exception().is_none() => return Err(error),
            Err(error) => fails_alone(vm, resource, (action, Part::Lazy), error),
            Ok(_) => {}
        }
    }
    Ok(())
}

/// Whether a resource's class is a custom resource.
pub fn is_cookbook_defined(vm: &mut Vm, resource: &Value) -> bool {
    let id = vm.real_class_of(resource);
    !resource_class::is_shipped(vm, id)
}

/// Whether actions only report what they would do: in a why-run, and in a run while its code has set `Chef::Config[:why_run]`. A why-run stays one,
/// whatever its code sets.
pub fn is_why_run(vm: &mut Vm) -> Res<bool> {
    Ok(match converge_mut(vm).mode {
        ActionMode::WhyRun => true,
        ActionMode::Converge => crate::chef_class::setting(vm, "why_run")?.truthy(),
        _ => false,
    })
}

/// Runs `body` as in a why-run.
pub fn only_reporting(vm: &mut Vm, body: impl FnOnce(&mut Vm) -> Res<()>) -> Res<()> {
    let mode = std::mem::replace(&mut converge_mut(vm).mode, ActionMode::WhyRun);
    let done = body(vm);
    converge_mut(vm).mode = mode;
    done
}

/// Runs one action of a resource, without its notifications. `notified` has the timing and sender of the notification that caused it.
pub fn run_action(vm: &mut Vm, resource: &Value, action: Symbol, notified: Option<(Symbol, &Value)>) -> Res<()> {
    if is_why_run(vm)? {
        only_reporting(vm, |vm| perform(vm, resource, action, notified))
    } else {
        perform(vm, resource, action, notified)
    }
}

/// Runs an action of a resource with `compile_time`. What it declares is shown by `--expand`: the resource's own action is `nothing` afterwards, so
/// that no expansion reaches it later.
pub fn run_in_compile(vm: &mut Vm, resource: &Value, action: Symbol) -> Res<()> {
    let state = converge_mut(vm);
    let before = std::mem::replace(&mut state.records_expansions, state.expands);
    let result = run_action(vm, resource, action, None);
    converge_mut(vm).records_expansions = before;
    result
}

/// Runs one action of a resource in the mode of the converge.
fn perform(vm: &mut Vm, resource: &Value, action: Symbol, notified: Option<(Symbol, &Value)>) -> Res<()> {
    let mode = converge_mut(vm).mode;
    if notified.is_none() && converge_mut(vm).heeds_guards {
        converge_mut(vm).ran.push(resource.clone());
    }
    if mode == ActionMode::Expand || mode == ActionMode::Record {
        instance::mark_updated(vm, resource, false);
        return if mode == ActionMode::Expand {
            expand(vm, resource, action)
        } else {
            references_now(vm, resource).map(|()| record(vm, resource, Executed::No))
        };
    }
    if mode == ActionMode::Overlay {
        return on_overlay(vm, resource, action);
    }
    if run_mut(vm).compiling {
        record(vm, resource, if mode == ActionMode::WhyRun { Executed::WhyRun } else { Executed::Run });
        references_now(vm, resource)?;
    }
    vm.serve_interrupts()?;
    // of commands that the recipe itself ran
    tell_notes(vm);
    if wants(vm, Level::Info)
        && (wants(vm, Level::Debug) || crate::chef_class::setting(vm, "verbose_logging")?.truthy())
    {
        let (shown, place) = (vm.to_s_text(resource)?, instance::place_of(vm, resource)?);
        detail(vm, Level::Info, format!("Processing {shown} action {action} ({place})"));
    }
    let sinks = crate::events::sinks(vm).clone();
    for sink in &sinks {
        sink.resource_action_start(vm, resource, action, notified);
    }
    let started = vm.host.monotonic_ns();
    converge_mut(vm).declined = false;
    check_references(vm, resource, false)?;
    instance::mark_updated(vm, resource, false);
    let result = attempts(vm, resource, action);
    let elapsed = vm.host.monotonic_ns().saturating_sub(started);
    if let Some(state) = state::state_mut(vm, resource) {
        state.elapsed_time = Value::float(elapsed as f64 / 1e9);
    }
    tell_notes(vm);
    for sink in &sinks {
        sink.resource_completed(vm, resource);
    }
    result.and_then(|()| crate::subscribers::raised(vm))
}

/// Logs how the commands since the last call ended.
fn tell_notes(vm: &mut Vm) {
    for note in vm.host.take_notes() {
        detail(vm, Level::Debug, note);
    }
}

/// Resolves the notifications of a resource that runs during the compile phase: targets that are declared later cannot be found, except for delayed
/// notifications of an immediate resource.
fn references_now(vm: &mut Vm, resource: &Value) -> Res<()> {
    let context = instance::context_of(vm, resource)?;
    if !context::data(vm, &context)?.owner.is_nil() {
        return check_references(vm, resource, false);
    }
    let in_order = instance::is_run(vm, resource);
    let timings: &[Timing] = if in_order { &[Timing::Before, Timing::Immediate] } else { &Timing::ALL };
    must_resolve(vm, &context, resource, timings)
}

/// Records how a resource was executed in the compile phase.
fn record(vm: &mut Vm, resource: &Value, how: Executed) {
    if let Some(state) = state::state_mut(vm, resource) {
        state.executed = Some(how);
    }
}

/// Runs an action that a recipe runs at compile time, in `compile`. A failure is only a finding, since the machine may have what the overlay lacks.
fn on_overlay(vm: &mut Vm, resource: &Value, action: Symbol) -> Res<()> {
    references_now(vm, resource)?;
    instance::mark_updated(vm, resource, false);
    let id = vm.real_class_of(resource);
    if resource_class::shipped(vm, id).is_some_and(|shipped| !shipped.overlay) {
        record(vm, resource, Executed::No);
        return Ok(());
    }
    record(vm, resource, Executed::Overlay);
    let unset: Vec<Symbol> = resource_class::all_properties(vm, id)
        .iter()
        .map(|property| property.ivar)
        .filter(|name| vm.ivar_get(resource, *name).is_none())
        .collect();
    let result = attempt(vm, resource, action);
    // reading a property stores its default, but the dump must show what the recipe set
    for name in unset {
        vm.ivar_remove(resource, name);
    }
    let Err(error) = result else { return Ok(()) };
    let Some(exception) = vm.exception_of(&error, ClassId::STANDARD_ERROR) else {
        return Err(error);
    };
    let text = wrapped_message(vm, resource, &exception)?;
    lint(vm, Code::OverlayFailure, format!("on the overlay, {text}; what follows may differ on a machine"));
    Ok(())
}

fn attempts(vm: &mut Vm, resource: &Value, action: Symbol) -> Res<()> {
    let retries = vm.call_name(resource, "retries", &[])?;
    let mut left = vm.to_int(&retries)?;
    loop {
        let result = attempt(vm, resource, action);
        let refused = converge_mut(vm).refused.clone();
        let error = match (result, &refused) {
            (Ok(()), None) => return Ok(()),
            (Ok(()), Some(exception)) => Unwind::Raise(exception.clone()).into(),
            (Err(error), _) => error,
        };
        // if a signal ended the failed command, it ends the run even if the resource would ignore the failure
        vm.serve_interrupts()?;
        let Some(exception) = vm.exception_of(&error, ClassId::STANDARD_ERROR) else {
            return Err(error);
        };
        if simulation::leaves_open(vm, &exception) {
            return Ok(());
        }
        let sinks = crate::events::sinks(vm).clone();
        if refused.is_none() && vm.call_name(resource, "ignore_failure", &[])?.truthy() {
            let text = wrapped_message(vm, resource, &exception)?;
            log_line(vm, "error", format!("{text}; ignore_failure is set, continuing"));
            for sink in &sinks {
                sink.resource_failed(vm, resource, action, &exception);
            }
            return Ok(());
        }
        if left <= 0 || refused.is_some() || is_final(vm, &exception) {
            for sink in &sinks {
                sink.resource_failed(vm, resource, action, &exception);
            }
            return Err(wrap(vm, resource, &exception)?);
        }
        for sink in &sinks {
            sink.resource_failed_retriable(vm, resource, action, left, &exception);
        }
        let shown = vm.to_s_text(resource)?;
        log_line(vm, "info", format!("Retrying execution of {shown}, {left} attempt(s) left"));
        left -= 1;
        let delay = vm.call_name(resource, "retry_delay", &[])?;
        let seconds = vm.to_f64(&delay)?;
        pause(vm, Duration::try_from_secs_f64(seconds).unwrap_or_default())?;
    }
}

/// Whether retrying is useless, because the action is not supported.
fn is_final(vm: &mut Vm, exception: &Value) -> bool {
    ["UnsupportedAction", "ProviderNotFound", "NotificationCycle"].iter().any(|name| {
        let class = vm.class_named(&format!("Chef::Exceptions::{name}"));
        class.is_some_and(|class| vm.is_a(exception, class))
    })
}

/// Sleeps for a time, and handles signals that arrive meanwhile.
fn pause(vm: &mut Vm, time: Duration) -> Res<()> {
    const EINTR: i32 = 4;
    let host = vm.host.clone();
    let until = host.monotonic_ns().saturating_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    loop {
        let left = Duration::from_nanos(until.saturating_sub(host.monotonic_ns()));
        match host.sleep(left) {
            Err(error) if error.errno == EINTR => vm.serve_interrupts()?,
            Err(error) => return Err(vm.host_error(&error)),
            Ok(()) => return Ok(()),
        }
    }
}

/// The exception with the resource in its message.
fn wrap(vm: &mut Vm, resource: &Value, exception: &Value) -> Res<rchef_ruby::Error> {
    let message = wrapped_message(vm, resource, exception)?;
    let backtrace = vm.call(exception, sym::BACKTRACE, &[])?;
    let made = vm.call(exception, sym::EXCEPTION, &[Value::str(message)])?;
    vm.call(&made, sym::SET_BACKTRACE, &[backtrace])?;
    Ok(Unwind::Raise(made).into())
}

/// Runs an action once. A panic in rchef's own code fails the resource like an error.
fn attempt(vm: &mut Vm, resource: &Value, action: Symbol) -> Res<()> {
    vm.protect(|vm| act(vm, resource, action)).map_err(|error| {
        let shown = vm.to_s_text(resource).unwrap_or_default();
        vm.bug_as_failure(error, &shown)
    })
}

fn act(vm: &mut Vm, resource: &Value, action: Symbol) -> Res<()> {
    let sinks = crate::events::sinks(vm).clone();
    if action == N.nothing {
        for sink in &sinks {
            sink.resource_skipped(vm, resource, action, &Value::Nil);
        }
        return Ok(());
    }
    if let Some(guard) = stopping_guard(vm, resource)? {
        if wants(vm, Level::Debug) {
            let (shown, why) = (vm.to_s_text(resource)?, vm.call(&guard, N.description, &[])?);
            let why = vm.to_s_text(&why)?;
            detail(vm, Level::Debug, format!("Skipping {shown} due to {why}"));
        }
        for sink in &sinks {
            sink.resource_skipped(vm, resource, action, &guard);
        }
        return Ok(());
    }
    let mask = umask_of(vm, resource)?;
    let host = vm.host.clone();
    let saved = mask.map(|mask| host.umask(Some(mask)));
    let result = vm.protect(|vm| {
        let provider = super::asked_for_action(vm, resource, action)?;
        vm.call(&provider, N.run_action, &[])?;
        crate::subscribers::raised(vm)
    });
    if let Some(saved) = saved {
        host.umask(Some(saved));
    }
    result
}

/// The umask property of a resource: octal digits, or a number.
fn umask_of(vm: &mut Vm, resource: &Value) -> Res<Option<u32>> {
    let given = ivar(vm, resource, N.i_umask);
    let mask = match &given {
        Value::Nil => return Ok(None),
        Value::Int(number) => u32::try_from(*number).ok(),
        text => u32::from_str_radix(&vm.to_s_text(text)?, 8).ok(),
    };
    match mask.filter(|mask| *mask <= 0o777) {
        Some(mask) => Ok(Some(mask)),
        None => {
            let (resource, shown) = (vm.to_s_text(resource)?, vm.inspect(&given)?);
            let text =
                format!("Option umask of {resource} must be an octal number from 0 to 0777!  You passed {shown}.");
            Err(chef_error(vm, "ValidationFailed", text))
        }
    }
}

/// Reports that an expanding run has reached a resource.
fn reached(vm: &mut Vm, context: &Value, resource: &Value) -> Res<()> {
    let told = crate::process::hook(vm, |hooks| hooks.reached)?;
    told(vm, context, resource)
}

/// Whether the action of a shipped resource runs a provider class of a cookbook.
fn has_own_provider(vm: &mut Vm, resource: &Value, action: Symbol) -> bool {
    let Ok(Value::Class(id)) = super::class_for(vm, resource, action) else { return false };
    let method = Symbol::intern(&format!("action_{action}"));
    let shipped = vm.class_name(id).starts_with("Chef::Provider::");
    !shipped && vm.find_method(id, method).is_some()
}

/// `compile --expand`: runs the action of a custom resource; that of a shipped resource does nothing.
fn expand(vm: &mut Vm, resource: &Value, action: Symbol) -> Res<()> {
    if action != N.nothing && converge_mut(vm).heeds_guards {
        let address = resource.address();
        if stops_expansion(vm, resource, action)? {
            converge_mut(vm).stopped.push(address);
            return Ok(());
        }
        converge_mut(vm).stopped.retain(|stopped| *stopped != address);
        if !is_cookbook_defined(vm, resource) {
            evaluate_lazies(vm, resource, action)?;
        }
    }
    if action == N.nothing || !(is_cookbook_defined(vm, resource) || has_own_provider(vm, resource, action)) {
        return Ok(());
    }
    let before = converge_mut(vm).expansions.len();
    let result = (|| {
        let provider = super::asked_for_action(vm, resource, action)?;
        vm.call(&provider, N.load_current_resource, &[])?;
        let method = Symbol::intern(&format!("action_{action}"));
        vm.call(&provider, method, &[]).map(drop)
    })();
    if let Err(error) = result {
        let exception = vm.error_value(error);
        let expansions = &mut converge_mut(vm).expansions;
        match expansions.get_mut(before) {
            Some(found) => found.error = Some(exception),
            None => {
                let error = Some(exception);
                expansions.push(Expansion { error, ..Expansion::new(resource, action, &Value::Nil) });
            }
        }
    }
    Ok(())
}

/// Runs all actions of a resource with their notifications.
pub fn run_all_actions(vm: &mut Vm, context: &Value, resource: &Value) -> Res<()> {
    for action in actions(vm, resource)? {
        run_notifying(vm, context, resource, action, None)?;
    }
    Ok(())
}

/// Runs one action with its notifications: `:before` ones first, then immediate ones; delayed ones are queued.
pub fn run_notifying(
    vm: &mut Vm,
    context: &Value,
    resource: &Value,
    action: Symbol,
    notified: Option<(Symbol, &Value)>,
) -> Res<()> {
    let mode = converge_mut(vm).mode;
    if mode == ActionMode::Expand {
        reached(vm, context, resource)?;
        return run_action(vm, resource, action, notified);
    }
    let before = context::notifications(vm, context, resource, Timing::Before)?;
    if !before.is_empty() && action != N.nothing && (mode.applies() || mode == ActionMode::WhyRun) {
        let shown = vm.to_s_text(resource)?;
        detail(vm, Level::Info, format!("{shown} running why-run {action} action to support before action"));
        only_reporting(vm, |vm| perform(vm, resource, action, notified))?;
        if instance::is_updated_by_last_action(vm, resource) {
            for notification in before {
                fire(vm, context, &notification)?;
            }
            instance::mark_updated(vm, resource, false);
        }
    }
    converge_mut(vm).notifying.push(resource.clone());
    let result = run_action(vm, resource, action, notified);
    let updated = result.is_ok() && instance::is_updated_by_last_action(vm, resource);
    let owed = if updated { unsent::changing(vm, resource).map(drop) } else { Ok(()) };
    converge_mut(vm).notifying.pop();
    result.and(owed)?;
    if !updated {
        return Ok(());
    }
    if instance::is_run(vm, resource) {
        let key = context::declared_key(vm, resource)?;
        context::data(vm, context)?.notifications.note_update(key);
    }
    for notification in context::notifications(vm, context, resource, Timing::Immediate)? {
        fire(vm, context, &notification)?;
    }
    for notification in context::notifications(vm, context, resource, Timing::Delayed)? {
        if queue(vm, context, notification.clone())? == Queued::Ran
            && let Some(target) = context::resolve_target(vm, context, &notification)?
        {
            let action = notification::action_of(vm, &target, &notification)?;
            unsent::sent(vm, &notification, &target, action)?;
        }
    }
    Ok(())
}

/// Runs an action of a notified resource together with its own notifications, in the context that declares it.
pub fn run_notified(vm: &mut Vm, target: &Value, action: Symbol, notified: (Symbol, &Value)) -> Res<()> {
    let owner = instance::context_of(vm, target)?;
    run_notifying(vm, &owner, target, action, Some(notified))
}

/// Sends a notification now. If its target may still be declared, it is parked until then.
fn fire(vm: &mut Vm, context: &Value, notification: &Notification) -> Res<()> {
    match context::resolve_target(vm, context, notification)? {
        Some(target) => {
            let outcome = fire_at(vm, notification, &target);
            let action = notification::action_of(vm, &target, notification)?;
            unsent::settle(vm, notification, &target, action, outcome)
        }
        None => {
            // in an action, the target may still be declared
            let setting = crate::chef_class::setting(vm, "action_forward_immediate")?;
            let refused = vm.to_s_text(&setting)? == "fail";
            let data = context::data(vm, context)?;
            if !data.unified || refused {
                return Err(context::unresolved(vm, notification)?);
            }
            data.notifications.park(notification.clone());
            Ok(())
        }
    }
}

/// Runs the delayed notifications in a context's queue. Failures are collected and, together with the failure of the run, combined into one.
pub fn flush(vm: &mut Vm, context: &Value, failure: Option<Value>) -> Res<()> {
    let mut failures = Vec::new();
    while let Some(notification) = context::data(vm, context)?.notifications.next_delayed() {
        let outcome = match context::resolve_target(vm, context, &notification)? {
            Some(target) => {
                let action = notification::action_of(vm, &target, &notification)?;
                notification::tell(vm, &notification, &target, action)?;
                let told = Some((N.delayed, &notification.notifying));
                let outcome = run_notifying(vm, context, &target, action, told);
                unsent::settle(vm, &notification, &target, action, outcome)
            }
            None => Err(context::unresolved(vm, &notification)?),
        };
        if let Err(error) = outcome {
            match error.exception().cloned() {
                Some(exception) if vm.is_a(&exception, ClassId::STANDARD_ERROR) => failures.push(exception),
                _ => return Err(error),
            }
        }
    }
    if failures.is_empty() {
        return Ok(());
    }
    if failures.len() == 1 && failure.is_none() {
        return Err(Unwind::Raise(failures.remove(0)).into());
    }
    let all = chef_error(vm, "MultipleFailures", "");
    let all = vm.error_value(all);
    if let Some(exception) = failure {
        vm.call_name(&all, "client_run_failure", &[exception])?;
    }
    for exception in failures {
        vm.call_name(&all, "notification_failure", &[exception])?;
    }
    Err(Unwind::Raise(all).into())
}

/// Handles a compile that failed after immediate resources ran: sends the delayed notifications that can be resolved, then re-raises the error.
pub fn abort_compile(vm: &mut Vm, error: rchef_ruby::Error) -> Res<()> {
    let root = run_mut(vm).root.clone();
    let Some(exception) = vm.exception_of(&error, ClassId::STANDARD_ERROR) else {
        return Err(error);
    };
    if root.is_nil() {
        return Err(error);
    }
    for notification in context::data(vm, &root)?.notifications.take_waiting() {
        if context::resolve_target(vm, &root, &notification)?.is_some() {
            context::data(vm, &root)?.notifications.queue(notification);
        } else {
            let unresolved = context::unresolved(vm, &notification)?;
            let text = unresolved.exception().cloned().map(|exception| vm.call(&exception, sym::MESSAGE, &[]));
            let text = text.transpose()?.map(|text| vm.to_s_text(&text)).transpose()?.unwrap_or_default();
            log_line(vm, "warn", text);
        }
    }
    flush(vm, &root, Some(exception)).and(Err(error))
}

/// Whether a resource is chosen to run; only resources of the root collection can be left out.
fn is_chosen(vm: &mut Vm, context: &Value, resource: &Value, index: usize) -> Res<bool> {
    if !context::data(vm, context)?.parent.is_nil() {
        return Ok(true);
    }
    if let Some(chosen) = converge_mut(vm).chosen.clone()
        && !chosen(index, resource)
    {
        return Ok(false);
    }
    converge_mut(vm).reached = Some((index, resource.clone()));
    Ok(true)
}

/// Converges a context's collection in order; resources that have already run are skipped.
pub fn converge(vm: &mut Vm, context: &Value) -> Res<()> {
    let collection = context::collection(vm, context)?;
    for resource in context::resources(vm, context)? {
        check_references(vm, &resource, true)?;
    }
    if context::data(vm, context)?.parent.is_nil() {
        let ready = crate::process::hook(vm, |hooks| hooks.ready)?;
        ready(vm, context)?;
    }
    let mut index = 0;
    loop {
        let Some(resource) = vm.data::<CollectionData>(&collection).and_then(|data| data.list.get(index).cloned())
        else {
            break;
        };
        if !instance::is_run(vm, &resource) && is_chosen(vm, context, &resource, index)? {
            if let Some(data) = vm.data_mut::<CollectionData>(&collection) {
                data.insert_after = Some(index);
            }
            let result = run_all_actions(vm, context, &resource);
            if let Some(data) = vm.data_mut::<CollectionData>(&collection) {
                data.insert_after = None;
            }
            instance::mark_run(vm, &resource);
            result?;
        }
        index += 1;
    }
    Ok(())
}

/// Sends the notifications that were parked for this resource.
pub fn run_parked(vm: &mut Vm, context: &Value, resource: &Value) -> Res<()> {
    if !context::data(vm, context)?.notifications.has_parked() {
        return Ok(());
    }
    let mut due = Vec::new();
    for notification in context::data(vm, context)?.notifications.take_parked() {
        match context::resolve_target(vm, context, &notification)? {
            Some(target) if target.same(resource) => due.push(notification),
            _ => context::data(vm, context)?.notifications.park(notification),
        }
    }
    for notification in due {
        fire(vm, context, &notification)?;
    }
    Ok(())
}

/// Runs a resource directly after its declaration (immediate mode, actions). With `strict`, the targets of its immediate notifications must be
/// declared.
pub fn run_now(vm: &mut Vm, context: &Value, resource: &Value, strict: bool) -> Res<()> {
    instance::mark_run(vm, resource);
    if strict && actions(vm, resource)?.iter().any(|action| *action != N.nothing) {
        must_resolve(vm, context, resource, &[Timing::Before, Timing::Immediate])?;
    }
    run_all_actions(vm, context, resource)
}

/// Converges a context, then its delayed notifications.
pub fn converge_all(vm: &mut Vm, context: &Value) -> Res<()> {
    let result = converge(vm, context);
    end_context(vm, context, result)
}

/// Runs a context's delayed notifications after its converge, whether that succeeded or not. They are left out for an error that is not an
/// exception (`throw`, used by reboots). If the exception ends the program, failures of delayed notifications are only logged.
pub fn end_context<T>(vm: &mut Vm, context: &Value, result: Res<T>) -> Res<T> {
    let Err(error) = &result else {
        for notification in unsent::resumed(vm, context)? {
            queue(vm, context, notification)?;
        }
        return flush(vm, context, None).and(result);
    };
    let Some(exception) = error.exception().cloned() else { return result };
    if !context::data(vm, context)?.notifications.waiting().is_empty() {
        detail(vm, Level::Info, "Running queued delayed notifications before re-raising exception".into());
    }
    // delayed notifications still run, and their changes pass the gate again
    let refused = converge_mut(vm).refused.take();
    let is_standard = vm.is_a(&exception, ClassId::STANDARD_ERROR);
    let flushed = flush(vm, context, is_standard.then_some(exception));
    let converge = converge_mut(vm);
    converge.refused = refused.or(converge.refused.take());
    if is_standard {
        return flushed.and(result);
    }
    if let Err(other) = flushed {
        let other = vm.error_value(other);
        let text = vm.call(&other, sym::MESSAGE, &[]).and_then(|text| vm.to_s_text(&text))?;
        log_line(vm, "error", text);
    }
    result
}

/// Phase 3: converges the root context and its delayed notifications.
pub fn converge_run(vm: &mut Vm) -> Res<()> {
    let root = run_mut(vm).root.clone();
    let count = context::resources(vm, &root)?.len();
    emit(vm, |sink, vm| sink.converge_start(vm, count));
    // `throw :end_client_run_early` ends the converge but not the run
    let result = vm.catch(&Value::sym("end_client_run_early"), |vm| converge_all(vm, &root).map(|()| Value::True));
    let result = match result {
        Ok(Value::True) => match converge_mut(vm).refused.clone() {
            Some(exception) => Err(Unwind::Raise(exception).into()),
            None => Ok(()),
        },
        Ok(_) => {
            converge_mut(vm).ended_early = true;
            return crate::subscribers::raised(vm);
        }
        Err(error) => Err(error),
    };
    match &result {
        Ok(()) => {
            emit(vm, |sink, vm| sink.converge_complete(vm));
            return crate::subscribers::raised(vm);
        }
        Err(error) => {
            if let Some(exception) = error.exception().cloned() {
                emit(vm, |sink, vm| sink.converge_failed(vm, &exception));
            }
        }
    }
    result
}

/// `--expand`: runs the actions of the custom resources in the root collection.
pub fn expand_run(vm: &mut Vm) -> Res<()> {
    converge_mut(vm).mode = ActionMode::Expand;
    let root = run_mut(vm).root.clone();
    for resource in context::resources(vm, &root)? {
        check_references(vm, &resource, true)?;
    }
    let mut index = 0;
    loop {
        let all = context::resources(vm, &root)?;
        let Some(resource) = all.get(index).cloned() else { break };
        let collection = context::collection(vm, &root)?;
        if let Some(data) = vm.data_mut::<CollectionData>(&collection) {
            data.insert_after = Some(index);
        }
        reached(vm, &root, &resource)?;
        for action in actions(vm, &resource)? {
            expand(vm, &resource, action)?;
        }
        index += 1;
    }
    let collection = context::collection(vm, &root)?;
    if let Some(data) = vm.data_mut::<CollectionData>(&collection) {
        data.insert_after = None;
    }
    flush(vm, &root, None)
}
