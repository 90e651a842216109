//! The results of single commands that query the overlay.

use super::{grep::grep, looks, versions};
use crate::LARGE;
use crate::{Command, lossy};
use rchef_host::options::parsed;
use rchef_host::queries::ServiceState;
use rchef_host::{Files, OverlayHost, Queries, Users, compose, files, test_expression};

/// The result of a command, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Told {
    pub code: Option<i32>,
    /// Its standard output.
    pub text: Option<Vec<u8>>,
}

/// Builtins of both shells, which `command -v` finds without a file.
const BUILTINS: &[&str] = &[
    ".", ":", "[", "alias", "bg", "break", "cd", "command", "continue", "echo", "eval", "exec", "exit", "export",
    "false", "fg", "getopts", "hash", "jobs", "kill", "local", "printf", "pwd", "read", "readonly", "return", "set",
    "shift", "test", "times", "trap", "true", "type", "ulimit", "umask", "unalias", "unset", "wait",
];

/// Builtins that bash has and dash does not.
const OF_BASH: &[&str] = &[
    "bind",
    "builtin",
    "caller",
    "compgen",
    "complete",
    "compopt",
    "declare",
    "dirs",
    "disown",
    "enable",
    "fc",
    "help",
    "history",
    "let",
    "logout",
    "mapfile",
    "popd",
    "pushd",
    "readarray",
    "shopt",
    "source",
    "suspend",
    "typeset",
];

/// Builtins that dash has and bash does not.
const OF_DASH: &[&str] = &["chdir"];

/// Whether dash or bash has a builtin of this name.
pub(crate) fn is_builtin(name: &str) -> bool {
    [BUILTINS, OF_BASH, OF_DASH].iter().any(|names| names.contains(&name))
}

/// The reserved words of both shells, and those of bash alone.
const RESERVED: &[&str] =
    &["!", "case", "do", "done", "elif", "else", "esac", "fi", "for", "if", "in", "then", "until", "while", "{", "}"];
const RESERVED_IN_BASH: &[&str] = &["[[", "]]", "coproc", "function", "select", "time"];

/// The shell that asks.
#[derive(Clone, Copy)]
pub(crate) struct Asker<'a> {
    /// Its `PATH`.
    pub(crate) path: &'a [u8],
    /// It is bash, not dash.
    pub(crate) is_bash: bool,
}

impl Asker<'_> {
    pub(crate) fn has_builtin(self, name: &str) -> bool {
        BUILTINS.contains(&name) || if self.is_bash { OF_BASH } else { OF_DASH }.contains(&name)
    }

    fn reserves(self, word: &str) -> bool {
        RESERVED.contains(&word) || self.is_bash && RESERVED_IN_BASH.contains(&word)
    }
}

pub(super) fn exactly(code: i32, text: impl Into<Vec<u8>>) -> Told {
    Told { code: Some(code), text: Some(text.into()) }
}

fn status(holds: bool) -> Told {
    exactly(i32::from(!holds), "")
}

fn only(code: i32) -> Told {
    Told { code: Some(code), text: None }
}

/// A line of output, or no output and an exit status.
fn line(text: Option<Vec<u8>>, failure: i32) -> Told {
    text.map_or_else(|| exactly(failure, ""), |text| exactly(0, [text, b"\n".to_vec()].concat()))
}

/// The result of a command that queries the overlay; None for commands and options that are not known here. `input` is what a pipe brings.
pub(crate) fn told(
    overlay: &OverlayHost,
    asker: Asker<'_>,
    program: &str,
    words: &[&str],
    input: Option<&[u8]>,
) -> Option<Told> {
    let found = match (program, words) {
        ("true", _) | (":", _) => status(true),
        ("false", _) => status(false),
        // an unquoted variable was empty
        ("test", ["=" | "!=", _]) | ("[", ["=" | "!=", _, "]"]) => exactly(2, ""),
        ("test", [first, "=" | "!="]) | ("[", [first, "=" | "!=", "]"]) if *first != "!" && !first.starts_with('-') => {
            exactly(2, "")
        }
        // a missing operand is a syntax error
        ("test", [.., "-o" | "-a"]) | ("[", [.., "-o" | "-a", "]"]) => return None,
        ("test", words) | ("[", [words @ .., "]"]) => status(test_expression(overlay, words)?),
        ("which" | "command" | "type", _) => of_programs(overlay, asker, program, words)?,
        ("getent" | "id", _) => of_accounts(overlay, program, words)?,
        ("cat", []) => exactly(0, input?),
        ("dirname" | "basename" | "readlink" | "realpath" | "stat" | "cat" | "ls", _) => {
            of_files(overlay, program, words)?
        }
        ("dpkg-statoverride", ["--list", name] | ["--quiet", "--list", name]) if !name.contains(['*', '?', '[']) => {
            let overrides = compose::read_file(overlay, b"/var/lib/dpkg/statoverride").unwrap_or_default();
            let overrides = lossy(&overrides);
            let found = overrides.lines().find(|row| row.splitn(4, ' ').nth(3) == Some(name));
            line(found.map(|row| row.as_bytes().to_vec()), 1)
        }
        ("dpkg", ["--compare-versions", one, how, other]) => {
            Told { code: compared(overlay, one, how, other).map(|holds| i32::from(!holds)), text: Some(Vec::new()) }
        }
        ("grep" | "egrep" | "fgrep", words) => grep(overlay, program, words, input)?,
        ("dpkg", ["-s" | "--status", name]) => match overlay.package(name).ok()? {
            Some(package) => {
                let entry = status_entry(overlay, name).filter(|entry| {
                    let has = |line: String| entry.lines().any(|known| known == line);
                    has(format!("Version: {}", package.version))
                        && has(format!("Status: {} {} {}", package.want, package.flag, package.state))
                });
                // the entry of a package that the plan changes is not known
                Told { code: Some(0), text: entry.map(String::into_bytes) }
            }
            None => status(false),
        },
        ("systemctl", words) => of_units(overlay, words)?,
        ("mountpoint", ["-q" | "--quiet", path] | [path]) if !path.starts_with('-') => {
            let mounts = overlay.mounts().ok()?;
            let point = overlay.realpath(path.as_bytes()).unwrap_or_else(|_| files::lexical(path.as_bytes()));
            let is_quiet = words.len() > 1;
            let holds = mounts.iter().any(|mount| mount.point == point);
            if is_quiet { status(holds) } else { only(i32::from(!holds)) }
        }
        _ => exactly(0, versions::told(overlay, program, words)?),
    };
    Some(found)
}

/// The entry of a package in dpkg's status, as `dpkg -s` prints it.
pub(crate) fn status_entry(overlay: &OverlayHost, package: &str) -> Option<String> {
    let status = compose::read_file(overlay, b"/var/lib/dpkg/status").ok()?;
    let head = format!("Package: {package}\n");
    let status = lossy(&status);
    let entry = status.split("\n\n").find(|entry| entry.starts_with(&head))?;
    Some(format!("{}\n", entry.trim_end_matches('\n')))
}

/// The result of `dpkg --compare-versions`; None if it is not known.
pub(crate) fn compared(overlay: &OverlayHost, one: &str, how: &str, other: &str) -> Option<bool> {
    // an empty version sorts before any other, with the `-nl` operators after
    if one.is_empty() && !other.is_empty() {
        let before = !how.ends_with("-nl");
        return match how.trim_end_matches("-nl") {
            "lt" | "le" | "<<" | "<=" | "<" => Some(before),
            "gt" | "ge" | ">>" | ">=" | ">" => Some(!before),
            "eq" | "=" => Some(false),
            "ne" => Some(true),
            _ => None,
        };
    }
    let asked = Command::system(["dpkg", "--compare-versions", one, how, other]);
    let before = overlay.set_purpose(rchef_host::Purpose::Query);
    let answer = asked.query(overlay).ok().and_then(|output| output.status.code());
    overlay.set_purpose(before);
    answer.filter(|code| *code < 2).map(|code| code == 0)
}

/// `systemctl is-active` and `is-enabled`.
fn of_units(overlay: &OverlayHost, words: &[&str]) -> Option<Told> {
    let given = parsed("q", "quiet system no-pager", false, words)?;
    let [verb, name] = given.operands[..] else { return None };
    let found = overlay.services(&[name]).ok()?.remove(name);
    let (code, state) = match verb {
        "is-active" => {
            let state = found.map_or_else(|| "inactive".to_string(), |state: ServiceState| state.active);
            (if state == "active" { 0 } else { 3 }, state)
        }
        "is-enabled" => {
            let state = found.map_or_else(|| "disabled".to_string(), |state: ServiceState| state.unit_file);
            let enabled = ["enabled", "static", "alias", "indirect", "generated"].contains(&state.as_str());
            (i32::from(!enabled), state)
        }
        _ => return None,
    };
    Some(exactly(code, if given.has(&["q", "quiet"]) { String::new() } else { format!("{state}\n") }))
}

fn of_programs(overlay: &OverlayHost, asker: Asker<'_>, program: &str, words: &[&str]) -> Option<Told> {
    let name = match (program, words) {
        ("command", ["-v", name]) | ("which" | "type", [name]) if !name.starts_with('-') => *name,
        _ => return None,
    };
    let file = if name.contains('/') {
        let is_program = overlay.stat(name.as_bytes()).is_ok_and(|stat| stat.is_file())
            && overlay.access(name.as_bytes(), rchef_host::files::Access::EXECUTE, true).is_ok();
        is_program.then(|| name.as_bytes().to_vec())
    } else {
        compose::program(overlay, asker.path.split(|byte| *byte == b':'), name)
    };
    let shell = program != "which";
    Some(match (program, file) {
        ("command", _) if asker.has_builtin(name) || asker.reserves(name) => line(Some(name.into()), 0),
        // shells word this differently, and for a program that they have run already
        ("type", _) if asker.has_builtin(name) || asker.reserves(name) => only(0),
        ("type", Some(_)) => only(0),
        (_, Some(file)) => line(Some(file), 0),
        // dash prints the error on standard output, bash on standard error
        ("type", None) => Told { code: Some(1), text: Some(Vec::new()) },
        (_, None) => exactly(if shell { 127 } else { 1 }, ""),
    })
}

fn of_accounts(overlay: &OverlayHost, program: &str, words: &[&str]) -> Option<Told> {
    let id = |name: &str| name.parse::<u32>().ok();
    let user = |name: &str| match id(name) {
        Some(id) => overlay.user_by_id(id).ok(),
        None => overlay.user_by_name(name.as_bytes()).ok(),
    };
    let group = |name: &str| match id(name) {
        Some(id) => overlay.group_by_id(id).ok(),
        None => overlay.group_by_name(name.as_bytes()).ok(),
    };
    // other queries of getent run on the machine
    let plain = |name: &str| !name.is_empty() && !name.starts_with('-');
    Some(match (program, words) {
        ("getent", ["passwd", name]) if plain(name) => {
            line(user(name)?.map(|user| user.to_line().trim_ascii_end().to_vec()), 2)
        }
        ("getent", ["group", name]) if plain(name) => {
            line(group(name)?.map(|group| group.to_line().trim_ascii_end().to_vec()), 2)
        }
        ("id", ["-u", name]) if plain(name) => line(user(name)?.map(|user| user.uid.to_string().into_bytes()), 1),
        ("id", ["-g", name]) if plain(name) => line(user(name)?.map(|user| user.gid.to_string().into_bytes()), 1),
        ("id", [name]) if plain(name) => match user(name)? {
            Some(_) => only(0),
            None => status(false),
        },
        _ => return None,
    })
}

/// The path with symbolic links resolved, whose last component need not exist; `Err` if a parent is missing.
fn canonical(overlay: &OverlayHost, path: &str) -> Option<std::result::Result<Vec<u8>, ()>> {
    if let Ok(real) = overlay.realpath(path.as_bytes()) {
        return Some(Ok(real));
    }
    let (folder, name) = (files::dirname(path.as_bytes()), files::basename(path.as_bytes()));
    // the target of a broken link may be in a place where a file can be created
    if path.ends_with('/') || name == b".." || overlay.lstat(path.as_bytes()).is_ok() {
        return None;
    }
    Some(match overlay.realpath(folder) {
        Ok(folder) if overlay.stat(&folder).is_ok_and(|stat| stat.is_dir()) => Ok(files::join(&folder, name)),
        _ => Err(()),
    })
}

fn of_files(overlay: &OverlayHost, program: &str, words: &[&str]) -> Option<Told> {
    let paths = words.iter().filter(|word| !word.starts_with('-') && !word.is_empty());
    let [.., path] = words else { return None };
    // a single path after the options
    if program != "cat" && (paths.count() != 1 || path.starts_with('-')) {
        let suffixed = program == "basename" && words.len() == 2 && !words[0].starts_with('-');
        let formed = program == "stat" && words.len() == 3 && !path.starts_with('-');
        if !suffixed && !formed {
            return None;
        }
    }
    Some(match (program, words) {
        ("dirname", [path]) if path.bytes().all(|byte| byte == b'/') => line(Some(b"/".to_vec()), 1),
        ("dirname", [path]) => line(Some(files::dirname(path.as_bytes()).to_vec()), 1),
        ("basename", [path]) => line(Some(files::basename(path.as_bytes()).to_vec()), 1),
        ("basename", [path, suffix]) => {
            let name = files::basename(path.as_bytes());
            let stem = name.strip_suffix(suffix.as_bytes()).filter(|stem| !stem.is_empty()).unwrap_or(name);
            line(Some(stem.to_vec()), 1)
        }
        ("readlink", [path]) => line(overlay.readlink(path.as_bytes()).ok(), 1),
        ("readlink" | "realpath", ["-e", path]) => line(overlay.realpath(path.as_bytes()).ok(), 1),
        ("readlink", ["-f", path]) | ("realpath", [path]) => line(canonical(overlay, path)?.ok(), 1),
        ("stat", ["-c", form, path]) => {
            let Ok(stat) = overlay.lstat(path.as_bytes()) else { return Some(status(false)) };
            let text = match *form {
                "%U" => overlay.user_by_id(stat.uid).ok()?.map_or_else(|| b"UNKNOWN".to_vec(), |user| user.name),
                "%G" => overlay.group_by_id(stat.gid).ok()?.map_or_else(|| b"UNKNOWN".to_vec(), |group| group.name),
                "%u" => stat.uid.to_string().into_bytes(),
                "%g" => stat.gid.to_string().into_bytes(),
                "%a" => format!("{:o}", stat.perm()).into_bytes(),
                _ => return None,
            };
            line(Some(text), 1)
        }
        ("cat", paths) if !paths.iter().any(|path| path.starts_with('-')) => {
            let (mut text, mut code) = (Vec::new(), 0);
            for path in paths {
                let is_long = overlay.stat(path.as_bytes()).is_ok_and(|stat| stat.size > LARGE);
                if is_long || !looks::command_looks(overlay, &["cat", path]) {
                    return None;
                }
                match compose::read_file(overlay, path.as_bytes()) {
                    Ok(content) => text.extend(content),
                    Err(_) => code = 1,
                }
            }
            exactly(code, text)
        }
        ("ls", [flags @ .., path]) => return list(overlay, flags, path),
        _ => return None,
    })
}

/// The output of ls(1), one name a line.
fn list(overlay: &OverlayHost, flags: &[&str], path: &str) -> Option<Told> {
    if !flags.iter().all(|flag| ["-d", "-1", "-A", "-1A", "-A1"].contains(flag)) {
        return None;
    }
    if overlay.lstat(path.as_bytes()).is_err() {
        return Some(exactly(2, ""));
    }
    if flags.contains(&"-d") || !overlay.stat(path.as_bytes()).is_ok_and(|stat| stat.is_dir()) {
        return Some(exactly(0, format!("{path}\n")));
    }
    let all = flags.iter().any(|flag| flag.contains('A'));
    let entries = overlay.readdir(path.as_bytes()).ok()?;
    let mut names: Vec<Vec<u8>> = entries.into_iter().map(|entry| entry.name).collect();
    names.retain(|name| all || !name.starts_with(b"."));
    names.sort();
    // the order of other names depends on the locale
    let order = names.iter().flatten().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let text =
        (order || names.len() < 2).then(|| names.iter().flat_map(|name| [name, b"\n".as_slice()].concat()).collect());
    Some(Told { code: Some(0), text })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a failure fails the test
    use super::*;
    use crate::brought::machine;

    const DASH: Asker<'_> = Asker { path: b"/usr/bin", is_bash: false };

    #[test]
    fn shells_have_their_own_builtins() {
        let host = machine();
        let bash = Asker { is_bash: true, ..DASH };
        for (name, of_dash, of_bash) in
            [("source", 127, 0), ("declare", 127, 0), ("[[", 127, 0), ("chdir", 0, 127), ("cd", 0, 0), ("if", 0, 0)]
        {
            for (asker, code) in [(DASH, of_dash), (bash, of_bash)] {
                let found = told(&host, asker, "command", &["-v", name], None).unwrap();
                assert_eq!(found.code, Some(code), "{name} {}", asker.is_bash);
            }
        }
    }

    #[test]
    fn commands_tell_of_the_overlay() {
        let host = machine();
        compose::create_dir_all(&host, b"/srv/d/e", 0o755).unwrap();
        compose::create_dir_all(&host, b"/usr/bin", 0o755).unwrap();
        compose::write_file(&host, b"/usr/bin/there", b"", 0o755).unwrap();
        compose::write_file(&host, b"/srv/f", b"text", 0o644).unwrap();
        host.symlink(b"d", b"/srv/l").unwrap();
        host.symlink(b"nowhere", b"/srv/dangling").unwrap();
        for (line, code, text) in [
            ("true x", Some(0), Some("")),
            (": x", Some(0), Some("")),
            ("[ -d /srv/d ]", Some(0), Some("")),
            ("test -d /srv/f", Some(1), Some("")),
            ("which there", Some(0), Some("/usr/bin/there\n")),
            ("which cd", Some(1), Some("")),
            ("command -v there", Some(0), Some("/usr/bin/there\n")),
            ("command -v cd", Some(0), Some("cd\n")),
            ("command -v /usr/bin/there", Some(0), Some("/usr/bin/there\n")),
            ("command -v not-there", Some(127), Some("")),
            ("type there", Some(0), None),
            ("command -v source", Some(127), Some("")),
            ("command -v chdir", Some(0), Some("chdir\n")),
            ("type read", Some(0), None),
            ("getent passwd root", Some(0), Some("root:x:0:0:root:/root:/bin/bash\n")),
            ("getent passwd 0", Some(0), Some("root:x:0:0:root:/root:/bin/bash\n")),
            ("getent passwd nobody-here", Some(2), Some("")),
            ("getent group nobody-here", Some(2), Some("")),
            ("id -u root", Some(0), Some("0\n")),
            ("id nobody-here", Some(1), Some("")),
            ("id root", Some(0), None),
            ("dirname /a/b/", Some(0), Some("/a\n")),
            ("basename /a/b/", Some(0), Some("b\n")),
            ("basename /a/b.c .c", Some(0), Some("b\n")),
            ("readlink /srv/l", Some(0), Some("d\n")),
            ("readlink /srv/f", Some(1), Some("")),
            ("readlink -f /srv/l/e", Some(0), Some("/srv/d/e\n")),
            ("readlink -f /srv/l/new", Some(0), Some("/srv/d/new\n")),
            ("readlink -f /srv/no/new", Some(1), Some("")),
            ("realpath /srv/new", Some(0), Some("/srv/new\n")),
            ("readlink -e /srv/new", Some(1), Some("")),
            ("stat -c %a /srv/l", Some(0), Some("777\n")),
            ("stat -c %U /srv/d", Some(0), Some("root\n")),
            ("stat -c %a /srv/no", Some(1), Some("")),
            ("cat /srv/f /srv/f", Some(0), Some("texttext")),
            ("cat /srv/no /srv/f", Some(1), Some("text")),
            ("ls /srv/d", Some(0), Some("e\n")),
            ("ls -A /srv/f", Some(0), Some("/srv/f\n")),
            ("ls -d /srv/d", Some(0), Some("/srv/d\n")),
            ("ls -A /srv/no", Some(2), Some("")),
            ("mountpoint -q /srv/d", Some(1), Some("")),
            ("mountpoint /srv/d", Some(1), None),
        ] {
            let words: Vec<&str> = line.split(' ').collect();
            let found = told(&host, DASH, words[0], &words[1..], None).unwrap_or_default();
            let wanted = Told { code, text: text.map(|text| text.as_bytes().to_vec()) };
            assert_eq!(found, wanted, "{line}");
        }
        for line in [
            "readlink -f /srv/dangling",
            "stat -Lc %a /srv/l",
            "ls -l /srv/d",
            "ls /srv/d /srv/f",
            "cat -n /srv/f",
            "cat /dev/zero",
            "getent hosts x",
            "test a -nt b",
            "which -a there",
            "unknown",
        ] {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(told(&host, DASH, words[0], &words[1..], None), None, "{line}");
        }
    }

    #[test]
    fn no_version_is_before_all_others() {
        let host = machine();
        for (how, code) in [
            ("lt", Some(0)),
            ("<=", Some(0)),
            ("ne", Some(0)),
            ("eq", Some(1)),
            ("ge", Some(1)),
            ("lt-nl", Some(1)),
            ("gt-nl", Some(0)),
            ("like", None),
        ] {
            let found = told(&host, DASH, "dpkg", &["--compare-versions", "", how, "1"], None).unwrap();
            assert_eq!((found.code, found.text), (code, Some(Vec::new())), "{how}");
        }
    }
}
