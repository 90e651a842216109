//! `timezone`: the system's time zone.

use super::support::*;
use rchef_change::{Assertion, ChangeError, Command};
use rchef_host::{Host, compose};
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Res, Value, Vm};

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

impl Desired {
    fn is_red_hat(&self) -> bool {
        matches!(self.family.as_str(), "rhel" | "amazon")
    }

    fn current(&self, host: &dyn Host) -> Looked<Option<String>> {
        if host.systemd_running() {
            let output = Command::system([TIMEDATECTL, "status"]).query(host)?;
            if !output.status.success() {
                let text = "There was an error running the timedatectl command";
                return Err(ChangeError::raise("RuntimeError", text));
            }
            let text = lossy(&output.stdout);
            let zone = text.lines().find_map(|line| line.split_once("Time zone: "));
            return Ok(zone.map(|(_, zone)| zone.split(" (").next().unwrap_or(zone).to_string()));
        }
        if !self.is_red_hat() {
            return Ok(None);
        }
        let text = lossy(&compose::read_file(host, CLOCK.as_bytes()).unwrap_or_default());
        let zone = text.lines().find_map(|line| line.split_once("ZONE=\"")?.1.split_once('"'));
        Ok(zone.map(|(zone, _)| zone.to_string()))
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
