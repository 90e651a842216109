//! The syntax tree of a pattern.

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
    /// `\b`; whether only ASCII letters and digits are word characters
    Word(bool),
    /// `\B`; the same
    NotWord(bool),
    Keep,
}

/// A lookaround: `(?=`, `(?!`, `(?<=`, `(?<!`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) behind: bool,
    pub(crate) negative: bool,
}

/// The target of `\g<…>`, before and after resolution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CallTarget {
    Name(String),
    /// A group's number, and the text that named it.
    Number(usize, String),
}

/// A node of the pattern.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Empty,
    /// A character (a byte, if the pattern is binary).
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
    /// A capturing group. `named` groups keep capturing when there are names.
    Capture {
        index: usize,
        named: bool,
        node: Box<Node>,
    },
    /// `(?i:…)`: a node of its own because the checks of look-behind count its depth.
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
        /// There are more than two alternatives, an error that is reported last.
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
    /// A back-reference to any of the groups; the last one is tried first.
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
    /// The direct children.
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

    /// The direct children, mutable.
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

    /// The minimum number of characters of a match.
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

    /// Whether all matches are empty.
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
