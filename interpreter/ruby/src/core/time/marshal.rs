//! Marshal's format of a Time: eight bytes with the date and time in UTC and microseconds; the rest is in instance variables of the String.

use super::{Exact, TimeData, ZoneKind, data, object, with_parts};
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::string::RString;
use crate::value::Value;
use num_bigint::BigInt;
use num_traits::Zero;
use rchef_text::strftime::{TimeParts, days_from_civil};

/// The first year that fits in the bytes, and the number of years.
const FIRST: i128 = 1900;
const YEARS: i128 = 0xffff;
/// Names of the instance variables, which are not valid in Ruby code.
const NAMES: [&str; 5] = ["nano_num", "nano_den", "submicro", "offset", "zone"];

fn variables() -> [Symbol; 5] {
    NAMES.map(Symbol::intern_static)
}
/// The year field, and the distance of the year from the range that fits, as a length and a number.
fn year_fields(year: i128) -> (u32, Vec<u8>) {
    let (field, beyond) = match year - FIRST {
        at if at < 0 => (0, -at),
        at if at > YEARS => (YEARS, at - YEARS),
        at => return (at as u32, Vec::new()),
    };
    let number = BigInt::from(beyond).magnitude().to_bytes_le();
    // Marshal writes lengths below 123 as one byte, increased by five
    let mut bytes = vec![number.len() as u8 + 5];
    bytes.extend(number);
    (field as u32, bytes)
}
/// The nanoseconds below a microsecond, two decimal digits per byte.
fn packed_digits(nanos: u32) -> Vec<u8> {
    let digit = |at: u32| (nanos / at % 10) as u8;
    let mut bytes = vec![digit(100) << 4 | digit(10), digit(1) << 4];
    if bytes[1] == 0 {
        bytes.pop();
    }
    bytes
}

pub(super) fn dump(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let time = data(vm, this)?;
    let utc = time.zone == ZoneKind::Utc;
    let shown = TimeData { zone: ZoneKind::Utc, ..time.clone() };
    let (bytes, nanos) = with_parts(vm, &shown, |parts| {
        let (year, beyond) = year_fields(parts.year);
        let date = 1 << 31 | u32::from(utc) << 30 | year << 14 | (parts.month - 1) << 10 | parts.day << 5 | parts.hour;
        let time = parts.min << 26 | parts.sec << 20 | (parts.nsec / 1000);
        let mut bytes = Vec::with_capacity(8 + beyond.len());
        bytes.extend(date.to_le_bytes());
        bytes.extend(time.to_le_bytes());
        bytes.extend(beyond);
        (bytes, parts.nsec % 1000)
    });
    let text = Value::string(RString::binary(bytes));
    let [num, den, submicro, offset, zone] = variables();
    let (above, below) = match time.at.sub_nanos() {
        Some((above, below)) => (BigInt::from(nanos) * below + above, below.clone()),
        None => (BigInt::from(nanos), BigInt::from(1)),
    };
    if !above.is_zero() {
        vm.ivar_set(&text, num, Value::big(above));
        vm.ivar_set(&text, den, Value::big(below));
    }
    if nanos > 0 {
        vm.ivar_set(&text, submicro, Value::string(RString::binary(packed_digits(nanos))));
    }
    let (east, name) =
        with_parts(vm, &time, |parts: &TimeParts<'_>| (parts.utc_offset, parts.zone.map(RString::ascii)));
    if !utc {
        vm.ivar_set(&text, offset, Value::Int(i64::from(east)));
    }
    let name = match &time.zone_object {
        Value::Nil => name.map_or(Value::Nil, Value::string),
        object => vm.call_name(object, "name", &[])?,
    };
    vm.ivar_set(&text, zone, name);
    for name in vm.ivar_names(this) {
        let value = vm.ivar_get(this, name).unwrap_or_default();
        vm.ivar_set(&text, name, value);
    }
    Ok(text)
}

/// Time._load, which also supports the format of old versions: seconds and microseconds.
pub(super) fn load(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let text = vm.to_str(args.at(0))?;
    let bytes = text.get(vm).bytes().to_vec();
    let (Some(date), Some(time)) = (bytes.first_chunk::<4>(), bytes.get(4..).and_then(<[u8]>::first_chunk::<4>)) else {
        return Err(vm.type_error("marshaled time format differ"));
    };
    let (date, time) = (u32::from_le_bytes(*date), u32::from_le_bytes(*time));
    let text = Value::Str(text);
    let [num, den, submicro, offset, zone] = variables().map(|name| vm.ivar_get(&text, name).unwrap_or_default());
    let (seconds, micros) = if date >> 31 == 0 {
        (i128::from(date), i128::from(time))
    } else {
        let more = bytes.get(8).map_or(0, |length| usize::from(*length).saturating_sub(5));
        if bytes.len() > 8 && bytes.len() < 9 + more {
            return Err(vm.type_error("marshaled time format differ"));
        }
        let beyond =
            bytes.get(9..9 + more).map(|rest| rest.iter().rev().fold(0i128, |sum, byte| sum << 8 | i128::from(*byte)));
        let year = match (i128::from(date >> 14 & 0xffff), beyond) {
            (0, Some(beyond)) => FIRST.saturating_sub(beyond),
            (YEARS, Some(beyond)) => (FIRST + YEARS).saturating_add(beyond),
            (year, _) => FIRST + year,
        };
        let month = i128::from(date >> 10 & 0xf);
        // what is beyond this is out of Time's range
        let year = year.clamp(-1 << 72, 1 << 72) + month / 12;
        let days = days_from_civil(year, (month % 12 + 1) as u32, 1) + i128::from(date >> 5 & 0x1f) - 1;
        let clock = i128::from((date & 0x1f) * 3600 + (time >> 26 & 0x3f) * 60 + (time >> 20 & 0x3f));
        (days * 86_400 + clock, i128::from(time & 0xf_ffff))
    };
    let nanos = seconds * 1_000_000_000 + micros * 1000;
    let below = match (&num, &submicro) {
        (Value::Nil, Value::Str(digits)) => {
            let digits = digits.get(vm).bytes().iter().take(2).flat_map(|byte| [byte >> 4, byte & 15]);
            let nanos = digits.zip([100, 10, 1]).fold(0, |sum, (digit, at)| sum + i64::from(digit) * at);
            Some((BigInt::from(nanos), BigInt::from(1)))
        }
        (Value::Nil, _) => None,
        _ => Some((vm.to_bigint(&num)?, vm.to_bigint(&den)?)).filter(|(_, den)| *den > BigInt::zero()),
    };
    let at = match below {
        Some((above, below)) => {
            Exact::fraction(BigInt::from(nanos) * &below + above, below * BigInt::from(1_000_000_000))
        }
        None => Exact::ns(nanos),
    }
    .checked(vm)?;
    let kind = if date >> 31 == 1 && date >> 30 & 1 == 1 {
        ZoneKind::Utc
    } else {
        // an offset of a day or more is invalid
        match (offset, zone) {
            (Value::Int(east @ -86_399..=86_399), Value::Str(name)) => {
                ZoneKind::Named(east as i32, name.get(vm).to_text().into())
            }
            (Value::Int(east @ -86_399..=86_399), _) => ZoneKind::Fixed(east as i32),
            _ => ZoneKind::Local,
        }
    };
    let class = if let Value::Class(class) = this { *class } else { ClassId::TIME };
    let made = object(class, at, kind);
    let special = variables();
    for name in vm.ivar_names(&text).into_iter().filter(|name| !special.contains(name)) {
        let value = vm.ivar_get(&text, name).unwrap_or_default();
        vm.ivar_set(&made, name, value);
    }
    Ok(made)
}
