//! The hashes `$5$` and `$6$`, after Ulrich Drepper's specification (in the public domain).

use sha2::Digest;

/// What a setting says behind its prefix.
pub(super) struct Setting<'a> {
    pub(super) rounds: u32,
    /// They are part of the hash where they were given.
    given: bool,
    salt: &'a [u8],
}

const DEFAULT_ROUNDS: u32 = 5000;

/// Rounds and salt; None for rounds that libxcrypt refuses.
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

/// Which bytes of the digest make a group of digits.
pub(super) const ORDER_512: [[u8; 3]; 21] = {
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
/// The same for the shorter digest.
pub(super) const ORDER_256: [[u8; 3]; 10] = {
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

/// Adds a digest again and again until so many bytes are added.
fn fill<D: Digest>(to: &mut D, digest: &[u8], mut count: usize) {
    while count > 0 {
        let part = count.min(digest.len());
        to.update(&digest[..part]);
        count -= part;
    }
}
fn repeated(digest: &[u8], count: usize) -> Vec<u8> {
    digest.iter().copied().cycle().take(count).collect()
}

/// The hash with its setting.
pub(super) fn crypt<D: Digest>(password: &[u8], rest: &[u8], prefix: &[u8], order: &[[u8; 3]]) -> Option<Vec<u8>> {
    let setting = setting(rest)?;
    let salt = setting.salt;
    let other = D::new().chain_update(password).chain_update(salt).chain_update(password).finalize();
    let mut first = D::new().chain_update(password).chain_update(salt);
    fill(&mut first, &other, password.len());
    let mut bits = password.len();
    while bits > 0 {
        first.update(if bits & 1 == 1 { &other[..] } else { password });
        bits >>= 1;
    }
    let mut digest = first.finalize();
    let mut of_password = D::new();
    for _ in 0..password.len() {
        of_password.update(password);
    }
    let of_password = repeated(&of_password.finalize(), password.len());
    let mut of_salt = D::new();
    for _ in 0..16 + usize::from(digest[0]) {
        of_salt.update(salt);
    }
    let of_salt = repeated(&of_salt.finalize(), salt.len());
    for round in 0..setting.rounds {
        let odd = round & 1 == 1;
        let mut next = D::new();
        next.update(if odd { &of_password[..] } else { &digest[..] });
        if round % 3 != 0 {
            next.update(&of_salt);
        }
        if round % 7 != 0 {
            next.update(&of_password);
        }
        next.update(if odd { &digest[..] } else { &of_password[..] });
        digest = next.finalize();
    }
    let mut out = prefix.to_vec();
    if setting.given {
        out.extend(format!("rounds={}$", setting.rounds).into_bytes());
    }
    out.extend_from_slice(salt);
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
