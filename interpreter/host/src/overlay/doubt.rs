//! What a plan does not know, and the state of a simulation.

use std::cell::{Cell, RefCell};

/// On whose behalf a command runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// Cookbook code, or a change: it may have any effect.
    #[default]
    Code,
    /// A provider that inspects the machine: read-only.
    Query,
    /// A guard of a resource, which should be read-only.
    Guard,
    /// A check of new contents (`verify`), which exist only in the overlay.
    Check,
}

/// Something that a plan does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    pub kind: DoubtKind,
    /// The command line, or another subject.
    pub subject: String,
    /// The number of changes assumed so far that the command could not see.
    pub unseen: usize,
}

/// The kinds of [`Doubt`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoubtKind {
    /// A command did not run; it is assumed to succeed without output.
    NotRun,
    /// A command ran on the machine without the changes assumed before it.
    Unseen,
    /// A guard was not evaluated.
    GuardNotAsked,
    /// A check of contents did not run; it is assumed to pass.
    NotVerified,
    /// The effects of a command to be run are unknown.
    Effects,
    /// Package lists were to be renewed: which versions are on offer after that is unknown.
    Lists,
    /// The contents of a package are unknown.
    Contents,
    /// A guard is assumed to hold after the command that it guards.
    GuardMet,
    /// The version that a packaged program reports is assumed to be that of its package.
    Version,
    /// A resource could not be planned, because something it needs is unknown or may not be read.
    NotPlanned,
}

impl DoubtKind {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            DoubtKind::NotRun => "command_not_run",
            DoubtKind::Unseen => "command_saw_machine_as_it_is",
            DoubtKind::GuardNotAsked => "guard_not_asked",
            DoubtKind::NotVerified => "content_not_verified",
            DoubtKind::Effects => "effects_unknown",
            DoubtKind::Lists => "package_lists_unknown",
            DoubtKind::Contents => "contents_unknown",
            DoubtKind::NotPlanned => "could_not_be_planned",
            DoubtKind::Version => "version_taken_from_package",
            DoubtKind::GuardMet => "guard_taken_as_met",
        }
    }
}

#[derive(Default)]
pub(super) struct Simulation {
    pub(super) purpose: Cell<Purpose>,
    /// The number of assumed changes.
    pub(super) assumed: Cell<usize>,
    pub(super) doubts: RefCell<Vec<Doubt>>,
    /// Whether something with unknown effects has run.
    pub(super) uncertain: Cell<bool>,
    /// Whether package lists were to be renewed.
    pub(super) renewed: Cell<bool>,
    /// Skipped waiting time in nanoseconds.
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
