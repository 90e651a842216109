//! The `service` providers other than systemd: init scripts, Upstart, and the resource's own commands.

use super::service::{Current, Desired, Priority};
use super::support::*;
use rchef_change::service::ServiceStep;
use rchef_change::{Assertion, ChangeError, Command};
use rchef_host::{Access, Host, compose, files};
use rchef_regexp::{Options, Regexp, SourceKind, TextKind};
use rchef_ruby::{Res, Value, Vm};
use std::time::Duration;

/// The service manager.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    Systemd,
    /// Only the resource's own commands.
    Simple,
    /// Scripts in /etc/init.d, which cannot be enabled.
    Init,
    /// Scripts in /etc/init.d, enabled with `update-rc.d`.
    #[default]
    Debian,
    /// Scripts in /etc/init.d, enabled with `insserv`.
    Insserv,
    /// Scripts in /etc/init.d, run with `invoke-rc.d`.
    Invokercd,
    /// Scripts in /etc/init.d, run with `service` and enabled with `chkconfig`.
    Redhat,
    Upstart,
    /// OpenRC: scripts enabled with `rc-update`.
    Gentoo,
}

/// Class names in `Chef::Provider::Service`.
const CLASSES: &[(&str, Kind)] = &[
    ("Systemd", Kind::Systemd),
    ("Simple", Kind::Simple),
    ("Init", Kind::Init),
    ("Debian", Kind::Debian),
    ("Insserv", Kind::Insserv),
    ("Invokercd", Kind::Invokercd),
    ("Redhat", Kind::Redhat),
    ("Upstart", Kind::Upstart),
    ("Gentoo", Kind::Gentoo),
];

const UPDATE_RC_D: &str = "/usr/sbin/update-rc.d";
const CHKCONFIG: &str = "/sbin/chkconfig";
const RC_UPDATE: &str = "/sbin/rc-update";
const SERVICE_ERROR: &str = "Chef::Exceptions::Service";

impl Kind {
    /// The kind for the resource's `provider`, by that class or its nearest known superclass; without one, the default kind.
    pub(crate) fn of(vm: &mut Vm, resource: &Value) -> Res<Kind> {
        let Value::Class(mut id) = vm.call_name(resource, "provider", &[])? else { return Kind::usual(vm, resource) };
        loop {
            let name = vm.class_name(id);
            let below = name.strip_prefix("Chef::Provider::Service::");
            if let Some((_, kind)) = below.and_then(|below| CLASSES.iter().find(|(known, _)| *known == below)) {
                return Ok(*kind);
            }
            if below.is_some_and(|below| !below.contains("::")) {
                let shown = vm.to_s_text(resource)?;
                let text = format!("{shown}: rchef cannot manage services by {name}");
                return Err(rchef_recipe::run::chef_error(vm, "UnsupportedAction", text));
            }
            match vm.class(id).superclass {
                Some(superclass) => id = superclass,
                None => return Kind::usual(vm, resource),
            }
        }
    }

    /// The default kind: systemd if it is running, else by the node's platform family as in Chef. (Alpine also has OpenRC; Chef's provider there
    /// can start services but not enable them.)
    pub(crate) fn usual(vm: &mut Vm, resource: &Value) -> Res<Kind> {
        if vm.host.clone().systemd_running() {
            return Ok(Kind::Systemd);
        }
        let family = crate::coerce::node_text(vm, resource, "platform_family")?;
        Ok(if matches!(family.as_str(), "gentoo" | "alpine") { Kind::Gentoo } else { Kind::Debian })
    }

    fn has_scripts(self) -> bool {
        !matches!(self, Kind::Systemd | Kind::Simple | Kind::Upstart)
    }
}

/// Reads the state of a service that systemd does not manage; `status` is the result of its `status_command`.
pub(crate) fn load(desired: &Desired, host: &dyn Host, current: &mut Current, status: Option<bool>) -> Looked<()> {
    let name = &desired.name;
    let kind = desired.kind;
    current.script = desired.script.clone().unwrap_or_else(|| match kind {
        Kind::Invokercd => format!("/usr/sbin/invoke-rc.d {name}"),
        Kind::Redhat => format!("/sbin/service {name}"),
        _ => format!("/etc/init.d/{name}"),
    });
    let program = current.script.split(' ').next().unwrap_or_default();
    current.has_script = compose::exists(host, program.as_bytes());
    match kind {
        Kind::Debian => current.enabled = enabled_by_links(host, |link| link == name),
        Kind::Insserv => current.enabled = enabled_by_links(host, |link| link.ends_with(name.as_str())),
        Kind::Redhat => load_levels(desired, host, current)?,
        Kind::Gentoo => current.enabled = in_run_levels(host, name),
        Kind::Upstart => {
            let job = lossy(&compose::read_file(host, job_file(desired).as_bytes()).unwrap_or_default());
            let line = job.lines().find(|line| line.starts_with("start on") || line.starts_with("#start on"));
            current.enabled = line.is_some_and(|line| line.starts_with("start on"));
        }
        _ => {}
    }
    current.running = match status {
        Some(running) => running,
        None if kind == Kind::Upstart => {
            let output = Command::line(format!("/sbin/status {}", job(desired))).query(host);
            let text = output.map(|output| lossy(&output.stdout)).unwrap_or_default();
            // the format is `NAME start/running, process 1`, or `NAME (start) …`
            let goal = text.lines().next().and_then(|line| line.split_whitespace().nth(1)).unwrap_or_default();
            goal.trim_start_matches('(').split([')', '/']).next() == Some("start")
        }
        None => is_running(desired, host, current)?,
    };
    Ok(())
}

/// Whether the service is running: by the script's `status` if supported, else by the process table.
fn is_running(desired: &Desired, host: &dyn Host, current: &Current) -> Looked<bool> {
    // the scripts of Red Hat and OpenRC support `status` unless the resource denies it
    if desired.supports.status.unwrap_or(matches!(desired.kind, Kind::Redhat | Kind::Gentoo)) {
        let command = Command { default_env: true, ..Command::line(format!("{} status", current.script)) };
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
    regexp
        .unwatched()
        .is_match_at(table.as_bytes(), TextKind::of(&table), 0)
        .map_err(|error| invalid(error.to_string()))
}

/// Whether the run levels 2 to 5 have a matching start link.
fn enabled_by_links(host: &dyn Host, fits: impl Fn(&str) -> bool) -> bool {
    (2..=5).any(|level| {
        let dir = format!("/etc/rc{level}.d");
        host.readdir(dir.as_bytes()).is_ok_and(|entries| {
            entries.iter().any(|entry| {
                let text = lossy(&entry.name);
                text.strip_prefix('S').is_some_and(|rest| fits(rest.trim_start_matches(|c: char| c.is_ascii_digit())))
            })
        })
    })
}

/// Whether a service is in any run level of OpenRC, that is anywhere below /etc/runlevels.
fn in_run_levels(host: &dyn Host, name: &str) -> bool {
    let mut folders = vec![b"/etc/runlevels".to_vec()];
    while let Some(folder) = folders.pop() {
        for entry in host.readdir(&folder).unwrap_or_default() {
            let path = files::join(&folder, &entry.name);
            if entry.name == name.as_bytes() && host.access(&path, Access::READ, true).is_ok() {
                return true;
            }
            if host.lstat(&path).is_ok_and(|stat| stat.is_dir()) {
                folders.push(path);
            }
        }
    }
    false
}

/// Reads the run levels from `chkconfig --list`.
fn load_levels(desired: &Desired, host: &dyn Host, current: &mut Current) -> Looked<()> {
    if !compose::exists(host, CHKCONFIG.as_bytes()) {
        return Ok(());
    }
    let command = Command::system([CHKCONFIG, "--list", &desired.name]);
    let output = Command { returns: vec![0, 1], ..command }.run(host)?;
    let text = lossy(&output.stdout);
    current.unknown = lossy(&output.stderr).contains("No such");
    let levels = text.split_whitespace().filter_map(|word| word.split_once(':'));
    current.levels = levels.filter(|(_, state)| *state == "on").map(|(level, _)| level.to_string()).collect();
    let wanted = &desired.run_levels;
    current.enabled = if wanted.is_empty() {
        !current.levels.is_empty()
    } else {
        wanted.len() == current.levels.len() && wanted.iter().all(|level| current.levels.contains(level))
    };
    Ok(())
}

/// The assertions for services that systemd does not manage.
pub(crate) fn requirements(desired: &Desired, current: &Current, host: &dyn Host) -> Vec<Assertion> {
    let (verb, shown, kind) = (desired.verb, &desired.shown, desired.kind);
    let own = |verb: &str| desired.command(verb).is_some();
    let needs = |message: String| vec![Assertion::new(SERVICE_ERROR, message)];
    match (kind, verb) {
        (Kind::Simple, "start" | "stop") if !own(verb) => needs(format!("{shown} requires that {verb}_command be set")),
        (Kind::Simple, "restart") if !(own("restart") || own("start") && own("stop")) => needs(format!(
            "{shown} requires a restart_command or both start_command and stop_command be set in order to perform a restart"
        )),
        (Kind::Simple, "reload") if !own("reload") => {
            let text = format!("{shown} requires a reload_command be set in order to perform a reload");
            vec![Assertion::new("Chef::Exceptions::UnsupportedAction", text)]
        }
        (Kind::Init | Kind::Insserv | Kind::Invokercd, "start" | "stop" | "restart" | "reload")
            if !own(verb) && !current.has_script =>
        {
            let script = &current.script;
            let assume =
                format!("Init script '{script}' doesn't exist, assuming a prior action would have created it.");
            vec![Assertion::new(SERVICE_ERROR, format!("{script} does not exist!")).assuming(assume)]
        }
        (Kind::Debian, _) if !compose::exists(host, UPDATE_RC_D.as_bytes()) => {
            needs(format!("{UPDATE_RC_D} does not exist!"))
        }
        (Kind::Redhat, _) if !compose::exists(host, CHKCONFIG.as_bytes()) => {
            needs(format!("{CHKCONFIG} does not exist!"))
        }
        (Kind::Redhat, "enable" | "start" | "reload" | "restart") if current.unknown => {
            let is_free = verb != "enable" && (desired.script.is_some() || own(verb));
            let message = if verb == "enable" {
                format!("{shown}: Service is not known to chkconfig.")
            } else {
                format!("{shown}: No custom command for {verb} specified and unable to locate the init.d script!")
            };
            let assume = "Assuming service would be enabled. The init script is not presently installed.";
            if is_free { Vec::new() } else { vec![Assertion::new(SERVICE_ERROR, message).assuming(assume)] }
        }
        (Kind::Gentoo, _) if !compose::exists(host, RC_UPDATE.as_bytes()) => {
            needs(format!("{RC_UPDATE} does not exist"))
        }
        (Kind::Gentoo, _) if !current.enabled => {
            let text = format!("Could not find service {} under any runlevel", desired.name);
            vec![Assertion::advice().assuming(text)]
        }
        (Kind::Upstart, _) if !compose::exists(host, job_file(desired).as_bytes()) => {
            let text = format!("Could not find {}. Assuming service is disabled.", job_file(desired));
            vec![Assertion::advice().assuming(text)]
        }
        _ => Vec::new(),
    }
}

fn job_file(desired: &Desired) -> String {
    format!("/etc/init/{}.conf", desired.name)
}

/// The Upstart job's name with its arguments, as in a command line.
fn job(desired: &Desired) -> String {
    let arguments = desired.parameters.iter().map(|(name, value)| format!(" {name}={value}"));
    [desired.name.clone()].into_iter().chain(arguments).collect()
}

/// The commands of an action.
pub(crate) fn steps(desired: &Desired, current: &Current, host: &dyn Host) -> Looked<Vec<ServiceStep>> {
    let (name, verb, limit) = (desired.name.as_str(), desired.verb, desired.timeout);
    let is_enabling = matches!(verb, "enable") && matches!(desired.kind, Kind::Simple | Kind::Init | Kind::Invokercd);
    if is_enabling || matches!(verb, "mask" | "unmask") {
        return Ok(vec![ServiceStep::Unsupported(format!("{} does not support :{verb}", desired.shown))]);
    }
    let run = |line: String| ServiceStep::Run(Box::new(Command::line(line).within(limit)));
    if let Some(line) = desired.command(verb) {
        return Ok(vec![run(line.to_string())]);
    }
    let system = |words: &[&str]| {
        let line = words.join(" ");
        ServiceStep::Run(Box::new(Command { default_env: true, ..Command::line(line).within(limit) }))
    };
    // the resource's own `stop_command` and `start_command` override the script in a restart
    let script = |verb: &str| {
        let usual = match desired.kind {
            Kind::Upstart => format!("/sbin/{verb} {}", job(desired)),
            _ => format!("{} {verb}", current.script),
        };
        run(desired.command(verb).map_or(usual, str::to_string))
    };
    let in_turn = || vec![script("stop"), ServiceStep::Wait(Duration::from_secs(1)), script("start")];
    Ok(match (desired.kind, verb) {
        (Kind::Upstart, "restart") if !current.running => vec![script("start")],
        (Kind::Upstart | Kind::Simple, "restart") => in_turn(),
        (kind, "restart") if kind.has_scripts() && !desired.supports.restart.unwrap_or(kind == Kind::Gentoo) => {
            in_turn()
        }
        // as in Chef: a script that does not support reload is not run, but the service counts as reloaded
        (kind, "reload") if kind.has_scripts() && !desired.supports.reload => Vec::new(),
        (Kind::Debian, "enable" | "disable") => links(desired, &system),
        (Kind::Insserv, "enable") => {
            vec![system(&["/sbin/insserv", "-r", "-f", name]), system(&["/sbin/insserv", "-d", "-f", name])]
        }
        (Kind::Insserv, "disable") => vec![system(&["/sbin/insserv", "-r", "-f", name])],
        (Kind::Redhat, "enable" | "disable") => levels(desired, current, &system),
        (Kind::Gentoo, "enable") => vec![system(&[RC_UPDATE, "add", name, "default"])],
        (Kind::Gentoo, "disable") => vec![system(&[RC_UPDATE, "del", name, "default"])],
        (Kind::Upstart, "enable" | "disable") => {
            let expression = if verb == "enable" { "s/^#start on/start on/" } else { "s/^start on/#start on/" };
            let command = Command::system(["sed", "-i", expression, &job_file(desired)]);
            if compose::exists(host, job_file(desired).as_bytes()) {
                vec![ServiceStep::Run(Box::new(command.within(limit)))]
            } else {
                let text = format!("{} does not exist, so its job cannot be {verb}d", job_file(desired));
                return Err(ChangeError::raise(SERVICE_ERROR, text));
            }
        }
        (_, other) => vec![script(other)],
    })
}

/// The `update-rc.d` commands that enable or disable.
fn links(desired: &Desired, system: &dyn Fn(&[&str]) -> ServiceStep) -> Vec<ServiceStep> {
    let name = desired.name.as_str();
    let links = |words: &[&str]| system(&[&[UPDATE_RC_D], words].concat());
    match (desired.verb, &desired.priority) {
        (_, Priority::Levels(levels)) => {
            let mut steps = vec![links(&["-f", name, "remove"]), links(&[name, "defaults"])];
            steps.extend(
                levels.iter().map(|(level, starts)| links(&[name, if *starts { "enable" } else { "disable" }, level])),
            );
            steps
        }
        ("disable", _) => vec![links(&["-f", name, "remove"]), links(&[name, "defaults"]), links(&[name, "disable"])],
        (_, priority) => {
            let start = if let Priority::Start(start) = priority { *start } else { 20 };
            let (start, stop) = (start.to_string(), (100 - start).to_string());
            vec![links(&["-f", name, "remove"]), links(&[name, "defaults", &start, &stop])]
        }
    }
}

/// The `chkconfig` commands that enable or disable, in the resource's run levels.
fn levels(desired: &Desired, current: &Current, system: &dyn Fn(&[&str]) -> ServiceStep) -> Vec<ServiceStep> {
    let (name, wanted) = (desired.name.as_str(), desired.run_levels.concat());
    let state = if desired.verb == "enable" { "on" } else { "off" };
    let mut steps = Vec::new();
    let others: String = current.levels.iter().filter(|level| !desired.run_levels.contains(level)).cloned().collect();
    if desired.verb == "enable" && !wanted.is_empty() && !others.is_empty() {
        steps.push(system(&[CHKCONFIG, "--level", &others, name, "off"]));
    }
    steps.push(if wanted.is_empty() {
        system(&[CHKCONFIG, name, state])
    } else {
        system(&[CHKCONFIG, "--level", &wanted, name, state])
    });
    steps
}
