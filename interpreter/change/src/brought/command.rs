//! Simulates single commands of maintainer scripts on the overlay.
//!
//! Each command lists the options that it supports; the effect of any other option is unknown.

mod access;
mod alternatives;
mod files;
mod temporary;

pub(super) use access::{id, named};

use super::done::Done;
use super::{account, unit};
use crate::shell::looks::{command_looks, only_tells};
use crate::shell::{Asker, Told, base, compared, is_builtin, is_of_system, told};
use crate::{Result, lossy};
use rchef_host::compose::{self, Finish};
use rchef_host::options::parsed;
use rchef_host::{CommandSpec, OverlayHost, Queries};

/// Programs that with one flag generate a secret file, and the file.
const MAKERS: &[(&str, &str, &str)] = &[("rndc-confgen", "-a", "/etc/bind/rndc.key")];

/// Programs that change nothing, in addition to those of `looks.rs`. A plan does not run them, because of what they would read.
const TELL: &[&str] = &[
    "[",
    "aa-enabled",
    "cat",
    "cksum",
    "cmp",
    "cut",
    "dpkg-query",
    "egrep",
    "fgrep",
    "getent",
    "getopt",
    "grep",
    "head",
    "ischroot",
    "logger",
    "ls",
    "md5sum",
    "seq",
    "sha1sum",
    "sha256sum",
    "sleep",
    "sync",
    "tail",
    "test",
    "tty",
    "ulimit",
    "wait",
    "wc",
];

/// Programs of [`changes`].
const CHANGE: &[&str] = &[
    "a2disconf",
    "a2dismod",
    "a2dissite",
    "a2enconf",
    "a2enmod",
    "a2ensite",
    "addgroup",
    "adduser",
    "chgrp",
    "chmod",
    "chown",
    "cp",
    "groupadd",
    "install",
    "ln",
    "mkdir",
    "rm",
    "systemd-sysusers",
    "systemd-tmpfiles",
    "touch",
    "ucf",
    "update-alternatives",
    "useradd",
];

/// Programs of [`of_system`].
const OF_SYSTEM: &[&str] = &["modprobe", "mount", "sysctl", "systemctl", "umount"];

/// Whether a command of a recipe can be simulated, by its name: it is one that changes something or only tells.
pub(super) fn is_simulated(name: &str) -> bool {
    const OF_SHELLS: &[&str] = &[
        ":", "[", "break", "continue", "echo", "exit", "export", "false", "printf", "test", "true", "type", "command",
    ];
    let is_program = is_of_system(name) && [TELL, CHANGE, OF_SYSTEM].iter().any(|names| names.contains(&base(name)))
        || only_tells(base(name));
    OF_SHELLS.contains(&name) || is_program && !is_builtin(name)
}

/// Programs that update caches, indexes, init links and the like, which no resource manages.
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

/// A command of a script.
pub(super) struct Invocation<'a> {
    pub(super) program: &'a str,
    /// Its arguments, with None for unknown ones.
    pub(super) words: &'a [Option<String>],
    /// All arguments, if each is known and is exactly one word.
    pub(super) known: Option<&'a [&'a str]>,
    pub(super) asker: Asker<'a>,
    /// What a pipe brings to its standard input.
    pub(super) input: Option<&'a [u8]>,
}

impl Invocation<'_> {
    /// The path of the program, or the name of a builtin; None if there is none.
    fn found(&self, overlay: &OverlayHost) -> Option<String> {
        match self.program {
            name if self.asker.has_builtin(name) => Some(name.to_string()),
            name if name.contains('/') => {
                Some(name.to_string()).filter(|file| compose::exists(overlay, file.as_bytes()))
            }
            name => {
                compose::program(overlay, self.asker.path.split(|byte| *byte == b':'), name).map(|file| lossy(&file))
            }
        }
    }
}

/// The result of a command that must not change anything.
pub(super) fn tell(overlay: &OverlayHost, invocation: &Invocation<'_>) -> Done {
    let Some(program) = invocation.found(overlay) else { return Done::status(127) };
    let known = invocation.known.filter(|_| is_of_system(&program));
    let found = known.and_then(|words| told(overlay, invocation.asker, base(&program), words, invocation.input));
    found.map_or(Done::NotKnown, Done::Told)
}

/// Simulates a command. Units that it starts are added to `started`.
pub(super) fn run(overlay: &OverlayHost, invocation: &Invocation<'_>, started: &mut Vec<String>) -> Done {
    let Some(found) = invocation.found(overlay) else { return Done::status(127) };
    let (program, words) = (found.as_str(), invocation.words);
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
        program => TELL.contains(&program) || only_tells(program),
    };
    let Some(known) = invocation.known else {
        return if asks || names_files(overlay, program, words) { Done::something() } else { Done::NotKnown };
    };
    if let Some(done) = of_units(overlay, program, known, started).or_else(|| of_packages(overlay, program, known)) {
        return done;
    }
    if let Some(told) = told(overlay, invocation.asker, program, known, invocation.input) {
        return Done::Told(told);
    }
    let whole: Vec<&str> = [program].iter().chain(known).copied().collect();
    match changes(overlay, program, known) {
        Ok(Some(done)) => done,
        // whether these succeed is up to the kernel and to systemd
        Ok(None) if of_system(overlay, program, known) => Done::something(),
        Ok(None) if asks || command_looks(overlay, &whole) || only_asks(program, known) => Done::something(),
        Ok(None) | Err(_) => Done::NotKnown,
    }
}

/// Whether a command with unknown arguments changes nothing provided that these are files; after `--` they cannot be options.
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

/// Actions of dpkg that change nothing.
const OF_DPKG: &[&str] = &["-s", "-l", "-L", "-S", "-V", "--compare-versions", "--print-architecture"];

/// Commands that change nothing, but that a plan does not run because of what they read or how long they take.
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

/// Commands of debhelper that enable and start units; None for other commands.
fn of_units(overlay: &OverlayHost, program: &str, words: &[&str], started: &mut Vec<String>) -> Option<Done> {
    let known = match program {
        "deb-systemd-helper" => "quiet user system",
        "deb-systemd-invoke" => "quiet user system no-dbus",
        "invoke-rc.d" => "quiet force try-anyway disclose-deny no-fallback skip-systemd-native",
        "systemctl" => "quiet system no-reload",
        _ => return None,
    };
    let Some(given) = parsed("", known, false, words) else {
        return (program != "systemctl").then_some(Done::NotKnown);
    };
    let plain = &given.operands;
    match program {
        // user units are not system units
        "deb-systemd-helper" | "deb-systemd-invoke" if given.has(&["user"]) => Some(Done::status(0)),
        "deb-systemd-helper" => match plain[..] {
            ["debian-installed" | "was-enabled", unit] => {
                let kept = format!("/var/lib/systemd/deb-systemd-helper-enabled/{unit}.dsh-also");
                // the administrator may have disabled a unit of an older version
                let is_new = !compose::exists(overlay, kept.as_bytes());
                let code = is_new.then_some(i32::from(plain[0] != "was-enabled"));
                Some(Done::Told(Told { code, text: Some(Vec::new()) }))
            }
            ["enable", unit] if !unit::is_there(overlay, unit) => Some(Done::status(1)),
            ["enable", ref units @ ..] if !units.iter().all(|name| unit::is_there(overlay, name)) => {
                Some(Done::NotKnown)
            }
            ["enable", ref units @ ..] => {
                units.iter().for_each(|name| unit::enable(overlay, name));
                // of an instance it makes the links and fails
                let has_instance = units.iter().any(|name| name.contains('@') && !name.contains("@."));
                Some(if has_instance { Done::NotKnown } else { Done::Changed })
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
            [_, _, ..] if given.has(&["skip-systemd-native"]) => Some(Done::status(0)),
            [unit, "start" | "restart" | "force-restart"] => {
                started.push(unit.into());
                Some(Done::Changed)
            }
            [_, "reload" | "force-reload"] => Some(Done::Changed),
            [_, "status"] => Some(Done::something()),
            _ => Some(Done::NotKnown),
        },
        "systemctl" if plain[..] == ["daemon-reload"] => Some(Done::status(0)),
        _ => None,
    }
}

/// `dpkg-maintscript-helper`; None for other commands.
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
            // it acts when upgrading from `prior` or older, and does nothing on a new installation
            if old.is_empty() || !prior.is_empty() && compared(overlay, old, "le-nl", prior) == Some(false) {
                Done::status(0)
            } else {
                Done::NotKnown
            }
        }
        [] => Done::NotKnown,
    })
}

/// Simulates a command of the kernel or of systemd as for recipes.
fn of_system(overlay: &OverlayHost, program: &str, words: &[&str]) -> bool {
    let are_there = || {
        let names = words.iter().filter(|word| !word.starts_with('-')).skip(1);
        names.into_iter().all(|name| unit::is_there(overlay, name))
    };
    let is_known = OF_SYSTEM.contains(&program) && (program != "systemctl" || are_there());
    let words = [program].into_iter().chain(words.iter().copied());
    is_known && overlay.assume_command(&CommandSpec::argv(words))
}

/// Simulates a command that changes the machine; None for commands that are not listed here.
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

/// Programs that scripts in tests use.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    const OTHERS: &str = "a2query arch basename db_get deb-systemd-helper deb-systemd-invoke diff dirname dpkg dpkg-maintscript-helper dpkg-statoverride \
        expr find groups id invoke-rc.d locale nproc pidof printenv ps readlink realpath sed sort stat systemctl tee tr uname which whoami xargs";
    TELL.iter().chain(CHANGE).chain(UPDATE).copied().chain(OTHERS.split_whitespace())
}
