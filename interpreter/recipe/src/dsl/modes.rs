//! Immediate mode: `run_resources` frames of recipes and action bodies (mission document 002, SPEC-compile 5).

use crate::names::N;
use crate::resource::state;
use crate::run::chef_error;
use rchef_ruby::{Args, Res, Symbol, Value, Vm};

fn slot() -> Symbol {
    Symbol::intern_static("@run_resources_frames")
}

fn frames(vm: &mut Vm, holder: &Value) -> Vec<Value> {
    match vm.ivar_get(holder, slot()) {
        Some(Value::Array(list)) => list.get(vm).items.clone(),
        _ => Vec::new(),
    }
}
fn set_frames(vm: &mut Vm, holder: &Value, frames: Vec<Value>) {
    vm.ivar_set(holder, slot(), Value::array(frames));
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

/// A frame that says where its mode comes from.
fn frame(immediate: bool, from: &str) -> Value {
    Value::array(vec![Value::bool(immediate), Value::str(from)])
}

/// Starts the frames of an evaluation with its base mode; gives what was there.
pub fn push_base(vm: &mut Vm, holder: &Value, base: Base) -> Option<Value> {
    let before = vm.ivar_get(holder, slot());
    let frame = match base {
        Base::Delayed => Value::False,
        Base::Immediate => frame(true, "metadata"),
        Base::Unified => Value::Sym(N.unified_mode),
    };
    set_frames(vm, holder, vec![frame]);
    before
}
/// Puts back what [`push_base`] gave.
pub fn restore(vm: &mut Vm, holder: &Value, before: Option<Value>) {
    match before {
        Some(frames) => vm.ivar_set(holder, slot(), frames),
        None => {
            vm.ivar_remove(holder, slot());
        }
    }
}

/// The mode of a resource that this recipe or provider declares into a context now.
pub fn mode_of(vm: &mut Vm, holder: &Value, context: &Value, resource: &Value) -> Base {
    if let Some(mode) = state::state(vm, resource).and_then(|state| state.run_actions) {
        return if mode == N.immediately { Base::Immediate } else { Base::Delayed };
    }
    let top = match vm.ivar_get(holder, slot()) {
        Some(Value::Array(frames)) => frames.get(vm).items.last().cloned(),
        _ => None,
    };
    let parts = match top {
        Some(Value::Array(frame)) => frame,
        Some(Value::Sym(_)) if crate::context::data(vm, context).is_ok_and(|data| data.unified) => {
            return Base::Unified;
        }
        _ => return Base::Delayed,
    };
    let [mode, from] = &parts.get(vm).items[..] else { return Base::Delayed };
    let (immediate, from) = (mode.truthy(), from.clone());
    if let Some(state) = state::state_mut(vm, resource) {
        state.origin.mode_from = Some((immediate, from));
    }
    if immediate { Base::Immediate } else { Base::Delayed }
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
    let mut stack = frames(vm, this);
    let place = crate::cookbook::here(vm).unwrap_or_default();
    let place = crate::dump::short_place(vm, &place);
    let kind = if args.block.is_some() { "block" } else { "recipe" };
    let frame = frame(immediate, &format!("{kind} {place}"));
    match args.block {
        None => {
            match stack.last_mut() {
                Some(top) => *top = frame,
                None => stack.push(frame),
            }
            set_frames(vm, this, stack);
            Ok(Value::Nil)
        }
        Some(block) => {
            let before = stack.clone();
            stack.push(frame);
            set_frames(vm, this, stack);
            let result = vm.yield_block(block, Args::none());
            set_frames(vm, this, before);
            result
        }
    }
}
