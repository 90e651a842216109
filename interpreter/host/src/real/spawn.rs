//! Real children, signals, and the virtual environment.

use super::handle::RealHandle;
use super::{Deadline, RealHost};
use crate::error::{HostError, Result};
use crate::files::{FileHandle, Files, OpenFlags};
use crate::identity::UNCHANGED;
use crate::processes::{
    CommandEvent, CommandOutput, CommandSpec, Disposition, Environment, ExitStatus, Flow, Group, Processes, SHELL_NAME,
    Spawned, Stdio, Uname, WaitTarget, check_env_name,
};
use crate::sys;
use nix::fcntl::OFlag;
use nix::libc;
use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

/// A child and this process's ends of its pipes.
pub(super) struct Child {
    pub(super) pid: i32,
    pub(super) stdin: Option<File>,
    pub(super) stdout: Option<File>,
    pub(super) stderr: Option<File>,
}

enum End {
    Inherit,
    Fd(OwnedFd),
    Closed,
}

fn fail(op: &'static str) -> impl Fn(std::io::Error) -> HostError {
    move |error| HostError::from_io(&error, op, None)
}

impl RealHost {
    /// The child's end of a stream and, for a pipe, ours.
    fn end(&self, stdio: &Stdio, number: i32) -> Result<(End, Option<File>)> {
        let fd = match stdio {
            Stdio::Inherit | Stdio::Other => return Ok((End::Inherit, None)),
            Stdio::Closed => return Ok((End::Closed, None)),
            Stdio::Null => self.open_fd(b"/dev/null", OpenFlags::RDWR, 0)?,
            Stdio::File { path, flags, mode } => self.open_fd(path, *flags, *mode)?,
            Stdio::Handle(handle) => handle_fd(&**handle)?,
            Stdio::Pipe => {
                let (read, write) = make_pipe()?;
                let (theirs, ours) = if number == 0 { (read, write) } else { (write, read) };
                return Ok((End::Fd(theirs), Some(File::from(ours))));
            }
        };
        Ok((End::Fd(fd), None))
    }

    fn open_fd(&self, path: &[u8], flags: OpenFlags, mode: u32) -> Result<OwnedFd> {
        handle_fd(&*self.open(path, flags, mode)?)
    }

    /// The variables of a child: those of this process with the changes of the command, new ones after them.
    fn child_environment(&self, spec: &CommandSpec) -> Result<sys::ChildEnvironment> {
        let mut all = if spec.clear_env { Environment::new() } else { self.environment().borrow().clone() };
        for (name, value) in &spec.env {
            check_env_name(name)?;
            match value {
                Some(value) => all.insert(name.clone(), value.clone()),
                None => all.shift_remove(name),
            };
        }
        sys::ChildEnvironment::new(all.iter()).map_err(fail("exec"))
    }

    /// A `Command` with everything but its standard streams and its variables.
    fn command(
        &self,
        spec: &CommandSpec,
        argv: &[Vec<u8>],
        closed: Vec<i32>,
        extra: &[(i32, OwnedFd)],
    ) -> Result<Command> {
        let Some(program) = argv.first() else { return Err(HostError::at(libc::ENOENT, "exec", b"")) };
        let mut command = Command::new(OsStr::from_bytes(program));
        command.args(argv[1..].iter().map(|arg| OsStr::from_bytes(arg)));
        let shell = spec.program.is_for_shell().then_some(SHELL_NAME);
        if let Some(name) = spec.argv0.as_deref().or(shell) {
            command.arg0(OsStr::from_bytes(name));
        }
        match (&spec.cwd, &*self.cwd.borrow()) {
            (Some(cwd), _) => {
                command.current_dir(OsStr::from_bytes(&self.at(cwd)));
            }
            (None, Some(cwd)) => {
                command.current_dir(OsStr::from_bytes(cwd));
            }
            (None, None) => {}
        }
        match spec.group {
            Group::New => {
                command.process_group(0);
            }
            Group::Join(group) => {
                command.process_group(group);
            }
            Group::Inherit | Group::Session => {}
        }
        for (id, call) in [(spec.gid, b"setgid"), (spec.uid, b"setuid")] {
            if id == Some(UNCHANGED) {
                return Err(HostError::at(libc::EINVAL, "exec", call));
            }
        }
        let changes = spec.uid.is_some() || spec.gid.is_some();
        let groups = spec.groups.clone().or_else(|| (changes && nix::unistd::geteuid().is_root()).then(Vec::new));
        let setup = sys::ChildSetup {
            groups,
            uid: spec.uid,
            gid: spec.gid,
            umask: spec.umask,
            session: spec.group == Group::Session,
            limits: spec.limits.clone(),
            closed,
            fds: extra.iter().map(|(to, fd)| (*to, fd.as_raw_fd())).collect(),
        };
        if setup.needed() {
            setup.install(&mut command);
        }
        Ok(command)
    }

    /// A complete `Command`, and our ends of its pipes. The descriptors must be kept until it is started.
    fn prepare(
        &self,
        spec: &CommandSpec,
        argv: &[Vec<u8>],
    ) -> Result<(Command, [Option<File>; 3], Vec<(i32, OwnedFd)>)> {
        let wanted = [&spec.stdin, &spec.stdout, &spec.stderr];
        let piped = Stdio::Pipe;
        let stdin = if spec.input.is_some() { &piped } else { wanted[0] };
        let (in_end, in_file) = self.end(stdin, 0)?;
        let (mut out_end, out_file) = self.end(wanted[1], 1)?;
        let (mut err_end, err_file) = self.end(wanted[2], 2)?;
        if matches!(wanted[2], Stdio::Other) {
            err_end = same(&out_end, 1)?;
        } else if matches!(wanted[1], Stdio::Other) {
            out_end = same(&err_end, 2)?;
        }
        let mut extra = Vec::new();
        for (number, handle) in &spec.extra_fds {
            extra.push((*number, handle_fd(&**handle)?));
        }
        let mut closed = Vec::new();
        let mut streams = Vec::new();
        for (number, end) in [in_end, out_end, err_end].into_iter().enumerate() {
            streams.push(match end {
                End::Inherit => std::process::Stdio::inherit(),
                End::Fd(fd) => std::process::Stdio::from(fd),
                End::Closed => {
                    closed.push(number as i32);
                    std::process::Stdio::null()
                }
            });
        }
        let mut command = self.command(spec, argv, closed, &extra)?;
        let mut streams = streams.into_iter();
        if let (Some(stdin), Some(stdout), Some(stderr)) = (streams.next(), streams.next(), streams.next()) {
            command.stdin(stdin).stdout(stdout).stderr(stderr);
        }
        Ok((command, [in_file, out_file, err_file], extra))
    }

    pub(super) fn start(&self, spec: &CommandSpec) -> Result<Child> {
        self.settle();
        let argv = spec.program.to_argv();
        let started = match self.attempt(spec, &argv)? {
            // execvp(3) has the shell run a text without `#!`
            Err(error) if is_script(&error) => self.attempt(spec, &self.by_shell(spec, &argv))?,
            started => started,
        };
        started.map_err(|error| self.exec_error(spec, &error))
    }

    /// Starts the words as they are; the inner error is that of the start itself.
    fn attempt(&self, spec: &CommandSpec, argv: &[Vec<u8>]) -> Result<std::io::Result<Child>> {
        let (mut command, [stdin, stdout, stderr], _extra) = self.prepare(spec, argv)?;
        let environment = self.child_environment(spec)?;
        Ok(environment.spawn(&mut command).map(|child| Child { pid: child.id() as i32, stdin, stdout, stderr }))
    }

    /// The shell and what it runs: a script by the path at which it is found.
    fn by_shell(&self, spec: &CommandSpec, argv: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let mut words = vec![b"/bin/sh".to_vec()];
        words.extend_from_slice(argv);
        if let Some(program) = words.get_mut(1).filter(|program| !program.contains(&b'/')) {
            let given = spec.env.get(b"PATH".as_slice()).cloned().flatten();
            let path = given.or_else(|| self.env(b"PATH")).unwrap_or_default();
            let places = path.split(|&b| b == b':').map(|folder| crate::files::join(folder, program));
            if let Some(found) = places.into_iter().find(|place| self.stat(place).is_ok()) {
                *program = found;
            }
        }
        words
    }

    /// The error of a program that cannot be executed; it names the working directory if that does not exist.
    fn exec_error(&self, spec: &CommandSpec, error: &std::io::Error) -> HostError {
        if let Some(cwd) = &spec.cwd {
            match self.stat(cwd) {
                Err(error) => return HostError::at(error.errno, "chdir", cwd),
                Ok(stat) if !stat.is_dir() => return HostError::at(libc::ENOTDIR, "chdir", cwd),
                Ok(_) => {}
            }
        }
        let argv = spec.program.to_argv();
        let program = argv.first().map_or(b"".as_slice(), Vec::as_slice);
        let mut failed = HostError::from_io(error, "exec", Some(program));
        // execvp returns EACCES if PATH contains a directory that cannot be searched; Ruby looks up the program itself.
        if failed.errno == libc::EACCES && !program.contains(&b'/') {
            let path = self.env(b"PATH").unwrap_or_default();
            if !path.split(|&b| b == b':').any(|dir| self.stat(&crate::files::join(dir, program)).is_ok()) {
                failed.errno = libc::ENOENT;
            }
        }
        failed
    }
}

/// Whether the kernel does not know the form of a program, which is then a script for the shell.
fn is_script(error: &std::io::Error) -> bool {
    error.raw_os_error() == Some(libc::ENOEXEC)
}

/// The same open file for another stream.
fn same(end: &End, inherited: i32) -> Result<End> {
    Ok(match end {
        End::Inherit => End::Fd(sys::dup(inherited).map_err(fail("dup"))?),
        End::Fd(fd) => End::Fd(fd.try_clone().map_err(fail("dup"))?),
        End::Closed => End::Closed,
    })
}

/// A duplicate of a handle's descriptor; `EBADF` for a file in memory.
fn handle_fd(handle: &dyn FileHandle) -> Result<OwnedFd> {
    let number = handle.fd().ok_or_else(|| HostError::new(libc::EBADF, "dup"))?;
    sys::dup(number).map_err(fail("dup"))
}

/// A close-on-exec pipe: the read end and the write end.
pub(crate) fn make_pipe() -> Result<(OwnedFd, OwnedFd)> {
    nix::unistd::pipe2(OFlag::O_CLOEXEC).map_err(|e| HostError::new(e as i32, "pipe"))
}

fn boxed(file: Option<File>) -> Option<Box<dyn FileHandle>> {
    file.map(|file| Box::new(RealHandle::new(file)) as _)
}

fn wait_once(target: WaitTarget, options: i32) -> Result<Option<ExitStatus>> {
    let target = match target {
        WaitTarget::Pid(pid) => pid,
        WaitTarget::Any => -1,
        WaitTarget::Group(group) => -group,
    };
    match sys::wait(target, options) {
        Ok((0, _)) => Ok(None),
        Ok((pid, raw)) => Ok(Some(ExitStatus { pid, raw })),
        Err(error) => Err(HostError::from_io(&error, "wait", None)),
    }
}

fn wait_within(target: WaitTarget, options: i32, timeout: Option<Duration>) -> Result<Option<ExitStatus>> {
    let Some(timeout) = timeout else { return wait_once(target, options) };
    let deadline = Deadline::after(Some(timeout));
    let mut pause = Duration::from_micros(500);
    loop {
        if let Some(status) = wait_once(target, options | libc::WNOHANG)? {
            return Ok(Some(status));
        }
        let left = deadline.left().unwrap_or_default();
        if left.is_zero() {
            return Ok(None);
        }
        let ended = match target {
            // the descriptor does not tell that the process has stopped
            WaitTarget::Pid(pid) if options == 0 => sys::pidfd(pid).ok(),
            _ => None,
        };
        let mut set = sys::PollSet::new(ended.iter().map(|fd| (fd.as_raw_fd(), true, false)));
        let wait = if ended.is_some() { left } else { left.min(pause) };
        set.wait(sys::patience(Some(wait))).map_err(fail("wait"))?;
        if sys::signal_waits() {
            return Err(HostError::new(libc::EINTR, "wait"));
        }
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

impl Processes for RealHost {
    fn spawn(&self, spec: &CommandSpec) -> Result<Spawned> {
        let child = self.start(spec)?;
        Ok(Spawned {
            pid: child.pid,
            stdin: boxed(child.stdin),
            stdout: boxed(child.stdout),
            stderr: boxed(child.stderr),
        })
    }

    fn run(&self, spec: &CommandSpec, on_event: &mut dyn FnMut(CommandEvent<'_>) -> Flow) -> Result<CommandOutput> {
        super::run::run(self, spec, on_event)
    }

    fn exec(&self, spec: &CommandSpec) -> HostError {
        self.settle();
        let argv = spec.program.to_argv();
        let run = |argv: &[Vec<u8>]| {
            let (mut command, _ours, _extra) = self.prepare(spec, argv)?;
            Ok(self.child_environment(spec)?.exec(&mut command))
        };
        match run(&argv) {
            Ok(error) if is_script(&error) => match run(&self.by_shell(spec, &argv)) {
                Ok(error) => self.exec_error(spec, &error),
                Err(error) => error,
            },
            Ok(error) => self.exec_error(spec, &error),
            Err(error) => error,
        }
    }

    fn fork(&self) -> Result<Option<i32>> {
        if !sys::is_alone() {
            return Err(HostError::new(libc::ENOSYS, "fork"));
        }
        self.settle();
        sys::fork().map_err(|error| HostError::new(error as i32, "fork"))
    }

    fn leave(&self, status: u8) {
        sys::leave(status)
    }

    fn wait(&self, target: WaitTarget, timeout: Option<Duration>) -> Result<Option<ExitStatus>> {
        wait_within(target, 0, timeout)
    }

    fn wait_stopped(&self, target: WaitTarget, timeout: Option<Duration>) -> Result<Option<ExitStatus>> {
        wait_within(target, libc::WUNTRACED, timeout)
    }

    fn kill(&self, pid: i32, signal: i32) -> Result<()> {
        sys::kill(pid, signal).map_err(fail("kill"))
    }

    fn pipe(&self) -> Result<(Box<dyn FileHandle>, Box<dyn FileHandle>)> {
        let (read, write) = make_pipe()?;
        Ok((Box::new(RealHandle::new(File::from(read))), Box::new(RealHandle::new(File::from(write)))))
    }

    fn inherited(&self, number: i32) -> Result<Box<dyn FileHandle>> {
        let owned = sys::inherited(number).map_err(|error| HostError::from_io(&error, "fcntl", None))?;
        let file = File::from(owned);
        let is_socket = file.metadata().is_ok_and(|stat| stat.file_type().is_socket());
        Ok(Box::new(if is_socket { RealHandle::socket(file) } else { RealHandle::new(file) }))
    }

    fn pid(&self) -> i32 {
        std::process::id() as i32
    }

    fn ppid(&self) -> i32 {
        nix::unistd::getppid().as_raw()
    }

    #[cfg(target_os = "linux")]
    fn set_process_title(&self, title: &[u8]) {
        let _ = write_title(title);
    }

    fn pgid(&self, pid: i32) -> Result<i32> {
        nix::unistd::getpgid(Some(nix::unistd::Pid::from_raw(pid)))
            .map(nix::unistd::Pid::as_raw)
            .map_err(|e| HostError::new(e as i32, "getpgid"))
    }

    fn set_pgid(&self, pid: i32, group: i32) -> Result<()> {
        use nix::unistd::Pid;
        nix::unistd::setpgid(Pid::from_raw(pid), Pid::from_raw(group)).map_err(|e| HostError::new(e as i32, "setpgid"))
    }

    fn new_session(&self) -> Result<i32> {
        nix::unistd::setsid().map(nix::unistd::Pid::as_raw).map_err(|e| HostError::new(e as i32, "setsid"))
    }

    fn uname(&self) -> Result<Uname> {
        let name = nix::sys::utsname::uname().map_err(|e| HostError::new(e as i32, "uname"))?;
        let text = |part: &OsStr| part.to_string_lossy().into_owned();
        Ok(Uname {
            sysname: text(name.sysname()),
            nodename: text(name.nodename()),
            release: text(name.release()),
            version: text(name.version()),
            machine: text(name.machine()),
        })
    }

    fn hypervisor_signature(&self) -> Option<Vec<u8>> {
        sys::hypervisor_signature()
    }

    fn processors(&self) -> usize {
        std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
    }

    fn on_signal(&self, signal: i32, disposition: Disposition) -> Result<()> {
        sys::on_signal(signal, disposition).map_err(fail("sigaction"))
    }

    fn take_signals(&self) -> Vec<i32> {
        sys::take_signals()
    }

    fn stop_asked(&self) -> bool {
        sys::stop_asked()
    }

    fn note(&self, text: &dyn Fn() -> String) {
        if let Some(notes) = self.notes.borrow_mut().as_mut() {
            notes.push(text());
        }
    }

    fn take_notes(&self) -> Vec<String> {
        self.notes.borrow_mut().as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn limit(&self, resource: i32) -> Result<(u64, u64)> {
        sys::limit(resource).map_err(fail("getrlimit"))
    }

    fn set_limit(&self, resource: i32, soft: u64, hard: u64) -> Result<()> {
        sys::set_limit(resource, soft, hard).map_err(fail("setrlimit"))
    }

    fn env(&self, name: &[u8]) -> Option<Vec<u8>> {
        self.environment().borrow().get(name).cloned()
    }

    fn set_env(&self, name: &[u8], value: &[u8]) -> Result<()> {
        check_env_name(name)?;
        self.environment().borrow_mut().insert(name.to_vec(), value.to_vec());
        Ok(())
    }

    fn remove_env(&self, name: &[u8]) {
        self.environment().borrow_mut().shift_remove(name);
    }

    fn env_list(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        self.environment().borrow().iter().map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}

/// Writes over the arguments of this process, which the kernel shows as its command line (proc(5): `arg_start` and `arg_end` in `stat`).
#[cfg(target_os = "linux")]
fn write_title(title: &[u8]) -> std::io::Result<()> {
    use std::os::unix::fs::FileExt;
    // fields 48 and 49, counted behind the name, which is field 2 and may contain spaces
    const ARG_START: usize = 48 - 3;
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let mut numbers = fields.split_ascii_whitespace().skip(ARG_START).map_while(|word| word.parse::<u64>().ok());
    let (Some(start), Some(end)) = (numbers.next(), numbers.next()) else { return Ok(()) };
    let room = end.saturating_sub(start) as usize;
    let mut text = title[..title.len().min(room.saturating_sub(1))].to_vec();
    text.resize(room, 0);
    std::fs::OpenOptions::new().write(true).open("/proc/self/mem")?.write_all_at(&text, start)
}
