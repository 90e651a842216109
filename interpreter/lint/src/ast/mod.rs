//! The tree that rules read.
//!
//! Prism's nodes follow the grammar closely; rules are shorter on the older form that Ruby's linters use: a call with a block is a `Block` around a `Send`,
//! a sequence of statements is a `Begin` only when there are several, `unless` is an `If` with its branches exchanged, a string over several lines is a `Dstr` of its lines.
//! [`lower`] makes that form from prism's nodes, in one arena per file, with parents. Ranges are byte offsets.

mod kind;
mod lower;
mod query;

pub use kind::{KINDS, Kind};
pub use lower::{SyntaxError, parse};

/// A range of bytes of the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub start: u32,
    /// Behind the last byte.
    pub end: u32,
}

impl Span {
    /// From `start` to before `end`.
    #[must_use]
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Whether it holds no byte.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// The smallest range that holds both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Its place in a text.
    #[must_use]
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// One node; `kids` counts in [`Tree::kids`].
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
    /// Closing one; the end line of a heredoc.
    close: Span,
    /// Name of a call, variable or constant; value of a string, symbol.
    text: &'t str,
    parent: u32,
    kids: u32,
    count: u32,
}

/// Variants of a construct.
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
    /// The name of a pair, before a colon.
    Label,
    /// An argument of a method: required, or another kind.
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
    /// The whole program; a node of the kind `Empty` when there is none.
    #[must_use]
    pub fn root(&'t self) -> N<'t> {
        N { tree: self, id: self.root }
    }

    /// Of a file that does not parse.
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

/// A node of a tree.
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
