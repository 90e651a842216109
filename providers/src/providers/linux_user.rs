//! `linux_user`: `user` on Linux, by useradd, usermod and userdel.

use super::support::*;
use rchef_change::time::Civil;
use rchef_change::user::Difference;
use rchef_change::{Assertion, Change, ChangeError, Command, State, UserChange};
use rchef_host::{Host, User, compose};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct LinuxUser;

/// What a `user` resource asks for; None or absent values are left alone.
pub(crate) struct Desired {
    verb: &'static str,
    name: String,
    /// The account's attributes to set, by name, in the order of comparison.
    attributes: Vec<(&'static str, String)>,
    manage_home: bool,
    non_unique: bool,
    system: bool,
    force: bool,
    sensitive: bool,
    /// The resource's name in messages.
    shown: String,
}

impl Desired {
    fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }
}

pub(crate) struct Current {
    user: Option<User>,
    shadow: Shadow,
    /// Whether the account is locked; only looked up for actions that need it.
    locked: bool,
    /// The ID of the group, if it is given by name; None if there is no such group.
    gid: Option<u32>,
}

/// A line of /etc/shadow.
#[derive(Default)]
struct Shadow {
    password: String,
    inactive: String,
    expire: String,
}

/// The attributes in the order of comparison, with their options of useradd and usermod.
const ATTRIBUTES: &[(&str, &str)] = &[
    ("home", "-d"),
    ("comment", "-c"),
    ("shell", "-s"),
    ("password", "-p"),
    ("uid", "-u"),
    ("gid", "-g"),
    ("expire_date", "-e"),
    ("inactive", "-f"),
];

/// The order of the options in Chef's command lines.
const ORDER: &[&str] = &["-c", "-e", "-g", "-f", "-p", "-s", "-u", "-d"];

fn shadow(host: &dyn Host, name: &str) -> Shadow {
    let data = compose::read_file(host, b"/etc/shadow").unwrap_or_default();
    let text = lossy(&data);
    let Some(line) = text.lines().find(|line| line.split(':').next() == Some(name)) else { return Shadow::default() };
    let parts: Vec<&str> = line.split(':').collect();
    let part = |at: usize| parts.get(at).map_or(String::new(), |part| part.to_string());
    Shadow { password: part(1), inactive: part(6), expire: part(7) }
}

/// A number of days since 1970 as `YYYY-MM-DD`.
fn date(days: &str) -> String {
    let Ok(days) = days.parse::<i32>() else { return String::new() };
    let at = Civil::of(i64::from(days) * 86_400);
    format!("{:04}-{:02}-{:02}", at.year, at.month, at.day)
}

/// A path without repeated slashes and `.` components.
fn clean(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    format!("{}{}", if path.starts_with('/') { "/" } else { "" }, parts.join("/"))
}

/// Whether the account is locked, by `passwd -S`.
fn locked(desired: &Desired, host: &dyn Host) -> Looked<bool> {
    let (name, shown) = (&desired.name, &desired.shown);
    let output = Command { until_exit: false, ..Command::system(["passwd", "-S", name]) }.query(host)?;
    let class = "Chef::Exceptions::User";
    if lossy(&output.stderr).contains("does not exist") {
        let message = format!("User {name} does not exist when checking lock status for {shown}");
        return Err(ChangeError::raise(class, message));
    }
    match lossy(&output.stdout).split_whitespace().nth(1) {
        Some(status) if status.starts_with(['P', 'N']) => Ok(false),
        Some(status) if status.starts_with('L') => Ok(true),
        _ => Err(ChangeError::raise(class, format!("Cannot determine if user {name} is locked for {shown}"))),
    }
}

/// The current value of an attribute of an account.
fn found(user: &User, shadow: &Shadow, attribute: &str) -> String {
    match attribute {
        "home" => lossy(&user.dir),
        "comment" => lossy(&user.gecos),
        "shell" => lossy(&user.shell),
        "password" if user.passwd == b"x" => shadow.password.clone(),
        "password" => lossy(&user.passwd),
        "uid" => user.uid.to_string(),
        "gid" => user.gid.to_string(),
        "expire_date" => date(&shadow.expire),
        // an empty field means the same as `-1`
        _ if shadow.inactive.is_empty() => "-1".to_string(),
        _ => shadow.inactive.clone(),
    }
}

fn differences(desired: &Desired, current: &Current, user: &User) -> Vec<Difference> {
    let mut differing = Vec::new();
    for (name, value) in &desired.attributes {
        let to = match current.gid {
            Some(gid) if *name == "gid" => gid.to_string(),
            _ => value.clone(),
        };
        let from = found(user, &current.shadow, name);
        let same = if *name == "home" { clean(&to) == clean(&from) } else { to == from };
        if !same {
            differing.push(Difference { name, from, to });
        }
    }
    differing
}

/// The options that set these attributes, in Chef's order.
fn options(differences: &[Difference]) -> Vec<String> {
    let option = |name: &str| ATTRIBUTES.iter().find(|(known, _)| *known == name).map_or("", |(_, option)| option);
    let mut words = Vec::new();
    for wanted in ORDER {
        for difference in differences.iter().filter(|difference| option(difference.name) == *wanted) {
            words.extend([wanted.to_string(), difference.to.clone()]);
        }
    }
    words
}

fn create(desired: &Desired) -> Command {
    let wanted = initial(desired);
    let mut words = vec!["useradd".to_string()];
    words.extend(options(&wanted));
    if desired.non_unique {
        words.push("-o".into());
    }
    if desired.system {
        words.push("-r".into());
    }
    words.push(if desired.manage_home { "-m" } else { "-M" }.into());
    words.push(desired.name.clone());
    let mut command = Command { until_exit: true, ..Command::system(words) };
    command.secrets = desired.attribute("password").map(str::to_string).into_iter().collect();
    command
}

/// The attributes of a new account.
fn initial(desired: &Desired) -> Vec<Difference> {
    let given = desired.attributes.iter();
    given.map(|(name, value)| Difference { name, from: String::new(), to: value.clone() }).collect()
}

fn modify(desired: &Desired, differences: &[Difference]) -> Command {
    let mut words = vec!["usermod".to_string()];
    words.extend(options(differences));
    if desired.non_unique {
        words.push("-o".into());
    }
    if desired.manage_home && differences.iter().any(|difference| difference.name == "home") {
        words.push("-m".into());
    }
    words.push(desired.name.clone());
    let hidden = differences.iter().any(|difference| difference.name == "password");
    // exit status 12: the home directory could not be moved
    Command { until_exit: false, hidden, returns: vec![0, 12], ..Command::system(words) }
}

fn remove(desired: &Desired) -> Command {
    let mut words = vec!["userdel"];
    if desired.manage_home {
        words.push("-r");
    }
    if desired.force {
        words.push("-f");
    }
    words.push(&desired.name);
    Command::system(words)
}

impl Provider for LinuxUser {
    type Desired = Desired;
    type Current = Current;
    const ACTIONS: &'static [&'static str] = &["create", "remove", "modify", "manage", "lock", "unlock"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let mut attributes = Vec::new();
        for (name, _) in ATTRIBUTES {
            let value = get(vm, resource, name)?;
            if !value.is_nil() {
                attributes.push((*name, vm.to_s_text(&value)?));
            }
        }
        Ok(Desired {
            verb: action,
            name: text(vm, resource, "username")?,
            attributes,
            manage_home: flag(vm, resource, "manage_home")?,
            non_unique: flag(vm, resource, "non_unique")?,
            system: flag(vm, resource, "system")?,
            force: flag(vm, resource, "force")?,
            sensitive: flag(vm, resource, "sensitive")?,
            shown: vm.to_s_text(resource)?,
        })
    }

    fn load(desired: &Desired, host: &dyn Host) -> Looked<Current> {
        let user = host.user_by_name(desired.name.as_bytes())?;
        let compares = matches!(desired.verb, "create" | "manage" | "modify");
        let asks_lock = matches!(desired.verb, "lock" | "unlock") && user.is_some();
        let gid = match desired.attribute("gid") {
            Some(group) if group.parse::<u32>().is_err() => {
                host.group_by_name(group.as_bytes())?.map(|found| found.gid)
            }
            _ => None,
        };
        Ok(Current {
            shadow: if compares && user.is_some() { shadow(host, &desired.name) } else { Shadow::default() },
            locked: asks_lock && locked(desired, host)?,
            user,
            gid,
        })
    }

    fn requirements(desired: &Desired, current: &Current, _: &dyn Host) -> Looked<Vec<Assertion>> {
        let (name, class) = (&desired.name, "Chef::Exceptions::User");
        let mut failed: Vec<Assertion> = unfit(class, "user", name).into_iter().collect();
        if let Some(group) = desired.attribute("gid")
            && current.user.is_some()
            && desired.verb != "remove"
            && current.gid.is_none()
            && group.parse::<u32>().is_err()
        {
            let message = format!("Couldn't lookup integer GID for group name {group}");
            failed.push(Assertion::new(class, message).assuming(format!(
                "group name {group} does not exist.  This will cause group assignment to fail.  Assuming this group will have been created previously."
            )));
        }
        if matches!(desired.verb, "modify" | "lock" | "unlock") && current.user.is_none() {
            let message = format!("Cannot modify user {name} - does not exist!");
            let assume = format!("Assuming user {name} would have been created");
            failed.push(Assertion::new(class, message).assuming(assume));
        }
        Ok(failed)
    }

    fn plan(desired: &Desired, current: &Current, _: &dyn Host) -> Looked<Vec<Change>> {
        let change = |verb, differences, command| {
            vec![Change::User(UserChange {
                verb,
                name: desired.name.clone(),
                differences,
                sensitive: desired.sensitive,
                commands: vec![command],
            })]
        };
        // a why-run assumes that the user would have been created, with no attribute set
        let assumed = User { name: desired.name.clone().into_bytes(), ..User::default() };
        let user = match desired.verb {
            "modify" => Some(current.user.as_ref().unwrap_or(&assumed)),
            _ => current.user.as_ref(),
        };
        Ok(match (desired.verb, user) {
            ("create", None) => change("create", initial(desired), create(desired)),
            ("create" | "manage" | "modify", Some(user)) => {
                let differing = differences(desired, current, user);
                if differing.is_empty() {
                    return Ok(Vec::new());
                }
                let verb = if desired.verb == "create" { "alter" } else { desired.verb };
                let command = modify(desired, &differing);
                change(verb, differing, command)
            }
            ("remove", Some(_)) => change("remove", Vec::new(), remove(desired)),
            ("lock" | "unlock", _) if current.locked != (desired.verb == "lock") => {
                let option = if desired.verb == "lock" { "-L" } else { "-U" };
                change(desired.verb, Vec::new(), Command::system(["usermod", option, &desired.name]))
            }
            _ => Vec::new(),
        })
    }

    fn state(desired: &Desired, current: &Current, _host: &dyn Host) -> Vec<(&'static str, State)> {
        let mut state = vec![("username", State::Text(desired.name.clone()))];
        if let Some(user) = &current.user {
            state.push(("uid", State::Int(user.uid.into())));
            state.push(("gid", State::Int(user.gid.into())));
            for name in ["comment", "home", "shell"] {
                state.push((name, State::Text(found(user, &current.shadow, name))));
            }
        }
        state
    }

    fn class(_: &mut Vm, _: &Value) -> Res<&'static str> {
        Ok("User::Linux")
    }
}
