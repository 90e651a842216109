//! [`Network`](crate::network::Network) with real sockets.

use super::RealHost;
use super::handle::RealHandle;
use crate::error::{HostError, Result};
use crate::files::FileHandle;
use crate::network::{Address, Interface, Network, Socket};
use crate::sys::socket as sys;
use nix::libc;
use std::fs::File;
use std::net::{IpAddr, ToSocketAddrs};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;

impl Network for RealHost {
    fn socket(&self, domain: i32, kind: i32, protocol: i32) -> Result<Box<dyn FileHandle>> {
        sys::socket(domain, kind, protocol).map(handle).map_err(|error| HostError::from_io(&error, "socket", None))
    }

    fn socket_pair(&self, domain: i32, kind: i32, protocol: i32) -> Result<(Box<dyn FileHandle>, Box<dyn FileHandle>)> {
        let (one, other) =
            sys::pair(domain, kind, protocol).map_err(|error| HostError::from_io(&error, "socketpair", None))?;
        Ok((handle(one), handle(other)))
    }

    fn connect(&self, socket: &dyn Socket, address: &[u8]) -> Result<()> {
        socket.connect(&Address::under(address, &self.getcwd_or_root()))
    }

    fn bind(&self, socket: &dyn Socket, address: &[u8]) -> Result<()> {
        socket.bind(&Address::under(address, &self.getcwd_or_root()))
    }

    fn listen(&self, socket: &dyn Socket, backlog: i32) -> Result<()> {
        socket.listen(backlog)
    }

    fn send_to(&self, socket: &dyn Socket, data: &[u8], flags: i32, address: &[u8]) -> Result<usize> {
        socket.send(data, flags, Some(&Address::under(address, &self.getcwd_or_root())))
    }

    fn resolve(&self, host: &str) -> Result<Vec<IpAddr>> {
        if let Ok(ip) = host.parse::<IpAddr>() {
            return Ok(vec![ip]);
        }
        let found = (host, 0u16)
            .to_socket_addrs()
            .map_err(|e| HostError::at(e.raw_os_error().unwrap_or(libc::EHOSTUNREACH), "resolve", host.as_bytes()))?;
        let mut ips: Vec<IpAddr> = Vec::new();
        for address in found {
            if !ips.contains(&address.ip()) {
                ips.push(address.ip());
            }
        }
        Ok(ips)
    }

    fn hostname(&self) -> Result<Vec<u8>> {
        nix::unistd::gethostname().map(OsStringExt::into_vec).map_err(|e| HostError::new(e as i32, "gethostname"))
    }

    fn interfaces(&self) -> Result<Vec<Interface>> {
        sys::interfaces().map_err(|error| HostError::from_io(&error, "getifaddrs", None))
    }

    fn routes(&self, family: u8) -> Result<Vec<u8>> {
        const RTM_GETROUTE: u16 = 26;
        const NLMSG_DONE: u16 = 3;
        const NLMSG_ERROR: u16 = 2;
        // NLM_F_REQUEST | NLM_F_DUMP
        const DUMP: u16 = 0x301;
        let malformed = || HostError::new(libc::EPROTO, "rtnetlink");
        let handle = self.socket(libc::AF_NETLINK, libc::SOCK_RAW, libc::NETLINK_ROUTE)?;
        let socket = handle.as_socket().ok_or_else(malformed)?;
        // a header of 16 bytes and an `rtmsg` of 12, which names the family
        let mut request = vec![28, 0, 0, 0];
        request.extend(RTM_GETROUTE.to_ne_bytes());
        request.extend(DUMP.to_ne_bytes());
        request.extend([0; 8]);
        request.push(family);
        request.extend([0; 11]);
        let mut kernel = u16::try_from(libc::AF_NETLINK).unwrap_or_default().to_ne_bytes().to_vec();
        kernel.extend([0; 10]);
        socket.send(&request, 0, Some(&kernel))?;
        let (mut found, mut buffer) = (Vec::new(), vec![0; 64 * 1024]);
        loop {
            let (count, ..) = socket.receive(&mut buffer, 0)?;
            let mut rest = &buffer[..count.min(buffer.len())];
            if rest.is_empty() {
                return Err(malformed());
            }
            while !rest.is_empty() {
                let head = rest.first_chunk::<6>().ok_or_else(malformed)?;
                let length = u32::from_ne_bytes([head[0], head[1], head[2], head[3]]) as usize;
                let message = rest.get(..length).filter(|message| message.len() >= 16).ok_or_else(malformed)?;
                match u16::from_ne_bytes([head[4], head[5]]) {
                    NLMSG_DONE => return Ok(found),
                    NLMSG_ERROR => return Err(malformed()),
                    _ => found.extend_from_slice(message),
                }
                found.resize(found.len().next_multiple_of(4), 0);
                rest = rest.get(length.next_multiple_of(4)..).unwrap_or_default();
            }
        }
    }
}

impl RealHost {
    fn getcwd_or_root(&self) -> Vec<u8> {
        use crate::files::Files;
        self.getcwd().unwrap_or_else(|_| b"/".to_vec())
    }
}

fn handle(fd: OwnedFd) -> Box<dyn FileHandle> {
    Box::new(RealHandle::socket(File::from(fd)))
}

fn fail(op: &'static str) -> impl Fn(std::io::Error) -> HostError {
    move |error| HostError::from_io(&error, op, None)
}

impl Socket for RealHandle {
    fn connect(&self, address: &[u8]) -> Result<()> {
        sys::connect(self.descriptor(), address).map_err(fail("connect"))
    }

    fn bind(&self, address: &[u8]) -> Result<()> {
        sys::bind(self.descriptor(), address).map_err(fail("bind"))
    }

    fn listen(&self, backlog: i32) -> Result<()> {
        sys::listen(self.descriptor(), backlog).map_err(fail("listen"))
    }

    fn accept(&self) -> Result<(Box<dyn FileHandle>, Vec<u8>)> {
        let (fd, from) = sys::accept(self.descriptor()).map_err(fail("accept"))?;
        Ok((handle(fd), from))
    }

    fn send(&self, data: &[u8], flags: i32, to: Option<&[u8]>) -> Result<usize> {
        sys::send(self.descriptor(), data, flags, to).map_err(fail("send"))
    }

    fn receive(&self, buffer: &mut [u8], flags: i32) -> Result<(usize, Vec<u8>, i32)> {
        sys::receive(self.descriptor(), buffer, flags).map_err(fail("recvmsg"))
    }

    fn local(&self) -> Result<Vec<u8>> {
        sys::name(self.descriptor(), false).map_err(fail("getsockname"))
    }

    fn peer(&self) -> Result<Vec<u8>> {
        sys::name(self.descriptor(), true).map_err(fail("getpeername"))
    }

    fn option(&self, level: i32, name: i32) -> Result<Vec<u8>> {
        sys::option(self.descriptor(), level, name).map_err(fail("getsockopt"))
    }

    fn set_option(&self, level: i32, name: i32, value: &[u8]) -> Result<()> {
        sys::set_option(self.descriptor(), level, name, value).map_err(fail("setsockopt"))
    }

    fn shutdown(&self, how: i32) -> Result<()> {
        sys::shutdown(self.descriptor(), how).map_err(fail("shutdown"))
    }
}
