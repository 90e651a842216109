//! What a plan does not know, and the state of an overlay that simulates a run.

use std::cell::{Cell, RefCell};

/// For whom a command would run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// Code of cookbooks, or a change: it may do anything.
    #[default]
    Code,
    /// A provider that looks at the machine: it changes nothing.
    Query,
    /// A guard of a resource, which its author wrote to decide and not to change.
    Guard,
    /// A check of content that is to be written (`verify`), which is nowhere but on the overlay.
    Check,
}

/// Something that a plan does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// What kind of thing.
    pub kind: DoubtKind,
    /// The command line, or what it is about.
    pub subject: String,
    /// How many changes had been assumed that the command could not see.
    pub unseen: usize,
}

/// Kinds of [`Doubt`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoubtKind {
    /// A command did not run; it is taken to print nothing and to succeed.
    NotRun,
    /// A command ran on the machine as it is, without the changes that were assumed before it.
    Unseen,
    /// A guard was not asked.
    GuardNotAsked,
    /// A check of content did not run; the content is taken to pass it.
    NotVerified,
    /// What a command that is to run does is not known.
    Effects,
    /// What a package brings is not known.
    Contents,
    /// A guard is taken to hold since the command that it guards was to run.
    GuardMet,
    /// What a program that comes with a package tells as its version is taken from the package.
    Version,
    /// A resource could not be planned, since what it needs is not known or may not be read.
    NotPlanned,
}

impl DoubtKind {
    /// Its word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            DoubtKind::NotRun => "command_not_run",
            DoubtKind::Unseen => "command_saw_machine_as_it_is",
            DoubtKind::GuardNotAsked => "guard_not_asked",
            DoubtKind::NotVerified => "content_not_verified",
            DoubtKind::Effects => "effects_unknown",
            DoubtKind::Contents => "contents_unknown",
            DoubtKind::NotPlanned => "could_not_be_planned",
            DoubtKind::Version => "version_taken_from_package",
            DoubtKind::GuardMet => "guard_taken_as_met",
        }
    }
}

/// The state of a simulation.
#[derive(Default)]
pub(super) struct Simulation {
    pub(super) purpose: Cell<Purpose>,
    /// Changes taken as made.
    pub(super) assumed: Cell<usize>,
    pub(super) doubts: RefCell<Vec<Doubt>>,
    /// Something ran of which it is not known what it did.
    pub(super) uncertain: Cell<bool>,
    /// Time that nobody waited for, in nanoseconds.
    pub(super) skipped: Cell<u64>,
}

impl Simulation {
    pub(super) fn skipped(&self) -> u64 {
        self.skipped.get()
    }
    pub(super) fn skip(&self, nanoseconds: u64) {
        self.skipped.set(self.skipped.get().saturating_add(nanoseconds));
    }
}
