//! `group`, by groupadd, groupmod, groupdel and gpasswd.

use super::shell;
use super::support::*;
use rchef_host::compose;
use rchef_recipe::provider::native::{Plan, Provider};
use rchef_ruby::{Res, Symbol, Value, Vm};

/// Provider of `group`.
pub(crate) struct Group;

/// What the members become.
#[derive(Clone)]
enum Members {
    Exactly(Vec<String>),
    Change { add: Vec<String>, remove: Vec<String> },
}

fn run(vm: &mut Vm, words: &[&str]) -> Res<()> {
    let argv: Vec<String> = words.iter().map(|word| word.to_string()).collect();
    shell::command(vm, &argv, &[], None).map(drop)
}

fn set(vm: &mut Vm, name: &str, members: &Members) -> Res<()> {
    match members {
        Members::Exactly(list) => run(vm, &["gpasswd", "-M", &list.join(","), name]),
        Members::Change { add, remove } => {
            for member in add {
                run(vm, &["gpasswd", "-a", member, name])?;
            }
            for member in remove {
                run(vm, &["gpasswd", "-d", member, name])?;
            }
            Ok(())
        }
    }
}

fn requirements(
    vm: &mut Vm,
    resource: &Value,
    action: Symbol,
    exists: bool,
    members: &[String],
    excluded: &[String],
) -> Res<bool> {
    let shown = vm.to_s_text(resource)?;
    let common: Vec<String> = members.iter().filter(|member| excluded.contains(member)).cloned().collect();
    let message = format!("Attempting to both add and remove users from a group: '{}'", common.join(", "));
    require(vm, resource, action, common.is_empty(), "ConflictingMembersInGroup", &message, &[])?;
    for binary in ["/usr/sbin/groupadd", "/usr/sbin/groupmod", "/usr/sbin/groupdel", "/usr/bin/gpasswd"] {
        let there = on(vm, |host| Ok(compose::exists(host, binary.as_bytes())))?;
        require(vm, resource, action, there, "Group", &format!("Could not find binary {binary} for {shown}"), &[])?;
    }
    if action.as_str() != "modify" {
        return Ok(true);
    }
    let assume = format!(
        "Group {shown} does not exist. Unless it would have been created earlier in this run, this attempt to modify it would fail."
    );
    require(vm, resource, action, exists, "Group", &format!("Cannot modify {shown} - group does not exist!"), &[assume])
}

impl Provider for Group {
    fn actions(&self) -> &'static [&'static str] {
        &["create", "remove", "modify", "manage"]
    }
    fn plan(&self, vm: &mut Vm, resource: &Value, action: Symbol) -> Res<Plan> {
        let name = text(vm, resource, "group_name")?;
        let (members, excluded) = (list(vm, resource, "members")?, list(vm, resource, "excluded_members")?);
        let gid = get(vm, resource, "gid")?;
        let gid = if gid.is_nil() { None } else { Some(vm.to_s_text(&gid)?) };
        let append = flag(vm, resource, "append")?;
        let now = on(vm, |host| host.group_by_name(name.as_bytes()))?;
        if !requirements(vm, resource, action, now.is_some(), &members, &excluded)? {
            return Ok(Vec::new());
        }
        let verb = action.as_str();
        let current: Vec<String> =
            now.as_ref().map_or(Vec::new(), |group| group.members.iter().map(|member| lossy(member)).collect());
        let change = if append {
            let add = members.iter().filter(|member| !current.contains(member)).cloned().collect();
            let remove = excluded.iter().filter(|member| current.contains(member)).cloned().collect();
            Members::Change { add, remove }
        } else {
            Members::Exactly(members.clone())
        };
        let Some(now) = now else {
            if verb != "create" {
                return Ok(Vec::new());
            }
            return Ok(vec![step(format!("create group {name}"), move |vm, resource| {
                let mut words = vec!["groupadd".to_string()];
                if let Some(gid) = &gid {
                    words.extend(["-g".to_string(), gid.clone()]);
                }
                words.push(name.clone());
                if flag(vm, resource, "system")? {
                    words.push("-r".into());
                }
                if flag(vm, resource, "non_unique")? {
                    words.push("-o".into());
                }
                shell::command(vm, &words, &[], None)?;
                set(vm, &name, &change)
            })]);
        };
        if verb == "remove" {
            return Ok(vec![step(format!("remove group {name}"), move |vm, _| run(vm, &["groupdel", &name]))]);
        }
        let new_gid = gid.filter(|gid| *gid != now.gid.to_string());
        let mut details = Vec::new();
        if let Some(gid) = &new_gid {
            details.push(format!("change gid {} to {gid}", now.gid));
        }
        match &change {
            Members::Change { add, remove } => {
                if !add.is_empty() {
                    details.push(format!("add missing member(s): {}", add.join(", ")));
                }
                if !remove.is_empty() {
                    details.push(format!("remove existing member(s): {}", remove.join(", ")));
                }
            }
            Members::Exactly(list) => {
                let (mut wanted, mut found) = (list.clone(), current);
                wanted.sort();
                found.sort();
                if wanted != found {
                    details.push(format!("replace group members with new list of members: {}", list.join(", ")));
                }
            }
        }
        if details.is_empty() {
            return Ok(Vec::new());
        }
        let head = if verb == "create" { "alter" } else { verb };
        let lines = std::iter::once(format!("{head} group {name}")).chain(details).collect();
        Ok(vec![steps(lines, move |vm, _| {
            if let Some(gid) = &new_gid {
                run(vm, &["groupmod", "-g", gid, &name])?;
            }
            set(vm, &name, &change)
        })])
    }
}
