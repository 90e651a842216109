//! Simulated machines for the tests of facts.

use rchef_host::processes::Uname;
use rchef_host::{OverlayHost, OverlayOptions, RealHost, compose};
use std::net::SocketAddr;
use std::rc::Rc;

/// A machine with only these files and this host name.
pub(super) fn machine(files: &[(&str, &str)], name: &str) -> OverlayHost {
    connected(files, name, Vec::new())
}

/// [`machine`] that redirects connections to some addresses.
pub(super) fn connected(files: &[(&str, &str)], name: &str, routes: Vec<(SocketAddr, SocketAddr)>) -> OverlayHost {
    let uname = Uname {
        sysname: "Linux".into(),
        nodename: name.into(),
        release: "5.15.0".into(),
        version: "#1 SMP".into(),
        machine: "x86_64".into(),
    };
    let options = OverlayOptions { uname: Some(uname), routes, ..OverlayOptions::default() };
    let host = OverlayHost::empty(Rc::new(RealHost::new()), &[], options).unwrap();
    for (path, text) in files {
        let folder = rchef_host::files::dirname(path.as_bytes()).to_vec();
        compose::create_dir_all(&host, &folder, 0o755).unwrap();
        compose::write_file(&host, path.as_bytes(), text.as_bytes(), 0o644).unwrap();
    }
    host
}
