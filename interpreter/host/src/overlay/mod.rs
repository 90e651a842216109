//! [`OverlayHost`]: a machine whose writes stay in memory and whose effects and reads are recorded.

mod base;
mod changes;
mod commands;
mod effect;
mod files;
mod handle;
pub mod skeleton;
mod tree;
mod walk;

pub use changes::{Change, ChangeKind};
pub use commands::{Answer, Answerer, Policy};
pub use effect::{Effect, EffectKind};
pub use walk::Identity;

use crate::clock::{self, Clock, CpuTimes, LocalOffset, Randomness, Zone, ZoneCache};
use crate::compose::{read_all, read_file, write_file};
use crate::error::{HostError, Result};
use crate::files::{FileHandle, Files, Stat, join};
use crate::host::{Host, LocationSource};
use crate::network::{Address, Network, Socket};
use crate::processes::Uname;
use crate::queries::{Candidate, Mount, Package, Queries, QueryCache, ServiceState, Topic, parse_mounts};
use crate::streams::{PollItem, Ready, StandardStream, Streams};
use crate::users::{Accounts, Group, User, Users};
use base::{Base, Shown};
use commands::Children;
use handle::MemoryPipe;
use nix::libc;
use skeleton::{SkeletonEntry, SkeletonItem};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::rc::Rc;
use std::time::Duration;
use tree::{Content, Inode, Origin};
use walk::Core;

/// How an overlay behaves. The default suits a dump: nothing of the machine shows, nothing runs.
#[derive(Clone)]
pub struct OverlayOptions {
    /// What commands do that no answerer answers.
    pub policy: Policy,
    /// Asked in order before the policy.
    pub answers: Vec<Answerer>,
    /// Paths of the machine that always show, and whose reading is not recorded (the chef-repo, the cache).
    pub passthrough: Vec<Vec<u8>>,
    /// The start of the environment; the machine's when `None`.
    pub env: Option<BTreeMap<Vec<u8>, Vec<u8>>>,
    /// The working directory; the machine's when `None`.
    pub cwd: Option<Vec<u8>>,
    /// Who the run is; the machine's user when `None`.
    pub identity: Option<Identity>,
    /// The kernel to report; the machine's when `None`.
    pub uname: Option<Uname>,
    /// Whether connections and lookups reach the network; else `ENETUNREACH`.
    pub network: bool,
    /// Whether sleeping only moves the clocks on.
    pub virtual_sleep: bool,
    /// Wall-clock time in nanoseconds that stands still (but for virtual sleeps).
    pub frozen_time: Option<i64>,
    /// Whether stdout and stderr go to memory (`captured`).
    pub capture: bool,
    /// Whether what goes to stdout is written to stderr: stdout is the caller's own.
    pub output_to_error: bool,
}

impl Default for OverlayOptions {
    fn default() -> Self {
        Self {
            policy: Policy::Record,
            answers: Vec::new(),
            passthrough: Vec::new(),
            env: None,
            cwd: None,
            identity: None,
            uname: None,
            network: false,
            virtual_sleep: false,
            frozen_time: None,
            capture: false,
            output_to_error: false,
        }
    }
}

/// A machine whose changes stay in memory.
pub struct OverlayHost {
    core: Rc<Core>,
    options: OverlayOptions,
    env: RefCell<BTreeMap<Vec<u8>, Vec<u8>>>,
    accounts: Accounts,
    zones: ZoneCache,
    queries: QueryCache,
    packages: RefCell<BTreeMap<String, Option<Package>>>,
    services: RefCell<BTreeMap<String, ServiceState>>,
    children: Children,
    /// Over an empty root the bytes are the same in every run: what such a run makes can be compared.
    random: Option<Cell<u64>>,
    captured: [MemoryPipe; 2],
}

impl OverlayHost {
    /// Over the whole machine: everything shows until it is changed.
    pub fn over(machine: Rc<dyn Host>, options: OverlayOptions) -> Self {
        Self::build(machine, Shown::Whole, options)
    }

    /// Over a directory that stands for the root of a machine; of this machine only the passthrough paths show.
    pub fn below(machine: Rc<dyn Host>, root: &[u8], options: OverlayOptions) -> Self {
        let root = machine.realpath(root).unwrap_or_else(|_| root.to_vec());
        Self::build(machine, Shown::Below(root), options)
    }

    /// Over an empty root with a skeleton; of the machine only the passthrough paths show.
    pub fn empty(machine: Rc<dyn Host>, skeleton: &[SkeletonEntry], options: OverlayOptions) -> Result<Self> {
        let host = Self::build(machine, Shown::Nothing, options);
        for entry in skeleton {
            host.plant(entry)?;
        }
        Ok(host)
    }

    fn build(machine: Rc<dyn Host>, shown: Shown, options: OverlayOptions) -> Self {
        let whole = shown == Shown::Whole;
        let identity = options.identity.clone().unwrap_or_else(|| Identity {
            uid: machine.uids().1,
            gid: machine.gids().1,
            groups: machine.supplementary_groups().unwrap_or_default(),
        });
        let cwd = options.cwd.clone().or_else(|| machine.getcwd().ok()).unwrap_or_else(|| b"/".to_vec());
        let env = options.env.clone().unwrap_or_else(|| machine.env_list().into_iter().collect());
        let umask = machine.umask(None);
        let root_stat = machine.lstat(b"/").ok().filter(|_| whole).unwrap_or_else(|| Stat {
            mode: libc::S_IFDIR | 0o755,
            nlink: 2,
            ino: 2,
            size: 4096,
            blksize: 4096,
            ..Stat::default()
        });
        let content = Content::Dir { entries: BTreeMap::new(), base: Some(b"/".to_vec()) };
        let root = Inode::new(root_stat, content, Origin::Base);
        let mut core = Core::new(Base::new(machine, shown), root, cwd, umask, identity);
        core.frozen = options.frozen_time;
        for path in &options.passthrough {
            core.base.pass(path);
        }
        Self {
            core: Rc::new(core),
            options,
            env: RefCell::new(env),
            accounts: Accounts::default(),
            zones: ZoneCache::default(),
            queries: QueryCache::default(),
            packages: RefCell::default(),
            services: RefCell::default(),
            children: Children::default(),
            random: (!whole).then(|| Cell::new(0)),
            captured: Default::default(),
        }
    }

    /// Adds an entry to the base: looking at it counts as a read, its being there is no effect.
    pub fn plant(&self, entry: &SkeletonEntry) -> Result<()> {
        let now = self.core.now();
        let (content, rdev) = match &entry.item {
            SkeletonItem::Dir => (Content::Dir { entries: BTreeMap::new(), base: Some(entry.path.clone()) }, 0),
            SkeletonItem::File(data) => (files::file_content(data), 0),
            SkeletonItem::Symlink(target) => (Content::Symlink(target.clone()), 0),
            SkeletonItem::CharDevice(major, minor) => (Content::Other, libc::makedev(*major, *minor)),
        };
        let stat = Stat {
            dev: 1 << 32,
            ino: self.core.fresh_id(),
            mode: entry.type_bits() | entry.mode & 0o7777,
            nlink: if entry.item == SkeletonItem::Dir { 2 } else { 1 },
            uid: entry.uid,
            gid: entry.gid,
            rdev,
            size: if entry.item == SkeletonItem::Dir { 4096 } else { 0 },
            blksize: 4096,
            atime: now,
            mtime: now,
            ctime: now,
            ..Stat::default()
        };
        files::plant(&self.core, &entry.path, &stat, content)
            .map_err(|errno| HostError::at(errno, "plant", &entry.path))
    }

    /// Lets a path of the machine show although the base is empty.
    pub fn pass_through(&self, path: &[u8]) {
        self.core.base.pass(path);
    }

    /// Effects and reads so far, in order; each read once for each place it came from.
    pub fn effects(&self) -> Vec<Effect> {
        self.core.recorder.all()
    }

    /// The same, and the record starts anew.
    pub fn take_effects(&self) -> Vec<Effect> {
        self.core.recorder.take()
    }

    /// From now on effects wait for [`Self::locate`] to give them their place: the caller knows it once the operation is over.
    pub fn defer_places(&self) {
        self.core.recorder.defer();
    }

    /// Whether effects wait for their place.
    pub fn is_waiting(&self) -> bool {
        self.core.recorder.is_waiting()
    }

    /// Gives the effects that wait their place.
    pub fn locate(&self, place: Option<&crate::SourceLocation>) {
        self.core.recorder.locate(place);
    }

    /// Runs something whose reads and effects are not to be recorded (they happen all the same, in memory).
    pub fn quietly<T>(&self, body: impl FnOnce() -> T) -> T {
        self.core.recorder.quietly(body)
    }

    /// What was written to stdout or stderr, when `capture` is set.
    pub fn captured(&self, which: StandardStream) -> Vec<u8> {
        match which {
            StandardStream::Input => Vec::new(),
            StandardStream::Output => self.captured[0].0.borrow().data.clone(),
            StandardStream::Error => self.captured[1].0.borrow().data.clone(),
        }
    }

    /// Takes a user as present, or as absent when only the name is given.
    pub fn assume_user(&self, name: &[u8], user: Option<&User>) -> Result<()> {
        self.assume_line(b"/etc/passwd", name, user.map(User::to_line))
    }

    /// Takes a group as present, or as absent when only the name is given.
    pub fn assume_group(&self, name: &[u8], group: Option<&Group>) -> Result<()> {
        self.assume_line(b"/etc/group", name, group.map(Group::to_line))
    }

    fn assume_line(&self, path: &[u8], name: &[u8], line: Option<Vec<u8>>) -> Result<()> {
        self.core.privileged.set(true);
        let result = self.quietly(|| {
            let old =
                read_file(self, path).or_else(|e| if e.errno == libc::ENOENT { Ok(Vec::new()) } else { Err(e) })?;
            let mut new = Vec::with_capacity(old.len() + 80);
            let mut line = line;
            for row in old.split_inclusive(|&b| b == b'\n') {
                if row.strip_prefix(name).is_some_and(|rest| rest.starts_with(b":")) {
                    new.extend(line.take().unwrap_or_default());
                } else {
                    new.extend_from_slice(row);
                    if !row.ends_with(b"\n") {
                        new.push(b'\n');
                    }
                }
            }
            new.extend(line.unwrap_or_default());
            write_file(self, path, &new, 0o644)
        });
        self.core.privileged.set(false);
        result
    }

    /// Takes a package's state as given; `None` takes it as unknown to dpkg.
    pub fn assume_package(&self, name: &str, package: Option<Package>) {
        self.packages.borrow_mut().insert(name.to_string(), package);
    }

    /// Takes a unit's state as given.
    pub fn assume_service(&self, name: &str, state: ServiceState) {
        self.services.borrow_mut().insert(name.to_string(), state);
    }

    fn record(&self, kind: EffectKind, subject: &[u8], detail: impl Into<String>) {
        self.core.recorder.record(kind, subject, detail);
    }

    fn machine(&self) -> &dyn Host {
        &*self.core.base.machine
    }

    fn whole(&self) -> bool {
        self.core.base.is_whole()
    }

    fn quiet_file(&self, path: &[u8]) -> Option<Vec<u8>> {
        self.quietly(|| read_file(self, path).ok())
    }

    fn tz(&self) -> Option<Vec<u8>> {
        self.env.borrow().get(b"TZ".as_slice()).cloned()
    }
}

impl Host for OverlayHost {
    fn as_overlay(&self) -> Option<&OverlayHost> {
        Some(self)
    }

    fn set_location_source(&self, source: LocationSource) {
        self.core.recorder.set_location_source(source);
    }
}

impl Clock for OverlayHost {
    fn wall_ns(&self) -> i64 {
        self.core.wall_ns()
    }

    fn monotonic_ns(&self) -> u64 {
        self.machine().monotonic_ns().saturating_add(self.core.slept.get())
    }

    fn clock_ns(&self, id: i32) -> Result<i64> {
        match id {
            libc::CLOCK_REALTIME => Ok(self.wall_ns()),
            libc::CLOCK_MONOTONIC => Ok(self.monotonic_ns() as i64),
            _ => self.machine().clock_ns(id),
        }
    }

    fn clock_resolution_ns(&self, id: i32) -> Result<i64> {
        self.machine().clock_resolution_ns(id)
    }

    fn cpu_times(&self) -> CpuTimes {
        self.machine().cpu_times()
    }

    fn local_zone(&self, secs: i64) -> Zone {
        self.zones.zone(self.tz(), secs, |path| self.quiet_file(path))
    }

    fn local_offset(&self, civil_secs: i64) -> LocalOffset {
        self.zones.offset(self.tz(), civil_secs, |path| self.quiet_file(path))
    }

    fn named_zone(&self, name: &[u8], secs: i64) -> Option<Zone> {
        clock::named_zone(name, secs)
    }

    fn sleep(&self, duration: Duration) -> Result<()> {
        if !self.options.virtual_sleep {
            return self.machine().sleep(duration);
        }
        let more = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        // Far beyond any deadline, short of overflowing the clocks.
        let limit = i64::MAX as u64 / 4;
        self.core.slept.set(self.core.slept.get().saturating_add(more).min(limit));
        Ok(())
    }
}

impl Randomness for OverlayHost {
    fn fill(&self, buffer: &mut [u8]) -> Result<()> {
        let Some(state) = &self.random else { return self.machine().fill(buffer) };
        for chunk in buffer.chunks_mut(8) {
            state.set(state.get().wrapping_add(0x9E37_79B9_7F4A_7C15));
            // SplitMix64's finalizer
            let mut mixed = state.get();
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            mixed ^= mixed >> 31;
            chunk.copy_from_slice(&mixed.to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

impl OverlayHost {
    /// The overlay's own file decides; what other sources know shows through a whole base.
    fn find_user(&self, subject: &[u8], fits: impl Fn(&User) -> bool) -> Result<Option<User>> {
        self.record(EffectKind::ReadUser, subject, "");
        let users = self.quietly(|| self.accounts.users(self))?;
        if let Some(user) = users.iter().find(|user| fits(user)) {
            return Ok(Some(user.clone()));
        }
        if !self.whole() || self.machine().users()?.iter().any(&fits) {
            return Ok(None);
        }
        match number(subject) {
            Some(uid) => self.machine().user_by_id(uid),
            None => self.machine().user_by_name(subject),
        }
    }

    fn find_group(&self, subject: &[u8], fits: impl Fn(&Group) -> bool) -> Result<Option<Group>> {
        self.record(EffectKind::ReadGroup, subject, "");
        let groups = self.quietly(|| self.accounts.groups(self))?;
        if let Some(group) = groups.iter().find(|group| fits(group)) {
            return Ok(Some(group.clone()));
        }
        if !self.whole() || self.machine().groups()?.iter().any(&fits) {
            return Ok(None);
        }
        match number(subject) {
            Some(gid) => self.machine().group_by_id(gid),
            None => self.machine().group_by_name(subject),
        }
    }
}

/// Names of digits alone are ids here: account names cannot be.
fn number(subject: &[u8]) -> Option<u32> {
    std::str::from_utf8(subject).ok()?.parse().ok()
}

impl Users for OverlayHost {
    fn user_by_name(&self, name: &[u8]) -> Result<Option<User>> {
        self.find_user(name, |user| user.name == name)
    }

    fn user_by_id(&self, uid: u32) -> Result<Option<User>> {
        self.find_user(uid.to_string().as_bytes(), |user| user.uid == uid)
    }

    fn group_by_name(&self, name: &[u8]) -> Result<Option<Group>> {
        self.find_group(name, |group| group.name == name)
    }

    fn group_by_id(&self, gid: u32) -> Result<Option<Group>> {
        self.find_group(gid.to_string().as_bytes(), |group| group.gid == gid)
    }

    fn users(&self) -> Result<Vec<User>> {
        self.record(EffectKind::ReadUser, b"*", "");
        Ok(self.quietly(|| self.accounts.users(self))?.to_vec())
    }

    fn groups(&self) -> Result<Vec<Group>> {
        self.record(EffectKind::ReadGroup, b"*", "");
        Ok(self.quietly(|| self.accounts.groups(self))?.to_vec())
    }
}

impl Network for OverlayHost {
    fn socket(&self, domain: i32, kind: i32, protocol: i32) -> Result<Box<dyn FileHandle>> {
        known_family(domain, "socket")?;
        self.machine().socket(domain, kind, protocol)
    }

    fn socket_pair(&self, domain: i32, kind: i32, protocol: i32) -> Result<(Box<dyn FileHandle>, Box<dyn FileHandle>)> {
        known_family(domain, "socketpair")?;
        self.machine().socket_pair(domain, kind, protocol)
    }

    fn connect(&self, socket: &dyn Socket, address: &[u8]) -> Result<()> {
        let address = self.reach_address(address)?;
        self.machine().connect(socket, &address)
    }

    fn bind(&self, socket: &dyn Socket, address: &[u8]) -> Result<()> {
        let address = self.reach_address(address)?;
        // the path would appear on the machine
        if let Some(Address::Unix(path)) = Address::parse(&address)
            && path.first().is_some_and(|&byte| byte != 0)
        {
            return Err(HostError::at(libc::EACCES, "bind", &path));
        }
        self.machine().bind(socket, &address)
    }

    fn listen(&self, socket: &dyn Socket, backlog: i32) -> Result<()> {
        // one that is not bound would get a port of the machine
        self.reach_address(&socket.local()?)?;
        self.machine().listen(socket, backlog)
    }

    fn send_to(&self, socket: &dyn Socket, data: &[u8], flags: i32, address: &[u8]) -> Result<usize> {
        let address = self.reach_address(address)?;
        self.machine().send_to(socket, data, flags, &address)
    }

    fn resolve(&self, host: &str) -> Result<Vec<IpAddr>> {
        if let Ok(ip) = host.parse::<IpAddr>() {
            return Ok(vec![ip]);
        }
        self.reach(host)?;
        self.machine().resolve(host)
    }

    fn hostname(&self) -> Result<Vec<u8>> {
        self.record(EffectKind::ReadSystem, b"hostname", "");
        if self.whole() {
            return self.machine().hostname();
        }
        let name = self.quiet_file(b"/etc/hostname").unwrap_or_default();
        let name = name.trim_ascii();
        Ok(if name.is_empty() { b"localhost".to_vec() } else { name.to_vec() })
    }

    fn interfaces(&self) -> Result<Vec<crate::network::Interface>> {
        self.record(EffectKind::ReadSystem, b"interfaces", "");
        // a machine that is only a tree of files has none
        if self.whole() { self.machine().interfaces() } else { Ok(Vec::new()) }
    }
}

/// Sockets of other families speak to the kernel itself (netlink, raw packets): no address of theirs would be asked about.
fn known_family(domain: i32, op: &'static str) -> Result<()> {
    match domain {
        libc::AF_UNIX | libc::AF_INET | libc::AF_INET6 => Ok(()),
        _ => Err(HostError::new(libc::EAFNOSUPPORT, op)),
    }
}

impl OverlayHost {
    /// The address with its path made absolute, when it may be reached.
    fn reach_address(&self, address: &[u8]) -> Result<Vec<u8>> {
        self.reach(&Address::parse(address).map_or_else(String::new, |address| address.text()))?;
        Ok(Address::under(address, &self.core.cwd.borrow()))
    }

    fn reach(&self, target: &str) -> Result<()> {
        let allowed = self.options.network;
        self.record(EffectKind::Network, target.as_bytes(), if allowed { "" } else { "refused" });
        if allowed { Ok(()) } else { Err(HostError::at(libc::ENETUNREACH, "connect", target.as_bytes())) }
    }
}

impl Streams for OverlayHost {
    fn standard(&self, which: StandardStream) -> Result<Box<dyn FileHandle>> {
        match which {
            StandardStream::Output if self.options.capture => Ok(Box::new(self.captured[0].clone())),
            StandardStream::Error if self.options.capture => Ok(Box::new(self.captured[1].clone())),
            StandardStream::Output if self.options.output_to_error => self.machine().standard(StandardStream::Error),
            _ => self.machine().standard(which),
        }
    }

    fn poll(&self, items: &[PollItem<'_>], timeout: Option<Duration>) -> Result<Vec<Ready>> {
        self.machine().poll(items, timeout)
    }
}

impl Queries for OverlayHost {
    fn package(&self, name: &str) -> Result<Option<Package>> {
        self.record(EffectKind::ReadPackage, name.as_bytes(), "");
        if let Some(assumed) = self.packages.borrow().get(name) {
            return Ok(assumed.clone());
        }
        if self.whole() {
            return self.machine().package(name);
        }
        self.quietly(|| self.queries.package(self, name))
    }

    fn packages(&self) -> Result<Vec<Package>> {
        self.record(EffectKind::ReadPackage, b"*", "");
        let known =
            if self.whole() { self.machine().packages()? } else { self.quietly(|| self.queries.packages(self))? };
        let assumed = self.packages.borrow();
        let mut packages: Vec<Package> = known.into_iter().filter(|p| !assumed.contains_key(&p.name)).collect();
        packages.extend(assumed.values().flatten().cloned());
        packages.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(packages)
    }

    fn candidates(&self, names: &[&str]) -> Result<BTreeMap<String, Candidate>> {
        for name in names {
            self.record(EffectKind::ReadPackage, name.as_bytes(), "candidate");
        }
        if self.whole() {
            return self.machine().candidates(names);
        }
        self.quietly(|| self.queries.candidates(self, names))
    }

    fn systemd_running(&self) -> bool {
        self.stat(b"/run/systemd/system").is_ok_and(|stat| stat.is_dir())
    }

    fn services(&self, names: &[&str]) -> Result<BTreeMap<String, ServiceState>> {
        for name in names {
            self.record(EffectKind::ReadService, name.as_bytes(), "");
        }
        let assumed = self.services.borrow();
        let asked: Vec<&str> = names.iter().filter(|name| !assumed.contains_key(**name)).copied().collect();
        let mut states = match (asked.is_empty(), self.whole()) {
            (true, _) => BTreeMap::new(),
            (false, true) => self.machine().services(&asked)?,
            (false, false) => self.quietly(|| self.queries.services(self, &asked))?,
        };
        for name in names {
            if let Some(state) = assumed.get(*name) {
                states.insert((*name).to_string(), state.clone());
            }
        }
        Ok(states)
    }

    fn mounts(&self) -> Result<Vec<Mount>> {
        self.record(EffectKind::ReadSystem, b"mounts", "");
        Ok(parse_mounts(&self.quiet_file(b"/proc/mounts").unwrap_or_default()))
    }

    fn invalidate(&self, topic: Topic) {
        self.queries.invalidate(topic);
        if self.whole() {
            self.machine().invalidate(topic);
        }
    }
}

/// The whole of a file that the caller opened, from its start; used where a command reads the overlay's files.
fn contents(host: &OverlayHost, path: &[u8]) -> Result<Vec<u8>> {
    let at = if path.starts_with(b"/") { path.to_vec() } else { join(&host.core.cwd.borrow(), path) };
    read_all(&*host.open(&at, crate::files::OpenFlags::RDONLY, 0)?)
}
