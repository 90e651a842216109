//! `FILE_CACHE/cookbooks_POLICY` (SPEC-converge 5.5): one of several policies on a node has a directory of its own that shows the cookbooks it runs with.

use super::cookbooks;
use rchef_host::{Host, HostError, compose};
use rchef_ruby::{Res, Vm};

/// The directory of a policy, in the cache for files.
pub fn path(cache: &str, policy: &str) -> String {
    format!("{cache}/cookbooks_{policy}")
}

/// Makes the directory that [`super::Cookbooks::own_folder`] names show the cookbooks of the run, and no others. Nothing else in it is touched.
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
