//! Work in forked copies of this process, so that crashes, memory use and endless loops in a copy do not affect this process or other copies.

use crate::error::{HostError, Result};
use crate::real::spawn::make_pipe;
use crate::sys::{self, PollSet};
use nix::libc;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A running copy.
struct Running {
    item: usize,
    process: i32,
    answer: File,
    read: Vec<u8>,
}

/// Runs `work` for each of `count` items in a forked copy of this process, at most `at_once` at a time, and passes each result to `ended`: `None` if
/// the copy failed. A copy has this process's memory as of now; its output is discarded and its standard input is empty.
///
/// # Errors
/// This process has other threads (they do not exist in a copy, and locks that they hold would stay locked there), or the system has no free process
/// or pipe.
pub fn in_copies(
    count: usize,
    at_once: usize,
    work: &dyn Fn(usize) -> Vec<u8>,
    ended: &mut dyn FnMut(usize, Option<Vec<u8>>),
) -> Result<()> {
    if !sys::is_alone() {
        return Err(HostError::new(libc::EBUSY, "fork"));
    }
    let mut running: Vec<Running> = Vec::new();
    let mut next = 0;
    while next < count || !running.is_empty() {
        while next < count && running.len() < at_once.max(1) {
            match start(next, work) {
                Ok(copy) => running.push(copy),
                // retry when a running copy has freed its resources
                Err(_) if !running.is_empty() => break,
                Err(error) => return Err(error),
            }
            next += 1;
        }
        let mut set = PollSet::new(running.iter().map(|copy| (copy.answer.as_raw_fd(), true, false)));
        if set.wait(None).is_err() {
            continue; // a signal; the next turn waits again
        }
        let mut at = 0;
        running.retain_mut(|copy| {
            let (ready, _) = set.ready(at, true, false);
            at += 1;
            if !ready || !finished(copy) {
                return true;
            }
            let clean = sys::wait(copy.process, 0).is_ok_and(|(_, status)| status == 0);
            ended(copy.item, clean.then(|| std::mem::take(&mut copy.read)));
            false
        });
    }
    Ok(())
}

/// Reads available data; true at the end of it.
fn finished(copy: &mut Running) -> bool {
    let mut block = vec![0; 64 << 10];
    match copy.answer.read(&mut block) {
        Ok(0) | Err(_) => true,
        Ok(count) => {
            copy.read.extend_from_slice(&block[..count]);
            false
        }
    }
}

fn start(item: usize, work: &dyn Fn(usize) -> Vec<u8>) -> Result<Running> {
    let (read, write) = make_pipe()?;
    let mut write = Some(write);
    let parent = sys::pid();
    let process = sys::copy(|| {
        let Some(pipe) = write.take() else { return 1 };
        let done = catch_unwind(AssertUnwindSafe(|| {
            sys::end_with(parent);
            silence()?;
            let answer = work(item);
            File::from(pipe).write_all(&answer).ok()
        }));
        u8::from(!matches!(done, Ok(Some(()))))
    });
    let process = process.map_err(|errno| HostError::new(errno as i32, "fork"))?;
    Ok(Running { item, process, answer: File::from(read), read: Vec::new() })
}

/// Redirects the standard streams to /dev/null.
fn silence() -> Option<()> {
    let nothing = File::options().read(true).write(true).open("/dev/null").ok()?;
    nix::unistd::dup2_stdin(&nothing).ok()?;
    nix::unistd::dup2_stdout(&nothing).ok()?;
    nix::unistd::dup2_stderr(&nothing).ok()
}
