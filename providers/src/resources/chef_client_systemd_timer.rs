use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "chef_client_systemd_timer",
    class: "ChefClientSystemdTimer",
    doc: "Runs the client from a timer of systemd.",
    introduced: "16.0",
    provides: &[Provides::always("chef_client_systemd_timer")],
    actions: &["add", "remove"],
    default_action: &["add"],
    properties: &[
        prop("job_name", &[Str]).default(LitStr("chef-client")).doc("Name of the units."),
        prop("description", &[Str])
            .default(LitStr("Chef Infra Client periodic execution"))
            .doc("Description of the units."),
        prop("user", &[Str]).default(LitStr("root")).doc("Who runs it."),
        prop("delay_after_boot", &[Str]).default(LitStr("1min")).doc("Wait after boot."),
        prop("interval", &[Str]).default(LitStr("30min")).doc("Time between runs."),
        prop("splay", &[Str]).default(LitStr("5min")).doc("Longest random wait before a run."),
        prop("accept_chef_license", &[Bool]).default(False).doc("Accept the licence."),
        prop("run_on_battery", &[Bool]).default(True).doc("Run on battery too."),
        prop("config_directory", &[Str]).default(LitStr("/etc/chef")).doc("Directory of client.rb."),
        prop("chef_binary_path", &[Str]).default(LitStr("/opt/chef/bin/chef-client")).doc("The client."),
        prop("daemon_options", &[Array]).default_empty(Array).doc("Further options."),
        prop("environment", &[Hash]).default_empty(Hash).doc("Environment variables."),
        prop("cpu_quota", &[Int, Str])
            .coerce(coerce::integer)
            .callbacks(&[("should be a positive Integer", coerce::positive)])
            .since("16.5")
            .doc("Limit of processor time, in percent."),
        prop("service_umask", &[Int, Str]).since("18.5").doc("File mode mask of the service."),
    ],
    provider_methods: crate::providers::chef_client_systemd_timer::METHODS,
    ..ResourceDef::DEFAULT
};
