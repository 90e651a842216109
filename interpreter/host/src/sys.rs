//! The system calls that neither std nor nix offers safely: the crate's only `unsafe`.
#![allow(unsafe_code)] // the module of system calls

pub(crate) mod socket;

use nix::libc;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};

/// Bytes at the start of a reserved piece that stay in small pages: a large page costs the zeroing of all of it, which a short run does not use.
const SMALL_START: usize = 4 << 20;
/// Bytes at the start of a reserved piece that every run touches while it boots: one call maps them all, where each page would fault. The heap's.
const HEAP_BOOT: usize = 576 << 10;
/// The same of pieces for small blocks.
const BLOCKS_BOOT: usize = 320 << 10;

/// Maps the pages of a range that is about to be written. Systems that cannot (Linux before 5.14) map them as they are touched.
///
/// # Safety
/// The range is mapped, private and writable.
unsafe fn map_now(at: usize, bytes: usize) {
    const PAGE: usize = 4 << 10;
    let start = at.next_multiple_of(PAGE);
    // SAFETY: the caller's promise; the contents stay as they are.
    unsafe { libc::madvise(start as *mut libc::c_void, (at + bytes - start) & !(PAGE - 1), libc::MADV_POPULATE_WRITE) };
}

/// Makes glibc's allocator serve every thread from the heap of the process, of which it reserves a piece (untouched pages cost nothing) and
/// asks for large pages: the heap of a thread grows by a page and a system call at a time, and nearly everything here runs on a thread
/// of its own, for its stack. To be called before threads are started.
#[cfg(target_env = "gnu")]
pub fn one_heap() {
    const RESERVED: usize = 64 << 20;
    const LARGE_PAGE: usize = 2 << 20;
    // blocks from here on are mapped on their own
    const MAPPED: usize = 1 << 20;
    // more than the heap has when a program starts
    const GROW: usize = MAPPED / 2;
    // SAFETY: the calls of mallopt take two integers; sbrk(0) only tells where the heap ends; the block is freed as it was allocated; madvise
    // gets whole large pages between two ends of the heap, which is mapped, and changes no contents.
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
/// Nothing to set: other allocators have no such heaps.
#[cfg(not(target_env = "gnu"))]
pub fn one_heap() {}

/// Gives back what the allocator holds free, and puts the memory of the process into large pages where the system can: a copy of the process is made by
/// copying its table of pages, so a process that makes many copies is to have few.
pub fn settle_memory() {
    /// Smaller mappings have few pages anyway.
    const LEAST: usize = 4 << 20;
    /// `MADV_COLLAPSE`, which Linux has from 6.1 on.
    const COLLAPSE: i32 = 25;
    #[cfg(target_env = "gnu")]
    // SAFETY: takes no memory that is in use.
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
            // SAFETY: changes how pages are kept, not what they hold; where the system cannot, nothing happens.
            unsafe { libc::madvise(from as *mut libc::c_void, to - from, COLLAPSE) };
        }
    }
}

/// Reserves so many bytes of addresses, readable and writable, in large pages where the system has them; a page costs nothing until it is
/// touched. None when the system refuses, and where the process may only use so many addresses, which it needs for more than this. They stay
/// until the process ends.
pub fn reserve(bytes: usize) -> Option<usize> {
    if limit(libc::RLIMIT_AS as i32).map_or(true, |(soft, _)| soft != libc::RLIM_INFINITY) {
        return None;
    }
    // SAFETY: a new anonymous mapping at an address that the kernel chooses touches no memory in use; madvise changes no contents.
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

/// How much of a reserved piece is mapped ahead of its use at a time.
const AHEAD: usize = 256 << 10;

/// Maps pages of the piece reserved at `start` ahead of their use; `from` is the first byte that is to be used next. One call for many pages costs
/// less than their faults. Further on large pages serve.
///
/// # Safety
/// `start` came from [`reserve`], of a piece that is longer than `from` is from its start.
pub unsafe fn map_ahead(start: usize, from: usize) {
    let used = from - start;
    if (BLOCKS_BOOT..SMALL_START).contains(&used) && (used - BLOCKS_BOOT).is_multiple_of(AHEAD) {
        // SAFETY: the caller's promise; such a piece stays mapped.
        unsafe { map_now(from, AHEAD) };
    }
}

/// Whether this process is known to have one thread.
pub(crate) fn is_alone() -> bool {
    std::fs::read_dir("/proc/self/task").is_ok_and(|threads| threads.count() == 1)
}

/// [`fork`]; `child` runs in the copy, whose exit status it gives. Nothing of the caller's frames is run or dropped there.
pub(crate) fn copy(child: impl FnOnce() -> u8) -> nix::Result<i32> {
    match fork()? {
        Some(process) => Ok(process),
        None => leave(child()),
    }
}

/// getpid(2).
pub(crate) fn pid() -> i32 {
    // SAFETY: takes nothing and cannot fail.
    unsafe { libc::getpid() }
}

/// Lets this process end when its parent does.
pub(crate) fn end_with(parent: i32) {
    // SAFETY: plain system calls on integers.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if libc::getppid() != parent {
            libc::_exit(1);
        }
    }
}

/// waitid-like: `(pid, raw status)`; pid 0 when `WNOHANG` and none has ended.
pub(crate) fn wait(target: i32, options: i32) -> io::Result<(i32, i32)> {
    let mut status = 0;
    // SAFETY: `status` outlives the call, which writes one int to it.
    let pid = unsafe { libc::waitpid(target, &raw mut status, options) };
    if pid < 0 { Err(io::Error::last_os_error()) } else { Ok((pid, status)) }
}

/// kill(2) with any number, real-time signals included.
pub(crate) fn kill(pid: i32, signal: i32) -> io::Result<()> {
    // SAFETY: takes two integers.
    if unsafe { libc::kill(pid, signal) } < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// getrlimit(2): soft and hard limit.
pub(crate) fn limit(resource: i32) -> io::Result<(u64, u64)> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: writes one rlimit to the pointer, which is live; an unknown resource is an error.
    if unsafe { libc::getrlimit(resource as _, &raw mut limit) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok((limit.rlim_cur, limit.rlim_max))
}

/// setrlimit(2).
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
    // SAFETY: the kernel just gave us this descriptor; nothing else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as RawFd) })
}

/// getrandom(2).
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

/// fork(2): the child's number, `None` in the child. Only for a process of one thread, which goes on whole in the child.
pub(crate) fn fork() -> nix::Result<Option<i32>> {
    // SAFETY: the caller has seen that this thread is the process's only one, so no lock is held by another that the child has not.
    Ok(match unsafe { nix::unistd::fork() }? {
        nix::unistd::ForkResult::Parent { child } => Some(child.as_raw()),
        nix::unistd::ForkResult::Child => None,
    })
}

/// _exit(2).
pub(crate) fn leave(status: u8) -> ! {
    // SAFETY: a plain system call on an integer; nothing of the process runs after it.
    unsafe { libc::_exit(i32::from(status)) }
}

/// What a child does between fork and exec, beyond what `Command` offers.
#[derive(Default)]
pub(crate) struct ChildSetup {
    pub(crate) groups: Option<Vec<u32>>,
    pub(crate) uid: Option<u32>,
    pub(crate) gid: Option<u32>,
    pub(crate) umask: Option<u32>,
    pub(crate) session: bool,
    /// Descriptors to close, of 0 to 2.
    pub(crate) closed: Vec<RawFd>,
    /// `(number in the child, descriptor here)`; the descriptor must stay open until the child runs.
    pub(crate) fds: Vec<(RawFd, RawFd)>,
}

impl ChildSetup {
    /// Whether anything is asked for; without it std may start the child without a fork of the whole process.
    pub(crate) fn needed(&self) -> bool {
        let ids = self.groups.is_some() || self.uid.is_some() || self.gid.is_some();
        ids || self.umask.is_some() || self.session || !self.closed.is_empty() || !self.fds.is_empty()
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
            // Sources move above every target first, so that no target overwrites a source still needed.
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

/// Signals that end the program, by bit, and the exit status that each leads to.
static ENDING: AtomicU64 = AtomicU64::new(0);
static STATUSES: [AtomicI32; 64] = [const { AtomicI32::new(1) }; 64];
/// Whether one of them has come.
static ENDED: AtomicBool = AtomicBool::new(false);
/// The process group of the command that is waited for; 0: none.
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

/// Makes watched signals end the program: the first of them is noted, so that the program can stop in order, and [`Processes::stop_asked`] is true
/// until it is taken. The second ends the process at once with the status given for it, and kills the group of the command that is waited for.
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

/// Whether a signal that ends the program waits to be taken.
pub(crate) fn stop_asked() -> bool {
    PENDING.load(Ordering::Relaxed) & ENDING.load(Ordering::Relaxed) != 0
}

/// Notes the process group of the command that is waited for; 0: none.
pub(crate) fn waiting_for(group: i32) {
    GROUP.store(group, Ordering::SeqCst);
}

/// Sets what a signal does; a watched one interrupts blocking calls.
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
    // SAFETY: write and _exit are async-signal-safe; the words are set before the handler is and never change.
    unsafe {
        libc::write(2, words.as_ptr().cast(), words.len());
        libc::_exit(1);
    }
}

/// Ends the process with status 1 and a message on standard error once so much time has passed, whatever it does then: for what no limit
/// of the engine can interrupt. Another call sets the time anew and keeps the first message.
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

/// Takes back [`end_after`]: what comes now may take any time.
pub fn end_no_more() {
    let never = libc::timeval { tv_sec: 0, tv_usec: 0 };
    let timer = libc::itimerval { it_interval: never, it_value: never };
    // SAFETY: setitimer reads one live itimerval; with zero times it stops the timer.
    unsafe {
        libc::setitimer(libc::ITIMER_REAL, &raw const timer, std::ptr::null_mut());
    }
}

/// Takes the noted signals, lowest first.
pub(crate) fn take_signals() -> Vec<i32> {
    if PENDING.load(Ordering::Relaxed) == 0 {
        return Vec::new();
    }
    let bits = PENDING.swap(0, Ordering::SeqCst);
    (0..64).filter(|signal| bits & (1 << signal) != 0).collect()
}

/// A duplicate of a descriptor by number, close-on-exec.
pub(crate) fn dup(fd: RawFd) -> io::Result<OwnedFd> {
    // SAFETY: takes integers; fails with EBADF on a number that is not open.
    let new = unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, 3) };
    if new < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel just gave us this descriptor; nothing else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(new) })
}

/// How long a wait may last when watched signals might slip in just before it begins.
pub(crate) fn patience(timeout: Option<std::time::Duration>) -> Option<std::time::Duration> {
    if !WATCHED.load(Ordering::Relaxed) {
        return timeout;
    }
    let tick = std::time::Duration::from_millis(200);
    Some(timeout.map_or(tick, |timeout| timeout.min(tick)))
}

/// Whether a watched signal waits to be taken.
pub(crate) fn signal_waits() -> bool {
    PENDING.load(Ordering::Relaxed) != 0
}

/// poll(2) on descriptor numbers that the caller's handles keep open.
pub(crate) struct PollSet(Vec<libc::pollfd>);

impl PollSet {
    /// `(descriptor, read, write)`; negative ones are passed over.
    pub(crate) fn new(items: impl Iterator<Item = (RawFd, bool, bool)>) -> Self {
        let entry = |(fd, read, write): (RawFd, bool, bool)| libc::pollfd {
            fd,
            events: if read { libc::POLLIN } else { 0 } | if write { libc::POLLOUT } else { 0 },
            revents: 0,
        };
        Self(items.map(entry).collect())
    }

    /// Waits once, at most about 24 days.
    pub(crate) fn wait(&mut self, timeout: Option<std::time::Duration>) -> io::Result<usize> {
        let ms = timeout.map_or(-1, |t| t.as_nanos().div_ceil(1_000_000).min(i32::MAX as u128) as i32);
        // SAFETY: the pointer and length are those of a live vector of pollfd.
        let count = unsafe { libc::poll(self.0.as_mut_ptr(), self.0.len() as libc::nfds_t, ms) };
        if count < 0 { Err(io::Error::last_os_error()) } else { Ok(count as usize) }
    }

    /// Whether there are entries.
    pub(crate) fn any(&self) -> bool {
        !self.0.is_empty()
    }

    /// Whether entry `at` can be read, written; an ended or broken one counts as both that were asked for.
    pub(crate) fn ready(&self, at: usize, read: bool, write: bool) -> (bool, bool) {
        let got = self.0[at].revents;
        let broken = got & (libc::POLLERR | libc::POLLNVAL) != 0;
        let ended = got & libc::POLLHUP != 0;
        (read && (broken || ended || got & libc::POLLIN != 0), write && (broken || got & libc::POLLOUT != 0))
    }
}

/// The hypervisor's signature (CPUID leaf 0x40000000), where the processor says that there is one (leaf 1, bit 31 of ECX).
#[cfg(target_arch = "x86_64")]
pub(crate) fn hypervisor_signature() -> Option<Vec<u8>> {
    use std::arch::x86_64::__cpuid;
    if __cpuid(1).ecx >> 31 == 0 {
        return None;
    }
    let told = __cpuid(0x4000_0000);
    Some([told.ebx, told.ecx, told.edx].into_iter().flat_map(u32::to_le_bytes).collect())
}

/// Other processors have no such question.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn hypervisor_signature() -> Option<Vec<u8>> {
    None
}
