use crate::cron;
use crate::prelude::*;
use rchef_ruby::{MethodDef, def};

pub static DEF: ResourceDef = ResourceDef {
    name: "cron",
    class: "Cron",
    doc: "Keeps an entry of a user's crontab.",
    provides: &[Provides::always("cron")],
    actions: &["create", "delete"],
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
        prop("shell", &[Str]).desired_state(false).doc("SHELL of the job."),
        prop("path", &[Str]).desired_state(false).doc("PATH of the job."),
        prop("home", &[Str]).desired_state(false).doc("HOME of the job."),
        prop("mailto", &[Str]).desired_state(false).doc("Who gets the output."),
        prop("command", &[Str]).identity().desired_state(false).required_for(&["create"]).doc("What runs."),
        prop("user", &[Str]).default(LitStr("root")).doc("Whose crontab."),
        prop("environment", &[Hash]).desired_state(false).default_empty(Hash).doc("More variables of the job."),
        prop("time_out", &[Hash])
            .desired_state(false)
            .coerce(cron::time_out)
            .default_empty(Hash)
            .since("15.7")
            .doc("Wraps the command in `timeout` with these options."),
        prop("time", &[Sym])
            .equal_to(&[
                LitSym("reboot"),
                LitSym("yearly"),
                LitSym("annually"),
                LitSym("monthly"),
                LitSym("weekly"),
                LitSym("daily"),
                LitSym("midnight"),
                LitSym("hourly"),
            ])
            .doc("A nickname instead of the five fields."),
    ],
    methods: METHODS,
    manages: Manages::Object(Object::new("cron", "name")),
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[def("weekday_in_crontab", cron::weekday_method, 1)];
