//! Sets of characters as sorted ranges.

use crate::class::Target;
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

/// A set of characters or bytes: sorted ranges that neither touch nor overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CharSet(Vec<(u32, u32)>);

impl CharSet {
    pub(crate) fn empty() -> CharSet {
        CharSet(Vec::new())
    }

    /// All characters or bytes of the target.
    pub(crate) fn all(target: Target) -> CharSet {
        match target {
            Target::Unicode => CharSet(vec![(0, 0xd7ff), (0xe000, 0x10_ffff)]),
            Target::Bytes(_) => CharSet(vec![(0, 0xff)]),
        }
    }

    /// The characters from `a` to `b`, empty if `b` < `a`.
    pub(crate) fn range(a: u32, b: u32) -> CharSet {
        if a > b { CharSet::empty() } else { CharSet(vec![(a, b)]) }
    }

    pub(crate) fn from_ranges(mut v: Vec<(u32, u32)>) -> CharSet {
        v.sort_unstable();
        let mut out: Vec<(u32, u32)> = Vec::with_capacity(v.len());
        for (a, b) in v {
            match out.last_mut() {
                Some(last) if a <= last.1.saturating_add(1) => last.1 = last.1.max(b),
                _ => out.push((a, b)),
            }
        }
        CharSet(out)
    }

    pub(crate) fn into_ranges(self) -> Vec<(u32, u32)> {
        self.0
    }

    pub(crate) fn ranges(&self) -> &[(u32, u32)] {
        &self.0
    }

    pub(crate) fn contains(&self, c: u32) -> bool {
        let i = self.0.partition_point(|&(a, _)| a <= c);
        i > 0 && self.0.get(i - 1).is_some_and(|&(_, b)| c <= b)
    }

    /// Whether the sets share a member below `limit`.
    pub(crate) fn overlaps_below(&self, limit: u32, other: &CharSet) -> bool {
        self.intersect(other).0.first().is_some_and(|&(from, _)| from < limit)
    }

    /// Whether the first range that reaches `from`, or the place before it, has `from` in it or ends up to `to`.
    pub(crate) fn meets(&self, (from, to): (u32, u32)) -> bool {
        let at = self.0.partition_point(|&(_, end)| end < from.saturating_sub(1));
        self.0.get(at).is_some_and(|&(start, end)| from <= end && start <= to && (start <= from || end <= to))
    }

    pub(crate) fn single(&self) -> Option<u32> {
        match self.0[..] {
            [(a, b)] if a == b => Some(a),
            _ => None,
        }
    }

    pub(crate) fn union(&self, other: &CharSet) -> CharSet {
        CharSet::from_ranges(self.0.iter().chain(&other.0).copied().collect())
    }

    pub(crate) fn intersect(&self, other: &CharSet) -> CharSet {
        let (mut i, mut j) = (0, 0);
        let mut out = Vec::new();
        while let (Some(&(a, b)), Some(&(c, d))) = (self.0.get(i), other.0.get(j)) {
            let (lo, hi) = (a.max(c), b.min(d));
            if lo <= hi {
                out.push((lo, hi));
            }
            if b < d {
                i += 1;
            } else {
                j += 1;
            }
        }
        CharSet(out)
    }

    pub(crate) fn minus(&self, other: &CharSet) -> CharSet {
        let mut gaps = Vec::new();
        let mut from = 0;
        for &(a, b) in &other.0 {
            if a > from {
                gaps.push((from, a - 1));
            }
            from = b.saturating_add(1);
        }
        gaps.push((from, u32::MAX));
        self.intersect(&CharSet(gaps))
    }

    /// Adds all cases of each member. `cross` has the members whose case may be ASCII when they are not, or the reverse.
    pub(crate) fn folded(&self, cross: &CharSet, target: Target) -> CharSet {
        if target != Target::Unicode {
            return self.folded_ascii();
        }
        let mut out = self.folded_simple();
        for (ascii, other) in [("Kk", 0x212a), ("Ss", 0x17f)] {
            let letters = ascii.chars().map(u32::from);
            if !letters.clone().any(|c| cross.contains(c)) && !self.contains(other) {
                out = out.minus(&CharSet::range(other, other));
            }
            if !cross.contains(other) && !letters.clone().any(|c| self.contains(c)) {
                for c in letters {
                    out = out.minus(&CharSet::range(c, c));
                }
            }
        }
        // Onigmo adds cases in Latin-1 to a table that only single-byte texts use (`i_apply_case_fold`).
        out = out.minus(&CharSet::range(0x80, 0xff)).union(&self.intersect(&CharSet::range(0x80, 0xff)));
        if self.contains(0x1e9e) {
            out = out.union(&CharSet::range(0xdf, 0xdf));
        }
        // Cases added after Unicode 13.
        out.minus(&CharSet::from_ranges(vec![(0xa7cb, 0xa7cd), (0xa7da, 0xa7dc)]).minus(self))
    }

    /// All cases of a single character.
    pub(crate) fn folded_char(&self, target: Target) -> CharSet {
        match target {
            Target::Unicode => self.folded_simple(),
            // ASCII text can have an ASCII case of another character.
            Target::Bytes(false) => self.folded_simple().intersect(&CharSet::range(0, 0x7f)),
            Target::Bytes(true) => self.folded_ascii(),
        }
    }

    fn folded_simple(&self) -> CharSet {
        let mut class = ClassUnicode::new(self.0.iter().filter_map(|&(a, b)| {
            // Surrogates are not characters: skip them at both ends of the range.
            let a = if (0xd800..=0xdfff).contains(&a) { 0xe000 } else { a };
            let b = if (0xd800..=0xdfff).contains(&b) { 0xd7ff } else { b };
            Some(ClassUnicodeRange::new(char::from_u32(a)?, char::from_u32(b)?))
        }));
        class.case_fold_simple();
        CharSet::from_class(&class)
    }

    fn folded_ascii(&self) -> CharSet {
        let upper = self.intersect(&CharSet::range(0x41, 0x5a));
        let lower = self.intersect(&CharSet::range(0x61, 0x7a));
        let shift = |s: &CharSet, by: i32| {
            CharSet(s.0.iter().map(|&(a, b)| (a.wrapping_add_signed(by), b.wrapping_add_signed(by))).collect())
        };
        self.union(&shift(&upper, 32)).union(&shift(&lower, -32))
    }

    pub(crate) fn from_class(class: &ClassUnicode) -> CharSet {
        CharSet::from_ranges(class.ranges().iter().map(|r| (u32::from(r.start()), u32::from(r.end()))).collect())
    }
}
