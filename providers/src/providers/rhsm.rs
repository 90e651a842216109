//! `rhsm_register`, `rhsm_repo`, `rhsm_subscription`, `rhsm_errata`, `rhsm_errata_level`: Red Hat's subscriptions, managed with
//! subscription-manager(8).
//!
//! There was no subscription to test with: the commands are Chef's, tested against recorded answers.

use super::selinux::refused;
use super::support::*;
use rchef_change::{Assertion, ChangeError, Command, Task, Why};
use rchef_host::Host;
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Args, MethodDef, Res, Value, Vm, def, sym};

const MANAGER: &str = "subscription-manager";

/// The output of subscription-manager, whatever its exit status.
fn asked(host: &dyn Host, words: &[&str]) -> Looked<String> {
    let words = [MANAGER].iter().chain(words).copied();
    let command = Command::system(words).with_any_status().with_env("LANG", "en_US");
    Ok(lossy(&command.run(host)?.stdout))
}

/// The output of subscription-manager, by a `Mixlib::ShellOut` of its own as Chef's helper methods run it.
fn told(vm: &mut Vm, command: &str) -> Res<String> {
    rchef_ruby::embed::load::require(vm, "mixlib/shellout")?;
    let class = constant(vm, "Mixlib::ShellOut")?;
    let language = vm.new_hash(vec![(Value::sym("LANG"), Value::str("en_US"))])?;
    let options = vm.new_hash(vec![(Value::sym("env"), language)])?;
    let made = vm.call_args(&class, sym::NEW, Args::new(&[Value::str(command), options]).with_keywords(true))?;
    vm.call_name(&made, "run_command", &[])?;
    stdout(vm, &made)
}

/// The package manager of the release.
fn manager(vm: &mut Vm, resource: &Value) -> Res<&'static str> {
    let version = crate::coerce::node_text(vm, resource, "platform_version")?;
    let major = version.split('.').next().and_then(|major| major.parse::<u32>().ok()).unwrap_or_default();
    Ok(if major >= 8 { "dnf" } else { "yum" })
}

fn execute(name: String, command: String) -> Child {
    Child::new("execute", name).text("command", command).flag("default_env", true).action("run")
}

pub(crate) struct RhsmErrata;

/// What an `rhsm_errata` or `rhsm_errata_level` resource asks for.
pub(crate) struct ErrataDesired {
    wanted: String,
    manager: &'static str,
    /// Whether the option needs a plugin package (on release 6).
    needs_plugin: bool,
}

impl ErrataDesired {
    fn read(vm: &mut Vm, resource: &Value, property: &'static str) -> Res<ErrataDesired> {
        let version = crate::coerce::node_text(vm, resource, "platform_version")?;
        let family = crate::coerce::node_text(vm, resource, "platform_family")?;
        Ok(ErrataDesired {
            wanted: text(vm, resource, property)?,
            manager: manager(vm, resource)?,
            needs_plugin: family == "rhel" && version.split('.').next() == Some("6"),
        })
    }
}

impl Composite for RhsmErrata {
    type Desired = ErrataDesired;
    const ACTIONS: &'static [&'static str] = &["install"];

    fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<ErrataDesired> {
        ErrataDesired::read(vm, resource, "errata_id")
    }

    fn requirements(desired: &ErrataDesired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(unfit_word("ArgumentError", "erratum", &desired.wanted).into_iter().collect())
    }

    fn declare(desired: &ErrataDesired, children: &mut Children<'_>) -> Res<()> {
        let ErrataDesired { wanted, manager, .. } = desired;
        let command = format!("{manager} update --advisory {wanted} -y");
        children.declare(execute(format!("Install errata packages for {wanted}"), command)).map(drop)
    }
}

pub(crate) struct RhsmErrataLevel;

impl Composite for RhsmErrataLevel {
    type Desired = ErrataDesired;
    const ACTIONS: &'static [&'static str] = &["install"];

    fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<ErrataDesired> {
        ErrataDesired::read(vm, resource, "errata_level")
    }

    fn declare(desired: &ErrataDesired, children: &mut Children<'_>) -> Res<()> {
        let ErrataDesired { wanted, manager, needs_plugin } = desired;
        if *needs_plugin {
            children.declare(Child::new("yum_package", "yum-plugin-security"))?;
        }
        let severity = crate::coerce::first_upper(wanted);
        let command = format!("{manager} update --sec-severity={severity} -y");
        children.declare(execute(format!("Install any {wanted} errata"), command)).map(drop)
    }
}

pub(crate) struct RhsmRepo;

/// What an `rhsm_repo` resource asks for.
pub(crate) struct RepoDesired {
    action: &'static str,
    repo: String,
}

impl Composite for RhsmRepo {
    type Desired = RepoDesired;
    const ACTIONS: &'static [&'static str] = &["enable", "disable"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<RepoDesired> {
        Ok(RepoDesired { action, repo: text(vm, resource, "repo_name")? })
    }

    fn requirements(desired: &RepoDesired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        // `*` means all repositories
        let plain = desired.repo.replace('*', "");
        Ok(unfit_word("ArgumentError", "repository", &plain).into_iter().collect())
    }

    fn declare(desired: &RepoDesired, children: &mut Children<'_>) -> Res<()> {
        let RepoDesired { action, repo } = desired;
        let wanted = repo.clone();
        let is_enabled = move |host: &dyn Host| Ok(is_listed(&wanted, &asked(host, &["repos", "--list-enabled"])?));
        let child =
            execute(format!("Enable repository {repo}"), format!("{MANAGER} repos --{action}={}", shell_escaped(repo)));
        let child = if *action == "enable" { child.not_if(is_enabled) } else { child.only_if(is_enabled) };
        children.declare(child).map(drop)
    }
}

/// Whether a repository is in the list of those that are enabled; `*` always is.
fn is_listed(repo: &str, enabled: &str) -> bool {
    repo == "*" || values(enabled, "Repo ID").any(|name| name == repo)
}

/// What the lines of a key say in a listing of subscription-manager.
fn values<'a>(listing: &'a str, key: &'a str) -> impl Iterator<Item = &'a str> {
    listing.lines().filter_map(move |line| Some(line.trim().strip_prefix(key)?.strip_prefix(':')?.trim()))
}

/// The methods of the provider of `rhsm_repo`.
pub(crate) static REPO_METHODS: &[MethodDef] = &[def("repo_enabled?", is_repo_enabled, 1)];

fn is_repo_enabled(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let repo = vm.to_s_text(args.at(0))?;
    let enabled = told(vm, "subscription-manager repos --list-enabled")?;
    Ok(Value::bool(is_listed(&repo, &enabled)))
}

pub(crate) struct RhsmSubscription;

/// What an `rhsm_subscription` resource asks for.
pub(crate) struct SubscriptionDesired {
    action: &'static str,
    pool: String,
}

impl SubscriptionDesired {
    /// The serial number under which the pool is attached; None if it is not attached.
    fn serial(&self, host: &dyn Host) -> Looked<Option<String>> {
        let consumed = serials(&asked(host, &["list", "--consumed"])?);
        Ok(consumed.into_iter().rev().find(|(pool, _)| *pool == self.pool).map(|(_, serial)| serial))
    }
}

/// The pools of a list of what is consumed, with the serial numbers under which they are attached.
fn serials(consumed: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let (mut pool, mut serial) = (None, None);
    for line in consumed.lines() {
        match line.trim().split_once(':') {
            Some(("Pool ID", value)) => pool = Some(value.trim().to_string()),
            Some(("Serial", value)) => serial = Some(value.trim().to_string()),
            _ => continue,
        }
        if pool.is_some() && serial.is_some() {
            found.extend(pool.take().zip(serial.take()));
        }
    }
    found
}

/// The methods of the provider of `rhsm_subscription`.
pub(crate) static SUBSCRIPTION_METHODS: &[MethodDef] = &[
    def("subscription_attached?", is_attached, 1),
    def("serials_by_pool", serials_by_pool, 0),
    def("pool_serial", pool_serial, 1),
];

fn is_attached(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let wanted = vm.to_s_text(args.at(0))?;
    let consumed = told(vm, "subscription-manager list --consumed")?;
    Ok(Value::bool(values(&consumed, "Pool ID").any(|pool| pool == wanted)))
}

fn serials_by_pool(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let consumed = told(vm, "subscription-manager list --consumed")?;
    vm.new_hash(serials(&consumed).iter().map(|(pool, serial)| (Value::str(pool), Value::str(serial))).collect())
}

fn pool_serial(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let serials = get(vm, this, "serials_by_pool")?;
    vm.call(&serials, sym::AREF, &[args.at(0).clone()])
}

impl Composite for RhsmSubscription {
    type Desired = SubscriptionDesired;
    const ACTIONS: &'static [&'static str] = &["attach", "remove"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<SubscriptionDesired> {
        Ok(SubscriptionDesired { action, pool: text(vm, resource, "pool_id")? })
    }

    fn requirements(desired: &SubscriptionDesired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(unfit_word("ArgumentError", "subscription pool", &desired.pool).into_iter().collect())
    }

    fn declare(desired: &SubscriptionDesired, children: &mut Children<'_>) -> Res<()> {
        let pool = &desired.pool;
        let asked = [Value::str(pool)];
        let attached = children.replaced("subscription_attached?", &asked)?.map(|attached| attached.truthy());
        let serial = match attached {
            Some(false) => None,
            Some(true) if desired.action == "attach" => return Ok(()),
            _ => match children.replaced_text("pool_serial", &asked)? {
                Some(serial) => Some(serial),
                None => children.look(|host| desired.serial(host))?,
            },
        };
        match (desired.action, serial) {
            ("attach", None) => {
                let task =
                    Task::new("rhsm_subscription", pool, Why::Absent, format!("attach subscription pool {pool}"));
                children.change(task.run(Command::system([MANAGER, "attach", &format!("--pool={pool}")])))
            }
            ("remove", Some(serial)) => {
                let command = format!("{MANAGER} remove --serial={}", shell_escaped(&serial));
                children.declare(execute(format!("Remove subscription pool {pool}"), command)).map(drop)
            }
            _ => Ok(()),
        }
    }
}

pub(crate) struct RhsmRegister;

/// What an `rhsm_register` resource asks for.
pub(crate) struct RegisterDesired {
    action: &'static str,
    name: String,
    registration: Registration,
    satellite: Option<String>,
    wants_agent: bool,
    secure: bool,
    sensitive: bool,
    package: &'static str,
    cache: String,
}

/// What the command line that registers is made of.
struct Registration {
    keys: Vec<String>,
    /// Options with a value, in order.
    options: Vec<(&'static str, String)>,
    login: Option<(String, String)>,
    environment: Option<String>,
    with_satellite: bool,
    attaches: bool,
    force: bool,
}

impl Registration {
    fn read(vm: &mut Vm, resource: &Value, with_satellite: bool) -> Res<Registration> {
        let mut options = Vec::new();
        for (option, property) in [
            ("org", "organization"),
            ("name", "system_name"),
            ("serverurl", "server_url"),
            ("baseurl", "base_url"),
            ("servicelevel", "service_level"),
            ("release", "release"),
        ] {
            options.extend(text_opt(vm, resource, property)?.map(|value| (option, value)));
        }
        let (user, password) = (text_opt(vm, resource, "username")?, text_opt(vm, resource, "password")?);
        Ok(Registration {
            keys: list(vm, resource, "activation_key")?,
            options,
            login: user.zip(password),
            environment: text_opt(vm, resource, "environment")?,
            with_satellite,
            attaches: flag(vm, resource, "auto_attach")?,
            force: flag(vm, resource, "force")?,
        })
    }

    fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// The command line; Chef's error message if a required property is missing.
    fn command(&self) -> Result<String, &'static str> {
        let mut words = vec![MANAGER.to_string(), "register".into()];
        let mut add = |option: &str, value: Option<&str>| {
            words.extend(value.map(|value| format!("--{option}={}", shell_escaped(value))));
        };
        if !self.keys.is_empty() {
            let org = self.option("org");
            org.ok_or("Unable to register - you must specify organization when using activation keys")?;
            self.keys.iter().for_each(|key| add("activationkey", Some(key)));
            for option in ["org", "name", "serverurl", "baseurl", "release"] {
                add(option, self.option(option));
            }
        } else if let Some((user, password)) = &self.login {
            if self.with_satellite && self.environment.is_none() {
                return Err("Unable to register - you must specify environment when using username/password");
            }
            if !self.attaches && self.option("servicelevel").is_some() {
                return Err("Unable to register - 'auto_attach' must be enabled when using property `service_level`.");
            }
            if !self.attaches && self.option("release").is_some() {
                return Err("Unable to register - `auto_attach` must be enabled when using property `release`.");
            }
            add("username", Some(user));
            add("password", Some(password));
            add("environment", self.environment.as_deref().filter(|_| self.with_satellite));
            for option in ["name", "serverurl", "baseurl"] {
                add(option, self.option(option));
            }
            if self.attaches {
                words.push("--auto-attach".into());
            }
            for option in ["servicelevel", "release"] {
                words.extend(self.option(option).map(|value| format!("--{option}={}", shell_escaped(value))));
            }
        } else {
            return Err("Unable to create register command - you must specify activation_key or username/password");
        }
        if self.force {
            words.push("--force".into());
        }
        Ok(words.join(" "))
    }
}

/// Whether `subscription-manager status` tells that the node is registered.
fn is_known(status: &str) -> bool {
    !status.contains("Overall Status: Unknown")
}

/// Whether the list of installed packages has the certificate of a Satellite.
fn has_certificate(installed: &str) -> bool {
    installed.contains("katello-ca-consumer")
}

/// The URL of a Satellite's certificate.
fn certificate_url(satellite: &str, secure: bool) -> String {
    let protocol = if secure { "https" } else { "http" };
    format!("{protocol}://{satellite}/pub/katello-ca-consumer-latest.noarch.rpm")
}

/// The methods of the provider of `rhsm_register`.
pub(crate) static REGISTER_METHODS: &[MethodDef] = &[
    def("flush_package_cache_name", flush_name, 0),
    def("package_resource", package_resource, 0),
    def("registered_with_rhsm?", is_registered, 0),
    def("katello_cert_rpm_installed?", is_certificate_installed, 0),
    def("ca_consumer_package_source", certificate_source, 0),
    def("register_command", register_command, 0),
    def("using_satellite_host?", uses_satellite, 0),
];

/// The name of the resource that flushes the package caches.
fn flush_resource(name: &str) -> String {
    format!("rhsm_register-{name}-flush_cache")
}

fn flush_name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    let name = text(vm, &resource, "name")?;
    Ok(Value::str(flush_resource(&name)))
}

fn package_resource(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::sym(package_kind(manager(vm, this)?)))
}

fn is_registered(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let status = shell_out(vm, this, "shell_out", &["subscription-manager status"])?;
    Ok(Value::bool(is_known(&status)))
}

fn is_certificate_installed(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let installed = shell_out(vm, this, "shell_out", &["rpm -qa"])?;
    Ok(Value::bool(has_certificate(&installed)))
}

fn certificate_source(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    let satellite = text(vm, &resource, "satellite_host")?;
    Ok(Value::str(certificate_url(&satellite, flag(vm, &resource, "https_for_ca_consumer")?)))
}

fn register_command(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let with_satellite = flag(vm, this, "using_satellite_host?")?;
    let resource = new_resource(vm, this)?;
    match Registration::read(vm, &resource, with_satellite)?.command() {
        Ok(command) => Ok(Value::str(command)),
        Err(text) => Err(failure(vm, "RuntimeError", text)),
    }
}

fn uses_satellite(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    Ok(Value::bool(!get(vm, &resource, "satellite_host")?.is_nil()))
}

/// The resource that installs packages by a package manager.
fn package_kind(manager: &str) -> &'static str {
    if manager == "dnf" { "dnf_package" } else { "yum_package" }
}

impl RegisterDesired {
    fn register(&self, children: &mut Children<'_>) -> Res<()> {
        let registered = |host: &dyn Host| Ok(is_known(&asked(host, &["status"])?));
        children.declare(Child::new("package", MANAGER))?;
        if let Some(satellite) = &self.satellite
            && !children.look(registered)?
        {
            let file = format!("{}/katello-package.rpm", self.cache);
            let url = certificate_url(satellite, self.secure);
            let installed = |host: &dyn Host| {
                let command = Command::system(["rpm", "-qa"]).with_any_status();
                Ok(has_certificate(&lossy(&command.run(host)?.stdout)))
            };
            let package = Child::new(self.package, "katello-ca-consumer-latest").text("options", "--nogpgcheck");
            children.declare(package.text("source", &file).action("nothing"))?;
            let target = format!("{}[katello-ca-consumer-latest]", self.package);
            let fetch = Child::new("remote_file", &*file).text("source", url).action("create");
            children.declare(fetch.notifies("install", &target, "immediately").not_if(installed))?;
            children.declare(Child::new("file", file).action("delete"))?;
        }
        let command = match (children.replaced_text("register_command", &[])?, self.registration.command()) {
            (Some(command), _) | (None, Ok(command)) => command,
            (None, Err(text)) => {
                let error = ChangeError::raise("RuntimeError", text);
                return Err(children.raised(&error));
            }
        };
        let flush = self.flush(children)?;
        let mut child = execute("Register to RHSM".into(), command).notifies("flush_cache", &flush, "immediately");
        // the command line contains the password
        child = child.flag("sensitive", self.sensitive || self.registration.login.is_some());
        if !self.registration.force {
            child = child.not_if(registered);
        }
        children.declare(child)?;
        if self.wants_agent && self.satellite.is_some() {
            children.declare(Child::new("package", "katello-agent"))?;
        }
        Ok(())
    }

    /// Declares the resource that flushes the package caches; gives the name to notify it by.
    fn flush(&self, children: &mut Children<'_>) -> Res<String> {
        let name = flush_resource(&self.name);
        children.declare(Child::new("package", &*name).action("nothing"))?;
        Ok(format!("package[{name}]"))
    }
}

impl Composite for RhsmRegister {
    type Desired = RegisterDesired;
    const ACTIONS: &'static [&'static str] = &["register", "unregister"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<RegisterDesired> {
        let cache = crate::coerce::config(vm, "file_cache_path")?;
        let satellite = text_opt(vm, resource, "satellite_host")?;
        Ok(RegisterDesired {
            action,
            name: text(vm, resource, "name")?,
            registration: Registration::read(vm, resource, satellite.is_some())?,
            satellite,
            wants_agent: flag(vm, resource, "install_katello_agent")?,
            secure: flag(vm, resource, "https_for_ca_consumer")?,
            sensitive: flag(vm, resource, "sensitive")?,
            package: package_kind(manager(vm, resource)?),
            cache: vm.to_s_text(&cache)?,
        })
    }

    fn requirements(desired: &RegisterDesired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(refused(desired.satellite.iter().map(|host| ("host", host.as_str()))))
    }

    fn declare(desired: &RegisterDesired, children: &mut Children<'_>) -> Res<()> {
        if desired.action == "register" {
            return desired.register(children);
        }
        let flush = desired.flush(children)?;
        let clean = "Clean RHSM Config";
        let command = Child::new("execute", clean).text("command", format!("{MANAGER} clean"));
        children.declare(command.flag("default_env", true).action("nothing"))?;
        let registered = |host: &dyn Host| Ok(is_known(&asked(host, &["status"])?));
        children
            .declare(
                execute("Unregister from RHSM".into(), format!("{MANAGER} unregister"))
                    .only_if(registered)
                    .notifies("flush_cache", &flush, "immediately")
                    .notifies("run", &format!("execute[{clean}]"), "immediately"),
            )
            .map(drop)
    }
}
