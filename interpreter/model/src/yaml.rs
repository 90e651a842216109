//! The dump as YAML that Psych, PyYAML and YAML 1.2 parsers read identically: anything that could be read as another type is quoted.

use crate::Out;
use crate::document::{self, Value as Json};
use std::fmt::Write;

pub fn to_yaml(given: &Json) -> String {
    let mut out = Out::whole();
    write(given, &mut out);
    out.finish()
}

/// Writes a document.
pub fn write(given: &Json, out: &mut Out<'_>) {
    out.push_str("---\n");
    match given {
        Json::Object(map) if !map.is_empty() => block(given, 0, out),
        Json::Array(items) if !items.is_empty() => block(given, 0, out),
        other => {
            scalar(other, out);
            out.push('\n');
        }
    }
}

fn indentation(width: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', width));
}

/// Writes a map or list that is not empty; its first line is not indented, because the output is already at the right column.
fn block_here(value: &Json, indent: usize, out: &mut Out<'_>) {
    let mut first = true;
    let mut next = |out: &mut Out<'_>| {
        out.may_end();
        if !std::mem::take(&mut first) {
            indentation(indent, out);
        }
    };
    match value {
        Json::Object(map) => {
            for (key, value) in map {
                next(out);
                let start = out.len();
                push_scalar(key, out);
                // YAML allows keys of up to 1,024 characters
                if out.len() - start > 1000 {
                    out.insert_str(start, "? ");
                    out.push('\n');
                    indentation(indent, out);
                }
                out.push(':');
                nested(value, indent, out);
            }
        }
        Json::Array(items) => {
            for item in items {
                next(out);
                out.push('-');
                match item {
                    Json::Object(map) if !map.is_empty() => {
                        out.push(' ');
                        block_here(item, indent + 2, out);
                    }
                    Json::Array(list) if !list.is_empty() => {
                        out.push(' ');
                        block_here(item, indent + 2, out);
                    }
                    _ => nested(item, indent, out),
                }
            }
        }
        _ => {}
    }
}

fn block(value: &Json, indent: usize, out: &mut Out<'_>) {
    indentation(indent, out);
    block_here(value, indent, out);
}

fn nested(value: &Json, indent: usize, out: &mut Out<'_>) {
    let empty = match value {
        Json::Object(map) => map.is_empty(),
        Json::Array(items) => items.is_empty(),
        _ => true,
    };
    if empty {
        out.push(' ');
        scalar(value, out);
        out.push('\n');
    } else {
        out.push('\n');
        block(value, indent + 2, out);
    }
}

fn scalar(value: &Json, out: &mut String) {
    match value {
        Json::Null => out.push_str("null"),
        Json::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Json::Int(number) => document::decimal(*number, out),
        Json::Float(number) => float(*number, out),
        Json::String(string) => push_scalar(string, out),
        Json::Array(_) => out.push_str("[]"),
        Json::Object(_) => out.push_str("{}"),
    }
}

/// YAML 1.1 requires a point in a float, and a sign in its exponent.
fn float(number: f64, out: &mut String) {
    let digits = document::float(number);
    match digits.split_once('e') {
        Some((mantissa, exponent)) => {
            out.push_str(mantissa);
            if !mantissa.contains('.') {
                out.push_str(".0");
            }
            out.push('e');
            if !exponent.starts_with(['-', '+']) {
                out.push('+');
            }
            out.push_str(exponent);
        }
        _ => out.push_str(&digits),
    }
}

/// Words that a YAML 1.1 or 1.2 parser reads as a boolean, null or float.
const WORDS: [&str; 14] =
    ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nil", "inf", "nan", "infinity", "none"];

/// Whether a text needs no quotes: no parser of any version reads it as anything but this text.
fn is_plain(text: &str) -> bool {
    let Some(first) = text.bytes().next() else { return false };
    (first.is_ascii_alphabetic() || first == b'/' || first == b'_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-/.@+[]()".contains(&byte))
        && !(text.len() < 9 && WORDS.iter().any(|word| word.eq_ignore_ascii_case(text)))
}

fn push_scalar(text: &str, out: &mut String) {
    if is_plain(text) {
        out.push_str(text);
        return;
    }
    // JSON's escapes are valid in YAML; unprintable characters are escaped in addition
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if (c as u32) < 0x20 || (0x7f..0xa0).contains(&(c as u32)) => {
                let _ = write!(out, "\\x{:02X}", c as u32);
            }
            '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::to_yaml;
    use crate::json;

    #[test]
    fn texts_that_look_like_other_types_are_quoted() {
        let yaml = to_yaml(
            &json!({ "a": ["yes", "1:30", "0755", ":sym", "2020-01-01", "plain", ""], "b": {}, "c": [{ "d": 1, "e": [1.5, null] }] }),
        );
        assert_eq!(
            yaml,
            "---\na:\n  - \"yes\"\n  - \"1:30\"\n  - \"0755\"\n  - \":sym\"\n  - \"2020-01-01\"\n  - plain\n  - \"\"\nb: {}\nc:\n  - d: 1\n    e:\n      - 1.5\n      - null\n"
        );
    }
}
