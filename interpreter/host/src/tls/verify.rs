//! Which certificates are accepted, and OpenSSL's words for those that are not.

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, DigitallySignedStruct, OtherError, RootCertStore, SignatureScheme};
use std::sync::Arc;

/// OpenSSL's words for a chain that ends at an authority which is not known here.
pub(super) const UNKNOWN: &str = "unable to get local issuer certificate";

/// Checks certificates against roots. No store of roots (`VERIFY_NONE`) accepts every certificate; an empty store accepts none. Signatures of
/// the handshake are always checked.
#[derive(Debug)]
pub(super) struct Checker {
    provider: Arc<CryptoProvider>,
    inner: Option<Arc<WebPkiServerVerifier>>,
    trusting: bool,
}

impl Checker {
    pub(super) fn new(provider: Arc<CryptoProvider>, roots: Option<RootCertStore>) -> Result<Self, String> {
        let trusting = roots.is_none();
        let inner = match roots.filter(|roots| !roots.is_empty()) {
            None => None,
            Some(roots) => {
                let built = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider.clone()).build();
                Some(built.map_err(|error| error.to_string())?)
            }
        };
        Ok(Self { provider, inner, trusting })
    }
}

/// A reason in OpenSSL's words.
#[derive(Debug)]
struct Reason(&'static str);
impl std::fmt::Display for Reason {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.0)
    }
}
impl std::error::Error for Reason {}

fn unknown(leaf: &[u8], chain: &[CertificateDer<'_>]) -> rustls::Error {
    let why = if issued_itself(leaf) {
        "self-signed certificate"
    } else if chain.iter().any(|certificate| issued_itself(certificate)) {
        "self-signed certificate in certificate chain"
    } else {
        UNKNOWN
    };
    rustls::Error::InvalidCertificate(CertificateError::Other(OtherError(Arc::new(Reason(why)))))
}

/// Whether a certificate names itself as its issuer.
fn issued_itself(certificate: &[u8]) -> bool {
    fn names(certificate: &[u8]) -> Option<(&[u8], &[u8])> {
        let (_, outer, _) = element(certificate)?;
        let (_, mut rest, _) = element(outer)?;
        // the version is optional; then number, algorithm, issuer, validity, subject
        if rest.first() == Some(&0xa0) {
            rest = element(rest)?.2;
        }
        let rest = element(element(rest)?.2)?.2;
        let (_, issuer, rest) = element(rest)?;
        let (_, subject, _) = element(element(rest)?.2)?;
        Some((issuer, subject))
    }
    names(certificate).is_some_and(|(issuer, subject)| issuer == subject)
}

/// The first element of DER: its tag, its contents, and what follows it.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = if first < 0x80 {
        (usize::from(first), rest)
    } else {
        let count = usize::from(first & 0x7f);
        if !(1..=4).contains(&count) {
            return None;
        }
        let (digits, rest) = rest.split_at_checked(count)?;
        (digits.iter().fold(0, |sum, &digit| sum << 8 | usize::from(digit)), rest)
    };
    let (contents, after) = rest.split_at_checked(length)?;
    Some((tag, contents, after))
}

impl ServerCertVerifier for Checker {
    fn verify_server_cert(
        &self,
        leaf: &CertificateDer<'_>,
        chain: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if self.trusting {
            return Ok(ServerCertVerified::assertion());
        }
        let Some(inner) = &self.inner else { return Err(unknown(leaf, chain)) };
        inner.verify_server_cert(leaf, chain, name, ocsp, now).map_err(|error| match error {
            rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer) => unknown(leaf, chain),
            other => other,
        })
    }
    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, certificate, signature, algorithms)
    }
    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signature, algorithms)
    }
    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
