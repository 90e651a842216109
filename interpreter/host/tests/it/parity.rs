//! The same calls on a real directory and on an overlay over an equal one: results and trees must agree, and the
//! overlay's own directory must stay as it was.

use rchef_host::{
    Access, FileHandle, Files, Host, HostError, OpenFlags, OverlayHost, OverlayOptions, RealHost, Seek, SetTime, Time,
    compose, files::join,
};
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;
use std::rc::Rc;

/// One call, as a line of words. `@` in a path stands for the directory's absolute path, `''` for nothing.
fn apply(host: &dyn Host, dir: &str, line: &str) -> String {
    let words: Vec<String> = line.split(' ').map(|word| word.replace('@', dir).replace("''", "")).collect();
    let path = |at: usize| words[at].as_bytes();
    let octal = |at: usize| u32::from_str_radix(&words[at], 8).unwrap();
    let unit = |result: Result<(), HostError>| result.map(|()| "ok".to_string());
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace(dir, "@");
    let result: Result<String, HostError> = match words[0].as_str() {
        "write" => unit(compose::write_file(host, path(1), path(2), 0o666)),
        "append" => open(host, path(1), "wa").and_then(|h| h.write(path(2), None)).map(|n| n.to_string()),
        "read" => compose::read_file(host, path(1)).map(text),
        "open" => open(host, path(1), &words[2]).map(|_| "opened".to_string()),
        "mkdir" => unit(host.mkdir(path(1), octal(2))),
        "rmdir" => unit(host.rmdir(path(1))),
        "unlink" => unit(host.unlink(path(1))),
        "rename" => unit(host.rename(path(1), path(2))),
        "symlink" => unit(host.symlink(path(1), path(2))),
        "link" => unit(host.link(path(1), path(2))),
        "readlink" => host.readlink(path(1)).map(text),
        "chmod" => unit(host.chmod(path(1), octal(2))),
        "chown" => unit(host.chown(path(1), Some(1234), None, true)),
        "lchown" => unit(host.chown(path(1), None, Some(4321), false)),
        "utime" => {
            let time = SetTime::At(Time { secs: words[2].parse().unwrap(), nanos: 5 });
            unit(host.set_times(path(1), time, time, true))
        }
        "mkfifo" => unit(host.mkfifo(path(1), octal(2))),
        "realpath" => host.realpath(path(1)).map(text),
        "chdir" => unit(host.chdir(path(1))),
        "getcwd" => host.getcwd().map(text),
        "exec?" => unit(host.access(path(1), Access::EXECUTE, true)),
        "ls" => host.readdir(path(1)).map(|entries| {
            entries
                .iter()
                .map(|e| format!("{}:{}", String::from_utf8_lossy(&e.name), e.kind.ftype()))
                .collect::<Vec<_>>()
                .join(",")
        }),
        "stat" => host
            .stat(path(1))
            .map(|s| format!("{:o} {} {}", s.mode, s.nlink.min(if s.is_dir() { 0 } else { 9 }), s.uid)),
        "umask" => Ok(format!("{:o}", host.umask(Some(octal(1))))),
        "mkpath" => compose::create_dir_all(host, path(1), 0o755).map(|made| made.len().to_string()),
        "rmtree" => unit(compose::remove_dir_all(host, path(1))),
        "atomic" => unit(compose::atomic_write(host, path(1), path(2), compose::Finish::default())),
        "copy" => compose::copy(host, path(1), path(2)).map(|n| n.to_string()),
        "patch" => open(host, path(1), "rw").and_then(|h| {
            h.seek(Seek::Set(2))?;
            h.write(b"XY", None)?;
            h.seek(Seek::End(1))?;
            h.write(b"!", None)?;
            h.pwrite(b"0", 0)?;
            h.truncate(6)?;
            h.seek(Seek::Current(-2)).map(|at| at.to_string())
        }),
        other => panic!("unknown call {other}"),
    };
    result.unwrap_or_else(|error| error.name().unwrap_or("?").to_string())
}

fn open(host: &dyn Host, path: &[u8], how: &str) -> Result<Box<dyn FileHandle>, HostError> {
    let mut flags = match how.contains('w') {
        true if how.contains('r') => OpenFlags::RDWR,
        true => OpenFlags::WRONLY,
        false => OpenFlags::RDONLY,
    };
    for (letter, flag) in [
        ('a', OpenFlags::APPEND),
        ('c', OpenFlags::CREAT),
        ('x', OpenFlags::EXCL),
        ('t', OpenFlags::TRUNC),
        ('n', OpenFlags::NOFOLLOW),
        ('d', OpenFlags::DIRECTORY),
        ('b', OpenFlags::NONBLOCK),
    ] {
        if how.contains(letter) {
            flags = flags | flag;
        }
    }
    host.open(path, flags, 0o666)
}

/// Everything below a directory as text: kind, mode, owner, links, contents.
fn tree(host: &dyn Host, dir: &[u8]) -> String {
    let mut text = String::new();
    let mut work = vec![(dir.to_vec(), String::from("."))];
    while let Some((path, name)) = work.pop() {
        let stat = host.lstat(&path).unwrap();
        let links = if stat.is_dir() { 0 } else { stat.nlink };
        let mtime = if stat.mtime.secs < 1_000_000 { stat.mtime.secs } else { -1 };
        let content = match stat.kind().ftype() {
            "file" => String::from_utf8(compose::read_file(host, &path).unwrap()).unwrap(),
            "link" => {
                String::from_utf8(host.readlink(&path).unwrap()).unwrap().replace(&*String::from_utf8_lossy(dir), "@")
            }
            _ => String::new(),
        };
        let size = if stat.is_file() { stat.size } else { 0 };
        writeln!(text, "{name} {:o} {}:{} {links} {size} {mtime} {content}", stat.mode, stat.uid, stat.gid).unwrap();
        if stat.is_dir() {
            for entry in host.readdir(&path).unwrap() {
                work.push((join(&path, &entry.name), format!("{name}/{}", String::from_utf8_lossy(&entry.name))));
            }
        }
    }
    text
}

fn prepare() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let script = "umask 022; mkdir d d/sub e s; echo file >f; echo deep >d/sub/deep; ln -s f lf; ln -s d ld; ln -s none dangling; \
                  ln -s loop loop; ln f hard; mkfifo p; chmod 4755 e; echo x >e/x; chmod 1777 s; ln -s \"$PWD/d/sub\" abs; \
                  ln -s ../f d/up; chmod 755 .";
    assert!(Command::new("sh").args(["-c", script]).current_dir(&dir).status().unwrap().success());
    dir
}

fn compare(title: &str, calls: &str) {
    let (one, two) = (prepare(), prepare());
    let real = RealHost::new();
    let overlay = OverlayHost::over(Rc::new(RealHost::new()), OverlayOptions::default());
    let path = |dir: &tempfile::TempDir| dir.path().canonicalize().unwrap().as_os_str().as_bytes().to_vec();
    let (real_dir, overlay_dir) = (path(&one), path(&two));
    let before = tree(&RealHost::new(), &overlay_dir);
    real.chdir(&real_dir).unwrap();
    overlay.chdir(&overlay_dir).unwrap();
    for line in calls.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let expected = apply(&real, std::str::from_utf8(&real_dir).unwrap(), line);
        let got = apply(&overlay, std::str::from_utf8(&overlay_dir).unwrap(), line);
        assert_eq!(got, expected, "{title}: {line}");
    }
    let restored = real.umask(Some(0o22));
    assert_eq!(restored, overlay.umask(None), "{title}: the umask");
    assert_eq!(tree(&overlay, &overlay_dir), tree(&real, &real_dir), "{title}: the trees");
    assert_eq!(tree(&RealHost::new(), &overlay_dir), before, "{title}: the overlay wrote to the machine");
}

#[test]
fn same_as_the_machine() {
    let _alone = crate::UMASK.write().unwrap();
    for (title, calls) in CASES {
        compare(title, calls);
    }
}

const CASES: &[(&str, &str)] = &[
    (
        "contents",
        "read f\nappend f more\nread f\nread lf\nwrite lf new\nread f\nread hard\nstat hard\nwrite n/x y\nwrite new abc\n\
         patch new\nread new\npatch f\nread f\nread d\nwrite d x\nread dangling\nwrite dangling made\nread none\nread loop\n\
         read f/\nread f/x\nwrite new/ x\ncopy f g\ncopy f f\ncopy f hard\nread g\natomic f again\nread hard\nstat f\natomic lf via\n\
         readlink lf\natomic dangling q\nread none",
    ),
    (
        "open flags",
        "open f r\nopen f rcx\nopen lf rn\nopen lf wcx\nopen d r\nopen d w\nopen d rc\nopen d rd\nopen f rd\nopen none r\nopen none/ wc\n\
         open new wcx\nopen new wcx\nopen f wt\nread f\nopen p wb\nopen dangling wcx\nopen dangling r\nopen d/../f r\nopen e/x/ r\nopen ld/ rd\nopen ld rnd",
    ),
    (
        "directories",
        "mkdir d 755\nmkdir d/ 755\nmkdir a 700\nmkdir a/b/ 2777\nls a\nmkdir f/x 755\nmkdir no/x 755\nmkdir lf 755\nmkdir dangling 755\n\
         rmdir d\nrmdir f\nrmdir a/.\nrmdir a/..\nrmdir a/b\nrmdir a\nrmdir ld\nrmdir none\nls .\nls f\nls ld\nls abs\nls none\nrmtree d\nls .\n\
         mkdir d 755\nls d\nread d/sub/deep\nmkpath d/sub/x/y\nmkpath d/sub\nmkpath f/x\nmkpath lf\nrmtree lf\nrmtree f\nrmtree ld\nread hard",
    ),
    (
        "rename",
        "rename f g\nread f\nread g\nread hard\nrename hard g\nstat g\nls .\nrename d q\nread q/sub/deep\nread d/sub/deep\nread abs/deep\nrename q e\n\
         rename e q\nmkdir m 755\nrename q m\nread m/sub/deep\nrename m m/sub/in\nrename m/sub m\nrename g m\nrename m g\nrename none x\n\
         rename g none/x\nrename lf lg\nreadlink lg\nrename g g\nrename g g2/\nrename m m2/\nls m2\nread m2/up\nmkdir m 755\nls m\nrename m2/sub/deep m/deep\nls m2/sub\nls m\n\
         rename m/. x\nrename g loop\nread loop\nwrite m2/new n\nrename m2 back\nread back/new\nls back\nunlink back/up\nls back\nrename back d\nls d\nread d/up",
    ),
    (
        "links",
        "symlink f l2\nread l2\nsymlink f l2\nsymlink f none/l\nsymlink x new/\nreadlink f\nreadlink none\nreadlink abs\nlink f h2\nstat h2\nappend h2 z\nread hard\nlink d h3\n\
         link lf h4\nreadlink h4\nlink f hard\nlink none h5\nunlink f\nstat hard\nread lf\nunlink lf\nunlink d\nunlink d/\nunlink hard/\nunlink none\nunlink ld\n\
         realpath abs\nrealpath d/up\nrealpath loop\nrealpath none\nrealpath d/sub/../..\nrealpath d/sub/../../e/x\nsymlink @/e/x d/sub/abs2\nread abs/abs2\nrealpath abs/abs2",
    ),
    (
        "metadata",
        "chmod f 4711\nstat f\nchown f\nstat f\nlchown lf\nlchown f\nchown dangling\nchmod lf 600\nstat f\nstat hard\nchmod none 600\nchmod e 2775\nwrite e/g y\nstat e/g\nmkdir e/k 755\n\
         stat e/k\nutime f 77\nutime d 99\nutime lf 78\nutime none 1\numask 77\nwrite u x\nmkdir v 777\nmkfifo w 666\numask 22\nmkfifo f 600\nmkfifo w2 644\n\
         exec? f\nexec? hard\nexec? d\nexec? e/x\nexec? none\nstat p\nchmod p 600\nchdir d\ngetcwd\nread sub/deep\nwrite here x\nread ../f\nchdir sub/..\ngetcwd\nchdir f\nchdir none\n\
         chdir ../ld\ngetcwd\nchdir @\nrename d dd\ngetcwd\nchdir dd\nrmtree ../dd\ngetcwd",
    ),
    (
        "long and odd names",
        "write aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa x\n\
         write .//d/./sub//../x y\nread d/x\nread ''\nls ''\nmkdir '' 755\nunlink ''\nread ./f\nread ../../../../../../../../../etc/../@/f\nls d/sub/.\nstat d/.\nunlink d/.\nrename d/sub/.. z",
    ),
];
