//! [`Network`]: connections and names.

use crate::error::Result;
use crate::files::FileHandle;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

/// Connections and names. Transport protocols are built above.
pub trait Network {
    /// Connects to the first address of `host` that answers; `timeout` is for all attempts together.
    fn connect(&self, host: &str, port: u16, timeout: Option<Duration>) -> Result<Box<dyn Stream>>;
    /// Connects to a Unix socket.
    fn connect_unix(&self, path: &[u8]) -> Result<Box<dyn Stream>>;
    /// The addresses of a name, in the resolver's order; `EHOSTUNREACH` when it has none.
    fn resolve(&self, host: &str) -> Result<Vec<IpAddr>>;
    /// gethostname(2).
    fn hostname(&self) -> Result<Vec<u8>>;
}

/// A connected socket: `read`, `write` and their like come from [`FileHandle`].
pub trait Stream: FileHandle {
    /// shutdown(2).
    fn shutdown(&self, read: bool, write: bool) -> Result<()>;
    /// The other end, for TCP.
    fn peer(&self) -> Option<SocketAddr>;
    /// This end, for TCP.
    fn local(&self) -> Option<SocketAddr>;
    /// As a plain handle.
    fn into_handle(self: Box<Self>) -> Box<dyn FileHandle>;
}
