//! `cookbook_file`.

use super::file;
use super::support::*;
use rchef_host::compose;
use rchef_recipe::provider::native::{Plan, Provider};
use rchef_ruby::{Res, Symbol, Value, Vm};

/// Provider of `cookbook_file`.
pub(crate) struct CookbookFile;

/// The cookbook that holds a resource's source: as given, else the one that declares it.
pub(crate) fn cookbook_of(vm: &mut Vm, resource: &Value) -> Res<String> {
    match text_opt(vm, resource, "cookbook")? {
        Some(given) => Ok(given),
        None => text(vm, resource, "cookbook_name"),
    }
}

impl Provider for CookbookFile {
    fn actions(&self) -> &'static [&'static str] {
        file::ACTIONS
    }
    fn plan(&self, vm: &mut Vm, resource: &Value, action: Symbol) -> Res<Plan> {
        file::plan(vm, resource, action, |vm| {
            let cookbook = cookbook_of(vm, resource)?;
            let names = list(vm, resource, "source")?;
            if names.is_empty() {
                return Ok(None);
            }
            let path = rchef_recipe::erb::locate(vm, &cookbook, "files", &names)?;
            on(vm, |host| compose::read_file(host, path.as_bytes())).map(Some)
        })
    }
}
