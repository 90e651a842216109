//! `OpenSSL::BN`: big integers for cryptography.

use super::{binary, error, failure};
use num_bigint::{BigInt, Sign};
use openssl::bn::{BigNum, BigNumContext, BigNumContextRef, BigNumRef, MsbOption};
use openssl::error::ErrorStack;
use rchef_ruby::{Args, ClassId, MethodDef, NativeData, Res, Value, Vm, def, opt};
use std::cmp::Ordering;

static METHODS: &[MethodDef] = &[
    opt("initialize", initialize, 1, 2).private(),
    def("copy", copy, 1),
    opt("to_s", to_s, 0, 1),
    def("to_i", to_i, 0),
    def("to_int", to_i, 0),
    def("to_bn", to_bn, 0),
    def("coerce", coerce, 1),
    def("+", add, 1),
    def("-", subtract, 1),
    def("*", multiply, 1),
    def("/", divide, 1),
    def("%", modulo, 1),
    def("**", power, 1),
    def("gcd", gcd, 1),
    def("<<", shift_left, 1),
    def(">>", shift_right, 1),
    def("-@", negate, 0),
    def("+@", plus, 0),
    def("abs", abs, 0),
    def("sqr", square, 0),
    def("mod_add", mod_add, 2),
    def("mod_sub", mod_sub, 2),
    def("mod_mul", mod_mul, 2),
    def("mod_exp", mod_exp, 2),
    def("mod_sqr", mod_sqr, 1),
    def("mod_inverse", mod_inverse, 1),
    def("mod_sqrt", mod_sqrt, 1),
    def("cmp", compare, 1),
    def("<=>", compare, 1),
    def("ucmp", compare_absolute, 1),
    def("==", equals, 1),
    def("===", equals, 1),
    def("eql?", eql, 1),
    def("hash", hash, 0),
    def("zero?", is_zero, 0),
    def("one?", is_one, 0),
    def("odd?", is_odd, 0),
    def("negative?", is_negative, 0),
    def("bit_set?", is_bit_set, 1),
    def("set_bit!", set_bit, 1),
    def("clear_bit!", clear_bit, 1),
    def("num_bits", num_bits, 0),
    def("num_bytes", num_bytes, 0),
    opt("prime?", is_prime, 0, 1),
    opt("prime_fasttest?", is_prime, 0, 2),
];
static SINGLETON: &[MethodDef] = &[
    opt("rand", rand, 1, 3),
    opt("pseudo_rand", rand, 1, 3),
    def("rand_range", rand_range, 1),
    def("pseudo_rand_range", rand_range, 1),
    opt("generate_prime", generate_prime, 1, 4),
];

/// Maximum number of bits of a result, to limit memory.
const MOST_BITS: i64 = 1 << 26;

struct Number(BigNum);
impl NativeData for Number {
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        self.0.to_owned().ok().map(|number| Box::new(Number(number)) as Box<dyn NativeData>)
    }
}

/// Defines OpenSSL::BN.
pub(super) fn init(vm: &mut Vm, module: ClassId, error: ClassId) {
    vm.define_class(module, "BNError", error);
    let class = vm.define_class(module, "BN", ClassId::OBJECT);
    if let Some(comparable) = vm.class_named("Comparable") {
        vm.include_module(class, comparable);
    }
    vm.class_mut(class).allocator = Some(|_, class| Ok(Value::object(class)));
    vm.define_methods(class, METHODS);
    vm.define_singleton_methods(class, SINGLETON);
}

/// An OpenSSL::BN object.
pub(crate) fn value(vm: &mut Vm, number: BigNum) -> Value {
    let class = vm.class_named("OpenSSL::BN").unwrap_or(ClassId::OBJECT);
    Value::data(class, Number(number))
}
fn failed(vm: &mut Vm, stack: &ErrorStack) -> rchef_ruby::Error {
    failure(vm, "BNError", "", stack)
}
/// Converts a Ruby Integer.
fn from_int(integer: &BigInt) -> Result<BigNum, ErrorStack> {
    let mut number = BigNum::from_slice(&integer.magnitude().to_bytes_be())?;
    number.set_negative(integer.sign() == Sign::Minus);
    Ok(number)
}
/// Converts an OpenSSL::BN, an Integer, or an object that converts to an Integer.
pub(crate) fn number(vm: &mut Vm, value: &Value) -> Res<BigNum> {
    let made = if let Some(Number(number)) = vm.data::<Number>(value) {
        BigNumRef::to_owned(number)
    } else {
        match value {
            Value::Int(small) => from_int(&BigInt::from(*small)),
            Value::Big(big) => from_int(&big.get(vm).0),
            _ => return Err(vm.type_error("Cannot convert into OpenSSL::BN")),
        }
    };
    made.map_err(|stack| failed(vm, &stack))
}
/// Converts to a Ruby Integer.
fn integer(number: &BigNumRef) -> Value {
    let sign = if number.is_negative() { Sign::Minus } else { Sign::Plus };
    Value::big(BigInt::from_bytes_be(sign, &number.to_vec()))
}
/// The receiver's number.
fn own(vm: &mut Vm, this: &Value) -> Res<BigNum> {
    if vm.data::<Number>(this).is_none() {
        return Err(vm.runtime_error("BN is not initialized"));
    }
    number(vm, this)
}
/// Computes a result with a function of libcrypto.
fn compute(vm: &mut Vm, call: impl FnOnce(&mut BigNum, &mut BigNumContextRef) -> Result<(), ErrorStack>) -> Res {
    let made = BigNum::new().and_then(|mut out| {
        let mut context = BigNumContext::new()?;
        call(&mut out, &mut context)?;
        Ok(out)
    });
    match made {
        Ok(out) => Ok(value(vm, out)),
        Err(stack) => Err(failed(vm, &stack)),
    }
}
/// Raises BNError if a result would have too many bits.
fn bounded(vm: &mut Vm, bits: i64) -> Res<()> {
    if (0..=MOST_BITS).contains(&bits) { Ok(()) } else { Err(error(vm, "BNError", "bignum too long")) }
}

/// `new(value, base = 10)`: from a number, or from text in a base; base 2 is big-endian bytes, base 0 the MPI format with a length.
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let source = args.at(0);
    if matches!(source, Value::Int(_) | Value::Big(_)) || vm.data::<Number>(source).is_some() {
        let number = number(vm, source)?;
        vm.set_data(this, Number(number));
        return Ok(this.clone());
    }
    if source.is_nil() {
        return Err(vm.argument_error("invalid argument"));
    }
    let base = if args.at(1).is_nil() { 10 } else { vm.to_int(args.at(1))? };
    let text = super::bytes(vm, source)?;
    let readable = || String::from_utf8_lossy(&text).replace('\0', " ");
    let made = match base {
        0 => match text.split_first_chunk::<4>() {
            Some((size, rest)) if u32::from_be_bytes(*size) as usize == rest.len() => from_mpi(rest),
            _ => return Err(error(vm, "BNError", "encoding error")),
        },
        2 => BigNum::from_slice(&text),
        10 => BigNum::from_dec_str(&readable()),
        16 => BigNum::from_hex_str(&readable()),
        _ => return Err(vm.argument_error(format!("invalid radix {base}"))),
    };
    let number = made.map_err(|stack| failed(vm, &stack))?;
    vm.set_data(this, Number(number));
    Ok(this.clone())
}
/// Parses the MPI format after its length: the first bit is the sign.
fn from_mpi(bytes: &[u8]) -> Result<BigNum, ErrorStack> {
    let Some((first, rest)) = bytes.split_first() else { return BigNum::new() };
    let mut plain = vec![first & 0x7f];
    plain.extend_from_slice(rest);
    let mut number = BigNum::from_slice(&plain)?;
    number.set_negative(first & 0x80 != 0);
    Ok(number)
}
fn copy(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let number = number(vm, args.at(0))?;
    vm.set_data(this, Number(number));
    Ok(this.clone())
}
fn to_s(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let base = if args.at(0).is_nil() { 10 } else { vm.to_int(args.at(0))? };
    let number = own(vm, this)?;
    match base {
        0 => {
            let mut bytes = number.to_vec();
            if bytes.first().is_some_and(|first| first & 0x80 != 0) {
                bytes.insert(0, 0);
            }
            if number.is_negative()
                && let Some(first) = bytes.first_mut()
            {
                *first |= 0x80;
            }
            let mut all = u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes().to_vec();
            all.extend(bytes);
            Ok(binary(all))
        }
        2 => Ok(binary(number.to_vec())),
        10 | 16 => {
            let text = if base == 10 { number.to_dec_str() } else { number.to_hex_str() };
            text.map(|text| Value::str(&*text)).map_err(|stack| failed(vm, &stack))
        }
        _ => Err(vm.argument_error(format!("invalid radix {base}"))),
    }
}
fn to_i(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    own(vm, this).map(|number| integer(&number))
}
fn to_bn(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(this.clone())
}
fn coerce(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let own = to_i(vm, this, Args::none())?;
    Ok(Value::array(vec![args.at(0).clone(), own]))
}

fn pair(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res<(BigNum, BigNum)> {
    Ok((own(vm, this)?, number(vm, args.at(0))?))
}
fn add(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, b) = pair(vm, this, args)?;
    compute(vm, |out, _| out.checked_add(&a, &b))
}
fn subtract(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, b) = pair(vm, this, args)?;
    compute(vm, |out, _| out.checked_sub(&a, &b))
}
fn multiply(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, b) = pair(vm, this, args)?;
    bounded(vm, i64::from(a.num_bits()) + i64::from(b.num_bits()))?;
    compute(vm, |out, context| out.checked_mul(&a, &b, context))
}
/// Quotient and remainder.
fn divide(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, b) = pair(vm, this, args)?;
    let quotient = compute(vm, |out, context| out.checked_div(&a, &b, context))?;
    let rest = compute(vm, |out, context| out.checked_rem(&a, &b, context))?;
    Ok(Value::array(vec![quotient, rest]))
}
fn modulo(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, b) = pair(vm, this, args)?;
    compute(vm, |out, context| out.checked_rem(&a, &b, context))
}
fn power(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, b) = pair(vm, this, args)?;
    let times = if b.num_bits() > 31 { MOST_BITS + 1 } else { vm.to_int(&integer(&b))? };
    if a.num_bits() > 1 && times > 0 {
        bounded(vm, i64::from(a.num_bits()).saturating_mul(times))?;
    }
    compute(vm, |out, context| out.exp(&a, &b, context))
}
fn gcd(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, b) = pair(vm, this, args)?;
    compute(vm, |out, context| out.gcd(&a, &b, context))
}
fn shifted(vm: &mut Vm, this: &Value, by: &Value, left: bool) -> Res {
    let (number, by) = (own(vm, this)?, vm.to_c_int(by)?);
    if left {
        bounded(vm, i64::from(number.num_bits()) + i64::from(by))?;
    }
    compute(vm, |out, _| if left { out.lshift(&number, by) } else { out.rshift(&number, by) })
}
fn shift_left(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    shifted(vm, this, args.at(0), true)
}
fn shift_right(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    shifted(vm, this, args.at(0), false)
}
fn negate(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let mut number = own(vm, this)?;
    let negative = number.is_negative();
    number.set_negative(!negative);
    Ok(value(vm, number))
}
fn plus(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let number = own(vm, this)?;
    Ok(value(vm, number))
}
fn abs(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let mut number = own(vm, this)?;
    number.set_negative(false);
    Ok(value(vm, number))
}
fn square(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let number = own(vm, this)?;
    bounded(vm, 2 * i64::from(number.num_bits()))?;
    compute(vm, |out, context| out.sqr(&number, context))
}
fn three(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res<[BigNum; 3]> {
    Ok([own(vm, this)?, number(vm, args.at(0))?, number(vm, args.at(1))?])
}
fn mod_add(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let [a, b, m] = three(vm, this, args)?;
    compute(vm, |out, context| out.mod_add(&a, &b, &m, context))
}
fn mod_sub(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let [a, b, m] = three(vm, this, args)?;
    compute(vm, |out, context| out.mod_sub(&a, &b, &m, context))
}
fn mod_mul(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let [a, b, m] = three(vm, this, args)?;
    compute(vm, |out, context| out.mod_mul(&a, &b, &m, context))
}
fn mod_exp(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let [a, b, m] = three(vm, this, args)?;
    compute(vm, |out, context| out.mod_exp(&a, &b, &m, context))
}
fn mod_sqr(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, m) = pair(vm, this, args)?;
    compute(vm, |out, context| out.mod_sqr(&a, &m, context))
}
fn mod_inverse(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, m) = pair(vm, this, args)?;
    let made = BigNum::new().and_then(|mut out| {
        let mut context = BigNumContext::new()?;
        out.mod_inverse(&a, &m, &mut context)?;
        Ok(out)
    });
    match made {
        Ok(out) => Ok(value(vm, out)),
        Err(stack) => Err(failure(vm, "BNError", "BN_mod_inverse", &stack)),
    }
}
fn mod_sqrt(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, m) = pair(vm, this, args)?;
    compute(vm, |out, context| out.mod_sqrt(&a, &m, context))
}

fn order(order: Ordering) -> Value {
    Value::Int(order as i64)
}
fn compare(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, b) = pair(vm, this, args)?;
    Ok(order(a.cmp(&b)))
}
fn compare_absolute(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, b) = pair(vm, this, args)?;
    Ok(order(a.ucmp(&b)))
}
fn equals(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    if !matches!(other, Value::Int(_) | Value::Big(_)) && vm.data::<Number>(other).is_none() {
        return Ok(Value::False);
    }
    let (a, b) = pair(vm, this, args)?;
    Ok(Value::bool(a == b))
}
fn eql(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if vm.data::<Number>(args.at(0)).is_none() { Ok(Value::False) } else { equals(vm, this, args) }
}
fn hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let number = to_i(vm, this, Args::none())?;
    vm.call_name(&number, "hash", &[])
}
fn is_zero(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(own(vm, this)?.num_bits() == 0))
}
fn is_one(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let number = own(vm, this)?;
    Ok(Value::bool(number.num_bits() == 1 && !number.is_negative()))
}
fn is_odd(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(own(vm, this)?.is_odd()))
}
fn is_negative(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(own(vm, this)?.is_negative()))
}
fn is_bit_set(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (number, bit) = (own(vm, this)?, vm.to_c_int(args.at(0))?);
    Ok(Value::bool(number.is_bit_set(bit)))
}
fn changed_bit(vm: &mut Vm, this: &Value, bit: &Value, set: bool) -> Res {
    let (mut number, bit) = (own(vm, this)?, vm.to_c_int(bit)?);
    bounded(vm, bit.into())?;
    let outcome = if set { number.set_bit(bit) } else { number.clear_bit(bit) };
    outcome.map_err(|stack| failed(vm, &stack))?;
    vm.set_data(this, Number(number));
    Ok(this.clone())
}
fn set_bit(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    changed_bit(vm, this, args.at(0), true)
}
fn clear_bit(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    changed_bit(vm, this, args.at(0), false)
}
fn num_bits(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(own(vm, this)?.num_bits().into()))
}
fn num_bytes(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(own(vm, this)?.num_bytes().into()))
}
fn is_prime(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let number = own(vm, this)?;
    // 0: the number of rounds that libcrypto recommends for the size
    let found = BigNumContext::new().and_then(|mut context| number.is_prime(0, &mut context));
    found.map(Value::bool).map_err(|stack| failed(vm, &stack))
}

/// `rand(bits, fill = 0, odd = false)`
fn rand(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let bits = vm.to_c_int(args.at(0))?;
    bounded(vm, bits.into())?;
    let fill = if args.at(1).is_nil() { 0 } else { vm.to_int(args.at(1))? };
    let top = match fill {
        -1 => MsbOption::MAYBE_ZERO,
        0 => MsbOption::ONE,
        _ => MsbOption::TWO_ONES,
    };
    let odd = args.at(2).truthy();
    compute(vm, |out, _| out.rand(bits, top, odd))
}
fn rand_range(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let limit = number(vm, args.at(0))?;
    compute(vm, |out, _| limit.rand_range(out))
}
/// `generate_prime(bits, safe = true, add = nil, remainder = nil)`
fn generate_prime(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let bits = vm.to_c_int(args.at(0))?;
    bounded(vm, bits.into())?;
    let safe = args.len() < 2 || args.at(1).truthy();
    let (add, rest) = if args.at(2).is_nil() {
        (None, None)
    } else {
        (Some(number(vm, args.at(2))?), if args.at(3).is_nil() { None } else { Some(number(vm, args.at(3))?) })
    };
    compute(vm, |out, _| out.generate_prime(bits, safe, add.as_deref(), rest.as_deref()))
}
