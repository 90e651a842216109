//! Reading JSON. Error texts follow json 2.6.1, whose numbers name places in its own scanner.

use super::{error, option};
use num_bigint::BigInt;
use rchef_ruby::{RHash, Res, Symbol, Value, Vm, sym};

/// What `JSON.parse` was asked for.
#[derive(Clone)]
pub(crate) struct Options {
    pub symbolize: bool,
    pub allow_nan: bool,
    pub freeze: bool,
    /// 0: no limit.
    pub max_nesting: usize,
    pub object_class: Option<Value>,
    pub array_class: Option<Value>,
}
impl Options {
    pub fn strict() -> Options {
        Options {
            symbolize: false,
            allow_nan: false,
            freeze: false,
            max_nesting: 100,
            object_class: None,
            array_class: None,
        }
    }
    pub fn read(vm: &mut Vm, given: &Value, mut options: Options) -> Res<Options> {
        if given.is_nil() {
            return Ok(options);
        }
        if let Some(value) = option(vm, given, "symbolize_names")? {
            options.symbolize = value.truthy();
        }
        if let Some(value) = option(vm, given, "allow_nan")? {
            options.allow_nan = value.truthy();
        }
        if let Some(value) = option(vm, given, "freeze")? {
            options.freeze = value.truthy();
        }
        match option(vm, given, "max_nesting")? {
            Some(Value::Int(limit)) => options.max_nesting = usize::try_from(limit).unwrap_or(0),
            Some(Value::Nil | Value::False) => options.max_nesting = 0,
            _ => {}
        }
        options.object_class = option(vm, given, "object_class")?.filter(Value::truthy);
        options.array_class = option(vm, given, "array_class")?.filter(Value::truthy);
        Ok(options)
    }
}

/// Native recursion that is allowed whatever `max_nesting` says.
const DEEPEST: usize = 5_000;

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    options: &'a Options,
}

/// Parses a whole document.
pub(crate) fn parse(vm: &mut Vm, bytes: &[u8], options: &Options) -> Res {
    let mut parser = Parser { bytes, at: 0, depth: 0, options };
    parser.blanks();
    let start = parser.at;
    let Some(value) = parser.value(vm)? else { return Err(parser.unexpected(vm, 859, start)) };
    parser.blanks();
    if parser.at < bytes.len() {
        return Err(parser.unexpected(vm, 859, parser.at));
    }
    Ok(value)
}

impl Parser<'_> {
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }
    fn unexpected(&self, vm: &mut Vm, place: u32, at: usize) -> rchef_ruby::Error {
        let rest = String::from_utf8_lossy(&self.bytes[at.min(self.bytes.len())..]).into_owned();
        error(vm, "ParserError", format!("{place}: unexpected token at '{rest}'"))
    }
    /// Skips blanks and comments.
    fn blanks(&mut self) {
        loop {
            match self.peek() {
                b' ' | b'\t' | b'\r' | b'\n' if self.at < self.bytes.len() => self.at += 1,
                b'/' => match self.bytes.get(self.at + 1) {
                    Some(b'/') => {
                        self.at = memchr::memchr(b'\n', &self.bytes[self.at..])
                            .map_or(self.bytes.len(), |end| self.at + end + 1);
                    }
                    Some(b'*') => match memchr::memmem::find(&self.bytes[self.at + 2..], b"*/") {
                        Some(end) => self.at += end + 4,
                        None => return,
                    },
                    _ => return,
                },
                _ => return,
            }
        }
    }
    fn word(&mut self, word: &[u8]) -> bool {
        let found = self.bytes[self.at..].starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }
    /// A value; None where there is none (the caller says so in its own words).
    fn value(&mut self, vm: &mut Vm) -> Res<Option<Value>> {
        let start = self.at;
        Ok(Some(match self.peek() {
            b'"' => match self.string(vm) {
                Some(bytes) => {
                    let value = Value::bytes(bytes);
                    if self.options.freeze {
                        vm.freeze(&value);
                    }
                    value
                }
                None => {
                    self.at = start;
                    return Ok(None);
                }
            },
            b'{' => return self.object(vm),
            b'[' => self.array(vm)?,
            b'n' if self.word(b"null") => Value::Nil,
            b't' if self.word(b"true") => Value::True,
            b'f' if self.word(b"false") => Value::False,
            b'N' if self.word(b"NaN") => {
                if !self.options.allow_nan {
                    return Err(self.unexpected(vm, 225, start));
                }
                Value::Float(f64::NAN)
            }
            b'I' if self.word(b"Infinity") => {
                if !self.options.allow_nan {
                    return Err(self.unexpected(vm, 232, self.at));
                }
                Value::Float(f64::INFINITY)
            }
            b'-' if self.bytes[self.at..].starts_with(b"-Infinity") => {
                if !self.options.allow_nan {
                    return Err(self.unexpected(vm, 257, start));
                }
                self.at += 9;
                Value::Float(f64::NEG_INFINITY)
            }
            b'-' | b'0'..=b'9' => return Ok(self.number()),
            _ => return Ok(None),
        }))
    }
    fn number(&mut self) -> Option<Value> {
        let start = self.at;
        let digits = |from: usize| self.bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut end = start + usize::from(self.peek() == b'-');
        let count = digits(end);
        if count == 0 || (count > 1 && self.bytes[end] == b'0') {
            return None;
        }
        end += count;
        let integer_end = end;
        let mut float = false;
        if self.bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
            end += 1 + digits(end + 1);
            float = true;
        }
        if matches!(self.bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.bytes.get(end + 1), Some(b'+' | b'-')));
            let count = digits((end + 1 + sign).min(self.bytes.len()));
            if count > 0 {
                end += 1 + sign + count;
                float = true;
            }
        }
        let text = std::str::from_utf8(&self.bytes[start..end]).unwrap_or_default();
        self.at = end;
        if float {
            return text.parse().ok().map(Value::Float);
        }
        debug_assert_eq!(end, integer_end);
        text.parse::<i64>().map(Value::Int).ok().or_else(|| text.parse::<BigInt>().ok().map(Value::big))
    }
    /// The contents of a string; None when it is not one.
    fn string(&mut self, _: &mut Vm) -> Option<Vec<u8>> {
        self.at += 1;
        let mut out = Vec::new();
        loop {
            let from = self.at;
            while self.bytes.get(self.at).is_some_and(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1f)) {
                self.at += 1;
            }
            out.extend_from_slice(&self.bytes[from..self.at]);
            match self.bytes.get(self.at)? {
                b'"' => {
                    self.at += 1;
                    return Some(out);
                }
                b'\\' => {}
                _ => return None,
            }
            let escape = *self.bytes.get(self.at + 1)?;
            self.at += 2;
            match escape {
                b'b' => out.push(8),
                b'f' => out.push(12),
                b'n' => out.push(b'\n'),
                b'r' => out.push(b'\r'),
                b't' => out.push(b'\t'),
                b'u' => {
                    let unit = self.unit()?;
                    let mut code = u32::from(unit);
                    if (0xd800..0xdc00).contains(&unit) && self.bytes[self.at..].starts_with(b"\\u") {
                        let back = self.at;
                        self.at += 2;
                        match self.unit()? {
                            low if (0xdc00..0xe000).contains(&low) => {
                                code = 0x10000 + ((code - 0xd800) << 10) + (u32::from(low) - 0xdc00)
                            }
                            _ => self.at = back,
                        }
                    }
                    let mut buffer = [0; 4];
                    out.extend_from_slice(char::from_u32(code).unwrap_or('?').encode_utf8(&mut buffer).as_bytes());
                }
                0..=0x1f => return None,
                other => out.push(other),
            }
        }
    }
    fn unit(&mut self) -> Option<u16> {
        let text = std::str::from_utf8(self.bytes.get(self.at..self.at + 4)?).ok()?;
        let unit = u16::from_str_radix(text, 16).ok()?;
        self.at += 4;
        Some(unit)
    }
    fn deeper(&mut self, vm: &mut Vm) -> Res<()> {
        self.depth += 1;
        let limit = if self.options.max_nesting == 0 { DEEPEST } else { self.options.max_nesting };
        if self.depth > limit {
            return Err(error(vm, "NestingError", format!("nesting of {} is too deep", self.depth)));
        }
        Ok(())
    }
    fn array(&mut self, vm: &mut Vm) -> Res {
        self.deeper(vm)?;
        self.at += 1;
        let mut items = Vec::new();
        self.blanks();
        if self.peek() == b']' {
            self.at += 1;
        } else {
            loop {
                self.blanks();
                let start = self.at;
                let Some(item) = self.value(vm)? else { return Err(self.unexpected(vm, 451, start)) };
                items.push(item);
                self.blanks();
                match self.peek() {
                    b',' => self.at += 1,
                    b']' => {
                        self.at += 1;
                        break;
                    }
                    _ => return Err(self.unexpected(vm, 451, self.at)),
                }
            }
        }
        self.depth -= 1;
        if let Some(class) = &self.options.array_class {
            let made = vm.call(class, sym::NEW, &[])?;
            for item in items {
                vm.call_name(&made, "<<", &[item])?;
            }
            return Ok(made);
        }
        let made = Value::array(items);
        if self.options.freeze {
            vm.freeze(&made);
        }
        Ok(made)
    }
    /// None where json's own scanner gives the object up, so that what is around it reports it from its start.
    fn object(&mut self, vm: &mut Vm) -> Res<Option<Value>> {
        self.deeper(vm)?;
        let start = self.at;
        self.at += 1;
        let made = match &self.options.object_class {
            Some(class) => vm.call(class, sym::NEW, &[])?,
            None => Value::hash(RHash::default()),
        };
        self.blanks();
        let mut closed = false;
        if self.peek() == b'}' {
            self.at += 1;
            closed = true;
        }
        while !closed {
            self.blanks();
            if self.peek() != b'"' {
                break;
            }
            let Some(key) = self.string(vm) else { break };
            self.blanks();
            if self.peek() != b':' {
                break;
            }
            self.at += 1;
            self.blanks();
            let Some(value) = self.value(vm)? else { break };
            let key = match std::str::from_utf8(&key) {
                Ok(text) if self.options.symbolize => Value::Sym(Symbol::intern(text)),
                _ => Value::bytes(key),
            };
            match &made {
                Value::Hash(hash) if self.options.object_class.is_none() => vm.hash_set(hash, key, value)?,
                other => {
                    vm.call(other, sym::ASET, &[key, value])?;
                }
            }
            self.blanks();
            match self.peek() {
                b',' => self.at += 1,
                b'}' => {
                    self.at += 1;
                    closed = true;
                }
                _ => break,
            }
        }
        if !closed {
            self.at = start;
            return Ok(None);
        }
        self.depth -= 1;
        if self.options.freeze {
            vm.freeze(&made);
        }
        Ok(Some(made))
    }
}
