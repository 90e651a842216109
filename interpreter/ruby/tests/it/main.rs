//! Tests of the engine as an embedder uses it.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)] // a failure is the test's, and so is the machine

mod cycles;
mod fuzz;
mod limits;
mod panics;
mod simulated;
mod slots;

/// The limit on memory needs an allocator that counts.
#[global_allocator]
static ALLOCATOR: rchef_ruby::embed::memory::Counting = rchef_ruby::embed::memory::Counting;
