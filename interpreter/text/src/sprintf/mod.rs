//! `Kernel#format`, after MRI's sprintf.c.
mod float;
mod integer;
mod near;

use crate::encoding::{
    CodeRange, CodepointError, Encoding, Operand, char_count, chars, compatible, encode_codepoint, scan,
};
use crate::number::Int;
use num_bigint::BigInt;
use std::fmt;

/// The argument of `%f`, `%e`, `%g` and `%a`.
#[derive(Clone, Debug)]
pub enum Number {
    /// An Integer: `%f` writes all its digits.
    Int(Int),
    /// A Rational (numerator, denominator above 0): `%f` writes it exactly.
    Rational(BigInt, BigInt),
    Float(f64),
}

#[derive(Clone, Debug)]
pub enum Character {
    Text(Vec<u8>, Encoding),
    Code(i64),
}

/// The arguments of a format and their conversions; the VM implements it.
pub trait FormatArgs {
    type Value;
    type Error: From<FormatError>;
    /// Called before the result, which has `held` bytes, grows by up to `added` bytes.
    ///
    /// # Errors
    /// NoMemoryError when that is too much.
    fn grow(&mut self, held: usize, added: usize) -> Result<(), Self::Error>;
    /// Called repeatedly during long computations.
    ///
    /// # Errors
    /// An error that aborts the computation.
    fn tick(&mut self) -> Result<(), Self::Error>;
    /// `Integer#to_s(radix)` of a Bignum.
    ///
    /// # Errors
    /// See `grow` and `tick`.
    fn digits(&mut self, number: &BigInt, radix: u32) -> Result<String, Self::Error>;
    /// The number of positional arguments.
    fn count(&self) -> usize;
    /// The positional argument at `index` (from 0), which is below `count`.
    fn positional(&mut self, index: usize) -> Self::Value;
    /// The value of a name in the Hash argument; `shown` is the name with its brackets, for `key<a> not found`. `FormatError::OneHash` if the
    /// arguments are not a single Hash.
    ///
    /// # Errors
    /// KeyError and whatever a default block raises.
    fn named(&mut self, name: &[u8], shown: &[u8]) -> Result<Self::Value, Self::Error>;
    /// Converts like `Integer()` (nil is a TypeError, text is parsed strictly, Floats are floored).
    ///
    /// # Errors
    /// Whatever the conversion raises.
    fn integer(&mut self, value: &Self::Value) -> Result<Int, Self::Error>;
    /// Converts by `to_int`, for a width or precision given as `*`.
    ///
    /// # Errors
    /// Whatever the conversion raises.
    fn implicit_integer(&mut self, value: &Self::Value) -> Result<Int, Self::Error>;
    /// Converts like `Float()`; Integer and Rational are kept.
    ///
    /// # Errors
    /// Whatever the conversion raises.
    fn number(&mut self, value: &Self::Value) -> Result<Number, Self::Error>;
    /// The argument of `%c`: a String's content or a code point.
    ///
    /// # Errors
    /// Whatever the conversion raises.
    fn character(&mut self, value: &Self::Value) -> Result<Character, Self::Error>;
    /// Calls `to_s`.
    ///
    /// # Errors
    /// Whatever the method raises.
    fn string(&mut self, value: &Self::Value) -> Result<(Vec<u8>, Encoding), Self::Error>;
    /// Calls `inspect`.
    ///
    /// # Errors
    /// Whatever the method raises.
    fn inspect(&mut self, value: &Self::Value) -> Result<(Vec<u8>, Encoding), Self::Error>;
}

/// An error in a format (ArgumentError unless stated otherwise).
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum FormatError {
    /// Fewer arguments than directives.
    TooFew,
    /// An unknown directive.
    Malformed(String),
    /// A lone `%` at the end.
    Incomplete,
    /// MRI's message for another error.
    Message(String),
    /// A number that is not a character in the format's encoding (RangeError).
    Range(u64),
    /// A width or precision that is too large (NoMemoryError).
    TooLarge,
    /// Names without a single Hash.
    OneHash,
    /// Encoding::CompatibilityError.
    Incompatible(Encoding, Encoding),
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::TooFew => f.write_str("too few arguments"),
            FormatError::Malformed(c) => write!(f, "malformed format string - %{c}"),
            FormatError::Incomplete => f.write_str("incomplete format specifier; use %% (double %) instead"),
            FormatError::Message(m) => f.write_str(m),
            FormatError::Range(code) => write!(f, "{code} out of char range"),
            FormatError::TooLarge => f.write_str("failed to allocate memory"),
            FormatError::OneHash => f.write_str("one hash required"),
            FormatError::Incompatible(a, b) => {
                write!(f, "incompatible character encodings: {} and {}", a.name(), b.name())
            }
        }
    }
}
impl std::error::Error for FormatError {}

#[derive(Clone, Debug)]
pub struct Formatted {
    pub bytes: Vec<u8>,
    pub enc: Encoding,
    /// Whether arguments are left over: an ArgumentError under `-d`, a warning under `-w`.
    pub unused: bool,
}

/// Flags, width and precision of one directive.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Spec {
    pub sharp: bool,
    pub minus: bool,
    pub plus: bool,
    pub zero: bool,
    pub space: bool,
    pub has_width: bool,
    pub width: usize,
    /// Whether a point was written.
    pub point: bool,
    /// None without a point or with a negative `*`.
    pub precision: Option<usize>,
}

/// The maximum of a width or precision: C's int.
const MAX: i64 = i32::MAX as i64;
/// The maximum number of bytes of padding; more is an error instead of gigabytes of blanks.
const MOST: i64 = 1 << 28;

#[derive(Clone, Copy, PartialEq)]
enum Style {
    Unknown,
    Unnumbered(usize),
    Numbered,
    Named,
}

struct Run<'a, A: FormatArgs> {
    format: &'a [u8],
    pos: usize,
    args: &'a mut A,
    style: Style,
    next: usize,
    out: Vec<u8>,
    enc: Encoding,
    /// Whether the result is ASCII so far.
    ascii: bool,
}

fn message<T, E: From<FormatError>>(text: impl Into<String>) -> Result<T, E> {
    Err(FormatError::Message(text.into()).into())
}

/// Checks a width or precision against the maximum.
fn within<E: From<FormatError>>(n: i64) -> Result<i64, E> {
    if n.abs() > MOST { Err(FormatError::TooLarge.into()) } else { Ok(n) }
}

fn lossy(b: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(b)
}

/// Formats with `%.Ng`.
pub fn general(x: f64, precision: usize) -> String {
    let sign = if x.is_sign_negative() { "-" } else { "" };
    format!("{sign}{}", float::general(x.abs(), precision.max(1), false))
}

/// `Kernel#format`; `enc` is the encoding of `format`.
///
/// # Errors
/// Errors in the format, and whatever conversions raise.
pub fn format<A: FormatArgs>(format: &[u8], enc: Encoding, args: &mut A) -> Result<Formatted, A::Error> {
    if !enc.is_ascii_compatible() {
        return message(format!("ASCII incompatible encoding: {}", enc.name()));
    }
    let ascii = format.is_ascii();
    let out = Vec::with_capacity(format.len() + 32);
    let mut run = Run { format, pos: 0, args, style: Style::Unknown, next: 0, out, enc, ascii };
    loop {
        let rest = &run.format[run.pos..];
        let Some(at) = memchr::memchr(b'%', rest) else {
            run.out.extend_from_slice(rest);
            break;
        };
        run.out.extend_from_slice(&rest[..at]);
        run.pos += at + 1;
        run.directive()?;
    }
    let unused = matches!(run.style, Style::Unknown | Style::Unnumbered(_)) && run.next < run.args.count();
    Ok(Formatted { bytes: run.out, enc: run.enc, unused })
}

impl<A: FormatArgs> Run<'_, A> {
    fn peek(&self) -> Option<u8> {
        self.format.get(self.pos).copied()
    }

    fn next_arg(&mut self) -> Result<A::Value, A::Error> {
        let n = self.next + 1;
        match self.style {
            Style::Numbered => return message(format!("unnumbered({n}) mixed with numbered")),
            Style::Named => return message(format!("unnumbered({n}) mixed with named")),
            _ => {}
        }
        if self.next >= self.args.count() {
            return Err(FormatError::TooFew.into());
        }
        self.style = Style::Unnumbered(n);
        self.next = n;
        Ok(self.args.positional(n - 1))
    }

    fn nth_arg(&mut self, n: i64) -> Result<A::Value, A::Error> {
        match self.style {
            Style::Unnumbered(k) => return message(format!("numbered({n}) after unnumbered({k})")),
            Style::Named => return message(format!("numbered({n}) after named")),
            _ => {}
        }
        if n < 1 {
            return message(format!("invalid index - {n}$"));
        }
        self.style = Style::Numbered;
        let index = n as usize - 1;
        if index >= self.args.count() {
            return Err(FormatError::TooFew.into());
        }
        Ok(self.args.positional(index))
    }

    fn named_arg(&mut self, shown: &[u8]) -> Result<A::Value, A::Error> {
        match self.style {
            Style::Unnumbered(k) => return message(format!("named{} after unnumbered({k})", lossy(shown))),
            Style::Numbered => return message(format!("named{} after numbered", lossy(shown))),
            _ => {}
        }
        self.style = Style::Named;
        self.args.named(&shown[1..shown.len() - 1], shown)
    }

    /// Reads the digits at the position; `what` names them in the error.
    fn digits(&mut self, what: &str) -> Result<i64, A::Error> {
        let mut n = 0i64;
        while let Some(d @ b'0'..=b'9') = self.peek() {
            n = n * 10 + i64::from(d - b'0');
            if n > MAX {
                return message(format!("{what} too big"));
            }
            self.pos += 1;
        }
        if self.peek().is_none() {
            return message("malformed format string - %*[0-9]");
        }
        within(n)
    }

    /// The value of a `*`; an argument number may follow it (`*1$`).
    fn star(&mut self, what: &str) -> Result<i64, A::Error> {
        if self.peek().is_none() {
            return message("malformed format string - %*[0-9]");
        }
        let mark = self.pos;
        let n = if matches!(self.peek(), Some(b'0'..=b'9')) { Some(self.digits(what)?) } else { None };
        let value = match (n, self.peek()) {
            (Some(n), Some(b'$')) => {
                self.pos += 1;
                self.nth_arg(n)?
            }
            _ => {
                self.pos = mark;
                self.next_arg()?
            }
        };
        match self.args.implicit_integer(&value)? {
            Int::Small(n) if n.abs() <= MAX => within(n),
            _ => message(format!("{what} too big")),
        }
    }

    fn check_width(&self, spec: &Spec) -> Result<(), A::Error> {
        if spec.has_width {
            return message("width given twice");
        }
        if spec.point {
            return message("width after precision");
        }
        Ok(())
    }

    fn flag(&mut self, spec: &mut Spec, c: u8) -> Result<(), A::Error> {
        if spec.has_width {
            return message("flag after width");
        }
        if spec.point {
            return message("flag after precision");
        }
        match c {
            b' ' => spec.space = true,
            b'#' => spec.sharp = true,
            b'+' => spec.plus = true,
            b'-' => spec.minus = true,
            _ => spec.zero = true,
        }
        Ok(())
    }

    fn directive(&mut self) -> Result<(), A::Error> {
        let mut spec = Spec::default();
        let mut value: Option<A::Value> = None;
        let mut name: Option<Vec<u8>> = None;
        let mut any_flag = false;
        loop {
            let Some(c) = self.peek() else {
                if value.is_some() {
                    self.out.push(b'%');
                    return Ok(());
                }
                return Err(FormatError::Incomplete.into());
            };
            self.pos += 1;
            match c {
                b' ' | b'#' | b'+' | b'-' | b'0' => {
                    self.flag(&mut spec, c)?;
                    any_flag = true;
                }
                b'1'..=b'9' => {
                    self.pos -= 1;
                    let n = self.digits("width")?;
                    if self.peek() == Some(b'$') {
                        if value.is_some() {
                            return message(format!("value given twice - {n}$"));
                        }
                        self.pos += 1;
                        value = Some(self.nth_arg(n)?);
                    } else {
                        self.check_width(&spec)?;
                        (spec.has_width, spec.width) = (true, n as usize);
                        any_flag = true;
                    }
                }
                b'<' | b'{' => {
                    let close = if c == b'<' { b'>' } else { b'}' };
                    let start = self.pos - 1;
                    let Some(len) = memchr::memchr(close, &self.format[start..]) else {
                        return message("malformed name - unmatched parenthesis");
                    };
                    let shown = &self.format[start..=start + len];
                    self.pos = start + len + 1;
                    if let Some(name) = &name {
                        return message(format!("named{} after <{}>", lossy(shown), lossy(name)));
                    }
                    name = Some(shown[1..len].to_vec());
                    let found = self.named_arg(shown)?;
                    if c == b'{' {
                        return self.text(&spec, &found, false);
                    }
                    value = Some(found);
                }
                b'*' => {
                    self.check_width(&spec)?;
                    let n = self.star("width")?;
                    spec.minus |= n < 0;
                    (spec.has_width, spec.width) = (true, n.unsigned_abs() as usize);
                    any_flag = true;
                }
                b'.' => {
                    if spec.point {
                        return message("precision given twice");
                    }
                    spec.point = true;
                    any_flag = true;
                    let n = if self.peek() == Some(b'*') {
                        self.pos += 1;
                        self.star("precision")?
                    } else {
                        self.digits("precision")?
                    };
                    spec.precision = usize::try_from(n).ok();
                }
                b'\n' | 0 | b'%' => {
                    if any_flag {
                        return message("invalid format character - %");
                    }
                    self.out.push(b'%');
                    self.pos -= usize::from(c != b'%');
                    return Ok(());
                }
                _ => {
                    if !c.is_ascii() || !b"cspdiouxXbBfgGeEaA".contains(&c) {
                        if !(0x20..0x7F).contains(&c) {
                            return message("malformed format string");
                        }
                        return Err(FormatError::Malformed((c as char).to_string()).into());
                    }
                    let value = match value {
                        Some(v) => v,
                        None => self.next_arg()?,
                    };
                    return self.convert(c, &spec, &value);
                }
            }
        }
    }

    fn convert(&mut self, c: u8, spec: &Spec, value: &A::Value) -> Result<(), A::Error> {
        match c {
            b'c' => self.character(spec, value),
            b's' | b'p' => self.text(spec, value, c == b'p'),
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => {
                let n = self.args.integer(value)?;
                integer::push(&mut self.out, self.args, spec, c, &n)
            }
            _ => {
                let n = self.args.number(value)?;
                float::push(&mut self.out, self.args, spec, c, &n)
            }
        }
    }

    fn join(&mut self, bytes: &[u8], enc: Encoding) -> Result<CodeRange, A::Error> {
        let range = scan(bytes, enc);
        if enc != self.enc {
            let mine = Operand { enc: self.enc, string: Some(self.format.is_empty()), ascii_only: self.ascii };
            match compatible(mine, Operand::string(enc, bytes.is_empty(), range)) {
                Some(joined) => self.enc = joined,
                None => return Err(FormatError::Incompatible(self.enc, enc).into()),
            }
        }
        self.ascii &= range == CodeRange::Ascii;
        Ok(range)
    }

    fn pad(&mut self, spec: &Spec, bytes: &[u8], width: usize) -> Result<(), A::Error> {
        self.args.grow(self.out.len(), bytes.len() + spec.width)?;
        let fill = spec.width.saturating_sub(width);
        if !spec.minus {
            self.out.resize(self.out.len() + fill, b' ');
        }
        self.out.extend_from_slice(bytes);
        if spec.minus {
            self.out.resize(self.out.len() + fill, b' ');
        }
        Ok(())
    }

    fn text(&mut self, spec: &Spec, value: &A::Value, inspect: bool) -> Result<(), A::Error> {
        let (bytes, enc) = if inspect { self.args.inspect(value)? } else { self.args.string(value)? };
        let range = self.join(&bytes, enc)?;
        if !spec.has_width && spec.precision.is_none() {
            return self.pad(spec, &bytes, 0);
        }
        let mut len = char_count(&bytes, enc, Some(range));
        let mut end = bytes.len();
        if let Some(p) = spec.precision.filter(|p| *p < len) {
            end = chars(&bytes, enc).nth(p).map_or(end, |r| r.start);
            len = p;
        }
        self.pad(spec, &bytes[..end], len)
    }

    fn character(&mut self, spec: &Spec, value: &A::Value) -> Result<(), A::Error> {
        let mut buf = Vec::new();
        match self.args.character(value)? {
            Character::Text(bytes, enc) => {
                let mut it = chars(&bytes, enc);
                match (it.next(), it.next()) {
                    (Some(_), None) => {}
                    _ => return message("%c requires a character"),
                }
                self.join(&bytes, enc)?;
                buf = bytes;
            }
            Character::Code(code) => {
                let code = u64::try_from(code).unwrap_or(u64::MAX);
                if let Err(e) = encode_codepoint(code, self.enc, &mut buf) {
                    return match e {
                        CodepointError::OutOfRange(code) if self.enc.is_single_byte() => {
                            Err(FormatError::Range(code).into())
                        }
                        CodepointError::Invalid(..) => message(e.to_string()),
                        _ => message("invalid character"),
                    };
                }
                self.ascii &= buf.is_ascii();
            }
        }
        self.pad(spec, &buf, 1)
    }
}
