//! Tests of the engine as an embedder uses it.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)] // a failure is the test\'s, and so is the machine

mod simulated;
