//! What an overlay assumes on behalf of a plan: which commands it lets run, what it takes as known, and what it does not know.
//!
//! A plan takes every change as made (`assume_*`). What a command asks for is answered from that, or by running it where it only looks.
//! Everything that remains open is a [`Doubt`], so that whoever shows the plan can say on what it rests.

use super::OverlayHost;
use super::commands::Answer;
use super::doubt::{Doubt, DoubtKind, Purpose};
use super::tree::Found;
use crate::files::Files as _;
use crate::processes::CommandSpec;

impl OverlayHost {
    /// Whether this overlay simulates a run.
    pub fn simulates(&self) -> bool {
        self.options.policy == super::Policy::Simulate
    }

    /// Where archives of packages are kept; absent where they are not to be looked at.
    pub fn archives(&self) -> Option<&[u8]> {
        self.options.archives.as_deref()
    }

    /// Runs something with all rights in the overlay.
    pub fn with_all_rights<T>(&self, body: impl FnOnce() -> T) -> T {
        let before = self.core.privileged.replace(true);
        let result = body();
        self.core.privileged.set(before);
        result
    }

    /// The machine under the overlay.
    pub fn base(&self) -> &dyn crate::host::Host {
        self.machine()
    }

    /// For whom commands run from now on; what it was before.
    pub fn set_purpose(&self, purpose: Purpose) -> Purpose {
        self.simulation.purpose.replace(purpose)
    }

    /// For whom commands run.
    pub fn purpose(&self) -> Purpose {
        self.simulation.purpose.get()
    }

    /// One more change is taken as made.
    pub fn note_assumed(&self) {
        self.simulation.assumed.set(self.simulation.assumed.get() + 1);
    }

    /// How many changes have been taken as made.
    pub fn assumed(&self) -> usize {
        self.simulation.assumed.get()
    }

    /// Notes what is not known.
    pub fn doubt(&self, kind: DoubtKind, subject: &[u8]) {
        let unseen = self.assumed();
        if matches!(kind, DoubtKind::Effects | DoubtKind::Contents | DoubtKind::NotRun) {
            self.simulation.uncertain.set(true);
        }
        let subject = String::from_utf8_lossy(subject).into_owned();
        self.simulation.doubts.borrow_mut().push(Doubt { kind, subject, unseen });
    }

    /// The content of a file is not known: whoever reads it rests on an assumption.
    pub fn forget_content(&self, path: &[u8]) {
        if let Ok((_, Found::Node(node))) = self.core.find(path, true) {
            node.blank.set(true);
        }
    }

    /// Doubts since the last call.
    pub fn take_doubts(&self) -> Vec<Doubt> {
        std::mem::take(&mut *self.simulation.doubts.borrow_mut())
    }

    /// How many doubts wait to be taken.
    pub fn doubts(&self) -> usize {
        self.simulation.doubts.borrow().len()
    }

    /// Whether a doubt of this kind came after the first so many of those that wait.
    pub fn has_doubt_after(&self, count: usize, kind: DoubtKind) -> bool {
        self.simulation.doubts.borrow().iter().skip(count).any(|doubt| doubt.kind == kind)
    }

    /// Whether something ran of which it is not known what it did.
    pub fn is_uncertain(&self) -> bool {
        self.simulation.uncertain.get()
    }

    /// Takes the answer of a command as known; `supposed`: it rests on nothing but the wish of the resource that was to run it.
    pub fn assume_answer(&self, line: &[u8], answer: Answer, supposed: bool) {
        self.answers.borrow_mut().insert(line.to_vec(), (answer, supposed));
    }

    /// What is known of a command without running it.
    pub(super) fn known_answer(&self, spec: &CommandSpec) -> Option<Answer> {
        let line = spec.display();
        let found = self.answers.borrow().get(&line).cloned();
        let (answer, supposed) = found?;
        if supposed {
            self.doubt(DoubtKind::GuardMet, &line);
        }
        Some(answer)
    }

    /// Decides about a command of a simulation that no answerer answers; `None`: it runs.
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
        // a directory that is only on the overlay cannot be entered
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

    /// Whether a command has the path of something that only the overlay has.
    fn names_what_is_planned(&self, line: &[u8]) -> bool {
        let words = line.split(|byte| byte.is_ascii_whitespace() || b"'\"=:,;".contains(byte));
        let mut paths = words.filter(|word| word.starts_with(b"/"));
        paths.any(|path| self.lstat(path).is_ok() && self.machine().lstat(path).is_err())
    }
}
