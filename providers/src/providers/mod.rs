//! Providers of shipped resources: one module a resource; `support`, `access` and `verify` are what they share.

mod access;
mod apt_package;
mod apt_preference;
mod apt_repository;
mod apt_update;
mod build_essential;
mod chef_client;
mod chef_client_config;
mod chef_client_cron;
mod chef_client_systemd_timer;
mod chef_client_trusted_certificate;
mod chef_handler;
mod cookbook_file;
mod debconf;
mod directory;
mod dnf_package;
mod dpkg_package;
mod execute;
mod fetch;
mod file;
mod group;
mod link;
mod linux_user;
mod log;
mod packages;
mod pacman_package;
mod remote_directory;
mod remote_file;
mod rpm_package;
mod ruby_block;
mod script;
mod service;
mod support;
mod template;
mod verify;
mod yum_package;
mod yum_repository;
mod zypper_package;
mod zypper_repository;

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
    register::<dpkg_package::DpkgPackage>(vm, "dpkg_package");
    register::<rpm_package::RpmPackage>(vm, "rpm_package");
    register::<dnf_package::DnfPackage>(vm, "dnf_package");
    register::<yum_package::YumPackage>(vm, "yum_package");
    register::<zypper_package::ZypperPackage>(vm, "zypper_package");
    register::<pacman_package::PacmanPackage>(vm, "pacman_package");
    register::<chef_handler::ChefHandler>(vm, "chef_handler");
    register::<service::Service>(vm, "service");
    register::<linux_user::LinuxUser>(vm, "linux_user");
    register::<group::Group>(vm, "group");
    register_composite::<apt_preference::AptPreference>(vm, "apt_preference");
    register_composite::<yum_repository::YumRepository>(vm, "yum_repository");
    register_composite::<zypper_repository::ZypperRepository>(vm, "zypper_repository");
    register_composite::<chef_client_config::ChefClientConfig>(vm, "chef_client_config");
    register_composite::<chef_client_cron::ChefClientCron>(vm, "chef_client_cron");
    register_composite::<chef_client_systemd_timer::SystemdTimer>(vm, "chef_client_systemd_timer");
    register_composite::<chef_client_trusted_certificate::TrustedCertificate>(vm, "chef_client_trusted_certificate");
    register_composite::<apt_repository::AptRepository>(vm, "apt_repository");
    register_composite::<apt_update::AptUpdate>(vm, "apt_update");
    register_composite::<build_essential::BuildEssential>(vm, "build_essential");
    for name in ABSENT {
        register_absent(vm, name);
    }
    verify::boot(vm)
}
