//! Formats changes as Chef prints them.

use crate::access::AccessChange;
use crate::diff;
use crate::engine::EngineStep;
use crate::file::kind_name;
use crate::group::Members;
use crate::package::PackageVerb;
use crate::{Account, Change, Extract, GroupChange, PackageChange, UserChange, WriteFile, lossy};
use rchef_host::Host;

/// A line of output about a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line with a dash ("Would" before it in a why-run).
    Step(String),
    /// A line that belongs to the previous step, such as a line of a diff.
    Detail(String),
}

/// The lines of one event.
pub type Update = Vec<Line>;

/// Formats changes.
pub struct Renderer<'a> {
    /// The source of clock, time zone and process ID for diff headers.
    pub host: &'a dyn Host,
    /// Whether this is a why-run; what Chef does not show in a why-run is left out.
    pub why_run: bool,
    /// The limits for diffs.
    pub limits: diff::Limits,
}

fn step(text: impl Into<String>) -> Vec<Update> {
    vec![vec![Line::Step(text.into())]]
}

fn steps(texts: Vec<String>) -> Vec<Update> {
    vec![texts.into_iter().map(Line::Step).collect()]
}

impl Renderer<'_> {
    /// The events for a change, in Chef's order.
    pub fn updates(&self, change: &Change) -> Vec<Update> {
        match change {
            Change::WriteFile(write) => self.write_file(write),
            Change::TouchFile(touch) => step(format!("update utime on file {}", lossy(&touch.path))),
            Change::Unlink(unlink) => step(format!("unlink {} at {}", kind_name(unlink.kind), lossy(&unlink.path))),
            Change::DeleteFile(delete) => step(format!("delete file {}", lossy(&delete.path))),
            Change::SetAccess(set) => access(&set.access),
            Change::MakeDirectory(make) => {
                let mut updates = step(format!("create new directory {}", lossy(&make.path)));
                updates.extend(access(&make.access));
                updates
            }
            Change::RemoveDirectory(remove) => step(format!("delete existing directory {}", lossy(&remove.path))),
            Change::MakeLink(make) => {
                let kind = if make.symbolic { "symlink" } else { "hard link" };
                step(format!("create {kind} at {} to {}", lossy(&make.path), lossy(&make.to)))
            }
            Change::RemoveLink(remove) => {
                let text =
                    if remove.replaced { "unlink existing symlink to file at" } else { "delete link to file at" };
                step(format!("{text} {}", lossy(&remove.path)))
            }
            Change::Run(run) if run.command.hidden => step("execute sensitive resource"),
            Change::Run(run) => step(format!("execute {}", run.shown)),
            Change::Packages(packages) => steps(package_lines(packages)),
            Change::Service(service) => step(format!("{} service {}", service.verb, service.shown)),
            Change::User(user) => steps(user_lines(user)),
            Change::Group(group) => steps(group_lines(group)),
            Change::Extract(change) => extract(change),
            Change::Gem(gem) => step(&gem.words),
            Change::Git(git) => {
                let reached = usize::from(git.nested && self.why_run);
                git.words.iter().skip(reached).flat_map(step).collect()
            }
            Change::Remember(_) => Vec::new(),
            Change::Task(task) => steps(task.lines.clone()),
            Change::Engine(engine) => engine_updates(engine),
        }
    }

    /// A why-run does not show the content of a new file.
    fn write_file(&self, write: &WriteFile) -> Vec<Update> {
        let path = lossy(&write.path);
        let is_new = write.replaces.is_none();
        let mut updates = Vec::new();
        if is_new {
            updates.extend(step(format!("create new file {path}")));
        }
        if let Some(content) = &write.content
            && !(is_new && self.why_run)
        {
            let from = write.old_checksum().map_or("none".to_string(), crate::file::short);
            let to = crate::file::short(content.checksum());
            let mut update = vec![Line::Step(format!("update content in file {path} from {from} to {to}"))];
            if write.sensitive {
                update.push(Line::Step("suppressed sensitive resource".into()));
            } else {
                update.extend(diff::lines(self.host, write, &self.limits).into_iter().map(Line::Detail));
            }
            updates.push(update);
        }
        updates.extend(access(&write.access));
        updates
    }
}

/// Mode, owner and group form one event.
fn access(change: &AccessChange) -> Vec<Update> {
    let mut lines = Vec::new();
    if let Some((from, to)) = change.mode {
        let from = from.map_or(String::new(), |mode| format!("0{mode:o}"));
        lines.push(format!("change mode from '{from}' to '0{to:o}'"));
    }
    for (noun, ownership) in [("owner", &change.owner), ("group", &change.group)] {
        if let Some(ownership) = ownership {
            lines.push(format!("change {noun} from '{}' to '{}'", ownership.from, ownership.to.shown()));
        }
    }
    if lines.is_empty() { Vec::new() } else { steps(lines) }
}

fn package_lines(change: &PackageChange) -> Vec<String> {
    let version = change.version.as_ref().map_or(String::new(), |version| format!("version {version} of "));
    let shown = &change.shown;
    match change.verb {
        PackageVerb::Install => {
            let to = |item: &crate::PackageItem| item.to.clone().unwrap_or_default();
            change.items.iter().map(|item| format!("install version {} of package {}", to(item), item.name)).collect()
        }
        PackageVerb::Upgrade => change
            .items
            .iter()
            .map(|item| {
                let from = item.from.as_deref().unwrap_or("uninstalled");
                let to = item.to.as_deref().unwrap_or_default();
                let how = if change.may_downgrade { "(allow_downgrade)" } else { "" };
                format!("upgrade{how} package {} from {from} to {to}", item.name)
            })
            .collect(),
        // the double space of a purge is Chef's
        PackageVerb::Purge => vec![format!("purge {} package {shown}", version.trim_end())],
        verb => vec![format!("{} {version}package {shown}", verb.as_str())],
    }
}

fn user_lines(change: &UserChange) -> Vec<String> {
    let name = &change.name;
    let head = match change.verb {
        "lock" => format!("lock the user {name}"),
        verb => format!("{verb} user {name}"),
    };
    let differences = if change.verb == "create" { &[][..] } else { &change.differences };
    let details = differences.iter().map(|difference| match difference.name {
        "home" => format!("change homedir from {} to {}", difference.from, difference.to),
        "password" if change.sensitive => "change password from ******** to ********".to_string(),
        other => format!("change {other} from {} to {}", difference.from, difference.to),
    });
    std::iter::once(head).chain(details).collect()
}

fn group_lines(change: &GroupChange) -> Vec<String> {
    let mut lines = vec![format!("{} group {}", change.verb, change.name)];
    if matches!(change.verb, "create" | "remove") {
        return lines;
    }
    if let Some((from, to)) = &change.gid {
        let from = from.map_or(String::new(), |gid| gid.to_string());
        lines.push(format!("change gid {from} to {to}"));
    }
    match &change.members {
        Members::Change { add, remove } => {
            if !add.is_empty() {
                lines.push(format!("add missing member(s): {}", add.join(", ")));
            }
            if !remove.is_empty() {
                lines.push(format!("remove existing member(s): {}", remove.join(", ")));
            }
        }
        members @ Members::Exactly { to, .. } => {
            if members.differ() {
                lines.push(format!("replace group members with new list of members: {}", to.join(", ")));
            }
        }
    }
    lines
}

fn extract(change: &Extract) -> Vec<Update> {
    let to = lossy(&change.destination);
    let mut updates = Vec::new();
    if change.makes_destination.is_some() {
        updates.extend(step(format!("create directory {to}")));
    }
    if change.unpacks {
        updates.extend(step(format!("extract {} to {to}", lossy(&change.archive))));
    }
    if let Some((user, group)) = &change.owner {
        let shown = |account: &Option<Account>| account.as_ref().map(Account::shown).unwrap_or_default();
        updates.extend(step(format!("set owner of files extracted in {to} to {}:{}", shown(user), shown(group))));
    }
    updates
}

fn engine_updates(change: &EngineStep) -> Vec<Update> {
    match change {
        EngineStep::RubyBlock { name, safe: false } => step(format!("execute the ruby block {name}")),
        EngineStep::RubyBlock { name, safe: true } => step(format!("execute the whyrun_safe_ruby_block {name}")),
        EngineStep::Request { words, .. } | EngineStep::Gem { words, .. } => step(words),
        EngineStep::Own { text, .. } => step(text),
        // an update without text
        EngineStep::Log { counts: true, .. } | EngineStep::Notify => vec![Vec::new()],
        EngineStep::Log { .. } | EngineStep::Handler { .. } => Vec::new(),
    }
}
