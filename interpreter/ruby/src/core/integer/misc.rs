//! Integer: iteration, conversion, rounding, number theory.

use super::big;
use crate::Vm;
use crate::args::Args;
use crate::core::math::domain_error;
use crate::core::natives::{itself, yes};
use crate::core::numeric::{digits_arg, from_text_int, op, real_f64, round_args, text_int};
use crate::core::rational;
use crate::error::Res;
use crate::method::{MethodDef, def, opt};
use crate::string::RString;
use crate::value::Value;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;
use rchef_text::encoding::{Encoding, encode_codepoint};
use rchef_text::number;

pub(super) static METHODS: &[MethodDef] = &[
    def("abs", abs, 0),
    def("magnitude", abs, 0),
    opt("ceil", ceil, 0, 1),
    opt("floor", floor, 0, 1),
    opt("round", round, 0, 2),
    opt("truncate", truncate, 0, 1),
    opt("chr", chr, 0, 1),
    def("coerce", coerce, 1),
    def("denominator", denominator, 0),
    def("numerator", itself, 0),
    opt("digits", digits, 0, 1),
    def("downto", downto, 1),
    def("upto", upto, 1),
    def("times", times, 0),
    def("even?", is_even, 0),
    def("odd?", is_odd, 0),
    def("zero?", is_zero, 0),
    def("integer?", yes, 0),
    def("gcd", gcd, 1),
    def("lcm", lcm, 1),
    def("gcdlcm", gcdlcm, 1),
    def("succ", succ, 0),
    def("next", succ, 0),
    def("pred", pred, 0),
    def("ord", itself, 0),
    def("to_i", itself, 0),
    def("to_int", itself, 0),
    def("to_f", to_f, 0),
    def("to_r", to_r, 0),
    opt("rationalize", rationalize, 0, 1),
    opt("to_s", to_s, 0, 1),
    opt("inspect", to_s, 0, 1),
];
pub(super) static SINGLETON: &[MethodDef] = &[def("sqrt", sqrt, 1), def("try_convert", try_convert, 1)];

fn abs(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(match this {
        Value::Int(number) => Value::i128(i128::from(*number).abs()),
        Value::Big(gc) => Value::big(gc.get(vm).0.abs()),
        _ => Value::Nil,
    })
}
fn rounded(vm: &mut Vm, this: &Value, args: Args<'_>, how: fn(&number::Int, i64) -> number::Int) -> Res {
    match args.get(0) {
        None => Ok(this.clone()),
        Some(digits) => {
            let digits = digits_arg(vm, digits)?;
            Ok(if digits >= 0 { this.clone() } else { from_text_int(how(&text_int(vm, this), digits)) })
        }
    }
}
fn ceil(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    rounded(vm, this, args, number::int_ceil)
}
fn floor(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    rounded(vm, this, args, number::int_floor)
}
fn truncate(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    rounded(vm, this, args, number::int_truncate)
}
fn round(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    // `half:` is not checked if there is nothing to round
    if args.split().0.is_empty() {
        return Ok(this.clone());
    }
    match round_args(vm, &args)? {
        (Some(digits), mode) if digits < 0 => Ok(from_text_int(number::int_round(&text_int(vm, this), digits, mode))),
        _ => Ok(this.clone()),
    }
}
/// Integer#chr: a character of the given encoding, or of US-ASCII or ASCII-8BIT.
fn chr(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Value::Int(code) = *this else { return Err(vm.range_error("bignum out of char range")) };
    let Ok(code) = u32::try_from(code) else { return Err(vm.range_error(format!("{code} out of char range"))) };
    let Some(encoding) = args.get(0) else {
        if code > 255
            && let Some(encoding) = crate::core::encoding::default_internal(vm)
        {
            let encoding = crate::core::encoding::object(vm, encoding);
            return chr(vm, this, Args::new(&[encoding]));
        }
        return match u8::try_from(code) {
            Ok(byte) => Ok(Value::string(RString::new(
                vec![byte],
                if byte < 0x80 { Encoding::UsAscii } else { Encoding::Binary },
            ))),
            Err(_) => Err(vm.range_error(format!("{code} out of char range"))),
        };
    };
    let encoding = match vm.data::<crate::core::encoding::EncodingData>(encoding) {
        Some(data) => data.0,
        None => {
            let name = vm.to_text(encoding)?;
            match Encoding::find(&name) {
                Some(encoding) => encoding,
                None => return Err(vm.argument_error(format!("unknown encoding name - {name}"))),
            }
        }
    };
    let mut bytes = Vec::new();
    match encode_codepoint(u64::from(code), encoding, &mut bytes) {
        Ok(()) => Ok(Value::string(RString::new(bytes, encoding))),
        Err(error) => Err(vm.range_error(error.to_string())),
    }
}
fn coerce(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match args.at(0) {
        other @ (Value::Int(_) | Value::Big(_)) => Ok(Value::array(vec![other.clone(), this.clone()])),
        other => {
            let (a, b) = (crate::core::conversions::to_float(vm, other)?, real_f64(vm, this).unwrap_or(f64::NAN));
            Ok(Value::array(vec![Value::float(a), Value::float(b)]))
        }
    }
}
fn denominator(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(1))
}
fn digits(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if matches!(this, Value::Int(number) if *number < 0) || matches!(this, Value::Big(gc) if gc.get(vm).0.is_negative())
    {
        return Err(domain_error(vm, "out of domain"));
    }
    let base = match args.get(0) {
        None => BigInt::from(10),
        Some(base) => {
            let base = vm.implicit_integer(base)?;
            vm.to_bigint(&base)?
        }
    };
    if base.is_negative() {
        return Err(vm.argument_error("negative radix"));
    }
    if base < BigInt::from(2) {
        return Err(vm.argument_error(format!("invalid radix {base}")));
    }
    let mut rest = vm.to_bigint(this)?;
    if rest.is_zero() {
        return Ok(Value::array(vec![Value::Int(0)]));
    }
    if let Some(radix @ 2..=256) = base.to_u32() {
        return Ok(Value::array(
            rest.to_radix_le(radix).1.into_iter().map(|digit| Value::Int(i64::from(digit))).collect(),
        ));
    }
    let mut found = Vec::new();
    while !rest.is_zero() {
        let (quotient, digit) = rest.div_rem(&base);
        found.push(Value::big(digit));
        rest = quotient;
    }
    Ok(Value::array(found))
}
fn times(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Ok(vm.enumerator_of(this, Symbol::intern_static("times"), &[])) };
    let end = match this {
        Value::Int(number) => *number,
        Value::Big(gc) if gc.get(vm).0.is_negative() => 0,
        _ => i64::MAX,
    };
    let mut at = 0;
    while at < end {
        vm.yield1(block, Value::Int(at))?;
        at += 1;
    }
    Ok(this.clone())
}
fn upto(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Ok(vm.enumerator_of(this, Symbol::intern_static("upto"), args.pos)) };
    if let (Value::Int(from), Value::Int(to)) = (this, args.at(0)) {
        for at in *from..=*to {
            vm.yield1(block, Value::Int(at))?;
        }
        return Ok(this.clone());
    }
    let mut at = this.clone();
    loop {
        if op(vm, &at, sym::GT, args.at(0))?.truthy() {
            return Ok(this.clone());
        }
        vm.yield1(block, at.clone())?;
        at = super::add(vm, &at, &Value::Int(1));
    }
}
fn downto(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Ok(vm.enumerator_of(this, Symbol::intern_static("downto"), args.pos)) };
    if let (Value::Int(from), Value::Int(to)) = (this, args.at(0)) {
        for at in (*to..=*from).rev() {
            vm.yield1(block, Value::Int(at))?;
        }
        return Ok(this.clone());
    }
    let mut at = this.clone();
    loop {
        if op(vm, &at, sym::LT, args.at(0))?.truthy() {
            return Ok(this.clone());
        }
        vm.yield1(block, at.clone())?;
        at = super::sub(vm, &at, &Value::Int(1));
    }
}
fn even(vm: &Vm, this: &Value) -> bool {
    match this {
        Value::Int(number) => number & 1 == 0,
        Value::Big(gc) => gc.get(vm).0.is_even(),
        _ => false,
    }
}
fn is_even(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(even(vm, this)))
}
fn is_odd(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(!even(vm, this)))
}
fn is_zero(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(matches!(this, Value::Int(0))))
}
fn integer_arg(vm: &mut Vm, value: &Value) -> Res<()> {
    if matches!(value, Value::Int(_) | Value::Big(_)) { Ok(()) } else { Err(vm.type_error("not an integer")) }
}
fn gcd(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    integer_arg(vm, args.at(0))?;
    let (a, b) = (vm.to_bigint(this)?, vm.to_bigint(args.at(0))?);
    Ok(Value::big(big::gcd(vm, &a, &b)?))
}
fn lcm(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    integer_arg(vm, args.at(0))?;
    let (a, b) = (vm.to_bigint(this)?, vm.to_bigint(args.at(0))?);
    let common = big::gcd(vm, &a, &b)?;
    if common.is_zero() {
        return Ok(Value::Int(0));
    }
    Ok(Value::big(big::mul(vm, &(a / common), &b)?.abs()))
}
fn gcdlcm(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::array(vec![gcd(vm, this, args)?, lcm(vm, this, args)?]))
}
fn succ(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(super::add(vm, this, &Value::Int(1)))
}
fn pred(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(super::sub(vm, this, &Value::Int(1)))
}
fn to_f(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::float(real_f64(vm, this).unwrap_or(f64::NAN)))
}
fn to_r(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(rational::of_integer(vm, this))
}
fn rationalize(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(rational::of_integer(vm, this))
}
fn to_s(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let radix = match args.get(0) {
        None => 10,
        Some(radix) => vm.to_int(radix)?,
    };
    if !(2..=36).contains(&radix) {
        return Err(vm.argument_error(format!("invalid radix {radix}")));
    }
    let text = match this {
        Value::Int(number) if radix == 10 => return Ok(Value::string(RString::of_int(*number))),
        Value::Int(number) => number::int_to_s(*number, radix as u32),
        Value::Big(gc) => {
            let number = gc.get(vm).0.clone();
            big::to_s(vm, &number, radix as u32)?
        }
        _ => String::new(),
    };
    Ok(Value::string(RString::ascii(&text)))
}
fn sqrt(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let number = vm.to_bigint(args.at(0))?;
    if number.is_negative() {
        return Err(domain_error(vm, "Numerical argument is out of domain - \"isqrt\""));
    }
    Ok(Value::big(number.sqrt()))
}
fn try_convert(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let value = args.at(0);
    match value {
        Value::Int(_) | Value::Big(_) => Ok(value.clone()),
        _ => match vm.try_convert(value, sym::TO_INT)? {
            None | Some(Value::Nil) => Ok(Value::Nil),
            Some(found @ (Value::Int(_) | Value::Big(_))) => Ok(found),
            Some(other) => {
                let (class, gave) = (vm.class_name_of(value), vm.class_name_of(&other));
                Err(vm.type_error(format!("can't convert {class} to Integer ({class}#to_int gives {gave})")))
            }
        },
    }
}
