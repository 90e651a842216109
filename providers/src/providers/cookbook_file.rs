use super::file;
use super::support::*;
use rchef_change::{Assertion, Change, State};
use rchef_host::{Host, compose};
use rchef_recipe::erb;
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct CookbookFile;

/// The cookbook with the resource's source: the one given, else the one that declares the resource.
pub(crate) fn cookbook_of(vm: &mut Vm, resource: &Value) -> Res<String> {
    match text_opt(vm, resource, "cookbook")? {
        Some(given) => Ok(given),
        None => text(vm, resource, "cookbook_name"),
    }
}

/// The content of a resource of this class.
pub(crate) fn content(vm: &mut Vm, resource: &Value) -> Res<Option<Vec<u8>>> {
    let cookbook = cookbook_of(vm, resource)?;
    let source = get(vm, resource, "source")?;
    if source.is_nil() {
        return Ok(None);
    }
    let wanted = erb::wanted(vm, &source)?;
    let path = erb::locate(vm, &cookbook, "files", &wanted)?;
    on(vm, |host| compose::read_file(host, path.as_bytes())).map(Some)
}

impl Provider for CookbookFile {
    type Desired = file::Desired;
    type Current = file::Current;
    const ACTIONS: &'static [&'static str] = file::ACTIONS;

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<file::Desired> {
        file::Desired::read(vm, resource, action)
    }
    fn load(desired: &file::Desired, host: &dyn Host) -> Looked<file::Current> {
        file::load(desired, host)
    }
    fn requirements(desired: &file::Desired, current: &file::Current, host: &dyn Host) -> Looked<Vec<Assertion>> {
        file::requirements(desired, current, host)
    }
    fn complete(vm: &mut Vm, resource: &Value, desired: &mut file::Desired, current: &file::Current) -> Res<()> {
        if desired.needs_no_content(current) {
            return Ok(());
        }
        file::warn_of_link(vm, resource, desired, current)?;
        desired.content = content(vm, resource)?.map(Into::into);
        Ok(())
    }
    fn plan(desired: &file::Desired, current: &file::Current, host: &dyn Host) -> Looked<Vec<Change>> {
        file::plan(desired, current, host)
    }
    fn check(vm: &mut Vm, resource: &Value, changes: &[Change]) -> Res<()> {
        file::check(vm, resource, changes)
    }
    fn state(desired: &file::Desired, current: &file::Current, host: &dyn Host) -> Vec<(&'static str, State)> {
        file::state(desired, current, host)
    }
    fn reported(desired: &file::Desired, host: &dyn Host) -> Vec<(&'static str, State)> {
        file::reported(desired, host)
    }
}
