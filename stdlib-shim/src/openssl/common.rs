//! Reading arguments, and converting libcrypto's errors to exceptions.

use openssl::error::ErrorStack;
use openssl::hash::MessageDigest;
use rchef_ruby::{ClassId, Error, RString, Res, Value, Vm};

/// The bytes of a String or of an object that converts to one.
pub(crate) fn bytes(vm: &mut Vm, value: &Value) -> Res<Vec<u8>> {
    Ok(vm.to_str(value)?.get(vm).bytes().to_vec())
}
/// A binary String.
pub(crate) fn binary(bytes: Vec<u8>) -> Value {
    Value::string(RString::binary(bytes))
}
/// A length that is not negative and does not exceed the limits.
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
/// The latest reason in libcrypto's error stack that names a cause: "the provider failed" and "error in extension" only say where it was.
pub(crate) fn reason(stack: &ErrorStack) -> Option<&'static str> {
    let telling = |reason: &&'static str| {
        !(reason.starts_with("provider ") && reason.ends_with(" failure")) && *reason != "error in extension"
    };
    stack.errors().iter().rev().filter_map(|error| error.reason()).find(telling)
}
/// The exception for a failed call: the operation and libcrypto's reason.
pub(crate) fn failure(vm: &mut Vm, class: &str, what: &str, stack: &ErrorStack) -> Error {
    let text = match (what, reason(stack)) {
        ("", reason) => reason.unwrap_or_default().to_string(),
        (what, Some(reason)) => format!("{what}: {reason}"),
        (what, None) => what.to_string(),
    };
    error(vm, class, &text)
}
/// The digest given by a name or an OpenSSL::Digest.
pub(crate) fn digest(vm: &mut Vm, value: &Value) -> Res<MessageDigest> {
    if let Some(digest) = crate::digest::of(vm, value) {
        // objects of the library `digest` are not accepted
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
