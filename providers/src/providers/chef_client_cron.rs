//! `chef_client_cron`: runs the client from cron, as a `directory` for the log and a `cron_d`.

use super::chef_client::Client;
use super::support::*;
use rchef_change::Assertion;
use rchef_host::{Host, compose};
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Res, Value, Vm, sym};

pub(crate) struct ChefClientCron;

/// Properties that are passed to the `cron_d` unchanged.
const CARRIED: [&str; 7] = ["minute", "hour", "day", "weekday", "month", "environment", "user"];

/// What a `chef_client_cron` resource asks for.
pub(crate) struct Desired {
    add: bool,
    client: Client,
    user: String,
    /// Properties of the `cron_d`.
    carried: Vec<(&'static str, Value)>,
    mailto: Option<String>,
    comment: Option<String>,
    nice: Option<String>,
    /// Seconds to sleep before the run.
    wait: String,
    log_directory: String,
    log: String,
    appends: bool,
}

impl Desired {
    /// The command line of the job.
    fn command(&self, host: &dyn Host) -> String {
        let client = &self.client;
        let mut line = format!("/bin/sleep {}; ", self.wait);
        if let Some(nice) = &self.nice {
            let program =
                ["/usr/bin/nice", "/bin/nice"].into_iter().find(|path| compose::exists(host, path.as_bytes()));
            line.push_str(&format!("{} -n {nice} ", program.unwrap_or("nice")));
        }
        line.push_str(&format!("{} ", client.program));
        if !client.options.is_empty() {
            line.push_str(&format!("{} ", client.options.join(" ")));
        }
        line.push_str(&format!("-c {} ", client.configuration));
        if client.accepts_license {
            line.push_str("--chef-license accept ");
        }
        let arrow = if self.appends { ">>" } else { ">" };
        line.push_str(&format!("{arrow} {}/{} 2>&1", self.log_directory.trim_end_matches('/'), self.log));
        if self.mailto.is_some() {
            line.push_str(" || echo \"Chef Infra Client execution failed\"");
        }
        line
    }
}

/// A number of seconds below the splay that is always the same for a node: from Ruby's generator, seeded with the node's `shard_seed` or else with
/// the digest of its name.
fn wait(vm: &mut Vm, resource: &Value) -> Res<String> {
    let splay = get(vm, resource, "splay")?;
    if vm.to_int(&splay)? == 0 {
        return Ok("0".into());
    }
    let mut seed = crate::coerce::node(vm, resource, "shard_seed")?;
    if !seed.truthy() {
        rchef_ruby::embed::load::require(vm, "digest")?;
        let node = crate::coerce::read(vm, resource, "node")?;
        let name = vm.call_name(&node, "name", &[])?;
        let Some(digest) = vm.class_named("Digest::MD5") else { return Err(vm.not_implemented("Digest::MD5")) };
        let digits = vm.call_name(&Value::Class(digest), "hexdigest", &[name])?;
        seed = vm.call_name(&digits, "hex", &[])?;
    }
    let seed = vm.call_name(&seed, "to_i", &[])?;
    let Some(random) = vm.class_named("Random") else { return Err(vm.not_implemented("Random")) };
    let random = vm.call(&Value::Class(random), sym::NEW, &[seed])?;
    let number = vm.call_name(&random, "rand", &[splay])?;
    vm.to_s_text(&number)
}

impl Composite for ChefClientCron {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["add", "remove"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let mut carried = Vec::new();
        for property in CARRIED {
            carried.push((property, get(vm, resource, property)?));
        }
        Ok(Desired {
            add: action == "add",
            client: Client::read(vm, resource)?,
            user: text(vm, resource, "user")?,
            carried,
            mailto: text_opt(vm, resource, "mailto")?,
            comment: text_opt(vm, resource, "comment")?,
            nice: text_opt(vm, resource, "nice")?,
            wait: wait(vm, resource)?,
            log_directory: text(vm, resource, "log_directory")?,
            log: text(vm, resource, "log_file_name")?,
            appends: flag(vm, resource, "append_log_file")?,
        })
    }

    fn requirements(desired: &Desired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        let texts = [&desired.user, &desired.log_directory, &desired.log].into_iter();
        let texts = texts.chain(&desired.mailto).chain(&desired.comment).map(String::as_str);
        Ok(desired.client.unusable(texts))
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        let job = Child::new("cron_d", &*desired.client.job);
        if !desired.add {
            return children.declare(job.action("delete")).map(drop);
        }
        let host = children.host();
        if !compose::exists(&*host, desired.log_directory.as_bytes()) {
            let directory = Child::new("directory", &*desired.log_directory).text("owner", &desired.user);
            children.declare(directory.text("mode", "0750").flag("recursive", true))?;
        }
        let mut job = desired.carried.iter().fold(job, |job, (name, value)| job.set(name, value.clone()));
        for (name, value) in [("mailto", &desired.mailto), ("comment", &desired.comment)] {
            if let Some(value) = value {
                job = job.text(name, value);
            }
        }
        children.declare(job.text("command", desired.command(&*host))).map(drop)
    }
}
