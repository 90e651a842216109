use crate::coerce;
use crate::prelude::*;
use rchef_ruby::{Args, Error, MethodDef, def};

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_task",
    class: "WindowsTask",
    doc: "Keeps scheduled tasks (Windows).",
    introduced: "13.0",
    provides: &[Provides::when("windows_task", coerce::anywhere)],
    actions: &["create", "delete", "run", "end", "enable", "disable", "change"],
    default_action: &["create"],
    properties: &[
        prop("task_name", &[Str]).name_property().regex(r"\A[^/\:\*\?\<\>\|]+\z").doc("The task."),
        prop("command", &[Str]).doc("What runs."),
        prop("cwd", &[Str]).doc("Directory to run in."),
        prop("user", &[Str]).lazy(system_user).doc("Who runs it."),
        prop("password", &[Str]).sensitive().doc("Password of the user."),
        prop("run_level", &[Sym])
            .default(LitSym("limited"))
            .equal_to(&[LitSym("highest"), LitSym("limited")])
            .doc("With highest or limited rights."),
        prop("force", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Replace a task that is there."),
        prop("interactive_enabled", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("May show windows."),
        prop("frequency_modifier", &[Int, Str])
            .default(LitInt(1))
            .doc("How many units lie between runs, or which weeks of the month."),
        prop("frequency", &[Sym])
            .equal_to(&[
                LitSym("minute"),
                LitSym("hourly"),
                LitSym("daily"),
                LitSym("weekly"),
                LitSym("monthly"),
                LitSym("once"),
                LitSym("on_logon"),
                LitSym("onstart"),
                LitSym("on_idle"),
                LitSym("none"),
            ])
            .doc("When it runs."),
        prop("start_day", &[Str]).doc("First day, MM/DD/YYYY."),
        prop("start_time", &[Str]).doc("Time of day, HH:MM."),
        prop("day", &[Str, Int]).doc("Days of the week or month."),
        prop("months", &[Str]).doc("Months."),
        prop("idle_time", &[Int]).doc("Minutes of idleness before it runs."),
        prop("random_delay", &[Str, Int]).doc("Most seconds to wait at random."),
        prop("execution_time_limit", &[Str, Int]).default(LitStr("PT72H")).doc("Seconds after which it is ended."),
        prop("minutes_duration", &[Str, Int]).doc("Minutes that it is repeated for."),
        prop("minutes_interval", &[Str, Int]).doc("Minutes between repetitions."),
        prop("priority", &[Int])
            .default(LitInt(7))
            .callbacks(&[("should be in range of 0 to 10", coerce::task_priority)])
            .doc("Priority, 0 the highest."),
        prop("disallow_start_if_on_batteries", &[TRUE_CLASS, FALSE_CLASS])
            .default(False)
            .since("14.4")
            .doc("Do not start on battery."),
        prop("stop_if_going_on_batteries", &[TRUE_CLASS, FALSE_CLASS])
            .default(False)
            .since("14.4")
            .doc("Stop on battery."),
        prop("description", &[Str]).since("14.7").doc("Description."),
        prop("start_when_available", &[TRUE_CLASS, FALSE_CLASS])
            .default(False)
            .since("14.15")
            .doc("Make up for a missed start."),
        prop("backup", &[Int, FALSE_CLASS]).default(LitInt(5)).since("17.0").doc("How many old versions to keep."),
    ],
    after_created: Some(after_created),
    methods: METHODS,
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[
    def("exists", exists, 0),
    def("exists=", set_exists, 1),
    def("task", task, 0),
    def("task=", set_task, 1),
    def("command_arguments", command_arguments, 0),
    def("command_arguments=", set_command_arguments, 1),
];
const FREQUENCIES: [&str; 10] =
    ["minute", "hourly", "daily", "weekly", "monthly", "once", "on_logon", "onstart", "on_idle", "none"];
const WEEK_DAYS: [&str; 8] = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN", "*"];
const MONTHS: [&str; 13] = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC", "*"];
const WEEKS: [&str; 6] = ["FIRST", "SECOND", "THIRD", "FOURTH", "LAST", "LASTDAY"];
/// Accounts without a password: service accounts and groups, with and without their authority.
const SYSTEM_USERS: &[&str] = &[
    r"SYSTEM",
    r"NT AUTHORITY\SYSTEM",
    r"LOCAL SERVICE",
    r"NT AUTHORITY\LOCAL SERVICE",
    r"NETWORK SERVICE",
    r"NT AUTHORITY\NETWORK SERVICE",
    r"ADMINISTRATORS",
    r"BUILTIN\ADMINISTRATORS",
    r"USERS",
    r"BUILTIN\USERS",
    r"GUESTS",
    r"BUILTIN\GUESTS",
];

/// nil; Chef gives the name of the SYSTEM account on Windows itself.
fn system_user(_vm: &mut Vm, _resource: &Value) -> Res {
    Ok(Value::Nil)
}

/// The properties that are validated together.
struct Task {
    frequency: Option<&'static str>,
    modifier: Value,
    random_delay: Value,
    day: Value,
    months: Value,
    start_day: Value,
    start_time: Value,
    idle_time: Value,
}

fn fail<T>(vm: &mut Vm, text: impl AsRef<str>) -> Res<T> {
    let error: Error = vm.argument_error(text);
    Err(error)
}

/// Seconds converted to minutes; raises if the value is not a number.
fn minutes(vm: &mut Vm, resource: &Value, name: &str, value: &Value) -> Res {
    let number = match value {
        Value::Int(number) => Some(*number),
        _ => coerce::text(vm, value).and_then(|text| text.trim().parse().ok()),
    };
    match number {
        Some(number) => {
            let minutes = Value::Int(number.div_euclid(60));
            coerce::write(vm, resource, name, minutes.clone())?;
            Ok(minutes)
        }
        None => fail(
            vm,
            format!(
                "Invalid value passed for `{name}`. Please pass seconds as an Integer (e.g. 60) or a String with numeric values only (e.g. '60')."
            ),
        ),
    }
}

fn listed(text: &str) -> Vec<String> {
    text.split(',').map(|part| part.trim().to_uppercase()).collect()
}

fn all_in(words: &[String], known: &[&str]) -> bool {
    words.iter().all(|word| known.contains(&word.as_str()))
}

/// Ruby's `to_i` of a number or String.
fn number(vm: &Vm, value: &Value) -> i64 {
    match value {
        Value::Int(number) => *number,
        _ => coerce::text(vm, value).map_or(0, |text| {
            let digits: String = text.trim_start().chars().take_while(char::is_ascii_digit).collect();
            digits.parse().unwrap_or(0)
        }),
    }
}

/// Validates the properties that depend on each other, and converts seconds to minutes.
fn after_created(vm: &mut Vm, resource: &Value) -> Res<()> {
    let read = |vm: &mut Vm, name: &str| coerce::read(vm, resource, name);
    let frequency = match read(vm, "frequency")? {
        Value::Sym(name) => Some(name.as_str()),
        _ => None,
    };
    let task = Task {
        frequency,
        modifier: read(vm, "frequency_modifier")?,
        random_delay: read(vm, "random_delay")?,
        day: read(vm, "day")?,
        months: read(vm, "months")?,
        start_day: read(vm, "start_day")?,
        start_time: read(vm, "start_time")?,
        idle_time: read(vm, "idle_time")?,
    };
    if task.random_delay.truthy() {
        if matches!(frequency, Some("on_logon" | "onstart" | "on_idle" | "none")) {
            return fail(
                vm,
                "`random_delay` property is supported only for frequency :once, :minute, :hourly, :daily, :weekly and :monthly",
            );
        }
        minutes(vm, resource, "random_delay", &task.random_delay)?;
    }
    let limit = read(vm, "execution_time_limit")?;
    if limit.truthy() {
        let limit =
            if coerce::text(vm, &limit).is_some_and(|text| text == "PT72H") { Value::Int(259_200) } else { limit };
        minutes(vm, resource, "execution_time_limit", &limit)?;
    }
    let actions = read(vm, "action")?;
    let actions = vm.to_array(&actions)?;
    let makes =
        actions.iter().any(|action| matches!(action, Value::Sym(name) if matches!(name.as_str(), "create" | "change")));
    if makes && !frequency.is_some_and(|frequency| FREQUENCIES.contains(&frequency)) {
        return fail(
            vm,
            "Frequency needs to be provided. Valid frequencies are :minute, :hourly, :daily, :weekly, :monthly, :once, :on_logon, :onstart, :on_idle, :none.",
        );
    }
    check_start(vm, &task)?;
    check_user(vm, resource)?;
    check_modifier(vm, &task)?;
    check_day(vm, &task)?;
    check_months(vm, &task)?;
    check_idle_time(vm, &task)
}

fn check_start(vm: &mut Vm, task: &Task) -> Res<()> {
    let frequency = task.frequency.unwrap_or_default();
    if let Some(time) = coerce::text(vm, &task.start_time) {
        if frequency == "none" {
            return fail(vm, "`start_time` property is not supported with `frequency :none`");
        }
        let b = time.as_bytes();
        let digit = |at: usize| b.get(at).is_some_and(u8::is_ascii_digit);
        let sound = b.len() == 5
            && (b'0'..=b'2').contains(&b[0])
            && digit(1)
            && b[2] == b':'
            && (b'0'..=b'5').contains(&b[3])
            && digit(4);
        if !sound {
            return fail(vm, "`start_time` property must be in the HH:mm format (e.g. 6:20pm -> 18:20).");
        }
    } else if frequency == "once" {
        return fail(vm, "`start_time` needs to be provided with `frequency :once`");
    }
    if let Some(day) = coerce::text(vm, &task.start_day) {
        if frequency == "none" {
            return fail(vm, "`start_day` property is not supported with frequency: none");
        }
        let parts: Vec<&str> = day.split(['-', ' ', '/', '.']).collect();
        let part = |at: usize, length: usize, low: u32, high: u32| {
            parts.get(at).is_some_and(|part| {
                part.len() == length && part.parse().is_ok_and(|number: u32| (low..=high).contains(&number))
            })
        };
        if !(parts.len() == 3 && part(0, 2, 1, 12) && part(1, 2, 1, 31) && part(2, 4, 1900, 2099)) {
            return fail(vm, "`start_day` property must be in the MM/DD/YYYY format.");
        }
    }
    Ok(())
}

fn check_user(vm: &mut Vm, resource: &Value) -> Res<()> {
    let user = coerce::read(vm, resource, "user")?;
    let password = coerce::read(vm, resource, "password")?;
    let system = match coerce::text(vm, &user) {
        Some(user) => SYSTEM_USERS.contains(&user.to_uppercase().as_str()),
        None => true,
    };
    if !system && password.is_nil() && !coerce::read(vm, resource, "interactive_enabled")?.truthy() {
        let known = SYSTEM_USERS.join("', '");
        return fail(
            vm,
            format!(
                "Please provide a password or check if this task needs to be interactive! Valid passwordless users are: '{known}'"
            ),
        );
    }
    if system && !password.is_nil() {
        return fail(vm, "Password is not required for system users.");
    }
    Ok(())
}

fn check_modifier(vm: &mut Vm, task: &Task) -> Res<()> {
    let Some(frequency) = task.frequency.filter(|_| task.modifier.truthy()) else { return Ok(()) };
    let value = number(vm, &task.modifier);
    let shown = vm.to_s_text(&task.modifier)?;
    let weeks = all_in(&listed(&shown), &WEEKS);
    let one = matches!(task.modifier, Value::Int(1));
    if matches!(frequency, "on_logon" | "onstart" | "on_idle" | "none") && !one {
        return fail(vm, format!("frequency_modifier property not supported with frequency :{frequency}"));
    }
    if frequency == "monthly" {
        if !(1..=12).contains(&value) && !weeks {
            return fail(
                vm,
                format!(
                    "frequency_modifier value {shown} is invalid. Valid values for :monthly frequency are 1 - 12, 'FIRST', 'SECOND', 'THIRD', 'FOURTH', 'LAST'."
                ),
            );
        }
        if !one && weeks && !task.day.truthy() {
            return fail(
                vm,
                "Please select day on which you want to run the task e.g. 'Mon, Tue'. Multiple values must be separated by comma.",
            );
        }
        if (2..=12).contains(&value) && !task.months.is_nil() {
            return fail(vm, "For frequency :monthly either use property months or frequency_modifier to set months.");
        }
        return Ok(());
    }
    let most = match frequency {
        "minute" => 1439,
        "hourly" => 23,
        "daily" => 365,
        "weekly" => 52,
        _ => 1,
    };
    if !(1..=most).contains(&value) {
        return fail(
            vm,
            format!(
                "frequency_modifier value {value} is invalid. Valid values for :{frequency} frequency are 1 - {most}."
            ),
        );
    }
    Ok(())
}

fn check_day(vm: &mut Vm, task: &Task) -> Res<()> {
    if !task.day.truthy() {
        return Ok(());
    }
    let frequency = task.frequency.unwrap_or_default();
    if !matches!(frequency, "weekly" | "monthly") {
        return fail(vm, "day property is only valid for tasks that run monthly or weekly");
    }
    let Some(text) = coerce::text(vm, &task.day) else { return Ok(()) };
    if frequency == "monthly" && text == "*" {
        return fail(vm, "day wild card (*) is only valid with frequency :weekly");
    }
    let days = listed(&text);
    let of_month = |day: &String| {
        matches!(day.as_str(), "LAST" | "LASTDAY") || day.parse::<u32>().is_ok_and(|day| (1..=31).contains(&day))
    };
    if days.iter().all(of_month) {
        if frequency == "weekly" {
            return fail(vm, "day values 1-31 or last is only valid with frequency :monthly");
        }
    } else if !all_in(&days, &WEEK_DAYS) {
        let known = WEEK_DAYS.join(", ");
        return fail(
            vm,
            format!(
                "day property invalid. Only valid values are: {known}. Multiple values must be separated by a comma."
            ),
        );
    }
    Ok(())
}

fn check_months(vm: &mut Vm, task: &Task) -> Res<()> {
    let Some(text) = coerce::text(vm, &task.months) else { return Ok(()) };
    if task.frequency != Some("monthly") {
        return fail(vm, "months property is only valid for tasks that run monthly");
    }
    if !all_in(&listed(&text), &MONTHS) {
        let known = MONTHS.join(", ");
        return fail(
            vm,
            format!(
                "months property invalid. Only valid values are: {known}. Multiple values must be separated by a comma."
            ),
        );
    }
    Ok(())
}

fn check_idle_time(vm: &mut Vm, task: &Task) -> Res<()> {
    let on_idle = task.frequency == Some("on_idle");
    match (&task.idle_time, on_idle) {
        (Value::Nil, true) => fail(vm, "idle_time value should be set for :on_idle frequency."),
        (Value::Nil, false) => Ok(()),
        (_, false) => fail(vm, "idle_time property is only valid for tasks that run on_idle"),
        (Value::Int(1..=999), true) => Ok(()),
        (value, true) => {
            let shown = vm.to_s_text(value)?;
            fail(vm, format!("idle_time value {shown} is invalid. Valid values for :on_idle frequency are 1 - 999."))
        }
    }
}

/// Whether the task exists; set by the provider.
fn exists(vm: &mut Vm, this: &Value, _args: Args<'_>) -> Res {
    Ok(coerce::take(vm, this, "@exists"))
}
fn set_exists(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    coerce::put(vm, this, "@exists", args.at(0).clone());
    Ok(args.at(0).clone())
}
/// The existing task; set by the provider.
fn task(vm: &mut Vm, this: &Value, _args: Args<'_>) -> Res {
    Ok(coerce::take(vm, this, "@task"))
}
fn set_task(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    coerce::put(vm, this, "@task", args.at(0).clone());
    Ok(args.at(0).clone())
}
/// The arguments of the existing task's command; set by the provider.
fn command_arguments(vm: &mut Vm, this: &Value, _args: Args<'_>) -> Res {
    Ok(coerce::take(vm, this, "@command_arguments"))
}
fn set_command_arguments(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    coerce::put(vm, this, "@command_arguments", args.at(0).clone());
    Ok(args.at(0).clone())
}
