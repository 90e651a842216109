//! Process.getrlimit, Process.setrlimit, and resource names.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::value::Value;
use num_traits::ToPrimitive;

const RESOURCES: &[(&str, i32)] = &[
    ("CPU", 0),
    ("FSIZE", 1),
    ("DATA", 2),
    ("STACK", 3),
    ("CORE", 4),
    ("RSS", 5),
    ("NPROC", 6),
    ("NOFILE", 7),
    ("MEMLOCK", 8),
    ("AS", 9),
    ("MSGQUEUE", 12),
    ("NICE", 13),
    ("RTPRIO", 14),
    ("RTTIME", 15),
    ("SIGPENDING", 11),
];
const INFINITY: u64 = u64::MAX;

/// A name given by a Symbol or String, or converted with `to_str`.
fn name_of(vm: &mut Vm, value: &Value) -> Res<Option<String>> {
    Ok(match value {
        Value::Sym(name) => Some(name.as_str().to_string()),
        Value::Int(_) | Value::Big(_) => None,
        other => vm.check_str(other)?.map(|text| text.get(vm).to_text().into_owned()),
    })
}
fn resource(vm: &mut Vm, value: &Value) -> Res<i32> {
    let Some(name) = name_of(vm, value)? else { return vm.to_c_int(value) };
    match RESOURCES.iter().find(|(known, _)| *known == name) {
        Some((_, number)) => Ok(*number),
        None => Err(vm.argument_error(format!("invalid resource name: {name}"))),
    }
}
fn amount(vm: &mut Vm, value: &Value) -> Res<u64> {
    match name_of(vm, value)?.as_deref() {
        Some("INFINITY" | "SAVED_MAX" | "SAVED_CUR") => Ok(INFINITY),
        Some(other) => Err(vm.argument_error(format!("invalid resource value: {other}"))),
        None => match vm.to_bigint(value)?.to_i128() {
            // negative numbers wrap around, as in C
            Some(number) if number >= i128::from(i64::MIN) && number <= i128::from(u64::MAX) => Ok(number as u64),
            _ => Err(vm.range_error("bignum too big to convert into `unsigned long'")),
        },
    }
}
/// The limit that an option `rlimit_NAME` of `spawn` sets: `(resource, soft, hard)`; None if there is no such resource.
pub(super) fn spawn_option(vm: &mut Vm, option: &str, value: &Value) -> Res<Option<(i32, u64, u64)>> {
    let number = option.strip_prefix("rlimit_").and_then(|name| {
        let lower = name.bytes().all(|byte| byte.is_ascii_lowercase());
        RESOURCES.iter().find(|(known, _)| lower && known.eq_ignore_ascii_case(name)).map(|(_, number)| *number)
    });
    let Some(number) = number else { return Ok(None) };
    let values = match vm.check_ary(value)? {
        Some(pair) => pair.get(vm).items.to_vec(),
        None => vec![value.clone()],
    };
    let (soft, hard) = match values.as_slice() {
        [both] => (both, both),
        [soft, hard] => (soft, hard),
        _ => return Err(vm.argument_error("wrong exec rlimit value")),
    };
    Ok(Some((number, amount(vm, soft)?, amount(vm, hard)?)))
}
pub(super) fn getrlimit(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let resource = resource(vm, args.at(0))?;
    let (soft, hard) = vm.host.limit(resource).map_err(|error| vm.errno(error.errno, Some("getrlimit")))?;
    Ok(Value::array(vec![Value::u64(soft), Value::u64(hard)]))
}
pub(super) fn setrlimit(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let resource = resource(vm, args.at(0))?;
    let soft = amount(vm, args.at(1))?;
    let hard = match args.get(2) {
        Some(hard) if !hard.is_nil() => amount(vm, hard)?,
        _ => soft,
    };
    vm.host.set_limit(resource, soft, hard).map_err(|error| vm.errno(error.errno, Some("setrlimit")))?;
    Ok(Value::Nil)
}
pub(super) fn boot(vm: &mut Vm) {
    for (name, number) in RESOURCES {
        let name = Symbol::intern(&format!("RLIMIT_{name}"));
        vm.const_set(ClassId::PROCESS, name, Value::Int(i64::from(*number)));
    }
    for name in ["RLIM_INFINITY", "RLIM_SAVED_MAX", "RLIM_SAVED_CUR"] {
        vm.const_set(ClassId::PROCESS, Symbol::intern_static(name), Value::u64(INFINITY));
    }
}
