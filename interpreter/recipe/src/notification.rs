//! Notifications: what they are, where they are kept, what they resolve to (SPEC-compile 4.5, 5.5).

use crate::context::{RunContextState, collection, data, declared_key, find, is_resource};
use crate::resource::state;
use crate::run::{chef_error, class};
use rchef_ruby::class::OrderedMap;
use rchef_ruby::{ClassId, NativeData, Res, Value, Vm};

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
                return crate::provider::runner::fire_at(vm, notification, &target);
            }
            data(vm, context)?.parked.push(notification.clone());
            Ok(())
        }
        Timing::Delayed => crate::provider::runner::queue(vm, context, notification.clone()),
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
