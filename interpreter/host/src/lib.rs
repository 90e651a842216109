//! The machine, behind object-safe traits at system-call granularity.
