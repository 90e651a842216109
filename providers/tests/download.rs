//! A download of two hundred megabytes takes no more memory than a small one, whether the file is new or replaces another.

#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)] // a failure is the test's; the test's own server and files

use rchef_change::file::digest_file;
use rchef_host::RealHost;
use rchef_recipe::compile::{Input, compile};
use rchef_recipe::provider::runner;
use rchef_recipe::run::{ActionMode, converge_mut};
use rchef_ruby::embed::vm::on_large_stack;
use rchef_ruby::{Value, Vm};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::rc::Rc;

const SIZE: usize = 200_000_000;
const PART: usize = 50_000;

/// Serves `/LETTER`: so many bytes of that letter.
fn server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let Some(Ok(first)) = lines.next() else { continue };
            let rest = lines.map_while(Result::ok).take_while(|line| !line.is_empty());
            rest.for_each(drop);
            let letter = first.split(' ').nth(1).unwrap().as_bytes()[1];
            let part = [letter; PART];
            write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {SIZE}\r\nConnection: close\r\n\r\n").unwrap();
            for _ in 0..SIZE / PART {
                stream.write_all(&part).unwrap();
            }
        }
    });
    address
}

/// The most memory that this process has used so far, in kilobytes.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

fn converge(folder: &Path, source: &str) {
    let book = folder.join("repo/t/recipes");
    std::fs::create_dir_all(&book).unwrap();
    std::fs::write(folder.join("repo/t/metadata.rb"), "name 't'\nversion '1.0.0'\n").unwrap();
    let target = folder.join("large");
    let recipe = format!("remote_file {target:?} do\n  source {source:?}\n  mode '0640'\nend\n");
    std::fs::write(book.join("default.rb"), recipe).unwrap();
    let input = Input {
        cookbook_paths: vec![folder.join("repo").to_string_lossy().into_owned()],
        run_list: "recipe[t]".into(),
        node_name: "n".into(),
        ohai: br#"{"platform": "debian", "platform_version": "12", "platform_family": "debian", "os": "linux"}"#
            .to_vec(),
        ..Input::default()
    };
    let folder = folder.to_string_lossy().into_owned();
    let failure = on_large_stack(1 << 27, || {
        let mut vm = Vm::new(Rc::new(RealHost::new())).unwrap();
        rchef_stdlib::register(&mut vm);
        let result = rchef_providers::boot(&mut vm).and_then(|()| compile(&mut vm, &input)).and_then(|()| {
            converge_mut(&mut vm).mode = ActionMode::Converge;
            let config = rchef_recipe::chef_class::config(&mut vm)?;
            for (key, path) in [("file_backup_path", "backup"), ("file_cache_path", "cache")] {
                vm.call_name(&config, "[]=", &[Value::sym(key), Value::str(format!("{folder}/{path}"))])?;
            }
            runner::converge_run(&mut vm)
        });
        result.err().map(|error| {
            let exception = vm.error_value(error);
            vm.full_message(&exception, false, false)
        })
    });
    assert_eq!(failure.unwrap(), None);
}

#[test]
fn memory_stays_flat() {
    let folder = tempfile::tempdir().unwrap();
    let (address, host) = (server(), RealHost::new());
    let target = folder.path().join("large");
    let before = peak();
    let mut sums = Vec::new();
    for letter in ["a", "b"] {
        converge(folder.path(), &format!("http://{address}/{letter}"));
        let content = target.to_string_lossy().into_owned();
        assert_eq!(target.metadata().unwrap().len(), SIZE as u64);
        sums.push(digest_file(&host, content.as_bytes()).unwrap());
    }
    let used = (peak() - before) / 1000;
    assert!(used < 60, "{used} MB more than before");
    assert_ne!(sums[0], sums[1]);
    // what was replaced is kept, and no download is left
    let backup = folder.path().join("backup").join(folder.path().strip_prefix("/").unwrap());
    let kept: Vec<_> = std::fs::read_dir(backup).unwrap().map(|entry| entry.unwrap().path()).collect();
    let kept = kept.iter().map(|path| digest_file(&host, path.to_string_lossy().as_bytes()).unwrap());
    assert_eq!(kept.collect::<Vec<_>>(), [sums[0].clone()]);
    let cache = std::fs::read_dir(folder.path().join("cache/remote_file")).unwrap();
    let mut left = cache.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    assert!(!left.any(|name| name.contains(".download")));
}
