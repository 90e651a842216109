//! Ohai's Uptime and Timezone.

use super::source::{Choice, Facts, read};
use rchef_host::Host;
use serde_json::json;

/// `uptime` and `idletime`, as text and in seconds.
pub(super) fn collect(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    let text = read(host, "/proc/uptime").unwrap_or_default();
    let mut numbers = text.split(' ').filter_map(|word| word.parse::<f64>().ok());
    for key in ["uptime", "idletime"] {
        if let Some(seconds) = numbers.next() {
            let seconds = seconds as u64;
            facts.insert(key.into(), json!(human(seconds)));
            facts.insert(format!("{key}_seconds"), json!(seconds));
        }
    }
}

/// `1 day 02 hours 03 minutes 04 seconds`, from the largest unit that is not zero.
fn human(seconds: u64) -> String {
    let (days, hours, minutes, rest) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{rest:02} seconds"),
        (0, 0, _) => format!("{minutes} minutes {rest:02} seconds"),
        (0, _, _) => format!("{hours} hours {minutes:02} minutes {rest:02} seconds"),
        _ => {
            let unit = if days == 1 { "day" } else { "days" };
            format!("{days} {unit} {hours:02} hours {minutes:02} minutes {rest:02} seconds")
        }
    }
}

/// `time.timezone`: the abbreviation of the current time zone.
pub(super) fn timezone(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    let zone = host.local_zone(host.wall_ns().div_euclid(1_000_000_000));
    facts.insert("time".into(), json!({ "timezone": zone.abbreviation }));
}

#[cfg(test)]
mod tests {
    use super::human;

    #[test]
    fn for_people() {
        for (seconds, text) in [
            (5, "05 seconds"),
            (65, "1 minutes 05 seconds"),
            (3600, "1 hours 00 minutes 00 seconds"),
            (90_061, "1 day 01 hours 01 minutes 01 seconds"),
            (200_000, "2 days 07 hours 33 minutes 20 seconds"),
        ] {
            assert_eq!(human(seconds), text);
        }
    }
}
