//! Fetches the sources of `remote_file`: over HTTP with `Chef::HTTP::Simple`, over FTP with `Net::FTP`, or from local files.
//!
//! The validators of a response (ETag, modification time) are kept in the file cache in Chef's format, so that the next run fetches the content
//! only if it has changed.

use super::staged::Staged;
use super::support::*;
use rchef_change::Remember;
use rchef_change::file::{Content, HELD, checksum};
use rchef_host::replace::Source;
use rchef_host::{FileHandle, HostError, compose};
use rchef_recipe::run::{chef_error, converge_mut};
use rchef_ruby::embed::method::Arity;
use rchef_ruby::{Args, Block, ClassId, Res, Symbol, Value, Vm, sym};
use serde_json::{Value as Json, json};

/// Maximum length of the part of a cache file's name that comes from the URL.
const NAME_LENGTH: usize = 64;

/// The result of fetching a source.
pub(crate) struct Fetched {
    /// None if the existing file already has the content.
    pub content: Option<Content>,
    /// The validators to keep for the next run.
    pub note: Option<Remember>,
    /// The temporary file that holds the content.
    pub staged: Option<Staged>,
}

impl Fetched {
    fn of(content: Content) -> Fetched {
        Fetched { content: Some(content), note: None, staged: None }
    }
    /// The content of a downloaded file. The file is deleted if the content fits into memory.
    fn staged(vm: &mut Vm, staged: Staged) -> Res<Fetched> {
        let host = vm.host.clone();
        let size = on(vm, |host| host.stat(&staged.path))?.size;
        let content = Content::of_file(&*host, &staged.path, size).map_err(|error| raised(vm, &error))?;
        if content.held().is_some() {
            return Ok(Fetched::of(content));
        }
        Ok(Fetched { staged: Some(staged), ..Fetched::of(content) })
    }
}

/// Fetches a source of a `remote_file`. `present` is the checksum of the existing file.
///
/// # Errors
/// The exceptions that Ruby's clients and `File` raise.
pub(crate) fn fetch(vm: &mut Vm, resource: &Value, source: &str, present: Option<&str>) -> Res<Fetched> {
    if source.starts_with("\\\\") {
        let text = format!(
            "Fetching the file on a network share is supported only on the Windows platform. Please change your source: {source}"
        );
        return Err(chef_error(vm, "UnsupportedPlatform", text));
    }
    let uri = vm.call_name(resource, "as_uri", &[Value::str(source)])?;
    match part(vm, &uri, "scheme")?.as_deref() {
        Some("http" | "https") => over_http(vm, resource, &uri, present),
        Some("ftp") => over_ftp(vm, resource, &uri),
        Some("file") => {
            let path = part(vm, &uri, "path")?.unwrap_or_default();
            let path = unescape(vm, &path)?;
            let host = vm.host.clone();
            // Chef opens the file at once, and its message says so
            let size = host
                .stat(path.as_bytes())
                .map_err(|error| {
                    let error = HostError { op: "open", ..error };
                    raised(vm, &error.into())
                })?
                .size;
            if size > HELD && converge_mut(vm).mode.applies() {
                // copied first, since the source may change between verification and writing
                let (staged, handle) = stage(vm)?;
                on(vm, |host| compose::pour(host, &*handle, Source::File(path.as_bytes())))?;
                return Fetched::staged(vm, staged);
            }
            let content = Content::of_file(&*host, path.as_bytes(), size).map_err(|error| raised(vm, &error))?;
            Ok(Fetched::of(content))
        }
        Some("sftp") => {
            let text = format!("rchef has no SFTP client, so {} cannot be fetched", without_password(source));
            Err(chef_error(vm, "InvalidRemoteFileURI", text))
        }
        _ => Err(vm.argument_error("Invalid uri, Only http(s), ftp, and file are currently supported")),
    }
}

/// A URL without its password, for messages.
pub(crate) fn without_password(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_string() };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let Some(at) = rest[..end].rfind('@') else { return address.to_string() };
    match rest[..at].split_once(':') {
        Some((user, _)) => format!("{scheme}://{user}:XXXX{}", &rest[at..]),
        None => address.to_string(),
    }
}

/// A component of a URI.
fn part(vm: &mut Vm, uri: &Value, name: &str) -> Res<Option<String>> {
    let value = vm.call_name(uri, name, &[])?;
    if value.is_nil() { Ok(None) } else { vm.to_s_text(&value).map(Some) }
}

fn unescape(vm: &mut Vm, text: &str) -> Res<String> {
    let module = loaded(vm, "cgi", "CGI")?;
    let value = vm.call_name(&module, "unescape", &[Value::str(text)])?;
    vm.to_s_text(&value)
}

/// A class of a library, which is loaded first.
fn loaded(vm: &mut Vm, library: &str, name: &str) -> Res {
    rchef_ruby::embed::load::require(vm, library)?;
    constant(vm, name)
}

fn over_http(vm: &mut Vm, resource: &Value, uri: &Value, present: Option<&str>) -> Res<Fetched> {
    let record = Record::of(vm, uri)?;
    let known = record.load(vm)?;
    let headers = headers(vm, resource, known.as_ref(), present)?;
    let http = client(vm, resource, uri)?;
    let (staged, io) = stage_download(vm)?;
    let result = download(vm, resource, &http, [uri.clone(), headers, io.clone()]);
    let closed = vm.call_name(&io, "close", &[]);
    if !result? {
        return Ok(Fetched { content: None, note: None, staged: None });
    }
    closed?;
    let mut fetched = Fetched::staged(vm, staged)?;
    if let Some(content) = &fetched.content {
        fetched.note = record.note(vm, &http, known.as_ref(), content.checksum())?;
    }
    Ok(fetched)
}

/// The headers of the request: the validators of the existing file, overridden by the resource's own headers.
fn headers(vm: &mut Vm, resource: &Value, known: Option<&Json>, present: Option<&str>) -> Res {
    let mut pairs = Vec::new();
    let valid = known.filter(|known| present.is_some() && known["checksum"].as_str() == present);
    for (property, key, header) in
        [("use_last_modified", "mtime", "if-modified-since"), ("use_etag", "etag", "if-none-match")]
    {
        if let Some(value) = valid.and_then(|known| known[key].as_str())
            && flag(vm, resource, property)?
        {
            pairs.push((Value::str(header), Value::str(value)));
        }
    }
    let made = vm.new_hash(pairs)?;
    let own = get(vm, resource, "headers")?;
    vm.call_name(&made, "merge", &[own])
}

/// A `Chef::HTTP::Simple` with the resource's options.
fn client(vm: &mut Vm, resource: &Value, uri: &Value) -> Res {
    let mut options = Vec::new();
    // a compressed file is not decompressed, even if the server declares its compression as a content encoding
    if vm.to_s_text(uri)?.ends_with("gz") {
        options.push((Value::sym("disable_gzip"), Value::True));
    }
    let mode = get(vm, resource, "ssl_verify_mode")?;
    if !mode.is_nil() {
        options.push((Value::sym("ssl_verify_mode"), mode));
    }
    let options = vm.new_hash(options)?;
    let own = get(vm, resource, "http_options")?;
    let options = vm.call_name(&options, "merge", &[own])?;
    let class = simple_client(vm)?;
    vm.call(&class, sym::NEW, &[uri.clone(), options])
}

/// The class `Chef::HTTP::Simple`.
pub(crate) fn simple_client(vm: &mut Vm) -> Res {
    rchef_ruby::embed::load::require(vm, "chef/http/simple")?;
    constant(vm, "Chef::HTTP::Simple")
}

/// A temporary file for the content, readable by its owner only.
fn stage(vm: &mut Vm) -> Res<(Staged, Box<dyn FileHandle>)> {
    let host = vm.host.clone();
    if !converge_mut(vm).mode.applies() {
        return on(vm, |_| Staged::elsewhere(&host, b"download", b""));
    }
    let cache = cache_directory(vm)?;
    on(vm, |_| {
        compose::create_dir_all(&*host, &cache, 0o755)?;
        Staged::inside(&host, &cache, b"download", b"")
    })
}

/// A temporary file to download into, and its Ruby File object.
fn stage_download(vm: &mut Vm) -> Res<(Staged, Value)> {
    let (staged, _) = stage(vm)?;
    let file = Value::Class(ClassId::FILE);
    let io = vm.call_name(&file, "open", &[Value::bytes(staged.path.clone()), Value::str("r+b")])?;
    Ok((staged, io))
}

/// The directory of cache records and downloads.
fn cache_directory(vm: &mut Vm) -> Res<Vec<u8>> {
    let cache = crate::coerce::config(vm, "file_cache_path")?;
    let mut path = bytes(vm, &cache)?;
    path.extend_from_slice(b"/remote_file");
    Ok(path)
}

/// Downloads; false if the server says that nothing has changed.
fn download(vm: &mut Vm, resource: &Value, http: &Value, args: [Value; 3]) -> Res<bool> {
    rchef_recipe::provider::simulation::asking(vm, |vm| request(vm, resource, http, args))
}

fn request(vm: &mut Vm, resource: &Value, http: &Value, args: [Value; 3]) -> Res<bool> {
    let everywhere = crate::coerce::config(vm, "show_download_progress")?.truthy();
    if !everywhere && !flag(vm, resource, "show_progress")? {
        return Ok(vm.call_name(http, "streaming_request", &args)?.truthy());
    }
    let step = match crate::coerce::config(vm, "download_progress_interval")? {
        Value::Int(step @ 1..) => step as u64,
        _ => 10,
    };
    let shown = resource.clone();
    let report = move |vm: &mut Vm, _: &Value, args: Args<'_>| {
        let current = vm.to_s_text(args.at(0))?.parse().unwrap_or(0);
        let total = vm.to_s_text(args.at(1))?.parse().ok();
        for sink in rchef_recipe::events::sinks(vm).clone() {
            sink.resource_update_progress(vm, &shown, current, total, step);
        }
        Ok(Value::Nil)
    };
    let block = vm.native_proc(Arity { min: 2, max: Some(2) }, false, report);
    let args = Args::new(&args).with_block(Some(Block::Proc(&block)));
    let name = Symbol::intern_static("streaming_request_with_progress");
    Ok(vm.call_args(http, name, args)?.truthy())
}

/// The cache record of a URL.
struct Record {
    path: Vec<u8>,
}

impl Record {
    /// The record of a URL; the password is left out of its name.
    fn of(vm: &mut Vm, uri: &Value) -> Res<Record> {
        let address = without_password(&vm.to_s_text(uri)?);
        let scrubbed: String =
            address.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(NAME_LENGTH).collect();
        let sum = checksum(address.as_bytes());
        let mut path = cache_directory(vm)?;
        path.extend_from_slice(format!("/{scrubbed}-{}.json", &sum[..32]).as_bytes());
        Ok(Record { path })
    }

    /// The record of an earlier run; None if it cannot be read.
    fn load(&self, vm: &mut Vm) -> Res<Option<Json>> {
        let text = vm.host.clone();
        Ok(compose::read_file(&*text, &self.path).ok().and_then(|text| serde_json::from_slice(&text).ok()))
    }

    /// The record of the last response; None if the response has neither an ETag nor a modification time and the content is the same.
    fn note(&self, vm: &mut Vm, http: &Value, known: Option<&Json>, sum: String) -> Res<Option<Remember>> {
        let response = vm.call_name(http, "last_response", &[])?;
        let mut header = |name: &str| -> Res<Json> {
            let value = vm.call(&response, sym::AREF, &[Value::str(name)])?;
            Ok(if value.is_nil() { Json::Null } else { vm.to_s_text(&value)?.into() })
        };
        let (etag, modified, date) = (header("etag")?, header("last-modified")?, header("date")?);
        let told = if modified.is_null() { &date } else { &modified };
        if let Some(known) = known
            && known["checksum"] == sum.as_str()
            && known["etag"] == etag
            && (modified.is_null() || known["mtime"] == modified)
        {
            return Ok(None);
        }
        let record = json!({ "etag": etag, "mtime": told, "checksum": sum });
        Ok(Some(Remember { path: self.path.clone(), content: record.to_string().into_bytes() }))
    }
}

/// As in RFC 1738: a CWD for each directory of the path, then RETR.
fn over_ftp(vm: &mut Vm, resource: &Value, uri: &Value) -> Res<Fetched> {
    let path = part(vm, uri, "path")?.unwrap_or_default();
    // URI has decoded the `%2F` at the start of an absolute path
    let path = path.strip_prefix('/').map_or(path.clone(), |rest| format!("%2F{rest}"));
    let mut folders: Vec<String> = path.split('/').map(decoded).collect();
    let name = folders.pop().unwrap_or_default();
    if name.is_empty() || name.ends_with('/') {
        return Err(vm.argument_error(format!("no filename: {path:?}")));
    }
    let kind = part(vm, uri, "typecode")?;
    if let Some(kind) = kind.as_deref().filter(|kind| !matches!(*kind, "a" | "i")) {
        return Err(vm.argument_error(format!("invalid typecode: {kind:?}")));
    }
    let ftp = loaded(vm, "net/ftp", "Net::FTP")?;
    let ftp = vm.call(&ftp, sym::NEW, &[])?;
    let (staged, io) = stage_download(vm)?;
    let result = (|| {
        let (host, port) = (vm.call_name(uri, "host", &[])?, vm.call_name(uri, "port", &[])?);
        let active = flag(vm, resource, "ftp_active_mode")?;
        vm.call_name(&ftp, "connect", &[host, port])?;
        vm.call_name(&ftp, "passive=", &[Value::bool(!active)])?;
        let (user, password) = (part(vm, uri, "user")?, part(vm, uri, "password")?);
        let user = unescape(vm, user.as_deref().unwrap_or("anonymous"))?;
        let password = match password {
            Some(password) => Value::str(unescape(vm, &password)?),
            None => Value::Nil,
        };
        vm.call_name(&ftp, "login", &[Value::str(user), password])?;
        for folder in &folders {
            vm.call_name(&ftp, "voidcmd", &[Value::str(format!("CWD {folder}"))])?;
        }
        if let Some(kind) = &kind {
            vm.call_name(&ftp, "voidcmd", &[Value::str(format!("TYPE {}", kind.to_uppercase()))])?;
        }
        vm.call_name(&ftp, "getbinaryfile", &[Value::str(&name), Value::bytes(staged.path.clone())])
    })();
    let closed = vm.call_name(&ftp, "close", &[]);
    result?;
    vm.call_name(&io, "close", &[])?;
    closed?;
    Fetched::staged(vm, staged)
}

/// A path component with its `%XX` decoded.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let hex = text.get(at + 1..at + 3).filter(|_| byte == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(hex.unwrap_or(byte));
        at += if hex.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        for (address, shown) in [
            ("http://u:p@h/x", "http://u:XXXX@h/x"),
            ("http://u@h/x", "http://u@h/x"),
            ("http://h/x?a=b:c@d", "http://h/x?a=b:c@d"),
            ("ftp://u:p@q@h", "ftp://u:XXXX@h"),
            ("file:///a", "file:///a"),
        ] {
            assert_eq!(without_password(address), shown);
        }
    }

    #[test]
    fn parts_of_paths_are_decoded() {
        assert_eq!(decoded("%2Fa%20b%zz%4"), "/a b%zz%4");
    }
}
