//! `digest`: MD5, SHA1 and the SHA2 family; `OpenSSL::Digest` and HMAC stand on it.

use md5::Md5;
use rchef_ruby::text::base64;
use rchef_ruby::{Args, ClassId, MethodDef, NativeData, RString, Res, Symbol, Value, Vm, any, def, opt, sym};
use sha1::Sha1;
use sha2::digest::DynDigest;
use sha2::{Sha224, Sha256, Sha384, Sha512};

static INSTANCE: &[MethodDef] = &[
    any("initialize", initialize).private(),
    def("update", update, 1),
    def("<<", update, 1),
    def("reset", reset, 0),
    opt("digest", digest, 0, 1),
    opt("hexdigest", digest, 0, 1),
    opt("base64digest", digest, 0, 1),
    def("digest!", digest_bang, 0),
    def("hexdigest!", digest_bang, 0),
    def("to_s", digest, 0),
    def("inspect", inspect, 0),
    def("==", equal, 1),
    def("file", file, 1),
    def("digest_length", length, 0),
    def("length", length, 0),
    def("size", length, 0),
    def("block_length", block_length, 0),
    def("name", name, 0),
    def("new", fresh, 0),
];
static MODULE: &[MethodDef] = &[def("hexencode", hexencode, 1)];
static SINGLETON: &[MethodDef] = &[
    opt("digest", of_class, 1, 1),
    opt("hexdigest", of_class, 1, 1),
    opt("base64digest", of_class, 1, 1),
    def("file", class_file, 1),
];

struct State {
    hasher: Box<dyn DynDigest>,
    name: &'static str,
}
impl NativeData for State {
    fn trace(&self, _: &mut dyn FnMut(&Value)) {}
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(State { hasher: self.hasher.box_clone(), name: self.name }))
    }
}

fn hasher(name: &str) -> Option<(&'static str, Box<dyn DynDigest>)> {
    Some(match name.to_ascii_uppercase().replace('-', "").as_str() {
        "MD5" => ("MD5", Box::<Md5>::default()),
        "SHA1" => ("SHA1", Box::<Sha1>::default()),
        "SHA224" => ("SHA224", Box::<Sha224>::default()),
        "SHA256" | "SHA2" => ("SHA256", Box::<Sha256>::default()),
        "SHA384" => ("SHA384", Box::<Sha384>::default()),
        "SHA512" => ("SHA512", Box::<Sha512>::default()),
        _ => return None,
    })
}

/// Defines Digest.
pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    let digest = vm.define_module(ClassId::OBJECT, "Digest");
    vm.define_singleton_methods(digest, MODULE);
    let instance = vm.define_module(digest, "Instance");
    let class = vm.define_class(digest, "Class", ClassId::OBJECT);
    vm.include_module(class, instance);
    let base = vm.define_class(digest, "Base", class);
    vm.define_methods(base, INSTANCE);
    vm.define_singleton_methods(base, SINGLETON);
    vm.class_mut(base).allocator = Some(allocate);
    for name in ["MD5", "SHA1", "SHA256", "SHA384", "SHA512", "SHA2"] {
        vm.define_class(digest, name, base);
    }
    Ok(())
}

/// A digest is known by its class's last name part, or by the nearest ancestor's.
fn allocate(vm: &mut Vm, class: ClassId) -> Res {
    let ancestors = vm.class(class).mro.to_vec();
    for ancestor in ancestors {
        let full = vm.class_name(ancestor);
        if let Some((name, hasher)) = full.rsplit("::").next().and_then(hasher) {
            return Ok(Value::data(class, State { hasher, name }));
        }
    }
    Ok(Value::object(class))
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    // OpenSSL::Digest.new("SHA256", data) and Digest::SHA2.new(bits)
    let mut rest = 0;
    if vm.data::<State>(this).is_none_or(|state| state.name == "SHA256") && !args.is_empty() {
        let wanted = match args.at(0) {
            Value::Int(bits) => format!("SHA{bits}"),
            other => vm.to_s_text(other)?,
        };
        if let Some((name, hasher)) = hasher(&wanted) {
            vm.set_data(this, State { hasher, name });
            rest = 1;
        } else if vm.data::<State>(this).is_none() {
            return Err(vm.runtime_error(format!("Unsupported digest algorithm ({wanted}).: unknown object name")));
        }
    }
    if let Some(data) = args.get(rest) {
        update(vm, this, Args::new(std::slice::from_ref(data)))?;
    }
    Ok(Value::Nil)
}
fn bytes_of(vm: &mut Vm, value: &Value) -> Res<Vec<u8>> {
    let text = vm.to_str(value)?;
    Ok(text.get(vm).bytes().to_vec())
}
fn update(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let data = bytes_of(vm, args.at(0))?;
    if let Some(state) = vm.data_mut::<State>(this) {
        state.hasher.update(&data);
    }
    Ok(this.clone())
}
fn reset(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if let Some(state) = vm.data_mut::<State>(this) {
        state.hasher.reset();
    }
    Ok(this.clone())
}
/// In the form that the method's name asks for.
fn form(vm: &mut Vm, bytes: Vec<u8>) -> Value {
    match vm.current_native_name().map(Symbol::as_str) {
        Some("digest" | "digest!") => Value::string(RString::binary(bytes)),
        Some("base64digest") => Value::bytes(base64::strict_encode(&bytes)),
        _ => Value::str(hex(&bytes)),
    }
}
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
fn finished(vm: &Vm, this: &Value) -> Vec<u8> {
    vm.data::<State>(this).map(|state| state.hasher.box_clone().finalize().to_vec()).unwrap_or_default()
}
fn digest(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let bytes = match args.get(0) {
        Some(data) => {
            let data = bytes_of(vm, data)?;
            let Some(state) = vm.data::<State>(this) else { return Ok(Value::Nil) };
            let mut hasher = state.hasher.box_clone();
            hasher.reset();
            hasher.update(&data);
            let bytes = hasher.finalize().to_vec();
            reset(vm, this, Args::none())?;
            bytes
        }
        None => finished(vm, this),
    };
    Ok(form(vm, bytes))
}
fn digest_bang(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let bytes = finished(vm, this);
    reset(vm, this, Args::none())?;
    Ok(form(vm, bytes))
}
/// A copy at its start.
fn fresh(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let copy = vm.call_name(this, "dup", &[])?;
    vm.call_name(&copy, "reset", &[])
}
fn hexencode(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let data = bytes_of(vm, args.at(0))?;
    Ok(Value::str(hex(&data)))
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = vm.class_name_of(this);
    let text = hex(&finished(vm, this));
    Ok(Value::str(format!("#<{class}: {text}>")))
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mine = finished(vm, this);
    let other = args.at(0);
    if vm.data::<State>(other).is_some() {
        return Ok(Value::bool(mine == finished(vm, other)));
    }
    Ok(match vm.check_str(other)? {
        Some(text) => Value::bool(text.get(vm).bytes() == hex(&mine).as_bytes()),
        None => Value::False,
    })
}
fn file(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let data = vm.call_name(&Value::Class(ClassId::FILE), "binread", args.pos)?;
    update(vm, this, Args::new(&[data]))
}
fn length(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(vm.data::<State>(this).map_or(0, |state| state.hasher.output_size())))
}
fn block_length(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(
        vm.data::<State>(this).map_or(64, |state| if matches!(state.name, "SHA384" | "SHA512") { 128 } else { 64 }),
    ))
}
fn name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(vm.data::<State>(this).map(|state| Value::str(state.name)).unwrap_or_default())
}
fn of_class(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let method = vm.current_native_name().unwrap_or(Symbol::intern_static("hexdigest"));
    let made = vm.call(this, sym::NEW, &[])?;
    vm.call(&made, method, args.pos)
}
fn class_file(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let made = vm.call(this, sym::NEW, &[])?;
    file(vm, &made, args)
}
