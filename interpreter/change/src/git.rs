//! Git working copies.

use crate::command::Command;
use crate::describe::{Description, Why};
use crate::error::ChangeError;
use rchef_host::{DoubtKind, Host, OverlayHost, compose, files};

/// A step of a change; later steps may depend on the result of earlier ones.
#[derive(Clone, Debug)]
pub enum GitStep {
    Run(Box<Command>),
    /// Runs one of two lists of commands, depending on the branch that is checked out.
    ByBranch {
        /// Prints the current branch.
        query: Box<Command>,
        /// The branch to compare with.
        branch: String,
        /// Run if it is checked out.
        on: Vec<Command>,
        /// Run otherwise.
        off: Vec<Command>,
    },
    /// Sets the URL of a remote.
    Remote {
        /// Prints the URL; exits with 1 if there is no such remote, with 2 if it has several URLs.
        query: Box<Command>,
        url: String,
        /// Run if the remote does not exist.
        add: Box<Command>,
        /// Run if it has another URL.
        replace: Box<Command>,
    },
    /// Removes git's own directory or file in the working copy.
    Forget(Vec<u8>),
}

/// A change of a working copy.
#[derive(Clone, Debug)]
pub struct GitChange {
    pub destination: String,
    /// The lines to show. If `nested` is set, a why-run does not show the first one, because Chef does not reach its step there.
    pub words: Vec<String>,
    /// See `words`.
    pub nested: bool,
    /// The current and the wanted commit.
    pub revision: Option<(Option<String>, String)>,
    pub steps: Vec<GitStep>,
}

impl GitChange {
    /// All commands, including those that may not run.
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

    /// Assumes that the working copy exists, with unknown contents.
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

/// The command that sets the URL of a remote; None if it has that URL already.
///
/// # Errors
/// Git fails.
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
