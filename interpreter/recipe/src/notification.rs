//! Notifications: what they are, where they are kept, what they resolve to (SPEC-compile 4.5, 5.5).

use crate::context::{RunContextState, collection, data, declared_key, find, is_resource};
use crate::log::{Level, detail, wants};
use crate::resource::{class as resource_class, state};
use crate::run::{chef_error, class, converge_mut};
use rchef_ruby::class::OrderedMap;
use rchef_ruby::{ClassId, NativeData, Res, Symbol, Value, Vm};

/// When a notified action runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Timing {
    /// Before the sender, if the sender would change something.
    Before,
    /// Right after the sender.
    Immediate,
    /// At the end of the run.
    Delayed,
}

impl Timing {
    /// As Chef's dumps and messages name it.
    pub fn as_str(self) -> &'static str {
        match self {
            Timing::Before => "before",
            Timing::Immediate => "immediately",
            Timing::Delayed => "delayed",
        }
    }
}

/// A notification.
#[derive(Clone)]
pub struct Notification {
    /// Whom: a resource, or a String, Hash or Array that names it.
    pub resource: Value,
    /// Which action.
    pub action: Value,
    /// From whom.
    pub notifying: Value,
    /// When.
    pub timing: Timing,
    /// It was declared with `subscribes`.
    pub subscribed: bool,
    /// File and line of the declaration.
    pub source: String,
}

/// State of a Chef::Resource::Notification object.
pub struct NotificationData(pub Notification);
impl NativeData for NotificationData {}

/// `InvalidResourceSpecification` unless a value can name a resource.
pub fn validate_spec(vm: &mut Vm, spec: &Value) -> Res<()> {
    let text = match spec {
        Value::Hash(_) => return Ok(()),
        Value::Str(_) => vm.to_s_text(spec)?,
        other if is_resource(vm, other) => return Ok(()),
        other => {
            let (shown, class) = (vm.inspect(other)?, vm.class_name_of(other));
            return Err(chef_error(
                vm,
                "InvalidResourceSpecification",
                format!(
                    "The object `{shown}' is not valid for resource collection lookup. Use a String like `resource_type[resource_name]' or a Chef::Resource object ({class})"
                ),
            ));
        }
    };
    let bracketed = text
        .strip_suffix(']')
        .and_then(|rest| rest.split_once('['))
        .is_some_and(|(kind, _)| !kind.is_empty() && !kind.contains(char::is_whitespace));
    let nameless = !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if bracketed || nameless {
        return Ok(());
    }
    Err(chef_error(
        vm,
        "InvalidResourceSpecification",
        format!(
            "The object `\"{text}\"' is not valid for resource collection lookup. Use a String like `resource_type[resource_name]' or a Chef::Resource object. Correct syntax is `resource_type[resource_name]'"
        ),
    ))
}

pub(crate) type Table = OrderedMap<String, Vec<Notification>>;
pub(crate) fn table(data: &mut RunContextState, timing: Timing) -> &mut Table {
    match timing {
        Timing::Before => &mut data.before,
        Timing::Immediate => &mut data.immediate,
        Timing::Delayed => &mut data.delayed,
    }
}

/// Registers a notification with the sender's context.
pub fn notify(vm: &mut Vm, context: &Value, notification: Notification) -> Res<()> {
    let key = match &notification.notifying {
        Value::Str(_) => vm.to_s_text(&notification.notifying)?,
        resource => declared_key(vm, &resource.clone())?,
    };
    let timing = notification.timing;
    if data(vm, context)?.updated.contains(&key) {
        late(vm, context, &notification)?;
    }
    table(data(vm, context)?, timing).entry(key).or_default().push(notification);
    Ok(())
}

/// A notification from a resource that ran at its declaration and was updated: it is made up for (SPEC-compile 5.5), but for one
/// that had to come before.
fn late(vm: &mut Vm, context: &Value, notification: &Notification) -> Res<()> {
    match notification.timing {
        Timing::Immediate => {
            let target = resolve_target(vm, context, notification)?;
            let declared = crate::context::resources(vm, context)?;
            if let Some(target) = target.filter(|target| declared.iter().any(|known| known.same(target))) {
                return fire_at(vm, notification, &target);
            }
            data(vm, context)?.parked.push(notification.clone());
            Ok(())
        }
        Timing::Delayed => queue(vm, context, notification.clone()).map(drop),
        Timing::Before => {
            let kind = class(vm, |classes| classes.notification)?;
            let shown = Value::data(kind, NotificationData(notification.clone()));
            let error = vm.class_named("Chef::Exceptions::UnifiedModeBeforeSubscriptionEarlierResource");
            let error = Value::Class(error.unwrap_or(ClassId::RUNTIME_ERROR));
            let error = vm.call(&error, rchef_ruby::sym::NEW, &[shown])?;
            Err(crate::run::raised(vm, error))
        }
    }
}

/// Notifications of a sender in its context.
pub fn notifications(vm: &mut Vm, context: &Value, resource: &Value, timing: Timing) -> Res<Vec<Notification>> {
    if table(data(vm, context)?, timing).is_empty() {
        return Ok(Vec::new());
    }
    let key = declared_key(vm, resource)?;
    Ok(table(data(vm, context)?, timing).get(&key).cloned().unwrap_or_default())
}

/// The resource a notification is for; None when nothing in sight matches.
pub fn resolve_target(vm: &mut Vm, context: &Value, notification: &Notification) -> Res<Option<Value>> {
    if is_resource(vm, &notification.resource) {
        return Ok(Some(notification.resource.clone()));
    }
    let collection = collection(vm, context)?;
    let spec = notification.resource.clone();
    let missing = vm.class_named("Chef::Exceptions::ResourceNotFound").unwrap_or(ClassId::STANDARD_ERROR);
    let found = vm.rescue(missing, |vm| find(vm, &collection, &[spec], true), |_, _| Ok(Vec::new()))?;
    if found.len() > 1 {
        let shown = vm.inspect(&notification.resource)?;
        return Err(chef_error(
            vm,
            "InvalidResourceReference",
            format!("resource {shown} matches multiple resources; only one is allowed in a notification"),
        ));
    }
    Ok(found.into_iter().next())
}

/// The error of a notification whose target is missing.
pub fn unresolved(vm: &mut Vm, notification: &Notification) -> Res<rchef_ruby::Error> {
    let (from, to) = (vm.to_s_text(&notification.notifying)?, vm.to_s_text(&notification.resource)?);
    let action = vm.to_s_text(&notification.action)?;
    let source = state::read(vm, &notification.notifying, state::Slot::SourceLine);
    let source = vm.to_s_text(&source)?;
    Ok(chef_error(
        vm,
        "ResourceNotFound",
        format!(
            "resource {from} is configured to notify resource {to} with action {action}, but {to} cannot be found in the resource collection. {from} is defined in {source}"
        ),
    ))
}

/// The action that a notification means: the target's default where it names none.
pub fn action_of(vm: &mut Vm, target: &Value, notification: &Notification) -> Res<Symbol> {
    if notification.action.is_nil() {
        let id = vm.real_class_of(target);
        return Ok(resource_class::default_action(vm, id).first().copied().unwrap_or(crate::names::N.nothing));
    }
    vm.to_name(&notification.action)
}

/// Sends a notification to its target now.
pub fn fire_at(vm: &mut Vm, notification: &Notification, target: &Value) -> Res<()> {
    let action = action_of(vm, target, notification)?;
    let timing = Symbol::intern(notification.timing.as_str());
    let run_notified = crate::process::hook(vm, |hooks| hooks.run_notified)?;
    let step = (notification.notifying.clone(), target.clone(), action);
    let again = |known: &(Value, Value, Symbol)| known.0.same(&step.0) && known.1.same(&step.1) && known.2 == step.2;
    if let Some(at) = converge_mut(vm).sending.iter().position(again) {
        return Err(cycle(vm, at)?);
    }
    tell(vm, notification, target, action)?;
    converge_mut(vm).sending.push(step);
    let result = run_notified(vm, target, action, (timing, &notification.notifying));
    converge_mut(vm).sending.pop();
    result
}

/// Logs that a notification is sent.
pub(crate) fn tell(vm: &mut Vm, notification: &Notification, target: &Value, action: Symbol) -> Res<()> {
    if !wants(vm, Level::Info) {
        return Ok(());
    }
    let (from, to) = (vm.to_s_text(&notification.notifying)?, vm.to_s_text(target)?);
    let timing = if notification.timing == Timing::Immediate { "immediate" } else { notification.timing.as_str() };
    detail(vm, Level::Info, format!("{from} sending {action} action to {to} ({timing})"));
    Ok(())
}

/// The error of a notification that is sent while it is being sent: every round has changed something, so nothing would end it.
fn cycle(vm: &mut Vm, at: usize) -> Res<rchef_ruby::Error> {
    let steps: Vec<_> = converge_mut(vm).sending.iter().skip(at).cloned().collect();
    let mut chain = Vec::new();
    for (from, to, action) in &steps {
        if chain.is_empty() {
            chain.push(vm.to_s_text(from)?);
        }
        chain.push(format!(":{action} {}", vm.to_s_text(to)?));
    }
    let text = format!(
        "Notifications go round in a circle, and every round changes something: {}. Send one of them :delayed, or give one of the resources a guard.",
        chain.join(" -> ")
    );
    Ok(chef_error(vm, "NotificationCycle", text))
}

/// Puts a delayed notification into the queue of the context that owns its target, once for each target and action. Gives whether that action has run
/// already: then it does not run again.
pub fn queue(vm: &mut Vm, context: &Value, notification: Notification) -> Res<bool> {
    let target = resolve_target(vm, context, &notification)?;
    let owner = match &target {
        Some(target) => state::context_of(vm, target)?,
        None => context.clone(),
    };
    let mut notification = notification;
    if let Some(target) = &target {
        notification.action = Value::Sym(action_of(vm, target, &notification)?);
        notification.resource = target.clone();
    }
    let state = data(vm, &owner)?;
    let (flushed, queue) = (state.flushed, &mut state.queue);
    let same =
        |known: &Notification| known.resource.same(&notification.resource) && known.action.same(&notification.action);
    let Some(at) = queue.iter().position(same) else {
        queue.push(notification);
        return Ok(false);
    };
    if wants(vm, Level::Info) {
        let (from, to) = (vm.to_s_text(&notification.notifying)?, vm.to_s_text(&notification.resource)?);
        let action = vm.to_s_text(&notification.action)?;
        let text = format!("{from} not queuing delayed action {action} on {to} (delayed), as it's already been queued");
        detail(vm, Level::Info, text);
    }
    Ok(at < flushed)
}

/// Every reference that must resolve before an action runs; `always`: delayed and immediate ones too.
pub fn check_references(vm: &mut Vm, resource: &Value, always: bool) -> Res<()> {
    let context = state::context_of(vm, resource)?;
    let timings: &[Timing] =
        if always { &[Timing::Before, Timing::Immediate, Timing::Delayed] } else { &[Timing::Before] };
    must_resolve(vm, &context, resource, timings)
}

/// `ResourceNotFound` for the first notification of a resource whose target is missing.
pub fn must_resolve(vm: &mut Vm, context: &Value, resource: &Value, timings: &[Timing]) -> Res<()> {
    for timing in timings {
        for notification in notifications(vm, context, resource, *timing)? {
            if resolve_target(vm, context, &notification)?.is_none() {
                return Err(unresolved(vm, &notification)?);
            }
        }
    }
    Ok(())
}
