//! A repeating client: interval, splay, daemon (Chef::Application::Base). Every run is a child process, so that no state passes from one to the
//! next.
//!
//! USR1 starts the next run at once, HUP rereads the configuration, INT and TERM end the client with status 2 and 3. During a run INT and TERM
//! are forwarded to it, and the client ends after it.

use super::flags::Options;
use super::{child, log};
use crate::diagnostic;
use crate::input::config::{FAILURE, Refusal, setting, text_setting};
use rchef_host::processes::{Disposition, Group};
use rchef_host::{CommandSpec, FileHandle, LockKind, OpenFlags, Stdio};
use rchef_ruby::{Value, Vm};
use std::time::Duration;

const HUP: i32 = 1;
const INT: i32 = 2;
const USR1: i32 = 10;
const TERM: i32 = 15;
/// Default interval of a daemon, in seconds.
const DAEMON: u64 = 1800;
/// Default pid file of a daemon.
const PID_FILE: &str = "/tmp/chef-client.pid";

pub struct Schedule {
    interval: Option<u64>,
    splay: u64,
    /// Seconds before the first run of a daemon.
    wait: Option<u64>,
    daemonize: bool,
    pid_file: String,
    words: Vec<String>,
}

fn seconds(vm: &mut Vm, key: &str) -> Option<u64> {
    match setting(vm, key) {
        Value::Int(seconds) => u64::try_from(seconds).ok(),
        Value::Str(_) => text_setting(vm, key)?.parse().ok(),
        _ => None,
    }
}

/// The schedule of the command line and the configuration; None for a single run in this process.
pub fn of(vm: &mut Vm, options: &Options, command: &str, words: &[String]) -> Result<Option<Schedule>, Refusal> {
    let plan = &options.schedule;
    if plan.forked {
        return Ok(None);
    }
    let once = options.once || setting(vm, "once").truthy();
    let asked = setting(vm, "daemonize");
    let daemonize = !once && (plan.daemonize.is_some() || asked.truthy());
    let wait = plan.daemonize.flatten().or_else(|| seconds(vm, "daemonize"));
    let mut interval = plan.interval.or_else(|| seconds(vm, "interval"));
    let mut splay = plan.splay.or_else(|| seconds(vm, "splay")).unwrap_or(0);
    if daemonize {
        interval = interval.or(Some(DAEMON));
    }
    if once {
        (interval, splay) = (None, 0);
    }
    let fork = match (plan.fork, plan.no_fork, setting(vm, "client_fork")) {
        (true, ..) => true,
        (_, true, _) | (_, _, Value::False) => false,
        (_, _, configured) => interval.is_some() || configured.truthy(),
    };
    if let Some(interval) = interval.filter(|_| !fork) {
        return Err((
            1,
            format!(
                "Unforked Chef Infra Client interval runs are disabled by default.\nConfiguration settings:\n  interval  = {interval} seconds\nhint: leave --no-fork or `client_fork false` out, or the interval"
            ),
        ));
    }
    if !fork || once {
        return Ok(None);
    }
    let pid_file = plan.pid_file.clone().or_else(|| text_setting(vm, "pid_file"));
    if pid_file.is_some() && pid_file == text_setting(vm, "lockfile") {
        return Err((FAILURE, "PIDFileLockfileMatch: the pid file and the lock file are the same file".into()));
    }
    let mut all = vec![command.to_string(), "--forked".into()];
    all.extend(words.iter().cloned());
    let pid_file = pid_file.unwrap_or_else(|| PID_FILE.into());
    Ok(Some(Schedule { interval, splay, wait, daemonize, pid_file, words: all }))
}

/// What signals have requested.
#[derive(Default)]
struct Asked {
    now: bool,
    reload: bool,
    end: Option<u8>,
}

impl Asked {
    fn hear(&mut self, vm: &Vm, signal: i32) {
        let text = match signal {
            USR1 => {
                self.now = true;
                "SIGUSR1 received, will run now or after the current run"
            }
            HUP => {
                self.reload = true;
                "SIGHUP received, will reconfigure now or after the current run"
            }
            INT => {
                self.end = Some(2);
                "SIGINT received, stopping"
            }
            TERM => {
                self.end = Some(3);
                "SIGTERM received, stopping"
            }
            _ => return,
        };
        say(vm, "INFO", text);
    }
}

fn say(vm: &Vm, level: &str, text: &str) {
    diagnostic::complain(&format!("[{}] {level}: {text}\n", log::timestamp(vm)));
}

impl Schedule {
    /// Runs until a signal ends it, or once without an interval; gives the exit status. `inside`: this process is the daemon.
    pub fn run(&self, vm: &mut Vm, inside: bool) -> u8 {
        let _pid_file = match self.own_pid_file(vm) {
            Ok(held) => held,
            Err(text) => {
                say(vm, "FATAL", &text);
                return 1;
            }
        };
        if self.daemonize && !inside {
            // releases the lock of the pid file for the daemon
            drop(_pid_file);
            return self.start_daemon(vm);
        }
        for signal in [HUP, INT, USR1, TERM] {
            let _ = vm.host.clone().on_signal(signal, Disposition::Watch);
        }
        let mut asked = Asked::default();
        let mut wait = self.wait.unwrap_or_else(|| self.pause(vm));
        loop {
            self.sleep(vm, Duration::from_secs(wait), &mut asked);
            if let Some(code) = asked.end {
                return code;
            }
            if asked.reload {
                return self.again(vm, inside);
            }
            asked.now = false;
            let ended = child::start(vm, &self.words).and_then(|pid| {
                let host = vm.host.clone();
                child::wait(&*host, pid, |signal| {
                    asked.hear(vm, signal);
                    signal == INT || signal == TERM
                })
            });
            let (code, text) = match ended {
                Ok(child::Ended::Code(0)) => (0, None),
                Ok(child::Ended::Code(code)) => {
                    (code, Some(format!("Chef Infra Client run process exited unsuccessfully (exit code {code})")))
                }
                Ok(child::Ended::Signal(signal)) => {
                    let name = rchef_host::error::signal_name(signal).unwrap_or("unknown");
                    (1, Some(format!("Chef Infra Client run process terminated by signal {signal} ({name})")))
                }
                Err(text) => (1, Some(text)),
            };
            if let Some(code) = asked.end {
                return code;
            }
            if let Some(text) = text {
                say(
                    vm,
                    if self.interval.is_some() { "ERROR" } else { "FATAL" },
                    &format!("ChildConvergeError: {text}"),
                );
            }
            if self.interval.is_none() {
                return code;
            }
            wait = self.pause(vm);
        }
    }

    /// Seconds to wait before a run.
    fn pause(&self, vm: &Vm) -> u64 {
        let mut bytes = [0; 8];
        let _ = vm.host.fill(&mut bytes);
        let spread = if self.splay == 0 { 0 } else { u64::from_le_bytes(bytes) % self.splay };
        spread + self.interval.unwrap_or(0)
    }

    /// Sleeps until the time is over or a signal requests something.
    fn sleep(&self, vm: &Vm, time: Duration, asked: &mut Asked) {
        let until = vm.host.monotonic_ns().saturating_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        loop {
            for signal in vm.host.take_signals() {
                asked.hear(vm, signal);
            }
            let left = until.saturating_sub(vm.host.monotonic_ns());
            if left == 0 || asked.now || asked.reload || asked.end.is_some() {
                return;
            }
            // a signal that arrives just before the sleep does not end it, so sleep for short intervals
            let _ = vm.host.sleep(Duration::from_nanos(left).min(Duration::from_millis(500)));
        }
    }

    /// The locked pid file of a daemon; None without a daemon.
    fn own_pid_file(&self, vm: &Vm) -> Result<Option<Box<dyn FileHandle>>, String> {
        if !self.daemonize {
            return Ok(None);
        }
        let path = &self.pid_file;
        let wrong = |error: rchef_host::HostError| format!("{path}: {}", error.message());
        let flags = OpenFlags::RDWR | OpenFlags::CREAT | OpenFlags::NOFOLLOW;
        let file = vm.host.open(path.as_bytes(), flags, 0o644).map_err(wrong)?;
        if !file.flock(LockKind::Exclusive, false).map_err(wrong)? {
            let mut buffer = [0; 32];
            let count = file.pread(&mut buffer, 0).unwrap_or_default();
            let pid = String::from_utf8_lossy(&buffer[..count]).trim().to_string();
            return Err(format!("Chef is already running pid {pid}"));
        }
        let _ = file.truncate(0).and_then(|()| file.pwrite(vm.host.pid().to_string().as_bytes(), 0));
        Ok(Some(file))
    }

    /// Starts the daemon in a session of its own, without a terminal.
    fn start_daemon(&self, vm: &Vm) -> u8 {
        let mut spec = self.spec("--in-background");
        spec.group = Group::Session;
        (spec.stdin, spec.stdout, spec.stderr) = (Stdio::Null, Stdio::Null, Stdio::Null);
        match vm.host.spawn(&spec) {
            Ok(_) => 0,
            Err(error) => {
                say(vm, "FATAL", &format!("cannot start the daemon: {}", error.message()));
                1
            }
        }
    }

    /// Executes this program again, which rereads the configuration.
    fn again(&self, vm: &Vm, inside: bool) -> u8 {
        let error = vm.host.exec(&self.spec(if inside { "--in-background" } else { "" }));
        say(vm, "FATAL", &format!("cannot read the configuration again: {}", error.message()));
        1
    }

    fn spec(&self, flag: &str) -> CommandSpec {
        let (command, rest) = self.words.split_first().map(|(first, rest)| (first.as_str(), rest)).unwrap_or(("", &[]));
        let words = ["/proc/self/exe", command, flag].into_iter().filter(|word| !word.is_empty());
        // the second argument is `--forked`, which is only for the runs
        let words = words.map(str::to_string).chain(rest.iter().skip(1).cloned());
        let mut spec = CommandSpec::argv(words);
        spec.argv0 = Some(b"rchef".to_vec());
        spec
    }
}
