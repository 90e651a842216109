//! The user and group ids of this process (Process.uid= ..., Process::UID, Process::GID, Process::Sys), its groups and its priority.

use crate::Vm;
use crate::args::Args;
use crate::core::natives::yes;
use crate::error::{Error, Res};
use crate::method::{MethodDef, def, opt};
use crate::value::Value;
use rchef_host::{HostError, Ids, UNCHANGED};

/// What stands for the own process in system calls that take the number of one.
const OWN_PROCESS: i32 = 0;
const EPERM: i32 = 1;
const ENOSYS: i32 = 38;

/// The exception for a call that failed: NotImplementedError where the machine behind the engine does not let the process change.
fn failed(vm: &mut Vm, error: &HostError) -> Error {
    if error.errno == ENOSYS {
        let text = format!("{}() function is unimplemented on this machine", error.op);
        return vm.error_for(
            crate::class::ClassId::NOT_IMPLEMENTED_ERROR,
            text,
            Some(crate::error::Reason::Simulated(error.op)),
        );
    }
    vm.errno(error.errno, None)
}
fn refused(vm: &mut Vm) -> Error {
    vm.errno(EPERM, None)
}
fn checked<T>(vm: &mut Vm, result: rchef_host::Result<T>) -> Res<T> {
    result.map_err(|error| failed(vm, &error))
}
/// An id by name or number; `UNCHANGED` is `-1`.
pub(super) fn user_arg(vm: &mut Vm, value: &Value) -> Res<u32> {
    let Some(name) = vm.check_str(value)? else { return vm.to_c_unsigned(value) };
    let name = name.get(vm).bytes().to_vec();
    match vm.host.user_by_name(&name) {
        Ok(Some(user)) => Ok(user.uid),
        _ => Err(vm.argument_error(format!("can't find user for {}", String::from_utf8_lossy(&name)))),
    }
}
pub(super) fn group_arg(vm: &mut Vm, value: &Value) -> Res<u32> {
    let Some(name) = vm.check_str(value)? else { return vm.to_c_unsigned(value) };
    let name = name.get(vm).bytes().to_vec();
    match vm.host.group_by_name(&name) {
        Ok(Some(group)) => Ok(group.gid),
        _ => Err(vm.argument_error(format!("can't find group for {}", String::from_utf8_lossy(&name)))),
    }
}
fn from_user_name(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(Value::Int(i64::from(user_arg(vm, args.at(0))?)))
}
fn from_group_name(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(Value::Int(i64::from(group_arg(vm, args.at(0))?)))
}

/// Whether a block of `Process::UID.switch` runs, and one of `Process::GID.switch`: until it ends, the ids of that kind stay.
#[derive(Default)]
struct Switched {
    user: bool,
    group: bool,
}

/// The functions that user and group ids have alike.
macro_rules! identity {
    ($module:ident $kind:literal $now:ident $ids:ident $set_ids:ident $set_id:ident $argument:ident) => {
        mod $module {
            use super::*;

            /// An id that a process shall get.
            fn wanted(vm: &mut Vm, value: &Value) -> Res<u32> {
                if vm.extension::<Switched>().$module {
                    let text = "while evaluating block given to Process::UID.switch method";
                    return Err(vm.runtime_error(format!("can't handle {} {text}", $kind)));
                }
                $argument(vm, value)
            }
            fn set(vm: &mut Vm, real: u32, effective: u32, saved: u32) -> Res<()> {
                let [real, effective, saved] = [real, effective, saved].map(|id| (id != UNCHANGED).then_some(id));
                let done = vm.host.$set_ids(Ids { real, effective, saved });
                checked(vm, done)
            }
            fn shown(id: u32) -> Res {
                Ok(Value::Int(i64::from(id)))
            }
            /// The ids as Process::UID.eid= sets them.
            fn become_effective(vm: &mut Vm, id: u32) -> Res<()> {
                let saved = if id == vm.host.$now().0 { UNCHANGED } else { id };
                set(vm, UNCHANGED, id, saved)
            }
            pub(super) fn real(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
                shown(vm.host.$now().0)
            }
            pub(super) fn effective(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
                shown(vm.host.$now().1)
            }
            pub(super) fn set_real(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
                let id = wanted(vm, args.at(0))?;
                set(vm, id, UNCHANGED, UNCHANGED)?;
                Ok(args.at(0).clone())
            }
            pub(super) fn set_effective(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
                let id = wanted(vm, args.at(0))?;
                set(vm, UNCHANGED, id, UNCHANGED)?;
                Ok(args.at(0).clone())
            }
            pub(super) fn change_privilege(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
                let id = wanted(vm, args.at(0))?;
                set(vm, id, id, id)?;
                Ok(args.at(0).clone())
            }
            pub(super) fn grant_privilege(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
                let id = wanted(vm, args.at(0))?;
                become_effective(vm, id)?;
                Ok(args.at(0).clone())
            }
            pub(super) fn re_exchange(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
                let (real, effective) = vm.host.$now();
                wanted(vm, &Value::Int(i64::from(real)))?;
                set(vm, effective, real, real)?;
                shown(real)
            }
            /// Runs a block with the real or saved id as the effective one, or exchanges them for good.
            pub(super) fn switch(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
                let ids = vm.host.$ids();
                let ids = checked(vm, ids)?;
                // afterwards the saved id is the effective one, as it was before unless the real id differs
                let (to, after) =
                    if ids.real != ids.effective { (ids.real, ids.saved) } else { (ids.saved, ids.effective) };
                wanted(vm, &Value::Int(i64::from(to)))?;
                if to == ids.effective {
                    return Err(refused(vm));
                }
                set(vm, UNCHANGED, to, UNCHANGED)?;
                let Some(block) = args.block else { return shown(ids.effective) };
                vm.extension::<Switched>().$module = true;
                let result = vm.yield_values(block, &[]);
                vm.extension::<Switched>().$module = false;
                become_effective(vm, after)?;
                result
            }
            /// setuid(2) or setgid(2)
            pub(super) fn sys_set(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
                let id = wanted(vm, args.at(0))?;
                let done = vm.host.$set_id(id);
                checked(vm, done)?;
                Ok(Value::Nil)
            }
            /// seteuid(3) or setegid(3)
            pub(super) fn sys_set_effective(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
                let id = wanted(vm, args.at(0))?;
                set(vm, UNCHANGED, id, UNCHANGED)?;
                Ok(Value::Nil)
            }
            /// setreuid(2) or setregid(2): the saved id becomes the effective one if the real one is set, or the effective one to another than it.
            pub(super) fn sys_set_two(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
                let (real, effective) = (wanted(vm, args.at(0))?, wanted(vm, args.at(1))?);
                let (real_now, effective_now) = vm.host.$now();
                let follows = real != UNCHANGED || ![UNCHANGED, real_now].contains(&effective);
                let saved = match (follows, effective) {
                    (false, _) => UNCHANGED,
                    (true, UNCHANGED) => effective_now,
                    (true, id) => id,
                };
                set(vm, real, effective, saved)?;
                Ok(Value::Nil)
            }
            /// setresuid(2) or setresgid(2)
            pub(super) fn sys_set_all(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
                let (real, effective) = (wanted(vm, args.at(0))?, wanted(vm, args.at(1))?);
                let saved = wanted(vm, args.at(2))?;
                set(vm, real, effective, saved)?;
                Ok(Value::Nil)
            }
        }
    };
}
identity! { user "UID" uids user_ids set_user_ids set_user_id user_arg }
identity! { group "GID" gids group_ids set_group_ids set_group_id group_arg }

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
        wanted.push(group_arg(vm, group)?);
    }
    let done = vm.host.set_supplementary_groups(&wanted);
    checked(vm, done)?;
    groups(vm, this, Args::none())
}
fn initgroups(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let user = vm.to_str(args.at(0))?.get(vm).bytes().to_vec();
    if user.contains(&0) {
        return Err(vm.argument_error("string contains null byte"));
    }
    let group = vm.to_c_unsigned(args.at(1))?;
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
        None | Some(Value::Nil) => OWN_PROCESS,
        Some(pid) => vm.to_c_int(pid)?,
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
