//! Functions of libcrypto that the `openssl` crate lacks, with safe interfaces.
//!
//! All `unsafe` code for OpenSSL is in this module. Pointers come from objects of the `openssl` crate that are borrowed for the call, so they stay
//! valid; objects created by a call are immediately passed to the crate's owning types.

use foreign_types::{ForeignType, ForeignTypeRef};
use openssl::cipher::CipherRef;
use openssl::error::ErrorStack;
use openssl::hash::MessageDigest;
use openssl::md_ctx::MdCtx;
use openssl::nid::Nid;
use openssl::pkcs7::Pkcs7Ref;
use openssl::pkey::{PKeyRef, Private};
use openssl::pkey_ctx::PkeyCtxRef;
use openssl::provider::Provider;
use openssl::x509::store::X509StoreBuilder;
use openssl::x509::verify::X509VerifyParam;
use openssl::x509::{X509, X509Crl, X509ExtensionRef, X509Ref, X509Req, X509StoreContextRef, X509VerifyResult};
use openssl_sys as sys;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::Once;

/// libcrypto's number (NID) of Whirlpool.
pub(crate) const NID_WHIRLPOOL: c_int = 804;
const AEAD: u64 = 0x20_0000;
const NO_LOAD_CONFIG: u64 = 0x80;
const ADD_ALL_CIPHERS: u64 = 0x04;
const NAMES_OF_CIPHERS: c_int = 2;

#[repr(C)]
struct ObjectName {
    kind: c_int,
    alias: c_int,
    name: *const c_char,
    data: *const c_char,
}
type VerifyCallback = unsafe extern "C" fn(c_int, *mut sys::X509_STORE_CTX) -> c_int;

#[repr(C)]
#[derive(Clone, Copy)]
struct BuiltinCurve {
    nid: c_int,
    comment: *const c_char,
}
unsafe extern "C" {
    fn OPENSSL_init_crypto(options: u64, settings: *const c_void) -> c_int;
    fn EVP_PKEY_CTX_ctrl_str(context: *mut sys::EVP_PKEY_CTX, name: *const c_char, value: *const c_char) -> c_int;
    fn EVP_PKEY_print_private(
        out: *mut sys::BIO,
        key: *const sys::EVP_PKEY,
        indent: c_int,
        context: *mut c_void,
    ) -> c_int;
    fn EVP_PKEY_print_public(
        out: *mut sys::BIO,
        key: *const sys::EVP_PKEY,
        indent: c_int,
        context: *mut c_void,
    ) -> c_int;
    fn EC_get_builtin_curves(curves: *mut BuiltinCurve, count: usize) -> usize;
    fn X509_STORE_add_crl(store: *mut sys::X509_STORE, crl: *mut sys::X509_CRL) -> c_int;
    fn X509_STORE_CTX_set_verify_cb(context: *mut sys::X509_STORE_CTX, call: Option<VerifyCallback>);
    fn OBJ_NAME_do_all_sorted(
        kind: c_int,
        call: Option<unsafe extern "C" fn(*const ObjectName, *mut c_void)>,
        argument: *mut c_void,
    );
}

/// Must be called before any other use of libcrypto: it prevents libcrypto from reading a configuration file, which could name code to load and would
/// make hermetic runs depend on files of this machine.
pub(crate) fn initialize() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: a null settings pointer is allowed, and the call may be made from any thread at any time.
        unsafe { OPENSSL_init_crypto(NO_LOAD_CONFIG, std::ptr::null()) };
    });
}

/// Loads the legacy provider (MD4, Blowfish, RC4, single DES ...) for the rest of the process.
pub(crate) fn load_legacy() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if let Ok(provider) = Provider::try_load(None, "legacy", true) {
            // dropping it would unload the algorithms
            std::mem::forget(provider);
        }
    });
}

/// The names of all available ciphers, sorted.
pub(crate) fn cipher_names() -> Vec<String> {
    unsafe extern "C" fn collect(name: *const ObjectName, names: *mut c_void) {
        // SAFETY: libcrypto passes a valid entry, whose name is a C string, and the argument below, a vector that nothing else uses during the call.
        let (names, text) = unsafe { (&mut *names.cast::<Vec<String>>(), CStr::from_ptr((*name).name)) };
        names.push(text.to_string_lossy().into_owned());
    }
    initialize();
    // SAFETY: as in `initialize`. Names are registered only when this is called, or a cipher is used.
    unsafe { OPENSSL_init_crypto(ADD_ALL_CIPHERS, std::ptr::null()) };
    let mut names: Vec<String> = Vec::new();
    // SAFETY: `collect` has the required signature, and `names` outlives the call, which keeps no pointer.
    unsafe { OBJ_NAME_do_all_sorted(NAMES_OF_CIPHERS, Some(collect), (&raw mut names).cast()) };
    names
}

/// Whether it is an AEAD cipher.
pub(crate) fn is_authenticated(cipher: &CipherRef) -> bool {
    // SAFETY: the pointer is that of a live cipher; the call only reads it.
    let flags = unsafe { sys::EVP_CIPHER_flags(cipher.as_ptr()) };
    flags & AEAD != 0
}

/// Copies a digest or signature in progress.
pub(crate) fn copy_md_ctx(context: &MdCtx) -> Result<MdCtx, ErrorStack> {
    let copy = MdCtx::new()?;
    // SAFETY: both pointers are those of live contexts; the copy shares nothing mutable with its source.
    if unsafe { sys::EVP_MD_CTX_copy_ex(copy.as_ptr(), context.as_ptr()) } == 1 {
        Ok(copy)
    } else {
        Err(ErrorStack::get())
    }
}

/// Sets an option of an operation by its name, like `openssl pkeyutl -pkeyopt`.
pub(crate) fn control<T>(context: &PkeyCtxRef<T>, name: &str, value: &str) -> Result<(), ErrorStack> {
    let (Ok(name), Ok(value)) = (CString::new(name), CString::new(value)) else { return Err(ErrorStack::get()) };
    // SAFETY: the context is live, and both strings end in NUL and outlive the call, which copies what it keeps.
    let outcome = unsafe { EVP_PKEY_CTX_ctrl_str(context.as_ptr(), name.as_ptr(), value.as_ptr()) };
    if outcome > 0 { Ok(()) } else { Err(ErrorStack::get()) }
}

/// Whether the signature of data is valid, with a context that is set up for it. Err if the signature is malformed.
pub(crate) fn verify_data(context: &MdCtx, signature: &[u8], data: &[u8]) -> Result<bool, ErrorStack> {
    // SAFETY: the context is live, and both slices are valid for their lengths and only read.
    let outcome = unsafe {
        sys::EVP_DigestVerify(context.as_ptr(), signature.as_ptr(), signature.len(), data.as_ptr(), data.len())
    };
    verdict(outcome)
}
/// The same for the signature of a hash.
pub(crate) fn verify_hash<T>(context: &PkeyCtxRef<T>, signature: &[u8], hash: &[u8]) -> Result<bool, ErrorStack> {
    // SAFETY: as in `verify_data`.
    let outcome = unsafe {
        sys::EVP_PKEY_verify(context.as_ptr(), signature.as_ptr(), signature.len(), hash.as_ptr(), hash.len())
    };
    verdict(outcome)
}
fn verdict(outcome: c_int) -> Result<bool, ErrorStack> {
    // always cleared: the errors of a rejected signature would otherwise show up with the next error
    let stack = ErrorStack::get();
    if outcome < 0 { Err(stack) } else { Ok(outcome == 1) }
}

/// The output of `openssl pkey -text`.
pub(crate) fn key_text<T>(key: &PKeyRef<T>, private: bool) -> Result<Vec<u8>, ErrorStack> {
    let print = if private { EVP_PKEY_print_private } else { EVP_PKEY_print_public };
    // SAFETY: the key is live and only read.
    written(|out| unsafe { print(out, key.as_ptr(), 0, std::ptr::null_mut()) })
}

/// The text of an extension's value, without indentation.
pub(crate) fn extension_text(extension: &X509ExtensionRef) -> Result<Vec<u8>, ErrorStack> {
    // SAFETY: the extension is live and only read.
    written(|out| unsafe { sys::X509V3_EXT_print(out, extension.as_ptr(), 0, 0) })
}

/// The bytes that a libcrypto function writes to a BIO; its return value must be positive.
fn written(write: impl FnOnce(*mut sys::BIO) -> c_int) -> Result<Vec<u8>, ErrorStack> {
    // SAFETY: the BIO is created here and freed once. The memory returned by BIO_get_mem_data belongs to it and is copied before it is freed.
    unsafe {
        let out = sys::BIO_new(sys::BIO_s_mem());
        if out.is_null() {
            return Err(ErrorStack::get());
        }
        let done = write(out) > 0;
        let mut data = std::ptr::null_mut();
        let length = sys::BIO_get_mem_data(out, &mut data);
        let bytes = match usize::try_from(length) {
            Ok(length) if done && !data.is_null() => {
                Ok(std::slice::from_raw_parts(data.cast::<u8>().cast_const(), length).to_vec())
            }
            _ if done => Ok(Vec::new()),
            _ => Err(ErrorStack::get()),
        };
        sys::BIO_free_all(out);
        bytes
    }
}

/// The content of a PKCS#7 structure that is encrypted for the holder of the key; without a certificate every recipient is tried.
pub(crate) fn decrypt_pkcs7(
    structure: &Pkcs7Ref,
    key: &PKeyRef<Private>,
    certificate: Option<&X509Ref>,
    flags: c_int,
) -> Result<Vec<u8>, ErrorStack> {
    let certificate = certificate.map_or(std::ptr::null_mut(), |certificate| certificate.as_ptr());
    // SAFETY: the pointers come from borrowed objects, or are null where libcrypto allows it.
    written(|out| unsafe { sys::PKCS7_decrypt(structure.as_ptr(), key.as_ptr(), certificate, out, flags) })
}

/// All elliptic curves, with their descriptions.
pub(crate) fn curves() -> Vec<(Nid, String)> {
    initialize();
    // SAFETY: with a null table only the number of curves is returned.
    let count = unsafe { EC_get_builtin_curves(std::ptr::null_mut(), 0) };
    let mut table = vec![BuiltinCurve { nid: 0, comment: std::ptr::null() }; count];
    // SAFETY: the table has room for `count` entries.
    let filled = unsafe { EC_get_builtin_curves(table.as_mut_ptr(), count) }.min(count);
    let described = |curve: &BuiltinCurve| {
        // SAFETY: the comment is null or a static C string.
        let comment = (!curve.comment.is_null()).then(|| unsafe { CStr::from_ptr(curve.comment) });
        (Nid::from_raw(curve.nid), comment.map(|text| text.to_string_lossy().into_owned()).unwrap_or_default())
    };
    table[..filled].iter().map(described).collect()
}

/// Signs a certificate, a request or a revocation list: libcrypto sets the algorithm identifier and encodes the signed part.
pub(crate) fn sign_certificate<T>(x: &X509, key: &PKeyRef<T>, digest: Option<MessageDigest>) -> Result<(), ErrorStack> {
    // SAFETY: all pointers are those of live objects, and nobody else uses the certificate; a null pointer means that there is no digest.
    done(unsafe { sys::X509_sign(x.as_ptr(), key.as_ptr(), md_pointer(digest)) })
}
/// See [`sign_certificate`].
pub(crate) fn sign_request<T>(x: &X509Req, key: &PKeyRef<T>, digest: Option<MessageDigest>) -> Result<(), ErrorStack> {
    // SAFETY: as for certificates.
    done(unsafe { sys::X509_REQ_sign(x.as_ptr(), key.as_ptr(), md_pointer(digest)) })
}
/// See [`sign_certificate`].
pub(crate) fn sign_crl<T>(x: &X509Crl, key: &PKeyRef<T>, digest: Option<MessageDigest>) -> Result<(), ErrorStack> {
    // SAFETY: as for certificates.
    done(unsafe { sys::X509_CRL_sign(x.as_ptr(), key.as_ptr(), md_pointer(digest)) })
}
fn md_pointer(digest: Option<MessageDigest>) -> *const sys::EVP_MD {
    digest.map_or(std::ptr::null(), |digest| digest.as_ptr())
}
fn done(outcome: c_int) -> Result<(), ErrorStack> {
    if outcome > 0 { Ok(()) } else { Err(ErrorStack::get()) }
}

/// Adds a revocation list to a store.
pub(crate) fn add_crl(store: &mut X509StoreBuilder, crl: &X509Crl) -> Result<(), ErrorStack> {
    // SAFETY: both are live; the store takes a reference of its own to the list.
    done(unsafe { X509_STORE_add_crl(store.as_ptr(), crl.as_ptr()) })
}
/// Sets the required purpose of certificates, by libcrypto's number.
pub(crate) fn set_purpose(parameters: &mut X509VerifyParam, purpose: c_int) -> Result<(), ErrorStack> {
    // SAFETY: the parameters are live; an unknown number is an error.
    done(unsafe { sys::X509_VERIFY_PARAM_set_purpose(parameters.as_ptr(), purpose) })
}

/// The arguments of a verify callback, which is called for each certificate or problem.
pub(crate) struct Step {
    /// Whether libcrypto accepts the certificate.
    pub(crate) passed: bool,
    /// libcrypto's error number, its message, and the depth below the leaf certificate.
    pub(crate) error: c_int,
    pub(crate) text: &'static str,
    pub(crate) depth: u32,
    /// The certificate as DER.
    pub(crate) certificate: Option<Vec<u8>>,
    /// The chain so far, as DER.
    pub(crate) chain: Vec<Vec<u8>>,
}
thread_local! {
    static STEPS: RefCell<Vec<Step>> = const { RefCell::new(Vec::new()) };
}
/// Records a step and continues the verification, so that all steps are known; the caller evaluates them afterwards.
unsafe extern "C" fn record_step(passed: c_int, context: *mut sys::X509_STORE_CTX) -> c_int {
    // SAFETY: libcrypto passes its own live context, which nobody else uses during the callback.
    let context = unsafe { X509StoreContextRef::from_ptr_mut(context) };
    STEPS.with_borrow_mut(|steps| steps.push(step(passed == 1, context)));
    context.set_error(X509VerifyResult::OK);
    1
}
fn step(passed: bool, context: &X509StoreContextRef) -> Step {
    let result = context.error();
    let certificate = context.current_cert().and_then(|certificate| certificate.to_der().ok());
    let chain = context.chain().into_iter().flatten().filter_map(|each| each.to_der().ok()).collect();
    Step {
        passed,
        error: result.as_raw(),
        text: result.error_string(),
        depth: context.error_depth(),
        certificate,
        chain,
    }
}
/// Verifies the chain of a context as if a callback accepted everything; returns the callback's arguments.
pub(crate) fn verify_recording(context: &mut X509StoreContextRef) -> Vec<Step> {
    STEPS.take();
    // SAFETY: the callback has the required signature and is a static function.
    unsafe { X509_STORE_CTX_set_verify_cb(context.as_ptr(), Some(record_step)) };
    // the result is in the steps
    let _ = context.verify_cert();
    STEPS.take()
}
/// The arguments of a verify callback in a TLS handshake.
pub(crate) fn step_of(passed: bool, context: &X509StoreContextRef) -> Step {
    step(passed, context)
}

/// Whether a certificate is valid for a host name or IP address.
pub(crate) fn is_for_host(certificate: &X509Ref, name: &str) -> bool {
    let Ok(text) = CString::new(name) else { return false };
    // SAFETY: the certificate is live and only read; the text ends in NUL and outlives the calls, which make nothing when `matched` is null.
    unsafe {
        if name.parse::<std::net::IpAddr>().is_ok() {
            sys::X509_check_ip_asc(certificate.as_ptr(), text.as_ptr(), 0) == 1
        } else {
            sys::X509_check_host(certificate.as_ptr(), text.as_ptr(), name.len(), 0, std::ptr::null_mut()) == 1
        }
    }
}
