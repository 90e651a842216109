//! Range: each, step, first, last, min, max, size, count, bsearch.

use super::steps::{float_step, interval_size, is_integer};
use super::{order, parts};
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::array::order::{Step, search_step};
use crate::core::natives::{name, no_block};
use crate::core::{enumerable, enumerator};
use crate::error::Res;
use crate::frame::Block;
use crate::method::{MethodDef, def, opt};
use crate::value::Value;
use num_bigint::BigInt;
use rchef_syntax::symbol::sym;
use std::cmp::Ordering;

pub(super) static METHODS: &[MethodDef] = &[
    def("each", each, 0),
    def("to_a", to_a, 0),
    def("entries", to_a, 0),
    opt("first", first, 0, 1),
    opt("last", last, 0, 1),
    opt("min", min, 0, 1),
    opt("max", max, 0, 1),
    def("minmax", minmax, 0),
    def("size", size, 0),
    opt("count", count, 0, 1),
    opt("step", step, 0, 1),
    def("%", step, 1),
    def("bsearch", bsearch, 0),
];

fn succ(vm: &mut Vm, value: &Value) -> Res {
    match value {
        Value::Int(number) => Ok(Value::i128(i128::from(*number) + 1)),
        _ => vm.call(value, sym::SUCC, &[]),
    }
}
/// Iterates over the elements until `step` returns false.
fn walk(vm: &mut Vm, this: &Value, step: &mut dyn FnMut(&mut Vm, Value) -> Res<bool>) -> Res<()> {
    let (begin, end, exclusive) = parts(vm, this)?;
    match (&begin, &end) {
        (Value::Int(from), Value::Int(to)) => {
            for at in integers(*from, *to, exclusive) {
                vm.tick_by(1)?;
                if !step(vm, Value::Int(at))? {
                    break;
                }
            }
            return Ok(());
        }
        (Value::Sym(from), Value::Sym(to)) => {
            let (from, to) = (Value::bytes(from.as_bytes()), Value::bytes(to.as_bytes()));
            for text in strings(vm, &from, &to, exclusive)? {
                let symbol = Value::Sym(vm.to_name(&text)?);
                if !step(vm, symbol)? {
                    break;
                }
            }
            return Ok(());
        }
        _ => {}
    }
    let begin = match vm.check_str(&begin)? {
        Some(text) if !end.is_nil() => {
            for text in strings(vm, &Value::Str(text), &end, exclusive)? {
                if !step(vm, text)? {
                    break;
                }
            }
            return Ok(());
        }
        Some(text) => Value::Str(text),
        None => begin,
    };
    if !vm.respond_to(&begin, sym::SUCC, false)? {
        let class = vm.class_name_of(&begin);
        return Err(vm.type_error(format!("can't iterate from {class}")));
    }
    let mut at = begin;
    if end.is_nil() {
        while step(vm, at.clone())? {
            vm.tick()?;
            at = succ(vm, &at)?;
        }
        return Ok(());
    }
    loop {
        match order(vm, &at, &end)? {
            Some(Ordering::Less) => {}
            Some(Ordering::Equal) if !exclusive => {
                step(vm, at)?;
                return Ok(());
            }
            _ => return Ok(()),
        }
        vm.tick_by(1)?;
        if !step(vm, at.clone())? {
            return Ok(());
        }
        at = succ(vm, &at)?;
    }
}
/// The Integers from one to another.
fn integers(from: i64, to: i64, exclusive: bool) -> std::ops::RangeInclusive<i64> {
    match to.checked_sub(exclusive.into()) {
        Some(last) => from..=last,
        // below the smallest: none
        None => i64::MAX..=to,
    }
}
/// The Strings from one to another, as in String#upto.
fn strings(vm: &mut Vm, from: &Value, to: &Value, exclusive: bool) -> Res<Vec<Value>> {
    let found = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let out = found.clone();
    vm.iterate(from, name("upto"), &[to.clone(), Value::bool(exclusive)], move |vm, args| {
        vm.tick_by(1)?;
        out.borrow_mut().push(args.at(0).clone());
        Ok(true)
    })?;
    let list = std::mem::take(&mut *found.borrow_mut());
    Ok(list)
}
fn each(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let (begin, end, exclusive) = parts(vm, this)?;
    if let (Value::Int(from), Value::Int(to)) = (&begin, &end) {
        for at in integers(*from, *to, exclusive) {
            vm.tick_by(1)?;
            vm.yield1(block, Value::Int(at))?;
        }
        return Ok(this.clone());
    }
    if let (Value::Str(_), Value::Str(_)) = (&begin, &end) {
        vm.call_args(&begin, name("upto"), Args::new(&[end, Value::bool(exclusive)]).with_block(Some(block)))?;
        return Ok(this.clone());
    }
    walk(vm, this, &mut |vm, value| {
        vm.yield1(block, value)?;
        Ok(true)
    })?;
    Ok(this.clone())
}
fn to_a(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (begin, end, exclusive) = parts(vm, this)?;
    if end.is_nil() {
        return Err(vm.range_error("cannot convert endless range to an array"));
    }
    if let (Value::Int(from), Value::Int(to)) = (&begin, &end)
        && enumerable::core_each(vm, this, ClassId::RANGE)
    {
        let count = (i128::from(*to) - i128::from(*from) + i128::from(!exclusive)).max(0);
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        crate::core::natives::check_room(vm, count)?;
        return Ok(Value::array((0..count).map(|at| Value::Int(from + at)).collect()));
    }
    Ok(Value::array(enumerable::collect(vm, this, Args::none())?))
}
fn first(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (begin, ..) = parts(vm, this)?;
    if begin.is_nil() {
        return Err(vm.range_error("cannot get the first element of beginless range"));
    }
    let Some(count) = args.get(0) else { return Ok(begin) };
    let count = vm.to_int(count)?;
    let Ok(count) = usize::try_from(count) else {
        return Err(vm.argument_error("negative array size (or size too big)"));
    };
    if count == 0 && !vm.respond_to(&begin, sym::SUCC, false)? {
        let class = vm.class_name_of(&begin);
        return Err(vm.type_error(format!("can't iterate from {class}")));
    }
    Ok(Value::array(enumerable::take_first(vm, this, count)?))
}
fn last(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (begin, end, exclusive) = parts(vm, this)?;
    if end.is_nil() {
        return Err(vm.range_error("cannot get the last element of endless range"));
    }
    let Some(count) = args.get(0) else { return Ok(end) };
    if let (Value::Int(from), Value::Int(to)) = (&begin, &end) {
        let count = vm.to_int(count)?;
        if count < 0 {
            return Err(vm.argument_error("negative array size"));
        }
        let to = if exclusive { *to } else { to.saturating_add(1) };
        let from = (*from).max(to.saturating_sub(count));
        crate::core::natives::check_room(vm, to.saturating_sub(from))?;
        return Ok(Value::array((from..to).map(Value::Int).collect()));
    }
    let all = to_a(vm, this, Args::none())?;
    vm.call(&all, sym::LAST, std::slice::from_ref(count))
}
fn enumerable_method(vm: &mut Vm, this: &Value, method: &'static str, args: Args<'_>) -> Res {
    match vm.find_method(ClassId::ENUMERABLE, name(method)) {
        Some(id) => vm.invoke(id, this, name(method), args),
        None => Ok(Value::Nil),
    }
}
fn min(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (begin, end, exclusive) = parts(vm, this)?;
    if begin.is_nil() {
        return Err(vm.range_error("cannot get the minimum of beginless range"));
    }
    if args.block.is_some() {
        if end.is_nil() {
            return Err(vm.range_error("cannot get the minimum of endless range with custom comparison method"));
        }
        return enumerable_method(vm, this, "min", args);
    }
    if !args.is_empty() {
        return first(vm, this, args);
    }
    if end.is_nil() {
        return Ok(begin);
    }
    let empty = match vm.compare(&begin, &end)? {
        Ordering::Greater => true,
        Ordering::Equal => exclusive,
        Ordering::Less => false,
    };
    Ok(if empty { Value::Nil } else { begin })
}
fn max(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (begin, end, exclusive) = parts(vm, this)?;
    if end.is_nil() {
        return Err(vm.range_error("cannot get the maximum of endless range"));
    }
    let numeric = vm.is_a(&end, ClassId::NUMERIC);
    if args.block.is_some() || (exclusive && !numeric) || !args.is_empty() {
        if begin.is_nil() {
            return Err(vm.range_error("cannot get the maximum of beginless range with custom comparison method"));
        }
        return enumerable_method(vm, this, "max", args);
    }
    let order = if begin.is_nil() { Ordering::Less } else { vm.compare(&begin, &end)? };
    if order == Ordering::Greater {
        return Ok(Value::Nil);
    }
    if exclusive {
        if !is_integer(&end) {
            return Err(vm.type_error("cannot exclude non Integer end value"));
        }
        if order == Ordering::Equal {
            return Ok(Value::Nil);
        }
        if !is_integer(&begin) {
            return Err(vm.type_error("cannot exclude end value with non Integer begin value"));
        }
        return vm.call(&end, sym::MINUS, &[Value::Int(1)]);
    }
    Ok(end)
}
fn minmax(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_some() {
        return enumerable_method(vm, this, "minmax", args);
    }
    let (begin, end, _) = parts(vm, this)?;
    if begin.is_nil() && end.is_nil() {
        return Err(vm.range_error("cannot get the maximum of endless range"));
    }
    let (least, greatest) = (vm.call(this, sym::MIN, &[])?, vm.call(this, sym::MAX, &[])?);
    Ok(Value::array(vec![least, greatest]))
}

fn size(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (begin, end, exclusive) = parts(vm, this)?;
    let (first, last) = (vm.is_a(&begin, ClassId::NUMERIC), vm.is_a(&end, ClassId::NUMERIC));
    if first && last {
        return interval_size(vm, &begin, &end, &Value::Int(1), exclusive);
    }
    if (first && end.is_nil()) || (begin.is_nil() && (last || end.is_nil())) {
        return Ok(Value::float(f64::INFINITY));
    }
    Ok(Value::Nil)
}
fn count(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.is_empty() && args.block.is_none() {
        let (begin, end, _) = parts(vm, this)?;
        if begin.is_nil() || end.is_nil() {
            return Ok(Value::float(f64::INFINITY));
        }
        if is_integer(&begin) && is_integer(&end) {
            return size(vm, this, args);
        }
    }
    enumerable_method(vm, this, "count", args)
}
/// Range#step and Range#%
fn step(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (begin, end, exclusive) = parts(vm, this)?;
    let unit = args.get(0).cloned().unwrap_or(Value::Int(1));
    let Some(block) = args.block else {
        let (first, last) = (vm.is_a(&begin, ClassId::NUMERIC), vm.is_a(&end, ClassId::NUMERIC));
        if (first && (end.is_nil() || last)) || (begin.is_nil() && last) {
            if !vm.is_a(&unit, ClassId::NUMERIC) {
                let unit = vm.implicit_integer(&unit)?;
                check_step(vm, &unit, false)?;
                return enumerator::new_sequence(vm, this, args, begin, end, unit, exclusive);
            }
            if vm.eq(&unit, &Value::Int(0))? {
                return Err(vm.argument_error("step can't be 0"));
            }
            return enumerator::new_sequence(vm, this, args, begin, end, unit, exclusive);
        }
        if !args.is_empty() {
            let unit = vm.implicit_integer(&unit)?;
            let unit = vm.to_int(&unit)?;
            if unit == 0 {
                return Err(vm.argument_error("step can't be 0"));
            }
        }
        return no_block(vm, this, args);
    };
    let unit = if vm.is_a(&unit, ClassId::NUMERIC) { unit } else { vm.implicit_integer(&unit)? };
    check_step(vm, &unit, true)?;
    step_each(vm, this, (begin, end, exclusive), &unit, block)?;
    Ok(this.clone())
}
/// Whether an object is none of the core's numbers and has `to_int`.
fn like_integer(vm: &mut Vm, value: &Value) -> Res<bool> {
    Ok(matches!(value, Value::Object(_))
        && matches!(vm.try_convert(value, sym::TO_INT)?, Some(found) if is_integer(&found)))
}
/// Steps through objects that are like Integers, with their own `<=` (`<`), `+` and `*`.
fn stepped_by_operators(
    vm: &mut Vm,
    (begin, end, exclusive): (Value, Value, bool),
    unit: &Value,
    block: Block<'_>,
) -> Res<()> {
    let within = if exclusive { sym::LT } else { sym::LE };
    let (mut at, mut count) = (begin.clone(), 0);
    while vm.call(&at, within, std::slice::from_ref(&end))?.truthy() {
        vm.yield1(block, at)?;
        count += 1;
        let distance = vm.call(&Value::Int(count), sym::STAR, std::slice::from_ref(unit))?;
        at = vm.call(&begin, sym::PLUS, &[distance])?;
    }
    Ok(())
}
fn check_step(vm: &mut Vm, unit: &Value, negative: bool) -> Res<()> {
    match vm.compare(unit, &Value::Int(0))? {
        Ordering::Equal => Err(vm.argument_error("step can't be 0")),
        Ordering::Less if negative => Err(vm.argument_error("step can't be negative")),
        _ => Ok(()),
    }
}
fn step_each(
    vm: &mut Vm,
    this: &Value,
    (begin, end, exclusive): (Value, Value, bool),
    unit: &Value,
    block: Block<'_>,
) -> Res<()> {
    let float = |value: &Value| matches!(value, Value::Float(_));
    let first = vm.is_a(&begin, ClassId::NUMERIC);
    if float(&begin) || float(&end) || float(unit) {
        let (from, by) = (vm.to_f64(&begin)?, vm.to_f64(unit)?);
        let to = if end.is_nil() { f64::INFINITY } else { vm.to_f64(&end)? };
        return float_step(vm, from, to, by, exclusive, &mut |vm, value| {
            vm.yield1(block, value)?;
            Ok(true)
        });
    }
    let last = if let Value::Int(last) = end { Some(last) } else { None };
    if first && (end.is_nil() || matches!((&begin, unit, last), (Value::Int(_), Value::Int(_), Some(_)))) {
        let mut at = begin;
        loop {
            if let Some(last) = last
                && !matches!(at, Value::Int(at) if at < last || (at == last && !exclusive))
            {
                return Ok(());
            }
            vm.yield1(block, at.clone())?;
            at = match (&at, unit) {
                (Value::Int(a), Value::Int(b)) => Value::i128(i128::from(*a) + i128::from(*b)),
                _ => vm.call(&at, sym::PLUS, std::slice::from_ref(unit))?,
            };
        }
    }
    if first || like_integer(vm, &begin)? || like_integer(vm, &end)? {
        return stepped_by_operators(vm, (begin, end, exclusive), unit, block);
    }
    let every = vm.to_int(unit)?;
    let mut left = 0;
    let mut visit = |vm: &mut Vm, value: Value| {
        if left == 0 {
            left = every;
            vm.yield1(block, value)?;
        }
        left -= 1;
        Ok(true)
    };
    if let (Value::Str(_), Value::Str(_)) = (&begin, &end) {
        for text in strings(vm, &begin, &end, exclusive)? {
            visit(vm, text)?;
        }
        return Ok(());
    }
    walk(vm, this, &mut visit)
}

/// Range#bsearch for Integers of any size and for Floats.
fn bsearch(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (begin, end, exclusive) = parts(vm, this)?;
    let float = |value: &Value| matches!(value, Value::Float(_));
    let numeric = |value: &Value| float(value) || is_integer(value);
    let mixed = float(&begin) && vm.is_a(&end, ClassId::NUMERIC) || float(&end) && vm.is_a(&begin, ClassId::NUMERIC);
    if !(mixed || numeric(&begin) && (numeric(&end) || end.is_nil()) || begin.is_nil() && numeric(&end)) {
        let class = vm.class_name_of(&begin);
        return Err(vm.type_error(format!("can't do binary search for {class}")));
    }
    let Some(block) = args.block else { return no_block(vm, this, args) };
    if float(&begin) || float(&end) {
        let low = if begin.is_nil() { f64::NEG_INFINITY } else { vm.to_f64(&begin)? };
        let high = if end.is_nil() { f64::INFINITY } else { vm.to_f64(&end)? };
        return bsearch_float(vm, low, high, exclusive, block);
    }
    match (is_integer(&begin), is_integer(&end)) {
        (true, true) => {
            let (low, high) = (vm.to_bigint(&begin)?, vm.to_bigint(&end)?);
            bsearch_integer(vm, low, if exclusive { high } else { high + 1 }, block).map(Option::unwrap_or_default)
        }
        (true, false) if end.is_nil() => bsearch_open(vm, &begin, true, block),
        (false, true) if begin.is_nil() => bsearch_open(vm, &end, false, block),
        _ => {
            let class = vm.class_name_of(&begin);
            Err(vm.type_error(format!("can't do binary search for {class}")))
        }
    }
}
fn bsearch_integer(vm: &mut Vm, mut low: BigInt, mut high: BigInt, block: Block<'_>) -> Res<Option<Value>> {
    let mut found = None;
    while low < high {
        let middle = num_integer::Integer::div_floor(&(&low + &high), &BigInt::from(2));
        let value = Value::big(middle.clone());
        let answer = vm.yield1(block, value.clone())?;
        match search_step(vm, &answer)? {
            Step::Found => return Ok(Some(value)),
            Step::Candidate => {
                found = Some(value);
                high = middle;
            }
            Step::Left => high = middle,
            Step::Right => low = middle + 1,
        }
    }
    Ok(found)
}
/// Searches an endless or beginless Range in parts of increasing size.
fn bsearch_open(vm: &mut Vm, known: &Value, upwards: bool, block: Block<'_>) -> Res {
    let origin = vm.to_bigint(known)?;
    let mut width = BigInt::from(1);
    loop {
        let probe = if upwards { &origin + &width } else { &origin - &width };
        let answer = vm.yield1(block, Value::big(probe.clone()))?;
        let inside = match search_step(vm, &answer)? {
            Step::Found => return Ok(Value::big(probe)),
            Step::Candidate | Step::Left => upwards,
            Step::Right => !upwards,
        };
        if inside {
            let (low, high) = if upwards { (origin, probe + 1) } else { (probe, origin + 1) };
            return bsearch_integer(vm, low, high, block).map(Option::unwrap_or_default);
        }
        width *= 2;
    }
}
fn bsearch_float(vm: &mut Vm, low: f64, high: f64, exclusive: bool, block: Block<'_>) -> Res {
    // Floats are ordered by their bits
    let rank = |number: f64| {
        let bits = (if number == 0.0 { 0.0 } else { number }).to_bits() as i64;
        if bits < 0 { -(bits & i64::MAX) } else { bits }
    };
    let number = |rank: i64| if rank < 0 { -f64::from_bits((-rank) as u64) } else { f64::from_bits(rank as u64) };
    let (mut from, mut to) = (rank(low), rank(high));
    if !exclusive {
        to += 1;
    }
    let mut found = Value::Nil;
    while from < to {
        let middle = ((i128::from(from) + i128::from(to)).div_euclid(2)) as i64;
        let value = Value::float(number(middle));
        let answer = vm.yield1(block, value.clone())?;
        match search_step(vm, &answer)? {
            Step::Found => return Ok(value),
            Step::Candidate => {
                found = value;
                to = middle;
            }
            Step::Left => to = middle,
            Step::Right => from = middle + 1,
        }
    }
    Ok(found)
}
