//! `tr`, `delete` and `count` where text and sets are ASCII: with tables of its characters.

/// Whether each character of ASCII is in a set.
pub type Table = [bool; 128];

/// The characters that a set names, in order; None where it has escapes, other characters or an invalid range.
fn listed(spec: &[u8]) -> Option<Vec<u8>> {
    let mut list = Vec::with_capacity(spec.len());
    let mut at = 0;
    while let Some(&first) = spec.get(at) {
        if !first.is_ascii() || first == b'\\' {
            return None;
        }
        match (spec.get(at + 1), spec.get(at + 2)) {
            (Some(b'-'), Some(&last)) => {
                if last < first || !last.is_ascii() || last == b'\\' {
                    return None;
                }
                list.extend(first..=last);
                at += 3;
            }
            _ => {
                list.push(first);
                at += 1;
            }
        }
    }
    Some(list)
}

/// The characters that are in all sets, as `delete` and `count` take them.
pub fn table<'a>(specs: impl Iterator<Item = &'a [u8]>) -> Option<Table> {
    let mut all = [true; 128];
    for spec in specs {
        let (negated, spec) = match spec {
            [b'^', rest @ ..] if !rest.is_empty() => (true, rest),
            _ => (false, spec),
        };
        let mut own = [negated; 128];
        for byte in listed(spec)? {
            own[usize::from(byte & 127)] = !negated;
        }
        all.iter_mut().zip(own).for_each(|(all, own)| *all &= own);
    }
    Some(all)
}

/// What `tr` makes of a text: None if no character is among those of `from`. The outer None: it needs more than tables.
pub fn tr(text: &[u8], from: &[u8], to: &[u8]) -> Option<Option<Vec<u8>>> {
    let to = listed(to)?;
    let last = *to.last()?;
    let mut map: [u8; 128] = std::array::from_fn(|at| at as u8);
    let mut is_from = [false; 128];
    match from {
        [b'^', rest @ ..] if !rest.is_empty() => {
            let kept = table(std::iter::once(rest)).filter(|_| rest[0] != b'^')?;
            map.iter_mut().zip(kept).filter(|(_, kept)| !kept).for_each(|(to, _)| *to = last);
            is_from = kept.map(|kept| !kept);
        }
        _ => {
            for (at, byte) in listed(from)?.into_iter().enumerate() {
                map[usize::from(byte & 127)] = to.get(at).copied().unwrap_or(last);
                is_from[usize::from(byte & 127)] = true;
            }
        }
    }
    let is_any = text.iter().any(|byte| is_from[usize::from(byte & 127)]);
    Some(is_any.then(|| text.iter().map(|byte| map[usize::from(byte & 127)]).collect()))
}
