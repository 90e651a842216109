//! Modes of opening: mode strings, flags and keyword options.

use crate::Symbol;
use crate::Vm;
use crate::error::Res;
use crate::hash::RHash;
use crate::heap::Gc;
use crate::string::RString;
use crate::value::Value;
use rchef_host::OpenFlags;
use rchef_syntax::symbol::sym;
use rchef_text::encoding::Encoding;

use super::stream::Stream;

/// The mode of opening a file.
#[derive(Clone, Default)]
pub struct Mode {
    pub flags: i32,
    /// The permissions of a new file.
    pub perm: Option<u32>,
    pub binary: bool,
    pub text: bool,
    pub external: Option<Encoding>,
    pub internal: Option<Encoding>,
    /// Whether to skip a byte order mark.
    pub bom: bool,
    /// Whether to convert all newlines to `\n` on reading.
    pub universal: bool,
    /// `universal_newline: false`: text mode leaves them.
    pub plain_newlines: bool,
    /// What is written for `\n`, if it is something else.
    pub newline: Option<&'static [u8]>,
    pub no_autoclose: bool,
    /// `(invalid: :replace, undef: :replace, replace:)`
    pub replace: (bool, bool, Option<RString>),
    /// Whether a mode or flags were given.
    pub given: bool,
}

impl Mode {
    pub fn read() -> Mode {
        Mode::default()
    }
    pub fn open_flags(&self) -> OpenFlags {
        OpenFlags(self.flags)
    }
    pub fn readable(&self) -> bool {
        self.open_flags().readable()
    }
    pub fn writable(&self) -> bool {
        self.open_flags().writable()
    }
    /// Sets the attributes of a stream.
    pub fn apply(&self, stream: &Stream) {
        stream.flags.set(self.flags);
        stream.binmode.set(self.binary);
        stream.universal.set((self.universal || self.text && !self.plain_newlines) && self.readable());
        stream.newline.set(self.newline.filter(|_| self.writable()));
        stream.external.set(self.external.or(if self.binary && self.internal.is_none() {
            Some(Encoding::Binary)
        } else {
            None
        }));
        stream.internal.set(self.internal);
        stream.autoclose.set(!self.no_autoclose);
        *stream.replace.borrow_mut() = self.replace.clone();
    }
}

/// The default encoding of external text.
pub fn default_external(vm: &mut Vm) -> Encoding {
    super::super::encoding::default_external(vm)
}

/// An argument that is an Encoding object or a name; None for nil and, with a warning, for unknown names.
pub fn encoding_arg(vm: &mut Vm, value: &Value) -> Res<Option<Encoding>> {
    if value.is_nil() {
        return Ok(None);
    }
    if let Some(data) = vm.data::<crate::core::encoding::EncodingData>(value) {
        return Ok(Some(data.0));
    }
    let name = vm.to_text(value)?;
    encoding_named(vm, &name)
}

fn encoding_named(vm: &mut Vm, name: &str) -> Res<Option<Encoding>> {
    match name.to_ascii_lowercase().as_str() {
        "-" => return Ok(None),
        "external" | "locale" | "filesystem" => return Ok(Some(default_external(vm))),
        _ => {}
    }
    let found = Encoding::find(name);
    if found.is_none() {
        vm.warn(&format!("Unsupported encoding {name} ignored"))?;
    }
    Ok(found)
}

/// `ext:int`, optionally after `BOM|`.
pub fn encoding_pair(vm: &mut Vm, text: &str, mode: &mut Mode) -> Res<()> {
    let (external, internal) = match text.split_once(':') {
        Some((external, internal)) => (external, Some(internal)),
        None => (text, None),
    };
    let (external, bom) = match external.get(..4) {
        Some(prefix) if prefix.eq_ignore_ascii_case("bom|") => (&external[4..], true),
        _ => (external, false),
    };
    mode.bom = bom;
    mode.external = encoding_named(vm, external)?;
    mode.internal = match internal {
        None => None,
        // the external encoding here says that nothing is converted, also not to the default internal encoding
        Some("-") => mode.external,
        Some(name) => encoding_named(vm, name)?,
    };
    Ok(())
}

/// Parses a mode string.
pub fn parse_mode(vm: &mut Vm, text: &str, mode: &mut Mode) -> Res<()> {
    let (access, encodings) = match text.split_once(':') {
        Some((access, encodings)) => (access, Some(encodings)),
        None => (text, None),
    };
    let invalid = |vm: &mut Vm| Err(vm.argument_error(format!("invalid access mode {text}")));
    let mut letters = access.chars();
    let mut flags = match letters.next() {
        Some('r') => OpenFlags::RDONLY,
        Some('w') => OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::TRUNC,
        Some('a') => OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::APPEND,
        _ => return invalid(vm),
    };
    let first = access.as_bytes()[0];
    let mut plus = false;
    for letter in letters {
        match letter {
            'b' if !mode.binary => mode.binary = true,
            't' if !mode.text => mode.text = true,
            '+' if !plus => plus = true,
            'x' if first == b'w' => flags = flags | OpenFlags::EXCL,
            _ => return invalid(vm),
        }
    }
    if mode.binary && mode.text {
        return invalid(vm);
    }
    if plus {
        flags = OpenFlags(flags.0 & !3) | OpenFlags::RDWR;
    }
    mode.flags = flags.0;
    mode.given = true;
    if let Some(encodings) = encodings {
        encoding_pair(vm, encodings, mode)?;
    }
    Ok(())
}

/// A mode argument: nil, Integer flags or a String.
pub fn mode_arg(vm: &mut Vm, value: &Value, mode: &mut Mode) -> Res<()> {
    match value {
        Value::Nil => {}
        Value::Int(flags) => {
            mode.flags = *flags as i32;
            mode.given = true;
        }
        Value::Str(text) => {
            let text = text.get(vm).to_text().into_owned();
            parse_mode(vm, &text, mode)?;
        }
        _ => {
            if let Some(number) = vm.try_convert(value, sym::TO_INT)? {
                mode.flags = vm.to_int(&number)? as i32;
                mode.given = true;
            } else {
                let text = vm.to_text(value)?;
                parse_mode(vm, &text, mode)?;
            }
        }
    }
    Ok(())
}

fn named(vm: &Vm, hash: &Gc<RHash>, name: &'static str) -> Option<Value> {
    vm.hash_get_sym(hash, Symbol::intern_static(name))
}

/// The mode from the arguments of `open`: positional mode and permissions, and keyword options.
pub fn open_mode(vm: &mut Vm, mode: &Value, perm: &Value, options: Option<&Gc<RHash>>) -> Res<Mode> {
    let mut found = Mode::read();
    mode_arg(vm, mode, &mut found)?;
    if !perm.is_nil() {
        found.perm = Some(vm.to_int(perm)? as u32);
    }
    if let Some(options) = options {
        options_into(vm, options, &mut found)?;
    }
    check_wide(vm, &found, found.readable() && !found.binary)?;
    Ok(found)
}
/// ArgumentError where text would be read in an encoding that is no superset of ASCII as it is: in text mode that is not possible.
pub(super) fn check_wide(vm: &mut Vm, mode: &Mode, reads_text: bool) -> Res<()> {
    let wide = mode.external.is_some_and(|external| !external.is_ascii_compatible());
    if wide && reads_text && mode.internal.or_else(|| crate::core::encoding::default_internal(vm)).is_none() {
        return Err(vm.argument_error("ASCII incompatible encoding needs binmode"));
    }
    Ok(())
}

fn options_into(vm: &mut Vm, options: &Gc<RHash>, found: &mut Mode) -> Res<()> {
    if let Some(value) = named(vm, options, "mode").filter(|value| !value.is_nil()) {
        if found.given {
            return Err(vm.argument_error("mode specified twice"));
        }
        mode_arg(vm, &value, found)?;
    }
    if let Some(value) = named(vm, options, "flags").filter(|value| !value.is_nil()) {
        found.flags |= vm.to_int(&value)? as i32;
    }
    if let Some(value) = named(vm, options, "perm").filter(|value| !value.is_nil()) {
        if found.perm.is_some() {
            return Err(vm.argument_error("perm specified twice"));
        }
        found.perm = Some(vm.to_int(&value)? as u32);
    }
    let (text, binary) = (
        named(vm, options, "textmode").filter(|value| !value.is_nil()),
        named(vm, options, "binmode").filter(|value| !value.is_nil()),
    );
    if text.is_some() && found.text {
        return Err(vm.argument_error("textmode specified twice"));
    }
    if binary.is_some() && found.binary {
        return Err(vm.argument_error("binmode specified twice"));
    }
    if text.is_some() && found.binary {
        return Err(vm.argument_error("binmode already specified"));
    }
    if binary.is_some() && found.text {
        return Err(vm.argument_error("textmode already specified"));
    }
    let (text, binary) = (text.is_some_and(|value| value.truthy()), binary.is_some_and(|value| value.truthy()));
    if text && binary {
        return Err(vm.argument_error("both textmode and binmode specified"));
    }
    found.text |= text;
    found.binary |= binary;
    encoding_options(vm, options, found)?;
    if named(vm, options, "autoclose").is_some_and(|value| !value.truthy()) {
        found.no_autoclose = true;
    }
    if let Some(wanted) = named(vm, options, "universal_newline").filter(|value| !value.is_nil()) {
        (found.universal, found.plain_newlines) = (wanted.truthy(), !wanted.truthy());
    }
    for (name, written) in [("crlf_newline", &b"\r\n"[..]), ("cr_newline", b"\r")] {
        if named(vm, options, name).is_some_and(|value| value.truthy()) {
            found.newline = Some(written);
        }
    }
    let newline = ["newline", "universal_newline", "crlf_newline", "cr_newline", "lf_newline"]
        .into_iter()
        .any(|name| named(vm, options, name).is_some_and(|value| value.truthy()));
    if newline && found.binary {
        return Err(vm.argument_error("newline decorator with binary mode"));
    }
    if let Some(Value::Sym(kind)) = named(vm, options, "newline") {
        match kind.as_str() {
            "universal" => found.universal = true,
            "crlf" => found.newline = Some(b"\r\n"),
            "cr" => found.newline = Some(b"\r"),
            _ => {}
        }
    }
    let replaces = |value: Option<Value>| matches!(value, Some(Value::Sym(kind)) if kind.as_str() == "replace");
    found.replace.0 = replaces(named(vm, options, "invalid"));
    found.replace.1 = replaces(named(vm, options, "undef"));
    if let Some(text) = named(vm, options, "replace").filter(|value| !value.is_nil()) {
        found.replace.2 = Some(vm.to_str(&text)?.get(vm).clone());
    }
    Ok(())
}

/// `encoding:`, `external_encoding:` and `internal_encoding:`.
fn encoding_options(vm: &mut Vm, options: &Gc<RHash>, found: &mut Mode) -> Res<()> {
    let external = named(vm, options, "external_encoding");
    let internal = named(vm, options, "internal_encoding");
    if let Some(value) = named(vm, options, "encoding").filter(|value| !value.is_nil()) {
        if external.is_some() || internal.is_some() {
            let which = if external.is_some() { "external_encoding" } else { "internal_encoding" };
            let shown = vm.to_s_text(&value)?;
            vm.warn(&format!("Ignoring encoding parameter '{shown}': {which} is used"))?;
        } else {
            if found.external.is_some() {
                return Err(vm.argument_error("encoding specified twice"));
            }
            match vm.data::<crate::core::encoding::EncodingData>(&value) {
                Some(data) => found.external = Some(data.0),
                None => {
                    let text = vm.to_text(&value)?;
                    encoding_pair(vm, &text, found)?;
                }
            }
        }
    }
    let twice = (external.is_some() || internal.is_some()) && found.external.is_some();
    if twice {
        return Err(vm.argument_error("encoding specified twice"));
    }
    if let Some(value) = external {
        match &value {
            Value::Str(text)
                if text.get(vm).bytes().len() > 4 && text.get(vm).bytes()[..4].eq_ignore_ascii_case(b"bom|") =>
            {
                let text = vm.to_text(&value)?;
                encoding_pair(vm, &text, found)?;
            }
            _ => found.external = encoding_arg(vm, &value)?,
        }
    }
    if let Some(value) = internal {
        found.internal = match &value {
            Value::Str(text) if text.get(vm).bytes() == b"-" => found.external,
            _ => encoding_arg(vm, &value)?,
        };
        if found.external.is_none() && found.internal.is_some() {
            found.external = Some(default_external(vm));
        }
    }
    Ok(())
}

/// Text that was read as a String.
pub fn text_value(vm: &mut Vm, stream: &Stream, bytes: Vec<u8>) -> Value {
    let encoding = stream.text_encoding(vm);
    Value::string(RString::new(bytes, encoding))
}

/// `String#encode` with the options of the stream.
fn convert(vm: &mut Vm, stream: &Stream, text: Value, to: Encoding) -> Res {
    let (invalid, undef, replace) = stream.replace.borrow().clone();
    let to = super::super::encoding::object(vm, to);
    let mut pairs = Vec::new();
    let option = |name: &'static str| Value::Sym(Symbol::intern_static(name));
    if invalid {
        pairs.push((option("invalid"), option("replace")));
    }
    if undef {
        pairs.push((option("undef"), option("replace")));
    }
    if let Some(replace) = replace {
        pairs.push((option("replace"), Value::string(replace)));
    }
    let encode = Symbol::intern_static("encode");
    if pairs.is_empty() {
        return vm.call(&text, encode, &[to]);
    }
    let options = vm.new_hash(pairs)?;
    vm.call_args(&text, encode, crate::Args::new(&[to, options]).with_keywords(true))
}

/// The bytes to write for a String: converted if the stream has a different external encoding.
pub fn bytes_to_write(vm: &mut Vm, stream: &Stream, text: &Gc<RString>) -> Res<Vec<u8>> {
    let data = text.get(vm);
    match stream.external.get() {
        Some(external)
            if external != Encoding::Binary
                && data.encoding() != external
                && (!data.is_ascii() || !external.is_ascii_compatible()) =>
        {
            let converted = convert(vm, stream, Value::Str(text.clone()), external)?;
            Ok(vm.to_str(&converted)?.get(vm).bytes().to_vec())
        }
        _ => Ok(data.bytes().to_vec()),
    }
}
