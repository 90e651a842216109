//! Gems of a Ruby installation on the machine, managed by its `gem` program.

use crate::command::Command;
use crate::describe::{Description, Why};
use crate::error::ChangeError;
use rchef_host::Host;

/// The installation or removal of a gem.
#[derive(Clone, Debug)]
pub struct GemChange {
    pub name: String,
    /// The current and the wanted version, as far as they are known.
    pub version: (Option<String>, Option<String>),
    /// The description to show.
    pub words: String,
    pub command: Command,
}

impl GemChange {
    pub(crate) fn apply(&self, host: &dyn Host) -> Result<(), ChangeError> {
        self.command.run(host).map(drop)
    }
    pub(crate) fn describe(&self) -> Description {
        let (from, to) = self.version.clone();
        let why = match (&from, &to) {
            (None, _) => Why::Absent,
            (_, None) => Why::Present,
            _ => Why::Differs,
        };
        Description::new("gem", &self.name, why).with("version", from, to)
    }
}
