//! [`RealHost`]: the machine itself.

mod directory;
mod files;
mod handle;
mod identity;
mod journal;
mod network;
mod run;
pub(crate) mod spawn;
mod syncs;

use crate::clock::{self, Clock, CpuTimes, LocalOffset, Randomness, Zone, ZoneCache};
use crate::compose::read_file;
use crate::error::{HostError, Result};
use crate::files::FileHandle;
use crate::host::Host;
use crate::queries::{Candidate, Mount, Package, Queries, QueryCache, Rpm, ServiceState, Topic, parse_mounts};
use crate::streams::{PollItem, Ready, StandardStream, Streams};
use crate::users::{Accounts, Group, User, Users};
use handle::RealHandle;
use indexmap::IndexMap;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::time::{ClockId, clock_getres, clock_gettime};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStringExt;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The machine itself. Creating one costs nothing; the environment is copied when first used.
#[derive(Default)]
pub struct RealHost {
    /// `None` until `chdir`: relative paths are then passed to system calls unchanged.
    cwd: RefCell<Option<Vec<u8>>>,
    /// The process's umask, once it has been read.
    umask: Cell<Option<u32>>,
    env: OnceCell<RefCell<IndexMap<Vec<u8>, Vec<u8>>>>,
    accounts: Accounts,
    zones: ZoneCache,
    queries: QueryCache,
    syncs: syncs::Syncs,
    journal: journal::Journal,
    /// Notes about how commands ended; `None` if they are not kept.
    notes: RefCell<Option<Vec<String>>>,
    /// Hears each second how long a command has been running; absent unless somebody shows it.
    watcher: RefCell<Option<Watcher>>,
}

/// Called with the time that a command has been running, each second, and with `None` before its next output and at its end.
type Watcher = Box<dyn FnMut(Option<Duration>)>;

impl RealHost {
    /// Starts with the process's working directory and environment.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether written files and directories are synced to disk (the default).
    pub fn set_durable(&self, on: bool) {
        self.syncs.set(on);
    }

    /// Starts keeping notes for [`crate::Processes::take_notes`].
    pub fn keep_notes(&self) {
        self.notes.borrow_mut().get_or_insert_default();
    }

    /// Lets somebody see each second how long a command has been running, and when that is over or the command writes (`None`). A watcher starts no command.
    pub fn watch_commands(&self, watcher: impl FnMut(Option<Duration>) + 'static) {
        *self.watcher.borrow_mut() = Some(Box::new(watcher));
    }

    fn environment(&self) -> &RefCell<IndexMap<Vec<u8>, Vec<u8>>> {
        self.env.get_or_init(|| {
            let pairs = std::env::vars_os().map(|(name, value)| (name.into_vec(), value.into_vec()));
            RefCell::new(pairs.collect())
        })
    }

    fn tz(&self) -> Option<Vec<u8>> {
        self.environment().borrow().get(b"TZ".as_slice()).cloned()
    }
}

impl Host for RealHost {}

impl Clock for RealHost {
    fn wall_ns(&self) -> i64 {
        self.clock_ns(nix::libc::CLOCK_REALTIME).unwrap_or(0)
    }

    fn monotonic_ns(&self) -> u64 {
        self.clock_ns(nix::libc::CLOCK_MONOTONIC).unwrap_or(0) as u64
    }

    fn clock_ns(&self, id: i32) -> Result<i64> {
        let time = clock_gettime(ClockId::from_raw(id)).map_err(|e| HostError::new(e as i32, "clock_gettime"))?;
        Ok(time.tv_sec() * 1_000_000_000 + time.tv_nsec())
    }

    fn clock_resolution_ns(&self, id: i32) -> Result<i64> {
        let time = clock_getres(ClockId::from_raw(id)).map_err(|e| HostError::new(e as i32, "clock_getres"))?;
        Ok(time.tv_sec() * 1_000_000_000 + time.tv_nsec())
    }

    fn cpu_times(&self) -> CpuTimes {
        use nix::sys::resource::{UsageWho, getrusage};
        let ns = |time: nix::sys::time::TimeVal| (time.tv_sec() * 1_000_000_000 + time.tv_usec() * 1000) as u64;
        let of = |who| getrusage(who).map(|usage| (ns(usage.user_time()), ns(usage.system_time()))).unwrap_or_default();
        let (user, system) = of(UsageWho::RUSAGE_SELF);
        let (children_user, children_system) = of(UsageWho::RUSAGE_CHILDREN);
        CpuTimes { user, system, children_user, children_system }
    }

    fn local_zone(&self, secs: i64) -> Zone {
        self.zones.zone(self.tz(), secs, |path| read_file(self, path).ok())
    }

    fn local_offset(&self, civil_secs: i64) -> LocalOffset {
        self.zones.offset(self.tz(), civil_secs, |path| read_file(self, path).ok())
    }

    fn named_zone(&self, name: &[u8], secs: i64) -> Option<Zone> {
        clock::named_zone(name, secs)
    }

    fn sleep(&self, duration: Duration) -> Result<()> {
        let deadline = Deadline::after(Some(duration));
        loop {
            if crate::sys::signal_waits() {
                return Err(HostError::new(nix::libc::EINTR, "sleep"));
            }
            let Some(left) = deadline.left().filter(|left| !left.is_zero()) else { return Ok(()) };
            // poll(2) without descriptors: unlike std's sleep it returns on a signal.
            match poll_ready(&mut [], crate::sys::patience(Some(left))) {
                Err(errno) if errno != nix::libc::EINTR => return Err(HostError::new(errno, "sleep")),
                _ => {}
            }
        }
    }
}

impl Randomness for RealHost {
    fn fill(&self, buffer: &mut [u8]) -> Result<()> {
        crate::sys::random(buffer).map_err(|e| HostError::from_io(&e, "getrandom", None))
    }
}

impl Users for RealHost {
    fn user_by_name(&self, name: &[u8]) -> Result<Option<User>> {
        self.accounts.user(self, name, |user| user.name == name)
    }

    fn user_by_id(&self, uid: u32) -> Result<Option<User>> {
        self.accounts.user(self, uid.to_string().as_bytes(), |user| user.uid == uid)
    }

    fn group_by_name(&self, name: &[u8]) -> Result<Option<Group>> {
        self.accounts.group(self, name, |group| group.name == name)
    }

    fn group_by_id(&self, gid: u32) -> Result<Option<Group>> {
        self.accounts.group(self, gid.to_string().as_bytes(), |group| group.gid == gid)
    }

    fn users(&self) -> Result<Vec<User>> {
        Ok(self.accounts.users(self)?.to_vec())
    }

    fn groups(&self) -> Result<Vec<Group>> {
        Ok(self.accounts.groups(self)?.to_vec())
    }
}

impl Streams for RealHost {
    fn standard(&self, which: StandardStream) -> Result<Box<dyn FileHandle>> {
        // A duplicate of the descriptor, so that dropping the handle does not close the stream.
        let (owned, number) = match which {
            StandardStream::Input => (std::io::stdin().as_fd().try_clone_to_owned(), 0),
            StandardStream::Output => (std::io::stdout().as_fd().try_clone_to_owned(), 1),
            StandardStream::Error => (std::io::stderr().as_fd().try_clone_to_owned(), 2),
        };
        let owned = owned.map_err(|e| HostError::from_io(&e, "dup", None))?;
        Ok(Box::new(RealHandle::numbered(File::from(owned), number)))
    }

    fn poll(&self, items: &[PollItem<'_>], timeout: Option<Duration>) -> Result<Vec<Ready>> {
        let numbers: Vec<Option<i32>> = items.iter().map(|item| item.handle.fd()).collect();
        let memory = numbers.iter().any(Option::is_none);
        let timeout = if memory { Some(Duration::ZERO) } else { timeout };
        let mut raw = crate::sys::PollSet::new(
            items.iter().zip(&numbers).map(|(item, number)| (number.unwrap_or(-1), item.read, item.write)),
        );
        let deadline = Deadline::after(timeout);
        raw.wait(deadline.left()).map_err(|e| HostError::from_io(&e, "poll", None))?;
        let mut ready = Vec::new();
        for (at, item) in items.iter().enumerate() {
            let (read, write) = match numbers[at] {
                None => (item.read, item.write),
                Some(_) => raw.ready(at, item.read, item.write),
            };
            if read || write {
                ready.push(Ready { item: at, read, write });
            }
        }
        Ok(ready)
    }
}

impl Queries for RealHost {
    fn package(&self, name: &str) -> Result<Option<Package>> {
        self.queries.package(self, name)
    }

    fn packages(&self) -> Result<Vec<Package>> {
        self.queries.packages(self)
    }

    fn rpm(&self, name: &str) -> Result<Vec<Rpm>> {
        self.queries.rpm(self, name)
    }

    fn candidates(&self, names: &[&str]) -> Result<BTreeMap<String, Candidate>> {
        self.queries.candidates(self, names)
    }

    fn systemd_running(&self) -> bool {
        std::path::Path::new("/run/systemd/system").is_dir()
    }

    fn services(&self, names: &[&str]) -> Result<BTreeMap<String, ServiceState>> {
        self.queries.services(self, names)
    }

    fn mounts(&self) -> Result<Vec<Mount>> {
        Ok(parse_mounts(&read_file(self, b"/proc/mounts")?))
    }

    fn invalidate(&self, topic: Topic) {
        self.queries.invalidate(topic);
    }
}

/// A point in time, or none.
#[derive(Clone, Copy)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    pub(crate) fn after(timeout: Option<Duration>) -> Self {
        Self(timeout.and_then(|timeout| Instant::now().checked_add(timeout)))
    }

    /// The remaining time; `None` without a deadline.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.0.map(|at| at.saturating_duration_since(Instant::now()))
    }

    pub(crate) fn passed(&self) -> bool {
        self.left().is_some_and(|left| left.is_zero())
    }
}

/// poll(2) with nix's types: the number of ready descriptors, or the errno.
fn poll_ready(fds: &mut [PollFd<'_>], timeout: Option<Duration>) -> std::result::Result<i32, i32> {
    poll(fds, poll_timeout(timeout)).map_err(|e| e as i32)
}

/// Rounds up to a millisecond, so that a wait never ends early; longer times are truncated (callers loop).
pub(crate) fn poll_timeout(timeout: Option<Duration>) -> PollTimeout {
    match timeout {
        None => PollTimeout::NONE,
        Some(timeout) => {
            let ms = timeout.as_nanos().div_ceil(1_000_000).min(i32::MAX as u128);
            PollTimeout::try_from(ms as i32).unwrap_or(PollTimeout::MAX)
        }
    }
}

/// Waits until a descriptor is ready; `EAGAIN` on timeout.
fn wait_for(fd: BorrowedFd<'_>, flags: PollFlags, timeout: Duration, op: &'static str) -> Result<()> {
    let deadline = Deadline::after(Some(timeout));
    loop {
        match poll_ready(&mut [PollFd::new(fd, flags)], deadline.left()) {
            Ok(0) if deadline.passed() => return Err(HostError::new(nix::libc::EAGAIN, op)),
            Ok(0) => {}
            Ok(_) => return Ok(()),
            Err(errno) => return Err(HostError::new(errno, op)),
        }
    }
}

pub fn shared() -> Rc<dyn Host> {
    Rc::new(RealHost::new())
}
