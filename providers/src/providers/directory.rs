use super::support::*;
use super::{access, label};
use rchef_change::{Access, Assertion, Change, MakeDirectory, RemoveDirectory, Resolved, SetAccess, State};
use rchef_host::{Host, Stat, compose, files};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct Directory;

/// What a directory resource asks for.
pub(crate) struct Desired {
    /// True for `:create`, false for `:delete`.
    create: bool,
    path: Vec<u8>,
    /// Create missing parent directories; delete the directory with its contents.
    recursive: bool,
    access: Access,
    /// Restore SELinux labels after a change.
    labels: bool,
    /// The resource's name in messages.
    shown: String,
}

pub(crate) struct Current {
    /// The status of the path, following symbolic links.
    there: Option<Stat>,
    access: Resolved,
}

impl Provider for Directory {
    type Desired = Desired;
    type Current = Current;
    const ACTIONS: &'static [&'static str] = &["create", "delete"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let create = action == "create";
        Ok(Desired {
            create,
            path: path(vm, resource, "path")?,
            recursive: flag(vm, resource, "recursive")?,
            access: if create { access::read(vm, resource)? } else { Access::default() },
            labels: label::wanted(vm)?,
            shown: vm.to_s_text(resource)?,
        })
    }

    fn load(desired: &Desired, host: &dyn Host) -> Looked<Current> {
        Ok(Current { there: compose::stat_opt(host, &desired.path)?, access: desired.access.resolve(host)? })
    }

    fn requirements(desired: &Desired, current: &Current, host: &dyn Host) -> Looked<Vec<Assertion>> {
        let (path, shown) = (lossy(&desired.path), &desired.shown);
        let is_dir = current.there.as_ref().map(Stat::is_dir);
        if !desired.create {
            let fits = match is_dir {
                None => true,
                Some(is_dir) => is_dir && is_writable(host, &desired.path)?,
            };
            let failed = (!fits).then(|| Assertion::new("RuntimeError", format!("Cannot delete {shown} at {path}!")));
            return Ok(failed.into_iter().collect());
        }
        let mut failed = current.access.unknown();
        failed.extend(enclosing(desired, current, host)?);
        if is_dir == Some(false) {
            let message = format!("Cannot create {shown} at {path} because a file already exists at that path");
            failed.push(Assertion::new("Chef::Exceptions::FileTypeMismatch", message));
        }
        Ok(failed)
    }

    fn plan(desired: &Desired, current: &Current, host: &dyn Host) -> Looked<Vec<Change>> {
        let (path, recursive) = (desired.path.clone(), desired.recursive);
        if !desired.create {
            let there = current.there.is_some();
            return Ok(there
                .then_some(Change::RemoveDirectory(RemoveDirectory { path, recursive }))
                .into_iter()
                .collect());
        }
        let access = current.access.compare(host, current.there.as_ref(), false)?;
        let change = match &current.there {
            None => Change::MakeDirectory(MakeDirectory { path, parents: recursive, access }),
            Some(_) if access.is_empty() => return Ok(Vec::new()),
            Some(_) => Change::SetAccess(SetAccess { path, access, link: false }),
        };
        let restored = if desired.labels { label::restore(host, &desired.path, true) } else { None };
        Ok([Some(change), restored].into_iter().flatten().collect())
    }

    fn state(desired: &Desired, current: &Current, host: &dyn Host) -> Vec<(&'static str, State)> {
        let mut state = vec![("path", State::Text(lossy(&desired.path)))];
        state.extend(current.there.iter().flat_map(|stat| access::state(&desired.access, stat, host)));
        state
    }

    fn reported(desired: &Desired, host: &dyn Host) -> Vec<(&'static str, State)> {
        if desired.create { access::reported(&desired.access, &desired.path, host) } else { Vec::new() }
    }
}

/// The parent directory (when recursive: the nearest existing ancestor) must be a directory and writable.
fn enclosing(desired: &Desired, current: &Current, host: &dyn Host) -> Looked<Option<Assertion>> {
    let (path, shown) = (lossy(&desired.path), &desired.shown);
    let parent = files::dirname(&desired.path);
    let mut base = parent;
    while desired.recursive && !compose::exists(host, base) && base != b"/" && base != b"." {
        base = files::dirname(base);
    }
    if !host.stat(base).is_ok_and(|stat| stat.is_dir()) {
        let parent = lossy(parent);
        let message = format!("Parent directory {parent} does not exist, cannot create {path}");
        let failed = Assertion::new("Chef::Exceptions::EnclosingDirectoryDoesNotExist", message);
        return Ok(Some(failed.assuming(format!("Assuming directory {parent} would have been created"))));
    }
    if current.there.is_some() || is_writable(host, base)? {
        return Ok(None);
    }
    let message = format!("Cannot create {shown} at {path} due to insufficient permissions");
    Ok(Some(Assertion::new("Chef::Exceptions::InsufficientPermissions", message)))
}
