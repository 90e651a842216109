//! `directory`.

use super::access;
use super::support::*;
use rchef_host::{Access, compose, files};
use rchef_recipe::provider::native::{Plan, Provider};
use rchef_ruby::{Res, Symbol, Value, Vm};

/// Provider of `directory`.
pub(crate) struct Directory;

impl Provider for Directory {
    fn actions(&self) -> &'static [&'static str] {
        &["create", "delete"]
    }
    fn plan(&self, vm: &mut Vm, resource: &Value, action: Symbol) -> Res<Plan> {
        let path = text(vm, resource, "path")?;
        let now = on(vm, |host| compose::stat_opt(host, path.as_bytes()))?;
        let recursive = flag(vm, resource, "recursive")?;
        let shown = vm.to_s_text(resource)?;
        if action.as_str() == "delete" {
            let Some(stat) = now else { return Ok(Vec::new()) };
            let allowed =
                stat.is_dir() && on(vm, |host| Ok(host.access(path.as_bytes(), Access::WRITE, true).is_ok()))?;
            if !allowed {
                return Err(vm.runtime_error(format!("Cannot delete {shown} at {path}!")));
            }
            return Ok(vec![step(format!("delete existing directory {path}"), move |vm, _| {
                if recursive {
                    return on(vm, |host| compose::remove_dir_all(host, path.as_bytes()));
                }
                let host = vm.host.clone();
                host.rmdir(path.as_bytes())
                    .map_err(|error| vm.errno(error.errno, Some(&format!("@ dir_s_rmdir - {path}"))))
            })]);
        }
        let wanted = access::wanted(vm, resource, action)?;
        requirements(vm, resource, action, &path, recursive, &shown)?;
        if let Some(stat) = &now {
            let message = format!("Cannot create {shown} at {path} because a file already exists at that path");
            require(vm, resource, action, stat.is_dir(), "FileTypeMismatch", &message, &[])?;
        }
        let mut plan: Plan = Vec::new();
        if now.is_none() {
            let path = path.clone();
            plan.push(step(format!("create new directory {path}"), move |vm, _| {
                on(vm, |host| {
                    if recursive {
                        compose::create_dir_all(host, path.as_bytes(), 0o777).map(drop)
                    } else {
                        host.mkdir(path.as_bytes(), 0o777)
                    }
                })
            }));
        }
        plan.extend(wanted.plan(vm, &path, now.as_ref(), false)?);
        Ok(plan)
    }
}

/// The enclosing directory exists (when recursive: the nearest that does is a directory) and can be written.
fn requirements(vm: &mut Vm, resource: &Value, action: Symbol, path: &str, recursive: bool, shown: &str) -> Res<()> {
    let parent = lossy(files::dirname(path.as_bytes()));
    let (is_dir, writable) = on(vm, |host| {
        let mut base = parent.clone();
        while recursive && !compose::exists(host, base.as_bytes()) && base != "/" && base != "." {
            base = lossy(files::dirname(base.as_bytes()));
        }
        let is_dir = host.stat(base.as_bytes()).is_ok_and(|stat| stat.is_dir());
        Ok((is_dir, !is_dir || host.access(base.as_bytes(), Access::WRITE, true).is_ok()))
    })?;
    require(
        vm,
        resource,
        action,
        is_dir,
        "EnclosingDirectoryDoesNotExist",
        &format!("Parent directory {parent} does not exist, cannot create {path}"),
        &[format!("Assuming directory {parent} would have been created")],
    )?;
    let exists = on(vm, |host| Ok(compose::exists(host, path.as_bytes())))?;
    require(
        vm,
        resource,
        action,
        exists || writable,
        "InsufficientPermissions",
        &format!("Cannot create {shown} at {path} due to insufficient permissions"),
        &[],
    )?;
    Ok(())
}
