//! What other threads ask of a thread: to raise an exception or to end; and when it does so (`Thread.handle_interrupt`).

use super::{ThreadData, Threads, alive, current, state};
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::{Res, Unwind};
use crate::value::Value;
use rchef_syntax::symbol::sym;

/// A request of another thread.
pub(super) enum Pending {
    Raise(Value),
    Kill,
    /// A signal that arrived while another thread was running.
    Signal(i32),
}

/// When an exception of a class is raised in the thread.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Timing {
    Immediate,
    OnBlocking,
    Never,
}

/// The arguments of the `handle_interrupt` calls that a thread is in, the innermost last.
pub(super) type Masks = Vec<Vec<(Value, Timing)>>;

/// The index of the first request that the thread has to follow now.
pub(super) fn due(vm: &Vm, data: &ThreadData, blocking: bool) -> Option<usize> {
    data.pending.iter().position(|pending| {
        // a request to end counts as an Integer, as in MRI
        let class = match pending {
            Pending::Signal(_) => return true,
            Pending::Kill => ClassId::INTEGER,
            Pending::Raise(exception) => vm.class_of(exception),
        };
        match timing(vm, &data.masks, class) {
            Timing::Immediate => true,
            Timing::OnBlocking => blocking,
            Timing::Never => false,
        }
    })
}
/// The innermost mask that names a class or one of its ancestors decides.
fn timing(vm: &Vm, masks: &Masks, class: ClassId) -> Timing {
    for mask in masks.iter().rev() {
        for ancestor in vm.class(class).mro.iter() {
            if let Some((_, timing)) = mask.iter().find(|(of, _)| matches!(of, Value::Class(id) if id == ancestor)) {
                return *timing;
            }
        }
    }
    Timing::Immediate
}

/// Handles the requests of other threads to raise or exit, and signals that have arrived. `blocking`: the thread is about to wait.
pub(super) fn deliver(vm: &mut Vm, blocking: bool) -> Res<()> {
    let this = current(vm);
    loop {
        if state(vm, &this)?.pending.is_empty() {
            return Ok(());
        }
        let Some(index) = vm.data::<ThreadData>(&this).and_then(|data| due(vm, data, blocking)) else { return Ok(()) };
        match state(vm, &this)?.pending.remove(index) {
            Pending::Kill => {
                state(vm, &this)?.aborting = true;
                return Err(Unwind::Abandon.into());
            }
            Pending::Signal(signal) => crate::core::signal::handle(vm, signal)?,
            Pending::Raise(exception) => {
                let exception = asked_here(vm, exception)?;
                crate::core::exception::prepare(vm, &exception, Value::Undef)?;
                return Err(Unwind::Raise(exception).into());
            }
        }
    }
}
/// Signals are handled by the main thread: passes one to it if another thread is running (false: the main thread is running).
pub(crate) fn leave_to_main(vm: &mut Vm, signal: i32) -> Res<bool> {
    let Some(threads) = vm.extension_ref::<Threads>() else { return Ok(false) };
    let main = threads.main.clone();
    if threads.current.same(&main) || !alive(vm, &main) {
        return Ok(false);
    }
    state(vm, &main)?.pending.push(Pending::Signal(signal));
    Ok(true)
}
/// Calls `exception` again in the target thread: a class may do something else there (as Timeout's does).
pub(super) fn asked_here(vm: &mut Vm, exception: Value) -> Res {
    let exception = vm.call(&exception, sym::EXCEPTION, &[])?;
    if vm.is_a(&exception, ClassId::EXCEPTION) {
        Ok(exception)
    } else {
        Err(vm.type_error("exception object expected"))
    }
}

/// `Thread#pending_interrupt?(class = nil)`
pub(super) fn pending_interrupt(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let wanted = match args.get(0) {
        None => None,
        Some(Value::Class(id)) => Some(*id),
        Some(_) => return Err(vm.type_error("class or module required for rescue clause")),
    };
    state(vm, this)?;
    let found = vm.data::<ThreadData>(this).is_some_and(|data| {
        data.pending.iter().any(|pending| match (pending, wanted) {
            (_, None) => true,
            (Pending::Raise(exception), Some(wanted)) => vm.is_a(exception, wanted),
            _ => false,
        })
    });
    Ok(Value::bool(found))
}
pub(super) fn current_pending_interrupt(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let this = current(vm);
    pending_interrupt(vm, &this, args)
}
/// `Thread.handle_interrupt(Class => :immediate | :on_blocking | :never) { … }`
pub(super) fn handle_interrupt(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Err(vm.argument_error("block is needed.")) };
    let hash = vm.to_hash(args.at(0))?;
    let pairs: Vec<_> = hash.get(vm).iter().map(|(class, timing)| (class.clone(), timing.clone())).collect();
    let mut mask = Vec::new();
    for (class, timing) in pairs {
        let timing = match &timing {
            Value::Sym(name) => match name.as_str() {
                "immediate" => Some(Timing::Immediate),
                "on_blocking" => Some(Timing::OnBlocking),
                "never" => Some(Timing::Never),
                _ => None,
            },
            _ => None,
        };
        let Some(timing) = timing else { return Err(vm.argument_error("unknown mask signature")) };
        mask.push((class, timing));
    }
    let this = current(vm);
    state(vm, &this)?.masks.push(mask);
    let result = vm.protect(|vm| {
        deliver(vm, false)?;
        vm.yield_block(block, Args::none())
    });
    state(vm, &this)?.masks.pop();
    // what was put off comes after the block
    deliver(vm, false)?;
    result
}
