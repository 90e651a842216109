//! Patterns that only match at the end of a text: a search may begin close to it.

use crate::ast::{Anchor, Node};

/// The longest UTF-8 form of one character.
const CHAR_BYTES: usize = 4;
/// The most characters that one character matches in another case, as `ß` does `ss`.
const FOLDED: usize = 3;

/// The most bytes between the start of a match and the end of the text, if every match ends there and has a bounded length.
pub(crate) fn reach(root: &Node) -> Option<usize> {
    if !ends(root) || has_search_start(root) {
        return None;
    }
    // `\Z` leaves out a line break
    longest(root)?.checked_mul(CHAR_BYTES)?.checked_add(1)
}

/// Whether every match ends at the end of the text.
fn ends(root: &Node) -> bool {
    match root {
        Node::Anchor(found) => matches!(found, Anchor::TextEnd | Anchor::TextEndNewline),
        Node::Concat(v) => v.last().is_some_and(ends),
        Node::Alt(v) => !v.is_empty() && v.iter().all(ends),
        Node::Capture { node, .. } | Node::Option(node) | Node::Atomic(node) => ends(node),
        _ => false,
    }
}

fn has_search_start(node: &Node) -> bool {
    matches!(node, Node::Anchor(Anchor::SearchStart)) || node.children().into_iter().any(has_search_start)
}

/// The most characters of a match; None if nothing bounds them.
fn longest(node: &Node) -> Option<usize> {
    match node {
        Node::Empty | Node::Anchor(_) | Node::Look(..) => Some(0),
        Node::Char { icase, .. } | Node::Class { icase, .. } => Some(if *icase { FOLDED } else { 1 }),
        Node::Any { .. } => Some(1),
        Node::Newline => Some(2),
        Node::Concat(v) => v.iter().try_fold(0usize, |sum, node| sum.checked_add(longest(node)?)),
        Node::Alt(v) => v.iter().try_fold(0usize, |most, node| Some(most.max(longest(node)?))),
        Node::Capture { node, .. } | Node::Option(node) | Node::Atomic(node) => longest(node),
        Node::Condition { yes, no, .. } => Some(longest(yes)?.max(longest(no)?)),
        Node::Repeat { node, max, .. } => longest(node)?.checked_mul(usize::try_from((*max)?).ok()?),
        Node::Backref { .. } | Node::Call(_) | Node::Absent(_) | Node::Grapheme => None,
    }
}
