//! What the resources that run the client regularly share: the client's command, and the check of the values in it.

use super::support::*;
use rchef_change::Assertion;
use rchef_host::Host;
use rchef_ruby::{Res, Value, Vm};

const INVALID: &str = "Chef::Exceptions::ValidationFailed";

/// The client to run regularly.
pub(crate) struct Client {
    /// Name of the job.
    pub job: String,
    /// The command without its options: the resource's, else this program.
    pub program: String,
    pub options: Vec<String>,
    pub accepts_license: bool,
    pub configuration: String,
}

impl Client {
    /// Reads the properties. The default of `chef_binary_path` is the client of Chef's own package, which is not installed; this program takes its
    /// place.
    pub fn read(vm: &mut Vm, resource: &Value) -> Res<Client> {
        let is_set = vm.call_name(resource, "property_is_set?", &[Value::sym("chef_binary_path")])?.truthy();
        let program = match is_set {
            true => text(vm, resource, "chef_binary_path")?,
            false => own_client(&*vm.host.clone()),
        };
        let directory = text(vm, resource, "config_directory")?;
        Ok(Client {
            job: text(vm, resource, "job_name")?,
            program,
            options: list(vm, resource, "daemon_options")?,
            accepts_license: flag(vm, resource, "accept_chef_license")?,
            configuration: format!("{}/client.rb", directory.trim_end_matches('/')),
        })
    }

    /// Rejects values that would add lines to a crontab or unit file; `more` are values besides those of the command.
    pub fn unusable<'a>(&'a self, more: impl IntoIterator<Item = &'a str>) -> Vec<Assertion> {
        if let Some(failed) = unfit(INVALID, "job", &self.job) {
            return vec![failed];
        }
        let own = [self.program.as_str(), &self.configuration].into_iter();
        let mut values = own.chain(self.options.iter().map(String::as_str)).chain(more);
        let Some(value) = values.find(|value| value.contains(|c: char| c.is_control())) else { return Vec::new() };
        let text = format!("{value:?} cannot be part of a job's command: it holds a control character");
        vec![Assertion::new(INVALID, text)]
    }
}

/// The command of this program's client, with its full path if the system gives it.
fn own_client(host: &dyn Host) -> String {
    match host.readlink(b"/proc/self/exe") {
        Ok(path) if path.starts_with(b"/") => format!("{} client", lossy(&path)),
        _ => "rchef client".to_string(),
    }
}
