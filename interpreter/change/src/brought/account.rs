//! Users and groups that maintainer scripts create.

use super::command::id;
use super::done::{Done, configured};
use crate::shell::compared;
use crate::user::{free_gid, free_system_gid, free_system_id, free_system_uid, free_uid, make_home, own_gid};
use crate::{Result, lossy};
use rchef_host::compose::{self, Finish};
use rchef_host::options::{Given, parsed};
use rchef_host::{Group, OverlayHost, Queries, User, Users};

/// Supported options of `adduser` and `addgroup`.
const ADDUSER: &str = "system group ingroup= gid= uid= home= shell= gecos= comment= no-create-home disabled-login disabled-password quiet force-badname allow-badname allow-bad-names allow-all-names";

/// Default range of system ids in adduser.conf.
const SYSTEM_IDS: std::ops::Range<u32> = 100..1000;

/// A requested account.
#[derive(Default)]
struct Asked<'a> {
    name: &'a str,
    uid: u32,
    gid: u32,
    comment: String,
    home: String,
    shell: String,
    /// Create the home directory.
    makes_home: bool,
    /// Copy the skeleton into the home directory.
    has_skeleton: bool,
}

/// Whether all programs accept an account's name.
fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte))
        && name.len() <= 32
}

/// Whether the configuration of a program has the defaults that are assumed here.
fn is_as_it_comes(overlay: &OverlayHost, program: &str) -> bool {
    const OWN: [&str; 11] = [
        "FIRST_SYSTEM_UID",
        "LAST_SYSTEM_UID",
        "FIRST_SYSTEM_GID",
        "LAST_SYSTEM_GID",
        "SYS_UID_MIN",
        "SYS_UID_MAX",
        "SYS_GID_MIN",
        "SYS_GID_MAX",
        "USERGROUPS_ENAB",
        "UID_MIN",
        "GID_MIN",
    ];
    const AS_THEY_COME: [(&str, &str); 3] = [("USERGROUPS_ENAB", "yes"), ("UID_MIN", "1000"), ("GID_MIN", "1000")];
    let text = |path: &str| lossy(&compose::read_file(overlay, path.as_bytes()).unwrap_or_default());
    let is_own = |row: &str| {
        let mut words = row.split(|c: char| c.is_whitespace() || c == '=').filter(|word| !word.is_empty());
        let Some(name) = words.next().filter(|name| OWN.contains(name)) else { return false };
        !AS_THEY_COME.contains(&(name, words.next().unwrap_or_default()))
    };
    if ["adduser", "addgroup"].contains(&program) {
        // before 3.122 the default home directory of system users was below /home
        let version = overlay.package("adduser").ok().flatten().map(|package| package.version);
        let is_new = version.is_none_or(|version| compared(overlay, &version, "ge", "3.122") == Some(true));
        return is_new && !text("/etc/adduser.conf").lines().any(is_own);
    }
    let shells = text("/etc/default/useradd");
    let defaults = shells.lines().filter(|row| !row.starts_with('#') && !row.trim().is_empty());
    !text("/etc/login.defs").lines().any(is_own) && defaults.into_iter().all(|row| row == "SHELL=/bin/sh")
}

/// A numeric option; `Err` if it is not a number.
fn number(value: Option<&str>) -> std::result::Result<Option<u32>, ()> {
    value.map(|value| id(value).ok_or(())).transpose()
}

/// Simulates `adduser`, `addgroup`, `useradd` and `groupadd`.
pub(super) fn make(overlay: &OverlayHost, program: &str, words: &[&str]) -> Result<Done> {
    let (short, long) = match program {
        "useradd" => (
            "rmMNUd:s:c:g:u:",
            "system create-home no-create-home no-user-group user-group home-dir= shell= comment= gid= uid=",
        ),
        "groupadd" => ("rfg:", "system force gid="),
        _ => ("", ADDUSER),
    };
    let Some(given) = parsed(short, long, false, words) else { return Ok(Done::NotKnown) };
    let fields = given.options.iter().filter_map(|(_, value)| *value);
    let are_fields = fields.into_iter().all(|value| !value.contains([':', '\n']));
    if !given.operands.iter().all(|name| is_name(name)) || !are_fields || !is_as_it_comes(overlay, program) {
        return Ok(Done::NotKnown);
    }
    match (program, &given.operands[..]) {
        ("groupadd", [name]) => groupadd(overlay, name, &given),
        ("addgroup", [name]) if given.has(&["system"]) => addgroup(overlay, name, &given),
        ("adduser" | "addgroup", [name, group]) if !given.has(&["system"]) => add_member(overlay, name, group),
        ("adduser", [name]) if given.has(&["system"]) => adduser(overlay, name, &given),
        ("useradd", [name]) => useradd(overlay, name, &given),
        _ => Ok(Done::NotKnown),
    }
}

fn group_id(overlay: &OverlayHost, name: &str) -> Result<Option<u32>> {
    Ok(overlay.group_by_name(name.as_bytes())?.map(|group| group.gid))
}

fn assume_group(overlay: &OverlayHost, name: &str, gid: u32) -> Result<()> {
    let group = Group { name: name.into(), passwd: b"x".to_vec(), gid, members: Vec::new() };
    overlay.assume_group(name.as_bytes(), Some(&group))?;
    Ok(())
}

/// `adduser USER GROUP`.
fn add_member(overlay: &OverlayHost, name: &str, group: &str) -> Result<Done> {
    let Some(mut found) = overlay.group_by_name(group.as_bytes())? else { return Ok(Done::status(1)) };
    if overlay.user_by_name(name.as_bytes())?.is_none() {
        return Ok(Done::status(1));
    }
    if !found.members.iter().any(|member| member == name.as_bytes()) {
        found.members.push(name.into());
        overlay.assume_group(group.as_bytes(), Some(&found))?;
    }
    Ok(Done::Changed)
}

fn groupadd(overlay: &OverlayHost, name: &str, given: &Given<'_>) -> Result<Done> {
    if overlay.group_by_name(name.as_bytes())?.is_some() {
        return Ok(Done::status(if given.has(&["f", "force"]) { 0 } else { 9 }));
    }
    let gid = match number(given.value(&["g", "gid"])) {
        Ok(Some(gid)) if overlay.group_by_id(gid)?.is_some() => return Ok(Done::status(4)),
        Ok(Some(gid)) => gid,
        Ok(None) if given.has(&["r", "system"]) => free_system_gid(overlay)?,
        Ok(None) => free_gid(overlay)?,
        _ => return Ok(Done::NotKnown),
    };
    assume_group(overlay, name, gid)?;
    Ok(Done::Changed)
}

/// The lowest free gid, chosen as by adduser.
fn lowest_group(overlay: &OverlayHost) -> Result<Option<u32>> {
    let used: Vec<u32> = overlay.groups()?.iter().map(|group| group.gid).collect();
    Ok(SYSTEM_IDS.into_iter().find(|id| !used.contains(id)))
}

fn lowest_user(overlay: &OverlayHost) -> Result<Option<u32>> {
    let used: Vec<u32> = overlay.users()?.iter().map(|user| user.uid).collect();
    Ok(SYSTEM_IDS.into_iter().find(|id| !used.contains(id)))
}

fn addgroup(overlay: &OverlayHost, name: &str, given: &Given<'_>) -> Result<Done> {
    let asked = number(given.value(&["gid"]));
    if let Some(gid) = group_id(overlay, name)? {
        let same = SYSTEM_IDS.contains(&gid) && matches!(asked, Ok(None));
        return Ok(if same { Done::status(0) } else { Done::NotKnown });
    }
    let gid = match asked {
        Ok(Some(gid)) if overlay.group_by_id(gid)?.is_none() => Some(gid),
        Ok(None) => lowest_group(overlay)?,
        _ => None,
    };
    let Some(gid) = gid else { return Ok(Done::NotKnown) };
    assume_group(overlay, name, gid)?;
    Ok(Done::Changed)
}

fn adduser(overlay: &OverlayHost, name: &str, given: &Given<'_>) -> Result<Done> {
    if let Some(user) = overlay.user_by_name(name.as_bytes())? {
        // an existing system user is left unchanged
        return Ok(Done::status(i32::from(!SYSTEM_IDS.contains(&user.uid))));
    }
    let (Ok(uid), Ok(gid)) = (number(given.value(&["uid"])), number(given.value(&["gid"]))) else {
        return Ok(Done::NotKnown);
    };
    let chosen = match uid {
        Some(uid) if overlay.user_by_id(uid)?.is_none() => Some(uid),
        Some(_) => None,
        None => lowest_user(overlay)?,
    };
    let Some(chosen) = chosen else { return Ok(Done::NotKnown) };
    let own_group = given.has(&["group"]);
    let gid = match (own_group, given.value(&["ingroup"]), gid) {
        (true, None, None) => match group_id(overlay, name)? {
            Some(gid) => Some(gid),
            None => {
                let gid = if uid.is_some() { Some(chosen) } else { lowest_group(overlay)? };
                match gid {
                    Some(gid) if overlay.group_by_id(gid)?.is_none() => {
                        assume_group(overlay, name, gid)?;
                        Some(gid)
                    }
                    _ => None,
                }
            }
        },
        (false, Some(group), None) => group_id(overlay, group)?,
        (false, None, Some(gid)) => overlay.group_by_id(gid)?.map(|group| group.gid),
        (false, None, None) => group_id(overlay, "nogroup")?.or(Some(65534)),
        _ => None,
    };
    let Some(gid) = gid else { return Ok(Done::NotKnown) };
    let home = given.value(&["home"]).unwrap_or("/nonexistent").to_string();
    let mut comment = given.value(&["gecos", "comment"]).unwrap_or_default().to_string();
    let fields = comment.split(',').count();
    if fields > 4 {
        return Ok(Done::NotKnown);
    }
    if !comment.is_empty() {
        // adduser fills the remaining GECOS fields
        comment.push_str(&",".repeat(4 - fields));
    }
    let makes_home = !given.has(&["no-create-home"]) && !home.starts_with("/nonexistent");
    let shell = given.value(&["shell"]).unwrap_or("/usr/sbin/nologin").to_string();
    user(overlay, Asked { name, uid: chosen, gid, comment, home, shell, makes_home, has_skeleton: false })
}

fn useradd(overlay: &OverlayHost, name: &str, given: &Given<'_>) -> Result<Done> {
    if overlay.user_by_name(name.as_bytes())?.is_some() {
        return Ok(Done::status(9));
    }
    let Ok(uid) = number(given.value(&["u", "uid"])) else { return Ok(Done::NotKnown) };
    let uid = match uid {
        Some(uid) if overlay.user_by_id(uid)?.is_some() => return Ok(Done::status(4)),
        Some(uid) => uid,
        None if given.has(&["r", "system"]) => free_system_uid(overlay)?,
        None => free_uid(overlay)?,
    };
    let named = given.value(&["g", "gid"]);
    // USERGROUPS_ENAB in Debian's login.defs: each user gets a group
    let gid = match named {
        Some(group) => match group_id(overlay, group)? {
            Some(gid) => gid,
            None => match id(group) {
                Some(gid) if overlay.group_by_id(gid)?.is_some() => gid,
                _ => return Ok(Done::status(6)),
            },
        },
        None if given.has(&["N", "no-user-group"]) => group_id(overlay, "users")?.unwrap_or(100),
        None if overlay.group_by_name(name.as_bytes())?.is_some() => return Ok(Done::status(9)),
        None => {
            let gid = own_gid(overlay, uid, given.has(&["r", "system"]))?;
            assume_group(overlay, name, gid)?;
            gid
        }
    };
    let home = given.value(&["d", "home-dir"]).map_or_else(|| format!("/home/{name}"), str::to_string);
    let comment = given.value(&["c", "comment"]).unwrap_or_default().to_string();
    let shell = given.value(&["s", "shell"]).unwrap_or("/bin/sh").to_string();
    let makes_home = given.has(&["m", "create-home"]);
    if !home.starts_with('/') {
        return Ok(Done::NotKnown);
    }
    user(overlay, Asked { name, uid, gid, comment, home, shell, makes_home, has_skeleton: true })
}

/// Creates a user.
fn user(overlay: &OverlayHost, asked: Asked<'_>) -> Result<Done> {
    let uid = asked.uid;
    let user = User {
        name: asked.name.into(),
        passwd: b"x".to_vec(),
        uid,
        gid: asked.gid,
        gecos: asked.comment.into_bytes(),
        dir: asked.home.into_bytes(),
        shell: asked.shell.into_bytes(),
    };
    overlay.assume_user(asked.name.as_bytes(), Some(&user))?;
    crate::user::assume_locked(overlay, asked.name, true);
    if asked.makes_home && !compose::exists(overlay, &user.dir) {
        if asked.has_skeleton {
            make_home(overlay, &user)?;
        } else {
            compose::create_dir_all(overlay, &user.dir, 0o755)?;
            let owner = Finish { uid: Some(uid), gid: Some(asked.gid), ..Finish::default() };
            compose::set_access(overlay, &user.dir, owner, true)?;
        }
    }
    Ok(Done::Changed)
}

/// `systemd-sysusers` with names of files in sysusers.d.
pub(super) fn of_files(overlay: &OverlayHost, words: &[&str]) -> Result<Done> {
    let mut known = !words.is_empty();
    for name in words {
        let text = if name.starts_with('-') { None } else { configured(overlay, "sysusers.d", name) };
        let Some(text) = text else { return Ok(Done::NotKnown) };
        let mut rows: Vec<Option<Vec<String>>> = text.lines().map(fields).collect();
        // groups first
        rows.sort_by_key(|row| row.as_ref().and_then(|row| row.first()).is_none_or(|kind| kind != "g"));
        for row in rows {
            known &= match row {
                Some(row) => made(overlay, &row.iter().map(String::as_str).collect::<Vec<_>>())?,
                None => false,
            };
        }
    }
    Ok(if known { Done::Changed } else { Done::NotKnown })
}

/// The fields of a line; None if it contains unsupported syntax.
fn fields(row: &str) -> Option<Vec<String>> {
    let row = row.trim();
    if row.starts_with('#') {
        return Some(Vec::new());
    }
    if row.contains(['\\', '\'', '%']) {
        return None;
    }
    let mut fields = Vec::new();
    let mut rest = row;
    while !rest.is_empty() {
        let (field, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => rest.split_once([' ', '\t']).unwrap_or((rest, "")),
        };
        fields.push(field.to_string());
        rest = after.trim_start();
    }
    Some(fields)
}

/// Creates what a line declares; gives whether the line is supported.
fn made(overlay: &OverlayHost, row: &[&str]) -> Result<bool> {
    let field = |at: usize| row.get(at).copied().filter(|field| *field != "-");
    Ok(match row {
        [] => true,
        ["g", name, ..] => {
            let gid = match number(field(2)) {
                _ if group_id(overlay, name)?.is_some() => return Ok(true),
                Ok(Some(gid)) if overlay.group_by_id(gid)?.is_none() => gid,
                Ok(None) => free_system_id(overlay)?,
                _ => return Ok(false),
            };
            assume_group(overlay, name, gid)?;
            true
        }
        ["u" | "u!", name, ..] => {
            if overlay.user_by_name(name.as_bytes())?.is_some() {
                return Ok(true);
            }
            let Ok(asked) = number(field(2)) else { return Ok(false) };
            // systemd-sysusers rejects leading zeros
            if field(2).is_some_and(|text| text.len() > 1 && text.starts_with('0')) {
                return Ok(false);
            }
            let there = group_id(overlay, name)?;
            let taken = |id: u32| -> Result<bool> {
                Ok(overlay.user_by_id(id)?.is_some() || there.is_none() && overlay.group_by_id(id)?.is_some())
            };
            let uid = match asked.or(there) {
                Some(id) if !taken(id)? => id,
                Some(_) => return Ok(false),
                None => free_system_id(overlay)?,
            };
            if there.is_none() {
                assume_group(overlay, name, uid)?;
            }
            let text =
                |at: usize, other: &str| field(at).filter(|field| !field.is_empty()).unwrap_or(other).to_string();
            let (comment, home, shell) = (text(3, ""), text(4, "/"), text(5, "/usr/sbin/nologin"));
            let gid = there.unwrap_or(uid);
            user(overlay, Asked { name, uid, gid, comment, home, shell, ..Asked::default() })?;
            true
        }
        ["m", name, group] => add_member(overlay, name, group)? == Done::Changed,
        ["r", ..] => true,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a failure fails the test
    use super::super::machine;
    use super::*;

    #[test]
    fn accounts_are_made_as_asked() {
        let host = machine();
        let run = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            make(&host, words[0], &words[1..]).unwrap()
        };
        assert_eq!(run("adduser --system --group a"), Done::Changed);
        let a = host.user_by_name(b"a").unwrap().unwrap();
        assert_eq!((a.uid, a.dir.as_slice(), a.gecos.as_slice()), (100, &b"/nonexistent"[..], &b""[..]));
        assert_eq!(run("adduser --system --uid 424 --group b"), Done::Changed);
        let b = host.user_by_name(b"b").unwrap().unwrap();
        assert_eq!((b.uid, b.gid), (424, 424));
        assert_eq!(run("adduser --system --home=/srv/c --ingroup a c"), Done::Changed);
        let c = host.user_by_name(b"c").unwrap().unwrap();
        assert_eq!((c.uid, c.gid, c.dir.as_slice()), (101, a.gid, &b"/srv/c"[..]));
        assert_eq!(run("adduser c b"), Done::Changed);
        assert_eq!(host.group_by_name(b"b").unwrap().unwrap().members, [b"c"]);
        assert_eq!(run("useradd -r -d /srv/d -s /bin/false d"), Done::Changed);
        assert_eq!(host.user_by_name(b"d").unwrap().unwrap().uid, 999);
        assert_eq!(run("useradd -u 424 e"), Done::status(4));
        assert_eq!(run("useradd a"), Done::status(9));
        assert_eq!(run("groupadd -f a"), Done::status(0));
        for line in
            ["adduser f", "adduser --system --conf x f", "useradd -rG a f", "adduser --system --sys f", "addgroup f"]
        {
            assert_eq!(run(line), Done::NotKnown, "{line}");
        }
    }

    #[test]
    fn accounts_of_files() {
        let host = machine();
        compose::create_dir_all(&host, b"/usr/lib/sysusers.d", 0o755).unwrap();
        let text = b"# x\nu x - \"X of y\" /srv/x\ng y 42\nm x y\nu z 77\n";
        compose::write_file(&host, b"/usr/lib/sysusers.d/x.conf", text, 0o644).unwrap();
        assert_eq!(of_files(&host, &["x.conf"]).unwrap(), Done::Changed);
        let x = host.user_by_name(b"x").unwrap().unwrap();
        assert_eq!((x.uid, x.gid, x.gecos, x.dir), (999, 999, b"X of y".to_vec(), b"/srv/x".to_vec()));
        let z = host.user_by_name(b"z").unwrap().unwrap();
        assert_eq!((z.uid, z.gid, z.dir), (77, 77, b"/".to_vec()));
        assert_eq!(host.group_by_name(b"y").unwrap().unwrap().members, [b"x"]);
        assert_eq!(of_files(&host, &["no.conf"]).unwrap(), Done::NotKnown);
        compose::write_file(&host, b"/usr/lib/sysusers.d/p.conf", b"u p 1:2\n", 0o644).unwrap();
        assert_eq!(of_files(&host, &["p.conf"]).unwrap(), Done::NotKnown);
    }
}
