//! Marshal.dump.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::{ClassId, ClassKind, Link};
use crate::core::encoding::EncodingData;
use crate::core::process::StatusData;
use crate::core::regexp::data::RegexpData;
use crate::core::structs::{StructData, members_of};
use crate::error::{ExceptionData, Res};
use crate::heap::{BY_IDENTITY, KEYWORDS};
use crate::value::Value;
use num_bigint::{BigInt, Sign};
use rchef_text::encoding::Encoding;
use rchef_text::number::shortest_digits;
use rustc_hash::FxHashMap;

struct Writer {
    out: Vec<u8>,
    symbols: FxHashMap<Symbol, usize>,
    objects: FxHashMap<(u8, u64), usize>,
    count: usize,
    /// Keeps numbered objects alive, so that their addresses stay unique.
    held: Vec<Value>,
}

/// The bytes of an object; a negative limit means none.
pub(super) fn dump(vm: &mut Vm, value: &Value, limit: i64) -> Res<Vec<u8>> {
    let mut writer = Writer {
        out: vec![4, 8],
        symbols: FxHashMap::default(),
        objects: FxHashMap::default(),
        count: 0,
        held: Vec::new(),
    };
    writer.value(vm, value, limit)?;
    Ok(writer.out)
}

/// Appends an Integer of at most 32 bits.
fn long(out: &mut Vec<u8>, number: i64) {
    match number {
        0 => out.push(0),
        1..=122 => out.push(number as u8 + 5),
        -123..=-1 => out.push((number - 5) as u8),
        _ => {
            let bytes = number.to_le_bytes();
            let fill = if number < 0 { 0xff } else { 0 };
            let len = bytes.iter().rposition(|byte| *byte != fill).map_or(1, |last| last + 1).min(4);
            out.push(if number < 0 { (len as i8).wrapping_neg() as u8 } else { len as u8 });
            out.extend_from_slice(&bytes[..len]);
        }
    }
}
fn float_text(number: f64) -> String {
    if number.is_nan() {
        return "nan".into();
    }
    let sign = if number.is_sign_negative() { "-" } else { "" };
    if number.is_infinite() {
        return format!("{sign}inf");
    }
    if number == 0.0 {
        return format!("{sign}0");
    }
    let (digits, point) = shortest_digits(number);
    let count = digits.len() as i32;
    if point < -3 || point > count {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        return format!("{sign}{first}{dot}{rest}e{}", point - 1);
    }
    if point > 0 {
        let (whole, rest) = digits.split_at(point as usize);
        let dot = if rest.is_empty() { "" } else { "." };
        return format!("{sign}{whole}{dot}{rest}");
    }
    format!("{sign}0.{}{digits}", "0".repeat(-point as usize))
}

impl Writer {
    fn bytes(&mut self, bytes: &[u8]) {
        long(&mut self.out, bytes.len() as i64);
        self.out.extend_from_slice(bytes);
    }
    fn symbol(&mut self, name: Symbol) {
        if let Some(&index) = self.symbols.get(&name) {
            self.out.push(b';');
            return long(&mut self.out, index as i64);
        }
        let text = name.as_bytes();
        let wide = !text.is_ascii() && std::str::from_utf8(text).is_ok();
        if wide {
            self.out.push(b'I');
        }
        self.out.push(b':');
        self.bytes(text);
        self.symbols.insert(name, self.symbols.len());
        if wide {
            long(&mut self.out, 1);
            self.symbol(Symbol::intern_static("E"));
            self.out.push(b'T');
        }
    }
    fn class_name(&mut self, vm: &mut Vm, class: ClassId) -> Res<()> {
        let shown = vm.class_name(class);
        if vm.class(class).name.is_none() {
            let kind = if vm.class(class).is_module() { "module" } else { "class" };
            return Err(vm.type_error(format!("can't dump anonymous {kind} {shown}")));
        }
        self.symbol(Symbol::intern(&shown));
        Ok(())
    }
    /// Writes the modules that extend the object; other singleton classes cannot be dumped.
    fn extended(&mut self, vm: &mut Vm, value: &Value) -> Res<()> {
        let class = vm.class_of(value);
        if matches!(value, Value::Class(_)) || vm.class(class).kind != ClassKind::Singleton {
            return Ok(());
        }
        if !vm.class(class).methods.is_empty() || !vm.class(class).ivars.is_empty() {
            return Err(vm.type_error("singleton can't be dumped"));
        }
        let modules = |links: &[Link]| links.iter().filter_map(Link::module).collect::<Vec<_>>();
        let (prepended, included) = (modules(&vm.class(class).prepended), modules(&vm.class(class).included));
        // after prepended modules the class itself stands in their row
        let own = (!prepended.is_empty()).then(|| vm.real_class_of(value));
        for module in prepended.into_iter().chain(own).chain(included) {
            self.out.push(b'e');
            self.class_name(vm, module)?;
        }
        Ok(())
    }
    /// Writes the class of a String, Array, Hash or Regexp if it is a subclass.
    fn user_class(&mut self, vm: &mut Vm, value: &Value, plain: ClassId) -> Res<()> {
        self.extended(vm, value)?;
        let class = vm.real_class_of(value);
        if class != plain {
            self.out.push(b'C');
            self.class_name(vm, class)?;
        }
        Ok(())
    }
    fn register(&mut self, value: &Value, key: (u8, u64)) {
        self.objects.insert(key, self.count);
        self.count += 1;
        self.held.push(value.clone());
    }

    fn value(&mut self, vm: &mut Vm, value: &Value, limit: i64) -> Res<()> {
        vm.check_stack()?;
        vm.tick_by(1)?;
        let added = if let Value::Str(text) = value { text.get(vm).bytesize() } else { 0 };
        vm.check_growth(self.out.len(), added)?;
        if limit == 0 {
            return Err(vm.argument_error("exceed depth limit"));
        }
        let key = match value {
            Value::Nil | Value::Undef => {
                self.out.push(b'0');
                return Ok(());
            }
            Value::True => {
                self.out.push(b'T');
                return Ok(());
            }
            Value::False => {
                self.out.push(b'F');
                return Ok(());
            }
            Value::Int(number) => {
                if (-(1 << 30)..1 << 30).contains(number) {
                    self.out.push(b'i');
                    long(&mut self.out, *number);
                } else {
                    self.count += 1;
                    self.big(&BigInt::from(*number));
                }
                return Ok(());
            }
            Value::Sym(name) => {
                self.symbol(*name);
                return Ok(());
            }
            Value::Float(number) => (1, number.get().to_bits()),
            Value::Class(id) => (2, id.0),
            _ => (0, value.address() as u64),
        };
        if let Some(&index) = self.objects.get(&key) {
            self.out.push(b'@');
            long(&mut self.out, index as i64);
            return Ok(());
        }
        let limit = if limit > 0 { limit - 1 } else { limit };
        if self.by_hook(vm, value, key, limit)? {
            return Ok(());
        }
        self.register(value, key);
        self.contents(vm, value, limit)
    }
    fn big(&mut self, number: &BigInt) {
        self.out.push(b'l');
        self.out.push(if number.sign() == Sign::Minus { b'-' } else { b'+' });
        let mut bytes = number.magnitude().to_bytes_le();
        if !bytes.len().is_multiple_of(2) {
            bytes.push(0);
        }
        long(&mut self.out, bytes.len() as i64 / 2);
        self.out.extend_from_slice(&bytes);
    }
    /// Dumps an object with `marshal_dump` or `_dump`, if it has one.
    fn by_hook(&mut self, vm: &mut Vm, value: &Value, key: (u8, u64), limit: i64) -> Res<bool> {
        if matches!(value, Value::Float(_) | Value::Big(_) | Value::Class(_)) {
            return Ok(false);
        }
        let (marshal_dump, dump) = (Symbol::intern_static("marshal_dump"), Symbol::intern_static("_dump"));
        if vm.respond_to(value, marshal_dump, true)? {
            self.register(value, key);
            // its instance variables are not dumped in addition
            let inner = vm.call(value, marshal_dump, &[])?;
            if vm.class_of(&inner) == vm.class_of(value) {
                let class = vm.class_name_of(value);
                return Err(vm.runtime_error(format!("{class}#marshal_dump returned same class instance")));
            }
            self.out.push(b'U');
            let class = vm.real_class_of(value);
            self.class_name(vm, class)?;
            self.held.push(inner.clone());
            self.value(vm, &inner, limit)?;
            return Ok(true);
        }
        let text = if let Some(data) = vm.data::<EncodingData>(value) {
            Value::string(crate::string::RString::ascii(data.0.name()))
        } else if vm.respond_to(value, dump, true)? {
            vm.call(value, dump, &[Value::Int(limit)])?
        } else {
            return Ok(false);
        };
        let Value::Str(text) = &text else { return Err(vm.type_error("_dump() must return string")) };
        let ivars = self.ivar_list(vm, &Value::Str(text.clone()));
        let encoding = text.get(vm).encoding();
        let count = ivars.len() + usize::from(encoding != Encoding::Binary);
        if count > 0 {
            self.out.push(b'I');
        }
        self.out.push(b'u');
        let class = vm.real_class_of(value);
        self.class_name(vm, class)?;
        let bytes = text.get(vm).bytes().to_vec();
        self.bytes(&bytes);
        if count > 0 {
            self.ivars(vm, ivars, Some(encoding), limit)?;
        }
        self.register(value, key);
        Ok(true)
    }
    fn ivar_list(&self, vm: &Vm, value: &Value) -> Vec<(Symbol, Value)> {
        vm.ivar_names(value).into_iter().map(|name| (name, vm.ivar_get(value, name).unwrap_or_default())).collect()
    }
    fn ivars(&mut self, vm: &mut Vm, ivars: Vec<(Symbol, Value)>, encoding: Option<Encoding>, limit: i64) -> Res<()> {
        let encoding = encoding.filter(|encoding| *encoding != Encoding::Binary);
        long(&mut self.out, ivars.len() as i64 + i64::from(encoding.is_some()));
        match encoding {
            Some(Encoding::Utf8) => {
                self.symbol(Symbol::intern_static("E"));
                self.out.push(b'T');
            }
            Some(Encoding::UsAscii) => {
                self.symbol(Symbol::intern_static("E"));
                self.out.push(b'F');
            }
            Some(other) => {
                self.symbol(Symbol::intern_static("encoding"));
                // the name of the encoding is numbered like an object, once per encoding
                let key = (3, other as u64);
                match self.objects.get(&key) {
                    Some(&index) => {
                        self.out.push(b'@');
                        long(&mut self.out, index as i64);
                    }
                    None => {
                        self.register(&Value::Nil, key);
                        self.out.push(b'"');
                        self.bytes(other.name().as_bytes());
                    }
                }
            }
            None => {}
        }
        for (name, value) in ivars {
            self.symbol(name);
            self.value(vm, &value, limit)?;
        }
        Ok(())
    }
    /// The instance variables of an object; RuntimeError if their number changes while their values are dumped.
    fn ivars_of(
        &mut self,
        vm: &mut Vm,
        owner: &Value,
        ivars: Vec<(Symbol, Value)>,
        encoding: Option<Encoding>,
        limit: i64,
    ) -> Res<()> {
        let before = vm.ivar_count(owner);
        self.ivars(vm, ivars, encoding, limit)?;
        let change = match vm.ivar_count(owner) {
            after if after > before => "added to",
            after if after < before => "removed from",
            _ => return Ok(()),
        };
        let class = vm.class_name_of(owner);
        Err(vm.runtime_error(format!("instance variable {change} {class} instance")))
    }
    fn contents(&mut self, vm: &mut Vm, value: &Value, limit: i64) -> Res<()> {
        match value {
            Value::Float(number) => {
                self.out.push(b'f');
                self.bytes(float_text(number.get()).as_bytes());
            }
            Value::Big(gc) => {
                let number = gc.get(vm).0.clone();
                self.big(&number);
            }
            Value::Class(id) => {
                if vm.class(*id).is_singleton() {
                    return Err(vm.type_error("singleton class can't be dumped"));
                }
                let shown = vm.class_name(*id);
                let module = vm.class(*id).is_module();
                if vm.class(*id).name.is_none() {
                    let kind = if module { "module" } else { "class" };
                    return Err(vm.type_error(format!("can't dump anonymous {kind} {shown}")));
                }
                self.out.push(if module { b'm' } else { b'c' });
                self.bytes(shown.as_bytes());
            }
            Value::Str(_) | Value::Array(_) | Value::Hash(_) => return self.collection(vm, value, limit),
            Value::Range(gc) => {
                let (begin, end, exclusive) = {
                    let range = gc.get(vm);
                    (range.begin.clone(), range.end.clone(), range.exclusive)
                };
                let mut fields = self.ivar_list(vm, value);
                fields.extend(
                    [("excl", Value::bool(exclusive)), ("begin", begin), ("end", end)]
                        .map(|(name, value)| (Symbol::intern_static(name), value)),
                );
                return self.object(vm, value, fields, limit);
            }
            Value::Object(_) => return self.plain_object(vm, value, limit),
            _ => {
                let class = vm.class_name_of(value);
                return Err(vm.type_error(format!("no _dump_data is defined for class {class}")));
            }
        }
        Ok(())
    }
    fn collection(&mut self, vm: &mut Vm, value: &Value, limit: i64) -> Res<()> {
        let mut ivars = self.ivar_list(vm, value);
        if matches!(value, Value::Hash(gc) if gc.flag(KEYWORDS)) {
            ivars.push((Symbol::intern_static("K"), Value::True));
        }
        let encoding = match value {
            Value::Str(gc) => Some(gc.get(vm).encoding()).filter(|encoding| *encoding != Encoding::Binary),
            _ => None,
        };
        let with_ivars = !ivars.is_empty() || encoding.is_some();
        if with_ivars {
            self.out.push(b'I');
        }
        match value {
            Value::Str(gc) => {
                self.user_class(vm, value, ClassId::STRING)?;
                self.out.push(b'"');
                let bytes = gc.get(vm).bytes().to_vec();
                self.bytes(&bytes);
            }
            Value::Array(gc) => {
                self.user_class(vm, value, ClassId::ARRAY)?;
                self.out.push(b'[');
                let count = gc.get(vm).items.len();
                long(&mut self.out, count as i64);
                for index in 0..count {
                    let item = gc.get(vm).items.get(index).cloned().unwrap_or_default();
                    self.value(vm, &item, limit)?;
                    if gc.get(vm).items.len() != count {
                        return Err(vm.runtime_error("array modified during dump"));
                    }
                }
            }
            Value::Hash(gc) => {
                self.user_class(vm, value, ClassId::HASH)?;
                if gc.flag(BY_IDENTITY) {
                    self.out.push(b'C');
                    self.symbol(Symbol::intern_static("Hash"));
                }
                let (pairs, default): (Vec<_>, _) = {
                    let hash = gc.get(vm);
                    if !hash.default_proc.is_nil() {
                        return Err(vm.type_error("can't dump hash with default proc"));
                    }
                    (hash.iter().map(|(key, value)| (key.clone(), value.clone())).collect(), hash.default.clone())
                };
                self.out.push(if default.is_nil() { b'{' } else { b'}' });
                long(&mut self.out, pairs.len() as i64);
                for (key, value) in &pairs {
                    self.value(vm, key, limit)?;
                    self.value(vm, value, limit)?;
                }
                if !default.is_nil() {
                    self.value(vm, &default, limit)?;
                }
            }
            _ => {}
        }
        if with_ivars { self.ivars_of(vm, value, ivars, encoding, limit) } else { Ok(()) }
    }
    fn object(&mut self, vm: &mut Vm, value: &Value, fields: Vec<(Symbol, Value)>, limit: i64) -> Res<()> {
        self.extended(vm, value)?;
        self.out.push(b'o');
        let class = vm.real_class_of(value);
        self.class_name(vm, class)?;
        self.ivars_of(vm, value, fields, None, limit)
    }
    fn plain_object(&mut self, vm: &mut Vm, value: &Value, limit: i64) -> Res<()> {
        let class = vm.real_class_of(value);
        let mut fields = self.ivar_list(vm, value);
        if let Some(data) = vm.data::<StructData>(value) {
            let values = data.values.clone();
            let members = members_of(vm, class).unwrap_or_else(|| [].into());
            if !fields.is_empty() {
                self.out.push(b'I');
            }
            self.extended(vm, value)?;
            self.out.push(b'S');
            self.class_name(vm, class)?;
            long(&mut self.out, values.len() as i64);
            for (name, value) in members.iter().zip(&values) {
                self.symbol(*name);
                self.value(vm, value, limit)?;
            }
            return if fields.is_empty() { Ok(()) } else { self.ivars(vm, fields, None, limit) };
        }
        if vm.data::<ExceptionData>(value).is_some() {
            let message = match crate::core::exception::given(vm, value) {
                Value::Undef => Value::Nil,
                message => message,
            };
            let backtrace = crate::core::exception::backtrace(vm, value, Args::none())?;
            let mut all = vec![(Symbol::intern_static("mesg"), message), (Symbol::intern_static("bt"), backtrace)];
            all.extend(super::exception::fields(vm, value));
            all.append(&mut fields);
            return self.object(vm, value, all, limit);
        }
        if let Some(StatusData(status)) = vm.data::<StatusData>(value).copied() {
            let numbers = [("status", status.raw), ("pid", status.pid)];
            fields.extend(numbers.map(|(name, number)| (Symbol::intern_static(name), Value::Int(i64::from(number)))));
            return self.object(vm, value, fields, limit);
        }
        if vm.data::<RegexpData>(value).is_some() {
            let source = vm.call_name(value, "source", &[])?;
            let options = vm.call_name(value, "options", &[])?;
            let (source, options) = (vm.to_str(&source)?, vm.to_int(&options)?);
            self.out.push(b'I');
            self.user_class(vm, value, ClassId::REGEXP)?;
            self.out.push(b'/');
            let (bytes, encoding) = (source.get(vm).bytes().to_vec(), source.get(vm).encoding());
            self.bytes(&bytes);
            self.out.push(options as u8);
            return self.ivars(vm, fields, Some(encoding), limit);
        }
        if matches!(value, Value::Object(_)) && vm.payload(value).is_some_and(|data| data.slots().is_none()) {
            let name = vm.class_name(class);
            let io = vm.is_subclass(class, ClassId::IO);
            return Err(vm.type_error(if io {
                format!("can't dump {name}")
            } else {
                format!("no _dump_data is defined for class {name}")
            }));
        }
        self.object(vm, value, fields, limit)
    }
}
