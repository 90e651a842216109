//! RealHost on a temporary directory.
//! What is expected of children was recorded from MRI's Process and backticks.

use rchef_host::processes::run;
use rchef_host::{
    CommandEvent, CommandSpec, FileKind, Files, Flow, LockKind, OpenFlags, ProcessGroup, Processes, Queries, RealHost,
    SetTime, Stdio, Time, Users, WaitTarget, compose,
};
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

pub(crate) fn temp() -> (tempfile::TempDir, Vec<u8>) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().canonicalize().unwrap().as_os_str().as_bytes().to_vec();
    (dir, path)
}

pub(crate) fn at(dir: &[u8], name: &str) -> Vec<u8> {
    rchef_host::files::join(dir, name.as_bytes())
}

#[test]
fn files_and_virtual_cwd() {
    let _same_umask = crate::UMASK.read().unwrap();
    let (_keep, dir) = temp();
    let host = RealHost::new();
    let before = std::env::current_dir().unwrap();
    host.chdir(&dir).unwrap();
    assert_eq!(host.getcwd().unwrap(), dir);
    assert_eq!(std::env::current_dir().unwrap(), before);
    compose::write_file(&host, b"a", b"hello", 0o640).unwrap();
    assert_eq!(compose::read_file(&host, b"a").unwrap(), b"hello");
    assert_eq!(host.stat(b"a").unwrap().perm(), 0o640);
    host.symlink(b"a", b"l").unwrap();
    host.mkdir(b"d", 0o755).unwrap();
    let names: Vec<_> = host.readdir(b".").unwrap().into_iter().map(|e| (e.name, e.kind)).collect();
    assert_eq!(
        names,
        [(b"a".to_vec(), FileKind::File), (b"d".to_vec(), FileKind::Directory), (b"l".to_vec(), FileKind::Symlink)]
    );
    let time = SetTime::At(Time { secs: 5, nanos: 7 });
    host.set_times(b"a", SetTime::Omit, time, true).unwrap();
    assert_eq!(host.stat(b"l").unwrap().mtime, Time { secs: 5, nanos: 7 });
    let error = host.open(b"none", OpenFlags::RDONLY, 0).err().unwrap();
    assert_eq!((error.name(), error.path.as_deref()), (Some("ENOENT"), Some(b"none".as_slice())));
    assert_eq!(host.chdir(b"a").unwrap_err().name(), Some("ENOTDIR"));
    assert_eq!(host.chdir(b"").unwrap_err().name(), Some("ENOENT"));
    let output = run(&host, &CommandSpec::shell("pwd").captured()).unwrap();
    assert_eq!(output.stdout.trim_ascii_end(), dir);
}

#[test]
fn composites() {
    let (_keep, dir) = temp();
    let host = RealHost::new();
    let made = compose::create_dir_all(&host, &at(&dir, "x/y/z"), 0o755).unwrap();
    assert_eq!(made, [at(&dir, "x"), at(&dir, "x/y"), at(&dir, "x/y/z")]);
    assert!(compose::create_dir_all(&host, &at(&dir, "x/y/z"), 0o755).unwrap().is_empty());
    let file = at(&dir, "x/f");
    compose::atomic_write(&host, &file, b"one", compose::Finish::default()).unwrap();
    host.chmod(&file, 0o604).unwrap();
    compose::atomic_write(&host, &file, b"two", compose::Finish { sync: true, ..Default::default() }).unwrap();
    assert_eq!(compose::read_file(&host, &file).unwrap(), b"two");
    assert_eq!(host.stat(&file).unwrap().perm(), 0o604);
    assert_eq!(host.readdir(&at(&dir, "x")).unwrap().len(), 2);
    let outside = at(&dir, "outside");
    compose::write_file(&host, &outside, b"", 0o644).unwrap();
    host.symlink(&dir, &at(&dir, "x/y/up")).unwrap();
    compose::remove_dir_all(&host, &at(&dir, "x")).unwrap();
    assert!(compose::exists(&host, &outside) && !compose::exists(&host, &at(&dir, "x")));
    assert_eq!(compose::copy(&host, &outside, &outside).unwrap_err().name(), Some("EINVAL"));
}

#[test]
fn commands() {
    let host = RealHost::new();
    let mut spec = CommandSpec::argv(["cat"]).captured();
    // More than both pipes hold.
    spec.input = Some(vec![b'x'; 1 << 20]);
    assert_eq!(run(&host, &spec).unwrap().stdout.len(), 1 << 20);

    let output = run(&host, &CommandSpec::shell("echo out; echo err >&2; exit 3").captured()).unwrap();
    assert_eq!((output.stdout.as_slice(), output.stderr.as_slice()), (&b"out\n"[..], &b"err\n"[..]));
    assert_eq!(output.status.code(), Some(3));

    let output = run(&host, &CommandSpec::shell("kill -9 $$").captured()).unwrap();
    assert_eq!(output.status.signal(), Some(9));

    let error = run(&host, &CommandSpec::shell("no-such-program-here")).unwrap_err();
    assert_eq!(error.to_string(), "No such file or directory - no-such-program-here");
    let mut spec = CommandSpec::shell("true").captured();
    spec.cwd = Some(b"/no/such/dir".to_vec());
    assert_eq!(run(&host, &spec).unwrap_err().to_string(), "No such file or directory - /no/such/dir");

    host.set_env(b"RCHEF_A", b"1").unwrap();
    let spec = CommandSpec::shell("echo $RCHEF_A$RCHEF_B; umask").captured().with_env("RCHEF_B", "2");
    let spec = CommandSpec { umask: Some(0o27), ..spec };
    assert_eq!(run(&host, &spec).unwrap().stdout, b"12\n0027\n");
    assert!(std::env::var_os("RCHEF_A").is_none());
    assert_eq!(host.set_env(b"a=b", b"").unwrap_err().name(), Some("EINVAL"));

    let mut spec = CommandSpec::shell("echo a; echo b >&2").captured();
    spec.stderr = Stdio::Other;
    assert_eq!(run(&host, &spec).unwrap().stdout, b"a\nb\n");
    let mut spec = CommandSpec::shell("read x <&5; echo $x").captured();
    let (read, write) = host.pipe().unwrap();
    compose::write_all(&*write, b"five\n").unwrap();
    spec.extra_fds.push((5, read.into()));
    assert_eq!(run(&host, &spec).unwrap().stdout, b"five\n");
    spec.group = ProcessGroup::Session;
    spec.program = rchef_host::Program::Shell(b"ps -o sid= -p $$ | tr -d ' '; echo $$".to_vec());
    let output = run(&host, &spec).unwrap().stdout;
    let lines: Vec<_> = output.split(|&b| b == b'\n').collect();
    assert_eq!(lines[0], lines[1]);
}

#[test]
fn deadlines() {
    let host = RealHost::new();
    let mut spec = CommandSpec::shell("trap '' TERM; echo hi; while :; do sleep 0.05; done").captured();
    spec.timeout = Some(Duration::from_millis(150));
    spec.kill_grace = Duration::from_millis(100);
    let output = run(&host, &spec).unwrap();
    assert!(output.timed_out);
    assert_eq!((output.stdout.as_slice(), output.status.signal()), (&b"hi\n"[..], Some(9)));

    // A grandchild keeps the pipe: Mixlib::ShellOut does not wait for it.
    let mut spec = CommandSpec::shell("echo hi; sleep 5 & exit 0").captured();
    spec.until_exit = true;
    let start = std::time::Instant::now();
    assert_eq!(run(&host, &spec).unwrap().stdout, b"hi\n");
    assert!(start.elapsed() < Duration::from_secs(3));

    let mut events = 0;
    let spec = CommandSpec::shell("echo a; sleep 5").captured();
    let output = host
        .run(&spec, &mut |event| {
            events += 1;
            if matches!(event, CommandEvent::Stdout(_)) { Flow::Kill } else { Flow::Continue }
        })
        .unwrap();
    assert!(output.killed && !output.timed_out && events >= 2);

    let child = host.spawn(&CommandSpec::shell("sleep 0.1")).unwrap();
    assert_eq!(host.wait(WaitTarget::Pid(child.pid), Some(Duration::ZERO)).unwrap(), None);
    let status = host.wait(WaitTarget::Pid(child.pid), Some(Duration::from_secs(5))).unwrap().unwrap();
    assert!(status.success());

    let (read, _write) = host.pipe().unwrap();
    let error = read.read(&mut [0; 4], Some(Duration::from_millis(10))).unwrap_err();
    assert_eq!(error.name(), Some("EAGAIN"));
}

#[test]
fn accounts_and_locks_and_queries() {
    let host = RealHost::new();
    let root = host.user_by_name(b"root").unwrap().unwrap();
    assert_eq!((root.uid, host.user_by_id(0).unwrap().unwrap().name), (0, b"root".to_vec()));
    assert_eq!(host.user_by_name(b"no-such-user-here").unwrap(), None);
    assert_eq!(host.group_by_id(0).unwrap().unwrap().name, b"root");
    assert!(!host.users().unwrap().is_empty());

    let (_keep, dir) = temp();
    let file = at(&dir, "lock");
    compose::write_file(&host, &file, b"", 0o600).unwrap();
    let first = host.open(&file, OpenFlags::RDWR, 0).unwrap();
    let second = host.open(&file, OpenFlags::RDWR, 0).unwrap();
    assert!(first.flock(LockKind::Exclusive, false).unwrap());
    assert!(!second.flock(LockKind::Exclusive, false).unwrap());
    first.flock(LockKind::Unlock, true).unwrap();
    assert!(second.flock(LockKind::Shared, false).unwrap());

    assert!(host.mounts().unwrap().iter().any(|mount| mount.point == b"/"));
    let _ = host.package("dpkg").unwrap();
}

/// The kernel takes the length of SO_GET_FILTER as a number of instructions of eight bytes and writes beyond a buffer of so many bytes; the value of
/// SO_ATTACH_FILTER holds a pointer. Neither must reach it.
#[test]
fn options_of_sockets_are_those_that_are_known() {
    use rchef_host::Network;
    let host = RealHost::new();
    let handle = host.socket(2, 2, 0).unwrap();
    let socket = handle.as_socket().unwrap();
    const SO_GET_FILTER: i32 = 26;
    let filter: Vec<u8> = [1u16, 0, 0, 0].iter().flat_map(|word| word.to_ne_bytes()).chain([0x41; 8]).collect();
    for (level, name) in [(1, SO_GET_FILTER), (1, 51), (0, 41), (0, 64), (41, 48), (255, 1), (1, -1)] {
        assert_eq!(socket.option(level, name).unwrap_err().name(), Some("ENOPROTOOPT"), "{level} {name}");
        assert_eq!(socket.set_option(level, name, &filter).unwrap_err().name(), Some("ENOPROTOOPT"), "{level} {name}");
    }
    const SO_REUSEADDR: i32 = 2;
    socket.set_option(1, SO_REUSEADDR, &1i32.to_ne_bytes()).unwrap();
    assert_eq!(socket.option(1, SO_REUSEADDR).unwrap(), 1i32.to_ne_bytes());
    assert_eq!(socket.set_option(1, SO_REUSEADDR, &[0; 64]).unwrap_err().name(), Some("EINVAL"));
}
