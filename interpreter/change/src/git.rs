//! Working copies of git.

use crate::command::Command;
use crate::describe::{Description, Why};
use crate::error::ChangeError;
use rchef_host::{DoubtKind, Host, OverlayHost, compose, files};

/// A part of a change: some depend on what the parts before it left.
#[derive(Clone, Debug)]
pub enum GitStep {
    Run(Box<Command>),
    /// What is run depends on the branch that is checked out.
    ByBranch {
        /// Prints the branch.
        query: Box<Command>,
        /// The branch that it may be.
        branch: String,
        /// Run when it is.
        on: Vec<Command>,
        /// Run when it is another.
        off: Vec<Command>,
    },
    /// A remote gets its address.
    Remote {
        /// Prints the address: its exit code is 1 where there is no such remote, 2 where it has several.
        query: Box<Command>,
        url: String,
        /// Run when there is none.
        add: Box<Command>,
        /// Run when it has another.
        replace: Box<Command>,
    },
    /// What git keeps in the working copy is removed.
    Forget(Vec<u8>),
}

/// A change of a working copy.
#[derive(Clone, Debug)]
pub struct GitChange {
    pub destination: String,
    /// What is done, as it is shown. Where `nested` is set, the first of two lines belongs to a part that a why-run does not reach.
    pub words: Vec<String>,
    /// See `words`.
    pub nested: bool,
    /// The commit that is checked out, and the one that is to be.
    pub revision: Option<(Option<String>, String)>,
    /// How it is done.
    pub steps: Vec<GitStep>,
}

impl GitChange {
    /// The commands, also those of which only some are run.
    pub fn commands(&self) -> Vec<&Command> {
        let mut found = Vec::new();
        for step in &self.steps {
            match step {
                GitStep::Run(command) => found.push(command.as_ref()),
                GitStep::ByBranch { query, on, off, .. } => {
                    found.extend(std::iter::once(&**query).chain(on).chain(off))
                }
                GitStep::Remote { query, add, replace, .. } => found.extend([&**query, add, replace]),
                GitStep::Forget(_) => {}
            }
        }
        found
    }

    pub(crate) fn apply(&self, host: &dyn Host) -> Result<(), ChangeError> {
        for step in &self.steps {
            match step {
                GitStep::Run(command) => drop(command.run(host)?),
                GitStep::ByBranch { query, branch, on, off } => {
                    let found = query.run(host)?.stdout;
                    let is_on = String::from_utf8_lossy(&found).trim() == branch;
                    for command in if is_on { on } else { off } {
                        command.run(host)?;
                    }
                }
                GitStep::Remote { query, url, add, replace } => {
                    if let Some(command) = remote_command(host, query, url, add, replace)? {
                        command.run(host)?;
                    }
                }
                GitStep::Forget(path) => {
                    if compose::lstat_opt(host, path)?.is_some() {
                        compose::remove_dir_all(host, path)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The working copy is there; what is in it is not known.
    pub(crate) fn assume(&self, overlay: &OverlayHost) -> Result<(), ChangeError> {
        let inner = files::join(self.destination.as_bytes(), b".git");
        compose::create_dir_all(overlay, &inner, 0o755)?;
        overlay.doubt(DoubtKind::Contents, format!("the working copy {}", self.destination).as_bytes());
        Ok(())
    }
    pub(crate) fn describe(&self) -> Description {
        let why =
            if self.revision.as_ref().is_some_and(|(from, _)| from.is_some()) { Why::Differs } else { Why::Absent };
        let description = Description::new("git", &self.destination, why);
        match &self.revision {
            Some((from, to)) => description.with("revision", from.clone(), Some(to.clone())),
            None => description,
        }
    }
}

/// The command that gives a remote its address; none when it has it.
///
/// # Errors
/// Git cannot be asked.
pub fn remote_command<'a>(
    host: &dyn Host,
    query: &Command,
    url: &str,
    add: &'a Command,
    replace: &'a Command,
) -> Result<Option<&'a Command>, ChangeError> {
    let found = query.run(host)?;
    Ok(match found.status.code() {
        Some(1) => Some(add),
        Some(0) if String::from_utf8_lossy(&found.stdout).trim() == url => None,
        _ => Some(replace),
    })
}
