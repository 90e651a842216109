//! The user and group ids of this process (Process.uid= ..., Process::UID, Process::GID, Process::Sys), its groups and its priority.

use crate::Vm;
use crate::args::Args;
use crate::core::natives::yes;
use crate::error::{Error, Res};
use crate::method::{MethodDef, def, opt};
use crate::value::Value;
use rchef_host::{HostError, Ids};

/// The exception for a call that failed: NotImplementedError where the machine behind the engine does not let the process change.
fn failed(vm: &mut Vm, error: &HostError) -> Error {
    if rchef_host::error::errno_number("ENOSYS") == Some(error.errno) {
        let text = format!("{}() function is unimplemented on this machine", error.op);
        return vm.error_for(
            crate::class::ClassId::NOT_IMPLEMENTED_ERROR,
            text,
            Some(crate::error::Reason::Simulated(error.op)),
        );
    }
    vm.errno(error.errno, None)
}
fn checked<T>(vm: &mut Vm, result: rchef_host::Result<T>) -> Res<T> {
    result.map_err(|error| failed(vm, &error))
}
/// An id by name or number; `-1` is the one that stays as it is.
fn numbered(vm: &mut Vm, value: &Value) -> Res<Option<u32>> {
    match vm.to_int(value)? {
        -1 => Ok(None),
        number => match u32::try_from(number) {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(vm.range_error(format!("integer {number} too big to convert to `unsigned int'"))),
        },
    }
}
pub(super) fn user_arg(vm: &mut Vm, value: &Value) -> Res<Option<u32>> {
    let Some(name) = vm.check_str(value)? else { return numbered(vm, value) };
    let name = name.get(vm).bytes().to_vec();
    match vm.host.user_by_name(&name) {
        Ok(Some(user)) => Ok(Some(user.uid)),
        _ => Err(vm.argument_error(format!("can't find user for {}", String::from_utf8_lossy(&name)))),
    }
}
pub(super) fn group_arg(vm: &mut Vm, value: &Value) -> Res<Option<u32>> {
    let Some(name) = vm.check_str(value)? else { return numbered(vm, value) };
    let name = name.get(vm).bytes().to_vec();
    match vm.host.group_by_name(&name) {
        Ok(Some(group)) => Ok(Some(group.gid)),
        _ => Err(vm.argument_error(format!("can't find group for {}", String::from_utf8_lossy(&name)))),
    }
}
fn from_user_name(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = Value::Str(vm.to_str(args.at(0))?);
    Ok(user_arg(vm, &name)?.map(|id| Value::Int(i64::from(id))).unwrap_or_default())
}
fn from_group_name(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = Value::Str(vm.to_str(args.at(0))?);
    Ok(group_arg(vm, &name)?.map(|id| Value::Int(i64::from(id))).unwrap_or_default())
}

/// The functions that user and group ids have alike.
macro_rules! identity {
    ($module:ident $now:ident $ids:ident $set_ids:ident $set_id:ident $argument:ident) => {
        mod $module {
            use super::*;

            fn set(vm: &mut Vm, real: Option<u32>, effective: Option<u32>, saved: Option<u32>) -> Res<()> {
                let done = vm.host.$set_ids(Ids { real, effective, saved });
                checked(vm, done)
            }
            fn shown(id: Option<u32>) -> Res {
                Ok(Value::Int(id.map_or(-1, i64::from)))
            }
            /// The ids as seteuid(2) and Process::UID.eid= set them.
            fn become_effective(vm: &mut Vm, id: Option<u32>) -> Res<()> {
                let real = vm.host.$now().0;
                set(vm, None, id, id.filter(|id| *id != real))
            }
            pub(super) fn real(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
                shown(Some(vm.host.$now().0))
            }
            pub(super) fn effective(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
                shown(Some(vm.host.$now().1))
            }
            pub(super) fn set_real(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
                let id = $argument(vm, args.at(0))?;
                set(vm, id, None, None)?;
                Ok(args.at(0).clone())
            }
            pub(super) fn set_effective(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
                let id = $argument(vm, args.at(0))?;
                set(vm, None, id, None)?;
                Ok(args.at(0).clone())
            }
            pub(super) fn change_privilege(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
                let id = $argument(vm, args.at(0))?;
                set(vm, id, id, id)?;
                shown(id)
            }
            pub(super) fn grant_privilege(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
                let id = $argument(vm, args.at(0))?;
                become_effective(vm, id)?;
                Ok(args.at(0).clone())
            }
            pub(super) fn re_exchange(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
                let (real, effective) = vm.host.$now();
                set(vm, Some(effective), Some(real), Some(real))?;
                shown(Some(real))
            }
            /// Runs a block with the real or saved id as the effective one, or exchanges them for good.
            pub(super) fn switch(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
                let ids = vm.host.$ids();
                let ids = checked(vm, ids)?;
                let to = if ids.real != ids.effective { ids.real } else { ids.saved };
                if to == ids.effective {
                    return Err(vm.errno(rchef_host::error::errno_number("EPERM").unwrap_or_default(), None));
                }
                set(vm, None, Some(to), None)?;
                let Some(block) = args.block else { return shown(Some(ids.effective)) };
                let result = vm.yield_values(block, &[]);
                set(vm, None, Some(ids.effective), Some(ids.saved))?;
                result
            }
            /// setuid(2) or setgid(2)
            pub(super) fn sys_set(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
                let id = $argument(vm, args.at(0))?.unwrap_or(u32::MAX);
                let done = vm.host.$set_id(id);
                checked(vm, done)?;
                Ok(Value::Nil)
            }
            /// seteuid(3) or setegid(3)
            pub(super) fn sys_set_effective(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
                let id = $argument(vm, args.at(0))?;
                set(vm, None, id, None)?;
                Ok(Value::Nil)
            }
            /// setreuid(2) or setregid(2): the saved id becomes the effective one if the real one is set, or the effective one to another than it.
            pub(super) fn sys_set_two(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
                let (real, effective) = ($argument(vm, args.at(0))?, $argument(vm, args.at(1))?);
                let (real_now, effective_now) = vm.host.$now();
                let follows = real.is_some() || effective.is_some_and(|id| id != real_now);
                set(vm, real, effective, follows.then(|| effective.unwrap_or(effective_now)))?;
                Ok(Value::Nil)
            }
            /// setresuid(2) or setresgid(2)
            pub(super) fn sys_set_all(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
                let (real, effective) = ($argument(vm, args.at(0))?, $argument(vm, args.at(1))?);
                let saved = $argument(vm, args.at(2))?;
                set(vm, real, effective, saved)?;
                Ok(Value::Nil)
            }
        }
    };
}
identity! { user uids user_ids set_user_ids set_user_id user_arg }
identity! { group gids group_ids set_group_ids set_group_id group_arg }

/// The most groups of a process (`Process.maxgroups`).
struct MaxGroups(i64);
impl Default for MaxGroups {
    fn default() -> Self {
        Self(Self::MOST)
    }
}
impl MaxGroups {
    const MOST: i64 = 65536;
}
fn max_groups(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(vm.extension::<MaxGroups>().0))
}
fn set_max_groups(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let number = vm.to_int(args.at(0))?;
    if number <= 0 {
        return Err(vm.argument_error(format!("maxgroups {number} should be positive")));
    }
    vm.extension::<MaxGroups>().0 = number.min(MaxGroups::MOST);
    Ok(args.at(0).clone())
}
fn groups(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let groups = vm.host.supplementary_groups().map_err(|error| vm.host_error(&error))?;
    Ok(Value::array(groups.into_iter().map(|gid| Value::Int(i64::from(gid))).collect()))
}
fn set_groups(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Value::Array(list) = args.at(0) else {
        let described = vm.describe(args.at(0));
        return Err(vm.type_error(format!("wrong argument type {described} (expected Array)")));
    };
    let list = list.get(vm).items.clone();
    let most = vm.extension::<MaxGroups>().0;
    if list.len() as i64 > most {
        return Err(vm.argument_error(format!("too many groups, {most} max")));
    }
    let mut wanted = Vec::with_capacity(list.len());
    for group in &list {
        wanted.push(group_arg(vm, group)?.unwrap_or(u32::MAX));
    }
    let done = vm.host.set_supplementary_groups(&wanted);
    checked(vm, done)?;
    groups(vm, this, Args::none())
}
fn initgroups(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let user = vm.to_str(args.at(0))?.get(vm).bytes().to_vec();
    let Some(group) = numbered(vm, args.at(1))? else { return Err(vm.errno(22, None)) };
    let done = vm.host.init_groups(&user, group);
    checked(vm, done)?;
    groups(vm, this, Args::none())
}
fn priority_of(vm: &mut Vm, args: Args<'_>) -> Res<(i32, u32)> {
    Ok((vm.to_c_int(args.at(0))?, vm.to_c_int(args.at(1))? as u32))
}
fn getpriority(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (kind, id) = priority_of(vm, args)?;
    let found = vm.host.priority(kind, id);
    Ok(Value::Int(i64::from(checked(vm, found)?)))
}
fn setpriority(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (kind, id) = priority_of(vm, args)?;
    let priority = vm.to_c_int(args.at(2))?;
    let done = vm.host.set_priority(kind, id, priority);
    checked(vm, done)?;
    Ok(Value::Int(0))
}
fn getsid(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let pid = match args.get(0) {
        Some(pid) => vm.to_c_int(pid)?,
        None => 0,
    };
    let found = vm.host.session(pid);
    Ok(Value::Int(i64::from(checked(vm, found)?)))
}
macro_rules! unavailable {
    ($($function:ident $name:literal),*) => {
        $(fn $function(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
            Err(vm.not_implemented(concat!($name, "() function is unimplemented on this machine")))
        })*
    };
}
unavailable! { setruid "setruid", setrgid "setrgid", issetugid "issetugid" }

pub(super) static FUNCTIONS: &[MethodDef] = &[
    def("uid", user::real, 0),
    def("euid", user::effective, 0),
    def("gid", group::real, 0),
    def("egid", group::effective, 0),
    def("groups", groups, 0),
    def("uid=", user::set_real, 1),
    def("euid=", user::set_effective, 1),
    def("gid=", group::set_real, 1),
    def("egid=", group::set_effective, 1),
    def("groups=", set_groups, 1),
    def("initgroups", initgroups, 2),
    def("setpriority", setpriority, 3),
    def("getpriority", getpriority, 2),
    opt("getsid", getsid, 0, 1),
    def("maxgroups", max_groups, 0),
    def("maxgroups=", set_max_groups, 1),
];
pub(super) static USER_ID: &[MethodDef] = &[
    def("rid", user::real, 0),
    def("eid", user::effective, 0),
    def("eid=", user::grant_privilege, 1),
    def("change_privilege", user::change_privilege, 1),
    def("grant_privilege", user::grant_privilege, 1),
    def("re_exchange", user::re_exchange, 0),
    def("re_exchangeable?", yes, 0),
    def("sid_available?", yes, 0),
    def("switch", user::switch, 0),
    def("from_name", from_user_name, 1),
];
pub(super) static GROUP_ID: &[MethodDef] = &[
    def("rid", group::real, 0),
    def("eid", group::effective, 0),
    def("eid=", group::grant_privilege, 1),
    def("change_privilege", group::change_privilege, 1),
    def("grant_privilege", group::grant_privilege, 1),
    def("re_exchange", group::re_exchange, 0),
    def("re_exchangeable?", yes, 0),
    def("sid_available?", yes, 0),
    def("switch", group::switch, 0),
    def("from_name", from_group_name, 1),
];
pub(super) static SYS: &[MethodDef] = &[
    def("getuid", user::real, 0),
    def("geteuid", user::effective, 0),
    def("getgid", group::real, 0),
    def("getegid", group::effective, 0),
    def("setuid", user::sys_set, 1),
    def("setgid", group::sys_set, 1),
    def("seteuid", user::sys_set_effective, 1),
    def("setegid", group::sys_set_effective, 1),
    def("setreuid", user::sys_set_two, 2),
    def("setregid", group::sys_set_two, 2),
    def("setresuid", user::sys_set_all, 3),
    def("setresgid", group::sys_set_all, 3),
    def("setruid", setruid, 1),
    def("setrgid", setrgid, 1),
    def("issetugid", issetugid, 0),
];
