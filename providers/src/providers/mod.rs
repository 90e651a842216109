//! Providers of shipped resources: one module a resource; `support`, `access` and `verify` are what they share.

mod access;
mod apt_package;
mod apt_preference;
mod apt_repository;
mod apt_update;
mod build_essential;
mod chef_handler;
mod cookbook_file;
mod directory;
mod execute;
mod fetch;
mod file;
mod group;
mod link;
mod linux_user;
mod log;
mod remote_directory;
mod remote_file;
mod ruby_block;
mod script;
mod service;
mod support;
mod template;
mod verify;

use rchef_recipe::provider::native::{register, register_absent, register_composite};
use rchef_ruby::{Res, Vm};

/// Resources that descend from one with a provider and have none themselves.
const ABSENT: &[&str] =
    &["remote_directory", "windows_script", "powershell_script", "batch", "windows_service", "macosx_service"];

/// Registers every provider.
pub(crate) fn boot(vm: &mut Vm) -> Res<()> {
    register::<file::File>(vm, "file");
    register::<directory::Directory>(vm, "directory");
    register::<template::Template>(vm, "template");
    register::<cookbook_file::CookbookFile>(vm, "cookbook_file");
    register::<remote_file::RemoteFile>(vm, "remote_file");
    register::<remote_directory::RemoteDirectory>(vm, "remote_directory");
    register::<link::Link>(vm, "link");
    register::<execute::Execute>(vm, "execute");
    register::<script::Script>(vm, "script");
    register::<log::Log>(vm, "log");
    register::<ruby_block::RubyBlock>(vm, "ruby_block");
    register::<ruby_block::WhyrunSafe>(vm, "whyrun_safe_ruby_block");
    register::<ruby_block::NotifyGroup>(vm, "notify_group");
    register::<apt_package::AptPackage>(vm, "apt_package");
    register::<chef_handler::ChefHandler>(vm, "chef_handler");
    register::<service::Service>(vm, "service");
    register::<linux_user::LinuxUser>(vm, "linux_user");
    register::<group::Group>(vm, "group");
    register_composite::<apt_preference::AptPreference>(vm, "apt_preference");
    register_composite::<apt_repository::AptRepository>(vm, "apt_repository");
    register_composite::<apt_update::AptUpdate>(vm, "apt_update");
    register_composite::<build_essential::BuildEssential>(vm, "build_essential");
    for name in ABSENT {
        register_absent(vm, name);
    }
    verify::boot(vm)
}
