//! Literals: numbers, strings, symbols, regexps, arrays, hashes, ranges.

use super::{Lowering, with_line};
use crate::Symbol;
use crate::tree::{HashElem, Hint, LitEncoding, Node, RegexLit, StrLit, unique_id};
use num_bigint::{BigInt, Sign};
use ruby_prism as prism;
use std::borrow::Cow;

/// The encoding of the magic comment.
pub(super) fn magic_encoding(source: &[u8]) -> Option<LitEncoding> {
    encoding_comment(source).map(|name| LitEncoding::named(&name))
}

/// The name in the magic comment (`coding: name`) on the first line, or on the second when the first is `#!`, in lower case.
pub fn encoding_comment(source: &[u8]) -> Option<Vec<u8>> {
    let source = source.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(source);
    let mut lines = source.split(|&byte| byte == b'\n');
    let first = lines.next().unwrap_or_default();
    let line = if first.starts_with(b"#!") { lines.next().unwrap_or_default() } else { first };
    let start = line.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let comment = &line[start..];
    if comment.first() != Some(&b'#') {
        return None;
    }
    let at = comment.windows(6).position(|window| window.eq_ignore_ascii_case(b"coding"))?;
    let rest = comment[at + 6..].trim_ascii_start();
    let rest = rest.strip_prefix(b":").or_else(|| rest.strip_prefix(b"="))?;
    let name: Vec<u8> = rest
        .trim_ascii_start()
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
        .map(u8::to_ascii_lowercase)
        .collect();
    (!name.is_empty()).then_some(name)
}

impl LitEncoding {
    /// The encoding of a name in lower case.
    pub fn named(name: &[u8]) -> LitEncoding {
        match name {
            name if name.starts_with(b"utf-8") || name == b"utf8" => LitEncoding::Utf8,
            b"us-ascii" | b"ascii" | b"ansi_x3.4-1968" | b"646" => LitEncoding::UsAscii,
            b"ascii-8bit" | b"binary" => LitEncoding::Binary,
            other => LitEncoding::Named(Symbol::intern_bytes(other)),
        }
    }

    /// The encoding of a literal in a source of encoding `self`.
    fn literal(self, bytes: &[u8], forced_utf8: bool, forced_binary: bool) -> LitEncoding {
        if forced_utf8 {
            return LitEncoding::Utf8;
        }
        if forced_binary {
            return LitEncoding::Binary;
        }
        match self {
            LitEncoding::UsAscii if !bytes.is_ascii() => LitEncoding::Binary,
            other => other,
        }
    }
}

/// The bits of `Regexp#options`.
const IGNORE_CASE: u8 = 1;
const EXTENDED: u8 = 2;
const MULTI_LINE: u8 = 4;
const FIXED_ENCODING: u8 = 16;
const NO_ENCODING: u8 = 32;
/// Internal bits: `Regexp#options` does not show which encoding is fixed.
const EUC_JP: u8 = 64;
const WINDOWS_31J: u8 = 128;

/// `options!(node)`: the bits of a regexp node's flags, and whether the `o` flag is among them.
macro_rules! options {
    ($node:expr) => {{
        let node = $node;
        let mut options = 0;
        for (is_set, bit) in [
            (node.is_ignore_case(), IGNORE_CASE),
            (node.is_extended(), EXTENDED),
            (node.is_multi_line(), MULTI_LINE),
            (node.is_utf_8() || node.is_euc_jp() || node.is_windows_31j(), FIXED_ENCODING),
            (node.is_ascii_8bit(), NO_ENCODING),
            (node.is_euc_jp(), EUC_JP),
            (node.is_windows_31j(), WINDOWS_31J),
        ] {
            if is_set {
                options |= bit;
            }
        }
        (options, node.is_once())
    }};
}

/// The source of a regular expression in which the escaped delimiter stands for itself, as `\!` in `%r!\!!`, unless it has a meaning in patterns.
fn plain_delimiter<'s>(source: &'s [u8], closing: &[u8]) -> Cow<'s, [u8]> {
    let Some(&end) = closing.first().filter(|end| !b"/$*+.?^|)]}>".contains(end)) else { return Cow::Borrowed(source) };
    if !source.windows(2).any(|pair| pair == [b'\\', end]) {
        return Cow::Borrowed(source);
    }
    let mut plain = Vec::with_capacity(source.len());
    let mut rest = source.iter().copied();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            plain.push(byte);
            continue;
        }
        let next = rest.next();
        if next != Some(end) {
            plain.push(byte);
        }
        plain.extend(next);
    }
    Cow::Owned(plain)
}

/// Literal and computed parts; adjacent literals are joined.
struct Parts {
    nodes: Vec<Node>,
    bytes: Vec<u8>,
    encoding: Option<LitEncoding>,
    frozen: bool,
    /// Whether a computed part has no line of its own and can call a method.
    needs_line: bool,
    source: LitEncoding,
}

impl Parts {
    fn new(source: LitEncoding) -> Parts {
        Parts { nodes: Vec::new(), bytes: Vec::new(), encoding: None, frozen: false, needs_line: false, source }
    }

    fn literal(&mut self, bytes: &[u8], encoding: LitEncoding, frozen: bool) {
        self.encoding = match self.encoding {
            Some(known) if known == encoding || bytes.is_ascii() => Some(known),
            _ => Some(encoding),
        };
        self.bytes.extend_from_slice(bytes);
        self.frozen |= frozen;
    }

    fn take_literal(&mut self) -> Option<StrLit> {
        let encoding = self.encoding.take()?;
        let bytes = std::mem::take(&mut self.bytes).into_boxed_slice();
        Some(StrLit { bytes, encoding, frozen: self.frozen, id: Hint::default() })
    }

    fn flush(&mut self) {
        if let Some(mut literal) = self.take_literal()
            && !literal.bytes.is_empty()
        {
            literal.frozen = false;
            self.nodes.push(Node::Str(Box::new(literal)));
        }
    }

    fn computed(&mut self, node: Node) {
        self.flush();
        self.needs_line |= !matches!(
            node,
            Node::Call(_) | Node::Op(_) | Node::Const(_) | Node::ConstPath(_) | Node::Int(_) | Node::DStr(_)
        );
        self.nodes.push(node);
    }

    /// One literal, or all parts and whether they need a line.
    fn finish(mut self) -> Result<StrLit, (Vec<Node>, bool)> {
        if self.nodes.is_empty() {
            return match self.take_literal() {
                Some(literal) => Ok(literal),
                None => Ok(StrLit { bytes: Box::default(), encoding: self.source, frozen: false, id: Hint::default() }),
            };
        }
        self.flush();
        // without a literal part, an empty one gives the String the source's encoding
        if self.source != LitEncoding::Utf8 && !self.nodes.iter().any(|node| matches!(node, Node::Str(_))) {
            let empty = StrLit { bytes: Box::default(), encoding: self.source, frozen: false, id: Hint::default() };
            self.nodes.insert(0, Node::Str(Box::new(empty)));
        }
        Err((self.nodes, self.needs_line))
    }
}

impl Lowering {
    pub(super) fn integer(&mut self, node: &prism::IntegerNode<'_>) -> Node {
        integer_node(&node.value())
    }

    pub(super) fn float(&mut self, node: &prism::FloatNode<'_>) -> Node {
        Node::Float(node.value())
    }

    pub(super) fn rational(&mut self, node: &prism::RationalNode<'_>) -> Node {
        Node::Rational(Box::new((big(&node.numerator()), big(&node.denominator()))))
    }

    pub(super) fn imaginary(&mut self, node: &prism::ImaginaryNode<'_>) -> Node {
        Node::Imaginary(Box::new(self.node(&node.numeric())))
    }

    fn string_literal(&self, node: &prism::StringNode<'_>) -> StrLit {
        let bytes = node.unescaped();
        StrLit {
            bytes: bytes.into(),
            encoding: self.encoding.literal(bytes, node.is_forced_utf8_encoding(), node.is_forced_binary_encoding()),
            frozen: node.is_frozen(),
            id: Hint::default(),
        }
    }

    pub(super) fn string(&mut self, node: &prism::StringNode<'_>) -> Node {
        Node::Str(Box::new(self.string_literal(node)))
    }

    pub(super) fn source_file_literal(&mut self, node: &prism::SourceFileNode<'_>) -> Node {
        let bytes = self.file.path.as_bytes().into();
        Node::Str(Box::new(StrLit {
            bytes,
            encoding: LitEncoding::Utf8,
            frozen: node.is_frozen(),
            id: Hint::default(),
        }))
    }

    fn collect(&mut self, list: &prism::NodeList<'_>, parts: &mut Parts) {
        for part in list {
            if let Some(literal) = part.as_string_node() {
                let bytes = literal.unescaped();
                let encoding = self.encoding.literal(
                    bytes,
                    literal.is_forced_utf8_encoding(),
                    literal.is_forced_binary_encoding(),
                );
                parts.literal(bytes, encoding, literal.is_frozen());
            } else if let Some(inner) = part.as_interpolated_string_node() {
                self.collect(&inner.parts(), parts);
            } else {
                let computed = self.node(&part);
                match computed {
                    // A nested literal is part of the text; `#{}` is empty.
                    Node::Str(literal) => parts.literal(&literal.bytes, literal.encoding, false),
                    Node::Nil => parts.literal(b"", self.encoding, false),
                    other => parts.computed(other),
                }
            }
        }
    }

    pub(super) fn interpolated_string(&mut self, node: &prism::InterpolatedStringNode<'_>) -> Node {
        let mut parts = Parts::new(self.encoding);
        self.collect(&node.parts(), &mut parts);
        let line = self.line(node.location().start());
        match parts.finish() {
            Ok(mut literal) => {
                // prism marks the parts as frozen even if the whole is not.
                literal.frozen = node.is_frozen() && node.parts().iter().all(|part| is_literal_string(&part));
                Node::Str(Box::new(literal))
            }
            Err((parts, needs_line)) => lined(line, needs_line, Node::DStr(parts.into())),
        }
    }

    pub(super) fn embedded_statements(&mut self, node: &prism::EmbeddedStatementsNode<'_>) -> Node {
        // one statement of an interpolation is no statement of its own for whoever traces lines
        let inner = self.optional_statements(node.statements());
        self.unmarked(inner)
    }

    pub(super) fn embedded_variable(&mut self, node: &prism::EmbeddedVariableNode<'_>) -> Node {
        self.node(&node.variable())
    }

    pub(super) fn symbol(&mut self, node: &prism::SymbolNode<'_>) -> Node {
        Node::Sym(Symbol::intern_bytes(node.unescaped()))
    }

    pub(super) fn interpolated_symbol(&mut self, node: &prism::InterpolatedSymbolNode<'_>) -> Node {
        let mut parts = Parts::new(self.encoding);
        self.collect(&node.parts(), &mut parts);
        let line = self.line(node.location().start());
        match parts.finish() {
            Ok(literal) => Node::Sym(Symbol::intern_bytes(&literal.bytes)),
            Err((parts, needs_line)) => lined(line, needs_line, Node::DSym(parts.into())),
        }
    }

    pub(super) fn xstring(&mut self, node: &prism::XStringNode<'_>) -> Node {
        let bytes = node.unescaped();
        let encoding = self.encoding.literal(bytes, node.is_forced_utf8_encoding(), node.is_forced_binary_encoding());
        let literal = StrLit { bytes: bytes.into(), encoding, frozen: false, id: Hint::default() };
        let line = self.line(node.location().start());
        Node::XStr(Box::new((vec![Node::Str(Box::new(literal))], line)))
    }

    pub(super) fn interpolated_xstring(&mut self, node: &prism::InterpolatedXStringNode<'_>) -> Node {
        let mut parts = Parts::new(self.encoding);
        self.collect(&node.parts(), &mut parts);
        let line = self.line(node.location().start());
        let parts = match parts.finish() {
            Ok(literal) => vec![Node::Str(Box::new(literal))],
            Err((parts, _)) => parts,
        };
        Node::XStr(Box::new((parts, line)))
    }

    fn static_regexp(&mut self, source: &[u8], forced_utf8: bool, options: u8, offset: u32) -> Node {
        let mut options = options;
        let fixed = forced_utf8 || (options & NO_ENCODING != 0 && has_high_bytes(source));
        let is_binary = match self.encoding {
            LitEncoding::Binary => has_high_bytes(source),
            // Bytes that ASCII lacks are bytes; characters written as `\u` are UTF-8.
            LitEncoding::UsAscii => !forced_utf8 && source.is_ascii() && has_high_bytes(source),
            _ => false,
        };
        if is_binary {
            options |= FIXED_ENCODING | NO_ENCODING;
        } else if fixed || (!source.is_ascii() && self.encoding != LitEncoding::UsAscii) {
            options |= FIXED_ENCODING;
        }
        let own = !forced_utf8 && options & (NO_ENCODING | EUC_JP | WINDOWS_31J) == 0 && has_high_bytes(source);
        let encoding = match self.encoding {
            named @ LitEncoding::Named(_) if own => {
                options |= FIXED_ENCODING;
                named
            }
            _ => LitEncoding::Utf8,
        };
        let line = self.line(offset);
        let literal = RegexLit { source: source.into(), encoding, options, literal_id: unique_id(), line };
        if let Some(found) = &mut self.regexps {
            found.push(literal.clone());
        }
        Node::Regex(Box::new(literal))
    }

    pub(super) fn regexp(&mut self, node: &prism::RegularExpressionNode<'_>) -> Node {
        let (options, _) = options!(node);
        let source = plain_delimiter(node.unescaped(), node.closing_loc().as_slice());
        self.static_regexp(&source, node.is_forced_utf8_encoding(), options, node.location().start())
    }

    pub(super) fn match_last_line(&mut self, node: &prism::MatchLastLineNode<'_>) -> Node {
        let (options, _) = options!(node);
        let source = plain_delimiter(node.unescaped(), node.closing_loc().as_slice());
        let regexp = self.static_regexp(&source, node.is_forced_utf8_encoding(), options, node.location().start());
        Node::MatchLastLine(Box::new(regexp))
    }

    fn dynamic_regexp(
        &mut self,
        parts: &prism::NodeList<'_>,
        (options, once): (u8, bool),
        offset: u32,
        closing: &[u8],
    ) -> Node {
        let mut collected = Parts::new(self.encoding);
        self.collect(parts, &mut collected);
        match collected.finish() {
            Ok(literal) => self.static_regexp(&plain_delimiter(&literal.bytes, closing), false, options, offset),
            Err((mut parts, _)) => {
                for part in &mut parts {
                    if let Node::Str(literal) = part
                        && let Cow::Owned(plain) = plain_delimiter(&literal.bytes, closing)
                    {
                        literal.bytes = plain.into();
                    }
                }
                let line = self.line(offset);
                Node::DRegex(Box::new((parts, options, if once { unique_id() } else { 0 }, line)))
            }
        }
    }

    pub(super) fn interpolated_regexp(&mut self, node: &prism::InterpolatedRegularExpressionNode<'_>) -> Node {
        self.dynamic_regexp(&node.parts(), options!(node), node.location().start(), node.closing_loc().as_slice())
    }

    pub(super) fn interpolated_match_last_line(&mut self, node: &prism::InterpolatedMatchLastLineNode<'_>) -> Node {
        let regexp =
            self.dynamic_regexp(&node.parts(), options!(node), node.location().start(), node.closing_loc().as_slice());
        Node::MatchLastLine(Box::new(regexp))
    }

    pub(super) fn array(&mut self, node: &prism::ArrayNode<'_>) -> Node {
        let (mut items, has_splat) = self.items(&node.elements());
        // after a splat Ruby 3.1 keeps the empty Hash
        let is_splat = |element: &HashElem| matches!(element, HashElem::DoubleSplat(_));
        if !has_splat
            && node.elements().last().is_some_and(|last| last.as_keyword_hash_node().is_some())
            && let Some(last) = items.last_mut()
            && let Node::Hash(elements) = last
            && elements.iter().all(is_splat)
        {
            *last = Node::KeywordItem(std::mem::take(elements));
        }
        let line = self.line(node.location().start());
        lined(line, has_splat, Node::Array(Box::new((items, has_splat))))
    }

    /// The elements of an array or of `return a, *b`, and whether one is a splat.
    pub(super) fn items(&mut self, list: &prism::NodeList<'_>) -> (Vec<Node>, bool) {
        let mut has_splat = false;
        let items = list
            .iter()
            .map(|item| {
                has_splat |= item.as_splat_node().is_some();
                self.node(&item)
            })
            .collect();
        (items, has_splat)
    }

    pub(super) fn splat(&mut self, node: &prism::SplatNode<'_>) -> Node {
        match node.expression() {
            Some(inner) => Node::Splat(Box::new(self.node(&inner))),
            None => {
                // Forwarding of an anonymous `*` came with Ruby 3.2.
                self.fail_after(node.location().end());
                Node::Nil
            }
        }
    }

    pub(super) fn hash(&mut self, node: &prism::HashNode<'_>) -> Node {
        let elements = self.elements(&node.elements());
        let needs_line = elements.iter().any(|element| matches!(element, HashElem::DoubleSplat(_)));
        let line = self.line(node.location().start());
        lined(line, needs_line, Node::Hash(Box::new(elements)))
    }

    pub(super) fn keyword_hash(&mut self, node: &prism::KeywordHashNode<'_>) -> Node {
        Node::Hash(Box::new(self.elements(&node.elements())))
    }

    /// The pairs and double splats of a hash.
    pub(super) fn elements(&mut self, list: &prism::NodeList<'_>) -> Vec<HashElem> {
        super::duplicates::removed(self.all_elements(list))
    }

    fn all_elements(&mut self, list: &prism::NodeList<'_>) -> Vec<HashElem> {
        let mut elements = Vec::with_capacity(list.len());
        for element in list {
            if let Some(pair) = element.as_assoc_node() {
                let key = self.node(&pair.key());
                let value = self.node(&pair.value());
                elements.push(HashElem::Pair(key, value));
            } else if let Some(splat) = element.as_assoc_splat_node() {
                match splat.value() {
                    Some(value) => elements.push(HashElem::DoubleSplat(self.node(&value))),
                    // Forwarding of an anonymous `**` came with Ruby 3.2.
                    None => self.fail_after(splat.location().end()),
                }
            }
        }
        elements
    }

    pub(super) fn range(&mut self, node: &prism::RangeNode<'_>) -> Node {
        let (begin, end) = (self.optional(node.left()), self.optional(node.right()));
        let is_whole = |node: &Node| matches!(node, Node::Int(_) | Node::Nil);
        if matches!((&begin, &end), (Node::Str(_), Node::Str(_))) || is_whole(&begin) && is_whole(&end) {
            return Node::LiteralRange(Box::new((begin, end, node.is_exclude_end(), Hint::default())));
        }
        let plain = |node: &Node| matches!(node, Node::Int(_) | Node::Nil | Node::Str(_) | Node::Float(_));
        let needs_line = !plain(&begin) || !plain(&end);
        let line = self.line(node.location().start());
        lined(line, needs_line, Node::Range(Box::new((begin, end, node.is_exclude_end()))))
    }
}

fn lined(line: u32, needed: bool, node: Node) -> Node {
    if needed { with_line(line, node) } else { node }
}

fn is_literal_string(node: &prism::Node<'_>) -> bool {
    node.as_string_node().is_some()
        || node
            .as_interpolated_string_node()
            .is_some_and(|inner| inner.parts().iter().all(|part| part.as_string_node().is_some()))
}

/// Whether there are bytes above 0x7f, literal or as `\xNN`.
fn has_high_bytes(source: &[u8]) -> bool {
    let escaped =
        |window: &[u8]| window.starts_with(b"\\x") && matches!(window[2], b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F');
    !source.is_ascii() || source.windows(3).any(escaped)
}

fn big(value: &prism::Integer<'_>) -> BigInt {
    let (negative, digits) = value.to_u32_digits();
    BigInt::from_slice(if negative { Sign::Minus } else { Sign::Plus }, digits)
}

fn integer_node(value: &prism::Integer<'_>) -> Node {
    let (negative, digits) = value.to_u32_digits();
    let small = match *digits {
        [] => Some(0),
        [low] => Some(i64::from(low)),
        [low, high] => i64::try_from(u64::from(high) << 32 | u64::from(low)).ok(),
        _ => None,
    };
    match small {
        Some(number) => Node::Int(if negative { -number } else { number }),
        None => {
            let number = big(value);
            match i64::try_from(&number) {
                Ok(number) => Node::Int(number),
                Err(_) => Node::BigInt(Box::new(number)),
            }
        }
    }
}
