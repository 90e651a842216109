//! Changes to a machine as data.
//!
//! A provider compares the wanted state with the machine and lists the differences as [`Change`]s. A run applies them ([`Change::apply`]), a
//! simulation applies them to an overlay ([`Change::assume`]), [`render`] formats them as Chef's output, and [`Change::to_json`] is for reports.
//! All of these use the same value.
//!
//! This crate does not know the Ruby engine. Steps that only the engine can execute (the block of a `ruby_block`) are [`EngineStep`]s, which the
//! caller executes itself.

pub mod access;
pub mod archive;
pub mod assertion;
mod brought;
pub mod command;
pub mod describe;
pub mod diff;
pub mod directory;
pub mod engine;
pub mod error;
pub mod file;
pub mod gem;
pub mod git;
pub mod group;
mod lcs;
pub mod link;
mod manager;
pub mod package;
pub mod remember;
pub mod render;
pub mod service;
pub mod shell;
pub mod state;
pub mod task;
pub mod time;
pub mod user;

/// Larger files, in bytes, are not read for a plan.
pub(crate) const LARGE: u64 = 1 << 20;

pub use access::{Access, AccessChange, Resolved, SetAccess};
pub use archive::Extract;
pub use assertion::Assertion;
pub use brought::{answer, assume};
pub use command::{Account, Command, RunCommand};
pub use describe::{Aspect, Description, Why};
pub use directory::{MakeDirectory, RemoveDirectory};
pub use engine::EngineStep;
pub use error::{ChangeError, CommandFailure};
pub use file::{Backup, DeleteFile, TouchFile, Unlink, WriteFile};
pub use gem::GemChange;
pub use git::GitChange;
pub use group::GroupChange;
pub use link::{MakeLink, RemoveLink};
pub use package::{PackageChange, PackageItem};
pub use remember::Remember;
pub use service::ServiceAction;
pub use state::State;
pub use task::{Task, TaskStep};
pub use user::UserChange;

use rchef_host::{DoubtKind, Host, OverlayHost};

pub type Result<T> = std::result::Result<T, ChangeError>;

/// One difference between the machine and the wanted state.
#[derive(Clone, Debug)]
pub enum Change {
    /// Write a file's content, or create an empty file whose content is not managed.
    WriteFile(WriteFile),
    TouchFile(TouchFile),
    /// Remove what is in the place of a file.
    Unlink(Unlink),
    DeleteFile(DeleteFile),
    /// Set owner, group and mode.
    SetAccess(SetAccess),
    /// Create a directory, with its parents if necessary.
    MakeDirectory(MakeDirectory),
    RemoveDirectory(RemoveDirectory),
    /// Create a symbolic or hard link.
    MakeLink(MakeLink),
    /// Remove an unwanted link, or one with another target.
    RemoveLink(RemoveLink),
    /// Run a command of a recipe.
    Run(RunCommand),
    /// Change packages in one call of their manager.
    Packages(PackageChange),
    /// Change the state of a service.
    Service(ServiceAction),
    User(UserChange),
    Group(GroupChange),
    /// Change a gem of a Ruby installation on the machine.
    Gem(GemChange),
    Git(GitChange),
    /// Extract an archive into a directory.
    Extract(Extract),
    /// Store data for later runs; never shown.
    Remember(Remember),
    /// Run commands of a single resource type.
    Task(Task),
    /// Execute a step in the engine.
    Engine(EngineStep),
}

/// The results of an applied change that the resource stores.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// SHA-256 of the content that was written.
    pub checksum: Option<String>,
    /// Warnings for the log about what failed although the change was made.
    pub warnings: Vec<String>,
}

/// Calls a method on the struct of the variant.
macro_rules! each {
    ($change:expr, $inner:ident => $body:expr) => {
        match $change {
            Change::WriteFile($inner) => $body,
            Change::TouchFile($inner) => $body,
            Change::Unlink($inner) => $body,
            Change::DeleteFile($inner) => $body,
            Change::SetAccess($inner) => $body,
            Change::MakeDirectory($inner) => $body,
            Change::RemoveDirectory($inner) => $body,
            Change::MakeLink($inner) => $body,
            Change::RemoveLink($inner) => $body,
            Change::Run($inner) => $body,
            Change::Packages($inner) => $body,
            Change::Service($inner) => $body,
            Change::User($inner) => $body,
            Change::Group($inner) => $body,
            Change::Gem($inner) => $body,
            Change::Git($inner) => $body,
            Change::Extract($inner) => $body,
            Change::Remember($inner) => $body,
            Change::Task($inner) => $body,
            Change::Engine($inner) => $body,
        }
    };
}

impl Change {
    /// Makes the change.
    ///
    /// # Errors
    /// The failed system call or command; [`ChangeError::NeedsEngine`] for a step of the engine.
    pub fn apply(&self, host: &dyn Host) -> Result<Applied> {
        self.apply_streaming(host, &mut |_| {})
    }

    /// Makes the change; `output` gets the output of its commands as it arrives.
    ///
    /// # Errors
    /// As [`Change::apply`].
    pub fn apply_streaming(&self, host: &dyn Host, output: &mut dyn FnMut(&[u8])) -> Result<Applied> {
        match self {
            Change::WriteFile(write) => write.apply(host),
            Change::Run(run) => run.apply(host, output).map(|()| Applied::default()),
            Change::TouchFile(touch) => touch.apply(host).map(|()| Applied::default()),
            Change::Unlink(unlink) => unlink.apply(host).map(|()| Applied::default()),
            Change::DeleteFile(delete) => delete.apply(host).map(|()| Applied::default()),
            Change::SetAccess(set) => set.apply(host).map(|()| Applied::default()),
            Change::MakeDirectory(make) => make.apply(host).map(|()| Applied::default()),
            Change::RemoveDirectory(remove) => remove.apply(host).map(|()| Applied::default()),
            Change::MakeLink(make) => make.apply(host).map(|()| Applied::default()),
            Change::RemoveLink(remove) => remove.apply(host).map(|()| Applied::default()),
            Change::Packages(packages) => packages.apply(host).map(|()| Applied::default()),
            Change::Service(service) => service.apply(host).map(|()| Applied::default()),
            Change::User(user) => user.apply(host).map(|()| Applied::default()),
            Change::Group(group) => group.apply(host).map(|()| Applied::default()),
            Change::Gem(gem) => gem.apply(host).map(|()| Applied::default()),
            Change::Git(git) => git.apply(host).map(|()| Applied::default()),
            Change::Extract(extract) => extract.apply(host).map(|()| Applied::default()),
            Change::Remember(note) => note.apply(host).map(|()| Applied::default()),
            Change::Task(task) => task.apply(host).map(|()| Applied::default()),
            Change::Engine(step) => Err(ChangeError::NeedsEngine(step.kind())),
        }
    }

    /// Applies the change to an overlay, so that later planning sees it. Commands are not run; their effects are only known as far as the type of
    /// change tells them.
    ///
    /// # Errors
    /// A file operation that the overlay refuses, as a machine would.
    pub fn assume(&self, overlay: &OverlayHost) -> Result<()> {
        overlay.note_assumed();
        // the command that would have created the directory has not run
        if overlay.is_uncertain()
            && let Some(path) = self.made_path()
        {
            rchef_host::compose::create_dir_all(overlay, rchef_host::files::dirname(path), 0o755)?;
        }
        match self {
            Change::WriteFile(write) => write.assume(overlay),
            Change::TouchFile(touch) => touch.apply(overlay),
            Change::Unlink(unlink) => unlink.apply(overlay),
            Change::DeleteFile(delete) => delete.assume(overlay),
            Change::SetAccess(set) => set.apply(overlay),
            Change::MakeDirectory(make) => make.apply(overlay),
            Change::RemoveDirectory(remove) => remove.apply(overlay),
            Change::MakeLink(make) => make.apply(overlay),
            Change::RemoveLink(remove) => remove.apply(overlay),
            Change::Packages(packages) => packages.assume(overlay),
            Change::Service(service) => service.assume(overlay),
            Change::User(user) => user.assume(overlay),
            Change::Group(group) => group.assume(overlay),
            Change::Extract(extract) => extract.apply(overlay),
            Change::Remember(_) => Ok(()),
            Change::Task(task) => task.assume(overlay),
            Change::Run(run) => run.assume(overlay),
            Change::Git(git) => git.assume(overlay),
            Change::Gem(gem) => {
                overlay.doubt(DoubtKind::Contents, format!("gem {}", gem.name).as_bytes());
                Ok(())
            }
            // the effects of Ruby code are not known here
            Change::Engine(_) => Ok(()),
        }
    }

    /// The path that the change creates.
    fn made_path(&self) -> Option<&[u8]> {
        match self {
            Change::WriteFile(write) => Some(&write.target),
            Change::MakeDirectory(make) => Some(&make.path),
            Change::MakeLink(make) => Some(&make.path),
            _ => None,
        }
    }

    /// The subject, old and new values, and reason. Secrets are masked.
    pub fn describe(&self) -> Description {
        each!(self, inner => inner.describe())
    }

    /// The commands of the change; may be empty.
    pub fn commands(&self) -> Vec<&Command> {
        match self {
            Change::Run(run) => vec![&run.command],
            Change::Packages(packages) => packages.commands.iter().collect(),
            Change::Service(service) => service.commands().collect(),
            Change::User(user) => user.commands.iter().collect(),
            Change::Group(group) => group.commands.iter().collect(),
            Change::Gem(gem) => vec![&gem.command],
            Change::Git(git) => git.commands(),
            Change::Task(task) => task.commands().collect(),
            _ => Vec::new(),
        }
    }

    /// The form for reports: `{"change", "subject", "why", "aspects": [{"name", "from", "to"}], "commands"}`.
    pub fn to_json(&self) -> serde_json::Value {
        let mut json = self.describe().to_json();
        let commands: Vec<serde_json::Value> =
            self.commands().into_iter().map(|command| command.shown().into()).collect();
        if let Some(object) = json.as_object_mut()
            && !commands.is_empty()
        {
            object.insert("commands".into(), commands.into());
        }
        json
    }
}

/// A path or name as text; bytes that are not UTF-8 are replaced.
pub fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
