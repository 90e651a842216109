use crate::coerce;
use crate::prelude::*;

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
    ..ResourceDef::DEFAULT
};
