//! The implicit types of plain scalars in YAML 1.1, resolved like psych 4.0.

use num_bigint::BigInt;
use std::borrow::Cow;

/// The value of a plain scalar.
#[derive(Debug, PartialEq)]
pub(crate) enum Scalar {
    Null,
    Bool(bool),
    Int(BigInt),
    Float(f64),
    /// The name without the colon.
    Symbol(String),
    /// A timestamp as written.
    Time(Timestamp),
    /// Year, month, day; possibly not a valid date.
    Date(i64, u32, u32),
    Text,
}

/// The parts of a timestamp, as written.
#[derive(Debug, PartialEq)]
pub(crate) struct Timestamp {
    pub date: (i64, u32, u32),
    pub time: (u32, u32, u32),
    pub fraction: Option<String>,
    pub zone: Option<String>,
}

/// Splits off the leading bytes that `accept` matches.
fn take(text: &str, accept: impl Fn(u8) -> bool) -> (&str, &str) {
    let end = text.bytes().position(|byte| !accept(byte)).unwrap_or(text.len());
    text.split_at(end)
}
fn digits(text: &str, min: usize, max: usize) -> Option<(&str, &str)> {
    let count = text.bytes().take(max).take_while(u8::is_ascii_digit).count();
    (count >= min).then(|| text.split_at(count))
}
fn unsigned(text: &str) -> (&str, bool) {
    match text.as_bytes().first() {
        Some(b'-') => (&text[1..], true),
        Some(b'+') => (&text[1..], false),
        _ => (text, false),
    }
}
fn blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c)
}

/// Whether the first characters rule out a number, date or Symbol.
fn wordlike(text: &str) -> bool {
    let class = |c: char| {
        c.is_alphabetic() || c == '_' || (c.is_ascii() && blank(c as u8)) || "!@#$%^&*(){}<>|/\\~;=".contains(c)
    };
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return false };
    if class(first) {
        return true;
    }
    !(first.is_ascii_digit() || matches!(first, '.' | ':' | '-')) && chars.next().is_some_and(class)
}

/// Resolves a plain scalar.
pub(crate) fn resolve(text: &str) -> Scalar {
    if text.is_empty() {
        return Scalar::Null;
    }
    if text.contains('\n') || wordlike(text) {
        return word(text);
    }
    timestamp(text)
        .or_else(|| date(text))
        .or_else(|| special_float(text))
        .or_else(|| symbol(text))
        .or_else(|| sexagesimal(text))
        .or_else(|| float(text))
        .or_else(|| integer(text))
        .unwrap_or(Scalar::Text)
}

fn word(text: &str) -> Scalar {
    if text.len() > 5 {
        return Scalar::Text;
    }
    match text.to_ascii_lowercase().as_str() {
        "~" | "null" => Scalar::Null,
        "yes" | "true" | "on" => Scalar::Bool(true),
        "no" | "false" | "off" => Scalar::Bool(false),
        _ => Scalar::Text,
    }
}

fn number(text: &str) -> Option<u32> {
    text.parse().ok()
}

/// `-?YYYY-M-D`, then `T`, `t` or blanks, `H:MM:SS`, a fraction, a zone.
fn timestamp(text: &str) -> Option<Scalar> {
    let (rest, negative) = match text.strip_prefix('-') {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let (year, rest) = digits(rest, 4, 4)?;
    let (month, rest) = digits(rest.strip_prefix('-')?, 1, 2)?;
    let (day, rest) = digits(rest.strip_prefix('-')?, 1, 2)?;
    let rest = match rest.as_bytes().first()? {
        b'T' | b't' => &rest[1..],
        byte if blank(*byte) => take(rest, blank).1,
        _ => return None,
    };
    let (hour, rest) = digits(rest, 1, 2)?;
    let (minute, rest) = digits(rest.strip_prefix(':')?, 2, 2)?;
    let (second, rest) = digits(rest.strip_prefix(':')?, 2, 2)?;
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => {
            let (fraction, rest) = take(rest, |byte| byte.is_ascii_digit());
            (Some(fraction.to_string()), rest)
        }
        None => (None, rest),
    };
    let zone = take(rest, blank).1;
    let zone = if rest.is_empty() {
        None
    } else if zone == "Z" {
        Some(zone.to_string())
    } else {
        let hours = zone.strip_prefix(['-', '+'])?;
        let (_, minutes) = digits(hours, 1, 2)?;
        let minutes = minutes.strip_prefix(':').unwrap_or(minutes);
        if !minutes.is_empty() && !digits(minutes, 2, 2)?.1.is_empty() {
            return None;
        }
        Some(zone.to_string())
    };
    let year: i64 = year.parse().ok()?;
    Some(Scalar::Time(Timestamp {
        date: (if negative { -year } else { year }, number(month)?, number(day)?),
        time: (number(hour)?, number(minute)?, number(second)?),
        fraction,
        zone,
    }))
}

fn date(text: &str) -> Option<Scalar> {
    let (year, rest) = digits(text, 4, 4)?;
    let (month, rest) = digits(rest.strip_prefix('-')?, 1, 2)?;
    let (day, rest) = digits(rest.strip_prefix('-')?, 1, 2)?;
    let (year, month, day) = (year.parse().ok()?, number(month)?, number(day)?);
    (rest.is_empty() && month <= 12 && day <= 31).then_some(Scalar::Date(year, month, day))
}

fn special_float(text: &str) -> Option<Scalar> {
    let (rest, negative) = unsigned(text);
    match rest.to_ascii_lowercase().as_str() {
        ".inf" => Some(Scalar::Float(if negative { f64::NEG_INFINITY } else { f64::INFINITY })),
        ".nan" if rest.len() == text.len() => Some(Scalar::Float(f64::NAN)),
        _ => None,
    }
}

/// `:name`, `:"name"`, `:'name'`
fn symbol(text: &str) -> Option<Scalar> {
    let name = text.strip_prefix(':')?;
    let first = name.chars().next()?;
    if matches!(first, '"' | '\'')
        && let Some(end) = name[1..].rfind(first)
    {
        let quoted = &name[1..=end];
        return Some(Scalar::Symbol(quoted.strip_prefix(':').unwrap_or(quoted).to_string()));
    }
    Some(Scalar::Symbol(name.to_string()))
}

/// The value of leading digits and underscores, like `String#to_i`.
fn leading(text: &str) -> BigInt {
    match rchef_text::number::parse_int(text.as_bytes(), 10) {
        Ok(found) => found.to_big(),
        Err(_) => BigInt::default(),
    }
}

/// Base 60 numbers. Like in psych, the first of two parts counts as much as the first of three (hours).
fn sexagesimal(text: &str) -> Option<Scalar> {
    let (body, _) = unsigned(text);
    if !body.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (_, mut rest) = take(body, |byte| byte.is_ascii_digit() || byte == b'_');
    let mut count = 0;
    while let Some(after) = rest.strip_prefix(':') {
        let (part, after) = take(after, |byte| byte.is_ascii_digit());
        if part.is_empty() || part.len() > 2 || (part.len() == 2 && part.as_bytes()[0] > b'5') {
            return None;
        }
        count += 1;
        rest = after;
    }
    if !(1..=2).contains(&count) {
        return None;
    }
    let parts = text.split(':');
    match rest.strip_prefix('.') {
        None if rest.is_empty() => {
            let total = parts.zip([3600, 60, 1]).map(|(part, unit)| leading(part) * unit).sum();
            Some(Scalar::Int(total))
        }
        Some(fraction) if fraction.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_') => {
            let total = parts
                .zip([3600.0, 60.0, 1.0])
                .map(|(part, unit)| rchef_text::number::parse_float(part.as_bytes()) * unit)
                .sum();
            Some(Scalar::Float(total))
        }
        _ => None,
    }
}

fn float(text: &str) -> Option<Scalar> {
    let (body, _) = unsigned(text);
    let (whole, rest) = take(body, |byte| byte.is_ascii_digit() || matches!(byte, b'_' | b','));
    if whole.starts_with(['_', ',']) {
        return None;
    }
    let (fraction, exponent) = take(rest.strip_prefix('.')?, |byte| byte.is_ascii_digit());
    if let Some(rest) = exponent.strip_prefix(['e', 'E']) {
        let power = rest.strip_prefix(['-', '+'])?;
        if power.is_empty() || !power.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
    } else if !exponent.is_empty() {
        return None;
    }
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut plain: String = text.chars().filter(|c| !matches!(c, '_' | ',')).collect();
    if fraction.is_empty() {
        plain = plain.replacen('.', "", 1);
    }
    rchef_text::number::parse_float_strict(plain.as_bytes()).ok().map(Scalar::Float)
}

fn integer(text: &str) -> Option<Scalar> {
    let (body, negative) = unsigned(text);
    let separator = |byte: u8| matches!(byte, b'_' | b',');
    let all = |text: &str, test: &dyn Fn(u8) -> bool| !text.is_empty() && text.bytes().all(test);
    let (radix, digits): (u32, &str) = if let Some(rest) = body.strip_prefix("0b") {
        (2, rest)
    } else if let Some(rest) = body.strip_prefix("0x") {
        (16, rest)
    } else if body.len() > 1 && body.starts_with('0') {
        (8, &body[1..])
    } else {
        let bytes = body.as_bytes();
        let paired = bytes.windows(2).all(|pair| !separator(pair[0]) || pair[1].is_ascii_digit());
        let ends = bytes.last().is_some_and(u8::is_ascii_digit);
        if !bytes.first().is_some_and(u8::is_ascii_digit)
            || !paired
            || !ends
            || !all(body, &|byte| byte.is_ascii_digit() || separator(byte))
        {
            return None;
        }
        (10, body)
    };
    let valid = match radix {
        2 => all(digits, &|byte| matches!(byte, b'0' | b'1') || separator(byte)),
        8 => all(digits, &|byte| matches!(byte, b'0'..=b'7') || separator(byte)),
        _ => all(digits, &|byte| byte.is_ascii_hexdigit() || separator(byte)),
    };
    if !valid {
        return None;
    }
    let mut bare: Cow<'_, str> = Cow::Borrowed(digits);
    if digits.bytes().any(separator) {
        bare = digits.chars().filter(|c| !matches!(c, '_' | ',')).collect();
    }
    let found = if bare.is_empty() { BigInt::default() } else { BigInt::parse_bytes(bare.as_bytes(), radix)? };
    Some(Scalar::Int(if negative { -found } else { found }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_numbers_need_their_whole_form() {
        assert_eq!(resolve("2020-13-01"), Scalar::Text);
        assert_eq!(resolve("1.5e3"), Scalar::Text);
        assert_eq!(resolve("1:30"), Scalar::Int(5400.into()));
        assert_eq!(resolve("089"), Scalar::Text);
        assert_eq!(resolve("0b"), Scalar::Text);
        assert_eq!(resolve("1_"), Scalar::Text);
    }
}
