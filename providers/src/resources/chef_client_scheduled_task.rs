use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "chef_client_scheduled_task",
    class: "ChefClientScheduledTask",
    doc: "Runs the client from the task scheduler (Windows).",
    introduced: "16.0",
    provides: &[Provides::always("chef_client_scheduled_task")],
    actions: &["add", "remove"],
    default_action: &["add"],
    properties: &[
        prop("task_name", &[Str]).default(LitStr("chef-client")).doc("Name of the task."),
        prop("user", &[Str]).default(LitStr("System")).sensitive().doc("Who runs it."),
        prop("password", &[Str]).sensitive().doc("Password of the user."),
        prop("frequency", &[Str])
            .default(LitStr("minute"))
            .equal_to(&[
                LitStr("minute"),
                LitStr("hourly"),
                LitStr("daily"),
                LitStr("monthly"),
                LitStr("once"),
                LitStr("on_logon"),
                LitStr("onstart"),
                LitStr("on_idle"),
            ])
            .doc("Unit of the interval."),
        prop("frequency_modifier", &[Int, Str])
            .coerce(coerce::integer)
            .lazy(modifier)
            .callbacks(&[("should be a positive number", coerce::positive)])
            .doc("How many units lie between runs."),
        prop("accept_chef_license", &[Bool]).default(False).doc("Accept the licence."),
        prop("start_date", &[Str]).regex(r"^[0-1][0-9]/[0-3][0-9]/\d{4}$").doc("First day, MM/DD/YYYY."),
        prop("start_time", &[Str]).regex(r"^\d{2}:\d{2}$").doc("First time of day, HH:MM."),
        prop("splay", &[Int, Str])
            .coerce(coerce::integer)
            .default(LitInt(300))
            .callbacks(&[("should be a positive number", coerce::not_negative)])
            .doc("Most seconds to wait at random before a run."),
        prop("use_consistent_splay", &[Bool]).default(False).since("17.5").doc("The same random wait at every run."),
        prop("run_on_battery", &[Bool]).default(True).doc("Run on battery too."),
        prop("config_directory", &[Str]).default(LitStr("/etc/chef")).doc("Directory of client.rb."),
        prop("log_directory", &[Str]).lazy(log_directory).doc("Directory of the log."),
        prop("log_file_name", &[Str]).default(LitStr("client.log")).doc("Name of the log."),
        prop("chef_binary_path", &[Str]).default(LitStr("C:/opscode/chef/bin/chef-client")).doc("The client."),
        prop("daemon_options", &[Array]).default_empty(Array).doc("Further options."),
        prop("priority", &[Int])
            .default(LitInt(7))
            .callbacks(&[("should be in range of 0 to 10", coerce::task_priority)])
            .since("17.5")
            .doc("Priority of the task, 0 the highest."),
    ],
    ..ResourceDef::DEFAULT
};

/// 30 for a frequency in minutes, otherwise 1.
fn modifier(vm: &mut Vm, resource: &Value) -> Res {
    let frequency = coerce::read(vm, resource, "frequency")?;
    Ok(Value::Int(if coerce::text(vm, &frequency).is_some_and(|text| text == "minute") { 30 } else { 1 }))
}

fn log_directory(vm: &mut Vm, resource: &Value) -> Res {
    let config = coerce::read(vm, resource, "config_directory")?;
    let config = vm.to_s_text(&config)?;
    Ok(Value::str(format!("{config}/log")))
}
