//! What an overlay assumes for a plan: which commands may run, assumed changes, and what is unknown.
//!
//! A plan assumes that every change was made (`assume_*`). Commands are answered from these assumptions, or run if they are read-only. Everything
//! that remains unknown is a [`Doubt`], so that the plan can show what it is based on.

use super::OverlayHost;
use super::commands::Answer;
use super::doubt::{Doubt, DoubtKind, Purpose};
use super::tree::{Content, Data, Found};
use crate::files::{FileKind, Files as _};
use crate::processes::CommandSpec;

impl OverlayHost {
    /// Whether this overlay simulates a run.
    pub fn simulates(&self) -> bool {
        self.options.policy == super::Policy::Simulate
    }

    /// The directory of package archives, if they are to be used.
    pub fn archives(&self) -> Option<&[u8]> {
        self.options.archives.as_deref()
    }

    /// Runs `body` without permission checks in the overlay.
    pub fn with_all_rights<T>(&self, body: impl FnOnce() -> T) -> T {
        let before = self.core.privileged.replace(true);
        let result = body();
        self.core.privileged.set(before);
        result
    }

    /// The machine below the overlay.
    pub fn base(&self) -> &dyn crate::host::Host {
        self.machine()
    }

    /// Sets on whose behalf commands run from now on; returns the previous value.
    pub fn set_purpose(&self, purpose: Purpose) -> Purpose {
        self.simulation.purpose.replace(purpose)
    }

    /// On whose behalf commands run.
    pub fn purpose(&self) -> Purpose {
        self.simulation.purpose.get()
    }

    /// Counts an assumed change.
    pub fn note_assumed(&self) {
        self.simulation.assumed.set(self.simulation.assumed.get() + 1);
    }

    /// The number of assumed changes.
    pub fn assumed(&self) -> usize {
        self.simulation.assumed.get()
    }

    /// Records a doubt.
    pub fn doubt(&self, kind: DoubtKind, subject: &[u8]) {
        let unseen = self.assumed();
        if matches!(kind, DoubtKind::Effects | DoubtKind::Contents | DoubtKind::NotRun) {
            self.simulation.uncertain.set(true);
        }
        if kind == DoubtKind::Lists {
            self.simulation.renewed.set(true);
        }
        let subject = String::from_utf8_lossy(subject).into_owned();
        self.simulation.doubts.borrow_mut().push(Doubt { kind, subject, unseen });
    }

    /// Marks the contents of a file as unknown.
    pub fn forget_content(&self, path: &[u8]) {
        if let Ok((_, Found::Node(node))) = self.core.find(path, true) {
            node.blank.set(true);
        }
    }

    /// Simulates a command of a recipe; gives its exit status, or None if its effects are unknown.
    pub fn assume_code(&self, spec: &CommandSpec) -> Option<i32> {
        if self.is_refused(spec) {
            return Some(1);
        }
        if self.assume_command(spec) {
            return Some(0);
        }
        let assume = self.options.assumes.as_ref()?;
        assume(self, spec).map(|answer| answer.code)
    }

    /// Gives a file of the overlay a size and unknown contents, which take no memory.
    pub fn assume_size(&self, path: &[u8], size: u64) {
        if let Ok((_, Found::Node(node))) = self.core.find(path, true)
            && node.kind() == FileKind::File
        {
            *node.content.borrow_mut() = Content::File(Data::Size(size));
            node.blank.set(true);
        }
    }

    /// Returns and removes the doubts.
    pub fn take_doubts(&self) -> Vec<Doubt> {
        std::mem::take(&mut *self.simulation.doubts.borrow_mut())
    }

    /// The number of recorded doubts.
    pub fn doubts(&self) -> usize {
        self.simulation.doubts.borrow().len()
    }

    /// Whether there is a doubt of this kind after the first `count`.
    pub fn has_doubt_after(&self, count: usize, kind: DoubtKind) -> bool {
        self.simulation.doubts.borrow().iter().skip(count).any(|doubt| doubt.kind == kind)
    }

    /// Whether something with unknown effects has run.
    pub fn is_uncertain(&self) -> bool {
        self.simulation.uncertain.get()
    }

    /// Whether other packages or versions may be on offer than are known now, because package lists were to be renewed.
    pub fn may_offer_others(&self) -> bool {
        self.simulation.renewed.get()
    }

    /// Assumes the answer to a command; `supposed`: it is only a guess, because the resource that should run it wants that result.
    pub fn assume_answer(&self, line: &[u8], answer: Answer, supposed: bool) {
        self.answers.borrow_mut().insert(line.to_vec(), (answer, supposed));
    }

    /// The assumed answer to a command.
    pub(super) fn known_answer(&self, spec: &CommandSpec) -> Option<Answer> {
        let line = spec.display();
        let found = self.answers.borrow().get(&line).cloned();
        let (answer, supposed) = found?;
        if supposed {
            self.doubt(DoubtKind::GuardMet, &line);
        }
        Some(answer)
    }

    /// Decides about a command of a simulation without an answer; `None`: it runs.
    pub(super) fn simulated(&self, spec: &CommandSpec) -> Option<Answer> {
        if let Some(answer) = self.known_answer(spec) {
            return Some(answer);
        }
        if let Some(answer) = self.options.evaluates.as_ref().and_then(|evaluate| self.quietly(|| evaluate(self, spec)))
        {
            return Some(answer);
        }
        let line = spec.display();
        let outside = self.outside(spec);
        let only_looks = self.options.only_looks.as_ref().is_some_and(|only_looks| only_looks(&outside));
        // a directory that exists only in the overlay cannot be the working directory
        let has_place = outside.cwd.as_ref().is_none_or(|folder| self.machine().stat(folder).is_ok());
        let runs = match self.purpose() {
            Purpose::Query => true,
            Purpose::Guard => self.options.asks_guards && has_place,
            Purpose::Code => only_looks && has_place,
            Purpose::Check => only_looks && has_place && !self.names_what_is_planned(&line),
        };
        if runs {
            if self.assumed() > 0 && self.purpose() != Purpose::Query {
                self.doubt(DoubtKind::Unseen, &line);
            }
            return None;
        }
        if self.purpose() == Purpose::Guard {
            self.doubt(DoubtKind::GuardNotAsked, &line);
        } else if self.purpose() == Purpose::Check {
            self.doubt(DoubtKind::NotVerified, &line);
        } else if !self.assume_command(spec) {
            self.doubt(DoubtKind::NotRun, &line);
        }
        Some(Answer::default())
    }

    /// Whether a command names a path that exists only in the overlay.
    fn names_what_is_planned(&self, line: &[u8]) -> bool {
        let words = line.split(|byte| byte.is_ascii_whitespace() || b"'\"=:,;".contains(byte));
        let mut paths = words.filter(|word| word.starts_with(b"/"));
        paths.any(|path| self.lstat(path).is_ok() && self.machine().lstat(path).is_err())
    }
}
