//! `chef_client_cron`: runs the client from cron, as a `directory` for the log and a `cron_d`.

use super::chef_client::{self, Client};
use super::support::*;
use rchef_change::Assertion;
use rchef_host::{Host, compose};
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Args, MethodDef, Res, Value, Vm, def};

pub(crate) struct ChefClientCron;

/// The resource that keeps the job.
const CRON_D: &str = "cron_d";
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
    fn read(vm: &mut Vm, resource: &Value, add: bool, wait: String) -> Res<Desired> {
        let mut carried = Vec::new();
        for property in CARRIED {
            carried.push((property, get(vm, resource, property)?));
        }
        Ok(Desired {
            add,
            client: Client::read(vm, resource)?,
            user: text(vm, resource, "user")?,
            carried,
            mailto: text_opt(vm, resource, "mailto")?,
            comment: text_opt(vm, resource, "comment")?,
            nice: text_opt(vm, resource, "nice")?,
            wait,
            log_directory: text(vm, resource, "log_directory")?,
            log: text(vm, resource, "log_file_name")?,
            appends: flag(vm, resource, "append_log_file")?,
        })
    }

    /// Where the job's output goes.
    fn redirection(&self) -> String {
        let arrow = if self.appends { ">>" } else { ">" };
        format!("{arrow} {} 2>&1", chef_client::joined(&self.log_directory, &self.log))
    }

    /// The command line of the job, given the path of nice(1).
    fn command(&self, nice_program: Option<&str>) -> String {
        let client = &self.client;
        let mut line = format!("/bin/sleep {}; ", self.wait);
        if let Some(nice) = &self.nice {
            line.push_str(&format!("{} -n {nice} ", nice_program.unwrap_or("nice")));
        }
        line.push_str(&format!("{} ", client.program));
        if !client.options.is_empty() {
            line.push_str(&format!("{} ", client.options.join(" ")));
        }
        line.push_str(&format!("-c {} ", client.configuration));
        if client.accepts_license {
            line.push_str("--chef-license accept ");
        }
        line.push_str(&self.redirection());
        if self.mailto.is_some() {
            line.push_str(" || echo \"Chef Infra Client execution failed\"");
        }
        line
    }
}

/// The methods of the provider.
pub(crate) static METHODS: &[MethodDef] = &[
    chef_client::SPLAY,
    def("client_command", client_command, 0),
    def("log_command", log_command, 0),
    def("cron_resource_type", cron_resource_type, 0),
];

fn client_command(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    let wait = chef_client::asked_splay(vm, this, &resource)?;
    let desired = Desired::read(vm, &resource, true, wait)?;
    let program = match &desired.nice {
        Some(_) => vm.call_name(this, "which", &[Value::str("nice")])?,
        None => Value::Nil,
    };
    let program = if program.truthy() { Some(vm.to_s_text(&program)?) } else { None };
    Ok(Value::str(desired.command(program.as_deref())))
}

fn log_command(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    Ok(Value::str(Desired::read(vm, &resource, true, String::new())?.redirection()))
}

fn cron_resource_type(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::sym(CRON_D))
}

impl Composite for ChefClientCron {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["add", "remove"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let splay = get(vm, resource, "splay")?;
        let wait = chef_client::splay(vm, resource, &splay)?;
        let wait = vm.to_s_text(&wait)?;
        Desired::read(vm, resource, action == "add", wait)
    }

    fn requirements(desired: &Desired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        let texts = [&desired.user, &desired.log_directory, &desired.log].into_iter();
        let texts = texts.chain(&desired.mailto).chain(&desired.comment).map(String::as_str);
        Ok(desired.client.unusable(texts))
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        let job = Child::new(CRON_D, &*desired.client.job);
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
        let programs = ["/usr/bin/nice", "/bin/nice"];
        let nice_program = programs.into_iter().find(|path| compose::exists(&*host, path.as_bytes()));
        let command = children.replaced_text("client_command", &[])?;
        children.declare(job.text("command", command.unwrap_or_else(|| desired.command(nice_program)))).map(drop)
    }
}
