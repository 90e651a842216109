//! Failures of planning and applying changes, as data.

use rchef_host::HostError;
use std::fmt;
use std::time::Duration;

#[derive(Clone, Debug)]
pub enum ChangeError {
    /// A failed system call: operation, path and errno.
    Host(HostError),
    /// A command with an unexpected exit status.
    Command(Box<CommandFailure>),
    /// An exception that Chef raises itself: the full name of its class, and the message.
    Raise {
        /// `"Chef::Exceptions::Package"`, `"ArgumentError"`.
        class: &'static str,
        message: String,
    },
    /// A step of this type was applied without the engine.
    NeedsEngine(&'static str),
}

impl ChangeError {
    /// An exception of a Ruby class.
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

/// The failure of a command. Secrets in its texts are already masked.
#[derive(Clone, Debug)]
pub struct CommandFailure {
    /// The command as `Mixlib::ShellOut` shows it.
    pub command: String,
    /// The exit code; None if a signal ended the command.
    pub code: Option<i64>,
    /// The accepted exit codes.
    pub expected: Vec<i64>,
    pub stdout: String,
    pub stderr: String,
    /// The timeout, if it was exceeded.
    pub timed_out: Option<Duration>,
    /// Show nothing of the command or its output.
    pub hidden: bool,
}

impl CommandFailure {
    /// The exception class in `Mixlib::ShellOut`.
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
