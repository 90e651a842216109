//! `OpenSSL::PKCS7`: contents that are encrypted for the holders of certificates, or signed. Structures are handed over as DER.

use super::pkey::{self, Key};
use super::x509::{Trust, stack_of};
use super::{binary, bytes, cipher, failure, ffi, reason};
use openssl::error::ErrorStack;
use openssl::pkcs7::{Pkcs7, Pkcs7Flags};
use openssl::pkey::{PKey, Private};
use openssl::symm::Cipher;
use openssl::x509::X509;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Value, Vm, def};

static NATIVE: &[MethodDef] = &[
    def("from_pem", from_pem, 1),
    def("to_pem", to_pem, 1),
    def("check", check, 1),
    def("encrypt", encrypt, 4),
    def("decrypt", decrypt, 4),
    def("sign", sign, 5),
    def("verify", verify, 5),
    def("read_smime", read_smime, 1),
    def("write_smime", write_smime, 3),
];

const ERROR: &str = "PKCS7::PKCS7Error";

/// Defines OpenSSL::PKCS7::Native, which is used by the Ruby part.
pub(super) fn init(vm: &mut Vm, openssl: ClassId, error: ClassId) {
    let class = vm.define_class(openssl, "PKCS7", ClassId::OBJECT);
    vm.define_class(class, "PKCS7Error", error);
    let native = vm.define_module(class, "Native");
    vm.define_module_functions(native, NATIVE);
}

fn failed(vm: &mut Vm, stack: &ErrorStack) -> rchef_ruby::Error {
    failure(vm, ERROR, "", stack)
}
fn read(vm: &mut Vm, value: &Value) -> Res<Pkcs7> {
    ffi::initialize();
    let der = bytes(vm, value)?;
    Pkcs7::from_der(&der).map_err(|stack| failed(vm, &stack))
}
fn der(vm: &mut Vm, made: Result<Pkcs7, ErrorStack>) -> Res {
    made.and_then(|made| made.to_der()).map(binary).map_err(|stack| failed(vm, &stack))
}
fn flags(vm: &mut Vm, value: &Value) -> Res<Pkcs7Flags> {
    Ok(Pkcs7Flags::from_bits_retain(vm.to_c_int(value)?))
}
fn certificate(vm: &mut Vm, value: &Value) -> Res<X509> {
    let der = bytes(vm, value)?;
    X509::from_der(&der).map_err(|stack| failed(vm, &stack))
}
fn private(vm: &mut Vm, value: &Value) -> Res<PKey<Private>> {
    match pkey::key(vm, value)? {
        Key::Private(key) => Ok(key),
        _ => Err(pkey::private_needed(vm)),
    }
}
fn all_bytes(vm: &mut Vm, value: &Value) -> Res<Vec<Vec<u8>>> {
    vm.to_array(value)?.iter().map(|each| bytes(vm, each)).collect()
}

/// The DER of a structure as PEM; nil with the reason if it is none.
fn from_pem(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    ffi::initialize();
    let text = bytes(vm, args.at(0))?;
    match Pkcs7::from_pem(&text).and_then(|read| read.to_der()) {
        Ok(der) => Ok(binary(der)),
        Err(stack) => Ok(Value::sym(reason(&stack).unwrap_or_default())),
    }
}
fn to_pem(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let read = read(vm, args.at(0))?;
    read.to_pem().map(Value::bytes).map_err(|stack| failed(vm, &stack))
}
/// Whether the bytes are DER of such a structure.
fn check(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    ffi::initialize();
    let der = bytes(vm, args.at(0))?;
    Ok(Value::bool(Pkcs7::from_der(&der).is_ok()))
}

/// `(certificates, data, name of the cipher, flags)`
fn encrypt(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    ffi::initialize();
    let (certificates, data) = (all_bytes(vm, args.at(0))?, bytes(vm, args.at(1))?);
    let name = vm.to_text(args.at(2))?;
    let Some(chosen) = cipher::named(&name).and_then(|_| Cipher::from_nid(cipher_id(&name))) else {
        return Err(super::error(vm, ERROR, "unsupported cipher"));
    };
    let flags = flags(vm, args.at(3))?;
    let made = stack_of(&certificates).and_then(|stack| Pkcs7::encrypt(&stack, &data, chosen, flags));
    der(vm, made)
}
fn cipher_id(name: &str) -> openssl::nid::Nid {
    openssl::asn1::Asn1Object::from_str(&name.to_ascii_lowercase())
        .or_else(|_| openssl::asn1::Asn1Object::from_str(&name.to_ascii_uppercase()))
        .map_or(openssl::nid::Nid::UNDEF, |object| object.nid())
}

/// `(DER, key, certificate or nil, flags)`
fn decrypt(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let structure = read(vm, args.at(0))?;
    let key = private(vm, args.at(1))?;
    let own = if args.at(2).is_nil() { None } else { Some(certificate(vm, args.at(2))?) };
    let flags = flags(vm, args.at(3))?;
    let plain = ffi::decrypt_pkcs7(&structure, &key, own.as_deref(), flags.bits());
    plain.map(binary).map_err(|stack| failed(vm, &stack))
}

/// `(certificate, key, data, other certificates, flags)`
fn sign(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    ffi::initialize();
    let own = certificate(vm, args.at(0))?;
    let key = private(vm, args.at(1))?;
    let (data, others) = (bytes(vm, args.at(2))?, all_bytes(vm, args.at(3))?);
    let flags = flags(vm, args.at(4))?;
    let made = stack_of(&others).and_then(|others| Pkcs7::sign(&own, &key, &others, &data, flags));
    der(vm, made)
}

/// `(DER, certificates, trust, data or nil, flags)`: the signed data, or a Symbol that says why it is not to be trusted.
fn verify(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let structure = read(vm, args.at(0))?;
    let (certificates, trust) = (all_bytes(vm, args.at(1))?, Trust::read(vm, args.at(2))?);
    let data = if args.at(3).is_nil() { None } else { Some(bytes(vm, args.at(3))?) };
    let flags = flags(vm, args.at(4))?;
    let mut out = Vec::new();
    let checked = stack_of(&certificates).and_then(|certificates| {
        structure.verify(&certificates, &*trust.store()?, data.as_deref(), Some(&mut out), flags)
    });
    Ok(match checked {
        Ok(()) => binary(out),
        // what failed first is what Ruby tells
        Err(stack) => Value::sym(stack.errors().iter().find_map(|error| error.reason()).unwrap_or("signature failure")),
    })
}

/// DER and detached content of a message.
fn read_smime(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    ffi::initialize();
    let text = bytes(vm, args.at(0))?;
    let (read, content) = Pkcs7::from_smime(&text).map_err(|stack| failed(vm, &stack))?;
    let der = read.to_der().map_err(|stack| failed(vm, &stack))?;
    Ok(Value::array(vec![binary(der), content.map(binary).unwrap_or_default()]))
}
/// `(DER, data, flags)`
fn write_smime(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let structure = read(vm, args.at(0))?;
    let (data, flags) = (bytes(vm, args.at(1))?, flags(vm, args.at(2))?);
    structure.to_smime(&data, flags).map(Value::bytes).map_err(|stack| failed(vm, &stack))
}
