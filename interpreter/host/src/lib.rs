//! The machine, behind object-safe traits at system-call granularity: the only crate that touches it.
//!
//! | module | holds |
//! |--|--|
//! | [`host`] | [`Host`], the sum of the traits below |
//! | [`location`] | where in Ruby source an effect came from |
//! | [`error`] | [`HostError`] and the tables of errno and signal names |
//! | [`files`] | [`Files`], [`FileHandle`], [`Stat`], [`OpenFlags`] |
//! | [`processes`] | [`Processes`], [`CommandSpec`], the environment, signals |
//! | [`users`] | [`Users`]: passwd and group, from the files, then `getent` |
//! | [`clock`] | [`Clock`]: time, zones, sleep; [`Randomness`] |
//! | [`network`] | [`Network`]: sockets, names |
//! | [`streams`] | [`Streams`]: standard streams, terminals, polling |
//! | [`queries`] | [`Queries`]: packages, services, mounts as typed answers |
//! | `copies` | work in copies of this process |
//! | [`compose`] | whole-file reads, recursive removal, built on the traits |
//! | [`replace`] | the one way to write a file: whole, with its final owner and mode, by descriptor |
//! | [`directory`] | [`Directory`]: a directory held open |
//! | [`real`] | [`RealHost`] |
//! | [`overlay`] | [`OverlayHost`]: writes stay in memory, everything is recorded |
//! | [`faulty`] | [`FaultyHost`]: fails chosen calls, for tests |
//! | `sys` | the only `unsafe` |

pub mod clock;
pub mod compose;
mod copies;
pub mod directory;
mod errno_table;
pub mod error;
pub mod faulty;
pub mod files;
pub mod host;
pub mod location;
pub mod network;
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
pub use location::{LocationSource, SourceLocation};
pub use network::{Address, Interface, Network, Socket};
pub use overlay::{Doubt, DoubtKind, Effect, EffectKind, OverlayHost, OverlayOptions, Policy, Purpose};
pub use processes::{
    CommandEvent, CommandOutput, CommandSpec, ExitStatus, Flow, Group as ProcessGroup, Processes, Program, Spawned,
    Stdio, WaitTarget,
};
pub use queries::Queries;
pub use real::RealHost;
pub use streams::{Ready, StandardStream, Streams};
pub use test_expression::test_expression;
pub use users::{Group, User, Users};
