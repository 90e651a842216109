//! System calls that neither std nor nix offers safely: all `unsafe` code of the crate.
#![allow(unsafe_code)] // the module of system calls

mod environment;
pub(crate) mod socket;

pub(crate) use environment::ChildEnvironment;

use nix::libc;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};

/// Bytes at the start of a reserved region that use small pages: a large page is zeroed and taken as a whole, of which a short run would use a part.
const SMALL_START: usize = 16 << 20;
/// Bytes of the heap that every run touches at startup: one call maps them all, instead of a page fault each.
const HEAP_BOOT: usize = 576 << 10;
/// The same for regions of small blocks.
const BLOCKS_BOOT: usize = 320 << 10;

/// Maps the pages of a range that is about to be written. On systems without support (Linux before 5.14) pages are mapped when first touched.
///
/// # Safety
/// The range is mapped, private and writable.
unsafe fn map_now(at: usize, bytes: usize) {
    const PAGE: usize = 4 << 10;
    let start = at.next_multiple_of(PAGE);
    // SAFETY: guaranteed by the caller; the contents are unchanged.
    unsafe { libc::madvise(start as *mut libc::c_void, (at + bytes - start) & !(PAGE - 1), libc::MADV_POPULATE_WRITE) };
}

/// Makes glibc's allocator use the process's heap for all threads; a part is reserved (untouched pages cost nothing) and uses large pages. A thread's
/// own heap would grow by one page and system call at a time, and nearly all code runs on a thread of its own with a large stack. To be called before
/// threads are started.
#[cfg(target_env = "gnu")]
pub fn one_heap() {
    const RESERVED: usize = 64 << 20;
    const LARGE_PAGE: usize = 2 << 20;
    // blocks of at least this size are mapped separately
    const MAPPED: usize = 1 << 20;
    // more than the initial size of the heap
    const GROW: usize = MAPPED / 2;
    // SAFETY: mallopt takes two integers; sbrk(0) only returns the end of the heap; the block is freed as it was allocated; madvise gets whole large
    // pages between two ends of the heap, which is mapped, and does not change contents.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
        libc::mallopt(libc::M_TOP_PAD, RESERVED as i32);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 2 * RESERVED as i32);
        libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED as i32);
        let before = libc::sbrk(0) as usize;
        libc::free(std::hint::black_box(libc::malloc(GROW)));
        let after = libc::sbrk(0) as usize;
        if after > before + HEAP_BOOT {
            map_now(before, HEAP_BOOT);
        }
        let start = (before + SMALL_START).next_multiple_of(LARGE_PAGE);
        if let Some(length) = after.checked_sub(start).map(|length| length & !(LARGE_PAGE - 1)) {
            libc::madvise(start as *mut libc::c_void, length, libc::MADV_HUGEPAGE);
        }
    }
}
/// Other allocators need no such setting.
#[cfg(not(target_env = "gnu"))]
pub fn one_heap() {}

/// Returns free memory of the allocator to the system, and moves memory to large pages if possible. fork(2) copies the page table, so a process that
/// forks often should have few pages.
pub fn settle_memory() {
    /// Minimum size of a mapping in bytes; smaller ones have few pages.
    const LEAST: usize = 4 << 20;
    /// `MADV_COLLAPSE`, since Linux 6.1.
    const COLLAPSE: i32 = 25;
    #[cfg(target_env = "gnu")]
    // SAFETY: only returns unused memory.
    unsafe {
        libc::malloc_trim(0);
    }
    let Ok(maps) = std::fs::read_to_string("/proc/self/maps") else { return };
    for line in maps.lines() {
        let mut words = line.split_ascii_whitespace();
        let (range, rights, file) = (words.next().unwrap_or_default(), words.next(), words.nth(3));
        let ends =
            range.split_once('-').map(|(from, to)| (usize::from_str_radix(from, 16), usize::from_str_radix(to, 16)));
        if let Some((Ok(from), Ok(to))) = ends
            && rights == Some("rw-p")
            && file.is_none_or(|file| file == "[heap]")
            && to - from >= LEAST
        {
            // SAFETY: changes the size of pages but not their contents; has no effect if unsupported.
            unsafe { libc::madvise(from as *mut libc::c_void, to - from, COLLAPSE) };
        }
    }
}

/// Reserves an address range of `bytes`, readable and writable, with large pages if available; a page costs nothing until it is touched. None if the
/// system refuses, or if the address space of the process is limited, because the limit has to cover other memory too. The range stays reserved until
/// the process ends.
pub fn reserve(bytes: usize) -> Option<usize> {
    if limit(libc::RLIMIT_AS as i32).map_or(true, |(soft, _)| soft != libc::RLIM_INFINITY) {
        return None;
    }
    // SAFETY: a new anonymous mapping at an address chosen by the kernel touches no memory in use; madvise changes no contents.
    unsafe {
        let at = libc::mmap(
            std::ptr::null_mut(),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        );
        if at == libc::MAP_FAILED {
            return None;
        }
        if let Some(rest) = bytes.checked_sub(SMALL_START) {
            libc::madvise(at.byte_add(SMALL_START), rest, libc::MADV_HUGEPAGE);
            map_now(at as usize, BLOCKS_BOOT);
        }
        Some(at as usize)
    }
}

/// How many bytes of a reserved region are mapped ahead at a time.
const AHEAD: usize = 64 << 10;

/// Maps pages of the region reserved at `start` before they are used; `from` is the next byte to be used. One call for many pages costs less than
/// their page faults. Later parts of the region have large pages.
///
/// # Safety
/// `start` came from [`reserve`], for a region that extends beyond `from`.
pub unsafe fn map_ahead(start: usize, from: usize) {
    let used = from - start;
    if (BLOCKS_BOOT..SMALL_START).contains(&used) && (used - BLOCKS_BOOT).is_multiple_of(AHEAD) {
        // SAFETY: guaranteed by the caller; the region stays mapped.
        unsafe { map_now(from, AHEAD) };
    }
}

/// Whether this process is known to have only one thread.
pub(crate) fn is_alone() -> bool {
    std::fs::read_dir("/proc/self/task").is_ok_and(|threads| threads.count() == 1)
}

/// [`fork`]; the copy runs `child` and exits with the status it returns. Nothing of the caller's stack frames is run or dropped in the copy.
pub(crate) fn copy(child: impl FnOnce() -> u8) -> nix::Result<i32> {
    match fork()? {
        Some(process) => Ok(process),
        None => leave(child()),
    }
}

pub(crate) fn pid() -> i32 {
    // SAFETY: takes nothing and cannot fail.
    unsafe { libc::getpid() }
}

/// Makes the kernel kill this process when its parent ends.
pub(crate) fn end_with(parent: i32) {
    // SAFETY: plain system calls on integers.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if libc::getppid() != parent {
            libc::_exit(1);
        }
    }
}

/// waitpid(2): `(pid, raw status)`; pid 0 with `WNOHANG` if no child has ended.
pub(crate) fn wait(target: i32, options: i32) -> io::Result<(i32, i32)> {
    let mut status = 0;
    // SAFETY: `status` outlives the call, which writes one int to it.
    let pid = unsafe { libc::waitpid(target, &raw mut status, options) };
    if pid < 0 { Err(io::Error::last_os_error()) } else { Ok((pid, status)) }
}

/// kill(2) with any signal number, including real-time signals.
pub(crate) fn kill(pid: i32, signal: i32) -> io::Result<()> {
    // SAFETY: takes two integers.
    if unsafe { libc::kill(pid, signal) } < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// getrlimit(2): the soft and the hard limit.
pub(crate) fn limit(resource: i32) -> io::Result<(u64, u64)> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: writes one rlimit to the pointer, which is live; an unknown resource is an error.
    if unsafe { libc::getrlimit(resource as _, &raw mut limit) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok((limit.rlim_cur, limit.rlim_max))
}

pub(crate) fn priority(kind: i32, id: u32) -> nix::Result<i32> {
    nix::errno::Errno::clear();
    // SAFETY: a plain system call on integers.
    let found = unsafe { libc::getpriority(kind as _, id) };
    // -1 is a priority, too
    if found == -1 && nix::errno::Errno::last_raw() != 0 { Err(nix::errno::Errno::last()) } else { Ok(found) }
}

pub(crate) fn set_priority(kind: i32, id: u32, priority: i32) -> nix::Result<()> {
    // SAFETY: a plain system call on integers.
    nix::errno::Errno::result(unsafe { libc::setpriority(kind as _, id, priority) }).map(drop)
}

pub(crate) fn set_limit(resource: i32, soft: u64, hard: u64) -> io::Result<()> {
    let limit = libc::rlimit { rlim_cur: soft, rlim_max: hard };
    // SAFETY: reads one rlimit from the pointer, which is live; an unknown resource is an error.
    if unsafe { libc::setrlimit(resource as _, &raw const limit) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// A descriptor that becomes readable when the process ends.
pub(crate) fn pidfd(pid: i32) -> io::Result<OwnedFd> {
    // SAFETY: the call takes two integers and returns a new descriptor or -1.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just returned this descriptor; nothing else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as RawFd) })
}

/// getrandom(2)
pub(crate) fn random(buffer: &mut [u8]) -> io::Result<()> {
    let mut done = 0;
    while done < buffer.len() {
        let rest = &mut buffer[done..];
        // SAFETY: the pointer and length are those of a live slice.
        let count = unsafe { libc::getrandom(rest.as_mut_ptr().cast(), rest.len(), 0) };
        if count < 0 {
            let error = io::Error::last_os_error();
            if error.kind() != io::ErrorKind::Interrupted {
                return Err(error);
            }
        } else {
            done += count as usize;
        }
    }
    Ok(())
}

/// Rows and columns of a terminal.
pub(crate) fn window_size(fd: BorrowedFd<'_>) -> Option<(u16, u16)> {
    // SAFETY: a winsize is four plain integers; zero is a valid value.
    let mut size: libc::winsize = unsafe { std::mem::zeroed() };
    // SAFETY: TIOCGWINSZ writes one winsize to the pointer, which is live.
    let result = unsafe { libc::ioctl(fd.as_raw_fd(), libc::TIOCGWINSZ, &raw mut size) };
    (result == 0 && size.ws_col > 0).then_some((size.ws_row, size.ws_col))
}

/// The smallest buffer that ioctl(2) is given: structures of requests without a size in their number are shorter.
const CONTROL: usize = 256;

/// ioctl(2) with a number. A request that wants a structure gets the number as its address, which the kernel refuses unless it is mapped; Ruby's
/// `IO#ioctl` does the same.
pub(crate) fn control(fd: BorrowedFd<'_>, request: u64, argument: i64) -> io::Result<i32> {
    // SAFETY: numbers only; what a request does with them is the caller's business, as in every program that calls ioctl.
    let result = unsafe { libc::ioctl(fd.as_raw_fd(), request as _, argument) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// ioctl(2) with a structure, which is copied so that there is always as much room as the request can write.
pub(crate) fn control_bytes(fd: BorrowedFd<'_>, request: u64, argument: &mut [u8]) -> io::Result<i32> {
    // the size that the number of the request tells
    let size = (request >> 16 & 0x3fff) as usize;
    let mut room = argument.to_vec();
    room.resize(argument.len().max(size).max(CONTROL), 0);
    // SAFETY: the pointer is to a live buffer of the size that the request tells, or more than any structure without one.
    let result = unsafe { libc::ioctl(fd.as_raw_fd(), request as _, room.as_mut_ptr()) };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    let length = argument.len();
    argument.copy_from_slice(&room[..length]);
    Ok(result)
}

/// fork(2): the child's pid, `None` in the child. Only for a process with one thread.
pub(crate) fn fork() -> nix::Result<Option<i32>> {
    // SAFETY: the caller has checked that this is the only thread, so no lock can be held by a thread that does not exist in the child.
    Ok(match unsafe { nix::unistd::fork() }? {
        nix::unistd::ForkResult::Parent { child } => Some(child.as_raw()),
        nix::unistd::ForkResult::Child => None,
    })
}

/// _exit(2)
pub(crate) fn leave(status: u8) -> ! {
    // SAFETY: takes an integer; no code of the process runs after it.
    unsafe { libc::_exit(i32::from(status)) }
}

/// fcntl(2) with a number, for the commands that take one: `EINVAL` for those that would take it for the address of a structure.
pub(crate) fn fcntl(fd: BorrowedFd<'_>, command: i32, argument: i64) -> io::Result<i32> {
    const OF_NUMBERS: &[i32] = &[
        libc::F_DUPFD,
        libc::F_DUPFD_CLOEXEC,
        libc::F_GETFD,
        libc::F_SETFD,
        libc::F_GETFL,
        libc::F_SETFL,
        libc::F_GETOWN,
        libc::F_SETOWN,
        libc::F_GETLEASE,
        libc::F_SETLEASE,
        libc::F_GETPIPE_SZ,
        libc::F_SETPIPE_SZ,
        libc::F_GET_SEALS,
        libc::F_ADD_SEALS,
    ];
    if !OF_NUMBERS.contains(&command) {
        return Err(io::Error::from_raw_os_error(libc::EINVAL));
    }
    // SAFETY: these commands take numbers and touch no memory of the process.
    let result = unsafe { libc::fcntl(fd.as_raw_fd(), command, argument) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// fcntl(2) with a structure, which is copied so that there is always as much room as a command can write.
pub(crate) fn fcntl_bytes(fd: BorrowedFd<'_>, command: i32, argument: &mut [u8]) -> io::Result<i32> {
    let mut room = argument.to_vec();
    room.resize(argument.len().max(CONTROL), 0);
    // SAFETY: the pointer is to a live buffer that is larger than the structure of any command.
    let result = unsafe { libc::fcntl(fd.as_raw_fd(), command, room.as_mut_ptr()) };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    let length = argument.len();
    argument.copy_from_slice(&room[..length]);
    Ok(result)
}

/// What a child does between fork and exec that `Command` does not support.
#[derive(Default)]
pub(crate) struct ChildSetup {
    pub(crate) groups: Option<Vec<u32>>,
    pub(crate) uid: Option<u32>,
    pub(crate) gid: Option<u32>,
    pub(crate) umask: Option<u32>,
    pub(crate) session: bool,
    /// Resources with their soft and hard limits.
    pub(crate) limits: Vec<(i32, u64, u64)>,
    /// Descriptors to close, from 0 to 2.
    pub(crate) closed: Vec<RawFd>,
    /// `(number in the child, descriptor here)`; the descriptor must stay open until the child is started.
    pub(crate) fds: Vec<(RawFd, RawFd)>,
}

impl ChildSetup {
    /// Whether there is anything to do; if not, std may start the child without fork(2).
    pub(crate) fn needed(&self) -> bool {
        let ids = self.groups.is_some() || self.uid.is_some() || self.gid.is_some();
        let descriptors = !self.closed.is_empty() || !self.fds.is_empty();
        ids || self.umask.is_some() || self.session || descriptors || !self.limits.is_empty()
    }

    pub(crate) fn install(self, command: &mut Command) {
        let mut setup = self;
        // SAFETY: the closure runs between fork and exec in a process that may have had several threads; it only makes
        // async-signal-safe system calls and allocates nothing (`raw_os_error` constructs in place).
        unsafe {
            command.pre_exec(move || setup.apply());
        }
    }

    fn apply(&mut self) -> io::Result<()> {
        let check = |result: i32| if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) };
        // SAFETY: plain system calls on integers; `groups` is a live slice allocated before the fork.
        unsafe {
            if self.session {
                check(libc::setsid())?;
            }
            // Move the sources above all targets first, so that no target overwrites a source that is still needed.
            let above = self.fds.iter().map(|&(to, from)| to.max(from)).max().unwrap_or(2) + 1;
            for (_, from) in &mut self.fds {
                *from = check(libc::fcntl(*from, libc::F_DUPFD_CLOEXEC, above))?;
            }
            for &(to, from) in &self.fds {
                check(libc::dup2(from, to))?;
            }
            for &fd in &self.closed {
                libc::close(fd);
            }
            for &(resource, soft, hard) in &self.limits {
                let limit = libc::rlimit { rlim_cur: soft, rlim_max: hard };
                check(libc::setrlimit(resource as _, &raw const limit))?;
            }
            if let Some(mask) = self.umask {
                libc::umask(mask);
            }
            if let Some(groups) = &self.groups {
                check(libc::setgroups(groups.len(), groups.as_ptr()))?;
            }
            if let Some(gid) = self.gid {
                check(libc::setgid(gid))?;
            }
            if let Some(uid) = self.uid {
                check(libc::setuid(uid))?;
            }
        }
        Ok(())
    }
}

static PENDING: AtomicU64 = AtomicU64::new(0);
static WATCHED: AtomicBool = AtomicBool::new(false);

/// The set of signals that end the program, as bits; below, the exit status for each.
static ENDING: AtomicU64 = AtomicU64::new(0);
static STATUSES: [AtomicI32; 64] = [const { AtomicI32::new(1) }; 64];
/// Whether one of these signals has arrived.
static ENDED: AtomicBool = AtomicBool::new(false);
/// The process group of the running command; 0 if there is none.
static GROUP: AtomicI32 = AtomicI32::new(0);

extern "C" fn note(signal: libc::c_int) {
    if !(0..64).contains(&signal) {
        return;
    }
    let bit = 1 << signal;
    if ENDING.load(Ordering::SeqCst) & bit != 0 && ENDED.swap(true, Ordering::SeqCst) {
        let group = GROUP.load(Ordering::SeqCst);
        // SAFETY: kill and _exit are async-signal-safe and take integers.
        unsafe {
            if group > 0 {
                libc::kill(-group, libc::SIGKILL);
            }
            libc::_exit(STATUSES[signal as usize].load(Ordering::SeqCst));
        }
    }
    PENDING.fetch_or(bit, Ordering::SeqCst);
}

/// Makes watched signals end the program: the first is recorded, so that the program can stop in an orderly way, and [`Processes::stop_asked`] is
/// true until it is taken. The second ends the process at once with the given status, and kills the process group of the running command.
///
/// [`Processes::stop_asked`]: crate::Processes::stop_asked
pub fn end_on(signals: &[(i32, i32)]) {
    for &(signal, status) in signals {
        if let Some(slot) = usize::try_from(signal).ok().and_then(|signal| STATUSES.get(signal)) {
            slot.store(status, Ordering::SeqCst);
            ENDING.fetch_or(1 << signal, Ordering::SeqCst);
        }
    }
}

/// Whether a signal that ends the program is pending.
pub(crate) fn stop_asked() -> bool {
    PENDING.load(Ordering::Relaxed) & ENDING.load(Ordering::Relaxed) != 0
}

/// Sets the process group of the running command; 0 if there is none.
pub(crate) fn waiting_for(group: i32) {
    GROUP.store(group, Ordering::SeqCst);
}

/// Sets the disposition of a signal; a watched signal interrupts blocking calls.
pub(crate) fn on_signal(signal: i32, handler: crate::processes::Disposition) -> io::Result<()> {
    use crate::processes::Disposition;
    if handler == Disposition::Watch {
        WATCHED.store(true, Ordering::Relaxed);
    }
    // SAFETY: a zeroed sigaction is valid; the handler only touches an atomic, which is async-signal-safe.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = match handler {
            Disposition::Default => libc::SIG_DFL,
            Disposition::Ignore => libc::SIG_IGN,
            Disposition::Watch => note as *const () as usize,
        };
        libc::sigemptyset(&raw mut action.sa_mask);
        if libc::sigaction(signal, &raw const action, std::ptr::null_mut()) < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

static LAST_WORDS: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();

extern "C" fn end(_: libc::c_int) {
    let words = LAST_WORDS.get().map_or(&[][..], Vec::as_slice);
    // SAFETY: write and _exit are async-signal-safe; the message is set before the handler is installed and never changes.
    unsafe {
        libc::write(2, words.as_ptr().cast(), words.len());
        libc::_exit(1);
    }
}

/// Ends the process with status 1 and a message on standard error after `time`, whatever it is doing: for code that the VM's limits cannot interrupt.
/// A second call sets a new time but keeps the first message.
pub fn end_after(time: std::time::Duration, message: &str) -> io::Result<()> {
    let _ = LAST_WORDS.set(message.as_bytes().to_vec());
    let seconds = libc::time_t::try_from(time.as_secs()).unwrap_or(libc::time_t::MAX);
    let timer = libc::itimerval {
        it_interval: libc::timeval { tv_sec: 0, tv_usec: 0 },
        it_value: libc::timeval { tv_sec: seconds, tv_usec: libc::suseconds_t::from(time.subsec_micros() as i32) },
    };
    // SAFETY: zeroed sets and actions are valid; the handler calls only async-signal-safe functions; setitimer reads one live itimerval.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = end as *const () as usize;
        libc::sigemptyset(&raw mut action.sa_mask);
        let mut alarm: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut alarm);
        libc::sigaddset(&raw mut alarm, libc::SIGALRM);
        let done = libc::sigaction(libc::SIGALRM, &raw const action, std::ptr::null_mut()) == 0
            && libc::sigprocmask(libc::SIG_UNBLOCK, &raw const alarm, std::ptr::null_mut()) == 0
            && libc::setitimer(libc::ITIMER_REAL, &raw const timer, std::ptr::null_mut()) == 0;
        if done { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
}

/// Cancels [`end_after`].
pub fn end_no_more() {
    let never = libc::timeval { tv_sec: 0, tv_usec: 0 };
    let timer = libc::itimerval { it_interval: never, it_value: never };
    // SAFETY: setitimer reads one live itimerval; with zero times it stops the timer.
    unsafe {
        libc::setitimer(libc::ITIMER_REAL, &raw const timer, std::ptr::null_mut());
    }
}

/// Returns and removes the recorded signals, lowest first.
pub(crate) fn take_signals() -> Vec<i32> {
    if PENDING.load(Ordering::Relaxed) == 0 {
        return Vec::new();
    }
    let bits = PENDING.swap(0, Ordering::SeqCst);
    (0..64).filter(|signal| bits & (1 << signal) != 0).collect()
}

/// Duplicates a descriptor by number, close-on-exec.
pub(crate) fn dup(fd: RawFd) -> io::Result<OwnedFd> {
    // SAFETY: takes integers; fails with EBADF on a number that is not open.
    let new = unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, 3) };
    if new < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just returned this descriptor; nothing else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(new) })
}

/// Takes over a descriptor that this process has inherited: one without close-on-exec, which every descriptor opened here has. It has close-on-exec
/// from then on, so that it is taken once.
pub(crate) fn inherited(fd: RawFd) -> io::Result<OwnedFd> {
    // SAFETY: takes integers; fails with EBADF on a number that is not open.
    let flags = unsafe { libc::fcntl(fd, libc::F_GETFD) };
    if flags < 0 {
        return Err(io::Error::last_os_error());
    }
    if fd <= libc::STDERR_FILENO || flags & libc::FD_CLOEXEC != 0 {
        return Err(io::Error::from_raw_os_error(libc::EBADF));
    }
    // SAFETY: takes integers.
    if unsafe { libc::fcntl(fd, libc::F_SETFD, flags | libc::FD_CLOEXEC) } < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor is open and, being without close-on-exec until now, not owned by anything in this process.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Limits the duration of a single wait if signals are watched, because one may arrive just before the wait begins; callers wait repeatedly.
pub(crate) fn patience(timeout: Option<std::time::Duration>) -> Option<std::time::Duration> {
    if !WATCHED.load(Ordering::Relaxed) {
        return timeout;
    }
    let tick = std::time::Duration::from_millis(200);
    Some(timeout.map_or(tick, |timeout| timeout.min(tick)))
}

/// Whether a watched signal is pending.
pub(crate) fn signal_waits() -> bool {
    PENDING.load(Ordering::Relaxed) != 0
}

/// poll(2) on descriptors that the caller's handles keep open.
pub(crate) struct PollSet(Vec<libc::pollfd>);

impl PollSet {
    /// Takes `(descriptor, read, write)`; negative descriptors are skipped.
    pub(crate) fn new(items: impl Iterator<Item = (RawFd, bool, bool)>) -> Self {
        let entry = |(fd, read, write): (RawFd, bool, bool)| libc::pollfd {
            fd,
            events: if read { libc::POLLIN } else { 0 } | if write { libc::POLLOUT } else { 0 },
            revents: 0,
        };
        Self(items.map(entry).collect())
    }

    /// Calls poll(2) once, for at most about 24 days.
    pub(crate) fn wait(&mut self, timeout: Option<std::time::Duration>) -> io::Result<usize> {
        let ms = timeout.map_or(-1, |t| t.as_nanos().div_ceil(1_000_000).min(i32::MAX as u128) as i32);
        // SAFETY: the pointer and length are those of a live vector of pollfd.
        let count = unsafe { libc::poll(self.0.as_mut_ptr(), self.0.len() as libc::nfds_t, ms) };
        if count < 0 { Err(io::Error::last_os_error()) } else { Ok(count as usize) }
    }

    pub(crate) fn any(&self) -> bool {
        !self.0.is_empty()
    }

    /// Whether entry `at` can be read and written; one at its end or with an error is ready for all that was requested.
    pub(crate) fn ready(&self, at: usize, read: bool, write: bool) -> (bool, bool) {
        let got = self.0[at].revents;
        let broken = got & (libc::POLLERR | libc::POLLNVAL) != 0;
        let ended = got & libc::POLLHUP != 0;
        (read && (broken || ended || got & libc::POLLIN != 0), write && (broken || got & libc::POLLOUT != 0))
    }
}

/// The hypervisor signature (CPUID leaf 0x40000000), if the CPU reports a hypervisor (leaf 1, bit 31 of ECX).
#[cfg(target_arch = "x86_64")]
pub(crate) fn hypervisor_signature() -> Option<Vec<u8>> {
    use std::arch::x86_64::__cpuid;
    if __cpuid(1).ecx >> 31 == 0 {
        return None;
    }
    let told = __cpuid(0x4000_0000);
    Some([told.ebx, told.ecx, told.edx].into_iter().flat_map(u32::to_le_bytes).collect())
}

/// Only available on x86-64.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn hypervisor_signature() -> Option<Vec<u8>> {
    None
}
