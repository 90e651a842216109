//! Syntax errors and warnings in MRI 3.1's form.
//!
//! prism recovers from an error and says what it expected; MRI 3.1 says which token it did not expect. [`first_error`] finds that token.

use crate::tree::SourceFile;
use ruby_prism as prism;

/// Source that Ruby 3.1 does not accept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    pub path: String,
    pub line: u32,
    /// As `SyntaxError#message` gives it: `path:line: what`, the source line, and a line with a caret.
    pub message: String,
    /// The source ends where something is still open.
    pub early: bool,
    /// The byte of the line at which the token begins, where a token is at fault.
    pub column: Option<u32>,
}

impl std::fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SyntaxError {}

/// Characters that MRI shows before and after the token.
const MARGIN: usize = 30;

impl SyntaxError {
    /// An error without the source line and caret.
    pub(crate) fn plain(path: &str, line: u32, what: &str) -> SyntaxError {
        SyntaxError {
            path: path.to_string(),
            line,
            message: format!("{path}:{line}: {what}"),
            early: false,
            column: None,
        }
    }

    /// An error at a byte offset.
    pub(crate) fn at(file: &SourceFile, offset: u32, what: &str) -> SyntaxError {
        SyntaxError::spanning(file, offset, 1, what)
    }

    /// Of a source that ends where something is still open.
    fn early(file: &SourceFile, expecting: &str) -> SyntaxError {
        let what = format!("syntax error, unexpected end-of-input{expecting}");
        SyntaxError { early: true, column: None, ..SyntaxError::at(file, last_line(file), &what) }
    }

    fn spanning(file: &SourceFile, offset: u32, length: usize, what: &str) -> SyntaxError {
        let (line, column) = file.position(offset);
        let mut error = SyntaxError { column: Some(column), ..SyntaxError::plain(&file.path, line, what) };
        let Some(text) = file.line(line) else { return error };
        // MRI shows only lines of more than four bytes.
        if text.len() <= 4 {
            return error;
        }
        let start = (column as usize).min(text.len());
        let end = (start + length.max(1)).min(text.len()).max(start);
        let boundary = |at: usize| text.get(at).is_none_or(|&byte| byte & 0xc0 != 0x80);
        // where MRI cuts the line it moves one character back at both ends
        let back = |at: usize| (0..at).rev().find(|&at| boundary(at)).unwrap_or(0);
        let from = match start.saturating_sub(MARGIN) {
            0 => 0,
            from => back(from),
        };
        let to = match (end + MARGIN).min(text.len()) {
            to if to == text.len() => to,
            to => back(to).max(end),
        };
        let before = if from > 0 { "..." } else { "" };
        let after = if to < text.len() { "..." } else { "" };
        let indent: String = text[from..start].iter().map(|&byte| if byte == b'\t' { '\t' } else { ' ' }).collect();
        let shown = String::from_utf8_lossy(&text[from..to]);
        let mark = "~".repeat((end - start).saturating_sub(1));
        error.message.push_str(&format!("\n{before}{shown}{after}\n{before}{indent}^{mark}"));
        error
    }
}

/// A token under MRI's name for it, and its length in bytes.
struct Token {
    name: String,
    length: usize,
}

/// Whether a class that prism finds empty has the `]` as its first character, as `[]a]` has for MRI: another `]` follows. The error is at the brackets, or
/// at the whole literal.
fn begins_with_bracket(source: &[u8], start: usize, end: usize) -> bool {
    let place = source.get(start..end).unwrap_or_default();
    let inside = place.windows(2).position(|pair| pair == b"[]").filter(|_| !place.starts_with(b"["));
    let rest = match inside {
        Some(at) => &place[at + 2..],
        None => source.get(end..).unwrap_or_default(),
    };
    let mut escaped = false;
    for byte in rest {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b']' => return true,
            b'/' | b'\n' => return false,
            _ => {}
        }
    }
    false
}

/// The error that MRI would report first, if there is one; `limit` is the lowest permitted address of the native stack.
pub(crate) fn first_error(file: &SourceFile, result: &prism::ParseResult<'_>, limit: usize) -> Option<SyntaxError> {
    let mut found: Vec<(u32, u32, String)> = result
        .errors()
        .filter(|error| {
            let (start, end) = (error.location().start() as usize, error.location().end() as usize);
            match error.message() {
                b"empty char-class" => !begins_with_bracket(&file.source, start, end),
                // `%r!(?\!a)!`: MRI's lexer takes the backslash before an escaped delimiter away first
                b"undefined group option" => {
                    let escape = file.source.get(start..start + 2);
                    !escape.is_some_and(|pair| pair[0] == b'\\' && pair[1] != b'\\' && pair[1].is_ascii_punctuation())
                }
                _ => crate::circular::is_error(result, error, limit),
            }
        })
        .map(|error| {
            (error.location().start(), error.location().end(), String::from_utf8_lossy(error.message()).into_owned())
        })
        .collect();
    if let Some(deep) = found.iter().find(|(.., message)| message == "nesting too deep") {
        return Some(SyntaxError::at(file, deep.0, "nesting too deep"));
    }
    // An unclosed clause is reported where MRI finds it: at the token that closes nothing, or at the end of the file.
    if !found.is_empty() && found.iter().any(|(.., message)| !is_opener(message)) {
        found.retain(|(.., message)| !is_opener(message));
    }
    // MRI's compiler reports these, and only when the parser found no error.
    let compiler = |message: &str| message.starts_with("Invalid ") && !message.starts_with("Invalid return");
    if found.iter().any(|(.., message)| !compiler(message)) {
        found.retain(|(.., message)| !compiler(message));
    }
    let closes = result.errors().any(|error| {
        let message = error.message();
        message.starts_with(b"expected an `end`") || message.ends_with(b"to end with `end`")
    });
    let mut found = found.into_iter();
    let (start, mut stop, message) = found.next()?;
    let later: Vec<_> = found.collect();
    // prism reports where the literal opens, MRI what is in place of its end
    if message.contains("close the hash literal") {
        stop = OpenHash::end(result, start, limit).unwrap_or(stop);
    }
    if let Some(plain) = lexical(&message) {
        // MRI's lexer is at the end of the file when it finds that a string or list is unterminated.
        let offset = if plain.ends_with("meets end of file") && !plain.starts_with("embedded") {
            last_line(file)
        } else {
            start
        };
        let length = if offset == start { (stop - start) as usize } else { 1 };
        return Some(SyntaxError::spanning(file, offset, length, plain));
    }
    if let Some(what) = semantic(&message) {
        // MRI shows no source line for errors of its compiler.
        if what.starts_with("Invalid ") && !what.starts_with("Invalid return") || what.starts_with("Can't set variable")
        {
            return Some(SyntaxError::plain(&file.path, file.position(start).0, &what));
        }
        return Some(SyntaxError::spanning(file, start, (stop - start) as usize, &what));
    }
    let (offset, token) = offender(file, &message, start, stop);
    let expecting = expected(&message, &later);
    let Some(token) = token else {
        let expecting = match expecting {
            "" if closes && message.starts_with("unexpected end-of-input, assuming") && !ends_open(file) => {
                ", expecting `end'"
            }
            known => known,
        };
        return Some(SyntaxError::early(file, expecting));
    };
    let stray = message.ends_with(", ignoring it")
        && file.source[..offset as usize].iter().any(|byte| !byte.is_ascii_whitespace());
    let expecting = if stray && token.name == "`end'" { ", expecting end-of-input" } else { expecting };
    let what = format!("syntax error, unexpected {}{expecting}", token.name);
    Some(SyntaxError::spanning(file, offset, token.length, &what))
}

/// The token that MRI's parser does not expect, with its offset; None at the end of the file. `start` and `stop` are the place that prism reports.
fn offender(file: &SourceFile, message: &str, start: u32, stop: u32) -> (u32, Option<Token>) {
    let end = file.source.len() as u32;
    if let Some(rest) = message.strip_prefix("unexpected ") {
        let name = rest.split([';', ',']).next().unwrap_or_default();
        let named = name == "end-of-input"
            || name == "write target"
            || name.starts_with('\'')
            || name.starts_with(char::is_alphabetic);
        if name == "end-of-input" || start >= end {
            (end, None)
        } else if name == "write target" {
            same_line(file, stop)
        } else if named && !file.source.get(start as usize).is_some_and(u8::is_ascii_whitespace) {
            (start, token_at(file, start))
        } else {
            after(file, start)
        }
    } else if is_opener(message) {
        (end, None)
    } else if message.starts_with("invalid argument being passed") {
        after(file, start)
    } else if ["key and value", "exception variable", "open the lambda block"].iter().any(|part| message.contains(part))
    {
        same_line(file, stop)
    } else {
        after(file, stop)
    }
}

/// What MRI's parser expects instead. Of a list that is not closed, prism's first message tells the element that it lacks, a later one its end.
fn expected(message: &str, later: &[(u32, u32, String)]) -> &'static str {
    match expecting(message) {
        "" if message.ends_with("expected an argument") || message.ends_with("for the array element") => {
            later.iter().map(|(.., other)| expecting(other)).find(|found| !found.is_empty()).unwrap_or_default()
        }
        known => known,
    }
}

/// Looks for the Hash literal that opens at an offset.
struct OpenHash {
    start: u32,
    end: Option<u32>,
    limit: usize,
}

impl OpenHash {
    /// Where a literal without a closing brace ends.
    fn end(result: &prism::ParseResult<'_>, start: u32, limit: usize) -> Option<u32> {
        let mut search = OpenHash { start, end: None, limit };
        prism::Visit::visit(&mut search, &result.node());
        search.end
    }
}

impl<'a> prism::Visit<'a> for OpenHash {
    fn visit_statements_node(&mut self, node: &prism::StatementsNode<'a>) {
        if self.end.is_none() && !crate::stack::is_below(self.limit) {
            prism::visit_statements_node(self, node);
        }
    }
    fn visit_hash_node(&mut self, node: &prism::HashNode<'a>) {
        if node.opening_loc().start() == self.start {
            self.end = Some(node.closing_loc().start());
        } else if !crate::stack::is_below(self.limit) {
            prism::visit_hash_node(self, node);
        }
    }
}

/// The offset where MRI's lexer ends: before the newline that ends the file.
fn last_line(file: &SourceFile) -> u32 {
    let source = file.source.as_slice();
    let source = source.strip_suffix(b"\n").unwrap_or(source);
    source.len() as u32
}

/// Whether the last word of the source opens something that needs more than an `end`.
fn ends_open(file: &SourceFile) -> bool {
    let source = file.source.trim_ascii_end();
    let word = source.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
    matches!(&source[source.len() - word..], b"else" | b"do" | b"then" | b"begin" | b"ensure" | b"rescue")
}

/// The error at the token after `offset`, where Ruby 3.1 does not accept an anonymous argument.
pub(crate) fn unexpected_after(file: &SourceFile, offset: u32) -> SyntaxError {
    match after(file, offset) {
        (at, Some(token)) => {
            SyntaxError::spanning(file, at, token.length, &format!("syntax error, unexpected {}", token.name))
        }
        (_, None) => SyntaxError::early(file, ""),
    }
}

/// Whether the message is about the token that opened an unclosed clause, which is where prism reports it.
fn is_opener(message: &str) -> bool {
    message.starts_with("expected an `end`")
        || message.ends_with("to end with `end`")
        || message.ends_with("to end with `}`")
}

/// MRI's message for an error of the lexer.
fn lexical(message: &str) -> Option<&str> {
    Some(match message {
        _ if message.starts_with("unterminated heredoc; ") => message.trim_start_matches("unterminated heredoc; "),
        _ if message.starts_with("unterminated list") => "unterminated list meets end of file",
        _ if message.starts_with("unterminated regexp") => "unterminated regexp meets end of file",
        "expected a closing delimiter for the `%x` or backtick string"
        | "cannot parse the string part"
        | "unterminated string meets end of file"
        | "unterminated string; expected a closing delimiter for the interpolated string"
        | "unterminated symbol; expected a closing delimiter for the interpolated symbol"
        | "unterminated quoted string; expected a closing delimiter for the dynamic symbol" => {
            "unterminated string meets end of file"
        }
        "invalid hex escape sequence" => "invalid hex escape",
        "invalid Unicode escape sequence" => "invalid Unicode escape",
        "Invalid retry without rescue" => "Invalid retry",
        _ if message.starts_with("incomplete expression at `?`") => "incomplete character syntax",
        _ if message.starts_with("invalid underscore placement") => "trailing `_' in number",
        _ => return None,
    })
}

/// A message that begins with a name, which MRI 3.1 quotes as `` `name' ``.
pub(crate) fn name_quoted(message: String) -> String {
    if message.starts_with('\'') { message.replacen('\'', "`", 1) } else { message }
}

/// MRI's message for an error that is not about syntax, such as an invalid `retry`.
fn semantic(message: &str) -> Option<String> {
    if message.starts_with("expected ") || message.starts_with("could not parse") {
        return None;
    }
    if let Some(rest) = message.strip_prefix("unexpected ") {
        let plain = match rest {
            "class definition in method body" | "module definition in method body" => rest,
            "`&`; no anonymous block parameter" => "no anonymous block parameter",
            "void value expression" => "void value expression",
            "... when the parent method is not forwarding" => "unexpected ...",
            "constant path after `class`; class/module name must be CONSTANT"
            | "constant path after `module`; class/module name must be CONSTANT" => {
                "class/module name must be CONSTANT"
            }
            _ => return None,
        };
        return Some(plain.to_string());
    }
    let plain = match message.split_once("; ") {
        Some(("invalid argument being passed to `undef`" | "invalid argument being passed to `alias`", rest))
            if rest.starts_with("expected") =>
        {
            return None;
        }
        Some((first, rest)) if first.starts_with("invalid ") || first.starts_with("both block arg") => {
            if first.starts_with("both") { first } else { rest.strip_prefix("a ").unwrap_or(rest) }
        }
        _ => message,
    };
    let plain = plain.replace("is reserved for numbered parameters", "is reserved for numbered parameter");
    Some(name_quoted(plain).replace(
        "numbered parameters are not allowed when an ordinary parameter is defined",
        "ordinary parameter is defined",
    ))
}

fn expecting(message: &str) -> &'static str {
    const TABLE: &[(&str, &str)] = &[
        ("expecting end-of-input", ", expecting end-of-input"),
        ("close the arguments", ", expecting ')'"),
        ("delimiter to close the parameters", ", expecting ';' or '\\n'"),
        ("separator for the array elements", ", expecting ']'"),
        ("close the array", ", expecting ']'"),
        ("matching `]`", ", expecting ']'"),
        ("matching `)`", ", expecting ')'"),
        ("close the hash literal", ", expecting '}'"),
        ("between the hash key and value", ", expecting =>"),
        ("close the embedded expression", ", expecting '}'"),
        ("target cannot be written", ", expecting end-of-input"),
        ("end with `|`", ", expecting '|'"),
        ("argument after a block argument", ", expecting ')'"),
        ("true expression of a ternary", ", expecting ':'"),
        ("`when` or `in` clause", ", expecting `when'"),
        ("expected `then`", ", expecting `then' or ';' or '\\n'"),
        ("predicates of a `when` clause", ", expecting `then' or ',' or ';' or '\\n'"),
    ];
    TABLE.iter().find(|(part, _)| message.contains(part)).map_or("", |(_, text)| text)
}

/// The token after an offset, on this line or a later one; None at the end of the file.
fn after(file: &SourceFile, offset: u32) -> (u32, Option<Token>) {
    let mut at = offset as usize;
    while let Some(byte) = file.source.get(at) {
        if *byte == b'#' {
            at += file.source[at..].iter().take_while(|&&byte| byte != b'\n').count();
        } else if byte.is_ascii_whitespace() {
            at += 1;
        } else {
            break;
        }
    }
    (at as u32, token_at(file, at as u32))
}

/// The token after an offset on its line, or the end of the line.
fn same_line(file: &SourceFile, offset: u32) -> (u32, Option<Token>) {
    let rest = file.source.get(offset as usize..).unwrap_or_default();
    let blank = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    let at = offset + blank as u32;
    match rest.get(blank) {
        Some(b'#') | Some(b'\n') if at + 1 < file.source.len() as u32 => {
            (at, Some(Token { name: "'\\n'".to_string(), length: 1 }))
        }
        _ => after(file, offset),
    }
}

/// The token at an offset; None at the end of the file.
fn token_at(file: &SourceFile, offset: u32) -> Option<Token> {
    const KEYWORDS: &[&str] = &[
        "__ENCODING__",
        "__FILE__",
        "__LINE__",
        "alias",
        "and",
        "begin",
        "break",
        "case",
        "class",
        "def",
        "defined?",
        "do",
        "else",
        "elsif",
        "end",
        "ensure",
        "false",
        "for",
        "if",
        "in",
        "module",
        "next",
        "nil",
        "not",
        "or",
        "redo",
        "rescue",
        "retry",
        "return",
        "self",
        "super",
        "then",
        "true",
        "undef",
        "unless",
        "until",
        "when",
        "while",
        "yield",
    ];
    const OPERATORS: &[&str] = &[
        "**=", "<=>", "===", "...", "<<=", ">>=", "&&=", "||=", "=>", "==", "!=", "=~", "!~", ">=", "<=", "&&", "||",
        "::", "..", "<<", ">>", "**", "&.", "->", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
    ];
    let rest = file.source.get(offset as usize..)?;
    let first = *rest.first()?;
    if rest.starts_with(b"__END__\n") {
        return None;
    }
    let word = rest.iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80).count();
    if first.is_ascii_digit() {
        let float = rest.get(word) == Some(&b'.') && rest.get(word + 1).is_some_and(u8::is_ascii_digit);
        let name = if float { "float literal" } else { "integer literal" };
        return Some(Token { name: name.to_string(), length: word });
    }
    if word > 0 {
        let text = String::from_utf8_lossy(&rest[..word]);
        let text = if text == "defined" && rest.get(word) == Some(&b'?') { "defined?".into() } else { text };
        let label = rest.get(word) == Some(&b':') && rest.get(word + 1) != Some(&b':');
        let name = match () {
            () if label => "label".to_string(),
            () if KEYWORDS.contains(&text.as_ref()) => format!("`{text}'"),
            () if first.is_ascii_uppercase() => "constant".to_string(),
            () => "local variable or method".to_string(),
        };
        return Some(Token { name, length: text.len() + usize::from(label) });
    }
    let operator = OPERATORS.iter().find(|operator| rest.starts_with(operator.as_bytes()));
    if let Some(operator) = operator {
        let assignment = operator.ends_with('=') && !matches!(*operator, "==" | "===" | "!=" | ">=" | "<=");
        let name = if assignment { "operator-assignment" } else { operator };
        return Some(Token { name: name.to_string(), length: operator.len() });
    }
    let name = match first {
        b'"' | b'\'' => "string literal".to_string(),
        b'`' => "backtick literal".to_string(),
        b'\n' => "'\\n'".to_string(),
        b'@' if rest.get(1) == Some(&b'@') => "class variable".to_string(),
        b'@' => "instance variable".to_string(),
        b'$' => "global variable".to_string(),
        b'*' | b'&' => char::from(first).to_string(),
        other => format!("'{}'", char::from(other)),
    };
    Some(Token { name, length: 1 })
}
