//! Child processes: this binary is started again for one of several policies, or for one run of a repeating client.

use rchef_host::processes::Group;
use rchef_host::{CommandSpec, Host, WaitTarget};
use rchef_ruby::Vm;
use std::time::Duration;

/// `EINTR` of Linux: interrupted system call.
const EINTR: i32 = 4;
/// Interval at which a wait checks for signals to forward.
const LOOK: Duration = Duration::from_millis(100);

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Code(u8),
    Signal(i32),
}

/// Starts this binary with these arguments in a process group of its own; gives its pid.
pub fn start(vm: &mut Vm, words: &[String]) -> Result<i32, String> {
    let _ = rchef_ruby::embed::io::flush_all(vm);
    let mut spec = CommandSpec::argv(std::iter::once("/proc/self/exe".to_string()).chain(words.iter().cloned()));
    spec.argv0 = Some(b"rchef".to_vec());
    // Ctrl-C at the terminal reaches only this process, which forwards it once.
    spec.group = Group::New;
    let started = vm.host.clone().spawn(&spec);
    started.map(|started| started.pid).map_err(|error| format!("cannot start a run: {}", error.message()))
}

/// Waits for a child. `heard` is called for each signal that arrives meanwhile, and returns whether to forward it to the child.
pub fn wait(host: &dyn Host, pid: i32, mut heard: impl FnMut(i32) -> bool) -> Result<Ended, String> {
    loop {
        let status = host.wait(WaitTarget::Pid(pid), Some(LOOK));
        for signal in host.take_signals() {
            if heard(signal) {
                let _ = host.kill(pid, signal);
            }
        }
        match status {
            Ok(Some(status)) => {
                return Ok(match status.code() {
                    Some(code) => Ended::Code(u8::try_from(code).unwrap_or(1)),
                    None => Ended::Signal(status.raw & 0x7f),
                });
            }
            Ok(None) => {}
            Err(error) if error.errno == EINTR => {}
            Err(error) => return Err(format!("cannot wait for a run: {}", error.message())),
        }
    }
}
