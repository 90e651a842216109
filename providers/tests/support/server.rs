//! Servers of HTTP and FTP in the test's process, with known content. They note what they were asked.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// Servers, and what they were asked since the last look.
pub struct Servers {
    /// `127.0.0.1:PORT` of HTTP.
    pub http: String,
    /// The same of FTP.
    pub ftp: String,
    noted: Arc<Mutex<Vec<String>>>,
}

impl Servers {
    pub fn start() -> Servers {
        let noted = Arc::new(Mutex::new(Vec::new()));
        let http = listen(&noted, serve_http);
        let ftp = listen(&noted, serve_ftp);
        Servers { http, ftp, noted }
    }
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.noted.lock().unwrap())
    }
}

fn listen(noted: &Arc<Mutex<Vec<String>>>, serve: fn(TcpStream, &Mutex<Vec<String>>)) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let noted = noted.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, noted) = (stream.unwrap(), noted.clone());
            std::thread::spawn(move || serve(stream, &noted));
        }
    });
    address
}

/// Headers that a test looks at.
const NOTED: &[&str] = &["if-none-match", "if-modified-since", "range", "if-range", "x-token", "content-type"];

struct Request {
    method: String,
    path: String,
    headers: BTreeMap<String, String>,
    body: String,
}

fn request(reader: &mut impl BufRead) -> Option<Request> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|size| *size > 0)?;
    let mut words = line.split(' ').map(str::to_string);
    let (method, path) = (words.next()?, words.next()?);
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.insert(name.to_lowercase(), value.trim().to_string());
    }
    let size = headers.get("content-length").and_then(|size| size.parse().ok()).unwrap_or(0);
    let mut body = vec![0; size];
    reader.read_exact(&mut body).ok()?;
    Some(Request { method, path, headers, body: String::from_utf8_lossy(&body).into_owned() })
}

fn serve_http(stream: TcpStream, noted: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let Some(asked) = request(&mut reader) else { return };
    let mut note = format!("{} {}", asked.method, asked.path);
    for name in NOTED {
        if let Some(value) = asked.headers.get(*name) {
            note.push_str(&format!(" {name}={value}"));
        }
    }
    if !asked.body.is_empty() {
        note.push_str(&format!(" body={}", asked.body));
    }
    let (head, body) = answer(&asked);
    let status = head.lines().next().unwrap_or_default();
    noted.lock().unwrap().push(format!("  = {note} -> {status}"));
    let length = if head.to_lowercase().contains("content-length:") || status.starts_with("304") {
        String::new()
    } else {
        format!("Content-Length: {}\r\n", body.len())
    };
    let head = head.replace('\n', "\r\n");
    let mut stream = stream;
    let _ = write!(stream, "HTTP/1.1 {head}\r\n{length}Connection: close\r\n\r\n");
    if asked.method != "HEAD" {
        let _ = stream.write_all(&body);
    }
}

/// Two thousand bytes in lines of ten.
pub fn long() -> String {
    (0..200).map(|number| format!("line {number:04}\n")).collect()
}

fn answer(asked: &Request) -> (String, Vec<u8>) {
    let header = |name: &str| asked.headers.get(name).map(String::as_str);
    let ok = |head: &str, body: &str| (format!("200 OK\n{head}").trim_end().to_string(), body.as_bytes().to_vec());
    match asked.path.as_str() {
        "/tagged" if header("if-none-match") == Some("\"v1\"") => ("304 Not Modified".into(), Vec::new()),
        "/tagged" => ok("ETag: \"v1\"", "tagged\n"),
        "/dated" if header("if-modified-since").is_some() => ("304 Not Modified".into(), Vec::new()),
        "/dated" => ok("Last-Modified: Sat, 01 Jan 2022 00:00:00 GMT", "dated\n"),
        "/plain" => ok("", "plain\n"),
        "/moved" => ("302 Found\nLocation: /plain".into(), Vec::new()),
        "/round" => ("302 Found\nLocation: /round".into(), Vec::new()),
        "/token" if header("x-token") == Some("secret") => ok("", "with token\n"),
        "/token" => ("403 Forbidden".into(), b"no\n".to_vec()),
        "/short" => ("200 OK\nContent-Length: 100".into(), b"short".to_vec()),
        "/broken" if header("if-none-match") == Some("\"long\"") => ("304 Not Modified".into(), Vec::new()),
        "/broken" => {
            match header("range").and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok()) {
                Some(from) if header("if-range") == Some("\"long\"") => {
                    let rest = long().into_bytes().split_off(from);
                    (format!("206 Partial Content\nETag: \"long\"\nContent-Range: bytes {from}-1999/2000"), rest)
                }
                _ => ("200 OK\nETag: \"long\"\nContent-Length: 2000".into(), long().into_bytes()[..700].to_vec()),
            }
        }
        "/packed.gz" => ok("Content-Encoding: gzip", "not really packed\n"),
        "/sink" => ok("", "thanks\n"),
        "/unchanged" => ("304 Not Modified".into(), Vec::new()),
        "/error" => ("500 Internal Server Error".into(), b"broken\n".to_vec()),
        path if path.starts_with("/info/") => match offers(&path["/info/".len()..]) {
            Some(lines) => ok("", lines),
            None => ("404 Not Found".into(), Vec::new()),
        },
        path if path.starts_with("/gems/") || path.starts_with("/classic/") => {
            // a source with the classic index only, of the same gems
            let path = path.strip_prefix("/classic").filter(|rest| rest.starts_with("/gems/")).unwrap_or(path);
            let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/converge/files").join(&path[1..]);
            match std::fs::read(file) {
                Ok(content) => ("200 OK".into(), content),
                Err(_) => ("404 Not Found".into(), Vec::new()),
            }
        }
        _ => ("404 Not Found".into(), b"nothing here\n".to_vec()),
    }
}

/// What the index of gems says of a name.
fn offers(name: &str) -> Option<&'static str> {
    Some(match name {
        "rcheftest" => {
            "---\n1.0.0 rchefdep:~> 1.0|checksum:402a6713bc8f51ae616c9179cf824830df7939fa6124b248e7e35682b0738bec\n\
             1.1.0 rchefdep:~> 1.0|checksum:2e21cfc7c96b80bbcc9e2fefbf8f65a794e6491aeab2b0e2fb373babf31ecd76,ruby:>= 2.5\n\
             1.2.0.rc1 |checksum:00\n1.3.0 |checksum:00,ruby:>= 99\n1.4.0-java |checksum:00\n"
        }
        "rchefdep" => "---\n1.0.0 |checksum:8baba87067641c855b2a6fb5a382f46b245ef0c203771fd381b18cc09fee73c3\n",
        "rchefext" => "---\n1.0.0 |checksum:1dfbbf0362afe5e06b8c6bbc5591c71784ec9b3be776bcd338ddd80cffbdb542\n",
        "rcheflocal" => "---\n0.1.0 |checksum:0000\n",
        _ => return None,
    })
}

fn serve_ftp(stream: TcpStream, noted: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    let mut data: Option<TcpStream> = None;
    let mut waiting: Option<TcpListener> = None;
    let mut folder = String::new();
    let _ = write!(stream, "220 ready\r\n");
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).is_err() || line.is_empty() {
            return;
        }
        let line = line.trim_end();
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let reply = match verb {
            "USER" => "331 password".to_string(),
            "PASS" => "230 in".to_string(),
            "TYPE" => "200 type".to_string(),
            "CWD" => {
                folder = format!("{folder}/{rest}");
                "250 there".to_string()
            }
            "PASV" => {
                let listener = TcpListener::bind("127.0.0.1:0").unwrap();
                let port = listener.local_addr().unwrap().port();
                waiting = Some(listener);
                format!("227 Entering Passive Mode (127,0,0,1,{},{})", port / 256, port % 256)
            }
            "PORT" => {
                let numbers: Vec<u16> = rest.split(',').map(|number| number.parse().unwrap()).collect();
                data = Some(TcpStream::connect(("127.0.0.1", numbers[4] * 256 + numbers[5])).unwrap());
                "200 port".to_string()
            }
            "RETR" => {
                let mode = if waiting.is_some() { "passive" } else { "active" };
                noted.lock().unwrap().push(format!("  = RETR {folder}/{rest} ({mode})"));
                if rest == "missing" {
                    "550 no such file".to_string()
                } else {
                    let _ = write!(stream, "150 coming\r\n");
                    let mut to = waiting.take().map(|listener| listener.accept().unwrap().0).or(data.take()).unwrap();
                    let _ = to.write_all(b"by ftp\n");
                    drop(to);
                    "226 done".to_string()
                }
            }
            _ => "502 what".to_string(),
        };
        let _ = write!(stream, "{reply}\r\n");
    }
}
