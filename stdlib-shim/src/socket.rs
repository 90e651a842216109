//! `socket`: connections through the host, and TLS over them; the classes are `ruby/socket.rb` and `ruby/openssl_ssl.rb`.

use rchef_host::HostError;
use rchef_host::tls::{self, TlsError, TlsOptions};
use rchef_ruby::core::io::{Stream, object, stream_of};
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, def};
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

static NATIVE: &[MethodDef] = &[
    def("connect", connect, 4),
    def("connect_unix", connect_unix, 2),
    def("resolve", resolve, 1),
    def("hostname", hostname, 0),
    def("tls", start_tls, 7),
];

/// Defines Socket::Native, which the Ruby part stands on.
pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    let basic = vm.define_class(ClassId::OBJECT, "BasicSocket", ClassId::IO);
    let socket = vm.define_class(ClassId::OBJECT, "Socket", basic);
    let native = vm.define_module(socket, "Native");
    vm.define_module_functions(native, NATIVE);
    vm.define_class(ClassId::OBJECT, "SocketError", ClassId::STANDARD_ERROR);
    Ok(())
}

fn timeout(vm: &mut Vm, value: &Value) -> Res<Option<Duration>> {
    if value.is_nil() {
        return Ok(None);
    }
    let seconds = vm.to_f64(value)?;
    Duration::try_from_secs_f64(seconds).map(Some).map_err(|_| vm.argument_error("time interval must not be negative"))
}
fn address(vm: &mut Vm, this: &Value, name: &'static str, address: Option<SocketAddr>) {
    let Some(address) = address else { return };
    let value = Value::array(vec![Value::str(address.ip().to_string()), Value::Int(address.port().into())]);
    vm.ivar_set(this, Symbol::intern_static(name), value);
}
/// `SocketError` where the name does not resolve, else the `Errno` of the call.
fn failed(vm: &mut Vm, error: &HostError, host: &str, port: u16) -> rchef_ruby::Error {
    if error.op == "resolve" {
        return unknown_name(vm);
    }
    vm.errno(error.errno, Some(&format!("connect(2) for \"{host}\" port {port}")))
}
fn unknown_name(vm: &mut Vm) -> rchef_ruby::Error {
    let class = vm.class_named("SocketError").unwrap_or(ClassId::STANDARD_ERROR);
    vm.error(class, "getaddrinfo: Name or service not known")
}
fn class_of(vm: &mut Vm, value: &Value) -> Res<ClassId> {
    match value {
        Value::Class(class) => Ok(*class),
        _ => Err(vm.type_error("class expected")),
    }
}
/// `(class, host, port, timeout)`: an object of the class on the connection.
fn connect(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let class = class_of(vm, args.at(0))?;
    let host = vm.to_text(args.at(1))?;
    let port = vm.to_int(args.at(2))?;
    let port = u16::try_from(port).map_err(|_| vm.argument_error(format!("invalid port {port}")))?;
    let limit = timeout(vm, args.at(3))?;
    let stream = vm.host.connect(&host, port, limit).map_err(|error| failed(vm, &error, &host, port))?;
    let (peer, local) = (stream.peer(), stream.local());
    let handle: Rc<dyn rchef_host::FileHandle> = Rc::from(stream.into_handle());
    let made = object(class, Stream::pair(Some(handle.clone()), Some(handle)));
    if let Ok(stream) = stream_of(vm, &made) {
        stream.sync.set(true);
        stream.binmode.set(true);
    }
    address(vm, &made, "@peer", peer);
    address(vm, &made, "@local", local);
    Ok(made)
}
/// `(class, path)`
fn connect_unix(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let class = class_of(vm, args.at(0))?;
    let path = vm.to_path(args.at(1))?;
    let stream = vm
        .host
        .connect_unix(path.as_bytes())
        .map_err(|error| vm.errno(error.errno, Some(&format!("connect(2) for {path}"))))?;
    let handle: Rc<dyn rchef_host::FileHandle> = Rc::from(stream.into_handle());
    let made = object(class, Stream::pair(Some(handle.clone()), Some(handle)));
    if let Ok(stream) = stream_of(vm, &made) {
        stream.sync.set(true);
        stream.binmode.set(true);
    }
    Ok(made)
}
/// The addresses of a name as text.
fn resolve(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let host = vm.to_text(args.at(0))?;
    match vm.host.resolve(&host) {
        Ok(found) if !found.is_empty() => {
            Ok(Value::array(found.into_iter().map(|ip| Value::str(ip.to_string())).collect()))
        }
        _ => Err(unknown_name(vm)),
    }
}
fn hostname(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let name = vm.host.hostname().map_err(|error| vm.host_error(&error))?;
    Ok(Value::bytes(name))
}
/// `(class, socket, server's name, verify, files, PEM, timeout)`: an object of the class that speaks TLS over the socket.
fn start_tls(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let class = class_of(vm, args.at(0))?;
    let socket = stream_of(vm, args.at(1))?;
    let transport = socket.handle(vm)?;
    let mut ca_files = Vec::new();
    for path in vm.to_array(args.at(4))? {
        ca_files.push(vm.to_path(&path)?.into_bytes());
    }
    let options = TlsOptions {
        server: vm.to_text(args.at(2))?,
        verify: args.at(3).truthy(),
        ca_files,
        ca_pem: vm.to_text(args.at(5))?.into_bytes(),
    };
    let limit = timeout(vm, args.at(6))?;
    let host = vm.host.clone();
    match tls::connect(&*host, transport, &options, limit) {
        Ok(handle) => {
            let made = object(class, Stream::pair(Some(handle.clone()), Some(handle)));
            if let Ok(stream) = stream_of(vm, &made) {
                stream.sync.set(true);
                stream.binmode.set(true);
            }
            Ok(made)
        }
        Err(TlsError::Host(error)) => Err(vm.host_error(&error)),
        Err(TlsError::Tls(text)) => {
            let class = vm.class_named("OpenSSL::SSL::SSLError").unwrap_or(ClassId::STANDARD_ERROR);
            Err(vm.error(class, format!("SSL_connect returned=1 errno=0 state=error: {text}")))
        }
    }
}
