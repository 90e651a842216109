//! `date`: the native part of Date (formatting, parsing, zones); the classes are in `ruby/date.rb` and `ruby/date_parse.rb`.

use num_bigint::BigInt;
use rchef_ruby::embed::rational;
use rchef_ruby::text::strftime::{StrftimeError, TimeParts, strftime};
use rchef_ruby::text::strptime::{Fields, strptime, zone_offset};
use rchef_ruby::{Args, ClassId, MethodDef, RString, Res, Value, Vm, def, opt};

static SINGLETON: &[MethodDef] =
    &[opt("_strptime", read, 1, 2), def("_zone_offset", zone, 1), def("__strftime", write, 13)];

/// Defines the native part of Date.
pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    let date = vm.define_class(ClassId::OBJECT, "Date", ClassId::OBJECT);
    vm.define_singleton_methods(date, SINGLETON);
    Ok(())
}

/// `digits / 10**places` as a Rational.
fn fraction(vm: &mut Vm, digits: i64, places: u32) -> Res {
    rational::reduced(vm, BigInt::from(digits), BigInt::from(10).pow(places))
}
/// `Date._strptime(text, format = "%F")`: a Hash of the parsed elements, or nil.
fn read(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let text = vm.to_str(args.at(0))?.get(vm).bytes().to_vec();
    let format = match args.get(1) {
        Some(format) => vm.to_str(format)?.get(vm).bytes().to_vec(),
        None => b"%F".to_vec(),
    };
    let Some(found) = strptime(&text, &format) else { return Ok(Value::Nil) };
    let mut pairs = pairs(vm, &found, &text)?;
    let order = order(&format);
    pairs.sort_by_key(|(key, _)| match key {
        Value::Sym(key) => order.iter().position(|name| *name == key.as_str()).unwrap_or(order.len()),
        _ => order.len(),
    });
    vm.new_hash(pairs)
}
/// The elements that a format reads, in its order.
fn order(format: &[u8]) -> Vec<&'static str> {
    let mut names = Vec::new();
    let mut rest = format.iter();
    while let Some(byte) = rest.next() {
        if *byte != b'%' {
            continue;
        }
        let Some(directive) =
            rest.find(|byte| byte.is_ascii_alphabetic() && !matches!(byte, b'E' | b'O') || matches!(byte, b'+' | b'%'))
        else {
            break;
        };
        let parts: &[u8] = match directive {
            b'F' => b"Ymd",
            b'D' | b'x' => b"mdy",
            b'T' | b'X' => b"HMS",
            b'R' => b"HM",
            b'r' => b"IMS",
            b'c' => b"abeHMSY",
            b'v' => b"ebY",
            b'+' => b"abeHMSZY",
            other => std::slice::from_ref(other),
        };
        names.extend(parts.iter().flat_map(|part| match part {
            b'Y' | b'y' | b'C' => &["year"][..],
            b'm' | b'b' | b'B' | b'h' => &["mon"],
            b'd' | b'e' => &["mday"],
            b'H' | b'k' | b'I' | b'l' => &["hour"],
            b'M' => &["min"],
            b'S' => &["sec"],
            b'a' | b'A' | b'w' => &["wday"],
            b'u' => &["cwday"],
            b'j' => &["yday"],
            b'G' | b'g' => &["cwyear"],
            b'V' => &["cweek"],
            b'U' => &["wnum0"],
            b'W' => &["wnum1"],
            b'L' | b'N' => &["sec_fraction"],
            b's' | b'Q' => &["seconds"],
            b'z' | b'Z' => &["zone", "offset"],
            _ => &[],
        }));
    }
    names
}
fn pairs(vm: &mut Vm, found: &Fields, text: &[u8]) -> Res<Vec<(Value, Value)>> {
    let numbers = [
        ("year", found.year),
        ("mon", found.mon),
        ("mday", found.mday),
        ("hour", found.hour),
        ("min", found.min),
        ("sec", found.sec),
        ("wday", found.wday),
        ("cwday", found.cwday),
        ("yday", found.yday),
        ("cwyear", found.cwyear),
        ("cweek", found.cweek),
        ("wnum0", found.wnum0),
        ("wnum1", found.wnum1),
    ];
    let mut pairs: Vec<(Value, Value)> =
        numbers.into_iter().filter_map(|(key, value)| Some((Value::sym(key), Value::Int(value?)))).collect();
    if let Some((digits, places)) = found.sec_fraction {
        let value = fraction(vm, digits, places)?;
        pairs.push((Value::sym("sec_fraction"), value));
    }
    if let Some((digits, places)) = found.seconds {
        let value = if places == 0 { Value::Int(digits) } else { fraction(vm, digits, places)? };
        pairs.push((Value::sym("seconds"), value));
    }
    if let Some(zone) = &found.zone {
        pairs.push((Value::sym("zone"), Value::str(zone)));
        pairs.push((Value::sym("offset"), found.offset.map_or(Value::Nil, Value::Int)));
    }
    if let Some(at) = found.leftover {
        pairs.push((Value::sym("leftover"), Value::bytes(text[at..].to_vec())));
    }
    Ok(pairs)
}
/// The offset of a zone name in seconds east of UTC, or nil.
fn zone(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let text = vm.to_text(args.at(0))?;
    Ok(zone_offset(&text).map_or(Value::Nil, Value::Int))
}
/// `(format, year, month, day, hour, minute, second, nanoseconds, yday, wday, offset, zone, epoch)`
fn write(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let format = vm.to_str(args.at(0))?;
    let (bytes, encoding) = (format.get(vm).bytes().to_vec(), format.get(vm).encoding());
    let mut numbers = [0i64; 10];
    for (index, number) in numbers.iter_mut().enumerate() {
        *number = vm.to_int(args.at(index + 1))?;
    }
    let zone = vm.to_text(args.at(11))?;
    let epoch = vm.to_int(args.at(12))?;
    let small = |index: usize| u32::try_from(numbers[index]).unwrap_or(0);
    let parts = TimeParts {
        year: numbers[0].into(),
        month: small(1),
        day: small(2),
        hour: small(3),
        min: small(4),
        sec: small(5),
        nsec: small(6),
        sub_nsec: None,
        yday: small(7),
        wday: small(8),
        utc_offset: i32::try_from(numbers[9]).unwrap_or(0),
        zone: Some(&zone),
        utc: false,
        epoch: epoch.into(),
        millis: Some(epoch.saturating_mul(1000).saturating_add(numbers[6] / 1_000_000)),
    };
    match strftime(&bytes, &parts) {
        Ok(text) => Ok(Value::string(RString::new(text, encoding))),
        Err(StrftimeError::TooWide) => Err(vm.errno(34, None)),
        Err(error @ StrftimeError::TooLarge) => Err(vm.error(ClassId::NO_MEMORY_ERROR, error.to_string())),
        Err(error) => Err(vm.argument_error(error.to_string())),
    }
}
