//! `linux_user`: `user` on Linux, by useradd, usermod and userdel.

use super::shell;
use super::support::*;
use rchef_host::{User, compose};
use rchef_recipe::provider::native::{Plan, Provider};
use rchef_recipe::run::chef_error;
use rchef_ruby::{Res, Symbol, Value, Vm};

/// Provider of `linux_user`.
pub(crate) struct LinuxUser;

/// What the resource asks for; `None` leaves a thing alone.
struct Wanted {
    name: String,
    comment: Option<String>,
    home: Option<String>,
    shell: Option<String>,
    password: Option<String>,
    uid: Option<String>,
    gid: Option<String>,
    expire_date: Option<String>,
    inactive: Option<String>,
}

/// A line of /etc/shadow.
#[derive(Default)]
struct Shadow {
    password: String,
    inactive: String,
    expire: String,
}

fn property(vm: &mut Vm, resource: &Value, name: &str) -> Res<Option<String>> {
    let value = get(vm, resource, name)?;
    if value.is_nil() { Ok(None) } else { Ok(Some(vm.to_s_text(&value)?)) }
}

fn wanted(vm: &mut Vm, resource: &Value) -> Res<Wanted> {
    let mut read = |name: &str| property(vm, resource, name);
    Ok(Wanted {
        name: read("username")?.unwrap_or_default(),
        comment: read("comment")?,
        home: read("home")?,
        shell: read("shell")?,
        password: read("password")?,
        uid: read("uid")?,
        gid: read("gid")?,
        expire_date: read("expire_date")?,
        inactive: read("inactive")?,
    })
}

fn shadow(vm: &mut Vm, name: &str) -> Shadow {
    let host = vm.host.clone();
    let data = compose::read_file(&*host, b"/etc/shadow").unwrap_or_default();
    let text = lossy(&data);
    let Some(line) = text.lines().find(|line| line.split(':').next() == Some(name)) else { return Shadow::default() };
    let parts: Vec<&str> = line.split(':').collect();
    let part = |at: usize| parts.get(at).map_or(String::new(), |part| part.to_string());
    Shadow { password: part(1), inactive: part(6), expire: part(7) }
}

/// `YYYY-MM-DD` of days since 1970.
fn date(days: &str) -> String {
    let Ok(days) = days.parse::<i64>() else { return String::new() };
    let shifted = days + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    format!("{:04}-{month:02}-{date:02}", year + era * 400 + i64::from(month <= 2))
}

fn clean(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    format!("{}{}", if path.starts_with('/') { "/" } else { "" }, parts.join("/"))
}

/// A difference: the option of usermod, the new value.
struct Difference {
    option: &'static str,
    value: String,
    line: String,
}

fn compare(vm: &mut Vm, wanted: &Wanted, user: &User, secret: bool) -> Vec<Difference> {
    let shadow = shadow(vm, &wanted.name);
    let mut found = Vec::new();
    let home = lossy(&user.dir);
    if let Some(new) = &wanted.home
        && clean(new) != clean(&home)
    {
        found.push(Difference {
            option: "-d",
            value: new.clone(),
            line: format!("change homedir from {home} to {new}"),
        });
    }
    let passwd = lossy(&user.passwd);
    let passwd = if passwd == "x" { shadow.password } else { passwd };
    for (attribute, option, new, current) in [
        ("comment", "-c", &wanted.comment, lossy(&user.gecos)),
        ("shell", "-s", &wanted.shell, lossy(&user.shell)),
        ("password", "-p", &wanted.password, passwd),
        ("uid", "-u", &wanted.uid, user.uid.to_string()),
        ("gid", "-g", &wanted.gid, user.gid.to_string()),
        ("expire_date", "-e", &wanted.expire_date, date(&shadow.expire)),
        ("inactive", "-f", &wanted.inactive, shadow.inactive),
    ] {
        let Some(new) = new else { continue };
        if *new == current {
            continue;
        }
        let line = if attribute == "password" && secret {
            "change password from ******** to ********".to_string()
        } else {
            format!("change {attribute} from {current} to {new}")
        };
        found.push(Difference { option, value: new.clone(), line });
    }
    found
}

fn argv(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}

/// The order of options that Chef gives.
const ORDER: [&str; 8] = ["-c", "-e", "-g", "-f", "-p", "-s", "-u", "-d"];

fn ordered(options: &[(&'static str, String)]) -> Vec<String> {
    let mut words = Vec::new();
    for option in ORDER {
        for (_, value) in options.iter().filter(|(known, _)| *known == option) {
            words.extend([option.to_string(), value.clone()]);
        }
    }
    words
}

fn create(vm: &mut Vm, resource: &Value) -> Res<()> {
    let wanted = wanted(vm, resource)?;
    let mut options = Vec::new();
    for (option, value) in [
        ("-c", wanted.comment),
        ("-e", wanted.expire_date),
        ("-g", wanted.gid),
        ("-f", wanted.inactive),
        ("-p", wanted.password),
        ("-s", wanted.shell),
        ("-u", wanted.uid),
        ("-d", wanted.home),
    ] {
        if let Some(value) = value {
            options.push((option, value));
        }
    }
    let mut words = argv(&["useradd"]);
    words.extend(ordered(&options));
    if flag(vm, resource, "non_unique")? {
        words.push("-o".into());
    }
    if flag(vm, resource, "system")? {
        words.push("-r".into());
    }
    words.push(if flag(vm, resource, "manage_home")? { "-m" } else { "-M" }.into());
    words.push(wanted.name);
    let secrets: Vec<String> =
        options.iter().filter(|(option, _)| *option == "-p").map(|(_, value)| value.clone()).collect();
    shell::secret_command(vm, &words, &secrets).map(drop)
}

fn modify(vm: &mut Vm, resource: &Value, name: &str, options: &[(&'static str, String)]) -> Res<()> {
    let mut words = argv(&["usermod"]);
    words.extend(ordered(options));
    if flag(vm, resource, "non_unique")? {
        words.push("-o".into());
    }
    if options.iter().any(|(option, _)| *option == "-d") && flag(vm, resource, "manage_home")? {
        words.push("-m".into());
    }
    words.push(name.to_string());
    let mut spec = rchef_host::CommandSpec::argv(words.iter().map(|word| word.as_bytes().to_vec())).captured();
    shell::default_env(vm, &mut spec);
    let output = shell::run(vm, &spec, None)?;
    // 12: the home directory could not be moved, which is no failure when it is there already
    if output.status.code() == Some(12) && !lossy(&output.stderr).contains("exists") {
        return Err(chef_error(vm, "User", format!("Unable to modify home directory for {name}")));
    }
    let secret = options.iter().any(|(option, _)| *option == "-p");
    match shell::failure(vm, &spec, &output, &[0, 12], secret) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// A user that a resource before would have created.
fn assumed(name: &str) -> User {
    User { name: name.into(), ..User::default() }
}

/// Whether the account is locked, by `passwd -S`.
fn locked(vm: &mut Vm, resource: &Value, name: &str) -> Res<bool> {
    let output = shell::query(vm, &["passwd", "-S", name])?;
    let shown = vm.to_s_text(resource)?;
    if lossy(&output.stderr).contains("does not exist") {
        if why_run(vm) {
            return Ok(false);
        }
        return Err(chef_error(
            vm,
            "User",
            format!("User {name} does not exist when checking lock status for {shown}"),
        ));
    }
    match lossy(&output.stdout).split_whitespace().nth(1) {
        Some(status) if status.starts_with(['P', 'N']) => Ok(false),
        Some(status) if status.starts_with('L') => Ok(true),
        _ => Err(chef_error(vm, "User", format!("Cannot determine if user {name} is locked for {shown}"))),
    }
}

impl Provider for LinuxUser {
    fn actions(&self) -> &'static [&'static str] {
        &["create", "remove", "modify", "manage", "lock", "unlock"]
    }
    fn plan(&self, vm: &mut Vm, resource: &Value, action: Symbol) -> Res<Plan> {
        let mut wanted = wanted(vm, resource)?;
        let name = wanted.name.clone();
        let user = on(vm, |host| host.user_by_name(name.as_bytes()))?;
        let verb = action.as_str();
        if user.is_some()
            && verb != "remove"
            && let Some(group) = wanted.gid.clone()
            && group.parse::<u32>().is_err()
        {
            let found = on(vm, |host| host.group_by_name(group.as_bytes()))?;
            let message = format!("Couldn't lookup integer GID for group name {group}");
            let assume = format!(
                "group name {group} does not exist.  This will cause group assignment to fail.  Assuming this group will have been created previously."
            );
            require(vm, resource, action, found.is_some(), "User", &message, &[assume])?;
            wanted.gid = Some(found.map_or(group, |found| found.gid.to_string()));
        }
        if matches!(verb, "modify" | "lock" | "unlock") {
            let assume = format!("Assuming user {name} would have been created");
            require(
                vm,
                resource,
                action,
                user.is_some(),
                "User",
                &format!("Cannot modify user {name} - does not exist!"),
                &[assume],
            )?;
        }
        // in why-run, what is to be modified counts as made by then, with nothing set
        let user = if verb == "modify" { Some(user.unwrap_or_else(|| assumed(&name))) } else { user };
        match (verb, user) {
            ("create", None) => Ok(vec![step(format!("create user {name}"), create)]),
            ("create" | "manage" | "modify", Some(user)) => {
                let secret = flag(vm, resource, "sensitive")?;
                let found = compare(vm, &wanted, &user, secret);
                if found.is_empty() {
                    return Ok(Vec::new());
                }
                let head = if verb == "create" { "alter" } else { verb };
                let lines = std::iter::once(format!("{head} user {name}"))
                    .chain(found.iter().map(|difference| difference.line.clone()))
                    .collect();
                let options: Vec<(&'static str, String)> =
                    found.into_iter().map(|difference| (difference.option, difference.value)).collect();
                Ok(vec![steps(lines, move |vm, resource| modify(vm, resource, &name, &options))])
            }
            ("remove", Some(_)) => Ok(vec![step(format!("remove user {name}"), move |vm, resource| {
                let mut words = argv(&["userdel"]);
                if flag(vm, resource, "manage_home")? {
                    words.push("-r".into());
                }
                if flag(vm, resource, "force")? {
                    words.push("-f".into());
                }
                words.push(name.clone());
                shell::command(vm, &words, &[], None).map(drop)
            })]),
            ("lock" | "unlock", _) => {
                let lock = verb == "lock";
                if locked(vm, resource, &name)? == lock {
                    return Ok(Vec::new());
                }
                let line = if lock { format!("lock the user {name}") } else { format!("unlock user {name}") };
                Ok(vec![step(line, move |vm, _| {
                    shell::command(vm, &argv(&["usermod", if lock { "-L" } else { "-U" }, &name]), &[], None).map(drop)
                })])
            }
            _ => Ok(Vec::new()),
        }
    }
}
