use crate::coerce;
use crate::cron;
use crate::prelude::*;
use rchef_ruby::{MethodDef, def};

pub static DEF: ResourceDef = ResourceDef {
    name: "cron_d",
    class: "CronD",
    doc: "Keeps a file under /etc/cron.d.",
    introduced: "14.4",
    provides: &[Provides::always("cron_d")],
    actions: &["create", "create_if_missing", "delete"],
    default_action: &["create"],
    properties: &[
        prop("minute", &[Int, Str])
            .default(LitStr("*"))
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
        prop("weekday", &[Int, Str, Sym])
            .coerce(cron::weekday_in_crontab)
            .default(LitStr("*"))
            .callbacks(&[("should be a valid weekday spec", cron::weekday)])
            .doc("Day of the week, by number or name."),
        prop("shell", &[Str]).doc("SHELL of the job."),
        prop("path", &[Str]).doc("PATH of the job."),
        prop("home", &[Str]).doc("HOME of the job."),
        prop("mailto", &[Str]).doc("Who gets the output."),
        prop("command", &[Str]).identity().required_for(&["create"]).doc("What runs."),
        prop("user", &[Str]).default(LitStr("root")).doc("Who runs it."),
        prop("environment", &[Hash]).default_empty(Hash).doc("More variables of the job."),
        prop("time_out", &[Hash])
            .coerce(cron::time_out)
            .default_empty(Hash)
            .since("15.7")
            .doc("Wraps the command in `timeout` with these options."),
        prop("cron_name", &[Str]).name_property().doc("Name of the file."),
        prop("cookbook", &[Str]).desired_state(false).hidden().doc("Formerly: cookbook of the template."),
        prop("predefined_value", &[Str])
            .equal_to(&[
                LitStr("@reboot"),
                LitStr("@yearly"),
                LitStr("@annually"),
                LitStr("@monthly"),
                LitStr("@weekly"),
                LitStr("@daily"),
                LitStr("@midnight"),
                LitStr("@hourly"),
            ])
            .doc("A nickname instead of the five fields."),
        prop("comment", &[Str]).doc("A comment in the file."),
        prop("mode", &[Str, Int]).default(LitStr("0600")).doc("Mode of the file."),
        prop("random_delay", &[Int]).doc("RANDOM_DELAY of the job, in minutes."),
    ],
    methods: METHODS,
    after_created: Some(after_created),
    manages: Manages::Object(Object::new("cron", "name")),
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[def("weekday_in_crontab", cron::weekday_method, 1)];

/// Rejects the former property `cookbook`.
fn after_created(vm: &mut Vm, resource: &Value) -> Res<()> {
    if coerce::read(vm, resource, "cookbook")?.truthy() {
        return Err(vm.argument_error("The 'cookbook' property for the cron_d resource is no longer supported now that it ships as a core resource."));
    }
    Ok(())
}
