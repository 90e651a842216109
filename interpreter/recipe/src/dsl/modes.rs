//! Immediate mode: `run_resources` frames of recipes and action bodies (mission document 002, SPEC-compile 5).

use crate::provider::state::{Frame, ProviderState};
use crate::resource::state;
use crate::run::chef_error;
use rchef_ruby::{Args, NativeData, Res, Value, Vm};

/// The native data of a `Chef::Recipe`.
#[derive(Clone, Default)]
pub struct RecipeState {
    frames: Vec<Frame>,
}
impl NativeData for RecipeState {
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}

/// The mode frames of a recipe or provider, innermost last; None for any other object.
fn frames<'a>(vm: &'a mut Vm, holder: &'a Value) -> Option<&'a mut Vec<Frame>> {
    if vm.data::<ProviderState>(holder).is_some() {
        return vm.data_mut::<ProviderState>(holder).map(|state| &mut state.frames);
    }
    vm.data_mut::<RecipeState>(holder).map(|state| &mut state.frames)
}

/// The base mode of an evaluation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// Declared resources wait for the converge.
    Delayed,
    /// Declared resources run at once, in any run context (`run_resources :immediately`).
    Immediate,
    /// Chef's `unified_mode`, which applies to the action's own collection only: resources that `with_run_context` declares elsewhere wait there.
    Unified,
}

/// Replaces the frames by one with this base mode; gives the previous frames.
pub fn push_base(vm: &mut Vm, holder: &Value, base: Base) -> Vec<Frame> {
    let frame = match base {
        Base::Delayed => Frame::Delayed,
        Base::Immediate => Frame::Given(true, "metadata".into()),
        Base::Unified => Frame::Unified,
    };
    frames(vm, holder).map(|frames| std::mem::replace(frames, vec![frame])).unwrap_or_default()
}
/// Gives the recipe of a definition the mode of the recipe or action that calls it (G-2).
pub fn inherit(vm: &mut Vm, holder: &Value, caller: &Value) {
    let now = frames(vm, caller).cloned().unwrap_or_default();
    restore(vm, holder, now);
}
/// Restores the frames that [`push_base`] returned.
pub fn restore(vm: &mut Vm, holder: &Value, before: Vec<Frame>) {
    if let Some(frames) = frames(vm, holder) {
        *frames = before;
    }
}

/// The mode in which a resource that this recipe or provider declares into this context runs.
pub fn mode_of(vm: &mut Vm, holder: &Value, context: &Value, resource: &Value) -> Base {
    if let Some(mode) = state::state(vm, resource).and_then(|state| state.run_actions) {
        return if mode == crate::names::N.immediately { Base::Immediate } else { Base::Delayed };
    }
    match frames(vm, holder).and_then(|frames| frames.last().cloned()) {
        Some(Frame::Unified) if crate::context::data(vm, context).is_ok_and(|data| data.unified) => Base::Unified,
        Some(Frame::Given(immediate, from)) => {
            if let Some(state) = state::state_mut(vm, resource) {
                state.origin.mode_from = Some((immediate, from));
            }
            if immediate { Base::Immediate } else { Base::Delayed }
        }
        _ => Base::Delayed,
    }
}

/// `run_resources :immediately`, with or without a block.
pub fn run_resources(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let text = vm.to_s_text(args.at(0))?;
    let immediate = match text.as_str() {
        "immediately" | "immediate" => true,
        "delayed" => false,
        _ => {
            return Err(chef_error(
                vm,
                "ValidationFailed",
                format!("run_resources takes :immediately or :delayed, not {text}"),
            ));
        }
    };
    let place = crate::cookbook::here(vm).unwrap_or_default();
    let place = crate::dump::place::short_place(vm, &place);
    let kind = if args.block.is_some() { "block" } else { "recipe" };
    let frame = Frame::Given(immediate, format!("{kind} {place}").into());
    let Some(stack) = frames(vm, this) else {
        return Err(vm.argument_error("run_resources is for recipes and the actions of resources"));
    };
    match args.block {
        None => {
            stack.pop();
            stack.push(frame);
            Ok(Value::Nil)
        }
        Some(block) => {
            let before = stack.clone();
            stack.push(frame);
            let result = vm.yield_block(block, Args::none());
            restore(vm, this, before);
            result
        }
    }
}
