//! `link`.

use super::access;
use super::support::*;
use rchef_host::compose;
use rchef_recipe::provider::native::{Plan, Provider};
use rchef_ruby::{Res, Symbol, Value, Vm};

/// Provider of `link`.
pub(crate) struct Link;

/// What is at the target path.
struct Found {
    symbolic: bool,
    /// Where it points; empty for a file that is no link to `to`; absent when nothing is there.
    to: Option<String>,
}

fn look(vm: &mut Vm, at: &str, to: &str) -> Res<Found> {
    on(vm, |host| {
        let Some(stat) = compose::lstat_opt(host, at.as_bytes())? else {
            return Ok(Found { symbolic: false, to: None });
        };
        if stat.is_symlink() {
            return Ok(Found { symbolic: true, to: Some(lossy(&host.readlink(at.as_bytes())?)) });
        }
        let same = host.stat(to.as_bytes()).is_ok_and(|other| (other.dev, other.ino) == (stat.dev, stat.ino));
        Ok(Found { symbolic: false, to: Some(if same { to.to_string() } else { String::new() }) })
    })
}

impl Provider for Link {
    fn actions(&self) -> &'static [&'static str] {
        &["create", "delete"]
    }
    fn plan(&self, vm: &mut Vm, resource: &Value, action: Symbol) -> Res<Plan> {
        let (at, to) = (text(vm, resource, "target_file")?, text(vm, resource, "to")?);
        let kind = text(vm, resource, "link_type")?;
        let symbolic = kind != "hard";
        let found = look(vm, &at, &to)?;
        let shown = vm.to_s_text(resource)?;
        if action.as_str() == "delete" {
            let Some(current) = found.to else { return Ok(Vec::new()) };
            let fits = found.symbolic == symbolic && (found.symbolic || !current.is_empty());
            let message = format!("Cannot delete {shown} at {at}! Not a {kind} link.");
            require(
                vm,
                resource,
                action,
                fits,
                "Link",
                &message,
                &[format!("Would assume the link at {at} was previously created")],
            )?;
            return Ok(vec![step(format!("delete link to file at {at}"), move |vm, _| {
                on(vm, |host| host.unlink(at.as_bytes()))
            })]);
        }
        let message = format!("Cannot create {shown} without specifying 'to'.");
        require(
            vm,
            resource,
            action,
            !to.is_empty(),
            "Link",
            &message,
            &[format!("Would create the link at {at} to {to}")],
        )?;
        let mut plan: Plan = Vec::new();
        let fits = found.to.as_deref() == Some(to.as_str()) && found.symbolic == symbolic;
        if !fits {
            if found.to.is_some() {
                let at = at.clone();
                plan.push(step(format!("unlink existing symlink to file at {at}"), move |vm, _| {
                    on(vm, |host| host.unlink(at.as_bytes()))
                }));
            }
            let what = if symbolic { "symlink" } else { "hard link" };
            let (path, target) = (at.clone(), to.clone());
            plan.push(step(format!("create {what} at {at} to {to}"), move |vm, _| {
                on(vm, |host| {
                    if symbolic {
                        host.symlink(target.as_bytes(), path.as_bytes())
                    } else {
                        host.link(target.as_bytes(), path.as_bytes())
                    }
                })
            }));
        }
        if symbolic {
            let wanted = access::wanted(vm, resource, action)?;
            let now = if fits { on(vm, |host| compose::lstat_opt(host, at.as_bytes()))? } else { None };
            plan.extend(wanted.plan(vm, &at, now.as_ref(), true)?);
        }
        Ok(plan)
    }
}
