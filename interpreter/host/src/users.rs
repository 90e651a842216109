//! [`Users`]: /etc/passwd and /etc/group, then `getent` if nsswitch.conf names other sources.

use crate::compose::read_file;
use crate::error::Result;
use crate::files::{Files, Stat, Time};
use crate::processes::{CommandSpec, Processes, run};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

/// Accounts. `None` means that there is no such account.
pub trait Users {
    /// getpwnam(3)
    fn user_by_name(&self, name: &[u8]) -> Result<Option<User>>;
    /// getpwuid(3)
    fn user_by_id(&self, uid: u32) -> Result<Option<User>>;
    /// getgrnam(3)
    fn group_by_name(&self, name: &[u8]) -> Result<Option<Group>>;
    /// getgrgid(3)
    fn group_by_id(&self, gid: u32) -> Result<Option<Group>>;
    /// All users in /etc/passwd, in its order.
    fn users(&self) -> Result<Vec<User>>;
    /// All groups in /etc/group, in its order.
    fn groups(&self) -> Result<Vec<Group>>;
}

/// A line of /etc/passwd.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct User {
    pub name: Vec<u8>,
    /// Usually `x`.
    pub passwd: Vec<u8>,
    pub uid: u32,
    pub gid: u32,
    pub gecos: Vec<u8>,
    pub dir: Vec<u8>,
    pub shell: Vec<u8>,
}

/// A line of /etc/group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    pub name: Vec<u8>,
    /// Usually `x`.
    pub passwd: Vec<u8>,
    pub gid: u32,
    pub members: Vec<Vec<u8>>,
}

/// The valid lines of a passwd file.
pub fn parse_passwd(data: &[u8]) -> Vec<User> {
    data.split(|&b| b == b'\n').filter_map(parse_user).collect()
}

/// The valid lines of a group file.
pub fn parse_group(data: &[u8]) -> Vec<Group> {
    data.split(|&b| b == b'\n').filter_map(parse_group_line).collect()
}

fn parse_user(line: &[u8]) -> Option<User> {
    let parts: Vec<&[u8]> = line.split(|&b| b == b':').collect();
    let &[name, passwd, uid, gid, gecos, dir, shell] = parts.as_slice() else { return None };
    plain(name)?;
    Some(User {
        name: name.to_vec(),
        passwd: passwd.to_vec(),
        uid: number(uid)?,
        gid: number(gid)?,
        gecos: gecos.to_vec(),
        dir: dir.to_vec(),
        shell: shell.to_vec(),
    })
}

fn parse_group_line(line: &[u8]) -> Option<Group> {
    let parts: Vec<&[u8]> = line.split(|&b| b == b':').collect();
    let &[name, passwd, gid, members] = parts.as_slice() else { return None };
    plain(name)?;
    let members = members.split(|&b| b == b',').filter(|m| !m.is_empty()).map(<[u8]>::to_vec).collect();
    Some(Group { name: name.to_vec(), passwd: passwd.to_vec(), gid: number(gid)?, members })
}

/// None for comments and NIS markers (`+`, `-`).
fn plain(name: &[u8]) -> Option<()> {
    (!name.is_empty() && !matches!(name[0], b'#' | b'+' | b'-')).then_some(())
}

fn number(text: &[u8]) -> Option<u32> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

impl User {
    /// A line of /etc/passwd, with its newline.
    pub fn to_line(&self) -> Vec<u8> {
        let (uid, gid) = (self.uid.to_string(), self.gid.to_string());
        let parts: [&[u8]; 7] =
            [&self.name, &self.passwd, uid.as_bytes(), gid.as_bytes(), &self.gecos, &self.dir, &self.shell];
        line(&parts)
    }
}

impl Group {
    /// A line of /etc/group, with its newline.
    pub fn to_line(&self) -> Vec<u8> {
        line(&[&self.name, &self.passwd, self.gid.to_string().as_bytes(), &self.members.join(&b',')])
    }
}

fn line(parts: &[&[u8]]) -> Vec<u8> {
    let mut line = parts.join(&b':');
    line.push(b'\n');
    line
}

/// The group ids of a user: first the primary group, then those in the group file.
pub fn group_ids(host: &(impl Users + ?Sized), user: &User) -> Result<Vec<u32>> {
    let mut ids = vec![user.gid];
    for group in host.groups()? {
        if group.members.contains(&user.name) && !ids.contains(&group.gid) {
            ids.push(group.gid);
        }
    }
    Ok(ids)
}

/// Identifies a version of a file.
type Version = Option<(u64, u64, Time, Time)>;

fn version(stat: &Stat) -> Version {
    Some((stat.ino, stat.size, stat.mtime, stat.ctime))
}

struct Table<T> {
    version: Version,
    rows: Rc<Vec<T>>,
    /// Results of getent for names and ids that are not in the file.
    elsewhere: BTreeMap<Vec<u8>, Option<T>>,
}

/// The parsed files, cached until they change on disk.
#[derive(Default)]
pub(crate) struct Accounts {
    users: RefCell<Option<Table<User>>>,
    groups: RefCell<Option<Table<Group>>>,
}

/// What is needed to read the files and to run getent.
pub(crate) trait Machine: Files + Processes {}
impl<T: Files + Processes + ?Sized> Machine for T {}

impl Accounts {
    pub(crate) fn users(&self, files: &(impl Files + ?Sized)) -> Result<Rc<Vec<User>>> {
        load(&self.users, files, b"/etc/passwd", parse_passwd)
    }

    pub(crate) fn groups(&self, files: &(impl Files + ?Sized)) -> Result<Rc<Vec<Group>>> {
        load(&self.groups, files, b"/etc/group", parse_group)
    }

    pub(crate) fn user(
        &self,
        host: &(impl Machine + ?Sized),
        key: &[u8],
        matches: impl Fn(&User) -> bool,
    ) -> Result<Option<User>> {
        if let Some(user) = self.users(host)?.iter().find(|user| matches(user)) {
            return Ok(Some(user.clone()));
        }
        elsewhere(&self.users, host, "passwd", key, |line| parse_user(line).filter(&matches))
    }

    pub(crate) fn group(
        &self,
        host: &(impl Machine + ?Sized),
        key: &[u8],
        matches: impl Fn(&Group) -> bool,
    ) -> Result<Option<Group>> {
        if let Some(group) = self.groups(host)?.iter().find(|group| matches(group)) {
            return Ok(Some(group.clone()));
        }
        elsewhere(&self.groups, host, "group", key, |line| parse_group_line(line).filter(&matches))
    }
}

fn load<T>(
    cell: &RefCell<Option<Table<T>>>,
    files: &(impl Files + ?Sized),
    path: &[u8],
    parse: fn(&[u8]) -> Vec<T>,
) -> Result<Rc<Vec<T>>> {
    let now = match files.stat(path) {
        Ok(stat) => version(&stat),
        Err(error) if error.errno == nix::libc::ENOENT => None,
        Err(error) => return Err(error),
    };
    if let Some(table) = &*cell.borrow()
        && table.version == now
    {
        return Ok(Rc::clone(&table.rows));
    }
    let rows = Rc::new(if now.is_some() { parse(&read_file(files, path)?) } else { Vec::new() });
    *cell.borrow_mut() = Some(Table { version: now, rows: Rc::clone(&rows), elsewhere: BTreeMap::new() });
    Ok(rows)
}

fn elsewhere<T: Clone>(
    cell: &RefCell<Option<Table<T>>>,
    host: &(impl Machine + ?Sized),
    database: &str,
    key: &[u8],
    parse: impl Fn(&[u8]) -> Option<T>,
) -> Result<Option<T>> {
    if let Some(table) = &*cell.borrow()
        && let Some(known) = table.elsewhere.get(key)
    {
        return Ok(known.clone());
    }
    let found =
        if !key.is_empty() && other_sources(host, database) { getent(host, database, key, parse) } else { None };
    if let Some(table) = &mut *cell.borrow_mut() {
        table.elsewhere.insert(key.to_vec(), found.clone());
    }
    Ok(found)
}

/// Whether nsswitch.conf names a source other than the files.
fn other_sources(files: &(impl Files + ?Sized), database: &str) -> bool {
    let Ok(conf) = read_file(files, b"/etc/nsswitch.conf") else { return false };
    let conf = String::from_utf8_lossy(&conf);
    conf.lines().filter_map(|line| line.trim().strip_prefix(database)?.trim_start().strip_prefix(':')).any(|sources| {
        sources
            .split('#')
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .any(|source| !source.starts_with('[') && !source.ends_with(']') && !matches!(source, "files" | "compat"))
    })
}

/// The row of a key; `parse` has to leave out rows of others, since getent takes a number for an id wherever it is given a name.
fn getent<T>(
    host: &(impl Processes + ?Sized),
    database: &str,
    key: &[u8],
    parse: impl Fn(&[u8]) -> Option<T>,
) -> Option<T> {
    let argv: [&[u8]; 4] = [b"getent", b"--", database.as_bytes(), key];
    let spec = CommandSpec::argv(argv).captured().with_timeout(Duration::from_secs(30));
    let output = run(host, &spec).ok()?;
    output.stdout.split(|&b| b == b'\n').find_map(parse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_round_trip() {
        let text = b"root:x:0:0:root:/root:/bin/bash\n# no\n+nis::::::\nbad:x:1\nu:x:1000:100::/home/u:\n";
        let users = parse_passwd(text);
        assert_eq!(users.iter().map(|u| u.uid).collect::<Vec<_>>(), [0, 1000]);
        assert_eq!(users[0].to_line(), b"root:x:0:0:root:/root:/bin/bash\n");
        let groups = parse_group(b"adm:x:4:a,b\nusers:x:100:\n");
        assert_eq!(groups[0].members, [b"a".to_vec(), b"b".to_vec()]);
        assert_eq!(groups[1].to_line(), b"users:x:100:\n");
    }
}
