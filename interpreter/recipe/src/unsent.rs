//! Records the notifications that a run owes, so that none is lost if the run ends before it sends them.
//!
//! A change causes notifications. If a run dies or fails between the two, the machine is left half done, and the next run finds nothing to change.
//! So the notifications of a change are written to a ledger before the change is made, and crossed out when the notified action has run. The next
//! run reports what is left, and sends it if asked to ([`open`]).
//!
//! The ledger ([`rchef_model::notification::ledger`]) is a file in the cache, which only exists while something is owed.

use crate::context::{self, Timing};
use crate::notification::{Notification, action_of, resolve_target};
use crate::resource::state;
use crate::run::{ActionMode, converge_mut};
use rchef_host::compose::{self, Finish};
use rchef_host::{FileHandle, OpenFlags};
pub use rchef_model::notification::ledger::Owed;
use rchef_model::notification::ledger::{Kind, read};
use rchef_ruby::{Res, Symbol, Value, Vm};

#[derive(Default)]
struct Ledger {
    /// None in a why-run, which does not write the ledger.
    path: Option<String>,
    file: Option<Box<dyn FileHandle>>,
    owed: Vec<Owed>,
    /// Notifications that earlier runs owe.
    left: Vec<Owed>,
    resumes: bool,
    /// A notified action has ended the run.
    is_ended: bool,
}

fn ledger(vm: &mut Vm) -> &mut Ledger {
    vm.extension::<Ledger>()
}

/// Starts the ledger of a run; gives what earlier runs owe. With `resumes`, this run sends that, too. A why-run only reads.
pub fn open(vm: &mut Vm, path: &str, resumes: bool) -> Vec<Owed> {
    let host = vm.host.clone();
    let text = compose::read_file(&*host, path.as_bytes()).unwrap_or_default();
    let left = read(&String::from_utf8_lossy(&text));
    let keeps = converge_mut(vm).mode == ActionMode::Converge;
    let path = keeps.then(|| path.to_string());
    *ledger(vm) = Ledger { path, file: None, owed: Vec::new(), left: left.clone(), resumes, is_ended: false };
    left
}

fn write(vm: &mut Vm, kind: Kind, owed: &Owed) {
    let host = vm.host.clone();
    let ledger = ledger(vm);
    let Some(path) = &ledger.path else { return };
    if ledger.file.is_none() {
        let flags = OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::APPEND;
        ledger.file = host.open(path.as_bytes(), flags, 0o600).ok();
    }
    if let Some(file) = &ledger.file {
        // a ledger that cannot be written does not fail the run
        let _ = compose::write_all(&**file, kind.line(owed).as_bytes());
    }
}

/// The resources whose actions enclose a context, outermost first.
fn within(vm: &mut Vm, context: &Value) -> Res<Vec<String>> {
    let mut names = Vec::new();
    let mut at = context.clone();
    while !at.is_nil() {
        let (owner, parent) = {
            let data = context::data(vm, &at)?;
            (data.owner.clone(), data.parent.clone())
        };
        if !owner.is_nil() {
            names.push(vm.to_s_text(&owner)?);
        }
        at = parent;
    }
    names.reverse();
    Ok(names)
}

fn entry(vm: &mut Vm, context: &Value, sent: &Notification) -> Res<Owed> {
    let target = resolve_target(vm, context, sent)?;
    let (to, action, owner) = match &target {
        Some(target) => {
            let action = action_of(vm, target, sent)?.to_string();
            (context::declared_key(vm, target)?, action, state::context_of(vm, target)?)
        }
        None => (vm.to_s_text(&sent.resource)?, vm.to_s_text(&sent.action)?, context.clone()),
    };
    let from = vm.to_s_text(&sent.notifying)?;
    Ok(Owed { from, to, action, timing: sent.timing.as_str().to_string(), within: within(vm, &owner)? })
}

/// Called when a resource is about to be changed or was changed: records its notifications, and those of the resources whose actions declared it,
/// as owed. Gives the new entries.
pub fn changing(vm: &mut Vm, resource: &Value) -> Res<Vec<Owed>> {
    let mut fresh = Vec::new();
    if ledger(vm).path.is_none() || converge_mut(vm).mode != ActionMode::Converge {
        return Ok(fresh);
    }
    let mut changed = converge_mut(vm).acting.clone();
    changed.push(resource.clone());
    let notifying = converge_mut(vm).notifying.clone();
    changed.retain(|resource| notifying.iter().any(|known| known.same(resource)));
    for resource in changed {
        let context = state::context_of(vm, &resource)?;
        if context.is_nil() {
            continue;
        }
        for timing in [Timing::Immediate, Timing::Delayed] {
            for sent in context::notifications(vm, &context, &resource, timing)? {
                let owed = entry(vm, &context, &sent)?;
                if !ledger(vm).owed.contains(&owed) {
                    write(vm, Kind::Owed, &owed);
                    ledger(vm).owed.push(owed.clone());
                    fresh.push(owed);
                }
            }
        }
    }
    Ok(fresh)
}

/// Withdraws the entries that were recorded for a change that failed without effect.
pub fn withdraw(vm: &mut Vm, fresh: &[Owed]) {
    for owed in fresh {
        write(vm, Kind::Withdrawn, owed);
        ledger(vm).owed.retain(|known| known != owed);
    }
}

/// Called with the result of a notified action. One that ended the run (`throw`, by `reboot_now`) counts as sent: sent again, it would end the next
/// run, too. The actions that enclose it may be incomplete and stay owed.
pub fn settle(vm: &mut Vm, notification: &Notification, target: &Value, action: Symbol, outcome: Res<()>) -> Res<()> {
    match &outcome {
        Ok(()) => return sent(vm, notification, target, action),
        Err(error) if error.exception().is_none() && !std::mem::replace(&mut ledger(vm).is_ended, true) => {
            sent(vm, notification, target, action)?;
        }
        Err(_) => {}
    }
    outcome
}

/// Crosses out a notification whose action has run.
pub fn sent(vm: &mut Vm, notification: &Notification, target: &Value, action: Symbol) -> Res<()> {
    let ledger = ledger(vm);
    if ledger.owed.is_empty() && ledger.left.is_empty() {
        return Ok(());
    }
    let context = state::context_of(vm, target)?;
    let mut notification = notification.clone();
    (notification.resource, notification.action) = (target.clone(), Value::Sym(action));
    let met = entry(vm, &context, &notification)?;
    let ledger = self::ledger(vm);
    let count = ledger.owed.len() + ledger.left.len();
    for list in [&mut ledger.owed, &mut ledger.left] {
        list.retain(|owed| !owed.is_met_by(&met));
    }
    if ledger.owed.len() + ledger.left.len() < count {
        write(vm, Kind::Sent, &met);
    }
    Ok(())
}

/// What earlier runs owe to resources of a context, as delayed notifications of this run if it resumes them.
pub fn resumed(vm: &mut Vm, context: &Value) -> Res<Vec<Notification>> {
    if !ledger(vm).resumes || ledger(vm).left.is_empty() {
        return Ok(Vec::new());
    }
    let here = within(vm, context)?;
    let due: Vec<Owed> = ledger(vm).left.iter().filter(|owed| owed.within == here).cloned().collect();
    let mut notifications = Vec::new();
    for owed in due {
        let mut notification = Notification {
            resource: Value::str(&owed.to),
            action: Value::sym(&owed.action),
            notifying: Value::str(&owed.from),
            timing: Timing::Delayed,
            subscribed: false,
            source: String::new(),
        };
        if let Some(target) = resolve_target(vm, context, &notification)? {
            notification.resource = target;
            notifications.push(notification);
            // from here on, this run owes it as a delayed notification
            ledger(vm).left.retain(|known| *known != owed);
            write(vm, Kind::Sent, &owed);
            let owed = Owed { timing: Timing::Delayed.as_str().to_string(), ..owed };
            write(vm, Kind::Owed, &owed);
            ledger(vm).owed.push(owed);
        }
    }
    Ok(notifications)
}

/// Whether this run sends what earlier runs owe.
pub fn resumes(vm: &mut Vm) -> bool {
    ledger(vm).resumes
}

/// Closes the ledger; gives what this run and earlier runs owe.
pub fn close(vm: &mut Vm) -> (Vec<Owed>, Vec<Owed>) {
    let Ledger { path, file, owed, left, .. } = std::mem::take(ledger(vm));
    drop(file);
    let Some(path) = path else { return (owed, left) };
    let host = vm.host.clone();
    let kept: Vec<&Owed> = owed.iter().chain(&left).collect();
    if kept.is_empty() {
        let _ = host.unlink(path.as_bytes());
    } else {
        let text: String = kept.iter().map(|owed| Kind::Owed.line(owed)).collect();
        let private = Finish { mode: Some(0o600), ..Finish::default() };
        // if this fails, the lines that were appended to the file have the same meaning
        let _ = compose::atomic_write(&*host, path.as_bytes(), text.as_bytes(), private);
    }
    (owed, left)
}
