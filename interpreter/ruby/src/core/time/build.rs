//! Creating times: `now`, `at`, `new`, `utc`, `local`; arguments for offsets and zones.

use super::number::{Exact, to_exact};
use super::parts::civil;
use super::{TimeData, ZoneKind, clamped, object};
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::value::Value;
use rchef_host::LocalOffset;

fn present(vm: &Vm) -> Exact {
    Exact::ns(i128::from(vm.host.wall_ns()))
}
fn class_of(this: &Value) -> ClassId {
    if let Value::Class(class) = this { *class } else { ClassId::TIME }
}
fn in_keyword() -> Symbol {
    Symbol::intern_static("in")
}

/// An offset or zone argument.
enum ZoneArg {
    Kind(ZoneKind),
    /// An object with `utc_to_local` and `local_to_utc`.
    Object(Value),
}

/// Parses `"+HH:MM"`, `"UTC"`, `"A"`..`"Z"`, or `"+HH:MM:SS"`; None for other text.
fn parse_offset(vm: &mut Vm, text: &str) -> Res<Option<ZoneKind>> {
    let bytes = text.as_bytes();
    if ["UTC", "Z", "-00:00", "-0000"].contains(&text) {
        return Ok(Some(ZoneKind::Utc));
    }
    if let [letter] = bytes {
        let hours = match letter {
            b'A'..=b'I' => i32::from(letter - b'A') + 1,
            b'K'..=b'M' => i32::from(letter - b'K') + 10,
            b'N'..=b'Y' => -(i32::from(letter - b'N') + 1),
            _ => return Ok(None),
        };
        return Ok(Some(ZoneKind::Fixed(hours * 3600)));
    }
    let sign = match bytes.first() {
        Some(b'+') => 1,
        Some(b'-') => -1,
        _ => return Ok(None),
    };
    let rest = &text[1..];
    let digits: Vec<&str> = match rest.len() {
        2 => vec![rest],
        4 if rest.is_ascii() => vec![&rest[..2], &rest[2..]],
        6 if rest.is_ascii() && !rest.contains(':') => vec![&rest[..2], &rest[2..4], &rest[4..]],
        5 | 8 if rest.is_ascii() => rest.split(':').collect(),
        _ => return Ok(None),
    };
    let mut numbers = Vec::new();
    for part in &digits {
        if part.len() != 2 || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(None);
        }
        numbers.push(part.parse::<i32>().unwrap_or(99));
    }
    let at = |index: usize| numbers.get(index).copied().unwrap_or(0);
    if at(1) > 59 || at(2) > 59 {
        return Ok(None);
    }
    if at(0) > 23 {
        return Err(vm.argument_error("utc_offset out of range"));
    }
    Ok(Some(ZoneKind::Fixed(sign * (at(0) * 3600 + at(1) * 60 + at(2)))))
}
fn zone_arg(vm: &mut Vm, class: ClassId, value: &Value, method: &'static str) -> Res<ZoneArg> {
    if let Some(text) = vm.check_str(value)? {
        let text = text.get(vm).to_text().into_owned();
        if let Some(kind) = parse_offset(vm, &text)? {
            return Ok(ZoneArg::Kind(kind));
        }
        // a class may define how to find zones by name
        let find = Symbol::intern_static("find_timezone");
        if vm.respond_to(&Value::Class(class), find, false)? {
            let found = vm.call(&Value::Class(class), find, &[Value::str(&text)])?;
            if !found.is_nil() {
                return Ok(ZoneArg::Object(found));
            }
        }
        return Err(vm.argument_error(format!(
            "\"+HH:MM\", \"-HH:MM\", \"UTC\" or \"A\"..\"I\",\"K\"..\"Z\" expected for utc_offset: {text}"
        )));
    }
    let zone_like = matches!(value, Value::Object(_))
        && !vm.is_a(value, ClassId::NUMERIC)
        && vm.respond_to(value, Symbol::intern_static(method), true)?;
    if zone_like {
        return Ok(ZoneArg::Object(value.clone()));
    }
    let offset = to_exact(vm, value)?;
    let kind = checked_offset(vm, offset.seconds())?;
    let is_whole = offset.nanos() == 0 && offset.sub_nanos().is_none();
    Ok(ZoneArg::Kind(if is_whole { kind } else { ZoneKind::Between(offset) }))
}
/// The seconds in the result of a zone object: for a Time its local time (`utc_to_local`) or its instant (`local_to_utc`), else its `to_i`.
fn answer_seconds(vm: &mut Vm, answer: &Value, reading: bool) -> Res<i128> {
    if let Some(data) = vm.data::<TimeData>(answer).cloned() {
        let offset = if reading { super::offset(vm, &data) } else { 0 };
        return Ok(data.at.seconds() + i128::from(offset));
    }
    let number = if matches!(answer, Value::Int(_) | Value::Big(_)) {
        answer.clone()
    } else {
        vm.call(answer, rchef_syntax::symbol::sym::TO_I, &[])?
    };
    Ok(to_exact(vm, &number)?.seconds())
}
/// Checks an offset in seconds; ArgumentError if it is a day or more.
fn checked_offset(vm: &mut Vm, offset: i128) -> Res<ZoneKind> {
    if offset.abs() >= 86_400 {
        return Err(vm.argument_error("utc_offset out of range"));
    }
    Ok(ZoneKind::Fixed(offset as i32))
}
/// The zone of a time given as an instant.
pub(super) fn zone_of_instant(vm: &mut Vm, class: ClassId, value: &Value, at: &Exact) -> Res<(ZoneKind, Value)> {
    match zone_arg(vm, class, value, "utc_to_local")? {
        ZoneArg::Kind(kind) => Ok((kind, Value::Nil)),
        ZoneArg::Object(zone) => {
            let utc = object(ClassId::TIME, at.clone(), ZoneKind::Utc);
            let local = vm.call_name(&zone, "utc_to_local", &[utc])?;
            let offset = answer_seconds(vm, &local, true)? - at.seconds();
            Ok((checked_offset(vm, offset)?, zone))
        }
    }
}
/// Converts a local time in a zone to an instant.
fn instant_of_civil(
    vm: &mut Vm,
    class: ClassId,
    zone: Option<&Value>,
    reading: Exact,
) -> Res<(Exact, ZoneKind, Value)> {
    let seconds = |offset: i32| Exact::ns(i128::from(offset) * 1_000_000_000);
    let minus = |reading: &Exact, offset: i32| reading.plus(&seconds(offset).negated());
    match zone {
        None | Some(Value::Nil) => {
            let offset = local_offset(vm, clamped(reading.seconds()));
            Ok((minus(&reading, offset), ZoneKind::Local, Value::Nil))
        }
        Some(value) => match zone_arg(vm, class, value, "local_to_utc")? {
            ZoneArg::Kind(kind) => {
                let offset = match &kind {
                    ZoneKind::Fixed(offset) | ZoneKind::Named(offset, _) => seconds(*offset),
                    ZoneKind::Between(offset) => offset.clone(),
                    ZoneKind::Utc | ZoneKind::Local => Exact::ns(0),
                };
                Ok((reading.plus(&offset.negated()), kind, Value::Nil))
            }
            ZoneArg::Object(zone) => {
                let as_utc = object(ClassId::TIME, reading.clone(), ZoneKind::Utc);
                let utc = vm.call_name(&zone, "local_to_utc", &[as_utc])?;
                let at = answer_seconds(vm, &utc, false)?;
                let below = reading.plus(&Exact::ns(-reading.seconds() * 1_000_000_000));
                let kind = checked_offset(vm, reading.seconds() - at)?;
                Ok((Exact::ns(at * 1_000_000_000).plus(&below), kind, zone))
            }
        },
    }
}
/// The offset that MRI uses for an ambiguous local time: the second of two; for a skipped time the one before the change.
fn local_offset(vm: &Vm, reading: i64) -> i32 {
    match vm.host.local_offset(reading) {
        LocalOffset::Unique(offset) => offset,
        LocalOffset::Gap { before, .. } => before,
        LocalOffset::Fold { after, .. } => after,
    }
}

/// `Time.now(in: nil)`
pub(super) fn now(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [zone]) = args.take_keywords(vm, [in_keyword()])?;
    if !pos.is_empty() {
        return Err(vm.arity_error(pos.len(), "0"));
    }
    let class = class_of(this);
    // `new` gets the keyword even where it says nothing: a `new` of the program's tells the two ways apart by it
    if class != ClassId::TIME || zone.is_some() {
        let options = vm.new_hash(vec![(Value::Sym(in_keyword()), zone.unwrap_or(Value::Nil))])?;
        return vm.call_args(this, rchef_syntax::symbol::sym::NEW, Args::new(&[options]).with_keywords(true));
    }
    let at = present(vm);
    Ok(object(class, at, ZoneKind::Local))
}
/// `Time.at(seconds, sub = 0, unit = :microsecond, in: nil)`
pub(super) fn at(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [zone]) = args.take_keywords(vm, [in_keyword()])?;
    if pos.is_empty() || pos.len() > 3 {
        return Err(vm.arity_error(pos.len(), "1..3"));
    }
    let mut kind = ZoneKind::Local;
    let mut zone_object = Value::Nil;
    let mut at = match vm.data::<TimeData>(&pos[0]).cloned() {
        Some(data) if pos.len() == 1 => {
            kind = data.zone;
            zone_object = data.zone_object;
            data.at
        }
        _ => to_exact(vm, &pos[0])?,
    };
    if let Some(sub) = pos.get(1) {
        let sub = to_exact(vm, sub)?;
        let unit = match pos.get(2) {
            None => 1_000_000,
            Some(Value::Sym(unit)) => match unit.as_str() {
                "millisecond" => 1000,
                "usec" | "microsecond" => 1_000_000,
                "nsec" | "nanosecond" => 1_000_000_000,
                other => return Err(vm.argument_error(format!("unexpected unit: {other}"))),
            },
            Some(other) => {
                let shown = vm.to_s_text(other)?;
                return Err(vm.argument_error(format!("unexpected unit: {shown}")));
            }
        };
        at = at.plus(&sub.scaled(1, unit)).checked(vm)?;
    }
    if let Some(zone) = zone.filter(|zone| !zone.is_nil()) {
        (kind, zone_object) = zone_of_instant(vm, class_of(this), &zone, &at)?;
    }
    Ok(Value::data(class_of(this), TimeData { at, zone: kind, zone_object }))
}
/// The arguments with the year first: the ten values of `to_a` are reversed.
fn ordered(pos: &[Value]) -> Vec<Value> {
    if pos.len() == 10 {
        return vec![pos[5].clone(), pos[4].clone(), pos[3].clone(), pos[2].clone(), pos[1].clone(), pos[0].clone()];
    }
    // of eight arguments the last two say nothing
    if pos.len() == 8 { pos[..6].to_vec() } else { pos.to_vec() }
}
pub(super) fn utc(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.is_empty() || args.len() > 10 || args.len() == 9 {
        return Err(vm.arity_error(args.len(), "1..8"));
    }
    let reading = civil(vm, &ordered(args.pos))?;
    Ok(object(class_of(this), reading.seconds, ZoneKind::Utc))
}
pub(super) fn local(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.is_empty() || args.len() > 10 || args.len() == 9 {
        return Err(vm.arity_error(args.len(), "1..8"));
    }
    let reading = civil(vm, &ordered(args.pos))?;
    let (mut at, zone, _) = instant_of_civil(vm, class_of(this), None, reading.seconds.clone())?;
    // of two possible times, `isdst` in the ten arguments selects one
    if args.len() == 10
        && let LocalOffset::Fold { before, .. } = vm.host.local_offset(clamped(reading.seconds.seconds()))
        && args.at(8).truthy()
    {
        at = reading.seconds.plus(&Exact::ns(-i128::from(before) * 1_000_000_000));
    }
    Ok(object(class_of(this), at, zone))
}
/// `Time.new(year = now, month = 1, day = 1, hour = 0, min = 0, sec = 0, zone = nil, in: nil)`
pub(super) fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [zone]) = args.take_keywords(vm, [in_keyword()])?;
    if pos.len() > 7 {
        return Err(vm.arity_error(pos.len(), "0..7"));
    }
    if pos.len() == 7 && zone.as_ref().is_some_and(|zone| !zone.is_nil()) {
        return Err(vm.argument_error("timezone argument given as positional and keyword arguments"));
    }
    let zone = zone.or_else(|| pos.get(6).cloned()).filter(|zone| !zone.is_nil());
    let class = vm.real_class_of(this);
    let data = if pos.is_empty() {
        let at = present(vm);
        match zone {
            Some(zone) => {
                let (kind, zone_object) = zone_of_instant(vm, class, &zone, &at)?;
                TimeData { at, zone: kind, zone_object }
            }
            None => TimeData { at, zone: ZoneKind::Local, zone_object: Value::Nil },
        }
    } else {
        let reading = civil(vm, &pos[..pos.len().min(6)])?;
        let (at, zone, zone_object) = instant_of_civil(vm, class, zone.as_ref(), reading.seconds)?;
        TimeData { at, zone, zone_object }
    };
    vm.set_data(this, data);
    Ok(this.clone())
}
