//! System commands with known effects, which a plan can assume.

use super::OverlayHost;
use super::commands::Answer;
use super::doubt::DoubtKind;
use crate::compose::{read_file, write_file};
use crate::files::{Access, Files};
use crate::options::parsed;
use crate::processes::{CommandSpec, is_of_system};
use crate::queries::{Queries, ServiceState, unit_name};

/// Whether arguments of apt-get only renew the package lists. Options of the configuration may name hooks; those here name files of sources.
fn is_update(words: &[&str]) -> bool {
    let known = "quiet? yes assume-yes allow-releaseinfo-change allow-insecure-repositories option=";
    let Some(given) = parsed("q?yo:", known, false, words) else { return false };
    let mut settings = given.values(&["o", "option"]);
    given.operands == ["update"]
        && settings.all(|setting| {
            ["Acquire::", "APT::Get::", "Dir::Etc::source", "Dpkg::"].iter().any(|kind| setting.starts_with(kind))
        })
}

/// The options of sysctl.
const SYSCTL: (&str, &str) = ("ewqp?", "ignore load? quiet system write");

/// The file of a parameter of the kernel. The first separator of its name tells which one the name has.
fn parameter(key: &str) -> String {
    let has_slashes = key.find(['.', '/']).is_some_and(|at| key[at..].starts_with('/'));
    let swapped = |c: char| match c {
        '.' if !has_slashes => '/',
        '/' if !has_slashes => '.',
        c => c,
    };
    format!("/proc/sys/{}", key.chars().map(swapped).collect::<String>())
}

impl OverlayHost {
    /// Assumes the effects of a command; false if they are unknown.
    pub fn assume_command(&self, spec: &CommandSpec) -> bool {
        let argv: Vec<String> =
            spec.program.to_argv().iter().map(|word| String::from_utf8_lossy(word).into_owned()).collect();
        let words: Vec<&str> = argv.iter().map(String::as_str).collect();
        let Some((program, rest)) = words.split_first() else { return false };
        if !is_of_system(program) {
            return false;
        }
        match program.rsplit('/').next().unwrap_or(program) {
            "systemctl" => self.assume_systemctl(rest),
            "service" => matches!(rest, [name, verb] if self.assume_unit_verb(verb, name)),
            "sysctl" => self.assume_sysctl(rest),
            "crontab" => self.assume_crontab(rest, spec.input.as_deref()),
            "mount" => self.assume_mount_command(rest),
            "umount" => self.assume_umount(rest),
            "modprobe" => self.assume_module(rest),
            "timedatectl" => self.assume_zone(rest),
            "apt-get" | "apt" => {
                let updates = is_update(rest);
                if updates {
                    self.assume_update_stamps();
                    self.doubt(DoubtKind::Lists, &spec.display());
                }
                updates
            }
            // a cache of apt's
            "apt-cache" => *rest == ["gencaches"],
            program if program.starts_with("a2") => self.assume_apache(program, rest),
            "true" | ":" | "sync" | "ldconfig" | "sleep" | "echo" | "restorecon" => true,
            _ => false,
        }
    }

    /// Whether a command certainly fails: it sets a parameter of the kernel that is read-only here, as in a container.
    pub fn is_refused(&self, spec: &CommandSpec) -> bool {
        let argv: Vec<String> =
            spec.program.to_argv().iter().map(|word| String::from_utf8_lossy(word).into_owned()).collect();
        let words: Vec<&str> = argv.iter().map(String::as_str).collect();
        let Some((program, rest)) = words.split_first() else { return false };
        if !is_of_system(program) || program.rsplit('/').next() != Some("sysctl") {
            return false;
        }
        let Some(given) = parsed(SYSCTL.0, SYSCTL.1, false, rest) else { return false };
        let mut keys = given.operands.iter().filter_map(|setting| setting.split_once('=')).map(|(key, _)| key);
        !given.has(&["p", "load", "system"])
            && keys.any(|key| {
                let found = self.machine().access(parameter(key).as_bytes(), Access::WRITE, true);
                found.is_err_and(|error| error.name() == Some("EROFS"))
            })
    }

    /// Creates the files that apt's configuration touches after an update (`APT::Update::Post-Invoke-Success`).
    fn assume_update_stamps(&self) {
        const FOLDER: &str = "/etc/apt/apt.conf.d";
        let touch = || {
            for entry in self.readdir(FOLDER.as_bytes()).unwrap_or_default() {
                let path = crate::files::join(FOLDER.as_bytes(), &entry.name);
                let text = String::from_utf8_lossy(&read_file(self, &path).unwrap_or_default()).into_owned();
                let Some((_, told)) = text.split_once("APT::Update::Post-Invoke-Success") else { continue };
                let stamp = told.split_once("touch ").and_then(|(_, rest)| rest.split([' ', '"', ';']).next());
                if let Some(stamp) = stamp.filter(|stamp| stamp.starts_with('/'))
                    && Files::lstat(self, stamp.as_bytes()).is_err()
                {
                    let _ = write_file(self, stamp.as_bytes(), b"", 0o644);
                }
            }
        };
        self.quietly(|| self.with_all_rights(touch));
    }

    fn assume_systemctl(&self, words: &[&str]) -> bool {
        const LONG: &str = "force full no-ask-password no-block no-legend no-pager no-reload now quiet system wait";
        let Some(given) = parsed("fql", LONG, false, words) else { return false };
        let [verb, units @ ..] = &given.operands[..] else { return false };
        match *verb {
            "daemon-reload" | "reset-failed" => true,
            _ if units.is_empty() => false,
            "enable" | "disable" if given.has(&["now"]) => units.iter().all(|unit| {
                self.assume_unit_verb(verb, unit)
                    && self.assume_unit_verb(if *verb == "enable" { "start" } else { "stop" }, unit)
            }),
            verb => units.iter().all(|unit| self.assume_unit_verb(verb, unit)),
        }
    }

    /// Assumes the effect of a systemctl verb on a unit; false for an unknown verb.
    pub fn assume_unit_verb(&self, verb: &str, unit: &str) -> bool {
        let assumed = self.services.borrow().get(&unit_name(unit)).cloned();
        let mut state: ServiceState = match assumed {
            Some(state) => state,
            None if self.systemd_running() => {
                self.services(&[unit]).unwrap_or_default().remove(unit).unwrap_or_default()
            }
            None => ServiceState::default(),
        };
        match verb {
            "start" | "restart" | "reload" | "reload-or-restart" | "try-restart" | "reload-or-try-restart" => {
                let conditional = matches!(verb, "reload" | "try-restart" | "reload-or-try-restart");
                if state.active != "active" && !conditional {
                    self.assume_started(unit, &state.fragment);
                }
                if !conditional || state.active == "active" {
                    (state.active, state.sub) = ("active".into(), "running".into());
                }
            }
            "stop" => (state.active, state.sub) = ("inactive".into(), "dead".into()),
            "enable" | "reenable" if matches!(state.unit_file.as_str(), "static" | "indirect") => {}
            "enable" | "reenable" => {
                state.unit_file = "enabled".into();
                self.assume_links(unit, &mut state, true);
            }
            "disable" if matches!(state.unit_file.as_str(), "static" | "indirect") => {}
            "disable" => {
                state.unit_file = "disabled".into();
                self.assume_links(unit, &mut state, false);
            }
            "unmask" => state.unit_file = "disabled".into(),
            "mask" => (state.unit_file, state.load) = ("masked".into(), "masked".into()),
            _ => return false,
        }
        self.assume_service(unit, state);
        true
    }

    fn assume_sysctl(&self, words: &[&str]) -> bool {
        let Some(given) = parsed(SYSCTL.0, SYSCTL.1, false, words) else { return false };
        let reads_files = given.has(&["p", "load", "system"]);
        if given.operands.is_empty() || reads_files {
            // the resource that writes the files sets their parameters as well
            return reads_files;
        }
        for setting in given.operands {
            let Some((key, value)) = setting.split_once('=') else { return false };
            for line in [format!("sysctl -n -e {key}"), format!("sysctl -n {key}")] {
                self.assume_answer(line.as_bytes(), Answer::output(format!("{value}\n")), false);
            }
        }
        true
    }

    fn assume_crontab(&self, words: &[&str], input: Option<&[u8]>) -> bool {
        let given = parsed("u:", "", false, words).filter(|given| given.operands == ["-"]);
        let user = given.and_then(|given| given.value(&["u"]));
        let (Some(user), Some(table)) = (user, input) else { return false };
        for line in [format!("crontab -l -u {user}"), format!("crontab -u {user} -l")] {
            self.assume_answer(line.as_bytes(), Answer::output(table), false);
        }
        true
    }

    fn assume_mount_command(&self, words: &[&str]) -> bool {
        let Some(given) = parsed("t:o:", "types= options=", false, words) else { return false };
        let kind = given.value(&["t", "types"]).unwrap_or("auto");
        let options = given.value(&["o", "options"]).unwrap_or("rw");
        match given.operands[..] {
            [point] | [_, point] if options.split(',').any(|option| option == "remount") => {
                Files::stat(self, point.as_bytes()).is_ok()
            }
            [device, point] => self.assume_mount(device, point, kind, options),
            _ => false,
        }
    }

    /// Assumes that a file system is mounted, by changing the kernel's tables.
    pub fn assume_mount(&self, device: &str, point: &str, kind: &str, options: &str) -> bool {
        let escaped = |text: &str| text.replace('\\', "\\134").replace(' ', "\\040");
        let (device, point) = (escaped(device), escaped(point));
        let mut done = true;
        for (table, line) in [
            ("/proc/mounts", format!("{device} {point} {kind} {options} 0 0\n")),
            ("/proc/self/mounts", format!("{device} {point} {kind} {options} 0 0\n")),
            ("/proc/self/mountinfo", format!("0 0 0:0 / {point} {options} - {kind} {device} {options}\n")),
        ] {
            done &= self.edit_table(table, |text| text + &line);
        }
        done
    }

    fn assume_umount(&self, words: &[&str]) -> bool {
        let Some(given) = parsed("flqv", "force lazy quiet verbose", false, words) else { return false };
        let [point] = given.operands[..] else { return false };
        let field = |line: &str, at: usize| line.split(' ').nth(at) == Some(point);
        let mut done = true;
        for (table, at) in [("/proc/mounts", 1), ("/proc/self/mounts", 1), ("/proc/self/mountinfo", 4)] {
            done &= self.edit_table(table, |text| {
                let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
                if let Some(last) = lines.iter().rposition(|line| field(line, at)) {
                    lines.remove(last);
                }
                lines.concat()
            });
        }
        done
    }

    fn assume_module(&self, words: &[&str]) -> bool {
        let Some(given) = parsed("qrv", "quiet remove verbose", false, words) else { return false };
        let removes = given.has(&["r", "remove"]);
        // parameters of the module may follow its name
        let Some(module) = given.operands.first() else { return false };
        let name = module.replace('-', "_");
        self.edit_table("/proc/modules", |text| {
            let is_it = |line: &&str| line.split(' ').next() == Some(name.as_str());
            if removes {
                return text.split_inclusive('\n').filter(|line| !is_it(line)).collect();
            }
            if text.lines().any(|line| is_it(&line)) { text } else { format!("{name} 16384 0 - Live 0x0\n{text}") }
        })
    }

    fn assume_zone(&self, words: &[&str]) -> bool {
        let Some(given) = parsed("", "no-ask-password", false, words) else { return false };
        let ["set-timezone", zone] = given.operands[..] else { return false };
        let answer = Answer::output(format!("                Time zone: {zone} (as planned)\n"));
        self.assume_answer(b"timedatectl status", answer.clone(), false);
        self.assume_answer(b"/usr/bin/timedatectl status", answer, false);
        true
    }

    /// Changes a kernel table in the overlay.
    fn edit_table(&self, path: &str, edit: impl FnOnce(String) -> String) -> bool {
        let write = || {
            let text = read_file(self, path.as_bytes()).unwrap_or_default();
            write_file(self, path.as_bytes(), edit(String::from_utf8_lossy(&text).into_owned()).as_bytes(), 0o444)
        };
        self.quietly(|| self.with_all_rights(write)).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_parameters() {
        for (key, path) in [
            ("net.ipv4.ip_forward", "/proc/sys/net/ipv4/ip_forward"),
            ("net/ipv4/conf/eth0.1/forwarding", "/proc/sys/net/ipv4/conf/eth0.1/forwarding"),
            ("net.ipv4.conf.eth0/1.forwarding", "/proc/sys/net/ipv4/conf/eth0.1/forwarding"),
        ] {
            assert_eq!(parameter(key), path);
        }
    }

    #[test]
    fn what_only_renews_package_lists() {
        for (words, only) in [
            (&["update"][..], true),
            (&["-qq", "update"], true),
            (&["update", "-o", "Dir::Etc::sourcelist=/etc/apt/sources.list.d/x.list"], true),
            (&["-o", "APT::Update::Pre-Invoke::=touch /x", "update"], false),
            (&["upgrade"], false),
            (&["update", "x"], false),
            (&["-s", "update"], false),
        ] {
            assert_eq!(is_update(words), only, "{words:?}");
        }
    }
}
