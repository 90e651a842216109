//! Converts failures of changes to Ruby exceptions.

use rchef_change::ChangeError;
use rchef_ruby::{ClassId, Error, Vm};

/// The Ruby exception for a failure.
pub fn raised(vm: &mut Vm, error: &ChangeError) -> Error {
    match error {
        ChangeError::Host(error) => match error.path.as_deref().map(rchef_change::lossy) {
            // text that does not start with `/` is the rest of Chef's message and not a path
            Some(path) if path.starts_with('/') && error.op != "exec" => {
                vm.errno(error.errno, Some(&format!("@ {} - {path}", function(error.op))))
            }
            _ => vm.host_error(error),
        },
        ChangeError::Command(failure) => {
            let name = format!("Mixlib::ShellOut::{}", failure.class());
            let class = vm.class_named(&name).unwrap_or(ClassId::RUNTIME_ERROR);
            vm.error(class, failure.to_string())
        }
        ChangeError::Raise { class, message } => of_class(vm, class, message),
        ChangeError::NeedsEngine(kind) => vm.not_implemented(kind),
    }
}

/// MRI's name for the function that makes a system call, as in the messages of `Errno` exceptions; otherwise the call's own name.
fn function(operation: &'static str) -> &'static str {
    match operation {
        "open" | "openat" => "rb_sysopen",
        "mkdir" => "dir_s_mkdir",
        "rmdir" => "dir_s_rmdir",
        "rename" => "rb_file_s_rename",
        "symlink" => "rb_file_s_symlink",
        "link" => "rb_file_s_link",
        "readlink" => "rb_readlink",
        "chmod" | "chown" | "unlink" => "apply2files",
        "write" => "io_write",
        "fsync" => "rb_io_fsync_m",
        other => other,
    }
}

/// An exception of the class with this full name; RuntimeError if there is none.
pub(super) fn of_class(vm: &mut Vm, class: &str, message: &str) -> Error {
    let class = vm.class_named(class).unwrap_or(ClassId::RUNTIME_ERROR);
    vm.error(class, message)
}
