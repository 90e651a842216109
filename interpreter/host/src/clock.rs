//! [`Clock`] and [`Randomness`], and time zone lookups.

use crate::error::Result;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone, TimeZoneDatabase};
use jiff::{Timestamp, civil};
use std::cell::RefCell;
use std::time::Duration;

/// Time and time zones.
pub trait Clock {
    /// Nanoseconds since 1970-01-01 00:00 UTC.
    fn wall_ns(&self) -> i64;
    /// Nanoseconds of a monotonic clock.
    fn monotonic_ns(&self) -> u64;
    /// clock_gettime(2) for the number of a Linux clock, in nanoseconds.
    fn clock_ns(&self, id: i32) -> Result<i64>;
    /// clock_getres(2), in nanoseconds.
    fn clock_resolution_ns(&self, id: i32) -> Result<i64>;
    /// CPU time of this process and of the children it has waited for.
    fn cpu_times(&self) -> CpuTimes;
    /// The local zone (`TZ`, then /etc/localtime, then UTC) at a time in seconds since 1970.
    fn local_zone(&self, secs: i64) -> Zone;
    /// The UTC offsets that a local time can have; `civil_secs` is the local time read as if it were UTC.
    fn local_offset(&self, civil_secs: i64) -> LocalOffset;
    /// The zone with this name (`"Europe/Berlin"`, or a POSIX rule) at a time; `None` if there is none.
    fn named_zone(&self, name: &[u8], secs: i64) -> Option<Zone>;
    /// Sleeps; `EINTR` if a watched signal arrives first.
    fn sleep(&self, duration: Duration) -> Result<()>;
    /// Whether the clock is advanced by code that runs and by sleeping, instead of by real time.
    fn is_simulated(&self) -> bool {
        false
    }
    /// Nanoseconds of a clock that always runs in real time, for limits on a run.
    fn unsimulated_ns(&self) -> u64 {
        self.monotonic_ns()
    }
    /// Advances a simulated clock by the time of this many steps.
    fn ran(&self, _steps: u64) {}
}

/// Random bytes from the operating system.
pub trait Randomness {
    fn fill(&self, buffer: &mut [u8]) -> Result<()>;
}

/// CPU time in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuTimes {
    pub user: u64,
    pub system: u64,
    /// User mode time of children that have ended.
    pub children_user: u64,
    /// Kernel mode time of children that have ended.
    pub children_system: u64,
}

/// A time zone at a certain time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    /// Seconds east of UTC.
    pub offset: i32,
    /// `"CEST"`.
    pub abbreviation: String,
    /// Whether daylight saving time is in effect.
    pub dst: bool,
}

/// The UTC offsets that a local time can have, in seconds east of UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalOffset {
    Unique(i32),
    /// The local time was skipped when the clock was put forward.
    Gap {
        /// The offset before the change.
        before: i32,
        /// The offset after the change.
        after: i32,
    },
    /// The local time occurred twice.
    Fold {
        before: i32,
        after: i32,
    },
}

/// The local zone, cached until `TZ` changes. /etc/localtime is read once.
#[derive(Default)]
pub(crate) struct ZoneCache {
    current: RefCell<Option<(Option<Vec<u8>>, Local)>>,
}

#[derive(Clone)]
enum Local {
    Known(TimeZone),
    /// An unknown zone name: glibc keeps its letters as the abbreviation and uses UTC.
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

/// Resolves `TZ` like tzset(3): empty is UTC; else a file, the name of a zone, or a POSIX rule.
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

/// A zone by its exact name in the bundled database, or from a POSIX rule.
fn named(name: &str) -> Option<TimeZone> {
    let known = TimeZoneDatabase::bundled().get(name).ok().filter(|zone| zone.iana_name() == Some(name));
    known.or_else(|| TimeZone::posix(name).ok())
}

pub(crate) fn named_zone(name: &[u8], secs: i64) -> Option<Zone> {
    Some(zone_at(&named(std::str::from_utf8(name).ok()?)?, secs))
}

/// Parses a time into nanoseconds since 1970: `2026-03-01T12:00:00Z`, with another offset, without one (UTC), a date alone, or `@` and seconds since
/// 1970.
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

/// Seconds of 400 Gregorian years, after which weekdays and rules repeat.
const CYCLE: i64 = 146_097 * 86_400;
/// Limits below those of the zone library: the years -9000 to 9000.
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

    /// Expected values are from `TZ=… ruby -e 'p Time.at(n).then { [_1.utc_offset, _1.zone, _1.dst?] }'`.
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
