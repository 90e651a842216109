//! A matcher of our own for what fancy-regex does not do as Onigmo does: subexpression calls with recursion, levels of
//! back-references, absent groups, captures of empty iterations, `\G` in a backward search.

use crate::ast::{Anchor, CallTarget, Look, Node};
use crate::charset::CharSet;
use crate::class::{Class, Target};
use crate::emit;
use crate::error::MatchError;
use crate::fold;
use crate::program::{BACKTRACK_LIMIT, Captures};
use crate::property::Property;
use fancy_regex::Regex;

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

/// What backtracking undoes, or goes back to.
#[derive(Clone, Copy, Debug)]
enum Frame {
    Choice { pc: usize, at: usize, call: usize },
    Undo { slot: usize, old: usize, new: usize, depth: usize },
    Mark { at: usize },
    /// Ends of an absent group that are left to try, down to `low`.
    Ends { pc: usize, low: usize, at: usize, call: usize },
}

/// A call that has not returned.
#[derive(Clone, Debug)]
struct CallFrame {
    back_to: usize,
    parent: usize,
    depth: usize,
    registers: Vec<usize>,
}

/// A compiled pattern.
#[derive(Debug)]
pub(crate) struct Backtracker {
    code: Vec<Op>,
    target: Target,
    groups: usize,
    /// Slots: two a group, one for `\K`, then the registers.
    slots: usize,
    word: Set,
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

/// Whether `\G` occurs.
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
        let word = Set::new(Class::named(Property::Word, false, false).set(target, false));
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

/// One attempt's state.
struct Run<'a> {
    program: &'a Backtracker,
    text: &'a [u8],
    slots: Vec<usize>,
    stack: Vec<Frame>,
    calls: Vec<CallFrame>,
    call: usize,
    search_start: usize,
    steps: usize,
}

impl Backtracker {
    /// Searches from `start` on, or only there; `search_start` is where `\G` holds.
    pub(crate) fn search(
        &self,
        text: &[u8],
        start: usize,
        anchored: bool,
        search_start: usize,
        captures: Option<&mut Captures>,
    ) -> Result<bool, MatchError> {
        let mut run = Run {
            program: self,
            text,
            slots: vec![NONE; self.slots],
            stack: Vec::new(),
            calls: Vec::new(),
            call: NONE,
            search_start,
            steps: 0,
        };
        let mut at = start;
        loop {
            let next = self.char_at(text, at);
            let possible = match &self.first {
                Some(first) => next.is_some_and(|(c, _)| first.has(c)),
                None => true,
            };
            // A failed attempt has undone all that it did.
            run.calls.clear();
            run.call = NONE;
            if possible && let Some(end) = run.run(0, at, None)? {
                if let Some(captures) = captures {
                    captures.clear();
                    let keep = run.slot(2 * (self.groups + 1));
                    captures.push(Some((if keep == NONE { at } else { keep }, end)));
                    for g in 1..=self.groups {
                        let (a, b) = (run.slot(2 * g), run.slot(2 * g + 1));
                        captures.push((a != NONE && b != NONE).then_some((a, b)));
                    }
                }
                return Ok(true);
            }
            match next {
                Some((_, n)) if !anchored => at += n,
                _ => return Ok(false),
            }
        }
    }

    /// The character at a place and its length in bytes.
    fn char_at(&self, text: &[u8], at: usize) -> Option<(u32, usize)> {
        let first = *text.get(at)?;
        if first < 0x80 || self.target != Target::Unicode {
            return Some((u32::from(first), 1));
        }
        let n = match first {
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            _ => 4,
        };
        let tail = text.get(at + 1..at + n)?;
        let lead = u32::from(first) & (0x7f >> n);
        Some((tail.iter().fold(lead, |c, b| c << 6 | (u32::from(*b) & 0x3f)), n))
    }

    fn before(&self, text: &[u8], at: usize) -> Option<usize> {
        let mut i = at.checked_sub(1)?;
        if self.target == Target::Unicode {
            while i > 0 && text.get(i).is_some_and(|b| b & 0xc0 == 0x80) {
                i -= 1;
            }
        }
        Some(i)
    }

    fn is_word(&self, text: &[u8], at: Option<usize>, ascii: bool) -> bool {
        at.and_then(|at| self.char_at(text, at)).is_some_and(|(c, _)| (c < 0x80 || !ascii) && self.word.has(c))
    }
}

impl Run<'_> {
    fn assign(&mut self, slot: usize, new: usize) {
        if let Some(value) = self.slots.get_mut(slot) {
            let depth = self.calls.get(self.call).map_or(0, |c| c.depth);
            self.stack.push(Frame::Undo { slot, old: *value, new, depth });
            *value = new;
        }
    }

    fn slot(&self, slot: usize) -> usize {
        self.slots.get(slot).copied().unwrap_or(NONE)
    }

    /// Drops the choices down to the latest mark, keeping what has to be undone; answers where the mark was set.
    fn cut(&mut self, at: usize) -> usize {
        let Some(mark) = self.stack.iter().rposition(|f| matches!(f, Frame::Mark { .. })) else { return at };
        let was = match self.stack[mark] {
            Frame::Mark { at } => at,
            _ => at,
        };
        let mut i = 0;
        self.stack.retain(|f| {
            i += 1;
            i - 1 < mark || matches!(f, Frame::Undo { .. })
        });
        was
    }

    /// Goes back to the last choice above `base`: the place in the code and in the text.
    fn backtrack(&mut self, base: usize) -> Option<(usize, usize)> {
        while self.stack.len() > base {
            match self.stack.pop()? {
                Frame::Choice { pc, at, call } => {
                    self.call = call;
                    return Some((pc, at));
                }
                Frame::Undo { slot, old, .. } => {
                    if let Some(value) = self.slots.get_mut(slot) {
                        *value = old;
                    }
                }
                Frame::Mark { .. } => {}
                Frame::Ends { pc, low, at, call } => {
                    self.call = call;
                    if at > low
                        && let Some(before) = self.program.before(self.text, at)
                    {
                        self.stack.push(Frame::Ends { pc, low, at: before, call });
                        return Some((pc, before));
                    }
                }
            }
        }
        None
    }

    /// Runs from a place in the code. With `shortest`, goes through every way and notes the nearest end.
    fn run(&mut self, pc: usize, at: usize, mut shortest: Option<&mut usize>) -> Result<Option<usize>, MatchError> {
        let base = self.stack.len();
        let (mut pc, mut at) = (pc, at);
        loop {
            self.steps += 1;
            if self.steps > BACKTRACK_LIMIT || self.stack.len() > STACK_LIMIT || self.calls.len() > STACK_LIMIT {
                return Err(MatchError::BacktrackLimit);
            }
            if let Some(Op::End) = self.program.code.get(pc) {
                match shortest.as_deref_mut() {
                    None => return Ok(Some(at)),
                    Some(best) => *best = at.min(*best),
                }
            } else if let Some(next) = self.step(pc, at)? {
                (pc, at) = next;
                continue;
            }
            match self.backtrack(base) {
                Some(next) => (pc, at) = next,
                None => return Ok(None),
            }
        }
    }

    /// One instruction; nothing where it fails.
    fn step(&mut self, pc: usize, at: usize) -> Result<Option<(usize, usize)>, MatchError> {
        let program = self.program;
        let Some(op) = program.code.get(pc) else { return Ok(None) };
        let next = pc + 1;
        Ok(match op {
            Op::Char(want) => match program.char_at(self.text, at) {
                Some((c, n)) if c == *want => Some((next, at + n)),
                _ => None,
            },
            Op::Set(set) => match program.char_at(self.text, at) {
                Some((c, n)) if set.has(c) => Some((next, at + n)),
                _ => None,
            },
            Op::Split(first, second) => {
                self.stack.push(Frame::Choice { pc: *second, at, call: self.call });
                Some((*first, at))
            }
            Op::Jump(to) => Some((*to, at)),
            Op::Save(slot) => {
                self.assign(*slot, at);
                Some((next, at))
            }
            Op::Anchor(a) => self.anchor(*a, at).then_some((next, at)),
            Op::Backref { groups, icase, level } => {
                groups.iter().rev().find_map(|g| self.backref(*g, at, *icase, *level)).map(|end| (next, end))
            }
            Op::Mark => {
                self.stack.push(Frame::Mark { at });
                Some((next, at))
            }
            Op::Cut => {
                self.cut(at);
                Some((next, at))
            }
            Op::CutBack => {
                let was = self.cut(at);
                Some((next, was))
            }
            Op::CutFail => {
                self.cut(at);
                // The choice below the mark led around the negative part: it goes too.
                if let Some(i) = self.stack.iter().rposition(|f| matches!(f, Frame::Choice { .. })) {
                    self.stack.remove(i);
                }
                None
            }
            Op::Back(n) => {
                let mut to = Some(at);
                for _ in 0..*n {
                    to = to.and_then(|to| program.before(self.text, to));
                }
                to.map(|to| (next, to))
            }
            Op::Zero(reg) => {
                self.assign(*reg, 0);
                Some((next, at))
            }
            Op::Count { reg, min, max, greedy, exit } => {
                let count = self.slot(*reg);
                if count < *min as usize {
                    Some((next, at))
                } else if max.is_some_and(|m| count >= m as usize) {
                    Some((*exit, at))
                } else {
                    let (first, second) = if *greedy { (next, *exit) } else { (*exit, next) };
                    self.stack.push(Frame::Choice { pc: second, at, call: self.call });
                    Some((first, at))
                }
            }
            Op::Start { slot, from } => {
                self.assign(*slot, self.slot(*from));
                Some((next, at))
            }
            Op::Next { reg, start, head, exit } => {
                if self.slot(*start) == at {
                    return Ok(Some((*exit, at)));
                }
                self.assign(*reg, self.slot(*reg).wrapping_add(1));
                Some((*head, at))
            }
            Op::EmptyCheck { start, exit } => Some((if self.slot(*start) == at { *exit } else { next }, at)),
            Op::Call(to) => {
                let depth = self.calls.get(self.call).map_or(0, |c| c.depth) + 1;
                let first = 2 * (program.groups + 1) + 1;
                let registers = self.slots.get(first..).unwrap_or_default().to_vec();
                self.calls.push(CallFrame { back_to: next, parent: self.call, depth, registers });
                self.call = self.calls.len() - 1;
                Some((*to, at))
            }
            Op::Return => {
                let Some(frame) = self.calls.get(self.call).cloned() else { return Ok(None) };
                self.call = frame.parent;
                let first = 2 * (program.groups + 1) + 1;
                for (i, old) in frame.registers.iter().enumerate() {
                    if self.slot(first + i) != *old {
                        self.assign(first + i, *old);
                    }
                }
                Some((frame.back_to, at))
            }
            Op::Condition(group, no) => {
                let set = self.slot(2 * group + 1) != NONE;
                Some((if set { next } else { *no }, at))
            }
            Op::Newline => self.newline(at).map(|at| (next, at)),
            Op::Grapheme(regex) => {
                let end = match program.target {
                    Target::Unicode => {
                        let input = fancy_regex::RegexInput::new(self.text).from_pos(at).anchored(true);
                        let found = regex.find_input(input).map_err(|e| MatchError::Engine(e.to_string()))?;
                        found.map(|m| m.end())
                    }
                    Target::Bytes(_) if self.text.get(at..at + 2) == Some(b"\r\n") => Some(at + 2),
                    Target::Bytes(_) => (at < self.text.len()).then_some(at + 1),
                };
                end.map(|end| (next, end))
            }
            Op::Absent(after) => {
                let Some(far) = self.absent(next, at)? else { return Ok(None) };
                self.stack.push(Frame::Ends { pc: *after, low: at, at: far, call: self.call });
                Some((*after, far))
            }
            Op::Fail | Op::End => None,
        })
    }

    /// How far text may go from `at` without the body (at `body`) occurring in it.
    fn absent(&mut self, body: usize, at: usize) -> Result<Option<usize>, MatchError> {
        let mut nearest = NONE;
        let mut from = at;
        while from <= self.text.len() && from < nearest {
            let base = self.stack.len();
            let call = self.call;
            self.run(body, from, Some(&mut nearest))?;
            self.stack.truncate(base);
            self.call = call;
            match self.program.char_at(self.text, from) {
                Some((_, n)) => from += n,
                None => break,
            }
        }
        if nearest == NONE {
            return Ok(Some(self.text.len()));
        }
        Ok(self.program.before(self.text, nearest).filter(|far| *far >= at))
    }

    fn newline(&self, at: usize) -> Option<usize> {
        if self.text.get(at..at + 2) == Some(b"\r\n") {
            return Some(at + 2);
        }
        let (c, n) = self.program.char_at(self.text, at)?;
        let wide = self.program.target == Target::Unicode && matches!(c, 0x85 | 0x2028 | 0x2029);
        (matches!(c, 10..=13) || wide).then_some(at + n)
    }

    fn anchor(&self, anchor: Anchor, at: usize) -> bool {
        let (text, len) = (self.text, self.text.len());
        let boundary = |ascii: bool| {
            let before = at.checked_sub(1).and_then(|_| self.program.before(text, at));
            self.program.is_word(text, before, ascii) != self.program.is_word(text, Some(at), ascii)
        };
        match anchor {
            Anchor::LineStart => at == 0 || (at < len && text.get(at - 1) == Some(&b'\n')),
            Anchor::LineEnd => at == len || text.get(at) == Some(&b'\n'),
            Anchor::TextStart => at == 0,
            Anchor::TextEnd => at == len,
            Anchor::TextEndNewline => at == len || (at + 1 == len && text.get(at) == Some(&b'\n')),
            Anchor::SearchStart => at == self.search_start,
            Anchor::Word(ascii) => boundary(ascii),
            Anchor::NotWord(ascii) => !boundary(ascii),
            Anchor::Keep => true,
        }
    }

    fn backref(&self, group: usize, at: usize, icase: bool, level: Option<i32>) -> Option<usize> {
        let (from, to) = match level {
            None => (self.slot(2 * group), self.slot(2 * group + 1)),
            Some(n) => self.group_at_level(group, n)?,
        };
        let old = self.text.get(from..to)?;
        let new = self.text.get(at..at + old.len());
        if new == Some(old) {
            return Some(at + old.len());
        }
        if !icase {
            return None;
        }
        let (mut i, mut j) = (from, at);
        while i < to {
            let (a, n) = self.program.char_at(self.text, i)?;
            let (b, m) = self.program.char_at(self.text, j)?;
            if a != b && !CharSet::range(a, a).folded_char(self.program.target).contains(b) {
                return None;
            }
            (i, j) = (i + n, j + m);
        }
        Some(j)
    }

    /// The latest capture made as many calls deep as here plus `n`.
    fn group_at_level(&self, group: usize, n: i32) -> Option<(usize, usize)> {
        let here = self.calls.get(self.call).map_or(0, |c| c.depth);
        let want = i64::try_from(here).ok()? + i64::from(n);
        let mut end = None;
        for frame in self.stack.iter().rev() {
            let Frame::Undo { slot, new, depth, .. } = *frame else { continue };
            if i64::try_from(depth).ok()? != want {
                continue;
            }
            // The start is assigned after the end, so it is met first.
            if slot == 2 * group && end.is_none() {
                end = Some(new);
            } else if slot == 2 * group + 1
                && let Some(start) = end
            {
                return Some((start, new));
            }
        }
        None
    }
}
