//! Notifications of Ruby's resources, over [`rchef_model::notification`]: their targets, and the errors of those without one (SPEC-compile 4.5,
//! 5.5).

use crate::context::{collection, data, declared_key, find, is_resource};
use crate::log::{Level, detail, wants};
use crate::resource::{class as resource_class, state};
use crate::run::{Subject, about, chef_error, class, converge_mut};
use rchef_model::lookup::Lookup;
pub use rchef_model::notification::Timing;
use rchef_model::notification::chain::Circle;
use rchef_model::notification::{Late, Notice, Queued};
use rchef_ruby::{ClassId, NativeData, Res, Symbol, Value, Vm};

#[derive(Clone)]
pub struct Notification {
    /// The target: a resource, or a String, Hash or Array that names it.
    pub resource: Value,
    pub action: Value,
    pub notifying: Value,
    pub timing: Timing,
    /// Whether it was declared with `subscribes`.
    pub subscribed: bool,
    /// File and line of the declaration.
    pub source: String,
}

impl Notice for Notification {
    fn timing(&self) -> Timing {
        self.timing
    }
    fn has_target_of(&self, other: &Notification) -> bool {
        self.resource.same(&other.resource) && self.action.same(&other.action)
    }
    fn has_sender_of(&self, other: &Notification) -> bool {
        self.notifying.same(&other.notifying)
    }
}

/// An immediate notification that is being sent.
#[derive(Clone)]
pub struct Step {
    from: Value,
    to: Value,
    action: Symbol,
}
impl PartialEq for Step {
    fn eq(&self, other: &Step) -> bool {
        self.from.same(&other.from) && self.to.same(&other.to) && self.action == other.action
    }
}

pub struct NotificationData(pub Notification);
impl NativeData for NotificationData {}

/// Raises `InvalidResourceSpecification` unless a value can name a resource.
pub fn validate_spec(vm: &mut Vm, spec: &Value) -> Res<()> {
    let message = match spec {
        Value::Hash(_) => return Ok(()),
        Value::Str(_) => {
            let text = vm.to_s_text(spec)?;
            if Lookup::parse(&text).is_some() {
                return Ok(());
            }
            format!(
                "The string `{text}' is not valid for resource collection lookup. Correct syntax is `resource_type[resource_name]'"
            )
        }
        other if is_resource(vm, other) => return Ok(()),
        other => {
            let shown = vm.inspect(other)?;
            format!(
                "The object `{shown}' is not valid for resource collection lookup. Use a String like `resource_type[resource_name]' or a Chef::Resource object"
            )
        }
    };
    Err(chef_error(vm, "InvalidResourceSpecification", message))
}

/// Adds a notification to the sender's context. If the sender has already run and been updated (immediate mode), it is sent or queued now
/// (SPEC-compile 5.5).
pub fn notify(vm: &mut Vm, context: &Value, notification: Notification) -> Res<()> {
    let key = match &notification.notifying {
        Value::Str(_) => vm.to_s_text(&notification.notifying)?,
        resource => declared_key(vm, &resource.clone())?,
    };
    match data(vm, context)?.notifications.late(&key, &notification) {
        None => {}
        Some(Late::Send) => {
            let target = resolve_target(vm, context, &notification)?;
            let declared = crate::context::resources(vm, context)?;
            match target.filter(|target| declared.iter().any(|known| known.same(target))) {
                Some(target) => fire_at(vm, &notification, &target)?,
                None => data(vm, context)?.notifications.park(notification.clone()),
            }
        }
        Some(Late::Queue) => drop(queue(vm, context, notification.clone())?),
        Some(Late::Missed) => {
            let kind = class(vm, |classes| classes.notification)?;
            let shown = Value::data(kind, NotificationData(notification));
            let error = vm.class_named("Chef::Exceptions::UnifiedModeBeforeSubscriptionEarlierResource");
            let error = Value::Class(error.unwrap_or(ClassId::RUNTIME_ERROR));
            let error = vm.call(&error, rchef_ruby::sym::NEW, &[shown])?;
            return Err(crate::run::raised(vm, error));
        }
    }
    data(vm, context)?.notifications.declare(key, notification);
    Ok(())
}

/// Notifications of a sender in its context.
pub fn notifications(vm: &mut Vm, context: &Value, resource: &Value, timing: Timing) -> Res<Vec<Notification>> {
    if data(vm, context)?.notifications.has_none(timing) {
        return Ok(Vec::new());
    }
    let key = declared_key(vm, resource)?;
    Ok(data(vm, context)?.notifications.of(timing, &key).to_vec())
}

/// The target of a notification; None if there is no matching resource in this collection or its parents.
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

/// The error for a notification whose target is missing.
pub fn unresolved(vm: &mut Vm, notification: &Notification) -> Res<rchef_ruby::Error> {
    let (from, to) = (vm.to_s_text(&notification.notifying)?, vm.to_s_text(&notification.resource)?);
    let action = vm.to_s_text(&notification.action)?;
    let source = state::read(vm, &notification.notifying, state::Slot::SourceLine);
    let source = vm.to_s_text(&source)?;
    let error = chef_error(
        vm,
        "ResourceNotFound",
        format!(
            "resource {from} is configured to notify resource {to} with action {action}, but {to} cannot be found in the resource collection. {from} is defined in {source}"
        ),
    );
    Ok(about(vm, error, Subject::Target { name: to, source }))
}

/// The action of a notification: the target's default if it names none.
pub fn action_of(vm: &mut Vm, target: &Value, notification: &Notification) -> Res<Symbol> {
    if notification.action.is_nil() {
        let id = vm.real_class_of(target);
        return Ok(resource_class::default_action(vm, id).first().copied().unwrap_or(crate::names::N.nothing));
    }
    vm.to_name(&notification.action)
}

/// Sends a notification now.
pub fn fire_at(vm: &mut Vm, notification: &Notification, target: &Value) -> Res<()> {
    let action = action_of(vm, target, notification)?;
    let timing = Symbol::intern(notification.timing.as_str());
    let run_notified = crate::process::hook(vm, |hooks| hooks.run_notified)?;
    let step = Step { from: notification.notifying.clone(), to: target.clone(), action };
    if let Err(round) = converge_mut(vm).sending.enter(step) {
        let error = circle(vm, &round)?;
        return Err(chef_error(vm, "NotificationCycle", error.to_string()));
    }
    let result = tell(vm, notification, target, action)
        .and_then(|()| run_notified(vm, target, action, (timing, &notification.notifying)));
    converge_mut(vm).sending.leave();
    result
}

pub(crate) fn tell(vm: &mut Vm, notification: &Notification, target: &Value, action: Symbol) -> Res<()> {
    if !wants(vm, Level::Info) {
        return Ok(());
    }
    let (from, to) = (vm.to_s_text(&notification.notifying)?, vm.to_s_text(target)?);
    let timing = notification.timing.in_log();
    detail(vm, Level::Info, format!("{from} sending {action} action to {to} ({timing})"));
    Ok(())
}

/// Describes a cycle of notifications.
fn circle(vm: &mut Vm, round: &[Step]) -> Res<Circle> {
    let from = match round.first() {
        Some(step) => vm.to_s_text(&step.from)?,
        None => String::new(),
    };
    let mut steps = Vec::new();
    for step in round {
        steps.push((step.action.to_string(), vm.to_s_text(&step.to)?));
    }
    Ok(Circle { from, steps })
}

/// Adds a delayed notification to the queue of the context that contains its target.
pub fn queue(vm: &mut Vm, context: &Value, notification: Notification) -> Res<Queued> {
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
    let queued = data(vm, &owner)?.notifications.queue(notification.clone());
    if queued != Queued::New && wants(vm, Level::Info) {
        let (from, to) = (vm.to_s_text(&notification.notifying)?, vm.to_s_text(&notification.resource)?);
        let action = vm.to_s_text(&notification.action)?;
        let text = format!("{from} not queuing delayed action {action} on {to} (delayed), as it's already been queued");
        detail(vm, Level::Info, text);
    }
    Ok(queued)
}

/// Checks the targets of a resource's `:before` notifications, or with `always` of all its notifications.
pub fn check_references(vm: &mut Vm, resource: &Value, always: bool) -> Res<()> {
    let context = state::context_of(vm, resource)?;
    let timings: &[Timing] = if always { &Timing::ALL } else { &[Timing::Before] };
    must_resolve(vm, &context, resource, timings)
}

/// Raises `ResourceNotFound` for the first notification of a resource whose target is missing.
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
