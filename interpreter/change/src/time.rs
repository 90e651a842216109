//! Times in the formats of backup names and diffs, in the machine's time zone.

use rchef_host::{Clock, Time};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Civil {
    pub year: i64,
    /// 1 to 12.
    pub month: i64,
    /// 1 to 31.
    pub day: i64,
    /// 0 to 23.
    pub hour: i64,
    /// 0 to 59.
    pub minute: i64,
    /// 0 to 59.
    pub second: i64,
}

impl Civil {
    /// From seconds since 1970, in the proleptic Gregorian calendar.
    pub fn of(secs: i64) -> Civil {
        let (days, rest) = (secs.div_euclid(86400), secs.rem_euclid(86400));
        let shifted = days + 719_468;
        let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
        let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365;
        let of_year = day - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let date = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        Civil {
            year: year + era * 400 + i64::from(month <= 2),
            month,
            day: date,
            hour: rest / 3600,
            minute: rest % 3600 / 60,
            second: rest % 60,
        }
    }
    /// In the machine's time zone.
    pub fn local(host: &(impl Clock + ?Sized), secs: i64) -> Civil {
        Civil::of(secs + i64::from(host.local_zone(secs).offset))
    }
    pub fn compact(&self) -> String {
        format!("{:04}{:02}{:02}", self.year, self.month, self.day)
    }
}

/// The current time as `YYYYmmddHHMMSS.uuuuuu`, the end of a backup's name.
pub fn backup_stamp(host: &(impl Clock + ?Sized)) -> String {
    let now = Time::from_ns(host.wall_ns());
    let at = Civil::local(host, now.secs);
    format!("{}{:02}{:02}{:02}.{:06}", at.compact(), at.hour, at.minute, at.second, now.nanos / 1000)
}

/// A time as `YYYY-mm-dd HH:MM:SS.nnnnnnnnn +zzzz`, for a diff header.
pub fn diff_stamp(host: &(impl Clock + ?Sized), time: Time) -> String {
    let offset = host.local_zone(time.secs).offset;
    let at = Civil::of(time.secs + i64::from(offset));
    let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.abs() / 60);
    format!(
        "{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:09} {sign}{:02}{:02}",
        at.year,
        at.month,
        at.day,
        at.hour,
        at.minute,
        at.second,
        time.nanos,
        minutes / 60,
        minutes % 60
    )
}

#[cfg(test)]
mod tests {
    use super::Civil;

    #[test]
    fn dates() {
        assert_eq!(Civil::of(951_827_696).compact(), "20000229");
        assert_eq!(Civil::of(-1).compact(), "19691231");
    }
}
