//! The dump as YAML that Ruby's Psych, PyYAML and YAML 1.2 readers read back alike: whatever could be taken for another type is quoted.

use serde_json::Value as Json;

/// The document as YAML text.
pub fn to_yaml(document: &Json) -> String {
    let mut out = String::from("---\n");
    block(document, 0, &mut out);
    out
}

fn block(value: &Json, indent: usize, out: &mut String) {
    match value {
        Json::Object(map) if !map.is_empty() => {
            for (key, value) in map {
                out.push_str(&" ".repeat(indent));
                out.push_str(&scalar_text(key));
                out.push(':');
                nested(value, indent, out);
            }
        }
        Json::Array(items) if !items.is_empty() => {
            for item in items {
                out.push_str(&" ".repeat(indent));
                out.push('-');
                match item {
                    Json::Object(map) if !map.is_empty() => {
                        let mut inner = String::new();
                        block(item, indent + 2, &mut inner);
                        out.push(' ');
                        out.push_str(inner.trim_start_matches(' '));
                    }
                    _ => nested(item, indent, out),
                }
            }
        }
        other => {
            out.push_str(&" ".repeat(indent));
            out.push_str(&scalar(other));
            out.push('\n');
        }
    }
}

fn nested(value: &Json, indent: usize, out: &mut String) {
    let empty = match value {
        Json::Object(map) => map.is_empty(),
        Json::Array(items) => items.is_empty(),
        _ => true,
    };
    if empty {
        out.push(' ');
        out.push_str(&scalar(value));
        out.push('\n');
    } else {
        out.push('\n');
        block(value, indent + 2, out);
    }
}

fn scalar(value: &Json) -> String {
    match value {
        Json::Null => "null".into(),
        Json::Bool(flag) => flag.to_string(),
        Json::Number(number) => {
            let text = number.to_string();
            if number.is_f64() && text.contains('e') && !text.contains('.') {
                text.replacen('e', ".0e", 1)
            } else {
                text
            }
        }
        Json::String(text) => scalar_text(text),
        Json::Array(_) => "[]".into(),
        Json::Object(_) => "{}".into(),
    }
}

/// Plain only where no reader of any version could take it for anything but this text.
fn scalar_text(text: &str) -> String {
    let plain_start = text.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '/' || c == '_');
    let plain_rest = text
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/' | '.' | '@' | '+' | '[' | ']' | '(' | ')'))
        && !text.ends_with(':');
    let word = text.to_ascii_lowercase();
    let reserved = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nil", "inf", "nan", "infinity"]
        .contains(&word.as_str());
    if plain_start && plain_rest && !reserved {
        return text.to_string();
    }
    // JSON's escapes are YAML's, once what is not printable is escaped
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if (c as u32) < 0x20 || (0x7f..0xa0).contains(&(c as u32)) => {
                out.push_str(&format!("\\x{:02X}", c as u32))
            }
            '\u{2028}' | '\u{2029}' | '\u{feff}' => out.push_str(&format!("\\u{:04X}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::to_yaml;
    use serde_json::json;

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
