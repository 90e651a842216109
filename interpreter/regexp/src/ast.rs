//! The tree of a parsed pattern.

use crate::class::Class;

/// A zero-width assertion without a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    LineStart,
    LineEnd,
    TextStart,
    TextEnd,
    TextEndNewline,
    SearchStart,
    /// `\b`; whether words are ASCII only
    Word(bool),
    /// `\B`; whether words are ASCII only
    NotWord(bool),
    Keep,
}

/// One of `(?=`, `(?!`, `(?<=`, `(?<!`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) behind: bool,
    pub(crate) negative: bool,
}

/// What `\g<…>` calls, before and after resolution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CallTarget {
    Name(String),
    /// A group's number, with the text that named it.
    Number(usize, String),
}

/// A node of the pattern.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Empty,
    /// A character (a byte, where the pattern is binary).
    Char {
        c: u32,
        icase: bool,
    },
    Any {
        newline: bool,
    },
    /// A bracket, a type such as `\w`, or a property.
    Class {
        class: Box<Class>,
        icase: bool,
    },
    Concat(Vec<Node>),
    Alt(Vec<Node>),
    /// A capturing group. `named` tells the ones that stay when names exist.
    Capture {
        index: usize,
        named: bool,
        node: Box<Node>,
    },
    /// `(?i:…)`: kept apart since look-behind counts its depth.
    Option(Box<Node>),
    Atomic(Box<Node>),
    Look(Look, Box<Node>),
    /// `(?~…)`
    Absent(Box<Node>),
    /// `(?(n)yes|no)`
    Condition {
        group: usize,
        yes: Box<Node>,
        no: Box<Node>,
        /// More than two alternatives were given, which is reported last.
        excess: bool,
    },
    Repeat {
        node: Box<Node>,
        min: u32,
        max: Option<u32>,
        greedy: bool,
        possessive: bool,
    },
    Anchor(Anchor),
    /// A reference back to any of the groups, the last first.
    Backref {
        groups: Vec<usize>,
        by_name: bool,
        icase: bool,
        level: Option<i32>,
    },
    Call(CallTarget),
    Newline,
    Grapheme,
}

impl Node {
    /// The nodes directly below.
    pub(crate) fn children(&self) -> Vec<&Node> {
        match self {
            Node::Concat(v) | Node::Alt(v) => v.iter().collect(),
            Node::Capture { node, .. }
            | Node::Option(node)
            | Node::Atomic(node)
            | Node::Look(_, node)
            | Node::Absent(node)
            | Node::Repeat { node, .. } => vec![node],
            Node::Condition { yes, no, .. } => vec![yes, no],
            _ => Vec::new(),
        }
    }

    /// The nodes directly below, to change them.
    pub(crate) fn children_mut(&mut self) -> Vec<&mut Node> {
        match self {
            Node::Concat(v) | Node::Alt(v) => v.iter_mut().collect(),
            Node::Capture { node, .. }
            | Node::Option(node)
            | Node::Atomic(node)
            | Node::Look(_, node)
            | Node::Absent(node)
            | Node::Repeat { node, .. } => vec![node],
            Node::Condition { yes, no, .. } => vec![yes, no],
            _ => Vec::new(),
        }
    }

    /// The fewest characters that a match can take.
    pub(crate) fn min_len(&self) -> u32 {
        match self {
            Node::Char { .. } | Node::Any { .. } | Node::Class { .. } | Node::Newline | Node::Grapheme => 1,
            Node::Concat(v) => v.iter().fold(0, |n, c| n.saturating_add(c.min_len())),
            Node::Alt(v) => v.iter().map(Node::min_len).min().unwrap_or(0),
            Node::Capture { node, .. } | Node::Option(node) | Node::Atomic(node) => node.min_len(),
            Node::Condition { yes, no, .. } => yes.min_len().min(no.min_len()),
            Node::Repeat { node, min, .. } => node.min_len().saturating_mul(*min),
            _ => 0,
        }
    }

    /// Whether no match can take a character.
    pub(crate) fn is_zero_width(&self) -> bool {
        match self {
            Node::Empty | Node::Anchor(_) | Node::Look(..) => true,
            Node::Concat(_) | Node::Alt(_) | Node::Capture { .. } | Node::Option(_) | Node::Atomic(_) => {
                self.children().iter().all(|c| c.is_zero_width())
            }
            Node::Condition { yes, no, .. } => yes.is_zero_width() && no.is_zero_width(),
            Node::Repeat { node, max, .. } => *max == Some(0) || node.is_zero_width(),
            _ => false,
        }
    }
}
