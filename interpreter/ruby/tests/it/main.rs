//! Tests of the engine as an embedder uses it.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

mod simulated;
