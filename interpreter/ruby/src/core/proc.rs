//! Proc.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::frame::{Block, Held, ProcKind, RProc};
use crate::heap::Gc;
use crate::method::{MethodDef, any, def, opt};
use crate::string::RString;
use crate::value::Value;
use rchef_syntax::symbol::sym;
use std::rc::Rc;

static PROC: &[MethodDef] = &[
    any("call", call),
    any("()", call),
    any("yield", call),
    any("===", call),
    any("[]", call),
    def("to_proc", to_proc, 0),
    def("lambda?", is_lambda, 0),
    def("arity", arity, 0),
    def("parameters", parameters, 0),
    def("source_location", source_location, 0),
    def("binding", binding, 0),
    opt("curry", curry_method, 0, 1),
    def(">>", compose_right, 1),
    def("<<", compose_left, 1),
    def("ruby2_keywords", ruby2_keywords, 0),
    def("==", equal, 1),
    def("eql?", equal, 1),
    def("hash", hash, 0),
    def("inspect", inspect, 0),
    def("to_s", inspect, 0),
];
static SINGLETON: &[MethodDef] = &[any("new", new)];

fn this_proc(vm: &mut Vm, this: &Value) -> Res<Gc<RProc>> {
    match this {
        Value::Proc(proc) => Ok(proc.clone()),
        _ => Err(vm.type_error("wrong argument type (expected Proc)")),
    }
}
fn new(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let class = crate::class::this_class(this);
    let Some(block) = args.block else { return Err(vm.argument_error("tried to create Proc object without a block")) };
    let proc = match block {
        Block::Proc(proc) if proc.class() == class => proc.clone(),
        Block::Proc(proc) => {
            let RProc { kind, lambda } = proc.get(vm);
            Gc::new(class, RProc { kind: kind.clone(), lambda: *lambda })
        }
        block => {
            let proc = vm.block_to_proc(block);
            proc.set_class(class);
            proc
        }
    };
    let made = Value::Proc(proc);
    vm.call_args(&made, sym::INITIALIZE, args)?;
    Ok(made)
}
fn call(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let proc = this_proc(vm, this)?;
    vm.call_proc(&proc, args)
}
fn to_proc(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(this.clone())
}
fn is_lambda(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let proc = this_proc(vm, this)?;
    Ok(Value::bool(proc.get(vm).lambda))
}
fn arity(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let proc = this_proc(vm, this)?;
    Ok(Value::Int(vm.proc_arity(&proc, false)))
}
fn parameters(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let proc = this_proc(vm, this)?;
    let lambda = proc.get(vm).lambda;
    Ok(super::method::proc_parameters(vm, &proc, lambda))
}
/// File and line of a Proc's code; nil for natives.
pub(crate) fn location_of(vm: &Vm, proc: &Gc<RProc>) -> Value {
    match &proc.get(vm).kind {
        ProcKind::Ruby { code, .. } => super::method::location(code),
        ProcKind::Method(_, id, _) => super::method::body_location(vm, *id),
        _ => Value::Nil,
    }
}
fn source_location(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let proc = this_proc(vm, this)?;
    Ok(location_of(vm, &proc))
}
fn binding(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let proc = this_proc(vm, this)?;
    match &proc.get(vm).kind {
        ProcKind::Ruby { env, code, .. } => Ok(super::binding::make(vm, env.clone(), code.line)),
        ProcKind::Method(receiver, ..) => {
            let (receiver, place) = (receiver.clone(), location_of(vm, &proc));
            super::binding::of_method(vm, &receiver, &place)
        }
        _ => Err(vm.argument_error("Can't create Binding from C level Proc")),
    }
}
fn curry_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    curry(vm, this, args)
}
/// `curry` with an optional arity.
pub(crate) fn curry(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let proc = this_proc(vm, this)?;
    let lambda = proc.get(vm).lambda;
    let own = vm.proc_arity(&proc, false);
    let count = match args.get(0) {
        None => {
            if own >= 0 {
                own
            } else {
                -own - 1
            }
        }
        Some(value) => {
            let count = vm.to_int(value)?;
            if lambda {
                let (min, max) = required_and_most(vm, &proc);
                if count < min || max.is_some_and(|max| count > max) {
                    let expected = match max {
                        Some(max) if max == min => min.to_string(),
                        Some(max) => format!("{min}..{max}"),
                        None => format!("{min}+"),
                    };
                    return Err(vm.arity_error(usize::try_from(count).unwrap_or(0), expected));
                }
            }
            count
        }
    };
    Ok(held(lambda, Curried { proc: this.clone(), count, given: Vec::new() }))
}
fn required_and_most(vm: &Vm, proc: &Gc<RProc>) -> (i64, Option<i64>) {
    if let ProcKind::Ruby { code, .. } = &proc.get(vm).kind {
        let params = &code.params;
        let required = i64::from(params.required) + i64::from(params.post);
        return (required, params.rest.is_none().then(|| required + params.optional.len() as i64));
    }
    let arity = vm.proc_arity(proc, false);
    if arity >= 0 { (arity, Some(arity)) } else { (-arity - 1, None) }
}
fn held(lambda: bool, what: impl Held + 'static) -> Value {
    Value::Proc(Gc::new(ClassId::PROC, RProc { kind: ProcKind::Held(Rc::new(what)), lambda }))
}

/// A curried Proc: it collects arguments until there are as many as the Proc wants that it is of.
struct Curried {
    proc: Value,
    count: i64,
    given: Vec<Value>,
}
impl Held for Curried {
    fn call(&self, vm: &mut Vm, args: Args<'_>) -> Res {
        let given = [self.given.as_slice(), args.pos].concat();
        if given.len() as i64 >= self.count {
            return vm.call_args(&self.proc, sym::CALL, Args::new(&given).with_block(args.block));
        }
        if args.block.is_some() {
            vm.warn("given block not used")?;
        }
        let lambda = is_lambda(vm, &self.proc, Args::none())?.truthy();
        Ok(held(lambda, Curried { proc: self.proc.clone(), given, ..*self }))
    }
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.proc);
        self.given.iter().for_each(visit);
    }
}

/// `first >> second`: it calls both.
struct Composed {
    first: Value,
    second: Value,
}
impl Held for Composed {
    fn call(&self, vm: &mut Vm, args: Args<'_>) -> Res {
        let middle = vm.call_args(&self.first, sym::CALL, args)?;
        vm.call(&self.second, sym::CALL, &[middle])
    }
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.first);
        visit(&self.second);
    }
}
/// `first >> second`: a Proc that calls both.
pub(crate) fn compose(vm: &mut Vm, first: &Value, second: &Value, argument_is_second: bool, lambda: bool) -> Res {
    let argument = if argument_is_second { second } else { first };
    let callable = matches!(argument, Value::Proc(_)) || vm.respond_to(argument, sym::CALL, true)?;
    if !callable {
        return Err(vm.type_error("callable object is expected"));
    }
    Ok(held(lambda, Composed { first: first.clone(), second: second.clone() }))
}
fn compose_right(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let lambda = is_lambda(vm, this, Args::none())?.truthy();
    compose(vm, this, args.at(0), true, lambda)
}
fn compose_left(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    // MRI 3.1 checks the argument here, not the receiver
    let lambda = match args.at(0) {
        Value::Proc(other) => other.get(vm).lambda,
        _ => true,
    };
    compose(vm, args.at(0), this, false, lambda)
}
fn ruby2_keywords(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let proc = this_proc(vm, this)?;
    vm.check_frozen(this)?;
    let fits = matches!(&proc.get(vm).kind, ProcKind::Ruby { code, .. } if code.params.set_ruby2_keywords());
    if !fits {
        vm.warn("Skipping set of ruby2_keywords flag for proc (proc accepts keywords or proc does not accept argument splat)")?;
    }
    Ok(this.clone())
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (Value::Proc(a), Value::Proc(b)) = (this, args.at(0)) else { return Ok(Value::False) };
    if a.same(b) {
        return Ok(Value::True);
    }
    let (x, y) = (a.get(vm), b.get(vm));
    let same = match (&x.kind, &y.kind) {
        (ProcKind::Ruby { code: a, env: x, .. }, ProcKind::Ruby { code: b, env: y, .. }) => {
            std::sync::Arc::ptr_eq(a, b) && x.same(y)
        }
        (ProcKind::Native(a, _), ProcKind::Native(b, _)) => Rc::ptr_eq(a, b),
        (ProcKind::Held(a), ProcKind::Held(b)) => Rc::ptr_eq(a, b),
        (ProcKind::Method(a, x, _), ProcKind::Method(b, y, _)) => a.same(b) && x == y,
        (ProcKind::Symbol(a), ProcKind::Symbol(b)) => a == b,
        _ => false,
    };
    Ok(Value::bool(same && x.lambda == y.lambda))
}
/// The hash of a Proc in hash tables: procs of one block differ by their scope.
pub(crate) fn table_hash(vm: &Vm, proc: &Gc<RProc>) -> u64 {
    match &proc.get(vm).kind {
        ProcKind::Ruby { env, .. } => crate::coerce::mix(shown_hash(vm, proc), env.address() as u64),
        _ => shown_hash(vm, proc),
    }
}
/// `Proc#hash`, the same in every run: procs of one block have the same, for addresses must not be visible.
fn shown_hash(vm: &Vm, proc: &Gc<RProc>) -> u64 {
    match &proc.get(vm).kind {
        ProcKind::Ruby { code, .. } => {
            code.file.path.bytes().fold(u64::from(code.line), |sum, byte| crate::coerce::mix(sum, u64::from(byte)))
        }
        ProcKind::Symbol(name) => crate::coerce::mix(9, u64::from(name.id())),
        ProcKind::Method(_, id, _) => crate::coerce::mix(10, u64::from(id.0)),
        ProcKind::Native(..) | ProcKind::Held(_) => 11,
    }
}
fn hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let proc = this_proc(vm, this)?;
    Ok(Value::Int(shown_hash(vm, &proc) as i64 >> 2))
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let proc = this_proc(vm, this)?;
    let class = vm.class_name_of(this);
    let number = vm.shown_number(this);
    let data = proc.get(vm);
    let place = match &data.kind {
        ProcKind::Ruby { code, .. } => format!(" {}:{}", code.file.path, code.line),
        ProcKind::Symbol(name) => {
            let shown = rchef_text::inspect::inspect_symbol(name.as_bytes(), RString::of_symbol(*name).encoding());
            format!("(&{})", String::from_utf8_lossy(&shown))
        }
        ProcKind::Method(..) | ProcKind::Native(..) | ProcKind::Held(_) => String::new(),
    };
    let lambda = if data.lambda { " (lambda)" } else { "" };
    let text = format!("#<{class}:0x{number:016x}{place}{lambda}>");
    Ok(Value::string(RString::binary(text.into_bytes())))
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_methods(ClassId::PROC, PROC);
    vm.define_singleton_methods(ClassId::PROC, SINGLETON);
}
