//! Pattern matching.

use super::{Builder, Found, Sexp, ended, list, node, sym};
use ruby_prism as prism;
use ruby_prism::Node;

impl Builder<'_> {
    /// `case` with `in`, and `value in pattern` and `value => pattern`, which are such a `case`.
    pub(super) fn case_in(&self, found: &Node<'_>) -> Found {
        if let Some(found) = found.as_match_predicate_node() {
            let clause = node("in", [self.top_pattern(&found.pattern())?, Sexp::Nil, Sexp::Nil]);
            return Some(node("case", [self.node(&found.value())?, clause]));
        }
        if let Some(found) = found.as_match_required_node() {
            let clause = node("in", [self.top_pattern(&found.pattern())?, Sexp::Nil, Sexp::Nil]);
            return Some(node("case", [self.node(&found.value())?, clause]));
        }
        let found = found.as_case_match_node()?;
        let mut rest = found.else_clause().map_or(Some(Sexp::Nil), |clause| self.else_node(&clause))?;
        let clauses: Vec<Node<'_>> = found.conditions().iter().collect();
        for clause in clauses.iter().rev() {
            let clause = clause.as_in_node()?;
            rest = node(
                "in",
                [self.top_pattern(&clause.pattern())?, self.statements(clause.statements().as_ref())?, rest],
            );
        }
        Some(node("case", [self.optional(found.predicate().as_ref())?, rest]))
    }
    /// A pattern with its guard.
    fn top_pattern(&self, pattern: &Node<'_>) -> Found {
        let (kind, predicate, statements) = match pattern {
            Node::IfNode { .. } => {
                let found = pattern.as_if_node()?;
                ("if_mod", found.predicate(), found.statements()?)
            }
            Node::UnlessNode { .. } => {
                let found = pattern.as_unless_node()?;
                ("unless_mod", found.predicate(), found.statements()?)
            }
            _ => return self.pattern(pattern),
        };
        let inner = statements.body().iter().next()?;
        Some(node(kind, [self.node(&predicate)?, self.pattern(&inner)?]))
    }
    fn pattern(&self, pattern: &Node<'_>) -> Found {
        let constant = |path: Option<Node<'_>>| path.map_or(Some(Sexp::Nil), |path| self.node(&path));
        match pattern {
            Node::ArrayPatternNode { .. } => {
                let found = pattern.as_array_pattern_node()?;
                let many = |nodes: prism::NodeList<'_>| {
                    let made: Vec<Sexp> = nodes.iter().map(|each| self.pattern(&each)).collect::<Option<_>>()?;
                    Some(if made.is_empty() { Sexp::Nil } else { Sexp::List(made) })
                };
                let rest = found.rest().map_or(Some(Sexp::Nil), |rest| self.splat(&rest))?;
                let parts = [constant(found.constant())?, many(found.requireds())?, rest, many(found.posts())?];
                Some(ended(&pattern.location(), "aryptn", parts))
            }
            Node::FindPatternNode { .. } => {
                let found = pattern.as_find_pattern_node()?;
                let inner: Vec<Sexp> =
                    found.requireds().iter().map(|each| self.pattern(&each)).collect::<Option<_>>()?;
                let left = self.splat(&found.left().as_node())?;
                let parts =
                    [constant(found.constant())?, left, Sexp::List(inner), self.splat(&found.right().as_node())?];
                Some(ended(&pattern.location(), "fndptn", parts))
            }
            Node::HashPatternNode { .. } => {
                let found = pattern.as_hash_pattern_node()?;
                let pairs: Vec<Sexp> =
                    found.elements().iter().map(|each| self.pattern_pair(&each)).collect::<Option<_>>()?;
                let rest = match found.rest() {
                    None => Sexp::Nil,
                    Some(rest @ Node::NoKeywordsParameterNode { .. }) => {
                        ended(&rest.location(), "var_field", [sym("nil")])
                    }
                    Some(rest) => match rest.as_assoc_splat_node()?.value() {
                        Some(name) => self.field(&name)?,
                        None => Sexp::Nil,
                    },
                };
                let pairs = if pairs.is_empty() && found.rest().is_none() { Sexp::Nil } else { Sexp::List(pairs) };
                Some(ended(&pattern.location(), "hshptn", [constant(found.constant())?, pairs, rest]))
            }
            Node::AlternationPatternNode { .. } => {
                let found = pattern.as_alternation_pattern_node()?;
                Some(node("binary", [self.pattern(&found.left())?, sym("|"), self.pattern(&found.right())?]))
            }
            Node::CapturePatternNode { .. } => {
                let found = pattern.as_capture_pattern_node()?;
                Some(node(
                    "binary",
                    [self.pattern(&found.value())?, sym("=>"), self.target(&found.target().as_node())?],
                ))
            }
            Node::PinnedVariableNode { .. } => self.node(&pattern.as_pinned_variable_node()?.variable()),
            Node::PinnedExpressionNode { .. } => {
                Some(node("begin", [self.node(&pattern.as_pinned_expression_node()?.expression())?]))
            }
            Node::ParenthesesNode { .. } => {
                let body = pattern.as_parentheses_node()?.body()?;
                match body.as_statements_node() {
                    Some(all) => self.pattern(&all.body().iter().next()?),
                    None => self.pattern(&body),
                }
            }
            Node::LocalVariableTargetNode { .. } => self.field(pattern),
            other => self.node(other),
        }
    }
    /// `*rest` in a pattern.
    fn splat(&self, rest: &Node<'_>) -> Found {
        let name = match rest.as_splat_node() {
            Some(splat) => splat.expression(),
            None => None,
        };
        match name {
            Some(name) => self.field(&name),
            None => Some(ended(&rest.location(), "var_field", [Sexp::Nil])),
        }
    }
    /// A variable of a pattern, which is complete by itself: it knows where it ends.
    fn field(&self, name: &Node<'_>) -> Found {
        Some(match self.target(name)? {
            Sexp::List(parts) => Sexp::Node(name.location().end() as usize, parts),
            other => other,
        })
    }
    fn pattern_pair(&self, pair: &Node<'_>) -> Found {
        let pair = pair.as_assoc_node()?;
        let key = pair.key();
        let key = match key.as_symbol_node() {
            Some(symbol) if symbol.opening_loc().is_some() => {
                list("string_content", self.content(&symbol.content_loc()))
            }
            _ => self.node(&key)?,
        };
        let value = pair.value();
        let value = if value.as_implicit_node().is_some() { Sexp::Nil } else { self.pattern(&value)? };
        Some(Sexp::List(vec![key, value]))
    }
}
