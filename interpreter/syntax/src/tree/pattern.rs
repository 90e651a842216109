//! `case … in`: clauses and patterns.

use super::{LocalRef, Node};
use crate::Symbol;

/// `case subject in …`.
#[derive(Debug)]
pub struct CaseIn {
    /// Subject.
    pub subject: Node,
    /// Clauses.
    pub clauses: Vec<InClause>,
    /// `else`; none: NoMatchingPatternError.
    pub otherwise: Option<Node>,
    /// Line.
    pub line: u32,
}

/// An `in` clause.
#[derive(Debug)]
pub struct InClause {
    /// Pattern.
    pub pattern: Pattern,
    /// `if`, or `unless` negated.
    pub guard: Option<Node>,
    /// Body.
    pub body: Node,
}

/// A pattern.
#[derive(Debug)]
pub enum Pattern {
    /// Anything tested with `===`: literals, constants, ranges, `^x`, `^(expr)`.
    Value(Node),
    /// A name.
    Bind(LocalRef),
    /// `a | b`.
    Alt(Vec<Pattern>),
    /// `pattern => name`.
    Capture(Box<Pattern>, LocalRef),
    /// `[a, *b, c]`, `Const(a, b)`, `Const[a]`.
    Array(Box<ArrayPattern>),
    /// `[*, x, *]`.
    Find(Box<FindPattern>),
    /// `{a: 1, **rest}`, `Const(a:)`.
    Hash(Box<HashPattern>),
}

/// An array pattern.
#[derive(Debug)]
pub struct ArrayPattern {
    /// Tested with `===` first.
    pub constant: Option<Node>,
    /// Before the splat.
    pub pre: Vec<Pattern>,
    /// The splat: anonymous (inner None) or bound.
    pub rest: Option<Option<LocalRef>>,
    /// After the splat.
    pub post: Vec<Pattern>,
}

/// A find pattern.
#[derive(Debug)]
pub struct FindPattern {
    /// Tested with `===` first.
    pub constant: Option<Node>,
    /// Left splat.
    pub left: Option<LocalRef>,
    /// Middle.
    pub middle: Vec<Pattern>,
    /// Right splat.
    pub right: Option<LocalRef>,
}

/// A hash pattern.
#[derive(Debug)]
pub struct HashPattern {
    /// Tested with `===` first.
    pub constant: Option<Node>,
    /// Keys; `{a:}` is lowered to `Bind`.
    pub pairs: Vec<(Symbol, Pattern)>,
    /// What of the others.
    pub rest: HashPatternRest,
}

/// The end of a hash pattern.
#[derive(Debug)]
pub enum HashPatternRest {
    /// Others are allowed.
    None,
    /// `**name`.
    Bind(LocalRef),
    /// `**nil`: no others.
    Nil,
    /// `**`: others are allowed, `deconstruct_keys(nil)` is asked for.
    Anonymous,
}
