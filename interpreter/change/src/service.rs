//! Changes of the state of services.

use crate::{ChangeError, Command, Description, Result, Why};
use rchef_host::queries::{Topic, unit_name};
use rchef_host::{CommandOutput, DoubtKind, ExitStatus, Host, OverlayHost, Queries, compose};
use std::time::Duration;

/// Exit status of systemctl if there is no such unit.
const NOT_INSTALLED: i32 = 5;

/// A step of an action on a service.
#[derive(Clone, Debug)]
pub enum ServiceStep {
    Run(Box<Command>),
    Wait(Duration),
    /// Fails with this message: the service manager has no such action. As in Chef, a why-run shows the action.
    Unsupported(String),
}

#[derive(Clone, Debug)]
pub struct ServiceAction {
    /// `"start"`, `"enable"`, `"mask"`.
    pub verb: String,
    /// The resource as shown.
    pub shown: String,
    pub name: String,
    /// The steps in order; empty if Chef reports the action but runs nothing.
    pub steps: Vec<ServiceStep>,
}

impl ServiceStep {
    fn failure(text: &str) -> ChangeError {
        ChangeError::raise("Chef::Exceptions::UnsupportedAction", text)
    }
}

impl ServiceAction {
    pub fn commands(&self) -> impl Iterator<Item = &Command> {
        self.steps.iter().filter_map(|step| match step {
            ServiceStep::Run(command) => Some(&**command),
            ServiceStep::Wait(_) | ServiceStep::Unsupported(_) => None,
        })
    }

    pub(crate) fn apply(&self, host: &dyn Host) -> Result<()> {
        let mut result = Ok(());
        for step in &self.steps {
            result = match step {
                ServiceStep::Run(command) => command.run(host).map(drop),
                ServiceStep::Wait(time) => host.sleep(*time).map_err(Into::into),
                ServiceStep::Unsupported(text) => Err(ServiceStep::failure(text)),
            };
            if result.is_err() {
                break;
            }
        }
        host.invalidate(Topic::Services);
        result
    }

    pub(crate) fn assume(&self, overlay: &OverlayHost) -> Result<()> {
        if let Some(ServiceStep::Unsupported(text)) = self.steps.first() {
            return Err(ServiceStep::failure(text));
        }
        if let Some(failure) = self.of_no_unit(overlay)? {
            return Err(failure);
        }
        if !overlay.assume_unit_verb(&self.verb, &self.name) {
            overlay.doubt(DoubtKind::Effects, format!("{} of service {}", self.verb, self.name).as_bytes());
        }
        Ok(())
    }

    /// The failure of systemctl to start or enable a unit that does not exist. None if an earlier action with unknown effects may have created it.
    fn of_no_unit(&self, overlay: &OverlayHost) -> Result<Option<ChangeError>> {
        let needs = ["start", "restart", "reload", "enable"].contains(&self.verb.as_str());
        let command = self.commands().find(|command| command.has_word("systemctl") && !command.has_word("--user"));
        let Some(command) = command.filter(|_| needs && !overlay.is_uncertain() && overlay.systemd_running()) else {
            return Ok(None);
        };
        let unit = unit_name(&self.name);
        let Some(stem) = unit.strip_suffix(".service") else { return Ok(None) };
        let state = overlay.services(&[&unit])?.remove(&unit);
        if state.is_none_or(|state| state.load != "not-found")
            || compose::exists(overlay, format!("/etc/init.d/{stem}").as_bytes())
        {
            return Ok(None);
        }
        let (stderr, code) = match self.verb.as_str() {
            "enable" => (format!("Failed to enable unit: Unit file {unit} does not exist.\n"), 1),
            verb => (format!("Failed to {verb} {unit}: Unit {unit} not found.\n"), NOT_INSTALLED),
        };
        let (stderr, status) = (stderr.into_bytes(), ExitStatus::exited(0, code));
        let output = CommandOutput { status, stdout: Vec::new(), stderr, timed_out: false, killed: false };
        Ok(command.failure(&output).map(|failure| ChangeError::Command(Box::new(failure))))
    }

    pub(crate) fn describe(&self) -> Description {
        let (aspect, from, to) = match self.verb.as_str() {
            "start" => ("state", "stopped", "running"),
            "stop" => ("state", "running", "stopped"),
            "enable" => ("boot", "disabled", "enabled"),
            "disable" => ("boot", "enabled", "disabled"),
            "mask" => ("mask", "unmasked", "masked"),
            "unmask" => ("mask", "masked", "unmasked"),
            _ => {
                return Description::new("service", &self.name, Why::Asked).with(
                    "action",
                    None,
                    Some(self.verb.clone()),
                );
            }
        };
        Description::new("service", &self.name, Why::Differs).with(aspect, Some(from.into()), Some(to.into()))
    }
}
