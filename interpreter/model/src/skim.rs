//! Finds the entries of JSON objects in their text, so that unused values need not be parsed.

use std::borrow::Cow;
use std::ops::Range;

/// An entry of an object: the byte ranges of its key (without the quotes) and its value.
pub type Entry = (Range<usize>, Range<usize>);

/// The entries of a JSON object. None if the text is not an object or not valid JSON; a full parse then gives the error.
pub fn entries(text: &[u8]) -> Option<Vec<Entry>> {
    let mut found = Vec::new();
    let mut at = blank(text, 0);
    if text.get(at) != Some(&b'{') {
        return None;
    }
    at = blank(text, at + 1);
    while text.get(at) != Some(&b'}') {
        let name = at..string(text, at)?;
        let colon = blank(text, name.end);
        if text.get(colon) != Some(&b':') {
            return None;
        }
        let start = blank(text, colon + 1);
        let end = value(text, start)?;
        found.push((name.start + 1..name.end - 1, start..end));
        at = blank(text, end);
        match text.get(at)? {
            b',' => {
                at = blank(text, at + 1);
                if text.get(at) == Some(&b'}') {
                    return None;
                }
            }
            b'}' => {}
            _ => return None,
        }
    }
    // anything but whitespace after the object is not valid JSON
    (blank(text, at + 1) == text.len()).then_some(found)
}

/// The key of an entry; None if it is not a valid JSON string.
pub fn key<'a>(text: &'a [u8], entry: &Entry) -> Option<Cow<'a, str>> {
    let key = text.get(entry.0.clone())?;
    if key.contains(&b'\\') {
        return serde_json::from_slice(text.get(entry.0.start - 1..=entry.0.end)?).ok().map(Cow::Owned);
    }
    std::str::from_utf8(key).ok().map(Cow::Borrowed)
}

/// The text of the value under a path of keys.
pub fn at_path<'a>(text: &'a [u8], path: &[String]) -> Option<&'a [u8]> {
    let Some((first, rest)) = path.split_first() else { return Some(text) };
    // if a key occurs several times, the last entry counts
    let found = entries(text)?.into_iter().rfind(|entry| key(text, entry).is_some_and(|key| key == first.as_str()))?;
    at_path(text.get(found.1)?, rest)
}

/// A JSON object without the entries of the given keys; None as in [`entries`].
pub fn without(text: &[u8], keys: &[&str]) -> Option<Vec<u8>> {
    let mut kept = b"{".to_vec();
    for (key, value) in entries(text)? {
        if !keys.iter().any(|known| known.as_bytes() == &text[key.clone()]) {
            if kept.len() > 1 {
                kept.push(b',');
            }
            kept.extend_from_slice(&text[key.start - 1..value.end]);
        }
    }
    kept.push(b'}');
    Some(kept)
}

/// The next offset that is not whitespace.
fn blank(text: &[u8], from: usize) -> usize {
    let blanks = text.get(from..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_whitespace());
    from + blanks.count()
}

/// The end of the string that begins at `from`.
fn string(text: &[u8], from: usize) -> Option<usize> {
    if text.get(from) != Some(&b'"') {
        return None;
    }
    let mut at = from + 1;
    loop {
        at += text.get(at..)?.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
        if text[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// The end of the value that begins at `from`.
fn value(text: &[u8], from: usize) -> Option<usize> {
    match text.get(from)? {
        b'"' => string(text, from),
        b'{' | b'[' => {
            let (mut depth, mut at) = (0usize, from);
            loop {
                match text.get(at)? {
                    b'"' => {
                        at = string(text, at)?;
                        continue;
                    }
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => depth -= 1,
                    _ => {}
                }
                at += 1;
                if depth == 0 {
                    return Some(at);
                }
            }
        }
        _ => {
            let rest = text[from..]
                .iter()
                .take_while(|byte| !matches!(byte, b',' | b'}' | b']') && !byte.is_ascii_whitespace());
            Some(from + rest.count()).filter(|end| *end > from)
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a failure is the test's
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_values() {
        let text = br#" {"a": {"b\u0063": [1, {"d": 2}], "": 3}, "a\"b": "x", "n": 1, "n": {"m": null}} "#;
        for (path, expected) in [
            (&["a", "bc"][..], Some(&br#"[1, {"d": 2}]"#[..])),
            (&["a", ""], Some(b"3")),
            (&["a\"b"], Some(br#""x""#)),
            (&["n", "m"], Some(b"null")),
            (&["a", "bc", "d"], None),
            (&["b"], None),
        ] {
            let path: Vec<String> = path.iter().map(|key| key.to_string()).collect();
            assert_eq!(at_path(text, &path), expected, "{path:?}");
        }
        assert_eq!(entries(text).unwrap().len(), 4);
    }

    #[test]
    fn entries_are_left_out() {
        for (text, kept) in [
            (r#"{"a":1,"b":{"c":"}\"]"},"d":[1,{"a":2}]}"#, Some(r#"{"a":1,"d":[1,{"a":2}]}"#)),
            (" { \"b\" : null , \"a\" : \"x\" } \n", Some(r#"{"a" : "x"}"#)),
            (r#"{"b":1}"#, Some("{}")),
            ("{}", Some("{}")),
            ("[]", None),
            (r#"{"a":1"#, None),
            (r#"{"a" 1}"#, None),
            (r#"{"a":1,}"#, None),
            (r#"{"b":1 , }"#, None),
            (r#"{"a":1} x"#, None),
            (r#"{"b":"\"#, None),
            ("", None),
        ] {
            assert_eq!(without(text.as_bytes(), &["b"]).as_deref(), kept.map(str::as_bytes), "{text}");
        }
    }
}
