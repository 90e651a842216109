//! What single commands of installation scripts do, and what they tell of the overlay.
//!
//! A command states the options that it understands; with any other one it is not known what it does.

mod access;
mod alternatives;
mod files;
mod temporary;

pub(super) use access::{id, named};

use super::done::Done;
use super::{account, unit};
use crate::Result;
use crate::shell::{Told, base, compared, is_of_system, looks::command_looks, told};
use rchef_host::compose::{self, Finish};
use rchef_host::processes::USUAL_FOLDERS;
use rchef_host::{OverlayHost, Queries};

/// Programs that with an option as their only word make one file that nobody but its owner reads, and the file.
const MAKERS: &[(&str, &str, &str)] = &[("rndc-confgen", "-a", "/etc/bind/rndc.key")];

/// Programs that change nothing, whatever they are told.
const TELL: &[&str] = &[
    "[",
    "aa-enabled",
    "arch",
    "basename",
    "cat",
    "cksum",
    "cmp",
    "cut",
    "dirname",
    "dpkg-query",
    "echo",
    "egrep",
    "expr",
    "false",
    "fgrep",
    "getent",
    "getopt",
    "grep",
    "groups",
    "head",
    "id",
    "ischroot",
    "locale",
    "logger",
    "ls",
    "md5sum",
    "nproc",
    "pidof",
    "printenv",
    "ps",
    "pwd",
    "readlink",
    "realpath",
    "seq",
    "sha1sum",
    "sha256sum",
    "sleep",
    "stat",
    "sync",
    "tail",
    "test",
    "tr",
    "true",
    "tty",
    "type",
    "ulimit",
    "uname",
    "wait",
    "wc",
    "which",
    "whoami",
];

/// Programs that helpers of packages write: they bring caches, indexes, links of init and the kernel up to date, which no resource manages.
const UPDATE: &[&str] = &[
    "apparmor_parser",
    "depmod",
    "dpkg-trigger",
    "fc-cache",
    "glib-compile-schemas",
    "gtk-update-icon-cache",
    "install-info",
    "ldconfig",
    "py3clean",
    "py3compile",
    "pypy3compile",
    "ucfr",
    "udevadm",
    "update-catalog",
    "update-desktop-database",
    "update-icon-caches",
    "update-initramfs",
    "update-menus",
    "update-mime",
    "update-mime-database",
    "update-rc.d",
    "update-xmlcatalog",
];

/// Takes a command as run, with those of its words that are known. `known` has them where all are, and none of them may be several; units that it starts
/// are noted.
pub(super) fn run(
    overlay: &OverlayHost,
    program: &str,
    words: &[Option<String>],
    known: Option<&[&str]>,
    started: &mut Vec<String>,
) -> Done {
    if UPDATE.contains(&base(program)) && (is_of_system(program) || program.starts_with("/usr/lib/")) {
        return Done::Told(Told { code: Some(0), text: None });
    }
    if !is_of_system(program) {
        return Done::NotKnown;
    }
    let program = base(program);
    let first = words.first().cloned().flatten().unwrap_or_default();
    let asks = match program {
        "command" => first == "-v",
        "dpkg" => OF_DPKG.contains(&first.as_str()),
        "dpkg-statoverride" => first == "--list",
        program => TELL.contains(&program),
    };
    let Some(known) = known else {
        return if asks || names_files(overlay, program, words) { Done::something() } else { Done::NotKnown };
    };
    if let Some(done) = of_units(overlay, program, known, started).or_else(|| of_packages(overlay, program, known)) {
        return done;
    }
    if let Some(told) = told(overlay, USUAL_FOLDERS.join(":").as_bytes(), program, known) {
        return Done::Told(told);
    }
    let whole: Vec<&str> = [program].iter().chain(known).copied().collect();
    match changes(overlay, program, known) {
        Ok(Some(done)) => done,
        Ok(None) if asks || command_looks(overlay, &whole) || only_asks(program, known) => Done::something(),
        Ok(None) | Err(_) => Done::NotKnown,
    }
}

/// Whether a command with words that are not known only asks, where these are files: behind `--` they are no options.
fn names_files(overlay: &OverlayHost, program: &str, words: &[Option<String>]) -> bool {
    let are_operands = words.iter().position(|word| word.as_deref() == Some("--"));
    if are_operands.is_none_or(|at| words[..at].contains(&None)) {
        return false;
    }
    let words: Vec<&str> = words.iter().map(|word| word.as_deref().unwrap_or("/x")).collect();
    let whole: Vec<&str> = [program].iter().chain(&words).copied().collect();
    match program {
        "diff" | "sed" | "sort" => command_looks(overlay, &whole),
        _ => false,
    }
}

/// Verbs of dpkg that only ask.
const OF_DPKG: &[&str] = &["-s", "-l", "-L", "-S", "-V", "--compare-versions", "--print-architecture"];

/// Commands that only ask and are not run by a plan, for what they would read or take.
fn only_asks(program: &str, words: &[&str]) -> bool {
    const FIND: &[&str] = &[
        "-name",
        "-iname",
        "-type",
        "-maxdepth",
        "-mindepth",
        "-user",
        "-group",
        "-perm",
        "-path",
        "-prune",
        "-print",
        "-print0",
        "-xdev",
        "-mount",
        "-empty",
        "-size",
        "-mtime",
        "-uid",
        "-gid",
        "-nouser",
        "-nogroup",
        "-not",
        "-o",
        "-a",
        "-links",
        "-depth",
        "-quit",
        "-printf",
    ];
    match program {
        "find" => words.iter().all(|word| !word.starts_with('-') || FIND.contains(word)),
        "dpkg" => words.first().is_some_and(|word| {
            OF_DPKG.contains(word) || word.starts_with("--assert-") || word.starts_with("--validate-")
        }),
        _ => false,
    }
}

/// Commands by which debhelper enables and starts units; absent for all others.
fn of_units(overlay: &OverlayHost, program: &str, words: &[&str], started: &mut Vec<String>) -> Option<Done> {
    let plain: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with('-')).collect();
    match program {
        // a user's units are no matter of the system's
        "deb-systemd-helper" | "deb-systemd-invoke" if words.contains(&"--user") => Some(Done::status(0)),
        "deb-systemd-helper" => match plain[..] {
            ["debian-installed" | "was-enabled", unit] => {
                let kept = format!("/var/lib/systemd/deb-systemd-helper-enabled/{unit}.dsh-also");
                // what was there before may have been disabled since
                let is_new = !compose::exists(overlay, kept.as_bytes());
                let code = is_new.then_some(i32::from(plain[0] != "was-enabled"));
                Some(Done::Told(Told { code, text: Some(Vec::new()) }))
            }
            ["enable", ref units @ ..] if !units.iter().all(|name| unit::is_there(overlay, name)) => {
                Some(Done::NotKnown)
            }
            ["enable", ref units @ ..] => {
                units.iter().for_each(|name| unit::enable(overlay, name));
                Some(Done::Changed)
            }
            ["unmask" | "update-state", ..] => Some(Done::status(0)),
            _ => Some(Done::NotKnown),
        },
        "deb-systemd-invoke" => match plain[..] {
            ["start" | "restart", ref units @ ..] => {
                started.extend(units.iter().map(|unit| (*unit).to_string()));
                Some(Done::Changed)
            }
            ["stop", ref units @ ..] => {
                if overlay.systemd_running() && unit::may_start(overlay) {
                    for name in units {
                        overlay.assume_unit_verb("stop", name);
                    }
                }
                Some(Done::Changed)
            }
            ["daemon-reload", ..] => Some(Done::status(0)),
            _ => Some(Done::NotKnown),
        },
        "invoke-rc.d" => match plain[..] {
            [_, _, ..] if words.contains(&"--skip-systemd-native") => Some(Done::status(0)),
            [unit, "start" | "restart" | "force-restart"] => {
                started.push(unit.into());
                Some(Done::Changed)
            }
            [_, "reload" | "force-reload"] => Some(Done::Changed),
            [_, "status"] => Some(Done::something()),
            _ => Some(Done::NotKnown),
        },
        "systemctl" if plain == ["daemon-reload"] => Some(Done::status(0)),
        _ => None,
    }
}

/// Commands of dpkg for scripts; absent for all others.
fn of_packages(overlay: &OverlayHost, program: &str, words: &[&str]) -> Option<Done> {
    if program != "dpkg-maintscript-helper" {
        return None;
    }
    Some(match words {
        ["supports", "rm_conffile" | "mv_conffile" | "symlink_to_dir" | "dir_to_symlink"] => Done::status(0),
        ["supports", ..] => Done::something(),
        [_, rest @ ..] => {
            let at = rest.iter().position(|word| *word == "--").unwrap_or(rest.len());
            let old = rest.get(at + 2).copied().unwrap_or_default();
            let prior = match (words[0], &rest[..at]) {
                ("rm_conffile", [_, prior, ..])
                | ("mv_conffile" | "symlink_to_dir" | "dir_to_symlink", [_, _, prior, ..]) => *prior,
                _ => "",
            };
            // it acts where a version was there that is not later; in a new package it has nothing to do
            if old.is_empty() || !prior.is_empty() && compared(overlay, old, "le-nl", prior) == Some(false) {
                Done::status(0)
            } else {
                Done::NotKnown
            }
        }
        [] => Done::NotKnown,
    })
}

/// Takes what a command changes as changed; absent where it is none of those that are known to change something.
fn changes(overlay: &OverlayHost, program: &str, words: &[&str]) -> Result<Option<Done>> {
    Ok(Some(match program {
        "systemd-tmpfiles" => temporary::make(overlay, words)?,
        "systemd-sysusers" => account::of_files(overlay, words)?,
        "adduser" | "useradd" | "addgroup" | "groupadd" => account::make(overlay, program, words)?,
        "mkdir" => files::directories(overlay, words)?,
        "chown" | "chgrp" | "chmod" => access::change(overlay, program, words)?,
        "dpkg-statoverride" => access::overridden(overlay, words)?,
        "install" => files::install(overlay, words)?,
        "cp" => files::copy(overlay, words)?,
        "ucf" => files::configuration(overlay, words)?,
        "ln" => files::link(overlay, words)?,
        "touch" => files::touch(overlay, words)?,
        "rm" => files::remove(overlay, words)?,
        _ if program.starts_with("a2") && overlay.assume_apache(program, words) => Done::Changed,
        "update-alternatives" if words.first() == Some(&"--install") => alternatives::install(overlay, words)?,
        _ => {
            let maker = MAKERS.iter().find(|(name, flag, _)| *name == program && words == [*flag]);
            let Some((_, _, path)) = maker else { return Ok(None) };
            compose::create_dir_all(overlay, rchef_host::files::dirname(path.as_bytes()), 0o755)?;
            compose::write_file(overlay, path.as_bytes(), b"?", 0o600)?;
            compose::set_access(overlay, path.as_bytes(), Finish { mode: Some(0o600), ..Finish::default() }, true)?;
            overlay.forget_content(path.as_bytes());
            Done::Changed
        }
    }))
}
