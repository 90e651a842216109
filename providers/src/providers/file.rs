//! `file`, and the algorithm of all resources that write a file (SPEC-converge 3.1).

use super::support::*;
use super::{access, label};
use rchef_change::file::{Content, Replaced, digest_file, kind_name};
use rchef_change::{
    Access, Assertion, Backup, Change, ChangeError, DeleteFile, Resolved, SetAccess, State, TouchFile, Unlink,
    WriteFile,
};
use rchef_host::{Host, Stat, compose, files};
use rchef_ruby::{Res, Symbol, Value, Vm};

pub(crate) struct File;

/// The actions of all resources that write a file.
pub(crate) const ACTIONS: &[&str] = &["create", "create_if_missing", "delete", "touch"];

/// What a `file` resource, or one derived from it, asks for.
pub(crate) struct Desired {
    pub action: &'static str,
    pub path: Vec<u8>,
    /// The whole content, set once it is needed; None: the content is left alone.
    pub content: Option<Content>,
    access: Access,
    /// SHA-256 that the content must have.
    pub checksum: Option<String>,
    /// Replace anything that is not a regular file.
    force_unlink: bool,
    /// Manage the file that a symbolic link points to; None counts as true, with a warning.
    manage_symlink_source: Option<bool>,
    backup: Backup,
    atomic: bool,
    sensitive: bool,
    /// Restore SELinux labels after a change.
    labels: bool,
}

pub(crate) struct Current {
    /// The status of the path itself (lstat).
    there: Option<Stat>,
    /// Whether the path exists, following symbolic links.
    exists: bool,
    /// The status of the regular file.
    file: Option<Stat>,
    /// The path of the file to manage: that of the link's target for a managed symbolic link.
    target: Vec<u8>,
    /// Why the existing file may not be replaced.
    obstacle: Option<Assertion>,
    access: Resolved,
}

impl Desired {
    /// Reads the properties that the action needs, except the content.
    pub(crate) fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let mut desired = Desired {
            action,
            path: path(vm, resource, "path")?,
            content: None,
            access: Access::default(),
            checksum: None,
            force_unlink: false,
            manage_symlink_source: None,
            backup: backup(vm, resource)?,
            atomic: true,
            sensitive: false,
            labels: label::wanted(vm)?,
        };
        if action == "delete" {
            return Ok(desired);
        }
        desired.access = access::read(vm, resource)?;
        desired.checksum = text_opt(vm, resource, "checksum")?;
        desired.force_unlink = flag(vm, resource, "force_unlink")?;
        let manage = get(vm, resource, "manage_symlink_source")?;
        desired.manage_symlink_source = if manage.is_nil() { None } else { Some(manage.truthy()) };
        desired.atomic = flag(vm, resource, "atomic_update")?;
        desired.sensitive = flag(vm, resource, "sensitive")?;
        Ok(desired)
    }

    /// Whether the action needs no content in this state.
    pub(crate) fn needs_no_content(&self, current: &Current) -> bool {
        self.action == "delete" || self.action == "create_if_missing" && current.exists
    }
}

/// The number of backups and their directory.
fn backup(vm: &mut Vm, resource: &Value) -> Res<Backup> {
    let Value::Int(keep @ 1..) = get(vm, resource, "backup")? else { return Ok(Backup::default()) };
    let root = crate::coerce::config(vm, "file_backup_path")?;
    let root = if root.is_nil() { Vec::new() } else { bytes(vm, &root)? };
    Ok(Backup { keep: keep as usize, root })
}

/// Reads the current state.
pub(crate) fn load(desired: &Desired, host: &dyn Host) -> Looked<Current> {
    let path = &desired.path[..];
    let there = compose::lstat_opt(host, path)?;
    let is_link = there.as_ref().is_some_and(Stat::is_symlink);
    let exists = if is_link { compose::exists(host, path) } else { there.is_some() };
    let mut current =
        Current { there, exists, file: None, target: path.to_vec(), obstacle: None, access: Resolved::default() };
    if desired.needs_no_content(&current) {
        return Ok(current);
    }
    current.access = desired.access.resolve(host)?;
    let Some(stat) = current.there.clone() else { return Ok(current) };
    if stat.is_file() {
        current.file = Some(stat);
    } else if is_link && desired.manage_symlink_source != Some(false) {
        follow(host, &mut current)?;
    } else if !desired.force_unlink {
        let (shown, kind) = (lossy(path), kind_name(stat.kind()));
        let message = format!("File {shown} exists, but is a {kind}, set force_unlink to true to remove");
        let assume = format!("Assuming {kind} at {shown} would have been removed by a previous resource");
        current.obstacle = Some(mismatch(message, assume));
    }
    Ok(current)
}

fn mismatch(message: String, assume: String) -> Assertion {
    Assertion::new("Chef::Exceptions::FileTypeMismatch", message).assuming(assume).blocking()
}

/// Resolves a managed symbolic link.
fn follow(host: &dyn Host, current: &mut Current) -> Looked<()> {
    let shown = lossy(&current.target);
    let real = match host.realpath(&current.target) {
        Ok(real) => real,
        Err(error) => {
            let to = lossy(&host.readlink(&current.target)?);
            let (how, assume) = match error.name() {
                Some("ELOOP") => ("creates a loop", "Assuming symlink loop would be fixed by a previous resource"),
                _ => ("leads to a nonexistent file", "Assuming symlink source would be created by a previous resource"),
            };
            let message = format!("Symlink at {shown} (pointing to {to}) exists but attempting to resolve it {how}");
            let failed = Assertion::new("Chef::Exceptions::InvalidSymlink", message).assuming(assume).blocking();
            current.obstacle = Some(failed);
            return Ok(());
        }
    };
    let stat = host.stat(&real)?;
    if stat.is_file() {
        (current.file, current.target) = (Some(stat), real);
        return Ok(());
    }
    let (to, kind) = (lossy(&real), kind_name(stat.kind()));
    let message = format!(
        "File {shown} exists, but is a symlink to {to} which is a {kind}. Disable manage_symlink_source and set force_unlink to remove it."
    );
    let assume = format!("Assuming symlink {shown} or source file {to} would have been fixed by a previous resource");
    current.obstacle = Some(mismatch(message, assume));
    Ok(())
}

/// The assertions of an action.
pub(crate) fn requirements(desired: &Desired, current: &Current, host: &dyn Host) -> Looked<Vec<Assertion>> {
    let path = &desired.path[..];
    if desired.action == "delete" {
        if !current.exists || is_writable(host, path)? {
            return Ok(Vec::new());
        }
        let message = format!("File {} exists but is not writable so it cannot be deleted", lossy(path));
        return Ok(vec![Assertion::new("Chef::Exceptions::InsufficientPermissions", message)]);
    }
    if desired.needs_no_content(current) {
        return Ok(Vec::new());
    }
    let mut failed = current.access.unknown();
    let parent = files::dirname(path);
    // an existing path has a parent directory
    if current.there.is_none() && !host.stat(parent).is_ok_and(|stat| stat.is_dir()) {
        let parent = lossy(parent);
        let message = format!("Parent directory {parent} does not exist.");
        failed.push(
            Assertion::new("Chef::Exceptions::EnclosingDirectoryDoesNotExist", message)
                .assuming(format!("Assuming directory {parent} would have been created")),
        );
    }
    failed.extend(current.obstacle.clone());
    Ok(failed)
}

/// Warns that a symbolic link's target is managed, if the resource does not ask for that.
pub(crate) fn warn_of_link(vm: &mut Vm, resource: &Value, desired: &Desired, current: &Current) -> Res<()> {
    if desired.manage_symlink_source.is_some() || current.target == desired.path {
        return Ok(());
    }
    let (path, shown, real) = (lossy(&desired.path), vm.to_s_text(resource)?, lossy(&current.target));
    for text in [
        &format!("File {path} managed by {shown} is really a symlink (to {real}). Managing the source file instead."),
        "Disable this warning by setting `manage_symlink_source true` on the resource",
        "In a future release, 'manage_symlink_source' will not be enabled by default",
    ] {
        log(vm, "warn", text)?;
    }
    Ok(())
}

pub(crate) fn plan(desired: &Desired, current: &Current, host: &dyn Host) -> Looked<Vec<Change>> {
    let path = desired.path.clone();
    match desired.action {
        "delete" if !current.exists => Ok(Vec::new()),
        "delete" => {
            let is_link = current.there.as_ref().is_some_and(Stat::is_symlink);
            let backup = if is_link { Backup::default() } else { desired.backup.clone() };
            Ok(vec![Change::DeleteFile(DeleteFile { path, backup })])
        }
        "create_if_missing" if current.exists => Ok(Vec::new()),
        "touch" => {
            let mut changes = create(desired, current, host)?;
            changes.push(Change::TouchFile(TouchFile { path }));
            Ok(changes)
        }
        _ => create(desired, current, host),
    }
}

fn create(desired: &Desired, current: &Current, host: &dyn Host) -> Looked<Vec<Change>> {
    check_checksum(desired)?;
    let mut changes = Vec::new();
    let path = desired.path.clone();
    if let Some(stat) = current.there.as_ref().filter(|_| current.file.is_none() && current.obstacle.is_none()) {
        changes.push(Change::Unlink(Unlink { path: path.clone(), kind: stat.kind() }));
    }
    let access = current.access.compare(host, current.file.as_ref(), false)?;
    let replaces = match (&current.file, &desired.content) {
        (Some(stat), Some(_)) => {
            Some(Replaced { content: Content::of_file(host, &current.target, stat.size)?, modified: stat.mtime })
        }
        _ => None,
    };
    let differs = match (&replaces, &desired.content) {
        (Some(old), Some(content)) => !old.content.is(content),
        _ => current.file.is_none(),
    };
    if differs {
        changes.push(Change::WriteFile(WriteFile {
            path,
            target: current.target.clone(),
            content: desired.content.clone(),
            replaces,
            access,
            atomic: desired.atomic,
            backup: desired.backup.clone(),
            sensitive: desired.sensitive,
        }));
    } else if !access.is_empty() {
        changes.push(Change::SetAccess(SetAccess { path, access, link: false }));
    }
    if desired.labels && !changes.is_empty() {
        changes.extend(label::restore(host, &current.target, false));
    }
    Ok(changes)
}

fn check_checksum(desired: &Desired) -> Looked<()> {
    let (Some(wanted), Some(content)) = (&desired.checksum, &desired.content) else { return Ok(()) };
    let found = content.checksum();
    if wanted.eq_ignore_ascii_case(&found) {
        return Ok(());
    }
    let short = |sum: &str| sum.chars().take(6).collect::<String>();
    let (wanted, found) = (short(wanted), short(&found));
    let message = format!("Checksum on resource ({wanted}...) does not match checksum on content ({found}...)");
    Err(ChangeError::raise("Chef::Exceptions::ChecksumMismatch", message))
}

/// SHA-256 of the existing file.
pub(crate) fn checksum_of(current: &Current, host: &dyn Host) -> Looked<Option<String>> {
    match current.file {
        Some(_) => digest_file(host, &current.target).map(Some),
        None => Ok(None),
    }
}

/// Runs the resource's `verify` checks on the content that is about to be written.
pub(crate) fn check(vm: &mut Vm, resource: &Value, changes: &[Change]) -> Res<()> {
    for change in changes {
        if let Change::WriteFile(write) = change
            && let Some(content) = &write.content
        {
            super::verify::check(vm, resource, &lossy(&write.target), content)?;
        }
    }
    Ok(())
}

pub(crate) fn state(desired: &Desired, current: &Current, host: &dyn Host) -> Vec<(&'static str, State)> {
    let mut state = vec![("path", State::Text(lossy(&desired.path)))];
    if let Some(stat) = &current.file {
        if desired.action == "create"
            && let Ok(Some(checksum)) = checksum_of(current, host)
        {
            state.push(("checksum", State::Text(checksum)));
        }
        state.extend(access::state(&desired.access, stat, host));
    }
    state
}

/// What the resource reports after its action.
pub(crate) fn reported(desired: &Desired, host: &dyn Host) -> Vec<(&'static str, State)> {
    if desired.action == "delete" { Vec::new() } else { access::reported(&desired.access, &desired.path, host) }
}

/// The content of a resource of this class.
pub(crate) fn content(vm: &mut Vm, resource: &Value) -> Res<Option<Vec<u8>>> {
    let content = vm.call(resource, Symbol::intern_static("content"), &[])?;
    if content.is_nil() { Ok(None) } else { bytes(vm, &content).map(Some) }
}

impl Provider for File {
    type Desired = Desired;
    type Current = Current;
    const ACTIONS: &'static [&'static str] = ACTIONS;

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        Desired::read(vm, resource, action)
    }
    fn load(desired: &Desired, host: &dyn Host) -> Looked<Current> {
        load(desired, host)
    }
    fn requirements(desired: &Desired, current: &Current, host: &dyn Host) -> Looked<Vec<Assertion>> {
        requirements(desired, current, host)
    }
    fn complete(vm: &mut Vm, resource: &Value, desired: &mut Desired, current: &Current) -> Res<()> {
        if desired.needs_no_content(current) {
            return Ok(());
        }
        warn_of_link(vm, resource, desired, current)?;
        desired.content = content(vm, resource)?.map(Content::Held);
        Ok(())
    }
    fn plan(desired: &Desired, current: &Current, host: &dyn Host) -> Looked<Vec<Change>> {
        plan(desired, current, host)
    }
    fn check(vm: &mut Vm, resource: &Value, changes: &[Change]) -> Res<()> {
        check(vm, resource, changes)
    }
    fn state(desired: &Desired, current: &Current, host: &dyn Host) -> Vec<(&'static str, State)> {
        state(desired, current, host)
    }
    fn reported(desired: &Desired, host: &dyn Host) -> Vec<(&'static str, State)> {
        reported(desired, host)
    }
}
