//! `group`, by groupadd, groupmod, groupdel and gpasswd.

use super::support::*;
use rchef_change::group::Members;
use rchef_change::{Assertion, Change, Command, GroupChange, State};
use rchef_host::{Host, compose};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct Group;

/// What a group resource asks for.
pub(crate) struct Desired {
    verb: &'static str,
    name: String,
    gid: Option<String>,
    members: Vec<String>,
    excluded: Vec<String>,
    /// Keep members that the resource does not list.
    append: bool,
    system: bool,
    non_unique: bool,
    /// The resource's name in messages.
    shown: String,
}

/// The programs that change groups.
const PROGRAMS: &[&str] = &["/usr/sbin/groupadd", "/usr/sbin/groupmod", "/usr/sbin/groupdel", "/usr/bin/gpasswd"];

fn wanted_members(desired: &Desired, current: &[String]) -> Members {
    if !desired.append {
        return Members::Exactly { from: current.to_vec(), to: desired.members.clone() };
    }
    Members::Change {
        add: desired.members.iter().filter(|member| !current.contains(member)).cloned().collect(),
        remove: desired.excluded.iter().filter(|member| current.contains(member)).cloned().collect(),
    }
}

fn member_commands(name: &str, members: &Members) -> Vec<Command> {
    match members {
        Members::Exactly { to, .. } => vec![Command::system(["gpasswd", "-M", &to.join(","), name])],
        Members::Change { add, remove } => {
            let add = add.iter().map(|member| Command::system(["gpasswd", "-a", member, name]));
            let remove = remove.iter().map(|member| Command::system(["gpasswd", "-d", member, name]));
            add.chain(remove).collect()
        }
    }
}

fn create(desired: &Desired, members: Members) -> Change {
    let mut words = vec!["groupadd"];
    if let Some(gid) = &desired.gid {
        words.extend(["-g", gid]);
    }
    words.push(&desired.name);
    if desired.system {
        words.push("-r");
    }
    if desired.non_unique {
        words.push("-o");
    }
    let mut commands = vec![Command::system(words)];
    commands.extend(member_commands(&desired.name, &members));
    let gid = desired.gid.clone().map(|gid| (None, gid));
    Change::Group(GroupChange { verb: "create", name: desired.name.clone(), gid, members, commands })
}

impl Provider for Group {
    type Desired = Desired;
    type Current = Option<rchef_host::Group>;
    const ACTIONS: &'static [&'static str] = &["create", "remove", "modify", "manage"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let gid = get(vm, resource, "gid")?;
        Ok(Desired {
            verb: action,
            name: text(vm, resource, "group_name")?,
            gid: if gid.is_nil() { None } else { Some(vm.to_s_text(&gid)?) },
            members: list(vm, resource, "members")?,
            excluded: list(vm, resource, "excluded_members")?,
            append: flag(vm, resource, "append")?,
            system: flag(vm, resource, "system")?,
            non_unique: flag(vm, resource, "non_unique")?,
            shown: vm.to_s_text(resource)?,
        })
    }

    fn load(desired: &Desired, host: &dyn Host) -> Looked<Self::Current> {
        Ok(host.group_by_name(desired.name.as_bytes())?)
    }

    fn requirements(desired: &Desired, current: &Self::Current, host: &dyn Host) -> Looked<Vec<Assertion>> {
        let class = "Chef::Exceptions::Group";
        let mut failed: Vec<Assertion> = unfit(class, "group", &desired.name).into_iter().collect();
        failed.extend(desired.members.iter().find_map(|member| unfit(class, "member", member)));
        let shown = &desired.shown;
        let common: Vec<&str> =
            desired.members.iter().filter(|member| desired.excluded.contains(member)).map(String::as_str).collect();
        if !common.is_empty() {
            let message = format!("Attempting to both add and remove users from a group: '{}'", common.join(", "));
            failed.push(Assertion::new("Chef::Exceptions::ConflictingMembersInGroup", message));
        }
        for program in PROGRAMS {
            if !compose::exists(host, program.as_bytes()) {
                let message = format!("Could not find binary {program} for {shown}");
                failed.push(Assertion::new("Chef::Exceptions::Group", message));
            }
        }
        if desired.verb == "modify" && current.is_none() {
            let message = format!("Cannot modify {shown} - group does not exist!");
            let assume = format!(
                "Group {shown} does not exist. Unless it would have been created earlier in this run, this attempt to modify it would fail."
            );
            failed.push(Assertion::new("Chef::Exceptions::Group", message).assuming(assume));
        }
        Ok(failed)
    }

    fn plan(desired: &Desired, current: &Self::Current, _: &dyn Host) -> Looked<Vec<Change>> {
        let name = desired.name.clone();
        let found: Vec<String> =
            current.as_ref().map_or(Vec::new(), |group| group.members.iter().map(|member| lossy(member)).collect());
        let members = wanted_members(desired, &found);
        match (desired.verb, current) {
            ("create", None) => return Ok(vec![create(desired, members)]),
            // a why-run assumes that it would have been made, and Chef compares with nothing then
            ("modify", None) | (_, Some(_)) => {}
            _ => return Ok(Vec::new()),
        }
        if desired.verb == "remove" {
            let commands = vec![Command::system(["groupdel", &name])];
            return Ok(vec![Change::Group(GroupChange { verb: "remove", name, gid: None, members, commands })]);
        }
        let now = current.as_ref().map(|group| group.gid);
        let gid = desired.gid.clone().filter(|gid| now.is_none_or(|now| *gid != now.to_string()));
        if gid.is_none() && !members.differ() {
            return Ok(Vec::new());
        }
        let mut commands = Vec::new();
        if let Some(gid) = &gid {
            commands.push(Command::system(["groupmod", "-g", gid, &name]));
        }
        commands.extend(member_commands(&name, &members));
        let verb = if desired.verb == "create" { "alter" } else { desired.verb };
        let gid = gid.map(|gid| (now, gid));
        Ok(vec![Change::Group(GroupChange { verb, name, gid, members, commands })])
    }

    fn state(desired: &Desired, current: &Self::Current, _host: &dyn Host) -> Vec<(&'static str, State)> {
        let mut state = vec![("group_name", State::Text(desired.name.clone()))];
        if let Some(group) = current {
            state.push(("gid", State::Int(group.gid.into())));
            state.push(("members", State::List(group.members.iter().map(|member| lossy(member)).collect())));
        }
        state
    }

    fn class(_: &mut Vm, _: &Value) -> Res<&'static str> {
        Ok("Group::Gpasswd")
    }
}
