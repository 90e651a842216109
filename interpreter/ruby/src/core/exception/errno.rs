//! SystemCallError and `Errno::*`.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::{ExceptionData, Res};
use crate::method::{MethodDef, any, def};
use crate::value::Value;
use rchef_host::error::{errno_aliases, errno_message, errno_name, errno_number, errnos};

static METHODS: &[MethodDef] = &[any("initialize", initialize).private(), def("errno", errno, 0)];
static SINGLETON: &[MethodDef] = &[def("===", case_equal, 1)];

fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let class = vm.real_class_of(this);
    let (message, number, func) = if class == ClassId::SYSTEM_CALL_ERROR {
        match args.pos {
            [number @ (Value::Int(_) | Value::Big(_))] => (Value::Nil, Some(vm.to_int(number)?), Value::Nil),
            [message] => (message.clone(), None, Value::Nil),
            [message, number] => {
                (message.clone(), if number.is_nil() { None } else { Some(vm.to_int(number)?) }, Value::Nil)
            }
            [message, number, func] => {
                (message.clone(), if number.is_nil() { None } else { Some(vm.to_int(number)?) }, func.clone())
            }
            _ => {
                let given = args.len();
                return Err(vm.arity_error(given, "1..3"));
            }
        }
    } else {
        if args.len() > 2 {
            let given = args.len();
            return Err(vm.arity_error(given, "0..2"));
        }
        let number = class_errno(vm, class);
        (args.at(0).clone(), number, args.at(1).clone())
    };
    let mut text = match number {
        Some(number) => errno_message(number as i32),
        None => "unknown error".to_string(),
    };
    if !func.is_nil() {
        let func = vm.to_text(&func)?;
        text.push_str(&format!(" @ {func}"));
    }
    if !message.is_nil() {
        let message = vm.to_text(&message)?;
        text.push_str(&format!(" - {message}"));
    }
    if class == ClassId::SYSTEM_CALL_ERROR
        && let Some(number) = number
        && (number == 0 || errno_name(number as i32).is_some())
        && let Value::Object(gc) = this
    {
        let class = vm.errno_class(number as i32);
        gc.set_class(class);
    }
    if let Some(data) = vm.data_mut::<ExceptionData>(this) {
        data.message = Value::str(text);
        data.detail = number.map(Value::Int).unwrap_or_default();
    }
    Ok(this.clone())
}
fn class_errno(vm: &Vm, class: ClassId) -> Option<i64> {
    let name = Symbol::intern_static("Errno");
    vm.class(class).mro.iter().find_map(|ancestor| match vm.const_own(*ancestor, name)?.value {
        Value::Int(number) => Some(number),
        _ => None,
    })
}
fn errno(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(vm.data::<ExceptionData>(this).map(|data| data.detail.clone()).unwrap_or_default())
}
/// SystemCallError.===: compares the numbers.
fn case_equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let class = crate::class::this_class(this);
    if !vm.is_a(args.at(0), ClassId::SYSTEM_CALL_ERROR) {
        return Ok(Value::False);
    }
    if class == ClassId::SYSTEM_CALL_ERROR || vm.is_a(args.at(0), class) {
        return Ok(Value::True);
    }
    let number = vm.data::<ExceptionData>(args.at(0)).map(|data| data.detail.clone());
    Ok(Value::bool(match (class_errno(vm, class), number) {
        (Some(wanted), Some(Value::Int(number))) => wanted == number,
        _ => false,
    }))
}

/// Errors that other systems have; here each is another name of `Errno::NOERROR`.
const ELSEWHERE: &[&str] = &[
    "EAUTH",
    "EBADARCH",
    "EBADEXEC",
    "EBADMACHO",
    "EBADRPC",
    "ECAPMODE",
    "EDEVERR",
    "EDOOFUS",
    "EFTYPE",
    "EIPSEC",
    "ELAST",
    "ENEEDAUTH",
    "ENOATTR",
    "ENOPOLICY",
    "ENOTCAPABLE",
    "EPROCLIM",
    "EPROCUNAVAIL",
    "EPROGMISMATCH",
    "EPROGUNAVAIL",
    "EPWROFF",
    "EQFULL",
    "ERPCMISMATCH",
    "ESHLIBVERS",
];

impl Vm {
    /// The class `Errno::X` of a number, created when first needed.
    pub fn errno_class(&mut self, errno: i32) -> ClassId {
        if let Some(&class) = self.errno_classes.get(&errno) {
            return class;
        }
        let name = match errno_name(errno) {
            Some(name) => name,
            None if errno == 0 => "NOERROR",
            None => return ClassId::SYSTEM_CALL_ERROR,
        };
        let class = self.define_class(ClassId::ERRNO, name, ClassId::SYSTEM_CALL_ERROR);
        self.const_set(class, Symbol::intern_static("Errno"), Value::Int(i64::from(errno)));
        self.errno_classes.insert(errno, class);
        class
    }
    /// A constant of Errno by name; its class is created when first needed.
    pub(crate) fn errno_constant(&mut self, name: Symbol) -> Option<Value> {
        if name.as_str() == "NOERROR" {
            return Some(Value::Class(self.errno_class(0)));
        }
        if ELSEWHERE.contains(&name.as_str()) {
            let class = Value::Class(self.errno_class(0));
            self.const_set(ClassId::ERRNO, name, class.clone());
            return Some(class);
        }
        let number = errno_number(name.as_str())?;
        let class = self.errno_class(number);
        if self.const_own(ClassId::ERRNO, name).is_none() {
            self.const_set(ClassId::ERRNO, name, Value::Class(class));
        }
        Some(Value::Class(class))
    }
    /// Creates all classes of Errno, for `Errno.constants`.
    pub(crate) fn all_errno_classes(&mut self) {
        self.errno_class(0);
        for name in ELSEWHERE {
            self.errno_constant(Symbol::intern_static(name));
        }
        for (number, _, _) in errnos() {
            self.errno_class(*number);
        }
        for (alias, _) in errno_aliases() {
            self.errno_constant(Symbol::intern_static(alias));
        }
    }
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_methods(ClassId::SYSTEM_CALL_ERROR, METHODS);
    vm.define_singleton_methods(ClassId::SYSTEM_CALL_ERROR, SINGLETON);
}
