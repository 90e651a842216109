//! EUC-JP and its relatives: where MRI's tables differ from those of encoding_rs, which are the WHATWG's, and the third plane, which encoding_rs only
//! decodes.

use super::codepoint::{read_by, written_by};
use crate::encoding::Encoding;
use std::sync::LazyLock;

/// Characters of EUC-JP that the WHATWG takes for others, as Windows does.
const OWN: &[(char, [u8; 2])] = &[
    ('\u{2014}', [0xA1, 0xBD]),
    ('\u{301C}', [0xA1, 0xC1]),
    ('\u{2016}', [0xA1, 0xC2]),
    ('\u{2212}', [0xA1, 0xDD]),
    ('\u{A2}', [0xA1, 0xF1]),
    ('\u{A3}', [0xA1, 0xF2]),
    ('\u{AC}', [0xA2, 0xCC]),
];

/// The first of the characters for private use that eucJP-ms has in the rows F5 to FE of both planes.
const PRIVATE: u32 = 0xE000;
const PRIVATE_ROW: u8 = 0xF5;
const PRIVATE_ROWS: u32 = 10;
/// The characters of a row.
const CELLS: u32 = 94;

/// The character of two bytes, or of three that begin with 8F; None if there is none.
pub(super) fn to_unicode(ch: &[u8], enc: Encoding) -> Option<char> {
    match (enc, ch) {
        (Encoding::EucJp, [row, cell]) => {
            if let Some((c, _)) = OWN.iter().find(|(_, bytes)| bytes == &[*row, *cell]) {
                return Some(*c);
            }
            if is_of_windows(*row) {
                return None;
            }
        }
        (Encoding::EucJp, [0x8F, 0xA2, 0xB7]) => return Some('~'),
        (Encoding::Cp51932, [0x8F, ..]) => return None,
        (Encoding::EucJpMs, [row @ PRIVATE_ROW..=0xFE, cell]) => return private(0, *row, *cell),
        (Encoding::EucJpMs, [0x8F, row @ PRIVATE_ROW..=0xFE, cell]) => {
            return private(PRIVATE_ROWS * CELLS, *row, *cell);
        }
        (Encoding::EucJpMs, [0x8F, 0xA2, 0xC3]) => return Some('\u{FFE4}'),
        _ => {}
    }
    read_by(encoding_rs::EUC_JP, ch)
}

/// The bytes of a character that is not ASCII; None if the encoding does not have it.
pub(super) fn from_unicode(c: char, enc: Encoding) -> Option<Vec<u8>> {
    let plain = || written_by(encoding_rs::EUC_JP, c);
    match enc {
        Encoding::EucJp => {
            if let Some((_, bytes)) = OWN.iter().find(|(own, _)| *own == c) {
                return Some(bytes.to_vec());
            }
            // the horizontal bar is written as the dash is, whose place it has in the WHATWG's table
            let taken = |pair: &[u8]| c != '\u{2015}' && OWN.iter().any(|(_, own)| own == pair);
            plain().filter(|bytes| !is_of_windows(bytes[0]) && !taken(bytes)).or_else(|| third_plane(c))
        }
        // the WHATWG writes the minus sign as a full-width hyphen
        Encoding::Cp51932 | Encoding::EucJpMs if c == '\u{2212}' => None,
        Encoding::Cp51932 => plain(),
        _ if c == '\u{A6}' => None,
        _ => of_private(c).or_else(|| plain().filter(|bytes| bytes[0] < PRIVATE_ROW)).or_else(|| third_plane(c)),
    }
}

fn third_plane(c: char) -> Option<Vec<u8>> {
    let at = JIS_X_0212.binary_search_by_key(&c, |(known, _)| *known).ok()?;
    let (_, [row, cell]) = JIS_X_0212[at];
    Some(vec![0x8F, row, cell])
}

/// Rows of NEC's and IBM's characters, which only the encodings of Windows have.
fn is_of_windows(row: u8) -> bool {
    matches!(row, 0xAD | 0xF9..=0xFC)
}

fn private(from: u32, row: u8, cell: u8) -> Option<char> {
    char::from_u32(PRIVATE + from + u32::from(row - PRIVATE_ROW) * CELLS + u32::from(cell.checked_sub(0xA1)?))
}

fn of_private(c: char) -> Option<Vec<u8>> {
    let number = u32::from(c).checked_sub(PRIVATE).filter(|number| *number < 2 * PRIVATE_ROWS * CELLS)?;
    let (row, cell) = (number / CELLS % PRIVATE_ROWS, number % CELLS);
    let pair = [PRIVATE_ROW + row as u8, 0xA1 + cell as u8];
    Some(if number < PRIVATE_ROWS * CELLS { pair.to_vec() } else { vec![0x8F, pair[0], pair[1]] })
}

/// The characters of the third plane (JIS X 0212) in their order, with the bytes after 8F.
static JIS_X_0212: LazyLock<Vec<(char, [u8; 2])>> = LazyLock::new(|| {
    let cells = || 0xA1..=0xFE_u8;
    let pairs = cells().flat_map(|row| cells().map(move |cell| [row, cell]));
    let decoded = pairs.filter_map(|[row, cell]| Some((to_unicode(&[0x8F, row, cell], Encoding::EucJp)?, [row, cell])));
    let mut known: Vec<_> = decoded.collect();
    known.sort_unstable();
    known.dedup_by_key(|(c, _)| *c);
    known
});
