//! The effects and reads that an overlay records.

use crate::location::{LocationSource, SourceLocation};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// A recorded effect (which did not reach the machine) or read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Effect {
    pub kind: EffectKind,
    /// The absolute path, command line, name or variable.
    pub subject: Vec<u8>,
    /// Details: the new mode, the link's target, `"not run"`, `"absent"`.
    pub detail: String,
    /// The place in Ruby source.
    pub source: Option<SourceLocation>,
    /// The calls that led there, innermost first; of a read that was repeated those of all times.
    pub callers: Vec<SourceLocation>,
}

/// Of more calls to one line than these it is not noted where they come from.
const MOST_CALLERS: usize = 64;

macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $name:ident $text:literal $read:literal,)+) => {
        /// Kinds of effects and reads.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum EffectKind { $($(#[doc = $doc])+ $name,)+ }

        impl EffectKind {
            /// The name in machine-readable output.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// Whether it is a read.
            pub fn is_read(self) -> bool {
                match self { $(Self::$name => $read,)+ }
            }
        }
    };
}

kinds! {
    /// A file was created.
    Create "create" false,
    /// A file's contents changed.
    Write "write" false,
    /// A directory was created.
    Mkdir "mkdir" false,
    /// A file, link or directory was removed.
    Remove "remove" false,
    /// Something was renamed; the detail is the new path.
    Rename "rename" false,
    /// A symbolic link was made; the detail is its target.
    Symlink "symlink" false,
    /// A hard link was made; the detail is the other name.
    Link "link" false,
    /// Permission bits were set.
    Mode "mode" false,
    /// The owner or group was set.
    Owner "owner" false,
    /// File times were set.
    Times "times" false,
    /// A named pipe was made.
    Fifo "fifo" false,
    /// A command; the detail says whether it ran.
    Command "command" false,
    /// A signal to another process.
    Signal "signal" false,
    /// A variable was set or removed.
    SetEnv "set_env" false,
    /// A connection or a name lookup.
    Network "network" false,
    /// A file was opened for reading.
    ReadFile "read_file" true,
    /// A path's existence or metadata was asked for.
    ReadStat "read_stat" true,
    /// A directory was listed.
    ReadDir "read_dir" true,
    /// A symbolic link was read.
    ReadLink "read_link" true,
    /// A user was looked up.
    ReadUser "read_user" true,
    /// A group was looked up.
    ReadGroup "read_group" true,
    /// A variable was read; `*` is all of them.
    ReadEnv "read_env" true,
    /// A package was asked about.
    ReadPackage "read_package" true,
    /// A unit was asked about.
    ReadService "read_service" true,
    /// Mounts, the host's name or the kernel's were read.
    ReadSystem "read_system" true,
}

/// The recorded effects, and the source of their places.
#[derive(Default)]
pub(super) struct Recorder {
    effects: RefCell<Vec<Effect>>,
    /// Reads seen, with their places in the record: each is kept once for each line that asks, with the calls that led there.
    seen: RefCell<BTreeMap<Effect, usize>>,
    location: RefCell<Option<LocationSource>>,
    quiet: Cell<u32>,
    /// Effects that still need a place.
    pending: RefCell<Vec<Effect>>,
    deferred: Cell<bool>,
}

impl Recorder {
    pub(super) fn set_location_source(&self, source: LocationSource) {
        *self.location.borrow_mut() = Some(source);
    }

    pub(super) fn record(&self, kind: EffectKind, subject: &[u8], detail: impl Into<String>) {
        if self.quiet.get() > 0 {
            return;
        }
        if self.deferred.get() {
            let (subject, detail) = (subject.to_vec(), detail.into());
            let effect = Effect { kind, subject, detail, source: None, callers: Vec::new() };
            self.pending.borrow_mut().push(effect);
            return;
        }
        let location = self.location.borrow().clone();
        let source = location.and_then(|location| location());
        self.keep(Effect { kind, subject: subject.to_vec(), detail: detail.into(), source, callers: Vec::new() });
    }

    fn keep(&self, effect: Effect) {
        if effect.kind.is_read() {
            let seen = Effect {
                callers: Vec::new(),
                subject: effect.subject.clone(),
                detail: effect.detail.clone(),
                source: effect.source.clone(),
                ..effect
            };
            let mut known = self.seen.borrow_mut();
            if let Some(at) = known.get(&seen) {
                if let Some(first) = self.effects.borrow_mut().get_mut(*at) {
                    let room = MOST_CALLERS.saturating_sub(first.callers.len());
                    let new = effect.callers.into_iter().filter(|caller| !first.callers.contains(caller));
                    let new: Vec<_> = new.take(room).collect();
                    first.callers.extend(new);
                }
                return;
            }
            known.insert(seen, self.effects.borrow().len());
        }
        self.effects.borrow_mut().push(effect);
    }

    pub(super) fn defer(&self) {
        self.deferred.set(true);
    }

    pub(super) fn is_waiting(&self) -> bool {
        !self.pending.borrow().is_empty()
    }

    pub(super) fn locate(&self, source: Option<&SourceLocation>, callers: &[SourceLocation]) {
        for effect in self.pending.take() {
            self.keep(Effect { source: source.cloned(), callers: callers.to_vec(), ..effect });
        }
    }

    /// Stops recording.
    pub(super) fn stop(&self) {
        self.quiet.set(self.quiet.get() + 1);
    }

    /// Runs `body` without recording its reads and effects.
    pub(super) fn quietly<T>(&self, body: impl FnOnce() -> T) -> T {
        self.quiet.set(self.quiet.get() + 1);
        let result = body();
        self.quiet.set(self.quiet.get() - 1);
        result
    }

    pub(super) fn has_changed(&self, folder: &[u8]) -> bool {
        let moved = |effect: &Effect| effect.kind == EffectKind::Rename && effect.detail.as_bytes().starts_with(folder);
        let below = |effect: &Effect| !effect.kind.is_read() && (effect.subject.starts_with(folder) || moved(effect));
        self.effects.borrow().iter().any(below) || self.pending.borrow().iter().any(below)
    }

    pub(super) fn all(&self) -> Vec<Effect> {
        self.locate(None, &[]);
        self.effects.borrow().clone()
    }

    pub(super) fn take(&self) -> Vec<Effect> {
        self.locate(None, &[]);
        self.seen.borrow_mut().clear();
        std::mem::take(&mut self.effects.borrow_mut())
    }
}
