//! Engine-free text work: encodings, sprintf, pack, strftime, inspect forms, number parsing.
