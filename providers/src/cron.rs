//! What cron, cron_d and chef_client_cron share: validation and coercion of the five time fields.

use crate::coerce::{chef_error, text};
use rchef_ruby::{Args, ClassId, MethodDef, Res, Value, Vm, def};

const DAYS: [&str; 7] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const TIMEOUT_OPTIONS: [&str; 5] = ["duration", "preserve-status", "foreground", "kill-after", "signal"];

fn numbers(text: &str, min: i64, max: i64) -> bool {
    if text == "*" {
        return true;
    }
    // a trailing separator is allowed: Ruby's split drops empty fields at the end
    let trimmed = text.trim_end_matches(['/', '-', ',']);
    if trimmed.is_empty() {
        return true;
    }
    trimmed.split(['/', '-', ',']).all(|part| {
        part == "*"
            || (part.bytes().all(|b| b.is_ascii_digit())
                && part.parse::<i64>().is_ok_and(|number| (min..=max).contains(&number)))
    })
}

fn field(vm: &mut Vm, value: &Value, min: i64, max: i64) -> Res<bool> {
    Ok(match value {
        Value::Int(number) => (min..=max).contains(number),
        _ => text(vm, value).is_some_and(|text| numbers(&text, min, max)),
    })
}

pub(crate) fn minute(vm: &mut Vm, value: &Value) -> Res<bool> {
    field(vm, value, 0, 59)
}
pub(crate) fn hour(vm: &mut Vm, value: &Value) -> Res<bool> {
    field(vm, value, 0, 23)
}
pub(crate) fn day(vm: &mut Vm, value: &Value) -> Res<bool> {
    field(vm, value, 1, 31)
}
/// Whether a month field is valid: numbers, or one name.
pub(crate) fn month(vm: &mut Vm, value: &Value) -> Res<bool> {
    match text(vm, value) {
        Some(text) if MONTHS.contains(&text.to_ascii_lowercase().as_str()) => Ok(true),
        _ => field(vm, value, 1, 12),
    }
}
/// Whether a weekday field is valid: numbers, or one name.
pub(crate) fn weekday(vm: &mut Vm, value: &Value) -> Res<bool> {
    let text = vm.to_s_text(value)?;
    let lower = text.to_ascii_lowercase();
    Ok(numbers(&text, 0, 7) || DAYS.iter().any(|day| *day == lower || day[..3] == lower))
}

/// The name of a weekday as its number, in a String; any other value unchanged.
pub(crate) fn weekday_in_crontab(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    let text = vm.to_s_text(value)?.to_ascii_lowercase();
    Ok(match DAYS.iter().position(|day| *day == text || day[..3] == text) {
        Some(number) => Value::str(number.to_string()),
        None => value.clone(),
    })
}

/// `Chef::ResourceHelpers::CronValidations`, which cookbooks use in resources of their own.
pub(crate) fn boot(vm: &mut Vm, chef: ClassId) {
    let helpers = vm.define_module(chef, "ResourceHelpers");
    let module = vm.define_module(helpers, "CronValidations");
    vm.define_methods(module, VALIDATIONS);
    let meta = vm.meta(module);
    vm.include_module(meta, module);
}
static VALIDATIONS: &[MethodDef] = &[
    def("validate_numeric", validate_numeric, 3),
    def("validate_minute", |vm, _, args| minute(vm, args.at(0)).map(Value::bool), 1),
    def("validate_hour", |vm, _, args| hour(vm, args.at(0)).map(Value::bool), 1),
    def("validate_day", |vm, _, args| day(vm, args.at(0)).map(Value::bool), 1),
    def("validate_month", |vm, _, args| month(vm, args.at(0)).map(Value::bool), 1),
    def("validate_dow", |vm, _, args| weekday(vm, args.at(0)).map(Value::bool), 1),
];
fn validate_numeric(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (min, max) = (vm.to_int(args.at(1))?, vm.to_int(args.at(2))?);
    field(vm, args.at(0), min, max).map(Value::bool)
}

/// Coerces `timeout`: a Hash of known keys, or only a duration.
pub(crate) fn time_out(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    let Value::Hash(hash) = value else {
        return match value {
            Value::Int(_) | Value::Big(_) | Value::Str(_) => vm.new_hash(vec![(Value::str("duration"), value.clone())]),
            _ => Ok(Value::Nil),
        };
    };
    let mut bad = Vec::new();
    let pairs: Vec<(Value, Value)> = hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    for (key, _) in &pairs {
        if !text(vm, key).is_some_and(|key| TIMEOUT_OPTIONS.contains(&key.as_str())) {
            bad.push(vm.to_s_text(key)?);
        }
    }
    if !bad.is_empty() {
        let known = TIMEOUT_OPTIONS.join("\", \"");
        let message =
            format!("Key of option time_out must be equal to one of: \"{known}\"!  You passed \"{}\".", bad.join(", "));
        return Err(chef_error(vm, "ValidationFailed", message));
    }
    for (_, value) in &pairs {
        let sound = text(vm, value).is_some_and(|text| text.starts_with(|c: char| !c.is_ascii_whitespace()));
        if !sound {
            return Err(chef_error(
                vm,
                "ValidationFailed",
                "Values of option time_out should be non-empty strings without any leading whitespace.",
            ));
        }
    }
    Ok(value.clone())
}

/// `weekday_in_crontab` as a method of the resource.
pub(crate) fn weekday_method(vm: &mut Vm, this: &Value, args: rchef_ruby::Args<'_>) -> Res {
    weekday_in_crontab(vm, this, args.at(0))
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn fields() {
        for good in ["*", "0,30", "*/5", "1-5", "10-20/2", "0"] {
            assert!(numbers(good, 0, 59), "{good}");
        }
        for bad in ["60", "a", "1 2", "5-99"] {
            assert!(!numbers(bad, 0, 59), "{bad}");
        }
    }
}
