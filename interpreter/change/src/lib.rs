//! Changes to a machine as data.
//!
//! A provider compares what a resource asks for with the machine and lists the differences as [`Change`]s. A run applies
//! them ([`Change::apply`]), a simulation assumes them on an overlay ([`Change::assume`]), [`render`] puts them into the
//! words that Chef prints, and [`Change::to_json`] is what reports keep. All of them read the same value.
//!
//! Nothing here knows the Ruby engine. What only the engine can carry out (the block of a `ruby_block`) is listed as an
//! [`EngineStep`], which the caller carries out itself.

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

/// Files that are larger, in bytes, are not read for a plan.
pub(crate) const LARGE: u64 = 1 << 20;

pub use access::{Access, AccessChange, Resolved, SetAccess};
pub use archive::Extract;
pub use assertion::Assertion;
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

/// What applying a change gives.
pub type Result<T> = std::result::Result<T, ChangeError>;

/// One difference between a machine and what a resource asks for.
#[derive(Clone, Debug)]
pub enum Change {
    /// A file's content, or an empty file where content is not managed.
    WriteFile(WriteFile),
    TouchFile(TouchFile),
    /// Something that is in the way of a file.
    Unlink(Unlink),
    /// A file that must not be there.
    DeleteFile(DeleteFile),
    /// Owner, group and mode of what is there.
    SetAccess(SetAccess),
    /// A directory, with its parents if need be.
    MakeDirectory(MakeDirectory),
    /// A directory that must not be there.
    RemoveDirectory(RemoveDirectory),
    /// A symbolic or hard link.
    MakeLink(MakeLink),
    /// A link that must not be there, or that leads elsewhere.
    RemoveLink(RemoveLink),
    /// A command of a recipe.
    Run(RunCommand),
    /// Packages, in one call of their manager.
    Packages(PackageChange),
    /// The state of a service.
    Service(ServiceAction),
    User(UserChange),
    Group(GroupChange),
    /// A gem of a Ruby of the machine.
    Gem(GemChange),
    /// A working copy of git.
    Git(GitChange),
    /// What is in an archive, in a directory.
    Extract(Extract),
    /// A note for later runs, of which nothing is said.
    Remember(Remember),
    /// What one resource alone does, by commands of the system.
    Task(Task),
    /// What the engine carries out.
    Engine(EngineStep),
}

/// What came of an applied change, where the resource keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// SHA-256 of the content that was written.
    pub checksum: Option<String>,
    /// What could not be done although the change was made, for the log.
    pub warnings: Vec<String>,
}

/// Passes a method on to the struct of the kind.
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
    /// The failed system call or command. What the engine carries out is [`ChangeError::NeedsEngine`].
    pub fn apply(&self, host: &dyn Host) -> Result<Applied> {
        self.apply_streaming(host, &mut |_| {})
    }

    /// Makes the change; `output` gets what its commands print, as it comes.
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

    /// Takes the change as made on an overlay, so that what is planned later sees it. Nothing is run: of a command only
    /// what its kind says is known.
    ///
    /// # Errors
    /// A file operation that the overlay refuses as a machine would.
    pub fn assume(&self, overlay: &OverlayHost) -> Result<()> {
        overlay.note_assumed();
        // a command that was to make the directory has not run
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
            // what Ruby code does is not known here
            Change::Engine(_) => Ok(()),
        }
    }

    /// The path that is there afterwards.
    fn made_path(&self) -> Option<&[u8]> {
        match self {
            Change::WriteFile(write) => Some(&write.target),
            Change::MakeDirectory(make) => Some(&make.path),
            Change::MakeLink(make) => Some(&make.path),
            _ => None,
        }
    }

    /// What the change is about, from what to what, and why. Secrets are masked.
    pub fn describe(&self) -> Description {
        each!(self, inner => inner.describe())
    }

    /// The commands that the change runs; empty where it needs none.
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

    /// The form that reports keep: `{"change", "subject", "why", "aspects": [{"name", "from", "to"}], "commands"}`.
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

/// Bytes of a path or name as text; what is not UTF-8 is replaced.
pub fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
