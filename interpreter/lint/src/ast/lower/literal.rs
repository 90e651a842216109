//! Literals, variables, constants.

use super::{Form, Kind, Lower, Span, name, opt, span};
use ruby_prism::{Location, Node, NodeList};

impl<'t> Lower<'t> {
    pub(super) fn literal(&mut self, node: &Node<'t>, here: Span) -> Option<u32> {
        Some(match node {
            Node::StringNode { .. } | Node::InterpolatedStringNode { .. } => return self.string(node, here),
            Node::SymbolNode { .. } => {
                let symbol = node.as_symbol_node()?;
                let (open, close) = (opt(symbol.opening_loc()), opt(symbol.closing_loc()));
                let label = close.of(self.source).ends_with(':');
                let here = if label { Span::new(here.start, here.end.saturating_sub(1)) } else { here };
                let text = self.value(span(&symbol.content_loc()), symbol.unescaped());
                let id = self.named(Kind::Sym, here, text, &[]);
                self.with(id, |node| {
                    node.open = open;
                    node.form = if label { Form::Label } else { Form::Plain };
                })
            }
            Node::InterpolatedSymbolNode { .. } => {
                let symbol = node.as_interpolated_symbol_node()?;
                let parts = self.parts(&symbol.parts());
                self.add(Kind::Dsym, here, &parts)
            }
            Node::XStringNode { .. } => {
                let text = node.as_x_string_node()?;
                let parts = self.lines(&text.content_loc(), text.unescaped(), true);
                let id = self.add(Kind::Xstr, here, &parts);
                self.quoted(id, span(&text.opening_loc()), span(&text.closing_loc()))
            }
            Node::InterpolatedXStringNode { .. } => {
                let text = node.as_interpolated_x_string_node()?;
                let parts = self.parts(&text.parts());
                let id = self.add(Kind::Xstr, here, &parts);
                self.quoted(id, span(&text.opening_loc()), span(&text.closing_loc()))
            }
            Node::RegularExpressionNode { .. } => {
                let regexp = node.as_regular_expression_node()?;
                let parts = self.lines(&regexp.content_loc(), regexp.unescaped(), true);
                let id = self.add(Kind::Regexp, here, &parts);
                self.quoted(id, span(&regexp.opening_loc()), span(&regexp.closing_loc()))
            }
            Node::InterpolatedRegularExpressionNode { .. } => {
                let regexp = node.as_interpolated_regular_expression_node()?;
                let parts = self.parts(&regexp.parts());
                let id = self.add(Kind::Regexp, here, &parts);
                self.quoted(id, span(&regexp.opening_loc()), span(&regexp.closing_loc()))
            }
            Node::IntegerNode { .. } | Node::SourceLineNode { .. } => self.written(Kind::Int, here),
            Node::FloatNode { .. } => self.written(Kind::Float, here),
            Node::RationalNode { .. } => self.written(Kind::Rational, here),
            Node::ImaginaryNode { .. } => self.written(Kind::Complex, here),
            Node::SourceFileNode { .. } => self.add(Kind::Str, here, &[]),
            Node::TrueNode { .. } => self.add(Kind::True, here, &[]),
            Node::FalseNode { .. } => self.add(Kind::False, here, &[]),
            Node::NilNode { .. } => self.add(Kind::Nil, here, &[]),
            Node::SelfNode { .. } => self.add(Kind::SelfRef, here, &[]),
            Node::ArrayNode { .. } => {
                let array = node.as_array_node()?;
                let kids = self.list(&array.elements());
                let id = self.add(Kind::Array, here, &kids);
                self.quoted(id, opt(array.opening_loc()), opt(array.closing_loc()))
            }
            Node::HashNode { .. } => {
                let hash = node.as_hash_node()?;
                let kids = self.list(&hash.elements());
                let id = self.add(Kind::Hash, here, &kids);
                self.quoted(id, span(&hash.opening_loc()), span(&hash.closing_loc()))
            }
            Node::KeywordHashNode { .. } => {
                let kids = self.list(&node.as_keyword_hash_node()?.elements());
                self.add(Kind::Hash, here, &kids)
            }
            Node::AssocNode { .. } => {
                let pair = node.as_assoc_node()?;
                let kids = [self.node(&pair.key()), self.node(&pair.value())];
                let operator = opt(pair.operator_loc());
                let id = self.add(Kind::Pair, here, &kids);
                self.with(id, |node| node.selector = operator)
            }
            Node::ImplicitNode { .. } => return Some(self.node(&node.as_implicit_node()?.value())),
            _ => return self.variable(node, here),
        })
    }

    fn variable(&mut self, node: &Node<'t>, here: Span) -> Option<u32> {
        let (kind, text) = match node {
            Node::LocalVariableReadNode { .. } => (Kind::Lvar, name(&node.as_local_variable_read_node()?.name())),
            Node::ItLocalVariableReadNode { .. } => (Kind::Lvar, "it"),
            Node::InstanceVariableReadNode { .. } => (Kind::Ivar, name(&node.as_instance_variable_read_node()?.name())),
            Node::GlobalVariableReadNode { .. } => (Kind::Gvar, name(&node.as_global_variable_read_node()?.name())),
            Node::ClassVariableReadNode { .. } => (Kind::Cvar, name(&node.as_class_variable_read_node()?.name())),
            Node::ConstantReadNode { .. } => {
                let text = name(&node.as_constant_read_node()?.name());
                let id = self.named(Kind::Const, here, text, &[0]);
                return Some(self.with(id, |node| node.selector = here));
            }
            Node::ConstantPathNode { .. } => {
                let path = node.as_constant_path_node()?;
                let scope = match path.parent() {
                    Some(scope) => self.node(&scope),
                    None => self.add(Kind::Cbase, span(&path.delimiter_loc()), &[]),
                };
                let text = path.name().as_ref().map_or("", name);
                let id = self.named(Kind::Const, here, text, &[scope]);
                return Some(self.with(id, |node| node.selector = span(&path.name_loc())));
            }
            _ => return None,
        };
        Some(self.named(kind, here, text, &[]))
    }

    /// The value of a literal: a slice of the source if it contains no escapes.
    fn value(&mut self, content: Span, unescaped: &[u8]) -> &'t str {
        let written = content.of(self.source);
        if written.as_bytes() == unescaped { written } else { self.keep(unescaped) }
    }

    /// A literal whose value is its source text.
    fn written(&mut self, kind: Kind, here: Span) -> u32 {
        let text = here.of(self.source);
        self.named(kind, here, text, &[])
    }

    fn quoted(&mut self, id: u32, open: Span, close: Span) -> u32 {
        let heredoc = open.of(self.source).starts_with("<<");
        let mut close = close;
        if heredoc && close.of(self.source).ends_with('\n') {
            close.end -= 1;
        }
        self.with(id, |node| {
            node.open = open;
            node.close = close;
            if heredoc {
                node.form = Form::Heredoc;
            }
        })
    }

    fn string(&mut self, node: &Node<'t>, here: Span) -> Option<u32> {
        if let Some(text) = node.as_string_node() {
            let (open, close) = (opt(text.opening_loc()), opt(text.closing_loc()));
            let content = span(&text.content_loc()).of(self.source);
            let id = if content.split_inclusive('\n').count() > 1 {
                let lines = self.lines(&text.content_loc(), text.unescaped(), raw(open.of(self.source)));
                self.add(Kind::Dstr, here, &lines)
            } else {
                let text = self.value(span(&text.content_loc()), text.unescaped());
                self.named(Kind::Str, here, text, &[])
            };
            return Some(self.quoted(id, open, close));
        }
        let text = node.as_interpolated_string_node()?;
        let parts = self.parts(&text.parts());
        let (open, close) = (opt(text.opening_loc()), opt(text.closing_loc()));
        let only = match parts.as_slice() {
            [one] => self.nodes.get(*one as usize).filter(|part| part.kind == Kind::Str).map(|part| part.text),
            _ => None,
        };
        let id = match only {
            Some(value) if !open.is_empty() => self.named(Kind::Str, here, value, &[]),
            _ => self.add(Kind::Dstr, here, &parts),
        };
        Some(self.quoted(id, open, close))
    }

    /// The lines of a literal, each as a string node.
    fn lines(&mut self, content: &Location<'_>, unescaped: &[u8], raw: bool) -> Vec<u32> {
        let whole = span(content);
        let text = whole.of(self.source);
        if !text.contains('\n') {
            let value = self.value(whole, unescaped);
            return if text.is_empty() { Vec::new() } else { vec![self.named(Kind::Str, whole, value, &[])] };
        }
        let mut rest = if raw { "" } else { self.value(whole, unescaped) };
        let mut at = whole.start;
        let mut all = Vec::new();
        for line in text.split_inclusive('\n') {
            let here = Span::new(at, at + u32::try_from(line.len()).unwrap_or(0));
            at = here.end;
            // a line without escapes is its own value; otherwise the value is the next line of the unescaped text
            let value =
                if raw || !line.contains('\\') { line } else { rest.split_inclusive('\n').next().unwrap_or("") };
            rest = rest.strip_prefix(value).unwrap_or(rest);
            all.push(self.named(Kind::Str, here, value, &[]));
        }
        all
    }

    fn parts(&mut self, parts: &NodeList<'t>) -> Vec<u32> {
        let mut all = Vec::new();
        for part in parts {
            if let Some(text) = part.as_string_node().filter(|text| text.opening_loc().is_none()) {
                all.extend(self.lines(&text.content_loc(), text.unescaped(), false));
            } else if let Some(code) = part.as_embedded_statements_node() {
                let kids = code.statements().map(|code| self.list(&code.body())).unwrap_or_default();
                let id = self.add(Kind::Begin, span(&code.location()), &kids);
                self.with(id, |node| node.open = span(&code.opening_loc()));
                all.push(id);
            } else if let Some(code) = part.as_embedded_variable_node() {
                all.push(self.node(&code.variable()));
            } else {
                all.push(self.node(&part));
            }
        }
        all
    }
}

/// Whether the quotes leave backslashes in the text unchanged.
fn raw(open: &str) -> bool {
    open.starts_with('\'') || open.starts_with("%q") || (open.starts_with("<<") && open.contains('\''))
}
