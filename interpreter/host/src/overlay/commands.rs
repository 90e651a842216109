//! Commands, signals and the environment of an overlay.

use super::effect::EffectKind;
use super::handle::MemoryPipe;
use super::{OverlayHost, contents};
use crate::Host;
use crate::compose::{read_all, write_all};
use crate::error::{HostError, Result};
use crate::files::{FileHandle, Files};
use crate::processes::{
    CommandEvent, CommandOutput, CommandSpec, Disposition, ExitStatus, Flow, Processes, Spawned, Stdio, Uname,
    WaitTarget, check_env_name,
};
use crate::streams::{StandardStream, Streams};
use nix::libc;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

/// What happens with a command that no answerer answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// It does not run: it is recorded, with empty output and status 0.
    Record,
    /// It runs on the machine, where the overlay's files do not exist.
    Run,
    /// It runs if it is read-only; else it is assumed to succeed, and what is unknown is recorded as a doubt.
    Simulate,
}

/// Output and exit code used instead of running a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub code: i32,
}

/// Returns the answer to a command, if it knows one. It may use the overlay.
pub type Answerer = Rc<dyn Fn(&OverlayHost, &CommandSpec) -> Option<Answer>>;

impl Answer {
    /// An exit code without output.
    pub fn status(code: i32) -> Self {
        Self { code, ..Self::default() }
    }

    /// Output and exit code 0.
    pub fn output(stdout: impl Into<Vec<u8>>) -> Self {
        Self { stdout: stdout.into(), ..Self::default() }
    }

    /// Applies to every command whose line contains the text.
    pub fn when_containing(self, text: &str) -> Answerer {
        let text = text.as_bytes().to_vec();
        Rc::new(move |_, spec| memchr::memmem::find(&spec.display(), &text).map(|_| self.clone()))
    }

    /// Applies to every command whose line equals the text.
    pub fn when_line(self, text: &str) -> Answerer {
        let text = text.as_bytes().to_vec();
        Rc::new(move |_, spec| (spec.display() == text).then(|| self.clone()))
    }
}

/// Started children, real or simulated.
#[derive(Default)]
pub(super) struct Children {
    /// Status words of simulated children that have ended, by pid.
    ended: RefCell<BTreeMap<i32, i32>>,
    /// Pids of children on the machine.
    real: RefCell<BTreeSet<i32>>,
    started: Cell<i32>,
}

/// The pid of the simulated process.
pub(super) const SIMULATED_PID: i32 = 1024;

/// Signals that code sends to its own process. They do not reach the real process, whose signal dispositions are unchanged: code can neither end it
/// nor prevent the user from ending it.
#[derive(Default)]
pub(super) struct Signals {
    dispositions: RefCell<BTreeMap<i32, Disposition>>,
    sent: RefCell<BTreeSet<i32>>,
}

impl Signals {
    fn set(&self, signal: i32, disposition: Disposition) -> Result<()> {
        known_signal(signal, "sigaction")?;
        self.dispositions.borrow_mut().insert(signal, disposition);
        Ok(())
    }

    /// Records a signal for [`Self::take`], unless it has no effect.
    fn send(&self, signal: i32) -> Result<()> {
        if signal == 0 {
            return Ok(());
        }
        known_signal(signal, "kill")?;
        let disposition = self.dispositions.borrow().get(&signal).copied().unwrap_or(Disposition::Default);
        let does_nothing = [libc::SIGCHLD, libc::SIGCONT, libc::SIGURG, libc::SIGWINCH].contains(&signal);
        if disposition == Disposition::Watch || disposition == Disposition::Default && !does_nothing {
            self.sent.borrow_mut().insert(signal);
        }
        Ok(())
    }

    fn take(&self) -> Vec<i32> {
        if self.sent.borrow().is_empty() { Vec::new() } else { self.sent.take().into_iter().collect() }
    }
}

fn known_signal(signal: i32, op: &'static str) -> Result<()> {
    if (1..=64).contains(&signal) { Ok(()) } else { Err(HostError::new(libc::EINVAL, op)) }
}

/// The limits that systemd sets for a service.
fn simulated_limit(resource: i32) -> Result<(u64, u64)> {
    const NONE: u64 = u64::MAX;
    const RESOURCES: i32 = 16;
    const STACK: i32 = libc::RLIMIT_STACK as i32;
    const CORE: i32 = libc::RLIMIT_CORE as i32;
    const FILES: i32 = libc::RLIMIT_NOFILE as i32;
    const LOCKED: i32 = libc::RLIMIT_MEMLOCK as i32;
    const PROCESSES: i32 = libc::RLIMIT_NPROC as i32;
    const NICE: i32 = libc::RLIMIT_NICE as i32;
    const PRIORITY: i32 = libc::RLIMIT_RTPRIO as i32;
    Ok(match resource {
        STACK => (8 << 20, NONE),
        CORE => (0, NONE),
        FILES => (1024, 524_288),
        LOCKED => (8 << 20, 8 << 20),
        PROCESSES => (31_000, 31_000),
        NICE | PRIORITY => (0, 0),
        0..RESOURCES => (NONE, NONE),
        _ => return Err(HostError::new(libc::EINVAL, "getrlimit")),
    })
}

/// Simulated pids are larger than Linux's largest pid.
const FIRST_PID: i32 = 1 << 23;

impl OverlayHost {
    /// Whether commands without an answer run on the machine; if not, the users and directories that they need do not have to exist.
    pub fn runs_commands(&self) -> bool {
        self.options.policy == Policy::Run
    }

    /// The answer, or `None` if the command has to run; it is recorded in both cases.
    fn decide(&self, spec: &CommandSpec) -> Option<Answer> {
        let line = spec.display();
        let answer = self.options.answers.iter().find_map(|answerer| self.quietly(|| answerer(self, spec)));
        let (detail, answer) = match (answer, self.options.policy) {
            (Some(answer), _) => ("answered", Some(answer)),
            (None, Policy::Record) => ("not run", Some(Answer::default())),
            (None, Policy::Run) => ("run", None),
            (None, Policy::Simulate) => ("simulated", self.simulated(spec)),
        };
        self.record(EffectKind::Command, &line, detail);
        answer
    }

    /// The command to run on the machine, with the overlay's environment and working directory.
    pub(super) fn outside(&self, spec: &CommandSpec) -> CommandSpec {
        let mut outside = spec.clone();
        if !spec.clear_env {
            outside.clear_env = true;
            outside.env = self.env.borrow().iter().map(|(name, value)| (name.clone(), Some(value.clone()))).collect();
            outside.env.extend(spec.env.iter().map(|(name, value)| (name.clone(), value.clone())));
        }
        let cwd = self.core.cwd.borrow();
        outside.cwd = match &spec.cwd {
            Some(dir) => Some(crate::files::absolute(&cwd, dir)),
            // A directory that exists only in the overlay cannot be the working directory.
            None if self.machine().stat(&cwd).is_ok() => Some(cwd.clone()),
            None => None,
        };
        outside.umask = spec.umask.or(Some(self.core.umask.get()));
        // a simulation does not read the user's input
        if self.simulates() && matches!(outside.stdin, Stdio::Inherit) {
            outside.stdin = Stdio::Null;
        }
        outside
    }

    /// Whether the overlay collects a command's output and writes it itself. This includes terminals, where a command might prompt the user.
    fn is_gathered(&self, stdio: &Stdio) -> bool {
        let ours = self.options.capture || self.options.output_to_error;
        ours && match stdio {
            Stdio::Inherit => true,
            Stdio::Handle(handle) => handle.is_tty(),
            _ => false,
        }
    }

    /// Runs a command on the machine. The overlay handles redirections to its files: input is read before, output is written afterwards.
    fn run_outside(
        &self,
        spec: &CommandSpec,
        on_event: &mut dyn FnMut(CommandEvent<'_>) -> Flow,
    ) -> Result<CommandOutput> {
        let mut outside = self.outside(spec);
        match &spec.stdin {
            Stdio::File { path, .. } => outside.input = Some(contents(self, path)?),
            Stdio::Handle(handle) if handle.fd().is_none() => outside.input = Some(read_all(&**handle)?),
            _ => {}
        }
        for stdio in [&mut outside.stdout, &mut outside.stderr] {
            if in_memory(stdio) || self.is_gathered(stdio) {
                *stdio = Stdio::Pipe;
            }
        }
        let mut output = self.machine().run(&outside, on_event)?;
        if !matches!(spec.stdout, Stdio::Pipe) {
            let data = std::mem::take(&mut output.stdout);
            self.deliver(&spec.stdout, StandardStream::Output, &data)?;
        }
        if !matches!(spec.stderr, Stdio::Pipe) {
            let data = std::mem::take(&mut output.stderr);
            self.deliver(&spec.stderr, StandardStream::Error, &data)?;
        }
        Ok(output)
    }

    /// Writes a command's output to the target of its redirection.
    fn deliver(&self, to: &Stdio, which: StandardStream, data: &[u8]) -> Result<()> {
        match to {
            Stdio::Inherit if data.is_empty() => Ok(()),
            Stdio::Inherit => write_all(&*self.standard(which)?, data),
            Stdio::Handle(handle) => write_all(&**handle, data),
            Stdio::File { path, flags, mode } => write_all(&*self.open(path, *flags, *mode)?, data),
            Stdio::Null | Stdio::Pipe | Stdio::Other | Stdio::Closed => Ok(()),
        }
    }

    /// Output of an answer for the caller; streams that are not pipes are written to their targets.
    fn canned(&self, spec: &CommandSpec, answer: Answer) -> Result<(Vec<u8>, Vec<u8>)> {
        let Answer { mut stdout, mut stderr, .. } = answer;
        if matches!(spec.stderr, Stdio::Other) {
            stdout.append(&mut stderr);
        }
        if matches!(spec.stdout, Stdio::Other) {
            stderr.append(&mut stdout);
        }
        if !matches!(spec.stdout, Stdio::Pipe) {
            self.deliver(&spec.stdout, StandardStream::Output, &std::mem::take(&mut stdout))?;
        }
        if !matches!(spec.stderr, Stdio::Pipe) {
            self.deliver(&spec.stderr, StandardStream::Error, &std::mem::take(&mut stderr))?;
        }
        Ok((stdout, stderr))
    }

    /// Runs a command to its end, for redirections to files in memory, which have no descriptors.
    fn spawn_ended(&self, spec: &CommandSpec) -> Result<Spawned> {
        let output = self.run_outside(spec, &mut |_| Flow::Continue)?;
        let status = ExitStatus { pid: self.made_up_pid(), raw: output.status.raw };
        Ok(self.ended(spec, status, &output.stdout, &output.stderr))
    }

    /// A child that has already ended, for `wait`.
    fn ended(&self, spec: &CommandSpec, status: ExitStatus, stdout: &[u8], stderr: &[u8]) -> Spawned {
        self.children.ended.borrow_mut().insert(status.pid, status.raw);
        let pipe = |wanted: &Stdio, data: &[u8]| {
            matches!(wanted, Stdio::Pipe).then(|| Box::new(MemoryPipe::holding(data)) as Box<dyn FileHandle>)
        };
        Spawned {
            pid: status.pid,
            stdin: pipe(&spec.stdin, b""),
            stdout: pipe(&spec.stdout, stdout),
            stderr: pipe(&spec.stderr, stderr),
        }
    }

    fn made_up_pid(&self) -> i32 {
        let count = self.children.started.get();
        self.children.started.set(count + 1);
        FIRST_PID + count
    }
}

/// Whether a redirection is to a file of the overlay, which has no descriptor.
fn in_memory(stdio: &Stdio) -> bool {
    match stdio {
        Stdio::File { .. } => true,
        Stdio::Handle(handle) => handle.fd().is_none(),
        _ => false,
    }
}

impl OverlayHost {
    /// Waits for a simulated child, which has ended, or by `wait` for a real one.
    fn wait_by(
        &self,
        target: WaitTarget,
        wait: impl FnOnce(&dyn Host) -> Result<Option<ExitStatus>>,
    ) -> Result<Option<ExitStatus>> {
        let mut ended = self.children.ended.borrow_mut();
        let pid = match target {
            WaitTarget::Pid(pid) if pid >= FIRST_PID => ended.contains_key(&pid).then_some(pid),
            WaitTarget::Any => ended.keys().next().copied(),
            _ => None,
        };
        if let Some((pid, raw)) = pid.and_then(|pid| ended.remove_entry(&pid)) {
            return Ok(Some(ExitStatus { pid, raw }));
        }
        drop(ended);
        if self.children.real.borrow().is_empty() {
            return Err(HostError::new(libc::ECHILD, "wait"));
        }
        let status = wait(self.machine())?;
        if let Some(status) = status
            && !status.is_stopped()
        {
            self.children.real.borrow_mut().remove(&status.pid);
        }
        Ok(status)
    }
}

impl Processes for OverlayHost {
    fn spawn(&self, spec: &CommandSpec) -> Result<Spawned> {
        let Some(answer) = self.decide(spec) else {
            // the input of a command that reads from a pipe is not known yet
            let is_fed = matches!(spec.stdin, Stdio::Pipe);
            if [&spec.stdin, &spec.stdout, &spec.stderr].into_iter().any(in_memory)
                || !is_fed && self.is_gathered(&spec.stdout)
            {
                return self.spawn_ended(spec);
            }
            let spawned = self.machine().spawn(&self.outside(spec))?;
            self.children.real.borrow_mut().insert(spawned.pid);
            return Ok(spawned);
        };
        let status = ExitStatus::exited(self.made_up_pid(), answer.code);
        let (stdout, stderr) = self.canned(spec, answer)?;
        Ok(self.ended(spec, status, &stdout, &stderr))
    }

    fn run(&self, spec: &CommandSpec, on_event: &mut dyn FnMut(CommandEvent<'_>) -> Flow) -> Result<CommandOutput> {
        let Some(answer) = self.decide(spec) else { return self.run_outside(spec, on_event) };
        let pid = self.made_up_pid();
        let status = ExitStatus::exited(pid, answer.code);
        let (stdout, stderr) = self.canned(spec, answer)?;
        let mut killed = on_event(CommandEvent::Started(pid)) == Flow::Kill;
        if !stdout.is_empty() {
            killed |= on_event(CommandEvent::Stdout(&stdout)) == Flow::Kill;
        }
        if !stderr.is_empty() {
            killed |= on_event(CommandEvent::Stderr(&stderr)) == Flow::Kill;
        }
        Ok(CommandOutput { status, stdout, stderr, timed_out: false, killed })
    }

    fn exec(&self, spec: &CommandSpec) -> HostError {
        let line = spec.display();
        self.record(EffectKind::Command, &line, "exec refused");
        HostError::at(libc::EPERM, "exec", &line)
    }

    fn wait(&self, target: WaitTarget, timeout: Option<Duration>) -> Result<Option<ExitStatus>> {
        self.wait_by(target, |machine| machine.wait(target, timeout))
    }

    fn wait_stopped(&self, target: WaitTarget, timeout: Option<Duration>) -> Result<Option<ExitStatus>> {
        self.wait_by(target, |machine| machine.wait_stopped(target, timeout))
    }

    fn kill(&self, pid: i32, signal: i32) -> Result<()> {
        let target = pid.checked_abs().unwrap_or(0);
        if self.children.ended.borrow().contains_key(&target) {
            return Ok(());
        }
        if target == 0 || target == self.pid() {
            return self.signals.send(signal);
        }
        if self.children.real.borrow().contains(&target) {
            return self.machine().kill(pid, signal);
        }
        if signal != 0 {
            self.record(EffectKind::Signal, pid.to_string().as_bytes(), signal.to_string());
        }
        match (self.options.isolated, signal) {
            (true, _) => Err(HostError::new(libc::ESRCH, "kill")),
            (false, 0) => self.machine().kill(pid, 0),
            (false, _) => Ok(()),
        }
    }

    fn pipe(&self) -> Result<(Box<dyn FileHandle>, Box<dyn FileHandle>)> {
        self.machine().pipe()
    }

    fn pid(&self) -> i32 {
        if self.options.isolated { SIMULATED_PID } else { self.machine().pid() }
    }

    fn ppid(&self) -> i32 {
        if self.options.isolated { 1 } else { self.machine().ppid() }
    }

    fn pgid(&self, pid: i32) -> Result<i32> {
        match pid {
            _ if !self.options.isolated => self.machine().pgid(pid),
            0 | SIMULATED_PID => Ok(SIMULATED_PID),
            _ => Err(HostError::new(libc::ESRCH, "getpgid")),
        }
    }

    fn uname(&self) -> Result<Uname> {
        self.record(EffectKind::ReadSystem, b"uname", "");
        match &self.options.uname {
            Some(uname) => Ok(uname.clone()),
            None => self.machine().uname(),
        }
    }

    fn processors(&self) -> usize {
        self.options.processors.unwrap_or_else(|| self.machine().processors())
    }

    fn on_signal(&self, signal: i32, disposition: Disposition) -> Result<()> {
        self.signals.set(signal, disposition)
    }

    fn take_signals(&self) -> Vec<i32> {
        self.signals.take()
    }

    fn limit(&self, resource: i32) -> Result<(u64, u64)> {
        if self.options.isolated { simulated_limit(resource) } else { self.machine().limit(resource) }
    }

    /// Does nothing: code must not change the limits of this process.
    fn set_limit(&self, _: i32, _: u64, _: u64) -> Result<()> {
        Ok(())
    }

    fn env(&self, name: &[u8]) -> Option<Vec<u8>> {
        self.record(EffectKind::ReadEnv, name, "");
        self.env.borrow().get(name).cloned()
    }

    fn set_env(&self, name: &[u8], value: &[u8]) -> Result<()> {
        check_env_name(name)?;
        self.record(EffectKind::SetEnv, name, String::from_utf8_lossy(value));
        self.env.borrow_mut().insert(name.to_vec(), value.to_vec());
        Ok(())
    }

    fn remove_env(&self, name: &[u8]) {
        if self.env.borrow_mut().shift_remove(name).is_some() {
            self.record(EffectKind::SetEnv, name, "removed");
        }
    }

    fn env_list(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        self.record(EffectKind::ReadEnv, b"*", "");
        self.env.borrow().iter().map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}
