//! What an installation script of a package does, as far as its lines have forms that debhelper writes or that are common.

use super::{account, unit};
use crate::{Result, lossy};
use rchef_host::compose::{self, Finish};
use rchef_host::{OverlayHost, Users, files};
use rchef_text::shell::{Token, Word, tokens};

/// The owner, group and mode of these names, empty where one stays; absent where one is not known.
fn access_of(overlay: &OverlayHost, user: &str, group: &str, mode: &str) -> Result<Option<Finish>> {
    let mut access = Finish::default();
    if !user.is_empty() {
        let Some(found) = overlay.user_by_name(user.as_bytes())? else { return Ok(None) };
        access.uid = Some(found.uid);
    }
    if !group.is_empty() {
        let Some(found) = overlay.group_by_name(group.as_bytes())? else { return Ok(None) };
        access.gid = Some(found.gid);
    }
    if !mode.is_empty() {
        let Ok(mode) = u32::from_str_radix(mode, 8) else { return Ok(None) };
        access.mode = Some(mode);
    }
    Ok(Some(access))
}

/// Makes the directories that `mkdir` or `install -d` is told of, with the owner, group and mode that it is told; whether all of it is known.
fn directories(overlay: &OverlayHost, words: &[&str]) -> Result<bool> {
    let (mut user, mut group, mut mode, mut paths) = ("", "", "", Vec::new());
    let mut rest = words.iter().copied();
    while let Some(word) = rest.next() {
        match word {
            "-o" => user = rest.next().unwrap_or_default(),
            "-g" => group = rest.next().unwrap_or_default(),
            "-m" => mode = rest.next().unwrap_or_default(),
            path if path.starts_with('/') => paths.push(path),
            _ => {}
        }
    }
    let Some(access) = access_of(overlay, user, group, mode)? else { return Ok(false) };
    for path in paths {
        compose::create_dir_all(overlay, path.as_bytes(), 0o755)?;
        compose::set_access(overlay, path.as_bytes(), access, true)?;
    }
    Ok(true)
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
    if unit::may_start(overlay) {
        progress.started.iter().for_each(|name| unit::start(overlay, name));
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
        let Some(commands) = commands(line, &progress.variables) else {
            known &= generated;
            continue;
        };
        if let Some(variable) = assignment_of(&commands) {
            progress.variables.push(variable);
            continue;
        }
        if let Some((name, values)) = loop_of(&commands)
            && let Some(length) = body_of(&lines[at..])
        {
            let body = &lines[at..at + length];
            for value in values {
                progress.variables.push((name.clone(), value));
                known &= lines_of(overlay, body, progress) || generated;
            }
            at += length;
            continue;
        }
        for words in commands {
            known &= command_of(overlay, &words, progress).is_ok_and(|known| known || generated);
        }
    }
    known
}

/// How many lines there are up to the `done` of a loop.
fn body_of(lines: &[&str]) -> Option<usize> {
    let mut depth = 1;
    lines.iter().position(|line| {
        match line.split([' ', ';']).next() {
            Some("for" | "while" | "until") => depth += 1,
            Some("done") => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// The variable of a `for NAME in WORD… ; do` whose words are known, and these.
fn loop_of(commands: &[Vec<Word>]) -> Option<(String, Vec<String>)> {
    let [head, body] = commands else { return None };
    let [first, name, second, values @ ..] = &head[..] else { return None };
    let is_loop = first.text == "for" && second.text == "in" && body.iter().map(|word| &word.text).eq(["do"]);
    let known = is_loop && !values.iter().any(|value| value.expands);
    known.then(|| (name.text.clone(), values.iter().map(|value| value.text.clone()).collect()))
}

/// The variable that a line sets, and its value where that is known.
fn assignment_of(commands: &[Vec<Word>]) -> Option<(String, String)> {
    let [command] = commands else { return None };
    let [word] = &command[..] else { return None };
    let (name, value) = word.text.split_once('=')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_name && !word.expands).then(|| (name.into(), value.into()))
}

/// Words of the shell that a command may stand behind.
const IN_FRONT: &[&str] = &["if", "then", "else", "elif", "while", "until", "do", "!", "{", "}", "fi", "done", "esac"];

/// Programs and builtins that steer a script, ask, tell, or do what the package database already has.
const STEERING: &[&str] = &[
    ".",
    ":",
    "[",
    "break",
    "case",
    "continue",
    "db_get",
    "db_go",
    "db_input",
    "db_stop",
    "db_version",
    "dpkg-maintscript-helper",
    "echo",
    "exit",
    "export",
    "for",
    "local",
    "return",
    "set",
    "shift",
    "test",
    "true",
];

/// Takes a command as run; whether it has a known form.
fn command_of(overlay: &OverlayHost, words: &[Word], progress: &mut Progress) -> Result<bool> {
    let start = words.iter().position(|word| !IN_FRONT.contains(&word.text.as_str())).unwrap_or(words.len());
    let Some((program, arguments)) = words[start..].split_first() else { return Ok(true) };
    let expands = arguments.iter().any(|word| word.expands);
    let arguments: Vec<&str> = arguments.iter().map(|word| word.text.as_str()).collect();
    let program = program.text.rsplit('/').next().unwrap_or_default();
    let units = || arguments.iter().filter(|unit| unit.contains('.')).map(|unit| (*unit).to_string());
    match program {
        "deb-systemd-helper" => match arguments.iter().find(|word| !word.starts_with('-')) {
            Some(&"debian-installed") => progress.left.extend(units()),
            Some(&"enable") => {
                units().filter(|unit| !progress.left.contains(unit)).for_each(|name| unit::enable(overlay, &name));
            }
            _ => {}
        },
        "systemd-tmpfiles" => {
            let mut known = true;
            for name in arguments.iter().filter(|word| word.ends_with(".conf")) {
                known &= temporary(overlay, name)?;
            }
            return Ok(known);
        }
        "deb-systemd-invoke" => progress.started.extend(units()),
        "invoke-rc.d" => {
            let plain: Vec<&str> = arguments.iter().copied().filter(|word| !word.starts_with('-')).collect();
            if let [unit, action] = plain[..]
                && !arguments.contains(&"--skip-systemd-native")
                && (action.contains("start") || action.contains('$'))
            {
                progress.started.push(unit.into());
            }
        }
        _ if STEERING.contains(&program) => {}
        // of the others all words must be known
        _ if expands => return Ok(false),
        "adduser" | "useradd" | "addgroup" | "groupadd" => account::make(overlay, program, &arguments)?,
        "mkdir" => return directories(overlay, &arguments),
        "chown" | "chgrp" | "chmod" | "dpkg-statoverride" => return access(overlay, program, &arguments),
        "install" if arguments.contains(&"-d") => return directories(overlay, &arguments),
        "ucf" | "cp" => match arguments[..] {
            [.., from, to] if to.starts_with('/') && from.starts_with('/') => copy(overlay, from, to)?,
            _ => return Ok(false),
        },
        _ => {
            let maker = MAKERS.iter().find(|(name, flag, _)| *name == program && arguments.contains(flag));
            let Some((_, _, path)) = maker else { return Ok(false) };
            if !compose::exists(overlay, path.as_bytes()) {
                compose::create_dir_all(overlay, files::dirname(path.as_bytes()), 0o755)?;
                compose::write_file(overlay, path.as_bytes(), b"", 0o640)?;
            }
        }
    }
    Ok(true)
}

/// The simple commands of a line, with variables replaced by what they were last set to and without redirections; neither names of functions that are
/// defined nor patterns of `case` are commands. Absent where the line does not end what it begins.
fn commands(line: &str, variables: &[(String, String)]) -> Option<Vec<Vec<Word>>> {
    let value = |name: &str| variables.iter().rfind(|(known, _)| known == name).map(|(_, value)| value.clone());
    let mut found = vec![("", Vec::new())];
    let mut depth = 0;
    for token in tokens(line, &value)? {
        match token {
            Token::Word(word) => found.last_mut()?.1.push(word),
            Token::Redirection(_) => {}
            Token::Operator(operator) => {
                match operator {
                    "(" => {
                        found.pop();
                        depth += 1;
                    }
                    // a pattern, which may have several parts
                    ")" if depth == 0 => while found.pop().is_some_and(|(before, _)| before == "|") {},
                    ")" => depth -= 1,
                    _ => {}
                }
                found.push((operator, Vec::new()));
            }
        }
    }
    Some(found.into_iter().map(|(_, words)| words).filter(|words| !words.is_empty()).collect())
}

/// Gives files the owner, group and mode that `chown`, `chgrp`, `chmod` and `dpkg-statoverride --add` name; whether all of it is known.
fn access(overlay: &OverlayHost, program: &str, words: &[&str]) -> Result<bool> {
    let plain: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with("--")).collect();
    let (user, group, mode, paths) = match (program, &plain[..]) {
        ("dpkg-statoverride", [user, group, mode, path]) if words.contains(&"--add") => {
            (*user, *group, *mode, vec![*path])
        }
        ("dpkg-statoverride", _) => return Ok(words.contains(&"--list")),
        ("chown", [owner, paths @ ..]) => {
            let (user, group) = owner.split_once([':', '.']).unwrap_or((owner, ""));
            (user, group, "", paths.to_vec())
        }
        ("chgrp", [group, paths @ ..]) => ("", *group, "", paths.to_vec()),
        ("chmod", [mode, paths @ ..]) => ("", "", *mode, paths.to_vec()),
        _ => return Ok(false),
    };
    let Some(wanted) = access_of(overlay, user, group, mode)? else { return Ok(false) };
    for path in paths {
        if !path.starts_with('/') || !compose::exists(overlay, path.as_bytes()) {
            return Ok(false);
        }
        compose::set_access(overlay, path.as_bytes(), wanted, true)?;
    }
    Ok(true)
}

fn copy(overlay: &OverlayHost, from: &str, to: &str) -> Result<()> {
    let Ok(content) = compose::read_file(overlay, from.as_bytes()) else { return Ok(()) };
    if compose::lstat_opt(overlay, to.as_bytes())?.is_none() {
        compose::create_dir_all(overlay, files::dirname(to.as_bytes()), 0o755)?;
        compose::write_file(overlay, to.as_bytes(), &content, 0o644)?;
    }
    Ok(())
}

/// Makes the directories of a file of tmpfiles.d; whether all of it is known.
fn temporary(overlay: &OverlayHost, name: &str) -> Result<bool> {
    let Ok(text) = compose::read_file(overlay, format!("/usr/lib/tmpfiles.d/{name}").as_bytes()) else {
        return Ok(true);
    };
    let mut known = true;
    for line in lossy(&text).lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [kind, path, rest @ ..] = &words[..] else { continue };
        if !kind.starts_with(['d', 'D']) || path.contains('%') {
            continue;
        }
        compose::create_dir_all(overlay, path.as_bytes(), 0o755)?;
        let field = |at: usize| rest.get(at).copied().filter(|field| *field != "-").unwrap_or_default();
        match access_of(overlay, field(1), field(2), field(0))? {
            Some(access) => compose::set_access(overlay, path.as_bytes(), access, true)?,
            None => known = false,
        }
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a failure is the test's
    use super::super::machine;
    use super::*;
    use rchef_host::{Files, Queries};

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
            let commands = commands(line, &variables).unwrap();
            let arguments: Vec<&str> = commands[0][1..].iter().map(|word| word.text.as_str()).collect();
            assert_eq!(arguments.join(" "), wanted, "{line}");
        }
    }

    #[test]
    fn directories_accounts_and_files_of_a_script() {
        let host = machine();
        compose::create_dir_all(&host, b"/usr/share/x", 0o755).unwrap();
        compose::write_file(&host, b"/usr/share/x/x.conf", b"x\n", 0o644).unwrap();
        let script = "set -e\nHOME_OF_X=/var/lib/x\nmkdir -p $HOME_OF_X/spool > /dev/null 2>&1\n\
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
        unit::directories(&host, "x.service", "/etc/x.service").unwrap();
        for path in ["/var/log/x", "/var/log/x/more"] {
            let stat = host.stat(path.as_bytes()).unwrap();
            assert_eq!((stat.uid, stat.gid, stat.perm()), (user.uid, user.gid, 0o750), "{path}");
        }
        assert_eq!(host.stat(b"/etc/x").unwrap().uid, 0);
        assert!(host.lstat(b"/run/x-%i").is_err());
    }

    #[test]
    fn owners_groups_and_modes_of_a_script() {
        let host = machine();
        let script = "D=/srv/x\nmkdir $D\naddgroup --system _g\nif ! dpkg-statoverride --list $D >/dev/null; then\n  \
            chown root:_g $D\n  chmod 2750 $D\nfi\nmkdir /srv/y\ndpkg-statoverride --update --add root _g 0710 /srv/y\n";
        assert!(run(&host, script));
        let gid = host.group_by_name(b"_g").unwrap().unwrap().gid;
        for (path, mode) in [("/srv/x", 0o2750), ("/srv/y", 0o710)] {
            let stat = host.stat(path.as_bytes()).unwrap();
            assert_eq!((stat.uid, stat.gid, stat.perm()), (0, gid, mode), "{path}");
        }
        for line in ["chown nobody_here /srv/x", "chmod g+w /srv/x", "chown -R root /srv/x", "chmod 600 /srv/nothing"] {
            assert!(!run(&host, line), "{line}");
        }
    }

    #[test]
    fn lines_of_a_loop_run_for_each_of_its_words() {
        let host = machine();
        let script = "for D in /srv/a \"/srv/b c\"; do\n  mkdir -p ${D}/x\ndone\nmkdir /srv/after\nfor F in $(ls); do\n  mkdir /srv/$F\ndone\n";
        assert!(!run(&host, script), "what `ls` tells is not known");
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
        for line in [
            "frobnicate --all",
            "mkdir /srv/x && frobnicate",
            "[ -d /x ] || frobnicate",
            "if true; then frobnicate; fi",
            "mkdir -p `dirname \"$A\"`",
            "mkdir /srv/$X",
            "cp $A /srv/b",
            "(frobnicate)",
        ] {
            assert!(!run(&host, line), "{line}");
        }
        assert!(run(
            &host,
            "case \"$1\" in\n configure|reconfigure)\n  made() {\n  mkdir /srv/z # /srv/q\n }\n ;;\n *)\n exit 1\n ;;\nesac\n"
        ));
        assert!(host.stat(b"/srv/z").is_ok() && host.stat(b"/srv/q").is_err());
        assert!(run(&host, "if [ -e /x ]; then\nfi\nexit 0\n"));
    }
}
