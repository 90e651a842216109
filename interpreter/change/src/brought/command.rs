//! What single commands of installation scripts do, and what they tell of the overlay.

use super::{account, unit};
use crate::{Result, lossy};
use rchef_host::compose::{self, Finish};
use rchef_host::processes::USUAL_FOLDERS;
use rchef_host::{Files, OverlayHost, Users, files};

/// What a command has done.
#[derive(Debug, PartialEq)]
pub(super) enum Done {
    /// Nothing but to tell: whether it succeeded, and what it wrote, where these are known.
    Told(Option<bool>, Option<String>),
    /// It has changed what it says.
    Changed,
    /// That is not known, or not all of it.
    NotKnown,
}

/// Programs that with an option make one file, and the file.
const MAKERS: &[(&str, &str, &str)] = &[("rndc-confgen", "-a", "/etc/bind/rndc.key")];

/// Programs and builtins that only steer or ask, and what does what the package database already has.
const HARMLESS: &[&str] = &[
    "awk",
    "cat",
    "cut",
    "date",
    "db_fget",
    "db_fset",
    "db_go",
    "db_input",
    "db_metaget",
    "db_register",
    "db_reset",
    "db_set",
    "db_settitle",
    "db_stop",
    "db_subst",
    "db_title",
    "db_unregister",
    "db_version",
    "dpkg",
    "dpkg-maintscript-helper",
    "dpkg-query",
    "egrep",
    "expr",
    "fgrep",
    "find",
    "getopts",
    "grep",
    "head",
    "hostname",
    "id",
    "logger",
    "ls",
    "md5sum",
    "printf",
    "readlink",
    "realpath",
    "sed",
    "seq",
    "set",
    "sha256sum",
    "sleep",
    "sort",
    "stat",
    "sync",
    "tail",
    "tr",
    "trap",
    "tty",
    "type",
    "ulimit",
    "uname",
    "uniq",
    "wait",
    "wc",
    "xargs",
];

/// Options by which a program of these acts all the same.
fn acts(program: &str, words: &[&str]) -> bool {
    match program {
        "sed" => words.iter().any(|word| word.starts_with("-i") || word.starts_with("--in-place")),
        "find" => words.iter().any(|word| word.starts_with("-exec") || word.starts_with("-ok") || *word == "-delete"),
        "hostname" | "date" => words.iter().any(|word| !word.starts_with(['-', '+'])),
        "sort" => words.iter().any(|word| word.starts_with("-o") || word.starts_with("--output")),
        "dpkg" => !words.first().is_some_and(|word| {
            ["-s", "-l", "-L", "-S", "-V", "--print-architecture"].contains(word)
                || word.starts_with("--compare-versions")
                || word.starts_with("--assert")
                || word.starts_with("--validate")
        }),
        "xargs" => true,
        _ => false,
    }
}

/// Takes a command as run, with those of its words that are known; units that it starts are noted.
pub(super) fn run(overlay: &OverlayHost, program: &str, words: &[Option<String>], started: &mut Vec<String>) -> Done {
    let program = program.rsplit('/').next().unwrap_or_default();
    let known: Vec<&str> = words.iter().flatten().map(String::as_str).collect();
    if let Some(done) = of_units(overlay, program, &known, started) {
        return done;
    }
    let all_known = known.len() == words.len();
    if HARMLESS.contains(&program) {
        return if acts(program, &known) {
            Done::NotKnown
        } else if all_known {
            told(overlay, program, &known)
        } else {
            Done::Told(None, None)
        };
    }
    if !all_known {
        return if is_question(program, &known) { Done::Told(None, None) } else { Done::NotKnown };
    }
    match changes(overlay, program, &known) {
        Ok(Some(true)) => Done::Changed,
        Ok(None) => told(overlay, program, &known),
        Ok(Some(false)) | Err(_) => Done::NotKnown,
    }
}

/// Commands of these programs that only ask.
fn is_question(program: &str, words: &[&str]) -> bool {
    match program {
        "command" => words.first() == Some(&"-v"),
        "dpkg-statoverride" => words.contains(&"--list"),
        "getent" | "which" | "dirname" | "basename" => true,
        _ => false,
    }
}

fn status(holds: bool) -> Done {
    Done::Told(Some(holds), Some(String::new()))
}

fn line(text: Option<Vec<u8>>) -> Done {
    match text {
        Some(text) => Done::Told(Some(true), Some(format!("{}\n", lossy(&text)))),
        None => status(false),
    }
}

/// What a command tells; not known where it is none that only does that.
fn told(overlay: &OverlayHost, program: &str, words: &[&str]) -> Done {
    let user = |name: &str| overlay.user_by_name(name.as_bytes()).ok().flatten();
    let group = |name: &str| overlay.group_by_name(name.as_bytes()).ok().flatten();
    match (program, words) {
        ("true" | "db_stop" | "set" | "trap", _) => status(true),
        ("false", _) => status(false),
        ("command", ["-v", name]) | ("which" | "type", [name]) => {
            line(compose::program(overlay, USUAL_FOLDERS.iter().map(|folder| folder.as_bytes()), name))
        }
        ("getent", ["passwd", name]) => line(user(name).map(|user| user.to_line().trim_ascii_end().to_vec())),
        ("getent", ["group", name]) => line(group(name).map(|group| group.to_line().trim_ascii_end().to_vec())),
        ("id", ["-u", name]) => line(user(name).map(|user| user.uid.to_string().into_bytes())),
        ("id", ["-g", name]) => line(user(name).map(|user| user.gid.to_string().into_bytes())),
        ("id", [name]) if !name.starts_with('-') => Done::Told(Some(user(name).is_some()), None),
        ("dirname", [path]) => line(Some(files::dirname(path.as_bytes()).to_vec())),
        ("basename", [path]) => line(Some(files::basename(path.as_bytes()).to_vec())),
        ("readlink", [path]) => line(overlay.readlink(path.as_bytes()).ok()),
        ("readlink", ["-f" | "-e", path]) | ("realpath", [path]) => line(overlay.realpath(path.as_bytes()).ok()),
        ("stat", ["-c", form, path]) => match (overlay.stat(path.as_bytes()), *form) {
            (Err(_), _) => status(false),
            (Ok(stat), "%U") => line(overlay.user_by_id(stat.uid).ok().flatten().map(|user| user.name)),
            (Ok(stat), "%G") => line(overlay.group_by_id(stat.gid).ok().flatten().map(|group| group.name)),
            (Ok(stat), "%a") => line(Some(format!("{:o}", stat.perm()).into_bytes())),
            _ => Done::Told(None, None),
        },
        ("cat", [path]) if !path.starts_with('-') => match compose::read_file(overlay, path.as_bytes()) {
            Ok(text) => Done::Told(Some(true), String::from_utf8(text).ok()),
            Err(_) => status(false),
        },
        ("ls", ["-A", path]) => match overlay.readdir(path.as_bytes()) {
            Ok(entries) => {
                let mut names: Vec<String> = entries.iter().map(|entry| format!("{}\n", lossy(&entry.name))).collect();
                names.sort();
                Done::Told(Some(true), Some(names.concat()))
            }
            Err(_) => status(false),
        },
        ("printf", [text]) if !text.contains(['%', '\\']) => Done::Told(Some(true), Some((*text).to_string())),
        ("dpkg-statoverride", [.., path]) if words.contains(&"--list") => {
            let overrides = compose::read_file(overlay, b"/var/lib/dpkg/statoverride").unwrap_or_default();
            let overrides = lossy(&overrides);
            line(overrides.lines().find(|row| row.rsplit(' ').next() == Some(path)).map(|row| row.as_bytes().to_vec()))
        }
        // no version is before all others, but for the `-nl` forms, to which it is after them
        ("dpkg", ["--compare-versions", "", how, other]) if !other.is_empty() => {
            let before = !how.ends_with("-nl");
            match how.trim_end_matches("-nl") {
                "lt" | "le" | "<<" | "<=" | "<" => status(before),
                "gt" | "ge" | ">>" | ">=" | ">" => status(!before),
                "eq" | "=" => status(false),
                "ne" => status(true),
                _ => Done::Told(None, None),
            }
        }
        (program, _) if HARMLESS.contains(&program) => Done::Told(None, None),
        _ => Done::NotKnown,
    }
}

/// Commands by which debhelper enables and starts units; absent for all others.
fn of_units(overlay: &OverlayHost, program: &str, words: &[&str], started: &mut Vec<String>) -> Option<Done> {
    let units = || words.iter().filter(|unit| unit.contains('.')).map(|unit| (*unit).to_string());
    let plain: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with('-')).collect();
    match program {
        "deb-systemd-helper" => match plain[..] {
            ["debian-installed" | "was-enabled", unit] => {
                let kept = format!("/var/lib/systemd/deb-systemd-helper-enabled/{unit}.dsh-also");
                // what was there before may have been disabled since
                let is_new = !compose::exists(overlay, kept.as_bytes());
                return Some(Done::Told(is_new.then_some(plain[0] == "was-enabled"), Some(String::new())));
            }
            ["enable", ..] => units().for_each(|name| unit::enable(overlay, &name)),
            _ => return Some(status(true)),
        },
        "deb-systemd-invoke" => started.extend(units()),
        "invoke-rc.d" => {
            if let [unit, action] = plain[..]
                && !words.contains(&"--skip-systemd-native")
                && action.contains("start")
            {
                started.push(unit.into());
            }
        }
        _ => return None,
    }
    Some(Done::Changed)
}

/// Takes what a command changes as changed; whether all of it is known; absent where it is none of those that are known to change something.
fn changes(overlay: &OverlayHost, program: &str, words: &[&str]) -> Result<Option<bool>> {
    let known = match program {
        "systemd-tmpfiles" => {
            let mut known = true;
            for name in words.iter().filter(|word| word.ends_with(".conf")) {
                known &= temporary(overlay, name)?;
            }
            known
        }
        "adduser" | "useradd" | "addgroup" | "groupadd" => {
            account::make(overlay, program, words)?;
            true
        }
        "mkdir" => directories(overlay, words)?,
        "chown" | "chgrp" | "chmod" => access(overlay, program, words)?,
        "dpkg-statoverride" if !words.contains(&"--list") => access(overlay, program, words)?,
        "install" if words.contains(&"-d") || words.contains(&"--directory") => directories(overlay, words)?,
        "install" => install(overlay, words)?,
        "ucf" | "cp" => match words {
            [.., from, to] if to.starts_with('/') && from.starts_with('/') => copy(overlay, from, to)?,
            _ => false,
        },
        "ln" => link(overlay, words)?,
        "touch" => {
            let mut known = true;
            for path in words {
                known &= path.starts_with('/');
                if known && !compose::exists(overlay, path.as_bytes()) {
                    compose::write_file(overlay, path.as_bytes(), b"", 0o644)?;
                }
            }
            known
        }
        "rm" => remove(overlay, words)?,
        _ => {
            let Some((_, _, path)) = MAKERS.iter().find(|(name, flag, _)| *name == program && words.contains(flag))
            else {
                return Ok(None);
            };
            if !compose::exists(overlay, path.as_bytes()) {
                compose::create_dir_all(overlay, files::dirname(path.as_bytes()), 0o755)?;
                compose::write_file(overlay, path.as_bytes(), b"", 0o640)?;
            }
            true
        }
    };
    Ok(Some(known))
}

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

/// What `mkdir` and `install` are told: owner, group and mode, and the words that are no options. Absent where a name is not known.
fn told_access<'a>(overlay: &OverlayHost, words: &[&'a str]) -> Result<Option<(Finish, Vec<&'a str>)>> {
    let (mut user, mut group, mut mode, mut paths) = ("", "", "", Vec::new());
    let mut rest = words.iter().copied();
    while let Some(word) = rest.next() {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value)),
            _ => (word, None),
        };
        let target = match name {
            "-o" | "--owner" => &mut user,
            "-g" | "--group" => &mut group,
            "-m" | "--mode" => &mut mode,
            _ if word.starts_with('-') => continue,
            _ => {
                paths.push(word);
                continue;
            }
        };
        *target = value.or_else(|| rest.next()).unwrap_or_default();
    }
    Ok(access_of(overlay, user, group, mode)?.map(|access| (access, paths)))
}

/// Makes the directories that `mkdir` or `install -d` is told of; whether all of it is known.
fn directories(overlay: &OverlayHost, words: &[&str]) -> Result<bool> {
    let Some((access, paths)) = told_access(overlay, words)? else { return Ok(false) };
    for path in &paths {
        if !path.starts_with('/') {
            return Ok(false);
        }
        compose::create_dir_all(overlay, path.as_bytes(), 0o755)?;
        compose::set_access(overlay, path.as_bytes(), access, true)?;
    }
    Ok(true)
}

/// Puts a file to where `install` is told to.
fn install(overlay: &OverlayHost, words: &[&str]) -> Result<bool> {
    let Some((access, paths)) = told_access(overlay, words)? else { return Ok(false) };
    let [from, to] = paths[..] else { return Ok(false) };
    if !from.starts_with('/') || !to.starts_with('/') || overlay.stat(to.as_bytes()).is_ok_and(|stat| stat.is_dir()) {
        return Ok(false);
    }
    let content = if from == "/dev/null" { Vec::new() } else { compose::read_file(overlay, from.as_bytes())? };
    compose::write_file(overlay, to.as_bytes(), &content, 0o755)?;
    let access = Finish { mode: access.mode.or(Some(0o755)), ..access };
    compose::set_access(overlay, to.as_bytes(), access, true)?;
    Ok(true)
}

/// Gives files the owner, group and mode that `chown`, `chgrp`, `chmod` and `dpkg-statoverride --add` name; whether all of it is known.
fn access(overlay: &OverlayHost, program: &str, words: &[&str]) -> Result<bool> {
    let plain: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with("--")).collect();
    let (user, group, mode, paths) = match (program, &plain[..]) {
        ("dpkg-statoverride", [user, group, mode, path]) if words.contains(&"--add") => {
            (*user, *group, *mode, vec![*path])
        }
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

/// Copies a file to where none is; whether that is known.
fn copy(overlay: &OverlayHost, from: &str, to: &str) -> Result<bool> {
    let Ok(content) = compose::read_file(overlay, from.as_bytes()) else { return Ok(true) };
    if compose::lstat_opt(overlay, to.as_bytes())?.is_none() {
        compose::create_dir_all(overlay, files::dirname(to.as_bytes()), 0o755)?;
        compose::write_file(overlay, to.as_bytes(), &content, 0o644)?;
    }
    Ok(true)
}

/// Makes the symbolic link that `ln -s` is told of.
fn link(overlay: &OverlayHost, words: &[&str]) -> Result<bool> {
    let flags: String = words.iter().filter(|word| word.starts_with('-')).copied().collect();
    let plain: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with('-')).collect();
    let [to, path] = plain[..] else { return Ok(false) };
    if !flags.contains('s') || !path.starts_with('/') || overlay.stat(path.as_bytes()).is_ok_and(|stat| stat.is_dir()) {
        return Ok(false);
    }
    if compose::lstat_opt(overlay, path.as_bytes())?.is_some() {
        if !flags.contains('f') {
            return Ok(true);
        }
        overlay.unlink(path.as_bytes())?;
    }
    overlay.symlink(to.as_bytes(), path.as_bytes())?;
    Ok(true)
}

/// Removes the files that `rm` is told of.
fn remove(overlay: &OverlayHost, words: &[&str]) -> Result<bool> {
    for path in words.iter().filter(|word| !word.starts_with('-')) {
        match compose::lstat_opt(overlay, path.as_bytes())? {
            _ if !path.starts_with('/') => return Ok(false),
            Some(stat) if stat.is_dir() => return Ok(false),
            Some(_) => overlay.unlink(path.as_bytes())?,
            None => {}
        }
    }
    Ok(true)
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
