use crate::coerce;
use crate::prelude::*;
use crate::providers::chef_client::{SPLAY, asked_splay, in_configuration, joined};
use crate::providers::support::{flag, list, new_resource, text};
use rchef_ruby::{Args, MethodDef, def};

pub static DEF: ResourceDef = ResourceDef {
    name: "chef_client_launchd",
    class: "ChefClientLaunchd",
    doc: "Runs the client from launchd (macOS).",
    introduced: "16.5",
    provides: &[Provides::always("chef_client_launchd")],
    actions: &["enable", "disable"],
    default_action: &["enable"],
    properties: &[
        prop("user", &[Str]).default(LitStr("root")).doc("Who runs it."),
        prop("working_directory", &[Str]).default(LitStr("/var/root")).doc("Directory to run in."),
        prop("interval", &[Int, Str])
            .coerce(coerce::integer)
            .default(LitInt(30))
            .callbacks(&[("should be a positive number", coerce::positive)])
            .doc("Minutes between runs."),
        prop("splay", &[Int, Str])
            .coerce(coerce::integer)
            .default(LitInt(300))
            .callbacks(&[("should be a positive number", coerce::not_negative)])
            .doc("Most seconds to wait at random before a run."),
        prop("accept_chef_license", &[Bool]).default(False).doc("Accept the licence."),
        prop("config_directory", &[Str]).default(LitStr("/etc/chef")).doc("Directory of client.rb."),
        prop("log_directory", &[Str]).default(LitStr("/Library/Logs/Chef")).doc("Directory of the log."),
        prop("log_file_name", &[Str]).default(LitStr("client.log")).doc("Name of the log."),
        prop("chef_binary_path", &[Str]).default(LitStr("/opt/chef/bin/chef-client")).doc("The client."),
        prop("daemon_options", &[Array]).default_empty(Array).doc("Further options."),
        prop("environment", &[Hash]).default_empty(Hash).doc("Environment variables."),
        prop("nice", &[Int, Str])
            .coerce(coerce::integer)
            .callbacks(&[("should be an Integer between -20 and 19", coerce::nice)])
            .doc("Niceness."),
        prop("low_priority_io", &[Bool]).default(True).doc("Read and write at low priority."),
    ],
    provider_methods: METHODS,
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[SPLAY, def("client_command", client_command, 0)];

/// The command that launchd runs.
fn client_command(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    let wait = asked_splay(vm, this, &resource)?;
    let mut words = vec![format!("/bin/sleep {wait};"), text(vm, &resource, "chef_binary_path")?];
    words.extend(list(vm, &resource, "daemon_options")?);
    let configuration = text(vm, &resource, "config_directory")?;
    let (logs, log) = (text(vm, &resource, "log_directory")?, text(vm, &resource, "log_file_name")?);
    words.push(format!("-c {} -L {}", in_configuration(&configuration), joined(&logs, &log)));
    if flag(vm, &resource, "accept_chef_license")? {
        words.push("--chef-license accept".into());
    }
    Ok(Value::str(words.join(" ")))
}
