//! `socket`: system calls on sockets, through the host; the classes are in `ruby/socket*.rb`.
//! All addresses are the bytes of a `sockaddr`.

use rchef_host::{Address, FileHandle, HostError, Network, Socket};
use rchef_ruby::embed::io::{Stream, handle_of_fd, keep_loose, object, stream_of, wait_for};
use rchef_ruby::embed::thread::yield_to_others;
use rchef_ruby::text::encoding::Encoding;
use rchef_ruby::{Args, ClassId, MethodDef, RString, Res, Value, Vm, def};
use std::net::{IpAddr, SocketAddr, SocketAddrV6};
use std::rc::Rc;
use std::time::Duration;

/// Linux error numbers that are not necessarily errors here.
const EAGAIN: i32 = 11;
const ETIMEDOUT: i32 = 110;
const EINPROGRESS: i32 = 115;
const SOL_SOCKET: i32 = 1;
const SO_ERROR: i32 = 4;
const MSG_DONTWAIT: i32 = 64;

static NATIVE: &[MethodDef] = &[
    def("open", open, 4),
    def("adopt", adopt, 2),
    def("pair", pair, 4),
    def("connect", connect, 4),
    def("bind", bind, 3),
    def("listen", listen, 2),
    def("accept", accept, 3),
    def("number", number, 1),
    def("send", send, 5),
    def("receive", receive, 4),
    def("local", local, 1),
    def("peer", peer, 1),
    def("option", option, 3),
    def("set_option", set_option, 4),
    def("shutdown", shutdown, 2),
    def("close_half", close_half, 2),
    def("resolve", resolve, 1),
    def("hostname", hostname, 0),
    def("interfaces", interfaces, 0),
    def("pack", pack, 2),
    def("pack_unix", pack_unix, 1),
    def("unpack", unpack, 1),
    def("bytes_of", bytes_of, 1),
];

/// Defines Socket::Native, which is used by the Ruby part.
pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    let basic = vm.define_class(ClassId::OBJECT, "BasicSocket", ClassId::IO);
    let socket = vm.define_class(ClassId::OBJECT, "Socket", basic);
    let native = vm.define_module(socket, "Native");
    vm.define_module_functions(native, NATIVE);
    vm.define_class(ClassId::OBJECT, "SocketError", ClassId::STANDARD_ERROR);
    Ok(())
}

fn binary(bytes: Vec<u8>) -> Value {
    Value::string(RString::binary(bytes))
}
/// A timeout given in seconds; None for nil.
pub(crate) fn timeout(vm: &mut Vm, value: &Value) -> Res<Option<Duration>> {
    if value.is_nil() {
        return Ok(None);
    }
    let seconds = vm.to_f64(value)?;
    Duration::try_from_secs_f64(seconds).map(Some).map_err(|_| vm.argument_error("time interval must not be negative"))
}
fn unknown_name(vm: &mut Vm) -> rchef_ruby::Error {
    let class = vm.class_named("SocketError").unwrap_or(ClassId::STANDARD_ERROR);
    vm.error(class, "getaddrinfo: Name or service not known")
}
pub(crate) fn class_of(vm: &mut Vm, value: &Value) -> Res<ClassId> {
    match value {
        Value::Class(class) => Ok(*class),
        _ => Err(vm.type_error("class expected")),
    }
}
fn bytes(vm: &mut Vm, value: &Value) -> Res<Vec<u8>> {
    Ok(vm.to_str(value)?.get(vm).bytes().to_vec())
}
/// Connects a stream to a socket, unbuffered. What it reads is binary.
fn settle(stream: &Stream, handle: Rc<dyn FileHandle>) {
    stream.open_with(handle, true, true);
    stream.sync.set(true);
    stream.binmode.set(true);
    stream.external.set(Some(Encoding::Binary));
}
fn made(class: ClassId, handle: Box<dyn FileHandle>) -> Value {
    let stream = Stream::default();
    settle(&stream, Rc::from(handle));
    object(class, Rc::new(stream))
}
/// Calls a function with the socket of an IO object; system errors are returned.
fn on<R>(
    vm: &mut Vm,
    io: &Value,
    call: impl FnOnce(&dyn Network, &dyn Socket) -> Result<R, HostError>,
) -> Res<Result<R, HostError>> {
    let stream = stream_of(vm, io)?;
    let handle = stream.handle(vm)?;
    let host = vm.host.clone();
    match handle.as_socket() {
        Some(socket) => Ok(call(&*host, socket)),
        None => Err(vm.errno(88, None)),
    }
}
/// Like `on`, but system errors are raised; `what` is added to their messages.
fn checked<R>(
    vm: &mut Vm,
    io: &Value,
    what: Option<&str>,
    call: impl FnOnce(&dyn Network, &dyn Socket) -> Result<R, HostError>,
) -> Res<R> {
    on(vm, io, call)?.map_err(|error| vm.errno(error.errno, what))
}
fn detail(vm: &mut Vm, value: &Value) -> Res<Option<String>> {
    if value.is_nil() { Ok(None) } else { vm.to_text(value).map(Some) }
}

/// `(io, domain, type, protocol)`: opens a socket for a new object.
fn open(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, args.at(0))?;
    let (domain, kind, protocol) = (vm.to_c_int(args.at(1))?, vm.to_c_int(args.at(2))?, vm.to_c_int(args.at(3))?);
    let host = vm.host.clone();
    let handle = host.socket(domain, kind, protocol).map_err(|error| vm.errno(error.errno, Some("socket(2)")))?;
    settle(&stream, Rc::from(handle));
    Ok(args.at(0).clone())
}
/// `(io, descriptor)`: opens a new object on a descriptor known to this VM.
fn adopt(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, args.at(0))?;
    let fd = vm.to_int(args.at(1))?;
    let (handle, _) = handle_of_fd(vm, fd)?;
    if handle.as_socket().is_none() {
        return Err(vm.errno(88, Some("not a socket file descriptor")));
    }
    settle(&stream, handle);
    Ok(args.at(0).clone())
}
/// `(class, domain, type, protocol)`: two connected objects.
fn pair(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let class = class_of(vm, args.at(0))?;
    let (domain, kind, protocol) = (vm.to_c_int(args.at(1))?, vm.to_c_int(args.at(2))?, vm.to_c_int(args.at(3))?);
    let host = vm.host.clone();
    let (one, other) =
        host.socket_pair(domain, kind, protocol).map_err(|error| vm.errno(error.errno, Some("socketpair(2)")))?;
    Ok(Value::array(vec![made(class, one), made(class, other)]))
}
/// `(io, address, timeout, what)`: true, or nil if the timeout is 0 and the connection is in progress.
fn connect(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (address, limit, what) = (bytes(vm, args.at(1))?, timeout(vm, args.at(2))?, detail(vm, args.at(3))?);
    // on MRI other threads run while the system connects, also if it refuses at once
    yield_to_others(vm)?;
    match on(vm, args.at(0), |host, socket| host.connect(socket, &address))? {
        Ok(()) => return Ok(Value::True),
        Err(error) if error.errno == EINPROGRESS => {}
        Err(error) => return Err(vm.errno(error.errno, what.as_deref())),
    }
    if limit.is_some_and(|limit| limit.is_zero()) {
        return Ok(Value::Nil);
    }
    let stream = stream_of(vm, args.at(0))?;
    if !wait_for(vm, &stream, true, limit)? {
        return Err(vm.errno(ETIMEDOUT, what.as_deref()));
    }
    let outcome = checked(vm, args.at(0), None, |_, socket| socket.option(SOL_SOCKET, SO_ERROR))?;
    match outcome.first_chunk::<4>().map_or(0, |bytes| i32::from_ne_bytes(*bytes)) {
        0 => Ok(Value::True),
        errno => Err(vm.errno(errno, what.as_deref())),
    }
}
/// `(io, address, what)`
fn bind(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (address, what) = (bytes(vm, args.at(1))?, detail(vm, args.at(2))?);
    checked(vm, args.at(0), what.as_deref(), |host, socket| host.bind(socket, &address))?;
    Ok(Value::Int(0))
}
/// `(io, backlog)`
fn listen(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let backlog = vm.to_c_int(args.at(1))?;
    checked(vm, args.at(0), Some("listen(2)"), |host, socket| host.listen(socket, backlog))?;
    Ok(Value::Int(0))
}
/// Waits until the socket is ready and repeats a call while it returns EAGAIN; None if it is not ready and `wait` is false.
fn waiting<R>(
    vm: &mut Vm,
    io: &Value,
    write: bool,
    wait: bool,
    what: &str,
    mut call: impl FnMut(&dyn Network, &dyn Socket) -> Result<R, HostError>,
) -> Res<Option<R>> {
    loop {
        let stream = stream_of(vm, io)?;
        if !wait_for(vm, &stream, write, if wait { None } else { Some(Duration::ZERO) })? {
            return Ok(None);
        }
        match on(vm, io, &mut call)? {
            Ok(result) => return Ok(Some(result)),
            Err(error) if error.errno == EAGAIN && !wait => return Ok(None),
            Err(error) if error.errno == EAGAIN => {}
            Err(error) => return Err(vm.errno(error.errno, Some(what))),
        }
    }
}
/// `(io, class, wait)`: an object of the class and the peer's address; nil if there is no connection.
fn accept(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let class = class_of(vm, args.at(1))?;
    let found = waiting(vm, args.at(0), false, args.at(2).truthy(), "accept(2)", |_, socket| socket.accept())?;
    Ok(found.map_or(Value::Nil, |(handle, from)| Value::array(vec![made(class, handle), binary(from)])))
}
/// `(io)`: its descriptor, which stays open when the object is freed.
fn number(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, args.at(0))?;
    let handle = stream.handle(vm)?;
    Ok(Value::Int(keep_loose(vm, handle).into()))
}
/// `(io, data, flags, address, wait)`: the number of bytes sent; nil if it would have to wait.
fn send(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (data, flags) = (bytes(vm, args.at(1))?, vm.to_c_int(args.at(2))?);
    let address = if args.at(3).is_nil() { None } else { Some(bytes(vm, args.at(3))?) };
    let what = if address.is_some() { "sendto(2)" } else { "send(2)" };
    let sent = waiting(vm, args.at(0), true, args.at(4).truthy(), what, |host, socket| match &address {
        Some(address) => host.send_to(socket, &data, flags | MSG_DONTWAIT, address),
        None => socket.send(&data, flags | MSG_DONTWAIT, None),
    })?;
    Ok(sent.map_or(Value::Nil, |count| Value::Int(count as i64)))
}
/// `(io, size, flags, wait)`: the bytes, the sender's address, and the flags; nil if it would have to wait.
fn receive(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (size, flags) = (vm.to_int(args.at(1))?, vm.to_c_int(args.at(2))?);
    let size = usize::try_from(size).map_err(|_| vm.argument_error(format!("negative length {size} given")))?;
    vm.check_size(size)?;
    let stream = stream_of(vm, args.at(0))?;
    if stream.held() > 0 {
        return Err(vm.error(ClassId::IO_ERROR, "recv for buffered IO"));
    }
    let mut buffer = vec![0; size];
    let got = waiting(vm, args.at(0), false, args.at(3).truthy(), "recvfrom(2)", |_, socket| {
        socket.receive(&mut buffer, flags | MSG_DONTWAIT)
    })?;
    let Some((count, from, flags)) = got else { return Ok(Value::Nil) };
    buffer.truncate(count);
    Ok(Value::array(vec![binary(buffer), binary(from), Value::Int(flags.into())]))
}
/// `(io)`: getsockname(2)
fn local(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    checked(vm, args.at(0), Some("getsockname(2)"), |_, socket| socket.local()).map(binary)
}
/// `(io)`: getpeername(2)
fn peer(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    checked(vm, args.at(0), Some("getpeername(2)"), |_, socket| socket.peer()).map(binary)
}
/// `(io, level, name)`: the value of the option as bytes.
fn option(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (level, name) = (vm.to_c_int(args.at(1))?, vm.to_c_int(args.at(2))?);
    checked(vm, args.at(0), Some("getsockopt(2)"), |_, socket| socket.option(level, name)).map(binary)
}
/// `(io, level, name, bytes)`
fn set_option(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (level, name, value) = (vm.to_c_int(args.at(1))?, vm.to_c_int(args.at(2))?, bytes(vm, args.at(3))?);
    checked(vm, args.at(0), Some("setsockopt(2)"), |_, socket| socket.set_option(level, name, &value))?;
    Ok(Value::Int(0))
}
/// `(io, how)`
fn shutdown(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let how = vm.to_c_int(args.at(1))?;
    checked(vm, args.at(0), Some("shutdown(2)"), |_, socket| socket.shutdown(how))?;
    Ok(Value::Int(0))
}
/// `(io, write)`: closes the object for reading or writing.
fn close_half(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, args.at(0))?;
    if args.at(1).truthy() {
        stream.close_write(vm)?;
    } else {
        stream.close_read();
    }
    Ok(Value::Nil)
}
/// The addresses of a host name, as Strings.
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
/// `[name, index, flags, address, netmask, broadcast or peer address]` of each interface.
fn interfaces(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let found = vm.host.interfaces().map_err(|error| vm.host_error(&error))?;
    let address = |bytes: Option<Vec<u8>>| bytes.map_or(Value::Nil, binary);
    let rows = found.into_iter().map(|each| {
        let numbers = [Value::Int(each.index.into()), Value::Int(each.flags.into())];
        let mut row = vec![Value::bytes(each.name)];
        row.extend(numbers);
        row.extend([each.address, each.netmask, each.other].map(address));
        Value::array(row)
    });
    Ok(Value::array(rows.collect()))
}
/// Parses an IP address, which may end in `%` and the index of an interface.
fn internet(text: &str, port: u16) -> Option<SocketAddr> {
    let (ip, scope) = text.split_once('%').unwrap_or((text, "0"));
    Some(match ip.parse::<IpAddr>().ok()? {
        IpAddr::V4(ip) => SocketAddr::new(ip.into(), port),
        IpAddr::V6(ip) => SocketAddrV6::new(ip, port, 0, scope.parse().ok()?).into(),
    })
}
/// `(address, port)`: the bytes of the socket address; nil if the text is not an IP address.
fn pack(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (text, port) = (vm.to_text(args.at(0))?, vm.to_int(args.at(1))?);
    // only the low 16 bits of the port are used
    let address = internet(&text, port as u16).map(|at| Address::Internet(at).bytes());
    Ok(address.map_or(Value::Nil, binary))
}
/// `(path)`: the bytes of the socket address.
fn pack_unix(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = bytes(vm, args.at(0))?;
    Ok(binary(Address::Unix(path).bytes()))
}
/// `(bytes)`: `[family, address or path, port]`; nil if there are too few bytes.
fn unpack(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let bytes = bytes(vm, args.at(0))?;
    Ok(match Address::parse(&bytes) {
        None => Value::Nil,
        Some(Address::Internet(at)) => {
            let family = if at.is_ipv4() { 2 } else { 10 };
            let scope = match at {
                SocketAddr::V6(at) if at.scope_id() != 0 => format!("%{}", at.scope_id()),
                _ => String::new(),
            };
            let text = format!("{}{scope}", at.ip());
            Value::array(vec![Value::Int(family), Value::str(text), Value::Int(at.port().into())])
        }
        Some(Address::Unix(path)) => Value::array(vec![Value::Int(1), Value::bytes(path), Value::Nil]),
        Some(Address::Other(family)) => Value::array(vec![Value::Int(family.into()), Value::Nil, Value::Nil]),
    })
}
/// The 4 or 16 bytes of an IP address given as text; nil if it is invalid.
fn bytes_of(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let text = vm.to_text(args.at(0))?;
    Ok(match internet(&text, 0).map(|at| at.ip()) {
        Some(IpAddr::V4(ip)) => binary(ip.octets().to_vec()),
        Some(IpAddr::V6(ip)) => binary(ip.octets().to_vec()),
        None => Value::Nil,
    })
}
