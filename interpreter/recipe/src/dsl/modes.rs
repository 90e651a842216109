//! Immediate mode: `run_resources` frames of recipes and action bodies (mission document 002, SPEC-compile 5).

use crate::provider::state::ProviderState;
use crate::resource::state;
use crate::run::chef_error;
use rchef_ruby::{Args, NativeData, Res, Value, Vm};
use std::rc::Rc;

/// One level of `run_resources`.
#[derive(Clone)]
pub enum Frame {
    /// Resources wait for their converge, as in Chef.
    Delayed,
    /// Chef's `unified_mode`.
    Unified,
    /// `run_resources` or the cookbook's metadata: whether resources run at once, and where that is said.
    Given(bool, Rc<str>),
}

/// State of a recipe: the native payload of every instance of `Chef::Recipe`.
#[derive(Clone, Default)]
pub struct RecipeState {
    frames: Vec<Frame>,
}
impl NativeData for RecipeState {
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}

/// The frames of a recipe or provider, innermost last; None for anything else.
fn frames<'a>(vm: &'a mut Vm, holder: &'a Value) -> Option<&'a mut Vec<Frame>> {
    if vm.data::<ProviderState>(holder).is_some() {
        return vm.data_mut::<ProviderState>(holder).map(|state| &mut state.frames);
    }
    vm.data_mut::<RecipeState>(holder).map(|state| &mut state.frames)
}

/// Base mode of an evaluation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// Declared resources wait for their converge.
    Delayed,
    /// Declared resources run at once, wherever they are declared into (`run_resources :immediately`).
    Immediate,
    /// Chef's `unified_mode`: a property of the action's own collection. What `with_run_context` sends elsewhere waits there.
    Unified,
}

/// Starts the frames of an evaluation with its base mode; gives what was there.
pub fn push_base(vm: &mut Vm, holder: &Value, base: Base) -> Vec<Frame> {
    let frame = match base {
        Base::Delayed => Frame::Delayed,
        Base::Immediate => Frame::Given(true, "metadata".into()),
        Base::Unified => Frame::Unified,
    };
    frames(vm, holder).map(|frames| std::mem::replace(frames, vec![frame])).unwrap_or_default()
}
/// Puts back what [`push_base`] gave.
pub fn restore(vm: &mut Vm, holder: &Value, before: Vec<Frame>) {
    if let Some(frames) = frames(vm, holder) {
        *frames = before;
    }
}

/// The mode of a resource that this recipe or provider declares into a context now.
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
    let place = crate::dump::short_place(vm, &place);
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
