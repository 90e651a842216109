//! Sockets by the calls themselves: addresses are the bytes of a `sockaddr`, as Ruby passes them around.

use crate::network::Interface;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::libc;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

/// Longer than any `sockaddr`.
const ADDRESS: usize = size_of::<libc::sockaddr_storage>();

/// Where the kernel writes an address; aligned as a `sockaddr` must be.
struct Room {
    storage: libc::sockaddr_storage,
    length: libc::socklen_t,
}

impl Room {
    fn new() -> Self {
        // SAFETY: a sockaddr_storage is plain integers; zero is a valid value.
        let storage = unsafe { std::mem::zeroed() };
        Self { storage, length: ADDRESS as libc::socklen_t }
    }

    fn of(address: &[u8]) -> io::Result<Self> {
        let mut room = Self::new();
        if address.len() > ADDRESS {
            return Err(io::Error::from_raw_os_error(libc::EINVAL));
        }
        // SAFETY: the storage is at least as long as the address, as checked; the two do not overlap.
        unsafe {
            std::ptr::copy_nonoverlapping(address.as_ptr(), (&raw mut room.storage).cast::<u8>(), address.len());
        }
        room.length = address.len() as libc::socklen_t;
        Ok(room)
    }

    fn bytes(&self) -> Vec<u8> {
        let length = (self.length as usize).min(ADDRESS);
        // SAFETY: the storage is initialised throughout, and `length` is within it.
        unsafe { std::slice::from_raw_parts((&raw const self.storage).cast::<u8>(), length) }.to_vec()
    }

    fn pointer(&self) -> *const libc::sockaddr {
        (&raw const self.storage).cast()
    }
}

fn checked(result: i32) -> io::Result<i32> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

fn owned(fd: i32) -> OwnedFd {
    // SAFETY: only called with a descriptor that the kernel has just given us.
    unsafe { OwnedFd::from_raw_fd(fd) }
}

/// getifaddrs(3).
pub(crate) fn interfaces() -> io::Result<Vec<Interface>> {
    let mut list = std::ptr::null_mut();
    // SAFETY: `list` outlives the call, which writes one pointer to it.
    checked(unsafe { libc::getifaddrs(&raw mut list) })?;
    let mut found = Vec::new();
    let mut at = list;
    // SAFETY: the list is well-formed until it is freed below: each entry is readable, its name ends with NUL, and its addresses
    // are null or as long as their family says.
    unsafe {
        while let Some(entry) = at.as_ref() {
            found.push(Interface {
                name: std::ffi::CStr::from_ptr(entry.ifa_name).to_bytes().to_vec(),
                index: libc::if_nametoindex(entry.ifa_name),
                flags: entry.ifa_flags,
                address: copied(entry.ifa_addr),
                netmask: copied(entry.ifa_netmask),
                other: copied(entry.ifa_ifu),
            });
            at = entry.ifa_next;
        }
        libc::freeifaddrs(list);
    }
    Ok(found)
}

/// The bytes of an address; None for null and for families that are not known here.
///
/// # Safety
/// It is null, or readable for as long as its family says.
unsafe fn copied(address: *const libc::sockaddr) -> Option<Vec<u8>> {
    // SAFETY: the caller's promise.
    let family = i32::from(unsafe { address.as_ref() }?.sa_family);
    let length = match family {
        libc::AF_INET => size_of::<libc::sockaddr_in>(),
        libc::AF_INET6 => size_of::<libc::sockaddr_in6>(),
        libc::AF_PACKET => {
            // SAFETY: the caller's promise; such an address is a sockaddr_ll.
            let link = unsafe { &*address.cast::<libc::sockaddr_ll>() };
            std::mem::offset_of!(libc::sockaddr_ll, sll_addr) + usize::from(link.sll_halen).min(link.sll_addr.len())
        }
        _ => return None,
    };
    // SAFETY: as above.
    Some(unsafe { std::slice::from_raw_parts(address.cast::<u8>(), length) }.to_vec())
}

/// socket(2), close-on-exec.
pub(crate) fn socket(domain: i32, kind: i32, protocol: i32) -> io::Result<OwnedFd> {
    // SAFETY: takes integers.
    checked(unsafe { libc::socket(domain, kind | libc::SOCK_CLOEXEC, protocol) }).map(owned)
}

/// socketpair(2), close-on-exec.
pub(crate) fn pair(domain: i32, kind: i32, protocol: i32) -> io::Result<(OwnedFd, OwnedFd)> {
    let mut both = [0; 2];
    // SAFETY: `both` has room for the two descriptors that the call writes.
    checked(unsafe { libc::socketpair(domain, kind | libc::SOCK_CLOEXEC, protocol, both.as_mut_ptr()) })?;
    Ok((owned(both[0]), owned(both[1])))
}

/// bind(2).
pub(crate) fn bind(fd: BorrowedFd<'_>, address: &[u8]) -> io::Result<()> {
    let room = Room::of(address)?;
    // SAFETY: the pointer and length are those of `room`, which outlives the call.
    checked(unsafe { libc::bind(fd.as_raw_fd(), room.pointer(), room.length) }).map(drop)
}

/// connect(2) without waiting: `EINPROGRESS` while it is under way. The descriptor blocks again afterwards.
pub(crate) fn connect(fd: BorrowedFd<'_>, address: &[u8]) -> io::Result<()> {
    let room = Room::of(address)?;
    let flags = OFlag::from_bits_retain(fcntl(fd, FcntlArg::F_GETFL)?);
    fcntl(fd, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
    // SAFETY: the pointer and length are those of `room`, which outlives the call.
    let result = checked(unsafe { libc::connect(fd.as_raw_fd(), room.pointer(), room.length) }).map(drop);
    fcntl(fd, FcntlArg::F_SETFL(flags))?;
    result
}

/// listen(2).
pub(crate) fn listen(fd: BorrowedFd<'_>, backlog: i32) -> io::Result<()> {
    // SAFETY: takes integers.
    checked(unsafe { libc::listen(fd.as_raw_fd(), backlog) }).map(drop)
}

/// accept4(2), close-on-exec: the connection and who it is from.
pub(crate) fn accept(fd: BorrowedFd<'_>) -> io::Result<(OwnedFd, Vec<u8>)> {
    let mut room = Room::new();
    // SAFETY: the kernel writes at most `length` bytes of address to `storage`, both live.
    let accepted = checked(unsafe {
        libc::accept4(fd.as_raw_fd(), (&raw mut room.storage).cast(), &raw mut room.length, libc::SOCK_CLOEXEC)
    })?;
    Ok((owned(accepted), room.bytes()))
}

/// getsockname(2), or getpeername(2).
pub(crate) fn name(fd: BorrowedFd<'_>, peer: bool) -> io::Result<Vec<u8>> {
    let mut room = Room::new();
    let (storage, length) = ((&raw mut room.storage).cast(), &raw mut room.length);
    // SAFETY: the kernel writes at most `length` bytes of address to `storage`, both live.
    checked(unsafe {
        if peer {
            libc::getpeername(fd.as_raw_fd(), storage, length)
        } else {
            libc::getsockname(fd.as_raw_fd(), storage, length)
        }
    })?;
    Ok(room.bytes())
}

/// sendto(2), or send(2); a closed peer is `EPIPE`, never a signal.
pub(crate) fn send(fd: BorrowedFd<'_>, data: &[u8], flags: i32, to: Option<&[u8]>) -> io::Result<usize> {
    let room = to.map(Room::of).transpose()?;
    let (address, length) = room.as_ref().map_or((std::ptr::null(), 0), |room| (room.pointer(), room.length));
    let flags = flags | libc::MSG_NOSIGNAL;
    // SAFETY: `data` is a live slice; the address is null with length 0, or that of `room`.
    let sent = unsafe { libc::sendto(fd.as_raw_fd(), data.as_ptr().cast(), data.len(), flags, address, length) };
    usize::try_from(sent).map_err(|_| io::Error::last_os_error())
}

/// recvmsg(2) without control data: bytes, who sent them, flags.
pub(crate) fn receive(fd: BorrowedFd<'_>, buffer: &mut [u8], flags: i32) -> io::Result<(usize, Vec<u8>, i32)> {
    let mut room = Room::new();
    let mut part = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
    // SAFETY: a msghdr is pointers and integers; zero is a valid value.
    let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
    message.msg_name = (&raw mut room.storage).cast();
    message.msg_namelen = room.length;
    message.msg_iov = &raw mut part;
    message.msg_iovlen = 1;
    // SAFETY: the header refers to `room`, `part` and through it `buffer`, with their lengths; all outlive the call.
    let got = unsafe { libc::recvmsg(fd.as_raw_fd(), &raw mut message, flags | libc::MSG_CMSG_CLOEXEC) };
    let got = usize::try_from(got).map_err(|_| io::Error::last_os_error())?;
    room.length = message.msg_namelen;
    Ok((got, room.bytes(), message.msg_flags))
}

/// getsockopt(2): the bytes of the option.
pub(crate) fn option(fd: BorrowedFd<'_>, level: i32, name: i32) -> io::Result<Vec<u8>> {
    let mut value = vec![0u8; 256];
    let mut length = value.len() as libc::socklen_t;
    // SAFETY: the kernel writes at most `length` bytes to `value`, which is that long.
    checked(unsafe { libc::getsockopt(fd.as_raw_fd(), level, name, value.as_mut_ptr().cast(), &raw mut length) })?;
    value.truncate(length as usize);
    Ok(value)
}

/// setsockopt(2).
pub(crate) fn set_option(fd: BorrowedFd<'_>, level: i32, name: i32, value: &[u8]) -> io::Result<()> {
    let length = value.len() as libc::socklen_t;
    // SAFETY: the pointer and length are those of a live slice.
    checked(unsafe { libc::setsockopt(fd.as_raw_fd(), level, name, value.as_ptr().cast(), length) }).map(drop)
}

/// shutdown(2).
pub(crate) fn shutdown(fd: BorrowedFd<'_>, how: i32) -> io::Result<()> {
    // SAFETY: takes integers.
    checked(unsafe { libc::shutdown(fd.as_raw_fd(), how) }).map(drop)
}
