//! Strings, symbols, regexps and arrays of words.

use super::{Builder, Found, Sexp, list, node, sym};
use ruby_prism as prism;
use ruby_prism::Node;

impl Builder<'_> {
    /// The parts of a string.
    pub(super) fn parts<'pr>(&self, parts: impl Iterator<Item = Node<'pr>>) -> Option<Vec<Sexp>> {
        let mut made = Vec::new();
        for part in parts {
            match &part {
                Node::StringNode { .. } => made.extend(self.content(&part.as_string_node()?.content_loc())),
                Node::EmbeddedStatementsNode { .. } => {
                    let embedded = part.as_embedded_statements_node()?;
                    let parts = vec![sym("string_embexpr"), self.statements(embedded.statements().as_ref())?];
                    made.push(Sexp::Node(embedded.location().end() as usize, parts));
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
    /// The parts of a here-document that loses the indentation that its lines have in common, and how much that is. Lines are parts of their own
    /// until one is not indented; from then on, what is not interrupted is one part.
    fn dedented<'pr>(&self, parts: impl Iterator<Item = Node<'pr>>) -> Option<(Vec<Sexp>, usize)> {
        let mut made: Vec<Sexp> = Vec::new();
        let mut width = None;
        // where the last part ends, if the next line is to be joined with it
        let mut open = None;
        let mut covered = 0;
        for part in parts {
            let whole = part.location();
            let (start, end) = (whole.start() as usize, whole.end() as usize);
            let is_text = part.as_string_node().is_some();
            // prism leaves out what is nothing but indentation before an interpolation
            let blanks = self.source.get(..start).unwrap_or_default().iter().rev();
            let begin = start - blanks.take_while(|byte| !is_text && matches!(byte, b' ' | b'\t')).count();
            let is_line = begin == 0 || self.source.get(begin - 1) == Some(&b'\n');
            if is_line && begin < start && covered <= begin {
                width = narrower(width, self.source.get(begin..).unwrap_or_default());
                made.push(self.token("@tstring_content", begin, start));
            } else if start == 0 || self.source.get(start - 1) == Some(&b'\n') {
                width = narrower(width, self.source.get(start..).unwrap_or_default());
            }
            covered = end;
            if let (true, Some((at, from))) = (is_text, open)
                && at == start
            {
                made.pop();
                made.push(self.token("@tstring_content", from, end));
                open = Some((end, from));
                continue;
            }
            made.extend(self.parts(std::iter::once(part))?);
            open = (is_text && width == Some(0)).then_some((end, start));
        }
        Some((made, width.unwrap_or(0)))
    }
    fn regexp(&self, parts: Vec<Sexp>, closing: &prism::Location<'_>) -> Sexp {
        node("regexp_literal", [list("regexp", parts), self.at("@regexp_end", closing)])
    }
    /// As [`Self::dedented`], of a here-document without interpolation, which is one part for prism.
    fn dedented_text(&self, content: &prism::Location<'_>) -> (Vec<Sexp>, usize) {
        let (mut made, mut at, mut from) = (Vec::new(), content.start() as usize, content.start() as usize);
        let mut width: Option<usize> = None;
        for line in content.as_slice().split_inclusive(|byte| *byte == b'\n') {
            width = narrower(width, line);
            at += line.len();
            if width != Some(0) {
                made.push(self.token("@tstring_content", from, at));
                from = at;
            }
        }
        if from < at {
            made.push(self.token("@tstring_content", from, at));
        }
        (made, width.unwrap_or(0))
    }
    pub(super) fn content(&self, loc: &prism::Location<'_>) -> Vec<Sexp> {
        if loc.as_slice().is_empty() { Vec::new() } else { vec![self.at("@tstring_content", loc)] }
    }
    pub(super) fn string(
        &self,
        opening: Option<prism::Location<'_>>,
        (parts, width): (Vec<Sexp>, usize),
        whole: &prism::Location<'_>,
    ) -> Sexp {
        if opening.is_some_and(|opening| opening.as_slice() == b"?") {
            return self.at("@CHAR", whole);
        }
        node("string_literal", [heredoc_dedent(list("string_content", parts), width)])
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
            Some(_) => Some(node("dyna_symbol", [list("string_content", self.content(&content))])),
        }
    }
    pub(super) fn array(&self, array: &prism::ArrayNode<'_>) -> Found {
        let elements: Vec<Node<'_>> = array.elements().iter().collect();
        if array.opening_loc().is_some_and(|opening| opening.as_slice().starts_with(b"%")) {
            let kind = match array.opening_loc()?.as_slice().get(1) {
                Some(b'w') => "qwords",
                Some(b'i') => "qsymbols",
                Some(b'W') => "words",
                _ => "symbols",
            };
            let is_plain = kind.starts_with('q');
            let word = |element: &Node<'_>| {
                let parts = match element {
                    Node::StringNode { .. } => self.content(&element.as_string_node()?.content_loc()),
                    Node::SymbolNode { .. } => self.content(&element.as_symbol_node()?.content_loc()),
                    Node::InterpolatedStringNode { .. } => {
                        self.parts(element.as_interpolated_string_node()?.parts().iter())?
                    }
                    Node::InterpolatedSymbolNode { .. } => {
                        self.parts(element.as_interpolated_symbol_node()?.parts().iter())?
                    }
                    _ => return None,
                };
                if is_plain { parts.into_iter().next() } else { Some(list("word", parts)) }
            };
            return Some(node("array", [list(kind, elements.iter().map(word).collect::<Option<_>>()?)]));
        }
        let inside = if elements.is_empty() { Sexp::Nil } else { self.values(&elements)? };
        Some(node("array", [inside]))
    }
    pub(super) fn text(&self, found: &Node<'_>) -> Found {
        let whole = found.location();
        match found {
            Node::StringNode { .. } => {
                let string = found.as_string_node()?;
                let content = string.content_loc();
                let parts = match is_dedented(string.opening_loc()) {
                    true => self.dedented_text(&content),
                    false => (self.content(&content), 0),
                };
                Some(self.string(string.opening_loc(), parts, &whole))
            }
            Node::InterpolatedStringNode { .. } => {
                let string = found.as_interpolated_string_node()?;
                if string.opening_loc().is_none() {
                    let parts: Vec<Node<'_>> = string.parts().iter().collect();
                    return self.row_of_strings(&parts);
                }
                let parts = match is_dedented(string.opening_loc()) {
                    true => self.dedented(string.parts().iter())?,
                    false => (self.parts(string.parts().iter())?, 0),
                };
                Some(self.string(string.opening_loc(), parts, &whole))
            }
            Node::XStringNode { .. } => {
                let string = found.as_x_string_node()?;
                let content = string.content_loc();
                let (parts, width) = match is_dedented(Some(string.opening_loc())) {
                    true => self.dedented_text(&content),
                    false => (self.content(&content), 0),
                };
                Some(node("xstring_literal", [heredoc_dedent(list("xstring", parts), width)]))
            }
            Node::InterpolatedXStringNode { .. } => {
                let string = found.as_interpolated_x_string_node()?;
                let (parts, width) = match is_dedented(Some(string.opening_loc())) {
                    true => self.dedented(string.parts().iter())?,
                    false => (self.parts(string.parts().iter())?, 0),
                };
                Some(node("xstring_literal", [heredoc_dedent(list("xstring", parts), width)]))
            }
            Node::SymbolNode { .. } => self.symbol(&found.as_symbol_node()?),
            Node::InterpolatedSymbolNode { .. } => {
                let parts = self.parts(found.as_interpolated_symbol_node()?.parts().iter())?;
                Some(node("dyna_symbol", [list("string_content", parts)]))
            }
            Node::RegularExpressionNode { .. } => {
                let regexp = found.as_regular_expression_node()?;
                Some(self.regexp(self.content(&regexp.content_loc()), &regexp.closing_loc()))
            }
            Node::MatchLastLineNode { .. } => {
                let regexp = found.as_match_last_line_node()?;
                Some(self.regexp(self.content(&regexp.content_loc()), &regexp.closing_loc()))
            }
            Node::InterpolatedRegularExpressionNode { .. } => {
                let regexp = found.as_interpolated_regular_expression_node()?;
                Some(self.regexp(self.parts(regexp.parts().iter())?, &regexp.closing_loc()))
            }
            Node::InterpolatedMatchLastLineNode { .. } => {
                let regexp = found.as_interpolated_match_last_line_node()?;
                Some(self.regexp(self.parts(regexp.parts().iter())?, &regexp.closing_loc()))
            }
            _ => None,
        }
    }
}

/// The smaller of a width and the indentation of a line, which does not count if there is nothing else in it.
fn narrower(width: Option<usize>, line: &[u8]) -> Option<usize> {
    let indented = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    if line.get(indented).is_none_or(|byte| *byte == b'\n') {
        return width;
    }
    let columns = line.iter().take(indented).fold(0, |at, byte| if *byte == b'\t' { (at / 8 + 1) * 8 } else { at + 1 });
    Some(width.map_or(columns, |known| known.min(columns)))
}

fn heredoc_dedent(content: Sexp, width: usize) -> Sexp {
    if width == 0 { content } else { node("heredoc_dedent", [content, Sexp::Int(width as i64)]) }
}

fn is_dedented(opening: Option<prism::Location<'_>>) -> bool {
    opening.is_some_and(|opening| opening.as_slice().starts_with(b"<<~"))
}
