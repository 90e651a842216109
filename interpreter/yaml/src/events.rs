//! libyaml's events as owned values. The crate is a translation of libyaml to Rust with raw pointers, which are confined to this module.
#![allow(unsafe_code)] // the parser's interface is pointers
#![allow(clippy::should_implement_trait)] // `next` fails, and ends by an event

use std::ffi::CStr;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// The style of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// The emitter chooses.
    Any,
    Plain,
    Single,
    Double,
    Literal,
    Folded,
}

/// A YAML syntax error, as in `Psych::SyntaxError`: line and column count from 1.
pub struct Failure {
    /// Where the construct begins in which the problem is, as Psych tells it.
    pub line: usize,
    pub column: usize,
    /// The line of the problem itself.
    pub found: usize,
    pub offset: usize,
    pub problem: String,
    pub context: Option<String>,
}

/// A libyaml event.
pub enum Event {
    StreamStart,
    StreamEnd,
    /// Version, tag directives (handle and prefix), whether `---` is missing.
    DocumentStart(Option<(i64, i64)>, Vec<(String, String)>, bool),
    /// Whether `...` is missing.
    DocumentEnd(bool),
    Alias(String),
    Scalar {
        text: String,
        anchor: Option<String>,
        tag: Option<String>,
        plain: bool,
        quoted: bool,
        style: Style,
    },
    SequenceStart {
        anchor: Option<String>,
        tag: Option<String>,
        implicit: bool,
        flow: bool,
    },
    SequenceEnd,
    MappingStart {
        anchor: Option<String>,
        tag: Option<String>,
        implicit: bool,
        flow: bool,
    },
    MappingEnd,
}

/// Maximum nesting depth of collections.
const DEEPEST: usize = 5_000;

/// First line and column, last line and column, from 0.
pub type Place = [usize; 4];

/// Iterates over the events of a text.
pub struct Events<'a> {
    /// From a box, and only accessed through this pointer, because the parser contains its own address.
    parser: NonNull<libyaml_rs::yaml_parser_t>,
    /// The number of open collections.
    depth: usize,
    text: PhantomData<&'a [u8]>,
}

/// Copies a string of the parser; None if it is null.
///
/// # Safety
/// `text` is null or a C string.
unsafe fn string(text: *const u8) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: guaranteed by the caller.
    let text = unsafe { CStr::from_ptr(text.cast()) };
    Some(text.to_string_lossy().into_owned())
}
fn size(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

impl<'a> Events<'a> {
    /// Starts parsing UTF-8 text; None if out of memory.
    pub fn new(text: &'a [u8]) -> Option<Events<'a>> {
        let boxed = Box::into_raw(Box::new(MaybeUninit::<libyaml_rs::yaml_parser_t>::uninit()));
        let parser = NonNull::new(boxed.cast::<libyaml_rs::yaml_parser_t>())?;
        // SAFETY: `yaml_parser_initialize` initializes the whole struct, otherwise the box is freed unchanged; the text outlives the parser because
        // of its lifetime.
        unsafe {
            if libyaml_rs::yaml_parser_initialize(parser.as_ptr()).fail {
                drop(Box::from_raw(boxed));
                return None;
            }
            libyaml_rs::yaml_parser_set_encoding(parser.as_ptr(), libyaml_rs::YAML_UTF8_ENCODING);
            libyaml_rs::yaml_parser_set_input_string(parser.as_ptr(), text.as_ptr(), text.len() as u64);
        }
        Some(Events { parser, depth: 0, text: PhantomData })
    }

    /// The next event and its place.
    ///
    /// # Errors
    /// The text is not YAML, or too deeply nested.
    pub fn next(&mut self) -> Result<(Event, Place), Failure> {
        let mut event = MaybeUninit::<libyaml_rs::yaml_event_t>::uninit();
        // SAFETY: the parser is initialized; on success the event is initialized too, and it is deleted once, after everything has been copied.
        unsafe {
            if libyaml_rs::yaml_parser_parse(self.parser.as_ptr(), event.as_mut_ptr()).fail {
                return Err(self.failure());
            }
            let mut event = event.assume_init();
            let place = [event.start_mark.line, event.start_mark.column, event.end_mark.line, event.end_mark.column];
            let owned = owned(&event);
            libyaml_rs::yaml_event_delete(&mut event);
            self.nest(&owned, place.map(size))?;
            Ok((owned, place.map(size)))
        }
    }

    /// Counts nested collections, because the parser's time per token is proportional to their number.
    fn nest(&mut self, event: &Event, place: Place) -> Result<(), Failure> {
        match event {
            Event::SequenceStart { .. } | Event::MappingStart { .. } => self.depth += 1,
            Event::SequenceEnd | Event::MappingEnd => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if self.depth <= DEEPEST {
            return Ok(());
        }
        let (line, column) = (place[0] + 1, place[1] + 1);
        Err(Failure { line, column, found: line, offset: 0, problem: "nesting too deep".to_string(), context: None })
    }

    fn failure(&self) -> Failure {
        // SAFETY: the parser is initialized and not in use; both texts are null or static C strings.
        let (problem, context, mark, found, offset) = unsafe {
            let parser = self.parser.as_ref();
            let (problem, context) = (string(parser.problem.cast()), string(parser.context.cast()));
            (problem, context, parser.context_mark, parser.problem_mark.line, parser.problem_offset)
        };
        Failure {
            line: size(mark.line) + 1,
            column: size(mark.column) + 1,
            found: size(found) + 1,
            offset: size(offset),
            // the crate corrected a misspelling that libyaml 0.2.5 has
            problem: problem.unwrap_or_default().replace("hexadecimal", "hexdecimal"),
            context,
        }
    }
}

impl Drop for Events<'_> {
    fn drop(&mut self) {
        // SAFETY: it was initialized in `new`, from a box of this type, and is deleted only here.
        unsafe {
            libyaml_rs::yaml_parser_delete(self.parser.as_ptr());
            drop(Box::from_raw(self.parser.as_ptr().cast::<MaybeUninit<libyaml_rs::yaml_parser_t>>()));
        }
    }
}

/// Copies an event.
///
/// # Safety
/// The event came from the parser and has not been deleted.
unsafe fn owned(event: &libyaml_rs::yaml_event_t) -> Event {
    // SAFETY: the event's type determines the valid variant of the union; its pointers are null or valid.
    unsafe {
        match event.type_ {
            libyaml_rs::YAML_DOCUMENT_START_EVENT => {
                let start = &event.data.document_start;
                let version = start.version_directive.as_ref();
                let version = version.map(|version| (i64::from(version.major), i64::from(version.minor)));
                let mut tags = Vec::new();
                let mut next = start.tag_directives.start;
                while !next.is_null() && next != start.tag_directives.end {
                    tags.push((string((*next).handle).unwrap_or_default(), string((*next).prefix).unwrap_or_default()));
                    next = next.add(1);
                }
                Event::DocumentStart(version, tags, start.implicit)
            }
            libyaml_rs::YAML_DOCUMENT_END_EVENT => Event::DocumentEnd(event.data.document_end.implicit),
            libyaml_rs::YAML_ALIAS_EVENT => Event::Alias(string(event.data.alias.anchor).unwrap_or_default()),
            libyaml_rs::YAML_SCALAR_EVENT => {
                let scalar = &event.data.scalar;
                let text = std::slice::from_raw_parts(scalar.value, size(scalar.length));
                Event::Scalar {
                    text: String::from_utf8_lossy(text).into_owned(),
                    anchor: string(scalar.anchor),
                    tag: string(scalar.tag),
                    plain: scalar.plain_implicit,
                    quoted: scalar.quoted_implicit,
                    style: style(scalar.style),
                }
            }
            libyaml_rs::YAML_SEQUENCE_START_EVENT => {
                let start = &event.data.sequence_start;
                Event::SequenceStart {
                    anchor: string(start.anchor),
                    tag: string(start.tag),
                    implicit: start.implicit,
                    flow: start.style == libyaml_rs::YAML_FLOW_SEQUENCE_STYLE,
                }
            }
            libyaml_rs::YAML_SEQUENCE_END_EVENT => Event::SequenceEnd,
            libyaml_rs::YAML_MAPPING_START_EVENT => {
                let start = &event.data.mapping_start;
                Event::MappingStart {
                    anchor: string(start.anchor),
                    tag: string(start.tag),
                    implicit: start.implicit,
                    flow: start.style == libyaml_rs::YAML_FLOW_MAPPING_STYLE,
                }
            }
            libyaml_rs::YAML_MAPPING_END_EVENT => Event::MappingEnd,
            libyaml_rs::YAML_STREAM_START_EVENT => Event::StreamStart,
            _ => Event::StreamEnd,
        }
    }
}
fn style(style: libyaml_rs::yaml_scalar_style_t) -> Style {
    match style {
        libyaml_rs::YAML_PLAIN_SCALAR_STYLE => Style::Plain,
        libyaml_rs::YAML_SINGLE_QUOTED_SCALAR_STYLE => Style::Single,
        libyaml_rs::YAML_DOUBLE_QUOTED_SCALAR_STYLE => Style::Double,
        libyaml_rs::YAML_LITERAL_SCALAR_STYLE => Style::Literal,
        libyaml_rs::YAML_FOLDED_SCALAR_STYLE => Style::Folded,
        _ => Style::Any,
    }
}
