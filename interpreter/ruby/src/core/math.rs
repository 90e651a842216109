//! Math.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::{Error, Res};
use crate::method::{MethodDef, def, opt};
use crate::value::Value;
use num_traits::Signed;
use rchef_text::number::big_to_f64;

static FUNCTIONS: &[MethodDef] = &[
    def("sqrt", sqrt, 1),
    def("cbrt", cbrt, 1),
    def("exp", exp, 1),
    opt("log", log, 1, 2),
    def("log2", log2, 1),
    def("log10", log10, 1),
    def("sin", sin, 1),
    def("cos", cos, 1),
    def("tan", tan, 1),
    def("asin", asin, 1),
    def("acos", acos, 1),
    def("atan", atan, 1),
    def("atan2", atan2, 2),
    def("sinh", sinh, 1),
    def("cosh", cosh, 1),
    def("tanh", tanh, 1),
    def("asinh", asinh, 1),
    def("acosh", acosh, 1),
    def("atanh", atanh, 1),
    def("hypot", hypot, 2),
    def("erf", erf, 1),
    def("erfc", erfc, 1),
    def("gamma", gamma, 1),
    def("lgamma", lgamma, 1),
    def("frexp", frexp, 1),
    def("ldexp", ldexp, 2),
];

/// Math::DomainError
#[cold]
pub fn domain_error(vm: &mut Vm, message: &str) -> Error {
    let class = vm.class_named("Math::DomainError").unwrap_or(ClassId::ARGUMENT_ERROR);
    vm.error(class, message)
}
#[cold]
fn out_of_domain(vm: &mut Vm, name: &str) -> Error {
    domain_error(vm, &format!("Numerical argument is out of domain - {name}"))
}
fn number(vm: &mut Vm, value: &Value) -> Res<f64> {
    vm.to_f64(value)
}
fn plain(vm: &mut Vm, args: Args<'_>, function: fn(f64) -> f64) -> Res {
    Ok(Value::float(function(number(vm, args.at(0))?)))
}
fn within(vm: &mut Vm, args: Args<'_>, name: &str, low: f64, high: f64, function: fn(f64) -> f64) -> Res {
    let x = number(vm, args.at(0))?;
    if x < low || x > high { Err(out_of_domain(vm, name)) } else { Ok(Value::float(function(x))) }
}
fn sqrt(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    // the result for -0.0 is 0.0
    within(vm, args, "sqrt", 0.0, f64::INFINITY, |x| if x == 0.0 { 0.0 } else { x.sqrt() })
}
fn cbrt(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    plain(vm, args, |x| {
        let root = x.cbrt();
        // one more step of Newton's, as MRI takes it where the C library is glibc
        if x == 0.0 || !root.is_finite() { root } else { (2.0 * root + (x / root / root)) / 3.0 }
    })
}
fn exp(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    plain(vm, args, f64::exp)
}
/// A number, even if too large for a Float, as a Float and a power of two.
fn scaled(vm: &mut Vm, value: &Value, name: &str) -> Res<(f64, f64)> {
    if let Value::Big(gc) = value {
        let big = &gc.get(vm).0;
        if big.is_positive() && big.bits() >= 1024 {
            let shift = big.bits() - 53;
            return Ok((big_to_f64(&(big >> shift)), shift as f64));
        }
    }
    let x = number(vm, value)?;
    if x < 0.0 {
        return Err(out_of_domain(vm, name));
    }
    Ok((x, 0.0))
}
fn natural_log(vm: &mut Vm, value: &Value) -> Res<f64> {
    let (x, shift) = scaled(vm, value, "log")?;
    Ok(if x == 0.0 {
        f64::NEG_INFINITY
    } else if shift > 0.0 {
        x.ln() + shift * std::f64::consts::LN_2
    } else {
        x.ln()
    })
}
fn log(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let value = natural_log(vm, args.at(0))?;
    match args.get(1) {
        None => Ok(Value::float(value)),
        Some(base) => Ok(Value::float(value / natural_log(vm, base)?)),
    }
}
fn log2(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (x, shift) = scaled(vm, args.at(0), "log2")?;
    Ok(Value::float(if x == 0.0 { f64::NEG_INFINITY } else { x.log2() + shift }))
}
fn log10(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (x, shift) = scaled(vm, args.at(0), "log10")?;
    Ok(Value::float(if x == 0.0 {
        f64::NEG_INFINITY
    } else if shift > 0.0 {
        x.log10() + shift * std::f64::consts::LOG10_2
    } else {
        x.log10()
    }))
}
fn sin(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    plain(vm, args, f64::sin)
}
fn cos(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    plain(vm, args, f64::cos)
}
fn tan(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    plain(vm, args, f64::tan)
}
fn asin(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    within(vm, args, "asin", -1.0, 1.0, f64::asin)
}
fn acos(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    within(vm, args, "acos", -1.0, 1.0, f64::acos)
}
fn atan(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    plain(vm, args, f64::atan)
}
fn atan2(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (y, x) = (number(vm, args.at(0))?, number(vm, args.at(1))?);
    Ok(Value::float(y.atan2(x)))
}
fn sinh(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    plain(vm, args, f64::sinh)
}
fn cosh(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    plain(vm, args, f64::cosh)
}
fn tanh(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    plain(vm, args, f64::tanh)
}
fn asinh(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    plain(vm, args, libm::asinh)
}
fn acosh(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    within(vm, args, "acosh", 1.0, f64::INFINITY, libm::acosh)
}
fn atanh(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    within(vm, args, "atanh", -1.0, 1.0, |x| if x.abs() == 1.0 { f64::INFINITY.copysign(x) } else { libm::atanh(x) })
}
fn hypot(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (x, y) = (number(vm, args.at(0))?, number(vm, args.at(1))?);
    Ok(Value::float(x.hypot(y)))
}
fn erf(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    plain(vm, args, libm::erf)
}
fn erfc(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    plain(vm, args, libm::erfc)
}
fn gamma(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let x = number(vm, args.at(0))?;
    let whole = x == x.floor();
    if whole && x < 0.0 {
        return Err(out_of_domain(vm, "gamma"));
    }
    if whole && (1.0..=23.0).contains(&x) {
        // exact, as long as the factorial fits a Float
        return Ok(Value::float((1..x as u64).fold(1.0, |product, n| product * n as f64)));
    }
    Ok(Value::float(if x == 0.0 { f64::INFINITY.copysign(x) } else { libm::tgamma(x) }))
}
fn lgamma(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let x = number(vm, args.at(0))?;
    if x == f64::NEG_INFINITY {
        return Err(out_of_domain(vm, "lgamma"));
    }
    if x == 0.0 {
        return Ok(Value::array(vec![
            Value::float(f64::INFINITY),
            Value::Int(if x.is_sign_negative() { -1 } else { 1 }),
        ]));
    }
    let (value, sign) = libm::lgamma_r(x);
    Ok(Value::array(vec![Value::float(value), Value::Int(if sign < 0 { -1 } else { 1 })]))
}
fn frexp(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let x = number(vm, args.at(0))?;
    let (fraction, exponent) = if x.is_finite() { libm::frexp(x) } else { (x, 0) };
    Ok(Value::array(vec![Value::float(fraction), Value::Int(i64::from(exponent))]))
}
fn ldexp(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (x, exponent) = (number(vm, args.at(0))?, vm.to_int(args.at(1))?);
    Ok(Value::float(libm::ldexp(x, exponent.clamp(-10_000, 10_000) as i32)))
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_class(ClassId::MATH, "DomainError", ClassId::ARGUMENT_ERROR);
    vm.define_module_functions(ClassId::MATH, FUNCTIONS);
    for (name, value) in [("PI", std::f64::consts::PI), ("E", std::f64::consts::E)] {
        vm.const_set(ClassId::MATH, Symbol::intern_static(name), Value::float(value));
    }
}
