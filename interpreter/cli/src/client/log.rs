//! The log of a run: messages with their time, on standard output or error, in a file, or to syslog.

use crate::formatter::raw;
use crate::input::config::setting;
use rchef_host::network::Address;
use rchef_host::{FileHandle, OpenFlags, compose};
use rchef_recipe::events::Sink;
use rchef_recipe::log::Level;
use rchef_recipe::secrets;
use rchef_ruby::{Value, Vm};

/// Where the log goes.
pub enum Place {
    /// Standard output, interleaved with the formatter's lines.
    Output,
    Error,
    /// A file, which is appended to.
    File(String),
    /// The socket of syslog.
    Syslog(Box<dyn FileHandle>),
}

const SYSLOG: &str = "/dev/log";
const IDENT: &str = "chef-client";
/// AF_UNIX, and SOCK_DGRAM with SOCK_CLOEXEC, as Linux numbers them.
const UNIX: i32 = 1;
const DATAGRAM: i32 = 2 | 0o2_000_000;
/// syslog(3): facility `daemon`.
const DAEMON: u8 = 3 << 3;

impl Place {
    /// The destination that the command line names, else the configuration's `log_location`; the error is a message.
    pub fn of(vm: &mut Vm, given: Option<&str>) -> Result<Place, String> {
        let configured = match given {
            Some(_) => None,
            None => configured(vm)?,
        };
        match given.or(configured.as_deref()) {
            None | Some("" | "-" | "STDOUT" | "stdout") => Ok(Place::Output),
            Some("STDERR" | "stderr") => Ok(Place::Error),
            Some("syslog" | "Syslog") => syslog(vm),
            Some("win_evt" | "WinEvt") => {
                Err("log_location win_evt: the event log is Windows'\nhint: syslog, or a file".into())
            }
            Some(path) => {
                let flags = OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::APPEND;
                match vm.host.open(path.as_bytes(), flags, 0o640) {
                    Ok(_) => Ok(Place::File(path.to_string())),
                    Err(error) => Err(format!("Failed to open or create log file at {path}: {}", error.message())),
                }
            }
        }
    }
}

/// `log_location`: STDOUT or STDERR (as objects or names) or a path; the first item of a list.
fn configured(vm: &mut Vm) -> Result<Option<String>, String> {
    let value = setting(vm, "log_location");
    let value = match &value {
        Value::Array(list) => list.get(vm).items.first().cloned().unwrap_or_default(),
        _ => value,
    };
    if value.is_nil() {
        return Ok(None);
    }
    if vm.class_named("IO").is_some_and(|io| vm.is_a(&value, io)) {
        let number = vm.call_name(&value, "fileno", &[]);
        return Ok(Some(if matches!(number, Ok(Value::Int(2))) { "STDERR" } else { "STDOUT" }.to_string()));
    }
    vm.to_s_text(&value).map(Some).map_err(|error| crate::diagnostic::describe(vm, error))
}

fn syslog(vm: &Vm) -> Result<Place, String> {
    let wrong = |error: rchef_host::HostError| {
        format!(
            "log_location syslog: {SYSLOG}: {}\nhint: is a log daemon running? a file or STDOUT needs none",
            error.message()
        )
    };
    let socket = vm.host.socket(UNIX, DATAGRAM, 0).map_err(wrong)?;
    let address = Address::Unix(SYSLOG.into()).bytes();
    match socket.as_socket() {
        Some(open) => open.connect(&address).map_err(wrong)?,
        None => return Err(format!("log_location syslog: {SYSLOG} cannot be opened")),
    }
    Ok(Place::Syslog(socket))
}

fn severity(level: &str) -> u8 {
    match level {
        "fatal" => 2,
        "error" => 3,
        "warn" => 4,
        "info" => 6,
        _ => 7,
    }
}

/// Event sink that writes log messages.
pub struct Logger {
    /// The lowest level that is written.
    pub least: Level,
    pub place: Place,
    /// Log deprecations too, because no formatter lists them.
    pub deprecations: bool,
}

impl Sink for Logger {
    fn logged(&self, vm: &mut Vm, level: &str, text: &str) {
        if Level::named(level).is_none_or(|level| level < self.least) {
            return;
        }
        let line = format!("[{}] {}: {text}\n", timestamp(vm), level.to_uppercase());
        match &self.place {
            Place::Output => raw(vm, &line),
            Place::Error => crate::diagnostic::complain(&secrets::shown(vm, &line)),
            Place::File(path) => {
                let line = secrets::shown(vm, &line);
                let flags = OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::APPEND;
                // a log that cannot be written does not fail the run
                let log = vm.host.open(path.as_bytes(), flags, 0o640);
                let _ = log.and_then(|log| compose::write_all(&*log, line.as_bytes()));
            }
            Place::Syslog(socket) => {
                let text = format!("<{}>{IDENT}[{}]: {text}", DAEMON | severity(level), vm.host.pid());
                let text = secrets::shown(vm, &text);
                if let Some(socket) = socket.as_socket() {
                    let _ = socket.send(text.as_bytes(), 0, None);
                }
            }
        }
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
    // converts days since 1970 to a proleptic Gregorian date; years start in March
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
