//! `systemd_unit`: unit files, and the state of units.

use super::support::*;
use rchef_change::{Account, Assertion, ChangeError, Command, Task, Why};
use rchef_host::queries::ServiceState;
use rchef_host::{Host, compose};
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct SystemdUnit;

/// The action, the `systemctl` subcommand, and Chef's words for it before `unit: NAME`.
const ACTIONS: &[(&str, &str, &str)] = &[
    ("create", "", "creating"),
    ("delete", "", "deleting"),
    ("preset", "preset", "restoring enable/disable preset configuration for"),
    ("revert", "revert", "reverting to vendor version of"),
    ("enable", "enable", "enabling"),
    ("disable", "disable", "disabling"),
    ("reenable", "reenable", "reenabling"),
    ("mask", "mask", "masking"),
    ("unmask", "unmask", "unmasking"),
    ("start", "start", "starting"),
    ("stop", "stop", "stopping"),
    ("restart", "restart", "restarting"),
    ("reload", "reload", "reloading"),
    ("try_restart", "try-restart", "try-restarting"),
    ("reload_or_restart", "reload-or-restart", "reload-or-restarting"),
    ("reload_or_try_restart", "reload-or-try-restart", "reload-or-try-restarting"),
];

/// Actions whose commands get the locale and PATH of Chef's default environment; started units do not inherit it.
const SETTLED_ENV: &[&str] = &["preset", "revert", "enable", "disable", "reenable", "mask", "unmask"];

/// What a `systemd_unit` resource asks for.
pub(crate) struct Desired {
    action: &'static str,
    unit: String,
    /// The user whose unit it is; None for a system unit.
    user: Option<String>,
    /// The text of the unit file; None if the action needs none.
    content: Option<String>,
    triggers_reload: bool,
    verify: bool,
    sensitive: bool,
}

impl Desired {
    fn path(&self) -> String {
        let scope = if self.user.is_some() { "user" } else { "system" };
        format!("/etc/systemd/{scope}/{}", self.unit)
    }

    /// `systemctl` for the system or, for a user unit, run as that user.
    fn systemctl(&self, host: &dyn Host, words: &[&str]) -> Looked<Command> {
        let program = which(host, "systemctl").unwrap_or_else(|| "systemctl".into());
        let scope = if self.user.is_some() { "--user" } else { "--system" };
        let words = [program.as_str(), scope].into_iter().chain(words.iter().copied());
        let mut command = Command::argv(words.map(|word| word.as_bytes().to_vec()));
        if let Some(user) = &self.user {
            let Some(found) = host.user_by_name(user.as_bytes())? else {
                return Err(ChangeError::raise("ArgumentError", format!("can't find user for {user}")));
            };
            command.user = Some(Account::Id(found.uid));
            let bus = format!("unix:path=/run/user/{}/bus", found.uid);
            command = command.with_env("DBUS_SESSION_BUS_ADDRESS", &bus);
        }
        Ok(command)
    }

    /// The state of the unit. systemd has none for a template unit (`NAME@.service`); that is no error.
    fn state(&self, host: &dyn Host) -> Looked<ServiceState> {
        if self.user.is_none() {
            let found = host.services(&[&self.unit]).unwrap_or_default();
            return Ok(found.get(&self.unit).cloned().unwrap_or_default());
        }
        let command = self.systemctl(host, &["show", "-p", "UnitFileState", "-p", "ActiveState", &self.unit])?;
        let text = lossy(&command.query(host)?.stdout);
        let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default().to_string();
        Ok(ServiceState { active: value("ActiveState="), unit_file: value("UnitFileState="), ..Default::default() })
    }

    /// Whether the action has anything to do in this state.
    fn is_due(&self, state: &ServiceState) -> bool {
        let unit_file = state.unit_file.as_str();
        let fixed = matches!(unit_file, "static" | "indirect");
        let enabled = matches!(unit_file, "enabled" | "static" | "generated" | "alias" | "indirect");
        let active = state.active == "active";
        match self.action {
            "enable" => !enabled && !fixed,
            "disable" => enabled && !fixed,
            "mask" => unit_file != "masked",
            "unmask" => unit_file == "masked",
            "start" => !active,
            "stop" | "reload" => active,
            _ => true,
        }
    }

    /// The `file` resource of the unit file.
    fn file(&self, action: &'static str) -> Child {
        let mut file = Child::new("file", self.path()).text("owner", "root").text("group", "root").text("mode", "0644");
        file = file.flag("sensitive", self.sensitive).text("content", self.content.as_deref().unwrap_or_default());
        if self.verify {
            file = file.set("verify", Value::sym("systemd_unit"));
        }
        file.action(action)
    }

    /// Creates or deletes the unit file, and makes systemd reload its units.
    fn write(&self, children: &mut Children<'_>, task: Task) -> Res<()> {
        let action = self.action;
        let reload = match self.triggers_reload {
            true => Some(children.look(|host| self.systemctl(host, &["daemon-reload"]))?),
            false => None,
        };
        let task = reload.into_iter().fold(task, Task::run);
        children.converge(task, |children| children.declare(self.file(action)).map(drop))
    }
}

/// The first line of a unit file that is not a section, option, comment or continuation line.
fn bad_line(text: &str) -> Option<&str> {
    let mut continues = false;
    text.lines().find(|line| {
        let trimmed = line.trim();
        let fits = continues
            || trimmed.is_empty()
            || trimmed.starts_with(['#', ';'])
            || trimmed.starts_with('[') && trimmed.contains(']')
            || line.split_once('=').is_some_and(|(key, _)| !key.trim().is_empty());
        continues = trimmed.ends_with('\\');
        !fits
    })
}

impl Composite for SystemdUnit {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &[
        "create",
        "delete",
        "preset",
        "revert",
        "enable",
        "disable",
        "reenable",
        "mask",
        "unmask",
        "start",
        "stop",
        "restart",
        "reload",
        "try_restart",
        "reload_or_restart",
        "reload_or_try_restart",
    ];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let content = match action {
            "create" | "delete" => Some(text(vm, resource, "to_ini")?),
            _ => None,
        };
        Ok(Desired {
            action,
            unit: text(vm, resource, "unit_name")?,
            user: text_opt(vm, resource, "user")?,
            content,
            triggers_reload: flag(vm, resource, "triggers_reload")?,
            verify: flag(vm, resource, "verify")?,
            sensitive: flag(vm, resource, "sensitive")?,
        })
    }

    fn requirements(desired: &Desired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        let class = "Chef::Exceptions::Service";
        let mut failed: Vec<Assertion> = unfit(class, "unit", &desired.unit).into_iter().collect();
        if desired.action == "create"
            && let Some(line) = desired.content.as_deref().and_then(bad_line)
        {
            let shown = if desired.sensitive { String::new() } else { format!(": {line:?}") };
            failed.push(Assertion::new("RuntimeError", format!("Unit content is not valid INI text{shown}")));
        }
        Ok(failed)
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        let Some((action, command, words)) = ACTIONS.iter().find(|(action, ..)| *action == desired.action) else {
            return Ok(());
        };
        let (unit, path) = (&desired.unit, desired.path());
        let host = children.host();
        let line = format!("{words} unit: {unit}");
        match *action {
            "create" => {
                let found = compose::read_file(&*host, path.as_bytes()).ok();
                if found.as_deref() == desired.content.as_deref().map(str::as_bytes) {
                    return Ok(());
                }
                let why = if found.is_some() { Why::Differs } else { Why::Absent };
                return desired.write(children, Task::new("systemd_unit", unit, why, line));
            }
            "delete" if compose::exists(&*host, path.as_bytes()) => {
                return desired.write(children, Task::new("systemd_unit", unit, Why::Present, line));
            }
            "delete" => return Ok(()),
            _ => {}
        }
        let state = children.look(|host| desired.state(host))?;
        if !desired.is_due(&state) {
            return Ok(());
        }
        let mut run = children.look(|host| desired.systemctl(host, &[command, unit]))?;
        run.default_env = SETTLED_ENV.contains(action);
        let why = if matches!(*action, "enable" | "disable" | "mask" | "unmask" | "start" | "stop") {
            Why::Differs
        } else {
            Why::Asked
        };
        children
            .change(Task::new("systemd_unit", unit, why, line).with("action", None, Some((*action).into())).run(run))
    }
}

#[cfg(test)]
mod tests {
    use super::bad_line;

    #[test]
    fn lines_of_units() {
        let unit = "# c\n[Unit]\nDescription=x\n\n[Service]\nExecStart=/bin/a \\\n  --b \\\n  c\nEnvironment=\n";
        assert_eq!(bad_line(unit), None);
        assert_eq!(bad_line("[Unit]\nnonsense\n"), Some("nonsense"));
        assert_eq!(bad_line("=x\n"), Some("=x"));
    }
}
