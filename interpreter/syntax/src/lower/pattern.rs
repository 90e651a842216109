//! Pattern matching.

use super::branches::clause_place;
use super::{Lowering, span, symbol_of, with_line};
use crate::Symbol;
use crate::tree::{
    ArrayPattern, Branch, CaseIn, FindPattern, HashPattern, HashPatternRest, If, InClause, InlineCache, LocalRef, Node,
    Pattern,
};
use ruby_prism as prism;

impl Lowering {
    pub(super) fn case_match(&mut self, node: &prism::CaseMatchNode<'_>) -> Node {
        let subject = self.optional(node.predicate());
        let (index, whole) = (self.branches_known(), span(&node.location()));
        let counts = self.branches.is_some();
        if counts {
            self.branching("case", whole.0, whole.1);
        }
        let mut clauses = Vec::new();
        for clause in &node.conditions() {
            let Some(clause) = clause.as_in_node() else { continue };
            let (pattern, guard) = self.guarded_pattern(&clause.pattern());
            let place = clause_place(clause.statements(), || {
                clause.then_keyword_loc().map_or_else(|| clause.pattern().location().end(), |then| then.end())
            });
            let number = if counts { self.branch(index, "in", place) } else { 0 };
            let mut body = self.optional_statements(clause.statements());
            if counts {
                body = Node::Branch(Box::new(Branch { number, of_nil: None, node: body }));
            }
            clauses.push(InClause { pattern, guard, body });
        }
        let otherwise = match node.else_clause() {
            Some(_) => self.last_branch(index, whole, || node.else_clause()),
            None => None,
        };
        let missed = (counts && otherwise.is_none()).then(|| self.branch(index, "else", whole));
        let line = self.line(node.location().start());
        Node::CaseIn(Box::new(CaseIn { subject, clauses, otherwise, missed, line }))
    }

    /// Separates a pattern from its guard; prism gives the guard as an `if` around the pattern.
    fn guarded_pattern(&mut self, node: &prism::Node<'_>) -> (Pattern, Option<Node>) {
        let (statements, predicate, negated) = if let Some(guard) = node.as_if_node() {
            (guard.statements(), guard.predicate(), false)
        } else if let Some(guard) = node.as_unless_node() {
            (guard.statements(), guard.predicate(), true)
        } else {
            return (self.pattern(node), None);
        };
        let pattern = match statements.and_then(|statements| statements.body().first()) {
            Some(inner) => self.pattern(&inner),
            None => Pattern::Value(Node::Nil),
        };
        let guard = self.node(&predicate);
        let guard = if negated {
            let line = self.line_of(&predicate);
            Node::Not(Box::new((guard, line, InlineCache::default())))
        } else {
            guard
        };
        (pattern, Some(guard))
    }

    pub(super) fn match_required(&mut self, node: &prism::MatchRequiredNode<'_>) -> Node {
        let value = self.node(&node.value());
        let whole = span(&node.location());
        let index = self.branches_known();
        if self.branches.is_some() {
            self.branching("case", whole.0, whole.1);
        }
        let pattern = self.pattern(&node.pattern());
        let line = self.line(node.location().start());
        if self.branches.is_some() {
            let body = self.counted(index, "in", span(&node.pattern().location()), Node::Nil);
            let missed = Some(self.branch(index, "else", whole));
            let clauses = vec![InClause { pattern, guard: None, body }];
            return Node::CaseIn(Box::new(CaseIn { subject: value, clauses, otherwise: None, missed, line }));
        }
        Node::MatchRequired(Box::new((value, pattern, line)))
    }

    pub(super) fn match_predicate(&mut self, node: &prism::MatchPredicateNode<'_>) -> Node {
        let value = self.node(&node.value());
        let index = self.branches_known();
        if self.branches.is_some() {
            let whole = node.location();
            self.branching("case", whole.start(), whole.end());
        }
        let pattern = self.pattern(&node.pattern());
        let line = self.line(node.location().start());
        let matched = with_line(line, Node::MatchPredicate(Box::new((value, pattern))));
        if self.branches.is_none() {
            return matched;
        }
        let place = span(&node.pattern().location());
        let then = self.counted(index, "in", place, Node::True);
        let otherwise = self.counted(index, "else", place, Node::False);
        Node::If(Box::new(If { cond: matched, then, otherwise }))
    }

    fn pattern(&mut self, node: &prism::Node<'_>) -> Pattern {
        use prism::Node as P;
        if crate::stack::is_below(self.limit) {
            self.fail(node.location().start(), "nesting too deep");
            return Pattern::Value(Node::Nil);
        }
        let lowered = match node {
            P::LocalVariableTargetNode { .. } => self.bound(node).map(Pattern::Bind),
            P::AlternationPatternNode { .. } => node.as_alternation_pattern_node().map(|node| self.alternation(&node)),
            P::CapturePatternNode { .. } => node.as_capture_pattern_node().map(|node| {
                let inner = self.pattern(&node.value());
                let target = node.target();
                let place = self.local(symbol_of(&target.name()), target.depth());
                Pattern::Capture(Box::new(inner), place)
            }),
            P::ArrayPatternNode { .. } => node.as_array_pattern_node().map(|node| self.array_pattern(&node)),
            P::FindPatternNode { .. } => node.as_find_pattern_node().map(|node| self.find_pattern(&node)),
            P::HashPatternNode { .. } => node.as_hash_pattern_node().map(|node| self.hash_pattern(&node)),
            P::PinnedVariableNode { .. } => {
                node.as_pinned_variable_node().map(|node| Pattern::Value(self.node(&node.variable())))
            }
            P::PinnedExpressionNode { .. } => {
                node.as_pinned_expression_node().map(|node| Pattern::Value(self.node(&node.expression())))
            }
            P::ParenthesesNode { .. } => node.as_parentheses_node().and_then(|node| node.body()).map(|body| match body
                .as_statements_node()
                .and_then(|statements| statements.body().first())
            {
                Some(inner) => self.pattern(&inner),
                None => self.pattern(&body),
            }),
            P::ImplicitNode { .. } => node.as_implicit_node().map(|node| self.pattern(&node.value())),
            _ => None,
        };
        match lowered {
            Some(pattern) => pattern,
            None => Pattern::Value(self.node(node)),
        }
    }

    fn bound(&mut self, node: &prism::Node<'_>) -> Option<LocalRef> {
        let target = node.as_local_variable_target_node()?;
        Some(self.local(symbol_of(&target.name()), target.depth()))
    }

    /// `a | b | c`, which is left-associative.
    fn alternation(&mut self, node: &prism::AlternationPatternNode<'_>) -> Pattern {
        let mut branches = vec![self.pattern(&node.right())];
        let mut left = node.left();
        while let Some(inner) = left.as_alternation_pattern_node() {
            branches.push(self.pattern(&inner.right()));
            left = inner.left();
        }
        branches.push(self.pattern(&left));
        branches.reverse();
        Pattern::Alt(branches)
    }

    /// The name of `*name` and `**name`.
    fn splat_name(&mut self, node: &prism::Node<'_>) -> Option<LocalRef> {
        let inner = node.as_splat_node()?.expression()?;
        self.bound(&inner)
    }

    fn patterns(&mut self, list: &prism::NodeList<'_>) -> Vec<Pattern> {
        list.iter().map(|pattern| self.pattern(&pattern)).collect()
    }

    fn array_pattern(&mut self, node: &prism::ArrayPatternNode<'_>) -> Pattern {
        let constant = node.constant().map(|constant| self.node(&constant));
        let pre = self.patterns(&node.requireds());
        let rest = node.rest().map(|rest| self.splat_name(&rest));
        let post = self.patterns(&node.posts());
        Pattern::Array(Box::new(ArrayPattern { constant, pre, rest, post }))
    }

    fn find_pattern(&mut self, node: &prism::FindPatternNode<'_>) -> Pattern {
        let constant = node.constant().map(|constant| self.node(&constant));
        let left = self.splat_name(&node.left().as_node());
        let middle = self.patterns(&node.requireds());
        let right = self.splat_name(&node.right().as_node());
        Pattern::Find(Box::new(FindPattern { constant, left, middle, right }))
    }

    fn hash_pattern(&mut self, node: &prism::HashPatternNode<'_>) -> Pattern {
        let constant = node.constant().map(|constant| self.node(&constant));
        let mut pairs = Vec::new();
        for element in &node.elements() {
            let Some(pair) = element.as_assoc_node() else { continue };
            let Some(key) = pair.key().as_symbol_node().map(|key| Symbol::intern_bytes(key.unescaped())) else {
                self.fail(pair.location().start(), "symbol literal with interpolation is not allowed");
                continue;
            };
            pairs.push((key, self.pattern(&pair.value())));
        }
        let rest = match node.rest() {
            None => HashPatternRest::None,
            Some(rest) => match rest.as_assoc_splat_node() {
                None => HashPatternRest::Nil,
                Some(splat) => match splat.value().and_then(|value| self.bound(&value)) {
                    Some(place) => HashPatternRest::Bind(place),
                    None => HashPatternRest::Anonymous,
                },
            },
        };
        Pattern::Hash(Box::new(HashPattern { constant, pairs, rest }))
    }
}
