//! `Time#strftime`, after MRI's strftime.c.
use num_bigint::BigInt;
use std::fmt;

/// A time's calendar fields.
#[derive(Clone, Debug, Default)]
pub struct TimeParts<'a> {
    /// Astronomical year (0 is 1 BC).
    pub year: i128,
    /// 1..=12.
    pub month: u32,
    /// 1..=31.
    pub day: u32,
    /// 0..=23.
    pub hour: u32,
    /// 0..=59.
    pub min: u32,
    /// 0..=60.
    pub sec: u32,
    /// 0..=999_999_999.
    pub nsec: u32,
    /// The fraction of a nanosecond: numerator and denominator, 0 <= fraction < 1.
    pub sub_nsec: Option<&'a (BigInt, BigInt)>,
    /// Day of the year, 1..=366.
    pub yday: u32,
    /// Day of the week, 0 is Sunday.
    pub wday: u32,
    /// Seconds east of UTC.
    pub utc_offset: i32,
    /// Abbreviation of the zone; None for a fixed offset.
    pub zone: Option<&'a str>,
    /// Whether the zone is UTC (not only an offset of 0).
    pub utc: bool,
    /// Seconds since 1970.
    pub epoch: i128,
    /// Milliseconds since 1970, for a Date or DateTime: it supports `%Q` and `%+` and accepts every format.
    pub millis: Option<i64>,
}

/// Why a format is rejected.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum StrftimeError {
    /// A width that exceeds MRI's buffer: Errno::ERANGE.
    TooWide,
    /// NoMemoryError: the widths add up to too long a text.
    TooLarge,
    /// ArgumentError: the format ends inside a directive.
    Invalid(String),
}

impl fmt::Display for StrftimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StrftimeError::TooWide => f.write_str("Numerical result out of range"),
            StrftimeError::TooLarge => f.write_str("failed to allocate memory"),
            StrftimeError::Invalid(format) => write!(f, "invalid format: {format}"),
        }
    }
}
impl std::error::Error for StrftimeError {}

pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
/// Sunday first.
pub const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

const MAX_WIDTH: usize = 65_535;

/// The years after which the Gregorian calendar is the same again, weekdays included.
const CYCLE_YEARS: i64 = 400;
const CYCLE_DAYS: i64 = 146_097;
const CYCLE_SECONDS: i64 = CYCLE_DAYS * 86_400;

/// A number without whole cycles, where 64 bits do not hold what is counted of it, and the number of cycles.
fn within_cycles(number: i128, held: std::ops::RangeInclusive<i64>, cycle: i64) -> (i64, i128) {
    match i64::try_from(number) {
        Ok(number) if held.contains(&number) => (number, 0),
        _ => (number.rem_euclid(i128::from(cycle)) as i64, number.div_euclid(i128::from(cycle))),
    }
}
fn year_within(year: i128) -> (i64, i128) {
    within_cycles(year, -(1 << 40)..=1 << 40, CYCLE_YEARS)
}

/// Days from 1970-01-01 to a date of the Gregorian calendar.
pub fn days_from_civil(year: i128, month: u32, day: u32) -> i128 {
    let (year, cycles) = year_within(year);
    i128::from(days_in(year, month, day)) + cycles * i128::from(CYCLE_DAYS)
}
fn days_in(year: i64, month: u32, day: u32) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(CYCLE_YEARS);
    let yoe = y.rem_euclid(CYCLE_YEARS);
    let doy = (153 * ((i64::from(month) + 9) % 12) + 2) / 5 + i64::from(day) - 1;
    era * CYCLE_DAYS + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719_468
}

/// Year, month and day from the days since 1970-01-01.
fn civil_from_days(days: i64) -> (i64, u32, u32) {
    let z = days + 719_468;
    let era = z.div_euclid(CYCLE_DAYS);
    let doe = z.rem_euclid(CYCLE_DAYS);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let month = if mp < 10 { mp + 3 } else { mp - 9 } as u32;
    (yoe + era * CYCLE_YEARS + i64::from(month <= 2), month, (doy - (153 * mp + 2) / 5 + 1) as u32)
}

impl<'a> TimeParts<'a> {
    /// The fields of `epoch` seconds and `nsec` nanoseconds in a zone `utc_offset` seconds east of UTC.
    pub fn at(epoch: i128, nsec: u32, utc_offset: i32, zone: Option<&'a str>, utc: bool) -> TimeParts<'a> {
        let local = epoch.saturating_add(i128::from(utc_offset));
        let (local, cycles) = within_cycles(local, i64::MIN..=i64::MAX, CYCLE_SECONDS);
        let (days, secs) = (local.div_euclid(86_400), local.rem_euclid(86_400));
        let (year, month, day) = civil_from_days(days);
        TimeParts {
            year: i128::from(year) + cycles * i128::from(CYCLE_YEARS),
            month,
            day,
            hour: (secs / 3600) as u32,
            min: (secs / 60 % 60) as u32,
            sec: (secs % 60) as u32,
            nsec,
            sub_nsec: None,
            yday: (days - days_in(year, 1, 1) + 1) as u32,
            wday: (days + 4).rem_euclid(7) as u32,
            utc_offset,
            zone,
            utc,
            epoch,
            millis: None,
        }
    }

    /// ISO 8601 year and week.
    pub fn iso_week(&self) -> (i128, u32) {
        let weekday = (i64::from(self.wday) + 6) % 7;
        // The year of the week's Thursday is the week's year.
        let thursday = i64::from(self.yday) - 1 - weekday + 3;
        let length = |year: i128| {
            let (year, _) = year_within(year);
            days_in(year + 1, 1, 1) - days_in(year, 1, 1)
        };
        if thursday < 0 {
            (self.year - 1, ((thursday + length(self.year - 1)) / 7 + 1) as u32)
        } else if thursday >= length(self.year) {
            (self.year + 1, ((thursday - length(self.year)) / 7 + 1) as u32)
        } else {
            (self.year, (thursday / 7 + 1) as u32)
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Flags {
    left: bool,
    upper: bool,
    change: bool,
    /// `_` or `0`.
    pad: Option<u8>,
    colons: u32,
    width: Option<usize>,
}

/// `Time#strftime`.
///
/// # Errors
/// See [`StrftimeError`].
pub fn strftime(format: &[u8], t: &TimeParts<'_>) -> Result<Vec<u8>, StrftimeError> {
    /// Limit of the bytes that widths may add.
    const MOST: usize = 1 << 26;
    let mut out = Vec::with_capacity(format.len() * 2);
    let mut pos = 0;
    while pos < format.len() {
        if out.len() > format.len().saturating_mul(16).saturating_add(MOST) {
            return Err(StrftimeError::TooLarge);
        }
        let rest = &format[pos..];
        match memchr::memchr(b'%', rest) {
            None => {
                out.extend_from_slice(rest);
                break;
            }
            Some(at) => {
                out.extend_from_slice(&rest[..at]);
                pos += at;
            }
        }
        match directive(&format[pos..], t, &mut out)? {
            Some(n) => pos += n,
            None => {
                // Not a directive: the percent sign and what follows it are copied.
                let n = raw_len(&format[pos..]);
                if t.millis.is_none()
                    && pos + n == format.len()
                    && !matches!(format[pos + n - 1], b'E' | b'O' | b':')
                    && n == 1 + flag_len(&format[pos..])
                {
                    return Err(StrftimeError::Invalid(String::from_utf8_lossy(format).into_owned()));
                }
                out.extend_from_slice(&format[pos..pos + n]);
                pos += n;
            }
        }
    }
    Ok(out)
}

fn flag_len(f: &[u8]) -> usize {
    f.iter().skip(1).take_while(|c| b"-^#_0:123456789EO".contains(c)).count()
}

fn raw_len(f: &[u8]) -> usize {
    let n = 1 + flag_len(f);
    match f.get(n) {
        None | Some(b'%') => n,
        Some(_) => n + crate::encoding::char_len_at(f, n, crate::encoding::Encoding::Utf8).len(),
    }
}

fn number(out: &mut Vec<u8>, f: &Flags, pad: u8, width: usize, n: impl Into<i128>) {
    let n = n.into();
    let width = if f.left { 1 } else { f.width.unwrap_or(width) };
    let zero = f.pad.unwrap_or(pad) == b'0';
    let digits = n.unsigned_abs().to_string();
    let sign = usize::from(n < 0);
    let fill = width.saturating_sub(digits.len() + sign);
    if !zero {
        out.resize(out.len() + fill, b' ');
    }
    if n < 0 {
        out.push(b'-');
    }
    if zero {
        out.resize(out.len() + fill, b'0');
    }
    out.extend_from_slice(digits.as_bytes());
}

fn push_padded(out: &mut Vec<u8>, f: &Flags, s: &[u8]) {
    if let (Some(w), false) = (f.width, f.left) {
        let fill = w.saturating_sub(s.len());
        out.resize(out.len() + fill, if f.pad == Some(b'0') { b'0' } else { b' ' });
    }
    if f.upper { out.extend(s.iter().map(u8::to_ascii_uppercase)) } else { out.extend_from_slice(s) }
}

fn name(out: &mut Vec<u8>, f: &Flags, s: &str) {
    let f = Flags { upper: f.upper || f.change, ..*f };
    push_padded(out, &f, s.as_bytes());
}

fn zone_offset(out: &mut Vec<u8>, f: &Flags, t: &TimeParts<'_>) {
    let off = if t.utc { 0 } else { t.utc_offset };
    let negative = off < 0 || t.utc && f.left;
    let off = off.unsigned_abs();
    let shape = match f.colons {
        0 => 1,
        1 => 2,
        2 => 3,
        _ if off % 3600 == 0 => 0,
        _ if off % 60 == 0 => 2,
        _ => 3,
    };
    // The minutes and seconds after the hours.
    let tail = match shape {
        0 => 0,
        1 => 2,
        2 => 3,
        _ => 6,
    };
    let least = 3 + tail;
    let digits = match f.width {
        Some(w) if w > least => w - tail - 1,
        None if f.left && t.millis.is_some() => 1,
        _ => 2,
    };
    let sign = if negative { '-' } else { '+' };
    let hours = off / 3600;
    let head = if f.pad == Some(b'_') {
        let text = format!("{sign}{hours}");
        " ".repeat((digits + 1).saturating_sub(text.len())) + &text
    } else {
        let text = hours.to_string();
        format!("{sign}{}{text}", "0".repeat(digits.saturating_sub(text.len())))
    };
    out.extend_from_slice(head.as_bytes());
    let (m, s) = (off / 60 % 60, off % 60);
    let rest = match shape {
        0 => String::new(),
        1 => format!("{m:02}"),
        2 => format!(":{m:02}"),
        _ => format!(":{m:02}:{s:02}"),
    };
    out.extend_from_slice(rest.as_bytes());
}

/// Whether a directive accepts the modifier `E` or `O`.
fn modified(modifier: u8, c: u8) -> bool {
    if modifier == b'E' { b"cCxXyY".contains(&c) } else { b"deHkIlmMSuUVwWy".contains(&c) }
}

/// Formats the directive at the start of `f`; returns its length, None if it is not a directive.
fn directive(f: &[u8], t: &TimeParts<'_>, out: &mut Vec<u8>) -> Result<Option<usize>, StrftimeError> {
    let mut flags = Flags::default();
    let mut i = 1;
    let c = loop {
        let Some(&c) = f.get(i) else { return Ok(None) };
        i += 1;
        match c {
            // flags come before the width
            b'-' | b'^' | b'#' | b'_' if flags.width.is_some() => return Ok(None),
            b'-' => flags.left = true,
            b'^' => flags.upper = true,
            b'#' => flags.change = true,
            b'_' => flags.pad = Some(b'_'),
            b':' => {
                let run = f[i - 1..].iter().take_while(|c| **c == b':').count();
                if run > 3 || f.get(i - 1 + run) != Some(&b'z') {
                    return Ok(None);
                }
                flags.colons = run as u32;
                i += run - 1;
            }
            b'0' => flags.pad = Some(b'0'),
            b'1'..=b'9' => {
                let n = f[i - 1..].iter().take_while(|c| c.is_ascii_digit()).count();
                let digits = &f[i - 1..i - 1 + n];
                let w = digits.iter().fold(0usize, |w, d| w.saturating_mul(10).saturating_add(usize::from(d - b'0')));
                if w > MAX_WIDTH {
                    return Err(StrftimeError::TooWide);
                }
                flags.width = Some(w);
                i += n - 1;
            }
            b'E' | b'O' if !f.get(i).is_some_and(|next| modified(c, *next)) => return Ok(None),
            b'E' | b'O' => {}
            _ => break c,
        }
    };
    Ok(conversion(c, &flags, t, out)?.then_some(i))
}

fn compound(out: &mut Vec<u8>, f: &Flags, format: &str, t: &TimeParts<'_>) -> Result<bool, StrftimeError> {
    let s = strftime(format.as_bytes(), t)?;
    push_padded(out, &Flags { left: false, ..*f }, &s);
    Ok(true)
}

/// The decimal digits below the nanosecond, `count` of them.
fn below_nanos(out: &mut Vec<u8>, fraction: Option<&(BigInt, BigInt)>, count: usize) {
    let Some((num, den)) = fraction.filter(|_| count > 0) else { return out.resize(out.len() + count, b'0') };
    let digits = (num * BigInt::from(10u32).pow(count as u32) / den).to_string();
    out.resize(out.len() + count.saturating_sub(digits.len()), b'0');
    out.extend_from_slice(digits.as_bytes());
}

fn conversion(c: u8, f: &Flags, t: &TimeParts<'_>, out: &mut Vec<u8>) -> Result<bool, StrftimeError> {
    let hour12 = (t.hour + 11) % 12 + 1;
    let year_width = |y: i128| if y >= 0 { 4 } else { 5 };
    let weekday = |i: u32| DAYS[(i % 7) as usize];
    let month = MONTHS[(t.month.clamp(1, 12) - 1) as usize];
    match c {
        b'Y' => number(out, f, b'0', year_width(t.year), t.year),
        b'C' => number(out, f, b'0', 2, t.year.div_euclid(100)),
        b'y' => number(out, f, b'0', 2, t.year.rem_euclid(100)),
        b'm' => number(out, f, b'0', 2, t.month),
        b'B' => name(out, f, month),
        b'b' | b'h' => name(out, f, &month[..3]),
        b'd' => number(out, f, b'0', 2, t.day),
        b'e' => number(out, f, b' ', 2, t.day),
        b'j' => number(out, f, b'0', 3, t.yday),
        b'H' => number(out, f, b'0', 2, t.hour),
        b'k' => number(out, f, b' ', 2, t.hour),
        b'I' => number(out, f, b'0', 2, hour12),
        b'l' => number(out, f, b' ', 2, hour12),
        b'M' => number(out, f, b'0', 2, t.min),
        b'S' => number(out, f, b'0', 2, t.sec),
        b'L' | b'N' => {
            let digits = format!("{:09}", t.nsec);
            let width = f.width.unwrap_or(if c == b'L' { 3 } else { 9 });
            out.extend_from_slice(&digits.as_bytes()[..width.min(9)]);
            below_nanos(out, t.sub_nsec, width.saturating_sub(9));
        }
        b'P' | b'p' => {
            let s: &[u8] = match ((c == b'P') != f.change, t.hour < 12) {
                (true, true) => b"am",
                (true, false) => b"pm",
                (false, true) => b"AM",
                (false, false) => b"PM",
            };
            push_padded(out, &Flags { upper: f.upper && !f.change, ..*f }, s);
        }
        b'z' => zone_offset(out, f, t),
        b'Z' => {
            let zone = if t.utc { "UTC" } else { t.zone.unwrap_or("") };
            if zone.is_empty() {
                return Ok(true);
            }
            if f.change {
                push_padded(out, &Flags { upper: false, ..*f }, zone.to_lowercase().as_bytes())
            } else {
                push_padded(out, f, zone.as_bytes())
            }
        }
        b'A' => name(out, f, weekday(t.wday)),
        b'a' => name(out, f, &weekday(t.wday)[..3]),
        b'u' => number(out, f, b'0', 1, if t.wday == 0 { 7 } else { t.wday }),
        b'w' => number(out, f, b'0', 1, t.wday),
        b'G' => number(out, f, b'0', year_width(t.iso_week().0), t.iso_week().0),
        b'g' => number(out, f, b'0', 2, t.iso_week().0.rem_euclid(100)),
        b'V' => number(out, f, b'0', 2, t.iso_week().1),
        b'U' => number(out, f, b'0', 2, (t.yday + 6 - t.wday) / 7),
        b'W' => number(out, f, b'0', 2, (t.yday + 6 - (t.wday + 6) % 7) / 7),
        b's' => number(out, f, b'0', 1, t.epoch),
        b'n' => push_padded(out, f, b"\n"),
        b't' => push_padded(out, f, b"\t"),
        b'%' => push_padded(out, f, b"%"),
        b'c' => return compound(out, f, "%a %b %e %H:%M:%S %Y", t),
        b'D' | b'x' => return compound(out, f, "%m/%d/%y", t),
        b'F' => return compound(out, f, "%Y-%m-%d", t),
        b'T' | b'X' => return compound(out, f, "%H:%M:%S", t),
        b'R' => return compound(out, f, "%H:%M", t),
        b'r' => return compound(out, f, "%I:%M:%S %p", t),
        b'v' => return compound(out, f, if t.millis.is_some() { "%e-%^b-%Y" } else { "%e-%^b-%4Y" }, t),
        b'+' if t.millis.is_some() => return compound(out, f, "%a %b %e %H:%M:%S %Z %Y", t),
        b'Q' => match t.millis {
            Some(millis) => number(out, f, b'0', 1, millis),
            None => return Ok(false),
        },
        _ => return Ok(false),
    }
    Ok(true)
}
