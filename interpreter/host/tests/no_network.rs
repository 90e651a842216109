//! Sockets of an overlay without a network. A process of its own: the test counts what the process has open.

use rchef_host::overlay::{Identity, skeleton};
use rchef_host::{Address, Network, OverlayHost, OverlayOptions, RealHost};
use std::rc::Rc;

#[test]
fn sockets_of_an_empty_root_reach_nothing() {
    let root = Identity { uid: 0, gid: 0, groups: vec![] };
    let options = OverlayOptions { cwd: Some(b"/".to_vec()), identity: Some(root), ..Default::default() };
    let host = OverlayHost::empty(Rc::new(RealHost::new()), &skeleton::linux(), options).unwrap();
    let is_socket = |entry: &std::fs::DirEntry| {
        std::fs::read_link(entry.path()).is_ok_and(|target| target.to_string_lossy().starts_with("socket:"))
    };
    let sockets = std::fs::read_dir("/proc/self/fd").unwrap().flatten().filter(is_socket).count();
    let socket = host.socket(2, 1, 0).unwrap();
    let port = Address::Internet("127.0.0.1:1".parse().unwrap()).bytes();
    let socket = socket.as_socket().unwrap();
    let refused = [
        host.connect(socket, &port),
        host.bind(socket, &port),
        host.listen(socket, 1),
        host.send_to(socket, b"x", 0, &port).map(drop),
    ];
    for result in refused {
        assert_eq!(result.unwrap_err().name(), Some("ENETUNREACH"));
    }
    // nothing was opened, so nothing can be asked of the kernel through it
    assert_eq!(std::fs::read_dir("/proc/self/fd").unwrap().flatten().filter(is_socket).count(), sockets);
    assert_eq!(socket.option(1, 26).unwrap_err().name(), Some("ENOPROTOOPT"));
    assert_eq!(socket.set_option(1, 26, &[0; 16]).unwrap_err().name(), Some("ENOPROTOOPT"));
    assert_eq!(socket.set_option(0, 35, &[239, 1, 2, 3, 0, 0, 0, 0]).unwrap_err().name(), Some("ENODEV"));
    socket.set_option(1, 2, &1i32.to_ne_bytes()).unwrap();
    assert_eq!(socket.option(1, 2).unwrap(), 1i32.to_ne_bytes());
    for kind in [3, 10] {
        assert_eq!(host.socket(2, kind, 1).err().unwrap().name(), Some("EPERM"));
    }
    // netlink and raw packets
    for family in [16, 17] {
        assert_eq!(host.socket(family, 3, 0).err().unwrap().name(), Some("EAFNOSUPPORT"));
        assert_eq!(host.socket_pair(family, 3, 0).err().unwrap().name(), Some("EAFNOSUPPORT"));
    }
    assert_eq!(host.socket_pair(1, 1, 0).err().unwrap().name(), Some("ENETUNREACH"));
}
