//! Statements: bodies, conditions, loops, definitions, jumps.

use super::{Builder, Found, Sexp, list, node, sym};
use ruby_prism as prism;
use ruby_prism::Node;

impl Builder<'_> {
    pub(super) fn statements(&self, statements: Option<&prism::StatementsNode<'_>>) -> Found {
        let made: Vec<Sexp> = match statements {
            Some(statements) => statements.body().iter().map(|node| self.node(&node)).collect::<Option<_>>()?,
            None => Vec::new(),
        };
        Some(list("stmts", if made.is_empty() { vec![node("void_stmt", [])] } else { made }))
    }
    pub(super) fn body(&self, body: Option<&Node<'_>>) -> Found {
        let Some(body) = body else { return self.statements(None) };
        match body {
            Node::StatementsNode { .. } => self.statements(body.as_statements_node().as_ref()),
            other => Some(list("stmts", vec![self.node(other)?])),
        }
    }
    /// Statements, or a `bodystmt`, with an empty one before the others: the one that a `;`, or the end of the line after a name, makes.
    fn after_empty(&self, mut body: Sexp) -> Sexp {
        let Sexp::List(parts) = &mut body else { return body };
        let empty = node("void_stmt", []);
        let statements = match parts.get_mut(1) {
            Some(Sexp::List(inner)) if inner.first() == Some(&sym("stmts")) => inner,
            _ => parts,
        };
        if statements.get(1) != Some(&empty) {
            statements.insert(1, empty);
        }
        body
    }
    /// As [`Self::after_empty`] if a `;` follows what ends at an offset.
    pub(super) fn after_semicolon(&self, end: usize, body: Sexp) -> Sexp {
        let rest = self.source.get(end..).unwrap_or_default();
        match rest.iter().find(|byte| !matches!(byte, b' ' | b'\t')) {
            Some(b';') => self.after_empty(body),
            _ => body,
        }
    }
    /// `[:bodystmt, statements, rescue, else, ensure]`
    pub(super) fn bodystmt(&self, body: Option<&Node<'_>>) -> Found {
        if let Some(begin) = body.and_then(Node::as_begin_node) {
            return self.begin_parts(&begin);
        }
        Some(node("bodystmt", [self.body(body)?, Sexp::Nil, Sexp::Nil, Sexp::Nil]))
    }
    pub(super) fn begin_parts(&self, begin: &prism::BeginNode<'_>) -> Found {
        let rescue = begin.rescue_clause().map_or(Some(Sexp::Nil), |clause| self.rescue(&clause))?;
        let other = begin.else_clause().map_or(Some(Sexp::Nil), |clause| self.else_statements(&clause))?;
        let ensure = begin.ensure_clause().map_or(Some(Sexp::Nil), |clause| {
            let statements = self.statements(clause.statements().as_ref())?;
            let end = clause.ensure_keyword_loc().end() as usize;
            Some(node("ensure", [self.after_semicolon(end, statements)]))
        })?;
        Some(node("bodystmt", [self.statements(begin.statements().as_ref())?, rescue, other, ensure]))
    }
    pub(super) fn rescue(&self, clause: &prism::RescueNode<'_>) -> Found {
        let classes: Vec<Node<'_>> = clause.exceptions().iter().collect();
        let classes = match classes.as_slice() {
            [] => Sexp::Nil,
            [Node::SplatNode { .. }] => self.right_hand_side(&classes)?,
            [one] => Sexp::List(vec![self.node(one)?]),
            _ => self.right_hand_side(&classes)?,
        };
        let reference = clause.reference().map_or(Some(Sexp::Nil), |target| self.target(&target))?;
        let next = clause.subsequent().map_or(Some(Sexp::Nil), |clause| self.rescue(&clause))?;
        Some(node("rescue", [classes, reference, self.statements(clause.statements().as_ref())?, next]))
    }
    pub(super) fn condition(
        &self,
        kind: &str,
        predicate: &Node<'_>,
        statements: Option<&prism::StatementsNode<'_>>,
        rest: Sexp,
    ) -> Found {
        Some(node(kind, [self.node(predicate)?, self.statements(statements)?, rest]))
    }
    pub(super) fn modified(
        &self,
        kind: &str,
        predicate: &Node<'_>,
        statements: Option<&prism::StatementsNode<'_>>,
    ) -> Found {
        let body = statements?.body().iter().next()?;
        Some(node(kind, [self.node(predicate)?, self.node(&body)?]))
    }
    pub(super) fn if_node(&self, found: &prism::IfNode<'_>) -> Found {
        let statements = found.statements();
        let rest = found.subsequent();
        let Some(keyword) = found.if_keyword_loc() else {
            let first = statements?.body().iter().next()?;
            let second = rest?.as_else_node()?.statements()?.body().iter().next()?;
            return Some(node("ifop", [self.node(&found.predicate())?, self.node(&first)?, self.node(&second)?]));
        };
        if found.end_keyword_loc().is_none() && keyword.as_slice() == b"if" {
            return self.modified("if_mod", &found.predicate(), statements.as_ref());
        }
        let rest = match rest {
            None => Sexp::Nil,
            Some(rest) => match rest.as_if_node() {
                Some(next) => self.if_node(&next)?,
                None => self.else_node(&rest.as_else_node()?)?,
            },
        };
        let kind = if keyword.as_slice() == b"elsif" { "elsif" } else { "if" };
        self.condition(kind, &found.predicate(), statements.as_ref(), rest)
    }
    pub(super) fn else_node(&self, found: &prism::ElseNode<'_>) -> Found {
        Some(node("else", [self.else_statements(found)?]))
    }
    fn else_statements(&self, found: &prism::ElseNode<'_>) -> Found {
        let statements = self.statements(found.statements().as_ref())?;
        Some(self.after_semicolon(found.else_keyword_loc().end() as usize, statements))
    }
    pub(super) fn case(&self, found: &prism::CaseNode<'_>) -> Found {
        let mut rest = found.else_clause().map_or(Some(Sexp::Nil), |clause| self.else_node(&clause))?;
        let clauses: Vec<Node<'_>> = found.conditions().iter().collect();
        for clause in clauses.iter().rev() {
            let clause = clause.as_when_node()?;
            let values: Vec<Node<'_>> = clause.conditions().iter().collect();
            rest = node("when", [self.values(&values)?, self.statements(clause.statements().as_ref())?, rest]);
        }
        Some(node("case", [self.optional(found.predicate().as_ref())?, rest]))
    }
    pub(super) fn definition(&self, found: &prism::DefNode<'_>) -> Found {
        let parameters = match found.parameters() {
            Some(parameters) => self.parameters(&parameters)?,
            None => self.no_parameters(),
        };
        let parameters = match found.rparen_loc() {
            Some(end) => Sexp::Node(end.end() as usize, vec![sym("paren"), parameters]),
            None => parameters,
        };
        let body = found.body();
        let body = if found.equal_loc().is_some() {
            let one = match body.as_ref()? {
                Node::StatementsNode { .. } => body.as_ref()?.as_statements_node()?.body().iter().next()?,
                _ => return None,
            };
            node("bodystmt", [self.node(&one)?, Sexp::Nil, Sexp::Nil, Sexp::Nil])
        } else {
            let made = self.bodystmt(body.as_ref())?;
            let end = found.rparen_loc().map_or(usize::MAX, |paren| paren.end() as usize);
            self.after_semicolon(end, made)
        };
        let name = self.name(&found.name_loc());
        Some(match (found.receiver(), found.operator_loc()) {
            (Some(receiver), Some(period)) => {
                node("defs", [self.node(&receiver)?, self.period(&period), name, parameters, body])
            }
            _ => node("def", [name, parameters, body]),
        })
    }
    pub(super) fn constant_reference(&self, path: &Node<'_>) -> Found {
        match path {
            Node::ConstantReadNode { .. } => Some(node("const_ref", [self.at("@const", &path.location())])),
            other => self.node(other),
        }
    }
    pub(super) fn statement(&self, found: &Node<'_>) -> Found {
        match found {
            Node::DefNode { .. } => self.definition(&found.as_def_node()?),
            Node::ClassNode { .. } => {
                let class = found.as_class_node()?;
                let parent = self.optional(class.superclass().as_ref())?;
                let body = class.body();
                let body = match parent {
                    Sexp::Nil => self.after_empty(self.bodystmt(body.as_ref())?),
                    _ => self.bodystmt(body.as_ref())?,
                };
                Some(node("class", [self.constant_reference(&class.constant_path())?, parent, body]))
            }
            Node::ModuleNode { .. } => {
                let module = found.as_module_node()?;
                let body = self.after_empty(self.bodystmt(module.body().as_ref())?);
                Some(node("module", [self.constant_reference(&module.constant_path())?, body]))
            }
            Node::SingletonClassNode { .. } => {
                let class = found.as_singleton_class_node()?;
                Some(node("sclass", [self.node(&class.expression())?, self.bodystmt(class.body().as_ref())?]))
            }
            Node::BeginNode { .. } => {
                let begin = found.as_begin_node()?;
                let body = self.begin_parts(&begin)?;
                let end = begin.begin_keyword_loc().map_or(usize::MAX, |keyword| keyword.end() as usize);
                Some(node("begin", [self.after_semicolon(end, body)]))
            }
            Node::IfNode { .. } => self.if_node(&found.as_if_node()?),
            Node::UnlessNode { .. } => {
                let unless = found.as_unless_node()?;
                let statements = unless.statements();
                if unless.end_keyword_loc().is_none() {
                    return self.modified("unless_mod", &unless.predicate(), statements.as_ref());
                }
                let rest = unless.else_clause().map_or(Some(Sexp::Nil), |clause| self.else_node(&clause))?;
                self.condition("unless", &unless.predicate(), statements.as_ref(), rest)
            }
            Node::WhileNode { .. } => {
                let repeat = found.as_while_node()?;
                self.repetition("while", &repeat.predicate(), repeat.statements(), repeat.end_keyword_loc().is_some())
            }
            Node::UntilNode { .. } => {
                let repeat = found.as_until_node()?;
                self.repetition("until", &repeat.predicate(), repeat.statements(), repeat.end_keyword_loc().is_some())
            }
            Node::ForNode { .. } => {
                let each = found.as_for_node()?;
                let statements = self.statements(each.statements().as_ref())?;
                Some(node("for", [self.target(&each.index())?, self.node(&each.collection())?, statements]))
            }
            Node::CaseNode { .. } => self.case(&found.as_case_node()?),
            Node::RescueModifierNode { .. } => {
                let rescue = found.as_rescue_modifier_node()?;
                Some(node("rescue_mod", [self.node(&rescue.expression())?, self.node(&rescue.rescue_expression())?]))
            }
            Node::AliasMethodNode { .. } => {
                let alias = found.as_alias_method_node()?;
                Some(node("alias", [self.method_name(&alias.new_name())?, self.method_name(&alias.old_name())?]))
            }
            Node::AliasGlobalVariableNode { .. } => {
                let alias = found.as_alias_global_variable_node()?;
                let name = |name: Node<'_>| {
                    let at = name.location();
                    self.at(if name.as_global_variable_read_node().is_some() { "@gvar" } else { "@backref" }, &at)
                };
                Some(node("var_alias", [name(alias.new_name()), name(alias.old_name())]))
            }
            Node::PreExecutionNode { .. } => {
                Some(node("BEGIN", [self.statements(found.as_pre_execution_node()?.statements().as_ref())?]))
            }
            Node::PostExecutionNode { .. } => {
                Some(node("END", [self.statements(found.as_post_execution_node()?.statements().as_ref())?]))
            }
            Node::CaseMatchNode { .. } | Node::MatchPredicateNode { .. } | Node::MatchRequiredNode { .. } => {
                self.case_in(found)
            }
            Node::UndefNode { .. } => {
                let names =
                    found.as_undef_node()?.names().iter().map(|name| self.method_name(&name)).collect::<Option<_>>()?;
                Some(node("undef", [Sexp::List(names)]))
            }
            _ => self.control(found),
        }
    }
    pub(super) fn method_name(&self, name: &Node<'_>) -> Found {
        match name.as_symbol_node() {
            Some(symbol) if symbol.opening_loc().is_none() => {
                Some(node("symbol_literal", [self.name(&symbol.content_loc())]))
            }
            _ => self.node(name),
        }
    }
    pub(super) fn repetition(
        &self,
        kind: &str,
        predicate: &Node<'_>,
        statements: Option<prism::StatementsNode<'_>>,
        closed: bool,
    ) -> Found {
        if closed {
            return Some(node(kind, [self.node(predicate)?, self.statements(statements.as_ref())?]));
        }
        self.modified(&format!("{kind}_mod"), predicate, statements.as_ref())
    }
}
