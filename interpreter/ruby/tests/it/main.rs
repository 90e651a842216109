//! Tests of the engine as an embedder uses it.
mod simulated;
