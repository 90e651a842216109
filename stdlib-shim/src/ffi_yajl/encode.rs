//! Writes JSON, compact or in the style of YAJL's beautifier, which writes an empty line in empty containers.

use super::{error, option};
use rchef_ruby::{ClassId, Res, Symbol, Value, Vm};

/// The maximum nesting depth in YAJL.
const DEEPEST: usize = 128;

struct Encoder {
    out: Vec<u8>,
    depth: usize,
    /// The indentation, for beautified output.
    indent: Option<Vec<u8>>,
    /// Whether a text that is not UTF-8 is an error; else its bytes are written as they are.
    validates: bool,
    options: Value,
}

/// The JSON of a value, in UTF-8. Options: `:pretty`, `:indent`, `:validate_utf8`.
pub(super) fn encode(vm: &mut Vm, value: &Value, options: &Value) -> Res {
    let mut indent = None;
    if option(vm, options, "pretty")?.is_some_and(|value| value.truthy()) {
        indent = Some(match option(vm, options, "indent")?.filter(Value::truthy) {
            Some(given) => vm.to_str(&given)?.get(vm).bytes().to_vec(),
            None => b"  ".to_vec(),
        });
    }
    let validates = option(vm, options, "validate_utf8")?.is_none_or(|value| value.truthy());
    let options = if options.is_nil() { Value::hash(rchef_ruby::RHash::default()) } else { options.clone() };
    let mut encoder = Encoder { out: Vec::new(), depth: 0, indent, validates, options };
    encoder.value(vm, value)?;
    encoder.newline();
    Ok(Value::bytes(encoder.out))
}

impl Encoder {
    fn newline(&mut self) {
        if self.indent.is_some() {
            self.out.push(b'\n');
        }
    }
    fn indentation(&mut self) {
        if let Some(indent) = &self.indent {
            for _ in 0..self.depth {
                self.out.extend_from_slice(indent);
            }
        }
    }
    fn open(&mut self, vm: &mut Vm, mark: u8) -> Res<()> {
        vm.check_stack()?;
        self.depth += 1;
        if self.depth >= DEEPEST {
            return Err(error(vm, "EncodeError", "Max nesting depth exceeded"));
        }
        self.out.push(mark);
        self.newline();
        Ok(())
    }
    fn close(&mut self, mark: u8) {
        self.depth -= 1;
        self.newline();
        self.indentation();
        self.out.push(mark);
    }
    fn separate(&mut self, index: usize) {
        if index > 0 {
            self.out.push(b',');
            self.newline();
        }
        self.indentation();
    }

    fn value(&mut self, vm: &mut Vm, value: &Value) -> Res<()> {
        match value {
            Value::Nil => self.out.extend_from_slice(b"null"),
            Value::True => self.out.extend_from_slice(b"true"),
            Value::False => self.out.extend_from_slice(b"false"),
            Value::Float(number) if !number.get().is_finite() => {
                let shown = vm.to_s_text(value)?;
                return Err(error(vm, "EncodeError", format!("'{shown}' is an invalid number")));
            }
            Value::Int(_) | Value::Big(_) | Value::Float(_) => {
                let text = vm.to_s(value)?;
                self.out.extend_from_slice(text.get(vm).bytes());
            }
            Value::Str(text) => {
                let bytes = text.get(vm).bytes().to_vec();
                self.text(vm, &bytes)?;
            }
            Value::Array(list) => {
                self.open(vm, b'[')?;
                let mut index = 0;
                while let Some(item) = list.get(vm).items.get(index).cloned() {
                    self.separate(index);
                    self.value(vm, &item)?;
                    index += 1;
                }
                self.close(b']');
            }
            Value::Hash(hash) => {
                self.open(vm, b'{')?;
                let pairs: Vec<(Value, Value)> =
                    hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
                for (index, (key, value)) in pairs.iter().enumerate() {
                    self.separate(index);
                    self.shown(vm, key)?;
                    self.out.extend_from_slice(if self.indent.is_some() { b": " } else { b":" });
                    self.value(vm, value)?;
                }
                self.close(b'}');
            }
            other => self.object(vm, other)?,
        }
        Ok(())
    }

    fn shown(&mut self, vm: &mut Vm, value: &Value) -> Res<()> {
        let text = vm.to_s(value)?;
        let bytes = text.get(vm).bytes().to_vec();
        self.text(vm, &bytes)
    }

    /// Times, StringIOs and delegators have a format of their own; other objects are written by their `to_json`, or else as their `to_s`.
    fn object(&mut self, vm: &mut Vm, value: &Value) -> Res<()> {
        if matches!(value, Value::Sym(_)) {
            return self.shown(vm, value);
        }
        let class = vm.class_of(value);
        let named = |vm: &mut Vm, name: &str| vm.class_named(name).is_some_and(|known| vm.is_a(value, known));
        if named(vm, "Time") {
            let text = vm.call_name(value, "strftime", &[Value::str("%Y-%m-%d %H:%M:%S %z")])?;
            return self.shown(vm, &text);
        }
        if named(vm, "StringIO") {
            let text = vm.call_name(value, "read", &[])?;
            return self.shown(vm, &text);
        }
        // a delegator hands the library's own method on to what it stands for
        let target = Symbol::intern_static("__getobj__");
        if !vm.is_a(value, ClassId::OBJECT) && vm.respond_to(value, target, false)? {
            vm.check_stack()?;
            let inner = vm.call(value, target, &[])?;
            return self.value(vm, &inner);
        }
        let to_json = Symbol::intern_static("to_json");
        if vm.find_method(class, to_json).is_none() && !vm.respond_to(value, to_json, false)? {
            return self.shown(vm, value);
        }
        let options = self.options.clone();
        let text = vm.call(value, to_json, &[options])?;
        let text = vm.to_str(&text)?;
        self.out.extend_from_slice(text.get(vm).bytes());
        Ok(())
    }

    fn text(&mut self, vm: &mut Vm, bytes: &[u8]) -> Res<()> {
        if self.validates && std::str::from_utf8(bytes).is_err() {
            let shown = vm.call(&Value::bytes(bytes.to_vec()), Symbol::intern_static("scrub"), &[])?;
            let shown = vm.to_s_text(&shown)?;
            return Err(error(vm, "EncodeError", format!("Invalid UTF-8 string '{shown}': cannot encode to UTF-8")));
        }
        self.out.push(b'"');
        for byte in bytes {
            let escape: &[u8] = match byte {
                b'"' => b"\\\"",
                b'\\' => b"\\\\",
                b'\n' => b"\\n",
                b'\r' => b"\\r",
                b'\t' => b"\\t",
                8 => b"\\b",
                12 => b"\\f",
                0..=31 => {
                    self.out.extend_from_slice(format!("\\u{byte:04X}").as_bytes());
                    continue;
                }
                _ => std::slice::from_ref(byte),
            };
            self.out.extend_from_slice(escape);
        }
        self.out.push(b'"');
        Ok(())
    }
}
