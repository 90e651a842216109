//! Libraries of which MRI has no recording: `libraries/NAME.rb` run in an empty folder, its output beside it in `NAME.out`; and TLS against servers
//! of this test's own, whose certificates our own OpenSSL makes (`libraries/tls`). `RCHEF_RECORD=1` writes what it gets.
//! Public gems are tried where checkouts are given: see `libraries/checkouts.rs`.
#![allow(clippy::disallowed_methods)] // a test drives the machine itself

use libtest_mimic::{Arguments, Failed, Trial};
use openssl::ssl::{Ssl, SslContext, SslFiletype, SslMethod, SslStream, SslVerifyMode};
use rchef_spec::{binary::binary, report::difference};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "../libraries/checkouts.rs"]
mod checkouts;

fn main() {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("libraries");
    let built = if arguments.list { Ok(PathBuf::new()) } else { binary() };
    let binary = match built {
        Ok(binary) => binary,
        Err(text) => {
            let trial = Trial::test("rchef is built", move || Err(text.into()));
            libtest_mimic::run(&arguments, vec![trial]).exit()
        }
    };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rb"));
    files.sort();
    let mut trials = Vec::new();
    for file in files {
        let (binary, name) = (binary.clone(), file.file_stem().unwrap_or_default().to_string_lossy().into_owned());
        trials.push(Trial::test(name, move || {
            let scratch = tempfile::tempdir()?;
            compare(&file, &run(&binary, scratch.path(), &file, &[])?)
        }));
    }
    let (named, tls_folder) = (binary.clone(), folder.join("tls"));
    trials.push(Trial::test("tls", move || tls(&named, &tls_folder)));
    let given = |name: &str| std::env::var_os(name).map(PathBuf::from);
    if let Some(checkouts) = given("GEM_CHECKOUTS") {
        trials.extend(checkouts::trials(&binary, &checkouts, given("COOKBOOK_CHECKOUTS").as_deref()));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn run(binary: &Path, folder: &Path, file: &Path, arguments: &[String]) -> Result<String, Failed> {
    let output = Command::new(binary)
        .arg("ruby")
        .arg(file)
        .args(arguments)
        .current_dir(folder)
        .env("LC_ALL", "C.UTF-8")
        .env("TZ", "UTC")
        .env_remove("http_proxy")
        .env_remove("https_proxy")
        .env_remove("SSL_CERT_FILE")
        .env_remove("SSL_CERT_DIR")
        .env_remove("GEM_PATH")
        .env_remove("GEM_HOME")
        .output()?;
    Ok(format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)))
}

fn compare(file: &Path, got: &str) -> Result<(), Failed> {
    let recorded = file.with_extension("out");
    if std::env::var_os("RCHEF_RECORD").is_some() {
        std::fs::write(&recorded, got)?;
    }
    let expected = std::fs::read_to_string(&recorded)?;
    if got == expected { Ok(()) } else { Err(difference(&expected, got).into()) }
}

/// A server that answers every request with the same page, for as long as the test runs; its port. With an authority, it asks for certificates of
/// that.
fn serve(folder: &Path, certificates: &str, key: &str, authority: Option<&str>) -> Result<u16, Failed> {
    let mut context = SslContext::builder(SslMethod::tls_server())?;
    context.set_certificate_chain_file(folder.join(certificates))?;
    context.set_private_key_file(folder.join(key), SslFiletype::PEM)?;
    if let Some(authority) = authority {
        context.set_ca_file(folder.join(authority))?;
        context.set_verify(SslVerifyMode::PEER | SslVerifyMode::FAIL_IF_NO_PEER_CERT);
    }
    let context = context.build();
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    std::thread::spawn(move || {
        for socket in listener.incoming().flatten() {
            let Ok(mut stream) = Ssl::new(&context).and_then(|ssl| SslStream::new(ssl, socket)) else { return };
            // a client that refuses the certificate hangs up: the next one is served all the same
            if stream.accept().is_err() {
                continue;
            }
            let mut stream = BufReader::new(stream);
            let mut line = String::new();
            while stream.read_line(&mut line).is_ok_and(|count| count > 2) {
                line.clear();
            }
            let page = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello";
            let _ = stream.get_mut().write_all(page.as_bytes());
            let _ = stream.get_mut().shutdown();
        }
    });
    Ok(port)
}

fn tls(binary: &Path, folder: &Path) -> Result<(), Failed> {
    let scratch = tempfile::tempdir()?;
    let made = run(binary, scratch.path(), &folder.join("make.rb"), &[scratch.path().display().to_string()])?;
    if !made.is_empty() {
        return Err(made.into());
    }
    let trusted = serve(scratch.path(), "server.pem", "key.pem", None)?;
    let own = serve(scratch.path(), "own.pem", "key.pem", None)?;
    let expired = serve(scratch.path(), "expired.pem", "key.pem", None)?;
    let asking = serve(scratch.path(), "server.pem", "key.pem", Some("ca.pem"))?;
    let client = folder.join("client.rb");
    let ports = [trusted, own, expired, asking].map(|port| port.to_string());
    compare(&client, &run(binary, scratch.path(), &client, &ports)?)
}
