//! Changes that one resource alone makes: commands of the system and files that it edits.
//!
//! Such a resource brings Chef's words for the change along, because no other resource shares them.

use crate::command::forget_answers;
use crate::{Change, ChangeError, Command, DeleteFile, Description, Result, Why, WriteFile};
use rchef_host::{DoubtKind, Host, OverlayHost};
use std::time::Duration;

/// How often, and in which intervals, a step looks whether a file system is unmounted.
const UNMOUNT_LOOKS: u32 = 20;
const UNMOUNT_INTERVAL: Duration = Duration::from_millis(100);

/// A part of a task.
#[derive(Clone, Debug)]
pub enum TaskStep {
    Run(Box<Command>),
    /// A time to wait.
    Wait(Duration),
    /// A wait until nothing is mounted there; it fails after two seconds.
    AwaitUnmounted(Vec<u8>),
    /// A file is removed.
    Delete(DeleteFile),
    /// A file is written. The resource's own words tell of it, so no diff is shown.
    Write(Box<WriteFile>),
}

/// A change of one resource, with what it prints.
#[derive(Clone, Debug)]
pub struct Task {
    /// What it is about, from what to what, and why.
    pub description: Description,
    /// The lines that Chef prints.
    pub lines: Vec<String>,
    /// What is done, in order.
    pub steps: Vec<TaskStep>,
    /// The Ruby class that a failure is raised as, and what its message begins with; that of the step where it is absent.
    pub failure: Option<(&'static str, String)>,
}

impl Task {
    /// A task without steps; `line` is what is printed.
    pub fn new(kind: &'static str, subject: impl Into<String>, why: Why, line: impl Into<String>) -> Task {
        Task {
            description: Description::new(kind, subject, why),
            lines: vec![line.into()],
            steps: Vec::new(),
            failure: None,
        }
    }
    /// With one more thing that is to be different.
    pub fn with(mut self, name: impl Into<String>, from: Option<String>, to: Option<String>) -> Task {
        self.description = self.description.with(name, from, to);
        self
    }
    /// With a command.
    pub fn run(mut self, command: Command) -> Task {
        self.steps.push(TaskStep::Run(Box::new(command)));
        self
    }
    /// With a step.
    pub fn then(mut self, step: TaskStep) -> Task {
        self.steps.push(step);
        self
    }
    /// With a class for its failures, and what their messages begin with.
    pub fn failing_as(mut self, class: &'static str, prefix: impl Into<String>) -> Task {
        self.failure = Some((class, prefix.into()));
        self
    }
    /// With a file that is written.
    pub fn write(self, write: WriteFile) -> Task {
        self.then(TaskStep::Write(Box::new(write)))
    }

    /// The commands among its steps.
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
        result.map_err(|error| match &self.failure {
            Some((class, prefix)) => ChangeError::raise(class, format!("{prefix}{error}")),
            None => error,
        })
    }

    /// The files that it writes; of its commands what is known of them.
    pub(crate) fn assume(&self, overlay: &OverlayHost) -> Result<()> {
        self.steps.iter().try_for_each(|step| match step {
            TaskStep::Write(write) => write.assume(overlay),
            TaskStep::Delete(delete) => delete.assume(overlay),
            TaskStep::Run(command) => {
                let spec = command.spec(overlay)?;
                if !overlay.assume_command(&spec) {
                    overlay.doubt(DoubtKind::Effects, command.shown().as_bytes());
                }
                Ok(())
            }
            TaskStep::Wait(_) | TaskStep::AwaitUnmounted(_) => Ok(()),
        })
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
