//! The run lock: one run at a time on a machine (Chef::RunLock).
//!
//! The lock is flock(2) on a file that contains the pid of the run that holds it. The kernel releases it when the process ends in any way, so a
//! lock is never stale. The file stays, since another run may be waiting for it.

use rchef_host::{FileHandle, LockKind, OpenFlags, compose, files};
use rchef_recipe::chef_class::log_line;
use rchef_recipe::process::chef_error;
use rchef_ruby::{Res, Vm};
use std::time::Duration;

/// Interval at which the lock is tried again.
const PAUSE: Duration = Duration::from_millis(100);
/// `EINTR` of Linux: interrupted system call.
const EINTR: i32 = 4;

/// The lock, held while this lives.
pub struct RunLock(#[allow(dead_code)] Box<dyn FileHandle>); // the descriptor holds the lock

/// Takes the lock, waiting for it up to `timeout` seconds (None: for ever). A why-run creates no file: without a file nobody holds the lock.
///
/// # Errors
/// `Chef::Exceptions::RunLockTimeout`, a file that cannot be created, a signal while waiting.
pub fn take(vm: &mut Vm, path: &str, timeout: Option<f64>, why_run: bool) -> Res<Option<RunLock>> {
    let host = vm.host.clone();
    let opened = if why_run {
        host.open(path.as_bytes(), OpenFlags::RDONLY, 0)
    } else {
        let folder = files::dirname(path.as_bytes());
        compose::create_dir_all(&*host, folder, 0o755)
            .and_then(|_| host.open(path.as_bytes(), OpenFlags::RDWR | OpenFlags::CREAT, 0o644))
    };
    let file = match opened {
        Ok(file) => file,
        Err(_) if why_run => return Ok(None),
        Err(error) => return Err(vm.host_error(&error)),
    };
    let free = |vm: &mut Vm| file.flock(LockKind::Exclusive, false).map_err(|error| vm.host_error(&error));
    if !free(vm)? {
        let holder = holder(&*file);
        let started = host.monotonic_ns();
        let passed = || host.monotonic_ns().saturating_sub(started) as f64 / 1e9;
        if timeout != Some(0.0) {
            let text = format!("rchef {holder} is running, will wait for it to finish and then run.");
            log_line(vm, "warn", text);
        }
        while !free(vm)? {
            if let Some(timeout) = timeout
                && passed() >= timeout
            {
                let text = format!("Unable to acquire lock. Waited {timeout} seconds for {holder} to release.");
                return Err(chef_error(vm, "RunLockTimeout", text));
            }
            match host.sleep(PAUSE) {
                Err(error) if error.errno == EINTR => vm.serve_interrupts()?,
                Err(error) => return Err(vm.host_error(&error)),
                Ok(()) => {}
            }
        }
    }
    if !why_run {
        let pid = host.pid().to_string();
        // the pid is only information for those who wait
        let _ = file.truncate(0).and_then(|()| file.pwrite(pid.as_bytes(), 0));
    }
    Ok(Some(RunLock(file)))
}

/// The pid that the run which holds the lock wrote.
fn holder(file: &dyn FileHandle) -> String {
    let mut buffer = [0; 32];
    let count = file.pread(&mut buffer, 0).unwrap_or_default();
    String::from_utf8_lossy(&buffer[..count]).trim().to_string()
}
