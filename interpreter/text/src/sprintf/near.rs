//! Rounding of halves like MRI's `dtoa`: if the value is a half as far as double arithmetic shows, the even digit is taken, even if the exact value
//! is slightly off.

/// Up to this many digits MRI computes with doubles first.
const QUICK: i32 = 14;
const TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];
const BIG_TENS: [f64; 5] = [1e16, 1e32, 1e64, 1e128, 1e256];

/// How many digits are wanted, in all or after the point.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    Digits(usize),
    Places(usize),
}

/// A rounded half.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Half {
    /// The remaining digits.
    pub digits: u64,
    /// The power of ten of the first digit.
    pub power: i32,
    /// Whether it was rounded up.
    pub up: bool,
}

/// The power of ten of the first digit (it may be one too large), and whether it is certain.
fn first_power(x: f64) -> Option<(i32, bool)> {
    let bits = x.to_bits();
    let power = (bits >> 52 & 0x7ff) as i32 - 1023;
    if power == -1023 {
        return None;
    }
    let mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    let guess =
        (mantissa - 1.5) * 0.289_529_654_602_168 + 0.176_091_259_055_8 + f64::from(power) * std::f64::consts::LOG10_2;
    let k = guess.floor() as i32;
    match usize::try_from(k).ok().and_then(|at| TENS.get(at)) {
        Some(ten) => Some((if x < *ten { k - 1 } else { k }, true)),
        None => Some((k, false)),
    }
}

/// `x` scaled to one digit before the point, and the number of rounding errors that this may have caused.
fn scaled(x: f64, k: i32) -> (f64, f64) {
    let (mut d, mut errors, mut factor) = (x, 2.0, 1.0);
    let mut rest = k.unsigned_abs();
    let small = TENS[(rest & 15) as usize];
    rest >>= 4;
    if k > 0 {
        factor = small;
        if rest & 16 != 0 {
            rest &= 15;
            d /= BIG_TENS[4];
            errors += 1.0;
        }
    } else {
        d *= small;
    }
    for ten in BIG_TENS {
        if rest & 1 != 0 {
            errors += 1.0;
            if k > 0 { factor *= ten } else { d *= ten }
        }
        rest >>= 1;
    }
    (d / factor, errors)
}

/// The rounded digits of a positive number if the cut-off part is about a half; None otherwise.
pub(super) fn near_half(x: f64, wanted: Wanted) -> Option<Half> {
    let (mut k, certain) = first_power(x)?;
    let count = match wanted {
        Wanted::Digits(count) => i32::try_from(count).ok()?,
        Wanted::Places(places) => i32::try_from(places).ok()?.checked_add(k + 1)?,
    };
    if !(1..=QUICK).contains(&count) {
        return None;
    }
    let (mut d, mut errors) = scaled(x, k);
    let mut count = count;
    if !certain && d < 1.0 {
        if let Wanted::Places(_) = wanted {
            count -= 1;
            if count == 0 {
                return None;
            }
        }
        k -= 1;
        d *= 10.0;
        errors += 1.0;
    }
    let margin = (errors * d + 7.0) * f64::EPSILON * TENS[(count - 1) as usize];
    let mut digits = 0u64;
    for index in 1..=count {
        let digit = d as u64;
        d -= digit as f64;
        digits = digits * 10 + digit;
        if d == 0.0 {
            return None;
        }
        if index < count {
            d *= 10.0;
        }
    }
    if (d - 0.5).abs() > margin || d > 0.5 + margin || d < 0.5 - margin {
        return None;
    }
    let up = digits % 2 == 1;
    if up {
        digits += 1;
        if digits == 10u64.pow(count as u32) && matches!(wanted, Wanted::Digits(_)) {
            digits /= 10;
            k += 1;
        }
    }
    Some(Half { digits, power: k, up })
}

#[cfg(test)]
mod tests {
    use super::{Half, Wanted, near_half};

    #[test]
    fn halves_go_to_the_even_digit() {
        let half = |digits, power, up| Some(Half { digits, power, up });
        assert_eq!(near_half(2.675, Wanted::Places(2)), half(268, 0, true));
        assert_eq!(near_half(0.1585, Wanted::Places(3)), half(158, -1, false));
        assert_eq!(near_half(0.995, Wanted::Digits(2)), half(10, 0, true));
        assert_eq!(near_half(0.995, Wanted::Places(2)), half(100, -1, true));
        assert_eq!(near_half(2.676, Wanted::Places(2)), None);
        assert_eq!(near_half(5e-324, Wanted::Places(2)), None);
    }
}
