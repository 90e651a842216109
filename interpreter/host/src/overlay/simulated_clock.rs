//! A simulated clock, which is advanced by code that runs.

use crate::error::{HostError, Result};
use nix::libc;
use std::cell::Cell;

/// Uptime of a simulated machine at the start of a run, in nanoseconds.
const UPTIME: u64 = 3_600_000_000_000;
/// Nanoseconds per step of Ruby code: about the time on a machine of 2025, so that a loop that waits without sleeping ends as it would there.
const STEP: u64 = 50;
/// Nanoseconds per look at the clock, so that two readings are never equal.
const LOOK: u64 = 1_000;
/// Maximum time: far beyond any deadline, but safe from overflow.
const LAST: u64 = i64::MAX as u64 / 4;

/// A clock that is advanced by executed steps, by each reading, and by sleeping.
pub(super) struct SimulatedClock {
    /// Time of the start in nanoseconds since 1970.
    start: i64,
    /// Nanoseconds since the start.
    passed: Cell<u64>,
    /// Nanoseconds of executed code.
    worked: Cell<u64>,
}

impl SimulatedClock {
    pub(super) fn new(start: i64) -> Self {
        Self { start, passed: Cell::new(0), worked: Cell::new(0) }
    }

    pub(super) fn pass(&self, more: u64) {
        self.passed.set(self.passed.get().saturating_add(more).min(LAST));
    }

    /// Advances the clock by executed steps.
    pub(super) fn work(&self, steps: u64) {
        let took = steps.saturating_mul(STEP);
        self.worked.set(self.worked().saturating_add(took).min(LAST));
        self.pass(took);
    }

    /// Advances the clock by a reading.
    pub(super) fn look(&self) {
        self.pass(LOOK);
    }

    /// Nanoseconds of executed code.
    pub(super) fn worked(&self) -> u64 {
        self.worked.get()
    }

    pub(super) fn wall_ns(&self) -> i64 {
        self.start.saturating_add_unsigned(self.passed.get())
    }

    pub(super) fn monotonic_ns(&self) -> u64 {
        UPTIME + self.passed.get()
    }

    pub(super) fn clock_ns(&self, id: i32) -> Result<i64> {
        /// TAI minus UTC in nanoseconds, since 2017.
        const TAI: i64 = 37_000_000_000;
        match id {
            libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE | libc::CLOCK_REALTIME_ALARM => Ok(self.wall_ns()),
            libc::CLOCK_TAI => Ok(self.wall_ns().saturating_add(TAI)),
            libc::CLOCK_MONOTONIC
            | libc::CLOCK_MONOTONIC_RAW
            | libc::CLOCK_MONOTONIC_COARSE
            | libc::CLOCK_BOOTTIME
            | libc::CLOCK_BOOTTIME_ALARM => Ok(self.monotonic_ns() as i64),
            libc::CLOCK_PROCESS_CPUTIME_ID | libc::CLOCK_THREAD_CPUTIME_ID => Ok(self.worked.get() as i64),
            _ => Err(HostError::new(libc::EINVAL, "clock_gettime")),
        }
    }

    pub(super) fn resolution_ns(&self, id: i32) -> Result<i64> {
        match id {
            libc::CLOCK_REALTIME_COARSE | libc::CLOCK_MONOTONIC_COARSE => Ok(4_000_000),
            0..=9 | libc::CLOCK_TAI => Ok(1),
            _ => Err(HostError::new(libc::EINVAL, "clock_getres")),
        }
    }
}
