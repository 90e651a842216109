//! `File.fnmatch`, and the brace expansion that Dir.glob uses too.

use std::cmp::Ordering;

/// `File::FNM_NOESCAPE`: a backslash is a plain character.
pub const NOESCAPE: u32 = 1;
/// `File::FNM_PATHNAME`: wildcards do not match `/`.
pub const PATHNAME: u32 = 2;
/// `File::FNM_DOTMATCH`: wildcards match a leading period.
pub const DOTMATCH: u32 = 4;
/// `File::FNM_CASEFOLD`.
pub const CASEFOLD: u32 = 8;
/// `File::FNM_EXTGLOB`: `{a,b}`.
pub const EXTGLOB: u32 = 16;

/// Expands `{a,b}` in `pattern`, also nested, in MRI's order.
pub fn brace_expand(pattern: &[u8], flags: u32) -> Vec<Vec<u8>> {
    let mut out = Vec::new();
    expand(pattern, flags, &mut out, 0);
    out
}

/// No further patterns are made beyond this number: a pattern of a hundred bytes could expand to more than memory holds.
const MAX_PATTERNS: usize = 100_000;

fn expand(p: &[u8], flags: u32, out: &mut Vec<Vec<u8>>, depth: usize) {
    let escape = flags & NOESCAPE == 0;
    let (mut level, mut open, mut close) = (0, None, None);
    let mut i = 0;
    while i < p.len() {
        match p[i] {
            b'{' => {
                if level == 0 {
                    open = Some(i);
                }
                level += 1;
            }
            b'}' if level > 0 => {
                level -= 1;
                if level == 0 {
                    close = Some(i);
                    break;
                }
            }
            b'\\' if escape => i += 1,
            _ => {}
        }
        i += 1;
    }
    let (Some(open), Some(close)) = (open, close) else {
        // MRI ignores a pattern with an unclosed brace.
        if open.is_none() {
            out.push(p.to_vec());
        }
        return;
    };
    if out.len() > MAX_PATTERNS || depth > 200 {
        return;
    }
    let mut start = open + 1;
    let mut level = 0;
    let mut i = start;
    while i <= close {
        let at_end = i == close;
        match p[i] {
            b'{' => level += 1,
            b'}' if !at_end => level -= 1,
            b'\\' if escape && i + 1 < close => i += 1,
            _ => {}
        }
        if at_end || p[i] == b',' && level == 0 {
            let part = [&p[..open], &p[start..i.min(close)], &p[close + 1..]].concat();
            expand(&part, flags, out, depth + 1);
            start = i + 1;
        }
        i += 1;
    }
}

/// `File.fnmatch(pattern, path, flags)`, for UTF-8 (or any bytes where characters do not matter).
pub fn fnmatch(pattern: &[u8], path: &[u8], flags: u32) -> bool {
    if flags & EXTGLOB != 0 {
        return brace_expand(pattern, flags).iter().any(|p| plain(p, path, flags));
    }
    plain(pattern, path, flags)
}

fn plain(pattern: &[u8], path: &[u8], flags: u32) -> bool {
    let mut budget = 1_000_000;
    if flags & PATHNAME == 0 {
        return segment(pattern, path, flags, true, &mut budget);
    }
    by_segments(pattern, path, flags, &mut budget)
}

fn cut(s: &[u8]) -> (&[u8], Option<&[u8]>) {
    match memchr::memchr(b'/', s) {
        Some(i) => (&s[..i], Some(&s[i + 1..])),
        None => (s, None),
    }
}

/// Matches the pattern segment by segment; `**/` stands for any number of segments.
fn by_segments(mut pattern: &[u8], mut path: &[u8], flags: u32, budget: &mut u32) -> bool {
    loop {
        if let Some(mut rest) = pattern.strip_prefix(b"**/".as_slice()) {
            while let Some(r) = rest.strip_prefix(b"**/".as_slice()) {
                rest = r;
            }
            loop {
                if *budget == 0 {
                    return false;
                }
                *budget -= 1;
                if by_segments(rest, path, flags, budget) {
                    return true;
                }
                let hidden = path.first() == Some(&b'.') && flags & DOTMATCH == 0;
                match cut(path) {
                    (_, Some(next)) if !hidden => path = next,
                    _ => return false,
                }
            }
        }
        let (p, p_rest) = cut_pattern(pattern, flags);
        let (s, s_rest) = cut(path);
        if !segment(p, s, flags, true, budget) {
            return false;
        }
        match (p_rest, s_rest) {
            (None, None) => return true,
            (Some(p), Some(s)) => (pattern, path) = (p, s),
            _ => return false,
        }
    }
}

fn cut_pattern(p: &[u8], flags: u32) -> (&[u8], Option<&[u8]>) {
    let escape = flags & NOESCAPE == 0;
    let mut i = 0;
    // where one bracket is not closed, none of those after it is
    let mut closed = true;
    while i < p.len() {
        match p[i] {
            b'/' => return (&p[..i], Some(&p[i + 1..])),
            b'\\' if escape && p.get(i + 1) == Some(&b'/') => return (&p[..i], Some(&p[i + 2..])),
            b'\\' if escape => i += 2,
            // a slash in brackets belongs to them; it matches nothing
            b'[' if closed => match bracket_length(&p[i..], flags) {
                Some(length) => i += length,
                None => (closed, i) = (false, i + 1),
            },
            _ => i += 1,
        }
    }
    (p, None)
}

fn char_len(s: &[u8]) -> usize {
    crate::encoding::char_len_at(s, 0, crate::encoding::Encoding::Utf8).len().max(1).min(s.len())
}

/// The order of two characters.
fn order(a: &[u8], b: &[u8], flags: u32) -> Ordering {
    let folded = |byte: &u8| if flags & CASEFOLD != 0 { byte.to_ascii_lowercase() } else { *byte };
    a.len().cmp(&b.len()).then_with(|| a.iter().map(folded).cmp(b.iter().map(folded)))
}

/// Matches one segment (the whole path without PATHNAME): `*`, `?`, `[...]`, escapes.
fn segment(p: &[u8], s: &[u8], flags: u32, start: bool, budget: &mut u32) -> bool {
    let hidden = start && s.first() == Some(&b'.') && flags & DOTMATCH == 0;
    let escape = flags & NOESCAPE == 0;
    if hidden {
        let plain = if escape { p.strip_prefix(b"\\".as_slice()).unwrap_or(p) } else { p };
        if plain.first() != Some(&b'.') {
            return false;
        }
    }
    let (mut pi, mut si) = (0, 0);
    // The pattern position after the last star, and how far the star's match reached.
    let mut star: Option<(usize, usize)> = None;
    loop {
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        match p.get(pi) {
            Some(b'*') => {
                while p.get(pi) == Some(&b'*') {
                    pi += 1;
                }
                if pi == p.len() {
                    return true;
                }
                star = Some((pi, si));
                continue;
            }
            Some(b'?') if si < s.len() => {
                pi += 1;
                si += char_len(&s[si..]);
                continue;
            }
            Some(b'[') if si < s.len() => {
                let n = char_len(&s[si..]);
                match bracket(&p[pi..], &s[si..si + n], flags) {
                    Some((true, len)) => {
                        pi += len;
                        si += n;
                        continue;
                    }
                    Some((false, _)) => {}
                    // no text matches an unclosed bracket, however far the star reaches
                    None => return false,
                }
            }
            // a single backslash at the end stands for nothing
            Some(_) if si < s.len() && !(escape && p[pi..] == *b"\\") => {
                let mut at = pi;
                if escape && p[at] == b'\\' {
                    at += 1;
                }
                let (pn, sn) = (char_len(&p[at..]), char_len(&s[si..]));
                if order(&p[at..at + pn], &s[si..si + sn], flags).is_eq() {
                    pi = at + pn;
                    si += sn;
                    continue;
                }
            }
            None if si == s.len() => return true,
            // A single backslash at the end is ignored.
            Some(b'\\') if escape && si == s.len() && pi + 1 == p.len() => return true,
            _ => {}
        }
        // No match here: extend the last star's match by one character.
        match star {
            Some((after, reached)) if reached < s.len() => {
                let next = reached + char_len(&s[reached..]);
                star = Some((after, next));
                (pi, si) = (after, next);
            }
            _ => return false,
        }
    }
}

/// The characters of a bracket expression, and the ranges between two of them.
struct Bracket<'a> {
    pattern: &'a [u8],
    at: usize,
    escape: bool,
}
impl<'a> Bracket<'a> {
    /// At the start of the expression; and whether it is negated.
    fn new(pattern: &'a [u8], flags: u32) -> (Self, bool) {
        let negated = matches!(pattern.get(1), Some(b'!' | b'^'));
        (Self { pattern, at: 1 + usize::from(negated), escape: flags & NOESCAPE == 0 }, negated)
    }
    /// None if the pattern ends here.
    fn is_at_end(&self) -> Option<bool> {
        Some(*self.pattern.get(self.at)? == b']')
    }
    fn character(&mut self) -> Option<&'a [u8]> {
        if self.escape && self.pattern.get(self.at) == Some(&b'\\') {
            self.at += 1;
        }
        let rest = self.pattern.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = char_len(rest);
        self.at += length;
        rest.get(..length)
    }
    fn range(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        let from = self.character()?;
        if self.pattern.get(self.at) == Some(&b'-') && self.pattern.get(self.at + 1).is_some_and(|next| *next != b']') {
            self.at += 1;
            return Some((from, self.character()?));
        }
        Some((from, from))
    }
}

/// The length of the bracket expression at the start of `p`; None if it is unclosed.
fn bracket_length(p: &[u8], flags: u32) -> Option<usize> {
    let (mut bracket, _) = Bracket::new(p, flags);
    while !bracket.is_at_end()? {
        bracket.character()?;
    }
    Some(bracket.at + 1)
}

/// Whether the bracket expression at the start of `p` matches the character, and its length; None if it is unclosed.
fn bracket(p: &[u8], ch: &[u8], flags: u32) -> Option<(bool, usize)> {
    let (mut bracket, negated) = Bracket::new(p, flags);
    let mut ok = false;
    while !bracket.is_at_end()? {
        let (from, to) = bracket.range()?;
        let (low, high) = (order(from, ch, flags), order(ch, to, flags));
        // the ends match also where they are in the wrong order
        ok |= low.is_eq() || high.is_eq() || (low.is_le() && high.is_le());
    }
    Some((ok != negated, bracket.at + 1))
}
