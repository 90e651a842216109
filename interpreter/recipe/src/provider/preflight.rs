//! The check before a converge: unsupported actions of resources and of notifications are reported before the first change.
//!
//! It checks every action that the converge of a collection will or may run: those in the resources' own action lists, and those notified by
//! resources that run, through any number of notifications. An action that only a notification of a resource without a running action names
//! (`action :nothing` that is never notified) does not count.
//!
//! Guards are not evaluated, since their result may change before the resource runs. So a resource with a guard, one that such a resource notifies,
//! and one that may fail (`ignore_failure`) do not stop the run; they are named in a warning.

use super::native::{self, Lack};
use crate::context::{self, Timing};
use crate::names::N;
use crate::resource::state::{self, Slot, read};
use crate::resource::{class as resource_class, instance};
use crate::run::{chef_error, converge_mut};
use rchef_ruby::{ClassId, Res, Symbol, Value, Vm, sym};
use rustc_hash::FxHashMap;

/// Maximum number of entries that are listed one by one.
const LISTED: usize = 30;

/// An action that will or may run.
struct Need {
    resource: Value,
    action: Symbol,
    /// The resource that notifies it, if it is not in the resource's own list.
    sender: Option<Value>,
    /// Whether a guard or `ignore_failure`, here or in a notifying resource, makes it optional.
    doubtful: bool,
}

#[derive(Default)]
struct Survey {
    /// Notified actions that were already followed, each with whether it was optional.
    followed: Vec<(Value, Symbol, bool)>,
    /// Results by class and action, for those that only depend on the class.
    known: FxHashMap<(ClassId, Symbol), bool>,
    /// Unsupported actions: the message, and whether the action is optional.
    lacking: Vec<(String, bool)>,
}

/// Raises `UnsupportedAction` naming all unsupported actions of a context's resources.
///
/// # Errors
/// That error, and what a resource's `action` raises.
pub fn check(vm: &mut Vm, context: &Value) -> Res<()> {
    if converge_mut(vm).skip_preflight {
        return Ok(());
    }
    let mut survey = Survey::default();
    for resource in context::resources(vm, context)? {
        if instance::is_run(vm, &resource) {
            continue;
        }
        let doubtful = may_be_left_out(vm, &resource)?;
        for action in instance::actions(vm, &resource)? {
            let need = Need { resource: resource.clone(), action, sender: None, doubtful };
            survey.follow(vm, context, need)?;
        }
    }
    report(vm, survey.lacking)
}

/// Whether a resource may be skipped, or may fail, without ending the run.
fn may_be_left_out(vm: &mut Vm, resource: &Value) -> Res<bool> {
    let guarded = state::state(vm, resource).is_some_and(|state| {
        [&state.only_if, &state.not_if]
            .into_iter()
            .any(|list| matches!(list.made(), Some(Value::Array(guards)) if !guards.get(vm).items.is_empty()))
    });
    Ok(guarded || vm.call_name(resource, "ignore_failure", &[])?.truthy())
}

impl Survey {
    /// Checks an action, and the actions that it may notify.
    fn follow(&mut self, vm: &mut Vm, context: &Value, first: Need) -> Res<()> {
        let mut waiting = vec![first];
        while let Some(need) = waiting.pop() {
            if need.action == N.nothing {
                continue;
            }
            if need.sender.is_some() {
                let known = |(resource, action, doubtful): &(Value, Symbol, bool)| {
                    resource.same(&need.resource) && *action == need.action && (need.doubtful || !doubtful)
                };
                if self.followed.iter().any(known) {
                    continue;
                }
                self.followed.push((need.resource.clone(), need.action, need.doubtful));
            }
            self.look(vm, &need)?;
            for timing in Timing::ALL {
                for sent in context::notifications(vm, context, &need.resource, timing)? {
                    let Some(target) = context::resolve_target(vm, context, &sent)? else { continue };
                    let action = crate::notification::action_of(vm, &target, &sent)?;
                    let doubtful = need.doubtful || may_be_left_out(vm, &target)?;
                    waiting.push(Need { resource: target, action, sender: Some(need.resource.clone()), doubtful });
                }
            }
        }
        Ok(())
    }

    fn look(&mut self, vm: &mut Vm, need: &Need) -> Res<()> {
        let key = (vm.real_class_of(&need.resource), need.action);
        let by_class = read(vm, &need.resource, Slot::Provider).is_nil();
        if by_class && self.known.get(&key) == Some(&true) {
            return Ok(());
        }
        let lack = lack_of(vm, &need.resource, need.action)?;
        self.known.insert(key, by_class && lack.is_none());
        let Some(why) = lack else { return Ok(()) };
        let (shown, place) = (vm.to_s_text(&need.resource)?, instance::place_of(vm, &need.resource)?);
        let sender = match &need.sender {
            Some(sender) => format!(", notified by {}", vm.to_s_text(sender)?),
            None => String::new(),
        };
        let line = format!("{shown} action {}{sender} ({place}): {why}", need.action);
        if !self.lacking.iter().any(|(known, _)| *known == line) {
            self.lacking.push((line, need.doubtful));
        }
        Ok(())
    }
}

/// Why an action of a resource is not supported; None if it is, or if that only shows when it runs.
fn lack_of(vm: &mut Vm, resource: &Value, action: Symbol) -> Res<Option<String>> {
    let class = match super::class_for(vm, resource, action) {
        Ok(Value::Class(class)) => class,
        Ok(_) => return Ok(None),
        Err(error) => {
            let missing = vm.class_named("Chef::Exceptions::ProviderNotFound").unwrap_or(ClassId::RUNTIME_ERROR);
            // another failure may no longer occur when the resource is reached
            let Some(found) = vm.exception_of(&error, missing) else {
                return Ok(None);
            };
            let text = vm.call(&found, sym::MESSAGE, &[])?;
            return Ok(Some(vm.to_s_text(&text)?));
        }
    };
    let Some(lack) = native::lack(vm, class, resource, action) else { return Ok(None) };
    let kind = instance::name_of_type(vm, resource)?;
    let kind = vm.to_s_text(&kind)?;
    Ok(Some(match lack {
        Lack::Provider => match native::refusal(vm, resource) {
            Some((_, why)) => format!("rchef does not converge {kind}: {why}"),
            None => format!("rchef cannot converge {kind} yet (there is no native provider for it)"),
        },
        Lack::Action => {
            let id = vm.real_class_of(resource);
            let allowed = resource_class::allowed_actions(vm, id);
            if allowed.contains(&action) {
                format!("rchef's provider of {kind} cannot run this action yet")
            } else {
                let names: Vec<String> = allowed.iter().map(|name| format!(":{name}")).collect();
                format!("{kind} has no such action; it has {}", names.join(", "))
            }
        }
    }))
}

fn report(vm: &mut Vm, lacking: Vec<(String, bool)>) -> Res<()> {
    let (doubtful, certain): (Vec<_>, Vec<_>) = lacking.into_iter().partition(|(_, doubtful)| *doubtful);
    for (line, _) in &doubtful {
        crate::chef_class::log_line(vm, "warn", format!("{line}; the run fails if it gets there"));
    }
    if certain.is_empty() {
        return Ok(());
    }
    let actions = if certain.len() == 1 { "1 action".to_string() } else { format!("{} actions", certain.len()) };
    let mut text = format!("{actions} of this run cannot be carried out here, so nothing was changed:\n");
    for (line, _) in certain.iter().take(LISTED) {
        text.push_str(&format!("  * {line}\n"));
    }
    if certain.len() > LISTED {
        text.push_str(&format!("  and {} more\n", certain.len() - LISTED));
    }
    text.push_str(
        "Leave them out of the run list, or give them a guard where this machine does not need them; --no-preflight runs up to the first of them.",
    );
    Err(chef_error(vm, "UnsupportedAction", text))
}
