//! `compile --expand`: the resources that blocks of `converge_by` and `converge_if_changed` declare.

use super::state::{Slot, read};
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
    let outer = std::mem::replace(&mut converge_mut(vm).in_change, true);
    let result = vm.yield_block(block, Args::none());
    converge_mut(vm).in_change = outer;
    let Err(error) = result else { return result };
    let Some(exception) = vm.exception_of(&error, ClassId::STANDARD_ERROR) else {
        return Err(error);
    };
    converge_mut(vm).expansions[at].change_error.get_or_insert(exception);
    Ok(Value::Nil)
}
