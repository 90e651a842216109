//! User accounts.

use crate::{ChangeError, Command, Description, Result, Why, lossy};
use rchef_host::compose::{self, Finish};
use rchef_host::overlay::Answer;
use rchef_host::{Files, Group, Host, OverlayHost, User, Users, files};

/// Exit status of usermod if the home directory could not be moved.
const HOME_NOT_MOVED: i64 = 12;

/// The files for a new home directory.
const SKELETON: &[u8] = b"/etc/skel";

/// A changed attribute of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// `"comment"`, `"uid"`, `"password"`.
    pub name: &'static str,
    pub from: String,
    /// The wanted value.
    pub to: String,
}

#[derive(Clone, Debug)]
pub struct UserChange {
    /// `"create"`, `"alter"`, `"manage"`, `"modify"`, `"remove"`, `"lock"`, `"unlock"`.
    pub verb: &'static str,
    pub name: String,
    /// The differences of an existing account, or the attributes of a new one.
    pub differences: Vec<Difference>,
    /// Do not show the password.
    pub sensitive: bool,
    pub commands: Vec<Command>,
}

impl UserChange {
    pub(crate) fn apply(&self, host: &dyn Host) -> Result<()> {
        for command in &self.commands {
            let output = command.run(host)?;
            let code = output.status.code().map(i64::from);
            // it is no failure if the new home directory already exists
            if code == Some(HOME_NOT_MOVED) && !lossy(&output.stderr).contains("exists") {
                let message = format!("Unable to modify home directory for {}", self.name);
                return Err(ChangeError::raise("Chef::Exceptions::User", message));
            }
        }
        Ok(())
    }

    pub(crate) fn assume(&self, overlay: &OverlayHost) -> Result<()> {
        let name = self.name.as_bytes();
        if self.verb == "remove" {
            return Ok(overlay.assume_user(name, None)?);
        }
        let mut user = match overlay.user_by_name(name)? {
            Some(user) => user,
            None => User {
                name: name.to_vec(),
                passwd: b"x".to_vec(),
                uid: if self.is_of_system() { free_system_uid(overlay)? } else { free_uid(overlay)? },
                dir: [b"/home/", name].concat(),
                shell: b"/bin/sh".to_vec(),
                ..User::default()
            },
        };
        for difference in &self.differences {
            let text = || difference.to.clone().into_bytes();
            match difference.name {
                "comment" => user.gecos = text(),
                "home" => user.dir = text(),
                "shell" => user.shell = text(),
                "uid" => user.uid = difference.to.parse().unwrap_or(user.uid),
                "gid" => {
                    let group = crate::Account::of_text(&difference.to);
                    user.gid = group.group_id(overlay)?.unwrap_or(user.gid);
                }
                _ => {}
            }
        }
        let names_group = self.differences.iter().any(|difference| difference.name == "gid");
        if self.verb == "create" && !names_group {
            user.gid = match overlay.group_by_name(name)? {
                Some(group) => group.gid,
                None => own_gid(overlay, user.uid, self.is_of_system())?,
            };
        }
        overlay.assume_user(name, Some(&user))?;
        let has_password = self.differences.iter().any(|difference| difference.name == "password");
        match self.verb {
            "create" => assume_locked(overlay, &self.name, !has_password),
            "lock" | "unlock" => assume_locked(overlay, &self.name, self.verb == "lock"),
            _ => {}
        }
        if self.verb == "create" { self.assume_along(overlay, &user) } else { Ok(()) }
    }

    fn is_of_system(&self) -> bool {
        self.commands.iter().any(|command| command.has_word("-r"))
    }

    /// Creates what useradd creates besides the account: the group and the home directory.
    fn assume_along(&self, overlay: &OverlayHost, user: &User) -> Result<()> {
        let has = |flag: &str| self.commands.iter().any(|command| command.has_word(flag));
        let names_group = self.differences.iter().any(|difference| difference.name == "gid");
        if !names_group && overlay.group_by_name(&user.name)?.is_none() {
            let group = Group { name: user.name.clone(), passwd: b"x".to_vec(), gid: user.gid, members: Vec::new() };
            overlay.assume_group(&user.name, Some(&group))?;
        }
        if !has("-m") || compose::exists(overlay, &user.dir) {
            return Ok(());
        }
        make_home(overlay, user)
    }

    pub(crate) fn describe(&self) -> Description {
        let (kind, why) = match self.verb {
            "create" => ("create_user", Why::Absent),
            "remove" => ("remove_user", Why::Present),
            "lock" => ("lock_user", Why::Differs),
            "unlock" => ("unlock_user", Why::Differs),
            _ => ("modify_user", Why::Differs),
        };
        let description = Description::new(kind, &self.name, why);
        self.differences.iter().fold(description, |description, difference| {
            let shown = |text: &String| {
                if difference.name == "password" { "********".to_string() } else { text.clone() }
            };
            let from = Some(&difference.from).filter(|_| self.verb != "create").map(shown);
            description.with(difference.name, from, Some(shown(&difference.to)))
        })
    }
}

/// Makes the overlay answer `passwd -S`.
pub(crate) fn assume_locked(overlay: &OverlayHost, name: &str, locked: bool) {
    let word = if locked { "L" } else { "P" };
    let answer = Answer::output(format!("{name} {word} 2026-01-01 0 99999 7 -1\n"));
    overlay.assume_answer(format!("passwd -S {name}").as_bytes(), answer, false);
}

/// Creates a user's home directory with the files in /etc/skel, as `useradd -m` does.
pub(crate) fn make_home(overlay: &OverlayHost, user: &User) -> Result<()> {
    let owner = Finish { uid: Some(user.uid), gid: Some(user.gid), ..Finish::default() };
    compose::create_dir_all(overlay, &user.dir, 0o755)?;
    compose::set_access(overlay, &user.dir, owner, true)?;
    for entry in overlay.readdir(SKELETON).unwrap_or_default() {
        let Ok(content) = compose::read_file(overlay, &files::join(SKELETON, &entry.name)) else { continue };
        let path = files::join(&user.dir, &entry.name);
        compose::write_file(overlay, &path, &content, 0o644)?;
        compose::set_access(overlay, &path, owner, true)?;
    }
    Ok(())
}

fn uids(overlay: &OverlayHost) -> Result<Vec<u32>> {
    Ok(overlay.users()?.iter().map(|user| user.uid).collect())
}

fn gids(overlay: &OverlayHost) -> Result<Vec<u32>> {
    Ok(overlay.groups()?.iter().map(|group| group.gid).collect())
}

/// The highest unused system ID.
fn free_below(used: &[u32]) -> u32 {
    (101..1000).rev().find(|id| !used.contains(id)).unwrap_or(999)
}

/// One more than the highest used ID, from 1000 on.
fn free_above(used: &[u32]) -> u32 {
    let (first, last) = (1000, 60_000);
    used.iter().filter(|id| (first..last).contains(*id)).max().map_or(first, |id| id + 1)
}

/// The ID of a user that `useradd -r` creates.
pub(crate) fn free_system_uid(overlay: &OverlayHost) -> Result<u32> {
    Ok(free_below(&uids(overlay)?))
}

/// The ID of a group that `groupadd -r` creates.
pub(crate) fn free_system_gid(overlay: &OverlayHost) -> Result<u32> {
    Ok(free_below(&gids(overlay)?))
}

/// The ID that systemd-sysusers chooses: one that neither a user nor a group has.
pub(crate) fn free_system_id(overlay: &OverlayHost) -> Result<u32> {
    Ok(free_below(&[uids(overlay)?, gids(overlay)?].concat()))
}

/// The ID of a user that `useradd` creates.
pub(crate) fn free_uid(overlay: &OverlayHost) -> Result<u32> {
    Ok(free_above(&uids(overlay)?))
}

/// The ID of a group that `groupadd` creates.
pub(crate) fn free_gid(overlay: &OverlayHost) -> Result<u32> {
    Ok(free_above(&gids(overlay)?))
}

/// The ID of the group that `useradd` creates for a user: the user's, if no group has it.
pub(crate) fn own_gid(overlay: &OverlayHost, uid: u32, of_system: bool) -> Result<u32> {
    let used = gids(overlay)?;
    Ok(match (used.contains(&uid), of_system) {
        (false, _) => uid,
        (true, true) => free_below(&used),
        (true, false) => free_above(&used),
    })
}
