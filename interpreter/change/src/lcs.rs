//! The longest common subsequence of two lists of lines, as found by Ruby's diff-lcs (Hunt and Szymanski). If several have the same length, the
//! choice determines the diff, and Chef's output is compared line by line.

use std::collections::HashMap;

/// Maximum number of pairs of equal lines to consider; more would take too long.
const MOST: usize = 20_000_000;

/// The matching line of `to` for each line of `from`; `None` if there are too many pairs of equal lines.
pub fn matches(from: &[&str], to: &[&str]) -> Option<Vec<Option<usize>>> {
    let mut found = vec![None; from.len()];
    let mut start = 0;
    while start < from.len() && start < to.len() && from[start] == to[start] {
        found[start] = Some(start);
        start += 1;
    }
    let (mut from_end, mut to_end) = (from.len(), to.len());
    while from_end > start && to_end > start && from[from_end - 1] == to[to_end - 1] {
        from_end -= 1;
        to_end -= 1;
        found[from_end] = Some(to_end);
    }
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, line) in to.iter().enumerate().take(to_end).skip(start) {
        places.entry(line).or_default().push(at);
    }
    let pairs = from[start..from_end].iter().filter_map(|line| places.get(line)).map(Vec::len);
    if pairs.sum::<usize>() > MOST {
        return None;
    }
    let mut search = Search::default();
    for (at, line) in from.iter().enumerate().take(from_end).skip(start) {
        let Some(places) = places.get(line) else { continue };
        search.add(at, places);
    }
    let mut link = search.last();
    while let Some(at) = link {
        let Link { before, from, to } = search.arena[at];
        found[from] = Some(to);
        link = before;
    }
    Some(found)
}

/// A pair in a common subsequence, linked to the previous pair.
#[derive(Clone, Copy)]
struct Link {
    before: Option<usize>,
    from: usize,
    to: usize,
}

#[derive(Default)]
struct Search {
    /// The smallest line of `to` at which a common subsequence of each length ends.
    ends: Vec<usize>,
    /// The last pair of the subsequence of each length.
    links: Vec<usize>,
    arena: Vec<Link>,
}

impl Search {
    /// Adds the positions of one line in `to`, in descending order so that none is used twice.
    fn add(&mut self, from: usize, places: &[usize]) {
        let mut last = None;
        for &to in places.iter().rev() {
            let length = match last {
                Some(at) if self.ends[at] > to && at > 0 && self.ends[at - 1] < to => {
                    self.ends[at] = to;
                    Some(at)
                }
                _ => self.replace_next_larger(to, last),
            };
            last = length;
            if let Some(at) = length {
                let before = at.checked_sub(1).map(|at| self.links[at]);
                self.arena.push(Link { before, from, to });
                let link = self.arena.len() - 1;
                if at == self.links.len() { self.links.push(link) } else { self.links[at] = link }
            }
        }
    }

    /// Replaces the next larger end by this one; None if it is already there.
    fn replace_next_larger(&mut self, to: usize, last: Option<usize>) -> Option<usize> {
        if self.ends.last().is_none_or(|end| to > *end) {
            self.ends.push(to);
            return Some(self.ends.len() - 1);
        }
        let upto = last.map_or(self.ends.len(), |last| last + 1);
        match self.ends[..upto].binary_search(&to) {
            Ok(_) => None,
            Err(at) if at < self.ends.len() => {
                self.ends[at] = to;
                Some(at)
            }
            Err(_) => None,
        }
    }

    fn last(&self) -> Option<usize> {
        self.ends.len().checked_sub(1).map(|at| self.links[at])
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    fn shown(from: &str, to: &str) -> String {
        let split = |text: &'static str| text.split("").filter(|part| !part.is_empty()).collect::<Vec<_>>();
        let (from, to) = (split(Box::leak(from.into())), split(Box::leak(to.into())));
        let found = matches(&from, &to).unwrap();
        found.iter().enumerate().filter(|(_, to)| to.is_some()).map(|(at, _)| from[at]).collect()
    }

    /// Recorded from diff-lcs 1.5.
    #[test]
    fn common_subsequences() {
        assert_eq!(shown("abcehjlmnp", "bcdefjklmrst"), "bcejlm");
        assert_eq!(shown("abab", "baba"), "bab");
        assert_eq!(shown("", "x"), "");
        assert_eq!(shown("same", "same"), "same");
    }
}
