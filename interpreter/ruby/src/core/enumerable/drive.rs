//! Runs `each` for a native, and passes the yielded values to a closure; for the core's own `each` without calling Ruby code.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::{Res, Unwind};
use crate::frame::{Block, ProcKind, RProc};
use crate::heap::Gc;
use crate::method::MethodBody;
use crate::value::Value;
use rchef_syntax::symbol::sym;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The values of a yield as one: nil for none, an Array for several.
pub(crate) fn packed(args: Args<'_>) -> Value {
    match args.pos {
        [one] => one.clone(),
        [] => Value::Nil,
        many => Value::array(many.to_vec()),
    }
}

/// Yields the values of another yield; several values are one Array, which a lambda of Ruby code destructures (MRI's enum_yield).
pub(crate) fn pass(vm: &mut Vm, block: Block<'_>, count: usize, value: &Value) -> Res {
    if count > 1
        && let (Block::Proc(proc), Value::Array(array)) = (block, value)
        && let RProc { kind: ProcKind::Ruby { .. }, lambda: true } = proc.get(vm)
        && vm.proc_arity(proc, false) != 1
    {
        let items = array.get(vm).items.clone();
        return vm.yield_values(block, &items);
    }
    vm.yield_block(block, Args::new(std::slice::from_ref(value)))
}

/// Whether a value's `each` is the native one of a core class.
pub(crate) fn core_each(vm: &mut Vm, this: &Value, class: ClassId) -> bool {
    let of = vm.class_of(this);
    match vm.find_method(of, sym::EACH) {
        Some(id) => {
            let method = vm.method(id);
            method.owner == class && matches!(method.body, MethodBody::Native(..))
        }
        None => false,
    }
}

/// Runs `each` with `args` (but not their block): `step` gets the state, the block of `args` and the yielded values, and returns whether to continue.
/// Returns the final state.
pub(crate) fn drive<S: Default + 'static>(
    vm: &mut Vm,
    this: &Value,
    args: Args<'_>,
    state: S,
    step: impl Fn(&mut Vm, &mut S, Option<Block<'_>>, Args<'_>) -> Res<bool> + 'static,
) -> Res<S> {
    let mut state = state;
    match this {
        Value::Array(array) if args.is_empty() && core_each(vm, this, ClassId::ARRAY) => {
            let mut index = 0;
            while let Some(element) = crate::core::natives::item(vm, array, index) {
                vm.tick_by(1)?;
                if !step(vm, &mut state, args.block, Args::new(&[element]))? {
                    break;
                }
                index += 1;
            }
            return Ok(state);
        }
        Value::Hash(hash) if args.is_empty() && core_each(vm, this, ClassId::HASH) => {
            hash.get_mut(vm).iterating += 1;
            let result = drive_hash(vm, hash, args.block, &mut state, &step);
            let data = hash.get_mut(vm);
            data.iterating = data.iterating.saturating_sub(1);
            return result.map(|()| state);
        }
        Value::Range(range) if args.is_empty() => {
            let data = range.get(vm);
            let (begin, end, exclusive) = (data.begin.clone(), data.end.clone(), data.exclusive);
            if let (Value::Int(from), Value::Int(to)) = (begin, end)
                && core_each(vm, this, ClassId::RANGE)
            {
                let mut at = from;
                while at < to || (at == to && !exclusive) {
                    vm.tick_by(1)?;
                    if !step(vm, &mut state, args.block, Args::new(&[Value::Int(at)]))? {
                        break;
                    }
                    let Some(next) = at.checked_add(1) else { break };
                    at = next;
                }
                return Ok(state);
            }
        }
        _ => {}
    }
    drive_any(vm, this, args, state, step)
}

fn drive_hash<S>(
    vm: &mut Vm,
    hash: &Gc<crate::hash::RHash>,
    block: Option<Block<'_>>,
    state: &mut S,
    step: &impl Fn(&mut Vm, &mut S, Option<Block<'_>>, Args<'_>) -> Res<bool>,
) -> Res<()> {
    let mut slot = hash.get(vm).first_slot().unwrap_or(0);
    while slot < hash.get(vm).slots() {
        vm.tick_by(1)?;
        if let Some(entry) = hash.get(vm).slot(slot) {
            let pair = Value::array(vec![entry.key.clone(), entry.value.clone()]);
            if !step(vm, state, block, Args::new(&[pair]))? {
                break;
            }
        }
        slot += 1;
    }
    Ok(())
}

fn drive_any<S: Default + 'static>(
    vm: &mut Vm,
    this: &Value,
    args: Args<'_>,
    state: S,
    step: impl Fn(&mut Vm, &mut S, Option<Block<'_>>, Args<'_>) -> Res<bool> + 'static,
) -> Res<S> {
    let shared = Rc::new(RefCell::new(Some(state)));
    let inner = shared.clone();
    let block = args.block.map(|block| vm.block_to_proc(block));
    let tag = vm.fresh_id();
    let done = Rc::new(Cell::new(false));
    let over = done.clone();
    let proc = vm.native_proc(crate::method::Arity::ANY, false, move |vm, _, args| {
        vm.tick_by(1)?;
        let Some(mut state) = inner.borrow_mut().take() else {
            return Err(vm.runtime_error("Enumerable's block was called again before it was done"));
        };
        let result = step(vm, &mut state, block.as_ref().map(Block::Proc), args);
        *inner.borrow_mut() = Some(state);
        if result? || over.get() { Ok(Value::Nil) } else { Err(Unwind::Break(tag, Value::Nil).into()) }
    });
    vm.stacks.tags.push(tag);
    let result = vm.call_args(this, sym::EACH, args.with_block(Some(Block::Proc(&proc))));
    vm.stacks.tags.pop();
    done.set(true);
    match result {
        Err(error) if !matches!(*error.0, Unwind::Break(at, _) if at == tag) => return Err(error),
        _ => {}
    }
    // `each` may have kept the block, which goes on from the beginning when it is called after the method's end
    let state = shared.borrow_mut().as_mut().map(std::mem::take);
    state.ok_or_else(|| vm.runtime_error("Enumerable's block was called again before it was done"))
}

/// NoMemoryError if there are too many elements or too little memory; checks every 65,536 elements.
pub(crate) fn check_collected(vm: &mut Vm, count: usize) -> Res<()> {
    const STEP: usize = 1 << 16;
    if count % STEP == STEP - 1 { vm.check_growth(count.saturating_mul(16), STEP * 16) } else { Ok(()) }
}

/// All values yielded by `each`.
pub(crate) fn collect(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res<Vec<Value>> {
    drive(vm, this, args.with_block(None), Vec::new(), |vm, out: &mut Vec<Value>, _, args| {
        check_collected(vm, out.len())?;
        out.push(packed(args));
        Ok(true)
    })
}

/// The first `count` values yielded by `each`.
pub(crate) fn take_first(vm: &mut Vm, this: &Value, count: usize) -> Res<Vec<Value>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    drive(vm, this, Args::none(), Vec::new(), move |_, out: &mut Vec<Value>, _, args| {
        out.push(packed(args));
        Ok(out.len() < count)
    })
}
