use crate::coerce;
use crate::prelude::*;
use crate::providers::chef_client::{SPLAY, asked_splay, in_configuration, joined};
use crate::providers::support::{flag, list, new_resource, text, text_opt};
use rchef_ruby::{Args, ClassId, MethodDef, Symbol, def, sym};

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
    provider_methods: METHODS,
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[
    SPLAY,
    def("full_command", full_command, 0),
    def("consistent_splay_command", consistent_splay_command, 0),
    def("client_cmd", client_cmd, 0),
    def("frequency_supports_random_delay?", can_be_delayed, 0),
    def("frequency_supports_frequency_modifier?", can_be_modified, 0),
];

/// The command of the task: the Windows shell with what it runs.
fn full_command(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let environment = vm.const_resolve(ClassId::OBJECT, Symbol::intern_static("ENV"))?.unwrap_or_default();
    let shell = vm.call(&environment, sym::AREF, &[Value::str("COMSPEC")])?;
    let (wait, client) = (text(vm, this, "consistent_splay_command")?, text(vm, this, "client_cmd")?);
    Ok(Value::str(format!("{} /c \"{wait}{client}\"", vm.to_s_text(&shell)?)))
}

/// What waits for the node's splay before the client runs; nil unless the resource asks for that.
fn consistent_splay_command(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    if !flag(vm, &resource, "use_consistent_splay")? {
        return Ok(Value::Nil);
    }
    let wait = asked_splay(vm, this, &resource)?;
    let program = "C:/windows/system32/windowspowershell/v1.0/powershell.exe";
    Ok(Value::str(format!("{program} Start-Sleep -s {wait} && ")))
}

/// The command line of the client.
fn client_cmd(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    let (logs, log) = (text(vm, &resource, "log_directory")?, text(vm, &resource, "log_file_name")?);
    let configuration = text(vm, &resource, "config_directory")?;
    let mut words = vec![
        text(vm, &resource, "chef_binary_path")?,
        format!("-L {} -c {}", joined(&logs, &log), in_configuration(&configuration)),
    ];
    words.extend(list(vm, &resource, "daemon_options")?);
    if flag(vm, &resource, "accept_chef_license")? {
        words.push("--chef-license accept".into());
    }
    Ok(Value::str(words.join(" ")))
}

/// Whether the resource's frequency is one of these.
fn has_frequency(vm: &mut Vm, provider: &Value, known: &[&str]) -> Res<bool> {
    let resource = new_resource(vm, provider)?;
    Ok(text_opt(vm, &resource, "frequency")?.is_some_and(|frequency| known.contains(&frequency.as_str())))
}

fn can_be_delayed(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let known = ["once", "minute", "hourly", "daily", "weekly", "monthly"];
    has_frequency(vm, this, &known).map(Value::bool)
}

fn can_be_modified(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let events = ["once", "on_logon", "onstart", "on_idle"];
    has_frequency(vm, this, &events).map(|found| Value::bool(!found))
}

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
