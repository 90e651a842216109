//! What Coverage counts of branches: their places as MRI 3.1's compiler tells them, in its order, and the marks that count them.

use super::{Lowering, span};
use crate::tree::{Branch, Node};
use ruby_prism as prism;

/// First line, first column, last line, last column; columns in bytes, from 0.
pub type Place = [u32; 4];

/// A node with branches.
#[derive(Debug, Clone)]
pub struct Branches {
    /// `if`, `unless`, `case`, `while`, `until` or `&.`
    pub kind: &'static str,
    pub place: Place,
    /// Each with its kind (`then`, `else`, `when`, `in`, `body`), its place and its number in the file.
    pub of: Vec<(&'static str, Place, u32)>,
}

/// The branches of a file so far.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub nodes: Vec<Branches>,
    count: u32,
    /// The start of the `if` or `elsif` that was lowered last, and where its chain ends.
    chain: (u32, u32),
}

impl Lowering {
    /// How many nodes with branches there are; the place for [`Lowering::branches_first`].
    pub(super) fn branches_known(&self) -> usize {
        self.branches.as_ref().map_or(0, |found| found.nodes.len())
    }
    /// Moves what was found since `middle` before what was found between `start` and it, since MRI compiles it first.
    pub(super) fn branches_first(&mut self, start: usize, middle: usize) {
        if let Some(found) = &mut self.branches {
            let late = found.nodes.len() - middle;
            found.nodes[start..].rotate_right(late);
        }
    }
    /// Notes a node with branches; `branch` adds them.
    pub(super) fn branching(&mut self, kind: &'static str, start: u32, end: u32) {
        let place = self.place(start, end);
        if let Some(found) = &mut self.branches {
            found.nodes.push(Branches { kind, place, of: Vec::new() });
        }
    }
    /// Notes a branch of the node at an index; returns its number.
    pub(super) fn branch(&mut self, index: usize, kind: &'static str, (start, end): (u32, u32)) -> u32 {
        let place = self.place(start, end);
        let Some(found) = &mut self.branches else { return 0 };
        let number = found.count;
        found.count += 1;
        if let Some(node) = found.nodes.get_mut(index) {
            node.of.push((kind, place, number));
        }
        number
    }
    /// A branch that is counted when it runs.
    pub(super) fn counted(&mut self, index: usize, kind: &'static str, place: (u32, u32), node: Node) -> Node {
        let number = self.branch(index, kind, place);
        Node::Branch(Box::new(Branch { number, of_nil: None, node }))
    }
    fn place(&mut self, start: u32, end: u32) -> Place {
        let mut at = |offset: u32| {
            let line = self.line(offset);
            let begin = self.file.line_starts.get(self.line_hint).copied().unwrap_or_default();
            (line, offset.saturating_sub(begin))
        };
        let ((first, column), (last, end_column)) = (at(start), at(end));
        [first, column, last, end_column]
    }

    /// Where the conditional that an `elsif` is ends for MRI: at the end of the last part of its chain. What follows has been lowered before it.
    pub(super) fn end_of_chain(&mut self, node: &prism::IfNode<'_>) -> u32 {
        let known = self.branches.as_ref().map_or((0, 0), |found| found.chain);
        let end = match node.subsequent() {
            None => body_place(node.statements(), end_of_condition(node)).1,
            Some(next) => match next.as_else_node() {
                Some(last) => else_place(&last).1,
                None if next.location().start() == known.0 => known.1,
                None => next.location().end(),
            },
        };
        if let Some(found) = &mut self.branches {
            found.chain = (node.location().start(), end);
        }
        end
    }

    /// The two branches of a condition: `first` stands for `body`, the other for `rest`.
    pub(super) fn two_branches(&mut self, two: Two<'_>, body: &mut Node, rest: &mut Node) {
        if self.branches.is_none() || reached(&two.predicate) != (true, true) {
            return;
        }
        let index = self.branches_known();
        self.branching(two.kind, two.whole.0, two.whole.1);
        for (kind, place, node) in [(two.kinds[0], two.body, body), (two.kinds[1], two.rest, rest)] {
            let inner = std::mem::replace(node, Node::Nil);
            *node = self.counted(index, kind, place.unwrap_or(two.whole), inner);
        }
    }
}

/// A condition with its places: of the whole, and of the two sides if they are there.
pub(super) struct Two<'a> {
    pub kind: &'static str,
    pub kinds: [&'static str; 2],
    pub predicate: prism::Node<'a>,
    pub whole: (u32, u32),
    pub body: Option<(u32, u32)>,
    pub rest: Option<(u32, u32)>,
}

/// The place of a body: from its first statement, without the literals that MRI drops at its beginning, to its last; where nothing is in it, the end of
/// what comes before.
pub(super) fn body_place(statements: Option<prism::StatementsNode<'_>>, before: u32) -> (u32, u32) {
    let Some(statements) = statements else { return (before, before) };
    let body = statements.body();
    let last = body.iter().last();
    let first = body.iter().enumerate().find(|(at, node)| at + 1 == body.len() || !is_dropped(node));
    let (Some((_, first)), Some(last)) = (first, last) else { return (before, before) };
    let (start, end) = inside(&first);
    // a group in a group in a group is gone through once
    let is_alone = first.location().start() == last.location().start();
    (start, if is_alone { end } else { inside(&last).1 })
}
/// The place of a statement: of what is in it, if it is a group.
fn inside(node: &prism::Node<'_>) -> (u32, u32) {
    let location = node.location();
    let whole = span(&location);
    if let Some(body) = node.as_parentheses_node().and_then(|group| group.body()) {
        return match body.as_statements_node() {
            Some(statements) => body_place(Some(statements), whole.0),
            None => inside(&body),
        };
    }
    let Some(group) = node.as_begin_node() else { return whole };
    let Some(keyword) = group.begin_keyword_loc() else { return whole };
    let (start, end) = after_keyword(&keyword, &location, group.statements());
    if let Some(clause) = group.ensure_clause() {
        let end = clause.statements().map_or_else(|| clause.ensure_keyword_loc().end(), |all| all.location().end());
        let first = group.statements().and_then(|all| all.body().first()).map(|first| first.location().start());
        let start = if start == keyword.end() { start } else { first.unwrap_or(start) };
        return (start, trailing(&location, end));
    }
    match (group.rescue_clause(), group.else_clause()) {
        (Some(_), Some(last)) => (start, else_place(&last).1),
        (Some(clause), None) => (start, trailing(&location, end_of_rescue(clause))),
        _ => (start, end),
    }
}
/// The end of the last `rescue` of some, without the separators after it.
fn end_of_rescue(mut clause: prism::RescueNode<'_>) -> u32 {
    while let Some(next) = clause.subsequent() {
        clause = next;
    }
    let header = [clause.then_keyword_loc(), clause.reference().map(|target| target.location())];
    let header = header.into_iter().flatten().map(|part| part.end()).max();
    let listed = || clause.exceptions().iter().last().map(|class| class.location().end());
    match clause.statements() {
        Some(all) => all.location().end(),
        None => header.or_else(listed).unwrap_or_else(|| clause.keyword_loc().end()),
    }
}
/// The end of the separators after a place in a node.
fn trailing(whole: &prism::Location<'_>, at: u32) -> u32 {
    let end = crate::ast::trailing(whole.as_slice(), at.saturating_sub(whole.start()) as usize);
    whole.start() + end as u32
}
/// The place of the statements of an `else`.
pub(super) fn else_place(node: &prism::ElseNode<'_>) -> (u32, u32) {
    after_keyword(&node.else_keyword_loc(), &node.location(), node.statements())
}
/// The place of what follows `else` or `begin`: from the keyword on if a semicolon comes next.
fn after_keyword(
    keyword: &prism::Location<'_>,
    whole: &prism::Location<'_>,
    statements: Option<prism::StatementsNode<'_>>,
) -> (u32, u32) {
    let end = keyword.end();
    let place = body_place(statements, end);
    let mut after = whole.as_slice().iter().skip((end - whole.start()) as usize);
    let semicolon = after.find(|byte| **byte != b' ') == Some(&b';');
    if semicolon { (end, place.1) } else { place }
}
/// The place of a clause of `case`.
pub(super) fn clause_place(statements: Option<prism::StatementsNode<'_>>, before: impl FnOnce() -> u32) -> (u32, u32) {
    let before = if statements.is_none() { before() } else { 0 };
    body_place(statements, before)
}
/// Literals whose value nothing can use; MRI's parser leaves them out.
fn is_dropped(node: &prism::Node<'_>) -> bool {
    use prism::Node as P;
    let number =
        matches!(node, P::IntegerNode { .. } | P::FloatNode { .. } | P::RationalNode { .. } | P::ImaginaryNode { .. });
    let text = matches!(node, P::SymbolNode { .. } | P::StringNode { .. } | P::RegularExpressionNode { .. });
    number || text || matches!(node, P::SelfNode { .. } | P::TrueNode { .. } | P::FalseNode { .. } | P::NilNode { .. })
}

pub(super) fn end_of_condition(node: &prism::IfNode<'_>) -> u32 {
    node.then_keyword_loc().map_or_else(|| node.predicate().location().end(), |then| then.end())
}

/// Whether a condition can be true, and whether it can be false, as far as MRI's compiler tells.
fn reached(node: &prism::Node<'_>) -> (bool, bool) {
    use prism::Node as P;
    match node {
        P::ParenthesesNode { .. } => {
            let body = node.as_parentheses_node().and_then(|node| node.body());
            let statements = body.as_ref().and_then(|body| body.as_statements_node()).map(|all| all.body());
            let only = statements.filter(|all| all.len() == 1).and_then(|all| all.first());
            only.map_or((true, true), |only| reached(&only))
        }
        P::NilNode { .. } | P::FalseNode { .. } => (false, true),
        P::TrueNode { .. } | P::IntegerNode { .. } | P::FloatNode { .. } | P::RationalNode { .. } => (true, false),
        P::ImaginaryNode { .. } | P::SymbolNode { .. } | P::StringNode { .. } | P::LambdaNode { .. } => (true, false),
        P::InterpolatedStringNode { .. } | P::ArrayNode { .. } => (true, false),
        P::SourceFileNode { .. } | P::SourceLineNode { .. } | P::SourceEncodingNode { .. } => (true, false),
        P::AndNode { .. } => node.as_and_node().map_or((true, true), |node| {
            let (left, right) = (reached(&node.left()), reached(&node.right()));
            (right.0, left.1 || right.1)
        }),
        P::OrNode { .. } => node.as_or_node().map_or((true, true), |node| {
            let (left, right) = (reached(&node.left()), reached(&node.right()));
            (left.0 || right.0, right.1)
        }),
        _ => (true, true),
    }
}
