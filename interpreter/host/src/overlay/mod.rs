//! [`OverlayHost`]: a machine whose changes stay in memory and whose effects and reads are recorded.

mod apache;
mod base;
mod changes;
mod clock;
mod commands;
mod doubt;
mod effect;
mod files;
mod handle;
mod identity;
mod known;
mod network;
mod simulated_clock;
mod simulation;
pub mod skeleton;
mod tree;
mod units;
mod walk;

pub use changes::{Change, ChangeKind};
pub use commands::{Answer, Answerer, Policy};
pub use doubt::{Doubt, DoubtKind, Purpose};
pub use effect::{Effect, EffectKind};
pub use units::unit_settings;
pub use walk::{Identity, LEADS_OUTSIDE};

use crate::clock::{Randomness, ZoneCache};
use crate::compose::{read_all, read_file, write_file};
use crate::error::{HostError, Result};
use crate::files::{FileHandle, Files, Stat, join, lexical};
use crate::host::Host;
use crate::location::LocationSource;
use crate::processes::{CommandSpec, Environment, Uname};
use crate::queries::{
    Candidate, Mount, Package, Queries, QueryCache, Rpm, ServiceState, Topic, parse_mounts, unit_name,
};
use crate::streams::{PollItem, Ready, StandardStream, Streams};
use crate::users::{Accounts, Group, User, Users};
use base::{Base, Shown};
use commands::Children;
use handle::MemoryPipe;
use nix::libc;
use simulated_clock::SimulatedClock;
use skeleton::{SkeletonEntry, SkeletonItem};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;
use tree::{Content, Inode, Origin};
use walk::Core;

/// Options of an overlay. The default is for dumps: nothing of the machine is visible, and no commands run.
#[derive(Clone)]
pub struct OverlayOptions {
    /// What happens with commands that no answerer answers.
    pub policy: Policy,
    /// Called in order, before the policy applies.
    pub answers: Vec<Answerer>,
    /// Paths of the machine that are always visible, with unrecorded reads (the chef-repo, the cache). Links in them to paths that are not visible
    /// lead to the simulated machine's files.
    pub passthrough: Vec<Vec<u8>>,
    /// Paths of the machine that the user has made visible; reads there are recorded.
    pub allowed: Vec<Vec<u8>>,
    /// The initial environment; `None` is the machine's.
    pub env: Option<Environment>,
    /// The working directory; `None` is the machine's.
    pub cwd: Option<Vec<u8>>,
    /// The user and groups of the run; `None` is the machine's user.
    pub identity: Option<Identity>,
    /// The kernel to report; `None` is the machine's.
    pub uname: Option<Uname>,
    /// The number of CPUs to report; `None` is the machine's.
    pub processors: Option<usize>,
    /// Whether connections and lookups are allowed; if not, no socket is opened and both fail with `ENETUNREACH`.
    pub network: bool,
    /// Redirected addresses, even if the network is not allowed: for services that a test provides.
    pub routes: Vec<(SocketAddr, SocketAddr)>,
    /// The start of a simulated clock in nanoseconds since 1970: it is advanced by code that runs, and sleeping takes no real time. `None` is the
    /// machine's clock.
    pub clock: Option<i64>,
    /// Whether the machine is used for nothing but visible files: stdin is empty, there are no other processes, and limits have default values. If
    /// `env`, `cwd`, `identity`, `uname`, `processors` and `clock` are set too, results are equal on all machines.
    pub isolated: bool,
    /// Whether stdout and stderr are captured in memory (`captured`).
    pub capture: bool,
    /// Whether stdout is redirected to stderr, because the caller uses stdout.
    pub output_to_error: bool,
    /// With [`Policy::Simulate`]: whether commands of guards run.
    pub asks_guards: bool,
    /// With [`Policy::Simulate`]: the directory of package archives, which tell the contents of packages. `None`: not used.
    pub archives: Option<Vec<u8>>,
    /// With [`Policy::Simulate`]: tells which commands are read-only, so that they may run on behalf of any code.
    pub only_looks: Option<OnlyLooks>,
    /// With [`Policy::Simulate`]: computes answers to commands from assumed changes, if there is no other answer.
    pub evaluates: Option<Answerer>,
    /// With [`Policy::Simulate`]: simulates commands, if all of their effects are known.
    pub assumes: Option<Answerer>,
}

/// Whether a command, given with its full environment and directory, is read-only.
pub type OnlyLooks = Rc<dyn Fn(&CommandSpec) -> bool>;

impl Default for OverlayOptions {
    fn default() -> Self {
        Self {
            policy: Policy::Record,
            answers: Vec::new(),
            passthrough: Vec::new(),
            allowed: Vec::new(),
            env: None,
            cwd: None,
            identity: None,
            uname: None,
            processors: None,
            network: false,
            routes: Vec::new(),
            clock: None,
            isolated: false,
            capture: false,
            output_to_error: false,
            asks_guards: true,
            archives: None,
            only_looks: None,
            evaluates: None,
            assumes: None,
        }
    }
}

/// A machine whose changes stay in memory.
pub struct OverlayHost {
    core: Rc<Core>,
    options: OverlayOptions,
    env: RefCell<Environment>,
    accounts: Accounts,
    zones: ZoneCache,
    queries: QueryCache,
    packages: RefCell<BTreeMap<String, Option<Package>>>,
    services: RefCell<BTreeMap<String, ServiceState>>,
    children: Children,
    signals: commands::Signals,
    captured: [MemoryPipe; 2],
    simulation: doubt::Simulation,
    /// Assumed answers of a simulation to command lines, and whether each is only a guess.
    answers: RefCell<BTreeMap<Vec<u8>, (commands::Answer, bool)>>,
}

impl OverlayHost {
    /// On top of the whole machine: everything is visible until it is changed.
    pub fn over(machine: Rc<dyn Host>, options: OverlayOptions) -> Self {
        Self::build(machine, Shown::Whole, options)
    }

    /// On top of a directory that takes the place of the root; of this machine only passthrough paths are visible.
    pub fn below(machine: Rc<dyn Host>, root: &[u8], options: OverlayOptions) -> Self {
        let root = machine.realpath(root).unwrap_or_else(|_| root.to_vec());
        Self::build(machine, Shown::Below(root), options)
    }

    /// On top of an empty root with a skeleton; of the machine only passthrough paths are visible.
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
        let umask = if options.isolated { 0o022 } else { machine.umask(None) };
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
        core.clock = options.clock.map(SimulatedClock::new);
        core.keeps_directories = options.policy == Policy::Simulate;
        core.random = (!whole).then(Cell::default);
        for path in &options.passthrough {
            core.base.pass(path, false);
        }
        for path in &options.allowed {
            core.base.pass(path, true);
        }
        if options.policy == Policy::Simulate {
            core.recorder.stop();
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
            signals: commands::Signals::default(),
            captured: Default::default(),
            simulation: doubt::Simulation::default(),
            answers: RefCell::default(),
        }
    }

    /// Adds an entry to the base: looking at it is recorded as a read, adding it is not an effect.
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

    /// Makes a path of the machine visible. No effect below a path that is visible already.
    pub fn pass_through(&self, path: &[u8]) {
        self.core.base.pass(path, false);
    }

    /// The same for a path that the user has not named: if it is a link, its target is not made visible.
    pub fn pass_as_written(&self, path: &[u8]) {
        self.core.base.pass_as_written(path);
    }

    /// Whether the whole machine is visible.
    pub fn shows_machine(&self) -> bool {
        self.core.base.is_whole()
    }

    /// Whether a path of the machine is visible.
    pub fn shows(&self, path: &[u8]) -> bool {
        self.whole() || self.core.base.shows(&lexical(path))
    }

    /// Whether something below `folder` was changed.
    pub fn has_changed(&self, folder: &[u8]) -> bool {
        self.core.recorder.has_changed(folder)
    }

    /// The effects and reads so far, in order; each read is kept once per place.
    pub fn effects(&self) -> Vec<Effect> {
        self.core.recorder.all()
    }

    /// Returns and removes the effects and reads.
    pub fn take_effects(&self) -> Vec<Effect> {
        self.core.recorder.take()
    }

    /// From now on [`Self::locate`] sets the places of effects, for callers that know the place only after the operation.
    pub fn defer_places(&self) {
        self.core.recorder.defer();
    }

    /// Whether there are effects without a place.
    pub fn is_waiting(&self) -> bool {
        self.core.recorder.is_waiting()
    }

    /// Sets the place and callers of the effects that have none.
    pub fn locate(&self, place: Option<&crate::SourceLocation>, callers: &[crate::SourceLocation]) {
        self.core.recorder.locate(place, callers);
    }

    /// Runs `body` without recording its reads and effects; changes are still made in memory.
    pub fn quietly<T>(&self, body: impl FnOnce() -> T) -> T {
        self.core.recorder.quietly(body)
    }

    /// What was written to stdout or stderr, if `capture` is set.
    pub fn captured(&self, which: StandardStream) -> Vec<u8> {
        match which {
            StandardStream::Input => Vec::new(),
            StandardStream::Output => self.captured[0].0.borrow().data.clone(),
            StandardStream::Error => self.captured[1].0.borrow().data.clone(),
        }
    }

    /// Assumes that a user exists, or with `None` that it does not.
    pub fn assume_user(&self, name: &[u8], user: Option<&User>) -> Result<()> {
        self.assume_line(b"/etc/passwd", name, user.map(User::to_line))
    }

    /// Assumes that a group exists, or with `None` that it does not.
    pub fn assume_group(&self, name: &[u8], group: Option<&Group>) -> Result<()> {
        self.assume_line(b"/etc/group", name, group.map(Group::to_line))
    }

    fn assume_line(&self, path: &[u8], name: &[u8], line: Option<Vec<u8>>) -> Result<()> {
        let edit = || {
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
        };
        self.quietly(|| self.with_all_rights(edit))
    }

    /// Assumes the state of a package; `None` means that dpkg does not know it.
    pub fn assume_package(&self, name: &str, package: Option<Package>) {
        self.packages.borrow_mut().insert(name.to_string(), package);
    }

    /// Assumes the state of a unit.
    pub fn assume_service(&self, name: &str, state: ServiceState) {
        self.services.borrow_mut().insert(unit_name(name), state);
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

impl Randomness for OverlayHost {
    fn fill(&self, buffer: &mut [u8]) -> Result<()> {
        self.core.fill(buffer)
    }
}

impl OverlayHost {
    /// Finds a user in the overlay's file; on top of the whole machine also in its other sources.
    fn find_user(&self, subject: &[u8], fits: impl Fn(&User) -> bool) -> Result<Option<User>> {
        let found = self.looked_up_user(subject, fits)?;
        self.record(EffectKind::ReadUser, subject, if found.is_some() { "" } else { "absent" });
        Ok(found)
    }

    fn looked_up_user(&self, subject: &[u8], fits: impl Fn(&User) -> bool) -> Result<Option<User>> {
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
        .map(|found| found.filter(fits))
    }

    fn find_group(&self, subject: &[u8], fits: impl Fn(&Group) -> bool) -> Result<Option<Group>> {
        let found = self.looked_up_group(subject, fits)?;
        self.record(EffectKind::ReadGroup, subject, if found.is_some() { "" } else { "absent" });
        Ok(found)
    }

    fn looked_up_group(&self, subject: &[u8], fits: impl Fn(&Group) -> bool) -> Result<Option<Group>> {
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
        .map(|found| found.filter(fits))
    }
}

/// A subject of digits only is an id, because account names cannot be numbers.
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

impl Streams for OverlayHost {
    fn standard(&self, which: StandardStream) -> Result<Box<dyn FileHandle>> {
        match which {
            StandardStream::Input if self.options.isolated => Ok(Box::new(MemoryPipe::default())),
            StandardStream::Output if self.options.capture => Ok(Box::new(self.captured[0].clone())),
            StandardStream::Error if self.options.capture => Ok(Box::new(self.captured[1].clone())),
            StandardStream::Output if self.options.output_to_error => self.machine().standard(StandardStream::Error),
            _ => self.machine().standard(which),
        }
    }

    fn poll(&self, items: &[PollItem<'_>], timeout: Option<Duration>) -> Result<Vec<Ready>> {
        let Some(clock) = &self.core.clock else { return self.machine().poll(items, timeout) };
        let ready = self.machine().poll(items, Some(Duration::ZERO))?;
        match timeout {
            Some(timeout) if ready.is_empty() => {
                clock.pass(u64::try_from(timeout.as_nanos()).unwrap_or(u64::MAX));
                Ok(ready)
            }
            None if ready.is_empty() => self.machine().poll(items, None),
            _ => Ok(ready),
        }
    }
}

impl Queries for OverlayHost {
    fn package(&self, name: &str) -> Result<Option<Package>> {
        let assumed = self.packages.borrow().get(name).cloned();
        let found = match assumed {
            Some(assumed) => assumed,
            None if self.whole() => self.machine().package(name)?,
            None => self.quietly(|| self.queries.package(self, name))?,
        };
        let there = found.as_ref().is_some_and(Package::installed);
        self.record(EffectKind::ReadPackage, name.as_bytes(), if there { "" } else { "absent" });
        Ok(found)
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

    fn rpm(&self, name: &str) -> Result<Vec<Rpm>> {
        let assumed = self.packages.borrow().get(name).cloned();
        let found: Vec<Rpm> = match assumed {
            Some(assumed) => assumed.iter().filter(|package| package.installed()).map(Package::as_rpm).collect(),
            None if self.whole() => self.machine().rpm(name)?,
            None => self.quietly(|| self.queries.rpm(self, name))?,
        };
        self.record(EffectKind::ReadPackage, name.as_bytes(), if found.is_empty() { "absent" } else { "rpm" });
        Ok(found)
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
        let is_open = |name: &&&str| !assumed.contains_key(&unit_name(name));
        let asked: Vec<&str> = names.iter().filter(is_open).copied().collect();
        let mut states = match (asked.is_empty(), self.whole()) {
            (true, _) => BTreeMap::new(),
            (false, true) => self.machine().services(&asked)?,
            (false, false) => self.quietly(|| self.queries.services(self, &asked))?,
        };
        for name in names {
            if let Some(state) = assumed.get(&unit_name(name)) {
                states.insert((*name).to_string(), state.clone());
            } else if self.simulates() && states.get(*name).is_none_or(|state| state.load == "not-found") {
                states.extend(self.planned_unit(name).map(|state| ((*name).to_string(), state)));
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

/// The contents of a file of the overlay that is a command's input.
fn contents(host: &OverlayHost, path: &[u8]) -> Result<Vec<u8>> {
    let at = if path.starts_with(b"/") { path.to_vec() } else { join(&host.core.cwd.borrow(), path) };
    read_all(&*host.open(&at, crate::files::OpenFlags::RDONLY, 0)?)
}
