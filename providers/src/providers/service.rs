//! `service`: by systemd if it is running, else by init scripts and update-rc.d (SPEC-converge 3.4).

use super::service_init::{self, Kind};
use super::support::*;
use rchef_change::service::ServiceStep;
use rchef_change::{Account, Assertion, Change, ChangeError, Command, ServiceAction, State};
use rchef_host::Host;
use rchef_recipe::context;
use rchef_recipe::run::run_mut;
use rchef_ruby::{Res, Symbol, Value, Vm};

pub(crate) struct Service;

/// Start and stop order of an init script's links (`priority`).
pub(crate) enum Priority {
    Default,
    /// Order of the start links; that of the stop links is 100 minus this.
    Start(i64),
    /// Run levels, each with whether the service starts in it.
    Levels(Vec<(String, bool)>),
}

/// What a service resource asks for.
pub(crate) struct Desired {
    pub(crate) verb: &'static str,
    pub(crate) name: String,
    /// Services of the run's other resources, so that systemd is queried once for all of them.
    along: Vec<String>,
    /// The resource's name in messages.
    pub(crate) shown: String,
    /// The user whose service it is; None for a system service.
    user: Option<String>,
    status_command: Option<String>,
    /// The resource's own commands (`start_command` and others), by action.
    pub(crate) commands: Vec<(&'static str, String)>,
    pub(crate) kind: Kind,
    /// Arguments of an Upstart job.
    pub(crate) parameters: Vec<(String, String)>,
    /// Run levels for Red Hat's init scripts.
    pub(crate) run_levels: Vec<String>,
    /// The init script, if not the default one.
    pub(crate) script: Option<String>,
    /// What the init script supports.
    pub(crate) supports: Supports,
    /// A pattern for the service's line in the process table.
    pub(crate) pattern: String,
    pub(crate) priority: Priority,
    /// Timeout of a command in seconds.
    pub(crate) timeout: Option<f64>,
}

/// The init script's commands besides start and stop (`supports`).
#[derive(Default)]
pub(crate) struct Supports {
    /// None if the resource does not say.
    pub(crate) restart: Option<bool>,
    pub(crate) reload: bool,
    /// None if the resource does not say.
    pub(crate) status: Option<bool>,
}

#[derive(Default)]
pub(crate) struct Current {
    pub(crate) running: bool,
    pub(crate) enabled: bool,
    masked: bool,
    /// The unit is static or indirect and cannot be enabled.
    fixed: bool,
    /// The init script, or the command that runs it.
    pub(crate) script: String,
    pub(crate) has_script: bool,
    /// Run levels in which the service starts (Red Hat's init scripts).
    pub(crate) levels: Vec<String>,
    /// `chkconfig` does not know the service.
    pub(crate) unknown: bool,
    /// The resource's `status_command` failed.
    status_failed: bool,
}

/// The actions that can be replaced by a command, and the properties with the commands.
const OWN_COMMANDS: &[(&str, &str)] = &[
    ("start", "start_command"),
    ("stop", "stop_command"),
    ("restart", "restart_command"),
    ("reload", "reload_command"),
];

fn priority(vm: &mut Vm, resource: &Value) -> Res<Priority> {
    Ok(match get(vm, resource, "priority")? {
        Value::Int(number) => Priority::Start(number),
        Value::Hash(_) => {
            let mut levels = Vec::new();
            for (level, order) in pairs(vm, resource, "priority")? {
                let (level, order) = (vm.to_s_text(&level)?, vm.to_array(&order)?);
                let starts = matches!(order.first(), Some(Value::Sym(name)) if name.as_str() == "start");
                levels.push((level, starts));
            }
            Priority::Levels(levels)
        }
        _ => Priority::Default,
    })
}

fn supports(vm: &mut Vm, resource: &Value) -> Res<Supports> {
    let Value::Hash(hash) = get(vm, resource, "supports")? else { return Ok(Supports::default()) };
    let of = |name: &'static str| vm.hash_get_sym(&hash, Symbol::intern_static(name)).filter(|value| !value.is_nil());
    let said = |name| of(name).map(|value| value.truthy());
    Ok(Supports { restart: said("restart"), reload: said("reload").unwrap_or(false), status: said("status") })
}

/// Names of the system services in the run's resource collection; `lazy` names are left out.
fn asked_along(vm: &mut Vm) -> Res<Vec<String>> {
    let (root, class) = (run_mut(vm).root.clone(), vm.class_named("Chef::Resource::Service"));
    let (true, Some(class)) = (!root.is_nil(), class) else { return Ok(Vec::new()) };
    let mut names = Vec::new();
    for resource in context::resources(vm, &root)? {
        if !vm.is_a(&resource, class) {
            continue;
        }
        let of = |name| vm.ivar_get(&resource, Symbol::intern_static(name));
        if let (Some(Value::Str(name)), None) = (of("@service_name").or_else(|| of("@name")), of("@user")) {
            let name = lossy(name.get(vm).bytes());
            if unfit("", "", &name).is_none() && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Ok(names)
}

impl Desired {
    /// The resource's own command for an action.
    pub(crate) fn command(&self, verb: &str) -> Option<&str> {
        self.commands.iter().find(|(known, _)| *known == verb).map(|(_, command)| command.as_str())
    }
}

fn read(vm: &mut Vm, resource: &Value, verb: &'static str) -> Res<Desired> {
    let timeout = get(vm, resource, "timeout")?;
    let name = text(vm, resource, "service_name")?;
    let user = text_opt(vm, resource, "user")?;
    let mut along = Vec::new();
    if user.is_none() && vm.host.clone().systemd_running() {
        along = asked_along(vm)?;
        if !along.contains(&name) && unfit("", "", &name).is_none() {
            super::along::remember(vm, "service", &name);
        }
        super::along::add_remembered(vm, "service", &mut along)?;
    }
    let mut commands = Vec::new();
    for (verb, property) in OWN_COMMANDS {
        commands.extend(text_opt(vm, resource, property)?.map(|command| (*verb, command)));
    }
    let mut parameters = Vec::new();
    for (key, value) in pairs(vm, resource, "parameters")? {
        parameters.push((vm.to_s_text(&key)?, vm.to_s_text(&value)?));
    }
    Ok(Desired {
        verb,
        name,
        along,
        shown: vm.to_s_text(resource)?,
        user,
        status_command: text_opt(vm, resource, "status_command")?,
        commands,
        kind: Kind::of(vm, resource)?,
        parameters,
        run_levels: list(vm, resource, "run_levels")?,
        script: text_opt(vm, resource, "init_command")?,
        supports: supports(vm, resource)?,
        pattern: text(vm, resource, "pattern")?,
        priority: priority(vm, resource)?,
        timeout: if timeout.is_nil() { None } else { Some(vm.to_f64(&timeout)?) },
    })
}

/// `systemctl` for the system or, for a user service, run as that user.
fn systemctl(desired: &Desired, host: &dyn Host, words: &[&str]) -> Looked<Command> {
    let scope = if desired.user.is_some() { "--user" } else { "--system" };
    let mut command = Command::argv(["systemctl", scope].iter().chain(words).map(|word| word.as_bytes().to_vec()));
    if let Some(user) = &desired.user {
        let Some(found) = host.user_by_name(user.as_bytes())? else {
            return Err(ChangeError::raise("ArgumentError", format!("can't find user for {user}")));
        };
        command.user = Some(Account::Id(found.uid));
        command.group = Some(Account::Id(found.gid));
        let bus = format!("unix:path=/run/user/{}/bus", found.uid);
        command = command.with_env("DBUS_SESSION_BUS_ADDRESS", &bus);
    }
    Ok(command)
}

fn systemd_state(desired: &Desired, host: &dyn Host, current: &mut Current) -> Looked<()> {
    let name = desired.name.as_str();
    let (active, unit_file) = if desired.user.is_some() {
        let command = systemctl(desired, host, &["show", "-p", "UnitFileState", "-p", "ActiveState", name])?;
        let text = lossy(&command.run(host)?.stdout);
        let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default().to_string();
        (value("ActiveState="), value("UnitFileState="))
    } else {
        let mut names: Vec<&str> = desired.along.iter().map(String::as_str).collect();
        if !names.contains(&name) {
            names.push(name);
        }
        let found = host.services(&names)?;
        let Some(found) = found.get(name) else {
            let message = format!("'systemctl show' not reporting status for {name}!");
            return Err(ChangeError::raise("Chef::Exceptions::Service", message));
        };
        (found.active.clone(), found.unit_file.clone())
    };
    current.running = active == "active";
    current.enabled = match unit_file.as_str() {
        "bad" => {
            let command = Command::system(["systemctl", "--system", "is-enabled", name, "--quiet"]);
            command.query(host)?.status.success()
        }
        other => ["enabled", "static", "generated", "alias", "indirect"].contains(&other),
    };
    current.masked = unit_file == "masked";
    current.fixed = matches!(unit_file.as_str(), "static" | "indirect");
    Ok(())
}

/// The commands of an action.
fn steps(desired: &Desired, current: &Current, host: &dyn Host) -> Looked<Vec<ServiceStep>> {
    if desired.kind == Kind::Systemd && desired.command(desired.verb).is_none() {
        let command = systemctl(desired, host, &[desired.verb, &desired.name])?;
        return Ok(vec![ServiceStep::Run(Box::new(command))]);
    }
    service_init::steps(desired, current, host)
}

fn change(desired: &Desired, current: &Current, host: &dyn Host) -> Looked<Change> {
    Ok(Change::Service(ServiceAction {
        verb: desired.verb.into(),
        shown: desired.shown.clone(),
        name: desired.name.clone(),
        steps: steps(desired, current, host)?,
    }))
}

impl Provider for Service {
    type Desired = Desired;
    type Current = Current;
    const ACTIONS: &'static [&'static str] =
        &["enable", "disable", "start", "stop", "restart", "reload", "mask", "unmask"];
    const HELPERS: &'static [&'static str] = &[
        "enable_service",
        "disable_service",
        "start_service",
        "stop_service",
        "restart_service",
        "reload_service",
        "mask_service",
        "unmask_service",
    ];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        read(vm, resource, action)
    }

    fn load(desired: &Desired, host: &dyn Host) -> Looked<Current> {
        let mut current = Current::default();
        let status = match &desired.status_command {
            Some(line) => {
                let command = Command { until_exit: false, ..Command::line(line.as_str()) };
                Some(command.query(host)?.status.success())
            }
            None => None,
        };
        current.status_failed = status == Some(false);
        if desired.kind == Kind::Systemd {
            systemd_state(desired, host, &mut current)?;
        } else {
            service_init::load(desired, host, &mut current, status)?;
        }
        current.running = status.unwrap_or(current.running);
        Ok(current)
    }

    fn requirements(desired: &Desired, current: &Current, host: &dyn Host) -> Looked<Vec<Assertion>> {
        if let Some(failed) = unfit("Chef::Exceptions::Service", "service", &desired.name) {
            return Ok(vec![failed]);
        }
        if desired.kind != Kind::Systemd {
            return Ok(service_init::requirements(desired, current, host));
        }
        let Some(line) = desired.status_command.as_ref().filter(|_| current.status_failed) else {
            return Ok(Vec::new());
        };
        let shown = &desired.shown;
        let failed = format!("Failed to determine status of {shown}, using command {line}.");
        let assumed = "Assuming service would have been installed and is disabled";
        Ok(vec![Assertion::advice().assuming(failed).assuming(assumed)])
    }

    fn reads(desired: &Desired) -> &'static [&'static str] {
        let asks_processes = desired.status_command.is_none() && desired.supports.status != Some(true);
        if desired.kind == Kind::Systemd || !asks_processes { &["supports"] } else { &["supports", "pattern"] }
    }

    fn plan(desired: &Desired, current: &Current, host: &dyn Host) -> Looked<Vec<Change>> {
        let due = match desired.verb {
            "enable" => !current.enabled && !current.masked && !current.fixed,
            "disable" => current.enabled && !current.masked && !current.fixed,
            "mask" => !current.masked,
            "unmask" => current.masked,
            "start" => !current.running,
            "stop" | "reload" => current.running,
            _ => true,
        };
        if due { Ok(vec![change(desired, current, host)?]) } else { Ok(Vec::new()) }
    }

    fn state(desired: &Desired, current: &Current, _host: &dyn Host) -> Vec<(&'static str, State)> {
        vec![
            ("service_name", State::Text(desired.name.clone())),
            ("enabled", State::Bool(current.enabled)),
            ("running", State::Bool(current.running)),
            ("masked", State::Bool(current.masked)),
        ]
    }

    fn class(vm: &mut Vm, resource: &Value) -> Res<&'static str> {
        Ok(match Kind::usual(vm, resource)? {
            Kind::Systemd => "Service::Systemd",
            Kind::Gentoo => "Service::Gentoo",
            _ => "Service::Debian",
        })
    }

    fn helper_of(change: &Change) -> Option<(&'static str, Vec<Value>)> {
        let Change::Service(action) = change else { return None };
        let name = Service::HELPERS.iter().find(|name| name.strip_suffix("_service") == Some(&action.verb))?;
        Some((name, Vec::new()))
    }

    fn helper(vm: &mut Vm, resource: &Value, name: &'static str, _: &[Value]) -> Res<Vec<Change>> {
        let verb = name.strip_suffix("_service").unwrap_or(name);
        let desired = read(vm, resource, verb)?;
        let host = vm.host.clone();
        let made = Service::load(&desired, &*host).and_then(|current| change(&desired, &current, &*host));
        made.map(|change| vec![change]).map_err(|error| raised(vm, &error))
    }
}
