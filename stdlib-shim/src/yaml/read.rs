//! Parses text to documents.

use super::tree::{Document, Kind};
use rchef_ruby::text::encoding::{Encoding, Options as Transcoding, transcode};
use rchef_yaml::{Event, Events, Failure, Place};

/// Converts bytes to UTF-8. If that fails they are unchanged, and the parser reports the error.
pub(crate) fn decode(bytes: &[u8], enc: Encoding) -> Vec<u8> {
    match enc {
        Encoding::Utf8 | Encoding::UsAscii | Encoding::Binary => match bytes {
            [0xef, 0xbb, 0xbf, rest @ ..] if enc != Encoding::Utf8 => rest.to_vec(),
            _ => bytes.to_vec(),
        },
        enc => transcode(bytes, enc, Encoding::Utf8, &mut Transcoding::default()).unwrap_or_else(|_| bytes.to_vec()),
    }
}

/// Iterates over documents.
pub(crate) struct Reader<'a> {
    events: Option<Events<'a>>,
    /// The place of the last event.
    pub end: Place,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a [u8]) -> Reader<'a> {
        Reader { events: Events::new(text), end: Place::default() }
    }

    /// The next document; None at the end of the stream.
    pub fn document(&mut self) -> Result<Option<Document>, Failure> {
        let mut document = Document::default();
        let mut open: Vec<usize> = Vec::new();
        let Some(events) = &mut self.events else { return Ok(None) };
        loop {
            let (event, place) = events.next()?;
            self.end = place;
            let node = match event {
                Event::StreamStart => continue,
                Event::StreamEnd => return Ok(None),
                Event::DocumentStart(version, tags, implicit) => {
                    (document.version, document.tags, document.implicit) = (version, tags, implicit);
                    document.place = place;
                    continue;
                }
                Event::DocumentEnd(implicit) => {
                    document.implicit_end = implicit;
                    (document.place[2], document.place[3]) = (place[2], place[3]);
                    return Ok(Some(document));
                }
                Event::Alias(name) => document.add(Kind::Alias(name), None, None),
                Event::Scalar { text, anchor, tag, plain, quoted, style } => {
                    document.add(Kind::Scalar { text, style, plain, quoted }, tag, anchor)
                }
                Event::SequenceStart { anchor, tag, implicit, flow } => {
                    document.add(Kind::Sequence { items: Vec::new(), implicit, flow }, tag, anchor)
                }
                Event::MappingStart { anchor, tag, implicit, flow } => {
                    document.add(Kind::Mapping { items: Vec::new(), implicit, flow }, tag, anchor)
                }
                Event::SequenceEnd | Event::MappingEnd => {
                    if let Some(node) = open.pop() {
                        let start = &mut document.nodes[node].place;
                        (start[2], start[3]) = (place[2], place[3]);
                    }
                    continue;
                }
            };
            document.nodes[node].place = place;
            match open.last() {
                Some(parent) => document.push(*parent, node),
                None => document.root = node,
            }
            if matches!(document.nodes[node].kind, Kind::Sequence { .. } | Kind::Mapping { .. }) {
                open.push(node);
            }
        }
    }
}
