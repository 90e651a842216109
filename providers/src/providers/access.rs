//! Mode, owner and group of files (SPEC-converge 3.2).

use super::support::*;
use rchef_host::{Stat, compose};
use rchef_recipe::provider::native::Change;
use rchef_ruby::{Res, Symbol, Value, Vm};

/// What a resource asks for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Access {
    /// Permission bits.
    pub mode: Option<u32>,
    owner: Option<Who>,
    group: Option<Who>,
}

#[derive(Clone, Debug)]
struct Who {
    /// Absent when the name is not known (why-run).
    id: Option<u32>,
    /// As given.
    shown: String,
    by_name: bool,
}

/// Reads the properties; names that do not exist are an error, or in why-run an assumption.
pub(crate) fn wanted(vm: &mut Vm, resource: &Value, action: Symbol) -> Res<Access> {
    let mode = get(vm, resource, "mode")?;
    let mode = match &mode {
        Value::Nil | Value::False => None,
        Value::Int(number) => Some(*number),
        other => {
            let text = vm.to_s_text(other)?;
            let digits: String = text.trim().chars().take_while(|c| ('0'..='7').contains(c)).collect();
            Some(i64::from_str_radix(if digits.is_empty() { "0" } else { &digits }, 8).unwrap_or(-1))
        }
    };
    if let Some(number) = mode
        && !(0..=0o7777).contains(&number)
    {
        return Err(vm.argument_error(format!("Option mode's value {number} not in valid numeric range!")));
    }
    let owner = who(vm, resource, action, true)?;
    let group = who(vm, resource, action, false)?;
    Ok(Access { mode: mode.map(|number| number as u32), owner, group })
}

fn who(vm: &mut Vm, resource: &Value, action: Symbol, user: bool) -> Res<Option<Who>> {
    let value = get(vm, resource, if user { "owner" } else { "group" })?;
    match &value {
        Value::Nil | Value::False => Ok(None),
        Value::Int(number) => Ok(Some(Who { id: Some(*number as u32), shown: number.to_string(), by_name: false })),
        other => {
            let name = vm.to_s_text(other)?;
            let id = if user {
                on(vm, |host| host.user_by_name(name.as_bytes()))?.map(|found| found.uid)
            } else {
                on(vm, |host| host.group_by_name(name.as_bytes()))?.map(|found| found.gid)
            };
            let (kind, class, noun) =
                if user { ("user", "UserIDNotFound", "user") } else { ("group", "GroupIDNotFound", "group") };
            require(
                vm,
                resource,
                action,
                id.is_some(),
                class,
                &format!("cannot determine {kind} id for '{name}', does the {noun} exist on this system?"),
                &[format!("Assuming {noun} {name} would have been created")],
            )?;
            Ok(Some(Who { id, shown: name, by_name: true }))
        }
    }
}

impl Access {
    /// Owner's number.
    pub(crate) fn uid(&self) -> Option<u32> {
        self.owner.as_ref().and_then(|who| who.id)
    }
    /// Group's number.
    pub(crate) fn gid(&self) -> Option<u32> {
        self.group.as_ref().and_then(|who| who.id)
    }
    /// The lines for what differs from what is there (`None`: nothing is there yet). Links have no mode.
    fn lines(&self, vm: &mut Vm, now: Option<&Stat>, link: bool) -> Res<Vec<String>> {
        let mut lines = Vec::new();
        if let Some(mode) = self.mode
            && !link
            && now.is_none_or(|stat| stat.perm() != mode)
        {
            let old = now.map_or(String::new(), |stat| format!("0{:o}", stat.perm()));
            lines.push(format!("change mode from '{old}' to '0{mode:o}'"));
        }
        for (who, noun) in [(&self.owner, "owner"), (&self.group, "group")] {
            let Some(who) = who else { continue };
            let id = now.map(|stat| if noun == "owner" { stat.uid } else { stat.gid });
            if id.is_some() && id == who.id {
                continue;
            }
            let old = match id {
                None => String::new(),
                Some(id) if who.by_name => {
                    let name = if noun == "owner" {
                        on(vm, |host| host.user_by_id(id))?.map(|found| found.name)
                    } else {
                        on(vm, |host| host.group_by_id(id))?.map(|found| found.name)
                    };
                    name.map_or(id.to_string(), |name| lossy(&name))
                }
                Some(id) => id.to_string(),
            };
            lines.push(format!("change {noun} from '{old}' to '{}'", who.shown));
        }
        Ok(lines)
    }
    /// The step that sets what differs, if anything does.
    pub(crate) fn plan(&self, vm: &mut Vm, path: &str, now: Option<&Stat>, link: bool) -> Res<Option<Box<dyn Change>>> {
        let lines = self.lines(vm, now, link)?;
        if lines.is_empty() {
            return Ok(None);
        }
        let (access, path) = (self.clone(), path.to_string());
        Ok(Some(steps(lines, move |vm, _| access.set(vm, &path, link))))
    }
    /// Sets them: owner, group, then the mode.
    fn set(&self, vm: &mut Vm, path: &str, link: bool) -> Res<()> {
        on(vm, |host| {
            let path = path.as_bytes();
            let Some(now) = (if link { compose::lstat_opt(host, path)? } else { compose::stat_opt(host, path)? })
            else {
                return Err(rchef_host::HostError::at(2, "stat", path));
            };
            let uid = self.uid().filter(|uid| *uid != now.uid);
            let gid = self.gid().filter(|gid| *gid != now.gid);
            if uid.is_some() || gid.is_some() {
                host.chown(path, uid, gid, !link)?;
            }
            match self.mode {
                // a change of owner drops set-id bits
                Some(mode) if !link && (mode != now.perm() || uid.is_some() || gid.is_some()) => host.chmod(path, mode),
                _ => Ok(()),
            }
        })
    }
}
