//! Users and groups that installation scripts of packages make.

use crate::Result;
use crate::user::free_system_id;
use rchef_host::compose::{self, Finish};
use rchef_host::{Group, OverlayHost, User, Users};

/// Takes an account as made that a script makes by `adduser` or `addgroup` and their like.
pub(super) fn make(overlay: &OverlayHost, program: &str, words: &[&str]) -> Result<()> {
    let is_user = matches!(program, "adduser" | "useradd");
    let value = |names: &[&str]| -> Option<String> {
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            for name in names {
                if word == name {
                    return rest.next().map(|value| (*value).to_string());
                }
                if let Some(value) = word.strip_prefix(&format!("{name}=")) {
                    return Some(value.to_string());
                }
            }
        }
        None
    };
    let valued = [
        "--home",
        "--shell",
        "--gecos",
        "--ingroup",
        "--gid",
        "--uid",
        "--comment",
        "-d",
        "-s",
        "-c",
        "-g",
        "-u",
        "--home-dir",
    ];
    let mut names = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if valued.contains(word) {
            rest.next();
        } else if !word.starts_with('-')
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
        {
            names.push((*word).to_string());
        } else if !word.starts_with('-') {
            break;
        }
    }
    let Some(name) = names.first() else { return Ok(()) };
    // `adduser USER GROUP` adds a member
    if is_user && names.len() == 2 && !words.contains(&"--system") {
        if let Some(mut group) = overlay.group_by_name(names[1].as_bytes())?
            && !group.members.iter().any(|member| member == name.as_bytes())
        {
            group.members.push(name.clone().into_bytes());
            overlay.assume_group(names[1].as_bytes(), Some(&group))?;
        }
        return Ok(());
    }
    let id = free_system_id(overlay)?;
    let named_group = value(&["--ingroup", "--gid", "-g"]);
    // useradd makes a group for each user (USERGROUPS_ENAB in Debian's login.defs), adduser for a system user only when asked
    let useradd = program == "useradd";
    let own_group = match (is_user, useradd) {
        (false, _) => true,
        (true, true) => named_group.is_none() && !words.contains(&"-N") && !words.contains(&"--no-user-group"),
        (true, false) => words.contains(&"--group"),
    };
    if own_group && overlay.group_by_name(name.as_bytes())?.is_none() {
        let group = Group { name: name.clone().into_bytes(), passwd: b"x".to_vec(), gid: id, members: Vec::new() };
        overlay.assume_group(name.as_bytes(), Some(&group))?;
    }
    if !is_user || overlay.user_by_name(name.as_bytes())?.is_some() {
        return Ok(());
    }
    let group = named_group.unwrap_or_else(|| if own_group { name.clone() } else { "nogroup".into() });
    let gid = overlay.group_by_name(group.as_bytes())?.map_or(id, |group| group.gid);
    let home = value(&["--home", "--home-dir", "-d"]).unwrap_or_else(|| format!("/home/{name}"));
    let mut comment = value(&["--gecos", "--comment", "-c"]).unwrap_or_default();
    if program == "adduser" && !comment.contains(',') {
        // the fields that adduser was not told of
        comment.push_str(",,,");
    }
    let user = User {
        name: name.clone().into_bytes(),
        passwd: b"x".to_vec(),
        uid: id,
        gid,
        gecos: comment.into_bytes(),
        dir: home.clone().into_bytes(),
        shell: value(&["--shell", "-s"]).unwrap_or_else(|| "/usr/sbin/nologin".into()).into_bytes(),
    };
    overlay.assume_user(name.as_bytes(), Some(&user))?;
    crate::user::assume_locked(overlay, name, true);
    let makes_home = if useradd {
        words.contains(&"-m") || words.contains(&"--create-home")
    } else {
        !words.contains(&"--no-create-home")
    };
    if makes_home && !compose::exists(overlay, home.as_bytes()) {
        compose::create_dir_all(overlay, home.as_bytes(), 0o755)?;
        let owner = Finish { uid: Some(id), gid: Some(gid), ..Finish::default() };
        compose::set_access(overlay, home.as_bytes(), owner, true)?;
    }
    Ok(())
}
