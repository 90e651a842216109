//! The mixing of scrypt (RFC 7914) for `OpenSSL::KDF.scrypt`; PBKDF2 around it is the caller's.

use rchef_ruby::{Args, RString, Res, Value, Vm};

/// Words of one Salsa20 block.
const WORDS: usize = 16;

/// `(block, cost, block size)`: one block of 128 × size bytes, mixed. The memory is 128 × size × cost bytes, which counts against the limits.
pub(crate) fn mix(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let block = vm.to_str(args.at(0))?.get(vm).bytes().to_vec();
    let (cost, size) = (vm.to_int(args.at(1))?, vm.to_int(args.at(2))?);
    let (Ok(cost), Ok(size)) = (usize::try_from(cost), usize::try_from(size)) else {
        return Err(vm.argument_error("cost and block size must be positive"));
    };
    let bytes = size.checked_mul(128).filter(|bytes| *bytes > 0 && *bytes == block.len() && cost.is_power_of_two());
    let Some(all) = bytes.and_then(|bytes| bytes.checked_mul(cost)) else {
        return Err(vm.argument_error("bad block for the cost and block size"));
    };
    vm.check_size(all)?;
    let words: Vec<u32> =
        block.chunks_exact(4).map(|part| u32::from_le_bytes([part[0], part[1], part[2], part[3]])).collect();
    let mixed = rounds(words, cost, size);
    let bytes = mixed.into_iter().flat_map(u32::to_le_bytes).collect();
    Ok(Value::string(RString::binary(bytes)))
}

fn rounds(mut words: Vec<u32>, cost: usize, size: usize) -> Vec<u32> {
    let length = words.len();
    let mut seen = Vec::with_capacity(length * cost);
    let mut next = vec![0; length];
    for _ in 0..cost {
        seen.extend_from_slice(&words);
        blocks(&words, &mut next, size);
        std::mem::swap(&mut words, &mut next);
    }
    for _ in 0..cost {
        let chosen = words[(2 * size - 1) * WORDS] as usize & (cost - 1);
        for (word, other) in words.iter_mut().zip(&seen[chosen * length..]) {
            *word ^= other;
        }
        blocks(&words, &mut next, size);
        std::mem::swap(&mut words, &mut next);
    }
    words
}

/// scryptBlockMix: even blocks of the result first, then the odd ones.
fn blocks(words: &[u32], out: &mut [u32], size: usize) {
    let mut state = [0; WORDS];
    state.copy_from_slice(&words[(2 * size - 1) * WORDS..]);
    for (index, part) in words.chunks_exact(WORDS).enumerate() {
        for (word, other) in state.iter_mut().zip(part) {
            *word ^= other;
        }
        salsa(&mut state);
        let to = (index / 2 + if index % 2 == 0 { 0 } else { size }) * WORDS;
        out[to..to + WORDS].copy_from_slice(&state);
    }
}

/// Salsa20/8.
fn salsa(state: &mut [u32; WORDS]) {
    let mut x = *state;
    let mut step = |to: usize, a: usize, b: usize, turn: u32| x[to] ^= x[a].wrapping_add(x[b]).rotate_left(turn);
    for _ in 0..4 {
        // columns, then rows: each quarter begins one place further on
        for [a, b, c, d] in [
            [0, 4, 8, 12],
            [5, 9, 13, 1],
            [10, 14, 2, 6],
            [15, 3, 7, 11],
            [0, 1, 2, 3],
            [5, 6, 7, 4],
            [10, 11, 8, 9],
            [15, 12, 13, 14],
        ] {
            step(b, a, d, 7);
            step(c, b, a, 9);
            step(d, c, b, 13);
            step(a, d, c, 18);
        }
    }
    for (word, mixed) in state.iter_mut().zip(x) {
        *word = word.wrapping_add(mixed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn salsa_mixes_as_the_rfc_shows() {
        let hex = |text: &str| -> Vec<u32> {
            let bytes: Vec<u8> =
                (0..text.len() / 2).map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap()).collect();
            bytes.chunks(4).map(|part| u32::from_le_bytes(part.try_into().unwrap())).collect()
        };
        let input = hex(
            "7e879a214f3ec9867ca940e641718f26baee555b8c61c1b50df846116dcd3b1dee24f319df9b3d8514121e4b5ac5aa3276021d2909c74829edebc68db8b8c25e",
        );
        let output = hex(
            "a41f859c6608cc993b81cacb020cef05044b2181a2fd337dfd7b1c6396682f29b4393168e3c9e6bcfe6bc5b7a06d96bae424cc102c91745c24ad673dc7618f81",
        );
        let mut state: [u32; WORDS] = input.try_into().unwrap();
        salsa(&mut state);
        assert_eq!(state.to_vec(), output);
    }
}
