//! The syntax tree that rules read.
//!
//! Prism's nodes follow the grammar closely; rules are shorter on the older form of Ruby's linters: a call with a block is a `Block` around a
//! `Send`, a sequence of statements is a `Begin` only if there are several, `unless` is an `If` with its branches swapped, a string over several
//! lines is a `Dstr` of its lines. [`lower`] converts prism's nodes to that form, in one arena per file, with parents. Ranges are byte offsets.

mod kind;
mod lower;
mod query;

pub use kind::{KINDS, Kind};
pub use lower::{SyntaxError, parse};

/// A range of bytes in the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub start: u32,
    /// Exclusive.
    pub end: u32,
}

impl Span {
    /// From `start` up to and excluding `end`.
    #[must_use]
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// The smallest range that contains both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The part of a text in this range.
    #[must_use]
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// A node; its children are a range of [`Tree::kids`].
#[derive(Clone, Copy, Debug)]
struct Data<'t> {
    kind: Kind,
    /// How the construct is written, see [`Form`].
    form: Form,
    span: Span,
    /// The name of a call or variable, the keyword of an `If`, the operator of an assignment.
    selector: Span,
    /// Opening parenthesis, bracket, quote or `begin`.
    open: Span,
    /// Closing parenthesis, bracket, quote or `end`; the last line of a heredoc.
    close: Span,
    /// The name of a call, variable or constant; the value of a string or symbol.
    text: &'t str,
    parent: u32,
    kids: u32,
    count: u32,
}

/// Syntactic variants of a construct.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    #[default]
    Plain,
    If,
    Unless,
    Elsif,
    Ternary,
    ModifierIf,
    ModifierUnless,
    Heredoc,
    /// A key of a hash written as `key:`.
    Label,
    /// A required parameter of a method; other kinds of parameters are `Plain`.
    Required,
}

#[derive(Clone, Copy, Debug)]
pub struct Comment {
    /// From `#` to the end of the line, or `=begin` to `=end`.
    pub span: Span,
}

/// The nodes and comments of a file.
#[derive(Debug)]
pub struct Tree<'t> {
    pub source: &'t str,
    nodes: Vec<Data<'t>>,
    kids: Vec<u32>,
    root: u32,
    pub comments: Vec<Comment>,
}

impl<'t> Tree<'t> {
    /// The whole program; a node of the kind `Empty` for an empty file.
    #[must_use]
    pub fn root(&'t self) -> N<'t> {
        N { tree: self, id: self.root }
    }

    /// The tree of a file with syntax errors.
    #[must_use]
    pub fn nothing(source: &'t str) -> Self {
        let empty = Data {
            kind: Kind::Empty,
            form: Form::Plain,
            span: Span::default(),
            selector: Span::default(),
            open: Span::default(),
            close: Span::default(),
            text: "",
            parent: 0,
            kids: 0,
            count: 0,
        };
        Self { source, nodes: vec![empty], kids: Vec::new(), root: 0, comments: Vec::new() }
    }

    fn data(&self, id: u32) -> &Data<'t> {
        self.nodes.get(id as usize).unwrap_or(&self.nodes[0])
    }
}

/// A reference to a node of a tree.
#[derive(Clone, Copy)]
pub struct N<'t> {
    tree: &'t Tree<'t>,
    id: u32,
}

impl PartialEq for N<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for N<'_> {}

impl std::fmt::Debug for N<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}({:?}", self.kind(), self.name())?;
        for kid in self.kids() {
            write!(f, ", {kid:?}")?;
        }
        write!(f, ")")
    }
}
