//! `selinux_login` and `selinux_user`: the mapping of accounts to SELinux users, and the roles of those.

use super::selinux::{is_off, refused, steps};
use super::support::*;
use rchef_change::{Assertion, ChangeError, Command, Task, Why};
use rchef_host::Host;
use rchef_recipe::provider::composite::{Children, Composite};
use rchef_ruby::{Args, MethodDef, Res, Value, Vm, def};

/// The columns of the line for this name in the output of `semanage -l`.
fn row(kind: &str, name: &str, columns: usize, host: &dyn Host) -> Looked<Option<Vec<String>>> {
    let listed = lossy(&Command::system(["semanage", kind, "-l"]).run(host)?.stdout);
    let fields = |line: &str| {
        let mut words = line.split_whitespace().map(str::to_string);
        let first: Vec<String> = words.by_ref().take(columns).collect();
        let rest: Vec<String> = words.collect();
        (first.len() == columns && first[0] == name).then(|| [first, vec![rest.join(" ")]].concat())
    };
    Ok(listed.lines().find_map(fields))
}

/// Options of `semanage` with the values that are given.
type Settings = Vec<(&'static str, Option<String>)>;

fn login_settings(user: Option<String>, range: Option<String>) -> Settings {
    vec![("-s", user), ("-r", range)]
}

fn user_settings(level: Option<String>, range: Option<String>, roles: &[String]) -> Settings {
    vec![("-L", level), ("-r", range), ("-R", Some(roles.join(" ")).filter(|roles| !roles.is_empty()))]
}

/// The methods of the provider of `selinux_login`.
pub(crate) static LOGIN_METHODS: &[MethodDef] = &[def("semanage_login_args", login_arguments, 0)];
/// The methods of the provider of `selinux_user`.
pub(crate) static USER_METHODS: &[MethodDef] = &[def("semanage_user_args", user_arguments, 0)];

/// Settings as part of a command line; roles, which are several words, are quoted.
fn line(settings: &Settings) -> Value {
    let given = settings.iter().filter_map(|(option, value)| Some((*option, value.as_ref()?)));
    let words = given.map(|(option, value)| match option {
        "-R" => format!(" {option} '{value}'"),
        _ => format!(" {option} {value}"),
    });
    Value::str(words.collect::<String>())
}

fn login_arguments(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    Ok(line(&login_settings(text_opt(vm, &resource, "user")?, text_opt(vm, &resource, "range")?)))
}

fn user_arguments(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    let (level, range) = (text_opt(vm, &resource, "level")?, text_opt(vm, &resource, "range")?);
    Ok(line(&user_settings(level, range, &list(vm, &resource, "roles")?)))
}

/// The `semanage` command that adds or modifies an entry.
fn wish(kind: &str, option: &str, settings: &Settings, name: &str) -> Command {
    let mut words = vec!["semanage".to_string(), kind.into(), option.into()];
    for (option, value) in settings {
        words.extend(value.iter().flat_map(|value| [(*option).to_string(), value.clone()]));
    }
    words.push(name.into());
    Command::system(words)
}

/// The action of both resources; `known` holds the properties of the existing entry.
fn converge(
    children: &mut Children<'_>,
    (kind, subject): (&'static str, &str),
    action: &str,
    known: Option<Vec<(&'static str, Value)>>,
    settings: &Settings,
) -> Res<()> {
    if is_off(children, &format!("{action} SELinux {kind} {subject}"))? {
        return Ok(());
    }
    let option = match (action, &known) {
        ("add", None) => "-a",
        ("modify", Some(_)) => "-m",
        ("delete", Some(_)) => {
            let line = format!("deleting SELinux {kind} {subject}");
            let task = Task::new("selinux", subject, Why::Present, line);
            return children.change(task.run(Command::system(["semanage", kind, "-d", subject])));
        }
        _ => return Ok(()),
    };
    let only: &[&'static str] = if kind == "login" { &["user", "range"] } else { &["level", "range", "roles"] };
    match children.differences("selinux", known, only)? {
        Some(task) => children.change(task.run(wish(kind, option, settings, subject))),
        None => Ok(()),
    }
}

fn raise(children: &mut Children<'_>, text: &str) -> Res<()> {
    let error = ChangeError::raise("RuntimeError", text);
    Err(children.raised(&error))
}

pub(crate) struct SelinuxLogin;

/// What a `selinux_login` resource asks for.
pub(crate) struct LoginDesired {
    action: &'static str,
    login: String,
    user: Option<String>,
    range: Option<String>,
}

impl Composite for SelinuxLogin {
    type Desired = LoginDesired;
    const ACTIONS: &'static [&'static str] = &["manage", "add", "modify", "delete"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<LoginDesired> {
        Ok(LoginDesired {
            action,
            login: text(vm, resource, "login")?,
            user: text_opt(vm, resource, "user")?,
            range: text_opt(vm, resource, "range")?,
        })
    }

    fn requirements(desired: &LoginDesired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        let given = [("SELinux user", &desired.user), ("SELinux range", &desired.range)];
        let given = given.into_iter().filter_map(|(what, word)| Some((what, word.as_deref()?)));
        Ok(refused([("SELinux login", desired.login.as_str())].into_iter().chain(given)))
    }

    fn declare(desired: &LoginDesired, children: &mut Children<'_>) -> Res<()> {
        for action in steps(desired.action) {
            let found = children.look(|host| row("login", &desired.login, 3, host))?;
            let (user, range) = match &found {
                Some(row) => (Some(row[1].clone()), Some(row[2].clone())),
                None => (None, None),
            };
            let wanted = desired.user.clone().or_else(|| user.clone());
            if *action == "add" && wanted.is_none() {
                return raise(children, "The user property must be populated to create a new SELinux login");
            }
            let settings = login_settings(wanted, desired.range.clone().or_else(|| range.clone()));
            let known = found.is_some().then(|| {
                let value = |text: Option<String>| text.map(Value::str).unwrap_or_default();
                vec![("user", value(user)), ("range", value(range))]
            });
            converge(children, ("login", &desired.login), action, known, &settings)?;
        }
        Ok(())
    }
}

pub(crate) struct SelinuxUser;

/// What a `selinux_user` resource asks for.
pub(crate) struct UserDesired {
    action: &'static str,
    user: String,
    level: Option<String>,
    range: Option<String>,
    roles: Vec<String>,
}

impl Composite for SelinuxUser {
    type Desired = UserDesired;
    const ACTIONS: &'static [&'static str] = &["manage", "add", "modify", "delete"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<UserDesired> {
        Ok(UserDesired {
            action,
            user: text(vm, resource, "user")?,
            level: text_opt(vm, resource, "level")?,
            range: text_opt(vm, resource, "range")?,
            roles: list(vm, resource, "roles")?,
        })
    }

    fn requirements(desired: &UserDesired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        let given = [("SELinux level", &desired.level), ("SELinux range", &desired.range)];
        let given = given.into_iter().filter_map(|(what, word)| Some((what, word.as_deref()?)));
        let roles = desired.roles.iter().map(|role| ("SELinux role", role.as_str()));
        Ok(refused([("SELinux user", desired.user.as_str())].into_iter().chain(given).chain(roles)))
    }

    fn declare(desired: &UserDesired, children: &mut Children<'_>) -> Res<()> {
        for action in steps(desired.action) {
            let found = children.look(|host| row("user", &desired.user, 4, host))?;
            let column = |at: usize| found.as_ref().map(|row| row[at].clone());
            let mut roles: Vec<String> = column(4).unwrap_or_default().split_whitespace().map(str::to_string).collect();
            roles.sort();
            let wanted = if desired.roles.is_empty() { roles.clone() } else { desired.roles.clone() };
            if *action == "add" && wanted.is_empty() {
                return raise(children, "The roles property must be populated to create a new SELinux user");
            }
            let (level, range) = (desired.level.clone(), desired.range.clone());
            let settings = user_settings(level.or_else(|| column(2)), range.or_else(|| column(3)), &wanted);
            let known = found.is_some().then(|| {
                let value = |text: Option<String>| text.map(Value::str).unwrap_or_default();
                let roles = Value::array(roles.iter().map(Value::str).collect());
                vec![("level", value(column(2))), ("range", value(column(3))), ("roles", roles)]
            });
            converge(children, ("user", &desired.user), action, known, &settings)?;
        }
        Ok(())
    }
}
