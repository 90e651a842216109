//! JSON text without some entries of its object, so that what nobody asks for is not taken apart.

/// A JSON object without the entries of these keys. None where the text is no object, or begins to be something else than JSON: who parses it
/// then says what is wrong.
pub(crate) fn without(text: &[u8], keys: &[&str]) -> Option<Vec<u8>> {
    let mut at = blank(text, 0);
    if text.get(at) != Some(&b'{') {
        return None;
    }
    let mut kept = b"{".to_vec();
    at = blank(text, at + 1);
    while text.get(at) != Some(&b'}') {
        let name = at..string(text, at)?;
        let colon = blank(text, name.end);
        if text.get(colon) != Some(&b':') {
            return None;
        }
        let end = value(text, blank(text, colon + 1))?;
        let key = &text[name.start + 1..name.end - 1];
        if !keys.iter().any(|known| known.as_bytes() == key) {
            if kept.len() > 1 {
                kept.push(b',');
            }
            kept.extend_from_slice(&text[name.start..end]);
        }
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
    // what follows is not JSON any more
    if blank(text, at + 1) != text.len() {
        return None;
    }
    kept.push(b'}');
    Some(kept)
}

/// The first place from here on that is not blank.
fn blank(text: &[u8], from: usize) -> usize {
    let blanks = text.get(from..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_whitespace());
    from + blanks.count()
}

/// The end of the string that begins here.
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

/// The end of the value that begins here.
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
mod tests {
    use super::*;

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
