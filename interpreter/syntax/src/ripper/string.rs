//! Strings, symbols, regexps and arrays of words.

use super::{Builder, Found, Sexp, node, sym};
use ruby_prism as prism;
use ruby_prism::Node;

impl Builder<'_> {
    /// The parts of a string.
    pub(super) fn parts<'pr>(&self, parts: impl Iterator<Item = Node<'pr>>) -> Option<Vec<Sexp>> {
        self.parts_of(parts, false)
    }
    pub(super) fn parts_of<'pr>(&self, parts: impl Iterator<Item = Node<'pr>>, dedented: bool) -> Option<Vec<Sexp>> {
        let mut made = Vec::new();
        for part in parts {
            match &part {
                Node::StringNode { .. } => {
                    let string = part.as_string_node()?;
                    made.extend(self.dedented(&string.content_loc(), string.unescaped(), dedented));
                }
                Node::EmbeddedStatementsNode { .. } => {
                    let inner = part.as_embedded_statements_node()?.statements();
                    made.push(node("string_embexpr", [self.statements(inner.as_ref())?]));
                }
                Node::EmbeddedVariableNode { .. } => {
                    made.push(node("string_dvar", [self.node(&part.as_embedded_variable_node()?.variable())?]));
                }
                Node::InterpolatedStringNode { .. } => {
                    made.extend(self.parts(part.as_interpolated_string_node()?.parts().iter())?);
                }
                _ => return None,
            }
        }
        Some(made)
    }
    /// A line of a here-document; `<<~` removed the blanks at its beginning if it is `dedented`.
    pub(super) fn dedented(&self, loc: &prism::Location<'_>, unescaped: &[u8], dedented: bool) -> Vec<Sexp> {
        let lost = loc.as_slice().len().saturating_sub(unescaped.len());
        let blank = loc.as_slice().iter().take(lost).all(|byte| matches!(byte, b' ' | b'\t'));
        if !dedented || lost == 0 || !blank {
            return self.content(loc);
        }
        vec![self.token("@tstring_content", loc.start() as usize + lost, loc.end() as usize)]
    }
    pub(super) fn content(&self, loc: &prism::Location<'_>) -> Vec<Sexp> {
        if loc.as_slice().is_empty() { Vec::new() } else { vec![self.at("@tstring_content", loc)] }
    }
    pub(super) fn string(
        &self,
        opening: Option<prism::Location<'_>>,
        parts: Vec<Sexp>,
        whole: &prism::Location<'_>,
    ) -> Sexp {
        if opening.is_some_and(|opening| opening.as_slice() == b"?") {
            return self.at("@CHAR", whole);
        }
        let content = Sexp::List(std::iter::once(sym("string_content")).chain(parts).collect());
        node("string_literal", [content])
    }
    /// Adjacent literals are one string.
    pub(super) fn row_of_strings(&self, parts: &[Node<'_>]) -> Found {
        let (last, first) = parts.split_last()?;
        if first.is_empty() {
            return self.node(last);
        }
        Some(node("string_concat", [self.row_of_strings(first)?, self.node(last)?]))
    }
    pub(super) fn symbol(&self, found: &prism::SymbolNode<'_>) -> Found {
        let content = found.content_loc();
        match found.opening_loc() {
            None => Some(self.at("@label", &found.location())),
            Some(opening) if opening.as_slice() == b":" => {
                Some(node("symbol_literal", [node("symbol", [self.name(&content)])]))
            }
            Some(_) => {
                let inner = Sexp::List(std::iter::once(sym("string_content")).chain(self.content(&content)).collect());
                Some(node("dyna_symbol", [inner]))
            }
        }
    }
    pub(super) fn array(&self, array: &prism::ArrayNode<'_>) -> Found {
        let elements: Vec<Node<'_>> = array.elements().iter().collect();
        if array.opening_loc().is_some_and(|opening| opening.as_slice().starts_with(b"%")) {
            let word = |element: &Node<'_>| match element {
                Node::StringNode { .. } => Some(self.at("@tstring_content", &element.as_string_node()?.content_loc())),
                Node::SymbolNode { .. } => Some(self.at("@tstring_content", &element.as_symbol_node()?.content_loc())),
                Node::InterpolatedStringNode { .. } => {
                    Some(Sexp::List(self.parts(element.as_interpolated_string_node()?.parts().iter())?))
                }
                Node::InterpolatedSymbolNode { .. } => {
                    Some(Sexp::List(self.parts(element.as_interpolated_symbol_node()?.parts().iter())?))
                }
                _ => None,
            };
            return Some(node("array", [Sexp::List(elements.iter().map(word).collect::<Option<_>>()?)]));
        }
        let inside = if elements.is_empty() { Sexp::Nil } else { self.values(&elements)? };
        Some(node("array", [inside]))
    }
    pub(super) fn text(&self, found: &Node<'_>) -> Found {
        let whole = found.location();
        match found {
            Node::StringNode { .. } => {
                let string = found.as_string_node()?;
                let parts = self.dedented(&string.content_loc(), string.unescaped(), is_dedented(string.opening_loc()));
                Some(self.string(string.opening_loc(), parts, &whole))
            }
            Node::InterpolatedStringNode { .. } => {
                let string = found.as_interpolated_string_node()?;
                if string.opening_loc().is_none() {
                    let parts: Vec<Node<'_>> = string.parts().iter().collect();
                    return self.row_of_strings(&parts);
                }
                let parts = self.parts_of(string.parts().iter(), is_dedented(string.opening_loc()))?;
                Some(self.string(string.opening_loc(), parts, &whole))
            }
            Node::XStringNode { .. } => {
                Some(node("xstring_literal", [Sexp::List(self.content(&found.as_x_string_node()?.content_loc()))]))
            }
            Node::InterpolatedXStringNode { .. } => {
                let parts = self.parts(found.as_interpolated_x_string_node()?.parts().iter())?;
                Some(node("xstring_literal", [Sexp::List(parts)]))
            }
            Node::SymbolNode { .. } => self.symbol(&found.as_symbol_node()?),
            Node::InterpolatedSymbolNode { .. } => {
                let parts = self.parts(found.as_interpolated_symbol_node()?.parts().iter())?;
                let inner = Sexp::List(std::iter::once(sym("string_content")).chain(parts).collect());
                Some(node("dyna_symbol", [inner]))
            }
            Node::RegularExpressionNode { .. } => {
                let regexp = found.as_regular_expression_node()?;
                let end = self.at("@regexp_end", &regexp.closing_loc());
                Some(node("regexp_literal", [Sexp::List(self.content(&regexp.content_loc())), end]))
            }
            Node::InterpolatedRegularExpressionNode { .. } => {
                let regexp = found.as_interpolated_regular_expression_node()?;
                let end = self.at("@regexp_end", &regexp.closing_loc());
                Some(node("regexp_literal", [Sexp::List(self.parts(regexp.parts().iter())?), end]))
            }
            _ => None,
        }
    }
}

fn is_dedented(opening: Option<prism::Location<'_>>) -> bool {
    opening.is_some_and(|opening| opening.as_slice().starts_with(b"<<~"))
}
