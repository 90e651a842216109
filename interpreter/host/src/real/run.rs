//! `run`: runs a child to its end, serving all its pipes at once.

use super::spawn::Child;
use super::{Deadline, RealHost};
use crate::error::{HostError, Result};
use crate::processes::{CommandEvent, CommandOutput, CommandSpec, ExitStatus, Flow, Group, Processes, WaitTarget};
use crate::sys;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::libc;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::time::{Duration, Instant};

/// How long to read pipes after the process group was killed: a process outside the group may hold them open.
const LINGER: Duration = Duration::from_millis(500);

#[derive(Clone, Copy, PartialEq)]
enum Stage {
    Running,
    Terminated,
    Killed,
}

struct Running<'a> {
    host: &'a RealHost,
    child: Child,
    /// A pidfd, readable when the child has ended; `None` on old kernels, where the child is polled every few milliseconds.
    ended: Option<OwnedFd>,
    input: &'a [u8],
    output: CommandOutput,
    status: Option<ExitStatus>,
    stage: Stage,
    deadline: Deadline,
    started: Instant,
    /// The seconds that the watcher was told of last.
    seen: u64,
    /// The target of signals: the process group if the child has its own.
    target: i32,
    grace: Duration,
}

/// Registers the process group of the running command, so that a second signal kills it.
struct Noted;

impl Noted {
    fn of(group: i32) -> Noted {
        sys::waiting_for(group);
        Noted
    }
}

impl Drop for Noted {
    fn drop(&mut self) {
        sys::waiting_for(0);
    }
}

pub(super) fn run(
    host: &RealHost,
    spec: &CommandSpec,
    on_event: &mut dyn FnMut(CommandEvent<'_>) -> Flow,
) -> Result<CommandOutput> {
    let child = host.start(spec)?;
    if let Some(stdin) = &child.stdin {
        // Writing to a full pipe must not stop us from reading the child's output.
        let _ = fcntl(stdin, FcntlArg::F_SETFL(OFlag::O_NONBLOCK));
    }
    let own_group = matches!(spec.group, Group::New | Group::Session);
    let _noted = own_group.then(|| Noted::of(child.pid));
    let mut running = Running {
        host,
        ended: sys::pidfd(child.pid).ok(),
        target: if own_group { -child.pid } else { child.pid },
        child,
        input: spec.input.as_deref().unwrap_or_default(),
        output: CommandOutput::default(),
        status: None,
        stage: Stage::Running,
        deadline: Deadline::after(spec.timeout),
        started: Instant::now(),
        seen: 0,
        grace: spec.kill_grace,
    };
    if running.input.is_empty() {
        running.child.stdin = None;
    }
    if on_event(CommandEvent::Started(running.child.pid)) == Flow::Kill {
        running.output.killed = true;
        running.terminate();
    }
    let driven = running.drive(spec.until_exit, on_event);
    running.unwatch();
    driven?;
    let mut output = running.output;
    output.status = match running.status {
        Some(status) => status,
        None => running.host.wait(WaitTarget::Pid(running.child.pid), None)?.unwrap_or_default(),
    };
    Ok(output)
}

impl Running<'_> {
    fn drive(&mut self, until_exit: bool, on_event: &mut dyn FnMut(CommandEvent<'_>) -> Flow) -> Result<()> {
        loop {
            if self.status.is_some() && (self.child.stdout.is_none() && self.child.stderr.is_none()) {
                return Ok(());
            }
            let exited = until_exit && self.status.is_some();
            if self.step(if exited { Some(Duration::ZERO) } else { None }, on_event)? == 0 && exited {
                return Ok(());
            }
            if !exited && self.deadline.passed() && self.escalate() {
                return Ok(());
            }
        }
    }

    /// Waits for an event and handles it; returns the number of bytes read or written.
    fn step(&mut self, wait: Option<Duration>, on_event: &mut dyn FnMut(CommandEvent<'_>) -> Flow) -> Result<usize> {
        let number = |file: &Option<File>| file.as_ref().map_or(-1, AsRawFd::as_raw_fd);
        let ended = if self.status.is_none() { self.ended.as_ref().map_or(-1, AsRawFd::as_raw_fd) } else { -1 };
        let mut set = sys::PollSet::new(
            [
                (number(&self.child.stdin), false, true),
                (number(&self.child.stdout), true, false),
                (number(&self.child.stderr), true, false),
                (ended, true, false),
            ]
            .into_iter(),
        );
        let mut left = wait.or_else(|| self.deadline.left());
        if self.status.is_none() && self.ended.is_none() {
            let tick = Duration::from_millis(5);
            left = Some(left.map_or(tick, |left| left.min(tick)));
        }
        if self.host.watcher.borrow().is_some() {
            let next = Duration::from_secs(self.seen + 1).saturating_sub(self.started.elapsed());
            left = Some(left.map_or(next, |left| left.min(next)));
        }
        match set.wait(sys::patience(left)) {
            Err(error) if error.kind() != ErrorKind::Interrupted => {
                return Err(HostError::from_io(&error, "poll", None));
            }
            Err(_) => set = sys::PollSet::new(std::iter::empty()),
            Ok(_) => {}
        }
        self.watch();
        if sys::signal_waits() {
            self.unwatch();
            self.answer(on_event(CommandEvent::Interrupted));
        }
        let mut moved = 0;
        if set.any() {
            if set.ready(0, false, true).1 {
                moved += self.feed();
            }
            if set.ready(1, true, false).0 {
                moved += self.collect(true, on_event);
            }
            if set.ready(2, true, false).0 {
                moved += self.collect(false, on_event);
            }
        }
        if self.status.is_none() {
            self.status = self.host.wait(WaitTarget::Pid(self.child.pid), Some(Duration::ZERO))?;
        }
        Ok(moved)
    }

    /// Tells the watcher once a second how long the command has been running.
    fn watch(&mut self) {
        let elapsed = self.started.elapsed();
        if elapsed.as_secs() > self.seen {
            self.seen = elapsed.as_secs();
            if let Some(watcher) = &mut *self.host.watcher.borrow_mut() {
                watcher(Some(elapsed));
            }
        }
    }

    fn unwatch(&self) {
        if self.seen > 0
            && let Some(watcher) = &mut *self.host.watcher.borrow_mut()
        {
            watcher(None);
        }
    }

    fn feed(&mut self) -> usize {
        let Some(stdin) = &mut self.child.stdin else { return 0 };
        match stdin.write(self.input) {
            Ok(count) => {
                self.input = &self.input[count..];
                if self.input.is_empty() {
                    self.child.stdin = None;
                }
                count
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => 0,
            Err(_) => {
                // The child has closed its stdin.
                self.child.stdin = None;
                0
            }
        }
    }

    fn collect(&mut self, first: bool, on_event: &mut dyn FnMut(CommandEvent<'_>) -> Flow) -> usize {
        let file = if first { &mut self.child.stdout } else { &mut self.child.stderr };
        let Some(source) = file else { return 0 };
        let mut buffer = [0; 16384];
        match source.read(&mut buffer) {
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => 0,
            Ok(0) | Err(_) => {
                *file = None;
                0
            }
            Ok(count) => {
                let data = &buffer[..count];
                self.unwatch();
                let kept = if first { &mut self.output.stdout } else { &mut self.output.stderr };
                kept.extend_from_slice(data);
                let event = if first { CommandEvent::Stdout(data) } else { CommandEvent::Stderr(data) };
                self.answer(on_event(event));
                count
            }
        }
    }

    fn answer(&mut self, flow: Flow) {
        if flow == Flow::Kill && self.stage == Stage::Running {
            self.output.killed = true;
            self.terminate();
        }
    }

    /// Sends TERM, and sets the deadline for KILL.
    fn terminate(&mut self) {
        self.stage = Stage::Terminated;
        let _ = sys::kill(self.target, libc::SIGTERM);
        self.deadline = Deadline::after(Some(self.grace));
    }

    /// Handles an expired deadline; true if there is no further step.
    fn escalate(&mut self) -> bool {
        match self.stage {
            Stage::Running => {
                self.output.timed_out = true;
                self.terminate();
            }
            Stage::Terminated => {
                self.stage = Stage::Killed;
                let _ = sys::kill(self.target, libc::SIGKILL);
                self.deadline = Deadline::after(Some(LINGER));
            }
            Stage::Killed => return true,
        }
        false
    }
}
