//! Initialisers and readers of exception classes with more than a message.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::{ExceptionData, Res};
use crate::method::{MethodDef, any, def};
use crate::value::Value;
use rchef_host::error::{signal_name, signal_number};

static NAME_ERROR: &[MethodDef] = &[
    any("initialize", name_error).private(),
    def("name", detail, 0),
    def("receiver", receiver, 0),
    def("local_variables", local_variables, 0),
];
static NO_METHOD_ERROR: &[MethodDef] =
    &[any("initialize", no_method_error).private(), def("args", extra, 0), def("private_call?", private_call, 0)];
static KEY_ERROR: &[MethodDef] =
    &[any("initialize", key_error).private(), def("receiver", receiver, 0), def("key", key, 0)];
static PATTERN_KEY_ERROR: &[MethodDef] =
    &[any("initialize", pattern_key_error).private(), def("matchee", matchee, 0), def("key", key, 0)];
static FROZEN_ERROR: &[MethodDef] = &[any("initialize", frozen_error).private(), def("receiver", receiver, 0)];
static STOP_ITERATION: &[MethodDef] = &[def("result", detail, 0)];
static LOCAL_JUMP_ERROR: &[MethodDef] = &[def("reason", detail, 0), def("exit_value", extra, 0)];
static UNCAUGHT_THROW: &[MethodDef] = &[
    any("initialize", uncaught_throw).private(),
    def("tag", detail, 0),
    def("value", extra, 0),
    def("to_s", uncaught_to_s, 0),
];
static SYSTEM_EXIT: &[MethodDef] =
    &[any("initialize", system_exit).private(), def("status", status, 0), def("success?", success, 0)];
static SIGNAL_EXCEPTION: &[MethodDef] =
    &[any("initialize", signal_exception).private(), def("signo", detail, 0), def("signm", signm, 0)];
static INTERRUPT: &[MethodDef] = &[any("initialize", interrupt).private()];
static SYNTAX_ERROR: &[MethodDef] = &[any("initialize", syntax_error).private()];
static LOAD_ERROR: &[MethodDef] = &[def("path", path, 0)];

fn change(vm: &mut Vm, this: &Value, with: impl FnOnce(&mut ExceptionData)) {
    if let Some(data) = vm.data_mut::<ExceptionData>(this) {
        with(data);
    }
}
fn read(vm: &Vm, this: &Value, of: impl Fn(&ExceptionData) -> Value) -> Value {
    match vm.data::<ExceptionData>(this).map(of) {
        None | Some(Value::Undef) => Value::Nil,
        Some(value) => value,
    }
}
fn detail(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(read(vm, this, |data| data.detail.clone()))
}
fn extra(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(read(vm, this, |data| data.extra.clone()))
}
fn receiver(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    match vm.data::<ExceptionData>(this).map(|data| data.receiver.clone()) {
        None | Some(Value::Undef) => Err(vm.argument_error("no receiver is available")),
        Some(value) => Ok(value),
    }
}
fn matchee(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    match vm.data::<ExceptionData>(this).map(|data| data.receiver.clone()) {
        None | Some(Value::Undef) => Err(vm.argument_error("no matchee is available")),
        Some(value) => Ok(value),
    }
}
fn key(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    match vm.data::<ExceptionData>(this).map(|data| (data.detail.clone(), data.receiver.is_undef())) {
        None | Some((Value::Undef | Value::Nil, true)) => Err(vm.argument_error("no key is available")),
        Some((value, _)) => Ok(value),
    }
}
fn at_most(vm: &mut Vm, given: usize, most: usize) -> Res<()> {
    if given > most { Err(vm.arity_error(given, format!("0..{most}"))) } else { Ok(()) }
}
fn message(pos: &[Value]) -> Value {
    pos.first().cloned().unwrap_or(Value::Undef)
}
const RECEIVER: &str = "receiver";

fn name_error(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [receiver]) = args.take_keywords(vm, [Symbol::intern_static(RECEIVER)])?;
    at_most(vm, pos.len(), 2)?;
    let (message, name) = (message(pos), pos.get(1).cloned().unwrap_or_default());
    change(vm, this, |data| {
        data.message = message;
        data.detail = name;
        data.receiver = receiver.unwrap_or(Value::Undef);
    });
    Ok(this.clone())
}
fn local_variables(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let names = vm.data::<ExceptionData>(this).and_then(|data| data.locals.clone()).unwrap_or_default();
    Ok(Value::array(names.into_iter().map(Value::Sym).collect()))
}
fn no_method_error(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [receiver]) = args.take_keywords(vm, [Symbol::intern_static(RECEIVER)])?;
    at_most(vm, pos.len(), 4)?;
    let (message, name) = (message(pos), pos.get(1).cloned().unwrap_or_default());
    let extra = pos.get(2).cloned().unwrap_or_default();
    let private_call = pos.get(3).is_some_and(Value::truthy);
    change(vm, this, |data| {
        data.message = message;
        data.detail = name;
        data.extra = extra;
        data.private_call = private_call;
        data.receiver = receiver.unwrap_or(Value::Undef);
    });
    Ok(this.clone())
}
fn private_call(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(vm.data::<ExceptionData>(this).is_some_and(|data| data.private_call)))
}
fn key_error(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [receiver, key]) =
        args.take_keywords(vm, [Symbol::intern_static(RECEIVER), Symbol::intern_static("key")])?;
    at_most(vm, pos.len(), 1)?;
    let message = message(pos);
    change(vm, this, |data| {
        data.message = message;
        data.receiver = receiver.unwrap_or(Value::Undef);
        data.detail = key.unwrap_or(Value::Undef);
    });
    Ok(this.clone())
}
fn pattern_key_error(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [receiver, key]) =
        args.take_keywords(vm, [Symbol::intern_static("matchee"), Symbol::intern_static("key")])?;
    at_most(vm, pos.len(), 1)?;
    let message = message(pos);
    change(vm, this, |data| {
        data.message = message;
        data.receiver = receiver.unwrap_or(Value::Undef);
        data.detail = key.unwrap_or(Value::Undef);
    });
    Ok(this.clone())
}
fn frozen_error(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [receiver]) = args.take_keywords(vm, [Symbol::intern_static(RECEIVER)])?;
    at_most(vm, pos.len(), 1)?;
    let message = message(pos);
    change(vm, this, |data| {
        data.message = message;
        data.receiver = receiver.unwrap_or(Value::Undef);
    });
    Ok(this.clone())
}
fn uncaught_throw(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.len() < 2 {
        return Err(vm.arity_error(args.len(), "2+"));
    }
    let (tag, value, message) = (args.at(0).clone(), args.at(1).clone(), message(args.from(2).pos));
    change(vm, this, |data| {
        data.message = message;
        data.detail = tag;
        data.extra = value;
    });
    Ok(this.clone())
}
fn uncaught_to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let Some(data) = vm.data::<ExceptionData>(this).cloned() else { return Ok(Value::Nil) };
    match &data.message {
        Value::Str(format) => {
            let format = format.get(vm).to_text().into_owned();
            let tag = vm.inspect(&data.detail)?;
            Ok(Value::str(format.replacen("%p", &tag, 1)))
        }
        _ => super::to_s(vm, this, Args::none()),
    }
}
fn system_exit(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    at_most(vm, args.len(), 2)?;
    let (status, rest) = match args.pos {
        [] => (0, args.pos),
        [Value::True, rest @ ..] => (0, rest),
        [Value::False, rest @ ..] => (1, rest),
        [Value::Int(status), rest @ ..] => (*status, rest),
        [first, rest @ ..] => match vm.try_convert(first, rchef_syntax::symbol::sym::TO_INT)? {
            Some(Value::Int(status)) => (status, rest),
            _ => (0, args.pos),
        },
    };
    let message = rest.first().cloned().unwrap_or(Value::Undef);
    change(vm, this, |data| {
        data.message = message;
        data.detail = Value::Int(status);
    });
    Ok(this.clone())
}
fn status(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(read(vm, this, |data| if data.detail.is_nil() { Value::Int(0) } else { data.detail.clone() }))
}
fn success(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let status = status(vm, this, Args::none())?;
    Ok(Value::bool(matches!(status, Value::Int(0))))
}
fn signal_exception(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (number, text) = match args.pos {
        [] => {
            return Err(vm.arity_error(0, "1"));
        }
        [Value::Int(number)] | [Value::Int(number), _] => {
            if *number < 0 || *number > 64 {
                return Err(vm.argument_error(format!("invalid signal number ({number})")));
            }
            let text = match args.get(1) {
                Some(text) => vm.to_text(text)?,
                None => signal_name(*number as i32).map_or_else(|| format!("SIG{number}"), |name| format!("SIG{name}")),
            };
            (*number, text)
        }
        [name] => {
            let name = match name {
                Value::Sym(name) => name.as_str().to_string(),
                other => match vm.check_str(other)? {
                    Some(text) => text.get(vm).to_text().into_owned(),
                    None => {
                        let described = vm.class_name_of(other);
                        return Err(vm.argument_error(format!("bad signal type {described}")));
                    }
                },
            };
            let short = name.strip_prefix("SIG").unwrap_or(&name).to_string();
            match signal_number(&short) {
                Some(number) => (i64::from(number), format!("SIG{short}")),
                None => return Err(vm.argument_error(format!("unsupported signal `SIG{short}'"))),
            }
        }
        _ => {
            let given = args.len();
            return Err(vm.arity_error(given, if given > 2 { "1..2" } else { "1" }));
        }
    };
    change(vm, this, |data| {
        data.message = Value::str(text);
        data.detail = Value::Int(number);
    });
    Ok(this.clone())
}
fn signm(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(read(vm, this, |data| data.message.clone()))
}
fn interrupt(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    at_most(vm, args.len(), 1)?;
    let message = args.get(0).cloned().unwrap_or_else(|| Value::str("Interrupt"));
    change(vm, this, |data| {
        data.message = message;
        data.detail = Value::Int(2);
    });
    Ok(this.clone())
}
fn syntax_error(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    at_most(vm, args.len(), 1)?;
    let message = args.get(0).cloned().unwrap_or_else(|| Value::str("compile error"));
    change(vm, this, |data| data.message = message);
    Ok(this.clone())
}
fn path(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(vm.ivar_get(this, Symbol::intern_static("@path")).unwrap_or_default())
}

pub(super) fn boot(vm: &mut Vm) {
    for (class, table) in [
        (ClassId::NAME_ERROR, NAME_ERROR),
        (ClassId::NO_METHOD_ERROR, NO_METHOD_ERROR),
        (ClassId::KEY_ERROR, KEY_ERROR),
        (ClassId::NO_MATCHING_PATTERN_KEY_ERROR, PATTERN_KEY_ERROR),
        (ClassId::FROZEN_ERROR, FROZEN_ERROR),
        (ClassId::STOP_ITERATION, STOP_ITERATION),
        (ClassId::LOCAL_JUMP_ERROR, LOCAL_JUMP_ERROR),
        (ClassId::UNCAUGHT_THROW_ERROR, UNCAUGHT_THROW),
        (ClassId::SYSTEM_EXIT, SYSTEM_EXIT),
        (ClassId::SIGNAL_EXCEPTION, SIGNAL_EXCEPTION),
        (ClassId::INTERRUPT, INTERRUPT),
        (ClassId::LOAD_ERROR, LOAD_ERROR),
        (ClassId::SYNTAX_ERROR, SYNTAX_ERROR),
    ] {
        vm.define_methods(class, table);
    }
}
