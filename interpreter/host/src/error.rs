//! [`HostError`]: a failed system call, with the data of Ruby's `Errno` exceptions.

use crate::errno_table::{ERRNO_ALIASES, ERRNOS, SIGNALS};
use std::fmt;

/// What host calls return.
pub type Result<T> = std::result::Result<T, HostError>;

/// A failed call: `errno` determines the class under Ruby's `Errno`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostError {
    /// The Linux error number.
    pub errno: i32,
    /// The call that failed (`"open"`, `"rename"`).
    pub op: &'static str,
    /// The path, program or name that the call was about, as given by the caller.
    pub path: Option<Box<[u8]>>,
}

impl HostError {
    pub fn new(errno: i32, op: &'static str) -> Self {
        Self { errno, op, path: None }
    }

    pub fn at(errno: i32, op: &'static str, path: &[u8]) -> Self {
        Self { errno, op, path: Some(path.into()) }
    }

    /// Converts an error of std; one without an errno becomes `EINVAL` (invalid input) or `EIO`.
    pub fn from_io(error: &std::io::Error, op: &'static str, path: Option<&[u8]>) -> Self {
        use std::io::ErrorKind;
        let errno = error.raw_os_error().unwrap_or(match error.kind() {
            ErrorKind::InvalidInput => libc::EINVAL,
            ErrorKind::TimedOut => libc::ETIMEDOUT,
            ErrorKind::WouldBlock => libc::EAGAIN,
            _ => libc::EIO,
        });
        Self { errno, op, path: path.map(Into::into) }
    }

    /// The constant under `Errno` (`"ENOENT"`); `None` if Ruby has no class for the number.
    pub fn name(&self) -> Option<&'static str> {
        errno_name(self.errno)
    }

    /// Ruby's message (`"No such file or directory"`).
    pub fn message(&self) -> String {
        errno_message(self.errno)
    }
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message())?;
        match &self.path {
            Some(path) => write!(f, " - {}", String::from_utf8_lossy(path)),
            None => Ok(()),
        }
    }
}

impl std::error::Error for HostError {}

use nix::libc;

pub fn errno_name(errno: i32) -> Option<&'static str> {
    ERRNOS.binary_search_by_key(&errno, |row| row.0).ok().map(|at| ERRNOS[at].1)
}

/// The message of strerror; `Unknown error N` for other numbers, like glibc.
pub fn errno_message(errno: i32) -> String {
    match ERRNOS.binary_search_by_key(&errno, |row| row.0) {
        Ok(at) => ERRNOS[at].2.to_string(),
        Err(_) if errno == 0 => "Success".to_string(),
        Err(_) => format!("Unknown error {errno}"),
    }
}

/// The number of a constant or alias under `Errno`.
pub fn errno_number(name: &str) -> Option<i32> {
    let name = ERRNO_ALIASES.iter().find(|row| row.0 == name).map_or(name, |row| row.1);
    ERRNOS.iter().find(|row| row.1 == name).map(|row| row.0)
}

/// All `(number, name, message)`, by number.
pub fn errnos() -> &'static [(i32, &'static str, &'static str)] {
    ERRNOS
}

/// All `(alias, canonical name)`.
pub fn errno_aliases() -> &'static [(&'static str, &'static str)] {
    ERRNO_ALIASES
}

/// All `(signal name without SIG, number)`, in the order of Ruby's `Signal.list`.
pub fn signals() -> &'static [(&'static str, i32)] {
    SIGNALS
}

/// The number of a signal name, with or without `SIG`.
pub fn signal_number(name: &str) -> Option<i32> {
    let name = name.strip_prefix("SIG").unwrap_or(name);
    SIGNALS.iter().find(|row| row.0 == name).map(|row| row.1)
}

/// The first name of a signal number, without `SIG`.
pub fn signal_name(number: i32) -> Option<&'static str> {
    SIGNALS.iter().find(|row| row.1 == number).map(|row| row.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_texts() {
        let error = HostError::at(2, "open", b"/x");
        assert_eq!(error.name(), Some("ENOENT"));
        assert_eq!(error.to_string(), "No such file or directory - /x");
        assert_eq!(errno_number("EWOULDBLOCK"), Some(11));
        assert_eq!(errno_message(999), "Unknown error 999");
        assert!(ERRNOS.windows(2).all(|w| w[0].0 < w[1].0));
        assert_eq!(signal_number("SIGTERM"), Some(15));
        assert_eq!(signal_name(17), Some("CHLD"));
    }
}
