//! Pattern matching.

use super::{Ast, Builder, Child, Found, Lit, child, from, list, node, sym, to};
use ruby_prism as prism;
use ruby_prism::Node;

const NO_NAME: &[u8] = b"NODE_SPECIAL_NO_NAME_REST";

impl Builder<'_> {
    /// `case … in`, `=>` and `in`; None for other nodes.
    pub(super) fn matching(&self, found: &Node<'_>) -> Found {
        let whole = found.location();
        let (start, end) = (from(&whole), to(&whole));
        let (value, pattern, results) = match found {
            Node::CaseMatchNode { .. } => return self.case_in(&found.as_case_match_node()?),
            Node::MatchRequiredNode { .. } => {
                let found = found.as_match_required_node()?;
                (found.value(), found.pattern(), None)
            }
            Node::MatchPredicateNode { .. } => {
                let found = found.as_match_predicate_node()?;
                (found.value(), found.pattern(), Some(["TRUE", "FALSE"]))
            }
            _ => return None,
        };
        let place = pattern.location();
        let (at, at_end) = (from(&place), to(&place));
        let value = self.node(&value)?;
        let mut children = vec![Child::Node(self.pattern(&pattern)?)];
        match results {
            Some(kinds) => children.extend(kinds.map(|kind| Child::Node(node(kind, at, at_end, Vec::new())))),
            None => children.extend([Child::Nil, Child::Nil]),
        }
        let clause = node("IN", at, at_end, children);
        Some(node("CASE3", start, end, vec![Child::Node(value), Child::Node(clause)]))
    }
    fn case_in(&self, found: &prism::CaseMatchNode<'_>) -> Found {
        let whole = found.location();
        let (mut next, mut end) = (None, 0);
        if let Some(clause) = found.else_clause() {
            let keyword = to(&clause.else_keyword_loc());
            next = Some(self.body_of(clause.statements().as_ref(), keyword, false)?);
            end = self.trailing(clause.statements().map_or(keyword, |all| to(&all.location())));
        }
        let clauses: Vec<Node<'_>> = found.conditions().iter().collect();
        for clause in clauses.iter().rev() {
            let clause = clause.as_in_node()?;
            let pattern = clause.pattern();
            let at = self.after_then(to(&pattern.location()), clause.then_keyword_loc().as_ref());
            let body = self.body_of(clause.statements().as_ref(), at, false)?;
            if end == 0 {
                end = self.trailing(clause.statements().map_or(at, |all| to(&all.location())));
            }
            let children = vec![Child::Node(self.guarded(&pattern)?), Child::Node(body), child(next)];
            next = Some(node("IN", from(&clause.location()), end, children));
        }
        let value = self.optional(found.predicate().as_ref())?;
        Some(node("CASE3", from(&whole), to(&whole), vec![value, child(next)]))
    }
    /// A pattern with the condition after it.
    fn guarded(&self, pattern: &Node<'_>) -> Found {
        let (kind, condition, inner) = match pattern {
            Node::IfNode { .. } => {
                let guard = pattern.as_if_node()?;
                ("IF", guard.predicate(), guard.statements()?.body().first()?)
            }
            Node::UnlessNode { .. } => {
                let guard = pattern.as_unless_node()?;
                ("UNLESS", guard.predicate(), guard.statements()?.body().first()?)
            }
            other => return self.pattern(other),
        };
        let whole = pattern.location();
        let children = vec![Child::Node(self.condition(&condition)?), Child::Node(self.pattern(&inner)?), Child::Nil];
        Some(node(kind, from(&whole), to(&whole), children))
    }
    fn pattern(&self, pattern: &Node<'_>) -> Found {
        let whole = pattern.location();
        let (start, end) = (from(&whole), to(&whole));
        match pattern {
            Node::ArrayPatternNode { .. } => self.array_pattern(&pattern.as_array_pattern_node()?),
            Node::FindPatternNode { .. } => self.find_pattern(&pattern.as_find_pattern_node()?),
            Node::HashPatternNode { .. } => self.hash_pattern(&pattern.as_hash_pattern_node()?),
            Node::AlternationPatternNode { .. } => {
                let both = pattern.as_alternation_pattern_node()?;
                let sides = vec![Child::Node(self.pattern(&both.left())?), Child::Node(self.pattern(&both.right())?)];
                Some(node("OR", start, end, sides))
            }
            Node::CapturePatternNode { .. } => {
                let capture = pattern.as_capture_pattern_node()?;
                let target = self.assign_to(&capture.target().as_node(), None, 0, 0)?;
                let pair = list(vec![self.pattern(&capture.value())?, target]);
                Some(node("HASH", start, end, vec![Child::Node(pair.at(start, end))]))
            }
            Node::PinnedVariableNode { .. } => {
                let made = self.node(&pattern.as_pinned_variable_node()?.variable())?;
                Some(made.at(start, end))
            }
            Node::PinnedExpressionNode { .. } => {
                let made = self.node(&pattern.as_pinned_expression_node()?.expression())?;
                Some(node("BEGIN", start, end, vec![Child::Node(made)]))
            }
            Node::ParenthesesNode { .. } => {
                let body = pattern.as_parentheses_node()?.body()?;
                match body.as_statements_node() {
                    Some(all) => self.pattern(&all.body().first()?),
                    None => self.pattern(&body),
                }
            }
            Node::LocalVariableTargetNode { .. } => self.assign_to(pattern, None, 0, 0),
            Node::ImplicitNode { .. } => self.pattern(&pattern.as_implicit_node()?.value()),
            other => self.node(other),
        }
    }
    /// The place of what stands in a pattern's brackets, with the constant before them.
    fn inside(
        whole: &prism::Location<'_>,
        constant: Option<&Ast>,
        bracketed: bool,
        items: &[(usize, usize)],
    ) -> (usize, usize) {
        match (items.first(), items.last()) {
            (Some(first), Some(last)) if bracketed => (constant.map_or(first.0, |constant| constant.from), last.1),
            _ => (from(whole), to(whole)),
        }
    }
    fn constant_of(&self, constant: Option<Node<'_>>) -> Option<Option<Ast>> {
        match constant {
            Some(constant) => self.node(&constant).map(Some),
            None => Some(None),
        }
    }
    /// What a splat is assigned to; MRI gives it the place of the list that it is in.
    fn rest_target(&self, rest: &Node<'_>, place: (usize, usize)) -> Option<Child> {
        let Some(splat) = rest.as_splat_node() else { return Some(sym(NO_NAME)) };
        Some(match splat.expression() {
            Some(target) => Child::Node(self.assign_to(&target, None, 0, 0)?.at(place.0, place.1)),
            None => sym(NO_NAME),
        })
    }
    fn array_pattern(&self, found: &prism::ArrayPatternNode<'_>) -> Found {
        let whole = found.location();
        let constant = self.constant_of(found.constant())?;
        let required: Vec<Node<'_>> = found.requireds().iter().collect();
        let posts: Vec<Node<'_>> = found.posts().iter().collect();
        let mut places: Vec<(usize, usize)> = required.iter().map(span).collect();
        places.extend(found.rest().as_ref().map(span));
        places.extend(posts.iter().map(span));
        let bracketed = found.opening_loc().is_some();
        let (start, end) = Self::inside(&whole, constant.as_ref(), bracketed, &places);
        // without brackets, a splat is in the list after the first item
        let own = match places.as_slice() {
            [_, second, ..] if !bracketed && !required.is_empty() => second.0,
            [first, ..] => first.0,
            [] => start,
        };
        let rest = match found.rest() {
            Some(rest) => self.rest_target(&rest, (own, end))?,
            None => Child::Nil,
        };
        let make = |all: &[Node<'_>]| -> Option<Child> {
            let made: Vec<Ast> = all.iter().map(|one| self.pattern(one)).collect::<Option<_>>()?;
            Some(if made.is_empty() { Child::Nil } else { Child::Node(list(made)) })
        };
        Some(node("ARYPTN", start, end, vec![child(constant), make(&required)?, rest, make(&posts)?]))
    }
    fn find_pattern(&self, found: &prism::FindPatternNode<'_>) -> Found {
        let whole = found.location();
        let constant = self.constant_of(found.constant())?;
        let (left, right) = (found.left().as_node(), found.right().as_node());
        let items: Vec<Node<'_>> = found.requireds().iter().collect();
        let place = (span(&left).0, span(&right).1);
        let (start, end) = Self::inside(&whole, constant.as_ref(), found.opening_loc().is_some(), &[place]);
        let made: Vec<Ast> = items.iter().map(|one| self.pattern(one)).collect::<Option<_>>()?;
        let (before, after) = (self.rest_target(&left, place)?, self.rest_target(&right, place)?);
        Some(node("FNDPTN", start, end, vec![child(constant), before, Child::Node(list(made)), after]))
    }
    fn hash_pattern(&self, found: &prism::HashPatternNode<'_>) -> Found {
        let whole = found.location();
        let constant = self.constant_of(found.constant())?;
        let elements: Vec<Node<'_>> = found.elements().iter().collect();
        let mut places: Vec<(usize, usize)> = elements.iter().map(span).collect();
        places.extend(found.rest().as_ref().map(span));
        let (start, end) = Self::inside(&whole, constant.as_ref(), found.opening_loc().is_some(), &places);
        let (Some(first), Some(last)) = (places.first(), places.last()) else {
            return Some(node("HSHPTN", start, end, vec![child(constant), Child::Nil, Child::Nil]));
        };
        let place = (first.0, last.1);
        let mut items = Vec::new();
        let mut list_end = 0;
        for element in &elements {
            let pair = element.as_assoc_node()?;
            let (at, at_end) = span(element);
            let name = pair.key().as_symbol_node()?.unescaped().to_vec();
            let value = self.pattern(&pair.value())?;
            let value = if pair.value().as_implicit_node().is_some() { value.at(at, at_end) } else { value };
            list_end = value.to;
            items.push(Child::Node(node("LIT", at, at_end, vec![Child::Lit(Lit::Sym(name))])));
            items.push(Child::Node(value));
        }
        let pairs = if items.is_empty() {
            Child::Nil
        } else {
            items.push(Child::Nil);
            Child::Node(node("LIST", place.0, list_end, items))
        };
        let rest = match found.rest() {
            Some(Node::NoKeywordsParameterNode { .. }) => sym(b"NODE_SPECIAL_NO_REST_KEYWORD"),
            Some(rest) => match rest.as_assoc_splat_node()?.value() {
                Some(target) => Child::Node(self.assign_to(&target, None, 0, 0)?.at(place.0, place.1)),
                None => Child::Nil,
            },
            None => Child::Nil,
        };
        let hash = node("HASH", place.0, place.1, vec![pairs]);
        Some(node("HSHPTN", start, end, vec![child(constant), Child::Node(hash), rest]))
    }
}
fn span(found: &Node<'_>) -> (usize, usize) {
    let loc = found.location();
    (from(&loc), to(&loc))
}
