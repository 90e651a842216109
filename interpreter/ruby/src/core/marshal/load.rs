//! Marshal.load.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::{ClassId, ClassKind};
use crate::core::process::StatusData;
use crate::core::structs::{StructData, members_of};
use crate::core::{complex, rational};
use crate::error::{Error, ExceptionData, Res};
use crate::hash::RHash;
use crate::heap::{BY_IDENTITY, Gc, KEYWORDS};
use crate::string::RString;
use crate::value::{RArray, Value};
use num_bigint::{BigInt, Sign};
use rchef_host::ExitStatus;
use rchef_syntax::symbol::sym;
use rchef_text::encoding::Encoding;
use rchef_text::number::parse_float;

enum Source {
    Bytes(Vec<u8>, usize),
    /// An IO, or an object like one, and the names of the methods that are called for each part.
    Io {
        io: Value,
        getbyte: Symbol,
        read: Symbol,
    },
}

struct Reader {
    source: Source,
    symbols: Vec<Symbol>,
    objects: Vec<Value>,
    proc: Option<Value>,
    freeze: bool,
}

/// What precedes the type byte of an object.
#[derive(Default)]
struct Prefix {
    ivars: bool,
    classes: Vec<ClassId>,
    modules: Vec<ClassId>,
    /// The object's class, and the modules that are prepended to its singleton class.
    prepended: Option<(ClassId, Vec<ClassId>)>,
}

/// Loads an object from a String or IO.
pub(super) fn load(vm: &mut Vm, from: &Value, proc: Option<Value>, freeze: bool) -> Res {
    let source = match vm.check_str(from)? {
        Some(text) => Source::Bytes(text.get(vm).bytes().to_vec(), 0),
        None => {
            let (getbyte, read, binmode) =
                (Symbol::intern_static("getbyte"), Symbol::intern_static("read"), Symbol::intern_static("binmode"));
            if !vm.respond_to(from, getbyte, true)? || !vm.respond_to(from, read, true)? {
                return Err(vm.type_error("instance of IO needed"));
            }
            if vm.respond_to(from, binmode, true)? {
                vm.call(from, binmode, &[])?;
            }
            Source::Io { io: from.clone(), getbyte, read }
        }
    };
    let mut reader = Reader { source, symbols: Vec::new(), objects: Vec::new(), proc, freeze };
    let (major, minor) = (reader.byte(vm)?, reader.byte(vm)?);
    if major != 4 || minor > 8 {
        return Err(vm.type_error(format!(
            "incompatible marshal file format (can't be read)\n\tformat version 4.8 required; {major}.{minor} given"
        )));
    }
    reader.value(vm)
}

#[cold]
fn too_short(vm: &mut Vm) -> Error {
    vm.argument_error("marshal data too short")
}

impl Reader {
    fn byte(&mut self, vm: &mut Vm) -> Res<u8> {
        match &mut self.source {
            Source::Bytes(bytes, at) => match bytes.get(*at) {
                Some(byte) => {
                    *at += 1;
                    Ok(*byte)
                }
                None => Err(too_short(vm)),
            },
            Source::Io { io, getbyte, .. } => match vm.call(io, *getbyte, &[])? {
                Value::Int(byte) => Ok(byte as u8),
                _ => Err(vm.error(ClassId::EOF_ERROR, "end of file reached")),
            },
        }
    }
    fn take(&mut self, vm: &mut Vm, count: i64) -> Res<Vec<u8>> {
        let Ok(count) = usize::try_from(count) else { return Err(too_short(vm)) };
        match &mut self.source {
            Source::Bytes(bytes, at) => match bytes.get(*at..at.saturating_add(count)) {
                Some(part) => {
                    *at += count;
                    Ok(part.to_vec())
                }
                None => Err(too_short(vm)),
            },
            Source::Io { io, read, .. } => {
                if count == 0 {
                    return Ok(Vec::new());
                }
                let given = vm.call(io, *read, &[Value::len(count)])?;
                if given.is_nil() {
                    return Err(too_short(vm));
                }
                let text = vm.to_str(&given)?;
                let bytes = text.get(vm).bytes().to_vec();
                if bytes.len() == count { Ok(bytes) } else { Err(too_short(vm)) }
            }
        }
    }
    fn long(&mut self, vm: &mut Vm) -> Res<i64> {
        let first = self.byte(vm)? as i8;
        Ok(match first {
            0 => 0,
            5..=127 => i64::from(first) - 5,
            -128..=-5 => i64::from(first) + 5,
            1..=4 => {
                let mut number = 0;
                for index in 0..first {
                    number |= i64::from(self.byte(vm)?) << (8 * i64::from(index));
                }
                number
            }
            _ => {
                let mut number = -1;
                for index in 0..-first {
                    let shift = 8 * i64::from(index);
                    number &= !(0xff << shift);
                    number |= i64::from(self.byte(vm)?) << shift;
                }
                number
            }
        })
    }
    fn bytes(&mut self, vm: &mut Vm) -> Res<Vec<u8>> {
        let count = self.long(vm)?;
        self.take(vm, count)
    }
    fn symbol(&mut self, vm: &mut Vm) -> Res<Symbol> {
        match self.byte(vm)? {
            b'I' => match self.byte(vm)? {
                b':' => self.new_symbol(vm, true),
                other => Err(vm.argument_error(format!("dump format error for symbol(0x{other:x})"))),
            },
            b':' => self.new_symbol(vm, false),
            b';' => self.old_symbol(vm),
            other => Err(vm.argument_error(format!("dump format error for symbol(0x{other:x})"))),
        }
    }
    fn new_symbol(&mut self, vm: &mut Vm, ivars: bool) -> Res<Symbol> {
        let name = Symbol::intern_bytes(&self.bytes(vm)?);
        self.symbols.push(name);
        if ivars {
            for _ in 0..self.long(vm)? {
                self.symbol(vm)?;
                self.value(vm)?;
            }
        }
        Ok(name)
    }
    fn old_symbol(&mut self, vm: &mut Vm) -> Res<Symbol> {
        let index = self.long(vm)?;
        match usize::try_from(index).ok().and_then(|index| self.symbols.get(index)) {
            Some(name) => Ok(*name),
            None => Err(vm.argument_error("bad symbol")),
        }
    }
    /// The class or module with a path; ArgumentError if there is none.
    fn path(&mut self, vm: &mut Vm, path: &str) -> Res<ClassId> {
        let mut at = ClassId::OBJECT;
        for (index, part) in path.split("::").enumerate() {
            match vm.const_get_from(at, Symbol::intern(part), index == 0)? {
                Some(Value::Class(id)) => at = id,
                Some(_) => return Err(vm.type_error(format!("{path} does not refer to class/module"))),
                None => return Err(vm.argument_error(format!("undefined class/module {path}"))),
            }
        }
        Ok(at)
    }
    fn class(&mut self, vm: &mut Vm) -> Res<ClassId> {
        let name = self.symbol(vm)?;
        let class = self.path(vm, name.as_str())?;
        if vm.class(class).is_module() {
            return Err(vm.argument_error(format!("{name} does not refer to class")));
        }
        Ok(class)
    }
    fn enter(&mut self, value: Value) -> usize {
        self.objects.push(value);
        self.objects.len() - 1
    }
    /// Gives an object the modules of its singleton class.
    fn extend(&mut self, vm: &mut Vm, value: &Value, prefix: &Prefix) -> Res<()> {
        if let Some((named, modules)) = &prefix.prepended {
            let class = vm.real_class_of(value);
            if class != *named {
                let (named, class) = (vm.class_name(*named), vm.class_name(class));
                return Err(vm.argument_error(format!("prepended class {named} differs from class {class}")));
            }
            let singleton = vm.call_name(value, "singleton_class", &[])?;
            for module in modules.iter().rev() {
                vm.call_name(&singleton, "prepend", &[Value::Class(*module)])?;
            }
        }
        for module in prefix.modules.iter().rev() {
            vm.call(value, sym::EXTEND, &[Value::Class(*module)])?;
        }
        Ok(())
    }
    /// Finishes an object: extends and freezes it and passes it to the proc, as requested.
    fn leave(&mut self, vm: &mut Vm, value: Value, prefix: &Prefix) -> Res {
        self.extend(vm, &value, prefix)?;
        if self.freeze && !matches!(value, Value::Class(_)) {
            vm.freeze(&value);
        }
        match self.proc.clone() {
            Some(proc) => vm.call(&proc, sym::CALL, &[value]),
            None => Ok(value),
        }
    }
    fn leave_at(&mut self, vm: &mut Vm, index: usize, prefix: &Prefix) -> Res {
        let value = self.objects.get(index).cloned().unwrap_or_default();
        let left = self.leave(vm, value, prefix)?;
        if let Some(slot) = self.objects.get_mut(index) {
            *slot = left.clone();
        }
        Ok(left)
    }
    fn value(&mut self, vm: &mut Vm) -> Res {
        vm.check_stack()?;
        let mut prefix = Prefix::default();
        loop {
            match self.byte(vm)? {
                b'I' => prefix.ivars = true,
                b'C' => {
                    let class = self.class(vm)?;
                    prefix.classes.push(class);
                }
                b'e' => {
                    let name = self.symbol(vm)?;
                    let module = self.path(vm, name.as_str())?;
                    if vm.class(module).kind == ClassKind::Class {
                        if prefix.prepended.is_some() {
                            return Err(vm.argument_error(format!("{name} does not refer to module")));
                        }
                        prefix.prepended = Some((module, std::mem::take(&mut prefix.modules)));
                    } else {
                        prefix.modules.push(module);
                    }
                }
                kind => return self.object(vm, kind, prefix),
            }
        }
    }
    fn object(&mut self, vm: &mut Vm, kind: u8, prefix: Prefix) -> Res {
        match kind {
            b'0' => self.leave(vm, Value::Nil, &prefix),
            b'T' => self.leave(vm, Value::True, &prefix),
            b'F' => self.leave(vm, Value::False, &prefix),
            b'i' => {
                let number = self.long(vm)?;
                self.leave(vm, Value::Int(number), &prefix)
            }
            b':' => {
                let name = self.new_symbol(vm, prefix.ivars)?;
                self.leave(vm, Value::Sym(name), &prefix)
            }
            b';' => {
                let name = self.old_symbol(vm)?;
                self.leave(vm, Value::Sym(name), &prefix)
            }
            b'@' => {
                let index = self.long(vm)?;
                match usize::try_from(index).ok().and_then(|index| self.objects.get(index)).cloned() {
                    Some(value) => match self.proc.clone() {
                        Some(proc) => vm.call(&proc, sym::CALL, &[value]),
                        None => Ok(value),
                    },
                    None => Err(vm.argument_error("dump format error (unlinked)")),
                }
            }
            b'f' => {
                let text = self.bytes(vm)?;
                let number = match text.as_slice() {
                    b"nan" => f64::NAN,
                    b"inf" => f64::INFINITY,
                    b"-inf" => f64::NEG_INFINITY,
                    other => parse_float(other),
                };
                let index = self.enter(Value::float(number));
                self.leave_at(vm, index, &prefix)
            }
            b'l' => {
                let sign = if self.byte(vm)? == b'-' { Sign::Minus } else { Sign::Plus };
                let words = self.long(vm)?;
                let bytes = self.take(vm, words.saturating_mul(2))?;
                let index = self.enter(Value::big(BigInt::from_bytes_le(sign, &bytes)));
                self.leave_at(vm, index, &prefix)
            }
            b'"' | b'/' | b'[' | b'{' | b'}' => self.collection(vm, kind, prefix),
            b'c' | b'm' | b'M' => {
                let name = String::from_utf8_lossy(&self.bytes(vm)?).into_owned();
                let class = self.path(vm, &name)?;
                let module = vm.class(class).is_module();
                if kind == b'c' && module {
                    return Err(vm.argument_error(format!("{name} does not refer to class")));
                }
                if kind == b'm' && !module {
                    return Err(vm.argument_error(format!("{name} does not refer to module")));
                }
                if prefix.ivars {
                    let what = if module { "module" } else { "class" };
                    return Err(vm.type_error(format!("can't override instance variable of {what} `{name}'")));
                }
                let index = self.enter(Value::Class(class));
                self.leave_at(vm, index, &prefix)
            }
            b'o' => self.plain_object(vm, prefix),
            b'S' => self.structure(vm, prefix),
            b'u' => self.user_defined(vm, prefix),
            b'U' => self.user_marshal(vm, prefix),
            other => Err(vm.argument_error(format!("dump format error(0x{other:x})"))),
        }
    }
    /// Reads instance variables; returns the encoding stored among them.
    fn ivars(
        &mut self,
        vm: &mut Vm,
        value: Option<&Value>,
        others: &mut Vec<(Symbol, Value)>,
    ) -> Res<Option<Encoding>> {
        let mut encoding = None;
        for _ in 0..self.long(vm)? {
            let name = self.symbol(vm)?;
            let held = self.value(vm)?;
            match (name.as_str(), &held) {
                ("E", Value::True) => encoding = Some(Encoding::Utf8),
                ("E", Value::False) => encoding = Some(Encoding::UsAscii),
                ("encoding", Value::Str(text)) => encoding = Encoding::find(&text.get(vm).to_text()),
                _ => match value {
                    Some(value) if name.as_str().starts_with('@') => vm.ivar_set(value, name, held),
                    _ => others.push((name, held)),
                },
            }
        }
        Ok(encoding)
    }
    fn collection(&mut self, vm: &mut Vm, kind: u8, prefix: Prefix) -> Res {
        let class = prefix.classes.first().copied();
        match kind {
            b'"' => {
                let bytes = self.bytes(vm)?;
                let value = Value::Str(Gc::new(class.unwrap_or(ClassId::STRING), RString::binary(bytes)));
                let index = self.enter(value.clone());
                if prefix.ivars {
                    let encoding = self.ivars(vm, Some(&value), &mut Vec::new())?;
                    if let (Some(encoding), Value::Str(gc)) = (encoding, &value) {
                        gc.get_mut(vm).set_encoding(encoding);
                    }
                }
                self.leave_at(vm, index, &prefix)
            }
            b'/' => {
                let source = self.bytes(vm)?;
                let options = self.byte(vm)?;
                let index = self.enter(Value::Nil);
                let mut others = Vec::new();
                let encoding = if prefix.ivars { self.ivars(vm, None, &mut others)? } else { None };
                let source = match encoding {
                    Some(encoding) => RString::new(source, encoding),
                    None => RString::new(without_later_escapes(source), Encoding::Binary),
                };
                let class = class.unwrap_or(ClassId::REGEXP);
                if !vm.is_subclass(class, ClassId::REGEXP) {
                    return Err(vm.argument_error("dump format error (user class)"));
                }
                let made = crate::core::regexp::of_class(vm, class, &source, options & 7)?;
                for (name, value) in others {
                    vm.ivar_set(&made, name, value);
                }
                self.objects[index] = made;
                self.leave_at(vm, index, &prefix)
            }
            b'[' => {
                let count = self.long(vm)?;
                let array = Gc::new(class.unwrap_or(ClassId::ARRAY), RArray::default());
                let value = Value::Array(array.clone());
                let index = self.enter(value.clone());
                for _ in 0..count {
                    let item = self.value(vm)?;
                    array.get_mut(vm).items.push(item);
                }
                if prefix.ivars {
                    self.ivars(vm, Some(&value), &mut Vec::new())?;
                }
                self.leave_at(vm, index, &prefix)
            }
            _ => {
                let count = self.long(vm)?;
                // `C Hash` means that keys are compared by identity
                let by_identity = prefix.classes.last() == Some(&ClassId::HASH);
                let hash = Gc::new(class.unwrap_or(ClassId::HASH), RHash::default());
                hash.set_flag(BY_IDENTITY, by_identity);
                let value = Value::Hash(hash.clone());
                let index = self.enter(value.clone());
                for _ in 0..count {
                    let key = self.value(vm)?;
                    let held = self.value(vm)?;
                    vm.hash_set(&hash, key, held)?;
                }
                if kind == b'}' {
                    let default = self.value(vm)?;
                    hash.get_mut(vm).default = default;
                }
                if prefix.ivars {
                    let mut others = Vec::new();
                    self.ivars(vm, Some(&value), &mut others)?;
                    hash.set_flag(KEYWORDS, others.iter().any(|(name, held)| name.as_str() == "K" && held.truthy()));
                }
                self.leave_at(vm, index, &prefix)
            }
        }
    }
    fn allocate(&mut self, vm: &mut Vm, class: ClassId) -> Res {
        vm.call(&Value::Class(class), sym::ALLOCATE, &[])
    }
    /// A Rational or Complex as Ruby up to 1.9.2 wrote it: with its parts as instance variables.
    fn fraction(&mut self, vm: &mut Vm, class: ClassId, prefix: Prefix) -> Res {
        let index = self.enter(Value::Nil);
        let holder = Value::object(ClassId::OBJECT);
        self.ivars(vm, Some(&holder), &mut Vec::new())?;
        let names = if class == ClassId::RATIONAL { ["@numerator", "@denominator"] } else { ["@real", "@image"] };
        let [first, second] =
            names.map(|name| vm.ivar_get(&holder, Symbol::intern_static(name)).unwrap_or(Value::Int(0)));
        let function = Symbol::intern_static(if class == ClassId::RATIONAL { "Rational" } else { "Complex" });
        self.objects[index] = vm.call(&Value::Class(ClassId::KERNEL), function, &[first, second])?;
        self.leave_at(vm, index, &prefix)
    }
    fn plain_object(&mut self, vm: &mut Vm, prefix: Prefix) -> Res {
        let class = self.class(vm)?;
        let mut others = Vec::new();
        if vm.is_subclass(class, ClassId::RANGE) {
            let index = self.enter(Value::Nil);
            let holder = Value::object(ClassId::OBJECT);
            self.ivars(vm, Some(&holder), &mut others)?;
            let field = |wanted: &str| {
                others
                    .iter()
                    .find(|(name, _)| name.as_str() == wanted)
                    .map(|(_, value)| value.clone())
                    .unwrap_or_default()
            };
            let (begin, end, exclusive) = (field("begin"), field("end"), field("excl").truthy());
            let made = crate::core::range::of_class(vm, class, begin, end, exclusive)?;
            for name in vm.ivar_names(&holder) {
                let value = vm.ivar_get(&holder, name).unwrap_or_default();
                vm.ivar_set(&made, name, value);
            }
            self.objects[index] = made;
            return self.leave_at(vm, index, &prefix);
        }
        if [ClassId::RATIONAL, ClassId::COMPLEX].contains(&class) {
            return self.fraction(vm, class, prefix);
        }
        let value = if class == ClassId::PROCESS_STATUS {
            Value::data(class, StatusData(ExitStatus::default()))
        } else {
            self.allocate(vm, class)?
        };
        if !matches!(value, Value::Object(_)) {
            return Err(vm.argument_error("dump format error"));
        }
        let index = self.enter(value.clone());
        let holder = if vm.is_a(&value, ClassId::LOCAL_JUMP_ERROR) { None } else { Some(&value) };
        self.ivars(vm, holder, &mut others)?;
        for (name, held) in others {
            match name.as_str() {
                "mesg" => {
                    if let Some(data) = vm.data_mut::<ExceptionData>(&value) {
                        data.message = if held.is_nil() { Value::Undef } else { held };
                    }
                }
                "bt" => {
                    if let Some(data) = vm.data_mut::<ExceptionData>(&value) {
                        data.backtrace = held;
                    }
                }
                number @ ("status" | "pid") if class == ClassId::PROCESS_STATUS => {
                    let held = vm.to_c_int(&held)?;
                    if let Some(StatusData(status)) = vm.data_mut::<StatusData>(&value) {
                        *(if number == "pid" { &mut status.pid } else { &mut status.raw }) = held;
                    }
                }
                other => {
                    if !super::exception::set_field(vm, &value, other, &held) {
                        vm.ivar_set(&value, name, held);
                    }
                }
            }
        }
        self.leave_at(vm, index, &prefix)
    }
    fn structure(&mut self, vm: &mut Vm, prefix: Prefix) -> Res {
        let class = self.class(vm)?;
        let count = self.long(vm)?;
        let shown = vm.class_name(class);
        let Some(members) = members_of(vm, class) else {
            return Err(vm.type_error(format!("class {shown} not a struct")));
        };
        if members.len() as i64 != count {
            return Err(vm.type_error(format!("struct {shown} not compatible (struct size differs)")));
        }
        let value = self.allocate(vm, class)?;
        let index = self.enter(value.clone());
        for (at, member) in members.iter().enumerate() {
            let name = self.symbol(vm)?;
            if name != *member {
                return Err(vm.type_error(format!("struct {shown} not compatible (:{name} for :{member})")));
            }
            let held = self.value(vm)?;
            if let Some(slot) = vm.data_mut::<StructData>(&value).and_then(|data| data.values.get_mut(at)) {
                *slot = held;
            }
        }
        if prefix.ivars {
            self.ivars(vm, Some(&value), &mut Vec::new())?;
        }
        self.leave_at(vm, index, &prefix)
    }
    fn user_defined(&mut self, vm: &mut Vm, prefix: Prefix) -> Res {
        let name = self.symbol(vm)?;
        // MRI keeps the messages of a NameError in objects of a class without a constant
        let is_message = name.as_str() == "NameError::message";
        let class = if is_message { ClassId::STRING } else { self.path(vm, name.as_str())? };
        let text = Gc::new(ClassId::STRING, RString::binary(self.bytes(vm)?));
        let data = Value::Str(text.clone());
        if prefix.ivars {
            let mut hidden = Vec::new();
            if let Some(encoding) = self.ivars(vm, Some(&data), &mut hidden)? {
                text.get_mut(vm).set_encoding(encoding);
            }
            for (name, held) in hidden {
                vm.ivar_set(&data, name, held);
            }
        }
        let made = if is_message {
            data
        } else if class == ClassId::ENCODING {
            vm.call_name(&Value::Class(class), "find", &[data])?
        } else {
            let load = Symbol::intern_static("_load");
            if !vm.respond_to(&Value::Class(class), load, true)? {
                return Err(vm.type_error(format!("class {name} needs to have method `_load'")));
            }
            vm.call(&Value::Class(class), load, &[data])?
        };
        let index = self.enter(made);
        self.leave_at(vm, index, &Prefix::default())
    }
    fn user_marshal(&mut self, vm: &mut Vm, prefix: Prefix) -> Res {
        let class = self.class(vm)?;
        if class == ClassId::RATIONAL || class == ClassId::COMPLEX {
            let index = self.enter(Value::Nil);
            let proc = self.proc.take();
            let parts = self.value(vm);
            self.proc = proc;
            let parts = vm.to_array(&parts?)?;
            let [a, b] = parts.as_slice() else {
                return Err(vm.argument_error("marshaled number must have an array whose length is 2 but nothing else"));
            };
            let made = if class == ClassId::COMPLEX {
                complex::new(a.clone(), b.clone())
            } else {
                let (num, den) = (vm.to_bigint(a)?, vm.to_bigint(b)?);
                if den == BigInt::from(0) {
                    return Err(crate::core::numeric::zero_division(vm));
                }
                rational::reduced(vm, num, den)?
            };
            self.objects[index] = made;
            return self.leave_at(vm, index, &prefix);
        }
        let value = self.allocate(vm, class)?;
        self.extend(vm, &value, &prefix)?;
        let load = Symbol::intern_static("marshal_load");
        if !vm.respond_to(&value, load, true)? {
            let shown = vm.class_name(class);
            return Err(vm.type_error(format!("instance of {shown} needs to have method `marshal_load'")));
        }
        let index = self.enter(value.clone());
        let data = self.value(vm)?;
        vm.call_args(&value, load, Args::new(std::slice::from_ref(&data)))?;
        if prefix.ivars {
            self.ivars(vm, Some(&value), &mut Vec::new())?;
        }
        // what the data have beside their contents the object gets, too
        for name in vm.ivar_names(&data) {
            if vm.ivar_get(&value, name).is_none() {
                vm.check_frozen(&value)?;
                let held = vm.ivar_get(&data, name).unwrap_or_default();
                vm.ivar_set(&value, name, held);
            }
        }
        self.leave_at(vm, index, &Prefix::default())
    }
}

/// A pattern without the escapes that Ruby 1.8 did not know: data without an encoding are from there.
fn without_later_escapes(source: Vec<u8>) -> Vec<u8> {
    const LATER: &[u8] = b"ghijklmopquyEFHIJKLNOPQRSTUVXY";
    let mut kept = Vec::with_capacity(source.len());
    let mut escaped = false;
    for byte in source {
        if escaped && LATER.contains(&byte) {
            kept.pop();
        }
        escaped = byte == b'\\' && !escaped;
        kept.push(byte);
    }
    kept
}
