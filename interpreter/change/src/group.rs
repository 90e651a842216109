//! Groups.

use crate::user::{free_gid, free_system_gid};
use crate::{Command, Description, Result, Why};
use rchef_host::{Group, Host, OverlayHost, Users};

/// The change of a group's members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Members {
    /// Set exactly these members.
    Exactly {
        /// The current members.
        from: Vec<String>,
        /// The wanted members, in the resource's order.
        to: Vec<String>,
    },
    /// Add and remove members.
    Change { add: Vec<String>, remove: Vec<String> },
}

impl Members {
    /// Whether the set of members changes.
    pub fn differ(&self) -> bool {
        match self {
            Members::Exactly { from, to } => {
                let (mut from, mut to) = (from.clone(), to.clone());
                from.sort();
                to.sort();
                from != to
            }
            Members::Change { add, remove } => !add.is_empty() || !remove.is_empty(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct GroupChange {
    /// `"create"`, `"alter"`, `"manage"`, `"modify"`, `"remove"`.
    pub verb: &'static str,
    pub name: String,
    /// The current and the wanted ID.
    pub gid: Option<(Option<u32>, String)>,
    pub members: Members,
    pub commands: Vec<Command>,
}

impl GroupChange {
    pub(crate) fn apply(&self, host: &dyn Host) -> Result<()> {
        for command in &self.commands {
            command.run(host)?;
        }
        Ok(())
    }

    /// The ID that groupadd would choose.
    fn new_gid(&self, overlay: &OverlayHost) -> Result<u32> {
        let of_system = self.commands.iter().any(|command| command.has_word("-r"));
        if of_system { free_system_gid(overlay) } else { free_gid(overlay) }
    }

    pub(crate) fn assume(&self, overlay: &OverlayHost) -> Result<()> {
        let name = self.name.as_bytes();
        if self.verb == "remove" {
            return Ok(overlay.assume_group(name, None)?);
        }
        let mut group = match overlay.group_by_name(name)? {
            Some(group) => group,
            None => {
                Group { name: name.to_vec(), passwd: b"x".to_vec(), gid: self.new_gid(overlay)?, members: Vec::new() }
            }
        };
        if let Some((_, gid)) = &self.gid {
            group.gid = gid.parse().unwrap_or(group.gid);
        }
        match &self.members {
            Members::Exactly { to, .. } => group.members = to.iter().map(|name| name.clone().into_bytes()).collect(),
            Members::Change { add, remove } => {
                group.members.retain(|member| !remove.iter().any(|gone| gone.as_bytes() == member.as_slice()));
                group.members.extend(add.iter().map(|name| name.clone().into_bytes()));
            }
        }
        Ok(overlay.assume_group(name, Some(&group))?)
    }

    pub(crate) fn describe(&self) -> Description {
        let (kind, why) = match self.verb {
            "create" => ("create_group", Why::Absent),
            "remove" => return Description::new("remove_group", &self.name, Why::Present),
            _ => ("modify_group", Why::Differs),
        };
        let mut description = Description::new(kind, &self.name, why);
        if let Some((from, to)) = &self.gid {
            description = description.with("gid", from.map(|gid| gid.to_string()), Some(to.clone()));
        }
        match &self.members {
            members if !members.differ() => description,
            Members::Exactly { from, to } => description.with("members", Some(from.join(", ")), Some(to.join(", "))),
            Members::Change { add, remove } => {
                for name in remove {
                    description = description.with("member", Some(name.clone()), None);
                }
                for name in add {
                    description = description.with("member", None, Some(name.clone()));
                }
                description
            }
        }
    }
}
