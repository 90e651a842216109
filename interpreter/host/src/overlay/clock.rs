//! The clock of an overlay: the machine's, or a simulated one.

use super::OverlayHost;
use super::simulated_clock::SimulatedClock;
use crate::clock::{self, Clock, CpuTimes, LocalOffset, Zone};
use crate::error::Result;
use std::time::Duration;

impl Clock for OverlayHost {
    fn wall_ns(&self) -> i64 {
        self.look();
        self.core.wall_ns().saturating_add_unsigned(self.simulation.skipped())
    }

    fn monotonic_ns(&self) -> u64 {
        self.look();
        let machines = || self.machine().monotonic_ns().saturating_add(self.simulation.skipped());
        self.core.clock.as_ref().map_or_else(machines, SimulatedClock::monotonic_ns)
    }

    fn clock_ns(&self, id: i32) -> Result<i64> {
        self.look();
        let machines = || Ok(self.machine().clock_ns(id)?.saturating_add_unsigned(self.simulation.skipped()));
        self.core.clock.as_ref().map_or_else(machines, |clock| clock.clock_ns(id))
    }

    fn clock_resolution_ns(&self, id: i32) -> Result<i64> {
        self.core.clock.as_ref().map_or_else(|| self.machine().clock_resolution_ns(id), |clock| clock.resolution_ns(id))
    }

    fn cpu_times(&self) -> CpuTimes {
        match &self.core.clock {
            Some(clock) => CpuTimes { user: clock.worked(), ..CpuTimes::default() },
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
            // a plan does not wait: the event to wait for will not happen
            None if self.simulates() => {
                self.simulation.skip(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX));
            }
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
            clock.work(steps);
        }
    }
}

impl OverlayHost {
    fn look(&self) {
        if let Some(clock) = &self.core.clock {
            clock.look();
        }
    }
}
