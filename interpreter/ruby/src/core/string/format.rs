//! `%`, Kernel#format and related functions, Kernel#String.

use super::common::me;
use super::numbers;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::integer::big;
use crate::error::{Error, Res};
use crate::heap::Gc;
use crate::method::{MethodDef, any, def};
use crate::string::RString;
use crate::value::Value;
use num_bigint::BigInt;
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;
use rchef_text::encoding::Encoding;
use rchef_text::number::{self, Int};
use rchef_text::sprintf::{self, Character, FormatArgs, FormatError, Number};

static METHODS: &[MethodDef] = &[def("%", percent, 1)];
static FUNCTIONS: &[MethodDef] = &[
    any("format", kernel_format),
    any("sprintf", kernel_format),
    any("printf", kernel_printf),
    def("String", kernel_string, 1),
];

pub(super) fn boot(vm: &mut Vm) {
    vm.define_methods(ClassId::STRING, METHODS);
    vm.define_module_functions(ClassId::KERNEL, FUNCTIONS);
}

enum Failure {
    Ruby(Error),
    Format(FormatError),
}
impl From<FormatError> for Failure {
    fn from(error: FormatError) -> Failure {
        Failure::Format(error)
    }
}
impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Ruby(error)
    }
}

struct Arguments<'a> {
    vm: &'a mut Vm,
    values: &'a [Value],
}

fn to_int(value: Value, vm: &Vm) -> Int {
    match value {
        Value::Int(number) => Int::Small(number),
        Value::Big(big) => Int::Big(big.get(vm).0.clone()),
        _ => Int::Small(0),
    }
}
impl Arguments<'_> {
    fn text(&self, text: &Gc<RString>) -> (Vec<u8>, Encoding) {
        let string = text.get(self.vm);
        (string.bytes().to_vec(), string.encoding())
    }
}
impl FormatArgs for Arguments<'_> {
    type Value = Value;
    type Error = Failure;
    fn grow(&mut self, held: usize, added: usize) -> Result<(), Failure> {
        Ok(self.vm.check_growth(held, added)?)
    }
    fn tick(&mut self) -> Result<(), Failure> {
        Ok(self.vm.tick_by(16)?)
    }
    fn digits(&mut self, number: &BigInt, radix: u32) -> Result<String, Failure> {
        Ok(big::to_s(self.vm, number, radix)?)
    }
    fn count(&self) -> usize {
        self.values.len()
    }
    fn positional(&mut self, index: usize) -> Value {
        self.values[index].clone()
    }
    fn named(&mut self, name: &[u8], shown: &[u8]) -> Result<Value, Failure> {
        let [one] = self.values else { return Err(FormatError::OneHash.into()) };
        let Some(hash) = self.vm.check_hash(one)? else { return Err(FormatError::OneHash.into()) };
        let key = Value::Sym(Symbol::intern_bytes(name));
        if let Some(found) = self.vm.hash_get(&hash, &key)? {
            return Ok(found);
        }
        let receiver = Value::Hash(hash);
        let default = self.vm.call(&receiver, sym::DEFAULT, std::slice::from_ref(&key))?;
        if default.is_nil() {
            let text = format!("key{} not found", String::from_utf8_lossy(shown));
            return Err(self.vm.key_error(text, &receiver, &key).into());
        }
        Ok(default)
    }
    fn integer(&mut self, value: &Value) -> Result<Int, Failure> {
        let vm = &mut *self.vm;
        match value {
            Value::Int(number) => Ok(Int::Small(*number)),
            Value::Big(big) => Ok(Int::Big(big.get(vm).0.clone())),
            Value::Float(number) => {
                let floored = if number.get().is_finite() { number.get().trunc() } else { number.get() };
                let value = vm.float_to_integer(floored)?;
                Ok(to_int(value, vm))
            }
            Value::Str(text) => match number::parse_int_strict(text.get(vm).bytes(), 0) {
                Ok(number) => Ok(number),
                Err(error) => Err(numbers::number_error(vm, &error).into()),
            },
            Value::Nil => Err(vm.type_error_of(&Value::Nil, "can't convert nil into Integer").into()),
            other => {
                if let Some(text) = vm.check_str(other)? {
                    return self.integer(&Value::Str(text));
                }
                for name in [sym::TO_INT, sym::TO_I] {
                    if let Some(found @ (Value::Int(_) | Value::Big(_))) = vm.try_convert(other, name)? {
                        return Ok(to_int(found, vm));
                    }
                }
                let described = vm.describe(other);
                Err(vm.type_error(format!("can't convert {described} into Integer")).into())
            }
        }
    }
    fn implicit_integer(&mut self, value: &Value) -> Result<Int, Failure> {
        let value = self.vm.to_integer(value)?;
        Ok(to_int(value, self.vm))
    }
    fn number(&mut self, value: &Value) -> Result<Number, Failure> {
        let vm = &mut *self.vm;
        match value {
            Value::Float(number) => Ok(Number::Float(number.get())),
            Value::Int(_) | Value::Big(_) => Ok(Number::Int(to_int(value.clone(), vm))),
            Value::Str(text) => match number::parse_float_strict(text.get(vm).bytes()) {
                Ok(number) => Ok(Number::Float(number)),
                Err(error) => Err(numbers::number_error(vm, &error).into()),
            },
            other if vm.is_a(other, ClassId::RATIONAL) => {
                let (num, den) = (vm.call_name(other, "numerator", &[])?, vm.call_name(other, "denominator", &[])?);
                Ok(Number::Rational(vm.to_bigint(&num)?, vm.to_bigint(&den)?))
            }
            other => {
                if let Some(text) = vm.check_str(other)? {
                    return self.number(&Value::Str(text));
                }
                if let (Value::Object(_), Some(Value::Float(number))) = (other, vm.try_convert(other, sym::TO_F)?) {
                    return Ok(Number::Float(number.get()));
                }
                Ok(Number::Float(vm.to_f64(other)?))
            }
        }
    }
    fn character(&mut self, value: &Value) -> Result<Character, Failure> {
        match self.vm.check_str(value)? {
            Some(text) => {
                let (bytes, encoding) = self.text(&text);
                Ok(Character::Text(bytes, encoding))
            }
            None => Ok(Character::Code(self.vm.to_int(value)?)),
        }
    }
    fn string(&mut self, value: &Value) -> Result<(Vec<u8>, Encoding), Failure> {
        let text = self.vm.to_s(value)?;
        Ok(self.text(&text))
    }
    fn inspect(&mut self, value: &Value) -> Result<(Vec<u8>, Encoding), Failure> {
        let text = self.vm.inspect_str(value)?;
        Ok(self.text(&text))
    }
}

/// Formats values like Kernel#format.
pub fn format(vm: &mut Vm, format: &Gc<RString>, values: &[Value]) -> Res<RString> {
    let (bytes, encoding) = (format.get(vm).bytes().to_vec(), format.get(vm).encoding());
    match sprintf::format(&bytes, encoding, &mut Arguments { vm, values }) {
        Ok(made) => {
            if made.unused {
                const TEXT: &str = "too many arguments for format string";
                if vm.global_get(sym::DOLLAR_DEBUG)?.truthy() {
                    return Err(vm.argument_error(TEXT));
                }
                vm.warn_verbose(TEXT)?;
            }
            Ok(RString::new(made.bytes, made.enc))
        }
        Err(Failure::Ruby(error)) => Err(error),
        Err(Failure::Format(FormatError::Incompatible(a, b))) => Err(super::incompatible(vm, a, b)),
        Err(Failure::Format(error @ FormatError::TooLarge)) => {
            Err(vm.error(ClassId::NO_MEMORY_ERROR, error.to_string()))
        }
        Err(Failure::Format(error @ FormatError::Range(_))) => Err(vm.range_error(error.to_string())),
        Err(Failure::Format(error)) => Err(vm.argument_error(error.to_string())),
    }
}
fn percent(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let values = match vm.check_ary(args.at(0))? {
        Some(array) => array.get(vm).items.clone(),
        None => vec![args.at(0).clone()],
    };
    Ok(Value::string(format(vm, me, &values)?))
}
fn kernel_format(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let Some(first) = args.get(0) else { return Err(vm.argument_error("too few arguments")) };
    let text = vm.to_str(first)?;
    Ok(Value::string(format(vm, &text, args.from(1).pos)?))
}
fn kernel_printf(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match args.get(0) {
        None => {}
        Some(Value::Str(_)) => {
            let text = kernel_format(vm, this, args)?;
            let text = vm.to_str(&text)?.get(vm).bytes().to_vec();
            vm.write_stdout(&text)?;
        }
        Some(stream) => {
            let text = kernel_format(vm, this, args.from(1))?;
            vm.call(stream, sym::WRITE, &[text])?;
        }
    }
    Ok(Value::Nil)
}
fn kernel_string(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let value = args.at(0);
    if let Some(text) = vm.check_str(value)? {
        return Ok(Value::Str(text));
    }
    match vm.try_convert(value, sym::TO_S)? {
        Some(text @ Value::Str(_)) => Ok(text),
        Some(other) => {
            let (class, gave) = (vm.class_name_of(value), vm.class_name_of(&other));
            Err(vm.type_error(format!("can't convert {class} to String ({class}#to_s gives {gave})")))
        }
        None => {
            let described = vm.describe(value);
            Err(vm.type_error(format!("can't convert {described} into String")))
        }
    }
}
