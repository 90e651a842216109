//! What only an overlay does: the record, the empty root, policies, assumptions; and FaultyHost.

use rchef_host::overlay::{Answer, ChangeKind, Identity, skeleton};
use rchef_host::processes::run;
use rchef_host::{
    Clock, CommandSpec, EffectKind, Fault, FaultyHost, Files, Host, Network, OpenFlags, OverlayHost, OverlayOptions,
    Policy, Processes, Queries, RealHost, SourceLocation, StandardStream, Stdio, Streams, User, Users, WaitTarget,
    compose, queries,
};
use std::cell::Cell;
use std::os::unix::ffi::OsStrExt;
use std::rc::Rc;
use std::time::Duration;

fn machine() -> Rc<dyn Host> {
    Rc::new(RealHost::new())
}

fn empty(options: OverlayOptions) -> OverlayHost {
    let root = Identity { uid: 0, gid: 0, groups: vec![] };
    let identity = options.identity.clone().or(Some(root));
    let options = OverlayOptions { cwd: Some(b"/".to_vec()), identity, ..options };
    OverlayHost::empty(machine(), &skeleton::linux(), options).unwrap()
}

/// `kind subject detail` of each effect.
fn record(host: &OverlayHost) -> Vec<String> {
    let line = |e: rchef_host::Effect| {
        format!("{} {} {}", e.kind.as_str(), String::from_utf8_lossy(&e.subject), e.detail).trim_end().to_string()
    };
    host.take_effects().into_iter().map(line).collect()
}

#[test]
fn the_record() {
    let host = empty(OverlayOptions::default());
    let line = Rc::new(Cell::new(7));
    let current = Rc::clone(&line);
    host.set_location_source(Rc::new(move || Some(SourceLocation { file: "recipe.rb".into(), line: current.get() })));
    compose::write_file(&host, b"/etc/motd", b"hi", 0o644).unwrap();
    assert_eq!(compose::read_file(&host, b"/etc/motd").unwrap(), b"hi");
    let _ = host.stat(b"/etc/none");
    let _ = host.stat(b"/etc/none");
    line.set(8);
    let _ = host.stat(b"/etc/none");
    let effects = host.effects();
    assert_eq!(effects[0].source, Some(SourceLocation { file: "recipe.rb".into(), line: 7 }));
    assert_eq!(effects.iter().filter(|e| e.kind == EffectKind::ReadStat).count(), 2);
    host.take_effects();

    compose::read_file(&host, b"/etc/hosts").unwrap();
    compose::write_file(&host, b"/etc/hosts", b"", 0o644).unwrap();
    compose::read_file(&host, b"/etc/hosts").unwrap();
    host.unlink(b"/etc/hosts").unwrap();
    assert!(host.stat(b"/etc/hosts").is_err());
    host.chmod(b"/etc", 0o700).unwrap();
    host.env(b"HOME");
    let _ = host.user_by_name(b"root");
    assert_eq!(
        record(&host),
        [
            "read_file /etc/hosts",
            "write /etc/hosts",
            "remove /etc/hosts",
            "mode /etc 0700",
            "read_env HOME",
            "read_user root"
        ]
    );
    let changes: Vec<_> = host.changes().into_iter().map(|c| (String::from_utf8(c.path).unwrap(), c.kind)).collect();
    let expected =
        [("/etc", ChangeKind::Modified), ("/etc/hosts", ChangeKind::Removed), ("/etc/motd", ChangeKind::Added)];
    assert_eq!(changes, expected.map(|(path, kind)| (path.to_string(), kind)));
}

#[test]
fn an_empty_root_shows_only_what_passes_through() {
    let keep = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    let repo = keep.path().canonicalize().unwrap().as_os_str().as_bytes().to_vec();
    std::fs::write(keep.path().join("a"), "1").unwrap();
    std::fs::write(outside.path().join("linked"), "2").unwrap();
    std::os::unix::fs::symlink(outside.path(), keep.path().join("cookbooks")).unwrap();
    let host = empty(OverlayOptions { passthrough: vec![repo.clone()], ..Default::default() });
    let at = |name: &str| rchef_host::files::join(&repo, name.as_bytes());
    assert_eq!(compose::read_file(&host, &at("a")).unwrap(), b"1");
    assert_eq!(compose::read_file(&host, &at("cookbooks/linked")).unwrap(), b"2");
    assert!(record(&host).is_empty());
    compose::write_file(&host, &at("a"), b"3", 0o644).unwrap();
    assert_eq!(std::fs::read(keep.path().join("a")).unwrap(), b"1");
    assert_eq!(compose::read_file(&host, &at("a")).unwrap(), b"3");
    assert_eq!(host.stat(b"/etc/shadow").unwrap_err().name(), Some("ENOENT"));
    let names: Vec<_> = host.readdir(b"/").unwrap().into_iter().map(|e| String::from_utf8(e.name).unwrap()).collect();
    assert!(names.contains(&"etc".to_string()) && names.contains(&"tmp".to_string()), "{names:?}");
    assert_eq!(host.realpath(b"/bin").unwrap(), b"/usr/bin");
    assert!(host.package("dpkg").unwrap().is_none() && !host.systemd_running() && host.mounts().unwrap().is_empty());
    assert_eq!(host.hostname().unwrap(), b"localhost");
    let socket = host.socket(2, 1, 0).unwrap();
    let port = rchef_host::Address::Internet("127.0.0.1:1".parse().unwrap()).bytes();
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
    // netlink and raw packets
    for family in [16, 17] {
        assert_eq!(host.socket(family, 3, 0).err().unwrap().name(), Some("EAFNOSUPPORT"));
        assert_eq!(host.socket_pair(family, 3, 0).err().unwrap().name(), Some("EAFNOSUPPORT"));
    }
    assert!(host.socket_pair(1, 1, 0).is_ok());
}

#[test]
fn devices_and_temporary_files() {
    for host in [empty(OverlayOptions::default()), OverlayHost::over(machine(), OverlayOptions::default())] {
        compose::write_file(&host, b"/dev/null", b"x", 0o644).unwrap();
        assert_eq!(compose::read_file(&host, b"/dev/null").unwrap(), b"");
        let zero = host.open(b"/dev/zero", OpenFlags::RDONLY, 0).unwrap();
        let mut buffer = [1; 4];
        assert_eq!((zero.read(&mut buffer, None).unwrap(), buffer), (4, [0; 4]));
        let error = compose::write_file(&host, b"/dev/full", b"x", 0o644).unwrap_err();
        assert_eq!(error.name(), Some("ENOSPC"));
        let (path, handle) = compose::temp_file(&host, b"/tmp", b"t", b".x").unwrap();
        compose::write_all(&*handle, b"data").unwrap();
        assert_eq!(compose::read_file(&host, &path).unwrap(), b"data");
        assert!(std::fs::metadata(std::ffi::OsStr::from_bytes(&path)).is_err());
        assert!(handle.truncate(1 << 40).is_err());
    }
}

#[test]
fn open_handles_see_later_writes() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("f");
    std::fs::write(&path, "old").unwrap();
    let path = path.as_os_str().as_bytes();
    let host = OverlayHost::over(machine(), OverlayOptions::default());
    let reader = host.open(path, OpenFlags::RDONLY, 0).unwrap();
    compose::write_file(&host, path, b"newer", 0o644).unwrap();
    assert_eq!(compose::read_all(&*reader).unwrap(), b"newer");
    host.unlink(path).unwrap();
    assert_eq!(reader.stat().unwrap().nlink, 0);
}

#[test]
fn commands() {
    let host = empty(OverlayOptions {
        answers: vec![Answer::status(1).when_containing("grep"), Answer::output("5\n").when_line("echo 5")],
        capture: true,
        ..Default::default()
    });
    assert_eq!(run(&host, &CommandSpec::shell("touch /tmp/x; rm -rf /")).unwrap().status.code(), Some(0));
    assert_eq!(run(&host, &CommandSpec::shell("grep -q a b")).unwrap().status.code(), Some(1));
    assert_eq!(run(&host, &CommandSpec::argv(["echo", "5"]).captured()).unwrap().stdout, b"5\n");
    run(&host, &CommandSpec::argv(["echo", "5"])).unwrap();
    assert_eq!(host.captured(StandardStream::Output), b"5\n");
    let child = host.spawn(&CommandSpec::argv(["echo", "5"]).captured()).unwrap();
    assert_eq!(compose::read_all(&*child.stdout.unwrap()).unwrap(), b"5\n");
    assert_eq!(host.wait(WaitTarget::Pid(child.pid), None).unwrap().unwrap().code(), Some(0));
    assert_eq!(host.wait(WaitTarget::Any, None).unwrap_err().name(), Some("ECHILD"));
    host.kill(1, 15).unwrap();
    assert_eq!(host.exec(&CommandSpec::shell("true")).name(), Some("EPERM"));
    assert_eq!(
        record(&host),
        [
            "command touch /tmp/x; rm -rf / not run",
            "command grep -q a b answered",
            "command echo 5 answered",
            "command echo 5 answered",
            "command echo 5 answered",
            "signal 1 15",
            "command true exec refused"
        ]
    );

    let host = OverlayHost::over(machine(), OverlayOptions { policy: Policy::Run, ..Default::default() });
    host.set_env(b"RCHEF_X", b"y").unwrap();
    compose::write_file(&host, b"/tmp/rchef-in", b"in", 0o644).unwrap();
    let mut spec = CommandSpec::shell("cat; echo $RCHEF_X");
    spec.stdin = Stdio::File { path: b"/tmp/rchef-in".to_vec(), flags: OpenFlags::RDONLY, mode: 0 };
    let flags = OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::TRUNC;
    spec.stdout = Stdio::File { path: b"/tmp/rchef-out".to_vec(), flags, mode: 0o644 };
    run(&host, &spec).unwrap();
    assert_eq!(compose::read_file(&host, b"/tmp/rchef-out").unwrap(), b"iny\n");
    let child = host.spawn(&spec).unwrap();
    assert!(host.wait(WaitTarget::Pid(child.pid), None).unwrap().unwrap().success());
    assert!(std::fs::metadata("/tmp/rchef-out").is_err() && std::env::var_os("RCHEF_X").is_none());
}

#[test]
fn assumptions() {
    for host in [empty(OverlayOptions::default()), OverlayHost::over(machine(), OverlayOptions::default())] {
        let user = User { name: b"rchef-made".to_vec(), uid: 54321, dir: b"/home/m".to_vec(), ..User::default() };
        host.assume_user(b"rchef-made", Some(&user)).unwrap();
        assert_eq!(host.user_by_id(54321).unwrap(), Some(user.clone()));
        host.assume_user(b"rchef-made", Some(&User { gid: 9, ..user })).unwrap();
        assert_eq!(host.user_by_name(b"rchef-made").unwrap().unwrap().gid, 9);
        host.assume_user(b"nobody", None).unwrap();
        assert_eq!(host.user_by_name(b"nobody").unwrap(), None);
        let package = queries::Package { name: "made".into(), state: "installed".into(), ..Default::default() };
        host.assume_package("made", Some(package));
        assert!(host.package("made").unwrap().unwrap().installed());
        assert!(host.packages().unwrap().iter().any(|p| p.name == "made"));
        let state = queries::ServiceState { active: "active".into(), ..Default::default() };
        host.assume_service("made", state);
        assert_eq!(host.services(&["made"]).unwrap()["made"].active, "active");
        assert!(host.effects().iter().all(|e| e.kind.is_read()));
    }
}

#[test]
fn another_identity_is_refused_what_it_may_not() {
    let me = Identity { uid: 1000, gid: 1000, groups: vec![] };
    let host = empty(OverlayOptions { identity: Some(me), ..Default::default() });
    let name = |result: Result<(), rchef_host::HostError>| result.unwrap_err().name().unwrap();
    assert_eq!(name(compose::write_file(&host, b"/etc/x", b"", 0o644)), "EACCES");
    assert_eq!(name(compose::write_file(&host, b"/etc/passwd", b"", 0o644)), "EACCES");
    assert_eq!(name(host.readdir(b"/root").map(|_| ())), "EACCES");
    assert_eq!(name(host.chmod(b"/etc/passwd", 0o777)), "EPERM");
    assert_eq!(name(host.chown(b"/etc/passwd", Some(1000), None, true)), "EPERM");
    compose::write_file(&host, b"/tmp/mine", b"", 0o644).unwrap();
    host.chmod(b"/tmp/mine", 0o000).unwrap();
    assert_eq!(name(compose::read_file(&host, b"/tmp/mine").map(|_| ())), "EACCES");
    assert_eq!(name(host.chown(b"/tmp/mine", Some(0), None, true)), "EPERM");
    host.plant(&skeleton::SkeletonEntry::file("/tmp/roots", 0o666, "")).unwrap();
    assert_eq!(name(host.unlink(b"/tmp/roots")), "EPERM");
}

#[test]
fn time_can_stand_still() {
    let host = empty(OverlayOptions { virtual_sleep: true, frozen_time: Some(1_000_000_000), ..Default::default() });
    host.sleep(Duration::from_secs(3600)).unwrap();
    assert_eq!(host.wall_ns(), 3_601_000_000_000);
    compose::write_file(&host, b"/f", b"", 0o644).unwrap();
    assert_eq!(host.stat(b"/f").unwrap().mtime.secs, 3601);
    host.set_env(b"TZ", b"Asia/Tokyo").unwrap();
    assert_eq!(host.local_zone(0).offset, 32400);
    host.sleep(Duration::MAX).unwrap();
    let _ = (host.wall_ns(), host.monotonic_ns());
}

/// An atomic write that fails anywhere leaves the old contents and no temporary file.
#[test]
fn every_failure_of_an_atomic_write_is_clean() {
    let mut nth = 1;
    loop {
        let overlay: Rc<dyn Host> = Rc::new(empty(OverlayOptions::default()));
        compose::write_file(&*overlay, b"/opt/f", b"old", 0o640).unwrap();
        let faulty = FaultyHost::new(Rc::clone(&overlay), [Fault::nth("*", nth, 5)]);
        let result =
            compose::atomic_write(&faulty, b"/opt/f", b"new", compose::Finish { sync: true, ..Default::default() });
        let now = compose::read_file(&*overlay, b"/opt/f").unwrap();
        assert_eq!(overlay.readdir(b"/opt").unwrap().len(), 1, "call {nth}");
        match result {
            Err(error) => assert_eq!((error.errno, now.as_slice()), (5, b"old".as_slice()), "call {nth}"),
            Ok(()) => assert_eq!(now, b"new"),
        }
        if faulty.fired() == 0 {
            break;
        }
        nth += 1;
    }
    assert!(nth > 8, "{nth}");
    let faulty = FaultyHost::new(machine(), [Fault::nth("open", 1, 13)]);
    assert_eq!(faulty.open(b"/etc/passwd", OpenFlags::RDONLY, 0).err().unwrap().name(), Some("EACCES"));
    assert!(faulty.standard(StandardStream::Output).is_ok());
}
