//! `subversion`: a working copy or an export of a repository.
//!
//! svn(1) runs without a shell; passwords are masked in the output.

use super::support::*;
use rchef_change::command::Identity;
use rchef_change::{Account, Assertion, Change, ChangeError, Command, State, Task, Why};
use rchef_host::{Host, compose, files};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct Subversion;

/// What a `subversion` resource asks for.
pub(crate) struct Desired {
    action: &'static str,
    destination: String,
    repository: String,
    revision: String,
    /// The base of every command: program, user, timeout.
    base: Command,
    arguments: Vec<String>,
    info_arguments: Vec<String>,
    login: Vec<String>,
    /// The resource's name in messages.
    shown: String,
}

pub(crate) struct Current {
    /// The revision of the working copy.
    revision: Option<String>,
    is_copy: bool,
    /// Whether the destination is missing or empty.
    is_free: bool,
}

/// A property with command-line options, split into words.
fn words(vm: &mut Vm, resource: &Value, name: &'static str) -> Res<Vec<String>> {
    let line = text(vm, resource, name)?;
    crate::coerce::shell_words(&line).ok_or_else(|| vm.argument_error(format!("Unmatched quote: {line:?}")))
}

fn unparsed(text: &str) -> ChangeError {
    ChangeError::raise("RuntimeError", format!("Could not parse `svn info` data: {text}"))
}

/// Whether two revisions are the same, also if one has leading zeros.
fn is_same(a: &str, b: &str) -> bool {
    a == b || a.parse::<u64>().is_ok_and(|number| b.parse() == Ok(number))
}

impl Desired {
    fn svn(&self, words: &[&[String]], cwd: Option<&str>) -> Command {
        let mut command = self.base.clone();
        if let rchef_host::Program::Argv(argv) = &mut command.program {
            argv.extend(words.iter().copied().flatten().map(|word| word.clone().into_bytes()));
        }
        command.cwd = cwd.map(|cwd| cwd.as_bytes().to_vec());
        command
    }

    /// A command on a revision that changes something.
    fn at(&self, verb: &[&str], revision: &str, places: &[&str]) -> Command {
        let texts = |words: &[&str]| words.iter().map(|word| (*word).to_string()).collect::<Vec<_>>();
        let quiet = texts(&["-q"]);
        let revision = vec![format!("-r{revision}")];
        self.svn(&[&texts(verb), &self.arguments, &quiet, &self.login, &revision, &texts(places)], None)
    }

    /// The revision in the output of `svn info`, and the whole output.
    fn told(command: &Command, host: &dyn Host) -> Looked<(Option<String>, String)> {
        let command = Command { returns: vec![0, 1], ..command.clone() };
        let output = command.run(host)?;
        let text = lossy(&output.stdout);
        let attributes: Vec<(&str, &str)> = text.lines().filter_map(|line| line.split_once(": ")).collect();
        if attributes.is_empty() {
            // svn's message about the failure is on standard error
            return Err(unparsed(format!("{text}{}", lossy(&output.stderr)).trim_end()));
        }
        let value =
            |name: &str| attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| value.trim().to_string());
        let revision = value("Last Changed Rev").or_else(|| value("Revision"));
        Ok((revision, text))
    }

    /// The number of the wanted revision; a name such as HEAD is looked up in the repository.
    fn wanted(&self, host: &dyn Host) -> Looked<String> {
        if !self.revision.is_empty() && self.revision.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(self.revision.clone());
        }
        let (info, revision) = (["info".to_string(), self.repository.clone()], [format!("-r{}", self.revision)]);
        let command = self.svn(&[&info, &self.info_arguments, &self.login, &revision], None);
        let (revision, text) = Self::told(&command, host)?;
        revision.ok_or_else(|| unparsed(&text))
    }

    fn checkout(&self, current: &Current, host: &dyn Host) -> Looked<Vec<Change>> {
        if !current.is_free {
            return Ok(Vec::new());
        }
        let wanted = self.wanted(host)?;
        let line = format!("perform checkout of {} into {}", self.repository, self.destination);
        let task = Task::new("subversion", &self.destination, Why::Absent, line);
        let task = task.with("revision", None, Some(wanted.clone()));
        Ok(vec![task.run(self.at(&["checkout"], &wanted, &[&self.repository, &self.destination])).into()])
    }
}

impl Provider for Subversion {
    type Desired = Desired;
    type Current = Current;
    const ACTIONS: &'static [&'static str] = &["sync", "checkout", "export", "force_export"];
    const READS: &'static [&'static str] = &["svn_arguments", "revision", "svn_info_args"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let user = text_opt(vm, resource, "user")?.map(|user| Account::of_text(&user));
        let mut env = std::collections::BTreeMap::new();
        for (name, value) in pairs(vm, resource, "environment")? {
            let value = if value.is_nil() { None } else { Some(bytes(vm, &value)?) };
            env.insert(bytes(vm, &name)?, value);
        }
        let login = match text_opt(vm, resource, "svn_username")? {
            Some(name) => {
                let password = text(vm, resource, "svn_password")?;
                vec!["--username".into(), name, "--password".into(), password]
            }
            None => Vec::new(),
        };
        let program = text_opt(vm, resource, "svn_binary")?.unwrap_or_else(|| "svn".into());
        let base = Command {
            group: text_opt(vm, resource, "group")?.map(|group| Account::of_text(&group)),
            identity: if user.is_some() { Identity::Groups } else { Identity::Number },
            user,
            env,
            secrets: login.get(3).cloned().into_iter().collect(),
            ..Command::system([program.as_str(), "--non-interactive"])
        };
        Ok(Desired {
            action,
            destination: text(vm, resource, "destination")?,
            repository: text(vm, resource, "repository")?,
            revision: text(vm, resource, "revision")?,
            base: base.within(seconds(vm, resource, "timeout")?),
            arguments: words(vm, resource, "svn_arguments")?,
            info_arguments: words(vm, resource, "svn_info_args")?,
            login,
            shown: vm.to_s_text(resource)?,
        })
    }

    fn load(desired: &Desired, host: &dyn Host) -> Looked<Current> {
        let place = desired.destination.as_bytes();
        let is_copy = compose::exists(host, &files::join(place, b".svn"));
        let is_free = match host.readdir(place) {
            Ok(entries) => entries.is_empty(),
            Err(_) => !compose::exists(host, place),
        };
        let mut current = Current { revision: None, is_copy, is_free };
        if is_copy && !desired.action.ends_with("export") {
            let command = desired.svn(&[&["info".to_string()]], Some(&desired.destination));
            current.revision = Desired::told(&command, host)?.0;
        }
        Ok(current)
    }

    fn requirements(desired: &Desired, _: &Current, host: &dyn Host) -> Looked<Vec<Assertion>> {
        let given = [
            ("repository", &desired.repository),
            ("revision", &desired.revision),
            ("working copy", &desired.destination),
        ];
        let login = desired.login.iter().skip(1).step_by(2).map(|word| ("name", word));
        if let Some(failed) = given.into_iter().chain(login).find_map(|(what, word)| unfit("ArgumentError", what, word))
        {
            return Ok(vec![failed]);
        }
        let parent = lossy(files::dirname(desired.destination.as_bytes()));
        if host.stat(parent.as_bytes()).is_ok_and(|stat| stat.is_dir()) {
            return Ok(Vec::new());
        }
        let text = format!(
            "Cannot clone {} to {}, the enclosing directory {parent} does not exist",
            desired.shown, desired.destination
        );
        let failed = Assertion::new("Chef::Exceptions::MissingParentDirectory", text);
        Ok(vec![failed.assuming(format!("Directory {parent} does not exist, assuming it would have been created"))])
    }

    fn plan(desired: &Desired, current: &Current, host: &dyn Host) -> Looked<Vec<Change>> {
        let (repository, place) = (&desired.repository, &desired.destination);
        match desired.action {
            "checkout" => desired.checkout(current, host),
            "sync" if !current.is_copy => desired.checkout(current, host),
            "sync" => {
                let wanted = desired.wanted(host)?;
                if current.revision.as_deref().is_some_and(|found| is_same(found, &wanted)) {
                    return Ok(Vec::new());
                }
                let task = Task::new("subversion", place, Why::Differs, format!("sync {place} from {repository}"));
                let task = task.with("revision", current.revision.clone(), Some(wanted.clone()));
                Ok(vec![task.run(desired.at(&["update"], &wanted, &[place])).into()])
            }
            "export" if !current.is_free => Ok(Vec::new()),
            _ => {
                let wanted = desired.wanted(host)?;
                let task = Task::new("subversion", place, Why::Asked, format!("export {repository} into {place}"));
                Ok(vec![task.run(desired.at(&["export", "--force"], &wanted, &[repository, place])).into()])
            }
        }
    }

    fn state(desired: &Desired, current: &Current, _host: &dyn Host) -> Vec<(&'static str, State)> {
        vec![
            ("destination", State::Text(desired.destination.clone())),
            ("revision", State::text(current.revision.clone())),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::is_same;

    #[test]
    fn revisions() {
        for (a, b, same) in
            [("12", "12", true), ("012", "12", true), ("12", "13", false), ("r1", "r2", false), ("", "x", false)]
        {
            assert_eq!(is_same(a, b), same, "{a} {b}");
        }
    }
}
