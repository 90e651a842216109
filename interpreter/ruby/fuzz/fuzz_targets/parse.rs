//! Any bytes: read and lowered, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rchef_syntax::{ParseKind, ParseRequest, parse};

fuzz_target!(|source: &[u8]| {
    let _ = parse(ParseRequest::file(source, "fuzz.rb", ParseKind::Main));
});
