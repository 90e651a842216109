//! The cryptographic part of `OpenSSL::X509`: signatures of certificates, requests and revocation lists, certificate chains, host names. The embedded
//! Ruby reads and writes the other fields.

use super::ffi::{self, Step};
use super::pkey::{self, Key};
use super::{binary, bytes, digest, failure, reason};
use openssl::asn1::{Asn1Object, Asn1OctetString};
use openssl::error::ErrorStack;
use openssl::hash::MessageDigest;
use openssl::pkey::{PKeyRef, Private, Public};
use openssl::stack::Stack;
use openssl::x509::store::{X509Store, X509StoreBuilder};
use openssl::x509::verify::{X509VerifyFlags, X509VerifyParam};
use openssl::x509::{X509, X509Crl, X509Extension, X509Req, X509StoreContext};
use rchef_ruby::{Args, ClassId, Error, MethodDef, Res, Value, Vm, def};

static NATIVE: &[MethodDef] = &[
    def("form?", is_form, 2),
    def("sign", sign, 4),
    def("verify", verify, 3),
    def("verify_chain", verify_chain, 4),
    def("host?", is_for_host, 2),
    def("to_text", to_text, 1),
    def("extension", extension, 2),
    def("extension_text", extension_text, 2),
];

/// Extensions whose value libcrypto may read from text. Others are left out: the text of some names files to read.
const BY_TEXT: [&str; 9] = [
    "nameConstraints",
    "crlDistributionPoints",
    "freshestCRL",
    "authorityInfoAccess",
    "subjectInfoAccess",
    "policyConstraints",
    "inhibitAnyPolicy",
    "tlsfeature",
    "nsCertType",
];

/// Defines OpenSSL::X509::Native, which is used by the Ruby part.
pub(super) fn init(vm: &mut Vm, openssl: ClassId, error: ClassId) {
    let module = vm.define_module(openssl, "X509");
    for name in ["CertificateError", "RequestError", "CRLError", "StoreError"] {
        vm.define_class(module, name, error);
    }
    let native = vm.define_module(module, "Native");
    vm.define_module_functions(native, NATIVE);
}

/// A signed structure.
enum Signed {
    Certificate(X509),
    Request(X509Req),
    Crl(X509Crl),
}
impl Signed {
    fn read(kind: &str, der: &[u8]) -> Result<Signed, ErrorStack> {
        match kind {
            "CERTIFICATE" => X509::from_der(der).map(Signed::Certificate),
            "CERTIFICATE REQUEST" => X509Req::from_der(der).map(Signed::Request),
            _ => X509Crl::from_der(der).map(Signed::Crl),
        }
    }
    fn sign(&self, key: &PKeyRef<Private>, digest: Option<MessageDigest>) -> Result<Vec<u8>, ErrorStack> {
        match self {
            Signed::Certificate(x) => ffi::sign_certificate(x, key, digest).and_then(|()| x.to_der()),
            Signed::Request(x) => ffi::sign_request(x, key, digest).and_then(|()| x.to_der()),
            Signed::Crl(x) => ffi::sign_crl(x, key, digest).and_then(|()| x.to_der()),
        }
    }
    fn verify(&self, key: &PKeyRef<Public>) -> Result<bool, ErrorStack> {
        match self {
            Signed::Certificate(x) => x.verify(key),
            Signed::Request(x) => x.verify(key),
            Signed::Crl(x) => x.verify(key),
        }
    }
}
fn error_class(kind: &str) -> &'static str {
    match kind {
        "CERTIFICATE" => "X509::CertificateError",
        "CERTIFICATE REQUEST" => "X509::RequestError",
        _ => "X509::CRLError",
    }
}
fn read(vm: &mut Vm, kind: &str, der: &[u8]) -> Res<Signed> {
    ffi::initialize();
    Signed::read(kind, der).map_err(|stack| failed(vm, kind, "d2i", &stack))
}
fn failed(vm: &mut Vm, kind: &str, what: &str, stack: &ErrorStack) -> Error {
    failure(vm, error_class(kind), what, stack)
}

/// `(kind, DER)`: whether libcrypto can parse it.
fn is_form(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    ffi::initialize();
    let (kind, der) = (vm.to_text(args.at(0))?, bytes(vm, args.at(1))?);
    Ok(Value::bool(Signed::read(&kind, &der).is_ok()))
}
/// `(kind, DER, key, digest or nil)`: the signed structure as DER.
fn sign(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (kind, der) = (vm.to_text(args.at(0))?, bytes(vm, args.at(1))?);
    let Key::Private(key) = pkey::key(vm, args.at(2))? else { return Err(pkey::private_needed(vm)) };
    let digest = if args.at(3).is_nil() { None } else { Some(digest(vm, args.at(3))?) };
    let signed = read(vm, &kind, &der)?;
    signed.sign(&key, digest).map(binary).map_err(|stack| failed(vm, &kind, "", &stack))
}
/// `(kind, DER, key)`: whether the signature is the key's.
fn verify(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (kind, der) = (vm.to_text(args.at(0))?, bytes(vm, args.at(1))?);
    let key = pkey::key(vm, args.at(2))?;
    let signed = read(vm, &kind, &der)?;
    let public = key.public_der().map(|der| openssl::pkey::PKey::public_key_from_der(&der));
    match public {
        Some(Ok(public)) => match signed.verify(&public) {
            Ok(right) => Ok(Value::bool(right)),
            Err(stack) => Err(failed(vm, &kind, "", &stack)),
        },
        Some(Err(stack)) => Err(failed(vm, &kind, "", &stack)),
        None => Ok(Value::False),
    }
}
/// `(certificate as DER)`: the output of `openssl x509 -text`.
fn to_text(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let der = bytes(vm, args.at(0))?;
    let Signed::Certificate(x) = read(vm, "CERTIFICATE", &der)? else { return Ok(Value::Nil) };
    x.to_text()
        .map(|text| Value::str(String::from_utf8_lossy(&text)))
        .map_err(|stack| failed(vm, "CERTIFICATE", "", &stack))
}
/// `(name, text)`: the extension as DER; nil if it cannot be made from text.
fn extension(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (name, text) = (vm.to_text(args.at(0))?, vm.to_text(args.at(1))?);
    if !BY_TEXT.contains(&name.as_str()) || text.contains('\0') {
        return Ok(Value::Nil);
    }
    // the builders of `openssl::x509::extension` know only some of these
    #[allow(deprecated)]
    let made = X509Extension::new(None, None, &name, &text).and_then(|made| made.to_der());
    match made {
        Ok(der) => Ok(binary(der)),
        Err(stack) => {
            let why = reason(&stack).unwrap_or("invalid value");
            Err(super::error(vm, "X509::ExtensionError", &format!("{name} = {text}: {why}")))
        }
    }
}
/// `(object identifier, value as DER)`: the value as libcrypto 3.0 shows it, without the blank lines of newer ones; nil if it knows no text for it.
fn extension_text(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (oid, der) = (vm.to_text(args.at(0))?, bytes(vm, args.at(1))?);
    let made = Asn1Object::from_str(&oid).and_then(|oid| {
        let value = Asn1OctetString::new_from_bytes(&der)?;
        X509Extension::new_from_der(&oid, false, &value)
    });
    Ok(match made.and_then(|made| ffi::extension_text(&made)) {
        Ok(text) => Value::str(String::from_utf8_lossy(&text).replace("\n\n", "\n").trim_end()),
        Err(_) => Value::Nil,
    })
}
/// `(certificate as DER, host name or IP address)`
fn is_for_host(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (der, name) = (bytes(vm, args.at(0))?, vm.to_text(args.at(1))?);
    let Signed::Certificate(x) = read(vm, "CERTIFICATE", &der)? else { return Ok(Value::False) };
    Ok(Value::bool(ffi::is_for_host(&x, &name)))
}

/// Trusted certificates, and options of the verification.
#[derive(Default)]
pub(crate) struct Trust {
    pub(crate) certificates: Vec<Vec<u8>>,
    pub(crate) crls: Vec<Vec<u8>>,
    pub(crate) flags: u64,
    pub(crate) purpose: Option<i32>,
    /// The time at which chains must be valid, in seconds since 1970; None: now.
    pub(crate) time: Option<i64>,
}
impl Trust {
    /// `[certificates, revocation lists, flags, purpose or nil, time or nil]`
    pub(crate) fn read(vm: &mut Vm, value: &Value) -> Res<Trust> {
        let parts = vm.to_array(value)?;
        let at = |index: usize| parts.get(index).cloned().unwrap_or_default();
        let mut trust = Trust::default();
        for each in vm.to_array(&at(0))? {
            trust.certificates.push(bytes(vm, &each)?);
        }
        for each in vm.to_array(&at(1))? {
            trust.crls.push(bytes(vm, &each)?);
        }
        trust.flags = u64::try_from(vm.to_int(&at(2))?).unwrap_or_default();
        trust.purpose = if at(3).is_nil() { None } else { Some(vm.to_c_int(&at(3))?) };
        trust.time = if at(4).is_nil() { None } else { Some(vm.to_int(&at(4))?) };
        Ok(trust)
    }
    /// libcrypto's store for this. An empty one trusts nobody.
    pub(crate) fn store(&self) -> Result<X509Store, ErrorStack> {
        let mut store = X509StoreBuilder::new()?;
        for der in &self.certificates {
            store.add_cert(X509::from_der(der)?)?;
        }
        for der in &self.crls {
            ffi::add_crl(&mut store, &X509Crl::from_der(der)?)?;
        }
        let mut parameters = X509VerifyParam::new()?;
        parameters.set_flags(X509VerifyFlags::from_bits_retain(self.flags as _))?;
        if let Some(purpose) = self.purpose {
            ffi::set_purpose(&mut parameters, purpose)?;
        }
        if let Some(time) = self.time {
            parameters.set_time(time);
        }
        store.set_param(&parameters)?;
        Ok(store.build())
    }
}
/// Certificates given as DER.
pub(crate) fn stack_of(certificates: &[Vec<u8>]) -> Result<Stack<X509>, ErrorStack> {
    let mut stack = Stack::new()?;
    for der in certificates {
        stack.push(X509::from_der(der)?)?;
    }
    Ok(stack)
}
/// `[passed, error, text, depth, certificate or nil, chain]`
pub(crate) fn step_value(step: Step) -> Value {
    Value::array(vec![
        Value::bool(step.passed),
        Value::Int(step.error.into()),
        Value::str(step.text),
        Value::Int(step.depth.into()),
        step.certificate.map_or(Value::Nil, binary),
        Value::array(step.chain.into_iter().map(binary).collect()),
    ])
}
/// Verifies a chain: returns one step with the result, or, for a callback, every step as if it had accepted the previous ones.
pub(crate) fn check(
    trust: &Trust,
    certificate: &[u8],
    others: &[Vec<u8>],
    recording: bool,
) -> Result<Vec<Step>, ErrorStack> {
    let (store, certificate) = (trust.store()?, X509::from_der(certificate)?);
    let others = stack_of(others)?;
    X509StoreContext::new()?.init(&store, &certificate, &others, |context| {
        if recording {
            return Ok(ffi::verify_recording(context));
        }
        let passed = context.verify_cert()?;
        Ok(vec![ffi::step_of(passed, context)])
    })
}
/// `(trust, certificate, other certificates, recording)`: the steps of the verification.
fn verify_chain(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    ffi::initialize();
    let trust = Trust::read(vm, args.at(0))?;
    let certificate = bytes(vm, args.at(1))?;
    let mut others = Vec::new();
    for each in vm.to_array(args.at(2))? {
        others.push(bytes(vm, &each)?);
    }
    match check(&trust, &certificate, &others, args.at(3).truthy()) {
        Ok(steps) => Ok(Value::array(steps.into_iter().map(step_value).collect())),
        Err(stack) => Err(failure(vm, "X509::StoreError", "X509_verify_cert", &stack)),
    }
}
