//! Executes a compiled pattern on a text.

use super::{Backtracker, NONE, Op, STACK_LIMIT};
use crate::ast::Anchor;
use crate::charset::CharSet;
use crate::class::Target;
use crate::error::MatchError;
use crate::program::{Captures, Search, WATCHED_STEPS, Watch};

/// An entry of the backtracking stack: a choice, or something to undo.
#[derive(Clone, Copy, Debug)]
enum Frame {
    Choice {
        pc: usize,
        at: usize,
        call: usize,
    },
    Undo {
        slot: usize,
        old: usize,
        new: usize,
        depth: usize,
    },
    Mark {
        at: usize,
    },
    /// The ends of an absent group that remain to be tried, down to `low`.
    Ends {
        pc: usize,
        low: usize,
        at: usize,
        call: usize,
    },
}

#[derive(Clone, Debug)]
struct CallFrame {
    back_to: usize,
    parent: usize,
    depth: usize,
    registers: Vec<usize>,
}

/// The state of one search.
struct Run<'a> {
    program: &'a Backtracker,
    text: &'a [u8],
    slots: Vec<usize>,
    stack: Vec<Frame>,
    calls: Vec<CallFrame>,
    call: usize,
    search_start: usize,
    steps: usize,
    limit: usize,
    watch: Watch<'a>,
}

impl Backtracker {
    /// Searches with at most `limit` steps.
    pub(crate) fn search(
        &self,
        search: Search<'_>,
        limit: usize,
        captures: Option<&mut Captures>,
    ) -> Result<bool, MatchError> {
        let Search { text, start, anchored, search_start, watch } = search;
        let mut run = Run {
            program: self,
            text,
            slots: vec![NONE; self.slots],
            stack: Vec::new(),
            calls: Vec::new(),
            call: NONE,
            search_start,
            steps: 0,
            limit,
            watch,
        };
        let mut at = start;
        loop {
            let next = self.char_at(text, at);
            let possible = match &self.first {
                Some(first) => next.is_some_and(|(c, _)| first.has(c)),
                None => true,
            };
            // A failed attempt has undone all changes except these.
            run.calls.clear();
            run.call = NONE;
            if possible && let Some(end) = run.run(0, at, None)? {
                if let Some(captures) = captures {
                    captures.clear();
                    // `\K` within a lookahead may be after the end
                    let keep = run.slot(2 * (self.groups + 1));
                    captures.push(Some((if keep == NONE { at } else { keep.min(end) }, end)));
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

    /// The character at an offset, and its length in bytes.
    fn char_at(&self, text: &[u8], at: usize) -> Option<(u32, usize)> {
        let first = *text.get(at)?;
        if first < 0x80 || self.target != Target::Unicode {
            return Some((u32::from(first), 1));
        }
        let n = match first {
            // what is left of a character in whose middle the search began: as characters of private use, which only negated classes have
            0x80..=0xbf => return Some((0x0010_ff00 | u32::from(first), 1)),
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
        at.and_then(|at| self.char_at(text, at))
            .is_some_and(|(c, _)| (c < 0x80 || !ascii) && self.word.as_ref().is_some_and(|w| w.has(c)))
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

    /// Drops the choices since the last mark but keeps the undo entries; returns the position of the mark.
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

    /// Goes back to the last choice above `base`; returns its instruction and text position.
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

    /// Runs from an instruction. With `shortest`, tries all alternatives and stores the nearest end of a match.
    fn run(&mut self, pc: usize, at: usize, mut shortest: Option<&mut usize>) -> Result<Option<usize>, MatchError> {
        let base = self.stack.len();
        let (mut pc, mut at) = (pc, at);
        loop {
            self.steps += 1;
            if self.steps > self.limit || self.stack.len() > STACK_LIMIT || self.calls.len() > STACK_LIMIT {
                return Err(MatchError::BacktrackLimit);
            }
            if self.steps.is_multiple_of(WATCHED_STEPS) && !(self.watch)(WATCHED_STEPS) {
                return Err(MatchError::Stopped);
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

    /// Executes one instruction; None if it fails.
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
                // The choice before the mark would skip the negative lookaround: drop it too.
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

    /// The farthest position such that the text from `at` to there does not contain a match of the body.
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

    /// The latest capture of a group that was made at the current call depth plus `n`.
    fn group_at_level(&self, group: usize, n: i32) -> Option<(usize, usize)> {
        let here = self.calls.get(self.call).map_or(0, |c| c.depth);
        let want = i64::try_from(here).ok()? + i64::from(n);
        let mut end = None;
        for frame in self.stack.iter().rev() {
            let Frame::Undo { slot, new, depth, .. } = *frame else { continue };
            if i64::try_from(depth).ok()? != want {
                continue;
            }
            // The start is set after the end, so in reverse order it comes first.
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
