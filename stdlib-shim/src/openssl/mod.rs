//! `openssl`: Ruby's binding to libcrypto and libssl, which are linked in. The classes hold the library's own objects; arguments that only
//! choose between them are read by the embedded Ruby (`ruby/openssl*.rb`).
//!
//! | module | of Ruby |
//! |--|--|
//! | [`cipher`] | `OpenSSL::Cipher` |
//! | [`hmac`], [`kdf`], [`bn`] | `OpenSSL::HMAC`, `KDF`, `BN` |
//! | [`pkey`] | `OpenSSL::PKey` |
//! | [`x509`] | signatures of `OpenSSL::X509` and `X509::Store` |
//! | [`ssl`] | `OpenSSL::SSL` |
//! | [`ffi`] | the functions of the library that the `openssl` crate does not offer |

pub(crate) mod bn;
pub(crate) mod cipher;
pub(crate) mod ffi;
pub(crate) mod hmac;
pub(crate) mod kdf;
pub(crate) mod pkey;
pub(crate) mod ssl;
pub(crate) mod x509;

use openssl::error::ErrorStack;
use openssl::hash::MessageDigest;
use rchef_ruby::{Args, ClassId, Error, MethodDef, RString, Res, Value, Vm, def};

static MODULE: &[MethodDef] = &[def("fixed_length_secure_compare", fixed_length_secure_compare, 2)];

/// Defines the native part of OpenSSL.
pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    ffi::initialize();
    let module = vm.define_module(ClassId::OBJECT, "OpenSSL");
    let error = vm.define_class(module, "OpenSSLError", ClassId::STANDARD_ERROR);
    vm.define_singleton_methods(module, MODULE);
    crate::digest::init_openssl(vm, error);
    cipher::init(vm, module, error);
    hmac::init(vm, module, error);
    kdf::init(vm, module, error);
    bn::init(vm, module, error);
    pkey::init(vm, module, error);
    x509::init(vm, module, error);
    ssl::init(vm, module);
    Ok(())
}

/// The bytes of a String, or of what converts to one.
pub(crate) fn bytes(vm: &mut Vm, value: &Value) -> Res<Vec<u8>> {
    Ok(vm.to_str(value)?.get(vm).bytes().to_vec())
}
/// A String of bytes.
pub(crate) fn binary(bytes: Vec<u8>) -> Value {
    Value::string(RString::binary(bytes))
}
/// A length that is not negative and within the limits.
pub(crate) fn length(vm: &mut Vm, value: &Value) -> Res<usize> {
    let length = vm.to_int(value)?;
    let length = usize::try_from(length).map_err(|_| vm.argument_error("negative string size (or size too big)"))?;
    vm.check_size(length)?;
    Ok(length)
}
/// An exception of a class below OpenSSL.
pub(crate) fn error(vm: &mut Vm, class: &str, message: &str) -> Error {
    let class = vm.class_named(&format!("OpenSSL::{class}")).unwrap_or(ClassId::STANDARD_ERROR);
    vm.error(class, message)
}
/// The newest reason of the library's errors; that "the provider failed" says nothing.
pub(crate) fn reason(stack: &ErrorStack) -> Option<&'static str> {
    let telling = |reason: &&'static str| !(reason.starts_with("provider ") && reason.ends_with(" failure"));
    stack.errors().iter().rev().filter_map(|error| error.reason()).find(telling)
}
/// The exception for a call of the library that failed: what was tried, and the library's reason.
pub(crate) fn failure(vm: &mut Vm, class: &str, what: &str, stack: &ErrorStack) -> Error {
    let text = match (what, reason(stack)) {
        ("", reason) => reason.unwrap_or_default().to_string(),
        (what, Some(reason)) => format!("{what}: {reason}"),
        (what, None) => what.to_string(),
    };
    error(vm, class, &text)
}
/// The digest of a name or of an OpenSSL::Digest.
pub(crate) fn digest(vm: &mut Vm, value: &Value) -> Res<MessageDigest> {
    if let Some(digest) = crate::digest::of(vm, value) {
        // those of the library `digest` are not taken
        let class = vm.class_named("OpenSSL::Digest").unwrap_or(ClassId::OBJECT);
        if vm.is_a(value, class) {
            return Ok(digest);
        }
        return Err(vm.type_error("wrong argument type digest (expected OpenSSL/Digest)"));
    }
    let Value::Str(_) = value else {
        let shown = vm.describe(value);
        return Err(vm.type_error(format!("wrong argument type {shown} (expected OpenSSL/Digest)")));
    };
    let name = vm.to_text(value)?;
    match crate::digest::named(&name) {
        Some(digest) => Ok(digest),
        None => Err(vm.runtime_error(format!("Unsupported digest algorithm ({name}).: unknown object name"))),
    }
}

/// Compares without telling by its time where the strings differ.
fn fixed_length_secure_compare(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (left, right) = (bytes(vm, args.at(0))?, bytes(vm, args.at(1))?);
    if left.len() != right.len() {
        return Err(vm.argument_error("inputs must be of equal length"));
    }
    Ok(Value::bool(openssl::memcmp::eq(&left, &right)))
}
