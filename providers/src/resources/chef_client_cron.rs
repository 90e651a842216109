use crate::coerce;
use crate::cron;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "chef_client_cron",
    class: "ChefClientCron",
    doc: "Runs the client from cron.",
    introduced: "16.0",
    provides: &[Provides::always("chef_client_cron")],
    actions: &["add", "remove"],
    default_action: &["add"],
    properties: &[
        prop("job_name", &[Str]).default(LitStr("chef-client")).doc("Name of the job."),
        prop("comment", &[Str]).doc("A comment in the file."),
        prop("user", &[Str]).default(LitStr("root")).doc("Who runs it."),
        prop("minute", &[Int, Str])
            .default(LitStr("0,30"))
            .callbacks(&[("should be a valid minute spec", cron::minute)])
            .doc("Minute."),
        prop("hour", &[Int, Str])
            .default(LitStr("*"))
            .callbacks(&[("should be a valid hour spec", cron::hour)])
            .doc("Hour."),
        prop("day", &[Int, Str])
            .default(LitStr("*"))
            .callbacks(&[("should be a valid day spec", cron::day)])
            .doc("Day of the month."),
        prop("month", &[Int, Str])
            .default(LitStr("*"))
            .callbacks(&[("should be a valid month spec", cron::month)])
            .doc("Month, by number or name."),
        prop("weekday", &[Int, Str])
            .default(LitStr("*"))
            .callbacks(&[("should be a valid weekday spec", cron::weekday)])
            .doc("Day of the week, by number or name."),
        prop("splay", &[Int, Str])
            .coerce(coerce::integer)
            .default(LitInt(300))
            .callbacks(&[("should be a positive number", coerce::not_negative)])
            .doc("Most seconds to wait at random before a run."),
        prop("mailto", &[Str]).doc("Who gets the output."),
        prop("accept_chef_license", &[Bool]).default(False).doc("Accept the licence."),
        prop("config_directory", &[Str]).default(LitStr("/etc/chef")).doc("Directory of client.rb."),
        prop("log_directory", &[Str]).lazy(coerce::log_directory).doc("Directory of the log."),
        prop("log_file_name", &[Str]).default(LitStr("client.log")).doc("Name of the log."),
        prop("append_log_file", &[Bool]).default(True).doc("Append to the log instead of starting it anew."),
        prop("chef_binary_path", &[Str]).default(LitStr("/opt/chef/bin/chef-client")).doc("The client."),
        prop("daemon_options", &[Array]).default_empty(Array).doc("Further options."),
        prop("environment", &[Hash]).default_empty(Hash).doc("Environment variables."),
        prop("nice", &[Int, Str])
            .coerce(coerce::integer)
            .callbacks(&[("should be an Integer between -20 and 19", coerce::nice)])
            .since("16.5")
            .doc("Niceness."),
    ],
    provider_methods: crate::providers::chef_client_cron::METHODS,
    ..ResourceDef::DEFAULT
};
