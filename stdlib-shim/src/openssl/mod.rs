//! `openssl`: Ruby's binding to libcrypto and libssl, which are statically linked. The objects hold those of the library; variants of arguments are
//! handled by the embedded Ruby (`ruby/openssl*.rb`).
//!
//! | module | Ruby |
//! |--|--|
//! | [`cipher`] | `OpenSSL::Cipher` |
//! | [`hmac`], [`kdf`], [`bn`] | `OpenSSL::HMAC`, `KDF`, `BN` |
//! | [`pkey`] | `OpenSSL::PKey` |
//! | [`x509`] | signatures of `OpenSSL::X509` and `X509::Store` |
//! | [`objects`] | names of `OpenSSL::ASN1::ObjectId` |
//! | [`pkcs12`], [`pkcs7`] | `OpenSSL::PKCS12`, `PKCS7` |
//! | [`ssl`] | `OpenSSL::SSL` |
//! | `common` | arguments and exceptions |
//! | [`ffi`] | functions of libcrypto that the `openssl` crate lacks |

pub(crate) mod bn;
pub(crate) mod cipher;
mod common;
pub(crate) mod ffi;
pub(crate) mod hmac;
pub(crate) mod kdf;
mod objects;
mod pkcs12;
mod pkcs7;
pub(crate) mod pkey;
pub(crate) mod ssl;
#[cfg(test)]
mod wycheproof;
pub(crate) mod x509;

pub(crate) use common::{binary, bytes, digest, error, failure, length, reason};

use rchef_ruby::{Args, ClassId, MethodDef, Res, Value, Vm, def};

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
    objects::init(vm, module, error);
    pkey::init(vm, module, error);
    x509::init(vm, module, error);
    pkcs12::init(vm, module, error);
    pkcs7::init(vm, module, error);
    ssl::init(vm, module);
    Ok(())
}

/// Compares in constant time.
fn fixed_length_secure_compare(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (left, right) = (bytes(vm, args.at(0))?, bytes(vm, args.at(1))?);
    if left.len() != right.len() {
        return Err(vm.argument_error("inputs must be of equal length"));
    }
    Ok(Value::bool(openssl::memcmp::eq(&left, &right)))
}
