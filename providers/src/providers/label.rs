//! SELinux labels of what a resource has changed (SPEC-converge 3.1, row 7); Chef's `enable_selinux_file_permission_fixup`.

use super::support::*;
use rchef_change::{Change, Command, Task, Why};
use rchef_host::{Host, compose, files};
use rchef_ruby::{Res, Vm};

/// SELinux is enabled if all of these exist: what selinuxenabled(8) checks.
const ENABLED: [&str; 2] = ["/sys/fs/selinux/enforce", "/etc/selinux/config"];

/// Whether SELinux was enabled when it was first asked: like Chef, a run asks once.
#[derive(Default)]
struct IsOn(Option<bool>);

/// Whether to restore labels: SELinux is enabled, and the configuration asks for it.
pub(crate) fn wanted(vm: &mut Vm) -> Res<bool> {
    let is_on = match vm.extension::<IsOn>().0 {
        Some(is_on) => is_on,
        None => {
            let host = vm.host.clone();
            let is_on = ENABLED.iter().all(|path| compose::exists(&*host, path.as_bytes()));
            vm.extension::<IsOn>().0 = Some(is_on);
            is_on
        }
    };
    Ok(is_on && crate::coerce::config(vm, "enable_selinux_file_permission_fixup")?.truthy())
}

/// The command that restores the label of a path after other changes; with `recursive` also the labels below it. None if SELinux's tools are not
/// installed.
pub(crate) fn restore(host: &dyn Host, path: &[u8], recursive: bool) -> Option<Change> {
    let (program, path) = (which(host, "restorecon")?, lossy(&real(host, path)));
    let mut words = vec![program.as_str(), "-R"];
    words.extend(recursive.then_some("-r"));
    words.push(&path);
    let task = Task::new("restore_context", path.as_str(), Why::Asked, "restore selinux security context");
    Some(task.run(Command::system(words)).into())
}

/// The path with symbolic links resolved, also if only its parent directory exists yet.
fn real(host: &dyn Host, path: &[u8]) -> Vec<u8> {
    if let Ok(real) = host.realpath(path) {
        return real;
    }
    let folder = host.realpath(files::dirname(path));
    folder.map_or_else(|_| path.to_vec(), |folder| files::join(&folder, files::basename(path)))
}
