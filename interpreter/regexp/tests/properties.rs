//! Which characters the named sets hold, against MRI 3.1 (`properties.txt`, written by `record/properties.rb`).

#![allow(clippy::unwrap_used)] // a failure is the test's, and so is the machine

use rchef_regexp::{Captures, Options, Regexp, SourceKind, TextKind};

const RECORDED: &str = include_str!("properties.txt");

#[test]
fn members() {
    let planes = [0..=0xd7ff, 0xe000..=0x323ff, 0xe0000..=0xe01ff, 0x10ff00..=0x10ffff];
    let text: String = planes.into_iter().flatten().filter_map(char::from_u32).collect();
    let mut wrong = Vec::new();
    for line in RECORDED.lines() {
        let f: Vec<&str> = line.split('\t').collect();
        let re = Regexp::new(format!("(?:{})+", f[0]).as_bytes(), Options::none(), SourceKind::Utf8).unwrap();
        let mut captures = Captures::new();
        let (mut count, mut sum, mut at) = (0u64, 0u64, 0);
        while re.unwatched().match_at(text.as_bytes(), TextKind::Utf8Valid, at, &mut captures) == Ok(true) {
            let (a, b) = captures[0].unwrap();
            let size = text[a..b].chars().count() as u64;
            count += size;
            sum = (sum * 31 + u64::from(u32::from(text[a..b].chars().next().unwrap())) * 7 + size) % 1_000_003;
            at = b;
        }
        if f[1] != count.to_string() || f[2] != sum.to_string() {
            wrong.push(format!("{line}  got {count} {sum}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
