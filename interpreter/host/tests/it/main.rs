//! RealHost on temporary directories, and OverlayHost held against it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a failure is the test's, and so is the machine

/// Held for writing by the test that changes the process's umask, for reading by those that depend on it.
static UMASK: std::sync::RwLock<()> = std::sync::RwLock::new(());

mod overlay;
mod parity;
mod real;
mod replace;
