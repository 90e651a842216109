//! What Coverage counts of branches: their places as MRI 3.1's compiler tells them, in its order, and the marks that count them.

use super::Lowering;
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
    let alone = first.location().start() == last.location().start();
    if alone && let Some(inner) = first.as_parentheses_node().and_then(|node| node.body()) {
        return match inner.as_statements_node() {
            Some(inner) => body_place(Some(inner), before),
            None => (inner.location().start(), inner.location().end()),
        };
    }
    if alone && let Some(group) = first.as_begin_node().filter(|group| group.rescue_clause().is_none()) {
        let keyword = group.begin_keyword_loc().filter(|_| group.ensure_clause().is_none());
        if let Some(keyword) = keyword {
            return after_keyword(&keyword, &group.location(), group.statements());
        }
    }
    (first.location().start(), last.location().end())
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

/// Where the conditional that an `elsif` is ends for MRI: at the end of its last part, before `end`.
pub(super) fn end_of_elsif(node: &prism::IfNode<'_>) -> u32 {
    match node.subsequent() {
        None => body_place(node.statements(), end_of_condition(node)).1,
        Some(next) => match (next.as_if_node(), next.as_else_node()) {
            (Some(next), _) => end_of_elsif(&next),
            (_, Some(last)) => else_place(&last).1,
            _ => next.location().end(),
        },
    }
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
            match body.as_ref().and_then(|body| body.as_statements_node()) {
                Some(statements) if statements.body().len() == 1 => {
                    statements.body().first().map_or((true, true), |only| reached(&only))
                }
                Some(_) => (true, true),
                None => (false, true),
            }
        }
        P::NilNode { .. } | P::FalseNode { .. } => (false, true),
        P::TrueNode { .. } | P::IntegerNode { .. } | P::FloatNode { .. } | P::RationalNode { .. } => (true, false),
        P::ImaginaryNode { .. } | P::SymbolNode { .. } | P::StringNode { .. } | P::LambdaNode { .. } => (true, false),
        P::InterpolatedStringNode { .. } | P::ArrayNode { .. } => (true, false),
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
