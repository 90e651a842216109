//! YAML documents between text and Ruby values: what the parser gives and what the emitter takes.

use super::events::Place;

/// How a scalar is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// As the emitter finds best.
    Any,
    Plain,
    Single,
    Double,
    Literal,
    Folded,
}

/// A node's contents. Children are positions in [`Document::nodes`].
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// `plain` and `quoted`: the tag may be left out when the scalar is written plain, or otherwise.
    Scalar { text: String, style: Style, plain: bool, quoted: bool },
    /// `implicit`: the tag may be left out.
    Sequence { items: Vec<usize>, implicit: bool, flow: bool },
    /// Keys and values alternate in `items`.
    Mapping { items: Vec<usize>, implicit: bool, flow: bool },
    /// The name of an anchor.
    Alias(String),
}

/// A node with tag and anchor.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub kind: Kind,
    pub tag: Option<String>,
    pub anchor: Option<String>,
    /// Where it was read.
    pub place: Place,
}

/// A document: its nodes, flat (so that dropping a deep one needs no stack), the root among them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document {
    pub nodes: Vec<Node>,
    pub root: usize,
    /// `%YAML` as read or to write, major and minor.
    pub version: Option<(i64, i64)>,
    /// It began without `---`: the first one is written without, too.
    pub implicit: bool,
    /// It ended without `...`.
    pub implicit_end: bool,
    /// Handles with their prefixes, as read.
    pub tags: Vec<(String, String)>,
    /// Where it was read.
    pub place: Place,
}

impl Document {
    /// Adds a node and gives its position.
    pub fn add(&mut self, kind: Kind, tag: Option<String>, anchor: Option<String>) -> usize {
        self.nodes.push(Node { kind, tag, anchor, place: Place::default() });
        self.nodes.len() - 1
    }
    /// Adds a scalar.
    pub fn scalar(
        &mut self,
        text: impl Into<String>,
        tag: Option<&str>,
        plain: bool,
        quoted: bool,
        style: Style,
    ) -> usize {
        self.add(Kind::Scalar { text: text.into(), style, plain, quoted }, tag.map(str::to_string), None)
    }
    /// Appends a child to a sequence or mapping.
    pub fn push(&mut self, parent: usize, child: usize) {
        if let Some(Node { kind: Kind::Sequence { items, .. } | Kind::Mapping { items, .. }, .. }) =
            self.nodes.get_mut(parent)
        {
            items.push(child);
        }
    }
}
