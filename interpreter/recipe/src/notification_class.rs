//! `Chef::Resource::Notification`, and the notification methods of run contexts (chef: lib/chef/resource/resource_notification.rb,
//! lib/chef/run_context.rb).

use crate::context::{self, Notification, NotificationData, Timing};
use crate::run::{class, process_mut};
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, def, opt};

static METHODS: &[MethodDef] = &[
    opt("initialize", initialize, 3, 5).private(),
    def("resource", resource, 0),
    def("resource=", set_resource, 1),
    def("action", action, 0),
    def("action=", set_action, 1),
    def("notifying_resource", notifying, 0),
    def("notifying_resource=", set_notifying, 1),
    def("unified_mode", unified, 0),
    def("unified_mode=", set_unified, 1),
    def("duplicates?", duplicates, 1),
    opt("resolve_resource_reference", resolve, 1, 2),
    def("==", equal, 1),
];

static CONTEXT: &[MethodDef] = &[
    def("before_notifications", before, 1),
    def("immediate_notifications", immediate, 1),
    def("delayed_notifications", delayed, 1),
    def("delayed_actions", delayed_actions, 0),
    def("notifies_before", notifies_before, 1),
    def("notifies_immediately", notifies_immediately, 1),
    def("notifies_delayed", notifies_delayed, 1),
    def("before_notification_collection", before_collection, 0),
    def("immediate_notification_collection", immediate_collection, 0),
    def("delayed_notification_collection", delayed_collection, 0),
];

const UNIFIED: &str = "@unified_mode";

fn empty() -> Notification {
    Notification {
        resource: Value::Nil,
        action: Value::Nil,
        notifying: Value::Nil,
        timing: Timing::Delayed,
        subscribed: false,
        source: String::new(),
    }
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Some(data) = vm.data_mut::<NotificationData>(this) {
        data.0.resource = args.at(0).clone();
        data.0.action = args.at(1).clone();
        data.0.notifying = args.at(2).clone();
    }
    let unified = args.get(4).cloned().unwrap_or(Value::False);
    vm.ivar_set(this, Symbol::intern_static(UNIFIED), unified);
    Ok(Value::Nil)
}
fn of(vm: &Vm, this: &Value) -> Notification {
    vm.data::<NotificationData>(this).map_or_else(empty, |data| data.0.clone())
}
fn resource(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(of(vm, this).resource)
}
fn action(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(of(vm, this).action)
}
fn notifying(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(of(vm, this).notifying)
}
fn change(vm: &mut Vm, this: &Value, args: Args<'_>, slot: fn(&mut Notification) -> &mut Value) -> Res {
    if let Some(data) = vm.data_mut::<NotificationData>(this) {
        *slot(&mut data.0) = args.at(0).clone();
    }
    Ok(args.at(0).clone())
}
fn set_resource(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    change(vm, this, args, |data| &mut data.resource)
}
fn set_action(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    change(vm, this, args, |data| &mut data.action)
}
fn set_notifying(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    change(vm, this, args, |data| &mut data.notifying)
}
fn unified(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(vm.ivar_get(this, Symbol::intern_static(UNIFIED)).unwrap_or(Value::False))
}
fn set_unified(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.ivar_set(this, Symbol::intern_static(UNIFIED), args.at(0).clone());
    Ok(args.at(0).clone())
}
/// Whether the argument has the same resource and action; raises ArgumentError if it lacks these methods.
fn duplicates(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    for name in ["resource", "action"] {
        if !vm.respond_to(args.at(0), Symbol::intern_static(name), false)? {
            let shown = vm.inspect(args.at(0))?;
            return Err(vm.argument_error(format!(
                "only duck-types of Chef::Resource::Notification can be checked for duplication you gave {shown}"
            )));
        }
    }
    let own = of(vm, this);
    let (resource, action) = (vm.call_name(args.at(0), "resource", &[])?, vm.call_name(args.at(0), "action", &[])?);
    Ok(Value::bool(vm.eq(&resource, &own.resource)? && vm.eq(&action, &own.action)?))
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let kind = vm.real_class_of(this);
    if !vm.is_a(args.at(0), kind) {
        return Ok(Value::False);
    }
    let (own, other) = (of(vm, this), of(vm, args.at(0)));
    let same = vm.eq(&other.resource, &own.resource)?
        && vm.eq(&other.action, &own.action)?
        && vm.eq(&other.notifying, &own.notifying)?;
    Ok(Value::bool(same))
}
/// `resolve_resource_reference(collection, always_raise = false)`: replaces names by the resources in the collection.
fn resolve(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let own = of(vm, this);
    if !context::is_resource(vm, &own.resource) {
        match vm.call_name(args.at(0), "find", std::slice::from_ref(&own.resource)) {
            Ok(Value::Array(_)) => {
                let shown = vm.inspect(&own.resource)?;
                return Err(crate::run::chef_error(
                    vm,
                    "InvalidResourceReference",
                    format!(
                        "Notification of {shown} was created with a reference to multiple resources, but can only notify one resource."
                    ),
                ));
            }
            Ok(found) => drop(set_resource(vm, this, Args::new(&[found]))?),
            Err(error) => {
                let missing = vm.class_named("Chef::Exceptions::ResourceNotFound").unwrap_or(ClassId::STANDARD_ERROR);
                let quiet = unified(vm, this, Args::none())?.truthy() && !args.at(1).truthy();
                let gone = vm.exception_of(&error, missing).is_some();
                return match (gone, quiet) {
                    (true, true) => Ok(Value::Nil),
                    (true, false) => Err(context::unresolved(vm, &own)?),
                    _ => Err(error),
                };
            }
        }
    }
    if !context::is_resource(vm, &own.notifying) {
        let found = vm.call_name(args.at(0), "find", &[own.notifying])?;
        set_notifying(vm, this, Args::new(&[found]))?;
    }
    Ok(Value::Nil)
}

fn values(vm: &mut Vm, found: Vec<Notification>) -> Res {
    let kind = class(vm, |classes| classes.notification)?;
    Ok(Value::array(found.into_iter().map(|notification| Value::data(kind, NotificationData(notification))).collect()))
}
/// Delayed notifications that have not been sent.
fn delayed_actions(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let waiting = context::data(vm, this)?.notifications.waiting().to_vec();
    values(vm, waiting)
}
fn of_sender(vm: &mut Vm, this: &Value, args: Args<'_>, timing: Timing) -> Res {
    let found = context::notifications(vm, this, args.at(0), timing)?;
    values(vm, found)
}
fn before(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    of_sender(vm, this, args, Timing::Before)
}
fn immediate(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    of_sender(vm, this, args, Timing::Immediate)
}
fn delayed(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    of_sender(vm, this, args, Timing::Delayed)
}
fn add(vm: &mut Vm, this: &Value, args: Args<'_>, timing: Timing) -> Res {
    let mut notification = of(vm, args.at(0));
    notification.timing = timing;
    context::notify(vm, this, notification)?;
    Ok(args.at(0).clone())
}
fn notifies_before(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    add(vm, this, args, Timing::Before)
}
fn notifies_immediately(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    add(vm, this, args, Timing::Immediate)
}
fn notifies_delayed(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    add(vm, this, args, Timing::Delayed)
}
/// The notifications of a timing as a Hash by their sender's key.
fn collection(vm: &mut Vm, this: &Value, timing: Timing) -> Res {
    let senders = context::data(vm, this)?.notifications.senders(timing);
    let rows: Vec<_> = senders.map(|(key, list)| (key.to_string(), list.to_vec())).collect();
    let mut pairs = Vec::with_capacity(rows.len());
    for (key, list) in rows {
        pairs.push((Value::str(key), values(vm, list)?));
    }
    let hash = vm.new_hash(pairs)?;
    vm.call_name(&hash, "default=", &[Value::array(Vec::new())])?;
    Ok(hash)
}
fn before_collection(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    collection(vm, this, Timing::Before)
}
fn immediate_collection(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    collection(vm, this, Timing::Immediate)
}
fn delayed_collection(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    collection(vm, this, Timing::Delayed)
}

/// Registers the class in `Chef::Resource`, and the methods of run contexts.
pub fn boot(vm: &mut Vm, resource: ClassId, context: ClassId) {
    vm.define_methods(context, CONTEXT);
    let notification = vm.define_class(resource, "Notification", ClassId::OBJECT);
    vm.class_mut(notification).allocator = Some(|_, class| Ok(Value::data(class, NotificationData(empty()))));
    vm.define_methods(notification, METHODS);
    process_mut(vm).classes.notification = Some(notification);
}
