//! The native part of `digest` and `OpenSSL::Digest`: libcrypto's hash functions as objects. The methods common to all digests are in
//! `ruby/digest.rb`.

use crate::openssl::{binary, bytes, ffi};
use openssl::hash::{Hasher, MessageDigest};
use openssl::nid::Nid;
use rchef_ruby::text::encoding::Encoding;
use rchef_ruby::{Args, ClassId, MethodDef, NativeData, RString, Res, Value, Vm, def};

static METHODS: &[MethodDef] = &[
    def("update", update, 1),
    def("<<", update, 1),
    def("reset", reset, 0),
    def("digest_length", digest_length, 0),
    def("block_length", block_length, 0),
    def("finish", finish, 0).private(),
];
/// Methods of `OpenSSL::Digest`, whose algorithm is an argument.
static NAMED: &[MethodDef] = &[def("name", name, 0), def("start", start, 1).private()];
static MODULE: &[MethodDef] = &[def("hexencode", hexencode, 1)];

struct State {
    digest: MessageDigest,
    hasher: Hasher,
}
impl NativeData for State {
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(State { digest: self.digest, hasher: self.hasher.clone() }))
    }
}

/// The hash function with one of OpenSSL's names, or its dotted object identifier. Loads OpenSSL's legacy provider for MD4 and Whirlpool.
pub(crate) fn named(name: &str) -> Option<MessageDigest> {
    ffi::initialize();
    let found = MessageDigest::from_name(name).or_else(|| {
        let object = openssl::asn1::Asn1Object::from_str(name).ok()?;
        MessageDigest::from_nid(object.nid())
    })?;
    if [Nid::MD4, Nid::from_raw(ffi::NID_WHIRLPOOL)].contains(&found.type_()) {
        ffi::load_legacy();
    }
    Some(found)
}
/// Loads OpenSSL's digests before the process forks, so that the copies need not load them.
pub fn prepare() {
    for name in ["MD5", "SHA1", "SHA256"] {
        named(name).and_then(State::new);
    }
}
/// The hash function of an OpenSSL::Digest object.
pub(crate) fn of(vm: &Vm, value: &Value) -> Option<MessageDigest> {
    vm.data::<State>(value).map(|state| state.digest)
}
impl State {
    fn new(digest: MessageDigest) -> Option<State> {
        Hasher::new(digest).ok().map(|hasher| State { digest, hasher })
    }
    /// The length of the result in bytes; for SHAKE the default of OpenSSL 3.0.
    fn size(&self) -> usize {
        match self.digest.type_() {
            Nid::SHAKE128 => 16,
            Nid::SHAKE256 => 32,
            _ => self.digest.size(),
        }
    }
    /// Returns the result and resets the state.
    fn finish(&mut self) -> Option<Vec<u8>> {
        if !matches!(self.digest.type_(), Nid::SHAKE128 | Nid::SHAKE256) {
            return self.hasher.finish().ok().map(|bytes| bytes.to_vec());
        }
        let mut out = vec![0; self.size()];
        self.hasher.finish_xof(&mut out).ok()?;
        Some(out)
    }
}

/// Defines Digest::Base and its classes.
pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    let digest = vm.define_module(ClassId::OBJECT, "Digest");
    vm.define_module_functions(digest, MODULE);
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
/// Defines the native methods of OpenSSL::Digest.
pub(crate) fn init_openssl(vm: &mut Vm, error: ClassId) {
    let class = vm.class_named("Digest::Class").unwrap_or(ClassId::OBJECT);
    let openssl = vm.define_module(ClassId::OBJECT, "OpenSSL");
    let digest = vm.define_class(openssl, "Digest", class);
    vm.define_class(digest, "DigestError", error);
    vm.define_methods(digest, METHODS);
    vm.define_methods(digest, NAMED);
}

/// The class name of the nearest ancestor below Digest determines the algorithm.
fn allocate(vm: &mut Vm, class: ClassId) -> Res {
    let ancestors = vm.class(class).mro.to_vec();
    for ancestor in ancestors {
        let full = vm.class_name(ancestor);
        if let Some(state) = full.strip_prefix("Digest::").and_then(named).and_then(State::new) {
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
fn failed(vm: &mut Vm) -> rchef_ruby::Error {
    crate::openssl::error(vm, "Digest::DigestError", "Digest initialization failed: initialization error")
}
/// `start(name)`: sets the algorithm.
fn start(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let wanted = vm.to_text(args.at(0))?;
    let Some(digest) = named(&wanted) else {
        return Err(vm.runtime_error(format!("Unsupported digest algorithm ({wanted}).: unknown object name")));
    };
    let Some(state) = State::new(digest) else { return Err(failed(vm)) };
    vm.set_data(this, state);
    Ok(Value::Nil)
}
fn update(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let data = bytes(vm, args.at(0))?;
    match state(vm, this)?.hasher.update(&data) {
        Ok(()) => Ok(this.clone()),
        Err(_) => Err(failed(vm)),
    }
}
fn reset(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let state = state(vm, this)?;
    match State::new(state.digest) {
        Some(fresh) => *state = fresh,
        None => return Err(failed(vm)),
    }
    Ok(this.clone())
}
fn finish(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    match state(vm, this)?.finish() {
        Some(hash) => Ok(binary(hash)),
        None => Err(failed(vm)),
    }
}
fn digest_length(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(state(vm, this)?.size()))
}
fn block_length(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(state(vm, this)?.digest.block_size()))
}
fn name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::str(state(vm, this)?.digest.type_().short_name().unwrap_or_default()))
}
fn hexencode(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let data = bytes(vm, args.at(0))?;
    Ok(Value::string(RString::new(hex(&data).into_bytes(), Encoding::UsAscii)))
}
pub(crate) use rchef_text::digest::hex;
