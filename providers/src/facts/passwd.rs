//! Ohai's Passwd (optional, as in Ohai), Shells and RootGroup.

use super::source::{Choice, Facts, put, read};
use rchef_change::lossy;
use rchef_host::Host;
use serde_json::{Value as Json, json};

/// `etc.passwd`, `etc.group`, `current_user`. The first of several entries with the same name counts.
pub(super) fn collect(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    let mut passwd = Facts::new();
    for user in host.users().unwrap_or_default() {
        passwd.entry(lossy(&user.name)).or_insert_with(|| {
            json!({ "dir": lossy(&user.dir), "gid": user.gid, "uid": user.uid, "shell": lossy(&user.shell), "gecos": lossy(&user.gecos) })
        });
    }
    let mut groups = Facts::new();
    for group in host.groups().unwrap_or_default() {
        let members: Vec<String> = group.members.iter().map(|name| lossy(name)).collect();
        groups.entry(lossy(&group.name)).or_insert_with(|| json!({ "gid": group.gid, "members": members }));
    }
    facts.insert("etc".into(), json!({ "passwd": passwd, "group": groups }));
    let user = host.user_by_id(host.uids().1).ok().flatten();
    put(facts, "current_user", user.map(|user| lossy(&user.name)));
}

/// `shells`: the lines of /etc/shells that name a path.
pub(super) fn shells(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    if let Some(lines) = read(host, "/etc/shells") {
        let shells: Vec<&str> = lines.lines().filter(|line| line.starts_with('/')).collect();
        facts.insert("shells".into(), json!(shells));
    }
}

/// `root_group`: the name of root's group.
pub(super) fn root_group(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    let gid = host.user_by_name(b"root").ok().flatten().map_or(0, |root| root.gid);
    let group = host.group_by_id(gid).ok().flatten();
    facts.insert("root_group".into(), Json::String(group.map_or("root".into(), |group| lossy(&group.name))));
}
