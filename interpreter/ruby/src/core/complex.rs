//! Complex.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::coerce::mix;
use crate::core::natives::{itself, no};
use crate::core::numeric::{coerce_bin, coerce_cmp, coerce_failed, op};
use crate::core::{conversions, rational};
use crate::error::{Error, Res};
use crate::heap::FROZEN;
use crate::method::{Method, MethodBody, MethodDef, Visibility, def, opt};
use crate::string::RString;
use crate::value::{NativeData, Value};
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;
use rchef_text::number::{self, ComplexParts, Part};

/// A Complex: its real and imaginary part.
#[derive(Clone)]
pub struct ComplexData {
    pub real: Value,
    pub imag: Value,
}
impl NativeData for ComplexData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.real);
        visit(&self.imag);
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}

static METHODS: &[MethodDef] = &[
    def("+", plus, 1),
    def("-", minus, 1),
    def("*", times, 1),
    def("/", divide, 1),
    def("quo", divide, 1),
    def("fdiv", fdiv, 1),
    def("**", pow, 1),
    def("-@", negate, 0),
    def("==", equal, 1),
    def("<=>", compare, 1),
    def("eql?", eql, 1),
    def("hash", hash, 0),
    def("coerce", coerce, 1),
    def("real", real, 0),
    def("imag", imag, 0),
    def("imaginary", imag, 0),
    def("real?", no, 0),
    def("rect", rect, 0),
    def("rectangular", rect, 0),
    def("abs", abs, 0),
    def("magnitude", abs, 0),
    def("abs2", abs2, 0),
    def("arg", arg, 0),
    def("angle", arg, 0),
    def("phase", arg, 0),
    def("polar", polar, 0),
    def("conj", conj, 0),
    def("conjugate", conj, 0),
    def("finite?", is_finite, 0),
    def("infinite?", is_infinite, 0),
    def("numerator", numerator, 0),
    def("denominator", denominator, 0),
    opt("rationalize", rationalize, 0, 1),
    def("to_c", itself, 0),
    def("to_i", to_i, 0),
    def("to_f", to_f, 0),
    def("to_r", to_r, 0),
    def("to_s", to_s, 0),
    def("inspect", inspect, 0),
    def("marshal_dump", rect, 0).private(),
];
static SINGLETON: &[MethodDef] =
    &[opt("rect", new_rect, 1, 2), opt("rectangular", new_rect, 1, 2), opt("polar", new_polar, 1, 2)];
const UNDEFINED: &[&str] = &[
    "%",
    "div",
    "divmod",
    "floor",
    "ceil",
    "modulo",
    "remainder",
    "round",
    "step",
    "truncate",
    "i",
    "positive?",
    "negative?",
    "<",
    "<=",
    ">",
    ">=",
    "between?",
    "clamp",
];

/// A Complex of two real numbers.
pub fn new(real: Value, imag: Value) -> Value {
    let made = Value::data(ClassId::COMPLEX, ComplexData { real, imag });
    made.set_flag(FROZEN, true);
    made
}
/// The parts of a Complex; None for other values.
pub fn parts(vm: &Vm, value: &Value) -> Option<(Value, Value)> {
    match value {
        Value::Object(_) => vm.data::<ComplexData>(value).map(|data| (data.real.clone(), data.imag.clone())),
        _ => None,
    }
}
fn this_parts(vm: &Vm, this: &Value) -> (Value, Value) {
    parts(vm, this).unwrap_or((Value::Int(0), Value::Int(0)))
}
/// Whether it is a real number.
fn is_real(vm: &mut Vm, value: &Value) -> Res<bool> {
    match value {
        Value::Int(_) | Value::Float(_) | Value::Big(_) => Ok(true),
        Value::Object(_) if vm.is_a(value, ClassId::NUMERIC) => Ok(vm.call_name(value, "real?", &[])?.truthy()),
        _ => Ok(false),
    }
}
/// Whether a number is zero, also as a Float of either sign.
pub(super) fn is_zero(vm: &mut Vm, value: &Value) -> Res<bool> {
    match value {
        Value::Int(number) => Ok(*number == 0),
        Value::Float(number) => Ok(number.get() == 0.0),
        Value::Big(_) => Ok(false),
        _ => vm.eq(value, &Value::Int(0)),
    }
}
fn is_float(value: &Value) -> bool {
    matches!(value, Value::Float(_))
}
// As in MRI, an Integer that changes nothing leaves the other part as it is, with the sign of a zero.
fn add(vm: &mut Vm, a: &Value, b: &Value) -> Res {
    match (a, b) {
        (Value::Int(0), _) => Ok(b.clone()),
        (_, Value::Int(0)) if is_core(vm, a) => Ok(a.clone()),
        _ => op(vm, a, sym::PLUS, b),
    }
}
fn sub(vm: &mut Vm, a: &Value, b: &Value) -> Res {
    match b {
        Value::Int(0) if is_core(vm, a) => Ok(a.clone()),
        _ => op(vm, a, sym::MINUS, b),
    }
}
fn mul(vm: &mut Vm, a: &Value, b: &Value) -> Res {
    match (a, b) {
        (Value::Int(_) | Value::Big(_), Value::Int(0)) => Ok(Value::Int(0)),
        (Value::Int(1), _) => Ok(b.clone()),
        (_, Value::Int(1)) if is_core(vm, a) => Ok(a.clone()),
        _ => op(vm, a, sym::STAR, b),
    }
}
/// Whether it is an Integer, Float or Rational.
fn is_core(vm: &Vm, value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Float(_) | Value::Big(_)) || rational::is_rational(vm, value)
}
fn neg(vm: &mut Vm, a: &Value) -> Res {
    vm.call(a, sym::UMINUS, &[])
}
fn quotient(vm: &mut Vm, a: &Value, b: &Value) -> Res {
    // a Rational over a Float is the `fdiv` of it, in which the sign of a zero does not count
    let name = if is_float(b) && rational::is_rational(vm, a) { "fdiv" } else { "quo" };
    vm.call_name(a, name, std::slice::from_ref(b))
}

fn plus(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, b) = this_parts(vm, this);
    if let Some((c, d)) = parts(vm, args.at(0)) {
        return Ok(new(add(vm, &a, &c)?, add(vm, &b, &d)?));
    }
    if is_real(vm, args.at(0))? {
        return Ok(new(add(vm, &a, args.at(0))?, b));
    }
    coerce_bin(vm, this, args.at(0), sym::PLUS)
}
fn minus(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, b) = this_parts(vm, this);
    if let Some((c, d)) = parts(vm, args.at(0)) {
        return Ok(new(sub(vm, &a, &c)?, sub(vm, &b, &d)?));
    }
    if is_real(vm, args.at(0))? {
        return Ok(new(sub(vm, &a, args.at(0))?, b));
    }
    coerce_bin(vm, this, args.at(0), sym::MINUS)
}
/// A product in which infinity times zero is zero, as in MRI.
fn safe_mul(vm: &mut Vm, a: &Value, b: &Value, a_zero: bool, b_zero: bool) -> Res {
    let signed = |value: &Value| match value {
        Value::Float(number) => Value::float(1.0_f64.copysign(number.get())),
        other => other.clone(),
    };
    let mut a = a.clone();
    let mut b = b.clone();
    if !a_zero && b_zero && matches!(a, Value::Float(number) if number.get().is_infinite()) {
        a = signed(&a);
    }
    if !b_zero && a_zero && matches!(b, Value::Float(number) if number.get().is_infinite()) {
        b = signed(&b);
    }
    mul(vm, &a, &b)
}
fn product(vm: &mut Vm, (a, b): (&Value, &Value), (c, d): (&Value, &Value)) -> Res<(Value, Value)> {
    let (az, bz, cz, dz) = (is_zero(vm, a)?, is_zero(vm, b)?, is_zero(vm, c)?, is_zero(vm, d)?);
    let ac = safe_mul(vm, a, c, az, cz)?;
    let bd = safe_mul(vm, b, d, bz, dz)?;
    let ad = safe_mul(vm, a, d, az, dz)?;
    let bc = safe_mul(vm, b, c, bz, cz)?;
    Ok((sub(vm, &ac, &bd)?, add(vm, &ad, &bc)?))
}
pub(super) fn times(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, b) = this_parts(vm, this);
    if let Some((c, d)) = parts(vm, args.at(0)) {
        let (real, imag) = product(vm, (&a, &b), (&c, &d))?;
        return Ok(new(real, imag));
    }
    if is_real(vm, args.at(0))? {
        return Ok(new(mul(vm, &a, args.at(0))?, mul(vm, &b, args.at(0))?));
    }
    coerce_bin(vm, this, args.at(0), sym::STAR)
}
fn greater(vm: &mut Vm, a: &Value, b: &Value) -> Res<bool> {
    let a = vm.call_name(a, "abs", &[])?;
    let b = vm.call_name(b, "abs", &[])?;
    Ok(op(vm, &a, sym::GT, &b)?.truthy())
}
fn division(vm: &mut Vm, this: &Value, other: &Value, name: Symbol, how: fn(&mut Vm, &Value, &Value) -> Res) -> Res {
    let (a, b) = this_parts(vm, this);
    if let Some((c, d)) = parts(vm, other) {
        let floats = [&a, &b, &c, &d].into_iter().any(is_float);
        let (x, y);
        if greater(vm, &c, &d)? {
            let r = how(vm, &d, &c)?;
            let rr = mul(vm, &r, &r)?;
            let one = add(vm, &Value::Int(1), &rr)?;
            let n = mul(vm, &c, &one)?;
            let br = mul(vm, &b, &r)?;
            let ar = mul(vm, &a, &r)?;
            let (up, side) = (add(vm, &a, &br)?, sub(vm, &b, &ar)?);
            (x, y) = (how(vm, &up, &n)?, how(vm, &side, &n)?);
        } else {
            let r = how(vm, &c, &d)?;
            let rr = mul(vm, &r, &r)?;
            let one = add(vm, &Value::Int(1), &rr)?;
            let n = mul(vm, &d, &one)?;
            let ar = mul(vm, &a, &r)?;
            let br = mul(vm, &b, &r)?;
            let (up, side) = (add(vm, &ar, &b)?, sub(vm, &br, &a)?);
            (x, y) = (how(vm, &up, &n)?, how(vm, &side, &n)?);
        }
        return Ok(if floats { new(x, y) } else { new(rational::canonical(vm, x), rational::canonical(vm, y)) });
    }
    if is_real(vm, other)? {
        let (x, y) = (how(vm, &a, other)?, how(vm, &b, other)?);
        return Ok(new(rational::canonical(vm, x), rational::canonical(vm, y)));
    }
    coerce_bin(vm, this, other, name)
}
fn divide(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    division(vm, this, args.at(0), sym::SLASH, quotient)
}
fn fdiv(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    division(vm, this, args.at(0), Symbol::intern_static("fdiv"), |vm, a, b| {
        vm.call_name(a, "fdiv", std::slice::from_ref(b))
    })
}
fn f64s(vm: &mut Vm, a: &Value, b: &Value) -> Res<(f64, f64)> {
    Ok((vm.to_f64(a)?, vm.to_f64(b)?))
}
fn pow(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut other = args.at(0).clone();
    if matches!(other, Value::Int(0)) {
        return Ok(new(Value::Int(1), Value::Int(0)));
    }
    if rational::is_rational(vm, &other) {
        other = rational::canonical(vm, other);
    }
    if let Some((real, Value::Int(0))) = parts(vm, &other) {
        other = real;
    }
    let (a, b) = this_parts(vm, this);
    if matches!(other, Value::Int(1)) {
        return Ok(new(a, b));
    }
    if let Some((c, d)) = parts(vm, &other) {
        let ((x, y), (c, d)) = (f64s(vm, &a, &b)?, f64s(vm, &c, &d)?);
        if x == 0.0 && y == 0.0 {
            // the logarithm of zero is not needed: with a positive real part of the exponent the result is zero
            let zero = if c > 0.0 { 0.0 } else { f64::NAN };
            return Ok(new(Value::float(zero), Value::float(zero)));
        }
        let (r, theta) = (x.hypot(y), y.atan2(x));
        let magnitude = (c * r.ln() - d * theta).exp();
        let angle = theta * c + d * r.ln();
        return from_polar(vm, &Value::float(magnitude), &Value::float(angle));
    }
    if let Value::Int(exponent) = other {
        let (mut xr, mut xi) = (a, b);
        let mut n = exponent;
        if n < 0 {
            let one = new(Value::Int(1), Value::Int(0));
            let inverse = division(vm, &one, &new(xr, xi), sym::SLASH, quotient)?;
            (xr, xi) = this_parts(vm, &inverse);
            n = n.saturating_neg();
        }
        let power = Value::Int(n);
        let (mut zr, mut zi) = (xr.clone(), xi.clone());
        if is_zero(vm, &xi)? {
            zr = op(vm, &zr, sym::POW, &power)?;
        } else if is_zero(vm, &xr)? {
            zi = op(vm, &zi, sym::POW, &power)?;
            if n & 2 != 0 {
                zi = neg(vm, &zi)?;
            }
            if n & 1 == 0 {
                std::mem::swap(&mut zr, &mut zi);
            }
        } else {
            n -= 1;
            while n > 0 {
                while n % 2 == 0 {
                    let (rr, ii) = (mul(vm, &xr, &xr)?, mul(vm, &xi, &xi)?);
                    let twice = mul(vm, &Value::Int(2), &xr)?;
                    xi = mul(vm, &twice, &xi)?;
                    xr = sub(vm, &rr, &ii)?;
                    n /= 2;
                }
                (zr, zi) = product(vm, (&zr, &zi), (&xr, &xi))?;
                n -= 1;
            }
        }
        return Ok(new(zr, zi));
    }
    if is_real(vm, &other)? {
        if let Value::Big(_) = other {
            vm.warn("in a**b, b may be too big")?;
        }
        let r = abs(vm, this, Args::none())?;
        let theta = arg(vm, this, Args::none())?;
        let (magnitude, angle) = (op(vm, &r, sym::POW, &other)?, mul(vm, &theta, &other)?);
        return from_polar(vm, &magnitude, &angle);
    }
    coerce_bin(vm, this, &other, sym::POW)
}
fn negate(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (a, b) = this_parts(vm, this);
    Ok(new(neg(vm, &a)?, neg(vm, &b)?))
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, b) = this_parts(vm, this);
    let other = args.at(0);
    if let Some((c, d)) = parts(vm, other) {
        return Ok(Value::bool(vm.eq(&a, &c)? && vm.eq(&b, &d)?));
    }
    if is_real(vm, other)? {
        return Ok(Value::bool(vm.eq(&a, other)? && is_zero(vm, &b)?));
    }
    Ok(Value::bool(vm.call(other, sym::EQ, std::slice::from_ref(this))?.truthy()))
}
fn compare(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, b) = this_parts(vm, this);
    let other = args.at(0);
    if !vm.is_a(other, ClassId::NUMERIC) {
        return coerce_cmp(vm, this, other);
    }
    if !is_zero(vm, &b)? {
        return Ok(Value::Nil);
    }
    match parts(vm, other) {
        Some((c, d)) => {
            if is_zero(vm, &d)? {
                vm.call(&a, sym::CMP, &[c])
            } else {
                Ok(Value::Nil)
            }
        }
        None if is_real(vm, other)? => vm.call(&a, sym::CMP, args.pos),
        None => Ok(Value::Nil),
    }
}
fn eql(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, b) = this_parts(vm, this);
    let Some((c, d)) = parts(vm, args.at(0)) else { return Ok(Value::False) };
    let same = vm.real_class_of(&a) == vm.real_class_of(&c) && vm.real_class_of(&b) == vm.real_class_of(&d);
    Ok(Value::bool(same && vm.eq(&a, &c)? && vm.eq(&b, &d)?))
}
fn hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (a, b) = this_parts(vm, this);
    let hash = mix(mix(0x6363, vm.hash_shown(&a)?), vm.hash_shown(&b)?);
    Ok(Value::Int(hash as i64 >> 2))
}
fn coerce(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    if parts(vm, other).is_some() {
        return Ok(Value::array(vec![other.clone(), this.clone()]));
    }
    if is_real(vm, other)? {
        return Ok(Value::array(vec![new(other.clone(), Value::Int(0)), this.clone()]));
    }
    Err(coerce_failed(vm, this, other))
}
fn real(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(this_parts(vm, this).0)
}
fn imag(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(this_parts(vm, this).1)
}
fn rect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (a, b) = this_parts(vm, this);
    Ok(Value::array(vec![a, b]))
}
fn abs(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (a, b) = this_parts(vm, this);
    for (zero, rest) in [(&a, &b), (&b, &a)] {
        if is_zero(vm, zero)? {
            let magnitude = vm.call_name(rest, "abs", &[])?;
            return if is_float(zero) && !is_float(rest) { vm.call(&magnitude, sym::TO_F, &[]) } else { Ok(magnitude) };
        }
    }
    let (x, y) = f64s(vm, &a, &b)?;
    Ok(Value::float(x.hypot(y)))
}
fn abs2(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (a, b) = this_parts(vm, this);
    let (aa, bb) = (mul(vm, &a, &a)?, mul(vm, &b, &b)?);
    add(vm, &aa, &bb)
}
fn arg(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (a, b) = this_parts(vm, this);
    let (x, y) = f64s(vm, &a, &b)?;
    Ok(Value::float(y.atan2(x)))
}
fn polar(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(vec![abs(vm, this, Args::none())?, arg(vm, this, Args::none())?]))
}
fn conj(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (a, b) = this_parts(vm, this);
    Ok(new(a, neg(vm, &b)?))
}
fn is_finite(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (a, b) = this_parts(vm, this);
    Ok(Value::bool(vm.call_name(&a, "finite?", &[])?.truthy() && vm.call_name(&b, "finite?", &[])?.truthy()))
}
fn is_infinite(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (a, b) = this_parts(vm, this);
    let infinite = vm.call_name(&a, "infinite?", &[])?.truthy() || vm.call_name(&b, "infinite?", &[])?.truthy();
    Ok(if infinite { Value::Int(1) } else { Value::Nil })
}
fn denominator(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (a, b) = this_parts(vm, this);
    let (a, b) = (vm.call_name(&a, "denominator", &[])?, vm.call_name(&b, "denominator", &[])?);
    vm.call_name(&a, "lcm", &[b])
}
fn numerator(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let common = denominator(vm, this, Args::none())?;
    let (a, b) = this_parts(vm, this);
    let mut scaled = Vec::new();
    for part in [a, b] {
        let (num, den) = (vm.call_name(&part, "numerator", &[])?, vm.call_name(&part, "denominator", &[])?);
        let factor = op(vm, &common, sym::SLASH, &den)?;
        scaled.push(mul(vm, &num, &factor)?);
    }
    let imag = scaled.pop().unwrap_or_default();
    Ok(new(scaled.pop().unwrap_or_default(), imag))
}
#[cold]
fn not_real(vm: &mut Vm, this: &Value, into: &str) -> Error {
    match to_text(vm, this, sym::TO_S) {
        Ok(shown) => vm.range_error(format!("can't convert {shown} into {into}")),
        Err(error) => error,
    }
}
fn exactly_real(vm: &mut Vm, this: &Value, into: &str) -> Res {
    match this_parts(vm, this) {
        (real, Value::Int(0)) => Ok(real),
        (real, imag) if !is_float(&imag) && is_zero(vm, &imag)? => Ok(real),
        _ => Err(not_real(vm, this, into)),
    }
}
fn rationalize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let real = exactly_real(vm, this, "Rational")?;
    vm.call_name(&real, "rationalize", args.pos)
}
fn to_i(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let real = exactly_real(vm, this, "Integer")?;
    vm.call(&real, sym::TO_I, &[])
}
fn to_f(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let real = exactly_real(vm, this, "Float")?;
    vm.call(&real, sym::TO_F, &[])
}
fn to_r(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let real = exactly_real(vm, this, "Rational")?;
    vm.call(&real, sym::TO_R, &[])
}
fn to_text(vm: &mut Vm, this: &Value, how: Symbol) -> Res<String> {
    let (a, b) = this_parts(vm, this);
    let minus = match &b {
        Value::Float(number) => number.get().is_sign_negative() && !number.get().is_nan(),
        other => vm.call_name(other, "negative?", &[])?.truthy(),
    };
    let magnitude = vm.call_name(&b, "abs", &[])?;
    let mut text = String::new();
    let shown = vm.call(&a, how, &[])?;
    text.push_str(&vm.to_s_text(&shown)?);
    text.push(if minus { '-' } else { '+' });
    let shown = vm.call(&magnitude, how, &[])?;
    text.push_str(&vm.to_s_text(&shown)?);
    if !text.ends_with(|last: char| last.is_ascii_digit()) {
        text.push('*');
    }
    text.push('i');
    Ok(text)
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::string(RString::ascii(&to_text(vm, this, sym::TO_S)?)))
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let text = to_text(vm, this, sym::INSPECT)?;
    Ok(Value::string(RString::ascii(&format!("({text})"))))
}

fn real_check(vm: &mut Vm, value: &Value) -> Res {
    if let Some((real, imag)) = parts(vm, value)
        && is_zero(vm, &imag)?
    {
        return Ok(real);
    }
    if is_real(vm, value)? { Ok(value.clone()) } else { Err(vm.type_error("not a real")) }
}
fn new_rect(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let real = real_check(vm, args.at(0))?;
    let imag = args.get(1).map_or(Ok(Value::Int(0)), |imag| real_check(vm, imag))?;
    Ok(new(real, imag))
}
fn from_polar(vm: &mut Vm, magnitude: &Value, angle: &Value) -> Res {
    if is_zero(vm, magnitude)? || is_zero(vm, angle)? {
        return Ok(new(magnitude.clone(), Value::float(0.0)));
    }
    let angle = vm.to_f64(angle)?;
    if angle == std::f64::consts::PI {
        return Ok(new(neg(vm, magnitude)?, Value::float(0.0)));
    }
    if angle == std::f64::consts::FRAC_PI_2 {
        return Ok(new(Value::float(0.0), magnitude.clone()));
    }
    Ok(new(mul(vm, magnitude, &Value::float(angle.cos()))?, mul(vm, magnitude, &Value::float(angle.sin()))?))
}
fn new_polar(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let magnitude = real_check(vm, args.at(0))?;
    match args.get(1) {
        None => Ok(new(magnitude, Value::Int(0))),
        Some(angle) => {
            let angle = real_check(vm, angle)?;
            from_polar(vm, &magnitude, &angle)
        }
    }
}

fn part_value(vm: &mut Vm, part: Part) -> Res {
    match part {
        Part::Int(number) => Ok(super::numeric::from_text_int(number)),
        Part::Float(number) => Ok(Value::float(number)),
        Part::Rational(num, den) => rational::reduced(vm, num.to_big(), den.to_big()),
    }
}
/// Converts a parsed Complex of `String#to_c` or `Complex()`.
pub fn from_text(vm: &mut Vm, text: ComplexParts) -> Res {
    match text {
        ComplexParts::Rect(real, imag) => Ok(new(part_value(vm, real)?, part_value(vm, imag)?)),
        ComplexParts::Polar(magnitude, angle) => {
            let (magnitude, angle) = (part_value(vm, magnitude)?, part_value(vm, angle)?);
            from_polar(vm, &magnitude, &angle)
        }
    }
}
pub(super) fn convert(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (pos, raises) = conversions::exception_option(vm, &args)?;
    if !(1..=2).contains(&pos.len()) {
        return Err(vm.arity_error(pos.len(), "1..2"));
    }
    conversions::quietly(vm, raises, |vm| convert_parts(vm, &pos[0], pos.get(1)))
}
fn convert_arg(vm: &mut Vm, value: &Value) -> Res {
    match value {
        Value::Nil => Err(vm.type_error_of(value, "can't convert nil into Complex")),
        Value::Str(text) => {
            let parsed = number::parse_complex_strict(text.get(vm).bytes());
            match parsed {
                Ok(parsed) => from_text(vm, parsed),
                Err(error) => Err(conversions::number_error(vm, &error)),
            }
        }
        _ => Ok(value.clone()),
    }
}
fn convert_parts(vm: &mut Vm, a: &Value, b: Option<&Value>) -> Res {
    let mut a = convert_arg(vm, a)?;
    let mut b = b.map(|b| convert_arg(vm, b)).transpose()?;
    let whole = parts(vm, &a).is_some();
    if whole && b.as_ref().is_none_or(|b| matches!(b, Value::Int(0))) {
        return Ok(a);
    }
    if let Some((real, Value::Int(0))) = parts(vm, &a) {
        a = real;
    }
    if let Some((real, Value::Int(0))) = b.as_ref().and_then(|b| parts(vm, b)) {
        b = Some(real);
    }
    let Some(b) = b else {
        if vm.is_a(&a, ClassId::NUMERIC) {
            return if is_real(vm, &a)? { Ok(new(a, Value::Int(0))) } else { Ok(a) };
        }
        return match vm.try_convert(&a, sym::TO_C)? {
            Some(found) if parts(vm, &found).is_some() => Ok(found),
            _ => {
                let described = vm.describe(&a);
                Err(vm.type_error(format!("can't convert {described} into Complex")))
            }
        };
    };
    if vm.is_a(&a, ClassId::NUMERIC) && vm.is_a(&b, ClassId::NUMERIC) && !(is_real(vm, &a)? && is_real(vm, &b)?) {
        let turned = mul(vm, &b, &new(Value::Int(0), Value::Int(1)))?;
        return add(vm, &a, &turned);
    }
    Ok(new(real_check(vm, &a)?, real_check(vm, &b)?))
}

pub(super) fn boot(vm: &mut Vm) {
    super::numeric::without_new(vm, ClassId::COMPLEX);
    let meta = vm.meta(ClassId::COMPLEX);
    vm.undefine(meta, sym::ALLOCATE);
    vm.class_mut(ClassId::COMPLEX).allocator = Some(super::construct::prohibited);
    vm.define_methods(ClassId::COMPLEX, METHODS);
    vm.define_singleton_methods(ClassId::COMPLEX, SINGLETON);
    for name in UNDEFINED {
        let name = Symbol::intern_static(name);
        vm.add_method(
            ClassId::COMPLEX,
            name,
            Method { name, owner: ClassId::COMPLEX, visibility: Visibility::Public, body: MethodBody::Undefined },
        );
    }
    vm.const_set(ClassId::COMPLEX, Symbol::intern_static("I"), new(Value::Int(0), Value::Int(1)));
}
