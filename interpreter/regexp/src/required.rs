//! Literal bytes that every match contains: a text without them need not be searched.

use crate::ast::Node;
use memchr::{memchr2_iter, memmem};

/// The longest sequences of literal characters that every match contains. Characters outside ASCII are excluded: how they match depends on the text.
#[derive(Debug, Default)]
pub(crate) struct Required {
    exact: Option<memmem::Finder<'static>>,
    /// A longer sequence, in any case. It only holds for ASCII: letters also match others that are equal in another case, such as `K` (Kelvin).
    any_case: Option<AnyCase>,
}

/// Lower-case bytes, and where the one is that occurs least in most texts.
#[derive(Debug)]
struct AnyCase {
    bytes: Box<[u8]>,
    rarest: usize,
}

impl Required {
    /// What every match of the tree contains. The characters of a `binary` one are bytes. `backtracks`: its searches are slow.
    pub(crate) fn of(root: &Node, binary: bool, backtracks: bool) -> Required {
        let exact = longest(root, false, binary);
        let any_case = if binary { Vec::new() } else { longest(root, true, false) };
        let any_case = (any_case.len() > exact.len().max(1)).then(|| AnyCase::new(any_case));
        // a single character occurs almost everywhere: looking for it first only pays if the search is slow
        let pays = exact.len() > usize::from(!backtracks);
        Required { exact: pays.then(|| memmem::Finder::new(&exact).into_owned()), any_case }
    }

    /// Whether this text does not contain them. `ascii`: it has nothing but ASCII.
    #[inline]
    pub(crate) fn is_missing(&self, text: &[u8], ascii: bool) -> bool {
        self.exact.as_ref().is_some_and(|finder| finder.find(text).is_none())
            || (ascii && self.any_case.as_ref().is_some_and(|wanted| !wanted.occurs(text)))
    }
}

impl AnyCase {
    fn new(bytes: Vec<u8>) -> AnyCase {
        const BY_FREQUENCY: &[u8] = b" etaoinsrhldcumfpgwybvkxjqz";
        let rarity = |byte: &u8| BY_FREQUENCY.iter().position(|known| known == byte).unwrap_or(BY_FREQUENCY.len() / 2);
        let rarest = (0..bytes.len()).max_by_key(|at| rarity(&bytes[*at])).unwrap_or(0);
        AnyCase { bytes: bytes.into(), rarest }
    }

    fn occurs(&self, text: &[u8]) -> bool {
        let rarest = self.bytes[self.rarest];
        memchr2_iter(rarest, rarest.to_ascii_uppercase(), text).any(|at| {
            at.checked_sub(self.rarest)
                .and_then(|start| text.get(start..start + self.bytes.len()))
                .is_some_and(|found| found.eq_ignore_ascii_case(&self.bytes))
        })
    }
}

/// The longest required sequence, either of characters that only match themselves, or of all, in lower case.
fn longest(root: &Node, any_case: bool, binary: bool) -> Vec<u8> {
    fn walk(node: &Node, run: &mut Vec<u8>, best: &mut Vec<u8>, mode: (bool, bool)) {
        let (any_case, binary) = mode;
        let end = |run: &mut Vec<u8>, best: &mut Vec<u8>| {
            if run.len() > best.len() {
                std::mem::swap(run, best);
            }
            run.clear();
        };
        match node {
            Node::Char { c, icase } => match u8::try_from(*c) {
                Ok(byte) if byte.is_ascii() && any_case => run.push(byte.to_ascii_lowercase()),
                Ok(byte) if (byte.is_ascii() || binary) && (!icase || !byte.is_ascii_alphabetic()) => run.push(byte),
                _ => end(run, best),
            },
            Node::Concat(v) => v.iter().for_each(|node| walk(node, run, best, mode)),
            Node::Capture { node, .. } | Node::Option(node) | Node::Atomic(node) => walk(node, run, best, mode),
            Node::Repeat { node, min, max, .. } if *min > 0 => {
                end(run, best);
                walk(node, run, best, mode);
                if *max != Some(1) {
                    end(run, best);
                }
            }
            // zero-width nodes do not separate their neighbours
            Node::Anchor(_) | Node::Empty => {}
            _ => end(run, best),
        }
    }
    let (mut run, mut best) = (Vec::new(), Vec::new());
    walk(root, &mut run, &mut best, (any_case, binary));
    if run.len() > best.len() { run } else { best }
}
