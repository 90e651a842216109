//! The functions of libcrypto that the `openssl` crate does not offer, each behind a safe face.
//!
//! Everything `unsafe` of this crate's OpenSSL is here. The pointers come from objects of the `openssl` crate that are borrowed for the call, so
//! they are valid and stay so; what a call makes anew is given to the crate's owning type at once.

use foreign_types::{ForeignType, ForeignTypeRef};
use openssl::cipher::CipherRef;
use openssl::error::ErrorStack;
use openssl::hash::MessageDigest;
use openssl::md_ctx::MdCtx;
use openssl::nid::Nid;
use openssl::pkey::PKeyRef;
use openssl::pkey_ctx::PkeyCtxRef;
use openssl::provider::Provider;
use openssl::x509::store::X509StoreBuilder;
use openssl::x509::verify::X509VerifyParam;
use openssl::x509::{X509, X509Crl, X509Ref, X509Req, X509StoreContextRef, X509VerifyResult};
use openssl_sys as sys;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::Once;

/// The number of Whirlpool among OpenSSL's objects.
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

/// Must run before any other use of the library: it then reads no configuration file, which could name code to load and would let this machine's
/// files into a hermetic run.
pub(crate) fn initialize() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: a null settings pointer is allowed, and the call may be made from any thread at any time.
        unsafe { OPENSSL_init_crypto(NO_LOAD_CONFIG, std::ptr::null()) };
    });
}

/// Loads the algorithms that OpenSSL keeps only for old data (MD4, Blowfish, RC4, single DES ...), for the rest of the process.
pub(crate) fn load_legacy() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if let Ok(provider) = Provider::try_load(None, "legacy", true) {
            // dropping it would unload the algorithms
            std::mem::forget(provider);
        }
    });
}

/// The names of all ciphers that the library has, sorted.
pub(crate) fn cipher_names() -> Vec<String> {
    unsafe extern "C" fn collect(name: *const ObjectName, names: *mut c_void) {
        // SAFETY: the library passes a valid entry, whose name is a C string, and the argument below, a vector that nothing else uses meanwhile.
        let (names, text) = unsafe { (&mut *names.cast::<Vec<String>>(), CStr::from_ptr((*name).name)) };
        names.push(text.to_string_lossy().into_owned());
    }
    initialize();
    // SAFETY: as in `initialize`. The library enters the names when it is first asked to, so a process that has used no cipher knows none.
    unsafe { OPENSSL_init_crypto(ADD_ALL_CIPHERS, std::ptr::null()) };
    let mut names: Vec<String> = Vec::new();
    // SAFETY: `collect` has the signature that is asked for, and `names` outlives the call, which keeps no pointer.
    unsafe { OBJ_NAME_do_all_sorted(NAMES_OF_CIPHERS, Some(collect), (&raw mut names).cast()) };
    names
}

/// Whether a cipher authenticates what it encrypts.
pub(crate) fn is_authenticated(cipher: &CipherRef) -> bool {
    // SAFETY: the pointer is that of a live cipher; the call only reads it.
    let flags = unsafe { sys::EVP_CIPHER_flags(cipher.as_ptr()) };
    flags & AEAD != 0
}

/// A copy of a running digest or signature.
pub(crate) fn copy_md_ctx(context: &MdCtx) -> Result<MdCtx, ErrorStack> {
    let copy = MdCtx::new()?;
    // SAFETY: both pointers are those of live contexts; the copy shares nothing mutable with its source.
    if unsafe { sys::EVP_MD_CTX_copy_ex(copy.as_ptr(), context.as_ptr()) } == 1 {
        Ok(copy)
    } else {
        Err(ErrorStack::get())
    }
}

/// Sets an option of a signature, encryption or generation by its name, as the command `openssl pkeyutl -pkeyopt` does.
pub(crate) fn control<T>(context: &PkeyCtxRef<T>, name: &str, value: &str) -> Result<(), ErrorStack> {
    let (Ok(name), Ok(value)) = (CString::new(name), CString::new(value)) else { return Err(ErrorStack::get()) };
    // SAFETY: the context is live, and both strings end in NUL and outlive the call, which copies what it keeps.
    let outcome = unsafe { EVP_PKEY_CTX_ctrl_str(context.as_ptr(), name.as_ptr(), value.as_ptr()) };
    if outcome > 0 { Ok(()) } else { Err(ErrorStack::get()) }
}

/// Whether a signature of data is right, by a context that is set up for it. An error: the signature has not even the form of one.
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
    // taken in any case: what is left of a refused signature would show in the next error
    let stack = ErrorStack::get();
    if outcome < 0 { Err(stack) } else { Ok(outcome == 1) }
}

/// What `openssl pkey -text` prints of a key.
pub(crate) fn key_text<T>(key: &PKeyRef<T>, private: bool) -> Result<Vec<u8>, ErrorStack> {
    let print = if private { EVP_PKEY_print_private } else { EVP_PKEY_print_public };
    // SAFETY: the key is live and only read.
    written(|out| unsafe { print(out, key.as_ptr(), 0, std::ptr::null_mut()) })
}

/// The bytes that a function of the library writes to a stream; the function's result must be positive.
fn written(write: impl FnOnce(*mut sys::BIO) -> c_int) -> Result<Vec<u8>, ErrorStack> {
    // SAFETY: the stream is made here and freed once. What BIO_get_mem_data gives belongs to it and is copied before it is freed.
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

/// Short names of the elliptic curves that the library has, and their descriptions.
pub(crate) fn curves() -> Vec<(Nid, String)> {
    initialize();
    // SAFETY: a null table asks only for the number of curves.
    let count = unsafe { EC_get_builtin_curves(std::ptr::null_mut(), 0) };
    let mut table = vec![BuiltinCurve { nid: 0, comment: std::ptr::null() }; count];
    // SAFETY: the table has room for `count` entries.
    let filled = unsafe { EC_get_builtin_curves(table.as_mut_ptr(), count) }.min(count);
    let described = |curve: &BuiltinCurve| {
        // SAFETY: the comment is null or a C string that the library keeps for ever.
        let comment = (!curve.comment.is_null()).then(|| unsafe { CStr::from_ptr(curve.comment) });
        (Nid::from_raw(curve.nid), comment.map(|text| text.to_string_lossy().into_owned()).unwrap_or_default())
    };
    table[..filled].iter().map(described).collect()
}

/// Signs a certificate, a request or a revocation list: the library chooses the algorithm's identifier and encodes what it signs.
pub(crate) fn sign_certificate<T>(x: &X509, key: &PKeyRef<T>, digest: Option<MessageDigest>) -> Result<(), ErrorStack> {
    // SAFETY: all pointers are those of live objects, and nobody else holds the certificate; no digest is a null pointer, as the library wants it.
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

/// Adds a revocation list to a store that is being built.
pub(crate) fn add_crl(store: &mut X509StoreBuilder, crl: &X509Crl) -> Result<(), ErrorStack> {
    // SAFETY: both are live; the store takes a reference of its own to the list.
    done(unsafe { X509_STORE_add_crl(store.as_ptr(), crl.as_ptr()) })
}
/// Sets what certificates must be good for, by the library's numbers.
pub(crate) fn set_purpose(parameters: &mut X509VerifyParam, purpose: c_int) -> Result<(), ErrorStack> {
    // SAFETY: the parameters are live; an unknown number is an error.
    done(unsafe { sys::X509_VERIFY_PARAM_set_purpose(parameters.as_ptr(), purpose) })
}

/// What a check of a chain asks its callback, one certificate or problem at a time.
pub(crate) struct Step {
    /// What the library found; false: the chain would be refused.
    pub(crate) passed: bool,
    /// The library's number of the problem, its words, and how far from the leaf it is.
    pub(crate) error: c_int,
    pub(crate) text: &'static str,
    pub(crate) depth: u32,
    /// The certificate in DER.
    pub(crate) certificate: Option<Vec<u8>>,
    /// The chain so far in DER.
    pub(crate) chain: Vec<Vec<u8>>,
}
thread_local! {
    static STEPS: RefCell<Vec<Step>> = const { RefCell::new(Vec::new()) };
}
/// Takes down a step and lets the check go on, so that all steps are known; whoever asked for them decides afterwards.
unsafe extern "C" fn record_step(passed: c_int, context: *mut sys::X509_STORE_CTX) -> c_int {
    // SAFETY: the library passes its own live context, which nobody else uses while the callback runs.
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
/// Checks the chain of a context that is set up, as if a callback accepted everything; gives what it would have been asked.
pub(crate) fn verify_recording(context: &mut X509StoreContextRef) -> Vec<Step> {
    STEPS.take();
    // SAFETY: the callback has the signature that is asked for and stays valid for ever.
    unsafe { X509_STORE_CTX_set_verify_cb(context.as_ptr(), Some(record_step)) };
    // what it found is in the steps
    let _ = context.verify_cert();
    STEPS.take()
}
/// What the callback of a TLS handshake is asked.
pub(crate) fn step_of(passed: bool, context: &X509StoreContextRef) -> Step {
    step(passed, context)
}

/// Whether a certificate is for a host of this name or address.
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
