//! Parses JSON. Error messages are those of json 2.6.1, whose numbers are lines of its own C source.

use super::{error, option};
use num_bigint::BigInt;
use rchef_ruby::text::encoding::Encoding;
use rchef_ruby::{RHash, Res, Symbol, Value, Vm, sym};

/// Options of `JSON.parse`.
#[derive(Clone)]
pub(crate) struct Options {
    pub symbolize: bool,
    pub allow_nan: bool,
    pub freeze: bool,
    /// Maximum nesting depth; 0: unlimited.
    pub max_nesting: usize,
    pub object_class: Option<Value>,
    pub array_class: Option<Value>,
    /// The class for numbers with a fraction.
    pub decimal_class: Option<Value>,
    /// Whether objects that name a class are converted to it.
    pub additions: bool,
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
            decimal_class: None,
            additions: false,
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
        options.decimal_class = option(vm, given, "decimal_class")?.filter(Value::truthy);
        if let Some(value) = option(vm, given, "create_additions")? {
            options.additions = value.truthy();
        }
        if options.symbolize && options.additions {
            return Err(
                vm.argument_error("options :symbolize_names and :create_additions cannot be  used in conjunction")
            );
        }
        Ok(options)
    }
}

/// Maximum depth of native recursion, regardless of `max_nesting`.
const DEEPEST: usize = 5_000;

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    options: &'a Options,
    /// Whether there was an unterminated comment.
    broken: bool,
}

/// Parses a document.
pub(crate) fn parse(vm: &mut Vm, bytes: &[u8], options: &Options) -> Res {
    let mut parser = Parser { bytes, at: 0, depth: 0, options, broken: false };
    parser.blanks();
    let start = parser.at;
    let Some(value) = parser.value(vm)? else { return Err(parser.unexpected(vm, 859, start)) };
    parser.blanks();
    if parser.at < bytes.len() || parser.broken {
        return Err(parser.unexpected(vm, 859, parser.at));
    }
    Ok(value)
}

impl Parser<'_> {
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }
    fn unexpected(&self, vm: &mut Vm, place: u32, at: usize) -> rchef_ruby::Error {
        let rest = &self.bytes[at.min(self.bytes.len())..];
        // json skips a slash that does not begin a comment; its message ends at a NUL byte like a C string.
        let rest = match rest {
            [b'/', b'/' | b'*', ..] => rest,
            [b'/', rest @ ..] => rest,
            _ => rest,
        };
        let rest = rest.split(|byte| *byte == 0).next().unwrap_or_default();
        let rest = String::from_utf8_lossy(rest);
        error(vm, "ParserError", format!("{place}: unexpected token at '{rest}'"))
    }
    /// Skips blanks and comments.
    fn blanks(&mut self) {
        loop {
            match self.peek() {
                b' ' | b'\t' | b'\r' | b'\n' if self.at < self.bytes.len() => self.at += 1,
                b'/' => match self.bytes.get(self.at + 1) {
                    Some(b'/') => match memchr::memchr(b'\n', &self.bytes[self.at..]) {
                        Some(end) => self.at += end + 1,
                        None => return self.open_comment(),
                    },
                    Some(b'*') => match memchr::memmem::find(&self.bytes[self.at + 2..], b"*/") {
                        Some(end) => self.at += end + 4,
                        None => return self.open_comment(),
                    },
                    _ => return,
                },
                _ => return,
            }
        }
    }
    /// Stops at an unterminated comment.
    fn open_comment(&mut self) {
        self.at = self.bytes.len();
        self.broken = true;
    }
    fn word(&mut self, word: &[u8]) -> bool {
        let found = self.bytes[self.at..].starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }
    /// A value; None if there is none (the caller reports the error).
    fn value(&mut self, vm: &mut Vm) -> Res<Option<Value>> {
        let start = self.at;
        Ok(Some(match self.peek() {
            b'"' => match self.string(vm)? {
                Some(bytes) => {
                    if self.options.freeze {
                        vm.interned_string(&bytes, Encoding::Utf8)
                    } else {
                        Value::bytes(bytes)
                    }
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
                Value::float(f64::NAN)
            }
            b'I' if self.word(b"Infinity") => {
                if !self.options.allow_nan {
                    // json reports an offset of one before the word, or the end at the beginning of the text
                    return Err(self.unexpected(vm, 232, start.checked_sub(1).unwrap_or(self.bytes.len())));
                }
                Value::float(f64::INFINITY)
            }
            b'-' if self.bytes[self.at..].starts_with(b"-Infinity") => {
                if !self.options.allow_nan {
                    return Err(self.unexpected(vm, 249, start));
                }
                self.at += 9;
                Value::float(f64::NEG_INFINITY)
            }
            b'-' | b'0'..=b'9' => return self.number(vm),
            _ => return Ok(None),
        }))
    }
    fn number(&mut self, vm: &mut Vm) -> Res<Option<Value>> {
        let start = self.at;
        let digits = |from: usize| self.bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut end = start + usize::from(self.peek() == b'-');
        let count = digits(end);
        if count == 0 || (count > 1 && self.bytes[end] == b'0') {
            return Ok(None);
        }
        end += count;
        let integer_end = end;
        if self.bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
            end += 1 + digits(end + 1);
        }
        if matches!(self.bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.bytes.get(end + 1), Some(b'+' | b'-')));
            let count = digits((end + 1 + sign).min(self.bytes.len()));
            if count > 0 {
                end += 1 + sign + count;
            }
        }
        // if a fraction is followed by further characters of a number, json parses only the integer
        if matches!(self.bytes.get(end), Some(b'e' | b'E' | b'.' | b'-')) {
            end = integer_end;
        }
        let text = std::str::from_utf8(&self.bytes[start..end]).unwrap_or_default();
        self.at = end;
        if end > integer_end {
            return match &self.options.decimal_class {
                Some(class) => decimal(vm, class, text).map(Some),
                None => Ok(text.parse().ok().map(Value::float)),
            };
        }
        Ok(text.parse::<i64>().map(Value::Int).ok().or_else(|| text.parse::<BigInt>().ok().map(Value::big)))
    }
    /// The contents of a string; None if it is invalid.
    fn string(&mut self, vm: &mut Vm) -> Res<Option<Vec<u8>>> {
        let start = self.at + 1;
        // the end of the string determines whether an incomplete surrogate pair is an error
        let Some(end) = self.string_end(start) else { return Ok(None) };
        self.at = start;
        let mut out = Vec::new();
        while self.at < end {
            let from = self.at;
            self.at = memchr::memchr(b'\\', &self.bytes[from..end]).map_or(end, |at| from + at);
            out.extend_from_slice(&self.bytes[from..self.at]);
            if self.at == end {
                break;
            }
            let escape = self.bytes[self.at + 1];
            self.at += 2;
            match escape {
                b'b' => out.push(8),
                b'f' => out.push(12),
                b'n' => out.push(b'\n'),
                b'r' => out.push(b'\r'),
                b't' => out.push(b'\t'),
                b'u' => {
                    let place = self.at - 2;
                    let mut code = self.unit();
                    if (0xd800..0xdc00).contains(&code) {
                        if self.at + 6 > end {
                            let rest = String::from_utf8_lossy(&self.bytes[start.min(place)..]).into_owned();
                            return Err(error(
                                vm,
                                "ParserError",
                                format!("521: incomplete surrogate pair at '{rest}'"),
                            ));
                        }
                        if self.bytes[self.at..].starts_with(b"\\u") {
                            self.at += 2;
                            code = 0x10000 + ((code & 0x3ff) << 10) + (self.unit() & 0x3ff);
                        } else {
                            // like json, skip the character after an unpaired surrogate
                            self.at += 1;
                            code = u32::from(b'?');
                        }
                    }
                    push_code(&mut out, code);
                }
                other => out.push(other),
            }
        }
        self.at = end + 1;
        Ok(Some(out))
    }
    /// The offset of the closing quote; None if the string is invalid.
    fn string_end(&self, start: usize) -> Option<usize> {
        let mut at = start;
        loop {
            match self.bytes.get(at)? {
                b'"' => return Some(at),
                b'\\' if *self.bytes.get(at + 1)? == b'u' => {
                    let digits = self.bytes.get(at + 2..at + 6)?;
                    if !digits.iter().all(u8::is_ascii_hexdigit) {
                        return None;
                    }
                    at += 6;
                }
                b'\\' if *self.bytes.get(at + 1)? > 0x1f => at += 2,
                0..=0x1f | b'\\' => return None,
                _ => at += 1,
            }
        }
    }
    /// The four hexadecimal digits at the position, which the caller has checked.
    fn unit(&mut self) -> u32 {
        let text = std::str::from_utf8(self.bytes.get(self.at..self.at + 4).unwrap_or_default()).unwrap_or_default();
        self.at += 4;
        u32::from_str_radix(text, 16).unwrap_or(0)
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
                vm.check_memory()?;
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
    /// An object; None if json's parser rejects it as a whole, so that the enclosing value reports an error at its start.
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
            let Some(key) = self.string(vm)? else { break };
            self.blanks();
            if self.peek() != b':' {
                break;
            }
            self.at += 1;
            self.blanks();
            let Some(value) = self.value(vm)? else { break };
            vm.check_memory()?;
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
        if self.options.additions
            && let Some(created) = created(vm, &made)?
        {
            return Ok(Some(created));
        }
        if self.options.freeze {
            vm.freeze(&made);
        }
        Ok(Some(made))
    }
}

/// Appends a code point as UTF-8, also if it is an unpaired surrogate.
fn push_code(out: &mut Vec<u8>, code: u32) {
    match char::from_u32(code) {
        Some(char) => out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
        None => out.extend([0xe0 | (code >> 12) as u8, 0x80 | (code >> 6 & 0x3f) as u8, 0x80 | (code & 0x3f) as u8]),
    }
}
/// Converts a number with a fraction to a class: with `try_convert`, `new`, or the Kernel function with its name.
fn decimal(vm: &mut Vm, class: &Value, text: &str) -> Res {
    let text = Value::str(text);
    if matches!(class, Value::Class(rchef_ruby::ClassId::FLOAT)) {
        return vm.call_name(&Value::Class(rchef_ruby::ClassId::KERNEL), "Float", &[text]);
    }
    for name in ["try_convert", "new"] {
        if vm.respond_to(class, Symbol::intern_static(name), false)? {
            return vm.call_name(class, name, &[text]);
        }
    }
    let function = vm.call(class, sym::NAME, &[])?;
    let function = vm.to_text(&function)?;
    vm.call_name(&Value::Class(rchef_ruby::ClassId::KERNEL), &function, &[text])
}
/// The object that a Hash with `JSON.create_id` represents.
fn created(vm: &mut Vm, made: &Value) -> Res<Option<Value>> {
    let Some(json) = vm.class_named("JSON").map(Value::Class) else { return Ok(None) };
    let id = vm.call_name(&json, "create_id", &[])?;
    let name = vm.call(made, sym::AREF, &[id])?;
    if name.is_nil() {
        return Ok(None);
    }
    let class = vm.call_name(&json, "deep_const_get", &[name])?;
    if !vm.call_name(&class, "json_creatable?", &[])?.truthy() {
        return Ok(None);
    }
    vm.call_name(&class, "json_create", std::slice::from_ref(made)).map(Some)
}
