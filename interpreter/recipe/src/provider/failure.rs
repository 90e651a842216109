//! Failures of changes as Ruby exceptions.

use rchef_change::ChangeError;
use rchef_ruby::{ClassId, Error, Vm};

/// The Ruby exception of a failure.
pub fn raised(vm: &mut Vm, error: &ChangeError) -> Error {
    match error {
        // Ruby's own Dir.rmdir names itself in the message
        ChangeError::Host(error) if error.op == "rmdir" => {
            let path = error.path.as_deref().map(rchef_change::lossy).unwrap_or_default();
            vm.errno(error.errno, Some(&format!("@ dir_s_rmdir - {path}")))
        }
        ChangeError::Host(error) => vm.host_error(error),
        ChangeError::Command(failure) => {
            let name = format!("Mixlib::ShellOut::{}", failure.class());
            let class = vm.class_named(&name).unwrap_or(ClassId::RUNTIME_ERROR);
            vm.error(class, failure.to_string())
        }
        ChangeError::Raise { class, message } => of_class(vm, class, message),
        ChangeError::NeedsEngine(kind) => vm.not_implemented(kind),
    }
}

/// An exception of the class with this full name; RuntimeError where there is none.
pub(super) fn of_class(vm: &mut Vm, class: &str, message: &str) -> Error {
    let class = vm.class_named(class).unwrap_or(ClassId::RUNTIME_ERROR);
    vm.error(class, message)
}
