//! Hashing of names and texts with a random key per process: input cannot be chosen so that hashes collide and tables become slow.
//! Hashes differ from run to run, so they never reach output: tables keep insertion order.

use foldhash::SharedSeed;
use foldhash::fast::SeedableRandomState;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::OnceLock;

/// Builds hashers with the key of this process.
#[derive(Clone)]
pub struct Keyed(SeedableRandomState);

impl Default for Keyed {
    fn default() -> Keyed {
        static KEY: OnceLock<(u64, SharedSeed)> = OnceLock::new();
        let (own, shared) = KEY.get_or_init(|| {
            // the keys of `RandomState` come from the system's random numbers
            let random = RandomState::new();
            (random.hash_one(1), SharedSeed::from_u64(random.hash_one(2)))
        });
        Keyed(SeedableRandomState::with_seed(*own, shared))
    }
}

impl BuildHasher for Keyed {
    type Hasher = foldhash::fast::FoldHasher<'static>;
    #[inline]
    fn build_hasher(&self) -> Self::Hasher {
        self.0.build_hasher()
    }
}

impl Keyed {
    #[inline]
    pub fn bytes(&self, bytes: &[u8]) -> u64 {
        let mut hasher = self.build_hasher();
        hasher.write(bytes);
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Keyed;

    #[test]
    fn texts_that_collide_without_a_key_do_not() {
        // these all collide in rustc-hash: the first 8 of the 16 bytes are one of its constants
        let texts: Vec<Vec<u8>> = (0..2000u64)
            .map(|number| [&[0xd3, 0x08, 0xa3, 0x85, 0x88, 0x6a, 0x3f, 0x24], number.to_le_bytes().as_slice()].concat())
            .collect();
        let keyed = Keyed::default();
        let mut hashes: Vec<u64> = texts.iter().map(|text| keyed.bytes(text)).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert!(hashes.len() > 1990, "{}", hashes.len());
    }
}
