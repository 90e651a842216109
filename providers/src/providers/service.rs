//! `service`: by systemd where it runs, else by the scripts of /etc/init.d and update-rc.d (SPEC-converge 3.4).

use super::support::*;
use rchef_change::service::ServiceStep;
use rchef_change::{Account, Assertion, Change, ChangeError, Command, ServiceAction, State};
use rchef_host::{Host, compose};
use rchef_recipe::context;
use rchef_recipe::run::run_mut;
use rchef_regexp::{Options, Regexp, SourceKind, TextKind};
use rchef_ruby::{Res, Symbol, Value, Vm};
use std::time::Duration;

/// Provider of `service`.
pub(crate) struct Service;

/// Start and stop order of an init script's links.
enum Priority {
    Default,
    /// Order of the start links; the stop links have what is left of 100.
    Start(i64),
    /// Run levels, and whether the service starts in them.
    Levels(Vec<(String, bool)>),
}

/// What a service resource asks for.
pub(crate) struct Desired {
    verb: &'static str,
    name: String,
    /// Names that other resources of the run will ask about: systemd is asked once for all of them.
    along: Vec<String>,
    /// The resource as messages name it.
    shown: String,
    /// The user whose service it is; the system's when absent.
    user: Option<String>,
    status_command: Option<String>,
    /// The resource's own command for the action.
    command: Option<String>,
    /// The init script, if it is not the usual one.
    script: Option<String>,
    /// What the init script knows.
    supports: Supports,
    /// Matches the service's line in the process table.
    pattern: String,
    priority: Priority,
    /// Seconds that a command is given.
    timeout: Option<f64>,
}

/// What an init script knows beside start and stop.
#[derive(Default)]
struct Supports {
    restart: bool,
    reload: bool,
    status: bool,
}

/// What is known of the service.
#[derive(Default)]
pub(crate) struct Current {
    systemd: bool,
    running: bool,
    enabled: bool,
    masked: bool,
    /// Static or indirect: enabling it means nothing.
    fixed: bool,
    /// The init script.
    script: String,
    has_script: bool,
    /// The resource's own status command did not succeed.
    status_failed: bool,
}

/// Actions that a resource may have its own command for.
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
    let has =
        |name: &'static str| vm.hash_get_sym(&hash, Symbol::intern_static(name)).is_some_and(|value| value.truthy());
    Ok(Supports { restart: has("restart"), reload: has("reload"), status: has("status") })
}

/// Names of the system's services that the run's resources will ask about, as far as they are given plainly.
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

fn read(vm: &mut Vm, resource: &Value, verb: &'static str) -> Res<Desired> {
    let timeout = get(vm, resource, "timeout")?;
    let own = OWN_COMMANDS.iter().find(|(known, _)| *known == verb);
    Ok(Desired {
        verb,
        name: text(vm, resource, "service_name")?,
        along: asked_along(vm)?,
        shown: vm.to_s_text(resource)?,
        user: text_opt(vm, resource, "user")?,
        status_command: text_opt(vm, resource, "status_command")?,
        command: match own {
            Some((_, property)) => text_opt(vm, resource, property)?,
            None => None,
        },
        script: text_opt(vm, resource, "init_command")?,
        supports: supports(vm, resource)?,
        pattern: text(vm, resource, "pattern")?,
        priority: priority(vm, resource)?,
        timeout: if timeout.is_nil() { None } else { Some(vm.to_f64(&timeout)?) },
    })
}

/// `systemctl` with its scope, as the user whose service it is.
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

/// Running by the script's `status` where it is supported, else by the process table.
fn init_running(desired: &Desired, host: &dyn Host, current: &Current) -> Looked<bool> {
    if desired.supports.status {
        let command = Command::system([current.script.as_str(), "status"]);
        return Ok(current.has_script && command.query(host)?.status.success());
    }
    let mut table = Vec::new();
    for entry in host.readdir(b"/proc")? {
        if !entry.name.iter().all(u8::is_ascii_digit) {
            continue;
        }
        let path = [b"/proc/", &entry.name[..], b"/cmdline"].concat();
        let words = compose::read_file(host, &path).unwrap_or_default();
        let line = lossy(&words).replace('\0', " ");
        if !line.contains("rchef") && !line.contains("chef-client") {
            table.push(line);
        }
    }
    let pattern = desired.pattern.as_bytes();
    let invalid = |text: String| ChangeError::raise("RegexpError", text);
    let regexp =
        Regexp::new(pattern, Options::default(), SourceKind::Utf8).map_err(|error| invalid(error.to_string()))?;
    let table = table.join("\n");
    let kind = if table.is_ascii() { TextKind::Ascii } else { TextKind::Utf8Valid };
    regexp.is_match_at(table.as_bytes(), kind, 0).map_err(|error| invalid(error.to_string()))
}

/// Whether a start link is in the run levels 2 to 5.
fn enabled_by_links(host: &dyn Host, name: &str) -> bool {
    (2..=5).any(|level| {
        let dir = format!("/etc/rc{level}.d");
        host.readdir(dir.as_bytes()).is_ok_and(|entries| {
            entries.iter().any(|entry| {
                let text = lossy(&entry.name);
                text.strip_prefix('S').is_some_and(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()) == name)
            })
        })
    })
}

/// What must hold where init scripts are used. As in Chef, the script itself is not asked for.
fn init_requirement(desired: &Desired, host: &dyn Host) -> Option<Assertion> {
    let (verb, shown) = (desired.verb, &desired.shown);
    if matches!(verb, "mask" | "unmask") {
        let message = format!("{shown} does not support :{verb}");
        return Some(Assertion::new("Chef::Exceptions::UnsupportedAction", message));
    }
    (!compose::exists(host, b"/usr/sbin/update-rc.d"))
        .then(|| Assertion::new("Chef::Exceptions::Service", "/usr/sbin/update-rc.d does not exist!"))
}

/// What an action runs.
fn steps(desired: &Desired, current: &Current, host: &dyn Host) -> Looked<Vec<ServiceStep>> {
    let (name, verb, limit) = (desired.name.as_str(), desired.verb, desired.timeout);
    let run = |command: Command| ServiceStep::Run(Box::new(command));
    if let Some(line) = &desired.command {
        return Ok(vec![run(Command::line(line.as_str()).within(limit))]);
    }
    if current.systemd {
        return Ok(vec![run(systemctl(desired, host, &[verb, name])?)]);
    }
    let script = |verb: &str| run(Command::line(format!("{} {verb}", current.script)).within(limit));
    let links = |words: &[&str]| {
        let line = format!("/usr/sbin/update-rc.d {}", words.join(" "));
        run(Command { default_env: true, ..Command::line(line).within(limit) })
    };
    Ok(match (verb, &desired.priority) {
        ("restart", _) if !desired.supports.restart => {
            vec![script("stop"), ServiceStep::Wait(Duration::from_secs(1)), script("start")]
        }
        // as Chef: said to be done, and nothing is run, where the script is not known to reload
        ("reload", _) if !desired.supports.reload => Vec::new(),
        ("enable" | "disable", Priority::Levels(levels)) => {
            let mut steps = vec![links(&["-f", name, "remove"]), links(&[name, "defaults"])];
            steps.extend(
                levels.iter().map(|(level, starts)| links(&[name, if *starts { "enable" } else { "disable" }, level])),
            );
            steps
        }
        ("disable", _) => {
            vec![links(&["-f", name, "remove"]), links(&[name, "defaults"]), links(&[name, "disable"])]
        }
        ("enable", priority) => {
            let start = if let Priority::Start(start) = priority { *start } else { 20 };
            let (start, stop) = (start.to_string(), (100 - start).to_string());
            vec![links(&["-f", name, "remove"]), links(&[name, "defaults", &start, &stop])]
        }
        (other, _) => vec![script(other)],
    })
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
        let mut current = Current { systemd: host.systemd_running(), ..Current::default() };
        let status = match &desired.status_command {
            Some(line) => {
                let command = Command { until_exit: false, ..Command::line(line.as_str()) };
                Some(command.query(host)?.status.success())
            }
            None => None,
        };
        current.status_failed = status == Some(false);
        if current.systemd {
            systemd_state(desired, host, &mut current)?;
        } else {
            current.script = desired.script.clone().unwrap_or_else(|| format!("/etc/init.d/{}", desired.name));
            current.has_script = compose::exists(host, current.script.as_bytes());
            current.enabled = enabled_by_links(host, &desired.name);
            if status.is_none() {
                current.running = init_running(desired, host, &current)?;
            }
        }
        current.running = status.unwrap_or(current.running);
        Ok(current)
    }

    fn requirements(desired: &Desired, current: &Current, host: &dyn Host) -> Looked<Vec<Assertion>> {
        if let Some(failed) = unfit("Chef::Exceptions::Service", "service", &desired.name) {
            return Ok(vec![failed]);
        }
        if !current.systemd {
            return Ok(init_requirement(desired, host).into_iter().collect());
        }
        let Some(line) = desired.status_command.as_ref().filter(|_| current.status_failed) else {
            return Ok(Vec::new());
        };
        let shown = &desired.shown;
        let failed = format!("Failed to determine status of {shown}, using command {line}.");
        let assumed = "Assuming service would have been installed and is disabled";
        Ok(vec![Assertion::advice().assuming(failed).assuming(assumed)])
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

    fn state(desired: &Desired, current: &Current) -> Vec<(&'static str, State)> {
        vec![
            ("service_name", State::Text(desired.name.clone())),
            ("enabled", State::Bool(current.enabled)),
            ("running", State::Bool(current.running)),
            ("masked", State::Bool(current.masked)),
        ]
    }

    fn class(host: &dyn Host) -> &'static str {
        if host.systemd_running() { "Service::Systemd" } else { "Service::Debian" }
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
