//! What the resources that run the client regularly share: the client's command, and the check of the values in it.

use super::support::*;
use rchef_change::Assertion;
use rchef_host::Host;
use rchef_ruby::{Args, MethodDef, Res, Value, Vm, def, sym};

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
            configuration: in_configuration(&directory),
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

/// The method of the providers that tells how long a node waits before its client runs.
pub(crate) const SPLAY: MethodDef = def("splay_sleep_time", splay_sleep_time, 1);

fn splay_sleep_time(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    splay(vm, this, args.at(0))
}

/// A number of seconds below the splay that is always the same for a node: from Ruby's generator, seeded with the node's `shard_seed` or else with
/// the digest of its name. `this` is what knows the node.
pub(crate) fn splay(vm: &mut Vm, this: &Value, splay: &Value) -> Res {
    if vm.to_int(splay)? == 0 {
        return Ok(Value::Int(0));
    }
    let mut seed = crate::coerce::node(vm, this, "shard_seed")?;
    if !seed.truthy() {
        rchef_ruby::embed::load::require(vm, "digest")?;
        let node = crate::coerce::read(vm, this, "node")?;
        let name = vm.call_name(&node, "name", &[])?;
        let Some(digest) = vm.class_named("Digest::MD5") else { return Err(vm.not_implemented("Digest::MD5")) };
        let digits = vm.call_name(&Value::Class(digest), "hexdigest", &[name])?;
        seed = vm.call_name(&digits, "hex", &[])?;
    }
    let seed = vm.call_name(&seed, "to_i", &[])?;
    let Some(random) = vm.class_named("Random") else { return Err(vm.not_implemented("Random")) };
    let random = vm.call(&Value::Class(random), sym::NEW, &[seed])?;
    vm.call_name(&random, "rand", std::slice::from_ref(splay))
}

/// What a provider's `splay_sleep_time`, which Ruby code may replace, answers for the splay of its resource.
pub(crate) fn asked_splay(vm: &mut Vm, provider: &Value, resource: &Value) -> Res<String> {
    let splay = get(vm, resource, "splay")?;
    let wait = vm.call_name(provider, SPLAY.name, &[splay])?;
    vm.to_s_text(&wait)
}

/// The client's configuration file in its directory.
pub(crate) fn in_configuration(directory: &str) -> String {
    joined(directory, "client.rb")
}

/// A file in a directory, as `File.join` names it.
pub(crate) fn joined(directory: &str, file: &str) -> String {
    format!("{}/{file}", directory.trim_end_matches('/'))
}

/// The command of this program's client, with its full path if the system gives it.
fn own_client(host: &dyn Host) -> String {
    match host.readlink(b"/proc/self/exe") {
        Ok(path) if path.starts_with(b"/") => format!("{} client", lossy(&path)),
        _ => "rchef client".to_string(),
    }
}
