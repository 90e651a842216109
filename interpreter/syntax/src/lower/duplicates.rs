//! Literal keys that a Hash literal has twice: as in MRI's parser, only the last pair stays, in its own place. The values of those before are still
//! evaluated.

use crate::Symbol;
use crate::keyed::Keyed;
use crate::tree::{HashElem, LitEncoding, Node};
use std::collections::HashMap;

/// What makes two literal keys the same key.
#[derive(PartialEq, Eq, Hash)]
enum Key<'a> {
    Sym(Symbol),
    Str(&'a [u8], Option<Symbol>, bool),
    Int(i64),
    Float(u64),
}

impl Key<'_> {
    fn of(element: &HashElem) -> Option<Key<'_>> {
        let HashElem::Pair(key, _) = element else { return None };
        match key {
            Node::Sym(name) => Some(Key::Sym(*name)),
            Node::Int(number) => Some(Key::Int(*number)),
            Node::Float(number) => Some(Key::Float(number.to_bits())),
            Node::Str(text) => {
                let named = if let LitEncoding::Named(name) = text.encoding { Some(name) } else { None };
                Some(Key::Str(&text.bytes, named, text.encoding == LitEncoding::Binary))
            }
            _ => None,
        }
    }
}

/// The places of pairs whose literal key comes again, each with the next place of that key. MRI looks no further than the first double splat.
fn repeated(elements: &[HashElem]) -> Vec<(usize, usize)> {
    if elements.len() < 2 {
        return Vec::new();
    }
    let mut places: HashMap<Key<'_>, usize, Keyed> =
        HashMap::with_capacity_and_hasher(elements.len(), Keyed::default());
    let pairs = elements.iter().enumerate().take_while(|(_, element)| matches!(element, HashElem::Pair(..)));
    pairs.filter_map(|(at, element)| Some((places.insert(Key::of(element)?, at)?, at))).collect()
}

/// The elements without pairs whose literal key comes again later.
pub(super) fn removed(elements: Vec<HashElem>) -> Vec<HashElem> {
    let again = repeated(&elements);
    if again.is_empty() {
        return elements;
    }
    let mut elements: Vec<Option<HashElem>> = elements.into_iter().map(Some).collect();
    // The value of a removed pair is evaluated before that of the pair in front of the one that stays, or before its own if that is the next.
    for (before, at) in again {
        let Some(HashElem::Pair(_, value)) = elements[before].take() else { continue };
        let host = if at - 1 == before { at } else { at - 1 };
        if let Some(HashElem::Pair(key, of_host)) = &mut elements[host]
            && !is_plain(&value)
        {
            let part = if is_plain(key) { of_host } else { key };
            let kept = std::mem::replace(part, Node::Nil);
            *part = Node::Seq(Box::new([value, kept]));
        }
    }
    elements.into_iter().flatten().collect()
}

/// Whether evaluating does nothing but give a value.
fn is_plain(node: &Node) -> bool {
    matches!(node, Node::Nil | Node::True | Node::False | Node::Sym(_) | Node::Int(_) | Node::Float(_) | Node::Str(_))
}
