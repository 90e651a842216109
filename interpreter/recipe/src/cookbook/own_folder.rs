//! `FILE_CACHE/cookbooks_POLICY` (SPEC-converge 5.5): each of several policies on a node has a directory with symbolic links to its cookbooks.

use super::cookbooks;
use rchef_host::{Host, HostError, compose};
use rchef_ruby::{Res, Vm};

/// The directory of a policy in the file cache.
pub fn path(cache: &str, policy: &str) -> String {
    format!("{cache}/cookbooks_{policy}")
}

/// Makes the symbolic links in [`super::Cookbooks::own_folder`] exactly those to the run's cookbooks. Other entries are left alone.
pub fn fill(vm: &mut Vm) -> Res<()> {
    let Some(folder) = cookbooks(vm).own_folder.clone() else { return Ok(()) };
    let host = vm.host.clone();
    let wanted: Vec<(String, String)> =
        cookbooks(vm).all.iter().map(|found| (found.name.clone(), found.root.clone())).collect();
    link(&*host, &folder, &wanted).map_err(|error| vm.host_error(&error))
}

fn link(host: &dyn Host, folder: &str, wanted: &[(String, String)]) -> Result<(), HostError> {
    compose::create_dir_all(host, folder.as_bytes(), 0o755)?;
    for entry in host.readdir(folder.as_bytes())? {
        let path = format!("{folder}/{}", String::from_utf8_lossy(&entry.name));
        if host.lstat(path.as_bytes())?.is_symlink() {
            host.unlink(path.as_bytes())?;
        }
    }
    for (name, root) in wanted {
        host.symlink(root.as_bytes(), format!("{folder}/{name}").as_bytes())?;
    }
    Ok(())
}
