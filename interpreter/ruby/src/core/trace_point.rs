//! TracePoint: events for opened classes and modules, calls of and returns from methods written in Ruby, and exceptions raised by `raise`.
//! MRI's other events (lines, natives, blocks, threads) are rejected.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::frame::Visited;
use crate::method::{MethodDef, MethodId, any, def, opt};
use crate::value::{NativeData, Value};
use rchef_syntax::symbol::sym;
use std::rc::Rc;

/// The body of a class, module or singleton class begins.
pub(crate) const CLASS: u8 = 1;
/// The body of a class, module or singleton class ends.
pub(crate) const END: u8 = 2;
pub(crate) const RAISE: u8 = 4;
/// A method written in Ruby is called.
pub(crate) const CALL: u8 = 8;
pub(crate) const RETURN: u8 = 16;

const EVENTS: &[(&str, u8)] = &[("class", CLASS), ("end", END), ("raise", RAISE), ("call", CALL), ("return", RETURN)];

/// The event that a running block of a trace point handles.
struct Happening {
    event: u8,
    slf: Value,
    method: Option<MethodId>,
    value: Value,
    place: Option<(Rc<str>, u32)>,
}
struct TracePoint {
    events: u8,
    block: Value,
    happening: Option<Happening>,
}
impl NativeData for TracePoint {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.block);
        if let Some(happening) = &self.happening {
            visit(&happening.slf);
            visit(&happening.value);
        }
    }
}

/// Enabled trace points, and whether a block of one is running, which suppresses events.
#[derive(Default)]
struct Tracing {
    points: Vec<Value>,
    inside: bool,
}

/// Calls the trace points enabled for an event. Self and method are those of the innermost frame, unless they are given.
#[cold]
pub(crate) fn fire(vm: &mut Vm, event: u8, slf: Option<&Value>, value: Value) -> Res<()> {
    if vm.extension::<Tracing>().inside {
        return Ok(());
    }
    let points = vm.extension::<Tracing>().points.clone();
    let place = vm.places().first().cloned();
    let (mut receiver, mut method) = (slf.cloned(), None);
    if receiver.is_none() {
        vm.walk_frames(|frame| {
            if let (None, Visited::Ruby(cx)) = (&receiver, frame) {
                receiver = Some(cx.slf.clone());
                method = cx.method;
            }
        });
    }
    vm.extension::<Tracing>().inside = true;
    let mut result = Ok(());
    for point in points {
        let Some(data) = vm.data_mut::<TracePoint>(&point).filter(|data| data.events & event != 0) else { continue };
        let slf = receiver.clone().unwrap_or_default();
        data.happening = Some(Happening { event, slf, method, value: value.clone(), place: place.clone() });
        let block = data.block.clone();
        let called = vm.call(&block, sym::CALL, std::slice::from_ref(&point));
        if let Some(data) = vm.data_mut::<TracePoint>(&point) {
            data.happening = None;
        }
        if let Err(error) = called {
            result = Err(error);
            break;
        }
    }
    vm.extension::<Tracing>().inside = false;
    result
}

fn new(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut events = 0;
    for given in args.pos {
        let name = match given {
            Value::Sym(name) => *name,
            other => Symbol::intern(&vm.to_text(other)?),
        };
        match EVENTS.iter().find(|(known, _)| *known == name.as_str()) {
            Some((_, event)) => events |= event,
            // ArgumentError, which libraries rescue if they do not depend on the event
            None => return Err(vm.argument_error(format!("unknown event: {name}"))),
        }
    }
    if args.pos.is_empty() {
        events = EVENTS.iter().fold(0, |all, (_, event)| all | event);
    }
    let Some(block) = args.block else { return Err(vm.argument_error("must be called with a block")) };
    let block = Value::Proc(vm.block_to_proc(block));
    let class = if let Value::Class(class) = this { *class } else { ClassId::OBJECT };
    Ok(Value::data(class, TracePoint { events, block, happening: None }))
}
/// `TracePoint.trace(*events) { }`: creates and enables it.
fn trace(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let point = new(vm, this, args)?;
    set(vm, &point, true);
    Ok(point)
}
/// Enables or disables it; returns whether it was enabled.
fn set(vm: &mut Vm, point: &Value, on: bool) -> bool {
    let points = &mut vm.extension::<Tracing>().points;
    let before = points.iter().any(|known| known.same(point));
    points.retain(|known| !known.same(point));
    if on {
        points.push(point.clone());
    }
    let points = points.clone();
    vm.traced_events =
        points.iter().filter_map(|point| vm.data::<TracePoint>(point)).fold(0, |all, data| all | data.events);
    before
}
/// Enables or disables it, only during the block if there is one.
fn switch(vm: &mut Vm, this: &Value, args: Args<'_>, on: bool) -> Res {
    if args.split().1.is_some() {
        return Err(vm.not_implemented("TracePoint#enable of a target is unimplemented on this machine"));
    }
    let before = set(vm, this, on);
    let Some(block) = args.block else { return Ok(Value::bool(before)) };
    let result = vm.yield_values(block, &[]);
    set(vm, this, before);
    result
}
fn enable(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    switch(vm, this, args, true)
}
fn disable(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    switch(vm, this, args, false)
}
fn is_enabled(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(vm.extension::<Tracing>().points.iter().any(|known| known.same(this))))
}
fn happening<'a>(vm: &'a mut Vm, this: &'a Value) -> Res<&'a Happening> {
    if vm.data::<TracePoint>(this).is_none_or(|data| data.happening.is_none()) {
        return Err(vm.runtime_error("access from outside"));
    }
    match vm.data::<TracePoint>(this).and_then(|data| data.happening.as_ref()) {
        Some(happening) => Ok(happening),
        None => Err(crate::error::Unwind::Abandon.into()),
    }
}
fn event(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let event = happening(vm, this)?.event;
    Ok(EVENTS.iter().find(|(_, known)| *known == event).map(|(name, _)| Value::sym(name)).unwrap_or_default())
}
fn slf(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(happening(vm, this)?.slf.clone())
}
fn path(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(happening(vm, this)?.place.as_ref().map(|(path, _)| Value::str(path)).unwrap_or_default())
}
fn lineno(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(happening(vm, this)?.place.as_ref().map(|(_, line)| Value::Int((*line).into())).unwrap_or_default())
}
fn method_id(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let method = happening(vm, this)?.method;
    Ok(method.map(|method| Value::Sym(vm.method(method).name)).unwrap_or_default())
}
fn callee_id(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let method = happening(vm, this)?.method;
    Ok(method.map(|method| Value::Sym(vm.called_name(method))).unwrap_or_default())
}
fn defined_class(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let method = happening(vm, this)?.method;
    Ok(method.map(|method| Value::Class(vm.method(method).owner)).unwrap_or_default())
}
/// The method's parameters, in the form of `Method#parameters`.
fn parameters(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let found = happening(vm, this)?;
    let (slf, Some(method), CALL | RETURN) = (found.slf.clone(), found.method, found.event) else {
        return Err(vm.runtime_error("not supported by this event"));
    };
    let name = Value::Sym(vm.called_name(method));
    let object = vm.call_name(&slf, "method", &[name])?;
    vm.call_name(&object, "parameters", &[])
}
fn value_of(vm: &mut Vm, this: &Value, of: u8) -> Res {
    let found = happening(vm, this)?;
    if found.event != of {
        return Err(vm.runtime_error("not supported by this event"));
    }
    Ok(found.value.clone())
}
fn return_value(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    value_of(vm, this, RETURN)
}
fn raised_exception(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    value_of(vm, this, RAISE)
}
fn inspect(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if happening(vm, this).is_err() {
        let on = is_enabled(vm, this, args)?.truthy();
        return Ok(Value::str(if on { "#<TracePoint:enabled>" } else { "#<TracePoint:disabled>" }));
    }
    let (event, path, line) =
        (event(vm, this, Args::none())?, path(vm, this, Args::none())?, lineno(vm, this, Args::none())?);
    let mut texts = Vec::new();
    for part in [event, path, line] {
        texts.push(vm.to_s_text(&part)?);
    }
    Ok(Value::str(format!("#<TracePoint:{} {}:{}>", texts[0], texts[1], texts[2])))
}

static SINGLETON: &[MethodDef] = &[any("new", new), any("trace", trace)];
static METHODS: &[MethodDef] = &[
    any("enable", enable),
    opt("disable", disable, 0, 0),
    def("enabled?", is_enabled, 0),
    def("event", event, 0),
    def("self", slf, 0),
    def("path", path, 0),
    def("lineno", lineno, 0),
    def("method_id", method_id, 0),
    def("callee_id", callee_id, 0),
    def("defined_class", defined_class, 0),
    def("parameters", parameters, 0),
    def("return_value", return_value, 0),
    def("raised_exception", raised_exception, 0),
    def("inspect", inspect, 0),
];

pub(super) fn boot(vm: &mut Vm) {
    let class = vm.define_class(ClassId::OBJECT, "TracePoint", ClassId::OBJECT);
    vm.define_singleton_methods(class, SINGLETON);
    vm.define_methods(class, METHODS);
}
