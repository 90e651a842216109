//! The encodings of a secret that code, serializers and shells produce, and that the register looks for.

use rchef_text::base64;
use std::fmt::Write;

/// Minimum length in bytes of a line of a secret to be recognized alone.
const LINE: usize = 8;
/// Minimum length of a form in bytes.
const FORM: usize = 6;
/// A secret of at least this many bytes is also recognized if up to a quarter of it is cut off.
const CUT: usize = 8;
/// Maximum number of bytes cut off.
const MOST_CUT: usize = 16;
/// Line widths of Base64: in Ruby's `encode64`, PEM and MIME.
const WIDTHS: [usize; 3] = [60, 64, 76];

/// All forms: the text itself, each of its lines, and the encodings of both.
pub fn of(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let trimmed = text.trim();
    for line in trimmed.lines().map(str::trim) {
        if line == trimmed || line.len() >= LINE && !line.starts_with("-----") && !is_words(line) {
            written(line, &mut found);
            cut(line, &mut found);
            components(line, &mut found);
        }
    }
    whole(text, &mut found);
    finish(found)
}

/// The forms of the whole text, without those of its lines.
pub fn of_whole(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    written(text.trim(), &mut found);
    whole(text, &mut found);
    finish(found)
}

fn finish(mut found: Vec<String>) -> Vec<String> {
    found.retain(|form| form.len() >= FORM);
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a line is only lower-case words or brackets, as in any document.
pub fn is_words(line: &str) -> bool {
    line.bytes().all(|byte| byte.is_ascii_lowercase() || b" -_.,:;/{}[]()\"'#".contains(&byte))
}

fn whole(text: &str, found: &mut Vec<String>) {
    found.push(text.trim().to_string());
    if !text.trim().contains('\n') {
        return;
    }
    // line breaks as they become when the text is shown on one line
    for end in ["", "\\n", " ", "\r\n"] {
        found.push(text.trim().replace('\n', end));
    }
    encoded(text.as_bytes(), found);
}

/// The forms of a one-line text in literals, documents, shells and URLs.
fn written(text: &str, found: &mut Vec<String>) {
    let json = json(text);
    for form in [
        text.to_string(),
        self::json(&json),
        inspected(&json),
        json,
        inspected(text),
        inspected(&inspected(text)),
        ascii(text),
        text.replace('\'', "''"),
        text.replace('\'', "'\\''"),
        text.replace('\\', "\\\\").replace('\'', "\\'"),
        text.replace('%', "%%"),
        before(text, '\\', |c| !(c.is_ascii_alphanumeric() || "_-.,:+/@\n".contains(c))),
        before(text, '\\', |c| "[]{}()|-*.\\?+^$# ".contains(c)),
        percent(text, b"*-._", true),
        percent(text, b"-_.~", false),
        percent(text, b"-_.!~*'()", false),
        percent(text, b"-_.!~*'();/?:@&=+$,[]", false),
        text.replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
            .replace('"', "&quot;")
            .replace('\'', "&#39;"),
        text.replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
            .replace('"', "&quot;")
            .replace('\'', "&apos;"),
        text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"),
        text.chars().rev().collect(),
    ] {
        if !found.contains(&form) {
            found.push(form);
        }
    }
    encoded(text.as_bytes(), found);
}

/// Base64, also as a part of a longer encoded text, and hexadecimal.
fn encoded(bytes: &[u8], found: &mut Vec<String>) {
    if bytes.len() < FORM {
        return;
    }
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    for before in 0..3 {
        let padded: Vec<u8> = std::iter::repeat_n(0, before).chain(bytes.iter().copied()).collect();
        let all = text(base64::strict_encode(&padded));
        // only the characters that depend on this text alone: the first and last ones may share bits with what is before and after it
        let inner = all.get((before * 8).div_ceil(6)..padded.len() * 8 / 6).unwrap_or_default().to_string();
        if before == 0 {
            for width in WIDTHS.iter().filter(|width| **width < inner.len()) {
                found.extend(
                    inner.as_bytes().chunks(*width).map(|line| text(line.to_vec())).filter(|line| line.len() >= LINE),
                );
            }
        }
        if inner.contains(['+', '/']) {
            found.push(inner.replace('+', "-").replace('/', "_"));
        }
        found.push(inner);
    }
    found.push(rchef_text::digest::hex(bytes));
}

/// The rest of a text after a few bytes are cut off at one or both ends (`pw[0..-2]`).
fn cut(text: &str, found: &mut Vec<String>) {
    if text.len() < CUT {
        return;
    }
    let most = (text.len() / 4).min(MOST_CUT).min((text.len() - CUT).max(1));
    let least = text.len() - most;
    for start in 0..=most {
        found.extend(text.get(start..start + least).map(str::to_string));
    }
}

/// The parts of a text that was treated as a path.
fn components(text: &str, found: &mut Vec<String>) {
    let telling = |part: &&str| part.len() >= LINE && part.bytes().any(|byte| byte.is_ascii_digit());
    found.extend(text.split('/').filter(telling).map(str::to_string));
}

fn json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_string()
}

/// The form in Ruby's `inspect` and in double-quoted YAML.
fn inspected(text: &str) -> String {
    let quoted = rchef_text::inspect::inspect(text.as_bytes(), rchef_text::encoding::Encoding::Utf8);
    String::from_utf8_lossy(&quoted[1..quoted.len() - 1]).into_owned()
}

/// JSON with non-ASCII characters escaped.
fn ascii(text: &str) -> String {
    let mut out = String::new();
    for c in json(text).chars() {
        if c.is_ascii() {
            out.push(c);
        } else {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out
}

/// Inserts `mark` before the characters that need it.
fn before(text: &str, mark: char, needs: impl Fn(char) -> bool) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if needs(c) {
            out.push(mark);
        }
        out.push(c);
    }
    out
}

/// Percent encoding of all but letters, digits and `safe`; with `plus` a space becomes `+`.
fn percent(text: &str, safe: &[u8], plus: bool) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b' ' if plus => out.push('+'),
            _ if byte.is_ascii_alphanumeric() || safe.contains(&byte) => out.push(byte.into()),
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}
