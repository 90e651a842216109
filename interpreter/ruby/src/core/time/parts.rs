//! Calendar arguments: year, month, day, hour, minute, second.

use super::number::{Exact, to_exact};
use crate::Vm;
use crate::error::{Error, Res};
use crate::value::Value;
use num_traits::ToPrimitive;
use rchef_text::strftime::days_from_civil;

/// The date and time in the arguments of `Time.utc` and related methods.
pub(super) struct Civil {
    /// The date and time in seconds since 1970, as if it was in UTC.
    pub seconds: Exact,
}

/// Years from here on are out of range: their nanoseconds are.
const MAX_YEAR: i128 = 1_000_000_000_000_000_000_000;
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// An Integer from a number or from decimal digits.
fn integer(vm: &mut Vm, value: &Value) -> Res<i64> {
    if let Value::Str(text) = value {
        let shown = text.get(vm).to_text().into_owned();
        return match shown.trim().replace('_', "").parse::<i64>() {
            Ok(number) => Ok(number),
            Err(_) => Err(vm.argument_error(format!("invalid value for Integer(): {shown:?}"))),
        };
    }
    if value.is_nil() {
        return Err(vm.type_error_of(value, "no implicit conversion of nil into Integer"));
    }
    vm.to_int(value)
}
fn out_of_range(vm: &mut Vm, name: &str) -> Error {
    vm.argument_error(if name.is_empty() {
        "argument out of range".to_string()
    } else {
        format!("{name} out of range")
    })
}
/// A field within the range that MRI has bits for; the error does not name the field.
fn bounded(vm: &mut Vm, value: Option<&Value>, default: i64, high: i64) -> Res<i64> {
    let number = match value {
        None | Some(Value::Nil) => default,
        Some(value) => integer(vm, value)?,
    };
    if number < 0 || number > high { Err(out_of_range(vm, "")) } else { Ok(number) }
}
fn month(vm: &mut Vm, value: Option<&Value>) -> Res<i64> {
    if let Some(value) = value
        && let Some(text) = vm.check_str(value)?
    {
        let name = text.get(vm).to_text().to_ascii_lowercase();
        if let Some(at) = MONTHS.iter().position(|known| *known == name) {
            return Ok(at as i64 + 1);
        }
        return bounded(vm, Some(&Value::Str(text)), 1, 15);
    }
    bounded(vm, value, 1, 15)
}

/// `(year, month = 1, day = 1, hour = 0, min = 0, sec = 0, usec = 0)`
pub(super) fn civil(vm: &mut Vm, args: &[Value]) -> Res<Civil> {
    let year = match args.first() {
        Some(year @ Value::Big(_)) => vm.to_bigint(year)?.to_i128().unwrap_or(MAX_YEAR),
        Some(value) => i128::from(integer(vm, value)?),
        None => return Err(vm.arity_error(0, "1..8")),
    };
    if year.abs() >= MAX_YEAR {
        return Err(out_of_range(vm, "year"));
    }
    let month = month(vm, args.get(1))?;
    let day = bounded(vm, args.get(2), 1, 31)?;
    let hour = bounded(vm, args.get(3), 0, 31)?;
    let minute = bounded(vm, args.get(4), 0, 63)?;
    let mut second = match args.get(5) {
        None | Some(Value::Nil) => Exact::ns(0),
        Some(Value::Str(_)) => Exact::ns(i128::from(integer(vm, &args[5])?) * 1_000_000_000),
        Some(value) => match vm.check_str(value)? {
            Some(text) => Exact::ns(i128::from(integer(vm, &Value::Str(text))?) * 1_000_000_000),
            None => to_exact(vm, value)?,
        },
    };
    if second < Exact::ns(0) || second >= Exact::ns(64_000_000_000) {
        return Err(out_of_range(vm, ""));
    }
    let wrong = [("mon", !(1..=12).contains(&month)), ("mday", day == 0), ("hour", hour > 24), ("min", minute > 59)];
    if let Some((name, _)) = wrong.into_iter().find(|(_, wrong)| *wrong) {
        return Err(out_of_range(vm, name));
    }
    if second >= Exact::ns(61_000_000_000) {
        return Err(out_of_range(vm, "sec"));
    }
    if hour == 24 && minute > 0 {
        return Err(out_of_range(vm, "min"));
    }
    if hour == 24 && second > Exact::ns(0) {
        return Err(out_of_range(vm, "sec"));
    }
    if let Some(value) = args.get(6).filter(|value| !value.is_nil()) {
        let micros = match value {
            Value::Str(_) => Exact::ns(i128::from(integer(vm, value)?) * 1_000_000_000),
            value => to_exact(vm, value)?,
        };
        second = Exact::ns(second.seconds() * 1_000_000_000);
        let micros = micros.scaled(1, 1_000_000);
        if micros < Exact::ns(0) || micros >= Exact::ns(1_000_000_000) {
            return Err(out_of_range(vm, "subsecx"));
        }
        second = second.plus(&micros);
    }
    let days = days_from_civil(year, month as u32, 1) + i128::from(day) - 1;
    // day 31 of a short month is a day of the next month
    let length = days_in_month(year, month);
    if day > length && (day > 31 || length < 28) {
        return Err(out_of_range(vm, ""));
    }
    let seconds = days * 86_400 + i128::from(hour * 3600 + minute * 60);
    Ok(Civil { seconds: Exact::ns(seconds * 1_000_000_000).plus(&second).checked(vm)? })
}
fn days_in_month(year: i128, month: i64) -> i64 {
    let next = if month == 12 { days_from_civil(year + 1, 1, 1) } else { days_from_civil(year, month as u32 + 1, 1) };
    (next - days_from_civil(year, month as u32, 1)) as i64
}
