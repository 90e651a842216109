//! [`Processes`]: children, signals, ids, and the virtual environment (that of the process never changes).

use crate::clock::Clock;
use crate::error::{HostError, Result};
use crate::files::{FileHandle, OpenFlags};
use indexmap::IndexMap;
use std::rc::Rc;
use std::time::Duration;

const ENOSYS: i32 = nix::libc::ENOSYS;

pub trait Processes {
    /// Starts a child. Requested pipes are returned as handles; the caller must reap the child with `wait`.
    fn spawn(&self, spec: &CommandSpec) -> Result<Spawned>;
    /// Runs a child until it ends: writes `spec.input` to it, collects its output, and kills its process group at the deadline.
    fn run(&self, spec: &CommandSpec, on_event: &mut dyn FnMut(CommandEvent<'_>) -> Flow) -> Result<CommandOutput>;
    /// exec(3): replaces this process; returns only if that fails.
    fn exec(&self, spec: &CommandSpec) -> crate::error::HostError;
    /// fork(2): the child's pid, `None` in the child. `ENOSYS` if this process cannot be copied (several threads) or the machine is simulated.
    fn fork(&self) -> Result<Option<i32>> {
        Err(HostError::new(ENOSYS, "fork"))
    }
    /// _exit(2): ends a forked child without cleanup.
    fn leave(&self, _status: u8) {}
    /// waitpid(2). `None` if nothing ended within `timeout` (zero: no waiting; `None`: wait indefinitely).
    fn wait(&self, target: WaitTarget, timeout: Option<Duration>) -> Result<Option<ExitStatus>>;
    /// [`Processes::wait`] that also tells of a child that a signal has stopped (`WUNTRACED`).
    fn wait_stopped(&self, target: WaitTarget, timeout: Option<Duration>) -> Result<Option<ExitStatus>>;
    /// kill(2): a negative pid is a process group; signal 0 only checks for existence.
    fn kill(&self, pid: i32, signal: i32) -> Result<()>;
    /// pipe(2): the read end and the write end, close-on-exec.
    fn pipe(&self) -> Result<(Box<dyn FileHandle>, Box<dyn FileHandle>)>;
    /// A descriptor that the parent has left open for this process, beyond the standard streams; `EBADF` if there is none with this number.
    fn inherited(&self, _number: i32) -> Result<Box<dyn FileHandle>> {
        Err(HostError::new(nix::libc::EBADF, "fcntl"))
    }
    fn pid(&self) -> i32;
    fn ppid(&self) -> i32;
    /// Makes a text what `ps` shows of this process; as much of it as the place of its arguments has room for. Without effect where that cannot be.
    fn set_process_title(&self, _title: &[u8]) {}
    /// getpgid(2); 0 is this process.
    fn pgid(&self, pid: i32) -> Result<i32>;
    /// setpgid(2); 0 stands for this process, and as the group for the pid.
    fn set_pgid(&self, _pid: i32, _group: i32) -> Result<()> {
        Err(HostError::new(ENOSYS, "setpgid"))
    }
    /// setsid(2): returns the session id.
    fn new_session(&self) -> Result<i32> {
        Err(HostError::new(ENOSYS, "setsid"))
    }
    fn uname(&self) -> Result<Uname>;
    /// The number of CPUs available to this process.
    fn processors(&self) -> usize;
    /// The hypervisor signature of a virtual machine's CPU (CPUID leaf 0x40000000): 12 bytes such as `KVMKVMKVM`.
    fn hypervisor_signature(&self) -> Option<Vec<u8>> {
        None
    }
    /// Sets a signal to be recorded for `take_signals` (`Watch`), to be ignored, or to its default action.
    fn on_signal(&self, signal: i32, disposition: Disposition) -> Result<()>;
    /// Watched signals since the last call, by number. Cheap, for use at safepoints.
    fn take_signals(&self) -> Vec<i32>;
    /// Whether a signal that ends the program ([`crate::end_on`]) is pending; callers that wait for a child then stop waiting.
    fn stop_asked(&self) -> bool {
        false
    }

    /// Adds a note about how a command ended, for logs; `text` is only called if notes are kept.
    fn note(&self, _text: &dyn Fn() -> String) {}
    /// Returns and removes the notes.
    fn take_notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// getrlimit(2) for the number of a resource: the soft and the hard limit (`u64::MAX`: unlimited).
    fn limit(&self, resource: i32) -> Result<(u64, u64)>;
    /// setrlimit(2) for this process and its children.
    fn set_limit(&self, resource: i32, soft: u64, hard: u64) -> Result<()>;

    fn env(&self, name: &[u8]) -> Option<Vec<u8>>;
    /// Sets a variable for this run and its children; `EINVAL` if the name is empty or contains `=` or NUL.
    fn set_env(&self, name: &[u8], value: &[u8]) -> Result<()>;
    fn remove_env(&self, name: &[u8]);
    /// All variables, sorted by name.
    fn env_list(&self) -> Vec<(Vec<u8>, Vec<u8>)>;
}

/// The disposition of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposition {
    Default,
    Ignore,
    /// It is recorded, and blocking calls return `EINTR`.
    Watch,
}

/// The result of uname(2).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uname {
    /// E.g. `"Linux"`.
    pub sysname: String,
    pub nodename: String,
    pub release: String,
    pub version: String,
    /// E.g. `"x86_64"`.
    pub machine: String,
}

/// The standard directories of programs.
pub const USUAL_FOLDERS: &[&str] = &["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/// Whether a program is given without a directory, or with a standard one.
pub fn is_of_system(program: &str) -> bool {
    program.rsplit_once('/').is_none_or(|(folder, _)| USUAL_FOLDERS.contains(&folder))
}

/// The variables of an environment, in their order.
pub type Environment = IndexMap<Vec<u8>, Vec<u8>>;

/// A command to run.
#[derive(Clone)]
pub struct CommandSpec {
    pub program: Program,
    /// argv[0], if different from the program.
    pub argv0: Option<Vec<u8>>,
    /// Changes of the environment, in the order in which the child gets new variables: `None` removes a variable.
    pub env: IndexMap<Vec<u8>, Option<Vec<u8>>>,
    /// Whether to start with an empty environment instead of the host's.
    pub clear_env: bool,
    /// The working directory; `None` is the host's.
    pub cwd: Option<Vec<u8>>,
    /// The user id to run as.
    pub uid: Option<u32>,
    /// The group id to run as.
    pub gid: Option<u32>,
    /// Supplementary groups; by default none, if root changes the user or group.
    pub groups: Option<Vec<u32>>,
    pub umask: Option<u32>,
    /// Limits of resources: (number, soft, hard), as in `set_limit`.
    pub limits: Vec<(i32, u64, u64)>,
    pub group: Group,
    pub stdin: Stdio,
    pub stdout: Stdio,
    pub stderr: Stdio,
    /// Additional descriptors of the child, from 3.
    pub extra_fds: Vec<(i32, Rc<dyn FileHandle>)>,
    /// `run` only: written to stdin, which is a pipe then.
    pub input: Option<Vec<u8>>,
    /// `run` only: the time after which the process group gets TERM and, `kill_grace` later, KILL.
    pub timeout: Option<Duration>,
    /// `run` only: the time between TERM and KILL.
    pub kill_grace: Duration,
    /// `run` only: return when the child ends, even if a grandchild still has its output open (as in Mixlib::ShellOut); otherwise read to the end of
    /// the output (as in backticks).
    pub until_exit: bool,
}

impl CommandSpec {
    /// A program with arguments; output is inherited.
    pub fn argv<I, T>(argv: I) -> Self
    where
        I: IntoIterator<Item = T>,
        T: Into<Vec<u8>>,
    {
        Self::new(Program::Argv(argv.into_iter().map(Into::into).collect()))
    }

    /// A command line: run by `/bin/sh -c` if it needs a shell according to Ruby's rule, else directly.
    pub fn shell(line: impl Into<Vec<u8>>) -> Self {
        Self::new(Program::Line(line.into()))
    }

    /// Defaults: standard streams are inherited, no deadline.
    pub fn new(program: Program) -> Self {
        Self {
            program,
            argv0: None,
            env: IndexMap::new(),
            clear_env: false,
            cwd: None,
            uid: None,
            gid: None,
            groups: None,
            umask: None,
            limits: Vec::new(),
            group: Group::Inherit,
            stdin: Stdio::Inherit,
            stdout: Stdio::Inherit,
            stderr: Stdio::Inherit,
            extra_fds: Vec::new(),
            input: None,
            timeout: None,
            kill_grace: Duration::from_secs(3),
            until_exit: false,
        }
    }

    /// Captures stdout and stderr, with empty stdin, in a process group of its own.
    pub fn captured(mut self) -> Self {
        self.stdin = Stdio::Null;
        self.stdout = Stdio::Pipe;
        self.stderr = Stdio::Pipe;
        self.group = Group::New;
        self
    }

    /// Sets an environment variable of the child.
    pub fn with_env(mut self, name: &str, value: &str) -> Self {
        self.env.insert(name.into(), Some(value.into()));
        self
    }

    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The command as one line, for recording and messages.
    pub fn display(&self) -> Vec<u8> {
        match &self.program {
            Program::Line(line) | Program::Shell(line) => line.clone(),
            Program::Argv(argv) => argv.join(&b' '),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// A program, looked up in PATH, and its arguments.
    Argv(Vec<Vec<u8>>),
    /// A command line, split at whitespace unless it needs a shell.
    Line(Vec<u8>),
    /// A command line that is always run by `/bin/sh -c`.
    Shell(Vec<u8>),
}

impl Program {
    /// Whether a shell runs the command line.
    pub fn is_for_shell(&self) -> bool {
        matches!(self, Self::Shell(_)) || matches!(self, Self::Line(line) if needs_shell(line))
    }

    /// The argument vector to execute.
    pub fn to_argv(&self) -> Vec<Vec<u8>> {
        match self {
            Self::Argv(argv) => argv.clone(),
            Self::Shell(line) => shell_argv(line),
            Self::Line(line) if needs_shell(line) => shell_argv(line),
            Self::Line(line) => {
                line.split(|b| matches!(b, b' ' | b'\t')).filter(|w| !w.is_empty()).map(<[u8]>::to_vec).collect()
            }
        }
    }
}

/// The shell's argv[0], which it uses as its name in error messages.
pub const SHELL_NAME: &[u8] = b"sh";

fn shell_argv(line: &[u8]) -> Vec<Vec<u8>> {
    vec![b"/bin/sh".to_vec(), b"-c".to_vec(), line.to_vec()]
}

/// Whether Ruby passes a command line to `/bin/sh` (MRI's process.c, rb_exec_fillarg): special characters, an assignment or comment at the start, or
/// a reserved word or special built-in as the first word.
pub fn needs_shell(line: &[u8]) -> bool {
    const WORDS: &[&[u8]] = &[
        b"!",
        b".",
        b":",
        b"break",
        b"case",
        b"continue",
        b"do",
        b"done",
        b"elif",
        b"else",
        b"esac",
        b"eval",
        b"exec",
        b"exit",
        b"export",
        b"fi",
        b"for",
        b"if",
        b"in",
        b"readonly",
        b"return",
        b"set",
        b"shift",
        b"then",
        b"times",
        b"trap",
        b"unset",
        b"until",
        b"while",
    ];
    let start = line.iter().position(|b| !matches!(b, b' ' | b'\t')).unwrap_or(line.len());
    let line = &line[start..];
    let mut first: Option<&[u8]> = None;
    let mut slash = false;
    for (at, &byte) in line.iter().enumerate() {
        match byte {
            b' ' | b'\t' => {
                first.get_or_insert(&line[..at]);
            }
            b'/' => slash = true,
            b'*' | b'?' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b'(' | b')' | b'~' | b'&' | b'|' | b'\\' | b'$'
            | b';' | b'\'' | b'`' | b'"' | b'\n' | b'#' => return true,
            b'=' if first.is_none() && !slash => return true,
            _ => {}
        }
    }
    WORDS.contains(&first.unwrap_or(line))
}

/// The process group of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Inherit,
    New,
    Join(i32),
    /// A new session, with a new group and no controlling terminal.
    Session,
}

/// The source of a child's descriptor.
#[derive(Clone)]
pub enum Stdio {
    Inherit,
    Null,
    /// A pipe to this process.
    Pipe,
    /// A file, opened by the host.
    File {
        path: Vec<u8>,
        flags: OpenFlags,
        /// The mode of a new file.
        mode: u32,
    },
    /// An open handle with a descriptor.
    Handle(Rc<dyn FileHandle>),
    /// The same as stdout (for stderr) or as stderr (for stdout).
    Other,
    Closed,
}

pub struct Spawned {
    pub pid: i32,
    /// The write end of its stdin, if it is a pipe.
    pub stdin: Option<Box<dyn FileHandle>>,
    /// The read end of its stdout, if it is a pipe.
    pub stdout: Option<Box<dyn FileHandle>>,
    /// The read end of its stderr, if it is a pipe.
    pub stderr: Option<Box<dyn FileHandle>>,
}

/// Which children to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitTarget {
    Pid(i32),
    Any,
    /// Any child in this process group.
    Group(i32),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExitStatus {
    pub pid: i32,
    /// The status word of wait(2) (`Process::Status#to_i`).
    pub raw: i32,
}

impl ExitStatus {
    /// A normal exit with a code.
    pub fn exited(pid: i32, code: i32) -> Self {
        Self { pid, raw: (code & 0xff) << 8 }
    }

    /// The exit code; `None` if a signal ended the process.
    pub fn code(&self) -> Option<i32> {
        (self.raw & 0x7f == 0).then_some((self.raw >> 8) & 0xff)
    }

    /// Whether a signal has stopped the process, which goes on to exist.
    pub fn is_stopped(&self) -> bool {
        self.raw & 0xff == 0x7f
    }

    /// The signal that ended the process.
    pub fn signal(&self) -> Option<i32> {
        let signal = self.raw & 0x7f;
        (signal != 0 && signal != 0x7f).then_some(signal)
    }

    pub fn core_dumped(&self) -> bool {
        self.signal().is_some() && self.raw & 0x80 != 0
    }

    pub fn success(&self) -> bool {
        self.raw == 0
    }
}

/// An event during `run`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandEvent<'a> {
    Started(i32),
    Stdout(&'a [u8]),
    Stderr(&'a [u8]),
    /// A watched signal arrived.
    Interrupted,
}

/// How `run` continues after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    Continue,
    /// Terminate the child's process group, as at the deadline.
    Kill,
}

/// The result of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandOutput {
    pub status: ExitStatus,
    /// The content of stdout, if it was a pipe.
    pub stdout: Vec<u8>,
    /// The content of stderr, if it was a pipe.
    pub stderr: Vec<u8>,
    pub timed_out: bool,
    /// Whether the callback returned `Kill`.
    pub killed: bool,
}

/// `run` without a callback.
pub fn run(host: &(impl Processes + ?Sized), spec: &CommandSpec) -> Result<CommandOutput> {
    host.run(spec, &mut |_| Flow::Continue)
}

/// Notes how a command ended, for the debug log: what `shown` gives, its status, and the time since `started` (of the monotonic clock).
pub fn note_ended(
    host: &(impl Processes + Clock + ?Sized),
    shown: &dyn Fn() -> String,
    started: u64,
    ended: &CommandOutput,
) {
    host.note(&|| {
        let seconds = host.monotonic_ns().saturating_sub(started) as f64 / 1e9;
        let how = match (ended.timed_out, ended.status.code(), ended.status.signal()) {
            (true, ..) => "took longer than it may and was ended".to_string(),
            (false, Some(code), _) => format!("returned {code}"),
            (false, None, signal) => format!("was ended by signal {}", signal.unwrap_or_default()),
        };
        format!("Command {} {how} after {seconds:.3} s", shown())
    });
}

/// Checks a variable name like putenv(3).
pub(crate) fn check_env_name(name: &[u8]) -> Result<()> {
    if name.is_empty() || name.contains(&b'=') || name.contains(&0) {
        return Err(crate::error::HostError::at(nix::libc::EINVAL, "setenv", name));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recorded from MRI: a missing command raises ENOENT only if no shell runs it.
    #[test]
    fn lines_that_need_a_shell() {
        for line in ["echo $A", "a | b", "A=1 b", "exit 3", ": x", "# c", "a; b", "if true", "echo *", "x#y"] {
            assert!(needs_shell(line.as_bytes()), "{line}");
        }
        for line in ["ls -l", "nonexistent", " exitx 3", "test a=b", "ls a%b", "%1", "x/y=z", "cd /"] {
            assert!(!needs_shell(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn statuses() {
        assert_eq!(ExitStatus::exited(1, 3).code(), Some(3));
        let killed = ExitStatus { pid: 1, raw: 9 };
        assert_eq!((killed.code(), killed.signal(), killed.success()), (None, Some(9), false));
        let stopped = ExitStatus { pid: 1, raw: 0x137f };
        assert_eq!((stopped.code(), stopped.signal()), (None, None));
    }
}
