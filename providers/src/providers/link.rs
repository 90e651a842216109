use super::access;
use super::support::*;
use rchef_change::{Access, Assertion, Change, MakeLink, RemoveLink, Resolved, SetAccess, State};
use rchef_host::{Host, Stat, compose};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct Link;

/// What a link resource asks for.
pub(crate) struct Desired {
    /// True for `:create`, false for `:delete`.
    create: bool,
    path: Vec<u8>,
    to: Vec<u8>,
    symbolic: bool,
    /// `"symbolic"` or `"hard"`.
    kind: String,
    access: Access,
    /// The resource's name in messages.
    shown: String,
}

pub(crate) struct Current {
    stat: Option<Stat>,
    symbolic: bool,
    /// The target of the link; empty for a file that is neither a symbolic link nor a hard link to the wanted target, None if the path does not exist.
    to: Option<Vec<u8>>,
    access: Resolved,
}

impl Current {
    fn fits(&self, desired: &Desired) -> bool {
        self.to.as_ref() == Some(&desired.to) && self.symbolic == desired.symbolic
    }
}

impl Provider for Link {
    type Desired = Desired;
    type Current = Current;
    const ACTIONS: &'static [&'static str] = &["create", "delete"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let kind = text(vm, resource, "link_type")?;
        let (create, symbolic) = (action == "create", kind != "hard");
        Ok(Desired {
            create,
            path: path(vm, resource, "target_file")?,
            to: path(vm, resource, "to")?,
            symbolic,
            kind,
            // a hard link shares owner and group with its file
            access: if create && symbolic { access::read(vm, resource)? } else { Access::default() },
            shown: vm.to_s_text(resource)?,
        })
    }

    fn load(desired: &Desired, host: &dyn Host) -> Looked<Current> {
        let access = desired.access.resolve(host)?;
        let Some(stat) = compose::lstat_opt(host, &desired.path)? else {
            return Ok(Current { stat: None, symbolic: false, to: None, access });
        };
        let symbolic = stat.is_symlink();
        let to = if symbolic {
            host.readlink(&desired.path)?
        } else if host.stat(&desired.to).is_ok_and(|other| (other.dev, other.ino) == (stat.dev, stat.ino)) {
            desired.to.clone()
        } else {
            Vec::new()
        };
        Ok(Current { stat: Some(stat), symbolic, to: Some(to), access })
    }

    fn requirements(desired: &Desired, current: &Current, _: &dyn Host) -> Looked<Vec<Assertion>> {
        let (path, shown, kind) = (lossy(&desired.path), &desired.shown, &desired.kind);
        let class = "Chef::Exceptions::Link";
        if !desired.create {
            let Some(to) = &current.to else { return Ok(Vec::new()) };
            if current.symbolic == desired.symbolic && (current.symbolic || !to.is_empty()) {
                return Ok(Vec::new());
            }
            let failed = Assertion::new(class, format!("Cannot delete {shown} at {path}! Not a {kind} link."));
            return Ok(vec![failed.assuming(format!("Would assume the link at {path} was previously created"))]);
        }
        let mut failed = Vec::new();
        if desired.to.is_empty() {
            let to = lossy(&desired.to);
            failed.push(
                Assertion::new(class, format!("Cannot create {shown} without specifying 'to'."))
                    .assuming(format!("Would create the link at {path} to {to}")),
            );
        }
        // an owner that nobody knows is no failure: Chef's link has no requirement for it and leaves the owner as it is
        Ok(failed)
    }

    fn plan(desired: &Desired, current: &Current, host: &dyn Host) -> Looked<Vec<Change>> {
        let path = desired.path.clone();
        let mut changes = Vec::new();
        if !desired.create {
            if current.to.is_some() {
                changes.push(Change::RemoveLink(RemoveLink { path, replaced: false }));
            }
            return Ok(changes);
        }
        let fits = current.fits(desired);
        if !fits {
            if current.to.is_some() {
                changes.push(Change::RemoveLink(RemoveLink { path: path.clone(), replaced: true }));
            }
            let (to, symbolic) = (desired.to.clone(), desired.symbolic);
            changes.push(Change::MakeLink(MakeLink { path: path.clone(), to, symbolic }));
        }
        let access = current.access.compare(host, current.stat.as_ref().filter(|_| fits), true)?;
        if !access.is_empty() {
            changes.push(Change::SetAccess(SetAccess { path, access, link: true }));
        }
        Ok(changes)
    }

    fn state(desired: &Desired, current: &Current, _host: &dyn Host) -> Vec<(&'static str, State)> {
        let kind = if current.symbolic { "symbolic" } else { "hard" };
        vec![
            ("target_file", State::Text(lossy(&desired.path))),
            ("to", State::text(current.to.as_deref().map(lossy))),
            ("link_type", State::Text(kind.into())),
        ]
    }
}
