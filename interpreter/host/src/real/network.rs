//! Real sockets.

use super::handle::{RealHandle, RealStream, Socket};
use super::{Deadline, RealHost};
use crate::error::{HostError, Result};
use crate::network::{Network, Stream};
use nix::libc;
use std::fs::File;
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::net::UnixStream;
use std::time::Duration;

impl Network for RealHost {
    fn connect(&self, host: &str, port: u16, timeout: Option<Duration>) -> Result<Box<dyn Stream>> {
        let deadline = Deadline::after(timeout);
        let mut last = HostError::at(libc::EHOSTUNREACH, "connect", host.as_bytes());
        for ip in self.resolve(host)? {
            let address = SocketAddr::new(ip, port);
            let connected = match deadline.left() {
                None => TcpStream::connect(address),
                Some(left) if left.is_zero() => {
                    return Err(HostError::at(libc::ETIMEDOUT, "connect", host.as_bytes()));
                }
                Some(left) => TcpStream::connect_timeout(&address, left),
            };
            match connected {
                Ok(socket) => return tcp(socket).map_err(|e| HostError::from_io(&e, "dup", None)),
                Err(error) => last = HostError::from_io(&error, "connect", Some(host.as_bytes())),
            }
        }
        Err(last)
    }

    fn connect_unix(&self, path: &[u8]) -> Result<Box<dyn Stream>> {
        let at = self.at(path);
        let fail = |error: std::io::Error| HostError::from_io(&error, "connect", Some(path));
        let socket = UnixStream::connect(std::ffi::OsStr::from_bytes(&at)).map_err(fail)?;
        let fd: OwnedFd = socket.try_clone().map_err(fail)?.into();
        Ok(Box::new(RealStream { handle: RealHandle::new(File::from(fd)), socket: Socket::Unix(socket) }))
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
}

fn tcp(socket: TcpStream) -> std::io::Result<Box<dyn Stream>> {
    let fd: OwnedFd = socket.try_clone()?.into();
    Ok(Box::new(RealStream { handle: RealHandle::new(File::from(fd)), socket: Socket::Tcp(socket) }))
}
