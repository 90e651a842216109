//! Operations on big numbers that can take long: the size of a number is limited, and slow operations check limits and interrupts. All other
//! operations (addition, comparison, bits) take linear time and use `num_bigint` directly.

use crate::Vm;
use crate::error::Res;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use rchef_text::number;

/// Maximum number of bits of an Integer; a larger result of `**` is Infinity, as in MRI, other operations raise NoMemoryError.
pub const MAX_BITS: u64 = 32 * 1024 * 1024;
/// For smaller numbers an operation of `num_bigint` takes milliseconds.
const QUICK_BITS: u64 = 1 << 16;

/// NoMemoryError for a number with more than [`MAX_BITS`].
pub fn check_bits(vm: &mut Vm, bits: u64) -> Res<()> {
    if bits <= MAX_BITS {
        return Ok(());
    }
    Err(vm.error(
        crate::class::ClassId::NO_MEMORY_ERROR,
        format!("failed to allocate memory: an Integer has {MAX_BITS} bits at most"),
    ))
}

/// The steps that a pass over a number counts as.
fn units(number: &BigInt) -> usize {
    (number.bits() / 512) as usize + 1
}

pub fn mul(vm: &mut Vm, a: &BigInt, b: &BigInt) -> Res<BigInt> {
    check_bits(vm, a.bits() + b.bits())?;
    vm.tick_by(units(a) + units(b))?;
    Ok(a * b)
}

pub fn gcd(vm: &mut Vm, a: &BigInt, b: &BigInt) -> Res<BigInt> {
    if a.bits().max(b.bits()) < QUICK_BITS {
        return Ok(a.gcd(b));
    }
    let (mut a, mut b) = (a.abs(), b.abs());
    while !b.is_zero() {
        if a.bits().max(b.bits()) < QUICK_BITS {
            return Ok(a.gcd(&b));
        }
        vm.tick_by(units(&a))?;
        let rest = &a % &b;
        (a, b) = (b, rest);
    }
    Ok(a)
}

/// `base ** exponent % modulus`; the exponent must not be negative, and the modulus must be above 1.
pub fn modpow(vm: &mut Vm, base: &BigInt, exponent: &BigInt, modulus: &BigInt) -> Res<BigInt> {
    let words = modulus.bits() / 64 + 1;
    if exponent.bits().saturating_mul(words * words) < 50_000_000 {
        return Ok(base.mod_floor(modulus).modpow(exponent, modulus));
    }
    let base = base.mod_floor(modulus);
    let mut result = BigInt::one();
    for index in (0..exponent.bits()).rev() {
        vm.tick_by(units(modulus))?;
        result = &result * &result % modulus;
        if exponent.bit(index) {
            result = result * &base % modulus;
        }
    }
    Ok(result)
}

/// `Integer#to_s(radix)`, by repeatedly halving very long numbers.
pub fn to_s(vm: &mut Vm, number: &BigInt, radix: u32) -> Res<String> {
    if number.bits() < QUICK_BITS * 8 || radix.is_power_of_two() {
        return Ok(number::big_to_s(number, radix));
    }
    let mut out = String::new();
    if number.is_negative() {
        out.push('-');
    }
    // powers of the radix, each the square of the one before
    let mut powers = vec![(BigInt::from(radix).pow(4096), 4096usize)];
    while let Some((last, digits)) = powers.last()
        && last.bits() * 2 <= number.bits() + 1
    {
        let next = (last * last, digits * 2);
        vm.tick_by(units(&next.0))?;
        powers.push(next);
    }
    push_digits(vm, &number.abs(), radix, &powers, 0, &mut out)?;
    Ok(out)
}
/// Appends digits, padded with zeros to a width.
fn push_digits(
    vm: &mut Vm,
    number: &BigInt,
    radix: u32,
    powers: &[(BigInt, usize)],
    width: usize,
    out: &mut String,
) -> Res<()> {
    vm.tick_by(units(number))?;
    match powers.split_last() {
        Some(((power, digits), smaller)) if number >= power => {
            let (high, low) = number.div_rem(power);
            push_digits(vm, &high, radix, powers, width.saturating_sub(*digits), out)?;
            push_digits(vm, &low, radix, smaller, *digits, out)
        }
        Some((_, smaller)) if !smaller.is_empty() => push_digits(vm, number, radix, smaller, width, out),
        _ => {
            let digits = number::big_to_s(number, radix);
            out.extend(std::iter::repeat_n('0', width.saturating_sub(digits.len())));
            out.push_str(&digits);
            Ok(())
        }
    }
}
