//! Merges the corrections of several findings into one list of edits.

use crate::rule::Edit;

/// Edits that can be applied together, in order. The edits of one finding are applied together or not at all: a finding whose edits conflict with
/// those of an earlier one waits for the next pass.
#[must_use]
pub fn merge<'e>(findings: impl Iterator<Item = &'e [Edit]>) -> Vec<Edit> {
    let mut all: Vec<Edit> = Vec::new();
    for edits in findings {
        let mut next = all.clone();
        if edits.iter().all(|edit| place(&mut next, edit)) {
            all = next;
        }
    }
    all.sort_by_key(|edit| (edit.span.start, edit.span.end));
    all
}

/// Adds an edit; false if it conflicts with one in the list.
fn place(all: &mut Vec<Edit>, edit: &Edit) -> bool {
    if all.contains(edit) {
        return true;
    }
    let mut joined = edit.clone();
    let mut at = 0;
    while at < all.len() {
        let other = &all[at];
        let apart = joined.span.end <= other.span.start || other.span.end <= joined.span.start;
        let same_point = joined.span == other.span;
        if apart && !same_point {
            at += 1;
            continue;
        }
        // overlapping removals are merged
        if joined.text.is_empty() && other.text.is_empty() {
            joined.span = joined.span.join(other.span);
            all.remove(at);
            continue;
        }
        let holds = |outer: &Edit, inner: &Edit| {
            outer.span.start <= inner.span.start && inner.span.end <= outer.span.end && inner.text.is_empty()
        };
        if holds(other, &joined) && !same_point {
            return true;
        }
        if holds(&joined, other) && !same_point {
            all.remove(at);
            continue;
        }
        if same_point && joined.span.is_empty() {
            at += 1;
            continue;
        }
        return false;
    }
    all.push(joined);
    true
}
