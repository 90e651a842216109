//! The hashes `$5$` and `$6$`, after Ulrich Drepper's specification (in the public domain).

use sha_crypt::Params;

/// The setting after its prefix.
pub(super) struct Setting<'a> {
    pub(super) rounds: u32,
    /// Whether the setting names the rounds; the hash then names them too.
    given: bool,
    salt: &'a [u8],
}

const DEFAULT_ROUNDS: u32 = 5000;

/// Parses rounds and salt; None for rounds that libxcrypt rejects.
pub(super) fn setting(rest: &[u8]) -> Option<Setting<'_>> {
    let Some(text) = rest.strip_prefix(b"rounds=") else {
        return Some(Setting { rounds: DEFAULT_ROUNDS, given: false, salt: super::salt(rest, 16) });
    };
    let end = text.iter().position(|byte| *byte == b'$')?;
    let digits = &text[..end];
    if digits.is_empty() || digits[0] == b'0' || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let rounds: u32 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    if !(1000..=999_999_999).contains(&rounds) {
        return None;
    }
    Some(Setting { rounds, given: true, salt: super::salt(&text[end + 1..], 16) })
}

/// The digest bytes of each group of digits.
const ORDER_512: [[u8; 3]; 21] = {
    let mut order = [[0; 3]; 21];
    let mut index = 0;
    while index < 21 {
        let (a, b, c) = (index as u8, index as u8 + 21, index as u8 + 42);
        order[index] = match index % 3 {
            0 => [a, b, c],
            1 => [b, c, a],
            _ => [c, a, b],
        };
        index += 1;
    }
    order
};
/// The same for SHA-256.
const ORDER_256: [[u8; 3]; 10] = {
    let mut order = [[0; 3]; 10];
    let mut index = 0;
    while index < 10 {
        let (a, b, c) = (index as u8, index as u8 + 10, index as u8 + 20);
        order[index] = match index % 3 {
            0 => [a, b, c],
            1 => [c, a, b],
            _ => [b, c, a],
        };
        index += 1;
    }
    order
};

/// The hash with its setting; `prefix` is `$5$` or `$6$`.
pub(super) fn crypt(password: &[u8], rest: &[u8], prefix: &[u8]) -> Option<Vec<u8>> {
    let setting = setting(rest)?;
    let params = Params::new(setting.rounds).ok()?;
    let (order, digest): (&[[u8; 3]], Vec<u8>) = match prefix {
        b"$6$" => (&ORDER_512, sha_crypt::sha512_crypt(password, setting.salt, params).to_vec()),
        _ => (&ORDER_256, sha_crypt::sha256_crypt(password, setting.salt, params).to_vec()),
    };
    let mut out = prefix.to_vec();
    if setting.given {
        out.extend(format!("rounds={}$", setting.rounds).into_bytes());
    }
    out.extend_from_slice(setting.salt);
    out.push(b'$');
    for group in order {
        super::digits(&mut out, group.map(|index| digest[usize::from(index)]), 4);
    }
    match digest[order.len() * 3..] {
        [last] => super::digits(&mut out, [0, 0, last], 2),
        [a, b] => super::digits(&mut out, [0, b, a], 3),
        _ => {}
    }
    Some(out)
}
