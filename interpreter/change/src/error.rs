//! Why a plan or a change failed, as data.

use rchef_host::HostError;
use std::fmt;
use std::time::Duration;

/// A failure of planning or applying.
#[derive(Clone, Debug)]
pub enum ChangeError {
    /// A failed system call: operation, path and errno.
    Host(HostError),
    /// A command that ended otherwise than it may.
    Command(Box<CommandFailure>),
    /// An error that Chef raises itself: the full name of its Ruby class, and the message.
    Raise {
        /// `"Chef::Exceptions::Package"`, `"ArgumentError"`.
        class: &'static str,
        message: String,
    },
    /// A step that only the engine can carry out was applied without one; its kind.
    NeedsEngine(&'static str),
}

impl ChangeError {
    /// An error of a Ruby class.
    pub fn raise(class: &'static str, message: impl Into<String>) -> ChangeError {
        ChangeError::Raise { class, message: message.into() }
    }
}

impl From<HostError> for ChangeError {
    fn from(error: HostError) -> ChangeError {
        ChangeError::Host(error)
    }
}

impl fmt::Display for ChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChangeError::Host(error) => write!(f, "{}: {error}", error.op),
            ChangeError::Command(failure) => failure.fmt(f),
            ChangeError::Raise { message, .. } => f.write_str(message),
            ChangeError::NeedsEngine(kind) => write!(f, "a step of kind {kind} needs the Ruby engine"),
        }
    }
}

impl std::error::Error for ChangeError {}

/// How a command failed. Its texts hold no secret: they are masked when this is made.
#[derive(Clone, Debug)]
pub struct CommandFailure {
    /// The command as `Mixlib::ShellOut` shows it.
    pub command: String,
    /// The exit code; absent when a signal ended it.
    pub code: Option<i64>,
    /// The codes that it may end with.
    pub expected: Vec<i64>,
    pub stdout: String,
    pub stderr: String,
    /// The time that it was given and exceeded.
    pub timed_out: Option<Duration>,
    /// Nothing of the command or its output may be shown.
    pub hidden: bool,
}

impl CommandFailure {
    /// The class under `Mixlib::ShellOut` that Chef raises.
    pub fn class(&self) -> &'static str {
        if self.timed_out.is_some() { "CommandTimeout" } else { "ShellCommandFailed" }
    }

    fn report(&self) -> String {
        let code = self.code.map_or(String::new(), |code| code.to_string());
        let command = &self.command;
        format!(
            "---- Begin output of {command} ----\nSTDOUT: {}\nSTDERR: {}\n---- End output of {command} ----\nRan {command} returned {code}",
            self.stdout.trim(),
            self.stderr.trim()
        )
    }
}

impl fmt::Display for CommandFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(limit) = self.timed_out {
            return write!(
                f,
                "Command timed out after {}s:\nCommand exceeded allowed execution time, process terminated\n{}",
                limit.as_secs_f64(),
                self.report()
            );
        }
        if self.hidden {
            return f.write_str("Command execution failed. STDOUT/STDERR suppressed for sensitive resource");
        }
        let expected: Vec<String> = self.expected.iter().map(i64::to_string).collect();
        let code = self.code.map_or(String::new(), |code| code.to_string());
        write!(f, "Expected process to exit with [{}], but received '{code}'\n{}", expected.join(", "), self.report())
    }
}
