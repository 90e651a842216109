//! `case … in`: clauses and patterns.

use super::{LocalRef, Node};
use crate::Symbol;

#[derive(Debug)]
pub struct CaseIn {
    pub subject: Node,
    pub clauses: Vec<InClause>,
    /// `else`; without it, NoMatchingPatternError is raised.
    pub otherwise: Option<Node>,
    /// The number of the branch without a match, where Coverage counts it.
    pub missed: Option<u32>,
    pub line: u32,
}

#[derive(Debug)]
pub struct InClause {
    pub pattern: Pattern,
    /// The guard: `if`, or a negated `unless`.
    pub guard: Option<Node>,
    pub body: Node,
}

#[derive(Debug)]
pub enum Pattern {
    /// Anything tested with `===`: literals, constants, ranges, `^x`, `^(expr)`.
    Value(Node),
    Bind(LocalRef),
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

#[derive(Debug)]
pub struct ArrayPattern {
    /// Tested with `===` first.
    pub constant: Option<Node>,
    /// Before the splat.
    pub pre: Vec<Pattern>,
    /// The splat: anonymous (inner None) or bound to a variable.
    pub rest: Option<Option<LocalRef>>,
    /// After the splat.
    pub post: Vec<Pattern>,
}

#[derive(Debug)]
pub struct FindPattern {
    /// Tested with `===` first.
    pub constant: Option<Node>,
    pub left: Option<LocalRef>,
    pub middle: Vec<Pattern>,
    pub right: Option<LocalRef>,
}

#[derive(Debug)]
pub struct HashPattern {
    /// Tested with `===` first.
    pub constant: Option<Node>,
    /// Keys and their patterns; `{a:}` is lowered to `Bind`.
    pub pairs: Vec<(Symbol, Pattern)>,
    pub rest: HashPatternRest,
}

/// What a hash pattern says about other keys.
#[derive(Debug)]
pub enum HashPatternRest {
    /// Others are allowed.
    None,
    Bind(LocalRef),
    /// `**nil`: no others.
    Nil,
    /// `**`: others are allowed, and `deconstruct_keys(nil)` is called.
    Anonymous,
}
