//! `File.fnmatch`, and the brace expansion that Dir.glob uses too.

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
    while i < p.len() {
        match p[i] {
            b'/' => return (&p[..i], Some(&p[i + 1..])),
            b'\\' if escape && p.get(i + 1) == Some(&b'/') => return (&p[..i], Some(&p[i + 2..])),
            b'\\' if escape => i += 2,
            // a slash in brackets belongs to them; it matches nothing
            b'[' => i += bracket(&p[i..], b"", flags).map_or(1, |(_, length)| length),
            _ => i += 1,
        }
    }
    (p, None)
}

fn char_len(s: &[u8]) -> usize {
    crate::encoding::char_len_at(s, 0, crate::encoding::Encoding::Utf8).len().max(1).min(s.len())
}

fn folded(ch: &[u8], flags: u32) -> Vec<u8> {
    if flags & CASEFOLD != 0 { ch.to_ascii_lowercase() } else { ch.to_vec() }
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
                if let Some((true, len)) = bracket(&p[pi..], &s[si..si + n], flags) {
                    pi += len;
                    si += n;
                    continue;
                }
            }
            Some(_) if si < s.len() => {
                let mut at = pi;
                if escape && p[at] == b'\\' && at + 1 < p.len() {
                    at += 1;
                }
                let (pn, sn) = (char_len(&p[at..]), char_len(&s[si..]));
                if folded(&p[at..at + pn], flags) == folded(&s[si..si + sn], flags) {
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

/// Whether the bracket expression at the start of `p` matches the character, and its length; None if it is unclosed.
fn bracket(p: &[u8], ch: &[u8], flags: u32) -> Option<(bool, usize)> {
    let escape = flags & NOESCAPE == 0;
    let mut i = 1;
    let negated = matches!(p.get(i), Some(b'!' | b'^'));
    i += usize::from(negated);
    let ch = folded(ch, flags);
    let mut ok = false;
    while *p.get(i)? != b']' {
        let one = |i: &mut usize| {
            if escape && p.get(*i) == Some(&b'\\') {
                *i += 1;
            }
            let rest = p.get(*i..).filter(|r| !r.is_empty())?;
            let n = char_len(rest);
            *i += n;
            Some(folded(&rest[..n], flags))
        };
        let from = one(&mut i)?;
        let mut to = from.clone();
        if p.get(i) == Some(&b'-') && p.get(i + 1).is_some_and(|c| *c != b']') {
            i += 1;
            to = one(&mut i)?;
        }
        let order = |a: &[u8], b: &[u8]| a.len().cmp(&b.len()).then(a.cmp(b));
        // the ends match also where they are in the wrong order
        ok |= ch == from || ch == to || (order(&from, &ch).is_le() && order(&ch, &to).is_le());
    }
    Some((ok != negated, i + 1))
}
