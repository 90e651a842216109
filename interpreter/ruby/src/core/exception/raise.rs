use super::prepare;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::trace_point::event as trace_point;
use crate::error::{Res, Unwind};
use crate::value::Value;
use crate::vm::Vm;
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;

/// Kernel#raise in all its forms.
pub(crate) fn raise(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (pos, keywords) = args.split();
    let mut pos = pos.to_vec();
    let mut cause = Value::Undef;
    if let Some(hash) = keywords {
        let mut rest = hash.get(vm).clone();
        let cause_key = Symbol::intern_static("cause");
        if let Some(found) = vm.hash_get_sym(hash, cause_key) {
            cause = found;
            let holder = crate::heap::Gc::new(ClassId::HASH, rest);
            vm.hash_delete(&holder, &Value::Sym(cause_key))?;
            rest = holder.get(vm).clone();
        }
        if !rest.is_empty() {
            pos.push(Value::hash(rest));
        }
        if pos.is_empty() && !cause.is_undef() {
            return Err(vm.argument_error("only cause is given with no arguments"));
        }
    }
    if pos.len() > 3 {
        return Err(vm.arity_error(pos.len(), "0..3"));
    }
    let exception = match pos.as_slice() {
        [] => {
            let current = vm.current_exception();
            if current.is_nil() { runtime_error(vm, Value::str(""))? } else { current }
        }
        [Value::Str(message)] => runtime_error(vm, Value::Str(message.clone()))?,
        [from, rest @ ..] => {
            if !vm.respond_to(from, sym::EXCEPTION, true)? {
                return Err(vm.type_error("exception class/object expected"));
            }
            let made =
                vm.call_args(from, sym::EXCEPTION, Args::new(&rest[..rest.len().min(1)]).with_keywords(false))?;
            if !vm.is_a(&made, ClassId::EXCEPTION) {
                return Err(vm.type_error("exception object expected"));
            }
            if let Some(backtrace) = rest.get(1)
                && !backtrace.is_nil()
            {
                vm.call(&made, sym::SET_BACKTRACE, std::slice::from_ref(backtrace))?;
            }
            made
        }
    };
    prepare(vm, &exception, cause)?;
    // where natives are traced, this event comes after the return of `raise`
    if vm.traced_events & (trace_point::RAISE | trace_point::NATIVE) == trace_point::RAISE {
        vm.raised(&exception)?;
    }
    Err(Unwind::Raise(exception).into())
}

/// What `raise` makes when it is given no class; methods of RuntimeError in Ruby other than `initialize` are not asked.
fn runtime_error(vm: &mut Vm, message: Value) -> Res {
    crate::core::construct::new(vm, &Value::Class(ClassId::RUNTIME_ERROR), Args::new(&[message]))
}
