//! `OpenSSL::PKCS12`: a key with its certificates in one file, encrypted and signed with a password.

use super::pkey::{self, Key};
use super::{binary, bytes, error, failure, ffi};
use openssl::asn1::Asn1Object;
use openssl::error::ErrorStack;
use openssl::nid::Nid;
use openssl::pkcs12::Pkcs12;
use openssl::stack::Stack;
use openssl::x509::X509;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Value, Vm, def};

static NATIVE: &[MethodDef] = &[def("parse", parse, 2), def("build", build, 5)];

const ERROR: &str = "PKCS12::PKCS12Error";

/// Defines OpenSSL::PKCS12::Native, which is used by the Ruby part.
pub(super) fn init(vm: &mut Vm, openssl: ClassId, error: ClassId) {
    let class = vm.define_class(openssl, "PKCS12", ClassId::OBJECT);
    vm.define_class(class, "PKCS12Error", error);
    let native = vm.define_module(class, "Native");
    vm.define_module_functions(native, NATIVE);
}

/// A String for libcrypto, cut at a NUL byte; nil is empty.
fn c_string(vm: &mut Vm, value: &Value) -> Res<String> {
    if value.is_nil() {
        return Ok(String::new());
    }
    let text = vm.to_text(value)?;
    if text.contains('\0') {
        return Err(vm.argument_error("string contains null byte"));
    }
    Ok(text)
}

/// `(DER, password)`: the key and the certificate as DER or nil, and an Array of the other certificates as DER, or nil.
fn parse(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    ffi::initialize();
    let (der, password) = (bytes(vm, args.at(0))?, c_string(vm, args.at(1))?);
    let read = Pkcs12::from_der(&der).map_err(|stack| failure(vm, ERROR, "d2i", &stack))?;
    let parsed = read.parse2(&password).map_err(|stack| failure(vm, ERROR, "PKCS12_parse", &stack))?;
    let contents = || -> Result<(Option<Vec<u8>>, Option<Vec<u8>>, Option<Vec<Vec<u8>>>), ErrorStack> {
        let key = parsed.pkey.as_ref().map(|key| key.private_key_to_pkcs8()).transpose()?;
        let own = parsed.cert.as_ref().map(|own| own.to_der()).transpose()?;
        let others = parsed.ca.as_ref().map(|others| others.iter().map(|other| other.to_der()).collect());
        Ok((key, own, others.transpose()?))
    };
    let (key, own, others) = contents().map_err(|stack| failure(vm, ERROR, "PKCS12_parse", &stack))?;
    let or_nil = |found: Option<Vec<u8>>| found.map(binary).unwrap_or_default();
    let others = others.map(|others| Value::array(others.into_iter().map(binary).collect())).unwrap_or_default();
    Ok(Value::array(vec![or_nil(key), or_nil(own), others]))
}

/// The encryption algorithm with a name; nil is libcrypto's default.
fn algorithm(vm: &mut Vm, name: &Value) -> Res<Nid> {
    if name.is_nil() {
        return Ok(Nid::UNDEF);
    }
    let name = c_string(vm, name)?;
    match Asn1Object::from_str(&name).map(|object| object.nid()) {
        Ok(nid) if nid != Nid::UNDEF => Ok(nid),
        _ => Err(vm.argument_error(format!("Unknown PBE algorithm {name}: unknown object name"))),
    }
}

/// The iteration count of the key derivation; nil is libcrypto's default.
fn rounds(vm: &mut Vm, value: &Value) -> Res<Option<u32>> {
    /// Maximum iteration count: more would take minutes, without a way to interrupt it.
    const MOST: i64 = 100_000_000;
    if value.is_nil() {
        return Ok(None);
    }
    let count = vm.to_int(value)?;
    match u32::try_from(count).ok().filter(|_| count <= MOST) {
        Some(count) => Ok(Some(count).filter(|count| *count > 0)),
        None => Err(error(vm, ERROR, "invalid iteration count")),
    }
}

/// `(password, name, key, [certificate, others] as DER, [key algorithm, certificate algorithm, iterations, MAC iterations])`: DER.
fn build(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    ffi::initialize();
    let (password, name) = (c_string(vm, args.at(0))?, c_string(vm, args.at(1))?);
    let mut builder = Pkcs12::builder();
    if !name.is_empty() {
        builder.name(&name);
    }
    let key = match args.at(2) {
        Value::Nil => None,
        key => match pkey::key(vm, key)? {
            Key::Private(key) => Some(key),
            _ => return Err(pkey::private_needed(vm)),
        },
    };
    let unread = |vm: &mut Vm, stack: &ErrorStack| failure(vm, ERROR, "d2i", stack);
    let mut certificates = Vec::new();
    for der in vm.to_array(args.at(3))? {
        let der = if der.is_nil() { None } else { Some(bytes(vm, &der)?) };
        let read = der.map(|der| X509::from_der(&der)).transpose().map_err(|stack| unread(vm, &stack))?;
        certificates.push(read);
    }
    let mut certificates = certificates.into_iter();
    let own = certificates.next().flatten();
    if let (Some(key), Some(own)) = (&key, &own)
        && !own.public_key().is_ok_and(|public| public.public_eq(key))
    {
        return Err(error(vm, ERROR, "key values mismatch"));
    }
    let mut others = Stack::new().map_err(|stack| unread(vm, &stack))?;
    for other in certificates.flatten() {
        others.push(other).map_err(|stack| unread(vm, &stack))?;
    }
    if let Some(key) = &key {
        builder.pkey(key);
    }
    if let Some(own) = &own {
        builder.cert(own);
    }
    if !others.is_empty() {
        builder.ca(others);
    }
    let choices = vm.to_array(args.at(4))?;
    let choice = |index: usize| choices.get(index).cloned().unwrap_or_default();
    builder.key_algorithm(algorithm(vm, &choice(0))?).cert_algorithm(algorithm(vm, &choice(1))?);
    if let Some(count) = rounds(vm, &choice(2))? {
        builder.key_iter(count);
    }
    if let Some(count) = rounds(vm, &choice(3))? {
        builder.mac_iter(count);
    }
    let made = builder.build2(&password).and_then(|made| made.to_der());
    made.map(binary).map_err(|stack| failure(vm, ERROR, "", &stack))
}
