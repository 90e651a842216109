//! No pattern and no text makes this crate panic or hang.

#![allow(clippy::unwrap_used)] // a failure is the test's, and so is the machine

use rchef_regexp::{Captures, Options, Regexp, SourceKind, TextKind};

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

const PIECES: &[&str] = &[
    "a",
    "b",
    "é",
    "ß",
    ".",
    "\\w",
    "\\b",
    "\\B",
    "^",
    "$",
    "\\A",
    "\\z",
    "\\Z",
    "\\G",
    "\\K",
    "\\R",
    "\\X",
    "[",
    "]",
    "[^",
    "[[:",
    ":]",
    "alpha",
    "&&",
    "-",
    "(",
    ")",
    "(?:",
    "(?=",
    "(?!",
    "(?<=",
    "(?<!",
    "(?>",
    "(?~",
    "(?<n>",
    "(?i)",
    "(?i:",
    "(?x)",
    "(?(1)",
    "|",
    "*",
    "+",
    "?",
    "{2}",
    "{0}",
    "{,3}",
    "{1,",
    "}",
    "\\1",
    "\\2",
    "\\k<n>",
    "\\k<-1>",
    "\\k<n+0>",
    "\\g<0>",
    "\\g<n>",
    "\\g<1>",
    "\\p{L}",
    "\\p{^Lu}",
    "\\xff",
    "\\xc3\\xa9",
    "\\u{41 e9}",
    "\\",
    "#",
    " ",
    "\n",
    "\\8",
    "\\777",
    "\\cA",
    "\\M-a",
    "(a)",
    "(b)?",
    "[^é]",
    "[a-c]",
    "ss",
];
const TEXTS: &[&[u8]] =
    &[b"", b"a", b"abab\nba\n", "éaß ab日".as_bytes(), b"\xff\xfe\xc3", b"aa\xc3\xa9\xff", b"\r\n\0"];

fn kinds(text: &[u8]) -> &'static [TextKind] {
    if text.is_ascii() {
        &[TextKind::Ascii, TextKind::BinaryOrBroken]
    } else if std::str::from_utf8(text).is_ok() {
        &[TextKind::Utf8Valid, TextKind::BinaryOrBroken]
    } else {
        &[TextKind::BinaryOrBroken]
    }
}

fn exercise(re: &Regexp) {
    let mut captures = Captures::new();
    for text in TEXTS {
        for &kind in kinds(text) {
            for start in 0..=text.len() {
                if kind == TextKind::Utf8Valid && text.get(start).is_some_and(|b| b & 0xc0 == 0x80) {
                    continue;
                }
                let found = re.unwatched().match_at(text, kind, start, &mut captures);
                if found == Ok(true) {
                    assert_eq!(captures.len(), re.group_count() + 1);
                    let (a, b) = captures[0].unwrap();
                    assert!(a <= text.len() && b <= text.len());
                }
                let _ = re.unwatched().match_anchored_at(text, kind, start, &mut captures);
                let _ = re.unwatched().is_match_at(text, kind, start);
            }
            let _ = re.unwatched().rmatch(text, kind, text.len(), &mut captures);
        }
    }
}

#[test]
fn random_patterns() {
    let mut rng = Rng(42);
    let mut accepted = 0;
    for _ in 0..1500 {
        let n = 1 + rng.below(8);
        let source: String = (0..n).map(|_| PIECES[rng.below(PIECES.len())]).collect();
        let options = Options::from_bits(rng.below(8) as u32);
        let kind = if rng.below(8) == 0 { SourceKind::Binary } else { SourceKind::Utf8 };
        if let Ok(re) = Regexp::new(source.as_bytes(), options, kind) {
            accepted += 1;
            exercise(&re);
        }
    }
    assert!(accepted > 200, "{accepted}");
}

#[test]
fn random_bytes() {
    let mut rng = Rng(7);
    for _ in 0..20_000 {
        let source: Vec<u8> = (0..rng.below(12)).map(|_| rng.below(256) as u8).collect();
        for kind in [SourceKind::Utf8, SourceKind::Binary] {
            if let Ok(re) = Regexp::new(&source, Options::none(), kind) {
                let mut captures = Captures::new();
                let _ = re.unwatched().match_at(b"ab\xff\n", TextKind::BinaryOrBroken, 0, &mut captures);
            }
        }
    }
}

#[test]
fn deep_and_large() {
    let deep = |open: &str, close: &str, n: usize| format!("{}a{}", open.repeat(n), close.repeat(n));
    for (open, close) in
        [("(", ")"), ("(?:", ")"), ("(?=", ")"), ("[", "]"), ("(?i)", ""), ("(?>", ")"), ("(?~", ")"), ("", "*")]
    {
        for n in [10, 100, 400, 10_000] {
            let source = deep(open, close, n);
            let Ok(re) = Regexp::new(source.as_bytes(), Options::none(), SourceKind::Utf8) else { continue };
            let mut captures = Captures::new();
            let _ = re.unwatched().match_at(b"aaaa", TextKind::Ascii, 0, &mut captures);
        }
    }
    let long = "a|".repeat(50_000) + "b";
    let re = Regexp::new(long.as_bytes(), Options::none(), SourceKind::Utf8).unwrap();
    assert_eq!(re.unwatched().is_match_at(b"xxb", TextKind::Ascii, 0), Ok(true));
    let re = Regexp::new("(?:[[:alpha:]]{1,1000}){1,100}x".as_bytes(), Options::none(), SourceKind::Utf8).unwrap();
    let _ = re.unwatched().is_match_at("éa".as_bytes(), TextKind::Utf8Valid, 0);
}

#[test]
fn a_watched_match_can_be_stopped() {
    let text = "a".repeat(50_000);
    let re = Regexp::new(b"(?>a*)*b\\1?()|(a*)*\\2b|(?=(a+)+b)c", Options::none(), SourceKind::Utf8).unwrap();
    let steps = std::cell::Cell::new(0);
    let watch = |more| {
        steps.set(steps.get() + more);
        steps.get() < 100_000
    };
    let found = re.watched(&watch).is_match_at(text.as_bytes(), TextKind::Ascii, 0);
    assert_eq!(found, Err(rchef_regexp::MatchError::Stopped));
    assert!((100_000..200_000).contains(&steps.get()), "{}", steps.get());
}
#[test]
fn backtracking_ends() {
    let text = "a".repeat(40);
    for source in ["(a*)*\\1b", "(?<x>a|\\g<x>a){0}\\g<x>*b", "(?=(a+)+b)a", "(a|aa)+\\1$x", "(?>(a*)*)b\\g<1>"] {
        let Ok(re) = Regexp::new(source.as_bytes(), Options::none(), SourceKind::Utf8) else { continue };
        let mut captures = Captures::new();
        let found = re.unwatched().match_at(text.as_bytes(), TextKind::Ascii, 0, &mut captures);
        assert!(!matches!(found, Ok(true)), "{source}");
    }
}
