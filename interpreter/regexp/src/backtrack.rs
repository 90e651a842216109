//! A backtracking matcher for what fancy-regex does not do like Onigmo: subexpression calls with recursion, back-references with a level, absent
//! groups, captures of empty iterations, `\G` in a backward search.

use crate::ast::{Anchor, CallTarget, Look, Node};
use crate::charset::CharSet;
use crate::class::{Class, Target};
use crate::emit;
use crate::error::MatchError;
use crate::fold;
use crate::property::Property;
use fancy_regex::Regex;
use std::sync::OnceLock;

mod run;

/// Maximum number of stack entries in one match.
const STACK_LIMIT: usize = 4_000_000;
const NONE: usize = usize::MAX;

/// A character set with a table for ASCII.
#[derive(Debug)]
struct Set {
    /// A bit for each of them.
    ascii: [u64; 2],
    set: CharSet,
}

impl Set {
    fn new(set: CharSet) -> Set {
        let mut ascii = [0; 2];
        for &(a, b) in set.ranges() {
            for c in a..=b.min(127) {
                if let Some(bits) = ascii.get_mut((c >> 6) as usize) {
                    *bits |= 1 << (c & 63);
                }
            }
        }
        Set { ascii, set }
    }

    fn has(&self, c: u32) -> bool {
        match self.ascii.get((c >> 6) as usize) {
            Some(bits) => bits >> (c & 63) & 1 != 0,
            None => self.set.contains(c),
        }
    }
}

#[derive(Debug)]
enum Op {
    Char(u32),
    Set(Box<Set>),
    /// Tries the first target, then the second.
    Split(usize, usize),
    Jump(usize),
    /// Saves the position in a slot.
    Save(usize),
    /// At the end of a capturing group: sets its start from a register.
    Start {
        slot: usize,
        from: usize,
    },
    Anchor(Anchor),
    Backref {
        groups: Vec<usize>,
        icase: bool,
        level: Option<i32>,
    },
    /// Begins a part that ends with `Cut`, `CutBack` or `CutFail`.
    Mark,
    /// Drops the choices since the mark.
    Cut,
    /// `Cut`, then returns to the position of the mark.
    CutBack,
    /// `Cut`, then fails: the match of a negative lookaround's body.
    CutFail,
    /// Goes back this many characters.
    Back(u32),
    /// Sets a register to zero.
    Zero(usize),
    /// Start of a counted loop.
    Count {
        reg: usize,
        min: u32,
        max: Option<u32>,
        greedy: bool,
        exit: usize,
    },
    /// Increments the counter; leaves the loop if the iteration was empty.
    Next {
        reg: usize,
        start: usize,
        head: usize,
        exit: usize,
    },
    /// Leaves the loop if the iteration was empty.
    EmptyCheck {
        start: usize,
        exit: usize,
    },
    Call(usize),
    Return,
    Condition(usize, usize),
    Newline,
    Grapheme(Box<Regex>),
    /// The body follows, up to this instruction.
    Absent(usize),
    Fail,
    End,
}

#[derive(Debug)]
pub(crate) struct Backtracker {
    code: Vec<Op>,
    target: Target,
    groups: usize,
    /// Number of slots: two per group, one for `\K`, then the registers.
    slots: usize,
    /// The word characters, if the pattern has `\b` or `\B`.
    word: Option<Set>,
    /// The first characters of all matches, if known.
    first: Option<Set>,
}

/// Whether a pattern needs this matcher.
pub(crate) fn needed(root: &Node) -> bool {
    needed_within(root, &mut Vec::new())
}

/// `open` has the enclosing groups: fancy-regex panics on a back-reference to a group in its own second iteration.
fn needed_within(root: &Node, open: &mut Vec<usize>) -> bool {
    match root {
        Node::Call(_) | Node::Absent(_) | Node::Condition { .. } | Node::Backref { level: Some(_), .. } => return true,
        Node::Backref { groups, .. } if groups.iter().any(|g| open.contains(g)) => return true,
        Node::Capture { index, node, .. } => {
            open.push(*index);
            let found = needed_within(node, open);
            open.pop();
            return found;
        }
        Node::Repeat { node, max: Some(0), .. } if captures(node) => return true,
        Node::Repeat { node, max, .. }
            if max.is_none_or(|m| m > 1) && node.min_len() == 0 && !node.is_zero_width() && captures(node) =>
        {
            return true;
        }
        _ => {}
    }
    root.children().into_iter().any(|child| needed_within(child, open))
}

fn has_words(root: &Node) -> bool {
    matches!(root, Node::Anchor(Anchor::Word(_) | Anchor::NotWord(_))) || root.children().into_iter().any(has_words)
}

fn word_set(target: Target) -> CharSet {
    static UNICODE: OnceLock<CharSet> = OnceLock::new();
    let make = || Class::named(Property::WideWord, false, false).set(target, false);
    if target == Target::Unicode { UNICODE.get_or_init(make).clone() } else { make() }
}

pub(crate) fn has_search_start(root: &Node) -> bool {
    matches!(root, Node::Anchor(Anchor::SearchStart)) || root.children().into_iter().any(has_search_start)
}

fn captures(node: &Node) -> bool {
    matches!(node, Node::Capture { .. }) || node.children().into_iter().any(captures)
}

struct Compiler<'a> {
    code: Vec<Op>,
    target: Target,
    keep: usize,
    next_register: usize,
    /// The first instruction of each group, for calls.
    entries: Vec<usize>,
    called: Vec<bool>,
    bodies: Vec<Option<&'a Node>>,
    in_behind: bool,
}

impl Backtracker {
    pub(crate) fn new(root: &Node, target: Target, groups: usize) -> Result<Backtracker, MatchError> {
        let keep = 2 * (groups + 1);
        let mut bodies = vec![None; groups + 1];
        bodies[0] = Some(root);
        collect(root, &mut bodies);
        let mut c = Compiler {
            code: Vec::new(),
            target,
            keep,
            next_register: keep + 1,
            entries: vec![NONE; groups + 1],
            called: vec![false; groups + 1],
            bodies,
            in_behind: false,
        };
        mark_called(root, &mut c.called);
        c.subroutine(0, root)?;
        c.code.push(Op::End);
        // So far the calls have the group's number.
        for op in &mut c.code {
            if let Op::Call(n) = op {
                *n = c.entries.get(*n).copied().unwrap_or(NONE);
            }
        }
        let first = first_set(root, target).map(Set::new);
        let word = has_words(root).then(|| Set::new(word_set(target)));
        Ok(Backtracker { code: c.code, target, groups, slots: c.next_register, word, first })
    }
}

fn collect<'a>(node: &'a Node, bodies: &mut [Option<&'a Node>]) {
    if let Node::Capture { index, node: body, .. } = node
        && let Some(slot) = bodies.get_mut(*index)
    {
        *slot = Some(body);
    }
    for child in node.children() {
        collect(child, bodies);
    }
}

fn mark_called(node: &Node, called: &mut [bool]) {
    if let Node::Call(CallTarget::Number(n, _)) = node
        && let Some(slot) = called.get_mut(*n)
    {
        *slot = true;
    }
    for child in node.children() {
        mark_called(child, called);
    }
}

impl Compiler<'_> {
    fn push(&mut self, op: Op) -> usize {
        self.code.push(op);
        self.code.len() - 1
    }

    fn register(&mut self) -> usize {
        self.next_register += 1;
        self.next_register - 1
    }

    /// Compiles a group. One that is called becomes a subroutine, which is also called at its own place.
    fn subroutine(&mut self, index: usize, body: &Node) -> Result<(), MatchError> {
        let wrap = index > 0;
        if !self.called.get(index).copied().unwrap_or(false) {
            return self.group(index, body, wrap);
        }
        self.push(Op::Call(index));
        let over = self.push(Op::Fail);
        if let Some(slot) = self.entries.get_mut(index) {
            *slot = over + 1;
        }
        self.group(index, body, wrap)?;
        self.push(Op::Return);
        self.code[over] = Op::Jump(self.code.len());
        Ok(())
    }

    fn group(&mut self, index: usize, body: &Node, wrap: bool) -> Result<(), MatchError> {
        if wrap {
            // The start stays in a register until the end, so that a reference inside still refers to the previous match of the group.
            let start = self.register();
            self.push(Op::Save(start));
            self.node(body)?;
            self.push(Op::Save(2 * index + 1));
            self.push(Op::Start { slot: 2 * index, from: start });
            return Ok(());
        }
        self.node(body)
    }

    fn set(&mut self, set: CharSet) {
        match set.single() {
            Some(c) => self.push(Op::Char(c)),
            None => self.push(Op::Set(Box::new(Set::new(set)))),
        };
    }

    fn node(&mut self, node: &Node) -> Result<(), MatchError> {
        match node {
            Node::Empty => {}
            Node::Char { .. } => self.chars(std::slice::from_ref(node)),
            Node::Any { newline } => {
                let all = CharSet::all(self.target);
                self.set(if *newline { all } else { all.minus(&CharSet::range(10, 10)) });
            }
            Node::Class { class, icase } => self.class(class, *icase),
            Node::Concat(v) => {
                let mut i = 0;
                while let Some(child) = v.get(i) {
                    let n = v[i..].iter().take_while(|n| matches!(n, Node::Char { .. })).count();
                    if n > 0 {
                        self.chars(&v[i..i + n]);
                        i += n;
                    } else {
                        self.node(child)?;
                        i += 1;
                    }
                }
            }
            Node::Alt(v) => self.alternatives(v)?,
            Node::Capture { index, node, .. } => self.subroutine(*index, node)?,
            Node::Option(node) => self.node(node)?,
            Node::Atomic(node) => {
                self.push(Op::Mark);
                self.node(node)?;
                self.push(Op::Cut);
            }
            Node::Look(look, node) if look.behind => self.behind(*look, node)?,
            Node::Look(look, node) => self.look(look.negative, None, node)?,
            Node::Absent(node) => {
                let at = self.push(Op::Fail);
                self.node(node)?;
                self.push(Op::End);
                self.code[at] = Op::Absent(self.code.len());
            }
            Node::Condition { group, yes, no, .. } => {
                let at = self.push(Op::Fail);
                self.node(yes)?;
                let over = self.push(Op::Fail);
                self.code[at] = Op::Condition(*group, self.code.len());
                self.node(no)?;
                self.code[over] = Op::Jump(self.code.len());
            }
            Node::Repeat { .. } => self.repeat(node)?,
            Node::Anchor(Anchor::Keep) => {
                self.push(Op::Save(self.keep));
            }
            Node::Anchor(a) => {
                self.push(Op::Anchor(*a));
            }
            Node::Backref { groups, icase, level, .. } => {
                self.push(Op::Backref { groups: groups.clone(), icase: *icase, level: *level });
            }
            Node::Call(CallTarget::Number(n, _)) => {
                self.push(Op::Call(*n));
            }
            Node::Call(CallTarget::Name(_)) => {}
            Node::Newline => {
                self.push(Op::Newline);
            }
            Node::Grapheme => {
                let text = emit::emit(node, Target::Unicode, true);
                let regex = Regex::new(&text).map_err(|e| MatchError::Unsupported(e.to_string()))?;
                self.push(Op::Grapheme(Box::new(regex)));
            }
        }
        Ok(())
    }

    fn alternatives(&mut self, v: &[Node]) -> Result<(), MatchError> {
        let mut overs = Vec::new();
        for (i, branch) in v.iter().enumerate() {
            if i + 1 == v.len() {
                self.node(branch)?;
                break;
            }
            let split = self.push(Op::Fail);
            self.node(branch)?;
            overs.push(self.push(Op::Fail));
            self.code[split] = Op::Split(split + 1, self.code.len());
        }
        for over in overs {
            self.code[over] = Op::Jump(self.code.len());
        }
        Ok(())
    }

    /// A sequence of characters, including sequences that are the case folding of one character.
    fn chars(&mut self, v: &[Node]) {
        let chars: Vec<(u32, bool)> = v
            .iter()
            .filter_map(|n| match n {
                Node::Char { c, icase } => Some((*c, *icase)),
                _ => None,
            })
            .collect();
        let mut i = 0;
        while let Some(&(c, icase)) = chars.get(i) {
            if icase
                && !self.in_behind
                && self.target != Target::Bytes(true)
                && let Some((n, folded)) = fold::find(&chars[i..])
            {
                let singles = fold::FULL.iter().filter(|(_, f)| *f == folded).map(|(c, _)| *c);
                let set = CharSet::from_ranges(singles.map(|c| (c, c)).collect());
                let split = self.push(Op::Fail);
                for &c in folded {
                    self.char(c, true);
                }
                let over = self.push(Op::Fail);
                self.code[split] = Op::Split(split + 1, self.code.len());
                self.set(set);
                self.code[over] = Op::Jump(self.code.len());
                i += n;
                continue;
            }
            self.char(c, icase);
            i += 1;
        }
    }

    fn char(&mut self, c: u32, icase: bool) {
        let one = CharSet::range(c, c);
        if self.target == Target::Bytes(false) && c >= 0x80 && !icase {
            // Match the bytes of the character one by one, because the text may be invalid UTF-8.
            if let Some(ch) = char::from_u32(c) {
                for b in ch.encode_utf8(&mut [0; 4]).bytes() {
                    self.push(Op::Char(u32::from(b)));
                }
            }
            return;
        }
        self.set(if icase { one.folded_char(self.target) } else { one });
    }

    fn class(&mut self, class: &Class, icase: bool) {
        if let Some(c) = class.only_char(icase) {
            return self.chars(&[Node::Char { c, icase: true }]);
        }
        let folds = if self.in_behind { Vec::new() } else { class.multi_folds(self.target, icase) };
        let set = class.set(self.target, icase);
        let mut overs = Vec::new();
        if !folds.is_empty() {
            let split = self.push(Op::Fail);
            self.set(set);
            overs.push(self.push(Op::Fail));
            self.code[split] = Op::Split(split + 1, self.code.len());
            for (i, f) in folds.iter().enumerate() {
                let split = self.push(Op::Fail);
                for &c in *f {
                    self.char(c, true);
                }
                overs.push(self.push(Op::Fail));
                let next = self.code.len();
                self.code[split] = if i + 1 == folds.len() { Op::Jump(split + 1) } else { Op::Split(split + 1, next) };
            }
            for over in overs {
                self.code[over] = Op::Jump(self.code.len());
            }
            return;
        }
        self.set(set);
    }

    fn look(&mut self, negative: bool, back: Option<u32>, node: &Node) -> Result<(), MatchError> {
        let split = negative.then(|| self.push(Op::Fail));
        self.push(Op::Mark);
        if let Some(n) = back {
            self.push(Op::Back(n));
        }
        self.node(node)?;
        self.push(if negative { Op::CutFail } else { Op::CutBack });
        if let Some(split) = split {
            self.code[split] = Op::Split(split + 1, self.code.len());
        }
        Ok(())
    }

    /// Look-behind; each of its alternatives has a fixed length.
    fn behind(&mut self, look: Look, node: &Node) -> Result<(), MatchError> {
        let outer = std::mem::replace(&mut self.in_behind, true);
        if let Some(n) = fixed_length(node, &self.bodies, 0) {
            self.look(look.negative, Some(n), node)?;
        } else if let Node::Alt(v) = node {
            if look.negative {
                for branch in v {
                    self.behind(look, branch)?;
                }
            } else {
                let mut overs = Vec::new();
                for branch in v {
                    let split = self.push(Op::Fail);
                    self.behind(look, branch)?;
                    overs.push(self.push(Op::Fail));
                    self.code[split] = Op::Split(split + 1, self.code.len());
                }
                self.push(Op::Fail);
                for over in overs {
                    self.code[over] = Op::Jump(self.code.len());
                }
            }
        } else {
            return Err(MatchError::Unsupported("look-behind of no fixed length".into()));
        }
        self.in_behind = outer;
        Ok(())
    }

    fn repeat(&mut self, node: &Node) -> Result<(), MatchError> {
        let Node::Repeat { node, min, max, greedy, possessive } = node else { return Ok(()) };
        if *possessive {
            self.push(Op::Mark);
        }
        let split = |greedy: bool, body: usize, exit: usize| {
            if greedy { Op::Split(body, exit) } else { Op::Split(exit, body) }
        };
        match (*min, *max) {
            (0, Some(0)) => {
                // Only calls of groups inside reach this code.
                let over = self.push(Op::Fail);
                self.node(node)?;
                self.code[over] = Op::Jump(self.code.len());
            }
            (0, Some(1)) => {
                let at = self.push(Op::Fail);
                self.node(node)?;
                self.code[at] = split(*greedy, at + 1, self.code.len());
            }
            (0, None) => {
                let start = (node.min_len() == 0).then(|| self.register());
                let at = self.push(Op::Fail);
                if let Some(start) = start {
                    self.push(Op::Save(start));
                }
                self.node(node)?;
                let check = start.map(|_| self.push(Op::Fail));
                self.push(Op::Jump(at));
                let exit = self.code.len();
                self.code[at] = split(*greedy, at + 1, exit);
                if let (Some(start), Some(check)) = (start, check) {
                    self.code[check] = Op::EmptyCheck { start, exit };
                }
            }
            _ => {
                let (reg, start) = (self.register(), self.register());
                self.push(Op::Zero(reg));
                let head = self.push(Op::Fail);
                self.push(Op::Save(start));
                self.node(node)?;
                let next = self.push(Op::Fail);
                let exit = self.code.len();
                self.code[head] = Op::Count { reg, min: *min, max: *max, greedy: *greedy, exit };
                self.code[next] = Op::Next { reg, start, head, exit };
            }
        }
        if *possessive {
            self.push(Op::Cut);
        }
        Ok(())
    }
}

/// The length in characters, if all matches have the same.
fn fixed_length(node: &Node, bodies: &[Option<&Node>], depth: usize) -> Option<u32> {
    if depth > 100 {
        return None;
    }
    let go = |n: &Node| fixed_length(n, bodies, depth + 1);
    match node {
        Node::Char { .. } | Node::Any { .. } | Node::Class { .. } => Some(1),
        Node::Concat(v) => v.iter().try_fold(0u32, |sum, n| Some(sum.saturating_add(go(n)?))),
        Node::Alt(v) => {
            let first = go(v.first()?)?;
            v.iter().all(|n| go(n) == Some(first)).then_some(first)
        }
        Node::Repeat { node, min, max, .. } if *max == Some(*min) => Some(go(node)?.saturating_mul(*min)),
        Node::Capture { node, .. } | Node::Option(node) | Node::Atomic(node) => go(node),
        Node::Call(CallTarget::Number(n, _)) => go(bodies.get(*n).copied().flatten()?),
        Node::Empty | Node::Anchor(_) | Node::Look(..) => Some(0),
        _ => None,
    }
}

/// The characters with which a match can begin; None if unknown or if a match may be empty.
fn first_set(node: &Node, target: Target) -> Option<CharSet> {
    match node {
        Node::Char { c, icase: false } if *c < 0x80 || target != Target::Bytes(false) => Some(CharSet::range(*c, *c)),
        Node::Class { class, icase: false } => Some(class.set(target, false)),
        Node::Concat(v) => {
            // Zero-width nodes only restrict what follows.
            let decisive = v.iter().find(|n| !n.is_zero_width())?;
            first_set(decisive, target)
        }
        Node::Alt(v) => v.iter().try_fold(CharSet::empty(), |set, n| Some(set.union(&first_set(n, target)?))),
        Node::Capture { node, .. } | Node::Option(node) | Node::Atomic(node) => first_set(node, target),
        Node::Repeat { node, min, .. } if *min > 0 => first_set(node, target),
        _ => None,
    }
}
