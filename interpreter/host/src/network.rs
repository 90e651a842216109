//! [`Network`]: sockets and host names. Addresses are the bytes of a `sockaddr`; protocols are implemented elsewhere.

use crate::error::Result;
use crate::files::FileHandle;
use nix::libc;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Sockets and host names. Everything with an address goes through this trait, so that a host can refuse or record it.
pub trait Network {
    /// socket(2): a new socket, close-on-exec.
    fn socket(&self, domain: i32, kind: i32, protocol: i32) -> Result<Box<dyn FileHandle>>;
    fn socket_pair(&self, domain: i32, kind: i32, protocol: i32) -> Result<(Box<dyn FileHandle>, Box<dyn FileHandle>)>;
    /// connect(2) without waiting: `EINPROGRESS` while connecting; `SO_ERROR` then has the result. Relative paths of Unix sockets start at the host's
    /// working directory, here and below.
    fn connect(&self, socket: &dyn Socket, address: &[u8]) -> Result<()>;
    fn bind(&self, socket: &dyn Socket, address: &[u8]) -> Result<()>;
    /// listen(2): an unbound socket is bound to a free port.
    fn listen(&self, socket: &dyn Socket, backlog: i32) -> Result<()>;
    /// sendto(2) to an address.
    fn send_to(&self, socket: &dyn Socket, data: &[u8], flags: i32, address: &[u8]) -> Result<usize>;
    /// The addresses of a host name, in the resolver's order; `EHOSTUNREACH` if there are none.
    fn resolve(&self, host: &str) -> Result<Vec<IpAddr>>;
    fn hostname(&self) -> Result<Vec<u8>>;
    /// getifaddrs(3): one entry per address, in the system's order.
    fn interfaces(&self) -> Result<Vec<Interface>>;
    /// rtnetlink(7): the messages of a dump of the routes of an address family, without `NLMSG_DONE`.
    fn routes(&self, family: u8) -> Result<Vec<u8>>;
}

/// An address of a network interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// The interface name, such as `eth0`.
    pub name: Vec<u8>,
    pub index: u32,
    /// `IFF_UP` and other flags.
    pub flags: u32,
    /// The address, as a `sockaddr`.
    pub address: Option<Vec<u8>>,
    /// The network mask.
    pub netmask: Option<Vec<u8>>,
    /// The broadcast address, or the peer's address (`IFF_POINTOPOINT`).
    pub other: Option<Vec<u8>>,
}

/// A socket, from [`FileHandle::as_socket`]; `read` and `write` are methods of the handle.
pub trait Socket {
    /// connect(2), see [`Network::connect`].
    fn connect(&self, address: &[u8]) -> Result<()>;
    /// bind(2), see [`Network::bind`].
    fn bind(&self, address: &[u8]) -> Result<()>;
    /// listen(2), see [`Network::listen`].
    fn listen(&self, backlog: i32) -> Result<()>;
    /// accept(2): the connection and the peer's address. Blocks until there is one.
    fn accept(&self) -> Result<(Box<dyn FileHandle>, Vec<u8>)>;
    /// send(2), or sendto(2): see [`Network::send_to`].
    fn send(&self, data: &[u8], flags: i32, to: Option<&[u8]>) -> Result<usize>;
    /// recvmsg(2): the number of bytes, the sender's address (empty if connected), and the flags.
    fn receive(&self, buffer: &mut [u8], flags: i32) -> Result<(usize, Vec<u8>, i32)>;
    /// getsockname(2)
    fn local(&self) -> Result<Vec<u8>>;
    /// getpeername(2)
    fn peer(&self) -> Result<Vec<u8>>;
    /// getsockopt(2)
    fn option(&self, level: i32, name: i32) -> Result<Vec<u8>>;
    /// setsockopt(2)
    fn set_option(&self, level: i32, name: i32, value: &[u8]) -> Result<()>;
    /// shutdown(2); `how` is `SHUT_RD`, `SHUT_WR` or `SHUT_RDWR`.
    fn shutdown(&self, how: i32) -> Result<()>;
}

/// A parsed socket address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// `AF_INET` or `AF_INET6`.
    Internet(SocketAddr),
    /// `AF_UNIX`: a path, or an abstract name that begins with NUL; empty if unnamed.
    Unix(Vec<u8>),
    /// The number of another address family.
    Other(i32),
}

impl Address {
    /// Parses the bytes of a `sockaddr`; `None` if they are too short for their family.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let family = i32::from(u16::from_ne_bytes(bytes.get(..2)?.try_into().ok()?));
        let port = || Some(u16::from_be_bytes(bytes.get(2..4)?.try_into().ok()?));
        Some(match family {
            libc::AF_INET => {
                let ip: [u8; 4] = bytes.get(4..8)?.try_into().ok()?;
                Self::Internet(SocketAddr::new(Ipv4Addr::from(ip).into(), port()?))
            }
            libc::AF_INET6 => {
                let ip: [u8; 16] = bytes.get(8..24)?.try_into().ok()?;
                let flow = u32::from_be_bytes(bytes.get(4..8)?.try_into().ok()?);
                let scope =
                    bytes.get(24..28).map_or(Some(0), |scope| Some(u32::from_ne_bytes(scope.try_into().ok()?)))?;
                Self::Internet(std::net::SocketAddrV6::new(Ipv6Addr::from(ip), port()?, flow, scope).into())
            }
            libc::AF_UNIX => {
                let path = &bytes[2..];
                // a path ends at NUL; an abstract name begins with NUL
                let end = match path.first() {
                    Some(0) | None => path.iter().rposition(|&byte| byte != 0).map_or(0, |at| at + 1),
                    Some(_) => path.iter().position(|&byte| byte == 0).unwrap_or(path.len()),
                };
                Self::Unix(path[..end].to_vec())
            }
            other => Self::Other(other),
        })
    }

    pub fn bytes(&self) -> Vec<u8> {
        let family = |number: i32| (number as u16).to_ne_bytes().to_vec();
        match self {
            Self::Internet(SocketAddr::V4(at)) => {
                let mut bytes = family(libc::AF_INET);
                bytes.extend(at.port().to_be_bytes());
                bytes.extend(at.ip().octets());
                bytes.extend([0; 8]);
                bytes
            }
            Self::Internet(SocketAddr::V6(at)) => {
                let mut bytes = family(libc::AF_INET6);
                bytes.extend(at.port().to_be_bytes());
                bytes.extend(at.flowinfo().to_be_bytes());
                bytes.extend(at.ip().octets());
                bytes.extend(at.scope_id().to_ne_bytes());
                bytes
            }
            Self::Unix(path) => {
                let mut bytes = family(libc::AF_UNIX);
                bytes.extend(path);
                bytes
            }
            Self::Other(number) => family(*number),
        }
    }

    /// The usual notation: `127.0.0.1:80`, `/run/x.sock`.
    pub fn text(&self) -> String {
        match self {
            Self::Internet(at) => at.to_string(),
            Self::Unix(path) => String::from_utf8_lossy(path).into_owned(),
            Self::Other(number) => format!("address of family {number}"),
        }
    }

    /// Makes the path of a Unix socket absolute relative to `cwd`.
    pub(crate) fn under(address: &[u8], cwd: &[u8]) -> Vec<u8> {
        match Self::parse(address) {
            Some(Self::Unix(path)) if !matches!(path.first(), None | Some(0 | b'/')) => {
                Self::Unix(crate::files::absolute(cwd, &path)).bytes()
            }
            _ => address.to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_survive_the_way_through_their_bytes() {
        for text in ["127.0.0.1:80", "[::1]:65535", "[fe80::1%3]:22", "0.0.0.0:0"] {
            let address = Address::Internet(text.parse().unwrap());
            assert_eq!(Address::parse(&address.bytes()), Some(address.clone()));
            assert_eq!(address.text(), text);
        }
        for path in [&b""[..], b"/run/a.sock", b"\0name"] {
            let address = Address::Unix(path.to_vec());
            assert_eq!(Address::parse(&address.bytes()), Some(address));
        }
        assert_eq!(Address::parse(b"\x02"), None);
        assert_eq!(Address::parse(&[2, 0, 0]), None);
        let relative = Address::Unix(b"a.sock".to_vec()).bytes();
        assert_eq!(Address::under(&relative, b"/srv"), Address::Unix(b"/srv/a.sock".to_vec()).bytes());
    }
}
