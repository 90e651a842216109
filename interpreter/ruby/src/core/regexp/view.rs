//! Texts in encodings that the matcher does not know are matched by way of UTF-8: their characters, and where each one is.

use super::search::watched;
use super::{RegexpData, compile_silently};
use crate::Vm;
use crate::error::Res;
use crate::heap::Gc;
use crate::string::RString;
use rchef_regexp::{Captures, MatchError, Regexp, TextKind, Watched};
use rchef_text::encoding::{self as enc, CodeRange, Encoding, Options};
use std::rc::Rc;

/// Whether characters of the encoding are seen through UTF-8. Where each byte is a character without properties, the bytes are matched.
pub(super) fn is_seen(encoding: Encoding) -> bool {
    if matches!(encoding, Encoding::Utf8 | Encoding::UsAscii | Encoding::Binary) || encoding.is_dummy() {
        return false;
    }
    let lettered = || ["ISO-8859-", "Windows-125", "KOI8-"].iter().any(|family| encoding.name().starts_with(family));
    (encoding.max_len() > 1 || lettered()) && enc::can_transcode(encoding)
}
/// The pattern of a Regexp for such a text: one that is written in the text's encoding is read as UTF-8 too.
pub(super) fn pattern(vm: &mut Vm, data: &RegexpData) -> Res<Rc<Regexp>> {
    if !is_seen(data.encoding) {
        return Ok(data.regexp.clone());
    }
    let source = View::of(&spelled_out(data.regexp.source(), data.encoding), data.encoding).text;
    let source = RString::new(source, Encoding::Utf8);
    // it is one of characters now
    let options = rchef_regexp::Options::from_bits(data.regexp.options().bits() & !NO_ENCODING);
    Ok(compile_silently(vm, &source, options)?.regexp)
}

/// The bit of a pattern of bytes.
const NO_ENCODING: u32 = 32;

/// A pattern in which characters stand for themselves whose bytes are written as `\xHH`.
fn spelled_out(source: &[u8], encoding: Encoding) -> Vec<u8> {
    let escaped = |at: usize| {
        let digits = source.get(at..at + 4)?.strip_prefix(b"\\x")?;
        u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let mut out = Vec::with_capacity(source.len());
    let mut at = 0;
    while at < source.len() {
        match escaped(at) {
            Some(first) if first >= 0x80 => {
                let mut character = vec![first];
                at += 4;
                while !enc::char_len_at(&character, 0, encoding).is_valid()
                    && let Some(more) = escaped(at)
                {
                    character.push(more);
                    at += 4;
                }
                out.extend(character);
            }
            _ => {
                let width = if source[at] == b'\\' { 2 } else { enc::char_len_at(source, at, encoding).len().max(1) };
                let end = (at + width).min(source.len());
                out.extend_from_slice(&source[at..end]);
                at = end;
            }
        }
    }
    out
}

/// A text as UTF-8, with the places of its characters: there, and in the text itself.
struct View {
    text: Vec<u8>,
    places: Vec<(usize, usize)>,
}
impl View {
    fn of(bytes: &[u8], encoding: Encoding) -> View {
        let mut view = View { text: Vec::with_capacity(bytes.len() * 2), places: Vec::new() };
        let mut at = 0;
        while at < bytes.len() {
            let end = (at + enc::char_len_at(bytes, at, encoding).len().max(1)).min(bytes.len());
            view.places.push((view.text.len(), at));
            match enc::transcode(&bytes[at..end], encoding, Encoding::Utf8, &mut Options::default()) {
                Ok(character) if !character.is_empty() => view.text.extend(character),
                // it stays one character, which nothing but a dot matches
                _ => view.text.extend("\u{fffd}".bytes()),
            }
            at = end;
        }
        view.places.push((view.text.len(), bytes.len()));
        view
    }
    fn inward(&self, own: usize) -> usize {
        self.places.get(self.places.partition_point(|place| place.1 < own)).map_or(usize::MAX, |place| place.0)
    }
    fn outward(&self, seen: usize) -> usize {
        let at = self.places.partition_point(|place| place.0 < seen).min(self.places.len().saturating_sub(1));
        self.places.get(at).map_or(0, |place| place.1)
    }
}

/// The last text that was seen so, as searches go on in it.
#[derive(Default)]
struct Seen(Option<(Vec<u8>, Encoding, Rc<View>)>);

fn seen(vm: &mut Vm, text: &Gc<RString>) -> Rc<View> {
    let string = text.get(vm);
    let (bytes, encoding) = (string.bytes(), string.encoding());
    if let Some(Seen(Some((known, of, view)))) = vm.extension_ref::<Seen>()
        && *of == encoding
        && known == bytes
    {
        return view.clone();
    }
    let (bytes, view) = (bytes.to_vec(), Rc::new(View::of(bytes, encoding)));
    vm.extension::<Seen>().0 = Some((bytes, encoding, view.clone()));
    view
}

/// How a text is searched: forwards, backwards, or at one place only.
pub(super) type How = fn(Watched<'_>, &[u8], TextKind, usize, &mut Captures) -> Result<bool, MatchError>;

/// Searches a text, through UTF-8 if its encoding asks for it. What is found is told by the text's own bytes.
pub(super) fn search(
    vm: &mut Vm,
    regexp: &Regexp,
    kind: TextKind,
    text: &Gc<RString>,
    start: usize,
    groups: &mut Captures,
    how: How,
) -> Res<bool> {
    let string = text.get(vm);
    if kind != TextKind::Utf8Valid || string.encoding() == Encoding::Utf8 || string.range() == CodeRange::Ascii {
        return watched(vm, regexp, |vm, regexp| how(regexp, text.get(vm).bytes(), kind, start, groups));
    }
    let view = seen(vm, text);
    let inside = view.inward(start);
    let found = watched(vm, regexp, |_, regexp| how(regexp, &view.text, kind, inside, groups))?;
    if found {
        for (from, to) in groups.iter_mut().flatten() {
            (*from, *to) = (view.outward(*from), view.outward(*to));
        }
    }
    Ok(found)
}
