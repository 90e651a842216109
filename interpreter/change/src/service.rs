//! The state of services.

use crate::{Command, Description, Result, Why};
use rchef_host::queries::Topic;
use rchef_host::{DoubtKind, Host, OverlayHost};
use std::time::Duration;

/// A part of an action on a service.
#[derive(Clone, Debug)]
pub enum ServiceStep {
    /// A command.
    Run(Box<Command>),
    /// A time to wait.
    Wait(Duration),
}

/// An action on a service.
#[derive(Clone, Debug)]
pub struct ServiceAction {
    /// `"start"`, `"enable"`, `"mask"`.
    pub verb: String,
    /// The resource as it is shown.
    pub shown: String,
    /// The service's name.
    pub name: String,
    /// What does it, in order. Empty where Chef says it is done and runs nothing.
    pub steps: Vec<ServiceStep>,
}

impl ServiceAction {
    /// The commands among its steps.
    pub fn commands(&self) -> impl Iterator<Item = &Command> {
        self.steps.iter().filter_map(|step| match step {
            ServiceStep::Run(command) => Some(&**command),
            ServiceStep::Wait(_) => None,
        })
    }

    pub(crate) fn apply(&self, host: &dyn Host) -> Result<()> {
        let mut result = Ok(());
        for step in &self.steps {
            result = match step {
                ServiceStep::Run(command) => command.run(host).map(drop),
                ServiceStep::Wait(time) => host.sleep(*time).map_err(Into::into),
            };
            if result.is_err() {
                break;
            }
        }
        host.invalidate(Topic::Services);
        result
    }

    pub(crate) fn assume(&self, overlay: &OverlayHost) -> Result<()> {
        if !overlay.assume_unit_verb(&self.verb, &self.name) {
            overlay.doubt(DoubtKind::Effects, format!("{} of service {}", self.verb, self.name).as_bytes());
        }
        Ok(())
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
