//! [`Identity`] of an overlay: code may ask for it and set what already is so; all else is refused.

use super::OverlayHost;
use super::commands::SIMULATED_PID;
use crate::error::{HostError, Result};
use crate::identity::{Identity, Ids};
use nix::libc;

/// Nothing is to be done where what is wanted is so already.
fn unchanged(is_so: bool, call: &'static str) -> Result<()> {
    if is_so { Ok(()) } else { Err(HostError::new(libc::ENOSYS, call)) }
}
fn all_are(ids: Ids<Option<u32>>, id: u32) -> bool {
    [ids.real, ids.effective, ids.saved].into_iter().flatten().all(|wanted| wanted == id)
}
fn alike(id: u32) -> Ids {
    Ids { real: id, effective: id, saved: id }
}

impl Identity for OverlayHost {
    fn uids(&self) -> (u32, u32) {
        (self.core.identity.uid, self.core.identity.uid)
    }

    fn gids(&self) -> (u32, u32) {
        (self.core.identity.gid, self.core.identity.gid)
    }

    fn supplementary_groups(&self) -> Result<Vec<u32>> {
        Ok(self.core.identity.groups.clone())
    }

    fn user_ids(&self) -> Result<Ids> {
        Ok(alike(self.core.identity.uid))
    }

    fn group_ids(&self) -> Result<Ids> {
        Ok(alike(self.core.identity.gid))
    }

    fn set_user_ids(&self, ids: Ids<Option<u32>>) -> Result<()> {
        unchanged(all_are(ids, self.core.identity.uid), "setresuid")
    }

    fn set_group_ids(&self, ids: Ids<Option<u32>>) -> Result<()> {
        unchanged(all_are(ids, self.core.identity.gid), "setresgid")
    }

    fn set_user_id(&self, id: u32) -> Result<()> {
        unchanged(id == self.core.identity.uid, "setuid")
    }

    fn set_group_id(&self, id: u32) -> Result<()> {
        unchanged(id == self.core.identity.gid, "setgid")
    }

    fn set_supplementary_groups(&self, groups: &[u32]) -> Result<()> {
        unchanged(groups == self.core.identity.groups, "setgroups")
    }

    fn priority(&self, kind: i32, id: u32) -> Result<i32> {
        if !self.options.isolated {
            return self.machine().priority(kind, id);
        }
        let own = match kind {
            0 | 1 => SIMULATED_PID as u32,
            2 => self.core.identity.uid,
            _ => return Err(HostError::new(libc::EINVAL, "getpriority")),
        };
        if id == 0 || id == own { Ok(0) } else { Err(HostError::new(libc::ESRCH, "getpriority")) }
    }

    fn set_priority(&self, kind: i32, id: u32, priority: i32) -> Result<()> {
        let now = self.priority(kind, id)?;
        unchanged(now == priority, "setpriority")
    }

    fn session(&self, pid: i32) -> Result<i32> {
        match pid {
            _ if !self.options.isolated => self.machine().session(pid),
            0 | SIMULATED_PID => Ok(SIMULATED_PID),
            _ => Err(HostError::new(libc::ESRCH, "getsid")),
        }
    }
}
