//! Clients of clouds' metadata services: plain HTTP on the cloud's own network, one connection a request.

use crate::facts::OHAI_VERSION;
use rchef_host::network::Address;
use rchef_host::streams::PollItem;
use rchef_host::{FileHandle, Host};
use serde_json::Value as Json;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

/// The address of the metadata service in most clouds.
pub(super) const LINK_LOCAL: &str = "169.254.169.254";
/// Ohai's timeout for connecting.
const PATIENCE: Duration = Duration::from_secs(2);
/// Ohai's timeout for each read.
const SILENCE: Duration = Duration::from_secs(10);
/// The maximum size of an answer in bytes.
const LONGEST: usize = 16 << 20;
/// These constants have the values of Linux.
const INTERNET: i32 = 2;
const INTERNET6: i32 = 10;
const STREAM: i32 = 1;
const SOL_SOCKET: i32 = 1;
const SO_ERROR: i32 = 4;
const EINPROGRESS: i32 = 115;

/// A service that accepted a connection.
pub(super) struct Service<'a> {
    host: &'a dyn Host,
    name: &'static str,
    at: SocketAddr,
}

pub(super) struct Answer {
    pub status: u16,
    pub body: Vec<u8>,
}

impl Answer {
    /// The body, if the status is 200.
    pub(super) fn good(self) -> Option<Vec<u8>> {
        (self.status == 200).then_some(self.body)
    }
}

impl<'a> Service<'a> {
    /// The service of this name or address, if it accepts a connection.
    pub(super) fn reach(host: &'a dyn Host, name: &'static str) -> Option<Service<'a>> {
        let ip = match name.parse::<IpAddr>() {
            Ok(ip) => ip,
            Err(_) => *host.resolve(name).ok()?.first()?,
        };
        let service = Service { host, name, at: SocketAddr::new(ip, 80) };
        service.connect()?;
        Some(service)
    }

    fn connect(&self) -> Option<Box<dyn FileHandle>> {
        let family = if self.at.is_ipv4() { INTERNET } else { INTERNET6 };
        let handle = self.host.socket(family, STREAM, 0).ok()?;
        let address = Address::Internet(self.at).bytes();
        match self.host.connect(handle.as_socket()?, &address) {
            Ok(()) => return Some(handle),
            Err(error) if error.errno == EINPROGRESS => {}
            Err(_) => return None,
        }
        let waiting = PollItem { handle: &*handle, read: false, write: true };
        let ready = self.host.poll(&[waiting], Some(PATIENCE)).ok()?;
        let failed = handle.as_socket()?.option(SOL_SOCKET, SO_ERROR).ok()?;
        (!ready.is_empty() && failed.iter().all(|byte| *byte == 0)).then_some(handle)
    }

    pub(super) fn get(&self, path: &str, headers: &[(&str, &str)]) -> Option<Answer> {
        self.ask("GET", path, headers)
    }

    /// The JSON body of a GET request; None unless the status is 200.
    pub(super) fn json(&self, path: &str, headers: &[(&str, &str)]) -> Option<Json> {
        serde_json::from_slice(&self.get(path, headers)?.good()?).ok()
    }

    /// Sends a request without a body; None if there is no HTTP answer.
    pub(super) fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Option<Answer> {
        let handle = self.connect()?;
        let host = self.name.trim_end_matches('.');
        let mut request =
            format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: chef-ohai/{OHAI_VERSION}\r\n");
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        if method == "PUT" {
            request.push_str("Content-Length: 0\r\n");
        }
        request.push_str("Accept: */*\r\nConnection: close\r\n\r\n");
        let mut left = request.as_bytes();
        while !left.is_empty() {
            let sent = handle.write(left, Some(SILENCE)).ok().filter(|sent| *sent > 0)?;
            left = &left[sent..];
        }
        let mut received = Vec::new();
        let mut buffer = [0; 8192];
        while !is_whole(&received) {
            match handle.read(&mut buffer, Some(SILENCE)) {
                Ok(0) => break,
                Ok(size) => received.extend_from_slice(&buffer[..size]),
                Err(_) => return None,
            }
            if received.len() > LONGEST {
                return None;
            }
        }
        answer(&received)
    }
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

/// The status, the header lines and the offset of the body.
fn head(received: &[u8]) -> Option<(u16, Vec<(String, String)>, usize)> {
    let end = find(received, b"\r\n\r\n")?;
    let text = String::from_utf8_lossy(&received[..end]);
    let mut lines = text.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers = lines.filter_map(|line| line.split_once(':'));
    let headers = headers.map(|(name, value)| (name.trim().to_lowercase(), value.trim().to_string())).collect();
    Some((status, headers, end + 4))
}

fn header<'h>(headers: &'h [(String, String)], name: &str) -> Option<&'h str> {
    headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// Whether the bytes received are as many as Content-Length announces.
fn is_whole(received: &[u8]) -> bool {
    let Some((_, headers, start)) = head(received) else { return false };
    let length = header(&headers, "content-length").and_then(|length| length.parse::<usize>().ok());
    length.is_some_and(|length| received.len() >= start + length)
}

fn answer(received: &[u8]) -> Option<Answer> {
    let (status, headers, start) = head(received)?;
    let mut body = received[start..].to_vec();
    if header(&headers, "transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
        body = unchunked(&body)?;
    } else if let Some(length) = header(&headers, "content-length").and_then(|length| length.parse().ok()) {
        if body.len() < length {
            return None;
        }
        body.truncate(length);
    }
    Some(Answer { status, body })
}

fn unchunked(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line = find(rest, b"\r\n")?;
        let size = std::str::from_utf8(&rest[..line]).ok()?.split(';').next()?.trim();
        let size = usize::from_str_radix(size, 16).ok()?;
        rest = &rest[line + 2..];
        if size == 0 {
            return Some(body);
        }
        body.extend_from_slice(rest.get(..size)?);
        rest = rest.get(size.checked_add(2)?..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_taken_apart() {
        let body =
            |text: &str| answer(text.as_bytes()).map(|answer| (answer.status, String::from_utf8(answer.body).unwrap()));
        let good = |text: &str| Some((200, text.to_string()));
        assert_eq!(body("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabc"), good("ab"));
        assert_eq!(body("HTTP/1.0 200 OK\r\n\r\nto the end"), good("to the end"));
        assert_eq!(
            body("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1;x\r\nd\r\n0\r\n\r\n"),
            good("abcd")
        );
        assert_eq!(body("HTTP/1.1 404 Not Found\r\n\r\n"), Some((404, String::new())));
        assert_eq!(body("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), None);
        assert_eq!(body("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nabc"), None);
        assert_eq!(body("SSH-2.0-OpenSSH\r\n"), None);
        assert!(is_whole(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
        assert!(!is_whole(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab"));
    }
}
