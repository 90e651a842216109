//! What an installation script of a package does, as far as its lines have forms that debhelper writes or that are common.

use crate::user::free_system_id;
use crate::{Result, lossy};
use rchef_host::compose::{self, Finish};
use rchef_host::queries::{ServiceState, unit_name};
use rchef_host::{DoubtKind, Files, Group, OverlayHost, Queries, User, Users, files};
use rchef_text::shell::{Token, Word, tokens};

/// Makes the directories that `mkdir` or `install -d` is told of, with the owner, group and mode that it is told.
fn directories(overlay: &OverlayHost, words: &[&str]) -> Result<()> {
    let mut access = Finish::default();
    let mut paths = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match *word {
            "-o" | "-g" | "-m" => {
                let value = rest.next().copied().unwrap_or_default();
                match *word {
                    "-o" => access.uid = overlay.user_by_name(value.as_bytes())?.map(|user| user.uid),
                    "-g" => access.gid = overlay.group_by_name(value.as_bytes())?.map(|group| group.gid),
                    _ => access.mode = u32::from_str_radix(value, 8).ok(),
                }
            }
            path if path.starts_with('/') && !path.contains(['$', '`']) => paths.push(path),
            _ => {}
        }
    }
    for path in paths {
        compose::create_dir_all(overlay, path.as_bytes(), 0o755)?;
        compose::set_access(overlay, path.as_bytes(), access, true)?;
    }
    Ok(())
}

/// Makes the directories that systemd makes for a unit when it starts (`StateDirectory` and its like).
fn unit_directories(overlay: &OverlayHost, fragment: &str) -> Result<()> {
    const KINDS: [(&str, &str); 5] = [
        ("StateDirectory", "/var/lib"),
        ("LogsDirectory", "/var/log"),
        ("CacheDirectory", "/var/cache"),
        ("ConfigurationDirectory", "/etc"),
        ("RuntimeDirectory", "/run"),
    ];
    let text = lossy(&compose::read_file(overlay, fragment.as_bytes())?);
    let value = |key: &str| {
        let mut lines = text.lines().filter_map(|line| line.trim().split_once('='));
        lines.rfind(|(name, _)| name.trim() == key).map(|(_, value)| value.trim().to_string())
    };
    let user = value("User").map(|name| overlay.user_by_name(name.as_bytes())).transpose()?.flatten();
    let group = value("Group").map(|name| overlay.group_by_name(name.as_bytes())).transpose()?.flatten();
    for (kind, parent) in KINDS {
        let mode = value(&format!("{kind}Mode")).and_then(|mode| u32::from_str_radix(&mode, 8).ok());
        let owned = kind != "ConfigurationDirectory";
        let uid = user.as_ref().map(|user| user.uid).filter(|_| owned);
        let gid = group.as_ref().map(|group| group.gid).or(user.as_ref().map(|user| user.gid)).filter(|_| owned);
        for name in value(kind).unwrap_or_default().split_whitespace().filter(|name| !name.contains(['%', ':'])) {
            let path = format!("{parent}/{name}");
            compose::create_dir_all(overlay, path.as_bytes(), 0o755)?;
            let access = Finish { mode: mode.or(Some(0o755)), uid, gid, ..Finish::default() };
            compose::set_access(overlay, path.as_bytes(), access, true)?;
        }
    }
    Ok(())
}

/// Programs that with an option make one file, and the file.
const MAKERS: &[(&str, &str, &str)] = &[("rndc-confgen", "-a", "/etc/bind/rndc.key")];

/// What lines of a script have done so far.
#[derive(Default)]
struct Progress {
    variables: Vec<(String, String)>,
    /// Units that are started.
    started: Vec<String>,
    /// Units that are only enabled again where they were before.
    left: Vec<String>,
}

/// Takes a script as run; whether all of it is known.
pub(super) fn run(overlay: &OverlayHost, script: &str) -> bool {
    let mut progress = Progress::default();
    let script = script.replace("\\\n", " ");
    let lines: Vec<&str> = script.lines().map(str::trim).collect();
    let known = lines_of(overlay, &lines, &mut progress);
    if is_allowed(overlay) {
        progress.started.iter().for_each(|unit| start(overlay, unit));
    }
    known
}

/// Takes lines as run, those of a `for` once for each of its words; whether all of them are known.
fn lines_of(overlay: &OverlayHost, lines: &[&str], progress: &mut Progress) -> bool {
    let (mut known, mut generated) = (true, false);
    let mut at = 0;
    while let Some(line) = lines.get(at).copied() {
        at += 1;
        if line.starts_with("# Automatically added by") {
            generated = true;
        } else if line.starts_with("# End automatically added section") {
            generated = false;
        }
        if line.starts_with('#') {
            continue;
        }
        if let Some(variable) = assignment_of(line, &progress.variables) {
            progress.variables.push(variable);
            continue;
        }
        if let Some((name, values)) = loop_of(line, &progress.variables)
            && let Some(length) = lines[at..].iter().position(|line| line.split(' ').next() == Some("done"))
        {
            let body = &lines[at..at + length];
            for value in values {
                progress.variables.push((name.clone(), value));
                known &= lines_of(overlay, body, progress) || generated;
            }
            at += length;
            continue;
        }
        match line_of(overlay, line, progress) {
            Ok(true) => {}
            Ok(false) => known &= generated || !is_own(line),
            Err(_) => known = false,
        }
    }
    known
}

/// The variable of a `for NAME in WORD… ; do` whose words are known, and these.
fn loop_of(line: &str, variables: &[(String, String)]) -> Option<(String, Vec<String>)> {
    let commands = commands(line, variables);
    let [head, body] = &commands[..] else { return None };
    let [first, name, second, values @ ..] = &head[..] else { return None };
    let is_loop = first.text == "for" && second.text == "in" && body.iter().map(|word| &word.text).eq(["do"]);
    let known = is_loop && !values.iter().any(|value| value.expands);
    known.then(|| (name.text.clone(), values.iter().map(|value| value.text.clone()).collect()))
}

/// The variable that a line sets, and its value where that is known.
fn assignment_of(line: &str, variables: &[(String, String)]) -> Option<(String, String)> {
    let commands = commands(line, variables);
    let [command] = &commands[..] else { return None };
    let [word] = &command[..] else { return None };
    let (name, value) = word.text.split_once('=')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_name && !word.expands).then(|| (name.into(), value.into()))
}

/// Takes a line as run; whether it has a known form.
fn line_of(overlay: &OverlayHost, line: &str, progress: &mut Progress) -> Result<bool> {
    let commands = commands(line, &progress.variables);
    // a program may stand behind a word of the shell, such as `then`
    let called = |names: &[&str]| {
        commands.iter().find_map(|words| {
            let at = words.iter().position(|word| names.contains(&word.text.as_str()))?;
            let arguments: Vec<&str> = words[at + 1..].iter().map(|word| word.text.as_str()).collect();
            Some((words[at].text.as_str(), arguments))
        })
    };
    let units = |arguments: Vec<&str>| -> Vec<String> {
        arguments.into_iter().filter(|unit| unit.contains('.')).map(str::to_string).collect()
    };
    if let Some((_, arguments)) = called(&["deb-systemd-helper"]) {
        match arguments.first() {
            Some(&"debian-installed") => progress.left.extend(units(arguments)),
            Some(&"enable") => {
                let units = units(arguments).into_iter().filter(|unit| !progress.left.contains(unit));
                units.for_each(|unit| enable(overlay, &unit));
            }
            _ => {}
        }
    } else if let Some((_, arguments)) = called(&["systemd-tmpfiles"]) {
        for name in arguments.iter().filter(|word| word.ends_with(".conf")) {
            temporary(overlay, name)?;
        }
    } else if let Some((_, arguments)) = called(&["deb-systemd-invoke"]) {
        progress.started.extend(units(arguments));
    } else if let Some((_, arguments)) = called(&["invoke-rc.d"]) {
        let plain: Vec<&str> = arguments.iter().copied().filter(|word| !word.starts_with('-')).collect();
        if let [unit, action] = plain[..]
            && !arguments.contains(&"--skip-systemd-native")
            && (action.contains("start") || action.contains('$'))
        {
            progress.started.push(unit.into());
        }
    } else if let Some((program, arguments)) = called(&["adduser", "useradd", "addgroup", "groupadd"]) {
        account(overlay, program, &arguments)?;
    } else if let Some((_, arguments)) =
        called(&["mkdir"]).or_else(|| called(&["install"]).filter(|(_, arguments)| arguments.contains(&"-d")))
    {
        directories(overlay, &arguments)?;
    } else if let Some((_, _, path)) = MAKERS
        .iter()
        .find(|(program, flag, _)| called(&[program]).is_some_and(|(_, arguments)| arguments.contains(flag)))
    {
        if !compose::exists(overlay, path.as_bytes()) {
            compose::create_dir_all(overlay, files::dirname(path.as_bytes()), 0o755)?;
            compose::write_file(overlay, path.as_bytes(), b"", 0o640)?;
        }
    } else if let Some((_, arguments)) = called(&["ucf", "cp"]) {
        if let [.., from, to] = arguments[..]
            && to.starts_with('/')
            && from.starts_with('/')
        {
            copy(overlay, from, to)?;
        }
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// Whether a line of a script does something that is not accounted for; what only steers the script does not.
fn is_own(line: &str) -> bool {
    const STEERING: &[&str] = &[
        "",
        "#",
        "if",
        "fi",
        "else",
        "elif",
        "then",
        "case",
        "esac",
        "exit",
        "set",
        "true",
        ":",
        "for",
        "done",
        "do",
        "return",
        "}",
        ";;",
        ".",
        "db_get",
        "db_stop",
        "db_input",
        "db_go",
        "db_version",
        "local",
        "echo",
        "test",
        "[",
        "while",
        "shift",
        "break",
    ];
    let first = line.split_whitespace().next().unwrap_or_default();
    !STEERING.contains(&first)
        && !first.starts_with('#')
        && !first.ends_with([')', '{'])
        && !first.ends_with("()")
        && !line.ends_with("() {")
        && !line.contains("dpkg-maintscript-helper")
}

/// The simple commands of a line, with variables replaced by what they were last set to and without redirections; none where the line does not end
/// what it begins.
fn commands(line: &str, variables: &[(String, String)]) -> Vec<Vec<Word>> {
    let value = |name: &str| variables.iter().rfind(|(known, _)| known == name).map(|(_, value)| value.clone());
    let tokens = tokens(line, &value).unwrap_or_default();
    let commands = tokens.split(|token| matches!(token, Token::Operator(_)));
    let words = |token: &Token| match token {
        Token::Word(word) => Some(word.clone()),
        _ => None,
    };
    commands.map(|command| command.iter().filter_map(words).collect::<Vec<_>>()).filter(|it| !it.is_empty()).collect()
}

fn copy(overlay: &OverlayHost, from: &str, to: &str) -> Result<()> {
    let Ok(content) = compose::read_file(overlay, from.as_bytes()) else { return Ok(()) };
    if compose::lstat_opt(overlay, to.as_bytes())?.is_none() {
        compose::create_dir_all(overlay, files::dirname(to.as_bytes()), 0o755)?;
        compose::write_file(overlay, to.as_bytes(), &content, 0o644)?;
    }
    Ok(())
}

/// Whether packages may start their services.
fn is_allowed(overlay: &OverlayHost) -> bool {
    overlay.stat(b"/usr/sbin/policy-rc.d").is_err()
}

fn enable(overlay: &OverlayHost, unit: &str) {
    let state = overlay.services(&[unit]).unwrap_or_default().get(unit).cloned().unwrap_or_default();
    if state.unit_file == "disabled" || state.unit_file.is_empty() {
        for alias in aliases(overlay, &state.fragment) {
            let _ = overlay.symlink(state.fragment.as_bytes(), format!("/etc/systemd/system/{alias}").as_bytes());
            overlay.assume_service(
                &alias,
                ServiceState { unit_file: "enabled".into(), load: "loaded".into(), ..state.clone() },
            );
        }
        overlay.assume_service(unit, ServiceState { unit_file: "enabled".into(), load: "loaded".into(), ..state });
    }
}

/// The other names that a unit gets when it is enabled.
fn aliases(overlay: &OverlayHost, fragment: &str) -> Vec<String> {
    let text = compose::read_file(overlay, fragment.as_bytes()).unwrap_or_default();
    let text = lossy(&text);
    let values = text.lines().filter_map(|line| line.trim().strip_prefix("Alias="));
    values.flat_map(str::split_whitespace).map(str::to_string).collect()
}

/// A package starts a unit that is enabled, and whose conditions hold.
fn start(overlay: &OverlayHost, unit: &str) {
    let unit = unit_name(unit);
    if !overlay.systemd_running() {
        return;
    }
    let state = overlay.services(&[&unit]).unwrap_or_default().get(&unit).cloned().unwrap_or_default();
    if state.unit_file != "enabled" {
        return;
    }
    match holds(overlay, &unit, &state.fragment) {
        Some(true) => {
            overlay.assume_unit_verb("start", &unit);
            if unit_directories(overlay, &state.fragment).is_err() {
                overlay.doubt(DoubtKind::Effects, format!("the start of {unit}").as_bytes());
            }
            for alias in aliases(overlay, &state.fragment) {
                overlay.assume_unit_verb("start", &alias);
            }
        }
        Some(false) => {}
        None => overlay
            .doubt(DoubtKind::Effects, format!("the start of {unit}, whose conditions cannot be told,").as_bytes()),
    }
}

/// Whether the conditions of a unit hold; absent where that cannot be told.
fn holds(overlay: &OverlayHost, unit: &str, fragment: &str) -> Option<bool> {
    let mut texts = vec![compose::read_file(overlay, fragment.as_bytes()).ok()?];
    for place in ["/usr/lib", "/run", "/etc"] {
        let folder = format!("{place}/systemd/system/{unit}.d");
        let entries = overlay.readdir(folder.as_bytes()).unwrap_or_default();
        let mut names: Vec<Vec<u8>> = entries.into_iter().map(|entry| entry.name).collect();
        names.retain(|name| name.ends_with(b".conf"));
        names.sort();
        for name in names {
            texts.push(compose::read_file(overlay, &files::join(folder.as_bytes(), &name)).ok()?);
        }
    }
    let mut conditions = Vec::new();
    for text in texts {
        for line in lossy(&text).lines() {
            let Some((key, value)) = line.trim().split_once('=') else { continue };
            let (key, value) = (key.trim_end(), value.trim_start());
            if !key.starts_with("Condition") && !key.starts_with("Assert") {
                continue;
            }
            if value.is_empty() {
                // an empty value takes back all of its kind
                let kind = if key.starts_with("Assert") { "Assert" } else { "Condition" };
                conditions.retain(|(key, _): &(String, String)| !key.starts_with(kind));
            } else {
                conditions.push((key.to_string(), value.to_string()));
            }
        }
    }
    let mut holds = true;
    for (key, value) in conditions {
        let (wanted, value) = value.strip_prefix('!').map_or((true, value.as_str()), |value| (false, value));
        let found = match key.as_str() {
            "ConditionPathExists" | "AssertPathExists" => compose::exists(overlay, value.as_bytes()),
            "ConditionPathIsDirectory" => overlay.stat(value.as_bytes()).is_ok_and(|stat| stat.is_dir()),
            "ConditionFileNotEmpty" => overlay.stat(value.as_bytes()).is_ok_and(|stat| stat.size > 0),
            "ConditionVirtualization" if value == "container" => compose::exists(overlay, b"/run/systemd/container"),
            "ConditionCapability" => has_capability(overlay, value)?,
            _ => return None,
        };
        holds &= found == wanted;
    }
    Some(holds)
}

/// Whether processes of this machine may have a capability.
fn has_capability(overlay: &OverlayHost, name: &str) -> Option<bool> {
    const NUMBERS: &[(&str, u32)] = &[
        ("CAP_NET_ADMIN", 12),
        ("CAP_SYS_MODULE", 16),
        ("CAP_SYS_ADMIN", 21),
        ("CAP_SYS_TIME", 25),
        ("CAP_AUDIT_CONTROL", 30),
    ];
    let number = NUMBERS.iter().find(|(known, _)| *known == name)?.1;
    let status = lossy(&compose::read_file(overlay, b"/proc/1/status").ok()?);
    let bound = status.lines().find_map(|line| line.strip_prefix("CapBnd:"))?.trim().to_string();
    Some(u64::from_str_radix(&bound, 16).ok()? >> number & 1 == 1)
}

/// Makes the directories of a file of tmpfiles.d.
fn temporary(overlay: &OverlayHost, name: &str) -> Result<()> {
    let Ok(text) = compose::read_file(overlay, format!("/usr/lib/tmpfiles.d/{name}").as_bytes()) else { return Ok(()) };
    for line in lossy(&text).lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [kind, path, rest @ ..] = &words[..] else { continue };
        if !kind.starts_with(['d', 'D']) || path.contains('%') {
            continue;
        }
        compose::create_dir_all(overlay, path.as_bytes(), 0o755)?;
        let mode = rest.first().and_then(|mode| u32::from_str_radix(mode, 8).ok());
        let user = rest.get(1).map(|name| overlay.user_by_name(name.as_bytes())).transpose()?.flatten();
        let group = rest.get(2).map(|name| overlay.group_by_name(name.as_bytes())).transpose()?.flatten();
        let owner =
            Finish { mode, uid: user.map(|user| user.uid), gid: group.map(|group| group.gid), ..Finish::default() };
        compose::set_access(overlay, path.as_bytes(), owner, true)?;
    }
    Ok(())
}

/// Takes an account as made that a script makes by `adduser` or `addgroup` and their like.
fn account(overlay: &OverlayHost, program: &str, words: &[&str]) -> Result<()> {
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a failure is the test's
    use super::*;
    use rchef_host::overlay::Policy;
    use rchef_host::overlay::skeleton;
    use rchef_host::{OverlayOptions, RealHost};
    use std::rc::Rc;

    fn machine() -> OverlayHost {
        let options = OverlayOptions { policy: Policy::Simulate, ..OverlayOptions::default() };
        OverlayHost::empty(Rc::new(RealHost::new()), &skeleton::linux(), options).unwrap()
    }

    #[test]
    fn arguments_end_at_operators_and_have_no_redirections() {
        let variables = [("LOG".to_string(), "/var/log/x".to_string())];
        for (line, wanted) in [
            ("mkdir -p /a > /dev/null 2>&1 || true", "-p /a"),
            ("mkdir /a >/dev/null 2>/dev/null; chown root /b", "/a"),
            ("mkdir ${LOG} $LOG/y </dev/null && :", "/var/log/x /var/log/x/y"),
            ("mkdir '/a b' \"/c\"/d;", "/a b /c/d"),
            ("mkdir", ""),
        ] {
            let commands = commands(line, &variables);
            let arguments: Vec<&str> = commands[0][1..].iter().map(|word| word.text.as_str()).collect();
            assert_eq!(arguments.join(" "), wanted, "{line}");
        }
    }

    #[test]
    fn directories_accounts_and_files_of_a_script() {
        let host = machine();
        compose::create_dir_all(&host, b"/usr/share/x", 0o755).unwrap();
        compose::write_file(&host, b"/usr/share/x/x.conf", b"x\n", 0o644).unwrap();
        let script = "set -e\nHOME_OF_X=/var/lib/x\nmkdir -p $HOME_OF_X/spool > /dev/null 2>&1\nmkdir -p `dirname \"$A\"`\n\
            adduser --force-badname \\\n  --system --group \\\n --gecos \"X daemon\" --home $HOME_OF_X --no-create-home _x\n\
            ucf --three-way /usr/share/x/x.conf /etc/x/x.conf >/dev/null\n";
        assert!(run(&host, script));
        let user = host.user_by_name(b"_x").unwrap().unwrap();
        assert_eq!((user.gecos, user.dir), (b"X daemon,,,".to_vec(), b"/var/lib/x".to_vec()));
        assert_eq!(host.group_by_name(b"_x").unwrap().unwrap().gid, user.gid);
        assert!(host.stat(b"/var/lib/x/spool").unwrap().is_dir());
        assert_eq!(compose::read_file(&host, b"/etc/x/x.conf").unwrap(), b"x\n");
    }

    #[test]
    fn directories_that_come_with_an_owner_and_with_a_unit() {
        let host = machine();
        assert!(run(&host, "adduser --system --group _x\ninstall -o _x -g _x -m 2750 -d /var/lib/x/y\n"));
        let user = host.user_by_name(b"_x").unwrap().unwrap();
        let stat = host.stat(b"/var/lib/x/y").unwrap();
        assert_eq!((stat.uid, stat.gid, stat.perm()), (user.uid, user.gid, 0o2750));
        let unit = b"[Service]\nUser=_x\nLogsDirectory=x x/more\nLogsDirectoryMode=0750\nConfigurationDirectory=x\nRuntimeDirectory=x-%i\n";
        compose::write_file(&host, b"/etc/x.service", unit, 0o644).unwrap();
        unit_directories(&host, "/etc/x.service").unwrap();
        for path in ["/var/log/x", "/var/log/x/more"] {
            let stat = host.stat(path.as_bytes()).unwrap();
            assert_eq!((stat.uid, stat.gid, stat.perm()), (user.uid, user.gid, 0o750), "{path}");
        }
        assert_eq!(host.stat(b"/etc/x").unwrap().uid, 0);
        assert!(host.lstat(b"/run/x-%i").is_err());
    }

    #[test]
    fn lines_of_a_loop_run_for_each_of_its_words() {
        let host = machine();
        let script = "for D in /srv/a \"/srv/b c\"; do\n  mkdir -p ${D}/x\ndone\nmkdir /srv/after\nfor F in $(ls); do\n  mkdir /srv/$F\ndone\n";
        assert!(run(&host, script));
        for path in ["/srv/a/x", "/srv/b c/x", "/srv/after"] {
            assert!(host.stat(path.as_bytes()).unwrap().is_dir(), "{path}");
        }
        assert_eq!(host.readdir(b"/srv").unwrap().len(), 3);
    }

    #[test]
    fn an_enabled_unit_gets_its_other_names() {
        let host = machine();
        let unit = b"[Service]\nExecStart=/bin/x\n[Install]\nWantedBy=multi-user.target\nAlias=y.service z.service\n";
        compose::create_dir_all(&host, b"/lib/systemd/system", 0o755).unwrap();
        compose::create_dir_all(&host, b"/etc/systemd/system", 0o755).unwrap();
        compose::write_file(&host, b"/lib/systemd/system/x.service", unit, 0o644).unwrap();
        assert!(run(&host, "# Automatically added by dh\ndeb-systemd-helper enable 'x.service' >/dev/null || true\n"));
        for name in ["x.service", "y.service", "z.service"] {
            assert_eq!(host.services(&[name]).unwrap()[name].unit_file, "enabled", "{name}");
        }
        assert!(host.lstat(b"/etc/systemd/system/z.service").is_ok());
    }

    #[test]
    fn a_line_that_cannot_be_taken_as_run_is_not_known() {
        let host = machine();
        compose::write_file(&host, b"/etc/there", b"", 0o644).unwrap();
        assert!(!run(&host, "mkdir -p /etc/there/below\n"));
        assert!(!run(&host, "frobnicate --all\n"));
        assert!(run(&host, "if [ -e /x ]; then\nfi\nexit 0\n"));
    }

    #[test]
    fn a_drop_in_takes_conditions_back() {
        let host = machine();
        let unit = b"[Unit]\nConditionPathExists=/nowhere\n";
        compose::create_dir_all(&host, b"/etc/systemd/system/x.service.d", 0o755).unwrap();
        compose::write_file(&host, b"/etc/x.service", unit, 0o644).unwrap();
        assert_eq!(holds(&host, "x.service", "/etc/x.service"), Some(false));
        compose::write_file(&host, b"/etc/systemd/system/x.service.d/a.conf", b"[Unit]\nConditionPathExists=\n", 0o644)
            .unwrap();
        assert_eq!(holds(&host, "x.service", "/etc/x.service"), Some(true));
        compose::write_file(&host, b"/etc/systemd/system/x.service.d/b.conf", b"[Unit]\nConditionMemory=1G\n", 0o644)
            .unwrap();
        assert_eq!(holds(&host, "x.service", "/etc/x.service"), None);
    }
}
