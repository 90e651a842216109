//! `compile --expand`: the resources that blocks of `converge_by` and `converge_if_changed` declare.

use super::state::{Slot, read};
use crate::context;
use crate::run::converge_mut;
use rchef_ruby::{Args, Block, ClassId, Res, Value, Vm};

/// Evaluates the block of a `converge_by` to collect the resources that it declares. A run evaluates it only if something has to change, so an
/// exception ends only the block. With `--exec` the block is not evaluated, because its commands would change the machine.
///
/// # Errors
/// An exception that is not a StandardError.
pub(super) fn on_change(vm: &mut Vm, provider: &Value, block: Block<'_>) -> Res {
    let context = read(vm, provider, Slot::RunContext);
    let of_context = |vm: &mut Vm| converge_mut(vm).expansions.iter().rposition(|one| one.context.same(&context));
    let runs_commands = vm.host.as_overlay().is_none_or(rchef_host::OverlayHost::runs_commands);
    let (Some(at), false) = (of_context(vm), runs_commands) else { return Ok(Value::Nil) };
    let before = context::resources(vm, &context)?;
    let first_inner = converge_mut(vm).expansions.len();
    let result = vm.yield_block(block, Args::none());
    let mut declared = context::resources(vm, &context)?;
    declared.retain(|resource| !before.iter().any(|known| known.same(resource)));
    let known = &mut converge_mut(vm).expansions[at];
    known.on_change.extend(declared);
    let owner = known.resource.clone();
    mark_inner(vm, first_inner, &owner)?;
    let Err(error) = result else { return result };
    let Some(exception) = error.exception().cloned().filter(|found| vm.is_a(found, ClassId::STANDARD_ERROR)) else {
        return Err(error);
    };
    converge_mut(vm).expansions[at].change_error.get_or_insert(exception);
    Ok(Value::Nil)
}

/// Marks the resources of nested expansions of the same resource in the block (another action that it called, `notifying_block`).
fn mark_inner(vm: &mut Vm, first: usize, owner: &Value) -> Res<()> {
    for at in first..converge_mut(vm).expansions.len() {
        let inner = converge_mut(vm).expansions[at].clone();
        if inner.nested && inner.resource.same(owner) && !inner.context.is_nil() {
            let all = context::resources(vm, &inner.context)?;
            converge_mut(vm).expansions[at].on_change = all;
        }
    }
    Ok(())
}
