//! The initial contents of an empty root.

use nix::libc;

/// An entry of a skeleton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkeletonEntry {
    pub path: Vec<u8>,
    pub mode: u32,
    pub uid: u32,
    pub gid: u32,
    pub item: SkeletonItem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkeletonItem {
    Dir,
    /// A regular file with its contents.
    File(Vec<u8>),
    /// A symbolic link and its target.
    Symlink(Vec<u8>),
    /// A character device: major and minor number.
    CharDevice(u32, u32),
}

impl SkeletonEntry {
    /// A directory owned by root.
    pub fn dir(path: &str, mode: u32) -> Self {
        Self::new(path, mode, SkeletonItem::Dir)
    }

    /// A file owned by root.
    pub fn file(path: &str, mode: u32, data: impl Into<Vec<u8>>) -> Self {
        Self::new(path, mode, SkeletonItem::File(data.into()))
    }

    pub fn symlink(path: &str, target: &str) -> Self {
        Self::new(path, 0o777, SkeletonItem::Symlink(target.into()))
    }

    fn device(path: &str, major: u32, minor: u32) -> Self {
        Self::new(path, 0o666, SkeletonItem::CharDevice(major, minor))
    }

    fn new(path: &str, mode: u32, item: SkeletonItem) -> Self {
        Self { path: path.into(), mode, uid: 0, gid: 0, item }
    }

    pub(super) fn type_bits(&self) -> u32 {
        match self.item {
            SkeletonItem::Dir => libc::S_IFDIR,
            SkeletonItem::File(_) => libc::S_IFREG,
            SkeletonItem::Symlink(_) => libc::S_IFLNK,
            SkeletonItem::CharDevice(..) => libc::S_IFCHR,
        }
    }
}

/// What systems of a platform family have beside that.
pub fn of_family(family: &str) -> Vec<SkeletonEntry> {
    let dirs: &[&str] = match family {
        "rhel" | "fedora" | "amazon" => &["/etc/pki", "/etc/selinux", "/etc/sysconfig", "/etc/yum.repos.d"],
        _ => &[],
    };
    dirs.iter().map(|path| SkeletonEntry::dir(path, 0o755)).collect()
}

/// What all Linux systems have: the directories of the Filesystem Hierarchy Standard with a merged /usr, the stateless devices, and the accounts
/// common to the base systems of Debian and Red Hat. Each platform adds its own.
pub fn linux() -> Vec<SkeletonEntry> {
    let dirs = [
        "/etc",
        "/etc/cron.d",
        "/etc/default",
        "/etc/init.d",
        "/etc/profile.d",
        "/etc/ssl",
        "/etc/ssl/certs",
        "/etc/sysctl.d",
        "/etc/systemd",
        "/etc/systemd/system",
        "/home",
        "/mnt",
        "/opt",
        "/proc",
        "/run",
        "/srv",
        "/sys",
        "/usr",
        "/usr/bin",
        "/usr/lib",
        "/usr/lib64",
        "/usr/local",
        "/usr/local/bin",
        "/usr/local/etc",
        "/usr/local/lib",
        "/usr/local/sbin",
        "/usr/local/share",
        "/usr/sbin",
        "/usr/share",
        "/usr/src",
        "/var",
        "/var/cache",
        "/var/lib",
        "/var/lib/systemd",
        "/var/log",
        "/var/opt",
        "/var/spool",
        "/var/spool/cron",
        "/dev",
        "/boot",
        "/media",
    ];
    let mut entries: Vec<_> = dirs.iter().map(|path| SkeletonEntry::dir(path, 0o755)).collect();
    entries.push(SkeletonEntry::dir("/root", 0o700));
    entries.push(SkeletonEntry::dir("/tmp", 0o1777));
    entries.push(SkeletonEntry::dir("/var/tmp", 0o1777));
    for (path, target) in [
        ("/bin", "usr/bin"),
        ("/sbin", "usr/sbin"),
        ("/lib", "usr/lib"),
        ("/lib64", "usr/lib64"),
        ("/var/run", "/run"),
        ("/var/lock", "/run/lock"),
    ] {
        entries.push(SkeletonEntry::symlink(path, target));
    }
    entries.push(SkeletonEntry::dir("/run/lock", 0o1777));
    for (path, minor) in [("/dev/null", 3), ("/dev/zero", 5), ("/dev/full", 7), ("/dev/random", 8), ("/dev/urandom", 9)]
    {
        entries.push(SkeletonEntry::device(path, 1, minor));
    }
    let passwd = "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n";
    entries.push(SkeletonEntry::file("/etc/passwd", 0o644, passwd));
    entries.push(SkeletonEntry::file("/etc/group", 0o644, "root:x:0:\nsystemd-network:x:192:\nnogroup:x:65534:\n"));
    entries.push(SkeletonEntry::file("/etc/hosts", 0o644, "127.0.0.1\tlocalhost\n"));
    entries.push(SkeletonEntry::file("/etc/nsswitch.conf", 0o644, "passwd: files\ngroup: files\n"));
    entries
}
