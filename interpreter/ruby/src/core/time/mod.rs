//! Time: an instant in nanoseconds (with an optional fraction) and its zone.

mod build;
mod marshal;
mod number;
mod parts;

pub use number::{Exact, to_exact};

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::method::{MethodDef, any, def, opt};
use crate::string::RString;
use crate::value::{NativeData, Value};
use rchef_text::encoding::Encoding;
use rchef_text::strftime::{StrftimeError, TimeParts, strftime};
use std::rc::Rc;

/// The zone of a time.
#[derive(Clone, Debug, PartialEq)]
pub enum ZoneKind {
    Utc,
    Local,
    /// An offset in seconds east of UTC, without a name.
    Fixed(i32),
    /// An offset with a fraction of a second.
    Between(Exact),
    /// An offset in seconds with a name.
    Named(i32, Rc<str>),
}

/// A Time.
#[derive(Clone)]
pub struct TimeData {
    /// Seconds since 1970.
    pub at: Exact,
    pub zone: ZoneKind,
    /// The zone object it was created with (`in:`), or nil.
    pub zone_object: Value,
}
impl NativeData for TimeData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.zone_object);
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}

/// A Time in the local zone, from a time of the host.
pub fn at_host(_vm: &mut Vm, at: rchef_host::Time) -> Value {
    object(ClassId::TIME, Exact::ns(i128::from(at.secs) * 1_000_000_000 + i128::from(at.nanos)), ZoneKind::Local)
}
pub fn object(class: ClassId, at: Exact, zone: ZoneKind) -> Value {
    Value::data(class, TimeData { at, zone, zone_object: Value::Nil })
}
/// Converts a Time or a number of seconds to a time of the host.
pub fn to_host_time(vm: &mut Vm, value: &Value) -> Res<rchef_host::Time> {
    let at = match vm.data::<TimeData>(value) {
        Some(data) => data.at.clone(),
        None => to_exact(vm, value)?,
    };
    match i64::try_from(at.seconds()) {
        Ok(secs) => Ok(rchef_host::Time { secs, nanos: at.nanos() }),
        Err(_) => Err(vm.argument_error("time out of system range")),
    }
}
/// The data of a Time; TypeError if it is not initialised.
pub fn data(vm: &mut Vm, value: &Value) -> Res<TimeData> {
    match vm.data::<TimeData>(value) {
        Some(data) => Ok(data.clone()),
        None => Err(vm.type_error("uninitialized Time")),
    }
}

/// Calls `body` with the calendar fields of a time and the name of its zone.
pub fn with_parts<R>(vm: &mut Vm, data: &TimeData, body: impl FnOnce(&TimeParts<'_>) -> R) -> R {
    let (secs, nanos) = (data.at.seconds(), data.at.nanos());
    let abbreviation;
    let (offset, zone) = match &data.zone {
        ZoneKind::Utc => (0, Some("UTC")),
        ZoneKind::Fixed(offset) => (*offset, None),
        ZoneKind::Between(offset) => (whole_offset(offset), None),
        ZoneKind::Named(offset, name) => (*offset, Some(&**name)),
        ZoneKind::Local => {
            let found = vm.host.local_zone(clamped(secs));
            abbreviation = found.abbreviation;
            (found.offset, Some(&*abbreviation))
        }
    };
    // an offset with a fraction of a second moves the reading, the fraction that is shown stays the instant's
    let secs = match &data.zone {
        ZoneKind::Between(exact) => data.at.plus(exact).seconds() - i128::from(offset),
        _ => secs,
    };
    let parts = TimeParts::at(secs, nanos, offset, zone, data.zone == ZoneKind::Utc);
    body(&TimeParts { sub_nsec: data.at.sub_nanos(), ..parts })
}
/// The seconds of an instant where the machine is asked for its zone: years that it cannot express have the rules of the nearest that it can.
fn clamped(seconds: i128) -> i64 {
    i64::try_from(seconds).unwrap_or(if seconds < 0 { i64::MIN / 2 } else { i64::MAX / 2 })
}
/// An offset in whole seconds, as MRI rounds it.
fn whole_offset(offset: &Exact) -> i32 {
    let half = Exact::ns(500_000_000);
    let whole =
        if offset.seconds() < 0 { -offset.negated().plus(&half).seconds() } else { offset.plus(&half).seconds() };
    whole as i32
}
fn part(vm: &mut Vm, this: &Value, pick: impl FnOnce(&TimeParts<'_>) -> i128) -> Res {
    let data = data(vm, this)?;
    Ok(Value::i128(with_parts(vm, &data, pick)))
}
fn offset(vm: &mut Vm, data: &TimeData) -> i32 {
    with_parts(vm, data, |parts| parts.utc_offset)
}

macro_rules! parts {
    ($($name:ident |$parts:ident| $value:expr);* $(;)?) => {
        $(fn $name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
            part(vm, this, |$parts| i128::from($value))
        })*
    };
}
parts! {
    year |parts| parts.year;
    month |parts| parts.month;
    day |parts| parts.day;
    hour |parts| parts.hour;
    min |parts| parts.min;
    sec |parts| parts.sec;
    usec |parts| parts.nsec / 1000;
    nsec |parts| parts.nsec;
    wday |parts| parts.wday;
    yday |parts| parts.yday;
}
fn utc_offset(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = data(vm, this)?;
    match &data.zone {
        ZoneKind::Between(offset) => offset.to_rational(vm),
        _ => Ok(Value::Int(i64::from(offset(vm, &data)))),
    }
}
macro_rules! weekdays {
    ($($name:ident $number:literal),*) => {
        $(fn $name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
            Ok(Value::bool(matches!(wday(vm, this, Args::none())?, Value::Int($number))))
        })*
    };
}
weekdays! { sunday 0, monday 1, tuesday 2, wednesday 3, thursday 4, friday 5, saturday 6 }

fn to_i(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::i128(data(vm, this)?.at.seconds()))
}
fn to_f(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::float(data(vm, this)?.at.to_f64()))
}
fn to_r(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let at = data(vm, this)?.at;
    at.to_rational(vm)
}
fn subsec(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let at = data(vm, this)?.at;
    at.subsec(vm)
}
fn zone_name(vm: &mut Vm, data: &TimeData) -> Option<String> {
    with_parts(vm, data, |parts| parts.zone.map(str::to_string))
}
fn zone(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = data(vm, this)?;
    if !data.zone_object.is_nil() {
        return Ok(data.zone_object);
    }
    Ok(zone_name(vm, &data)
        .map_or(Value::Nil, |name| Value::string(RString::new(name.into_bytes(), Encoding::UsAscii))))
}
fn is_utc(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(data(vm, this)?.zone == ZoneKind::Utc))
}
fn is_dst(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = data(vm, this)?;
    if !data.zone_object.is_nil() && vm.respond_to(&data.zone_object, Symbol::intern_static("dst?"), true)? {
        let answer = vm.call(&data.zone_object, Symbol::intern_static("dst?"), std::slice::from_ref(this))?;
        return Ok(Value::bool(answer.truthy()));
    }
    let secs = clamped(data.at.seconds());
    Ok(Value::bool(data.zone == ZoneKind::Local && vm.host.local_zone(secs).dst))
}

fn change_zone(vm: &mut Vm, this: &Value, zone: ZoneKind, zone_object: Value) -> Res {
    let before = data(vm, this)?;
    if before.zone == zone && zone_object.is_nil() && before.zone_object.is_nil() {
        return Ok(this.clone());
    }
    vm.check_frozen(this)?;
    if let Some(data) = vm.data_mut::<TimeData>(this) {
        data.zone = zone;
        data.zone_object = zone_object;
    }
    Ok(this.clone())
}
fn utc(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    change_zone(vm, this, ZoneKind::Utc, Value::Nil)
}
fn zone_from(vm: &mut Vm, this: &Value, value: Option<&Value>) -> Res<(ZoneKind, Value)> {
    match value {
        None | Some(Value::Nil) => Ok((ZoneKind::Local, Value::Nil)),
        Some(value) => {
            let at = data(vm, this)?.at;
            build::zone_of_instant(vm, vm.real_class_of(this), value, &at)
        }
    }
}
fn localtime(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (zone, zone_object) = zone_from(vm, this, args.get(0))?;
    change_zone(vm, this, zone, zone_object)
}
fn getlocal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (zone, zone_object) = zone_from(vm, this, args.get(0))?;
    let at = data(vm, this)?.at;
    Ok(Value::data(vm.real_class_of(this), TimeData { at, zone, zone_object }))
}
fn getutc(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let at = data(vm, this)?.at;
    Ok(object(vm.real_class_of(this), at, ZoneKind::Utc))
}

fn is_time(vm: &Vm, value: &Value) -> bool {
    vm.data::<TimeData>(value).is_some()
}
fn moved(vm: &mut Vm, this: &Value, at: Exact) -> Res {
    let at = at.checked(vm)?;
    let before = data(vm, this)?;
    // the result is never of a subclass
    Ok(Value::data(ClassId::TIME, TimeData { at, ..before }))
}
fn plus(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if is_time(vm, args.at(0)) {
        return Err(vm.type_error("time + time?"));
    }
    let by = to_exact(vm, args.at(0))?;
    let at = data(vm, this)?.at.plus(&by);
    moved(vm, this, at)
}
fn minus(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let at = data(vm, this)?.at;
    if let Some(other) = vm.data::<TimeData>(args.at(0)) {
        let difference = at.plus(&other.at.negated());
        return Ok(Value::float(difference.to_f64()));
    }
    let by = to_exact(vm, args.at(0))?;
    moved(vm, this, at.plus(&by.negated()))
}
fn compare(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    if is_time(vm, other) {
        let (a, b) = (data(vm, this)?.at, data(vm, other)?.at);
        return Ok(Value::Int(a.cmp(&b) as i64));
    }
    if matches!(other, Value::Int(_) | Value::Float(_) | Value::Nil | Value::Str(_) | Value::Sym(_)) {
        return Ok(Value::Nil);
    }
    // another class may implement comparison with a Time
    let answer = vm.call(other, rchef_syntax::symbol::sym::CMP, std::slice::from_ref(this))?;
    if answer.is_nil() {
        return Ok(Value::Nil);
    }
    let order = vm.ordering(&answer, other, this)?;
    Ok(Value::Int(order.reverse() as i64))
}
fn eql(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if !is_time(vm, args.at(0)) {
        return Ok(Value::False);
    }
    Ok(Value::bool(data(vm, this)?.at == data(vm, args.at(0))?.at))
}
fn hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let at = data(vm, this)?.at;
    Ok(Value::Int((at.hash() >> 2) as i64))
}
fn round_to(vm: &mut Vm, this: &Value, args: Args<'_>, how: number::Rounding) -> Res {
    let digits = match args.get(0) {
        Some(digits) if !digits.is_nil() => vm.to_int(digits)?,
        _ => 0,
    };
    if digits < 0 {
        return Err(vm.argument_error("negative ndigits given"));
    }
    let at = data(vm, this)?.at.rounded(digits, how);
    moved(vm, this, at)
}
fn round(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    round_to(vm, this, args, number::Rounding::Half)
}
fn floor(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    round_to(vm, this, args, number::Rounding::Down)
}
fn ceil(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    round_to(vm, this, args, number::Rounding::Up)
}
fn to_a(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let found = data(vm, this)?;
    let mut items = with_parts(vm, &found, |parts| {
        [parts.sec, parts.min, parts.hour, parts.day, parts.month]
            .iter()
            .map(|&number| Value::Int(i64::from(number)))
            .chain([Value::i128(parts.year), Value::Int(i64::from(parts.wday)), Value::Int(i64::from(parts.yday))])
            .collect::<Vec<_>>()
    });
    items.push(is_dst(vm, this, Args::none())?);
    items.push(zone(vm, this, Args::none())?);
    Ok(Value::array(items))
}

/// `strftime`, with the zone object's name for `%Z`.
fn formatted(vm: &mut Vm, this: &Value, format: &[u8]) -> Res<Vec<u8>> {
    let found = data(vm, this)?;
    let name = if found.zone_object.is_nil() || !format.contains(&b'Z') {
        None
    } else if vm.respond_to(&found.zone_object, Symbol::intern_static("abbr"), true)? {
        let abbr = vm.call(&found.zone_object, Symbol::intern_static("abbr"), std::slice::from_ref(this))?;
        Some(vm.to_s_text(&abbr)?)
    } else {
        None
    };
    let result = with_parts(vm, &found, |parts| match &name {
        Some(name) => strftime(format, &TimeParts { zone: Some(name), ..parts.clone() }),
        None => strftime(format, parts),
    });
    match result {
        Ok(text) => Ok(text),
        Err(StrftimeError::TooWide) => {
            let shown = String::from_utf8_lossy(format).into_owned();
            Err(vm.errno(34, Some(&format!("- {shown}").replacen("- ", "", 1))))
        }
        Err(error @ StrftimeError::TooLarge) => Err(vm.error(ClassId::NO_MEMORY_ERROR, error.to_string())),
        Err(StrftimeError::Invalid(format)) => Err(vm.argument_error(format!("invalid format: {format}"))),
    }
}
fn strftime_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let format = vm.to_str(args.at(0))?;
    let (bytes, encoding) = (format.get(vm).bytes().to_vec(), format.get(vm).encoding());
    if !encoding.is_ascii_compatible() {
        return Err(vm.argument_error("format should have ASCII compatible encoding"));
    }
    if bytes.is_empty() {
        vm.warn_verbose("strftime called with empty format string")?;
    }
    let text = formatted(vm, this, &bytes)?;
    Ok(Value::string(RString::new(text, encoding)))
}
fn ascii(text: Vec<u8>) -> Value {
    Value::string(RString::new(text, Encoding::UsAscii))
}
fn ctime(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    formatted(vm, this, b"%a %b %e %T %Y").map(ascii)
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let utc = data(vm, this)?.zone == ZoneKind::Utc;
    formatted(vm, this, if utc { b"%Y-%m-%d %H:%M:%S UTC" } else { b"%Y-%m-%d %H:%M:%S %z" }).map(ascii)
}
/// Like `to_s`, with the fraction of a second.
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let found = data(vm, this)?;
    let mut text = formatted(vm, this, b"%Y-%m-%d %H:%M:%S")?;
    if found.at.sub_nanos().is_some() {
        let rest = found.at.subsec(vm)?;
        text.push(b' ');
        text.extend_from_slice(vm.to_s_text(&rest)?.as_bytes());
    } else if found.at.nanos() > 0 {
        let digits = format!("{:09}", found.at.nanos());
        text.push(b'.');
        text.extend_from_slice(digits.trim_end_matches('0').as_bytes());
    }
    let zone: &[u8] = match found.zone {
        ZoneKind::Utc => b" UTC",
        _ if offset(vm, &found) % 60 != 0 => b" %::z",
        _ => b" %z",
    };
    text.extend(formatted(vm, this, zone)?.into_iter().filter(|byte| *byte != b':'));
    Ok(ascii(text))
}
fn initialize_copy(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let from = data(vm, args.at(0))?;
    vm.set_data(this, from);
    Ok(this.clone())
}

static METHODS: &[MethodDef] = &[
    any("initialize", build::initialize).private(),
    def("initialize_copy", initialize_copy, 1).private(),
    opt("_dump", marshal::dump, 0, 1).private(),
    def("+", plus, 1),
    def("-", minus, 1),
    def("<=>", compare, 1),
    def("eql?", eql, 1),
    def("hash", hash, 0),
    def("year", year, 0),
    def("month", month, 0),
    def("mon", month, 0),
    def("day", day, 0),
    def("mday", day, 0),
    def("hour", hour, 0),
    def("min", min, 0),
    def("sec", sec, 0),
    def("usec", usec, 0),
    def("tv_usec", usec, 0),
    def("nsec", nsec, 0),
    def("tv_nsec", nsec, 0),
    def("subsec", subsec, 0),
    def("wday", wday, 0),
    def("yday", yday, 0),
    def("zone", zone, 0),
    def("utc_offset", utc_offset, 0),
    def("gmt_offset", utc_offset, 0),
    def("gmtoff", utc_offset, 0),
    def("to_i", to_i, 0),
    def("tv_sec", to_i, 0),
    def("to_f", to_f, 0),
    def("to_r", to_r, 0),
    def("to_a", to_a, 0),
    def("utc", utc, 0),
    def("gmtime", utc, 0),
    def("getutc", getutc, 0),
    def("getgm", getutc, 0),
    opt("localtime", localtime, 0, 1),
    opt("getlocal", getlocal, 0, 1),
    def("utc?", is_utc, 0),
    def("gmt?", is_utc, 0),
    def("dst?", is_dst, 0),
    def("isdst", is_dst, 0),
    opt("round", round, 0, 1),
    opt("floor", floor, 0, 1),
    opt("ceil", ceil, 0, 1),
    def("strftime", strftime_method, 1),
    def("ctime", ctime, 0),
    def("asctime", ctime, 0),
    def("to_s", to_s, 0),
    def("inspect", inspect, 0),
    def("sunday?", sunday, 0),
    def("monday?", monday, 0),
    def("tuesday?", tuesday, 0),
    def("wednesday?", wednesday, 0),
    def("thursday?", thursday, 0),
    def("friday?", friday, 0),
    def("saturday?", saturday, 0),
];
static SINGLETON: &[MethodDef] = &[
    opt("now", build::now, 0, 1),
    at_least_one("at", build::at),
    any("utc", build::utc),
    any("gm", build::utc),
    any("local", build::local),
    any("mktime", build::local),
    def("_load", marshal::load, 1).private(),
];
const fn at_least_one(name: &'static str, function: crate::method::NativeFn) -> MethodDef {
    crate::method::at_least(name, function, 1)
}

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::TIME).allocator = Some(|_, class| Ok(object(class, Exact::ns(0), ZoneKind::Local)));
    vm.include_module(ClassId::TIME, ClassId::COMPARABLE);
    vm.define_methods(ClassId::TIME, METHODS);
    vm.define_singleton_methods(ClassId::TIME, SINGLETON);
}
