//! Literals; interpolated texts grow part by part.

use super::{Ast, Builder, Child, Found, Lit, from, list, node, to};
use ruby_prism as prism;
use ruby_prism::Node;

/// Where the name of a here document stands.
struct Heredoc {
    from: usize,
    to: usize,
    /// `<<~`
    squiggly: bool,
}

impl Heredoc {
    fn of(opening: &prism::Location<'_>) -> Option<Heredoc> {
        let text = opening.as_slice();
        text.starts_with(b"<<").then(|| Heredoc {
            from: from(opening),
            to: to(opening),
            squiggly: text.starts_with(b"<<~"),
        })
    }
}

/// A text under construction.
enum Text {
    Nothing,
    Plain(Ast),
    Dynamic {
        lit: Option<Vec<u8>>,
        items: Vec<Ast>,
        from: usize,
        to: usize,
    },
    /// Only an interpolation.
    Only(Ast),
}

fn string(bytes: &[u8], from: usize, to: usize) -> Ast {
    node("STR", from, to, vec![Child::Lit(Lit::Str(bytes.to_vec()))])
}
fn bytes_of(found: &Ast) -> Vec<u8> {
    match found.children.first() {
        Some(Child::Lit(Lit::Str(bytes))) => bytes.clone(),
        _ => Vec::new(),
    }
}
/// An interpolated text in which nothing is interpolated.
fn is_static(found: &Ast) -> bool {
    found.kind == "DSTR" && found.children.get(1) == Some(&Child::Nil)
}
/// The node of an interpolated text: its beginning, its first part and the list of the others.
fn dynamic(kind: &'static str, lit: Option<Vec<u8>>, items: Vec<Ast>, from: usize, to: usize) -> Ast {
    let mut items = items.into_iter();
    let first = items.next().map_or(Child::Nil, Child::Node);
    let others: Vec<Ast> = items.collect();
    let rest = match others.first().map(|first| (first.from, first.to)) {
        Some((from, to)) => Child::Node(list(others).at(from, to)),
        None => Child::Nil,
    };
    let lit = lit.map_or(Child::Nil, |lit| Child::Lit(Lit::Str(lit)));
    node(kind, from, to, vec![lit, first, rest])
}

impl Text {
    fn is_static(&self) -> bool {
        match self {
            Text::Nothing | Text::Plain(_) => true,
            Text::Only(_) => false,
            Text::Dynamic { items, .. } => items.is_empty(),
        }
    }
    /// Adds a plain part.
    fn push_plain(self, part: Ast) -> Text {
        match self {
            Text::Nothing => Text::Plain(part),
            Text::Plain(before) => {
                let mut bytes = bytes_of(&before);
                bytes.extend(bytes_of(&part));
                Text::Plain(string(&bytes, before.from, before.to))
            }
            Text::Only(first) => {
                let (from, to) = (first.from, part.to);
                Text::Dynamic { lit: Some(Vec::new()), items: vec![first, part], from, to }
            }
            Text::Dynamic { lit, mut items, from, to } => {
                if items.is_empty() {
                    let mut bytes = lit.unwrap_or_default();
                    bytes.extend(bytes_of(&part));
                    return Text::Dynamic { lit: Some(bytes), items, from, to };
                }
                if let Some(last) = items.last_mut().filter(|last| last.kind == "STR" || is_static(last)) {
                    let mut bytes = bytes_of(last);
                    bytes.extend(bytes_of(&part));
                    if let Some(text) = last.children.first_mut() {
                        *text = Child::Lit(Lit::Str(bytes));
                    }
                    return Text::Dynamic { lit, items, from, to };
                }
                let to = part.to;
                items.push(part);
                Text::Dynamic { lit, items, from, to }
            }
        }
    }
    /// Adds an interpolation.
    fn push_code(self, part: Ast) -> Text {
        let to = part.to;
        match self {
            Text::Nothing => Text::Only(part),
            Text::Plain(before) => {
                Text::Dynamic { lit: Some(bytes_of(&before)), items: vec![part], from: before.from, to }
            }
            Text::Only(first) => {
                let from = first.from;
                Text::Dynamic { lit: Some(Vec::new()), items: vec![first, part], from, to }
            }
            Text::Dynamic { lit, mut items, from, .. } => {
                items.push(part);
                Text::Dynamic { lit, items, from, to }
            }
        }
    }
    /// Adds another whole literal.
    fn push_text(self, other: Text) -> Text {
        match other {
            Text::Nothing => self,
            Text::Plain(part) => self.push_plain(part),
            Text::Only(part) => self.push_code(part),
            Text::Dynamic { lit, items, from, to } => {
                let lit = lit.unwrap_or_default();
                match self {
                    Text::Nothing => Text::Dynamic { lit: Some(lit), items, from, to },
                    Text::Plain(before) => {
                        let mut bytes = bytes_of(&before);
                        bytes.extend(lit);
                        Text::Dynamic { lit: Some(bytes), items, from, to }
                    }
                    Text::Only(first) => {
                        let start = first.from;
                        let mut all = vec![first, string(&lit, start, to)];
                        all.extend(items);
                        Text::Dynamic { lit: Some(Vec::new()), items: all, from: start, to }
                    }
                    Text::Dynamic { lit: own, items: before, from: own_from, to: own_to } => {
                        let joined = Text::Dynamic { lit: own, items: before, from: own_from, to: own_to };
                        match joined.push_plain(string(&lit, own_from, to)) {
                            Text::Dynamic { lit, items: mut all, .. } => {
                                all.extend(items);
                                Text::Dynamic { lit, items: all, from: own_from, to: own_to }
                            }
                            other => other,
                        }
                    }
                }
            }
        }
    }
    fn place(self, start: usize, end: usize) -> Text {
        match self {
            Text::Plain(found) => Text::Plain(found.at(start, end)),
            Text::Only(found) => Text::Only(found.at(start, end)),
            Text::Dynamic { lit, items, .. } => Text::Dynamic { lit, items, from: start, to: end },
            Text::Nothing => Text::Nothing,
        }
    }
    /// The node of a String.
    fn string(self, start: usize, end: usize) -> Ast {
        match self {
            Text::Nothing => string(b"", start, end),
            Text::Plain(found) => found,
            Text::Only(found) => {
                let (from, to) = (found.from, found.to);
                dynamic("DSTR", Some(Vec::new()), vec![found], from, to)
            }
            Text::Dynamic { lit, items, from, to } => dynamic("DSTR", lit, items, from, to),
        }
    }
    /// The node of another kind of text: plain or interpolated.
    fn other(
        self,
        kinds: (&'static str, &'static str),
        plain: impl Fn(Vec<u8>) -> Lit,
        start: usize,
        end: usize,
    ) -> Ast {
        match self {
            Text::Nothing => node(kinds.0, start, end, vec![Child::Lit(plain(Vec::new()))]),
            Text::Plain(found) => node(kinds.0, start, end, vec![Child::Lit(plain(bytes_of(&found)))]),
            Text::Only(found) => {
                let lit = (kinds.1 == "DREGX").then(Vec::new);
                dynamic(kinds.1, lit, vec![found], start, end)
            }
            Text::Dynamic { lit, items, .. } if items.is_empty() && kinds.1 == "DREGX" => {
                node(kinds.0, start, end, vec![Child::Lit(plain(lit.unwrap_or_default()))])
            }
            Text::Dynamic { lit, items, .. } => {
                let code_first = kinds.1 == "DREGX" && lit.as_ref().is_some_and(Vec::is_empty);
                dynamic(kinds.1, lit.filter(|_| !code_first), items, start, end)
            }
        }
    }
}

/// The options of a Regexp by the letters after it.
pub(super) fn options(closing: &[u8]) -> u8 {
    closing.iter().fold(0, |all, letter| {
        all | match letter {
            b'i' => 1,
            b'x' => 2,
            b'm' => 4,
            b'n' => 32,
            b'u' | b'e' | b's' => 16,
            _ => 0,
        }
    })
}

impl Builder<'_> {
    /// Remembers a here document: where its lines begin, the one with its name goes on after them.
    fn note_document(&self, opening: &prism::Location<'_>, closing: Option<prism::Location<'_>>) {
        let (Some(closing), true) = (closing, opening.as_slice().starts_with(b"<<")) else { return };
        let rest = self.source.get(from(opening)..).unwrap_or_default();
        let Some(mut line) = rest.iter().position(|byte| *byte == b'\n').map(|at| from(opening) + at) else { return };
        if line > 0 && self.source.get(line - 1) == Some(&b'\r') {
            line -= 1;
        }
        let end = to(&closing);
        let mut documents = self.documents.borrow_mut();
        let last = documents.entry(line).or_insert(end);
        *last = (*last).max(end);
    }
    /// Literals; None for other nodes.
    pub(super) fn literal(&self, found: &Node<'_>) -> Found {
        let whole = found.location();
        let (start, end) = (from(&whole), to(&whole));
        let lit = |value: Lit| Some(node("LIT", start, end, vec![Child::Lit(value)]));
        match found {
            Node::IntegerNode { .. }
            | Node::FloatNode { .. }
            | Node::RationalNode { .. }
            | Node::ImaginaryNode { .. } => {
                // a sign does not belong to the place of a number
                let start = if whole.as_slice().starts_with(b"-") { start + 1 } else { start };
                Some(node("LIT", start, end, vec![Child::Lit(number(found)?)]))
            }
            Node::SymbolNode { .. } => lit(Lit::Sym(found.as_symbol_node()?.unescaped().to_vec())),
            Node::StringNode { .. } => {
                let text = found.as_string_node()?;
                if let Some(opening) = text.opening_loc() {
                    self.note_document(&opening, text.closing_loc());
                }
                // a word of a list
                let start = if text.opening_loc().is_none() { self.place_of_part(start, end) } else { start };
                let end = text
                    .opening_loc()
                    .filter(|opening| opening.as_slice().starts_with(b"<<"))
                    .map_or(end, |opening| to(&opening));
                Some(string(text.unescaped(), start, end))
            }
            Node::XStringNode { .. } => {
                let text = found.as_x_string_node()?;
                let opening = text.opening_loc();
                self.note_document(&opening, Some(text.closing_loc()));
                let end = if opening.as_slice().starts_with(b"<<") { to(&opening) } else { end };
                Some(node("XSTR", start, end, vec![Child::Lit(Lit::Str(text.unescaped().to_vec()))]))
            }
            Node::InterpolatedStringNode { .. } => Some(self.interpolated(found)?.string(start, end)),
            Node::InterpolatedXStringNode { .. } => {
                let text = found.as_interpolated_x_string_node()?;
                let opening = text.opening_loc();
                let heredoc = Heredoc::of(&opening);
                self.note_document(&opening, Some(text.closing_loc()));
                let end = if heredoc.is_some() { to(&opening) } else { end };
                let made = self.parts(&text.parts(), heredoc)?;
                Some(made.other(("XSTR", "DXSTR"), Lit::Str, start, end))
            }
            Node::InterpolatedSymbolNode { .. } => {
                let made = self.parts(&found.as_interpolated_symbol_node()?.parts(), None)?;
                Some(made.other(("LIT", "DSYM"), Lit::Sym, start, end))
            }
            Node::RegularExpressionNode { .. } => {
                let regexp = found.as_regular_expression_node()?;
                lit(Lit::Regexp(regexp.unescaped().to_vec(), options(regexp.closing_loc().as_slice())))
            }
            Node::InterpolatedRegularExpressionNode { .. } => {
                let regexp = found.as_interpolated_regular_expression_node()?;
                let letters = regexp.closing_loc().as_slice().to_vec();
                let made = self.parts(&regexp.parts(), None)?;
                let made = made.other(("LIT", "DREGX"), |text| Lit::Regexp(text, options(&letters)), start, end);
                let once = letters.contains(&b'o') && made.kind == "DREGX";
                Some(if once { node("ONCE", start, end, vec![Child::Node(made)]) } else { made })
            }
            Node::InterpolatedMatchLastLineNode { .. } => {
                let regexp = found.as_interpolated_match_last_line_node()?;
                let made = self.parts(&regexp.parts(), None)?;
                let letters = regexp.closing_loc().as_slice().to_vec();
                let made = made.other(("LIT", "DREGX"), |text| Lit::Regexp(text, options(&letters)), start, end);
                let line = node("GVAR", start, end, vec![Child::Sym(b"$_".to_vec())]);
                Some(node("MATCH2", start, end, vec![Child::Node(made), Child::Node(line)]))
            }
            Node::SourceFileNode { .. } => Some(string(self.path.as_bytes(), start, end)),
            Node::SourceLineNode { .. } => {
                let line = self.source.get(..start).unwrap_or_default().iter().filter(|byte| **byte == b'\n').count();
                lit(Lit::Int((line + 1).to_string()))
            }
            _ => None,
        }
    }
    /// The text of an interpolated String, or of several literals side by side.
    fn interpolated(&self, found: &Node<'_>) -> Option<Text> {
        if let Some(plain) = found.as_string_node() {
            let whole = plain.location();
            if plain.content_loc().as_slice().is_empty() {
                return Some(Text::Nothing);
            }
            return Some(Text::Plain(string(plain.unescaped(), from(&whole), to(&whole))));
        }
        let text = found.as_interpolated_string_node()?;
        let whole = text.location();
        let Some(opening) = text.opening_loc() else {
            let is_text = |part: Node<'_>| {
                part.as_interpolated_string_node().is_some()
                    || part.as_string_node().is_some_and(|part| part.opening_loc().is_some())
            };
            if !text.parts().iter().all(is_text) {
                // a word of a list
                return Some(self.parts(&text.parts(), None)?.place(from(&whole), to(&whole)));
            }
            let mut made = Text::Nothing;
            for part in text.parts().iter() {
                made = made.push_text(self.interpolated(&part)?);
            }
            return Some(made);
        };
        let heredoc = Heredoc::of(&opening);
        self.note_document(&opening, text.closing_loc());
        let place = if heredoc.is_some() { (from(&opening), to(&opening)) } else { (from(&whole), to(&whole)) };
        let made = self.parts(&text.parts(), heredoc)?;
        Some(made.place(place.0, place.1))
    }
    /// The end of the plain parts of a here document that follow each other.
    fn part_end(&self, parts: &prism::NodeList<'_>, index: usize, end: usize) -> usize {
        let plain = parts.iter().skip(index).take_while(|part| part.as_string_node().is_some()).last();
        plain.map_or(end, |part| to(&part.location()))
    }
    /// The place of a plain part: from the last line or escape in it.
    fn place_of_part(&self, start: usize, end: usize) -> usize {
        let text = self.source.get(start..end).unwrap_or_default();
        let mut at = 0;
        let mut index = 0;
        while let Some(byte) = text.get(index) {
            match byte {
                b'\\' => {
                    at = index;
                    index += 1;
                }
                b'\n' => at = index + 1,
                _ => {}
            }
            index += 1;
        }
        start + at
    }
    /// The same in a here document; `next` is where the part after it begins.
    fn place_in_heredoc(&self, doc: &Heredoc, start: usize, end: usize, next: bool) -> (usize, usize) {
        let text = self.source.get(start..end).unwrap_or_default();
        let before = start.saturating_sub(1);
        if doc.squiggly {
            let line = text.iter().position(|byte| *byte == b'\n').map(|at| start + at);
            let escaped = self.place_of_part(start, line.unwrap_or(end));
            return (if escaped > start { escaped } else { before }, line.map_or(end, |line| line + super::AFTER));
        }
        if !next {
            return (doc.to, doc.to);
        }
        let place = self.place_of_part(start, end);
        (if place > start { place } else { before }, end)
    }
    /// The parts of a text. In a here document they stand where its name does.
    fn parts(&self, parts: &prism::NodeList<'_>, heredoc: Option<Heredoc>) -> Option<Text> {
        let mut made = Text::Nothing;
        for (index, part) in parts.iter().enumerate() {
            let loc = part.location();
            let (mut start, end) = (from(&loc), to(&loc));
            if let (Some(doc), true) = (&heredoc, part.as_string_node().is_none()) {
                start = doc.from;
            }
            made = match &part {
                Node::StringNode { .. } => {
                    let text = part.as_string_node()?;
                    let next = parts.iter().skip(index + 1).any(|part| part.as_string_node().is_none());
                    let (start, end) = match &heredoc {
                        Some(doc) => self.place_in_heredoc(doc, start, self.part_end(parts, index, end), next),
                        None => (self.place_of_part(start, end), end),
                    };
                    made.push_plain(string(text.unescaped(), start, end))
                }
                Node::EmbeddedStatementsNode { .. } => {
                    let inner = part.as_embedded_statements_node()?;
                    let opening = to(&inner.opening_loc());
                    let body = match inner.statements() {
                        Some(statements) => Child::Node(self.body_of(Some(&statements), opening, false)?),
                        None => Child::Node(self.nothing(opening)),
                    };
                    match body {
                        // a text in a text is joined to it
                        Child::Node(body) if body.kind == "STR" => {
                            let (lit, from, to) = (Some(bytes_of(&body)), body.from, body.to);
                            if made.is_static() {
                                made.push_text(Text::Dynamic { lit, items: Vec::new(), from, to })
                            } else {
                                made.push_code(dynamic("DSTR", lit, Vec::new(), from, to))
                            }
                        }
                        body => made.push_code(node("EVSTR", start, end, vec![body])),
                    }
                }
                Node::EmbeddedVariableNode { .. } => {
                    let inner = self.node(&part.as_embedded_variable_node()?.variable())?;
                    made.push_code(node("EVSTR", start, end, vec![Child::Node(inner)]))
                }
                _ => made.push_text(self.interpolated(&part)?),
            };
        }
        Some(made)
    }
    pub(super) fn array(&self, array: &prism::ArrayNode<'_>) -> Found {
        let whole = array.location();
        let elements: Vec<Node<'_>> = array.elements().iter().collect();
        let made = self.values(&elements)?;
        if array.opening_loc().is_none() {
            return made;
        }
        Some(match made {
            Some(made) => made.at(from(&whole), to(&whole)),
            None => node("ZLIST", from(&whole), to(&whole), Vec::new()),
        })
    }
}
fn digits(value: &prism::Integer<'_>) -> String {
    let (negative, words) = value.to_u32_digits();
    let number =
        num_bigint::BigInt::from_slice(if negative { num_bigint::Sign::Minus } else { num_bigint::Sign::Plus }, words);
    number.to_string()
}
fn number(found: &Node<'_>) -> Option<Lit> {
    Some(match found {
        Node::IntegerNode { .. } => Lit::Int(digits(&found.as_integer_node()?.value())),
        Node::FloatNode { .. } => Lit::Float(found.as_float_node()?.value()),
        Node::RationalNode { .. } => {
            let rational = found.as_rational_node()?;
            Lit::Rational(digits(&rational.numerator()), digits(&rational.denominator()))
        }
        Node::ImaginaryNode { .. } => Lit::Imaginary(Box::new(number(&found.as_imaginary_node()?.numeric())?)),
        _ => return None,
    })
}
