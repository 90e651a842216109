//! Access to the machine through object-safe traits at the level of system calls; no other crate touches it.
//!
//! | module | holds |
//! |--|--|
//! | [`host`] | [`Host`], the sum of the traits below |
//! | [`location`] | the place in Ruby source that caused an effect |
//! | [`error`] | [`HostError`], and the tables of errno and signal names |
//! | [`files`] | [`Files`], [`FileHandle`], [`Stat`], [`OpenFlags`] |
//! | [`processes`] | [`Processes`], [`CommandSpec`], the environment, signals |
//! | [`identity`] | [`Identity`]: what this process runs as |
//! | [`users`] | [`Users`]: passwd and group, from the files, then from `getent` |
//! | [`clock`] | [`Clock`]: time, zones, sleep; [`Randomness`] |
//! | [`network`] | [`Network`]: sockets, host names |
//! | [`streams`] | [`Streams`]: standard streams, terminals, polling |
//! | [`queries`] | [`Queries`]: structured queries about packages, services, mounts |
//! | `copies` | work in forked copies of this process |
//! | [`compose`] | operations based on the traits: whole-file reads, recursive removal |
//! | [`replace`] | replaces a file atomically, with its final owner and mode |
//! | [`directory`] | [`Directory`]: an open directory |
//! | [`real`] | [`RealHost`] |
//! | [`overlay`] | [`OverlayHost`]: writes stay in memory, and everything is recorded |
//! | [`faulty`] | [`FaultyHost`]: selected calls fail, for tests |
//! | `sys` | all `unsafe` code |

pub mod clock;
pub mod compose;
mod copies;
pub mod directory;
mod errno_table;
pub mod error;
pub mod faulty;
pub mod files;
pub mod host;
pub mod identity;
pub mod location;
pub mod network;
pub mod options;
pub mod overlay;
pub mod processes;
pub mod queries;
pub mod real;
pub mod replace;
pub mod streams;
mod sys;
mod test_expression;
pub use sys::{end_after, end_no_more, end_on, map_ahead, one_heap, reserve, settle_memory};
pub mod users;

pub use copies::in_copies;

pub use clock::{Clock, CpuTimes, LocalOffset, Randomness, Zone};
pub use directory::Directory;
pub use error::{HostError, Result};
pub use faulty::{Fault, FaultyHost};
pub use files::{
    Access, DirEntry, FileHandle, FileKind, Files, LockKind, OpenFlags, Seek, SetTime, Stat, StatFs, Time,
};
pub use host::Host;
pub use identity::{Identity, Ids, UNCHANGED};
pub use location::{LocationSource, SourceLocation};
pub use network::{Address, Interface, Network, Socket};
pub use overlay::{Doubt, DoubtKind, Effect, EffectKind, OverlayHost, OverlayOptions, Policy, Purpose};
pub use processes::{
    CommandEvent, CommandOutput, CommandSpec, Environment, ExitStatus, Flow, Group as ProcessGroup, Processes, Program,
    Spawned, Stdio, WaitTarget,
};
pub use queries::Queries;
pub use real::RealHost;
pub use streams::{Ready, StandardStream, Streams};
pub use test_expression::test_expression;
pub use users::{Group, User, Users};
