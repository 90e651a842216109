//! Patterns that are a row of characters and classes, each repeated or not, where what one takes is never given back: lexers have many of them.
//! They are matched in ASCII without an engine.

use crate::ast::Node;
use crate::charset::CharSet;
use crate::class::Target;

/// A pattern as a row of sets.
#[derive(Debug)]
pub(crate) struct Simple {
    steps: Box<[Step]>,
}

#[derive(Debug)]
struct Step {
    /// A bit for each character of ASCII.
    set: [u64; 2],
    min: usize,
    max: usize,
}

/// The result of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Start and end.
    At(usize, usize),
    Nowhere,
    /// A character outside ASCII decides.
    Unknown,
}

impl Step {
    #[inline(always)]
    fn has(&self, byte: u8) -> bool {
        self.set[usize::from(byte >> 6) & 1] >> (byte & 63) & 1 != 0
    }
    fn meets(&self, other: &Step) -> bool {
        self.set.iter().zip(&other.set).any(|(a, b)| a & b != 0)
    }
}

impl Simple {
    /// The row for a pattern; None if it is something else.
    pub(crate) fn of(root: &Node) -> Option<Simple> {
        let mut steps = Vec::new();
        add(root, &mut steps)?;
        let gives_back = |at: usize, step: &Step| {
            let after = steps.get(at + 1..).unwrap_or_default();
            let decisive = after.iter().position(|next: &Step| next.min > 0).map_or(after.len(), |first| first + 1);
            // at the end nothing fails, so that nothing is given back
            step.min != step.max
                && after.iter().any(|next| next.min > 0)
                && after[..decisive].iter().any(|next| next.meets(step))
        };
        if steps.is_empty() || steps.iter().enumerate().any(|(at, step)| gives_back(at, step)) {
            return None;
        }
        Some(Simple { steps: steps.into() })
    }

    /// Matches at a place.
    #[inline]
    pub(crate) fn match_at(&self, text: &[u8], start: usize) -> Found {
        let mut at = start;
        for step in &self.steps {
            let from = at;
            let limit = text.len().min(at.saturating_add(step.max));
            while at < limit {
                let byte = text[at];
                if !byte.is_ascii() {
                    return Found::Unknown;
                }
                if !step.has(byte) {
                    break;
                }
                at += 1;
            }
            if at - from < step.min {
                return Found::Nowhere;
            }
        }
        Found::At(start, at)
    }

    /// Finds the first match at or after a place, if the row has one set only: all others may have to begin anew in what they have read.
    #[inline]
    pub(crate) fn find(&self, text: &[u8], start: usize) -> Found {
        let [step] = &*self.steps else { return Found::Unknown };
        if step.min == 0 {
            return Found::Unknown;
        }
        let mut at = start;
        while let Some(byte) = text.get(at) {
            if !byte.is_ascii() || at - start > NEAR {
                return Found::Unknown;
            }
            if !step.has(*byte) {
                at += 1;
                continue;
            }
            match self.match_at(text, at) {
                Found::Nowhere => {
                    at += text[at..].iter().take_while(|byte| byte.is_ascii() && step.has(**byte)).count()
                }
                found => return found,
            }
        }
        Found::Nowhere
    }
}

/// How many bytes are looked at one by one; the engine finds what is farther away faster.
const NEAR: usize = 64;

fn add(node: &Node, steps: &mut Vec<Step>) -> Option<()> {
    match node {
        Node::Empty => Some(()),
        Node::Concat(list) => list.iter().try_for_each(|node| add(node, steps)),
        Node::Option(node) => add(node, steps),
        Node::Repeat { node, min, max, greedy: true, possessive: false } => {
            let set = set(node)?;
            let max = max.map_or(usize::MAX, |max| max as usize);
            steps.push(Step { set, min: *min as usize, max });
            Some(())
        }
        node => {
            steps.push(Step { set: set(node)?, min: 1, max: 1 });
            Some(())
        }
    }
}

/// The characters of ASCII that a node for one character matches.
fn set(node: &Node) -> Option<[u64; 2]> {
    let target = Target::Bytes(false);
    let found = match node {
        Node::Char { c, icase } => {
            let byte =
                u8::try_from(*c).ok().filter(|byte| byte.is_ascii() && !(*icase && byte.is_ascii_alphabetic()))?;
            CharSet::range(u32::from(byte), u32::from(byte))
        }
        Node::Any { newline: true } => CharSet::all(target),
        Node::Any { newline: false } => CharSet::all(target).minus(&CharSet::range(10, 10)),
        Node::Class { class, icase: false } => class.set(target, false),
        Node::Option(node) => return set(node),
        _ => return None,
    };
    let mut bits = [0; 2];
    for &(first, last) in found.ranges() {
        for c in first..=last.min(127) {
            bits[(c >> 6) as usize & 1] |= 1 << (c & 63);
        }
    }
    Some(bits)
}
