//! Owner, group and mode of files, directories and links (SPEC-converge 3.2).

use crate::command::Account;
use crate::{Assertion, ChangeError, Description, Result, Why, lossy};
use rchef_host::compose::{self, Finish};
use rchef_host::{Host, Stat};

/// The wanted owner, group and mode; what is None is left alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Permission bits.
    pub mode: Option<u32>,
    pub owner: Option<Account>,
    pub group: Option<Account>,
}

/// The current and the wanted owner or group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ownership {
    /// The current owner as shown; empty for a new file.
    pub from: String,
    /// The wanted owner, as given in the resource.
    pub to: Account,
    /// The wanted ID; None while the name is not known.
    pub id: Option<u32>,
}

/// The differences between the current owner, group and mode and the wanted ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccessChange {
    /// The current permission bits (None for a new file), and the wanted ones.
    pub mode: Option<(Option<u32>, u32)>,
    /// The mode to set in the end, even if it does not differ: a change of owner clears the set-id bits.
    pub final_mode: Option<u32>,
    pub owner: Option<Ownership>,
    pub group: Option<Ownership>,
}

impl AccessChange {
    pub fn is_empty(&self) -> bool {
        self.mode.is_none() && self.owner.is_none() && self.group.is_none()
    }

    /// The attributes for a file that is written together with this change.
    pub fn finish(&self) -> Finish {
        let id = |ownership: &Option<Ownership>| ownership.as_ref().and_then(|ownership| ownership.id);
        Finish { mode: self.final_mode, uid: id(&self.owner), gid: id(&self.group), sync: false }
    }

    /// Adds the differences to a description.
    pub(crate) fn describe(&self, mut description: Description) -> Description {
        let octal = |mode: u32| format!("0{mode:o}");
        if let Some((from, to)) = self.mode {
            description = description.with("mode", from.map(octal), Some(octal(to)));
        }
        for (name, ownership) in [("owner", &self.owner), ("group", &self.group)] {
            if let Some(ownership) = ownership {
                let from = Some(ownership.from.clone()).filter(|from| !from.is_empty());
                description = description.with(name, from, Some(ownership.to.shown()));
            }
        }
        description
    }

    /// Sets owner and group, then the mode.
    fn set(&self, host: &dyn Host, path: &[u8], link: bool) -> Result<()> {
        Ok(compose::set_access(host, path, self.finish(), !link)?)
    }
}

impl Access {
    /// Looks up the IDs of owner and group.
    ///
    /// # Errors
    /// The look-up of a user or group fails.
    pub fn resolve(&self, host: &dyn Host) -> Result<Resolved> {
        let mut resolved = Resolved { mode: self.mode, ..Resolved::default() };
        if let Some(owner) = &self.owner {
            resolved.owner = Some((owner.clone(), owner.user_id(host)?));
        }
        if let Some(group) = &self.group {
            resolved.group = Some((group.clone(), group.group_id(host)?));
        }
        Ok(resolved)
    }
}

/// The wanted access with the IDs of owner and group; an unknown name has None.
#[derive(Clone, Debug, Default)]
pub struct Resolved {
    mode: Option<u32>,
    owner: Option<(Account, Option<u32>)>,
    group: Option<(Account, Option<u32>)>,
}

impl Resolved {
    /// The assertions for users and groups that the machine does not know.
    pub fn unknown(&self) -> Vec<Assertion> {
        let mut failed = Vec::new();
        for (wanted, noun, class) in [
            (&self.owner, "user", "Chef::Exceptions::UserIDNotFound"),
            (&self.group, "group", "Chef::Exceptions::GroupIDNotFound"),
        ] {
            if let Some((account, None)) = wanted {
                let name = account.shown();
                let message = format!("cannot determine {noun} id for '{name}', does the {noun} exist on this system?");
                failed.push(
                    Assertion::new(class, message).assuming(format!("Assuming {noun} {name} would have been created")),
                );
            }
        }
        failed
    }

    /// The differences from the current state; `now` is None for a new file. Links have no mode.
    ///
    /// # Errors
    /// The look-up of a user or group fails.
    pub fn compare(&self, host: &dyn Host, now: Option<&Stat>, link: bool) -> Result<AccessChange> {
        let mut change = AccessChange::default();
        if let Some(mode) = self.mode.filter(|_| !link) {
            change.final_mode = Some(mode);
            if now.is_none_or(|stat| stat.perm() != mode) {
                change.mode = Some((now.map(Stat::perm), mode));
            }
        }
        if let Some((owner, id)) = &self.owner {
            change.owner = ownership(host, owner, *id, now.map(|stat| stat.uid), true)?;
        }
        if let Some((group, id)) = &self.group {
            change.group = ownership(host, group, *id, now.map(|stat| stat.gid), false)?;
        }
        Ok(change)
    }
}

/// The difference of an owner or group. IDs are compared; if the wanted one is given by name, the current one is also shown by name.
fn ownership(
    host: &dyn Host,
    wanted: &Account,
    id: Option<u32>,
    now: Option<u32>,
    user: bool,
) -> Result<Option<Ownership>> {
    // only a why-run gets here with an unknown name, and has printed its assumption
    if id.is_none() || now == id {
        return Ok(None);
    }
    let from = match (now, wanted) {
        (None, _) => String::new(),
        (Some(now), Account::Id(_)) => now.to_string(),
        (Some(now), Account::Name(_)) => {
            let name = if user {
                host.user_by_id(now)?.map(|found| found.name)
            } else {
                host.group_by_id(now)?.map(|found| found.name)
            };
            name.map_or(now.to_string(), |name| lossy(&name))
        }
    };
    Ok(Some(Ownership { from, to: wanted.clone(), id }))
}

/// Sets owner, group and mode of an existing file or directory.
#[derive(Clone, Debug)]
pub struct SetAccess {
    pub path: Vec<u8>,
    pub access: AccessChange,
    /// The path is a symbolic link, which is not followed.
    pub link: bool,
}

impl SetAccess {
    pub(crate) fn apply(&self, host: &dyn Host) -> Result<()> {
        self.access.set(host, &self.path, self.link)
    }
    pub(crate) fn describe(&self) -> Description {
        self.access.describe(Description::new("set_access", lossy(&self.path), Why::Differs))
    }
}

/// The error for an account that the machine does not know.
pub(crate) fn unknown(account: &Account, user: bool) -> ChangeError {
    let noun = if user { "user" } else { "group" };
    ChangeError::raise("ArgumentError", format!("can't find {noun} for {}", account.shown()))
}
