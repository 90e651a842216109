//! [`Clock`] and [`Randomness`], and the time-zone lookups behind them.

use crate::error::Result;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone, TimeZoneDatabase};
use jiff::{Timestamp, civil};
use std::cell::RefCell;
use std::time::Duration;

/// Time and zones.
pub trait Clock {
    /// Nanoseconds since 1970-01-01 00:00 UTC.
    fn wall_ns(&self) -> i64;
    /// Nanoseconds on a clock that never steps back.
    fn monotonic_ns(&self) -> u64;
    /// clock_gettime(2) for a Linux clock id, in nanoseconds.
    fn clock_ns(&self, id: i32) -> Result<i64>;
    /// clock_getres(2), in nanoseconds.
    fn clock_resolution_ns(&self, id: i32) -> Result<i64>;
    /// Processor time of this process and of the children waited for.
    fn cpu_times(&self) -> CpuTimes;
    /// The local zone (`TZ`, then /etc/localtime, then UTC) at an instant in seconds since 1970.
    fn local_zone(&self, secs: i64) -> Zone;
    /// Which offsets a local wall-clock reading may have; `civil_secs` is the reading taken as if it were UTC.
    fn local_offset(&self, civil_secs: i64) -> LocalOffset;
    /// A named zone (`"Europe/Berlin"`, or a POSIX rule) at an instant; `None` when there is no such zone.
    fn named_zone(&self, name: &[u8], secs: i64) -> Option<Zone>;
    /// Sleeps; `EINTR` when a watched signal arrives first.
    fn sleep(&self, duration: Duration) -> Result<()>;
    /// Whether the clock goes on by what code does, so that sleeping takes no time.
    fn is_simulated(&self) -> bool {
        false
    }
    /// Nanoseconds on a clock that goes on by itself whatever is simulated: what limits on a run are measured by.
    fn unsimulated_ns(&self) -> u64 {
        self.monotonic_ns()
    }
    /// Tells a simulated clock that code has run for so many steps.
    fn ran(&self, _steps: u64) {}
}

/// Random bytes from the operating system.
pub trait Randomness {
    /// Fills the buffer.
    fn fill(&self, buffer: &mut [u8]) -> Result<()>;
}

/// Processor time in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuTimes {
    pub user: u64,
    pub system: u64,
    /// Of finished children, in user mode.
    pub children_user: u64,
    /// Of finished children, in the kernel.
    pub children_system: u64,
}

/// A zone at one instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    /// Seconds east of UTC.
    pub offset: i32,
    /// `"CEST"`.
    pub abbreviation: String,
    /// Whether daylight saving is in force.
    pub dst: bool,
}

/// What offsets a local reading can have, in seconds east of UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalOffset {
    Unique(i32),
    /// The clock was put forward over it.
    Gap {
        /// In force until the jump.
        before: i32,
        /// In force from the jump.
        after: i32,
    },
    /// It happened twice.
    Fold {
        before: i32,
        after: i32,
    },
}

/// Local-zone lookups with the zone kept until `TZ` changes. /etc/localtime is read once.
#[derive(Default)]
pub(crate) struct ZoneCache {
    current: RefCell<Option<(Option<Vec<u8>>, Local)>>,
}

#[derive(Clone)]
enum Local {
    Known(TimeZone),
    /// glibc keeps the letters of an unknown zone and takes it as UTC.
    Unknown(String),
}

impl ZoneCache {
    fn local(&self, tz: Option<Vec<u8>>, read: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Local {
        if let Some((key, local)) = &*self.current.borrow()
            && *key == tz
        {
            return local.clone();
        }
        let local = match &tz {
            None => read(b"/etc/localtime")
                .and_then(|data| TimeZone::tzif("Local", &data).ok())
                .map_or_else(|| Local::Known(TimeZone::UTC), Local::Known),
            Some(name) => resolve(name, read),
        };
        *self.current.borrow_mut() = Some((tz, local.clone()));
        local
    }

    pub(crate) fn zone(&self, tz: Option<Vec<u8>>, secs: i64, read: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Zone {
        match self.local(tz, read) {
            Local::Known(zone) => zone_at(&zone, secs),
            Local::Unknown(name) => Zone { offset: 0, abbreviation: name, dst: false },
        }
    }

    pub(crate) fn offset(
        &self,
        tz: Option<Vec<u8>>,
        civil_secs: i64,
        read: impl Fn(&[u8]) -> Option<Vec<u8>>,
    ) -> LocalOffset {
        match self.local(tz, read) {
            Local::Known(zone) => offset_for(&zone, civil_secs),
            Local::Unknown(_) => LocalOffset::Unique(0),
        }
    }
}

/// `TZ` as tzset(3) reads it: empty is UTC, then a zone's name, a file, a POSIX rule.
fn resolve(name: &[u8], read: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Local {
    let name = name.strip_prefix(b":").unwrap_or(name);
    if name.is_empty() {
        return Local::Known(TimeZone::UTC);
    }
    if name[0] == b'/' {
        return read(name)
            .and_then(|data| TimeZone::tzif("Local", &data).ok())
            .map_or_else(|| Local::Known(TimeZone::UTC), Local::Known);
    }
    let Ok(text) = std::str::from_utf8(name) else {
        return Local::Known(TimeZone::UTC);
    };
    match named(text) {
        Some(zone) => Local::Known(zone),
        None => Local::Unknown(text.chars().take_while(char::is_ascii_alphabetic).collect()),
    }
}

/// A zone by its exact name in the bundled database, or by a POSIX rule.
fn named(name: &str) -> Option<TimeZone> {
    let known = TimeZoneDatabase::bundled().get(name).ok().filter(|zone| zone.iana_name() == Some(name));
    known.or_else(|| TimeZone::posix(name).ok())
}

pub(crate) fn named_zone(name: &[u8], secs: i64) -> Option<Zone> {
    Some(zone_at(&named(std::str::from_utf8(name).ok()?)?, secs))
}

/// A moment as people write it, in nanoseconds since 1970: `2026-03-01T12:00:00Z`, with another offset, without one (UTC), a date alone, or
/// `@` and seconds since 1970.
pub fn parse_time(text: &str) -> Option<i64> {
    let moment = match text.strip_prefix('@') {
        Some(seconds) => Timestamp::from_second(seconds.parse().ok()?).ok()?,
        None => text.parse::<Timestamp>().ok().or_else(|| {
            let civil: civil::DateTime = text.parse().ok()?;
            Offset::UTC.to_timestamp(civil).ok()
        })?,
    };
    i64::try_from(moment.as_nanosecond()).ok()
}

/// Seconds of 400 Gregorian years: rules and weekdays repeat after it.
const CYCLE: i64 = 146_097 * 86_400;
/// The years that the zone library handles with a margin: -9000 to 9000.
const FIRST: i64 = -346_000_000_000;
const LAST: i64 = 221_000_000_000;

fn in_range(secs: i64) -> i64 {
    if secs > LAST {
        LAST - CYCLE + (secs - LAST).rem_euclid(CYCLE)
    } else if secs < FIRST {
        FIRST + (secs - FIRST).rem_euclid(CYCLE)
    } else {
        secs
    }
}

fn zone_at(zone: &TimeZone, secs: i64) -> Zone {
    let Ok(instant) = Timestamp::from_second(in_range(secs)) else {
        return Zone { offset: 0, abbreviation: "UTC".to_string(), dst: false };
    };
    let info = zone.to_offset_info(instant);
    Zone {
        offset: info.offset().seconds(),
        abbreviation: info.abbreviation().to_string(),
        dst: info.dst() == jiff::tz::Dst::Yes,
    }
}

fn offset_for(zone: &TimeZone, civil_secs: i64) -> LocalOffset {
    let Ok(instant) = Timestamp::from_second(in_range(civil_secs)) else {
        return LocalOffset::Unique(0);
    };
    let reading: civil::DateTime = Offset::UTC.to_datetime(instant);
    match zone.to_ambiguous_timestamp(reading).offset() {
        AmbiguousOffset::Unambiguous { offset } => LocalOffset::Unique(offset.seconds()),
        AmbiguousOffset::Gap { before, after } => LocalOffset::Gap { before: before.seconds(), after: after.seconds() },
        AmbiguousOffset::Fold { before, after } => {
            LocalOffset::Fold { before: before.seconds(), after: after.seconds() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(tz: &str, secs: i64) -> (i32, String, bool) {
        let zone = ZoneCache::default().zone(Some(tz.as_bytes().to_vec()), secs, |_| None);
        (zone.offset, zone.abbreviation, zone.dst)
    }

    /// Recorded: `TZ=… ruby -e 'p Time.at(n).then { [_1.utc_offset, _1.zone, _1.dst?] }'`.
    #[test]
    fn zones_as_ruby_has_them() {
        assert_eq!(zone("America/New_York", 1_600_000_000), (-14400, "EDT".into(), true));
        assert_eq!(zone("America/New_York", 1_610_000_000), (-18000, "EST".into(), false));
        assert_eq!(zone("Asia/Kolkata", 0), (19800, "IST".into(), false));
        assert_eq!(zone("EST5EDT", 1_600_000_000), (-14400, "EDT".into(), true));
        assert_eq!(zone("XYZ-3", 0), (10800, "XYZ".into(), false));
        assert_eq!(zone("", 0), (0, "UTC".into(), false));
        assert_eq!(zone("Nowhere", 0), (0, "Nowhere".into(), false));
        assert_eq!(zone("Europe/Berlin", 100_000_000_000_000), zone("Europe/Berlin", in_range(100_000_000_000_000)));
        assert_eq!(zone("Europe/Berlin", -100_000_000_000_000).0, 3208);
    }

    #[test]
    fn written_times() {
        let noon = Some(1_772_366_400_000_000_000);
        for text in [
            "2026-03-01T12:00:00Z",
            "2026-03-01T13:00:00+01:00",
            "2026-03-01 12:00:00",
            "2026-03-01T12:00",
            "@1772366400",
        ] {
            assert_eq!(parse_time(text), noon, "{text}");
        }
        assert_eq!(parse_time("2026-03-01"), noon.map(|noon| noon - 43_200_000_000_000));
        for text in ["", "noon", "@", "2026-13-01", "9999-01-01T00:00:00Z"] {
            assert_eq!(parse_time(text), None, "{text}");
        }
    }

    #[test]
    fn gaps_and_folds() {
        let offset = |secs| ZoneCache::default().offset(Some(b"America/New_York".to_vec()), secs, |_| None);
        assert_eq!(offset(1_583_634_600), LocalOffset::Gap { before: -18000, after: -14400 });
        assert_eq!(offset(1_604_194_200), LocalOffset::Fold { before: -14400, after: -18000 });
        assert_eq!(offset(1_600_000_000), LocalOffset::Unique(-14400));
    }
}
