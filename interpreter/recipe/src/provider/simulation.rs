//! The differences between a plan and a run: changes are applied to the overlay, and unknown effects are recorded there as doubts.

use crate::run::{ActionMode, converge_mut};
use rchef_change::{Change, EngineStep};
use rchef_host::{DoubtKind, Purpose};
use rchef_ruby::{ClassId, Res, Value, Vm, sym};

/// Whether this run is a plan.
pub fn is_plan(vm: &mut Vm) -> bool {
    converge_mut(vm).mode == ActionMode::Plan
}

/// Runs `body`; its commands get this purpose.
pub fn with_purpose<T>(vm: &mut Vm, purpose: Purpose, body: impl FnOnce(&mut Vm) -> T) -> T {
    let host = vm.host.clone();
    let Some(overlay) = host.as_overlay().filter(|overlay| overlay.simulates()) else { return body(vm) };
    let before = overlay.set_purpose(purpose);
    let result = body(vm);
    overlay.set_purpose(before);
    result
}

/// Runs code that only queries the machine or the network.
pub fn asking<T>(vm: &mut Vm, body: impl FnOnce(&mut Vm) -> T) -> T {
    with_purpose(vm, Purpose::Query, body)
}

/// Evaluates a guard. True if its command was not run: the action is then assumed to continue.
pub fn guard(vm: &mut Vm, ask: impl FnOnce(&mut Vm) -> Res<bool>) -> Res<bool> {
    unless_doubted(vm, DoubtKind::GuardNotAsked, |vm| with_purpose(vm, Purpose::Guard, ask))
}

/// Runs a check of content. True if a command of it was not run, or ran without seeing the planned changes: the content is then assumed to pass.
pub fn verification(vm: &mut Vm, ask: impl FnOnce(&mut Vm) -> Res<bool>) -> Res<bool> {
    unless_doubted(vm, DoubtKind::NotVerified, |vm| unless_doubted(vm, DoubtKind::Unseen, ask))
}

fn unless_doubted(vm: &mut Vm, kind: DoubtKind, ask: impl FnOnce(&mut Vm) -> Res<bool>) -> Res<bool> {
    let host = vm.host.clone();
    let Some(overlay) = host.as_overlay().filter(|overlay| overlay.simulates()) else { return ask(vm) };
    let before = overlay.doubts();
    let answer = ask(vm);
    match answer {
        // code that missed the output of a command that did not run tells nothing
        Err(error) if overlay.has_doubt_after(before, kind) => {
            let is_failure = vm.exception_of(&error, ClassId::STANDARD_ERROR).is_some();
            if is_failure { Ok(true) } else { Err(error) }
        }
        answer => Ok(answer? || overlay.has_doubt_after(before, kind)),
    }
}

/// Records something that a plan does not know.
pub fn doubt(vm: &mut Vm, kind: DoubtKind, subject: &str) {
    let host = vm.host.clone();
    if let Some(overlay) = host.as_overlay().filter(|overlay| overlay.simulates()) {
        overlay.doubt(kind, subject.as_bytes());
    }
}

/// Whether an earlier action of the plan had unknown effects.
pub fn is_uncertain(vm: &mut Vm) -> bool {
    is_plan(vm) && vm.host.as_overlay().is_some_and(rchef_host::OverlayHost::is_uncertain)
}

/// Whether an exception is about packages on offer, which renewed package lists may mend.
fn is_of_offers(vm: &mut Vm, class: &str) -> bool {
    class == "Chef::Exceptions::Package" && vm.host.as_overlay().is_some_and(rchef_host::OverlayHost::may_offer_others)
}

/// Whether an assertion that fails with this class is assumed to hold by then: an earlier action had effects that are not known.
pub fn may_hold(vm: &mut Vm, class: &str) -> bool {
    is_uncertain(vm) || is_plan(vm) && is_of_offers(vm, class)
}

/// Applies a change to the overlay.
///
/// # Errors
/// The overlay refuses the change, as a machine would.
pub fn assume(vm: &mut Vm, change: &Change) -> Res<()> {
    let host = vm.host.clone();
    let Some(overlay) = host.as_overlay() else { return Ok(()) };
    change.assume(overlay).map_err(|error| super::failure::raised(vm, &error))
}

/// Executes an engine step as far as a plan can: effects outside of the machine are skipped, and Ruby code that fails has unknown effects.
///
/// # Errors
/// An error that is not a failure of the step, such as the end of the program.
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

/// Runs a change's Ruby code on the overlay; if it raises, its effects are unknown.
///
/// # Errors
/// An exception that is not a StandardError.
pub fn tolerated(vm: &mut Vm, subject: &str, body: impl FnOnce(&mut Vm) -> Res<()>) -> Res<()> {
    let Err(error) = body(vm) else { return Ok(()) };
    let Some(exception) = vm.exception_of(&error, ClassId::STANDARD_ERROR) else {
        return Err(error);
    };
    let text = message(vm, &exception);
    doubt(vm, DoubtKind::Effects, &format!("{subject} ({text})"));
    Ok(())
}

/// Whether an action that fails in a plan is recorded as not planned instead of ending the plan: if an earlier action had unknown effects that may
/// matter, if the user lacks a permission, or if the action needs the network.
pub fn leaves_open(vm: &mut Vm, exception: &Value) -> bool {
    if !is_plan(vm) {
        return false;
    }
    let class = vm.class_name_of(exception);
    let may_not = ["Errno::EACCES", "Errno::EPERM"].contains(&class.as_str());
    // in a plan, cookbooks have no network access unless it is allowed
    let is_cut_off = ["SocketError", "Errno::ENETUNREACH"].contains(&class.as_str());
    // a run does not change its cookbooks, so the action fails whatever happens before it
    let is_of_cookbook = ["Chef::Exceptions::CookbookNotFound", "Chef::Exceptions::FileNotFound"].contains(&&*class);
    let is_certain = vm.host.as_overlay().is_none_or(|overlay| overlay.doubts() == 0);
    if is_of_cookbook && is_certain || !may_not && !is_cut_off && !may_hold(vm, &class) {
        return false;
    }
    let mut text = message(vm, exception);
    if is_cut_off {
        text.push_str(" (--allow-network lets code of cookbooks reach the network)");
    }
    doubt(vm, DoubtKind::NotPlanned, &format!("{class}: {text}"));
    true
}

fn message(vm: &mut Vm, exception: &Value) -> String {
    let text = vm.call(exception, sym::MESSAGE, &[]).unwrap_or_default();
    let text = vm.to_s_text(&text).unwrap_or_default();
    text.lines().next().unwrap_or_default().to_string()
}
