//! Base64: `pack("m")`, the Base64 module's strict and URL-safe forms.

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn encode_with(bytes: &[u8], table: &[u8; 64], padding: bool, out: &mut Vec<u8>) {
    out.reserve(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let (a, b, c) = (chunk[0], chunk.get(1).copied().unwrap_or(0), chunk.get(2).copied().unwrap_or(0));
        let n = u32::from(a) << 16 | u32::from(b) << 8 | u32::from(c);
        for i in 0..4 {
            if i <= chunk.len() {
                out.push(table[(n >> (18 - 6 * i)) as usize & 63]);
            } else if padding {
                out.push(b'=');
            }
        }
    }
}

/// `Base64.strict_encode64`, `pack("m0")`.
pub fn strict_encode(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    encode_with(bytes, STANDARD, true, &mut out);
    out
}

/// `Base64.urlsafe_encode64`.
pub fn urlsafe_encode(bytes: &[u8], padding: bool) -> Vec<u8> {
    let mut out = Vec::new();
    encode_with(bytes, URL, padding, &mut out);
    out
}

/// `Base64.encode64`, `pack("mN")`: `per_line` source bytes per line (45 by default), with a newline after each line.
pub fn encode_lines(bytes: &[u8], per_line: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for line in bytes.chunks((per_line / 3 * 3).max(3)) {
        encode_with(line, STANDARD, true, &mut out);
        out.push(b'\n');
    }
    out
}

fn value(b: u8) -> Option<u32> {
    Some(u32::from(match b {
        b'A'..=b'Z' => b - b'A',
        b'a'..=b'z' => b - b'a' + 26,
        b'0'..=b'9' => b - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}

/// `Base64.decode64`, `unpack("m")`: characters outside Base64 are skipped, padding ends the text.
pub fn decode(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() / 4 * 3);
    let (mut n, mut have) = (0u32, 0);
    for &b in bytes {
        if b == b'=' && have >= 2 {
            break;
        }
        let Some(v) = value(b) else { continue };
        n = n << 6 | v;
        have += 1;
        if have == 4 {
            out.extend_from_slice(&n.to_be_bytes()[1..]);
            (n, have) = (0, 0);
        }
    }
    match have {
        2 => out.push((n >> 4) as u8),
        3 => out.extend_from_slice(&[(n >> 10) as u8, (n >> 2) as u8]),
        _ => {}
    }
    out
}

/// `Base64.strict_decode64`, `unpack("m0")`; None is ArgumentError `invalid base64`.
pub fn strict_decode(bytes: &[u8]) -> Option<Vec<u8>> {
    if !bytes.len().is_multiple_of(4) {
        return None;
    }
    let body = bytes.strip_suffix(b"==").or_else(|| bytes.strip_suffix(b"=")).unwrap_or(bytes);
    if body.iter().any(|b| value(*b).is_none()) {
        return None;
    }
    // The unused bits before the padding must be zero.
    if let Some(&last) = body.last() {
        let spare = match body.len() % 4 {
            2 => 15,
            3 => 3,
            _ => 0,
        };
        if value(last).unwrap_or(0) & spare != 0 {
            return None;
        }
    }
    Some(decode(body))
}

/// `Base64.urlsafe_decode64`; None is ArgumentError `invalid base64`.
pub fn urlsafe_decode(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut text: Vec<u8> = bytes
        .iter()
        .map(|b| match b {
            b'-' => b'+',
            b'_' => b'/',
            b => *b,
        })
        .collect();
    if !text.ends_with(b"=") && !text.len().is_multiple_of(4) {
        text.resize(text.len().next_multiple_of(4), b'=');
    }
    strict_decode(&text)
}
