//! `rhsm_register`, `rhsm_repo`, `rhsm_subscription`, `rhsm_errata`, `rhsm_errata_level`: Red Hat's subscriptions, managed with
//! subscription-manager(8).
//!
//! There was no subscription to test with: the commands are Chef's, tested against recorded answers.

use super::selinux::refused;
use super::support::*;
use rchef_change::{Assertion, ChangeError, Command, Task, Why};
use rchef_host::Host;
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Res, Value, Vm};

const MANAGER: &str = "subscription-manager";

/// The output of subscription-manager, whatever its exit status.
fn asked(host: &dyn Host, words: &[&str]) -> Looked<String> {
    let words = [MANAGER].iter().chain(words).copied();
    let command = Command::system(words).with_any_status().with_env("LANG", "en_US");
    Ok(lossy(&command.run(host)?.stdout))
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
        let is_enabled = move |host: &dyn Host| {
            let enabled = asked(host, &["repos", "--list-enabled"])?;
            let named = |line: &str| line.strip_prefix("Repo ID:").is_some_and(|name| name.trim() == wanted);
            Ok(wanted == "*" || enabled.lines().any(named))
        };
        let child =
            execute(format!("Enable repository {repo}"), format!("{MANAGER} repos --{action}={}", shell_escaped(repo)));
        let child = if *action == "enable" { child.not_if(is_enabled) } else { child.only_if(is_enabled) };
        children.declare(child).map(drop)
    }
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
        let consumed = asked(host, &["list", "--consumed"])?;
        let (mut pool, mut serial) = (None, None);
        for line in consumed.lines() {
            match line.trim().split_once(':') {
                Some(("Pool ID", value)) => pool = Some(value.trim().to_string()),
                Some(("Serial", value)) => serial = Some(value.trim().to_string()),
                _ => continue,
            }
            if pool.is_none() || serial.is_none() {
                continue;
            }
            if pool.take().as_deref() == Some(&self.pool) {
                return Ok(serial);
            }
            serial = None;
        }
        Ok(None)
    }
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
        let serial = children.look(|host| desired.serial(host))?;
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
    keys: Vec<String>,
    satellite: Option<String>,
    /// Options with a value, in order.
    options: Vec<(&'static str, String)>,
    login: Option<(String, String)>,
    environment: Option<String>,
    attaches: bool,
    wants_agent: bool,
    force: bool,
    secure: bool,
    sensitive: bool,
    package: &'static str,
    cache: String,
}

impl RegisterDesired {
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
            let satellite = self.satellite.is_some();
            if satellite && self.environment.is_none() {
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
            add("environment", self.environment.as_deref().filter(|_| satellite));
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

    fn register(&self, children: &mut Children<'_>) -> Res<()> {
        let registered = |host: &dyn Host| Ok(!asked(host, &["status"])?.contains("Overall Status: Unknown"));
        children.declare(Child::new("package", MANAGER))?;
        if let Some(satellite) = &self.satellite
            && !children.look(registered)?
        {
            let file = format!("{}/katello-package.rpm", self.cache);
            let protocol = if self.secure { "https" } else { "http" };
            let url = format!("{protocol}://{satellite}/pub/katello-ca-consumer-latest.noarch.rpm");
            let installed = |host: &dyn Host| {
                let command = Command::system(["rpm", "-qa"]).with_any_status();
                Ok(lossy(&command.run(host)?.stdout).contains("katello-ca-consumer"))
            };
            let package = Child::new(self.package, "katello-ca-consumer-latest").text("options", "--nogpgcheck");
            children.declare(package.text("source", &file).action("nothing"))?;
            let target = format!("{}[katello-ca-consumer-latest]", self.package);
            let fetch = Child::new("remote_file", &*file).text("source", url).action("create");
            children.declare(fetch.notifies("install", &target, "immediately").not_if(installed))?;
            children.declare(Child::new("file", file).action("delete"))?;
        }
        let command = match self.command() {
            Ok(command) => command,
            Err(text) => {
                let error = ChangeError::raise("RuntimeError", text);
                return Err(children.raised(&error));
            }
        };
        let flush = self.flush(children)?;
        let mut child = execute("Register to RHSM".into(), command).notifies("flush_cache", &flush, "immediately");
        // the command line contains the password
        child = child.flag("sensitive", self.sensitive || self.login.is_some());
        if !self.force {
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
        let name = format!("rhsm_register-{}-flush_cache", self.name);
        children.declare(Child::new("package", &*name).action("nothing"))?;
        Ok(format!("package[{name}]"))
    }
}

impl Composite for RhsmRegister {
    type Desired = RegisterDesired;
    const ACTIONS: &'static [&'static str] = &["register", "unregister"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<RegisterDesired> {
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
        let cache = crate::coerce::config(vm, "file_cache_path")?;
        Ok(RegisterDesired {
            action,
            name: text(vm, resource, "name")?,
            keys: list(vm, resource, "activation_key")?,
            satellite: text_opt(vm, resource, "satellite_host")?,
            options,
            login: user.zip(password),
            environment: text_opt(vm, resource, "environment")?,
            attaches: flag(vm, resource, "auto_attach")?,
            wants_agent: flag(vm, resource, "install_katello_agent")?,
            force: flag(vm, resource, "force")?,
            secure: flag(vm, resource, "https_for_ca_consumer")?,
            sensitive: flag(vm, resource, "sensitive")?,
            package: if manager(vm, resource)? == "dnf" { "dnf_package" } else { "yum_package" },
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
        let registered = |host: &dyn Host| Ok(!asked(host, &["status"])?.contains("Overall Status: Unknown"));
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
