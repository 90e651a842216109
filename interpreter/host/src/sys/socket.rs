//! Socket system calls: addresses are the bytes of a `sockaddr`, as in Ruby.

use crate::network::Interface;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::libc;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

/// Maximum size of a `sockaddr` in bytes.
const ADDRESS: usize = size_of::<libc::sockaddr_storage>();

/// A buffer for an address that the kernel writes, aligned like a `sockaddr`.
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
    // SAFETY: only called with a descriptor that the kernel has just returned.
    unsafe { OwnedFd::from_raw_fd(fd) }
}

/// getifaddrs(3)
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

/// The bytes of an address; None for null and for unknown families.
///
/// # Safety
/// The pointer is null, or readable for the length of its address family.
unsafe fn copied(address: *const libc::sockaddr) -> Option<Vec<u8>> {
    // SAFETY: guaranteed by the caller.
    let family = i32::from(unsafe { address.as_ref() }?.sa_family);
    let length = match family {
        libc::AF_INET => size_of::<libc::sockaddr_in>(),
        libc::AF_INET6 => size_of::<libc::sockaddr_in6>(),
        libc::AF_PACKET => {
            // SAFETY: guaranteed by the caller; an address of this family is a sockaddr_ll.
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

/// bind(2)
pub(crate) fn bind(fd: BorrowedFd<'_>, address: &[u8]) -> io::Result<()> {
    let room = Room::of(address)?;
    // SAFETY: the pointer and length are those of `room`, which outlives the call.
    checked(unsafe { libc::bind(fd.as_raw_fd(), room.pointer(), room.length) }).map(drop)
}

/// connect(2) without waiting: `EINPROGRESS` while connecting. The descriptor is blocking again afterwards.
pub(crate) fn connect(fd: BorrowedFd<'_>, address: &[u8]) -> io::Result<()> {
    let room = Room::of(address)?;
    let flags = OFlag::from_bits_retain(fcntl(fd, FcntlArg::F_GETFL)?);
    fcntl(fd, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
    // SAFETY: the pointer and length are those of `room`, which outlives the call.
    let result = checked(unsafe { libc::connect(fd.as_raw_fd(), room.pointer(), room.length) }).map(drop);
    fcntl(fd, FcntlArg::F_SETFL(flags))?;
    result
}

/// listen(2)
pub(crate) fn listen(fd: BorrowedFd<'_>, backlog: i32) -> io::Result<()> {
    // SAFETY: takes integers.
    checked(unsafe { libc::listen(fd.as_raw_fd(), backlog) }).map(drop)
}

/// accept4(2), close-on-exec: the connection and the peer's address.
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

/// sendto(2) or send(2); a closed connection is `EPIPE`, without a signal.
pub(crate) fn send(fd: BorrowedFd<'_>, data: &[u8], flags: i32, to: Option<&[u8]>) -> io::Result<usize> {
    let room = to.map(Room::of).transpose()?;
    let (address, length) = room.as_ref().map_or((std::ptr::null(), 0), |room| (room.pointer(), room.length));
    let flags = flags | libc::MSG_NOSIGNAL;
    // SAFETY: `data` is a live slice; the address is null with length 0, or that of `room`.
    let sent = unsafe { libc::sendto(fd.as_raw_fd(), data.as_ptr().cast(), data.len(), flags, address, length) };
    usize::try_from(sent).map_err(|_| io::Error::last_os_error())
}

/// recvmsg(2) without control data: the number of bytes, the sender's address, flags.
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

/// Options that may be read and set: level, name, and maximum length of the value in bytes. For each of them the kernel treats the length as a number
/// of bytes and accesses no more than that, and no value contains a pointer that the kernel would follow. Other options (socket filters, netfilter
/// tables, lists of multicast sources) are refused: their lengths count something else, or their values contain pointers.
const OPTIONS: &[(i32, &[(i32, usize)])] = &[
    (
        libc::SOL_SOCKET,
        &[
            (libc::SO_DEBUG, INT),
            (libc::SO_REUSEADDR, INT),
            (libc::SO_TYPE, INT),
            (libc::SO_ERROR, INT),
            (libc::SO_DONTROUTE, INT),
            (libc::SO_BROADCAST, INT),
            (libc::SO_SNDBUF, INT),
            (libc::SO_RCVBUF, INT),
            (libc::SO_KEEPALIVE, INT),
            (libc::SO_OOBINLINE, INT),
            (libc::SO_PRIORITY, INT),
            (libc::SO_LINGER, size_of::<libc::linger>()),
            (libc::SO_REUSEPORT, INT),
            (libc::SO_PASSCRED, INT),
            (libc::SO_PEERCRED, size_of::<libc::ucred>()),
            (libc::SO_RCVLOWAT, INT),
            (libc::SO_SNDLOWAT, INT),
            (libc::SO_RCVTIMEO, size_of::<libc::timeval>()),
            (libc::SO_SNDTIMEO, size_of::<libc::timeval>()),
            (libc::SO_BINDTODEVICE, libc::IFNAMSIZ),
            (libc::SO_TIMESTAMP, INT),
            (libc::SO_TIMESTAMPNS, INT),
            (libc::SO_ACCEPTCONN, INT),
            (libc::SO_MARK, INT),
            (libc::SO_PROTOCOL, INT),
            (libc::SO_DOMAIN, INT),
            (libc::SO_PEEK_OFF, INT),
        ],
    ),
    (
        libc::IPPROTO_TCP,
        &[
            (libc::TCP_NODELAY, INT),
            (libc::TCP_MAXSEG, INT),
            (libc::TCP_CORK, INT),
            (libc::TCP_KEEPIDLE, INT),
            (libc::TCP_KEEPINTVL, INT),
            (libc::TCP_KEEPCNT, INT),
            (libc::TCP_SYNCNT, INT),
            (libc::TCP_LINGER2, INT),
            (libc::TCP_DEFER_ACCEPT, INT),
            (libc::TCP_WINDOW_CLAMP, INT),
            (libc::TCP_INFO, TCP_INFO),
            (libc::TCP_QUICKACK, INT),
            (libc::TCP_CONGESTION, 16),
            (libc::TCP_USER_TIMEOUT, INT),
            (libc::TCP_FASTOPEN, INT),
        ],
    ),
    (libc::IPPROTO_UDP, &[(libc::UDP_CORK, INT)]),
    (
        libc::IPPROTO_IP,
        &[
            (libc::IP_TOS, INT),
            (libc::IP_TTL, INT),
            (libc::IP_RECVTOS, INT),
            (libc::IP_RECVTTL, INT),
            (libc::IP_PKTINFO, INT),
            (libc::IP_MTU_DISCOVER, INT),
            (libc::IP_MTU, INT),
            (libc::IP_FREEBIND, INT),
            (libc::IP_MULTICAST_IF, size_of::<libc::ip_mreqn>()),
            (libc::IP_MULTICAST_TTL, INT),
            (libc::IP_MULTICAST_LOOP, INT),
            (libc::IP_ADD_MEMBERSHIP, size_of::<libc::ip_mreqn>()),
            (libc::IP_DROP_MEMBERSHIP, size_of::<libc::ip_mreqn>()),
        ],
    ),
    (
        libc::IPPROTO_IPV6,
        &[
            (libc::IPV6_UNICAST_HOPS, INT),
            (libc::IPV6_MULTICAST_IF, INT),
            (libc::IPV6_MULTICAST_HOPS, INT),
            (libc::IPV6_MULTICAST_LOOP, INT),
            (libc::IPV6_ADD_MEMBERSHIP, size_of::<libc::ipv6_mreq>()),
            (libc::IPV6_DROP_MEMBERSHIP, size_of::<libc::ipv6_mreq>()),
            (libc::IPV6_MTU, INT),
            (libc::IPV6_V6ONLY, INT),
            (libc::IPV6_RECVPKTINFO, INT),
            (libc::IPV6_RECVHOPLIMIT, INT),
            (libc::IPV6_RECVTCLASS, INT),
            (libc::IPV6_TCLASS, INT),
        ],
    ),
];
const INT: usize = size_of::<libc::c_int>();
/// More than the size of the kernel's `tcp_info`; the kernel writes as much as fits.
const TCP_INFO: usize = 512;

/// The maximum length of an option's value; `ENOPROTOOPT` for options that are not known to be safe.
pub(crate) fn option_size(level: i32, name: i32) -> io::Result<usize> {
    let names = OPTIONS.iter().find(|known| known.0 == level).map_or(&[][..], |known| known.1);
    let size = names.iter().find(|known| known.0 == name).map(|known| known.1);
    size.ok_or_else(|| io::Error::from_raw_os_error(libc::ENOPROTOOPT))
}

/// getsockopt(2). `ENOPROTOOPT` as in [`option_size`].
pub(crate) fn option(fd: BorrowedFd<'_>, level: i32, name: i32) -> io::Result<Vec<u8>> {
    let mut value = vec![0u8; option_size(level, name)?];
    let mut length = value.len() as libc::socklen_t;
    // SAFETY: `value` has `length` bytes, and for the options in the table the kernel writes at most `length` bytes (which does not hold for all
    // options: SO_GET_FILTER treats the length as a number of instructions).
    checked(unsafe { libc::getsockopt(fd.as_raw_fd(), level, name, value.as_mut_ptr().cast(), &raw mut length) })?;
    value.truncate(length as usize);
    Ok(value)
}

/// setsockopt(2). `ENOPROTOOPT` as in [`option_size`], `EINVAL` for a value that is too long.
pub(crate) fn set_option(fd: BorrowedFd<'_>, level: i32, name: i32, value: &[u8]) -> io::Result<()> {
    if value.len() > option_size(level, name)? {
        return Err(io::Error::from_raw_os_error(libc::EINVAL));
    }
    let length = value.len() as libc::socklen_t;
    // SAFETY: the pointer and length are those of a live slice; the values of the table's options contain no pointers, so the kernel reads nothing
    // but the slice.
    checked(unsafe { libc::setsockopt(fd.as_raw_fd(), level, name, value.as_ptr().cast(), length) }).map(drop)
}

/// shutdown(2)
pub(crate) fn shutdown(fd: BorrowedFd<'_>, how: i32) -> io::Result<()> {
    // SAFETY: takes integers.
    checked(unsafe { libc::shutdown(fd.as_raw_fd(), how) }).map(drop)
}
