//! Providers of shipped resources: one module a resource; `support`, `access` and `shell` are what they share.

mod access;
mod apt_package;
mod chef_handler;
mod cookbook_file;
mod directory;
mod execute;
mod file;
mod group;
mod link;
mod linux_user;
mod log;
mod ruby_block;
mod script;
mod service;
mod shell;
mod support;
mod template;
mod verify;

use rchef_recipe::provider::native::{Plan, Provider, register};
use rchef_ruby::{Res, Symbol, Value, Vm};
use std::rc::Rc;

/// Stands for resources whose parents have a provider that must not run for them.
struct Absent;
impl Provider for Absent {
    fn actions(&self) -> &'static [&'static str] {
        &[]
    }
    fn plan(&self, _: &mut Vm, _: &Value, _: Symbol) -> Res<Plan> {
        Ok(Vec::new())
    }
}

/// Registers every provider.
pub(crate) fn boot(vm: &mut Vm) -> Res<()> {
    register(vm, "file", Rc::new(file::File));
    register(vm, "directory", Rc::new(directory::Directory));
    register(vm, "template", Rc::new(template::Template));
    register(vm, "cookbook_file", Rc::new(cookbook_file::CookbookFile));
    register(vm, "link", Rc::new(link::Link));
    register(vm, "execute", Rc::new(execute::Execute));
    register(vm, "script", Rc::new(script::Script));
    register(vm, "log", Rc::new(log::Log));
    register(vm, "ruby_block", Rc::new(ruby_block::RubyBlock));
    register(vm, "whyrun_safe_ruby_block", Rc::new(ruby_block::WhyrunSafe));
    register(vm, "notify_group", Rc::new(ruby_block::NotifyGroup));
    register(vm, "apt_package", Rc::new(apt_package::AptPackage));
    register(vm, "chef_handler", Rc::new(chef_handler::ChefHandler));
    register(vm, "service", Rc::new(service::Service));
    register(vm, "linux_user", Rc::new(linux_user::LinuxUser));
    register(vm, "group", Rc::new(group::Group));
    for name in [
        "remote_file",
        "remote_directory",
        "windows_script",
        "powershell_script",
        "batch",
        "windows_service",
        "macosx_service",
    ] {
        register(vm, name, Rc::new(Absent));
    }
    verify::boot(vm)
}
