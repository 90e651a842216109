//! Replacing a file: whole, with its final access, by descriptor.

use crate::real::{at, temp};
use nix::unistd::{Uid, geteuid};
use rchef_host::compose::{self, Finish};
use rchef_host::{Fault, FaultyHost, Files, Host, OpenFlags, RealHost};
use std::rc::Rc;

/// The user that owns nothing: a stranger to root.
const NOBODY: u32 = 65534;

fn names(host: &dyn Host, dir: &[u8]) -> Vec<String> {
    let entries = host.readdir(dir).unwrap();
    entries.into_iter().map(|entry| String::from_utf8(entry.name).unwrap()).collect()
}

/// Whatever call fails, the file is the old one or the new one, whole, with the access that belongs to it; nothing else is left.
#[test]
fn every_failure_leaves_the_old_file_or_the_new_one() {
    let (_keep, dir) = temp();
    let file = at(&dir, "f");
    let mut nth = 1;
    loop {
        let host: Rc<dyn Host> = Rc::new(RealHost::new());
        compose::write_file(&*host, &file, b"old", 0o600).unwrap();
        host.chmod(&file, 0o644).unwrap();
        let faulty = FaultyHost::new(Rc::clone(&host), [Fault::nth("*", nth, 28)]);
        let finish = Finish { mode: Some(0o640), ..Finish::default() };
        let result = compose::replace(&faulty, &file, b"new", finish);
        let (now, mode) = (compose::read_file(&*host, &file).unwrap(), host.stat(&file).unwrap().perm());
        assert_eq!(names(&*host, &dir), ["f"], "call {nth}");
        let state = (now.as_slice(), mode);
        match result {
            Err(error) => {
                assert_eq!(error.path.as_deref(), Some(file.as_slice()), "call {nth}");
                assert_eq!(state, (b"old".as_slice(), 0o644), "call {nth}");
            }
            Ok(_) => assert_eq!(state, (b"new".as_slice(), 0o640), "call {nth}"),
        }
        if faulty.fired() == 0 {
            break;
        }
        nth += 1;
    }
    assert!(nth > 10, "{nth}");
}

#[test]
fn an_update_keeps_access_and_attributes() {
    let (_keep, dir) = temp();
    let host = RealHost::new();
    let file = at(&dir, "f");
    compose::write_file(&host, &file, b"old", 0o600).unwrap();
    host.chmod(&file, 0o604).unwrap();
    let marked = {
        let handle = host.open(&file, OpenFlags::RDWR, 0).unwrap();
        handle.set_xattr(b"user.rchef", b"kept").is_ok()
    };
    if geteuid().is_root() {
        host.chown(&file, Some(NOBODY), Some(NOBODY), false).unwrap();
    }
    let written = compose::replace(&host, &file, b"new", Finish::default()).unwrap();
    assert!(written.refused.is_empty(), "{written:?}");
    let stat = host.stat(&file).unwrap();
    assert_eq!(stat.perm(), 0o604);
    assert_eq!(stat.uid, if geteuid().is_root() { NOBODY } else { geteuid().as_raw() });
    let kept = host.open(&file, OpenFlags::RDONLY, 0).unwrap().xattrs().unwrap();
    assert_eq!(kept.iter().any(|(name, value)| name == b"user.rchef" && value == b"kept"), marked);
}

/// A link whose owner is not trusted leads nowhere but to what that owner has himself.
#[test]
fn a_strangers_link_is_followed_only_to_his_own_files() {
    if !geteuid().is_root() {
        return;
    }
    let (_keep, dir) = temp();
    let host = RealHost::new();
    for name in ["his", "roots", "his/own"] {
        host.mkdir(&at(&dir, name), 0o755).unwrap();
    }
    for name in ["his", "his/own"] {
        host.chown(&at(&dir, name), Some(NOBODY), None, false).unwrap();
    }
    for (target, link) in [("roots", "his/to-roots"), ("his/own", "his/to-his"), ("roots/victim", "his/file")] {
        host.symlink(&at(&dir, target), &at(&dir, link)).unwrap();
        host.chown(&at(&dir, link), Some(NOBODY), None, false).unwrap();
    }
    compose::write_file(&host, &at(&dir, "roots/victim"), b"secret", 0o600).unwrap();
    for path in ["his/to-roots/new", "his/to-roots/victim", "his/file"] {
        let error = compose::replace(&host, &at(&dir, path), b"x", Finish::default()).unwrap_err();
        assert_eq!((error.name(), error.op), (Some("EPERM"), "follow"), "{path}");
        let finish = Finish { mode: Some(0o666), uid: Some(NOBODY), ..Finish::default() };
        assert_eq!(compose::set_access(&host, &at(&dir, path), finish, true).unwrap_err().op, "follow", "{path}");
    }
    let victim = host.stat(&at(&dir, "roots/victim")).unwrap();
    assert_eq!((victim.uid, victim.perm()), (0, 0o600));
    assert_eq!(names(&host, &at(&dir, "roots")), ["victim"]);
    compose::replace(&host, &at(&dir, "his/to-his/new"), b"x", Finish::default()).unwrap();
    assert_eq!(compose::read_file(&host, &at(&dir, "his/own/new")).unwrap(), b"x");
    // a link of root's own leads where it leads
    host.symlink(&at(&dir, "roots"), &at(&dir, "mine")).unwrap();
    compose::replace(&host, &at(&dir, "mine/new"), b"x", Finish::default()).unwrap();
    assert_eq!(names(&host, &at(&dir, "roots")), ["new", "victim"]);
}

/// While a stranger swaps a directory for a link, and a file for a link, nothing outside is written or given away.
#[test]
fn a_swap_race_writes_nothing_outside() {
    if !geteuid().is_root() {
        return;
    }
    let (_keep, dir) = temp();
    let host = RealHost::new();
    host.chmod(&dir, 0o711).unwrap();
    for name in ["his", "his/dir", "roots"] {
        host.mkdir(&at(&dir, name), 0o755).unwrap();
        if name != "roots" {
            host.chown(&at(&dir, name), Some(NOBODY), None, false).unwrap();
        }
    }
    compose::write_file(&host, &at(&dir, "roots/f"), b"secret", 0o600).unwrap();
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let (flag, base) = (stop.clone(), dir.clone());
    let stranger = std::thread::spawn(move || {
        // of this thread only: the links are his from the first moment
        nix::unistd::setfsgid(nix::unistd::Gid::from_raw(NOBODY));
        nix::unistd::setfsuid(Uid::from_raw(NOBODY));
        let host = RealHost::new();
        let mut rounds = 0u32;
        while !flag.load(std::sync::atomic::Ordering::Relaxed) {
            let _ = host.rename(&at(&base, "his/dir"), &at(&base, "his/away"));
            let _ = host.symlink(&at(&base, "roots"), &at(&base, "his/dir"));
            let _ = host.unlink(&at(&base, "his/dir"));
            let _ = host.rename(&at(&base, "his/away"), &at(&base, "his/dir"));
            let _ = host.unlink(&at(&base, "his/dir/f"));
            let _ = host.symlink(&at(&base, "roots/f"), &at(&base, "his/dir/f"));
            rounds += 1;
        }
        rounds
    });
    let finish = Finish { mode: Some(0o644), uid: Some(NOBODY), ..Finish::default() };
    host.set_durable(false);
    let (mut done, mut refused) = (0, 0);
    let mut count = |result: Option<&str>| match result {
        None => done += 1,
        Some("follow") => refused += 1,
        Some(_) => {}
    };
    for _ in 0..10_000 {
        count(compose::replace(&host, &at(&dir, "his/dir/f"), b"content", finish).err().map(|error| error.op));
        count(compose::set_access(&host, &at(&dir, "his/dir/f"), finish, true).err().map(|error| error.op));
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(stranger.join().unwrap() > 100);
    assert!(done > 0 && refused > 0, "{done} done, {refused} refused");
    let victim = host.stat(&at(&dir, "roots/f")).unwrap();
    assert_eq!((victim.uid, victim.perm()), (0, 0o600));
    assert_eq!(compose::read_file(&host, &at(&dir, "roots/f")).unwrap(), b"secret");
    assert_eq!(names(&host, &at(&dir, "roots")), ["f"]);
}

#[test]
fn what_a_killed_run_left_is_removed_by_the_next() {
    let (_keep, dir) = temp();
    let (cache, target) = (at(&dir, "cache"), at(&dir, "etc"));
    let host = RealHost::new();
    host.mkdir(&target, 0o755).unwrap();
    host.keep_journal(&cache).unwrap();
    let mark = host.staging(&target).unwrap();
    let stray = format!(".motd.rchef-{mark}-0");
    let foreign = ".motd.rchef-somebodyelse-0";
    for name in [stray.as_str(), foreign] {
        compose::write_file(&host, &at(&target, name), b"half", 0o600).unwrap();
    }
    // the run is alive: its journal is locked
    assert!(RealHost::new().keep_journal(&cache).unwrap().is_empty());
    // killed: the lock is gone, the journal is not
    std::fs::copy(path(&at(&cache, &mark)), path(&at(&dir, "kept"))).unwrap();
    drop(host);
    std::fs::rename(path(&at(&dir, "kept")), path(&at(&cache, &mark))).unwrap();
    let next = RealHost::new();
    assert_eq!(next.keep_journal(&cache).unwrap(), [at(&target, &stray)]);
    assert_eq!(names(&next, &target), [foreign]);
    assert!(names(&next, &cache).is_empty());
}

fn path(bytes: &[u8]) -> std::path::PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).into()
}

/// The kernel's own files are written in place; nothing can be created beside them.
#[test]
fn files_of_the_kernel_are_written_in_place() {
    let host = RealHost::new();
    let (dir, name) = host.open_parent(b"/proc/self/comm", true).unwrap();
    assert!(dir.is_pseudo());
    drop((dir, name));
    compose::replace(&host, b"/proc/self/comm", b"rchef-test", Finish::default()).unwrap();
    assert_eq!(compose::read_file(&host, b"/proc/self/comm").unwrap(), b"rchef-test\n");
}

#[test]
fn a_replaced_files_owner_that_cannot_be_set_is_told() {
    if Uid::effective().is_root() {
        return;
    }
    let (_keep, dir) = temp();
    let host = RealHost::new();
    let finish = Finish { uid: Some(0), mode: Some(0o4755), ..Finish::default() };
    let written = compose::replace(&host, &at(&dir, "f"), b"x", finish).unwrap();
    assert_eq!(written.refused.first().and_then(|error| error.name()), Some("EPERM"));
    assert_eq!(host.stat(&at(&dir, "f")).unwrap().perm(), 0o755);
}
