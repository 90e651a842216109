//! What only an overlay does: the record, the empty root, policies, assumptions; and FaultyHost.

use rchef_host::overlay::{Answer, ChangeKind, Identity, skeleton};
use rchef_host::processes::run;
use rchef_host::replace::Finish;
use rchef_host::{
    Clock, CommandSpec, EffectKind, Fault, FaultyHost, Files, Host, Identity as _, Ids, Network, OpenFlags,
    OverlayHost, OverlayOptions, Policy, Processes, Queries, Randomness, RealHost, SourceLocation, StandardStream,
    Stdio, Streams, User, Users, WaitTarget, compose, queries,
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
    let repo = keep.path().canonicalize().unwrap().as_os_str().as_bytes().to_vec();
    std::fs::write(keep.path().join("a"), "1").unwrap();
    let host = empty(OverlayOptions { passthrough: vec![repo.clone()], ..Default::default() });
    let at = |name: &str| rchef_host::files::join(&repo, name.as_bytes());
    assert_eq!(compose::read_file(&host, &at("a")).unwrap(), b"1");
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
}

#[test]
fn links_lead_nowhere_but_to_what_shows() {
    use std::os::unix::fs::symlink;
    let (keep, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = |dir: &tempfile::TempDir| dir.path().canonicalize().unwrap().as_os_str().as_bytes().to_vec();
    let (repo, other) = (path(&keep), path(&outside));
    std::fs::write(outside.path().join("secret"), "s").unwrap();
    std::fs::write(keep.path().join("a"), "1").unwrap();
    symlink("/", keep.path().join("root")).unwrap();
    symlink("../../../../../../etc", keep.path().join("etc")).unwrap();
    symlink(outside.path(), keep.path().join("other")).unwrap();
    symlink("a", keep.path().join("b")).unwrap();
    symlink(keep.path().join("a"), keep.path().join("c")).unwrap();
    symlink(".", keep.path().join("loop")).unwrap();
    let link = |name: &str| rchef_host::files::join(&repo, name.as_bytes());
    let shown = OverlayOptions { passthrough: vec![repo.clone(), link("root"), link("other")], ..Default::default() };
    let host = empty(shown.clone());
    host.pass_as_written(&link("root"));
    let name = |path: &[u8]| compose::read_file(&host, path).map_err(|error| error.name());
    assert_eq!(name(&link("b")).unwrap(), b"1");
    assert_eq!(name(&link("c")).unwrap(), b"1");
    assert_eq!(name(&link("loop/loop/a")).unwrap(), b"1");
    let _ = host.readlink(&link("root")).unwrap();
    assert_eq!(name(&link("root/etc/shadow")), Err(Some("ENOENT")));
    assert_eq!(name(b"/etc/shadow"), Err(Some("ENOENT")));
    assert_eq!(name(&link("root/proc/self/environ")), Err(Some("ENOENT")));
    assert_eq!(name(&link("other/secret")), Err(Some("ENOENT")));
    assert_eq!(name(&link("etc/passwd")).unwrap(), compose::read_file(&host, b"/etc/passwd").unwrap());
    let leaving = format!("read_link {} leads outside, to /", String::from_utf8_lossy(&link("root")));
    let seen = record(&host);
    assert!(seen.contains(&leaving), "{seen:?}");
    // what somebody names shows, and reading there is recorded
    let host = empty(OverlayOptions { allowed: vec![other.clone()], ..shown });
    assert_eq!(compose::read_file(&host, &link("other/secret")).unwrap(), b"s");
    let seen = record(&host);
    assert!(seen.contains(&format!("read_file {}/secret", String::from_utf8_lossy(&other))), "{seen:?}");
    assert!(host.shows(&other) && host.shows(&link("a")) && !host.shows(b"/etc") && !host.shows(&link("../x")));
}

#[test]
fn nothing_but_files_opens_below_what_shows() {
    let keep = tempfile::tempdir().unwrap();
    let repo = keep.path().canonicalize().unwrap().as_os_str().as_bytes().to_vec();
    let fifo = rchef_host::files::join(&repo, b"fifo");
    RealHost::new().mkfifo(&fifo, 0o644).unwrap();
    let host = empty(OverlayOptions { passthrough: vec![repo, b"/dev".to_vec()], ..Default::default() });
    for path in [&fifo[..], b"/dev/ptmx", b"/dev/tty"] {
        let opened = host.open(path, OpenFlags::RDWR, 0).err().and_then(|error| error.name());
        assert!(matches!(opened, Some("ENXIO" | "ENOENT")), "{opened:?}");
    }
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
fn a_simulated_clock_goes_on_by_what_code_does() {
    let host = empty(OverlayOptions { clock: Some(1_000_000_000), ..Default::default() });
    let before = host.unsimulated_ns();
    host.sleep(Duration::from_secs(3600)).unwrap();
    assert!(host.unsimulated_ns() - before < 1_000_000_000);
    assert_eq!(host.wall_ns().div_euclid(1_000_000_000), 3601);
    compose::write_file(&host, b"/f", b"", 0o644).unwrap();
    assert_eq!(host.stat(b"/f").unwrap().mtime.secs, 3601);
    host.set_env(b"TZ", b"Asia/Tokyo").unwrap();
    assert_eq!(host.local_zone(0).offset, 32400);
    // two looks never tell the same, and code takes time
    let (first, second) = (host.monotonic_ns(), host.monotonic_ns());
    assert!(second > first);
    host.ran(1_000_000);
    assert!(host.monotonic_ns() >= second + 50_000_000);
    assert_eq!((host.cpu_times().user, host.cpu_times().system), (50_000_000, 0));
    assert_eq!(host.clock_ns(99).unwrap_err().name(), Some("EINVAL"));
    assert!(host.clock_ns(7).unwrap() >= 3_600_000_000_000);
    host.sleep(Duration::MAX).unwrap();
    let _ = (host.wall_ns(), host.monotonic_ns());
}

#[test]
fn an_isolated_overlay_asks_nothing_of_the_machine() {
    let host = empty(OverlayOptions { isolated: true, processors: Some(3), ..Default::default() });
    assert_eq!((host.pid(), host.ppid(), host.pgid(0).unwrap()), (1024, 1, 1024));
    assert_eq!(host.processors(), 3);
    assert_eq!(host.umask(None), 0o022);
    for pid in [1, 2, std::process::id() as i32, -1] {
        assert_eq!(host.kill(pid, 0).unwrap_err().name(), Some("ESRCH"), "{pid}");
        assert_eq!(host.kill(pid, 15).unwrap_err().name(), Some("ESRCH"), "{pid}");
        assert_eq!(host.pgid(pid).unwrap_err().name(), Some("ESRCH"), "{pid}");
    }
    assert_eq!(host.limit(7).unwrap(), (1024, 524_288));
    assert_eq!(host.limit(16).unwrap_err().name(), Some("EINVAL"));
    let input = host.standard(StandardStream::Input).unwrap();
    assert_eq!(input.read(&mut [0; 8], None).unwrap(), 0);
    let random = |path: &[u8]| {
        let handle = host.open(path, OpenFlags::RDONLY, 0).unwrap();
        let mut bytes = [0; 8];
        handle.read(&mut bytes, None).unwrap();
        bytes
    };
    let other = empty(OverlayOptions::default());
    let mut first = [0; 8];
    other.fill(&mut first).unwrap();
    assert_eq!(random(b"/dev/urandom"), first);
}

#[test]
fn signals_to_itself_stay_inside() {
    for host in [
        empty(OverlayOptions { isolated: true, ..Default::default() }),
        OverlayHost::over(machine(), OverlayOptions::default()),
    ] {
        let me = host.pid();
        for signal in [9, 19, 15, 28] {
            host.kill(me, signal).unwrap();
        }
        // SIGWINCH does nothing unless it is watched
        assert_eq!(host.take_signals(), [9, 15, 19]);
        host.on_signal(15, rchef_host::processes::Disposition::Ignore).unwrap();
        host.on_signal(28, rchef_host::processes::Disposition::Watch).unwrap();
        host.kill(me, 15).unwrap();
        host.kill(0, 28).unwrap();
        host.kill(me, 0).unwrap();
        assert_eq!(host.take_signals(), [28]);
        assert!(host.take_signals().is_empty());
        assert_eq!(host.kill(me, 99).unwrap_err().name(), Some("EINVAL"));
    }
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

#[test]
fn a_command_of_a_simulation_has_no_terminal() {
    let real = Rc::new(RealHost::new());
    let options = OverlayOptions {
        policy: Policy::Simulate,
        output_to_error: true,
        only_looks: Some(Rc::new(|_| true)),
        ..Default::default()
    };
    let host = OverlayHost::over(real.clone(), options);
    let status = |host: &dyn Host, spawned: bool| {
        let terminal = real.open(b"/dev/ptmx", OpenFlags::RDWR | OpenFlags::NOCTTY, 0).unwrap();
        assert!(terminal.is_tty());
        let mut spec = CommandSpec::shell("test -t 1");
        spec.stdout = Stdio::Handle(Rc::from(terminal));
        if spawned {
            let pid = host.spawn(&spec).unwrap().pid;
            return host.wait(WaitTarget::Pid(pid), None).unwrap().unwrap().code();
        }
        run(host, &spec).unwrap().status.code()
    };
    for spawned in [false, true] {
        assert_eq!((status(&*real, spawned), status(&host, spawned)), (Some(0), Some(1)));
    }
    // nor does it read what is typed
    let read = CommandSpec::shell("readlink /proc/self/fd/0").captured();
    assert_eq!(run(&host, &read).unwrap().stdout, b"/dev/null\n");
}

#[test]
fn a_simulation_sees_the_routes_of_the_machine() {
    let real = Rc::new(RealHost::new());
    let host = OverlayHost::over(real.clone(), OverlayOptions { policy: Policy::Simulate, ..Default::default() });
    let listed = std::fs::read_to_string("/proc/net/route").unwrap_or_default();
    let found = host.routes(2).unwrap();
    assert_eq!(without_ports(&found), without_ports(&real.routes(2).unwrap()));
    assert!(!found.is_empty() || listed.lines().count() < 2, "{listed}");
    // the socket itself could change them
    assert!(host.socket(16, 3, 0).is_err(), "AF_NETLINK, SOCK_RAW, NETLINK_ROUTE");
}

/// Messages of rtnetlink(7) without `nlmsg_pid`, the port of the socket that asked: the kernel gives a process's
/// second socket at a time another number.
fn without_ports(messages: &[u8]) -> Vec<u8> {
    let mut messages = messages.to_vec();
    let mut rest = messages.as_mut_slice();
    while let Some(length) = rest.first_chunk().map(|length| u32::from_ne_bytes(*length) as usize) {
        rest[12..16].fill(0);
        rest = &mut rest[length.next_multiple_of(4)..];
    }
    messages
}

/// A new directory of the machine, which the test removes.
fn folder(name: &str) -> String {
    let path =
        std::env::temp_dir().canonicalize().unwrap().join(format!("rchef-overlay-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(path.join("inner")).unwrap();
    path.display().to_string()
}

fn simulation() -> OverlayHost {
    let identity = Some(Identity { uid: 0, gid: 0, groups: vec![0] });
    let only_looks: rchef_host::overlay::OnlyLooks = Rc::new(|_| true);
    let options =
        OverlayOptions { policy: Policy::Simulate, identity, only_looks: Some(only_looks), ..Default::default() };
    OverlayHost::over(machine(), options)
}

#[test]
fn a_simulation_makes_a_new_file_in_one_step() {
    let place = folder("new");
    let host = simulation();
    host.umask(Some(0o027));
    let path = |name: &str| format!("{place}/{name}").into_bytes();
    let finish = Finish { mode: Some(0o2755), uid: Some(7), gid: Some(8), sync: false };
    assert!(host.put_new(&path("inner/full"), b"text", finish));
    assert!(host.put_new(&path("plain"), b"", Finish::default()));
    let stat = host.stat(&path("inner/full")).unwrap();
    assert_eq!((stat.perm(), stat.uid, stat.gid, stat.size, stat.is_file()), (0o2755, 7, 8, 4, true));
    assert_eq!(host.stat(&path("plain")).unwrap().perm(), 0o640);
    assert_eq!(compose::read_file(&host, &path("inner/full")).unwrap(), b"text");
    host.symlink(b"inner/by-link", &path("link")).unwrap();
    assert!(host.put_new(&path("link"), b"x", Finish::default()), "where a link leads");
    assert!(host.stat(&path("inner/by-link")).is_ok());
    for name in ["plain", "inner", "missing/file", "plain/file", "slash/"] {
        assert!(!host.put_new(&path(name), b"", Finish::default()), "{name}");
    }
    // what others do on the machine still shows, but for the directories that were come through
    assert!(host.stat(&path("inner/later")).is_err());
    std::fs::write(format!("{place}/inner/later"), "1").unwrap();
    assert_eq!(compose::read_file(&host, &path("inner/later")).unwrap(), b"1");
    let names: Vec<Vec<u8>> = host.readdir(&path("inner")).unwrap().into_iter().map(|entry| entry.name).collect();
    assert_eq!(names.len(), 3);
    std::fs::remove_dir_all(&place).unwrap();
}

#[test]
fn a_command_of_a_simulation_needs_its_directory_on_the_machine() {
    let place = folder("cwd");
    let host = simulation();
    let planned = format!("{place}/planned").into_bytes();
    host.mkdir(&planned, 0o755).unwrap();
    for (cwd, wanted, doubts) in [(place.clone().into_bytes(), "inner\n", 0), (planned, "", 1)] {
        let mut spec = CommandSpec::shell("ls").captured();
        spec.cwd = Some(cwd);
        let output = run(&host, &spec).unwrap();
        assert_eq!((output.status.code(), String::from_utf8(output.stdout).unwrap()), (Some(0), wanted.to_string()));
        assert_eq!(host.take_doubts().len(), doubts);
    }
    std::fs::remove_dir_all(&place).unwrap();
}

fn all<T: Copy>(id: T) -> Ids<T> {
    Ids { real: id, effective: id, saved: id }
}

/// What an overlay knows of this process is answered, and setting it to what it is changes nothing; the machine is never asked to change.
#[test]
fn identity() {
    let me = Identity { uid: 1000, gid: 100, groups: vec![100, 7] };
    let host = empty(OverlayOptions { identity: Some(me), isolated: true, ..OverlayOptions::default() });
    assert_eq!((host.uids(), host.gids()), ((1000, 1000), (100, 100)));
    assert_eq!((host.user_ids(), host.group_ids()), (Ok(all(1000)), Ok(all(100))));
    assert_eq!(host.supplementary_groups(), Ok(vec![100, 7]));
    assert_eq!((host.priority(0, 0), host.priority(2, 1000)), (Ok(0), Ok(0)));
    assert_eq!((host.session(0), host.session(host.pid())), (Ok(host.pid()), Ok(host.pid())));
    for done in [
        host.set_user_ids(Ids { real: None, effective: Some(1000), saved: None }),
        host.set_group_ids(all(Some(100))),
        host.set_user_id(1000),
        host.set_group_id(100),
        host.set_supplementary_groups(&[100, 7]),
        host.set_priority(0, 0, 0),
    ] {
        assert_eq!(done, Ok(()));
    }
    let refused = [
        host.set_user_ids(Ids { real: None, effective: Some(0), saved: None }),
        host.set_group_ids(all(Some(0))),
        host.set_user_id(0),
        host.set_group_id(0),
        host.set_supplementary_groups(&[]),
        host.init_groups(b"root", 0),
        host.set_priority(0, 0, 5),
    ];
    for refused in refused {
        assert_eq!(refused.unwrap_err().errno, 38);
    }
    assert_eq!((host.priority(0, 77).unwrap_err().errno, host.priority(9, 0).unwrap_err().errno), (3, 22));
    assert_eq!(host.session(77).unwrap_err().errno, 3);
}

/// Each question and change of identity fails once in turn; what cannot fail passes.
#[test]
fn faulty_identity() {
    let inner: Rc<dyn Host> = Rc::new(empty(OverlayOptions { isolated: true, ..OverlayOptions::default() }));
    let faulty = FaultyHost::new(Rc::clone(&inner), [Fault::nth("session", 1, 5), Fault::nth("set_user_ids", 1, 1)]);
    assert_eq!((faulty.uids(), faulty.gids()), (inner.uids(), inner.gids()));
    assert_eq!((faulty.user_ids(), faulty.group_ids()), (inner.user_ids(), inner.group_ids()));
    assert_eq!(faulty.supplementary_groups(), inner.supplementary_groups());
    assert_eq!((faulty.session(0).unwrap_err().errno, faulty.session(0)), (5, inner.session(0)));
    let kept = Ids { real: None, effective: Some(0), saved: None };
    assert_eq!((faulty.set_user_ids(kept).unwrap_err().errno, faulty.set_user_ids(kept)), (1, Ok(())));
    assert_eq!(faulty.fired(), 2);
}

#[test]
fn the_order_of_the_environment() {
    let host = empty(OverlayOptions { env: Some(Default::default()), ..OverlayOptions::default() });
    for name in [b"z", b"y", b"x"] {
        host.set_env(name, b"1").unwrap();
    }
    host.set_env(b"z", b"2").unwrap();
    host.remove_env(b"y");
    host.set_env(b"y", b"3").unwrap();
    let names: Vec<Vec<u8>> = host.env_list().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, [b"z", b"x", b"y"]);
}
