//! Sockets and host names of an overlay. If the network is not allowed a socket is an object in memory, so that code can run up to the first call
//! that needs the network; this call is recorded and fails with `ENETUNREACH`.

use super::OverlayHost;
use super::effect::EffectKind;
use crate::error::{HostError, Result};
use crate::files::{FileHandle, LockKind, Seek, SetTime, Stat};
use crate::network::{Address, Interface, Network, Socket};
use crate::sys::socket::option_size;
use nix::libc;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::rc::Rc;
use std::time::Duration;

impl OverlayHost {
    /// Whether the network may be used; in a simulation also by read-only commands.
    fn reaches_network(&self) -> bool {
        self.options.network || self.simulates() && self.purpose() == super::Purpose::Query
    }

    /// The target for an address in [`super::OverlayOptions::routes`].
    fn route(&self, address: &[u8]) -> Option<Vec<u8>> {
        let Some(Address::Internet(wanted)) = Address::parse(address) else { return None };
        let (_, to) = self.options.routes.iter().find(|(from, _)| *from == wanted)?;
        Some(Address::Internet(*to).bytes())
    }
}

impl Network for OverlayHost {
    fn socket(&self, domain: i32, kind: i32, protocol: i32) -> Result<Box<dyn FileHandle>> {
        known_kind(domain, kind, "socket")?;
        if !self.reaches_network() && self.options.routes.is_empty() {
            return Ok(Box::new(Unconnected::new(domain, kind)));
        }
        self.machine().socket(domain, kind, protocol)
    }

    fn socket_pair(&self, domain: i32, kind: i32, protocol: i32) -> Result<(Box<dyn FileHandle>, Box<dyn FileHandle>)> {
        known_kind(domain, kind, "socketpair")?;
        if !self.reaches_network() {
            return Err(HostError::new(libc::ENETUNREACH, "socketpair"));
        }
        self.machine().socket_pair(domain, kind, protocol)
    }

    fn connect(&self, socket: &dyn Socket, address: &[u8]) -> Result<()> {
        let address = match self.route(address) {
            Some(played) => played,
            None => self.reach_address(address)?,
        };
        self.machine().connect(socket, &address)
    }

    fn bind(&self, socket: &dyn Socket, address: &[u8]) -> Result<()> {
        let address = self.reach_address(address)?;
        // binding would create the path on the machine
        if let Some(Address::Unix(path)) = Address::parse(&address)
            && path.first().is_some_and(|&byte| byte != 0)
        {
            return Err(HostError::at(libc::EACCES, "bind", &path));
        }
        self.machine().bind(socket, &address)
    }

    fn listen(&self, socket: &dyn Socket, backlog: i32) -> Result<()> {
        // an unbound socket would get a port of the machine
        self.reach_address(&socket.local()?)?;
        self.machine().listen(socket, backlog)
    }

    fn send_to(&self, socket: &dyn Socket, data: &[u8], flags: i32, address: &[u8]) -> Result<usize> {
        let address = self.reach_address(address)?;
        self.machine().send_to(socket, data, flags, &address)
    }

    fn resolve(&self, host: &str) -> Result<Vec<IpAddr>> {
        if let Ok(ip) = host.parse::<IpAddr>() {
            return Ok(vec![ip]);
        }
        self.reach(host)?;
        self.machine().resolve(host)
    }

    fn hostname(&self) -> Result<Vec<u8>> {
        self.record(EffectKind::ReadSystem, b"hostname", "");
        if self.whole() {
            return self.machine().hostname();
        }
        let name = self.quiet_file(b"/etc/hostname").unwrap_or_default();
        let name = name.trim_ascii();
        let simulated = self.options.uname.as_ref().map(|uname| uname.nodename.as_bytes());
        Ok(match simulated {
            _ if !name.is_empty() => name.to_vec(),
            Some(simulated) if !simulated.is_empty() => simulated.to_vec(),
            _ => b"localhost".to_vec(),
        })
    }

    fn interfaces(&self) -> Result<Vec<Interface>> {
        self.record(EffectKind::ReadSystem, b"interfaces", "");
        // a base that is only a directory tree has no interfaces
        if self.whole() { self.machine().interfaces() } else { Ok(Vec::new()) }
    }

    fn routes(&self, family: u8) -> Result<Vec<u8>> {
        self.record(EffectKind::ReadSystem, b"routes", "");
        if self.whole() { self.machine().routes(family) } else { Ok(Vec::new()) }
    }
}

/// Other socket families and types (netlink, raw packets) are rejected: they talk to the kernel without an address that could be checked.
fn known_kind(domain: i32, kind: i32, op: &'static str) -> Result<()> {
    if !matches!(domain, libc::AF_UNIX | libc::AF_INET | libc::AF_INET6) {
        return Err(HostError::new(libc::EAFNOSUPPORT, op));
    }
    match kind & !(libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK) {
        libc::SOCK_STREAM | libc::SOCK_DGRAM | libc::SOCK_SEQPACKET => Ok(()),
        _ => Err(HostError::new(libc::EPERM, op)),
    }
}

impl OverlayHost {
    /// Checks that an address may be reached, and makes its path absolute.
    fn reach_address(&self, address: &[u8]) -> Result<Vec<u8>> {
        self.reach(&Address::parse(address).map_or_else(String::new, |address| address.text()))?;
        Ok(Address::under(address, &self.core.cwd.borrow()))
    }

    fn reach(&self, target: &str) -> Result<()> {
        let allowed = self.reaches_network();
        self.record(EffectKind::Network, target.as_bytes(), if allowed { "" } else { "refused" });
        if allowed { Ok(()) } else { Err(HostError::at(libc::ENETUNREACH, "connect", target.as_bytes())) }
    }
}

/// A socket without a connection, unknown to the machine; duplicates share it.
#[derive(Clone)]
struct Unconnected(Rc<State>);

struct State {
    domain: i32,
    kind: i32,
    /// Values of options, by level and name.
    options: RefCell<BTreeMap<(i32, i32), Vec<u8>>>,
}

impl Unconnected {
    fn new(domain: i32, kind: i32) -> Self {
        let kind = kind & !(libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK);
        Self(Rc::new(State { domain, kind, options: RefCell::default() }))
    }
}

fn fails<T>(errno: i32, op: &'static str) -> Result<T> {
    Err(HostError::new(errno, op))
}

impl Socket for Unconnected {
    fn connect(&self, _: &[u8]) -> Result<()> {
        fails(libc::ENETUNREACH, "connect")
    }

    fn bind(&self, _: &[u8]) -> Result<()> {
        fails(libc::ENETUNREACH, "bind")
    }

    fn listen(&self, _: i32) -> Result<()> {
        fails(libc::ENETUNREACH, "listen")
    }

    fn accept(&self) -> Result<(Box<dyn FileHandle>, Vec<u8>)> {
        fails(libc::EINVAL, "accept")
    }

    fn send(&self, _: &[u8], _: i32, to: Option<&[u8]>) -> Result<usize> {
        fails(if to.is_some() { libc::ENETUNREACH } else { libc::ENOTCONN }, "send")
    }

    fn receive(&self, _: &mut [u8], _: i32) -> Result<(usize, Vec<u8>, i32)> {
        fails(libc::ENOTCONN, "recvmsg")
    }

    /// The address of an unbound socket.
    fn local(&self) -> Result<Vec<u8>> {
        let any = match self.0.domain {
            libc::AF_INET => Address::Internet(([0; 4], 0).into()),
            libc::AF_INET6 => Address::Internet(([0u8; 16], 0).into()),
            _ => Address::Unix(Vec::new()),
        };
        Ok(any.bytes())
    }

    fn peer(&self) -> Result<Vec<u8>> {
        fails(libc::ENOTCONN, "getpeername")
    }

    fn option(&self, level: i32, name: i32) -> Result<Vec<u8>> {
        let size = option_size(level, name).map_err(|error| HostError::from_io(&error, "getsockopt", None))?;
        if let Some(value) = self.0.options.borrow().get(&(level, name)) {
            return Ok(value.clone());
        }
        Ok(match (level, name) {
            (libc::SOL_SOCKET, libc::SO_TYPE) => self.0.kind.to_ne_bytes().to_vec(),
            (libc::SOL_SOCKET, libc::SO_DOMAIN) => self.0.domain.to_ne_bytes().to_vec(),
            _ => vec![0; size],
        })
    }

    /// Stores the option; joining a multicast group is `ENODEV`, as on a machine without interfaces.
    fn set_option(&self, level: i32, name: i32, value: &[u8]) -> Result<()> {
        let size = option_size(level, name).map_err(|error| HostError::from_io(&error, "setsockopt", None))?;
        if value.len() > size {
            return fails(libc::EINVAL, "setsockopt");
        }
        let joins = [(libc::IPPROTO_IP, libc::IP_ADD_MEMBERSHIP), (libc::IPPROTO_IPV6, libc::IPV6_ADD_MEMBERSHIP)];
        if joins.contains(&(level, name)) {
            return fails(libc::ENODEV, "setsockopt");
        }
        self.0.options.borrow_mut().insert((level, name), value.to_vec());
        Ok(())
    }

    fn shutdown(&self, _: i32) -> Result<()> {
        fails(libc::ENOTCONN, "shutdown")
    }
}

impl FileHandle for Unconnected {
    fn read(&self, _: &mut [u8], _: Option<Duration>) -> Result<usize> {
        fails(libc::ENOTCONN, "read")
    }

    fn write(&self, _: &[u8], _: Option<Duration>) -> Result<usize> {
        fails(libc::ENOTCONN, "write")
    }

    fn pread(&self, _: &mut [u8], _: u64) -> Result<usize> {
        fails(libc::ESPIPE, "pread")
    }

    fn pwrite(&self, _: &[u8], _: u64) -> Result<usize> {
        fails(libc::ESPIPE, "pwrite")
    }

    fn seek(&self, _: Seek) -> Result<u64> {
        fails(libc::ESPIPE, "lseek")
    }

    fn truncate(&self, _: u64) -> Result<()> {
        fails(libc::EINVAL, "ftruncate")
    }

    fn sync(&self, _: bool) -> Result<()> {
        fails(libc::EINVAL, "fsync")
    }

    fn stat(&self) -> Result<Stat> {
        Ok(Stat { mode: libc::S_IFSOCK | 0o777, nlink: 1, blksize: 4096, ..Stat::default() })
    }

    fn chmod(&self, _: u32) -> Result<()> {
        Ok(())
    }

    fn chown(&self, _: Option<u32>, _: Option<u32>) -> Result<()> {
        Ok(())
    }

    fn set_times(&self, _: SetTime, _: SetTime) -> Result<()> {
        Ok(())
    }

    fn flock(&self, _: LockKind, _: bool) -> Result<bool> {
        fails(libc::EBADF, "flock")
    }

    fn fd(&self) -> Option<i32> {
        None
    }

    fn dup(&self) -> Result<Box<dyn FileHandle>> {
        Ok(Box::new(self.clone()))
    }

    fn is_tty(&self) -> bool {
        false
    }

    fn as_socket(&self) -> Option<&dyn Socket> {
        Some(self)
    }
}
