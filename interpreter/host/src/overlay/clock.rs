//! The clock of an overlay: the machine's, or one of its own that costs no time.

use super::OverlayHost;
use crate::clock::{self, Clock, CpuTimes, LocalOffset, Zone};
use crate::error::{HostError, Result};
use nix::libc;
use std::cell::Cell;
use std::time::Duration;

/// How long a simulated machine has been up when the run starts.
const UPTIME: u64 = 3_600_000_000_000;
/// What one step of Ruby code takes: about what it takes on a machine of 2025, so that a loop that waits without sleeping ends as it would there.
const STEP: u64 = 50;
/// What a look at the clock takes: two looks never tell the same time.
const LOOK: u64 = 1_000;
/// How far the clock may go: far beyond any deadline, short of overflowing what times are kept in.
const LAST: u64 = i64::MAX as u64 / 4;

/// A clock that goes on by what code does: the steps that it runs, the times that it looks, and what it sleeps.
pub(super) struct SimulatedClock {
    /// Wall-clock time of the start in nanoseconds since 1970.
    start: i64,
    /// Nanoseconds since the start.
    passed: Cell<u64>,
    /// Nanoseconds of them in which code ran.
    worked: Cell<u64>,
}

impl SimulatedClock {
    pub(super) fn new(start: i64) -> Self {
        Self { start, passed: Cell::new(0), worked: Cell::new(0) }
    }

    pub(super) fn pass(&self, more: u64) {
        self.passed.set(self.passed.get().saturating_add(more).min(LAST));
    }

    pub(super) fn wall_ns(&self) -> i64 {
        self.start.saturating_add_unsigned(self.passed.get())
    }

    fn monotonic_ns(&self) -> u64 {
        UPTIME + self.passed.get()
    }

    fn clock_ns(&self, id: i32) -> Result<i64> {
        /// Leap seconds between UTC and TAI since 2017.
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

    fn resolution_ns(&self, id: i32) -> Result<i64> {
        match id {
            libc::CLOCK_REALTIME_COARSE | libc::CLOCK_MONOTONIC_COARSE => Ok(4_000_000),
            0..=9 | libc::CLOCK_TAI => Ok(1),
            _ => Err(HostError::new(libc::EINVAL, "clock_getres")),
        }
    }
}

impl Clock for OverlayHost {
    fn wall_ns(&self) -> i64 {
        self.look();
        self.core.wall_ns()
    }

    fn monotonic_ns(&self) -> u64 {
        self.look();
        self.core.clock.as_ref().map_or_else(|| self.machine().monotonic_ns(), SimulatedClock::monotonic_ns)
    }

    fn clock_ns(&self, id: i32) -> Result<i64> {
        self.look();
        self.core.clock.as_ref().map_or_else(|| self.machine().clock_ns(id), |clock| clock.clock_ns(id))
    }

    fn clock_resolution_ns(&self, id: i32) -> Result<i64> {
        self.core.clock.as_ref().map_or_else(|| self.machine().clock_resolution_ns(id), |clock| clock.resolution_ns(id))
    }

    fn cpu_times(&self) -> CpuTimes {
        match &self.core.clock {
            Some(clock) => CpuTimes { user: clock.worked.get(), ..CpuTimes::default() },
            None => self.machine().cpu_times(),
        }
    }

    fn local_zone(&self, secs: i64) -> Zone {
        self.zones.zone(self.tz(), secs, |path| self.quiet_file(path))
    }

    fn local_offset(&self, civil_secs: i64) -> LocalOffset {
        self.zones.offset(self.tz(), civil_secs, |path| self.quiet_file(path))
    }

    fn named_zone(&self, name: &[u8], secs: i64) -> Option<Zone> {
        clock::named_zone(name, secs)
    }

    fn sleep(&self, duration: Duration) -> Result<()> {
        match &self.core.clock {
            Some(clock) => clock.pass(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)),
            None => self.machine().sleep(duration)?,
        }
        Ok(())
    }

    fn is_simulated(&self) -> bool {
        self.core.clock.is_some()
    }

    fn unsimulated_ns(&self) -> u64 {
        self.machine().unsimulated_ns()
    }

    fn ran(&self, steps: u64) {
        if let Some(clock) = &self.core.clock {
            let took = steps.saturating_mul(STEP);
            clock.worked.set(clock.worked.get().saturating_add(took).min(LAST));
            clock.pass(took);
        }
    }
}

impl OverlayHost {
    fn look(&self) {
        if let Some(clock) = &self.core.clock {
            clock.pass(LOOK);
        }
    }
}
