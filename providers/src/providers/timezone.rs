//! `timezone`: the system's time zone.

use super::support::*;
use rchef_change::{Assertion, ChangeError, Command};
use rchef_host::{Host, compose};
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Args, MethodDef, Res, Value, Vm, def};

pub(crate) struct Timezone;

/// What a `timezone` resource asks for.
pub(crate) struct Desired {
    name: String,
    zone: String,
    family: String,
}

/// systemd's program for the time zone.
const TIMEDATECTL: &str = "/usr/bin/timedatectl";
/// The file with the zone on old Red Hat releases, and the program that applies it.
const CLOCK: &str = "/etc/sysconfig/clock";
const UPDATE: &str = "/usr/sbin/tzdata-update";

/// The zone in what `timedatectl status` tells.
fn of_systemd(status: &str) -> Option<&str> {
    let (_, zone) = status.lines().find_map(|line| line.split_once("Time zone: "))?;
    zone.split(" (").next()
}

/// The zone in /etc/sysconfig/clock.
fn of_clock(clock: &str) -> Option<&str> {
    clock.lines().find_map(|line| line.split_once("ZONE=\"")?.1.split_once('"')).map(|(zone, _)| zone)
}

const UNANSWERED: &str = "There was an error running the timedatectl command";

/// The methods of the resource that tell the zone which is set.
pub(crate) static METHODS: &[MethodDef] = &[
    def("current_macos_tz", current_macos_tz, 0),
    def("current_windows_tz", current_windows_tz, 0),
    def("current_systemd_tz", current_systemd_tz, 0),
    def("current_rhel_tz", current_rhel_tz, 0),
];

fn zone(zone: Option<&str>) -> Value {
    zone.map(Value::str).unwrap_or_default()
}

fn words(words: &[&str]) -> Value {
    crate::coerce::strings(words.iter().copied())
}

fn current_macos_tz(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let done = vm.call_name(this, "shell_out!", &[words(&["systemsetup", "-gettimezone"])])?;
    let told = stdout(vm, &done)?;
    if told.contains("You need administrator access") {
        let text = "The timezone resource requires administrative privileges to run on macOS hosts!";
        return Err(failure(vm, "RuntimeError", text));
    }
    Ok(zone(told.lines().find_map(|line| line.split_once("Time Zone: ")).map(|(_, zone)| zone)))
}

fn current_windows_tz(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let done = vm.call_name(this, "shell_out", &[Value::str("tzutil /g")])?;
    if flag(vm, &done, "error?")? {
        return Err(failure(vm, "RuntimeError", "There was an error running the tzutil command"));
    }
    Ok(Value::str(stdout(vm, &done)?.trim()))
}

fn current_systemd_tz(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let done = vm.call_name(this, "shell_out", &[words(&[TIMEDATECTL, "status"])])?;
    if flag(vm, &done, "error?")? {
        return Err(failure(vm, "RuntimeError", UNANSWERED));
    }
    Ok(zone(of_systemd(&stdout(vm, &done)?)))
}

fn current_rhel_tz(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let (file, path) = (constant(vm, "File")?, Value::str(CLOCK));
    if !vm.call_name(&file, "exist?", std::slice::from_ref(&path))?.truthy() {
        return Ok(Value::Nil);
    }
    let clock = vm.call_name(&file, "read", &[path])?;
    Ok(zone(of_clock(&vm.to_s_text(&clock)?)))
}

impl Desired {
    fn is_red_hat(&self) -> bool {
        matches!(self.family.as_str(), "rhel" | "amazon")
    }

    fn current(&self, host: &dyn Host) -> Looked<Option<String>> {
        if host.systemd_running() {
            let output = Command::system([TIMEDATECTL, "status"]).query(host)?;
            if !output.status.success() {
                return Err(ChangeError::raise("RuntimeError", UNANSWERED));
            }
            return Ok(of_systemd(&lossy(&output.stdout)).map(str::to_string));
        }
        if !self.is_red_hat() {
            return Ok(None);
        }
        let text = lossy(&compose::read_file(host, CLOCK.as_bytes()).unwrap_or_default());
        Ok(of_clock(&text).map(str::to_string))
    }

    /// Sets the zone. As in Chef, nothing is done without systemd outside the Red Hat family.
    fn set(&self, children: &mut Children<'_>) -> Res<()> {
        let host = children.host();
        if host.systemd_running() {
            let package = if self.family == "suse" { "timezone" } else { "tzdata" };
            children.declare(Child::new("package", package))?;
            let command = Command::system([TIMEDATECTL, "--no-ask-password", "set-timezone", &self.zone]);
            return children.look(|host| command.run(host)).map(drop);
        }
        if !self.is_red_hat() {
            return Ok(());
        }
        let can_update =
            |host: &dyn Host| Ok(host.access(UPDATE.as_bytes(), rchef_host::Access::EXECUTE, true).is_ok());
        children.declare(Child::new("package", "tzdata"))?;
        children.declare(
            Child::new("execute", "tzdata-update").text("command", UPDATE).only_if(can_update).action("nothing"),
        )?;
        children.declare(
            Child::new("file", CLOCK)
                .text("owner", "root")
                .text("group", "root")
                .text("mode", "0644")
                .text("content", format!("ZONE=\"{}\"\nUTC=\"true\"\n", self.zone))
                .notifies("run", "execute[tzdata-update]", "immediately")
                .action("create"),
        )?;
        let link = Child::new("link", "/etc/localtime").text("to", format!("/usr/share/zoneinfo/{}", self.zone));
        children.declare(link.not_if(can_update)).map(drop)
    }
}

impl Composite for Timezone {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["set"];

    fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<Desired> {
        let family = crate::coerce::node_text(vm, resource, "platform_family")?;
        Ok(Desired { name: text(vm, resource, "name")?, zone: text(vm, resource, "timezone")?, family })
    }

    fn requirements(desired: &Desired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(unfit("ArgumentError", "time zone", &desired.zone).into_iter().collect())
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        // Chef compares with a resource of the same name: where it reads no zone, `timezone` of that one is the name
        let zone = children.look(|host| desired.current(host))?.unwrap_or_else(|| desired.name.clone());
        let current = vec![("timezone", Value::str(zone))];
        let Some(task) = children.differences("timezone", Some(current), &["timezone"])? else { return Ok(()) };
        children.converge(task, |children| desired.set(children))
    }
}
