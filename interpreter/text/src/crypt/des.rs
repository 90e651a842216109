//! The oldest hash: two digits of salt, eight characters of the password, 25 times DES with bits of its expansion swapped by the salt.

use super::DIGITS;

const INITIAL: [u8; 64] = [
    58, 50, 42, 34, 26, 18, 10, 2, 60, 52, 44, 36, 28, 20, 12, 4, 62, 54, 46, 38, 30, 22, 14, 6, 64, 56, 48, 40, 32,
    24, 16, 8, 57, 49, 41, 33, 25, 17, 9, 1, 59, 51, 43, 35, 27, 19, 11, 3, 61, 53, 45, 37, 29, 21, 13, 5, 63, 55, 47,
    39, 31, 23, 15, 7,
];
const EXPANSION: [u8; 48] = [
    32, 1, 2, 3, 4, 5, 4, 5, 6, 7, 8, 9, 8, 9, 10, 11, 12, 13, 12, 13, 14, 15, 16, 17, 16, 17, 18, 19, 20, 21, 20, 21,
    22, 23, 24, 25, 24, 25, 26, 27, 28, 29, 28, 29, 30, 31, 32, 1,
];
const PERMUTATION: [u8; 32] = [
    16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10, 2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4,
    25,
];
const CHOICE_1: [u8; 56] = [
    57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36, 63, 55,
    47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4,
];
const CHOICE_2: [u8; 48] = [
    14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2, 41, 52, 31, 37, 47, 55, 30,
    40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
];
const SHIFTS: [u8; 16] = [1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1];
const BOXES: [[u8; 64]; 8] = [
    [
        14, 4, 13, 1, 2, 15, 11, 8, 3, 10, 6, 12, 5, 9, 0, 7, 0, 15, 7, 4, 14, 2, 13, 1, 10, 6, 12, 11, 9, 5, 3, 8, 4,
        1, 14, 8, 13, 6, 2, 11, 15, 12, 9, 7, 3, 10, 5, 0, 15, 12, 8, 2, 4, 9, 1, 7, 5, 11, 3, 14, 10, 0, 6, 13,
    ],
    [
        15, 1, 8, 14, 6, 11, 3, 4, 9, 7, 2, 13, 12, 0, 5, 10, 3, 13, 4, 7, 15, 2, 8, 14, 12, 0, 1, 10, 6, 9, 11, 5, 0,
        14, 7, 11, 10, 4, 13, 1, 5, 8, 12, 6, 9, 3, 2, 15, 13, 8, 10, 1, 3, 15, 4, 2, 11, 6, 7, 12, 0, 5, 14, 9,
    ],
    [
        10, 0, 9, 14, 6, 3, 15, 5, 1, 13, 12, 7, 11, 4, 2, 8, 13, 7, 0, 9, 3, 4, 6, 10, 2, 8, 5, 14, 12, 11, 15, 1, 13,
        6, 4, 9, 8, 15, 3, 0, 11, 1, 2, 12, 5, 10, 14, 7, 1, 10, 13, 0, 6, 9, 8, 7, 4, 15, 14, 3, 11, 5, 2, 12,
    ],
    [
        7, 13, 14, 3, 0, 6, 9, 10, 1, 2, 8, 5, 11, 12, 4, 15, 13, 8, 11, 5, 6, 15, 0, 3, 4, 7, 2, 12, 1, 10, 14, 9, 10,
        6, 9, 0, 12, 11, 7, 13, 15, 1, 3, 14, 5, 2, 8, 4, 3, 15, 0, 6, 10, 1, 13, 8, 9, 4, 5, 11, 12, 7, 2, 14,
    ],
    [
        2, 12, 4, 1, 7, 10, 11, 6, 8, 5, 3, 15, 13, 0, 14, 9, 14, 11, 2, 12, 4, 7, 13, 1, 5, 0, 15, 10, 3, 9, 8, 6, 4,
        2, 1, 11, 10, 13, 7, 8, 15, 9, 12, 5, 6, 3, 0, 14, 11, 8, 12, 7, 1, 14, 2, 13, 6, 15, 0, 9, 10, 4, 5, 3,
    ],
    [
        12, 1, 10, 15, 9, 2, 6, 8, 0, 13, 3, 4, 14, 7, 5, 11, 10, 15, 4, 2, 7, 12, 9, 5, 6, 1, 13, 14, 0, 11, 3, 8, 9,
        14, 15, 5, 2, 8, 12, 3, 7, 0, 4, 10, 1, 13, 11, 6, 4, 3, 2, 12, 9, 5, 15, 10, 11, 14, 1, 7, 6, 0, 8, 13,
    ],
    [
        4, 11, 2, 14, 15, 0, 8, 13, 3, 12, 9, 7, 5, 10, 6, 1, 13, 0, 11, 7, 4, 9, 1, 10, 14, 3, 5, 12, 2, 15, 8, 6, 1,
        4, 11, 13, 12, 3, 7, 14, 10, 15, 6, 8, 0, 5, 9, 2, 6, 11, 13, 8, 1, 4, 10, 7, 9, 5, 0, 15, 14, 2, 3, 12,
    ],
    [
        13, 2, 8, 4, 6, 15, 11, 1, 10, 9, 3, 14, 5, 0, 12, 7, 1, 15, 13, 8, 10, 3, 7, 4, 12, 5, 6, 11, 0, 14, 9, 2, 7,
        11, 4, 1, 9, 12, 14, 2, 0, 6, 10, 13, 15, 3, 5, 8, 2, 1, 14, 7, 4, 10, 8, 13, 15, 12, 9, 0, 3, 5, 6, 11,
    ],
];

/// The bits of a word of `width` bits (the first is the highest) that a table names, counted from 1.
fn pick(word: u64, width: u32, table: &[u8]) -> u64 {
    table.iter().fold(0, |bits, index| bits << 1 | (word >> (width - u32::from(*index)) & 1))
}

fn keys(key: u64) -> [u64; 16] {
    let half = (1 << 28) - 1;
    let chosen = pick(key, 64, &CHOICE_1);
    let (mut left, mut right) = (chosen >> 28, chosen & half);
    SHIFTS.map(|shift| {
        left = (left << shift | left >> (28 - shift)) & half;
        right = (right << shift | right >> (28 - shift)) & half;
        pick(left << 28 | right, 56, &CHOICE_2)
    })
}

/// One round's function of the right half.
fn mixed(right: u64, key: u64, salt: u64) -> u64 {
    let expanded = pick(right, 32, &EXPANSION);
    let swapped = (expanded >> 24 ^ expanded) & salt;
    let word = expanded ^ swapped ^ swapped << 24 ^ key;
    let mut out = 0;
    for (index, table) in BOXES.iter().enumerate() {
        let six = (word >> (42 - 6 * index) & 63) as usize;
        let row = six >> 4 & 2 | six & 1;
        out = out << 4 | u64::from(table[row * 16 + (six >> 1 & 15)]);
    }
    pick(out, 32, &PERMUTATION)
}

/// The hash with its salt; None where the salt is not of digits.
pub(super) fn crypt(password: &[u8], setting: &[u8]) -> Option<Vec<u8>> {
    let salt_digits = setting.get(..2)?;
    let value = |digit: u8| DIGITS.iter().position(|known| *known == digit).map(|at| at as u64);
    let number = value(salt_digits[0])? | value(salt_digits[1])? << 6;
    // the lowest bit of the salt is for the first bit of the expansion
    let salt = (0..24).fold(0, |bits, index| bits << 1 | if index < 12 { number >> index & 1 } else { 0 });
    let key = (0..8).fold(0, |key, index| key << 8 | u64::from(password.get(index).copied().unwrap_or(0) << 1));
    let keys = keys(key);
    let (mut left, mut right) = (0, 0);
    for _ in 0..25 {
        for key in keys {
            (left, right) = (right, left ^ mixed(right, key, salt));
        }
        (left, right) = (right, left);
    }
    let mut last = [0; 64];
    for (index, from) in INITIAL.iter().enumerate() {
        last[usize::from(*from) - 1] = index as u8 + 1;
    }
    let block = pick(left << 32 | right, 64, &last);
    let mut out = salt_digits.to_vec();
    for index in 0..11 {
        let six = if index < 10 { block >> (58 - 6 * index) & 63 } else { block << 2 & 63 };
        out.push(DIGITS[six as usize]);
    }
    Some(out)
}
