//! The log of a run: messages with their time, on standard output or in a file.

use crate::formatter::raw;
use rchef_host::OpenFlags;
use rchef_host::compose;
use rchef_recipe::events::Sink;
use rchef_recipe::log::Level;
use rchef_recipe::secrets;
use rchef_ruby::Vm;

/// Shows log messages, on standard output or in a file.
pub struct Logger {
    /// The least urgent level that shows.
    pub least: Level,
    /// The file; standard output when there is none.
    pub file: Option<String>,
    /// Deprecations too: no formatter lists them.
    pub deprecations: bool,
}

impl Sink for Logger {
    fn logged(&self, vm: &mut Vm, level: &str, text: &str) {
        if Level::named(level).is_none_or(|level| level < self.least) {
            return;
        }
        let line = format!("[{}] {}: {text}\n", timestamp(vm), level.to_uppercase());
        let Some(path) = &self.file else { return raw(vm, &line) };
        let line = secrets::shown(vm, &line);
        let flags = OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::APPEND;
        // a log that cannot be written does not end a run
        let _ = vm.host.open(path.as_bytes(), flags, 0o644).and_then(|log| compose::write_all(&*log, line.as_bytes()));
    }
    fn deprecation(&self, vm: &mut Vm, text: &str, _: &str) {
        if self.deprecations {
            self.logged(vm, "warn", text);
        }
    }
}

/// The local time as `2026-01-01T00:00:00+00:00`.
pub fn timestamp(vm: &Vm) -> String {
    let seconds = vm.host.wall_ns().div_euclid(1_000_000_000);
    let offset = i64::from(vm.host.local_zone(seconds).offset);
    let (day, second) = ((seconds + offset).div_euclid(86_400), (seconds + offset).rem_euclid(86_400));
    // days since 1970 as a date of the proleptic Gregorian calendar; years start in March
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let (date, month) =
        (of_year - (153 * from_march + 2) / 5 + 1, if from_march < 10 { from_march + 3 } else { from_march - 9 });
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let sign = if offset < 0 { '-' } else { '+' };
    format!(
        "{year:04}-{month:02}-{date:02}T{:02}:{:02}:{:02}{sign}{:02}:{:02}",
        second / 3600,
        second / 60 % 60,
        second % 60,
        offset.abs() / 3600,
        offset.abs() / 60 % 60
    )
}
