//! YAML documents: the result of parsing, and the input of the emitter.

use rchef_yaml::Place;
pub(crate) use rchef_yaml::Style;

/// The contents of a node. Children are indices into [`Document::nodes`].
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// `plain` and `quoted`: whether the tag may be omitted if the scalar is plain, or if it is not.
    Scalar { text: String, style: Style, plain: bool, quoted: bool },
    /// `implicit`: whether the tag may be omitted.
    Sequence { items: Vec<usize>, implicit: bool, flow: bool },
    /// Keys and values alternate in `items`.
    Mapping { items: Vec<usize>, implicit: bool, flow: bool },
    /// The name of the anchor.
    Alias(String),
}

/// A node with its tag and anchor.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub kind: Kind,
    pub tag: Option<String>,
    pub anchor: Option<String>,
    /// Where it was parsed.
    pub place: Place,
}

/// A document. Its nodes are in a flat list, so that dropping a deeply nested one does not recurse.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document {
    pub nodes: Vec<Node>,
    pub root: usize,
    /// The `%YAML` directive: major and minor version.
    pub version: Option<(i64, i64)>,
    /// Whether `---` is missing; on output it is only omitted for the first document.
    pub implicit: bool,
    /// Whether `...` is missing.
    pub implicit_end: bool,
    /// Tag directives: handles and prefixes.
    pub tags: Vec<(String, String)>,
    /// Where it was parsed.
    pub place: Place,
}

impl Document {
    /// Adds a node and returns its index.
    pub fn add(&mut self, kind: Kind, tag: Option<String>, anchor: Option<String>) -> usize {
        self.nodes.push(Node { kind, tag, anchor, place: Place::default() });
        self.nodes.len() - 1
    }
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
    pub fn push(&mut self, parent: usize, child: usize) {
        if let Some(Node { kind: Kind::Sequence { items, .. } | Kind::Mapping { items, .. }, .. }) =
            self.nodes.get_mut(parent)
        {
            items.push(child);
        }
    }
}
