//! Text to documents, on saphyr's parser.

use super::tree::{Document, Kind, Style};
use rchef_ruby::text::encoding::{Encoding, Options as Transcoding, transcode};
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span, StrInput, Tag};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;

/// Why a text is no YAML.
pub(crate) enum Failure {
    /// `Psych::SyntaxError`: line and column from 1, offset, problem, context.
    Syntax { line: usize, column: usize, offset: usize, problem: String, context: Option<String> },
    /// An alias without anchor.
    Alias(String),
}

impl Failure {
    fn at(mark: &Marker, problem: impl Into<String>, context: Option<&str>) -> Failure {
        Failure::Syntax {
            line: mark.line(),
            column: mark.col() + 1,
            offset: 0,
            problem: problem.into(),
            context: context.map(str::to_string),
        }
    }
    fn start(problem: &str, offset: usize) -> Failure {
        Failure::Syntax { line: 1, column: 1, offset, problem: problem.into(), context: None }
    }
}

/// Bytes in their encoding to text: UTF-16 by its mark, everything else as UTF-8; a mark at the start is dropped.
pub(crate) fn decode(bytes: &[u8], enc: Encoding) -> Result<String, Failure> {
    let utf16 = match bytes {
        [0xff, 0xfe, ..] => Some(Encoding::Utf16Le),
        [0xfe, 0xff, ..] => Some(Encoding::Utf16Be),
        _ if matches!(enc, Encoding::Utf16Le | Encoding::Utf16Be) => Some(enc),
        _ => None,
    };
    let bytes = match utf16 {
        Some(enc) => transcode(bytes, enc, Encoding::Utf8, &mut Transcoding::default())
            .map(Cow::Owned)
            .map_err(|_| Failure::start("invalid UTF-16 text", 0))?,
        None => Cow::Borrowed(bytes),
    };
    let text = std::str::from_utf8(&bytes)
        .map_err(|error| Failure::start("invalid leading UTF-8 octet", error.valid_up_to()))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let forbidden = |c: char| matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}');
    match text.find(forbidden) {
        Some(offset) => Err(Failure::start("control characters are not allowed", offset)),
        None => Ok(text.to_string()),
    }
}

/// Reads documents one by one.
pub(crate) struct Reader<'a> {
    text: &'a str,
    parser: Parser<'a, StrInput<'a>>,
    anchors: HashMap<usize, String>,
    leading_tab: Option<Failure>,
    /// A character's number and its place, from which the next search goes on.
    last: Cell<(usize, usize)>,
}

/// A collection whose end is not reached.
struct Open {
    node: usize,
    start: Marker,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a str) -> Reader<'a> {
        Reader {
            text,
            parser: Parser::new_from_str(text),
            anchors: HashMap::new(),
            leading_tab: leading_tab(text),
            last: Cell::new((0, 0)),
        }
    }

    /// The next document; None at the end of the stream.
    pub fn document(&mut self) -> Result<Option<Document>, Failure> {
        let mut document = Document::default();
        let mut open: Vec<Open> = Vec::new();
        let mut complete = false;
        if let Some(failure) = self.leading_tab.take() {
            return Err(failure);
        }
        loop {
            let (event, span) = match self.parser.next_event() {
                None => return Ok(complete.then_some(document)),
                Some(Ok(found)) => found,
                // a bracket too many ends a document for libyaml
                Some(Err(error)) if complete && error.info() == "misplaced bracket" => return Ok(Some(document)),
                Some(Err(error)) => return Err(self.failure(&error, &document, &open)),
            };
            let node = match event {
                Event::Nothing | Event::StreamStart => continue,
                Event::DocumentStart(explicit) => {
                    document.implicit = !explicit;
                    continue;
                }
                Event::StreamEnd => return Ok(complete.then_some(document)),
                Event::DocumentEnd => return Ok(Some(document)),
                Event::Alias(_) => {
                    document.add(Kind::Alias(self.name_at(span.start, '*').unwrap_or_default()), None, None)
                }
                Event::Scalar(text, style, anchor, tag) => {
                    let tag = tag.map(|tag| full_tag(&tag));
                    let plain = style == ScalarStyle::Plain;
                    let untagged = tag.as_deref() == Some("!");
                    let quoted = tag.is_none() && !plain;
                    let tag = tag.filter(|_| !untagged);
                    let kind = Kind::Scalar {
                        text: self.content(text, style, span),
                        style: style_of(style),
                        plain: (plain && tag.is_none()) || untagged,
                        quoted,
                    };
                    let anchor = self.anchor(anchor, span);
                    document.add(kind, tag, anchor)
                }
                Event::SequenceStart(anchor, tag) => {
                    let kind = Kind::Sequence { items: Vec::new(), implicit: tag.is_none(), flow: self.flow(span) };
                    let anchor = self.anchor(anchor, span);
                    document.add(kind, collection_tag(tag), anchor)
                }
                Event::MappingStart(anchor, tag) => {
                    let kind = Kind::Mapping { items: Vec::new(), implicit: tag.is_none(), flow: self.flow(span) };
                    let anchor = self.anchor(anchor, span);
                    document.add(kind, collection_tag(tag), anchor)
                }
                Event::SequenceEnd | Event::MappingEnd => {
                    open.pop();
                    complete = open.is_empty();
                    continue;
                }
            };
            if let Some(parent) = open.last()
                && self.lacks_key(&document, parent, node, span)
            {
                let context = Some("while parsing a block mapping");
                return Err(Failure::at(&parent.start, "did not find expected key", context));
            }
            match open.last() {
                Some(parent) => document.push(parent.node, node),
                None => document.root = node,
            }
            if matches!(document.nodes[node].kind, Kind::Sequence { .. } | Kind::Mapping { .. }) {
                open.push(Open { node, start: span.start });
            } else {
                complete = open.is_empty();
            }
        }
    }

    /// A scalar's text. A block scalar whose last line ends the text without a line break has none either.
    fn content(&self, text: Cow<'_, str>, style: ScalarStyle, span: Span) -> String {
        let mut text = text.into_owned();
        if matches!(style, ScalarStyle::Literal | ScalarStyle::Folded)
            && text.ends_with('\n')
            && text
                .trim_end_matches('\n')
                .rsplit('\n')
                .next()
                .is_some_and(|last| !last.is_empty() && self.text.ends_with(last))
            && self.rest(span.end).is_empty()
        {
            text.pop();
        }
        text
    }
    /// Whether a key of a block mapping is missing altogether, which only YAML 1.2 allows.
    fn lacks_key(&self, document: &Document, parent: &Open, key: usize, span: Span) -> bool {
        let Kind::Mapping { items, flow: false, .. } = &document.nodes[parent.node].kind else { return false };
        let node = &document.nodes[key];
        let bare = node.tag.is_none() && node.anchor.is_none();
        let empty = matches!(&node.kind, Kind::Scalar { text, style: Style::Plain, .. } if text.is_empty());
        items.len() % 2 == 0 && bare && empty && self.rest(span.start).starts_with(':')
    }
    /// The text from a place of the parser on, which counts characters.
    fn rest(&self, mark: Marker) -> &'a str {
        let (from, byte) = match self.last.get() {
            (from, byte) if from <= mark.index() => (from, byte),
            _ => (0, 0),
        };
        let rest = &self.text[byte..];
        let at = byte + rest.char_indices().nth(mark.index() - from).map_or(rest.len(), |(at, _)| at);
        if at < self.text.len() {
            self.last.set((mark.index(), at));
        }
        &self.text[at..]
    }
    fn flow(&self, span: Span) -> bool {
        let mut words = self.rest(span.start).split_whitespace();
        words.find(|word| !word.starts_with(['&', '!'])).is_some_and(|word| word.starts_with(['[', '{']))
    }
    /// The name after a sign: at a mark, or after a tag that stands there.
    fn name_at(&self, mark: Marker, sign: char) -> Option<String> {
        self.rest(mark).split_whitespace().take(2).find_map(|word| {
            let name = word.strip_prefix(sign)?;
            let end = name.find([',', '[', ']', '{', '}']).unwrap_or(name.len());
            Some(name[..end].to_string())
        })
    }
    fn anchor(&mut self, id: usize, span: Span) -> Option<String> {
        if id == 0 {
            return None;
        }
        let name = self.name_at(span.start, '&').unwrap_or_else(|| format!("{id}"));
        self.anchors.insert(id, name.clone());
        Some(name)
    }

    /// The parser's error in libyaml's words and with its place: where the construct began.
    fn failure(&self, error: &ScanError, document: &Document, open: &[Open]) -> Failure {
        let mark = error.marker();
        let (context, problem) = match error.info().split_once(", ") {
            Some((context, problem)) if context.starts_with("while ") => (Some(context), problem),
            _ => (None, error.info()),
        };
        let innermost = open.last();
        let place = innermost.map_or(*mark, |open| open.start);
        match (context, problem) {
            (_, "found unknown anchor") => Failure::Alias(self.name_at(*mark, '*').unwrap_or_default()),
            (Some("while parsing a block mapping"), "did not find expected key") => {
                let sequence =
                    innermost.is_some_and(|open| matches!(document.nodes[open.node].kind, Kind::Sequence { .. }));
                if sequence {
                    return Failure::at(
                        &place,
                        "did not find expected '-' indicator",
                        Some("while parsing a block collection"),
                    );
                }
                Failure::at(&place, problem, context)
            }
            (Some("while parsing a flow sequence"), _) => {
                Failure::at(&place, "did not find expected ',' or ']'", context)
            }
            (Some("while parsing a flow mapping" | "while parsing a block collection"), _) => {
                Failure::at(&place, problem, context)
            }
            (None, "simple key expect ':'" | "simple key expected") => {
                let line = self.key_line(mark.line());
                Failure::Syntax {
                    line,
                    column: 1,
                    offset: 0,
                    problem: "could not find expected ':'".into(),
                    context: Some("while scanning a simple key".into()),
                }
            }
            (None, "invalid trailing content after double-quoted scalar") => {
                Failure::at(&place, "did not find expected key", Some("while parsing a block mapping"))
            }
            (None, "illegal placement of ':' indicator") => {
                Failure::at(&place, "did not find expected ',' or ']'", Some("while parsing a flow sequence"))
            }
            (None, "the handle wasn't declared") => {
                Failure::at(mark, "found undefined tag handle", Some("while parsing a node"))
            }
            (Some("while scanning a verbatim tag"), _) => Failure::at(mark, problem, Some("while scanning a tag")),
            (None, text) if text.starts_with("unexpected character") || text.contains("tab") => Failure::at(
                mark,
                "found character that cannot start any token",
                Some("while scanning for the next token"),
            ),
            (Some("while parsing a quoted scalar" | "while scanning a quoted scalar"), _)
            | (Some("while scanning a block scalar"), _) => Failure::at(mark, problem, context),
            _ => Failure::at(mark, problem, context),
        }
    }
    /// The last line up to one that has text.
    fn key_line(&self, line: usize) -> usize {
        let lines: Vec<&str> = self.text.lines().take(line).collect();
        lines.iter().rposition(|text| !text.trim().is_empty()).map_or(line, |index| index + 1)
    }
}

/// A tab before anything else on a line at the start, which libyaml refuses.
fn leading_tab(text: &str) -> Option<Failure> {
    for (number, line) in text.lines().enumerate() {
        let content = line.trim_start_matches(' ');
        if content.starts_with('\t') {
            return Some(Failure::Syntax {
                line: number + 1,
                column: line.len() - content.len() + 1,
                offset: 0,
                problem: "found character that cannot start any token".into(),
                context: Some("while scanning for the next token".into()),
            });
        }
        if !content.is_empty() && !content.starts_with('#') {
            return None;
        }
    }
    None
}

fn full_tag(tag: &Tag) -> String {
    format!("{}{}", tag.handle, tag.suffix)
}
fn collection_tag(tag: Option<Cow<'_, Tag>>) -> Option<String> {
    tag.map(|tag| full_tag(&tag)).filter(|tag| tag != "!")
}
fn style_of(style: ScalarStyle) -> Style {
    match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted => Style::Single,
        ScalarStyle::DoubleQuoted => Style::Double,
        ScalarStyle::Literal => Style::Literal,
        ScalarStyle::Folded => Style::Folded,
    }
}
