//! `OpenSSL::SSL`: TLS by libssl over a socket of the host, as client or server.
//!
//! A Ruby `verify_callback` cannot run inside libssl's callback, which has no VM. Instead the steps of the verification are recorded during the
//! handshake; afterwards, before any data is sent, the Ruby part calls the callback for each step and closes the connection if it rejects one.

use super::ffi::{self, Step};
use super::x509::{Trust, step_value};
use super::{binary, bytes, error, pkey, reason};
use crate::socket::{class_of, timeout};
use openssl::error::ErrorStack;
use openssl::ssl::{
    ErrorCode, Ssl, SslContext, SslContextBuilder, SslMethod, SslMode, SslOptions, SslStream, SslVerifyMode, SslVersion,
};
use openssl::x509::{X509, X509StoreContextRef, X509VerifyResult};
use rchef_host::{Address, FileHandle, HostError, LockKind, Seek, SetTime, Stat};
use rchef_ruby::embed::io::{Stream, object, stream_of, wait_for};
use rchef_ruby::text::encoding::Encoding;
use rchef_ruby::{Args, ClassId, Error, MethodDef, Res, Value, Vm, def};
use std::cell::{Cell, RefCell};
use std::io::{Read, Write};
use std::rc::Rc;
use std::time::Duration;

static NATIVE: &[MethodDef] = &[def("connect", connect, 3), def("accept", accept, 3), def("ciphers?", are_ciphers, 1)];

/// The side of a handshake.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Client,
    Server,
}
impl Side {
    /// libssl's function.
    fn function(self) -> &'static str {
        match self {
            Side::Client => "SSL_connect",
            Side::Server => "SSL_accept",
        }
    }
}

/// Linux error numbers.
const EPROTO: i32 = 71;
const ESPIPE: i32 = 29;
const EINVAL: i32 = 22;
const EBADF: i32 = 9;
const EAGAIN: i32 = 11;

/// Defines OpenSSL::SSL::Native, which is used by the Ruby part.
pub(super) fn init(vm: &mut Vm, openssl: ClassId) {
    let module = vm.define_module(openssl, "SSL");
    let native = vm.define_module(module, "Native");
    vm.define_module_functions(native, NATIVE);
}

/// The socket of a connection, with the timeout of each read and write.
struct Transport {
    handle: Rc<dyn FileHandle>,
    timeout: Cell<Option<Duration>>,
    /// During the handshake nothing waits here: libssl gives control back, and other threads run until the socket is ready.
    is_shaking: Cell<bool>,
}
impl Transport {
    fn timeout(&self) -> Option<Duration> {
        if self.is_shaking.get() { Some(Duration::ZERO) } else { self.timeout.get() }
    }
    fn io_error(&self, error: &HostError) -> std::io::Error {
        if self.is_shaking.get() && error.errno == EAGAIN {
            return std::io::ErrorKind::WouldBlock.into();
        }
        std::io::Error::from_raw_os_error(error.errno)
    }
}
impl Read for Transport {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.handle.read(buffer, self.timeout()).map_err(|error| self.io_error(&error))
    }
}
impl Write for Transport {
    fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
        self.handle.write(data, self.timeout()).map_err(|error| self.io_error(&error))
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The handle of a TLS connection.
struct TlsHandle {
    transport: Rc<dyn FileHandle>,
    stream: RefCell<SslStream<Transport>>,
}
/// The error of a failed operation; None if the peer has closed the connection. That of libssl is EPROTO with its reason, of which the Ruby part makes an
/// SSLError.
fn failure(error: &openssl::ssl::Error, what: &'static str) -> Option<HostError> {
    match error.code() {
        ErrorCode::ZERO_RETURN => None,
        _ => match error.io_error() {
            Some(io) => Some(HostError::new(io.raw_os_error().unwrap_or(EPROTO), what)),
            None if error.code() == ErrorCode::SYSCALL => None,
            // the peer closed the connection without a close_notify alert
            None if error.ssl_error().and_then(reason) == Some("unexpected eof while reading") => None,
            None => Some(HostError::at(EPROTO, what, error.ssl_error().and_then(reason).unwrap_or(what).as_bytes())),
        },
    }
}
impl FileHandle for TlsHandle {
    fn read(&self, buffer: &mut [u8], timeout: Option<Duration>) -> Result<usize, HostError> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let mut stream = self.stream.borrow_mut();
        stream.get_ref().timeout.set(timeout);
        match stream.ssl_read(buffer) {
            Ok(count) => Ok(count),
            Err(error) => failure(&error, "read").map_or(Ok(0), Err),
        }
    }
    fn write(&self, data: &[u8], timeout: Option<Duration>) -> Result<usize, HostError> {
        if data.is_empty() {
            return Ok(0);
        }
        let mut stream = self.stream.borrow_mut();
        stream.get_ref().timeout.set(timeout);
        // EPIPE (32): the peer has closed the connection
        stream.ssl_write(data).map_err(|error| failure(&error, "write").unwrap_or_else(|| HostError::new(32, "write")))
    }
    fn pread(&self, _: &mut [u8], _: u64) -> Result<usize, HostError> {
        Err(HostError::new(ESPIPE, "pread"))
    }
    fn pwrite(&self, _: &[u8], _: u64) -> Result<usize, HostError> {
        Err(HostError::new(ESPIPE, "pwrite"))
    }
    fn seek(&self, _: Seek) -> Result<u64, HostError> {
        Err(HostError::new(ESPIPE, "lseek"))
    }
    fn truncate(&self, _: u64) -> Result<(), HostError> {
        Err(HostError::new(EINVAL, "ftruncate"))
    }
    fn sync(&self, _: bool) -> Result<(), HostError> {
        Err(HostError::new(EINVAL, "fsync"))
    }
    fn stat(&self) -> Result<Stat, HostError> {
        self.transport.stat()
    }
    fn chmod(&self, mode: u32) -> Result<(), HostError> {
        self.transport.chmod(mode)
    }
    fn chown(&self, uid: Option<u32>, gid: Option<u32>) -> Result<(), HostError> {
        self.transport.chown(uid, gid)
    }
    fn set_times(&self, atime: SetTime, mtime: SetTime) -> Result<(), HostError> {
        self.transport.set_times(atime, mtime)
    }
    fn flock(&self, _: LockKind, _: bool) -> Result<bool, HostError> {
        Err(HostError::new(EBADF, "flock"))
    }
    /// None while decrypted data is buffered, because the socket need not become readable then.
    fn fd(&self) -> Option<i32> {
        if self.stream.borrow().ssl().pending() > 0 { None } else { self.transport.fd() }
    }
    fn dup(&self) -> Result<Box<dyn FileHandle>, HostError> {
        Err(HostError::new(EINVAL, "dup"))
    }
    fn is_tty(&self) -> bool {
        false
    }
}
impl Drop for TlsHandle {
    fn drop(&mut self) {
        let mut stream = self.stream.borrow_mut();
        stream.get_ref().timeout.set(Some(Duration::from_millis(200)));
        // fails if the peer has already closed the connection
        let _ = stream.shutdown();
    }
}

thread_local! {
    static STEPS: RefCell<Vec<Step>> = const { RefCell::new(Vec::new()) };
}
/// Records a step of the verification and continues it.
fn record(passed: bool, context: &mut X509StoreContextRef) -> bool {
    STEPS.with_borrow_mut(|steps| steps.push(ffi::step_of(passed, context)));
    context.set_error(X509VerifyResult::OK);
    true
}

/// The settings of a connection, from a Ruby SSLContext.
struct Settings {
    /// The server name (SNI).
    server: Option<String>,
    /// The host name or IP address that the certificate must be valid for.
    host: Option<String>,
    /// `verify_mode`.
    verify: SslVerifyMode,
    /// Whether a Ruby callback evaluates the steps afterwards.
    recording: bool,
    trust: Trust,
    /// Certificate, key, and intermediate certificates.
    identity: Option<(Vec<u8>, pkey::Key, Vec<Vec<u8>>)>,
    versions: [Option<SslVersion>; 2],
    ciphers: Option<String>,
    options: u64,
    depth: Option<u32>,
    /// Protocols to offer (ALPN), each preceded by its length.
    protocols: Vec<u8>,
}
fn version(number: i64) -> Option<SslVersion> {
    Some(match number {
        0x300 => SslVersion::SSL3,
        0x301 => SslVersion::TLS1,
        0x302 => SslVersion::TLS1_1,
        0x303 => SslVersion::TLS1_2,
        0x304 => SslVersion::TLS1_3,
        _ => return None,
    })
}
fn optional_text(vm: &mut Vm, value: &Value) -> Res<Option<String>> {
    if value.is_nil() { Ok(None) } else { vm.to_text(value).map(Some) }
}
impl Settings {
    /// `[server, host, verify, recording, trust, certificate, key, chain, min version, max version, ciphers, options, depth, protocols]`
    fn read(vm: &mut Vm, value: &Value) -> Res<Settings> {
        let parts = vm.to_array(value)?;
        let at = |index: usize| parts.get(index).cloned().unwrap_or_default();
        let identity = if at(5).is_nil() || at(6).is_nil() {
            None
        } else {
            let mut chain = Vec::new();
            for each in vm.to_array(&at(7))? {
                chain.push(bytes(vm, &each)?);
            }
            Some((bytes(vm, &at(5))?, pkey::key(vm, &at(6))?, chain))
        };
        let mut versions = [None; 2];
        for (index, found) in versions.iter_mut().enumerate() {
            let given = at(8 + index);
            if !given.is_nil() {
                *found = version(vm.to_int(&given)?);
            }
        }
        let mut protocols = Vec::new();
        for each in vm.to_array(&at(13))? {
            let name = bytes(vm, &each)?;
            protocols.push(u8::try_from(name.len()).map_err(|_| vm.argument_error("protocol name too long"))?);
            protocols.extend(name);
        }
        let depth = at(12);
        Ok(Settings {
            server: optional_text(vm, &at(0))?,
            host: optional_text(vm, &at(1))?,
            verify: SslVerifyMode::from_bits_truncate(vm.to_int(&at(2))? as i32),
            recording: at(3).truthy(),
            trust: Trust::read(vm, &at(4))?,
            identity,
            versions,
            ciphers: optional_text(vm, &at(10))?,
            options: u64::try_from(vm.to_int(&at(11))?).unwrap_or_default(),
            depth: if depth.is_nil() { None } else { u32::try_from(vm.to_int(&depth)?).ok() },
            protocols,
        })
    }
    fn verifies(&self) -> bool {
        self.verify.contains(SslVerifyMode::PEER)
    }
    fn context(&self, side: Side) -> Result<SslContext, ErrorStack> {
        let mut builder = SslContext::builder(match side {
            Side::Client => SslMethod::tls_client(),
            Side::Server => SslMethod::tls_server(),
        })?;
        // What a write that would block has begun may be gone on with from another copy of the text, as in Ruby's openssl.
        builder.set_mode(SslMode::ENABLE_PARTIAL_WRITE | SslMode::ACCEPT_MOVING_WRITE_BUFFER);
        builder.set_options(SslOptions::from_bits_retain(self.options as _));
        builder.set_cert_store(self.trust.store()?);
        if self.verifies() && self.recording {
            builder.set_verify_callback(self.verify, record);
        } else {
            builder.set_verify(self.verify);
        }
        if let Some(depth) = self.depth {
            builder.set_verify_depth(depth);
        }
        let [least, most] = self.versions;
        if least.is_some() {
            builder.set_min_proto_version(least)?;
        }
        if most.is_some() {
            builder.set_max_proto_version(most)?;
        }
        if let Some(ciphers) = &self.ciphers {
            set_ciphers(&mut builder, ciphers)?;
        }
        if side == Side::Client && !self.protocols.is_empty() {
            builder.set_alpn_protos(&self.protocols)?;
        }
        if let Some((certificate, pkey::Key::Private(key), chain)) = &self.identity {
            builder.set_certificate(&*X509::from_der(certificate)?)?;
            builder.set_private_key(key)?;
            for each in chain {
                builder.add_extra_chain_cert(X509::from_der(each)?)?;
            }
        }
        Ok(builder.build())
    }
    fn session(&self, side: Side) -> Result<Ssl, ErrorStack> {
        let mut ssl = Ssl::new(&*self.context(side)?)?;
        if side == Side::Server {
            return Ok(ssl);
        }
        // SNI does not allow IP addresses
        if let Some(name) = self.server.as_ref().filter(|name| name.parse::<std::net::IpAddr>().is_err()) {
            ssl.set_hostname(name)?;
        }
        if let Some(host) = self.host.as_ref().filter(|_| self.verifies()) {
            match host.parse() {
                Ok(address) => ssl.param_mut().set_ip(address)?,
                Err(_) => ssl.param_mut().set_host(host)?,
            }
        }
        Ok(ssl)
    }
}
/// Sets the cipher suites; those of TLS 1.3 have a separate list.
fn set_ciphers(builder: &mut SslContextBuilder, list: &str) -> Result<(), ErrorStack> {
    let (new, old): (Vec<&str>, Vec<&str>) =
        list.split([':', ',', ' ']).filter(|name| !name.is_empty()).partition(|name| name.starts_with("TLS_"));
    if !new.is_empty() {
        builder.set_ciphersuites(&new.join(":"))?;
    }
    if old.is_empty() { Ok(()) } else { builder.set_cipher_list(&old.join(":")) }
}
/// `(list)`: whether libssl has at least one of the suites.
fn are_ciphers(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    ffi::initialize();
    let list = vm.to_text(args.at(0))?;
    let set = SslContext::builder(SslMethod::tls_client()).and_then(|mut builder| set_ciphers(&mut builder, &list));
    Ok(Value::bool(set.is_ok()))
}

/// An SSLError with OpenSSL's message.
fn refused(vm: &mut Vm, transport: &dyn FileHandle, side: Side, state: &str, why: &str) -> Error {
    let peer = transport.as_socket().and_then(|socket| socket.peer().ok());
    let peer = match peer.as_deref().and_then(Address::parse) {
        Some(Address::Internet(at)) => format!("peeraddr={at} "),
        _ => String::new(),
    };
    error(vm, "SSL::SSLError", &format!("{} returned=1 errno=0 {peer}state={state}: {why}", side.function()))
}
fn handshake_failed(
    vm: &mut Vm,
    stream: &SslStream<Transport>,
    transport: &dyn FileHandle,
    side: Side,
    problem: &openssl::ssl::Error,
) -> Error {
    if let Some(errno) = problem.io_error().and_then(std::io::Error::raw_os_error) {
        return vm.errno(errno, Some(side.function()));
    }
    let ssl = stream.ssl();
    let why = match problem.ssl_error().and_then(reason) {
        Some("certificate verify failed") => {
            format!("certificate verify failed ({})", ssl.verify_result().error_string())
        }
        Some(other) => other.to_string(),
        None => "unexpected eof while reading".to_string(),
    };
    refused(vm, transport, side, ssl.state_string_long(), &why)
}

/// The negotiated parameters: `[version, [suite name, version, secret bits, algorithm bits], certificates, verify result, protocol or nil, steps]`
fn agreed(ssl: &openssl::ssl::SslRef, steps: Vec<Step>) -> [Value; 6] {
    let version = ssl.version_str();
    let cipher = ssl.current_cipher().map_or(Value::Nil, |cipher| {
        let bits = cipher.bits();
        let numbers = [Value::Int(bits.secret.into()), Value::Int(bits.algorithm.into())];
        let [secret, algorithm] = numbers;
        Value::array(vec![Value::str(cipher.name()), Value::str(cipher.version()), secret, algorithm])
    });
    // a server's list of the client's certificates lacks the first one
    let first = if ssl.is_server() { ssl.peer_certificate() } else { None };
    let rest = ssl.peer_cert_chain().into_iter().flatten().filter_map(|each| each.to_der().ok());
    let chain = first.and_then(|each| each.to_der().ok()).into_iter().chain(rest).map(binary);
    let protocol = ssl.selected_alpn_protocol().map_or(Value::Nil, |name| binary(name.to_vec()));
    [
        Value::str(version),
        cipher,
        Value::array(chain.collect()),
        Value::Int(ssl.verify_result().as_raw().into()),
        protocol,
        Value::array(steps.into_iter().map(step_value).collect()),
    ]
}
/// `(class, socket, [settings, timeout])`: an object of the class that speaks TLS over the socket, and the negotiated parameters.
fn connect(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    handshake(vm, args, Side::Client)
}
/// The same as a server.
fn accept(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    handshake(vm, args, Side::Server)
}
fn handshake(vm: &mut Vm, args: Args<'_>, side: Side) -> Res {
    ffi::initialize();
    let class = class_of(vm, args.at(0))?;
    let transport = stream_of(vm, args.at(1))?.handle(vm)?;
    let parts = vm.to_array(args.at(2))?;
    let at = |index: usize| parts.get(index).cloned().unwrap_or_default();
    let settings = Settings::read(vm, &at(0))?;
    let limit = timeout(vm, &at(1))?;
    let failed = |vm: &mut Vm, stack: &ErrorStack| super::failure(vm, "SSL::SSLError", "SSL_CTX", stack);
    let ssl = settings.session(side).map_err(|stack| failed(vm, &stack))?;
    let inner = Transport { handle: transport.clone(), timeout: Cell::new(limit), is_shaking: Cell::new(true) };
    let mut stream = SslStream::new(ssl, inner).map_err(|stack| failed(vm, &stack))?;
    let mut steps = Vec::new();
    // what the socket has read ahead in plain text is no part of the handshake
    let bare = Rc::new(Stream::pair(Some(transport.clone()), Some(transport.clone())));
    loop {
        STEPS.take();
        let outcome = match side {
            Side::Client => stream.connect(),
            Side::Server => stream.accept(),
        };
        steps.append(&mut STEPS.take());
        let Err(problem) = outcome else { break };
        let writes = match problem.code() {
            ErrorCode::WANT_READ => false,
            ErrorCode::WANT_WRITE => true,
            _ => return Err(handshake_failed(vm, &stream, &*transport, side, &problem)),
        };
        if !wait_for(vm, &bare, writes, limit)? {
            return Err(vm.errno(EAGAIN, Some(side.function())));
        }
    }
    stream.get_ref().is_shaking.set(false);
    let agreed = agreed(stream.ssl(), steps);
    let handle: Rc<dyn FileHandle> = Rc::new(TlsHandle { transport, stream: RefCell::new(stream) });
    let stream = Stream::pair(Some(handle.clone()), Some(handle));
    stream.sync.set(true);
    stream.binmode.set(true);
    stream.external.set(Some(Encoding::Binary));
    Ok(Value::array(std::iter::once(object(class, stream)).chain(agreed).collect()))
}
