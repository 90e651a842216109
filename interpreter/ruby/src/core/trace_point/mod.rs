//! TracePoint: what Ruby code sees of it. `events` has what happens, `function` the older `set_trace_func`.

pub(crate) mod event;
mod events;
mod function;

pub(crate) use events::Tracing;

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::{Error, Res};
use crate::method::{MethodDef, any, def, opt};
use crate::value::{NativeData, Value};
use event::{
    B_CALL, B_RETURN, C_CALL, C_RETURN, CALL, EVENTS, LINE, NATIVE, OF_CODE, RAISE, RETURN, SCRIPT_COMPILED,
    THREAD_BEGIN, THREAD_END,
};
use events::Happening;
use rchef_syntax::tree::Code;
use std::sync::Arc;

/// Code to which a trace point is limited, with the blocks in it.
struct Target {
    code: Arc<Code>,
}
struct TracePoint {
    events: u16,
    block: Value,
    happening: Option<Happening>,
    target: Option<Target>,
    target_line: Option<u32>,
    /// The thread to which it is limited, or nil.
    thread: Value,
}
impl NativeData for TracePoint {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.block);
        visit(&self.thread);
        if let Some(happening) = &self.happening {
            visit(&happening.slf);
            visit(&happening.value);
        }
    }
}

/// The events of an argument of `TracePoint.new`.
fn events_named(vm: &mut Vm, given: &Value) -> Res<u16> {
    let name = match given {
        Value::Sym(name) => *name,
        Value::Str(text) => Symbol::intern_bytes(text.get(vm).bytes()),
        other => {
            let described = vm.describe(other);
            return Err(vm.type_error(format!("no implicit conversion of {described} into Symbol")));
        }
    };
    Ok(match name.as_str() {
        "a_call" => CALL | B_CALL | C_CALL,
        "a_return" => RETURN | B_RETURN | C_RETURN,
        known => match EVENTS.iter().find(|(name, _)| *name == known) {
            Some((_, event)) => *event,
            // ArgumentError, which libraries rescue if they do not depend on the event
            None => return Err(vm.argument_error(format!("unknown event: {name}"))),
        },
    })
}
fn new(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut events = 0;
    for given in args.pos {
        events |= events_named(vm, given)?;
    }
    if args.pos.is_empty() {
        events = EVENTS.iter().fold(0, |all, (_, event)| all | event);
    }
    let Some(block) = args.block else { return Err(vm.argument_error("must be called with a block")) };
    let block = Value::Proc(vm.block_to_proc(block));
    let class = if let Value::Class(class) = this { *class } else { ClassId::OBJECT };
    let data = TracePoint { events, block, happening: None, target: None, target_line: None, thread: Value::Nil };
    Ok(Value::data(class, data))
}
/// `TracePoint.trace(*events) { }`: creates and enables it.
fn trace(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let point = new(vm, this, args)?;
    set(vm, &point, true);
    Ok(point)
}
/// `TracePoint.allow_reentry { }`: in a block of a trace point, events are told again.
fn allow_reentry(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    if !vm.extension::<Tracing>().inside {
        return Err(vm.runtime_error("No need to allow reentrance."));
    }
    let Some(block) = args.block else { return Err(vm.argument_error("no block given")) };
    vm.extension::<Tracing>().inside = false;
    let result = vm.yield_values(block, &[]);
    vm.extension::<Tracing>().inside = true;
    result
}
/// `TracePoint.stat`: how many trace points there are for an event; what MRI tells is meant for its own debugging.
fn stat(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let points = vm.extension::<Tracing>().points.clone();
    let rows: Vec<Value> = (EVENTS.iter())
        .filter_map(|(name, event)| {
            let waiting = |point: &&Value| vm.data::<TracePoint>(point).is_some_and(|data| data.events & event != 0);
            let count = points.iter().filter(waiting).count();
            (count > 0).then(|| Value::array(vec![Value::sym(name), Value::len(count)]))
        })
        .collect();
    vm.call_name(&Value::array(rows), "to_h", &[])
}
/// Enables or disables it; returns whether it was enabled.
fn set(vm: &mut Vm, point: &Value, on: bool) -> bool {
    let points = &mut vm.extension::<Tracing>().points;
    let before = points.iter().any(|known| known.same(point));
    points.retain(|known| !known.same(point));
    if on {
        points.push(point.clone());
    }
    renew(vm);
    before
}
/// Whether raised exceptions are written to `$stderr` (`$DEBUG`).
pub(crate) fn set_debug(vm: &mut Vm, debug: bool) {
    vm.extension::<Tracing>().debug = debug;
    renew(vm);
}
/// Finds anew for which events something is enabled.
pub(crate) fn renew(vm: &mut Vm) {
    let tracing = vm.extension::<Tracing>();
    let old = tracing.covered | if tracing.functions.is_empty() { 0 } else { function::EVENTS };
    let old = if tracing.debug { old | RAISE } else { old };
    let points = tracing.points.clone();
    let events =
        points.iter().filter_map(|point| vm.data::<TracePoint>(point)).fold(old, |all, data| all | data.events);
    vm.set_traced(events);
}
/// The code that a target means.
fn code_of(vm: &mut Vm, target: &Value) -> Res<Arc<Code>> {
    let found = match target {
        Value::Proc(proc) => super::method::code_of_proc(vm, proc),
        other => super::method::id_of(vm, other).and_then(|id| super::method::code_of(vm, id)),
    };
    found.ok_or_else(|| vm.argument_error("specified target is not supported"))
}
/// Whether a statement on this line is in the code or what is within it.
fn has_line(code: &Code, line: u32) -> bool {
    (code.line..=code.end_line).contains(&line)
}
/// Limits a trace point to what `enable` was told.
fn aim(vm: &mut Vm, this: &Value, [target, line, thread]: [Option<Value>; 3]) -> Res<()> {
    let given = |value: Option<Value>| value.filter(|value| !value.is_nil());
    let (target, line, thread) = (given(target), given(line), given(thread));
    let aimed = vm.data::<TracePoint>(this).is_some_and(|data| data.target.is_some() || !data.thread.is_nil());
    let on = vm.extension::<Tracing>().points.iter().any(|known| known.same(this));
    if on && (aimed || target.is_some() || thread.is_some()) {
        return Err(vm.argument_error("can't nest-enable a targeting TracePoint"));
    }
    let line = match line {
        Some(line) => Some(vm.to_int(&line)? as u32),
        None => None,
    };
    let code = match &target {
        Some(target) => Some(code_of(vm, target)?),
        None if line.is_some() => return Err(vm.argument_error("only target_line is specified")),
        None => None,
    };
    let events = vm.data::<TracePoint>(this).map_or(0, |data| data.events);
    if line.is_some() && events & LINE == 0 {
        return Err(vm.argument_error("target_line is specified, but line event is not specified"));
    }
    if let Some(code) = &code
        && (events & OF_CODE == 0 || line.is_some_and(|line| events & OF_CODE == LINE && !has_line(code, line)))
    {
        return Err(vm.argument_error("can not enable any hooks"));
    }
    if let Some(data) = vm.data_mut::<TracePoint>(this) {
        data.target = code.map(|code| Target { code });
        data.target_line = line;
        data.thread = thread.unwrap_or_default();
    }
    Ok(())
}
fn enable(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let names = ["target", "target_line", "target_thread"].map(Symbol::intern_static);
    let (pos, found) = args.take_keywords(vm, names)?;
    if !pos.is_empty() {
        return Err(vm.arity_error(pos.len(), "0"));
    }
    aim(vm, this, found)?;
    let before = set(vm, this, true);
    let Some(block) = args.block else { return Ok(Value::bool(before)) };
    let result = vm.yield_values(block, &[]);
    set(vm, this, before);
    forget_aim(vm, this);
    result
}
fn disable(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let before = set(vm, this, false);
    let Some(block) = args.block else {
        forget_aim(vm, this);
        return Ok(Value::bool(before));
    };
    let result = vm.yield_values(block, &[]);
    set(vm, this, before);
    result
}
/// A trace point that is enabled again is not limited as it was before.
fn forget_aim(vm: &mut Vm, this: &Value) {
    let on = vm.extension::<Tracing>().points.iter().any(|known| known.same(this));
    if let Some(data) = vm.data_mut::<TracePoint>(this).filter(|_| !on) {
        (data.target, data.target_line, data.thread) = (None, None, Value::Nil);
    }
}
fn is_enabled(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(vm.extension::<Tracing>().points.iter().any(|known| known.same(this))))
}
fn happening(vm: &mut Vm, this: &Value) -> Res<Happening> {
    match vm.data::<TracePoint>(this).and_then(|data| data.happening.clone()) {
        Some(happening) => Ok(happening),
        None => Err(vm.runtime_error("access from outside")),
    }
}
fn event(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::sym(name_of(happening(vm, this)?.event)))
}
fn name_of(event: u16) -> &'static str {
    EVENTS.iter().find(|(_, known)| *known == event).map_or("", |(name, _)| name)
}
fn slf(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(happening(vm, this)?.slf)
}
fn path(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(happening(vm, this)?.place.map(|(path, _)| Value::str(path)).unwrap_or_default())
}
fn lineno(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(happening(vm, this)?.place.map_or(0, |(_, line)| i64::from(line))))
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
    Ok(method.map(|method| Value::Class(vm.module_behind(vm.method(method).owner))).unwrap_or_default())
}
fn unsupported(vm: &mut Vm) -> Error {
    vm.runtime_error("not supported by this event")
}
/// The parameters of the method or block, in the form of `Method#parameters`.
fn parameters(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let found = happening(vm, this)?;
    if found.event & (B_CALL | B_RETURN) != 0 {
        return Ok(found.code.map(|code| super::method::code_parameters(&code, found.lambda)).unwrap_or_default());
    }
    match found.method {
        Some(method) if found.event & (CALL | RETURN | NATIVE) != 0 => Ok(super::method::method_parameters(vm, method)),
        _ => Err(unsupported(vm)),
    }
}
fn value_of(vm: &mut Vm, this: &Value, of: u16) -> Res {
    let found = happening(vm, this)?;
    if found.event & of == 0 {
        return Err(unsupported(vm));
    }
    Ok(found.value)
}
fn return_value(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    value_of(vm, this, RETURN | C_RETURN | B_RETURN)
}
fn raised_exception(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    value_of(vm, this, RAISE)
}
fn eval_script(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    value_of(vm, this, SCRIPT_COMPILED)
}
/// The Binding of the frame in which it happened; nil where there is none.
fn binding_of(vm: &mut Vm, happening: &Happening) -> Value {
    let Some(below) = happening.frame else { return Value::Nil };
    let line = happening.place.as_ref().map_or(0, |(_, line)| *line);
    match vm.with_frame_above(below, |vm, cx| cx.map(|cx| vm.capture(cx))) {
        Some(env) => super::binding::make(vm, env, line),
        None => Value::Nil,
    }
}
fn binding(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let found = happening(vm, this)?;
    Ok(binding_of(vm, &found))
}
fn inspect(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Ok(found) = happening(vm, this) else {
        let on = is_enabled(vm, this, args)?.truthy();
        return Ok(Value::str(if on { "#<TracePoint:enabled>" } else { "#<TracePoint:disabled>" }));
    };
    let name = name_of(found.event);
    if found.event & (THREAD_BEGIN | THREAD_END) != 0 {
        let shown = vm.inspect(&found.slf)?;
        return Ok(Value::str(format!("#<TracePoint:{name} {shown}>")));
    }
    let (path, line) = found.place.as_ref().map_or(("", 0), |(path, line)| (&**path, *line));
    let method = found.method.map(|id| vm.method(id).name);
    Ok(Value::str(match method {
        Some(method) if found.event == LINE => format!("#<TracePoint:{name} {path}:{line} in `{method}'>"),
        Some(method) if found.event & (CALL | RETURN | NATIVE) != 0 => {
            format!("#<TracePoint:{name} `{method}' {path}:{line}>")
        }
        _ => format!("#<TracePoint:{name} {path}:{line}>"),
    }))
}

static SINGLETON: &[MethodDef] =
    &[any("new", new), any("trace", trace), def("allow_reentry", allow_reentry, 0), def("stat", stat, 0)];
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
    def("eval_script", eval_script, 0),
    def("binding", binding, 0),
    def("inspect", inspect, 0),
];

pub(super) fn boot(vm: &mut Vm) {
    let class = vm.define_class(ClassId::OBJECT, "TracePoint", ClassId::OBJECT);
    vm.define_singleton_methods(class, SINGLETON);
    vm.define_methods(class, METHODS);
    function::boot(vm);
    vm.extension::<Tracing>().class = Some(class);
}
