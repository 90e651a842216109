//! What the tests of this crate share: the built binary ([`binary`]), repositories of git ([`git`]), scratch copies of chef-repos ([`scratch`]), recorded sessions
//! ([`session`]), and the places of a run's output that differ from run to run ([`normalise`]).
#![allow(clippy::disallowed_methods)] // tests drive the machine themselves

pub mod binary;
pub mod git;
pub mod normalise;
pub mod report;
pub mod schema;
pub mod scratch;
pub mod session;
