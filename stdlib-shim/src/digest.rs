//! What `digest` and `OpenSSL::Digest` stand on: the hash functions as objects that bytes are fed to. The methods that all digests share are `ruby/digest.rb`.

use md5::Md5;
use rchef_ruby::text::encoding::Encoding;
use rchef_ruby::{Args, ClassId, MethodDef, NativeData, RString, Res, Value, Vm, def};
use ripemd::Ripemd160;
use sha1::Sha1;
use sha2::digest::DynDigest;
use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};

static METHODS: &[MethodDef] = &[
    def("update", update, 1),
    def("<<", update, 1),
    def("reset", reset, 0),
    def("digest_length", digest_length, 0),
    def("block_length", block_length, 0),
    def("finish", finish, 0).private(),
];
/// Of `OpenSSL::Digest`, whose algorithm is an argument.
static NAMED: &[MethodDef] = &[def("name", name, 0), def("start", start, 1).private()];
static MODULE: &[MethodDef] = &[def("hexencode", hexencode, 1)];

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

/// The hash function of one of OpenSSL's names.
fn named(name: &str) -> Option<State> {
    let (name, hasher): (_, Box<dyn DynDigest>) = match name.to_ascii_uppercase().replace('-', "").as_str() {
        "MD5" => ("MD5", Box::<Md5>::default()),
        "SHA1" => ("SHA1", Box::<Sha1>::default()),
        "SHA224" => ("SHA224", Box::<Sha224>::default()),
        "SHA256" => ("SHA256", Box::<Sha256>::default()),
        "SHA384" => ("SHA384", Box::<Sha384>::default()),
        "SHA512" => ("SHA512", Box::<Sha512>::default()),
        "SHA512224" | "SHA512/224" => ("SHA512-224", Box::<Sha512_224>::default()),
        "SHA512256" | "SHA512/256" => ("SHA512-256", Box::<Sha512_256>::default()),
        "RIPEMD160" | "RIPEMD" | "RMD160" => ("RIPEMD160", Box::<Ripemd160>::default()),
        _ => return None,
    };
    Some(State { hasher, name })
}

/// Defines Digest::Base and its classes.
pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    let digest = vm.define_module(ClassId::OBJECT, "Digest");
    vm.define_singleton_methods(digest, MODULE);
    let instance = vm.define_module(digest, "Instance");
    let class = vm.define_class(digest, "Class", ClassId::OBJECT);
    vm.include_module(class, instance);
    let base = vm.define_class(digest, "Base", class);
    vm.define_methods(base, METHODS);
    vm.class_mut(base).allocator = Some(allocate);
    for name in ["MD5", "SHA1", "SHA256", "SHA384", "SHA512", "RMD160"] {
        vm.define_class(digest, name, base);
    }
    Ok(())
}
/// Defines OpenSSL::Digest's natives.
pub(crate) fn init_openssl(vm: &mut Vm) {
    let class = vm.class_named("Digest::Class").unwrap_or(ClassId::OBJECT);
    let openssl = vm.define_module(ClassId::OBJECT, "OpenSSL");
    let digest = vm.define_class(openssl, "Digest", class);
    vm.define_methods(digest, METHODS);
    vm.define_methods(digest, NAMED);
}

/// The algorithm is that of the nearest ancestor among the classes above.
fn allocate(vm: &mut Vm, class: ClassId) -> Res {
    let ancestors = vm.class(class).mro.to_vec();
    for ancestor in ancestors {
        let full = vm.class_name(ancestor);
        if let Some(state) = full.strip_prefix("Digest::").and_then(named) {
            return Ok(Value::data(class, state));
        }
    }
    let shown = vm.class_name(class);
    let text = if shown == "Digest::Base" {
        "Digest::Base is an abstract class"
    } else {
        "Digest::Base cannot be directly inherited in Ruby"
    };
    Err(vm.error(ClassId::NOT_IMPLEMENTED_ERROR, text))
}
fn state<'a>(vm: &'a mut Vm, this: &'a Value) -> Res<&'a mut State> {
    if vm.data::<State>(this).is_none() {
        return Err(vm.runtime_error("Digest CTX wasn't initialized!"));
    }
    match vm.data_mut::<State>(this) {
        Some(state) => Ok(state),
        None => Err(rchef_ruby::Unwind::Abandon.into()),
    }
}
fn bytes_of(vm: &mut Vm, value: &Value) -> Res<Vec<u8>> {
    let text = vm.to_str(value)?;
    Ok(text.get(vm).bytes().to_vec())
}
/// `start(name)`: takes the algorithm's name.
fn start(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let wanted = vm.to_text(args.at(0))?;
    let Some(state) = named(&wanted) else {
        return Err(vm.runtime_error(format!("Unsupported digest algorithm ({wanted}).: unknown object name")));
    };
    vm.set_data(this, state);
    Ok(Value::Nil)
}
fn update(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let data = bytes_of(vm, args.at(0))?;
    state(vm, this)?.hasher.update(&data);
    Ok(this.clone())
}
fn reset(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    state(vm, this)?.hasher.reset();
    Ok(this.clone())
}
fn finish(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let hash = state(vm, this)?.hasher.finalize_reset();
    Ok(Value::string(RString::binary(hash.to_vec())))
}
fn digest_length(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(state(vm, this)?.hasher.output_size()))
}
fn block_length(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let wide = state(vm, this)?.name.starts_with("SHA5") || state(vm, this)?.name == "SHA384";
    Ok(Value::Int(if wide { 128 } else { 64 }))
}
fn name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::str(state(vm, this)?.name))
}
fn hexencode(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let data = bytes_of(vm, args.at(0))?;
    Ok(Value::string(RString::new(hex(&data).into_bytes(), Encoding::UsAscii)))
}
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
