//! Generates JSON in the format of json 2.6.1.

use super::{error, option};
use rchef_ruby::embed::method::{MethodBody, NativeFn};
use rchef_ruby::{Args, ClassId, Gc, MethodDef, NativeData, RString, Res, Symbol, Value, Vm, any, def};

/// The options of the output format.
#[derive(Clone, Default)]
pub(crate) struct Format {
    pub indent: String,
    pub space: String,
    pub space_before: String,
    pub object_nl: String,
    pub array_nl: String,
    /// Maximum nesting depth; 0: unlimited.
    pub max_nesting: usize,
    pub allow_nan: bool,
    pub ascii_only: bool,
    pub escape_slash: bool,
    pub depth: usize,
    /// What a program asked for; texts grow here as they need.
    pub buffer_initial_length: usize,
}
impl Format {
    fn plain() -> Format {
        Format { max_nesting: 100, buffer_initial_length: 1024, ..Format::default() }
    }
    fn pretty() -> Format {
        Format {
            indent: "  ".into(),
            space: " ".into(),
            object_nl: "\n".into(),
            array_nl: "\n".into(),
            ..Format::plain()
        }
    }
    pub(crate) fn read(vm: &mut Vm, given: &Value, mut format: Format) -> Res<Format> {
        if let Some(state) = vm.data::<Format>(given) {
            return Ok(state.clone());
        }
        if !matches!(given, Value::Hash(_)) {
            return Ok(format);
        }
        for (name, slot) in [
            ("indent", &mut format.indent),
            ("space", &mut format.space),
            ("space_before", &mut format.space_before),
            ("object_nl", &mut format.object_nl),
            ("array_nl", &mut format.array_nl),
        ] {
            if let Some(value) = option(vm, given, name)?.filter(Value::truthy) {
                *slot = vm.to_text(&value)?;
            }
        }
        for (name, slot) in [
            ("allow_nan", &mut format.allow_nan),
            ("ascii_only", &mut format.ascii_only),
            ("escape_slash", &mut format.escape_slash),
        ] {
            if let Some(value) = option(vm, given, name)? {
                *slot = value.truthy();
            }
        }
        match option(vm, given, "max_nesting")? {
            Some(Value::Int(limit)) => format.max_nesting = usize::try_from(limit).unwrap_or(0),
            Some(Value::Nil | Value::False) => format.max_nesting = 0,
            _ => {}
        }
        for (name, slot) in [("depth", &mut format.depth), ("buffer_initial_length", &mut format.buffer_initial_length)]
        {
            if let Some(Value::Int(number)) = option(vm, given, name)? {
                *slot = usize::try_from(number).unwrap_or(0);
            }
        }
        Ok(format)
    }
}
impl NativeData for Format {
    fn trace(&self, _: &mut dyn FnMut(&Value)) {}
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}

static STATE: &[MethodDef] = &[
    any("initialize", initialize).private(),
    def("generate", state_generate, 1),
    def("depth", depth, 0),
    def("indent", indent, 0),
    def("to_h", to_h, 0),
    def("to_hash", to_h, 0),
];

/// Defines `JSON::Ext::Generator::State` (also `JSON::State`).
pub(crate) fn define_state(vm: &mut Vm, json: ClassId) -> ClassId {
    let ext = vm.define_module(json, "Ext");
    let generator = vm.define_module(ext, "Generator");
    let state = vm.define_class(generator, "State", ClassId::OBJECT);
    vm.class_mut(state).allocator = Some(|_, class| Ok(Value::data(class, Format::plain())));
    vm.define_methods(state, STATE);
    vm.const_set(json, Symbol::intern_static("State"), Value::Class(state));
    generator
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let format = Format::read(vm, args.at(0), Format::plain())?;
    vm.set_data(this, format);
    Ok(Value::Nil)
}
fn state_generate(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let format = Format::read(vm, this, Format::plain())?;
    with_options(vm, args.at(0), &format)
}
fn depth(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(vm.data::<Format>(this).map(|format| Value::len(format.depth)).unwrap_or_default())
}
fn indent(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(vm.data::<Format>(this).map(|format| Value::str(&format.indent)).unwrap_or_default())
}
fn to_h(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let format = vm.data::<Format>(this).cloned().unwrap_or_default();
    let pairs = [
        ("indent", &format.indent),
        ("space", &format.space),
        ("space_before", &format.space_before),
        ("object_nl", &format.object_nl),
        ("array_nl", &format.array_nl),
    ];
    let pairs = pairs.into_iter().map(|(name, value)| (Value::sym(name), Value::str(value))).chain([
        (Value::sym("allow_nan"), Value::bool(format.allow_nan)),
        (Value::sym("ascii_only"), Value::bool(format.ascii_only)),
        (Value::sym("max_nesting"), Value::len(format.max_nesting)),
        (Value::sym("escape_slash"), Value::bool(format.escape_slash)),
        (Value::sym("depth"), Value::len(format.depth)),
        (Value::sym("buffer_initial_length"), Value::len(format.buffer_initial_length)),
    ]);
    vm.new_hash(pairs.collect())
}

pub(crate) fn generate(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let format = Format::read(vm, args.at(1), Format::plain())?;
    with_options(vm, args.at(0), &format)
}
/// `JSON.fast_generate`: without a maximum nesting depth.
pub(crate) fn fast_generate(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let format = Format::read(vm, args.at(1), Format::default())?;
    with_options(vm, args.at(0), &format)
}
pub(crate) fn pretty_generate(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let format = Format::read(vm, args.at(1), Format::pretty())?;
    with_options(vm, args.at(0), &format)
}
/// `to_json` of the core classes.
pub(crate) fn to_json(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.len() > 1 {
        return Err(vm.arity_error(args.len(), "0..1"));
    }
    let format = Format::read(vm, args.at(0), Format::plain())?;
    let mut writer = Writer {
        out: Vec::new(),
        depth: format.depth,
        format: &format,
        state: vm.data::<Format>(args.at(0)).is_some().then(|| args.at(0).clone()),
    };
    writer.own(vm, this)?;
    Ok(Value::bytes(writer.out))
}
pub(crate) fn with_options(vm: &mut Vm, value: &Value, format: &Format) -> Res {
    let mut writer = Writer { out: Vec::new(), depth: format.depth, format, state: None };
    writer.value(vm, value)?;
    Ok(Value::bytes(writer.out))
}

/// Maximum depth of native recursion, regardless of `max_nesting`.
const DEEPEST: usize = 5_000;

/// The length of a character by its first byte, in the original definition of UTF-8.
fn announced(lead: u8) -> usize {
    match lead {
        0..0xc0 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0..0xf8 => 4,
        0xf8..0xfc => 5,
        _ => 6,
    }
}

/// The core classes whose objects are written natively, with their names.
pub(crate) const OWN: [(&str, ClassId); 8] = [
    ("Hash", ClassId::HASH),
    ("Array", ClassId::ARRAY),
    ("String", ClassId::STRING),
    ("Integer", ClassId::INTEGER),
    ("Float", ClassId::FLOAT),
    ("NilClass", ClassId::NIL),
    ("TrueClass", ClassId::TRUE),
    ("FalseClass", ClassId::FALSE),
];

/// Whether objects of a class are written without a call of `to_json`: those of the core classes themselves, also if it is redefined there, and others
/// that have the native one.
fn is_core(vm: &mut Vm, class: ClassId, name: Symbol) -> bool {
    if OWN.iter().any(|(_, own)| *own == class) {
        return true;
    }
    let Some(id) = vm.find_method(class, name) else { return false };
    let MethodBody::Native(function, _) = &vm.method(id).body else { return false };
    std::ptr::fn_addr_eq(*function, to_json as NativeFn)
}

struct Writer<'a> {
    out: Vec<u8>,
    depth: usize,
    format: &'a Format,
    /// The State that is passed to `to_json` methods written in Ruby; created when first needed.
    state: Option<Value>,
}

impl Writer<'_> {
    /// Writes a value, by its `to_json` if that is written in Ruby.
    fn value(&mut self, vm: &mut Vm, value: &Value) -> Res<()> {
        let name = Symbol::intern_static("to_json");
        let class = vm.class_of(value);
        if is_core(vm, class, name) {
            return self.own(vm, value);
        }
        if !vm.respond_to(value, name, false)? {
            let text = vm.to_s(value)?;
            return self.string(vm, &text);
        }
        let state = match &self.state {
            Some(state) => state.clone(),
            None => {
                let class = vm.class_named("JSON::Ext::Generator::State").unwrap_or(ClassId::OBJECT);
                Value::data(class, self.format.clone())
            }
        };
        if let Some(format) = vm.data_mut::<Format>(&state) {
            format.depth = self.depth;
        }
        self.state = Some(state.clone());
        let text = vm.call(value, name, &[state])?;
        let text = vm.to_str(&text)?;
        let added = text.get(vm).bytesize();
        vm.check_growth(self.out.len(), added)?;
        self.out.extend_from_slice(text.get(vm).bytes());
        Ok(())
    }
    /// Writes a value like the native `to_json`.
    fn own(&mut self, vm: &mut Vm, value: &Value) -> Res<()> {
        vm.tick_by(1)?;
        vm.check_growth(self.out.len(), self.depth * self.format.indent.len())?;
        match value {
            Value::Nil => self.out.extend_from_slice(b"null"),
            Value::True => self.out.extend_from_slice(b"true"),
            Value::False => self.out.extend_from_slice(b"false"),
            Value::Int(number) => self.out.extend_from_slice(number.to_string().as_bytes()),
            Value::Float(number) if number.get().is_finite() || self.format.allow_nan => {
                self.out.extend_from_slice(rchef_ruby::text::number::float_to_s(number.get()).as_bytes())
            }
            Value::Float(number) => {
                let place = if number.get().is_nan() { 1003 } else { 1000 };
                let shown = rchef_ruby::text::number::float_to_s(number.get());
                return Err(error(vm, "GeneratorError", format!("{place}: {shown} not allowed in JSON")));
            }
            Value::Sym(name) => self.text(vm, name.as_str().as_bytes())?,
            Value::Str(text) => self.string(vm, text)?,
            Value::Array(list) => self.array(vm, list)?,
            Value::Hash(hash) => self.object(vm, hash)?,
            other => {
                let text = vm.to_s(other)?;
                match other {
                    Value::Big(_) => self.out.extend_from_slice(text.get(vm).bytes()),
                    _ => self.string(vm, &text)?,
                }
            }
        }
        Ok(())
    }
    fn deeper(&mut self, vm: &mut Vm) -> Res<()> {
        self.depth += 1;
        vm.tick_by(1)?;
        vm.check_growth(self.out.len(), self.depth * self.format.indent.len())?;
        let limit = if self.format.max_nesting == 0 { DEEPEST } else { self.format.max_nesting };
        if self.depth > limit && self.format.max_nesting == 0 {
            return Err(vm.error(ClassId::SYSTEM_STACK_ERROR, "stack level too deep"));
        }
        if self.depth > limit {
            return Err(error(vm, "NestingError", format!("nesting of {} is too deep", self.depth - 1)));
        }
        Ok(())
    }
    fn indentation(&mut self) {
        for _ in 0..self.depth {
            self.out.extend_from_slice(self.format.indent.as_bytes());
        }
    }
    fn array(&mut self, vm: &mut Vm, list: &Gc<rchef_ruby::embed::value::RArray>) -> Res<()> {
        self.deeper(vm)?;
        self.out.push(b'[');
        self.out.extend_from_slice(self.format.array_nl.as_bytes());
        let mut index = 0;
        while let Some(item) = list.get(vm).items.get(index).cloned() {
            if index > 0 {
                self.out.push(b',');
                self.out.extend_from_slice(self.format.array_nl.as_bytes());
            }
            self.indentation();
            self.value(vm, &item)?;
            index += 1;
        }
        self.depth -= 1;
        if !self.format.array_nl.is_empty() {
            self.out.extend_from_slice(self.format.array_nl.as_bytes());
            self.indentation();
        }
        self.out.push(b']');
        Ok(())
    }
    fn object(&mut self, vm: &mut Vm, hash: &Gc<rchef_ruby::RHash>) -> Res<()> {
        self.deeper(vm)?;
        self.out.push(b'{');
        let pairs: Vec<(Value, Value)> = hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        for (index, (key, value)) in pairs.iter().enumerate() {
            if index > 0 {
                self.out.push(b',');
            }
            self.out.extend_from_slice(self.format.object_nl.as_bytes());
            self.indentation();
            match key {
                Value::Str(text) => self.string(vm, text)?,
                Value::Sym(name) => self.text(vm, name.as_str().as_bytes())?,
                other => {
                    let text = vm.to_s(other)?;
                    self.string(vm, &text)?;
                }
            }
            self.out.extend_from_slice(self.format.space_before.as_bytes());
            self.out.push(b':');
            self.out.extend_from_slice(self.format.space.as_bytes());
            self.value(vm, value)?;
        }
        self.depth -= 1;
        if !self.format.object_nl.is_empty() {
            self.out.extend_from_slice(self.format.object_nl.as_bytes());
            self.indentation();
        }
        self.out.push(b'}');
        Ok(())
    }
    fn string(&mut self, vm: &mut Vm, text: &Gc<RString>) -> Res<()> {
        let contents = text.get(vm);
        if matches!(contents.encoding().name(), "UTF-8" | "US-ASCII" | "ASCII-8BIT" | "BINARY") {
            let bytes = contents.bytes().to_vec();
            return self.text(vm, &bytes);
        }
        let converted = vm.call_name(&Value::Str(text.clone()), "encode", &[Value::str("UTF-8")])?;
        let converted = vm.to_str(&converted)?;
        let bytes = converted.get(vm).bytes().to_vec();
        self.text(vm, &bytes)
    }
    fn text(&mut self, vm: &mut Vm, bytes: &[u8]) -> Res<()> {
        let checked = std::str::from_utf8(bytes);
        if let Err(problem) = checked {
            let wrong = bytes.get(problem.valid_up_to()..).unwrap_or_default();
            let message = if wrong.len() < wrong.first().map_or(0, |lead| announced(*lead)) {
                "partial character in source, but hit end"
            } else {
                "source sequence is illegal/malformed utf-8"
            };
            return Err(error(vm, "GeneratorError", message));
        }
        vm.check_growth(self.out.len(), bytes.len() + 2)?;
        self.out.push(b'"');
        for (at, byte) in bytes.iter().copied().enumerate() {
            match byte {
                b'"' => self.out.extend_from_slice(b"\\\""),
                b'\\' => self.out.extend_from_slice(b"\\\\"),
                b'\n' => self.out.extend_from_slice(b"\\n"),
                b'\r' => self.out.extend_from_slice(b"\\r"),
                b'\t' => self.out.extend_from_slice(b"\\t"),
                12 => self.out.extend_from_slice(b"\\f"),
                8 => self.out.extend_from_slice(b"\\b"),
                0..=0x1f => self.out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
                b'/' if self.format.escape_slash => self.out.extend_from_slice(b"\\/"),
                0x80.. if self.format.ascii_only => {
                    if byte >= 0xc0
                        && let Some(char) = checked.ok().and_then(|text| text.get(at..)?.chars().next())
                    {
                        let mut units = [0; 2];
                        for unit in char.encode_utf16(&mut units) {
                            self.out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
                        }
                    }
                }
                other => self.out.push(other),
            }
        }
        self.out.push(b'"');
        Ok(())
    }
}
