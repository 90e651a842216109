//! What a plan does otherwise than a run: changes are assumed on the overlay, and what is not known is noted there.

use crate::run::{ActionMode, converge_mut};
use rchef_change::{Change, EngineStep};
use rchef_host::{DoubtKind, Purpose};
use rchef_ruby::{ClassId, Res, Value, Vm, sym};

/// Whether this run is a plan.
pub fn is_plan(vm: &mut Vm) -> bool {
    converge_mut(vm).mode == ActionMode::Plan
}

/// Runs something; commands in it run for `purpose`.
pub fn with_purpose<T>(vm: &mut Vm, purpose: Purpose, body: impl FnOnce(&mut Vm) -> T) -> T {
    let host = vm.host.clone();
    let Some(overlay) = host.as_overlay().filter(|overlay| overlay.simulates()) else { return body(vm) };
    let before = overlay.set_purpose(purpose);
    let result = body(vm);
    overlay.set_purpose(before);
    result
}

/// Runs what only looks at the machine, also over the network.
pub fn asking<T>(vm: &mut Vm, body: impl FnOnce(&mut Vm) -> T) -> T {
    with_purpose(vm, Purpose::Query, body)
}

/// Asks a guard. True where it was not asked: then the action is taken to go on.
pub fn guard(vm: &mut Vm, ask: impl FnOnce(&mut Vm) -> Res<bool>) -> Res<bool> {
    unless_doubted(vm, DoubtKind::GuardNotAsked, |vm| with_purpose(vm, Purpose::Guard, ask))
}

/// Asks a check of content. True where a command of it did not run, or saw the machine without what is planned: then the content is taken to pass it.
pub fn verification(vm: &mut Vm, ask: impl FnOnce(&mut Vm) -> Res<bool>) -> Res<bool> {
    unless_doubted(vm, DoubtKind::NotVerified, |vm| unless_doubted(vm, DoubtKind::Unseen, ask))
}

fn unless_doubted(vm: &mut Vm, kind: DoubtKind, ask: impl FnOnce(&mut Vm) -> Res<bool>) -> Res<bool> {
    let host = vm.host.clone();
    let Some(overlay) = host.as_overlay().filter(|overlay| overlay.simulates()) else { return ask(vm) };
    let before = overlay.doubts();
    let answer = ask(vm)?;
    Ok(answer || overlay.has_doubt_after(before, kind))
}

/// Notes what a plan does not know.
pub fn doubt(vm: &mut Vm, kind: DoubtKind, subject: &str) {
    let host = vm.host.clone();
    if let Some(overlay) = host.as_overlay().filter(|overlay| overlay.simulates()) {
        overlay.doubt(kind, subject.as_bytes());
    }
}

/// Whether a plan has come to something of which it does not know what it did.
pub fn is_uncertain(vm: &mut Vm) -> bool {
    is_plan(vm) && vm.host.as_overlay().is_some_and(rchef_host::OverlayHost::is_uncertain)
}

/// Takes a change as made.
///
/// # Errors
/// What the overlay refuses as a machine would.
pub fn assume(vm: &mut Vm, change: &Change) -> Res<()> {
    let host = vm.host.clone();
    let Some(overlay) = host.as_overlay() else { return Ok(()) };
    change.assume(overlay).map_err(|error| super::failure::raised(vm, &error))
}

/// Carries out a step of the engine as far as a plan can: what reaches out of the machine is not done, and Ruby code that
/// fails leaves its effects unknown.
///
/// # Errors
/// An error that is not one of the step, such as the end of the program.
pub fn step(vm: &mut Vm, step: &EngineStep, carry_out: impl FnOnce(&mut Vm) -> Res<()>) -> Res<()> {
    let host = vm.host.clone();
    if let Some(overlay) = host.as_overlay() {
        overlay.note_assumed();
    }
    let subject = match step {
        EngineStep::Request { words, .. } => words.clone(),
        EngineStep::Gem { words, .. } => words.clone(),
        EngineStep::RubyBlock { name, .. } => return tolerated(vm, &format!("the ruby block {name}"), carry_out),
        EngineStep::Own { is_outside: true, text, .. } => text.clone(),
        EngineStep::Own { text, .. } => {
            let text = text.clone();
            return asking(vm, |vm| tolerated(vm, &text, carry_out));
        }
        EngineStep::Log { .. } | EngineStep::Notify | EngineStep::Handler { .. } => return carry_out(vm),
    };
    doubt(vm, DoubtKind::Effects, &subject);
    Ok(())
}

/// Runs Ruby code of a change on the overlay; where it raises, what it does is not known.
///
/// # Errors
/// An exception that is not a StandardError.
pub fn tolerated(vm: &mut Vm, subject: &str, body: impl FnOnce(&mut Vm) -> Res<()>) -> Res<()> {
    let Err(error) = body(vm) else { return Ok(()) };
    let Some(exception) = error.exception().cloned().filter(|found| vm.is_a(found, ClassId::STANDARD_ERROR)) else {
        return Err(error);
    };
    let text = message(vm, &exception);
    doubt(vm, DoubtKind::Effects, &format!("{subject} ({text})"));
    Ok(())
}

/// Whether an action that failed in a plan is left open instead of ending the plan: something before it has effects that are
/// not known, this user may not read what it needs, or it asks the network.
pub fn leaves_open(vm: &mut Vm, shown: &str, exception: &Value) -> bool {
    if !is_plan(vm) {
        return false;
    }
    let class = vm.class_name_of(exception);
    let may_not = ["Errno::EACCES", "Errno::EPERM"].contains(&class.as_str());
    // code of cookbooks has no network in a plan, unless it is let through
    let is_cut_off = ["SocketError", "Errno::ENETUNREACH"].contains(&class.as_str());
    if !may_not && !is_cut_off && !is_uncertain(vm) {
        return false;
    }
    let mut text = message(vm, exception);
    if is_cut_off {
        text.push_str(" (--allow-network lets code of cookbooks reach the network)");
    }
    doubt(vm, DoubtKind::NotPlanned, &format!("{shown}: {class}: {text}"));
    true
}

fn message(vm: &mut Vm, exception: &Value) -> String {
    let text = vm.call(exception, sym::MESSAGE, &[]).unwrap_or_default();
    let text = vm.to_s_text(&text).unwrap_or_default();
    text.lines().next().unwrap_or_default().to_string()
}
