//! A matcher of our own for what fancy-regex does not do as Onigmo does: subexpression calls with recursion, levels of
//! back-references, absent groups, captures of empty iterations, `\G` in a backward search.

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

/// Entries of the stack of one match.
const STACK_LIMIT: usize = 4_000_000;
const NONE: usize = usize::MAX;

/// A set with a quick answer for ASCII.
#[derive(Debug)]
struct Set {
    ascii: [bool; 128],
    set: CharSet,
}

impl Set {
    fn new(set: CharSet) -> Set {
        let mut ascii = [false; 128];
        for &(a, b) in set.ranges() {
            for c in a..=b.min(127) {
                if let Some(slot) = ascii.get_mut(c as usize) {
                    *slot = true;
                }
            }
        }
        Set { ascii, set }
    }

    fn has(&self, c: u32) -> bool {
        match self.ascii.get(c as usize) {
            Some(&b) => b,
            None => self.set.contains(c),
        }
    }
}

#[derive(Debug)]
enum Op {
    Char(u32),
    Set(Box<Set>),
    /// Tries the first place, then the second.
    Split(usize, usize),
    Jump(usize),
    /// Notes the position in a slot.
    Save(usize),
    /// The end of a capturing group: its start comes out of a register.
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
    /// Begins a part that is left with one of the three ends.
    Mark,
    /// Forgets the choices since the mark.
    Cut,
    /// The same, and back to where the mark was.
    CutBack,
    /// The same, and fails for good.
    CutFail,
    /// As many characters back.
    Back(u32),
    /// Sets a register to zero.
    Zero(usize),
    /// Head of a counted loop.
    Count {
        reg: usize,
        min: u32,
        max: Option<u32>,
        greedy: bool,
        exit: usize,
    },
    /// One more; leaves the loop where the round took nothing.
    Next {
        reg: usize,
        start: usize,
        head: usize,
        exit: usize,
    },
    /// Leaves the loop where the round took nothing.
    EmptyCheck {
        start: usize,
        exit: usize,
    },
    Call(usize),
    Return,
    Condition(usize, usize),
    Newline,
    Grapheme(Box<Regex>),
    /// The body follows up to the given place.
    Absent(usize),
    Fail,
    End,
}

#[derive(Debug)]
pub(crate) struct Backtracker {
    code: Vec<Op>,
    target: Target,
    groups: usize,
    /// Slots: two a group, one for `\K`, then the registers.
    slots: usize,
    /// What `\b` takes for words, where it occurs.
    word: Option<Set>,
    /// What every match begins with, where that is known.
    first: Option<Set>,
}

/// Whether a pattern needs this matcher.
pub(crate) fn needed(root: &Node) -> bool {
    needed_within(root, &mut Vec::new())
}

/// `open` holds the groups around: fancy-regex panics at a reference to one of them that is in its second round.
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
    /// Where each group's body starts, for calls.
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
        // Calls were written with the group's number.
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

    /// A group that is called is a subroutine: the place in the pattern calls it too.
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
            // The start waits in a register, so that a reference within still sees the old group.
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
                let text = emit::emit(node, Target::Unicode);
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

    /// Characters one after the other, with the foldings of several.
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
            // The bytes of the character, one by one: broken text may hold them.
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

    /// Look-behind: its alternatives each have one length.
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
                // Kept for calls only.
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

/// The one length in characters of all that a node matches.
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

/// The characters that a match can begin with; none where that is open or nothing need be taken.
fn first_set(node: &Node, target: Target) -> Option<CharSet> {
    match node {
        Node::Char { c, icase: false } if *c < 0x80 || target != Target::Bytes(false) => Some(CharSet::range(*c, *c)),
        Node::Class { class, icase: false } => Some(class.set(target, false)),
        Node::Concat(v) => {
            // What takes nothing narrows the rest; the first that does take something decides.
            let decisive = v.iter().find(|n| !n.is_zero_width())?;
            first_set(decisive, target)
        }
        Node::Alt(v) => v.iter().try_fold(CharSet::empty(), |set, n| Some(set.union(&first_set(n, target)?))),
        Node::Capture { node, .. } | Node::Option(node) | Node::Atomic(node) => first_set(node, target),
        Node::Repeat { node, min, .. } if *min > 0 => first_set(node, target),
        _ => None,
    }
}
