//! Changes of a single resource type: commands and edited files.
//!
//! The resource provides Chef's text for the change itself, since no other resource uses the same text.

use crate::command::forget_answers;
use crate::{Change, ChangeError, Command, DeleteFile, Description, Result, Why, WriteFile};
use rchef_host::{DoubtKind, Host, OverlayHost};
use std::time::Duration;

/// The number and interval of checks whether a file system is unmounted.
const UNMOUNT_LOOKS: u32 = 20;
const UNMOUNT_INTERVAL: Duration = Duration::from_millis(100);

#[derive(Clone, Debug)]
pub enum TaskStep {
    Run(Box<Command>),
    Wait(Duration),
    /// Waits until nothing is mounted on the path; fails after two seconds.
    AwaitUnmounted(Vec<u8>),
    Delete(DeleteFile),
    /// Writes a file. The change is described by the task's lines, so no diff is shown.
    Write(Box<WriteFile>),
}

#[derive(Clone, Debug)]
pub struct Task {
    pub description: Description,
    pub lines: Vec<String>,
    pub steps: Vec<TaskStep>,
    /// The Ruby exception class for failures, and a prefix of its message; if None, the failure of the step is used.
    pub failure: Option<(&'static str, String)>,
}

impl Task {
    /// A task without steps; `line` is the line to print.
    pub fn new(kind: &'static str, subject: impl Into<String>, why: Why, line: impl Into<String>) -> Task {
        Task {
            description: Description::new(kind, subject, why),
            lines: vec![line.into()],
            steps: Vec::new(),
            failure: None,
        }
    }
    /// Adds an aspect to the description.
    pub fn with(mut self, name: impl Into<String>, from: Option<String>, to: Option<String>) -> Task {
        self.description = self.description.with(name, from, to);
        self
    }
    /// Adds a command.
    pub fn run(mut self, command: Command) -> Task {
        self.steps.push(TaskStep::Run(Box::new(command)));
        self
    }
    pub fn then(mut self, step: TaskStep) -> Task {
        self.steps.push(step);
        self
    }
    /// Sets the exception class for failures, and a prefix of their messages.
    pub fn failing_as(mut self, class: &'static str, prefix: impl Into<String>) -> Task {
        self.failure = Some((class, prefix.into()));
        self
    }
    /// Adds a file to write.
    pub fn write(self, write: WriteFile) -> Task {
        self.then(TaskStep::Write(Box::new(write)))
    }

    pub fn commands(&self) -> impl Iterator<Item = &Command> {
        self.steps.iter().filter_map(|step| match step {
            TaskStep::Run(command) => Some(&**command),
            _ => None,
        })
    }

    pub(crate) fn apply(&self, host: &dyn Host) -> Result<()> {
        let result = self.steps.iter().try_for_each(|step| step.apply(host));
        if self.commands().next().is_some() {
            forget_answers(host);
        }
        result.map_err(|error| self.failed(error))
    }

    fn failed(&self, error: ChangeError) -> ChangeError {
        match &self.failure {
            Some((class, prefix)) => ChangeError::raise(class, format!("{prefix}{error}")),
            None => error,
        }
    }

    /// Writes the files to the overlay, and applies what is known of the commands.
    pub(crate) fn assume(&self, overlay: &OverlayHost) -> Result<()> {
        let result = self.steps.iter().try_for_each(|step| match step {
            TaskStep::Write(write) => write.assume(overlay),
            TaskStep::Delete(delete) => delete.assume(overlay),
            TaskStep::Run(command) => {
                let spec = command.spec(overlay)?;
                if overlay.is_refused(&spec)
                    && let Some(failure) = command.failure_of(1)
                {
                    return Err(failure);
                }
                if !overlay.assume_command(&spec) {
                    overlay.doubt(DoubtKind::Effects, command.shown().as_bytes());
                }
                Ok(())
            }
            TaskStep::Wait(_) | TaskStep::AwaitUnmounted(_) => Ok(()),
        });
        result.map_err(|error| self.failed(error))
    }

    pub(crate) fn describe(&self) -> Description {
        self.description.clone()
    }
}

impl TaskStep {
    fn apply(&self, host: &dyn Host) -> Result<()> {
        match self {
            TaskStep::Run(command) => command.run(host).map(drop),
            TaskStep::Wait(time) => Ok(host.sleep(*time)?),
            TaskStep::Write(write) => write.apply(host).map(drop),
            TaskStep::Delete(delete) => delete.apply(host),
            TaskStep::AwaitUnmounted(point) => {
                for _ in 0..UNMOUNT_LOOKS {
                    if !host.mounts()?.iter().any(|mount| mount.point == *point) {
                        return Ok(());
                    }
                    host.sleep(UNMOUNT_INTERVAL)?;
                }
                let text = "Retries exceeded waiting for filesystem to unmount";
                Err(ChangeError::raise("Chef::Exceptions::Mount", text))
            }
        }
    }
}

impl From<Task> for Change {
    fn from(task: Task) -> Change {
        Change::Task(task)
    }
}
