//! Lowers the files named as arguments (or listed on standard input) and says how fast; with `--dump`, prints their trees.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)] // a tool for us: it reads a file and prints

use rchef_syntax::{ParseKind, ParseRequest, parse};
use std::io::BufRead;

fn main() {
    let mut dump = false;
    let mut paths: Vec<String> = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--dump" => dump = true,
            "-" => paths.extend(std::io::stdin().lock().lines().map_while(Result::ok)),
            _ => paths.push(argument),
        }
    }
    let (mut bytes, mut failed) = (0usize, 0usize);
    let mut spent = std::time::Duration::ZERO;
    for path in &paths {
        let Ok(source) = std::fs::read(path) else { continue };
        let start = std::time::Instant::now();
        let result = parse(ParseRequest::file(&source, path, ParseKind::Main));
        spent += start.elapsed();
        bytes += source.len();
        match result {
            Ok(parsed) if dump => print!("{}", rchef_syntax::dump::dump(&parsed.code)),
            Ok(_) => {}
            Err(error) => {
                failed += 1;
                println!("{error}");
            }
        }
    }
    let rate = bytes as f64 / 1e6 / spent.as_secs_f64().max(1e-9);
    eprintln!("{} files, {failed} failed, {bytes} bytes, {rate:.1} MB/s", paths.len());
}
