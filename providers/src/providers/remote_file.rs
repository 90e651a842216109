//! `remote_file`: a file whose content comes from the first of its sources that can be fetched.

use super::staged::Staged;
use super::support::*;
use super::{fetch, file};
use rchef_change::{Assertion, Change, Remember, State};
use rchef_host::Host;
use rchef_ruby::{Error, Res, Value, Vm};

pub(crate) struct RemoteFile;

/// What a `remote_file` asks for besides the file.
pub(crate) struct Desired {
    file: file::Desired,
    /// How many of the properties are set that only work on Windows.
    windows_only: usize,
    /// What to record about the source for the next run.
    note: Option<Remember>,
    /// The downloaded file, kept until the action ends.
    staged: Option<Staged>,
}

/// Exceptions after which the next source is tried.
const TRIED_ELSEWHERE: &[&str] = &[
    "SocketError",
    "Errno::ECONNREFUSED",
    "Errno::ENOENT",
    "Errno::EACCES",
    "Errno::ETIMEDOUT",
    "Timeout::Error",
    "Net::HTTPServerException",
    "Net::HTTPFatalError",
    "Net::FTPError",
];

impl Provider for RemoteFile {
    type Desired = Desired;
    type Current = file::Current;
    const ACTIONS: &'static [&'static str] = file::ACTIONS;

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let mut windows_only = 0;
        for name in ["remote_user", "remote_domain", "remote_password"] {
            windows_only += usize::from(flag(vm, resource, name)?);
        }
        Ok(Desired { file: file::Desired::read(vm, resource, action)?, windows_only, note: None, staged: None })
    }
    fn load(desired: &Desired, host: &dyn Host) -> Looked<file::Current> {
        file::load(&desired.file, host)
    }
    fn requirements(desired: &Desired, current: &file::Current, host: &dyn Host) -> Looked<Vec<Assertion>> {
        let names = "'remote_user', 'remote_domain' and 'remote_password' properties";
        let refused = Assertion::new(
            "Chef::Exceptions::UnsupportedPlatform",
            format!("{names} are supported only for Windows platform"),
        )
        .assuming(format!("Assuming that the platform is Windows while passing {names}"));
        let mut failed = vec![refused; desired.windows_only];
        failed.extend(file::requirements(&desired.file, current, host)?);
        Ok(failed)
    }
    fn complete(vm: &mut Vm, resource: &Value, desired: &mut Desired, current: &file::Current) -> Res<()> {
        if desired.file.needs_no_content(current) {
            return Ok(());
        }
        file::warn_of_link(vm, resource, &desired.file, current)?;
        let host = vm.host.clone();
        let present = file::checksum_of(current, &*host).map_err(|error| raised(vm, &error))?;
        if let (Some(wanted), Some(present)) = (&desired.file.checksum, &present)
            && wanted.eq_ignore_ascii_case(present)
        {
            return Ok(());
        }
        let fetched = from_sources(vm, resource, present.as_deref())?;
        (desired.file.content, desired.note, desired.staged) = (fetched.content, fetched.note, fetched.staged);
        Ok(())
    }
    fn plan(desired: &Desired, current: &file::Current, host: &dyn Host) -> Looked<Vec<Change>> {
        let mut changes = file::plan(&desired.file, current, host)?;
        changes.extend(desired.note.clone().map(Change::Remember));
        Ok(changes)
    }
    fn check(vm: &mut Vm, resource: &Value, changes: &[Change]) -> Res<()> {
        file::check(vm, resource, changes)
    }
    fn state(desired: &Desired, current: &file::Current, host: &dyn Host) -> Vec<(&'static str, State)> {
        file::state(&desired.file, current, host)
    }
    fn reported(desired: &Desired, host: &dyn Host) -> Vec<(&'static str, State)> {
        file::reported(&desired.file, host)
    }
}

/// Fetches the first source that can be fetched.
fn from_sources(vm: &mut Vm, resource: &Value, present: Option<&str>) -> Res<fetch::Fetched> {
    let sources = list(vm, resource, "source")?;
    let shown = vm.to_s_text(resource)?;
    let mut left = sources.len();
    for source in &sources {
        left -= 1;
        let error = match fetch::fetch(vm, resource, source, present) {
            Ok(fetched) => return Ok(fetched),
            Err(error) => error,
        };
        if !is_tried_elsewhere(vm, &error) {
            return Err(error);
        }
        let text = message(vm, &error)?;
        let source = fetch::without_password(source);
        log(vm, "warn", &format!("{shown} cannot be downloaded from {source}: {text}"))?;
        if left == 0 {
            return Err(error);
        }
        log(vm, "info", &format!("{shown} trying to download from another mirror"))?;
    }
    Err(vm.argument_error(format!("{shown} has no source")))
}

fn is_tried_elsewhere(vm: &Vm, error: &Error) -> bool {
    let Some(exception) = error.exception() else { return false };
    // a class that is not defined cannot be the class of this exception
    TRIED_ELSEWHERE.iter().filter_map(|name| vm.class_named(name)).any(|class| vm.is_a(exception, class))
}

fn message(vm: &mut Vm, error: &Error) -> Res<String> {
    match error.exception().cloned() {
        Some(exception) => {
            let text = vm.call(&exception, rchef_ruby::sym::MESSAGE, &[])?;
            vm.to_s_text(&text)
        }
        None => Ok(String::new()),
    }
}
