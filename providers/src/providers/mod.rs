//! Providers of shipped resources, one module for each; `support`, `access` and `verify` are shared by them.

mod access;
mod along;
pub(crate) mod alternatives;
mod apt_package;
mod apt_preference;
mod apt_repository;
mod apt_update;
mod archive_file;
mod breakpoint;
pub(crate) mod build_essential;
pub(crate) mod chef_client;
pub(crate) mod chef_client_config;
pub(crate) mod chef_client_cron;
pub(crate) mod chef_client_systemd_timer;
pub(crate) mod chef_client_trusted_certificate;
mod chef_handler;
mod chef_install;
mod chef_sleep;
mod cookbook_file;
mod cron;
mod cron_access;
mod cron_d;
mod debconf;
mod directory;
mod dnf_locks;
mod dnf_package;
mod dpkg_package;
mod embedded;
mod execute;
mod fetch;
mod file;
mod gem_package;
mod git;
mod group;
mod homebrew_update;
mod hostname;
mod http_request;
mod ifconfig;
mod kernel_module;
mod label;
mod link;
mod linux_user;
pub(crate) mod locale;
mod log;
mod mdadm;
mod mount;
mod ohai;
mod ohai_hint;
mod openssl;
mod openssl_dhparam;
mod openssl_private_key;
mod openssl_public_key;
mod openssl_x509_certificate;
mod openssl_x509_crl;
mod openssl_x509_request;
mod packages;
mod pacman_package;
mod portage_package;
mod reboot;
mod refused;
mod remote_directory;
mod remote_file;
pub(crate) mod rhsm;
mod route;
mod rpm_package;
mod ruby_block;
mod script;
pub(crate) mod selinux;
pub(crate) mod selinux_accounts;
pub(crate) mod selinux_common;
pub(crate) mod selinux_setup;
mod service;
mod service_init;
mod snap_package;
mod ssh_known_hosts_entry;
mod staged;
mod subversion;
mod sudo;
pub(crate) mod support;
mod swap_file;
pub(crate) mod sysctl;
mod systemd_unit;
mod template;
pub(crate) mod timezone;
mod user_ulimit;
mod verify;
mod yum_package;
mod yum_repository;
mod zypper_package;
mod zypper_repository;

use rchef_recipe::provider::native::{register, register_composite, register_refused};
use rchef_ruby::{Res, Value, Vm};

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
    register::<portage_package::PortagePackage>(vm, "portage_package");
    register::<snap_package::SnapPackage>(vm, "snap_package");
    register::<chef_handler::ChefHandler>(vm, "chef_handler");
    register::<archive_file::ArchiveFile>(vm, "archive_file");
    register::<http_request::HttpRequest>(vm, "http_request");
    register::<git::Git>(vm, "git");
    register::<gem_package::GemPackage>(vm, "gem_package");
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
    register::<alternatives::Alternatives>(vm, "alternatives");
    register::<breakpoint::Breakpoint>(vm, "breakpoint");
    register::<chef_sleep::ChefSleep>(vm, "chef_sleep");
    register::<ohai::Ohai>(vm, "ohai");
    register_composite::<ohai_hint::OhaiHint>(vm, "ohai_hint");
    register::<reboot::Reboot>(vm, "reboot");
    register_composite::<systemd_unit::SystemdUnit>(vm, "systemd_unit");
    register::<cron::Cron>(vm, "cron");
    register_composite::<cron_access::CronAccess>(vm, "cron_access");
    register_composite::<cron_d::CronD>(vm, "cron_d");
    register_composite::<hostname::Hostname>(vm, "hostname");
    register_composite::<kernel_module::KernelModule>(vm, "kernel_module");
    register_composite::<locale::Locale>(vm, "locale");
    register_composite::<mount::Mount>(vm, "mount");
    register_composite::<ssh_known_hosts_entry::SshKnownHostsEntry>(vm, "ssh_known_hosts_entry");
    register_composite::<sudo::Sudo>(vm, "sudo");
    register_composite::<swap_file::SwapFile>(vm, "swap_file");
    register_composite::<sysctl::Sysctl>(vm, "sysctl");
    register_composite::<timezone::Timezone>(vm, "timezone");
    register_composite::<user_ulimit::UserUlimit>(vm, "user_ulimit");
    register_composite::<openssl_dhparam::OpensslDhparam>(vm, "openssl_dhparam");
    register_composite::<openssl_private_key::OpensslEcPrivateKey>(vm, "openssl_ec_private_key");
    register_composite::<openssl_public_key::OpensslEcPublicKey>(vm, "openssl_ec_public_key");
    register_composite::<openssl_private_key::OpensslRsaPrivateKey>(vm, "openssl_rsa_private_key");
    register_composite::<openssl_public_key::OpensslRsaPublicKey>(vm, "openssl_rsa_public_key");
    register_composite::<openssl_x509_certificate::OpensslX509Certificate>(vm, "openssl_x509_certificate");
    register_composite::<openssl_x509_crl::OpensslX509Crl>(vm, "openssl_x509_crl");
    register_composite::<openssl_x509_request::OpensslX509Request>(vm, "openssl_x509_request");
    register_composite::<apt_repository::AptRepository>(vm, "apt_repository");
    register_composite::<apt_update::AptUpdate>(vm, "apt_update");
    register_composite::<homebrew_update::HomebrewUpdate>(vm, "homebrew_update");
    register_composite::<build_essential::BuildEssential>(vm, "build_essential");
    register::<mdadm::Mdadm>(vm, "mdadm");
    register::<subversion::Subversion>(vm, "subversion");
    register_composite::<route::Route>(vm, "route");
    register_composite::<ifconfig::Ifconfig>(vm, "ifconfig");
    selinux_and_subscriptions(vm);
    selinux_common::boot(vm);
    for (why, names) in refused::REFUSED {
        names.iter().for_each(|name| register_refused(vm, name, why));
    }
    verify::boot(vm)
}

fn selinux_and_subscriptions(vm: &mut Vm) {
    register_composite::<selinux::SelinuxBoolean>(vm, "selinux_boolean");
    register_composite::<selinux::SelinuxFcontext>(vm, "selinux_fcontext");
    register_composite::<selinux::SelinuxPermissive>(vm, "selinux_permissive");
    register_composite::<selinux::SelinuxPort>(vm, "selinux_port");
    register_composite::<selinux_accounts::SelinuxLogin>(vm, "selinux_login");
    register_composite::<selinux_accounts::SelinuxUser>(vm, "selinux_user");
    register_composite::<selinux_setup::SelinuxInstall>(vm, "selinux_install");
    register_composite::<selinux_setup::SelinuxModule>(vm, "selinux_module");
    register_composite::<selinux_setup::SelinuxState>(vm, "selinux_state");
    register_composite::<rhsm::RhsmErrata>(vm, "rhsm_errata");
    register_composite::<rhsm::RhsmErrataLevel>(vm, "rhsm_errata_level");
    register_composite::<rhsm::RhsmRegister>(vm, "rhsm_register");
    register_composite::<rhsm::RhsmRepo>(vm, "rhsm_repo");
    register_composite::<rhsm::RhsmSubscription>(vm, "rhsm_subscription");
}

/// How well a resource's actions are supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The provider was run on real machines.
    Run,
    /// The provider's commands were only tested against recorded answers.
    Recorded,
    /// The resource compiles, validates and dumps; a run that would converge it is refused before its first change, for this reason.
    Refused(&'static str),
}

impl Level {
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Run => "run",
            Level::Recorded => "recorded",
            Level::Refused(_) => "refused",
        }
    }
}

/// The level of a shipped resource.
pub fn level(name: &str) -> Level {
    let refused = refused::REFUSED.iter().find(|(_, names)| names.contains(&name));
    match refused {
        Some((why, _)) => Level::Refused(why),
        None if refused::RECORDED.contains(&name) => Level::Recorded,
        None => Level::Run,
    }
}

/// The content that a `template`, `cookbook_file` or `file` resource, or one derived from them, writes, whatever the file has now. None for other
/// resources, and for those that only delete or touch.
pub fn rendered(vm: &mut Vm, resource: &Value) -> Res<Option<Vec<u8>>> {
    let is = |vm: &Vm, class: &str| {
        vm.class_named(&format!("Chef::Resource::{class}")).is_some_and(|class| vm.is_a(resource, class))
    };
    if !is(vm, "File") || is(vm, "RemoteFile") {
        return Ok(None);
    }
    let actions = rchef_recipe::provider::runner::actions(vm, resource)?;
    if actions.iter().all(|action| matches!(action.as_str(), "delete" | "touch")) {
        return Ok(None);
    }
    if is(vm, "Template") {
        template::rendered(vm, resource).map(Some)
    } else if is(vm, "CookbookFile") {
        cookbook_file::content(vm, resource)
    } else {
        file::content(vm, resource)
    }
}
