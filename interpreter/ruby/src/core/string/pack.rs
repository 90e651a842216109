//! `Array#pack` and `String#unpack`.

use super::common::{keyword, me};
use super::numbers;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::{Error, Res};
use crate::heap::Gc;
use crate::method::{MethodDef, any};
use crate::string::RString;
use crate::value::{NativeData, RArray, Value};
use rchef_text::encoding::Encoding;
use rchef_text::number::Int;
use rchef_text::pack::{self, PackArgs, PackError, PackItem, UnpackMode};

static ARRAY: &[MethodDef] = &[any("pack", array_pack)];

pub(super) fn boot(vm: &mut Vm) {
    vm.define_methods(ClassId::ARRAY, ARRAY);
}

enum Failure {
    Ruby(Error),
    Pack(PackError),
}
impl From<PackError> for Failure {
    fn from(error: PackError) -> Failure {
        Failure::Pack(error)
    }
}
impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Ruby(error)
    }
}
fn raise(vm: &mut Vm, error: &PackError) -> Error {
    vm.error(if error.is_range_error() { ClassId::RANGE_ERROR } else { ClassId::ARGUMENT_ERROR }, error.to_string())
}

struct Items<'a> {
    vm: &'a mut Vm,
    /// The Array itself, since a conversion may change it.
    items: Gc<RArray>,
    next: usize,
    pointers: Vec<(u64, Value)>,
}

/// The Strings that a packed String refers to: `p` and `P` write the number that `inspect` would show, and only the packed String with this data (or
/// a copy of it) can convert it back.
struct Pointers(Vec<(u64, Value)>);
impl NativeData for Pointers {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.0.iter().for_each(|(_, value)| visit(value));
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(Pointers(self.0.clone())))
    }
}

impl Items<'_> {
    fn take(&mut self) -> Result<Value, Failure> {
        let value = self.items.get(self.vm).items.get(self.next).cloned().ok_or(PackError::TooFew)?;
        self.next += 1;
        Ok(value)
    }
}
impl PackArgs for Items<'_> {
    type Error = Failure;
    fn grow(&mut self, held: usize, added: usize) -> Result<(), Failure> {
        Ok(self.vm.check_growth(held, added)?)
    }
    fn remaining(&self) -> usize {
        self.items.get(self.vm).items.len().saturating_sub(self.next)
    }
    fn integer(&mut self) -> Result<Int, Failure> {
        let value = self.take()?;
        match &value {
            Value::Int(number) => Ok(Int::Small(*number)),
            Value::Nil => Err(self.vm.type_error_of(&value, "no implicit conversion of nil into Integer").into()),
            _ => Ok(self.vm.to_bigint(&value)?.into()),
        }
    }
    fn float(&mut self) -> Result<f64, Failure> {
        let value = self.take()?;
        Ok(self.vm.to_f64(&value)?)
    }
    fn string(&mut self) -> Result<Vec<u8>, Failure> {
        let value = self.take()?;
        if value.is_nil() {
            return Ok(Vec::new());
        }
        let text = self.vm.to_str(&value)?;
        Ok(text.get(self.vm).bytes().to_vec())
    }
    fn encoded(&mut self) -> Result<Vec<u8>, Failure> {
        let value = self.take()?;
        let text = self.vm.to_str(&value)?;
        Ok(text.get(self.vm).bytes().to_vec())
    }
    fn text(&mut self) -> Result<Vec<u8>, Failure> {
        let value = self.take()?;
        let text = self.vm.to_s(&value)?;
        Ok(text.get(self.vm).bytes().to_vec())
    }
    fn pointer(&mut self, least: usize) -> Result<u64, Failure> {
        let value = self.take()?;
        if value.is_nil() {
            return Ok(0);
        }
        let text = self.vm.to_str(&value)?;
        let size = text.get(self.vm).bytesize();
        if size < least {
            return Err(PackError::Short(size, least).into());
        }
        let text = Value::Str(text);
        let number = self.vm.shown_number(&text);
        self.pointers.push((number, text));
        Ok(number)
    }
}

/// With `$VERBOSE`: warns of letters that are no directives.
fn warn_of_unknown(vm: &mut Vm, what: &str, template: &Gc<RString>) -> Res<()> {
    if !vm.is_verbose() {
        return Ok(());
    }
    let template = template.get(vm).bytes().to_vec();
    for kind in pack::unknown(&template) {
        let directive = match kind {
            b' '..=b'~' => char::from(kind).to_string(),
            _ => format!("\\x{kind:02x}"),
        };
        let text = RString::new(template.clone(), Encoding::Utf8);
        let plain = text.to_text().chars().all(|c| !c.is_control());
        let shown = if plain && text.is_valid() {
            text.to_text().into_owned()
        } else {
            vm.inspect(&Value::string(text))?.trim_matches('"').to_string()
        };
        vm.warn(&format!("unknown {what} directive '{directive}' in '{shown}'"))?;
    }
    Ok(())
}

/// `pack(template, buffer: nil)`
fn array_pack(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [buffer]) = args.take_keywords(vm, [keyword("buffer")])?;
    let [template] = pos else { return Err(vm.arity_error(pos.len(), "1")) };
    let template = vm.to_str(template)?;
    let buffer = match buffer {
        Some(value @ Value::Str(_)) => {
            vm.check_frozen(&value)?;
            Some(value)
        }
        None | Some(Value::Nil) => None,
        Some(other) => {
            let described = vm.describe(&other);
            return Err(vm.type_error(format!("buffer must be String, not {described}")));
        }
    };
    let Value::Array(array) = this else { return Err(vm.type_error("wrong argument type (expected Array)")) };
    warn_of_unknown(vm, "pack", &template)?;
    let template = template.get(vm).bytes().to_vec();
    let items = array.clone();
    let out = match &buffer {
        Some(Value::Str(string)) => string.get(vm).bytes().to_vec(),
        _ => Vec::new(),
    };
    let mut items = Items { vm, items, next: 0, pointers: Vec::new() };
    let packed = pack::pack_onto(out, &template, &mut items);
    let pointers = items.pointers;
    let packed = match packed {
        Ok(packed) => packed,
        Err(Failure::Ruby(error)) => return Err(error),
        Err(Failure::Pack(error)) => return Err(raise(vm, &error)),
    };
    let made = match buffer {
        Some(Value::Str(string)) => {
            *string.get_mut(vm).bytes_mut() = packed.bytes;
            Value::Str(string)
        }
        _ => Value::string(RString::new(packed.bytes, packed.enc)),
    };
    if !pointers.is_empty() {
        match vm.data_mut::<Pointers>(&made) {
            Some(held) => held.0.extend(pointers),
            None => vm.set_data(&made, Pointers(pointers)),
        }
    }
    Ok(made)
}

/// The String for a pointer in a packed String.
fn pointed(vm: &mut Vm, packed: &Value, number: u64, most: Option<usize>) -> Res {
    let Some(held) = vm.data::<Pointers>(packed) else { return Err(vm.argument_error("no associated pointer")) };
    let Some((_, value)) = held.0.iter().find(|(of, _)| *of == number) else {
        return Err(vm.argument_error("non associated pointer"));
    };
    let value = value.clone();
    match (&value, most) {
        (Value::Str(text), Some(most)) if most < text.get(vm).bytesize() => {
            let part = text.get(vm).bytes()[..most].to_vec();
            Ok(Value::string(RString::new(part, Encoding::Binary)))
        }
        _ => Ok(value),
    }
}

fn value_of(vm: &mut Vm, packed: &Value, item: PackItem) -> Res {
    Ok(match item {
        PackItem::Pointer { number, most } => pointed(vm, packed, number, most)?,
        PackItem::Nil => Value::Nil,
        PackItem::Int(number) => numbers::int(number),
        PackItem::Float(number) => Value::float(number),
        PackItem::Str(bytes, encoding) => Value::string(RString::new(bytes, encoding)),
    })
}
fn read(vm: &mut Vm, this: &Value, args: Args<'_>, mode: UnpackMode) -> Res<Vec<PackItem>> {
    let me = me(vm, this)?;
    let (pos, [offset]) = args.take_keywords(vm, [keyword("offset")])?;
    let [template] = pos else { return Err(vm.arity_error(pos.len(), "1")) };
    let template = vm.to_str(template)?;
    warn_of_unknown(vm, "unpack", &template)?;
    let offset = match offset {
        None => 0,
        Some(value) => vm.to_int(&value)?,
    };
    let Ok(offset) = usize::try_from(offset) else { return Err(vm.argument_error("offset can't be negative")) };
    if mode != UnpackMode::First {
        // at most one element per byte
        let size = me.get(vm).bytesize();
        vm.check_left(size.saturating_mul(16))?;
    }
    let read = pack::unpack(me.get(vm).bytes(), template.get(vm).bytes(), offset, mode);
    read.map_err(|error| raise(vm, &error))
}
/// `unpack(template, offset: 0)`
pub(super) fn unpack(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mode = if args.block.is_some() { UnpackMode::Each } else { UnpackMode::All };
    let items = read(vm, this, args, mode)?;
    let items = items.into_iter().map(|item| value_of(vm, this, item)).collect::<Res<Vec<_>>>()?;
    match args.block {
        None => Ok(Value::array(items)),
        Some(_) => super::iterate::each_or_array(vm, this, args, items).map(|_| Value::Nil),
    }
}
/// `unpack1(template, offset: 0)`
pub(super) fn unpack1(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let first = read(vm, this, args, UnpackMode::First)?.into_iter().next();
    first.map_or(Ok(Value::Nil), |item| value_of(vm, this, item))
}
