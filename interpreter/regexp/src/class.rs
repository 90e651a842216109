//! Character classes as written, and their value as a set of characters.

use crate::charset::CharSet;
use crate::property::Property;

/// What a program reads: characters, or single bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Valid UTF-8.
    Unicode,
    /// Bytes: ASCII text, or binary. `true` where the pattern's own characters are bytes too.
    Bytes(bool),
}

/// A part of a class.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// From the first to the last character.
    Range(u32, u32),
    /// A named set; `ascii` restricts it to ASCII before `negated` turns it round.
    /// `bare` marks the ones whose folding must not leave ASCII (`\w`, `[:word:]`, `[:ascii:]`).
    Named { property: Property, negated: bool, ascii: bool, bare: bool },
    Nested(Class),
}

/// `[…]`: the parts between `&&`s, each a union.
#[derive(Clone, Debug, Default)]
pub(crate) struct Class {
    pub(crate) negated: bool,
    pub(crate) parts: Vec<Vec<Item>>,
}

impl Class {
    /// A class of one named set.
    pub(crate) fn named(property: Property, negated: bool, ascii: bool) -> Class {
        let bare = matches!(property, Property::Word | Property::Ascii);
        Class { negated: false, parts: vec![vec![Item::Named { property, negated, ascii, bare }]] }
    }

    /// The set, case folded where asked.
    pub(crate) fn set(&self, target: Target, icase: bool) -> CharSet {
        let all = CharSet::all(target);
        let mut set = self.positive(target, false);
        if icase {
            set = set.folded(&self.positive(target, true), target);
        }
        if self.negated { all.minus(&set) } else { set }
    }

    /// The set before the outer negation; `cross` leaves out what may not fold across ASCII's border.
    fn positive(&self, target: Target, cross: bool) -> CharSet {
        let mut result: Option<CharSet> = None;
        for part in &self.parts {
            let mut set = CharSet::empty();
            for item in part {
                set = set.union(&item_set(item, target, cross));
            }
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
            // A character outside ASCII never equals a single byte.
            Target::Bytes(false) => CharSet::range(*a, (*b).min(0x7f)),
        },
        Item::Named { property, negated, ascii, bare } => {
            if cross && *bare {
                return CharSet::empty();
            }
            let mut set = property.set();
            if *ascii || target != Target::Unicode {
                set = set.intersect(&CharSet::range(0, 0x7f));
            }
            if *negated { CharSet::all(target).minus(&set) } else { set.intersect(&CharSet::all(target)) }
        }
        Item::Nested(class) => {
            let set = class.positive(target, cross);
            if class.negated { CharSet::all(target).minus(&set) } else { set }
        }
    }
}
