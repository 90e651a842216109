//! The notification methods of resources: `notifies`, `subscribes`, `delayed_action` (SPEC-compile 4.5).

use super::instance::{allowed_list, context_of};
use super::state::{self, Slot, read};
use crate::context::{self, Notification, Timing};
use crate::names::N;
use rchef_model::lookup::Lookup;
use rchef_ruby::{Args, MethodDef, Res, Value, Vm, def, opt};

pub(super) static METHODS: &[MethodDef] = &[
    opt("notifies", notifies, 2, 3),
    opt("subscribes", subscribes, 2, 3),
    def("delayed_action", delayed_action, 1),
    def("immediate_notifications", immediate_notifications, 0),
    def("delayed_notifications", delayed_notifications, 0),
    def("before_notifications", before_notifications, 0),
    def("resolve_notification_references", resolve_references, 0),
];

/// When `sender` notifies `target`. Chef's text of a timing that is not known names the targets as a list.
fn timing(vm: &mut Vm, sender: &Value, target: &Value, given: &Value, action: &Value) -> Res<Timing> {
    let text = vm.to_s_text(given)?;
    match Timing::parse(&text) {
        Some(timing) => Ok(timing),
        None => {
            let targets = Value::array(vm.to_array(target)?);
            let (action, targets, sender) = (vm.to_s_text(action)?, vm.inspect(&targets)?, vm.to_s_text(sender)?);
            Err(vm.argument_error(format!("invalid timing: {text} for notifies({action}, {targets}, {text}) resource {sender} Valid timings are: :delayed, :immediate, :immediately, :before")))
        }
    }
}

fn place(vm: &Vm) -> String {
    vm.current_location().map(|(file, line)| format!("{file}:{line}")).unwrap_or_default()
}

fn is_timing_word(value: &Value) -> bool {
    matches!(value, Value::Sym(symbol) if Timing::parse(symbol.as_str()).is_some())
}

fn notifies(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (mut action, spec) = (args.at(0).clone(), args.at(1).clone());
    let mut when = args.get(2).cloned().unwrap_or(Value::Sym(N.delayed));
    if args.len() == 2 && is_timing_word(&action) {
        // mission document 002: `notifies :immediately, 'x[y]'` means the target's default action
        when = action;
        action = Value::Nil;
    }
    context::validate_spec(vm, &spec)?;
    let timing = timing(vm, this, &spec, &when, &action)?;
    let context = context_of(vm, this)?;
    let source = place(vm);
    let notification =
        Notification { resource: spec, action, notifying: this.clone(), timing, subscribed: false, source };
    context::notify(vm, &context, notification)?;
    Ok(Value::True)
}

fn subscribes(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (mut action, spec) = (args.at(0).clone(), args.at(1).clone());
    let mut when = args.get(2).cloned().unwrap_or(Value::Sym(N.delayed));
    if args.len() == 2 && is_timing_word(&action) {
        when = action;
        action = Value::Nil;
    }
    let mut specs = Vec::new();
    match &spec {
        Value::Array(list) => specs.extend(list.get(vm).items.clone()),
        Value::Hash(hash) => {
            let pairs: Vec<(Value, Value)> =
                hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
            for (kind, names) in pairs {
                for name in vm.to_array(&names)? {
                    let text = format!("{}[{}]", vm.to_s_text(&kind)?, vm.to_s_text(&name)?);
                    specs.push(Value::str(text));
                }
            }
        }
        other => specs.push(other.clone()),
    }
    for spec in specs {
        context::validate_spec(vm, &spec)?;
        let timing = timing(vm, &spec, this, &when, &action)?;
        let (from, context) = match &spec {
            Value::Str(_) => {
                let text = vm.to_s_text(&spec)?;
                let key = Lookup::parse(&text).map_or(text.clone(), |found| found.key());
                (Value::str(key), context_of(vm, this)?)
            }
            resource => {
                if read(vm, resource, Slot::RunContext).is_nil() {
                    let own = context_of(vm, this)?;
                    state::write(vm, resource, Slot::RunContext, own);
                }
                (resource.clone(), context_of(vm, resource)?)
            }
        };
        let source = place(vm);
        context::notify(
            vm,
            &context,
            Notification {
                resource: this.clone(),
                action: action.clone(),
                notifying: from,
                timing,
                subscribed: true,
                source,
            },
        )?;
    }
    Ok(Value::True)
}

fn delayed_action(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let context = context_of(vm, this)?;
    for action in vm.to_array(args.at(0))? {
        let name = vm.to_name(&action)?;
        let allowed = allowed_list(vm, this)?;
        if !allowed.contains(&name) {
            let shown: Vec<String> = allowed.iter().map(|name| format!(":{name}")).collect();
            return Err(super::instance::no_action(vm, &shown, name));
        }
        let notification = Notification {
            resource: this.clone(),
            action: Value::Sym(name),
            notifying: this.clone(),
            timing: Timing::Delayed,
            subscribed: false,
            source: place(vm),
        };
        crate::notification::queue(vm, &context, notification)?;
    }
    Ok(Value::Nil)
}

fn own_notifications(vm: &mut Vm, this: &Value, name: &'static str) -> Res {
    let context = context_of(vm, this)?;
    vm.call_name(&context, name, std::slice::from_ref(this))
}

fn immediate_notifications(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    own_notifications(vm, this, "immediate_notifications")
}

fn delayed_notifications(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    own_notifications(vm, this, "delayed_notifications")
}

fn before_notifications(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    own_notifications(vm, this, "before_notifications")
}

fn resolve_references(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    crate::notification::check_references(vm, this, true)?;
    Ok(Value::Nil)
}
