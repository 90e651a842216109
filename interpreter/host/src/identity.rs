//! [`Identity`]: the user and group ids of this process, and its priority.

use crate::error::{HostError, Result};
use nix::libc::ENOSYS;

/// The real, effective and saved id of a user or a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ids<T = u32> {
    pub real: T,
    pub effective: T,
    pub saved: T,
}

/// What stands for an id that stays as it is, in system calls and in Ruby; no user or group has it.
pub const UNCHANGED: u32 = u32::MAX;

/// What this process runs as. What a machine does not let code ask or change is `ENOSYS`.
pub trait Identity {
    /// The real and the effective user id.
    fn uids(&self) -> (u32, u32);
    /// The real and the effective group id.
    fn gids(&self) -> (u32, u32);
    /// getgroups(2)
    fn supplementary_groups(&self) -> Result<Vec<u32>>;
    /// getresuid(2)
    fn user_ids(&self) -> Result<Ids> {
        Err(HostError::new(ENOSYS, "getresuid"))
    }
    /// getresgid(2)
    fn group_ids(&self) -> Result<Ids> {
        Err(HostError::new(ENOSYS, "getresgid"))
    }
    /// setresuid(2); None stays as it is.
    fn set_user_ids(&self, _ids: Ids<Option<u32>>) -> Result<()> {
        Err(HostError::new(ENOSYS, "setresuid"))
    }
    /// setresgid(2); None stays as it is.
    fn set_group_ids(&self, _ids: Ids<Option<u32>>) -> Result<()> {
        Err(HostError::new(ENOSYS, "setresgid"))
    }
    /// setuid(2): all three ids, or the effective one if the process has no privilege.
    fn set_user_id(&self, _id: u32) -> Result<()> {
        Err(HostError::new(ENOSYS, "setuid"))
    }
    /// setgid(2)
    fn set_group_id(&self, _id: u32) -> Result<()> {
        Err(HostError::new(ENOSYS, "setgid"))
    }
    /// setgroups(2)
    fn set_supplementary_groups(&self, _groups: &[u32]) -> Result<()> {
        Err(HostError::new(ENOSYS, "setgroups"))
    }
    /// initgroups(3): the groups of a user in the group database, and one more.
    fn init_groups(&self, _user: &[u8], _group: u32) -> Result<()> {
        Err(HostError::new(ENOSYS, "initgroups"))
    }
    /// getpriority(2): of a process (0), a process group (1) or a user (2).
    fn priority(&self, _kind: i32, _id: u32) -> Result<i32> {
        Err(HostError::new(ENOSYS, "getpriority"))
    }
    /// setpriority(2)
    fn set_priority(&self, _kind: i32, _id: u32, _priority: i32) -> Result<()> {
        Err(HostError::new(ENOSYS, "setpriority"))
    }
    /// getsid(2); 0 is this process.
    fn session(&self, _pid: i32) -> Result<i32> {
        Err(HostError::new(ENOSYS, "getsid"))
    }
}
