//! `git`: a working copy of a repository.
//!
//! Commands run without a shell; a name that git would take for an option is refused.

use super::fetch::without_password;
use super::support::*;
use rchef_change::command::{Identity, duration};
use rchef_change::git::{GitChange, GitStep, remote_command};
use rchef_change::{Account, Assertion, Change, Command, State};
use rchef_host::{Host, compose, files};
use rchef_ruby::{Res, Value, Vm};
use std::cell::OnceCell;

pub(crate) struct Git;

/// What a `git` resource asks for.
pub(crate) struct Desired {
    action: &'static str,
    destination: Vec<u8>,
    repository: String,
    revision: String,
    remote: String,
    checkout_branch: Option<String>,
    depth: Option<i64>,
    checks_out: bool,
    submodules: bool,
    remotes: Vec<(String, String)>,
    user: Option<Account>,
    /// The base of every command: program, user, timeout.
    base: Command,
    ssh_wrapper: Option<String>,
    environment: Vec<(String, Option<String>)>,
    sensitive: bool,
    /// The resource's name in messages, and its name.
    shown: String,
    name: String,
}

pub(crate) struct Current {
    /// The home directory of the user that git runs as; unset if there is no such user.
    home: OnceCell<Vec<u8>>,
    /// The checked-out commit.
    revision: Option<String>,
    /// Whether the destination is a working copy.
    cloned: bool,
    /// Whether the destination is missing or empty, so that git can clone into it.
    free: bool,
    target: Target,
}

/// What the revision resolves to.
#[derive(Default)]
struct Target {
    commit: Option<String>,
    is_tag: bool,
    is_branch: bool,
    /// The output of `ls-remote`.
    output: String,
}

/// The command in the form that Chef passes to a shell, with Chef's quotes around the arguments given by the user.
fn as_line(argv: &[Vec<u8>]) -> String {
    let words: Vec<String> = argv.iter().map(|word| lossy(word)).collect();
    let quoted = match words.iter().find(|word| ["ls-remote", "clone", "config"].contains(&word.as_str())) {
        Some(command) if command == "config" => 1,
        Some(_) => 2,
        None => 0,
    };
    let from = words.len().saturating_sub(quoted);
    let shown = words.iter().enumerate().map(|(at, word)| if at < from { word.clone() } else { format!("\"{word}\"") });
    shown.collect::<Vec<_>>().join(" ")
}

/// Whether a text is a full SHA-1 commit ID.
fn is_commit(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

impl Desired {
    /// A git command, in the working copy if `cwd`.
    fn git(&self, current: &Current, words: &[&str], cwd: bool) -> Command {
        self.command(current.home.get(), words, cwd)
    }

    fn command(&self, home: Option<&Vec<u8>>, words: &[&str], cwd: bool) -> Command {
        let mut command = self.base.clone();
        if let rchef_host::Program::Argv(argv) = &mut command.program {
            argv.extend(words.iter().map(|word| word.as_bytes().to_vec()));
            command.line = Some(as_line(argv));
        }
        if let Some(home) = home {
            command.env.insert(b"HOME".to_vec(), Some(home.clone()));
        }
        if let Some(wrapper) = &self.ssh_wrapper {
            command.env.insert(b"GIT_SSH".to_vec(), Some(wrapper.clone().into_bytes()));
        }
        for (name, value) in &self.environment {
            command.env.insert(name.clone().into_bytes(), value.clone().map(String::into_bytes));
        }
        command.cwd = cwd.then(|| self.destination.clone());
        command
    }

    /// The pattern for `ls-remote`.
    fn pattern(&self) -> String {
        if matches!(self.revision.as_str(), "" | "HEAD") { "HEAD".into() } else { format!("{}*", self.revision) }
    }

    /// The branch to check out.
    fn branch(&self) -> &str {
        self.checkout_branch.as_deref().unwrap_or(&self.revision)
    }

    /// A URL for messages.
    fn url(&self, url: &str) -> String {
        if self.sensitive { "**Suppressed Sensitive URL**".into() } else { without_password(url) }
    }

    /// Rejects names that git would take for options.
    fn unfit(&self) -> Vec<Assertion> {
        let mut names =
            vec![("repository", self.repository.as_str()), ("revision", &self.revision), ("remote", &self.remote)];
        names.extend(self.checkout_branch.as_deref().map(|name| ("branch", name)));
        for (name, url) in &self.remotes {
            names.extend([("remote", name.as_str()), ("repository", url)]);
        }
        let destination = lossy(&self.destination);
        names.push(("working copy", &destination));
        let refused = names.into_iter().filter(|(_, name)| name.starts_with('-') || name.contains(char::is_control));
        refused.filter_map(|(what, name)| unfit("ArgumentError", what, name)).collect()
    }
}

/// Finds the commit of a revision in the output of `ls-remote`: a tag (its peeled commit first), a branch, or another ref.
fn resolve(output: &str, revision: &str, pattern: &str) -> Target {
    let refs: Vec<(&str, &str)> = output.lines().filter_map(|line| line.split_once('\t')).collect();
    let mut target = Target { output: output.to_string(), ..Target::default() };
    let search =
        |name: &str| refs.iter().filter(|(_, found)| *found == name).map(|(commit, _)| *commit).collect::<Vec<_>>();
    let mut find = |suffix: &str| {
        let full = |prefix: &str| {
            if revision.starts_with(prefix) { revision.to_string() } else { format!("{prefix}{revision}") }
        };
        let tags = search(&format!("{}{suffix}", full("refs/tags/")));
        if !tags.is_empty() {
            target.is_tag = true;
            return tags;
        }
        let heads = search(&format!("{}{suffix}", full("refs/heads/")));
        if !heads.is_empty() {
            target.is_branch = true;
            return heads;
        }
        search(&format!("{revision}{suffix}"))
    };
    let mut found = if pattern == "HEAD" { search("HEAD") } else { find("^{}") };
    if found.is_empty() {
        found = find("");
    }
    if let [commit] = found[..] {
        target.commit = Some(commit.to_string());
    }
    target
}

impl Provider for Git {
    type Desired = Desired;
    type Current = Current;
    const ACTIONS: &'static [&'static str] = &["sync", "checkout", "export"];
    const READS: &'static [&'static str] = &["revision"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let mut environment = Vec::new();
        for (name, value) in pairs(vm, resource, "environment")? {
            let value = if value.is_nil() { None } else { Some(vm.to_s_text(&value)?) };
            environment.push((vm.to_s_text(&name)?, value));
        }
        let mut remotes = Vec::new();
        for (name, url) in pairs(vm, resource, "additional_remotes")? {
            remotes.push((vm.to_s_text(&name)?, vm.to_s_text(&url)?));
        }
        let account = |value: &Value, text: Option<String>| match value {
            Value::Int(number) => Some(Account::Id(*number as u32)),
            _ => text.map(Account::Name),
        };
        let (user, user_name) = (get(vm, resource, "user")?, text_opt(vm, resource, "user")?);
        let (group, group_name) = (get(vm, resource, "group")?, text_opt(vm, resource, "group")?);
        let repository = text(vm, resource, "repository")?;
        let mut base = Command::system(["git"]);
        base.user = account(&user, user_name);
        base.group = account(&group, group_name);
        base.identity = Identity::Groups;
        base.timeout = Some(duration(seconds(vm, resource, "timeout")?.unwrap_or(600.0)));
        base.hidden = flag(vm, resource, "sensitive")?;
        let urls = std::iter::once(&repository).chain(remotes.iter().map(|(_, url)| url));
        base.secrets = urls.filter_map(|url| password(url)).collect();
        Ok(Desired {
            action,
            destination: path(vm, resource, "destination")?,
            revision: text(vm, resource, "revision")?,
            remote: text(vm, resource, "remote")?,
            checkout_branch: text_opt(vm, resource, "checkout_branch")?,
            depth: match get(vm, resource, "depth")? {
                Value::Int(depth) => Some(depth),
                _ => None,
            },
            checks_out: flag(vm, resource, "enable_checkout")?,
            submodules: flag(vm, resource, "enable_submodules")?,
            user: base.user.clone(),
            sensitive: base.hidden,
            ssh_wrapper: text_opt(vm, resource, "ssh_wrapper")?,
            shown: vm.to_s_text(resource)?,
            name: text(vm, resource, "name")?,
            environment,
            remotes,
            repository,
            base,
        })
    }

    fn load(desired: &Desired, host: &dyn Host) -> Looked<Current> {
        let destination = &desired.destination[..];
        let mut current = Current {
            home: OnceCell::new(),
            revision: None,
            cloned: compose::exists(host, &files::join(destination, b".git")),
            free: match compose::stat_opt(host, destination)? {
                None => true,
                Some(stat) => stat.is_dir() && host.readdir(destination)?.is_empty(),
            },
            target: Target::default(),
        };
        if let Some(user) = &desired.user {
            let Some(uid) = user.user_id(host)? else { return Ok(current) };
            let home = host.user_by_id(uid)?.map(|user| user.dir).unwrap_or_default();
            let _ = current.home.set(home);
        }
        if !desired.unfit().is_empty() || desired.revision.starts_with("origin/") {
            return Ok(current);
        }
        if current.cloned {
            let mut command = desired.git(&current, &["rev-parse", "HEAD"], true);
            command.returns = vec![0, 128];
            let found = lossy(&command.run(host)?.stdout).trim().to_string();
            current.revision = Some(found).filter(|found| is_commit(found));
        }
        current.target = if is_commit(&desired.revision) {
            Target { commit: Some(desired.revision.clone()), ..Target::default() }
        } else {
            let pattern = desired.pattern();
            let command = desired.git(&current, &["ls-remote", &desired.repository, &pattern], false);
            resolve(&lossy(&command.run(host)?.stdout), &desired.revision, &pattern)
        };
        Ok(current)
    }

    fn requirements(desired: &Desired, current: &Current, host: &dyn Host) -> Looked<Vec<Assertion>> {
        let mut failed = desired.unfit();
        let mut is_known = true;
        if let Some(user) = &desired.user
            && current.home.get().is_none()
        {
            is_known = false;
            let user = user.shown();
            let message = format!("{user} required by resource {} does not exist", desired.name);
            let assume = format!(
                "User {user} does not exist, this run will fail unless it has been previously created. Assuming it would have been created."
            );
            // nothing can be queried as a user that does not exist
            failed.push(Assertion::new("Chef::Exceptions::User", message).assuming(assume).blocking());
        }
        let parent = files::dirname(&desired.destination);
        if desired.action != "export" && !host.stat(parent).is_ok_and(|stat| stat.is_dir()) {
            let (parent, to) = (lossy(parent), lossy(&desired.destination));
            let message =
                format!("Cannot clone {} to {to}, the enclosing directory {parent} does not exist", desired.shown);
            let assume = format!(
                "Directory {parent} does not exist, this run will fail unless it has been previously created. Assuming it would have been created."
            );
            let assertion = Assertion::new("Chef::Exceptions::MissingParentDirectory", message).assuming(assume);
            failed.insert(failed.len() - usize::from(!is_known), assertion);
        }
        if desired.revision.starts_with("origin/") {
            let local = desired.revision.replace("origin/", "");
            let message = format!(
                "Deploying remote branches is not supported. Specify the remote branch as a local branch for the git repository you're deploying from (ie: '{local}' rather than '{}').",
                desired.revision
            );
            failed.push(Assertion::new("Chef::Exceptions::InvalidRemoteGitReference", message));
        } else if is_known && current.target.commit.is_none() {
            let (revision, repository) = (&desired.revision, desired.url(&desired.repository));
            let message = format!(
                "Unable to parse SHA reference for '{revision}' in repository '{repository}'. Verify your (case-sensitive) repository URL and revision.\n`git ls-remote '{repository}' '{}'` output: {}",
                desired.pattern(),
                current.target.output
            );
            failed.push(Assertion::new("Chef::Exceptions::UnresolvableGitReference", message));
        }
        Ok(failed)
    }

    fn plan(desired: &Desired, current: &Current, host: &dyn Host) -> Looked<Vec<Change>> {
        let plan = Plan { desired, current, host, target: current.target.commit.clone().unwrap_or_default() };
        let changes = match desired.action {
            "sync" if current.cloned => plan.update()?,
            "export" => {
                let mut changes = plan.check_out()?;
                if !changes.is_empty() || current.cloned {
                    let own = files::join(&desired.destination, b".git");
                    let text =
                        format!("complete the export by removing {}.git after checkout", lossy(&desired.destination));
                    changes.push(plan.change(text, vec![GitStep::Forget(own)]));
                }
                changes
            }
            _ => plan.check_out()?,
        };
        Ok(changes.into_iter().map(Change::Git).collect())
    }

    fn state(_: &Desired, current: &Current, _host: &dyn Host) -> Vec<(&'static str, State)> {
        current.revision.iter().map(|revision| ("revision", State::Text(revision.clone()))).collect()
    }
}

/// The password in a URL.
fn password(url: &str) -> Option<String> {
    let authority = url.split_once("://")?.1.split('/').next()?;
    Some(authority.rsplit_once('@')?.0.split_once(':')?.1.to_string())
}

struct Plan<'a> {
    desired: &'a Desired,
    current: &'a Current,
    host: &'a dyn Host,
    /// The commit to check out.
    target: String,
}

impl Plan<'_> {
    fn git(&self, words: &[&str]) -> Command {
        self.desired.git(self.current, words, true)
    }
    fn run(&self, words: &[&str]) -> GitStep {
        GitStep::Run(Box::new(self.git(words)))
    }
    fn change(&self, text: String, steps: Vec<GitStep>) -> GitChange {
        let destination = lossy(&self.desired.destination);
        GitChange { destination, words: vec![text], nested: false, revision: None, steps }
    }
    fn with_revision(&self, mut change: GitChange) -> GitChange {
        change.revision = Some((self.current.revision.clone(), self.target.clone()));
        change
    }

    /// Clones into a destination without a working copy.
    fn check_out(&self) -> Looked<Vec<GitChange>> {
        let desired = self.desired;
        if !self.current.free {
            return Ok(Vec::new());
        }
        let to = lossy(&desired.destination);
        let depth = desired.depth.map(|depth| depth.to_string());
        let mut words = vec!["clone"];
        if desired.remote != "origin" {
            words.extend(["-o", &desired.remote]);
        }
        if let Some(depth) = &depth {
            words.extend(["--depth", depth]);
            if self.knows_single_branch()? {
                words.push("--no-single-branch");
            }
        }
        words.extend([desired.repository.as_str(), &to]);
        let clone = GitStep::Run(Box::new(desired.git(self.current, &words, false)));
        let text = format!("clone from {} into {to}", desired.url(&desired.repository));
        let mut changes = vec![self.change(text, vec![clone])];
        if desired.checks_out {
            let text = format!("checkout ref {} branch {}", self.target, desired.revision);
            changes.push(self.with_revision(self.change(text, self.checkout_steps())));
        }
        changes.extend(self.submodules());
        changes.extend(self.remotes(false)?);
        Ok(changes)
    }

    /// Whether git has `--no-single-branch`: since 1.7.10.
    fn knows_single_branch(&self) -> Looked<bool> {
        let output = self.desired.git(self.current, &["--version"], false).run(self.host)?.stdout;
        let output = lossy(&output);
        let version = output.trim().strip_prefix("git version ").unwrap_or_default();
        let numbers: Vec<u32> = version.split('.').map_while(|part| part.parse().ok()).take(3).collect();
        Ok(numbers >= vec![1, 7, 10])
    }

    /// Moves the branch to the target and checks it out.
    fn to_branch(&self) -> Vec<Command> {
        let (branch, target) = (self.desired.branch(), self.target.as_str());
        let mut commands = vec![self.git(&["branch", "-f", branch, target]), self.git(&["checkout", branch])];
        if self.desired.checkout_branch.is_none() {
            let upstream = format!("{}/{branch}", self.desired.remote);
            commands.push(self.git(&["branch", "-u", &upstream]));
        }
        commands
    }

    /// Resets to the target if the branch is checked out, otherwise moves the branch and checks it out.
    fn by_branch(&self) -> GitStep {
        let mut query = self.git(&["rev-parse", "--abbrev-ref", "HEAD"]);
        query.returns = vec![0, 128];
        let on = vec![self.git(&["reset", "--hard", &self.target])];
        GitStep::ByBranch {
            query: Box::new(query),
            branch: self.desired.branch().to_string(),
            on,
            off: self.to_branch(),
        }
    }

    fn checkout_steps(&self) -> Vec<GitStep> {
        if self.desired.checkout_branch.is_some() {
            self.to_branch().into_iter().map(|command| GitStep::Run(Box::new(command))).collect()
        } else if is_commit(&self.desired.revision) || !self.current.target.is_branch {
            vec![self.run(&["checkout", &self.target])]
        } else {
            vec![self.by_branch()]
        }
    }

    /// Updates an existing working copy to the target.
    fn update(&self) -> Looked<Vec<GitChange>> {
        let desired = self.desired;
        let mut changes = Vec::new();
        if self.current.revision.as_deref() != Some(self.target.trim()) {
            let text = format!(
                "set up remote tracking branches for {} at {}",
                desired.url(&desired.repository),
                desired.remote
            );
            changes.push(self.change(text, vec![self.remote(&desired.remote, &desired.repository)]));
            let mut steps =
                vec![self.run(&["fetch", "--prune", &desired.remote]), self.run(&["fetch", &desired.remote, "--tags"])];
            if is_commit(&desired.revision) || self.current.target.is_tag {
                steps.push(self.run(&["reset", "--hard", &self.target]));
            } else {
                steps.push(self.by_branch());
            }
            let text = format!("fetch updates for {}", desired.remote);
            changes.push(self.with_revision(self.change(text, steps)));
            changes.extend(self.submodules());
        }
        changes.extend(self.remotes(true)?);
        Ok(changes)
    }

    fn submodules(&self) -> Option<GitChange> {
        self.desired.submodules.then(|| {
            let steps =
                vec![self.run(&["submodule", "sync"]), self.run(&["submodule", "update", "--init", "--recursive"])];
            self.change(format!("enable git submodules for {}", self.desired.shown), steps)
        })
    }

    fn remote(&self, name: &str, url: &str) -> GitStep {
        let key = format!("remote.{name}.url");
        let mut query = self.git(&["config", "--get", &key]);
        query.returns = vec![0, 1, 2];
        GitStep::Remote {
            query: Box::new(query),
            url: url.to_string(),
            add: Box::new(self.git(&["remote", "add", name, url])),
            replace: Box::new(self.git(&["config", "--replace-all", &key, url])),
        }
    }

    /// The commands for additional remotes; with `there`, only for those that the working copy does not have as given.
    fn remotes(&self, there: bool) -> Looked<Vec<GitChange>> {
        let mut changes = Vec::new();
        for (name, url) in &self.desired.remotes {
            let step = self.remote(name, url);
            if let GitStep::Remote { query, url, add, replace } = &step
                && there
                && remote_command(self.host, query, url, add, replace)?.is_none()
            {
                continue;
            }
            let shown = self.desired.url(url);
            let mut change = self.change(format!("set up remote tracking branches for {shown} at {name}"), vec![step]);
            change.words.push(format!("add remote {name} from {shown}"));
            change.nested = true;
            changes.push(change);
        }
        Ok(changes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFS: &str = "1111\tHEAD\n2222\trefs/heads/main\n3333\trefs/tags/v1\n4444\trefs/tags/v1^{}\n5555\trefs/heads/v1\n6666\trefs/tags/v2\n7777\trefs/heads/x/main\n";

    #[test]
    fn revisions_are_tags_then_branches_then_refs() {
        for (revision, commit, is_tag, is_branch) in [
            ("HEAD", Some("1111"), false, false),
            ("main", Some("2222"), false, true),
            ("refs/heads/main", Some("2222"), false, true),
            ("v1", Some("4444"), true, false),
            ("v2", Some("6666"), true, false),
            ("refs/tags/v2", Some("6666"), true, false),
            ("nope", None, false, false),
        ] {
            let pattern = if revision == "HEAD" { "HEAD".to_string() } else { format!("{revision}*") };
            let found = resolve(REFS, revision, &pattern);
            assert_eq!(
                (found.commit.as_deref(), found.is_tag, found.is_branch),
                (commit, is_tag, is_branch),
                "{revision}"
            );
        }
    }

    #[test]
    fn passwords_are_found() {
        assert_eq!(password("https://u:p@h/x"), Some("p".into()));
        assert_eq!(password("https://u@h/x"), None);
        assert_eq!(password("git@h:x"), None);
    }
}
