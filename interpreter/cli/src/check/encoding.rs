//! Texts of files in other encodings than UTF-8.

use rchef_lint::source::Source;
use rchef_text::encoding::{Encoding, Options, transcode, valid};

/// The text of a file; None where Ruby would not take it.
pub fn source(bytes: &[u8]) -> Option<Source> {
    Source::new(bytes).or_else(|| decoded(bytes))
}

/// A file in another encoding, which its magic comment names; places are those of its text in UTF-8. None where there is no such encoding, or the bytes are none of it.
fn decoded(bytes: &[u8]) -> Option<Source> {
    let name = String::from_utf8(rchef_ruby::encoding_comment(bytes)?).ok()?;
    // Emacs adds how lines end
    let plain = ["-unix", "-dos", "-mac"].iter().find_map(|end| name.strip_suffix(end));
    let encoding = Encoding::find(&name).or_else(|| Encoding::find(plain?))?;
    if !encoding.is_ascii_compatible() || !valid(bytes, encoding) {
        return None;
    }
    if encoding == Encoding::Binary {
        let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
        return Source::new(text.as_bytes());
    }
    let mut options = Options { undef_replace: true, ..Options::default() };
    Source::new(&transcode(bytes, encoding, Encoding::Utf8, &mut options).ok()?)
}
