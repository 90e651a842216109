//! Numeric, and what all numbers share: the coerce protocol, exact comparison of Integer and Float, errors.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::natives::{itself, no, yes};
use crate::error::{Error, Res};
use crate::method::{MethodDef, def, opt};
use crate::value::Value;
use num_bigint::BigInt;
use num_traits::FromPrimitive;
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;
use rchef_text::number::{HalfMode, Int, big_to_f64, half_mode};
use std::cmp::Ordering;

static METHODS: &[MethodDef] = &[
    def("+@", itself, 0),
    def("-@", negate, 0),
    def("<=>", compare, 1),
    def("%", modulo, 1),
    def("modulo", modulo, 1),
    def("remainder", remainder, 1),
    def("div", div, 1),
    def("divmod", divmod, 1),
    def("fdiv", fdiv, 1),
    def("quo", quo, 1),
    def("abs", abs, 0),
    def("magnitude", abs, 0),
    def("abs2", abs2, 0),
    def("angle", arg, 0),
    def("arg", arg, 0),
    def("phase", arg, 0),
    opt("ceil", ceil, 0, 1),
    opt("floor", floor, 0, 1),
    opt("round", round, 0, 2),
    opt("truncate", truncate, 0, 1),
    opt("clone", clone, 0, 1),
    def("dup", itself, 0),
    def("coerce", coerce, 1),
    def("conj", itself, 0),
    def("conjugate", itself, 0),
    def("denominator", denominator, 0),
    def("numerator", numerator, 0),
    def("eql?", eql, 1),
    def("finite?", yes, 0),
    def("infinite?", nil, 0),
    def("i", to_imaginary, 0),
    def("imag", zero_part, 0),
    def("imaginary", zero_part, 0),
    def("real", itself, 0),
    def("real?", yes, 0),
    def("rect", rect, 0),
    def("rectangular", rect, 0),
    def("polar", polar, 0),
    def("integer?", no, 0),
    def("negative?", is_negative, 0),
    def("positive?", is_positive, 0),
    def("zero?", is_zero, 0),
    def("nonzero?", nonzero, 0),
    opt("step", super::step::step, 0, 3),
    def("to_c", to_c, 0),
    def("to_int", to_int, 0),
    def("singleton_method_added", singleton_method_added, 1),
];

/// Calls a binary operator, with a fast path for Integers and Floats.
#[inline]
pub fn op(vm: &mut Vm, a: &Value, name: Symbol, b: &Value) -> Res {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) if name == sym::PLUS => return Ok(Value::i128(i128::from(*x) + i128::from(*y))),
        (Value::Int(x), Value::Int(y)) if name == sym::MINUS => {
            return Ok(Value::i128(i128::from(*x) - i128::from(*y)));
        }
        (Value::Int(x), Value::Int(y)) if name == sym::STAR => return Ok(Value::i128(i128::from(*x) * i128::from(*y))),
        _ => {}
    }
    vm.call(a, name, std::slice::from_ref(b))
}

#[cold]
pub fn zero_division(vm: &mut Vm) -> Error {
    vm.error(ClassId::ZERO_DIVISION_ERROR, "divided by 0")
}

/// The operand in messages of failed coercions: special constants by `inspect`, others by class.
fn operand_name(vm: &mut Vm, value: &Value) -> Res<String> {
    match value {
        Value::Nil | Value::True | Value::False | Value::Int(_) | Value::Float(_) | Value::Sym(_) => vm.inspect(value),
        _ => Ok(vm.class_name_of(value)),
    }
}

/// TypeError: X can't be coerced into Y.
#[cold]
pub fn coerce_failed(vm: &mut Vm, this: &Value, other: &Value) -> Error {
    match operand_name(vm, other) {
        Ok(name) => {
            let class = vm.class_name_of(this);
            vm.type_error_of(other, format!("{name} can't be coerced into {class}"))
        }
        Err(error) => error,
    }
}

/// `other.coerce(this)`; None if that is not possible (without `strict`).
fn do_coerce(vm: &mut Vm, this: &Value, other: &Value, strict: bool) -> Res<Option<(Value, Value)>> {
    if !vm.respond_to(other, sym::COERCE, true)? {
        return if strict { Err(coerce_failed(vm, this, other)) } else { Ok(None) };
    }
    let pair = vm.call(other, sym::COERCE, std::slice::from_ref(this))?;
    if !strict && pair.is_nil() {
        return Ok(None);
    }
    if let Value::Array(array) = &pair
        && let [a, b] = array.get(vm).items.as_slice()
    {
        return Ok(Some((a.clone(), b.clone())));
    }
    Err(vm.type_error("coerce must return [x, y]"))
}

/// An arithmetic operator with an operand to be coerced.
pub fn coerce_bin(vm: &mut Vm, this: &Value, other: &Value, name: Symbol) -> Res {
    match do_coerce(vm, this, other, true)? {
        Some((a, b)) => vm.call(&a, name, &[b]),
        None => Ok(Value::Nil),
    }
}
/// A bitwise operator with an operand to be coerced, which cannot be a Float.
pub fn coerce_bit(vm: &mut Vm, this: &Value, other: &Value, name: Symbol) -> Res {
    if matches!(other, Value::Float(_)) {
        return Err(coerce_failed(vm, this, other));
    }
    vm.check_stack()?;
    let Some((a, b)) = do_coerce(vm, this, other, true)? else { return Err(coerce_failed(vm, this, other)) };
    // a coerced number without the operator has the same error as one that cannot be coerced
    let class = vm.class_of(&a);
    if vm.find_method(class, name).is_none() && vm.is_a(&a, ClassId::NUMERIC) {
        return Err(coerce_failed(vm, this, other));
    }
    vm.call(&a, name, &[b])
}
/// `<=>` with an operand to be coerced; nil if that is not possible.
pub fn coerce_cmp(vm: &mut Vm, this: &Value, other: &Value) -> Res {
    match do_coerce(vm, this, other, false)? {
        Some((a, b)) => vm.call(&a, sym::CMP, &[b]),
        None => Ok(Value::Nil),
    }
}
/// A comparison with an operand to be coerced; ArgumentError if that is not possible.
pub fn coerce_relop(vm: &mut Vm, this: &Value, other: &Value, name: Symbol) -> Res {
    if let Some((a, b)) = do_coerce(vm, this, other, false)? {
        let answer = vm.call(&a, name, &[b])?;
        if !answer.is_nil() {
            return Ok(answer);
        }
    }
    Err(vm.comparison_failed(this, other))
}

/// Converts an Integer or Float to f64; None for other values.
#[inline]
pub fn real_f64(vm: &Vm, value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) => Some(*number as f64),
        Value::Float(number) => Some(number.get()),
        Value::Big(gc) => Some(big_to_f64(&gc.get(vm).0)),
        _ => None,
    }
}

/// Compares an Integer and a Float exactly; None for NaN.
pub fn compare_int_float(vm: &Vm, integer: &Value, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    if float.is_infinite() {
        return Some(if float > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    match integer {
        Value::Int(number) if number.unsigned_abs() < 1 << 53 => (*number as f64).partial_cmp(&float),
        Value::Int(number) => {
            let whole = float.trunc() as i128;
            Some(
                i128::from(*number)
                    .cmp(&whole)
                    .then_with(|| 0.0_f64.partial_cmp(&float.fract()).unwrap_or(Ordering::Equal)),
            )
        }
        Value::Big(gc) => {
            let whole = BigInt::from_f64(float.trunc())?;
            Some(gc.get(vm).0.cmp(&whole).then_with(|| 0.0_f64.partial_cmp(&float.fract()).unwrap_or(Ordering::Equal)))
        }
        _ => None,
    }
}

/// -1, 0 or 1.
pub fn ordering_value(ordering: Ordering) -> Value {
    Value::Int(ordering as i64)
}

/// Converts an Integer for `rchef_text::number`.
pub fn text_int(vm: &Vm, value: &Value) -> Int {
    match value {
        Value::Int(number) => Int::Small(*number),
        Value::Big(gc) => Int::Big(gc.get(vm).0.clone()),
        _ => Int::Small(0),
    }
}
pub fn from_text_int(number: Int) -> Value {
    match number {
        Int::Small(number) => Value::Int(number),
        Int::Big(number) => Value::big(number),
    }
}

/// The arguments of `round` and related methods: digits and `half:`.
pub fn round_args(vm: &mut Vm, args: &Args<'_>) -> Res<(Option<i64>, HalfMode)> {
    let (pos, [half]) = args.take_keywords(vm, [sym::HALF])?;
    if pos.len() > 1 {
        return Err(vm.arity_error(pos.len(), "0..1"));
    }
    let digits = match pos.first() {
        None => None,
        Some(digits) => Some(digits_arg(vm, digits)?),
    };
    let mode = match half {
        None | Some(Value::Nil) => HalfMode::Up,
        Some(value) => {
            let name = match &value {
                Value::Sym(name) => name.to_string(),
                _ => match vm.check_str(&value)? {
                    Some(text) => text.get(vm).to_text().into_owned(),
                    None => {
                        let shown = vm.inspect(&value)?;
                        return Err(vm.argument_error(format!("invalid rounding mode: {shown}")));
                    }
                },
            };
            half_mode(&name).map_err(|error| vm.argument_error(error.to_string()))?
        }
    };
    Ok((digits, mode))
}
/// A digits argument, which must be a C int.
pub fn digits_arg(vm: &mut Vm, value: &Value) -> Res<i64> {
    let digits = vm.to_int(value)?;
    if i32::try_from(digits).is_err() {
        let what = if digits > 0 { "big" } else { "small" };
        return Err(vm.range_error(format!("integer {digits} too {what} to convert to `int'")));
    }
    Ok(digits)
}

/// Removes `new` and `allocate` from a class whose objects are only created by literals or functions.
pub(super) fn without_new(vm: &mut Vm, class: ClassId) {
    vm.class_mut(class).allocator = Some(|vm, class| {
        let name = vm.class_name(class);
        Err(vm.type_error(format!("allocator undefined for {name}")))
    });
    let meta = vm.meta(class);
    vm.undefine(meta, sym::NEW);
}

fn nil(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::Nil)
}
fn zero_part(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(0))
}
fn negate(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    match do_coerce(vm, &Value::Int(0), this, true)? {
        Some((zero, this)) => vm.call(&zero, sym::MINUS, &[this]),
        None => Ok(Value::Nil),
    }
}
fn compare(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(if this.same(args.at(0)) || vm.eq(this, args.at(0))? { Value::Int(0) } else { Value::Nil })
}
fn modulo(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let quotient = vm.call(this, Symbol::intern_static("div"), args.pos)?;
    let product = vm.call(args.at(0), sym::STAR, &[quotient])?;
    vm.call(this, sym::MINUS, &[product])
}
fn less(vm: &mut Vm, a: &Value, b: &Value) -> Res<bool> {
    Ok(vm.call(a, sym::LT, std::slice::from_ref(b))?.truthy())
}
fn more(vm: &mut Vm, a: &Value, b: &Value) -> Res<bool> {
    Ok(vm.call(a, sym::GT, std::slice::from_ref(b))?.truthy())
}
/// Numeric#remainder: modulo with the sign of the receiver.
pub(super) fn remainder(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    let left = vm.call(this, sym::PERCENT, std::slice::from_ref(other))?;
    let zero = Value::Int(0);
    if !vm.eq(&left, &zero)?
        && ((less(vm, this, &zero)? && more(vm, other, &zero)?) || (more(vm, this, &zero)? && less(vm, other, &zero)?))
    {
        if let Value::Float(number) = other
            && number.get().is_infinite()
        {
            return Ok(this.clone());
        }
        return vm.call(&left, sym::MINUS, std::slice::from_ref(other));
    }
    Ok(left)
}
fn div(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if vm.eq(args.at(0), &Value::Int(0))? {
        return Err(zero_division(vm));
    }
    let quotient = vm.call(this, sym::SLASH, args.pos)?;
    vm.call(&quotient, Symbol::intern_static("floor"), &[])
}
fn divmod(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let quotient = vm.call(this, Symbol::intern_static("div"), args.pos)?;
    let rest = vm.call(this, sym::PERCENT, args.pos)?;
    Ok(Value::array(vec![quotient, rest]))
}
fn fdiv(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let float = super::conversions::to_float(vm, this)?;
    vm.call(&Value::float(float), sym::SLASH, args.pos)
}
/// Numeric#quo: the exact quotient, or a Float's.
pub(super) fn quo(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Value::Float(_) = args.at(0) {
        return vm.call(this, Symbol::intern_static("fdiv"), args.pos);
    }
    let rational = match this {
        Value::Int(_) | Value::Big(_) => super::rational::of_integer(vm, this),
        _ => super::rational::to_r(vm, this)?,
    };
    vm.call(&rational, sym::SLASH, args.pos)
}
fn abs(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if less(vm, this, &Value::Int(0))? { vm.call(this, sym::UMINUS, &[]) } else { Ok(this.clone()) }
}
fn abs2(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    op(vm, this, sym::STAR, this)
}
/// Numeric#arg: 0 or Math::PI.
pub(super) fn arg(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(if vm.call(this, Symbol::intern_static("negative?"), &[])?.truthy() {
        Value::float(std::f64::consts::PI)
    } else {
        Value::Int(0)
    })
}
fn by_float(vm: &mut Vm, this: &Value, name: &'static str, args: Args<'_>) -> Res {
    let float = super::conversions::to_float(vm, this)?;
    vm.call_args(&Value::float(float), Symbol::intern_static(name), args)
}
fn ceil(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    by_float(vm, this, "ceil", args)
}
fn floor(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    by_float(vm, this, "floor", args)
}
fn round(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    by_float(vm, this, "round", args)
}
fn truncate(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    by_float(vm, this, "truncate", args)
}
fn clone(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [freeze]) = args.take_keywords(vm, [sym::FREEZE])?;
    if !pos.is_empty() {
        return Err(vm.arity_error(pos.len(), "0"));
    }
    match freeze {
        Some(Value::False) => {
            let class = vm.class_name_of(this);
            Err(vm.argument_error(format!("can't unfreeze {class}")))
        }
        None | Some(Value::Nil | Value::True) => Ok(this.clone()),
        Some(other) => {
            let class = vm.class_name_of(&other);
            Err(vm.argument_error(format!("unexpected value for freeze: {class}")))
        }
    }
}
/// Numeric#coerce: both unchanged if the classes are equal, else both as Floats.
pub(super) fn coerce(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    if vm.real_class_of(this) == vm.real_class_of(other) {
        return Ok(Value::array(vec![other.clone(), this.clone()]));
    }
    let (a, b) = (super::conversions::to_float(vm, other)?, super::conversions::to_float(vm, this)?);
    Ok(Value::array(vec![Value::float(a), Value::float(b)]))
}
fn denominator(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let rational = vm.call(this, sym::TO_R, &[])?;
    vm.call_name(&rational, "denominator", &[])
}
fn numerator(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let rational = vm.call(this, sym::TO_R, &[])?;
    vm.call_name(&rational, "numerator", &[])
}
fn eql(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    if vm.real_class_of(this) != vm.real_class_of(other) {
        return Ok(Value::False);
    }
    if let (Value::Big(a), Value::Big(b)) = (this, other) {
        return Ok(Value::bool(a.get(vm).0 == b.get(vm).0));
    }
    Ok(Value::bool(vm.eq(this, other)?))
}
fn to_imaginary(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(super::complex::new(Value::Int(0), this.clone()))
}
fn to_c(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(super::complex::new(this.clone(), Value::Int(0)))
}
fn rect(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(vec![this.clone(), Value::Int(0)]))
}
fn polar(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let magnitude = vm.call_name(this, "abs", &[])?;
    let angle = vm.call_name(this, "arg", &[])?;
    Ok(Value::array(vec![magnitude, angle]))
}
fn is_negative(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    match this {
        Value::Int(number) => Ok(Value::bool(*number < 0)),
        Value::Big(gc) => Ok(Value::bool(gc.get(vm).0.sign() == num_bigint::Sign::Minus)),
        _ => Ok(Value::bool(less(vm, this, &Value::Int(0))?)),
    }
}
fn is_positive(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    match this {
        Value::Int(number) => Ok(Value::bool(*number > 0)),
        Value::Big(gc) => Ok(Value::bool(gc.get(vm).0.sign() == num_bigint::Sign::Plus)),
        _ => Ok(Value::bool(more(vm, this, &Value::Int(0))?)),
    }
}
fn is_zero(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(vm.eq(this, &Value::Int(0))?))
}
fn nonzero(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(if vm.call_name(this, "zero?", &[])?.truthy() { Value::Nil } else { this.clone() })
}
fn to_int(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    vm.call(this, sym::TO_I, &[])
}
fn singleton_method_added(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    let class = vm.class_name_of(this);
    Err(vm.type_error(format!("can't define singleton method \"{name}\" for {class}")))
}

pub(super) fn boot(vm: &mut Vm) {
    vm.include_module(ClassId::NUMERIC, ClassId::COMPARABLE);
    vm.define_methods(ClassId::NUMERIC, METHODS);
}
