//! Enumerator::ArithmeticSequence: the result of Range#step, Range#% and Numeric#step without a block.

use super::data::External;
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::range::{float_step, float_step_count, interval_size};
use crate::error::Res;
use crate::method::{MethodDef, any, def, opt};
use crate::value::{NativeData, Value};
use rchef_syntax::symbol::sym;
use std::cmp::Ordering;

/// Begin, end and step of a sequence.
#[derive(Clone)]
pub struct SequenceParts {
    pub begin: Value,
    /// The end; nil if endless.
    pub end: Value,
    pub step: Value,
    /// Whether the end is excluded.
    pub exclusive: bool,
}
pub(super) struct SequenceData {
    parts: SequenceParts,
    receiver: Value,
    method: Symbol,
    args: Vec<Value>,
    keywords: bool,
    /// State of `next` and related methods.
    pub(super) external: External,
}
impl NativeData for SequenceData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        for value in [&self.parts.begin, &self.parts.end, &self.parts.step, &self.receiver] {
            visit(value);
        }
        self.args.iter().for_each(&mut *visit);
        self.external.trace(visit);
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(SequenceData {
            parts: self.parts.clone(),
            receiver: self.receiver.clone(),
            method: self.method,
            args: self.args.clone(),
            keywords: self.keywords,
            external: Default::default(),
        }))
    }
}

static METHODS: &[MethodDef] = &[
    any("each", each),
    def("begin", begin, 0),
    def("end", end, 0),
    def("step", step, 0),
    def("exclude_end?", is_exclusive, 0),
    opt("first", first, 0, 1),
    opt("last", last, 0, 1),
    def("to_a", to_a, 0),
    def("size", size, 0),
    def("==", equal, 1),
    def("===", equal, 1),
    def("eql?", equal, 1),
    def("hash", hash, 0),
    def("inspect", inspect, 0),
];

/// Creates the sequence that the running native method returns for a receiver and arguments.
pub fn new_sequence(
    vm: &mut Vm,
    receiver: &Value,
    args: Args<'_>,
    begin: Value,
    end: Value,
    step: Value,
    exclusive: bool,
) -> Res {
    let method = vm.current_native_name().unwrap_or(sym::STEP);
    let data = SequenceData {
        parts: SequenceParts { begin, end, step, exclusive },
        receiver: receiver.clone(),
        method,
        args: args.pos.to_vec(),
        keywords: args.keywords,
        external: Default::default(),
    };
    Ok(Value::data(ClassId::ARITHMETIC_SEQUENCE, data))
}
pub fn sequence_parts(vm: &Vm, this: &Value) -> Option<SequenceParts> {
    vm.data::<SequenceData>(this).map(|data| data.parts.clone())
}
fn parts(vm: &mut Vm, this: &Value) -> Res<SequenceParts> {
    match sequence_parts(vm, this) {
        Some(parts) => Ok(parts),
        None => Err(vm.argument_error("uninitialized arithmetic sequence")),
    }
}
fn begin(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(parts(vm, this)?.begin)
}
fn end(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(parts(vm, this)?.end)
}
fn step(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(parts(vm, this)?.step)
}
fn is_exclusive(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(parts(vm, this)?.exclusive))
}
fn has_float(parts: &SequenceParts) -> bool {
    [&parts.begin, &parts.end, &parts.step].iter().any(|value| matches!(value, Value::Float(_)))
}
/// Visits the numbers until `visit` returns false.
fn walk(vm: &mut Vm, parts: &SequenceParts, visit: &mut dyn FnMut(&mut Vm, Value) -> Res<bool>) -> Res<()> {
    if has_float(parts) && !vm.is_a(&parts.step, ClassId::COMPLEX) {
        let (from, by) = (vm.to_f64(&parts.begin)?, vm.to_f64(&parts.step)?);
        let to = if parts.end.is_nil() {
            if by < 0.0 { f64::NEG_INFINITY } else { f64::INFINITY }
        } else {
            vm.to_f64(&parts.end)?
        };
        return float_step(vm, from, to, by, parts.exclusive, visit);
    }
    // without an end the direction does not matter, and the step may be a Complex
    let descending = !parts.end.is_nil() && vm.compare(&parts.step, &Value::Int(0))? == Ordering::Less;
    let mut at = parts.begin.clone();
    loop {
        if !parts.end.is_nil() {
            let order = vm.compare(&at, &parts.end)?;
            let order = if descending { order.reverse() } else { order };
            if order == Ordering::Greater || (order == Ordering::Equal && parts.exclusive) {
                return Ok(());
            }
        }
        vm.tick()?;
        if !visit(vm, at.clone())? {
            return Ok(());
        }
        at = match (&at, &parts.step) {
            (Value::Int(a), Value::Int(b)) => Value::i128(i128::from(*a) + i128::from(*b)),
            _ => vm.call(&at, sym::PLUS, std::slice::from_ref(&parts.step))?,
        };
    }
}
fn each(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Ok(this.clone()) };
    let parts = parts(vm, this)?;
    walk(vm, &parts, &mut |vm, value| {
        vm.yield1(block, value)?;
        Ok(true)
    })?;
    Ok(this.clone())
}
fn collected(vm: &mut Vm, parts: &SequenceParts, count: Option<usize>) -> Res<Vec<Value>> {
    let mut out = Vec::new();
    if count == Some(0) {
        return Ok(out);
    }
    if parts.begin.is_nil() {
        return Err(vm.type_error_of(&Value::Nil, "nil can't be coerced into Integer"));
    }
    walk(vm, parts, &mut |vm, value| {
        out.push(value);
        crate::core::enumerable::check_collected(vm, out.len())?;
        Ok(count.is_none_or(|count| out.len() < count))
    })?;
    Ok(out)
}
fn to_a(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let parts = parts(vm, this)?;
    Ok(Value::array(collected(vm, &parts, None)?))
}
fn first(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let parts = parts(vm, this)?;
    let Some(count) = args.get(0) else {
        if !parts.end.is_nil() && !parts.begin.is_nil() {
            let order = vm.compare(&parts.begin, &parts.end)?;
            let descending = vm.compare(&parts.step, &Value::Int(0))? == Ordering::Less;
            let order = if descending { order.reverse() } else { order };
            if order == Ordering::Greater || (order == Ordering::Equal && parts.exclusive) {
                return Ok(Value::Nil);
            }
        }
        return Ok(parts.begin);
    };
    let count = vm.to_int(count)?;
    let Ok(count) = usize::try_from(count) else { return Err(vm.argument_error("attempt to take negative size")) };
    Ok(Value::array(collected(vm, &parts, Some(count))?))
}
fn last(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let parts = parts(vm, this)?;
    if parts.end.is_nil() {
        return Err(vm.range_error("cannot get the last element of endless arithmetic sequence"));
    }
    if args.is_empty() {
        let count = count_of(vm, &parts)?;
        if matches!(count, Value::Int(0)) {
            return Ok(Value::Nil);
        }
        let before = vm.call(&count, sym::MINUS, &[Value::Int(1)])?;
        let distance = vm.call(&before, sym::STAR, std::slice::from_ref(&parts.step))?;
        let found = vm.call(&distance, sym::PLUS, std::slice::from_ref(&parts.begin))?;
        if has_float(&parts)
            && let (Value::Float(number), Ok(end), Ok(step)) = (&found, vm.to_f64(&parts.end), vm.to_f64(&parts.step))
            && if step >= 0.0 { end < number.get() } else { number.get() < end }
        {
            return Ok(Value::float(end));
        }
        return Ok(found);
    }
    let count = vm.to_int(args.at(0))?;
    let Ok(count) = usize::try_from(count) else { return Err(vm.argument_error("negative array size")) };
    let all = collected(vm, &parts, None)?;
    Ok(Value::array(all[all.len().saturating_sub(count)..].to_vec()))
}
fn count_of(vm: &mut Vm, parts: &SequenceParts) -> Res {
    if has_float(parts) {
        let (from, by) = (vm.to_f64(&parts.begin)?, vm.to_f64(&parts.step)?);
        let to = if parts.end.is_nil() {
            if by < 0.0 { f64::NEG_INFINITY } else { f64::INFINITY }
        } else {
            vm.to_f64(&parts.end)?
        };
        let count = float_step_count(from, to, by, parts.exclusive);
        return if count.is_infinite() { Ok(Value::float(count)) } else { vm.float_to_integer(count) };
    }
    if parts.end.is_nil() {
        return Ok(Value::float(f64::INFINITY));
    }
    interval_size(vm, &parts.begin, &parts.end, &parts.step, parts.exclusive)
}
fn size(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let parts = parts(vm, this)?;
    count_of(vm, &parts)
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(b) = sequence_parts(vm, args.at(0)) else { return Ok(Value::False) };
    let a = parts(vm, this)?;
    Ok(Value::bool(
        a.exclusive == b.exclusive
            && vm.eq(&a.begin, &b.begin)?
            && vm.eq(&a.end, &b.end)?
            && vm.eq(&a.step, &b.step)?,
    ))
}
fn hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let parts = parts(vm, this)?;
    let mut number = u64::from(parts.exclusive);
    for value in [&parts.begin, &parts.end, &parts.step] {
        number = crate::coerce::mix(number, vm.hash_shown(value)?);
    }
    Ok(Value::Int(number as i64))
}
/// `((1..10).step(2))`, `(1.step(10, 2))`
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let Some(data) = vm.data::<SequenceData>(this) else {
        return Ok(Value::str("#<Enumerator::ArithmeticSequence: uninitialized>"));
    };
    let (receiver, method, args, keywords) = (data.receiver.clone(), data.method, data.args.clone(), data.keywords);
    let shown = vm.to_s_text(&receiver)?;
    let shown = if matches!(receiver, Value::Range(_)) { format!("({shown})") } else { shown };
    let mut words = Vec::new();
    for (index, arg) in args.iter().enumerate() {
        match arg {
            Value::Hash(hash) if keywords && index + 1 == args.len() => {
                let pairs: Vec<_> = hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
                for (key, value) in pairs {
                    let (key, value) = (vm.to_s_text(&key)?, vm.to_s_text(&value)?);
                    words.push(format!("{key}: {value}"));
                }
            }
            _ => words.push(vm.inspect(arg)?),
        }
    }
    let words = if words.is_empty() { String::new() } else { format!("({})", words.join(", ")) };
    Ok(Value::str(format!("({shown}.{method}{words})")))
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_methods(ClassId::ARITHMETIC_SEQUENCE, METHODS);
    vm.undefine_new(ClassId::ARITHMETIC_SEQUENCE);
    vm.class_mut(ClassId::ARITHMETIC_SEQUENCE).allocator =
        Some(|vm, _| Err(vm.type_error("allocator undefined for Enumerator::ArithmeticSequence")));
}
