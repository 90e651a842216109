//! Character classes as written, and the sets of characters they match.

use crate::charset::CharSet;
use crate::fold;
use crate::property::Property;

/// The kind of text a program matches: characters or single bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Valid UTF-8.
    Unicode,
    /// Bytes: ASCII or binary text. `true` if the characters of the pattern are bytes too.
    Bytes(bool),
}

/// An element of a class.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// First and last character.
    Range(u32, u32),
    /// A named set; `ascii` restricts it to ASCII before `negated` inverts it.
    /// `bare` marks the sets whose case folding stays within ASCII (`\w`, `[:word:]`, `[:ascii:]`).
    Named {
        property: Property,
        negated: bool,
        ascii: bool,
        bare: bool,
    },
    Nested(Class),
}

/// `[…]`: an intersection (`&&`) of parts, each of which is a union.
#[derive(Clone, Debug, Default)]
pub(crate) struct Class {
    pub(crate) negated: bool,
    pub(crate) parts: Vec<Vec<Item>>,
}

impl Class {
    /// A class of a single named set.
    pub(crate) fn named(property: Property, negated: bool, ascii: bool) -> Class {
        let bare = matches!(property, Property::Word | Property::WideWord | Property::Ascii);
        Class { negated: false, parts: vec![vec![Item::Named { property, negated, ascii, bare }]] }
    }

    /// The only character of the class: Onigmo then treats and folds it as a literal character.
    pub(crate) fn only_char(&self, icase: bool) -> Option<u32> {
        let plain = icase && !self.negated && self.parts.iter().flatten().all(|i| matches!(i, Item::Range(..)));
        if plain { self.positive(Target::Unicode, false).single() } else { None }
    }

    /// The multi-character case foldings of members.
    pub(crate) fn multi_folds(&self, target: Target, icase: bool) -> Vec<&'static [u32]> {
        if !icase || self.negated || target == Target::Bytes(true) {
            return Vec::new();
        }
        let set = self.positive(Target::Unicode, false);
        if set.ranges().last().is_none_or(|r| r.1 < 0x80) {
            return Vec::new();
        }
        let ascii = target != Target::Unicode;
        let fits = |f: &&[u32]| !ascii || f.iter().all(|c| *c < 0x80);
        let mut found: Vec<&'static [u32]> =
            fold::FULL.iter().filter(|(c, _)| set.contains(*c)).map(|(_, f)| *f).filter(fits).collect();
        found.dedup();
        found
    }

    /// Whether a member is written twice in one of the parts, as Onigmo notices it: of characters outside ASCII only where the range that is added
    /// begins inside of a range that is there, or covers it to its end.
    pub(crate) fn has_duplicates(&self) -> bool {
        self.parts.iter().any(|part| {
            let mut seen = CharSet::empty();
            part.iter().any(|item| {
                let set = item_set(item, Target::Unicode, false);
                let twice = set.overlaps_below(0x80, &seen) || set.ranges().iter().any(|range| seen.meets(*range));
                seen = seen.union(&set);
                twice
            })
        })
    }

    fn beyond_ascii(&self) -> bool {
        self.parts.iter().flatten().any(|i| match i {
            Item::Range(_, b) => *b >= 0x80,
            Item::Named { .. } => false,
            Item::Nested(class) => class.beyond_ascii(),
        })
    }

    /// The set of characters, case folded if `icase`.
    pub(crate) fn set(&self, target: Target, icase: bool) -> CharSet {
        if icase && target == Target::Bytes(false) && self.beyond_ascii() {
            // A character outside ASCII may have a case within it: fold as Unicode, then restrict to ASCII.
            let folded =
                self.positive(Target::Unicode, false).folded(&self.positive(Target::Unicode, true), Target::Unicode);
            let set = folded.intersect(&CharSet::range(0, 0x7f));
            return if self.negated { CharSet::all(target).minus(&set) } else { set };
        }
        let all = CharSet::all(target);
        let mut set = self.positive(target, false);
        if icase {
            set = set.folded(&self.positive(target, true), target);
        }
        if self.negated { all.minus(&set) } else { set }
    }

    /// The set without the outer negation; `cross` omits sets that must not fold across the border of ASCII.
    fn positive(&self, target: Target, cross: bool) -> CharSet {
        let mut result: Option<CharSet> = None;
        for part in &self.parts {
            let ranges = part.iter().flat_map(|item| item_set(item, target, cross).into_ranges());
            let set = CharSet::from_ranges(ranges.collect());
            result = Some(match result {
                None => set,
                Some(r) => r.intersect(&set),
            });
        }
        result.unwrap_or_else(CharSet::empty)
    }
}

fn item_set(item: &Item, target: Target, cross: bool) -> CharSet {
    match item {
        Item::Range(a, b) => match target {
            Target::Unicode => CharSet::range(*a, *b),
            Target::Bytes(true) => CharSet::range(*a, (*b).min(0xff)),
            // A character outside ASCII is never a single byte.
            Target::Bytes(false) => CharSet::range(*a, (*b).min(0x7f)),
        },
        Item::Named { property, negated, ascii, bare } => {
            if cross && *bare {
                return CharSet::empty();
            }
            let ascii = *ascii || target != Target::Unicode;
            let set = if ascii { property.ascii_set() } else { property.set() };
            if *negated { CharSet::all(target).minus(&set) } else { set.intersect(&CharSet::all(target)) }
        }
        Item::Nested(class) => {
            let set = class.positive(target, cross);
            if class.negated { CharSet::all(target).minus(&set) } else { set }
        }
    }
}
