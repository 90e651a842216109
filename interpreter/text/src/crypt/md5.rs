//! The hash `$1$`, as Poul-Henning Kamp made it for FreeBSD: a thousand rounds of MD5 (RFC 1321) over the password and at most 8 bytes of salt.

/// How far the words of each of the four rounds are turned.
const TURNS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

fn constants() -> [u32; 64] {
    std::array::from_fn(|step| (((step + 1) as f64).sin().abs() * 4_294_967_296.0) as u32)
}

fn block(state: &mut [u32; 4], words: &[u32; 16], constants: &[u32; 64]) {
    let [mut a, mut b, mut c, mut d] = *state;
    for (step, constant) in constants.iter().enumerate() {
        let (mixed, word) = match step / 16 {
            0 => ((b & c) | (!b & d), step),
            1 => ((d & b) | (!d & c), (5 * step + 1) % 16),
            2 => (b ^ c ^ d, (3 * step + 5) % 16),
            _ => (c ^ (b | !d), (7 * step) % 16),
        };
        let sum = a.wrapping_add(mixed).wrapping_add(*constant).wrapping_add(words[word]);
        a = d;
        d = c;
        c = b;
        b = b.wrapping_add(sum.rotate_left(TURNS[step / 16][step % 4]));
    }
    for (part, new) in state.iter_mut().zip([a, b, c, d]) {
        *part = part.wrapping_add(new);
    }
}

fn md5(text: &[u8], constants: &[u32; 64]) -> [u8; 16] {
    let mut padded = text.to_vec();
    padded.push(0x80);
    // the last eight bytes of the last block are the length
    padded.resize((padded.len() + 8).next_multiple_of(64) - 8, 0);
    padded.extend_from_slice(&(text.len() as u64 * 8).to_le_bytes());
    let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    let (chunks, _) = padded.as_chunks::<64>();
    for chunk in chunks {
        let words = std::array::from_fn(|at| {
            u32::from_le_bytes([chunk[at * 4], chunk[at * 4 + 1], chunk[at * 4 + 2], chunk[at * 4 + 3]])
        });
        block(&mut state, &words, constants);
    }
    let mut digest = [0; 16];
    for (bytes, word) in digest.chunks_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    digest
}

/// The hash with its setting, given what follows `$1$`.
pub(super) fn crypt(password: &[u8], rest: &[u8]) -> Vec<u8> {
    let constants = constants();
    let salt = super::salt(rest, 8);
    let inner = md5(&[password, salt, password].concat(), &constants);
    let mut text = [password, b"$1$", salt].concat();
    text.extend(inner.iter().cycle().take(password.len()));
    let mut bits = password.len();
    while bits > 0 {
        text.push(if bits & 1 == 1 { 0 } else { password.first().copied().unwrap_or_default() });
        bits >>= 1;
    }
    let mut digest = md5(&text, &constants);
    for round in 0..super::MD5_ROUNDS {
        let (first, last): (&[u8], &[u8]) = if round % 2 == 1 { (password, &digest) } else { (&digest, password) };
        let salted: &[u8] = if round % 3 == 0 { b"" } else { salt };
        let again: &[u8] = if round % 7 == 0 { b"" } else { password };
        digest = md5(&[first, salted, again, last].concat(), &constants);
    }
    let mut out = [b"$1$", salt, b"$"].concat();
    for group in [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5]] {
        super::digits(&mut out, group.map(|index: usize| digest[index]), 4);
    }
    super::digits(&mut out, [0, 0, digest[11]], 2);
    out
}
