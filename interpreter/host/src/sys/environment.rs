//! The environment that a child is started with, in its own order: std sorts the variables that a `Command` is given.

use nix::libc::c_char;
use std::ffi::CString;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

unsafe extern "C" {
    static mut environ: *const *const c_char;
}

/// Texts of the form `NAME=value`, and the list of their addresses, which ends with a null.
pub(crate) struct ChildEnvironment {
    pointers: Vec<*const c_char>,
    _texts: Vec<CString>,
}

// SAFETY: the addresses are those of the texts, which nothing changes and which live as long.
unsafe impl Send for ChildEnvironment {}
// SAFETY: as above.
unsafe impl Sync for ChildEnvironment {}

/// Makes a list the variables of this process until it is dropped.
struct Swapped(*const *const c_char);
impl Swapped {
    /// # Safety
    /// The list outlives the value; no thread reads the variables while the list is no longer there.
    unsafe fn to(list: &ChildEnvironment) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let before = Self(environ);
            environ = list.pointers.as_ptr();
            before
        }
    }
}
impl Drop for Swapped {
    fn drop(&mut self) {
        // SAFETY: the list that was there before is still there.
        unsafe { environ = self.0 };
    }
}

impl ChildEnvironment {
    /// # Errors
    /// A name or value has a null byte.
    pub(crate) fn new<'a>(variables: impl Iterator<Item = (&'a Vec<u8>, &'a Vec<u8>)>) -> io::Result<Self> {
        let texts = variables.map(|(name, value)| CString::new([name, b"=".as_slice(), value].concat()));
        let texts = texts.collect::<Result<Vec<_>, _>>()?;
        let pointers = texts.iter().map(|text| text.as_ptr()).chain([std::ptr::null()]).collect();
        Ok(Self { pointers, _texts: texts })
    }

    /// Starts a command, which has been given no variables.
    pub(crate) fn spawn(self, command: &mut Command) -> io::Result<Child> {
        if super::is_alone() {
            // SAFETY: no other thread reads the variables, and the list lives until the command has been started.
            let _swapped = unsafe { Swapped::to(&self) };
            return command.spawn();
        }
        // SAFETY: the closure runs between fork and exec, where there is one thread; the command owns it, and so the list, for as long.
        unsafe {
            command.pre_exec(move || {
                let list = &self;
                environ = list.pointers.as_ptr();
                Ok(())
            })
        };
        command.spawn()
    }

    /// Replaces this process by a command, which has been given no variables.
    pub(crate) fn exec(self, command: &mut Command) -> io::Error {
        if super::is_alone() {
            // SAFETY: no other thread reads the variables, and the list lives until the command has failed to start.
            let _swapped = unsafe { Swapped::to(&self) };
            return command.exec();
        }
        // if that fails, other threads may still be reading the list
        let list: &'static Self = Box::leak(Box::new(self));
        // SAFETY: the list is never freed.
        let _swapped = unsafe { Swapped::to(list) };
        command.exec()
    }
}
