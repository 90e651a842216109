//! Branches, loops, jumps and exceptions.

use super::statements::without_begin;
use super::{Builder, Child, Found, Lit, child, from, node, to};
use ruby_prism as prism;
use ruby_prism::Node;

/// What a branch is made of.
struct Branch<'a> {
    kind: &'static str,
    condition: Node<'a>,
    then: Option<prism::StatementsNode<'a>>,
    /// `then` or what stands for it.
    keyword: Option<prism::Location<'a>>,
    otherwise: Option<Node<'a>>,
    modifier: bool,
}

impl Builder<'_> {
    /// A condition, in which some literals are matches.
    pub(super) fn condition(&self, found: &Node<'_>) -> Found {
        match found {
            Node::FlipFlopNode { .. } => {
                let range = found.as_flip_flop_node()?;
                let kind = if range.is_exclude_end() { "FLIP3" } else { "FLIP2" };
                let whole = range.location();
                let mut made = self.range_as(kind, range.left(), &range.operator_loc(), range.right(), &whole)?;
                for (index, side) in [range.left(), range.right()].iter().enumerate() {
                    if let (Some(side), Some(slot)) = (side, made.children.get_mut(index)) {
                        *slot = Child::Node(self.condition(side)?);
                    }
                }
                Some(made)
            }
            Node::AndNode { .. } | Node::OrNode { .. } => {
                let (kind, left, right) = match found.as_and_node() {
                    Some(both) => ("AND", both.left(), both.right()),
                    None => {
                        let both = found.as_or_node()?;
                        ("OR", both.left(), both.right())
                    }
                };
                let whole = found.location();
                Some(self.logic(kind, self.condition(&left)?, self.condition(&right)?, from(&whole), to(&whole)))
            }
            Node::ParenthesesNode { .. } => {
                let parens = found.as_parentheses_node()?;
                let body = parens.body();
                let statements = body.as_ref().and_then(Node::as_statements_node);
                let only = statements.as_ref().filter(|all| all.body().len() == 1).and_then(|all| all.body().first());
                match only {
                    Some(only) => Some(without_begin(self.condition(&only)?)),
                    None => self.node(found),
                }
            }
            other => self.node(other),
        }
    }
    fn branch(&self, branch: &Branch<'_>, start: usize, end: usize) -> Found {
        let condition = self.condition(&branch.condition)?;
        let at = self.after_then(to(&branch.condition.location()), branch.keyword.as_ref());
        let then = if branch.modifier {
            without_begin(self.node(&branch.then.as_ref()?.body().first()?)?)
        } else {
            self.body_of(branch.then.as_ref(), at, false)?
        };
        let otherwise = match &branch.otherwise {
            Some(found) => Some(self.otherwise(found)?),
            None => None,
        };
        Some(node(branch.kind, start, end, vec![Child::Node(condition), Child::Node(then), child(otherwise)]))
    }
    fn otherwise(&self, found: &Node<'_>) -> Found {
        match found {
            Node::ElseNode { .. } => {
                let clause = found.as_else_node()?;
                self.body_of(clause.statements().as_ref(), to(&clause.else_keyword_loc()), false)
            }
            other => self.elsif(other),
        }
    }
    /// `elsif`: it ends where the last clause does, with the separators there.
    fn elsif(&self, found: &Node<'_>) -> Found {
        let branch = found.as_if_node()?;
        let parts = Branch {
            kind: "IF",
            condition: branch.predicate(),
            then: branch.statements(),
            keyword: branch.then_keyword_loc(),
            otherwise: branch.subsequent(),
            modifier: false,
        };
        let start = from(&branch.location());
        let made = self.branch(&parts, start, start)?;
        let end = match branch.subsequent() {
            Some(Node::ElseNode { .. }) => {
                let clause = branch.subsequent()?.as_else_node()?;
                self.trailing(clause.statements().map_or(to(&clause.else_keyword_loc()), |all| to(&all.location())))
            }
            Some(_) => made.child(2)?.to,
            None => {
                let at = self.after_then(to(&branch.predicate().location()), branch.then_keyword_loc().as_ref());
                self.trailing(branch.statements().map_or(at, |all| to(&all.location())))
            }
        };
        Some(made.at(start, end))
    }
    /// Control flow; None for other nodes.
    pub(super) fn control(&self, found: &Node<'_>) -> Found {
        let whole = found.location();
        let (start, end) = (from(&whole), to(&whole));
        match found {
            Node::IfNode { .. } => {
                let branch = found.as_if_node()?;
                let keyword = branch.if_keyword_loc();
                let modifier = keyword.as_ref().is_some_and(|keyword| from(keyword) > start);
                if keyword.is_none() {
                    return self.ternary(&branch);
                }
                let parts = Branch {
                    kind: "IF",
                    condition: branch.predicate(),
                    then: branch.statements(),
                    keyword: branch.then_keyword_loc(),
                    otherwise: branch.subsequent(),
                    modifier,
                };
                self.branch(&parts, start, end)
            }
            Node::UnlessNode { .. } => {
                let branch = found.as_unless_node()?;
                let parts = Branch {
                    kind: "UNLESS",
                    condition: branch.predicate(),
                    then: branch.statements(),
                    keyword: branch.then_keyword_loc(),
                    otherwise: branch.else_clause().map(|clause| clause.as_node()),
                    modifier: branch.end_keyword_loc().is_none(),
                };
                self.branch(&parts, start, end)
            }
            Node::WhileNode { .. } => {
                let found = found.as_while_node()?;
                let modifier = !whole.as_slice().starts_with(b"while") && !whole.as_slice().starts_with(b"until");
                self.repeat("WHILE", &found.predicate(), found.statements(), found.do_keyword_loc(), modifier, &whole)
            }
            Node::UntilNode { .. } => {
                let found = found.as_until_node()?;
                let modifier = !whole.as_slice().starts_with(b"while") && !whole.as_slice().starts_with(b"until");
                self.repeat("UNTIL", &found.predicate(), found.statements(), found.do_keyword_loc(), modifier, &whole)
            }
            Node::ForNode { .. } => self.for_loop(&found.as_for_node()?),
            Node::CaseNode { .. } => self.case(&found.as_case_node()?),
            Node::BeginNode { .. } => {
                let begin = found.as_begin_node()?;
                let at = begin.begin_keyword_loc().map_or(start, |keyword| to(&keyword));
                let body = self.clauses(&begin, at, false)?;
                Some(node("BEGIN", start, end, vec![Child::Node(body)]))
            }
            Node::RescueModifierNode { .. } => {
                let found = found.as_rescue_modifier_node()?;
                let head = self.node(&found.expression())?;
                let value = without_begin(self.node(&found.rescue_expression())?);
                let clause = vec![Child::Nil, Child::Node(value), Child::Nil];
                let clause = node("RESBODY", from(&found.keyword_loc()), end, clause);
                Some(node("RESCUE", start, end, vec![Child::Node(head), Child::Node(clause), Child::Nil]))
            }
            Node::ReturnNode { .. } => self.jump("RETURN", found.as_return_node()?.arguments(), &whole),
            Node::BreakNode { .. } => self.jump("BREAK", found.as_break_node()?.arguments(), &whole),
            Node::NextNode { .. } => self.jump("NEXT", found.as_next_node()?.arguments(), &whole),
            Node::FlipFlopNode { .. } => self.condition(found),
            Node::MatchLastLineNode { .. } => {
                let regexp = found.as_match_last_line_node()?;
                let options = super::literal::options(regexp.closing_loc().as_slice());
                let lit = Lit::Regexp(regexp.unescaped().to_vec(), options);
                Some(node("MATCH", start, end, vec![Child::Lit(lit)]))
            }
            _ => None,
        }
    }
    fn ternary(&self, branch: &prism::IfNode<'_>) -> Found {
        let one = |all: Option<prism::StatementsNode<'_>>| -> Found { self.node(&all?.body().first()?) };
        let condition = self.condition(&branch.predicate())?;
        let then = one(branch.statements())?;
        let otherwise = one(branch.subsequent()?.as_else_node()?.statements())?;
        let whole = branch.location();
        let children = vec![Child::Node(condition), Child::Node(then), Child::Node(otherwise)];
        Some(node("IF", from(&whole), to(&whole), children))
    }
    fn repeat(
        &self,
        kind: &'static str,
        condition: &Node<'_>,
        statements: Option<prism::StatementsNode<'_>>,
        keyword: Option<prism::Location<'_>>,
        modifier: bool,
        whole: &prism::Location<'_>,
    ) -> Found {
        let mut first = Child::True;
        let test = self.condition(condition)?;
        let body = if modifier {
            let only = statements?.body().first()?;
            let made = self.node(&only)?;
            if only.as_begin_node().is_some() {
                first = Child::False;
                match made.children.into_iter().next() {
                    Some(Child::Node(inner)) => inner,
                    _ => return None,
                }
            } else {
                made
            }
        } else {
            let at = self.after_then(to(&condition.location()), keyword.as_ref());
            self.body_of(statements.as_ref(), at, false)?
        };
        Some(node(kind, from(whole), to(whole), vec![Child::Node(test), Child::Node(body), first]))
    }
    /// `return`, `break`, `next`: several values are an Array.
    fn jump(
        &self,
        kind: &'static str,
        arguments: Option<prism::ArgumentsNode<'_>>,
        whole: &prism::Location<'_>,
    ) -> Found {
        let value = self.arguments(arguments.as_ref(), None)?;
        let value = match value {
            Some(mut list) if list.kind == "LIST" => {
                if list.children.len() == 2 {
                    list.children.into_iter().next().unwrap_or(Child::Nil)
                } else {
                    list.kind = "VALUES";
                    Child::Node(list)
                }
            }
            other => child(other),
        };
        Some(node(kind, from(whole), to(whole), vec![value]))
    }
    fn for_loop(&self, found: &prism::ForNode<'_>) -> Found {
        let whole = found.location();
        let (start, end) = (from(&whole), to(&whole));
        let index = found.index();
        let place = index.location();
        let (at, at_end) = (from(&place), to(&place));
        let hidden = || node("DVAR", at, at_end, vec![Child::Nil]);
        let target = match index.as_multi_target_node() {
            Some(_) => {
                let value = node("FOR_MASGN", at, at_end, vec![Child::Node(hidden())]);
                let mut made = self.assign_to(&index, Some(value), at, at_end)?;
                if let Some(Child::Node(list)) = made.children.get_mut(1) {
                    list.from = at;
                }
                made
            }
            None => self.assign_to(&index, Some(hidden()), at, at_end)?,
        };
        let mut args = self.no_args(at, at_end, i64::from(target.kind != "MASGN"));
        if let Some(init) = args.children.get_mut(1) {
            *init = Child::Node(target);
        }
        let at = self.after_then(to(&found.collection().location()), found.do_keyword_loc().as_ref());
        let body = self.body_of(found.statements().as_ref(), at, false)?;
        let scope = node("SCOPE", start, end, vec![Child::Names(vec![None]), Child::Node(args), Child::Node(body)]);
        Some(node("FOR", start, end, vec![Child::Node(self.node(&found.collection())?), Child::Node(scope)]))
    }
    fn case(&self, found: &prism::CaseNode<'_>) -> Found {
        let whole = found.location();
        let mut next = None;
        let mut end = 0;
        if let Some(clause) = found.else_clause() {
            let keyword = to(&clause.else_keyword_loc());
            next = Some(self.body_of(clause.statements().as_ref(), keyword, false)?);
            end = self.trailing(clause.statements().map_or(keyword, |all| to(&all.location())));
        }
        let clauses: Vec<Node<'_>> = found.conditions().iter().collect();
        for clause in clauses.iter().rev() {
            let clause = clause.as_when_node()?;
            let values: Vec<Node<'_>> = clause.conditions().iter().collect();
            let last = values.last().map_or(0, |last| to(&last.location()));
            let at = self.after_then(last, clause.then_keyword_loc().as_ref());
            let body = self.body_of(clause.statements().as_ref(), at, false)?;
            if end == 0 {
                end = self.trailing(clause.statements().map_or(at, |all| to(&all.location())));
            }
            let children = vec![child(self.values(&values)?), Child::Node(body), child(next)];
            next = Some(node("WHEN", from(&clause.location()), end, children));
        }
        let subject = self.optional(found.predicate().as_ref())?;
        let kind = if subject == Child::Nil { "CASE2" } else { "CASE" };
        Some(node(kind, from(&whole), to(&whole), vec![subject, child(next)]))
    }
}
