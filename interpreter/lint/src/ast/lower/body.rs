//! Conditions, loops, `begin`, definitions.

use super::{Form, Kind, Lower, Span, name, opt, span};
use ruby_prism::{BeginNode, IfNode, Node, ParametersNode};

impl<'t> Lower<'t> {
    pub(super) fn body(&mut self, body: Option<Node<'t>>) -> u32 {
        match body {
            None => 0,
            Some(node) => match (node.as_statements_node(), node.as_begin_node()) {
                (Some(statements), _) => self.statements(Some(statements)),
                (None, Some(begin)) if begin.begin_keyword_loc().is_none() => self.rescued(&begin),
                _ => self.node(&node),
            },
        }
    }

    pub(super) fn control(&mut self, node: &Node<'t>, here: Span) -> Option<u32> {
        Some(match node {
            Node::StatementsNode { .. } => self.statements(node.as_statements_node()),
            Node::ParenthesesNode { .. } => {
                let parens = node.as_parentheses_node()?;
                let inner = parens.body();
                let statements = inner.as_ref().and_then(Node::as_statements_node);
                let kids = match (statements, inner) {
                    (Some(statements), _) => self.list(&statements.body()),
                    (None, Some(inner)) => vec![self.node(&inner)],
                    (None, None) => Vec::new(),
                };
                let id = self.add(Kind::Begin, here, &kids);
                self.with(id, |node| {
                    node.open = span(&parens.opening_loc());
                    node.close = span(&parens.closing_loc());
                })
            }
            Node::BeginNode { .. } => {
                let begin = node.as_begin_node()?;
                let plain = begin.rescue_clause().is_none() && begin.ensure_clause().is_none();
                let kids = if plain {
                    begin.statements().map(|code| self.list(&code.body())).unwrap_or_default()
                } else {
                    vec![self.rescued(&begin)]
                };
                let id = self.add(Kind::Kwbegin, here, &kids);
                self.with(id, |node| node.open = opt(begin.begin_keyword_loc()))
            }
            Node::RescueModifierNode { .. } => {
                let rescue = node.as_rescue_modifier_node()?;
                let body = self.node(&rescue.expression());
                let instead = self.node(&rescue.rescue_expression());
                let clause =
                    self.add(Kind::Resbody, Span::new(rescue.keyword_loc().start(), here.end), &[0, 0, instead]);
                self.add(Kind::Rescue, here, &[body, clause, 0])
            }
            Node::IfNode { .. } => return Some(self.condition(&node.as_if_node()?, here)),
            Node::UnlessNode { .. } => {
                let unless = node.as_unless_node()?;
                let keyword = span(&unless.unless_keyword_loc());
                let condition = self.node(&unless.predicate());
                let body = self.statements(unless.statements());
                let otherwise = unless.else_clause();
                let close = otherwise.as_ref().map_or_else(Span::default, |clause| span(&clause.else_keyword_loc()));
                let otherwise = self.statements(otherwise.and_then(|clause| clause.statements()));
                let id = self.add(Kind::If, here, &[condition, otherwise, body]);
                let modifier = unless.end_keyword_loc().is_none();
                self.with(id, |node| {
                    node.form = if modifier { Form::ModifierUnless } else { Form::Unless };
                    node.selector = keyword;
                    node.close = close;
                })
            }
            Node::CaseNode { .. } => {
                let case = node.as_case_node()?;
                let mut kids = vec![self.opt(case.predicate())];
                kids.extend(self.list(&case.conditions()));
                kids.push(self.statements(case.else_clause().and_then(|clause| clause.statements())));
                let close = case.else_clause().map_or_else(Span::default, |clause| span(&clause.else_keyword_loc()));
                let id = self.add(Kind::Case, here, &kids);
                self.with(id, |node| {
                    node.selector = span(&case.case_keyword_loc());
                    node.close = close;
                })
            }
            Node::WhenNode { .. } => {
                let when = node.as_when_node()?;
                let mut kids = self.list(&when.conditions());
                kids.push(self.statements(when.statements()));
                let id = self.add(Kind::When, here, &kids);
                self.with(id, |node| node.selector = Span::new(here.start, here.start + 4))
            }
            Node::CaseMatchNode { .. } => {
                let case = node.as_case_match_node()?;
                let mut kids = vec![self.opt(case.predicate())];
                kids.extend(self.list(&case.conditions()));
                kids.push(self.statements(case.else_clause().and_then(|clause| clause.statements())));
                self.add(Kind::CaseMatch, here, &kids)
            }
            Node::InNode { .. } => {
                let body = self.statements(node.as_in_node()?.statements());
                self.add(Kind::Other, here, &[body])
            }
            Node::WhileNode { .. } => {
                let node = node.as_while_node()?;
                let kids = [self.node(&node.predicate()), self.statements(node.statements())];
                self.add(Kind::While, here, &kids)
            }
            Node::UntilNode { .. } => {
                let node = node.as_until_node()?;
                let kids = [self.node(&node.predicate()), self.statements(node.statements())];
                self.add(Kind::Until, here, &kids)
            }
            Node::ForNode { .. } => {
                let node = node.as_for_node()?;
                let kids =
                    [self.node(&node.index()), self.node(&node.collection()), self.statements(node.statements())];
                self.add(Kind::For, here, &kids)
            }
            _ => return None,
        })
    }

    fn condition(&mut self, node: &IfNode<'t>, here: Span) -> u32 {
        let keyword = opt(node.if_keyword_loc());
        let condition = self.node(&node.predicate());
        let body = self.statements(node.statements());
        let next = node.subsequent();
        let mut close = Span::default();
        let otherwise = match &next {
            None => 0,
            Some(next) => match (next.as_else_node(), next.as_if_node()) {
                (Some(clause), _) => {
                    close = span(&clause.else_keyword_loc());
                    self.statements(clause.statements())
                }
                (None, Some(elsif)) => {
                    close = opt(elsif.if_keyword_loc());
                    self.node(next)
                }
                _ => 0,
            },
        };
        let form = match keyword.of(self.source) {
            "" => Form::Ternary,
            "elsif" => Form::Elsif,
            _ if node.end_keyword_loc().is_none() => Form::ModifierIf,
            _ => Form::If,
        };
        let id = self.add(Kind::If, here, &[condition, body, otherwise]);
        self.with(id, |node| {
            node.form = form;
            node.selector = keyword;
            node.close = close;
        })
    }

    /// A body with `rescue` or `ensure`.
    fn rescued(&mut self, begin: &BeginNode<'t>) -> u32 {
        let mut id = self.statements(begin.statements());
        let mut here = self.span_of(id);
        if let Some(first) = begin.rescue_clause() {
            if here.is_empty() {
                here = span(&first.location());
            }
            let mut kids = vec![id];
            let mut clause = Some(first);
            while let Some(rescue) = clause {
                let list = self.list(&rescue.exceptions());
                let whole = span(&rescue.location());
                let list = if list.is_empty() { 0 } else { self.add(Kind::Array, whole, &list) };
                let variable = self.opt(rescue.reference());
                let body = self.statements(rescue.statements());
                let end = self.span_of(body).end.max(self.span_of(variable).end).max(rescue.keyword_loc().end());
                kids.push(self.add(Kind::Resbody, Span::new(whole.start, end), &[list, variable, body]));
                here.end = here.end.max(end);
                clause = rescue.subsequent();
            }
            kids.push(self.statements(begin.else_clause().and_then(|clause| clause.statements())));
            id = self.add(Kind::Rescue, here, &kids);
        }
        if let Some(ensure) = begin.ensure_clause() {
            let last = self.statements(ensure.statements());
            let here = self.span_of(id).join(self.span_of(last));
            id = self.add(Kind::Ensure, here, &[id, last]);
        }
        id
    }

    pub(super) fn definition(&mut self, node: &Node<'t>, here: Span) -> Option<u32> {
        Some(match node {
            Node::DefNode { .. } => {
                let def = node.as_def_node()?;
                let kids = def.parameters().map(|list| self.parameters(&list)).unwrap_or_default();
                let at = def.parameters().map_or_else(|| span(&def.name_loc()), |list| span(&list.location()));
                let args = self.add(Kind::Args, at, &kids);
                let receiver = self.opt(def.receiver());
                let body = self.body(def.body());
                let text = name(&def.name());
                let id = if receiver == 0 {
                    self.named(Kind::Def, here, text, &[args, body])
                } else {
                    self.named(Kind::Defs, here, text, &[receiver, args, body])
                };
                self.with(id, |node| node.selector = span(&def.name_loc()))
            }
            Node::ClassNode { .. } => {
                let class = node.as_class_node()?;
                let kids = [self.node(&class.constant_path()), self.opt(class.superclass()), self.body(class.body())];
                self.named(Kind::Class, here, name(&class.name()), &kids)
            }
            Node::ModuleNode { .. } => {
                let module = node.as_module_node()?;
                let kids = [self.node(&module.constant_path()), self.body(module.body())];
                self.named(Kind::Module, here, name(&module.name()), &kids)
            }
            Node::SingletonClassNode { .. } => {
                let class = node.as_singleton_class_node()?;
                let kids = [self.node(&class.expression()), self.body(class.body())];
                self.add(Kind::Sclass, here, &kids)
            }
            _ => return None,
        })
    }

    pub(super) fn parameters(&mut self, list: &ParametersNode<'t>) -> Vec<u32> {
        let mut all = Vec::new();
        for node in list.requireds().iter().chain(&list.optionals()).chain(list.rest()).chain(&list.posts()) {
            all.push(self.parameter(&node));
        }
        for node in list.keywords().iter().chain(list.keyword_rest()).chain(list.block()) {
            all.push(self.parameter(&node));
        }
        all
    }

    fn parameter(&mut self, node: &Node<'t>) -> u32 {
        let here = span(&node.location());
        let (text, value, form) = if let Some(node) = node.as_required_parameter_node() {
            (name(&node.name()), 0, Form::Required)
        } else if let Some(node) = node.as_optional_parameter_node() {
            (name(&node.name()), self.node(&node.value()), Form::Plain)
        } else if let Some(node) = node.as_optional_keyword_parameter_node() {
            (name(&node.name()), self.node(&node.value()), Form::Plain)
        } else if let Some(node) = node.as_required_keyword_parameter_node() {
            (name(&node.name()), 0, Form::Plain)
        } else {
            ("", 0, Form::Plain)
        };
        let id = self.named(Kind::Arg, here, text, &[value]);
        self.with(id, |node| node.form = form)
    }
}
