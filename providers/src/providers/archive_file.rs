//! `archive_file`: extracts an archive into a directory.

use super::support::*;
use rchef_change::archive::{self, Restored, each_stripped};
use rchef_change::{Account, Change, ChangeError, Extract};
use rchef_host::{Host, HostError, Stat, compose, files};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct ArchiveFile;

/// Linux's number of "No such file or directory".
const ENOENT: i32 = 2;

/// What an `archive_file` asks for.
pub(crate) struct Desired {
    path: Vec<u8>,
    destination: Vec<u8>,
    /// Mode of the directory that is created.
    mode: u32,
    /// Options that rchef does not support.
    unknown: Vec<String>,
    restored: Restored,
    strip: usize,
    owner: Option<(Option<Account>, Option<Account>)>,
    overwrite: Overwrite,
}

/// When to extract into an existing directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Overwrite {
    Never,
    Always,
    /// Only if an entry is missing in it or has another modification time.
    IfDifferent,
}

pub(crate) struct Current {
    archive: bool,
    destination: bool,
}

impl Provider for ArchiveFile {
    type Desired = Desired;
    type Current = Current;
    const ACTIONS: &'static [&'static str] = &["extract"];
    const READS: &'static [&'static str] = &["mode"];

    fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<Desired> {
        let mode = get(vm, resource, "mode")?;
        if matches!(mode, Value::Int(_)) {
            let text = "The mode property should be passed to archive_file resources as a String and not an Integer to ensure the value is properly interpreted.";
            if let Some(chef) = vm.class_named("Chef") {
                let args = [Value::sym("archive_file_integer_file_mode"), Value::str(text)];
                vm.call_name(&Value::Class(chef), "deprecated", &args)?;
            }
        }
        let mode = vm.to_s_text(&mode)?;
        let (restored, unknown) = restored(list(vm, resource, "options")?);
        let (user, group) = (text_opt(vm, resource, "owner")?, text_opt(vm, resource, "group")?);
        let owned = user.is_some() || group.is_some();
        let overwrite = get(vm, resource, "overwrite")?;
        Ok(Desired {
            path: path(vm, resource, "path")?,
            destination: path(vm, resource, "destination")?,
            mode: super::access::octal(&mode).clamp(0, 0o7777) as u32,
            unknown,
            restored,
            strip: match get(vm, resource, "strip_components")? {
                Value::Int(count) => count.max(0) as usize,
                _ => 0,
            },
            owner: owned.then(|| (user.map(Account::Name), group.map(Account::Name))),
            overwrite: match overwrite {
                Value::Sym(_) => Overwrite::IfDifferent,
                other if other.truthy() => Overwrite::Always,
                _ => Overwrite::Never,
            },
        })
    }

    fn load(desired: &Desired, host: &dyn Host) -> Looked<Current> {
        let there = |path: &[u8]| compose::stat_opt(host, path).map(|stat| stat.is_some());
        Ok(Current { archive: there(&desired.path)?, destination: there(&desired.destination)? })
    }

    fn plan(desired: &Desired, current: &Current, host: &dyn Host) -> Looked<Vec<Change>> {
        if !current.archive {
            let text = format!("No archive found at {}! Cannot continue.", lossy(&desired.path));
            return Err(HostError::at(ENOENT, "open", text.as_bytes()).into());
        }
        if !desired.unknown.is_empty() {
            let text = format!("rchef does not restore {} from archives", desired.unknown.join(", "));
            return Err(ChangeError::raise("Chef::Exceptions::ValidationFailed", text));
        }
        let unpacks = !current.destination
            || match desired.overwrite {
                Overwrite::Never => false,
                Overwrite::Always => true,
                Overwrite::IfDifferent => differs(desired, host)?,
            };
        let owner = match &desired.owner {
            Some(owner) if unpacks || is_anothers(desired, owner, host)? => Some(owner.clone()),
            _ => None,
        };
        if !unpacks && owner.is_none() {
            return Ok(Vec::new());
        }
        Ok(vec![Change::Extract(Extract {
            archive: desired.path.clone(),
            destination: desired.destination.clone(),
            makes_destination: (!current.destination).then_some(desired.mode),
            unpacks,
            restored: desired.restored,
            strip: desired.strip,
            owner,
        })])
    }
}

/// The supported options, and the names of the unsupported ones. Words that Chef does not know are ignored, as in Chef.
fn restored(options: Vec<String>) -> (Restored, Vec<String>) {
    let (mut restored, mut unknown) = (Restored::default(), Vec::new());
    for option in options {
        match option.as_str() {
            "owner" => restored.owner = true,
            "permissions" => restored.permissions = true,
            "time" => restored.time = true,
            "no_overwrite" => restored.keep = true,
            "no_overwrite_newer" => restored.keep_newer = true,
            "acl" | "fflags" | "extended_information" | "xattr" => unknown.push(format!(":{option}")),
            _ => {}
        }
    }
    (restored, unknown)
}

/// Whether an entry is missing in the destination or has another modification time there.
fn differs(desired: &Desired, host: &dyn Host) -> Looked<bool> {
    any_entry(desired, host, &mut |entry, there| Ok(there.is_none_or(|stat| stat.mtime != entry.modified)))
}

/// Whether an entry is missing in the destination or has another owner or group there.
fn is_anothers(desired: &Desired, owner: &(Option<Account>, Option<Account>), host: &dyn Host) -> Looked<bool> {
    let uid = owner.0.as_ref().map(|user| user.user_id(host)).transpose()?;
    let gid = owner.1.as_ref().map(|group| group.group_id(host)).transpose()?;
    any_entry(desired, host, &mut |_, there| {
        let is_other = |wanted: Option<Option<u32>>, found: u32| wanted.is_some_and(|wanted| wanted != Some(found));
        Ok(there.is_none_or(|stat| is_other(uid, stat.uid) || is_other(gid, stat.gid)))
    })
}

/// Whether the test holds for any entry and the file at its path.
fn any_entry(
    desired: &Desired,
    host: &dyn Host,
    test: &mut dyn FnMut(&archive::read::Entry, Option<Stat>) -> Looked<bool>,
) -> Looked<bool> {
    let root = files::lexical(&files::absolute(&host.getcwd()?, &desired.destination));
    let mut found = false;
    each_stripped(host, &desired.path, desired.strip, &mut |entry, _| {
        if let Some(path) = archive::inside(&root, &entry.name).filter(|_| !found) {
            found = test(entry, compose::lstat_opt(host, &path)?)?;
        }
        Ok(())
    })?;
    Ok(found)
}
