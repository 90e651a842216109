//! `OpenSSL::PKey`: keys of all kinds. Methods of specific kinds are in [`numbers`] (RSA, DSA, DH) and [`ec`].

pub(crate) mod ec;
pub(crate) mod numbers;
pub(crate) mod operations;
pub(crate) mod read;

use super::{binary, bytes, failure, ffi};
use openssl::error::ErrorStack;
use openssl::nid::Nid;
use openssl::pkey::{Id, PKey, Params, Private, Public};
use openssl::pkey_ctx::PkeyCtx;
use openssl::symm;
use rchef_ruby::{Args, ClassId, Error, MethodDef, NativeData, Res, Value, Vm, def, opt};

static MODULE: &[MethodDef] = &[
    def("decoded", decoded, 2).private(),
    def("generated", generated, 3).private(),
    def("generated_from", generated_from, 1).private(),
];
static METHODS: &[MethodDef] = &[
    def("initialize_copy", initialize_copy, 1).private(),
    def("take_key", initialize_copy, 1).private(),
    def("oid", oid, 0),
    def("to_text", to_text, 0),
    opt("private_to_der", private_to_der, 0, 2),
    opt("private_to_pem", private_to_pem, 0, 2),
    def("public_to_der", public_to_der, 0),
    def("public_to_pem", public_to_pem, 0),
    opt("traditional_pem", traditional_pem, 0, 2).private(),
    def("traditional_der", traditional_der, 0).private(),
    def("compare?", compare, 1),
    def("holds_private?", holds_private, 0).private(),
    def("holds_public?", holds_public, 0).private(),
    def("public_half", public_half, 0).private(),
];

const ERROR: &str = "PKey::PKeyError";

/// A key, by its known parts.
pub(crate) enum Key {
    /// Only a group or other parameters.
    Params(PKey<Params>),
    /// Without the private part.
    Public(PKey<Public>),
    Private(PKey<Private>),
}
impl Clone for Key {
    fn clone(&self) -> Key {
        match self {
            Key::Params(key) => Key::Params(key.clone()),
            Key::Public(key) => Key::Public(key.clone()),
            Key::Private(key) => Key::Private(key.clone()),
        }
    }
}
impl NativeData for Key {
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}
/// Evaluates an expression for a key with a public part; None for parameters.
macro_rules! with_public {
    ($key:expr, $name:ident => $body:expr) => {
        match $key {
            $crate::openssl::pkey::Key::Params(_) => None,
            $crate::openssl::pkey::Key::Public($name) => Some($body),
            $crate::openssl::pkey::Key::Private($name) => Some($body),
        }
    };
}
pub(crate) use with_public;

impl Key {
    pub(crate) fn id(&self) -> Id {
        match self {
            Key::Params(key) => key.id(),
            Key::Public(key) => key.id(),
            Key::Private(key) => key.id(),
        }
    }
    /// The name of the Ruby class.
    fn class(&self) -> &'static str {
        match self.id() {
            Id::RSA | Id::RSA_PSS => "OpenSSL::PKey::RSA",
            Id::EC => "OpenSSL::PKey::EC",
            Id::DSA => "OpenSSL::PKey::DSA",
            Id::DH | Id::DHX => "OpenSSL::PKey::DH",
            _ => "OpenSSL::PKey::PKey",
        }
    }
    /// The public part as DER (SubjectPublicKeyInfo).
    pub(crate) fn public_der(&self) -> Option<Vec<u8>> {
        with_public!(self, key => key.public_key_to_der().ok()).flatten()
    }
}

/// Defines OpenSSL::PKey.
pub(super) fn init(vm: &mut Vm, openssl: ClassId, error: ClassId) {
    let module = vm.define_module(openssl, "PKey");
    let error = vm.define_class(module, "PKeyError", error);
    vm.define_singleton_methods(module, MODULE);
    let class = vm.define_class(module, "PKey", ClassId::OBJECT);
    vm.class_mut(class).allocator = Some(|_, class| Ok(Value::object(class)));
    vm.define_methods(class, METHODS);
    operations::init(vm, class);
    numbers::init(vm, class);
    for (kind, failure) in [("RSA", "RSAError"), ("DSA", "DSAError"), ("DH", "DHError"), ("EC", "ECError")] {
        vm.define_class(module, failure, error);
        vm.define_class(module, kind, class);
    }
    ec::init(vm, module);
}

/// The key of an OpenSSL::PKey::PKey object; an error if it has none yet.
pub(crate) fn key(vm: &mut Vm, value: &Value) -> Res<Key> {
    match vm.data::<Key>(value) {
        Some(key) => Ok(key.clone()),
        None => {
            let shown = vm.describe(value);
            Err(vm.type_error(format!("wrong argument type {shown} (expected OpenSSL/EVP_PKEY)")))
        }
    }
}
/// An object of the class for a key.
pub(crate) fn value(vm: &mut Vm, key: Key) -> Value {
    let class = vm.class_named(key.class()).unwrap_or(ClassId::OBJECT);
    Value::data(class, key)
}
pub(super) fn failed(vm: &mut Vm, what: &str, stack: &ErrorStack) -> Error {
    failure(vm, ERROR, what, stack)
}
#[cold]
pub(super) fn private_needed(vm: &mut Vm) -> Error {
    vm.argument_error("private key is needed")
}

/// `(text, password or nil)`: the key in PEM or DER; or an error message as a String.
fn decoded(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    ffi::initialize();
    let text = bytes(vm, args.at(0))?;
    let password = if args.at(1).is_nil() { None } else { Some(bytes(vm, args.at(1))?) };
    match read::read(&text, password.as_deref()) {
        Ok(key) => Ok(value(vm, key)),
        Err(why) => Ok(Value::str(why)),
    }
}
/// Options as pairs of Strings.
fn pairs(vm: &mut Vm, value: &Value) -> Res<Vec<(String, String)>> {
    let mut pairs = Vec::new();
    for pair in vm.to_array(value)? {
        let pair = vm.to_array(&pair)?;
        if let [name, value] = pair.as_slice() {
            pairs.push((vm.to_text(name)?, vm.to_text(value)?));
        }
    }
    Ok(pairs)
}
fn kind(name: &str) -> Option<Id> {
    Some(match name.to_ascii_uppercase().as_str() {
        "RSA" => Id::RSA,
        "RSA-PSS" => Id::RSA_PSS,
        "EC" => Id::EC,
        "DSA" => Id::DSA,
        "DH" => Id::DH,
        "ED25519" => Id::ED25519,
        "ED448" => Id::ED448,
        "X25519" => Id::X25519,
        "X448" => Id::X448,
        _ => return None,
    })
}
/// `(name, options, parameters only)`: a new key or new parameters.
fn generated(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    ffi::initialize();
    let (name, options) = (vm.to_text(args.at(0))?, pairs(vm, args.at(1))?);
    let Some(id) = kind(&name) else {
        return Err(super::error(vm, ERROR, "EVP_PKEY_CTX_new_from_name: unsupported"));
    };
    let started = PkeyCtx::new_id(id).and_then(|mut context| {
        if args.at(2).truthy() {
            context.paramgen_init()?
        } else {
            context.keygen_init()?
        }
        Ok(context)
    });
    let mut context = started.map_err(|stack| failed(vm, "EVP_PKEY_keygen_init", &stack))?;
    for (name, value) in &options {
        let what = format!("EVP_PKEY_CTX_ctrl_str(ctx, {name:?}, {value:?})");
        ffi::control(&context, name, value).map_err(|stack| failed(vm, &what, &stack))?;
    }
    let made =
        if args.at(2).truthy() { context.paramgen().map(Key::Params) } else { context.keygen().map(Key::Private) };
    match made {
        Ok(key) => Ok(value(vm, key)),
        Err(stack) => Err(failed(vm, "EVP_PKEY_keygen", &stack)),
    }
}
/// `(key)`: a new key with the parameters of this one.
fn generated_from(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let made = match key(vm, args.at(0))? {
        Key::Params(key) => fresh(&key),
        Key::Public(key) => fresh(&key),
        Key::Private(key) => fresh(&key),
    };
    match made {
        Ok(key) => Ok(value(vm, Key::Private(key))),
        Err(stack) => Err(failed(vm, "EVP_PKEY_keygen", &stack)),
    }
}
fn fresh<T>(parameters: &PKey<T>) -> Result<PKey<Private>, ErrorStack> {
    let mut context = PkeyCtx::new(parameters)?;
    context.keygen_init()?;
    context.keygen()
}
fn initialize_copy(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let key = key(vm, args.at(0))?;
    vm.set_data(this, key);
    Ok(this.clone())
}

fn oid(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let id = key(vm, this)?.id();
    Ok(Value::str(Nid::from_raw(id.as_raw()).short_name().unwrap_or_default()))
}
fn to_text(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let text = match key(vm, this)? {
        Key::Private(key) => ffi::key_text(&key, true),
        Key::Public(key) => ffi::key_text(&key, false),
        Key::Params(key) => ffi::key_text(&key, false),
    };
    text.map(|text| Value::str(String::from_utf8_lossy(&text))).map_err(|stack| failed(vm, "EVP_PKEY_print", &stack))
}
fn private(vm: &mut Vm, this: &Value) -> Res<PKey<Private>> {
    match key(vm, this)? {
        Key::Private(key) => Ok(key),
        Key::Public(_) | Key::Params(_) => Err(private_needed(vm)),
    }
}
/// Cipher and password of an export: both or none.
fn sealing(vm: &mut Vm, args: Args<'_>) -> Res<Option<(symm::Cipher, Vec<u8>)>> {
    if args.at(0).is_nil() {
        return Ok(None);
    }
    let name = match args.at(0) {
        text @ Value::Str(_) => vm.to_text(text)?,
        cipher => {
            let name = vm.call_name(cipher, "name", &[])?;
            vm.to_text(&name)?
        }
    };
    let nid = super::cipher::named(&name).map(|cipher| cipher.nid());
    let Some(cipher) = nid.and_then(symm::Cipher::from_nid) else {
        return Err(vm.runtime_error(format!("unsupported cipher algorithm ({name})")));
    };
    if args.at(1).is_nil() {
        return Err(super::error(vm, ERROR, "PEM_write_bio_PrivateKey: read key"));
    }
    Ok(Some((cipher, bytes(vm, args.at(1))?)))
}
fn pem(text: Vec<u8>) -> Value {
    Value::str(String::from_utf8_lossy(&text))
}
fn private_to_der(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let key = private(vm, this)?;
    let made = match sealing(vm, args)? {
        None => key.private_key_to_pkcs8(),
        Some((cipher, password)) => key.private_key_to_pkcs8_passphrase(cipher, &password),
    };
    made.map(binary).map_err(|stack| failed(vm, "i2d_PKCS8PrivateKey_bio", &stack))
}
fn private_to_pem(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let key = private(vm, this)?;
    let made = match sealing(vm, args)? {
        None => key.private_key_to_pem_pkcs8(),
        Some((cipher, password)) => key.private_key_to_pem_pkcs8_passphrase(cipher, &password),
    };
    made.map(pem).map_err(|stack| failed(vm, "PEM_write_bio_PKCS8PrivateKey", &stack))
}
fn public_to_der(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let key = key(vm, this)?;
    match with_public!(&key, key => key.public_key_to_der()) {
        Some(Ok(der)) => Ok(binary(der)),
        Some(Err(stack)) => Err(failed(vm, "i2d_PUBKEY_bio", &stack)),
        None => Err(super::error(vm, ERROR, "i2d_PUBKEY_bio: missing public key")),
    }
}
fn public_to_pem(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let key = key(vm, this)?;
    match with_public!(&key, key => key.public_key_to_pem()) {
        Some(Ok(text)) => Ok(pem(text)),
        Some(Err(stack)) => Err(failed(vm, "PEM_write_bio_PUBKEY", &stack)),
        None => Err(super::error(vm, ERROR, "PEM_write_bio_PUBKEY: missing public key")),
    }
}

/// The traditional format of a private key, specific to its kind (`RSA PRIVATE KEY`), or of DH parameters.
fn traditional(key: &Key, sealing: Option<(symm::Cipher, Vec<u8>)>) -> Result<Vec<u8>, ErrorStack> {
    let Key::Private(private) = key else {
        return match key {
            Key::Params(parameters) if key.id() == Id::DH => parameters.dh()?.params_to_pem(),
            _ => Err(ErrorStack::get()),
        };
    };
    match (key.id(), sealing) {
        (Id::RSA, None) => private.rsa()?.private_key_to_pem(),
        (Id::RSA, Some((cipher, password))) => private.rsa()?.private_key_to_pem_passphrase(cipher, &password),
        (Id::DSA, None) => private.dsa()?.private_key_to_pem(),
        (Id::DSA, Some((cipher, password))) => private.dsa()?.private_key_to_pem_passphrase(cipher, &password),
        (Id::EC, None) => private.ec_key()?.private_key_to_pem(),
        (Id::EC, Some((cipher, password))) => private.ec_key()?.private_key_to_pem_passphrase(cipher, &password),
        (Id::DH, _) => private.dh()?.params_to_pem(),
        (_, None) => private.private_key_to_pem_pkcs8(),
        (_, Some((cipher, password))) => private.private_key_to_pem_pkcs8_passphrase(cipher, &password),
    }
}
fn traditional_pem(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let key = key(vm, this)?;
    let sealing = sealing(vm, args)?;
    traditional(&key, sealing).map(pem).map_err(|stack| failed(vm, "PEM_write_bio_PrivateKey_traditional", &stack))
}
fn traditional_der(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let key = key(vm, this)?;
    let made = match (&key, key.id()) {
        (Key::Params(parameters), Id::DH) => parameters.dh().and_then(|dh| dh.params_to_der()),
        (Key::Private(private), Id::DH) => private.dh().and_then(|dh| dh.params_to_der()),
        (Key::Private(private), _) => private.private_key_to_der(),
        _ => return public_to_der(vm, this, Args::none()),
    };
    made.map(binary).map_err(|stack| failed(vm, "i2d_PrivateKey", &stack))
}

fn compare(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (own, other) = (key(vm, this)?, key(vm, args.at(0))?);
    if own.id() != other.id() {
        return Err(vm.type_error("cannot match different PKey types"));
    }
    Ok(Value::bool(own.public_der().is_some_and(|der| other.public_der().as_ref() == Some(&der))))
}
fn holds_private(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(matches!(vm.data::<Key>(this), Some(Key::Private(_)))))
}
fn holds_public(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(matches!(vm.data::<Key>(this), Some(Key::Private(_) | Key::Public(_)))))
}
/// A key with only the public part.
fn public_half(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let key = key(vm, this)?;
    let Some(der) = key.public_der() else { return Ok(value(vm, key)) };
    match PKey::public_key_from_der(&der) {
        Ok(public) => Ok(value(vm, Key::Public(public))),
        Err(stack) => Err(failed(vm, "d2i_PUBKEY", &stack)),
    }
}
