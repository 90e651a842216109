//! Range: creation, comparison, predicates. Iteration is in `walk`.

pub mod bounds;
pub(crate) mod steps;
mod walk;

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::natives::{name, paired};
use crate::error::Res;
use crate::heap::{FROZEN, Gc};
use crate::method::{MethodDef, def, opt};
use crate::string::RString;
use crate::value::{RRange, Value};
use rchef_syntax::symbol::sym;

pub(crate) use steps::{float_step, float_step_count, interval_size};

static METHODS: &[MethodDef] = &[
    opt("initialize", initialize, 2, 3).private(),
    def("initialize_copy", initialize_copy, 1).private(),
    def("begin", begin, 0),
    def("end", end, 0),
    def("exclude_end?", is_exclusive, 0),
    def("==", equal, 1),
    def("eql?", eql, 1),
    def("hash", hash, 0),
    def("to_s", to_s, 0),
    def("inspect", inspect, 0),
    def("===", case_equal, 1),
    def("cover?", is_covered, 1),
    def("include?", is_included, 1),
    def("member?", is_included, 1),
];

/// Creates a Range; ArgumentError if its ends cannot be compared.
pub fn new_range(vm: &mut Vm, begin: Value, end: Value, exclusive: bool) -> Res {
    check_ends(vm, &begin, &end)?;
    Ok(Value::range(begin, end, exclusive))
}
fn check_ends(vm: &mut Vm, begin: &Value, end: &Value) -> Res<()> {
    let fine = matches!((begin, end), (Value::Int(_), Value::Int(_)) | (Value::Nil, _) | (_, Value::Nil))
        || !vm.call(begin, sym::CMP, std::slice::from_ref(end))?.is_nil();
    if fine { Ok(()) } else { Err(vm.argument_error("bad value for range")) }
}

/// The receiver.
pub(crate) fn this_range<'a>(vm: &mut Vm, this: &'a Value) -> Res<&'a Gc<RRange>> {
    match this {
        Value::Range(gc) => Ok(gc),
        _ => Err(vm.type_error("wrong argument type (expected Range)")),
    }
}
/// Begin, end, exclusive.
pub(crate) fn parts(vm: &mut Vm, this: &Value) -> Res<(Value, Value, bool)> {
    let data = this_range(vm, this)?.get(vm);
    Ok((data.begin.clone(), data.end.clone(), data.exclusive))
}

/// An error if the Range has been initialized.
fn check_changeable(vm: &mut Vm, this: &Value) -> Res<()> {
    let range = this_range(vm, this)?;
    if !range.frozen() {
        return Ok(());
    }
    let shown = vm.class_name_of(this);
    let message = format!("can't modify frozen {shown}: {}", vm.inspect(this)?);
    Err(match range.class() {
        ClassId::RANGE => vm.error(ClassId::FROZEN_ERROR, message),
        _ => vm.name_error("`initialize' called twice", this, sym::INITIALIZE),
    })
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    check_changeable(vm, this)?;
    let range = this_range(vm, this)?;
    check_ends(vm, args.at(0), args.at(1))?;
    let data = range.get_mut(vm);
    *data = RRange { begin: args.at(0).clone(), end: args.at(1).clone(), exclusive: args.at(2).truthy() };
    if range.class() == ClassId::RANGE {
        range.set_flag(FROZEN, true);
    }
    Ok(Value::Nil)
}
/// A Range of a class, without a call of its `initialize`.
pub(crate) fn of_class(vm: &mut Vm, class: ClassId, begin: Value, end: Value, exclusive: bool) -> Res {
    check_ends(vm, &begin, &end)?;
    let made = Gc::new(class, RRange { begin, end, exclusive });
    made.set_flag(FROZEN, class == ClassId::RANGE);
    Ok(Value::Range(made))
}
fn initialize_copy(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    check_changeable(vm, this)?;
    let (begin, end, exclusive) = parts(vm, args.at(0))?;
    *this_range(vm, this)?.get_mut(vm) = RRange { begin, end, exclusive };
    Ok(this.clone())
}
fn begin(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(parts(vm, this)?.0)
}
fn end(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(parts(vm, this)?.1)
}
fn is_exclusive(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(parts(vm, this)?.2))
}
fn same_parts(vm: &mut Vm, this: &Value, other: &Value, agree: fn(&mut Vm, &Value, &Value) -> Res<bool>) -> Res {
    if this.same(other) {
        return Ok(Value::True);
    }
    if !matches!(other, Value::Range(_)) {
        return Ok(Value::False);
    }
    let (a, b) = (parts(vm, this)?, parts(vm, other)?);
    let answer = paired(vm, this, other, |vm| Ok(a.2 == b.2 && agree(vm, &a.0, &b.0)? && agree(vm, &a.1, &b.1)?))?;
    Ok(Value::bool(answer.unwrap_or(true)))
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    same_parts(vm, this, args.at(0), Vm::eq)
}
fn eql(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    same_parts(vm, this, args.at(0), Vm::eql)
}
fn hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (begin, end, exclusive) = parts(vm, this)?;
    let number = crate::coerce::mix(u64::from(exclusive) + 9, vm.hash_shown(&begin)?);
    Ok(Value::Int(crate::coerce::mix(number, vm.hash_shown(&end)?) as i64))
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (begin, end, exclusive) = parts(vm, this)?;
    let (begin, end) = (vm.to_s(&begin)?, vm.to_s(&end)?);
    shown(vm, &begin, &end, exclusive)
}
fn shown(vm: &mut Vm, begin: &Gc<RString>, end: &Gc<RString>, exclusive: bool) -> Res {
    let mut out = begin.get(vm).clone();
    out.push_bytes(if exclusive { b"..." } else { b".." }, None);
    vm.append(&mut out, end)?;
    Ok(Value::string(out))
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (begin, end, exclusive) = parts(vm, this)?;
    let text = crate::core::natives::once(vm, this, |vm| {
        let empty = Gc::new(ClassId::STRING, RString::utf8(Vec::new()));
        let both = begin.is_nil() && end.is_nil();
        let first = if begin.is_nil() && !both { empty.clone() } else { vm.inspect_str(&begin)? };
        let last = if end.is_nil() && !both {
            empty
        } else if both {
            vm.inspect_str(&Value::Nil)?
        } else {
            vm.inspect_str(&end)?
        };
        shown(vm, &first, &last, exclusive)
    })?;
    Ok(text.unwrap_or_else(|| Value::str(if exclusive { "(... ... ...)" } else { "(... .. ...)" })))
}

/// `<=>`; None if the values cannot be compared.
pub(crate) fn order(vm: &mut Vm, a: &Value, b: &Value) -> Res<Option<std::cmp::Ordering>> {
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        return Ok(Some(a.cmp(b)));
    }
    let answer = vm.call(a, sym::CMP, std::slice::from_ref(b))?;
    if answer.is_nil() {
        return Ok(None);
    }
    vm.ordering(&answer, a, b).map(Some)
}
/// Whether a value is between the ends, compared with `<=>`.
pub(crate) fn covers(vm: &mut Vm, begin: &Value, end: &Value, exclusive: bool, value: &Value) -> Res<bool> {
    if !begin.is_nil() && !matches!(order(vm, begin, value)?, Some(order) if order.is_le()) {
        return Ok(false);
    }
    if end.is_nil() {
        return Ok(true);
    }
    Ok(matches!(order(vm, value, end)?, Some(order) if if exclusive { order.is_lt() } else { order.is_le() }))
}
fn case_equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (begin, end, exclusive) = parts(vm, this)?;
    let value = args.at(0).clone();
    Ok(Value::bool(covers(vm, &begin, &end, exclusive, &value)?))
}
/// Range#cover? for a value or another Range.
fn is_covered(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (begin, end, exclusive) = parts(vm, this)?;
    let Value::Range(_) = args.at(0) else {
        return Ok(Value::bool(covers(vm, &begin, &end, exclusive, args.at(0))?));
    };
    Ok(Value::bool(covers_range(vm, this, args.at(0))?))
}
fn covers_range(vm: &mut Vm, this: &Value, other: &Value) -> Res<bool> {
    let (begin, end, exclusive) = parts(vm, this)?;
    let (from, to, to_exclusive) = parts(vm, other)?;
    if !end.is_nil() && to.is_nil() || !begin.is_nil() && from.is_nil() {
        return Ok(false);
    }
    if !from.is_nil()
        && !to.is_nil()
        && !matches!(order(vm, &from, &to)?, Some(order) if if to_exclusive { order.is_lt() } else { order.is_le() })
    {
        return Ok(false);
    }
    if !from.is_nil() && !covers(vm, &begin, &end, exclusive, &from)? {
        return Ok(false);
    }
    // ends that cannot be compared (nil) count as greater, as in MRI
    let ends = order(vm, &end, &to)?.unwrap_or(std::cmp::Ordering::Greater);
    if exclusive == to_exclusive {
        return Ok(ends.is_ge());
    }
    if exclusive {
        return Ok(ends.is_gt());
    }
    if ends.is_ge() {
        return Ok(true);
    }
    // (1..3).cover?(1...4): compare the greatest element
    let greatest = vm.rescue(ClassId::STANDARD_ERROR, |vm| vm.call(other, sym::MAX, &[]), |_, _| Ok(Value::Nil))?;
    Ok(!greatest.is_nil() && matches!(order(vm, &end, &greatest)?, Some(order) if order.is_ge()))
}
/// Range#include?: by comparison for numbers and times, otherwise by iteration.
fn is_included(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (begin, end, exclusive) = parts(vm, this)?;
    let value = args.at(0);
    let linear = |vm: &Vm, value: &Value| vm.is_a(value, ClassId::NUMERIC) || vm.is_a(value, ClassId::TIME);
    if linear(vm, &begin) || linear(vm, &end) || has_integer(vm, &begin)? || has_integer(vm, &end)? {
        return Ok(Value::bool(covers(vm, &begin, &end, exclusive, value)?));
    }
    if let (Value::Str(_), Value::Str(_)) = (&begin, &end) {
        let Some(text) = vm.check_str(value)? else { return Ok(Value::False) };
        return string_included(vm, &begin, &end, exclusive, &Value::Str(text));
    }
    // text without one of the ends is compared, anything else is iterated over
    match (&begin, &end) {
        (Value::Nil, Value::Str(_)) | (Value::Str(_), Value::Nil) => {
            return Ok(Value::bool(covers(vm, &begin, &end, exclusive, value)?));
        }
        (Value::Nil, _) => return Err(vm.type_error("can't iterate from NilClass")),
        _ => {}
    }
    let wanted = value.clone();
    let found = crate::core::enumerable::drive(vm, this, Args::none(), false, move |vm, found, _, args| {
        *found = vm.eq(&crate::core::enumerable::packed(args), &wanted)?;
        Ok(!*found)
    })?;
    Ok(Value::bool(found))
}
/// Whether `to_int` makes an Integer of it.
fn has_integer(vm: &mut Vm, value: &Value) -> Res<bool> {
    Ok(matches!(vm.try_convert(value, sym::TO_INT)?, Some(Value::Int(_) | Value::Big(_))))
}
fn string_included(vm: &mut Vm, begin: &Value, end: &Value, exclusive: bool, value: &Value) -> Res {
    if let (Value::Str(a), Value::Str(b), Value::Str(v)) = (begin, end, value)
        && let ([a], [b], v) = (a.get(vm).bytes(), b.get(vm).bytes(), v.get(vm).bytes())
        && a.is_ascii()
        && b.is_ascii()
    {
        return Ok(Value::bool(matches!(v, [v] if v.is_ascii() && a <= v && (v < b || v == b && !exclusive))));
    }
    let wanted = value.clone();
    let found = std::rc::Rc::new(std::cell::Cell::new(false));
    let hit = found.clone();
    vm.iterate(begin, name("upto"), &[end.clone(), Value::bool(exclusive)], move |vm, args| {
        hit.set(vm.eq(args.at(0), &wanted)?);
        Ok(!hit.get())
    })?;
    Ok(Value::bool(found.get()))
}

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::RANGE).allocator = Some(|_, class| {
        Ok(Value::Range(Gc::new(class, RRange { begin: Value::Nil, end: Value::Nil, exclusive: false })))
    });
    vm.include_module(ClassId::RANGE, ClassId::ENUMERABLE);
    vm.define_methods(ClassId::RANGE, METHODS);
    vm.define_methods(ClassId::RANGE, walk::METHODS);
}
