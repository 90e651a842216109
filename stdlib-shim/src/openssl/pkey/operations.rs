//! Operations with keys: signing, verification, encryption, decryption, key agreement.

use super::{ERROR, Key, failed, key, pairs, private_needed, with_public};
use crate::openssl::{binary, bytes, digest, error, ffi};
use openssl::error::ErrorStack;
use openssl::hash::MessageDigest;
use openssl::md::{Md, MdRef};
use openssl::md_ctx::MdCtx;
use openssl::pkey::{Id, PKey, Private};
use openssl::pkey_ctx::{PkeyCtx, PkeyCtxRef};
use rchef_ruby::{Args, ClassId, Error, MethodDef, Res, Value, Vm, def};

/// The last argument of each is the Array of options as pairs.
static METHODS: &[MethodDef] = &[
    def("sign_with", sign, 3).private(),
    def("verify_with", verify, 4).private(),
    def("sign_raw_with", sign_raw, 3).private(),
    def("verify_raw_with", verify_raw, 4).private(),
    def("verify_recover_with", verify_recover, 3).private(),
    def("encrypt_with", encrypt, 2).private(),
    def("decrypt_with", decrypt, 2).private(),
    def("derive", derive, 1),
];

pub(super) fn init(vm: &mut Vm, class: ClassId) {
    vm.define_methods(class, METHODS);
}

/// Options of an operation, with libcrypto's names.
pub(crate) type Options = [(String, String)];

/// A failed operation.
pub(crate) struct Failed {
    pub(crate) what: String,
    pub(crate) stack: ErrorStack,
}
fn step(what: &str) -> impl FnOnce(ErrorStack) -> Failed {
    let what = what.to_string();
    move |stack| Failed { what, stack }
}
fn raise(vm: &mut Vm, failure: &Failed) -> Error {
    failed(vm, &failure.what, &failure.stack)
}
fn apply<T>(context: &PkeyCtxRef<T>, options: &Options) -> Result<(), Failed> {
    options.iter().try_for_each(|(name, value)| {
        let what = format!("EVP_PKEY_CTX_ctrl_str(ctx, {name:?}, {value:?})");
        ffi::control(context, name, value).map_err(|stack| Failed { what, stack })
    })
}
fn md(digest: Option<MessageDigest>) -> Option<&'static MdRef> {
    digest.and_then(|digest| Md::from_nid(digest.type_()))
}

pub(crate) fn signature(
    key: &PKey<Private>,
    digest: Option<MessageDigest>,
    data: &[u8],
    options: &Options,
) -> Result<Vec<u8>, Failed> {
    let mut context = MdCtx::new().map_err(step("EVP_MD_CTX_new"))?;
    let inner = context.digest_sign_init(md(digest), key).map_err(step("EVP_DigestSignInit"))?;
    apply(inner, options)?;
    let mut out = Vec::new();
    context.digest_sign_to_vec(data, &mut out).map_err(step("EVP_DigestSign"))?;
    Ok(out)
}
/// Whether a signature is valid. Err if it is malformed and libcrypto reports that.
pub(crate) fn is_signature(
    key: &Key,
    digest: Option<MessageDigest>,
    signature: &[u8],
    data: &[u8],
    options: &Options,
) -> Result<bool, Failed> {
    let mut context = MdCtx::new().map_err(step("EVP_MD_CTX_new"))?;
    with_public!(key, key => {
        let inner = context.digest_verify_init(md(digest), key).map_err(step("EVP_DigestVerifyInit"))?;
        apply(inner, options)
    })
    .unwrap_or_else(|| Err(Failed { what: "EVP_DigestVerifyInit".into(), stack: ErrorStack::get() }))?;
    ffi::verify_data(&context, signature, data).map_err(step("EVP_DigestVerify"))
}
/// Signs a hash value.
pub(crate) fn raw_signature(
    key: &PKey<Private>,
    digest: Option<MessageDigest>,
    hash: &[u8],
    options: &Options,
) -> Result<Vec<u8>, Failed> {
    let mut context = PkeyCtx::new(key).map_err(step("EVP_PKEY_CTX_new"))?;
    context.sign_init().map_err(step("EVP_PKEY_sign_init"))?;
    if let Some(md) = md(digest) {
        context.set_signature_md(md).map_err(step("EVP_PKEY_CTX_set_signature_md"))?;
    }
    apply(&context, options)?;
    let mut out = Vec::new();
    context.sign_to_vec(hash, &mut out).map_err(step("EVP_PKEY_sign"))?;
    Ok(out)
}
/// Encrypts with the public part.
pub(crate) fn sealed(key: &Key, data: &[u8], options: &Options) -> Result<Vec<u8>, Failed> {
    with_public!(key, key => {
        let mut context = PkeyCtx::new(key).map_err(step("EVP_PKEY_CTX_new"))?;
        context.encrypt_init().map_err(step("EVP_PKEY_encrypt_init"))?;
        apply(&context, options)?;
        let mut out = Vec::new();
        context.encrypt_to_vec(data, &mut out).map_err(step("EVP_PKEY_encrypt"))?;
        Ok(out)
    })
    .unwrap_or_else(|| Err(Failed { what: "EVP_PKEY_encrypt".into(), stack: ErrorStack::get() }))
}
/// Decrypts. Invalid padding is an error, as in OpenSSL before 3.2, because Ruby programs expect it: the implicit rejection of later versions, which
/// returns random bytes, is disabled. libcrypto takes the same time in both cases.
pub(crate) fn opened(key: &PKey<Private>, data: &[u8], options: &Options) -> Result<Vec<u8>, Failed> {
    let mut context = PkeyCtx::new(key).map_err(step("EVP_PKEY_CTX_new"))?;
    context.decrypt_init().map_err(step("EVP_PKEY_decrypt_init"))?;
    apply(&context, options)?;
    if key.id() == Id::RSA {
        // only PKCS#1 padding has this option
        let _ = ffi::control(&context, "rsa_pkcs1_implicit_rejection", "0");
    }
    let mut out = Vec::new();
    context.decrypt_to_vec(data, &mut out).map_err(step("EVP_PKEY_decrypt"))?;
    Ok(out)
}

fn optional_digest(vm: &mut Vm, value: &Value) -> Res<Option<MessageDigest>> {
    if value.is_nil() { Ok(None) } else { digest(vm, value).map(Some) }
}
/// `(digest or nil, data, options)`
fn sign(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Key::Private(key) = key(vm, this)? else { return Err(private_needed(vm)) };
    let (digest, data) = (optional_digest(vm, args.at(0))?, bytes(vm, args.at(1))?);
    let digest = digest.or_else(|| default_digest(&key));
    let options = pairs(vm, args.at(2))?;
    signature(&key, digest, &data, &options).map(binary).map_err(|failure| raise(vm, &failure))
}
/// The default digest; None for keys whose signature algorithm includes one (Ed25519).
fn default_digest<T>(key: &PKey<T>) -> Option<MessageDigest> {
    matches!(key.id(), Id::RSA | Id::EC | Id::DSA).then(MessageDigest::sha256)
}
/// `(digest or nil, signature, data, options)`
fn verify(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let key = key(vm, this)?;
    let digest = optional_digest(vm, args.at(0))?;
    let (signature, data) = (bytes(vm, args.at(1))?, bytes(vm, args.at(2))?);
    let options = pairs(vm, args.at(3))?;
    let digest = digest.or_else(|| with_public!(&key, key => default_digest(key)).flatten());
    is_signature(&key, digest, &signature, &data, &options).map(Value::bool).map_err(|failure| raise(vm, &failure))
}
/// `(digest or nil, hash, options)`
fn sign_raw(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Key::Private(key) = key(vm, this)? else { return Err(private_needed(vm)) };
    let (digest, hash) = (optional_digest(vm, args.at(0))?, bytes(vm, args.at(1))?);
    let options = pairs(vm, args.at(2))?;
    raw_signature(&key, digest, &hash, &options).map(binary).map_err(|failure| raise(vm, &failure))
}
/// `(digest or nil, signature, hash, options)`
fn verify_raw(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let key = key(vm, this)?;
    let digest = optional_digest(vm, args.at(0))?;
    let (signature, hash) = (bytes(vm, args.at(1))?, bytes(vm, args.at(2))?);
    let options = pairs(vm, args.at(3))?;
    let outcome = with_public!(&key, key => {
        let mut context = PkeyCtx::new(key).map_err(|stack| failed(vm, "EVP_PKEY_CTX_new", &stack))?;
        context.verify_init().map_err(|stack| failed(vm, "EVP_PKEY_verify_init", &stack))?;
        if let Some(md) = md(digest) {
            context.set_signature_md(md).map_err(|stack| failed(vm, "EVP_PKEY_CTX_set_signature_md", &stack))?;
        }
        apply(&context, &options).map_err(|failure| raise(vm, &failure))?;
        ffi::verify_hash(&context, &signature, &hash).map_err(step("EVP_PKEY_verify"))
    });
    match outcome {
        Some(Ok(right)) => Ok(Value::bool(right)),
        Some(Err(failure)) => Err(raise(vm, &failure)),
        None => Err(error(vm, ERROR, "EVP_PKEY_verify: missing public key")),
    }
}
/// `(digest or nil, signature, options)`: the signed hash value.
fn verify_recover(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let key = key(vm, this)?;
    let (digest, signature) = (optional_digest(vm, args.at(0))?, bytes(vm, args.at(1))?);
    let options = pairs(vm, args.at(2))?;
    let outcome = with_public!(&key, key => {
        let mut context = PkeyCtx::new(key).map_err(|stack| failed(vm, "EVP_PKEY_CTX_new", &stack))?;
        context.verify_recover_init().map_err(|stack| failed(vm, "EVP_PKEY_verify_recover_init", &stack))?;
        if let Some(md) = md(digest) {
            context.set_signature_md(md).map_err(|stack| failed(vm, "EVP_PKEY_CTX_set_signature_md", &stack))?;
        }
        apply(&context, &options).map_err(|failure| raise(vm, &failure))?;
        recovered(&mut context, &signature)
    });
    match outcome {
        Some(Ok(out)) => Ok(binary(out)),
        Some(Err(stack)) => Err(failed(vm, "EVP_PKEY_verify_recover", &stack)),
        None => Err(error(vm, ERROR, "EVP_PKEY_verify_recover: missing public key")),
    }
}
fn recovered<T: openssl::pkey::HasPublic>(
    context: &mut PkeyCtxRef<T>,
    signature: &[u8],
) -> Result<Vec<u8>, ErrorStack> {
    let mut out = vec![0; context.verify_recover(signature, None)?];
    let length = context.verify_recover(signature, Some(&mut out))?;
    out.truncate(length);
    Ok(out)
}
/// `(data, options)`
fn encrypt(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (key, data) = (key(vm, this)?, bytes(vm, args.at(0))?);
    let options = pairs(vm, args.at(1))?;
    sealed(&key, &data, &options).map(binary).map_err(|failure| raise(vm, &failure))
}
/// `(data, options)`
fn decrypt(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Key::Private(key) = key(vm, this)? else { return Err(private_needed(vm)) };
    let data = bytes(vm, args.at(0))?;
    let options = pairs(vm, args.at(1))?;
    opened(&key, &data, &options).map(binary).map_err(|failure| raise(vm, &failure))
}
/// The shared secret of this private key and the peer's public key.
fn derive(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Key::Private(own) = key(vm, this)? else { return Err(private_needed(vm)) };
    let peer = key(vm, args.at(0))?;
    let outcome = with_public!(&peer, peer => agreed(&own, peer));
    match outcome {
        Some(Ok(secret)) => Ok(binary(secret)),
        Some(Err(stack)) => Err(failed(vm, "EVP_PKEY_derive", &stack)),
        None => Err(error(vm, ERROR, "EVP_PKEY_derive_set_peer: missing public key")),
    }
}
/// The shared secret of two keys.
pub(crate) fn agreed<T: openssl::pkey::HasPublic>(own: &PKey<Private>, peer: &PKey<T>) -> Result<Vec<u8>, ErrorStack> {
    let mut context = PkeyCtx::new(own)?;
    context.derive_init()?;
    context.derive_set_peer(peer)?;
    let mut secret = Vec::new();
    context.derive_to_vec(&mut secret)?;
    Ok(secret)
}
