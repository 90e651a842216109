//! TLS over a connected handle: the client's side, with the roots of the machine's own bundle.

mod verify;

use crate::error::{HostError, Result};
use crate::files::{FileHandle, Files, LockKind, OpenFlags, Seek, SetTime, Stat};
use nix::libc;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{CipherSuite, ClientConfig, ClientConnection, ProtocolVersion, RootCertStore};
use std::cell::RefCell;
use std::io::{Read, Write};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use verify::Checker;

/// Where distributions keep the certificates of authorities.
const BUNDLES: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// How to speak TLS.
#[derive(Clone, Debug, Default)]
pub struct TlsOptions {
    /// The name that the server's certificate must be for.
    pub server: String,
    /// Whether the certificate is checked.
    pub verify: bool,
    /// Files of trusted certificates in PEM; the machine's bundle when empty.
    pub ca_files: Vec<Vec<u8>>,
    /// Trusted certificates in PEM, beside those.
    pub ca_pem: Vec<u8>,
    /// The client's own certificates and its key in PEM, for servers that ask; empty: none.
    pub identity: Vec<u8>,
}

/// What the peers have agreed on.
#[derive(Clone, Debug)]
pub struct Session {
    /// `TLSv1.3`
    pub version: &'static str,
    /// OpenSSL's name of the suite, and the bits of its key.
    pub cipher: (&'static str, u16),
    /// The server's certificates in DER, its own first.
    pub certificates: Vec<Vec<u8>>,
}

/// Why TLS could not start or go on.
#[derive(Debug)]
pub enum TlsError {
    /// The connection failed.
    Host(HostError),
    /// The peers do not agree, or the certificate is refused; the text says why.
    Tls(String),
}
impl From<HostError> for TlsError {
    fn from(error: HostError) -> TlsError {
        TlsError::Host(error)
    }
}

/// Shakes hands over `transport` and gives the handle that reads and writes what is inside, and what was agreed on; `timeout` is for each wait.
///
/// # Errors
/// As [`TlsError`]: a refused certificate is `certificate verify failed (why)`.
pub fn connect(
    files: &dyn Files,
    transport: Rc<dyn FileHandle>,
    options: &TlsOptions,
    timeout: Option<Duration>,
) -> std::result::Result<(Rc<dyn FileHandle>, Session), TlsError> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(|error| TlsError::Tls(error.to_string()))?;
    let roots = if options.verify { Some(roots(files, options)?) } else { None };
    let checker = Checker::new(provider, roots).map_err(TlsError::Tls)?;
    let builder = builder.dangerous().with_custom_certificate_verifier(Arc::new(checker));
    let config = if options.identity.is_empty() {
        builder.with_no_client_auth()
    } else {
        let chain = CertificateDer::pem_slice_iter(&options.identity).flatten().collect();
        let key = PrivateKeyDer::from_pem_slice(&options.identity).map_err(|error| TlsError::Tls(error.to_string()))?;
        builder.with_client_auth_cert(chain, key).map_err(|error| TlsError::Tls(error.to_string()))?
    };
    let name = ServerName::try_from(options.server.clone())
        .map_err(|_| TlsError::Tls(format!("bad server name {}", options.server)))?;
    let connection = ClientConnection::new(Arc::new(config), name).map_err(|error| TlsError::Tls(error.to_string()))?;
    let stream = TlsHandle { transport, connection: RefCell::new(connection) };
    while stream.connection.borrow().is_handshaking() {
        stream.send(timeout)?;
        if stream.connection.borrow().is_handshaking() && !stream.receive(timeout)? {
            return Err(TlsError::Tls(
                "SSL_connect SYSCALL returned=5 errno=0 state=SSLv3/TLS write client hello".into(),
            ));
        }
    }
    stream.send(timeout)?;
    let session = session(&stream.connection.borrow());
    Ok((Rc::new(stream), session))
}

fn session(connection: &ClientConnection) -> Session {
    let version = match connection.protocol_version() {
        Some(ProtocolVersion::TLSv1_2) => "TLSv1.2",
        _ => "TLSv1.3",
    };
    let certificates = connection.peer_certificates().unwrap_or_default().iter().map(|each| each.to_vec()).collect();
    let suite = connection.negotiated_cipher_suite().map(|suite| suite.suite());
    Session { version, cipher: suite.map_or(("(NONE)", 0), named), certificates }
}
/// Name and bits of a suite of the provider.
fn named(suite: CipherSuite) -> (&'static str, u16) {
    match suite {
        CipherSuite::TLS13_AES_256_GCM_SHA384 => ("TLS_AES_256_GCM_SHA384", 256),
        CipherSuite::TLS13_AES_128_GCM_SHA256 => ("TLS_AES_128_GCM_SHA256", 128),
        CipherSuite::TLS13_CHACHA20_POLY1305_SHA256 => ("TLS_CHACHA20_POLY1305_SHA256", 256),
        CipherSuite::TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384 => ("ECDHE-ECDSA-AES256-GCM-SHA384", 256),
        CipherSuite::TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 => ("ECDHE-ECDSA-AES128-GCM-SHA256", 128),
        CipherSuite::TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256 => ("ECDHE-ECDSA-CHACHA20-POLY1305", 256),
        CipherSuite::TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384 => ("ECDHE-RSA-AES256-GCM-SHA384", 256),
        CipherSuite::TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 => ("ECDHE-RSA-AES128-GCM-SHA256", 128),
        CipherSuite::TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256 => ("ECDHE-RSA-CHACHA20-POLY1305", 256),
        _ => ("(NONE)", 0),
    }
}

fn roots(files: &dyn Files, options: &TlsOptions) -> std::result::Result<RootCertStore, TlsError> {
    let mut store = RootCertStore::empty();
    let mut add = |pem: &[u8]| {
        for certificate in CertificateDer::pem_slice_iter(pem).flatten() {
            // one that rustls cannot read does not spoil the bundle
            let _ = store.add(certificate);
        }
    };
    add(&options.ca_pem);
    if !options.ca_files.is_empty() {
        for path in &options.ca_files {
            add(&read(files, path)?);
        }
    } else if options.ca_pem.is_empty() {
        for path in BUNDLES {
            if let Ok(pem) = read(files, path.as_bytes()) {
                add(&pem);
                break;
            }
        }
    }
    Ok(store)
}
fn read(files: &dyn Files, path: &[u8]) -> Result<Vec<u8>> {
    let handle = files.open(path, OpenFlags::RDONLY, 0)?;
    let mut all = Vec::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match handle.read(&mut buffer, None)? {
            0 => return Ok(all),
            count => all.extend_from_slice(&buffer[..count]),
        }
    }
}

/// The inside of a TLS connection.
struct TlsHandle {
    transport: Rc<dyn FileHandle>,
    connection: RefCell<ClientConnection>,
}

impl TlsHandle {
    /// Writes what is waiting to go out.
    fn send(&self, timeout: Option<Duration>) -> Result<()> {
        let mut waiting = Vec::new();
        {
            let mut connection = self.connection.borrow_mut();
            while connection.wants_write() {
                connection.write_tls(&mut waiting).map_err(|e| HostError::from_io(&e, "write", None))?;
            }
        }
        let mut rest = waiting.as_slice();
        while !rest.is_empty() {
            let count = self.transport.write(rest, timeout)?;
            rest = &rest[count..];
        }
        Ok(())
    }

    /// Reads from the transport once; false at its end.
    fn receive(&self, timeout: Option<Duration>) -> std::result::Result<bool, TlsError> {
        let mut buffer = vec![0; 18 * 1024];
        let count = self.transport.read(&mut buffer, timeout)?;
        if count == 0 {
            return Ok(false);
        }
        let mut connection = self.connection.borrow_mut();
        let mut rest = &buffer[..count];
        while !rest.is_empty() {
            connection.read_tls(&mut rest).map_err(|e| HostError::from_io(&e, "read", None))?;
            if let Err(error) = connection.process_new_packets() {
                return Err(TlsError::Tls(described(&error)));
            }
        }
        Ok(true)
    }

    /// Plain text that has come in and was not taken.
    fn take(&self, buffer: &mut [u8]) -> Option<Result<usize>> {
        match self.connection.borrow_mut().reader().read(buffer) {
            Ok(count) => Some(Ok(count)),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => None,
            // the peer closed without saying so
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Some(Ok(0)),
            Err(error) => Some(Err(HostError::from_io(&error, "read", None))),
        }
    }
}

/// In OpenSSL's words where it has some.
fn described(error: &rustls::Error) -> String {
    use rustls::CertificateError as Bad;
    match error {
        rustls::Error::InvalidCertificate(bad) => {
            let why = match bad {
                Bad::Expired | Bad::ExpiredContext { .. } => "certificate has expired".to_string(),
                Bad::NotValidYet | Bad::NotValidYetContext { .. } => "certificate is not yet valid".to_string(),
                Bad::UnknownIssuer => verify::UNKNOWN.to_string(),
                Bad::NotValidForName | Bad::NotValidForNameContext { .. } => "hostname mismatch".to_string(),
                Bad::Other(reason) => reason.to_string(),
                other => other.to_string(),
            };
            format!("certificate verify failed ({why})")
        }
        other => other.to_string(),
    }
}

impl FileHandle for TlsHandle {
    fn read(&self, buffer: &mut [u8], timeout: Option<Duration>) -> Result<usize> {
        loop {
            if let Some(taken) = self.take(buffer) {
                return taken;
            }
            match self.receive(timeout) {
                Ok(true) => self.send(timeout)?,
                Ok(false) => return Ok(0),
                Err(TlsError::Host(error)) => return Err(error),
                Err(TlsError::Tls(_)) => {
                    // the alert that says why
                    let _ = self.send(timeout);
                    return Err(HostError::new(libc::EPROTO, "read"));
                }
            }
        }
    }
    fn write(&self, data: &[u8], timeout: Option<Duration>) -> Result<usize> {
        let count =
            self.connection.borrow_mut().writer().write(data).map_err(|e| HostError::from_io(&e, "write", None))?;
        self.send(timeout)?;
        Ok(count)
    }
    fn pread(&self, _: &mut [u8], _: u64) -> Result<usize> {
        Err(HostError::new(libc::ESPIPE, "pread"))
    }
    fn pwrite(&self, _: &[u8], _: u64) -> Result<usize> {
        Err(HostError::new(libc::ESPIPE, "pwrite"))
    }
    fn seek(&self, _: Seek) -> Result<u64> {
        Err(HostError::new(libc::ESPIPE, "lseek"))
    }
    fn truncate(&self, _: u64) -> Result<()> {
        Err(HostError::new(libc::EINVAL, "ftruncate"))
    }
    fn sync(&self, _: bool) -> Result<()> {
        Err(HostError::new(libc::EINVAL, "fsync"))
    }
    fn stat(&self) -> Result<Stat> {
        self.transport.stat()
    }
    fn chmod(&self, mode: u32) -> Result<()> {
        self.transport.chmod(mode)
    }
    fn chown(&self, uid: Option<u32>, gid: Option<u32>) -> Result<()> {
        self.transport.chown(uid, gid)
    }
    fn set_times(&self, atime: SetTime, mtime: SetTime) -> Result<()> {
        self.transport.set_times(atime, mtime)
    }
    fn flock(&self, _: LockKind, _: bool) -> Result<bool> {
        Err(HostError::new(libc::EBADF, "flock"))
    }
    /// None while plain text or the end waits inside, since the socket then need not become readable.
    fn fd(&self) -> Option<i32> {
        let mut connection = self.connection.borrow_mut();
        match connection.process_new_packets() {
            Ok(state) if state.plaintext_bytes_to_read() == 0 && !state.peer_has_closed() => self.transport.fd(),
            _ => None,
        }
    }
    fn dup(&self) -> Result<Box<dyn FileHandle>> {
        Err(HostError::new(libc::EINVAL, "dup"))
    }
    fn is_tty(&self) -> bool {
        false
    }
}
impl Drop for TlsHandle {
    fn drop(&mut self) {
        self.connection.borrow_mut().send_close_notify();
        let _ = self.send(Some(Duration::from_millis(200)));
    }
}
