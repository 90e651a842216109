//! [`Processes`]: children, signals, identity, and the environment (virtual: the process's own is never changed).

use crate::error::{HostError, Result};
use crate::files::{FileHandle, OpenFlags};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

const ENOSYS: i32 = nix::libc::ENOSYS;

/// Children, signals, identity, environment.
pub trait Processes {
    /// Starts a child. Pipes asked for come back as handles; reap it with `wait`.
    fn spawn(&self, spec: &CommandSpec) -> Result<Spawned>;
    /// Runs a child to its end: feeds `spec.input`, collects both outputs, ends the group at the deadline.
    fn run(&self, spec: &CommandSpec, on_event: &mut dyn FnMut(CommandEvent<'_>) -> Flow) -> Result<CommandOutput>;
    /// Replaces this process; returns only the error.
    fn exec(&self, spec: &CommandSpec) -> crate::error::HostError;
    /// fork(2): the child's number, `None` in the child. `ENOSYS` where there is no process of ours to copy: a machine in memory, a program with several threads.
    fn fork(&self) -> Result<Option<i32>> {
        Err(HostError::new(ENOSYS, "fork"))
    }
    /// Ends a child of `fork` at once, without what the program does at its own end.
    fn leave(&self, _status: u8) {}
    /// waitpid(2). `None` when nothing ended in `timeout` (`Some(ZERO)` looks once; `None` waits for ever).
    fn wait(&self, target: WaitTarget, timeout: Option<Duration>) -> Result<Option<ExitStatus>>;
    /// kill(2): a negative pid is a group; signal 0 only asks.
    fn kill(&self, pid: i32, signal: i32) -> Result<()>;
    /// pipe(2): the reading and the writing end, close-on-exec.
    fn pipe(&self) -> Result<(Box<dyn FileHandle>, Box<dyn FileHandle>)>;
    fn pid(&self) -> i32;
    fn ppid(&self) -> i32;
    /// getpgid(2); 0 is this process.
    fn pgid(&self, pid: i32) -> Result<i32>;
    /// Real, then effective user.
    fn uids(&self) -> (u32, u32);
    /// Real, then effective group.
    fn gids(&self) -> (u32, u32);
    /// setpgid(2); 0 is this process, or its own number as the group.
    fn set_pgid(&self, _pid: i32, _group: i32) -> Result<()> {
        Err(HostError::new(ENOSYS, "setpgid"))
    }
    /// setsid(2): the session's number.
    fn new_session(&self) -> Result<i32> {
        Err(HostError::new(ENOSYS, "setsid"))
    }
    fn supplementary_groups(&self) -> Result<Vec<u32>>;
    /// uname(2).
    fn uname(&self) -> Result<Uname>;
    /// Processors this process may use.
    fn processors(&self) -> usize;
    /// What the processor of a virtual machine answers when asked for its hypervisor (CPUID leaf 0x40000000): 12 bytes such as `KVMKVMKVM`.
    fn hypervisor_signature(&self) -> Option<Vec<u8>> {
        None
    }
    /// Notes the signal for `take_signals` (`Watch`), ignores it, or restores the default.
    fn on_signal(&self, signal: i32, disposition: Disposition) -> Result<()>;
    /// Watched signals since the last call, by number. Cheap: meant for safepoints.
    fn take_signals(&self) -> Vec<i32>;
    /// Whether a signal waits that is to end the program ([`crate::end_on`]): what waits for a child ends it then.
    fn stop_asked(&self) -> bool {
        false
    }

    /// Notes what a command ended with, for a log that shows it; `text` is only made where notes are kept.
    fn note(&self, _text: &dyn Fn() -> String) {}
    /// Takes the notes since the last call.
    fn take_notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// getrlimit(2) of a resource by its number: the soft, then the hard limit (`u64::MAX`: none).
    fn limit(&self, resource: i32) -> Result<(u64, u64)>;
    /// setrlimit(2) for this process and its children.
    fn set_limit(&self, resource: i32, soft: u64, hard: u64) -> Result<()>;

    fn env(&self, name: &[u8]) -> Option<Vec<u8>>;
    /// Sets a variable for this run and its children; `EINVAL` for a name that is empty or has `=` or NUL.
    fn set_env(&self, name: &[u8], value: &[u8]) -> Result<()>;
    /// Removes a variable.
    fn remove_env(&self, name: &[u8]);
    /// Every variable, by name.
    fn env_list(&self) -> Vec<(Vec<u8>, Vec<u8>)>;
}

/// What a signal does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposition {
    Default,
    Ignore,
    /// Is noted; blocking calls return `EINTR`.
    Watch,
}

/// What uname(2) tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uname {
    /// `"Linux"`.
    pub sysname: String,
    pub nodename: String,
    pub release: String,
    pub version: String,
    /// `"x86_64"`.
    pub machine: String,
}

/// Directories that programs of the system are in.
pub const USUAL_FOLDERS: &[&str] = &["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/// Whether a program is given by its name alone, or in a directory that programs of the system are in.
pub fn is_of_system(program: &str) -> bool {
    program.rsplit_once('/').is_none_or(|(folder, _)| USUAL_FOLDERS.contains(&folder))
}

/// A command to run.
#[derive(Clone)]
pub struct CommandSpec {
    pub program: Program,
    /// argv[0] where it differs from the program.
    pub argv0: Option<Vec<u8>>,
    /// Changes to the environment: `None` removes.
    pub env: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    /// Start from an empty environment instead of the host's.
    pub clear_env: bool,
    /// Working directory; the host's when `None`.
    pub cwd: Option<Vec<u8>>,
    /// User to become.
    pub uid: Option<u32>,
    /// Group to become.
    pub gid: Option<u32>,
    /// Supplementary groups to take; none of them when a user or group is changed by root.
    pub groups: Option<Vec<u32>>,
    pub umask: Option<u32>,
    pub group: Group,
    /// Descriptor 0.
    pub stdin: Stdio,
    /// Descriptor 1.
    pub stdout: Stdio,
    /// Descriptor 2.
    pub stderr: Stdio,
    /// Further descriptors of the child, from 3.
    pub extra_fds: Vec<(i32, Rc<dyn FileHandle>)>,
    /// `run` only: fed to stdin, which is then a pipe.
    pub input: Option<Vec<u8>>,
    /// `run` only: time allowed before the group gets TERM and, `kill_grace` later, KILL.
    pub timeout: Option<Duration>,
    /// `run` only: time between TERM and KILL.
    pub kill_grace: Duration,
    /// `run` only: return once the child ends although a grandchild still holds its output (as Mixlib::ShellOut);
    /// otherwise reads to the end of the output (as backticks).
    pub until_exit: bool,
}

impl CommandSpec {
    /// Runs a program with arguments; output inherited.
    pub fn argv<I, T>(argv: I) -> Self
    where
        I: IntoIterator<Item = T>,
        T: Into<Vec<u8>>,
    {
        Self::new(Program::Argv(argv.into_iter().map(Into::into).collect()))
    }

    /// Runs a command line: by `/bin/sh -c` if it needs a shell, else directly, by Ruby's rule.
    pub fn shell(line: impl Into<Vec<u8>>) -> Self {
        Self::new(Program::Line(line.into()))
    }

    /// With defaults: everything inherited, no deadline.
    pub fn new(program: Program) -> Self {
        Self {
            program,
            argv0: None,
            env: BTreeMap::new(),
            clear_env: false,
            cwd: None,
            uid: None,
            gid: None,
            groups: None,
            umask: None,
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

    /// Collects stdout and stderr, reads nothing, in its own process group.
    pub fn captured(mut self) -> Self {
        self.stdin = Stdio::Null;
        self.stdout = Stdio::Pipe;
        self.stderr = Stdio::Pipe;
        self.group = Group::New;
        self
    }

    /// Sets a variable of the child.
    pub fn with_env(mut self, name: &str, value: &str) -> Self {
        self.env.insert(name.into(), Some(value.into()));
        self
    }

    /// Sets the deadline.
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The command as one line, for records and messages.
    pub fn display(&self) -> Vec<u8> {
        match &self.program {
            Program::Line(line) | Program::Shell(line) => line.clone(),
            Program::Argv(argv) => argv.join(&b' '),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// The program, found through PATH, and its arguments.
    Argv(Vec<Vec<u8>>),
    /// A line, split at blanks unless it needs a shell.
    Line(Vec<u8>),
    /// A line for `/bin/sh -c` in any case.
    Shell(Vec<u8>),
}

impl Program {
    /// Whether the line is for a shell.
    pub fn is_for_shell(&self) -> bool {
        matches!(self, Self::Shell(_)) || matches!(self, Self::Line(line) if needs_shell(line))
    }

    /// The argument vector that is executed.
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

/// What the shell is told that it was called as: it names itself by it in what it complains of.
pub const SHELL_NAME: &[u8] = b"sh";

fn shell_argv(line: &[u8]) -> Vec<Vec<u8>> {
    vec![b"/bin/sh".to_vec(), b"-c".to_vec(), line.to_vec()]
}

/// Whether Ruby gives a line to `/bin/sh`: MRI's process.c, rb_exec_fillarg: special characters, an assignment or a
/// comment in front, or a reserved word or special built-in as the first word.
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

/// A process group for a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Inherit,
    New,
    Join(i32),
    /// A new session, hence a new group and no terminal.
    Session,
}

/// What a child's descriptor is.
#[derive(Clone)]
pub enum Stdio {
    Inherit,
    Null,
    /// A pipe to the host.
    Pipe,
    /// A file, opened by the host.
    File {
        path: Vec<u8>,
        flags: OpenFlags,
        /// Mode if created.
        mode: u32,
    },
    /// An open handle that has a descriptor.
    Handle(Rc<dyn FileHandle>),
    /// What stdout is (for stderr), or what stderr is (for stdout).
    Other,
    Closed,
}

pub struct Spawned {
    pub pid: i32,
    /// The writing end of its stdin, if a pipe was asked for.
    pub stdin: Option<Box<dyn FileHandle>>,
    /// The reading end of its stdout.
    pub stdout: Option<Box<dyn FileHandle>>,
    /// The reading end of its stderr.
    pub stderr: Option<Box<dyn FileHandle>>,
}

/// Which child to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitTarget {
    Pid(i32),
    Any,
    /// Any of this group.
    Group(i32),
}

/// How a child ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExitStatus {
    pub pid: i32,
    /// wait(2)'s status word (`Process::Status#to_i`).
    pub raw: i32,
}

impl ExitStatus {
    /// A normal end with a code.
    pub fn exited(pid: i32, code: i32) -> Self {
        Self { pid, raw: (code & 0xff) << 8 }
    }

    /// The exit code of a normal end.
    pub fn code(&self) -> Option<i32> {
        (self.raw & 0x7f == 0).then_some((self.raw >> 8) & 0xff)
    }

    /// The signal that ended it.
    pub fn signal(&self) -> Option<i32> {
        let signal = self.raw & 0x7f;
        (signal != 0 && signal != 0x7f).then_some(signal)
    }

    /// Whether it dumped core.
    pub fn core_dumped(&self) -> bool {
        self.signal().is_some() && self.raw & 0x80 != 0
    }

    /// Exit code 0.
    pub fn success(&self) -> bool {
        self.raw == 0
    }
}

/// What `run` reports as it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandEvent<'a> {
    Started(i32),
    /// It wrote to stdout.
    Stdout(&'a [u8]),
    /// It wrote to stderr.
    Stderr(&'a [u8]),
    /// A watched signal arrived.
    Interrupted,
}

/// The answer to an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    Continue,
    /// End the child's group as at a deadline.
    Kill,
}

/// What a finished command left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandOutput {
    pub status: ExitStatus,
    /// Everything on stdout, if it was a pipe.
    pub stdout: Vec<u8>,
    /// Everything on stderr, if it was a pipe.
    pub stderr: Vec<u8>,
    pub timed_out: bool,
    /// An event's answer was `Kill`.
    pub killed: bool,
}

/// `run` without a callback.
pub fn run(host: &(impl Processes + ?Sized), spec: &CommandSpec) -> Result<CommandOutput> {
    host.run(spec, &mut |_| Flow::Continue)
}

/// The rule for names that putenv(3) accepts.
pub(crate) fn check_env_name(name: &[u8]) -> Result<()> {
    if name.is_empty() || name.contains(&b'=') || name.contains(&0) {
        return Err(crate::error::HostError::at(nix::libc::EINVAL, "setenv", name));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recorded from MRI: a command that does not exist raises ENOENT only when no shell runs it.
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
