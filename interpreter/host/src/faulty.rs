//! [`FaultyHost`]: a host in which selected calls fail, for tests.

use crate::clock::{Clock, CpuTimes, LocalOffset, Randomness, Zone};
use crate::directory::Directory;
use crate::error::{HostError, Result};
use crate::files::{Access, DirEntry, FileHandle, Files, LockKind, OpenFlags, Seek, SetTime, Stat, StatFs, Time};
use crate::host::Host;
use crate::identity::{Identity, Ids};
use crate::location::LocationSource;
use crate::network::{Network, Socket};
use crate::overlay::OverlayHost;
use crate::processes::{
    CommandEvent, CommandOutput, CommandSpec, Disposition, ExitStatus, Flow, Processes, Spawned, Uname, WaitTarget,
};
use crate::queries::{Candidate, Mount, Package, Queries, Rpm, ServiceState, Topic};
use crate::streams::{PollItem, Ready, StandardStream, Streams};
use crate::users::{Group, User, Users};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::rc::Rc;
use std::time::Duration;

/// A call that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The method's name (`"rename"`), for handles with a prefix (`"handle.write"`). `"*"` matches any call that can fail.
    pub op: String,
    /// A part of the path or command line; empty matches everything.
    pub subject: Vec<u8>,
    /// Which of the matching calls fails, from 1.
    pub nth: u32,
    /// The error of the call.
    pub errno: i32,
}

impl Fault {
    /// The nth call of a method, with any subject.
    pub fn nth(op: &str, nth: u32, errno: i32) -> Self {
        Self { op: op.to_string(), subject: Vec::new(), nth, errno }
    }
}

/// Delegates to another host, except for the calls that fail.
pub struct FaultyHost {
    inner: Rc<dyn Host>,
    plan: Rc<Plan>,
}

#[derive(Default)]
struct Plan {
    faults: RefCell<Vec<(Fault, u32)>>,
    fired: Cell<u32>,
    calls: RefCell<Vec<(&'static str, Vec<u8>)>>,
}

impl Plan {
    fn check(&self, op: &'static str, subject: &[u8]) -> Result<()> {
        self.calls.borrow_mut().push((op, subject.to_vec()));
        for (fault, seen) in self.faults.borrow_mut().iter_mut() {
            let fits = (fault.op == "*" || fault.op == op)
                && (fault.subject.is_empty() || memchr::memmem::find(subject, &fault.subject).is_some());
            if fits {
                *seen += 1;
                if *seen == fault.nth {
                    self.fired.set(self.fired.get() + 1);
                    return Err(HostError::at(fault.errno, op, subject));
                }
            }
        }
        Ok(())
    }
}

impl FaultyHost {
    /// A host in which these calls fail.
    pub fn new(inner: Rc<dyn Host>, faults: impl IntoIterator<Item = Fault>) -> Self {
        let plan = Plan::default();
        *plan.faults.borrow_mut() = faults.into_iter().map(|fault| (fault, 0)).collect();
        Self { inner, plan: Rc::new(plan) }
    }

    /// Adds a fault; its calls are counted from now on.
    pub fn fail(&self, fault: Fault) {
        self.plan.faults.borrow_mut().push((fault, 0));
    }

    /// The number of failed calls: a test that fails each call in turn is done when this stays 0.
    pub fn fired(&self) -> u32 {
        self.plan.fired.get()
    }

    /// All calls that could have failed, in order: method and subject.
    pub fn calls(&self) -> Vec<(&'static str, Vec<u8>)> {
        self.plan.calls.borrow().clone()
    }

    fn wrap(&self, handle: Box<dyn FileHandle>, path: &[u8]) -> Box<dyn FileHandle> {
        Box::new(FaultyHandle { inner: handle, path: path.to_vec(), plan: Rc::clone(&self.plan) })
    }
}

/// Methods that can fail: `name(subject; arguments) -> type`; the subject is a byte string computed from the arguments.
macro_rules! failing {
    ($($name:ident($subject:expr; $($arg:ident: $type:ty),*) -> $ret:ty;)*) => {
        $(fn $name(&self, $($arg: $type),*) -> Result<$ret> {
            self.plan.check(stringify!($name), $subject)?;
            self.inner.$name($($arg),*)
        })*
    };
}

/// Methods that cannot fail.
macro_rules! passing {
    ($($name:ident($($arg:ident: $type:ty),*) -> $ret:ty;)*) => {
        $(fn $name(&self, $($arg: $type),*) -> $ret {
            self.inner.$name($($arg),*)
        })*
    };
}

impl Files for FaultyHost {
    fn open(&self, path: &[u8], flags: OpenFlags, mode: u32) -> Result<Box<dyn FileHandle>> {
        self.plan.check("open", path)?;
        Ok(self.wrap(self.inner.open(path, flags, mode)?, path))
    }

    failing! {
        stat(path; path: &[u8]) -> Stat;
        lstat(path; path: &[u8]) -> Stat;
        birthtime(path; path: &[u8]) -> Time;
        mkdir(path; path: &[u8], mode: u32) -> ();
        rmdir(path; path: &[u8]) -> ();
        unlink(path; path: &[u8]) -> ();
        rename(from; from: &[u8], to: &[u8]) -> ();
        symlink(path; target: &[u8], path: &[u8]) -> ();
        link(path; target: &[u8], path: &[u8]) -> ();
        readlink(path; path: &[u8]) -> Vec<u8>;
        chmod(path; path: &[u8], mode: u32) -> ();
        chown(path; path: &[u8], uid: Option<u32>, gid: Option<u32>, follow: bool) -> ();
        set_times(path; path: &[u8], atime: SetTime, mtime: SetTime, follow: bool) -> ();
        readdir(path; path: &[u8]) -> Vec<DirEntry>;
        mkfifo(path; path: &[u8], mode: u32) -> ();
        access(path; path: &[u8], want: Access, effective: bool) -> ();
        realpath(path; path: &[u8]) -> Vec<u8>;
        statfs(path; path: &[u8]) -> StatFs;
        chdir(path; path: &[u8]) -> ();
        getcwd(b""; ) -> Vec<u8>;
    }
    fn open_parent(&self, path: &[u8], follow: bool) -> Result<(Box<dyn Directory + '_>, Vec<u8>)> {
        self.plan.check("open_parent", path)?;
        let (inner, name) = self.inner.open_parent(path, follow)?;
        Ok((Box::new(FaultyDirectory { inner, plan: Rc::clone(&self.plan) }), name))
    }
    fn staging(&self, dir: &[u8]) -> Result<String> {
        self.plan.check("staging", dir)?;
        self.inner.staging(dir)
    }

    passing! {
        umask(mask: Option<u32>) -> u32;
        durable() -> bool;
        settle() -> ();
    }
}

struct FaultyDirectory<'a> {
    inner: Box<dyn Directory + 'a>,
    plan: Rc<Plan>,
}

impl Directory for FaultyDirectory<'_> {
    fn path(&self) -> &[u8] {
        self.inner.path()
    }
    fn open(&self, name: &[u8], flags: OpenFlags, mode: u32) -> Result<Box<dyn FileHandle>> {
        self.plan.check("openat", name)?;
        let inner = self.inner.open(name, flags, mode)?;
        Ok(Box::new(FaultyHandle { inner, path: name.to_vec(), plan: Rc::clone(&self.plan) }))
    }
    failing! {
        lstat(name; name: &[u8]) -> Stat;
        rename(from; from: &[u8], to: &[u8]) -> ();
        unlink(name; name: &[u8]) -> ();
        chmod(name; name: &[u8], mode: u32) -> ();
        chown(name; name: &[u8], uid: Option<u32>, gid: Option<u32>) -> ();
    }
    passing! {
        is_pseudo() -> bool;
        changed() -> ();
    }
}

impl Processes for FaultyHost {
    failing! {
        spawn(&spec.display(); spec: &CommandSpec) -> Spawned;
        run(&spec.display(); spec: &CommandSpec, on_event: &mut dyn FnMut(CommandEvent<'_>) -> Flow) -> CommandOutput;
        fork(b""; ) -> Option<i32>;
        wait(b""; target: WaitTarget, timeout: Option<Duration>) -> Option<ExitStatus>;
        wait_stopped(b""; target: WaitTarget, timeout: Option<Duration>) -> Option<ExitStatus>;
        kill(pid.to_string().as_bytes(); pid: i32, signal: i32) -> ();
        pipe(b""; ) -> (Box<dyn FileHandle>, Box<dyn FileHandle>);
        inherited(b""; number: i32) -> Box<dyn FileHandle>;
        pgid(b""; pid: i32) -> i32;
        set_pgid(b""; pid: i32, group: i32) -> ();
        new_session(b""; ) -> i32;
        uname(b""; ) -> Uname;
        on_signal(b""; signal: i32, disposition: Disposition) -> ();
        limit(b""; resource: i32) -> (u64, u64);
        set_limit(b""; resource: i32, soft: u64, hard: u64) -> ();
        set_env(name; name: &[u8], value: &[u8]) -> ();
    }
    passing! {
        exec(spec: &CommandSpec) -> HostError;
        leave(status: u8) -> ();
        pid() -> i32;
        ppid() -> i32;
        processors() -> usize;
        take_signals() -> Vec<i32>;
        stop_asked() -> bool;
        env(name: &[u8]) -> Option<Vec<u8>>;
        remove_env(name: &[u8]) -> ();
        env_list() -> Vec<(Vec<u8>, Vec<u8>)>;
    }
}

impl Identity for FaultyHost {
    failing! {
        supplementary_groups(b""; ) -> Vec<u32>;
        user_ids(b""; ) -> Ids;
        group_ids(b""; ) -> Ids;
        set_user_ids(b""; ids: Ids<Option<u32>>) -> ();
        set_group_ids(b""; ids: Ids<Option<u32>>) -> ();
        set_user_id(b""; id: u32) -> ();
        set_group_id(b""; id: u32) -> ();
        set_supplementary_groups(b""; groups: &[u32]) -> ();
        init_groups(user; user: &[u8], group: u32) -> ();
        priority(b""; kind: i32, id: u32) -> i32;
        set_priority(b""; kind: i32, id: u32, priority: i32) -> ();
        session(b""; pid: i32) -> i32;
    }
    passing! {
        uids() -> (u32, u32);
        gids() -> (u32, u32);
    }
}

impl Users for FaultyHost {
    failing! {
        user_by_name(name; name: &[u8]) -> Option<User>;
        user_by_id(b""; uid: u32) -> Option<User>;
        group_by_name(name; name: &[u8]) -> Option<Group>;
        group_by_id(b""; gid: u32) -> Option<Group>;
        users(b""; ) -> Vec<User>;
        groups(b""; ) -> Vec<Group>;
    }
}

impl Clock for FaultyHost {
    failing! {
        clock_ns(b""; id: i32) -> i64;
        clock_resolution_ns(b""; id: i32) -> i64;
        sleep(b""; duration: Duration) -> ();
    }
    passing! {
        wall_ns() -> i64;
        monotonic_ns() -> u64;
        cpu_times() -> CpuTimes;
        local_zone(secs: i64) -> Zone;
        local_offset(civil_secs: i64) -> LocalOffset;
        named_zone(name: &[u8], secs: i64) -> Option<Zone>;
        is_simulated() -> bool;
        unsimulated_ns() -> u64;
        ran(steps: u64) -> ();
    }
}

impl Randomness for FaultyHost {
    failing! {
        fill(b""; buffer: &mut [u8]) -> ();
    }
}

impl Network for FaultyHost {
    failing! {
        socket(b""; domain: i32, kind: i32, protocol: i32) -> Box<dyn FileHandle>;
        socket_pair(b""; domain: i32, kind: i32, protocol: i32) -> (Box<dyn FileHandle>, Box<dyn FileHandle>);
        connect(address; socket: &dyn Socket, address: &[u8]) -> ();
        bind(address; socket: &dyn Socket, address: &[u8]) -> ();
        listen(b""; socket: &dyn Socket, backlog: i32) -> ();
        send_to(address; socket: &dyn Socket, data: &[u8], flags: i32, address: &[u8]) -> usize;
        resolve(host.as_bytes(); host: &str) -> Vec<IpAddr>;
        hostname(b""; ) -> Vec<u8>;
        interfaces(b""; ) -> Vec<crate::network::Interface>;
        routes(b""; family: u8) -> Vec<u8>;
    }
}

impl Streams for FaultyHost {
    fn standard(&self, which: StandardStream) -> Result<Box<dyn FileHandle>> {
        self.plan.check("standard", b"")?;
        let name: &[u8] = match which {
            StandardStream::Input => b"/dev/stdin",
            StandardStream::Output => b"/dev/stdout",
            StandardStream::Error => b"/dev/stderr",
        };
        Ok(self.wrap(self.inner.standard(which)?, name))
    }

    failing! {
        poll(b""; items: &[PollItem<'_>], timeout: Option<Duration>) -> Vec<Ready>;
    }
}

impl Queries for FaultyHost {
    failing! {
        package(name.as_bytes(); name: &str) -> Option<Package>;
        packages(b""; ) -> Vec<Package>;
        rpm(name.as_bytes(); name: &str) -> Vec<Rpm>;
        candidates(names.join(" ").as_bytes(); names: &[&str]) -> BTreeMap<String, Candidate>;
        services(names.join(" ").as_bytes(); names: &[&str]) -> BTreeMap<String, ServiceState>;
        mounts(b""; ) -> Vec<Mount>;
    }
    passing! {
        systemd_running() -> bool;
        invalidate(topic: Topic) -> ();
    }
}

impl Host for FaultyHost {
    fn as_overlay(&self) -> Option<&OverlayHost> {
        self.inner.as_overlay()
    }

    fn set_location_source(&self, source: LocationSource) {
        self.inner.set_location_source(source);
    }
}

struct FaultyHandle {
    inner: Box<dyn FileHandle>,
    path: Vec<u8>,
    plan: Rc<Plan>,
}

/// The same as `failing` for handles.
macro_rules! failing_handle {
    ($($name:ident $op:literal($($arg:ident: $type:ty),*) -> $ret:ty;)*) => {
        $(fn $name(&self, $($arg: $type),*) -> Result<$ret> {
            self.plan.check($op, &self.path)?;
            self.inner.$name($($arg),*)
        })*
    };
}

impl FileHandle for FaultyHandle {
    failing_handle! {
        read "handle.read"(buffer: &mut [u8], timeout: Option<Duration>) -> usize;
        write "handle.write"(data: &[u8], timeout: Option<Duration>) -> usize;
        pread "handle.pread"(buffer: &mut [u8], offset: u64) -> usize;
        pwrite "handle.pwrite"(data: &[u8], offset: u64) -> usize;
        seek "handle.seek"(to: Seek) -> u64;
        truncate "handle.truncate"(length: u64) -> ();
        sync "handle.sync"(data_only: bool) -> ();
        stat "handle.stat"() -> Stat;
        chmod "handle.chmod"(mode: u32) -> ();
        chown "handle.chown"(uid: Option<u32>, gid: Option<u32>) -> ();
        set_times "handle.set_times"(atime: SetTime, mtime: SetTime) -> ();
        flock "handle.flock"(kind: LockKind, block: bool) -> bool;
        pending "handle.pending"() -> u64;
    }
    passing! {
        fd() -> Option<i32>;
        is_tty() -> bool;
        window_size() -> Option<(u16, u16)>;
    }

    fn dup(&self) -> Result<Box<dyn FileHandle>> {
        self.plan.check("handle.dup", &self.path)?;
        let inner = self.inner.dup()?;
        Ok(Box::new(Self { inner, path: self.path.clone(), plan: Rc::clone(&self.plan) }))
    }
}
