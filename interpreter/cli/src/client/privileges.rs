//! `-u USER`, `-g GROUP`: a run as another user, which only root can start. The process executes this binary again as that user, with the
//! user's groups, so that nothing has been opened or read as root.

use super::flags::Options;
use crate::input::config::{Refusal, text_setting};
use rchef_host::users::group_ids;
use rchef_host::{CommandSpec, Host};
use rchef_ruby::Vm;

#[derive(Debug, PartialEq, Eq)]
struct Target {
    uid: u32,
    gid: u32,
    groups: Vec<u32>,
}

/// Executes this binary again as the user of the command line or the configuration. Returns if nothing has to change or the change fails.
pub fn change(vm: &mut Vm, options: &Options, command: &str, words: &[String]) -> Result<(), Refusal> {
    let user = options.user.clone().or_else(|| text_setting(vm, "user"));
    let group = options.group.clone().or_else(|| text_setting(vm, "group"));
    if options.changed_user || (user.is_none() && group.is_none()) {
        return Ok(());
    }
    let host = vm.host.clone();
    let target = target(&*host, user.as_deref(), group.as_deref()).map_err(|text| (1, text))?;
    let own = host.uids().1;
    if own == target.uid && group.is_none() {
        return Ok(());
    }
    if own != 0 {
        let name = user.or(group).unwrap_or_default();
        return Err((
            1,
            format!("Operation not permitted when trying to become {name}: only root can run as another user or group"),
        ));
    }
    let all = ["/proc/self/exe", command, "--changed-user"].map(String::from).into_iter().chain(words.iter().cloned());
    let mut spec = CommandSpec::argv(all);
    spec.argv0 = Some(b"rchef".to_vec());
    (spec.uid, spec.gid, spec.groups) = (Some(target.uid), Some(target.gid), Some(target.groups));
    let _ = rchef_ruby::embed::io::flush_all(vm);
    let error = host.exec(&spec);
    Err((1, format!("cannot become another user: {}", error.message())))
}

fn target(host: &dyn Host, user: Option<&str>, group: Option<&str>) -> Result<Target, String> {
    let (own, _) = host.uids();
    let entry = match user {
        Some(name) => host.user_by_name(name.as_bytes()).ok().flatten().ok_or(format!("there is no user {name}"))?,
        None => host.user_by_id(own).ok().flatten().ok_or(format!("the user {own} has no entry"))?,
    };
    let gid = match group {
        Some(name) => {
            host.group_by_name(name.as_bytes()).ok().flatten().ok_or(format!("there is no group {name}"))?.gid
        }
        None => entry.gid,
    };
    let mut groups = group_ids(host, &entry).map_err(|error| error.message())?;
    if !groups.contains(&gid) {
        groups.push(gid);
    }
    Ok(Target { uid: entry.uid, gid, groups })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rchef_host::RealHost;

    #[test]
    fn users_and_groups() {
        let host = RealHost::new();
        let root = target(&host, Some("root"), None).unwrap();
        assert_eq!((root.uid, root.gid), (0, 0));
        assert!(target(&host, Some("root"), Some("nogroup")).is_ok_and(|found| found.groups.contains(&found.gid)));
        assert_eq!(target(&host, Some("no-such-user"), None), Err("there is no user no-such-user".into()));
    }
}
