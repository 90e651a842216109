//! [`Identity`] of the real machine.

use super::RealHost;
use crate::error::{HostError, Result};
use crate::identity::{Identity, Ids, UNCHANGED};
use crate::sys;
use nix::errno::Errno;
use nix::unistd::{self, Gid, Pid, Uid};

fn named<T>(result: nix::Result<T>, call: &'static str) -> Result<T> {
    result.map_err(|errno| HostError::new(errno as i32, call))
}

impl Identity for RealHost {
    fn uids(&self) -> (u32, u32) {
        (unistd::getuid().as_raw(), unistd::geteuid().as_raw())
    }
    fn gids(&self) -> (u32, u32) {
        (unistd::getgid().as_raw(), unistd::getegid().as_raw())
    }
    fn supplementary_groups(&self) -> Result<Vec<u32>> {
        Ok(named(unistd::getgroups(), "getgroups")?.into_iter().map(Gid::as_raw).collect())
    }
    fn user_ids(&self) -> Result<Ids> {
        let ids = named(unistd::getresuid(), "getresuid")?;
        Ok(Ids { real: ids.real.as_raw(), effective: ids.effective.as_raw(), saved: ids.saved.as_raw() })
    }
    fn group_ids(&self) -> Result<Ids> {
        let ids = named(unistd::getresgid(), "getresgid")?;
        Ok(Ids { real: ids.real.as_raw(), effective: ids.effective.as_raw(), saved: ids.saved.as_raw() })
    }
    fn set_user_ids(&self, ids: Ids<Option<u32>>) -> Result<()> {
        let id = |id: Option<u32>| Uid::from_raw(id.unwrap_or(UNCHANGED));
        named(unistd::setresuid(id(ids.real), id(ids.effective), id(ids.saved)), "setresuid")
    }
    fn set_group_ids(&self, ids: Ids<Option<u32>>) -> Result<()> {
        let id = |id: Option<u32>| Gid::from_raw(id.unwrap_or(UNCHANGED));
        named(unistd::setresgid(id(ids.real), id(ids.effective), id(ids.saved)), "setresgid")
    }
    fn set_user_id(&self, id: u32) -> Result<()> {
        named(unistd::setuid(Uid::from_raw(id)), "setuid")
    }
    fn set_group_id(&self, id: u32) -> Result<()> {
        named(unistd::setgid(Gid::from_raw(id)), "setgid")
    }
    fn set_supplementary_groups(&self, groups: &[u32]) -> Result<()> {
        let groups: Vec<Gid> = groups.iter().copied().map(Gid::from_raw).collect();
        named(unistd::setgroups(&groups), "setgroups")
    }
    fn init_groups(&self, user: &[u8], group: u32) -> Result<()> {
        let user = std::ffi::CString::new(user).map_err(|_| HostError::new(Errno::EINVAL as i32, "initgroups"))?;
        named(unistd::initgroups(&user, Gid::from_raw(group)), "initgroups")
    }
    fn priority(&self, kind: i32, id: u32) -> Result<i32> {
        named(sys::priority(kind, id), "getpriority")
    }
    fn set_priority(&self, kind: i32, id: u32, priority: i32) -> Result<()> {
        named(sys::set_priority(kind, id, priority), "setpriority")
    }
    fn session(&self, pid: i32) -> Result<i32> {
        named(unistd::getsid(Some(Pid::from_raw(pid))), "getsid").map(Pid::as_raw)
    }
}
