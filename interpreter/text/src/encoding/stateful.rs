//! Encodings that MRI converts by way of another one and that are no superset of ASCII: ISO-2022-JP and its relatives, which have shift states, and IBM037,
//! which is EBCDIC. A text is converted as a whole, or by [`shifted_char`] a character at a time.
use super::transcode::{ErrorInfo, Options, TranscodeError, dump};
use super::{Encoding, decode, from_unicode};

/// The encoding of a text of half-width katakana in ISO-2022-JP's relatives: the escape sequence before it.
const KATAKANA: &[u8] = b"\x1b(I";
const ASCII: &[u8] = b"\x1b(B";
/// The bytes of ISO 8859-1 for those of IBM037.
#[rustfmt::skip]
static LATIN: [u8; 256] = [
    0x00, 0x01, 0x02, 0x03, 0x9c, 0x09, 0x86, 0x7f, 0x97, 0x8d, 0x8e, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f,
    0x10, 0x11, 0x12, 0x13, 0x9d, 0x85, 0x08, 0x87, 0x18, 0x19, 0x92, 0x8f, 0x1c, 0x1d, 0x1e, 0x1f,
    0x80, 0x81, 0x82, 0x83, 0x84, 0x0a, 0x17, 0x1b, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x05, 0x06, 0x07,
    0x90, 0x91, 0x16, 0x93, 0x94, 0x95, 0x96, 0x04, 0x98, 0x99, 0x9a, 0x9b, 0x14, 0x15, 0x9e, 0x1a,
    0x20, 0xa0, 0xe2, 0xe4, 0xe0, 0xe1, 0xe3, 0xe5, 0xe7, 0xf1, 0xa2, 0x2e, 0x3c, 0x28, 0x2b, 0x7c,
    0x26, 0xe9, 0xea, 0xeb, 0xe8, 0xed, 0xee, 0xef, 0xec, 0xdf, 0x21, 0x24, 0x2a, 0x29, 0x3b, 0xac,
    0x2d, 0x2f, 0xc2, 0xc4, 0xc0, 0xc1, 0xc3, 0xc5, 0xc7, 0xd1, 0xa6, 0x2c, 0x25, 0x5f, 0x3e, 0x3f,
    0xf8, 0xc9, 0xca, 0xcb, 0xc8, 0xcd, 0xce, 0xcf, 0xcc, 0x60, 0x3a, 0x23, 0x40, 0x27, 0x3d, 0x22,
    0xd8, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0xab, 0xbb, 0xf0, 0xfd, 0xfe, 0xb1,
    0xb0, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x6f, 0x70, 0x71, 0x72, 0xaa, 0xba, 0xe6, 0xb8, 0xc6, 0xa4,
    0xb5, 0x7e, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0xa1, 0xbf, 0xd0, 0xdd, 0xde, 0xae,
    0x5e, 0xa3, 0xa5, 0xb7, 0xa9, 0xa7, 0xb6, 0xbc, 0xbd, 0xbe, 0x5b, 0x5d, 0xaf, 0xa8, 0xb4, 0xd7,
    0x7b, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0xad, 0xf4, 0xf6, 0xf2, 0xf3, 0xf5,
    0x7d, 0x4a, 0x4b, 0x4c, 0x4d, 0x4e, 0x4f, 0x50, 0x51, 0x52, 0xb9, 0xfb, 0xfc, 0xf9, 0xfa, 0xff,
    0x5c, 0xf7, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0xb2, 0xd4, 0xd6, 0xd2, 0xd3, 0xd5,
    0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0xb3, 0xdb, 0xdc, 0xd9, 0xda, 0x9f,
];

/// Whether this module converts `enc`.
pub(super) fn is(enc: Encoding) -> bool {
    is_shifted(enc) || enc == Encoding::Ibm037
}

/// Whether the meaning of bytes depends on escape sequences before them.
#[must_use]
pub fn is_shifted(enc: Encoding) -> bool {
    matches!(enc, Encoding::Iso2022Jp | Encoding::Cp50220 | Encoding::Cp50221 | Encoding::Iso2022JpKddi)
}

/// The conversion if one of the encodings is among these.
pub(super) fn transcode(
    bytes: &[u8],
    from: Encoding,
    to: Encoding,
    options: &mut Options<'_>,
) -> Option<Result<Vec<u8>, TranscodeError>> {
    if is_shifted(from) {
        return Some(from_shifted(bytes, from, to, options));
    }
    if from == Encoding::Ibm037 {
        let latin: Vec<u8> = bytes.iter().map(|byte| LATIN[usize::from(*byte)]).collect();
        return Some(super::transcode(&latin, Encoding::Iso8859_1, to, options));
    }
    if is_shifted(to) {
        return Some(to_shifted(bytes, from, to, options));
    }
    (to == Encoding::Ibm037).then(|| to_ebcdic(bytes, from, options))
}

fn to_ebcdic(bytes: &[u8], from: Encoding, options: &mut Options<'_>) -> Result<Vec<u8>, TranscodeError> {
    let latin = super::transcode(bytes, from, Encoding::Iso8859_1, options).map_err(|error| match error {
        TranscodeError::Undefined(mut info) => {
            if let Some((what, _)) = info.message.split_once(" from ") {
                info.message =
                    format!("{what} to ISO-8859-1 in conversion from {} to ISO-8859-1 to IBM037", from.name());
            }
            TranscodeError::Undefined(info)
        }
        other => other,
    })?;
    Ok(latin.iter().filter_map(|byte| LATIN.iter().position(|known| known == byte)).map(|at| at as u8).collect())
}

fn from_shifted(
    bytes: &[u8],
    from: Encoding,
    to: Encoding,
    options: &mut Options<'_>,
) -> Result<Vec<u8>, TranscodeError> {
    let (text, broken) = encoding_rs::ISO_2022_JP.decode_without_bom_handling(bytes);
    if broken && !options.invalid_replace {
        let at = bytes.iter().position(|b| *b >= 0x80 || *b == 0x1B).unwrap_or(0);
        let bad = &bytes[at..bytes.len().min(at + 1)];
        return Err(TranscodeError::Invalid(Box::new(ErrorInfo {
            message: format!("{} on {}", dump(bad), from.name()),
            error_bytes: bad.to_vec(),
            readagain_bytes: Vec::new(),
            incomplete: false,
            source: from,
            destination: Encoding::Utf8,
        })));
    }
    super::transcode(text.as_bytes(), Encoding::Utf8, to, options)
}

fn is_half_width(c: char) -> bool {
    ('\u{FF61}'..='\u{FF9F}').contains(&c)
}

/// By way of Unicode, for the same errors and replacements.
fn to_shifted(
    bytes: &[u8],
    from: Encoding,
    to: Encoding,
    options: &mut Options<'_>,
) -> Result<Vec<u8>, TranscodeError> {
    let utf8 = super::transcode(bytes, from, Encoding::Utf8, options)?;
    let mut text = String::with_capacity(utf8.len());
    for c in String::from_utf8_lossy(&utf8).chars() {
        let has_half_width = matches!(to, Encoding::Cp50220 | Encoding::Cp50221);
        let is_known = from_unicode(c, Encoding::Iso2022Jp, &mut Vec::new()) && (has_half_width || !is_half_width(c));
        if is_known {
            text.push(c);
        } else if options.undef_replace {
            text.push('?');
        } else {
            return Err(undefined(c, from, to));
        }
    }
    if to != Encoding::Cp50221 {
        return Ok(encoding_rs::ISO_2022_JP.encode(&text).0.into_owned());
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let end = rest.find(is_half_width).unwrap_or(rest.len());
        out.extend_from_slice(&encoding_rs::ISO_2022_JP.encode(&rest[..end]).0);
        rest = &rest[end..];
        let end = rest.find(|c| !is_half_width(c)).unwrap_or(rest.len());
        if end > 0 {
            out.extend_from_slice(KATAKANA);
            out.extend(rest[..end].chars().map(|c| (u32::from(c) - 0xFF61 + 0x21) as u8));
            out.extend_from_slice(ASCII);
        }
        rest = &rest[end..];
    }
    Ok(out)
}

fn undefined(c: char, from: Encoding, to: Encoding) -> TranscodeError {
    let mut buffer = [0; 4];
    let bytes = c.encode_utf8(&mut buffer).as_bytes();
    let code = format!("U+{:04X}", decode(bytes, Encoding::Utf8));
    let (what, step, way) = match to {
        Encoding::Cp50220 | Encoding::Cp50221 => (code, "CP51932", "CP51932"),
        Encoding::Iso2022JpKddi => {
            (dump(bytes), "stateless-ISO-2022-JP-KDDI", "UTF8-KDDI to stateless-ISO-2022-JP-KDDI")
        }
        _ => (code, "EUC-JP", "EUC-JP to stateless-ISO-2022-JP"),
    };
    let between = if from == Encoding::Utf8 { "" } else { " to UTF-8" };
    TranscodeError::Undefined(Box::new(ErrorInfo {
        message: format!("{what} to {step} in conversion from {}{between} to {way} to {}", from.name(), to.name()),
        error_bytes: bytes.to_vec(),
        readagain_bytes: Vec::new(),
        incomplete: false,
        source: Encoding::Utf8,
        destination: to,
    }))
}

/// The active escape sequence of a text in ISO-2022-JP or a relative.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub struct Shift(Option<&'static [u8]>);
impl Shift {
    /// The number of bytes of each character.
    #[must_use]
    pub fn width(self) -> usize {
        if self.0.is_some_and(|escape| escape[1] == b'$') { 2 } else { 1 }
    }
}

/// The names of the encodings by which MRI converts `from` to UTF-8.
fn way(from: Encoding) -> String {
    let between = match from {
        Encoding::Cp50220 | Encoding::Cp50221 => "cp51932",
        Encoding::Iso2022JpKddi => "stateless-ISO-2022-JP-KDDI",
        _ => "stateless-ISO-2022-JP to EUC-JP",
    };
    format!("{} to {between} to UTF-8", from.name())
}

/// The character at the start of `rest`, which is not empty, in UTF-8, and the number of its bytes; empty for an escape sequence.
///
/// # Errors
/// For invalid bytes, and for characters that UTF-8 does not have. The state stays.
pub fn shifted_char(rest: &[u8], from: Encoding, shift: &mut Shift) -> Result<(usize, Vec<u8>), TranscodeError> {
    const SHIFTS: [&[u8]; 5] = [ASCII, b"\x1b(J", b"\x1b$@", b"\x1b$B", KATAKANA];
    let relative = matches!(from, Encoding::Cp50220 | Encoding::Cp50221);
    let shifts = if relative { &SHIFTS[..] } else { &SHIFTS[..4] };
    let first = rest[0];
    if first == 0x1B {
        if let Some(found) = shifts.iter().find(|escape| rest.starts_with(escape)) {
            // as in MRI, JIS X 0201 is ASCII
            *shift = Shift(Some(*found).filter(|escape| escape[1] == b'$' || *escape == KATAKANA));
            return Ok((found.len(), Vec::new()));
        }
        let common = |escape: &&[u8]| escape.iter().zip(rest).take_while(|(a, b)| a == b).count();
        return Err(invalid(rest, shifts.iter().map(common).max().unwrap_or(1), from));
    }
    if relative && (0xA1..=0xDF).contains(&first) {
        return Ok((1, katakana(first & 0x7F)));
    }
    let graphic = |byte: &u8| (0x21..=0x7E).contains(byte);
    match shift.0 {
        None if first >= 0x80 || matches!(first, 0x0E | 0x0F) => Err(invalid(rest, 0, from)),
        None => Ok((1, vec![first])),
        Some(escape) if escape == KATAKANA && (0x21..=0x5F).contains(&first) => Ok((1, katakana(first))),
        Some(escape) if escape != KATAKANA && graphic(&first) => {
            let Some(second) = rest.get(1).filter(|byte| graphic(byte)) else { return Err(invalid(rest, 1, from)) };
            let text = [escape, &[first, *second], ASCII].concat();
            match encoding_rs::ISO_2022_JP.decode_without_bom_handling(&text) {
                (text, false) => Ok((2, text.as_bytes().to_vec())),
                _ => Err(unmapped(&[first | 0x80, second | 0x80], from)),
            }
        }
        Some(_) => Err(invalid(rest, 0, from)),
    }
}

fn katakana(byte: u8) -> Vec<u8> {
    let c = char::from_u32(0xFF61 + u32::from(byte) - 0x21).unwrap_or(char::REPLACEMENT_CHARACTER);
    c.to_string().into_bytes()
}

/// The error for `good` bytes that the next byte, if there is one, does not continue. If none is good the first byte is the error.
fn invalid(rest: &[u8], good: usize, from: Encoding) -> TranscodeError {
    let (bad, next) = match good {
        0 => (&rest[..1], &rest[..0]),
        _ => (&rest[..good], &rest[good..rest.len().min(good + 1)]),
    };
    let incomplete = good > 0 && next.is_empty();
    let message = match (incomplete, next.is_empty()) {
        (true, _) => format!("incomplete {} on {}", dump(bad), from.name()),
        (false, true) => format!("{} on {}", dump(bad), from.name()),
        (false, false) => format!("{} followed by {} on {}", dump(bad), dump(next), from.name()),
    };
    TranscodeError::Invalid(Box::new(ErrorInfo {
        message,
        error_bytes: bad.to_vec(),
        readagain_bytes: next.to_vec(),
        incomplete,
        source: from,
        destination: Encoding::Utf8,
    }))
}

fn unmapped(bytes: &[u8], from: Encoding) -> TranscodeError {
    TranscodeError::Undefined(Box::new(ErrorInfo {
        message: format!("{} to UTF-8 in conversion from {}", dump(bytes), way(from)),
        error_bytes: bytes.to_vec(),
        readagain_bytes: Vec::new(),
        incomplete: false,
        source: Encoding::EucJp,
        destination: Encoding::Utf8,
    }))
}

/// Converts a character that [`shifted_char`] has found.
///
/// # Errors
/// If `to` does not have it.
pub fn from_shifted_char(text: &[u8], from: Encoding, to: Encoding) -> Result<Vec<u8>, TranscodeError> {
    super::transcode(text, Encoding::Utf8, to, &mut Options::default()).map_err(|error| match error {
        TranscodeError::Undefined(mut info) => {
            if let Some((what, _)) = info.message.split_once(" from UTF-8 to ") {
                info.message = format!("{what} to {} in conversion from {} to {}", to.name(), way(from), to.name());
            }
            TranscodeError::Undefined(info)
        }
        other => other,
    })
}
