//! External iteration on a fiber: next, peek, rewind, feed.

use super::data::{EnumeratorData, External};
use super::lazy::LazyData;
use super::sequence::SequenceData;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::enumerable::packed;
use crate::core::fiber;
use crate::core::natives::name;
use crate::error::{ExceptionData, Res, Unwind, empty};
use crate::method::{MethodBody, MethodDef, def};
use crate::value::{NativeData, Value};
use rchef_syntax::symbol::sym;

static METHODS: &[MethodDef] = &[
    def("next", next, 0),
    def("next_values", next_values, 0),
    def("peek", peek, 0),
    def("peek_values", peek_values, 0),
    def("rewind", rewind, 0),
    def("feed", feed, 1),
];

fn external<'a>(vm: &'a mut Vm, this: &'a Value) -> Res<&'a mut External> {
    enum Kind {
        Plain,
        Sequence,
        Lazy,
    }
    let kind = if vm.data::<EnumeratorData>(this).is_some() {
        Kind::Plain
    } else if vm.data::<SequenceData>(this).is_some() {
        Kind::Sequence
    } else if vm.data::<LazyData>(this).is_some() {
        Kind::Lazy
    } else {
        return Err(vm.argument_error("uninitialized enumerator"));
    };
    let found = match kind {
        Kind::Plain => vm.data_mut::<EnumeratorData>(this).map(|data| &mut data.external),
        Kind::Sequence => vm.data_mut::<SequenceData>(this).map(|data| &mut data.external),
        Kind::Lazy => vm.data_mut::<LazyData>(this).map(|data| &mut data.external),
    };
    found.ok_or_else(|| Unwind::Abandon.into())
}
/// An object with the same iterator but without a reference to the Enumerator, so that dropping the Enumerator drops its fiber too.
fn shadow(vm: &mut Vm, this: &Value) -> Value {
    let class = vm.class_of(this);
    let own = vm.find_method(class, sym::EACH).is_some_and(|id| matches!(vm.method(id).body, MethodBody::Native(..)));
    if !own {
        return this.clone();
    }
    let class = vm.real_class_of(this);
    if let Some(data) = vm.data::<EnumeratorData>(this) {
        let parts = super::data::Parts {
            receiver: data.receiver.clone(),
            method: data.method,
            args: data.args.clone(),
            keywords: data.keywords,
            size: data.size.clone(),
        };
        return Value::data(class, parts.into_data());
    }
    let copy = if let Some(data) = vm.data::<SequenceData>(this) {
        data.duplicate()
    } else if let Some(data) = vm.data::<LazyData>(this) {
        data.duplicate()
    } else {
        None
    };
    match copy {
        Some(copy) => Value::boxed_data(class, copy),
        None => this.clone(),
    }
}
/// The values of the next yield; StopIteration at the end.
fn advance(vm: &mut Vm, this: &Value) -> Res<Vec<Value>> {
    let state = external(vm, this)?;
    if let Some(ahead) = state.ahead.take() {
        return Ok(ahead);
    }
    if !state.stop.is_nil() {
        let stop = state.stop.clone();
        return Err(Unwind::Raise(stop).into());
    }
    let (mut fiber, feed) = (state.fiber.clone(), state.feed.clone());
    if fiber.is_nil() || !fiber::alive(vm, &fiber) {
        let source = shadow(vm, this);
        fiber = fiber::new_here(vm, move |vm, _| {
            vm.call_with_native_block(&source, sym::EACH, &[], move |vm, args| {
                fiber::yield_value(vm, Value::array(args.pos.to_vec()))?;
                Ok(feed.borrow_mut().take().unwrap_or_default())
            })
        });
        external(vm, this)?.fiber = fiber.clone();
    }
    let result = fiber::resume(vm, &fiber, Ok(Value::array(Vec::new())))?;
    if fiber::alive(vm, &fiber) {
        return Ok(match result {
            Value::Array(values) => values.get(vm).items.clone(),
            other => vec![other],
        });
    }
    let data = ExceptionData { message: Value::str("iteration reached an end"), detail: result, ..empty() };
    let stop = vm.new_exception_with(ClassId::STOP_ITERATION, data);
    let state = external(vm, this)?;
    state.stop = stop.clone();
    state.fiber = Value::Nil;
    Err(Unwind::Raise(stop).into())
}
fn ahead(vm: &mut Vm, this: &Value) -> Res<Vec<Value>> {
    let values = advance(vm, this)?;
    external(vm, this)?.ahead = Some(values.clone());
    Ok(values)
}
fn one(values: &[Value]) -> Value {
    packed(Args::new(values))
}
fn next(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(one(&advance(vm, this)?))
}
fn next_values(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(advance(vm, this)?))
}
fn peek(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(one(&ahead(vm, this)?))
}
fn peek_values(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(ahead(vm, this)?))
}
/// Resets the position of `next`.
pub(super) fn reset(vm: &mut Vm, this: &Value) {
    if let Ok(state) = external(vm, this) {
        let old = std::mem::take(state);
        drop(old);
    }
}
fn rewind(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let receiver = vm.data::<EnumeratorData>(this).map(|data| data.receiver.clone());
    if let Some(receiver) = receiver
        && !receiver.is_undef()
        && vm.respond_to(&receiver, name("rewind"), true)?
    {
        vm.call(&receiver, name("rewind"), &[])?;
    }
    reset(vm, this);
    Ok(this.clone())
}
fn feed(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let feed = external(vm, this)?.feed.clone();
    if feed.borrow().is_some() {
        return Err(vm.type_error("feed value already set"));
    }
    *feed.borrow_mut() = Some(args.at(0).clone());
    Ok(Value::Nil)
}

/// The next element of an Enumerator, or nil at the end.
pub fn next_or_nil(vm: &mut Vm, enumerator: &Value) -> Res {
    vm.rescue(ClassId::STOP_ITERATION, |vm| vm.call(enumerator, name("next"), &[]), |_, _| Ok(Value::Nil))
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_methods(ClassId::ENUMERATOR, METHODS);
}
