//! Named character sets: `\w`, POSIX brackets, `\p{…}`.

use crate::charset::CharSet;
use crate::class::Target;
use regex_syntax::hir::{Class as HirClass, HirKind};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Property {
    Alnum,
    Alpha,
    Blank,
    Cntrl,
    Digit,
    Graph,
    Lower,
    Print,
    Punct,
    /// `[[:punct:]]`, which includes nine ASCII symbols that `\p{Punct}` does not
    PosixPunct,
    Space,
    Upper,
    XDigit,
    Word,
    /// The word characters of `\b` and of `\w` under `(?u)`: they include the superscript digits and fractions of Latin-1
    WideWord,
    Ascii,
    Any,
    Assigned,
    Unassigned,
    /// Halves of UTF-16's pairs, which are no characters: no text has one.
    Surrogate,
    /// What belongs to no script.
    NoScript,
    /// `\p{In…}`: only the blocks listed below, because there is no full table
    Block(u32, u32),
    /// A set of regex-syntax's tables, under the name between the braces.
    Table(String),
}

thread_local! {
    /// The sets that have been asked for: some are made of dozens of regex-syntax's tables.
    static SETS: RefCell<FxHashMap<Property, CharSet>> = RefCell::default();
}

const POSIX: &[(&str, Property)] = &[
    ("alnum", Property::Alnum),
    ("alpha", Property::Alpha),
    ("blank", Property::Blank),
    ("cntrl", Property::Cntrl),
    ("digit", Property::Digit),
    ("graph", Property::Graph),
    ("lower", Property::Lower),
    ("print", Property::Print),
    ("punct", Property::PosixPunct),
    ("space", Property::Space),
    ("upper", Property::Upper),
    ("xdigit", Property::XDigit),
    ("ascii", Property::Ascii),
    ("word", Property::Word),
];

/// The blocks that patterns use in practice.
const BLOCKS: &[(&str, u32, u32)] = &[
    ("inbasiclatin", 0, 0x7f),
    ("inlatin1supplement", 0x80, 0xff),
    ("inlatinextendeda", 0x100, 0x17f),
    ("inlatinextendedb", 0x180, 0x24f),
    ("ingreekandcoptic", 0x370, 0x3ff),
    ("incyrillic", 0x400, 0x4ff),
    ("inhebrew", 0x590, 0x5ff),
    ("inarabic", 0x600, 0x6ff),
    ("ingeneralpunctuation", 0x2000, 0x206f),
    ("incurrencysymbols", 0x20a0, 0x20cf),
    ("inarrows", 0x2190, 0x21ff),
    ("inmathematicaloperators", 0x2200, 0x22ff),
    ("inboxdrawing", 0x2500, 0x257f),
    ("incjksymbolsandpunctuation", 0x3000, 0x303f),
    ("inhiragana", 0x3040, 0x309f),
    ("inkatakana", 0x30a0, 0x30ff),
    ("incjkunifiedideographs", 0x4e00, 0x9fff),
    ("inhangulsyllables", 0xac00, 0xd7af),
];

/// Long names of general categories, which Onigmo accepts without a prefix.
const CATEGORIES: &[&str] = &[
    "c", "cc", "cf", "cn", "co", "cs", "l", "lc", "ll", "lm", "lo", "lt", "lu", "m", "mc", "me", "mn", "n", "nd", "nl",
    "no", "p", "pc", "pd", "pe", "pf", "pi", "po", "ps", "s", "sc", "sk", "sm", "so", "z", "zl", "zp", "zs",
];

impl Property {
    /// The property of a POSIX bracket.
    pub(crate) fn posix(name: &str) -> Option<Property> {
        POSIX.iter().find(|(n, _)| *n == name).map(|(_, p)| p.clone())
    }

    /// The property of `\p{name}`, found like in Onigmo: case, blanks, `-` and `_` are ignored.
    pub(crate) fn named(name: &str) -> Option<Property> {
        let key: String =
            name.chars().filter(|c| !matches!(c, ' ' | '-' | '_')).map(|c| c.to_ascii_lowercase()).collect();
        if !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '.' || c == '=') {
            return None;
        }
        match key.as_str() {
            "punct" | "punctuation" => return Some(Property::Punct),
            "xposixpunct" | "posixpunct" => return Some(Property::PosixPunct),
            "any" => return Some(Property::Any),
            "assigned" => return Some(Property::Assigned),
            "cn" | "unassigned" => return Some(Property::Unassigned),
            "cs" | "surrogate" => return Some(Property::Surrogate),
            "unknown" | "zzzz" => return Some(Property::NoScript),
            "c" | "other" => return Some(Property::Table("c".into())),
            _ => {}
        }
        if let Some(p) = Property::posix(&key) {
            return Some(p);
        }
        if let Some(&(_, a, b)) = BLOCKS.iter().find(|(n, ..)| *n == key) {
            return Some(Property::Block(a, b));
        }
        if let Some(age) = key.strip_prefix("age=") {
            return table(&format!("age={age}")).map(|_| Property::Table(format!("age={age}")));
        }
        if key.contains('=') {
            return None;
        }
        // A category, a script or a binary property; a short name is a category first.
        let text = if CATEGORIES.contains(&key.as_str()) { format!("gc={key}") } else { key };
        table(&text).map(|_| Property::Table(text))
    }

    /// The ASCII members; does not load the large tables unless necessary.
    pub(crate) fn ascii_set(&self) -> CharSet {
        let v: &[(u32, u32)] = match self {
            Property::Alnum => &[(0x30, 0x39), (0x41, 0x5a), (0x61, 0x7a)],
            Property::Alpha => &[(0x41, 0x5a), (0x61, 0x7a)],
            Property::Blank => &[(9, 9), (0x20, 0x20)],
            Property::Cntrl => &[(0, 0x1f), (0x7f, 0x7f)],
            Property::Digit => &[(0x30, 0x39)],
            Property::Graph => &[(0x21, 0x7e)],
            Property::Lower => &[(0x61, 0x7a)],
            Property::Print => &[(0x20, 0x7e)],
            Property::PosixPunct => &[(0x21, 0x2f), (0x3a, 0x40), (0x5b, 0x60), (0x7b, 0x7e)],
            Property::Space => &[(9, 13), (0x20, 0x20)],
            Property::Upper => &[(0x41, 0x5a)],
            Property::XDigit => &[(0x30, 0x39), (0x41, 0x46), (0x61, 0x66)],
            Property::Word | Property::WideWord => &[(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)],
            Property::Ascii | Property::Any | Property::Assigned => &[(0, 0x7f)],
            Property::Unassigned | Property::Surrogate | Property::NoScript => &[],
            Property::Punct | Property::Block(..) | Property::Table(_) => {
                return self.set().intersect(&CharSet::range(0, 0x7f));
            }
        };
        CharSet::from_ranges(v.to_vec())
    }

    /// All members, by the Unicode 13 of Ruby 3.1.
    pub(crate) fn set(&self) -> CharSet {
        if let Some(known) = SETS.with_borrow(|sets| sets.get(self).cloned()) {
            return known;
        }
        let set = self.make_set();
        SETS.with_borrow_mut(|sets| sets.insert(self.clone(), set.clone()));
        set
    }

    fn make_set(&self) -> CharSet {
        let ascii = |v: &[(u32, u32)]| CharSet::from_ranges(v.to_vec());
        match self {
            Property::Alnum => old("alphabetic").union(&old("nd")),
            Property::Alpha => old("alphabetic"),
            Property::Blank => old("zs").union(&CharSet::range(9, 9)),
            Property::Cntrl => old("cc"),
            Property::Digit => old("nd"),
            Property::Graph => {
                let out = old("white_space").union(&old("cc"));
                assigned().minus(&out)
            }
            Property::Lower => old("lowercase"),
            Property::Print => assigned().minus(&old("cc")).minus(&ascii(&[(0x2028, 0x2029)])),
            Property::Punct => old("p"),
            Property::PosixPunct => old("p").union(&ascii(&[
                (0x24, 0x24),
                (0x2b, 0x2b),
                (0x3c, 0x3e),
                (0x5e, 0x5e),
                (0x60, 0x60),
                (0x7c, 0x7c),
                (0x7e, 0x7e),
            ])),
            Property::Space => old("white_space"),
            Property::Upper => old("uppercase"),
            Property::XDigit => ascii(&[(0x30, 0x39), (0x41, 0x46), (0x61, 0x66)]),
            Property::Word => old("alphabetic").union(&old("m")).union(&old("nd")).union(&old("pc")),
            Property::WideWord => Property::Word.set().union(&ascii(&[(0xb2, 0xb3), (0xb9, 0xb9), (0xbc, 0xbe)])),
            Property::Ascii => CharSet::range(0, 0x7f),
            Property::Any => CharSet::all(Target::Unicode),
            // noncharacters have an age in Unicode but are not assigned
            Property::Assigned => table("age=13.0").unwrap_or_else(CharSet::empty).minus(&noncharacters()),
            Property::Unassigned => CharSet::all(Target::Unicode).minus(&assigned()),
            Property::Surrogate => CharSet::empty(),
            Property::NoScript => Property::Unassigned.set().union(&old("co")),
            Property::Block(a, b) => CharSet::range(*a, *b),
            Property::Table(text) if text == "c" => {
                old("cc").union(&old("cf")).union(&old("co")).union(&Property::Unassigned.set())
            }
            Property::Table(text) => old(text),
        }
    }
}

/// The members of a set in regex-syntax's tables; None if the name is unknown.
fn table(text: &str) -> Option<CharSet> {
    let hir = regex_syntax::parse(&format!("\\p{{{text}}}")).ok()?;
    match hir.into_kind() {
        HirKind::Class(HirClass::Unicode(class)) => Some(CharSet::from_class(&class)),
        HirKind::Literal(lit) => {
            let c = std::str::from_utf8(&lit.0).ok()?.chars().next()?;
            Some(CharSet::range(u32::from(c), u32::from(c)))
        }
        _ => None,
    }
}

fn assigned() -> CharSet {
    Property::Assigned.set()
}

fn noncharacters() -> CharSet {
    let mut v = vec![(0xfdd0, 0xfdef)];
    v.extend((0..=0x10).map(|plane| (plane * 0x1_0000 + 0xfffe, plane * 0x1_0000 + 0xffff)));
    CharSet::from_ranges(v)
}

/// Changes of the tables since Unicode 13: the name, characters added since, and characters removed since.
const SINCE: &[(&str, &[(u32, u32)], &[(u32, u32)])] = &[
    ("alphabetic", &[(0x363, 0x36f), (0xc04, 0xc04), (0xf82, 0xf83), (0x1dd3, 0x1de6), (0x11080, 0x11081)], &[]),
    ("lowercase", &[(0x10fc, 0x10fc), (0xab69, 0xab69)], &[]),
    ("gc=mc", &[(0x1734, 0x1734), (0x1171e, 0x1171e)], &[]),
    ("gc=mn", &[], &[(0x1734, 0x1734), (0x1171e, 0x1171e)]),
    ("han", &[(0x16fe2, 0x16fe3)], &[]),
    ("common", &[], &[(0x16fe2, 0x16fe3)]),
    ("xidcontinue", &[(0x200c, 0x200d), (0x30fb, 0x30fb), (0xff65, 0xff65)], &[]),
];

fn old(text: &str) -> CharSet {
    let set = table(text).unwrap_or_else(CharSet::empty);
    if text.starts_with("age=") {
        return set;
    }
    let mut set = set.intersect(&assigned());
    for (_, less, more) in SINCE.iter().filter(|(name, ..)| *name == text) {
        set = set.minus(&CharSet::from_ranges(less.to_vec())).union(&CharSet::from_ranges(more.to_vec()));
    }
    set
}
