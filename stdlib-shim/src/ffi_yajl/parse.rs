//! Parses JSON by recursive descent, with YAJL's lexical rules and states, so that errors have YAJL's messages and positions.

use super::{class, error};
use rchef_ruby::{ClassId, RString, Res, Value, Vm};

/// Options of the parser.
#[derive(Clone, Copy)]
pub(super) struct Options {
    /// Whether keys become Symbols.
    pub symbols: bool,
    /// Whether duplicate keys are errors.
    pub unique: bool,
}

/// Maximum nesting depth.
const DEEPEST: usize = 5_000;

enum Token {
    End,
    Text(Vec<u8>),
    Number(usize, usize),
    Word(Value),
    Mark(u8),
}

/// An error before it becomes an exception.
enum Problem {
    Lexical(&'static str),
    Parse(&'static str),
    End,
    /// The text ends inside a token, which the space that YAJL appends does not complete.
    Cut(&'static str, usize),
    Ruby(rchef_ruby::Error),
}
impl From<rchef_ruby::Error> for Problem {
    fn from(error: rchef_ruby::Error) -> Problem {
        Problem::Ruby(error)
    }
}

const NOT_A_VALUE: Problem = Problem::Parse("unallowed token at this point in JSON text");
const NOT_A_KEY: Problem = Problem::Parse("invalid object key (must be a string)");

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Start of the last token.
    start: usize,
    depth: usize,
    options: Options,
}

/// Parses a document; an empty one is nil.
pub(super) fn parse(vm: &mut Vm, bytes: &[u8], options: Options) -> Res {
    if bytes.is_empty() {
        return Ok(Value::Nil);
    }
    let mut parser = Parser { bytes, at: 0, start: 0, depth: 0, options };
    let problem = match parser.document(vm) {
        Ok(value) => return Ok(value),
        Err(problem) => problem,
    };
    let (kind, text, at) = match problem {
        Problem::Ruby(error) => return Err(error),
        Problem::Lexical(text) => ("lexical", text, parser.at),
        Problem::Parse(text) => ("parse", text, parser.at),
        Problem::Cut(text, at) => ("lexical", text, at),
        // YAJL finds the end in a separate buffer with a single space, and the position is relative to that
        Problem::End => ("parse", "premature EOF", 1),
    };
    let mut message = format!("{kind} error: {text}\n").into_bytes();
    message.extend_from_slice(&window(bytes, at));
    let message = Value::string(RString::binary(message));
    let class = class(vm, "ParseError");
    vm.call_name(&Value::Class(ClassId::KERNEL), "raise", &[Value::Class(class), message])
}

/// The text around a position on one line, and an arrow, as bytes.
fn window(bytes: &[u8], at: usize) -> Vec<u8> {
    let (start, blanks) = if at < 30 { (0, 40 - at) } else { (at - 30, 10) };
    let shown = &bytes[start.min(bytes.len())..bytes.len().min(at + 30)];
    let mut out = vec![b' '; blanks];
    out.extend(shown.iter().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { *byte }));
    out.extend_from_slice(format!("\n{:>41}\n", "(right here) ------^").as_bytes());
    out
}

impl Parser<'_> {
    fn document(&mut self, vm: &mut Vm) -> Result<Value, Problem> {
        let token = self.token()?;
        let value = self.value(vm, token)?;
        match self.token() {
            Ok(Token::End) | Err(Problem::End) => Ok(value),
            _ => Err(Problem::Parse("trailing garbage")),
        }
    }

    fn value(&mut self, vm: &mut Vm, token: Token) -> Result<Value, Problem> {
        match token {
            Token::End => Err(Problem::End),
            Token::Text(bytes) => Ok(Value::bytes(bytes)),
            Token::Word(value) => Ok(value),
            Token::Number(start, end) => self.number(vm, start, end),
            Token::Mark(b'[') => self.nested(vm, Parser::array),
            Token::Mark(b'{') => self.nested(vm, Parser::object),
            Token::Mark(_) => Err(NOT_A_VALUE),
        }
    }

    fn nested(
        &mut self,
        vm: &mut Vm,
        read: fn(&mut Self, &mut Vm) -> Result<Value, Problem>,
    ) -> Result<Value, Problem> {
        self.depth += 1;
        vm.check_stack()?;
        if self.depth > DEEPEST {
            return Err(error(vm, "ParseError", "Max nesting depth exceeded").into());
        }
        let value = read(self, vm)?;
        self.depth -= 1;
        Ok(value)
    }

    fn array(&mut self, vm: &mut Vm) -> Result<Value, Problem> {
        let mut items = Vec::new();
        let mut token = self.token()?;
        if matches!(token, Token::Mark(b']')) {
            return Ok(Value::array(items));
        }
        loop {
            items.push(self.value(vm, token)?);
            match self.token()? {
                Token::Mark(b']') => return Ok(Value::array(items)),
                Token::Mark(b',') => token = self.token()?,
                Token::End => return Err(Problem::End),
                _ => return Err(Problem::Parse("after array element, I expect ',' or ']'")),
            }
        }
    }

    fn object(&mut self, vm: &mut Vm) -> Result<Value, Problem> {
        let hash = Value::hash(rchef_ruby::RHash::default());
        let mut token = self.token()?;
        if matches!(token, Token::Mark(b'}')) {
            return Ok(hash);
        }
        loop {
            let key = match token {
                Token::Text(bytes) => self.key(vm, bytes)?,
                Token::End => return Err(Problem::End),
                _ => return Err(NOT_A_KEY),
            };
            match self.token()? {
                Token::Mark(b':') => {}
                Token::End => return Err(Problem::End),
                _ => return Err(Problem::Parse("object key and value must be separated by a colon (':')")),
            }
            let token_of_value = self.token()?;
            let value = self.value(vm, token_of_value)?;
            self.store(vm, &hash, key, value)?;
            match self.token()? {
                Token::Mark(b'}') => return Ok(hash),
                Token::Mark(b',') => token = self.token()?,
                Token::End => return Err(Problem::End),
                other => {
                    // YAJL moves back by the length of the token's value
                    let held = self.at - self.start - if matches!(other, Token::Text(_)) { 2 } else { 0 };
                    self.at = self.at.saturating_sub(held);
                    return Err(Problem::Parse("after key and value, inside map, I expect ',' or '}'"));
                }
            }
        }
    }

    fn key(&self, vm: &mut Vm, bytes: Vec<u8>) -> Res {
        let text = Value::bytes(bytes);
        if self.options.symbols { vm.call_name(&text, "to_sym", &[]) } else { Ok(text) }
    }

    fn store(&self, vm: &mut Vm, hash: &Value, key: Value, value: Value) -> Result<(), Problem> {
        let Value::Hash(hash) = hash else { return Ok(()) };
        if self.options.unique && vm.hash_find(hash, &key)?.is_some() {
            let shown = vm.to_s_text(&key)?;
            return Err(error(vm, "ParseError", format!("repeated key: {shown}")).into());
        }
        vm.hash_set(hash, key, value)?;
        Ok(())
    }

    fn number(&self, vm: &mut Vm, start: usize, end: usize) -> Result<Value, Problem> {
        let text = String::from_utf8_lossy(&self.bytes[start..end]).into_owned();
        if text.contains(['.', 'e', 'E']) {
            return Ok(Value::float(text.parse().unwrap_or(f64::NAN)));
        }
        match text.parse() {
            Ok(number) => Ok(Value::Int(number)),
            Err(_) => Ok(vm.call_name(&Value::str(text), "to_i", &[])?),
        }
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at).copied();
        self.at += usize::from(byte.is_some());
        byte
    }

    fn token(&mut self) -> Result<Token, Problem> {
        loop {
            self.start = self.at;
            let Some(byte) = self.next() else { return Ok(Token::End) };
            return match byte {
                b'\t' | b'\n' | 11 | 12 | b'\r' | b' ' => continue,
                b'[' | b']' | b'{' | b'}' | b',' | b':' => Ok(Token::Mark(byte)),
                b't' => self.word(b"rue", Value::True),
                b'f' => self.word(b"alse", Value::False),
                b'n' => self.word(b"ull", Value::Nil),
                b'"' => self.text(),
                b'-' | b'0'..=b'9' => self.digits(),
                b'/' => {
                    self.comment()?;
                    continue;
                }
                _ => Err(Problem::Lexical("invalid char in json text.")),
            };
        }
    }

    fn word(&mut self, rest: &[u8], value: Value) -> Result<Token, Problem> {
        for wanted in rest {
            match self.bytes.get(self.at) {
                None => return Err(Problem::Cut("invalid string in json text.", 0)),
                Some(byte) if byte == wanted => self.at += 1,
                Some(_) => return Err(Problem::Lexical("invalid string in json text.")),
            }
        }
        Ok(Token::Word(value))
    }

    fn comment(&mut self) -> Result<(), Problem> {
        let end = match self.next() {
            None => return Err(Problem::End),
            Some(b'/') => memchr::memchr(b'\n', &self.bytes[self.at..]).map(|end| end + 1),
            Some(b'*') => memchr::memmem::find(&self.bytes[self.at..], b"*/").map(|end| end + 2),
            Some(_) => return Err(Problem::Lexical("invalid char in json text.")),
        };
        self.at += end.ok_or(Problem::End)?;
        Ok(())
    }

    fn some_digits(&mut self, problem: &'static str) -> Result<(), Problem> {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        match self.at {
            at if at > start => Ok(()),
            at if at == self.bytes.len() => Err(Problem::Cut(problem, 0)),
            _ => Err(Problem::Lexical(problem)),
        }
    }

    fn digits(&mut self) -> Result<Token, Problem> {
        self.at = self.start;
        if self.bytes.get(self.at) == Some(&b'-') {
            self.at += 1;
        }
        if self.bytes.get(self.at) == Some(&b'0') {
            self.at += 1;
        } else {
            self.some_digits("malformed number, a digit is required after the minus sign.")?;
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.some_digits("malformed number, a digit is required after the decimal point.")?;
        }
        if matches!(self.bytes.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.bytes.get(self.at), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.some_digits("malformed number, a digit is required after the exponent.")?;
        }
        Ok(Token::Number(self.start, self.at))
    }

    fn text(&mut self) -> Result<Token, Problem> {
        let mut out = Vec::new();
        loop {
            let Some(byte) = self.bytes.get(self.at).copied() else { return Err(Problem::End) };
            match byte {
                b'"' => {
                    self.at += 1;
                    return Ok(Token::Text(out));
                }
                b'\\' => self.escape(&mut out)?,
                0..=31 => return Err(Problem::Lexical("invalid character inside string.")),
                32..=127 => {
                    out.push(byte);
                    self.at += 1;
                }
                _ => self.wide(&mut out)?,
            }
        }
    }

    /// A multi-byte character; like YAJL this checks only the form of its bytes.
    fn wide(&mut self, out: &mut Vec<u8>) -> Result<(), Problem> {
        const TEXT: &str = "invalid bytes in UTF8 string.";
        const WRONG: Problem = Problem::Lexical(TEXT);
        let start = self.at;
        let Some(first) = self.next() else { return Err(Problem::End) };
        let more = match first {
            0xc0..=0xdf => 1,
            0xe0..=0xef => 2,
            0xf0..=0xf7 => 3,
            _ => return Err(WRONG),
        };
        for _ in 0..more {
            match self.next() {
                None => return Err(Problem::Cut(TEXT, 1)),
                Some(0x80..=0xbf) => {}
                Some(_) => return Err(WRONG),
            }
        }
        out.extend_from_slice(&self.bytes[start..self.at]);
        Ok(())
    }

    fn escape(&mut self, out: &mut Vec<u8>) -> Result<(), Problem> {
        const TEXT: &str = "inside a string, '\\' occurs before a character which it may not.";
        self.at += 1;
        let Some(byte) = self.bytes.get(self.at).copied() else { return Err(Problem::Cut(TEXT, 0)) };
        out.push(match byte {
            b'"' | b'\\' | b'/' => byte,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                self.at += 1;
                return self.code_point(out);
            }
            _ => return Err(Problem::Lexical(TEXT)),
        });
        self.at += 1;
        Ok(())
    }

    fn hex(&mut self) -> Result<u32, Problem> {
        const TEXT: &str = "invalid (non-hex) character occurs after '\\u' inside string.";
        let mut value = 0;
        for _ in 0..4 {
            let Some(byte) = self.bytes.get(self.at).copied() else { return Err(Problem::Cut(TEXT, 0)) };
            let Some(digit) = char::from(byte).to_digit(16) else { return Err(Problem::Lexical(TEXT)) };
            value = value * 16 + digit;
            self.at += 1;
        }
        Ok(value)
    }

    fn code_point(&mut self, out: &mut Vec<u8>) -> Result<(), Problem> {
        let first = self.hex()?;
        let code = if first & 0xfc00 == 0xd800 {
            if self.bytes.get(self.at..self.at + 2) != Some(b"\\u") {
                out.push(b'?');
                return Ok(());
            }
            self.at += 2;
            let second = self.hex()?;
            (((first & 0x3f) << 10) | ((((first >> 6) & 0xf) + 1) << 16)) | (second & 0x3ff)
        } else {
            first
        };
        match char::from_u32(code) {
            Some(char) => out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            // an unpaired surrogate, encoded in three bytes
            None => out.extend_from_slice(&[
                0xe0 | (code >> 12) as u8,
                0x80 | ((code >> 6) & 0x3f) as u8,
                0x80 | (code & 0x3f) as u8,
            ]),
        }
        Ok(())
    }
}
