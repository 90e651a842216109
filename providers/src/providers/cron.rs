//! `cron`: an entry of a user's crontab, below a comment with the resource's name.

use super::support::*;
use rchef_change::{Assertion, Change, ChangeError, Command, State, Task, Why};
use rchef_host::error::errno_number;
use rchef_host::{Host, HostError, OverlayHost};
use rchef_recipe::run::chef_error;
use rchef_ruby::{Res, Symbol, Value, Vm};

pub(crate) struct Cron;

/// Variables of an entry that are properties of the resource.
const VARIABLES: [&str; 4] = ["mailto", "path", "shell", "home"];
const NICKNAMES: [&str; 8] = ["reboot", "yearly", "annually", "monthly", "weekly", "daily", "midnight", "hourly"];

/// The five time fields, or a nickname with its `@`.
type Schedule = Vec<String>;

/// What a `cron` resource asks for.
pub(crate) struct Desired {
    create: bool,
    name: String,
    /// The resource's name in messages.
    shown: String,
    user: String,
    /// The entry is not shown.
    sensitive: bool,
    schedule: Schedule,
    /// The command, with `timeout` before it if the resource has that property.
    command: String,
    /// The environment variables by name, with their values as written in the table.
    variables: Vec<(String, String)>,
}

pub(crate) struct Current {
    /// The whole table; None if the user has none.
    table: Option<String>,
    /// Whether the comment with the resource's name exists.
    exists: bool,
    schedule: Schedule,
    /// None if the comment is not followed by a job.
    command: Option<String>,
    variables: Vec<(String, String)>,
}

enum Line<'a> {
    Comment,
    Variable(&'a str, &'a str),
    Job(Schedule, &'a str),
    Other,
}

fn line<'a>(text: &'a str, comment: &str) -> Line<'a> {
    if text == comment {
        return Line::Comment;
    }
    if let Some(end) = text.find(char::is_whitespace).or(Some(text.len()))
        && let Some((name, _)) = text[..end].split_once('=')
        && !name.is_empty()
    {
        return Line::Variable(name, &text[name.len() + 1..]);
    }
    if let Some((nickname, command)) = text.split_once(char::is_whitespace)
        && nickname.strip_prefix('@').is_some_and(|name| NICKNAMES.contains(&name))
    {
        return Line::Job(vec![nickname.into()], command);
    }
    let parts: Vec<&str> = text.splitn(6, char::is_whitespace).collect();
    let [fields @ .., command] = &parts[..] else { return Line::Other };
    let is_number =
        |field: &str| !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit() || b"-*,/".contains(&byte));
    let is_name = |field: &str| field.len() == 3 && field.bytes().all(|byte| byte.is_ascii_alphabetic());
    let fits = |(index, field): (usize, &&str)| is_number(field) || index > 2 && is_name(field);
    if fields.len() == 5 && fields.iter().enumerate().all(fits) {
        return Line::Job(fields.iter().map(|field| (*field).to_string()).collect(), command);
    }
    Line::Other
}

/// The value of a variable without surrounding quotes.
fn unquoted(value: &str) -> String {
    let value = value.strip_prefix('"').unwrap_or(value);
    value.strip_suffix('"').unwrap_or(value).to_string()
}

impl Desired {
    fn comment(&self) -> String {
        format!("# Chef Name: {}", self.name)
    }

    fn crontab(&self, words: &[&str]) -> Command {
        let line = format!("crontab {}", words.join(" "));
        Command { line: Some(line), ..Command::system(["crontab"].iter().chain(words)) }
    }

    /// The lines of the entry.
    fn entry(&self) -> String {
        let mut text = self.comment() + "\n";
        for (name, value) in &self.variables {
            text.push_str(&format!("{name}={value}\n"));
        }
        text + &self.schedule.join(" ") + " " + &self.command + "\n"
    }

    fn differs(&self, current: &Current) -> bool {
        let plain = |pairs: &[(String, String)]| {
            let mut pairs: Vec<(String, String)> =
                pairs.iter().map(|(name, value)| (name.clone(), unquoted(value))).collect();
            pairs.sort();
            pairs
        };
        self.schedule != current.schedule
            || current.command.as_ref() != Some(&self.command)
            || plain(&self.variables) != plain(&current.variables)
    }

    /// The table with the existing entry replaced by this one.
    fn updated(&self, table: &str) -> String {
        let (comment, entry) = (self.comment(), self.entry());
        let (mut text, mut found) = (String::new(), false);
        for whole in table.split_inclusive('\n') {
            let kept = match line(whole.trim_end_matches(['\n', '\r']), &comment) {
                Line::Comment => {
                    found = true;
                    false
                }
                Line::Variable(..) => !found,
                Line::Job(..) if found => {
                    found = false;
                    text.push_str(&entry);
                    false
                }
                Line::Job(..) => true,
                Line::Other => {
                    // there was no job below the comment
                    if std::mem::take(&mut found) {
                        text.push_str(&entry);
                    }
                    true
                }
            };
            if kept {
                text.push_str(whole);
            }
        }
        if found { text + &entry } else { text }
    }

    /// The table without the entry, and whether the table ends before a job follows the comment.
    fn without(&self, table: &str) -> (String, bool) {
        let comment = self.comment();
        let (mut text, mut found) = (String::new(), false);
        for whole in table.split_inclusive('\n') {
            let kept = match line(whole.trim_end_matches(['\n', '\r']), &comment) {
                Line::Comment => {
                    found = true;
                    false
                }
                Line::Variable(..) => !found,
                Line::Job(..) => !std::mem::take(&mut found),
                Line::Other => {
                    found = false;
                    true
                }
            };
            if kept {
                text.push_str(whole);
            }
        }
        (text, found)
    }

    /// A job as a plan and a report show it.
    fn shown_job(&self, schedule: &[String], command: Option<&str>) -> String {
        let command = if self.sensitive { "[sensitive]" } else { command.unwrap_or_default() };
        format!("{} {command}", schedule.join(" "))
    }

    fn write(&self, line: String, why: Why, current: &Current, table: String) -> Change {
        let mut command = self.crontab(&["-u", &self.user, "-"]);
        command.input = Some(table.into_bytes());
        let prefix = format!("Error updating state of {}, error: ", self.name);
        let from = current.exists.then(|| self.shown_job(&current.schedule, current.command.as_deref()));
        let to = self.create.then(|| self.shown_job(&self.schedule, Some(&self.command)));
        let user = Some(self.user.clone());
        let task = Task::new("crontab", &self.name, why, line).with("user", user.clone(), user).with("job", from, to);
        task.run(command).failing_as("Chef::Exceptions::Cron", prefix).into()
    }
}

/// `timeout` with its options as a prefix of the command; empty if the property is not set.
fn time_out(vm: &mut Vm, resource: &Value) -> Res<String> {
    let Value::Hash(hash) = get(vm, resource, "time_out")? else { return Ok(String::new()) };
    let mut options = Vec::new();
    for (key, value) in hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect::<Vec<_>>() {
        options.push((vm.to_s_text(&key)?, vm.to_s_text(&value)?));
    }
    if options.is_empty() {
        return Ok(String::new());
    }
    let option = |name: &str| options.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let mut text = "timeout".to_string();
    for name in ["preserve-status", "foreground"] {
        if option(name).is_some_and(|value| value.eq_ignore_ascii_case("true")) {
            text.push_str(&format!(" --{name}"));
        }
    }
    for name in ["kill-after", "signal"] {
        if let Some(value) = option(name) {
            text.push_str(&format!(" --{name} {value}"));
        }
    }
    Ok(format!("{text} {}; ", option("duration").unwrap_or_default()))
}

/// The variables of the entry: the properties in quotes, then `environment`.
fn variables(vm: &mut Vm, resource: &Value) -> Res<Vec<(String, String)>> {
    let name = text(vm, resource, "name")?;
    let mut found = Vec::new();
    for property in VARIABLES {
        if let Some(value) = text_opt(vm, resource, property)? {
            found.push((property.to_ascii_uppercase(), format!("\"{value}\"")));
        }
    }
    for (key, value) in pairs(vm, resource, "environment")? {
        let (key, value) = (vm.to_s_text(&key)?, vm.to_s_text(&value)?);
        if !VARIABLES.iter().any(|property| property.to_ascii_uppercase() == key) {
            found.push((key, value));
            continue;
        }
        let property = format!("@{}", key.to_ascii_lowercase());
        if vm.ivar_get(resource, Symbol::intern(&property)).is_some_and(|set| set.truthy()) {
            let text = format!(
                "{name}: the '{key}' property is set and environment property also contains the '{key}' variable. Remove the variable from the environment property."
            );
            return Err(chef_error(vm, "Cron", text));
        }
        let text = format!(
            "{name}: the environment property contains the '{key}' variable, which should be set separately as a property."
        );
        log(vm, "warn", &text)?;
        found.push((key, format!("\"{value}\"")));
    }
    Ok(found)
}

impl Provider for Cron {
    type Desired = Desired;
    type Current = Current;
    const ACTIONS: &'static [&'static str] = &["create", "delete"];
    const READS: &'static [&'static str] = &["minute", "hour", "day", "month", "weekday"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let create = action == "create";
        let mut desired = Desired {
            create,
            name: text(vm, resource, "name")?,
            shown: vm.to_s_text(resource)?,
            user: text(vm, resource, "user")?,
            sensitive: get(vm, resource, "sensitive")?.truthy(),
            schedule: Vec::new(),
            command: String::new(),
            variables: Vec::new(),
        };
        if !create {
            return Ok(desired);
        }
        match text_opt(vm, resource, "time")? {
            Some(nickname) => desired.schedule.push(format!("@{nickname}")),
            None => {
                for field in ["minute", "hour", "day", "month", "weekday"] {
                    desired.schedule.push(text(vm, resource, field)?);
                }
            }
        }
        desired.command = time_out(vm, resource)? + &text(vm, resource, "command")?;
        desired.variables = variables(vm, resource)?;
        Ok(desired)
    }

    fn load(desired: &Desired, host: &dyn Host) -> Looked<Current> {
        let mut current =
            Current { table: None, exists: false, schedule: Vec::new(), command: None, variables: Vec::new() };
        if unfit_cron(desired).is_some() {
            return Ok(current);
        }
        let command = Command { returns: vec![0, 1], ..desired.crontab(&["-l", "-u", &desired.user]) };
        let output = command.run(host).map_err(|error| {
            let error = error.to_string();
            let error = error.strip_prefix("exec: ").unwrap_or(&error);
            let text = format!("Error determining state of {}, error: {error}", desired.name);
            ChangeError::raise("Chef::Exceptions::Cron", text)
        })?;
        if !output.status.success() {
            // a plan by a user who may not read the table
            let is_plan = host.as_overlay().is_some_and(OverlayHost::simulates);
            if is_plan && output.stderr.starts_with(b"must be privileged") {
                let errno = errno_number("EPERM").unwrap_or_default();
                return Err(HostError::at(errno, "crontab", desired.user.as_bytes()).into());
            }
            return Ok(current);
        }
        let (table, comment) = (lossy(&output.stdout), desired.comment());
        let mut found = false;
        for text in table.lines() {
            match line(text, &comment) {
                Line::Comment => (found, current.exists) = (true, true),
                Line::Variable(name, value) if found => current.variables.push((name.into(), value.into())),
                Line::Job(schedule, command) if found => {
                    (current.schedule, current.command, found) = (schedule, Some(command.into()), false);
                }
                Line::Other => found = false,
                Line::Variable(..) | Line::Job(..) => {}
            }
        }
        current.table = Some(table);
        Ok(current)
    }

    fn requirements(desired: &Desired, _: &Current, _: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(unfit_cron(desired).into_iter().collect())
    }

    fn plan(desired: &Desired, current: &Current, _: &dyn Host) -> Looked<Vec<Change>> {
        let (shown, table) = (&desired.shown, current.table.as_deref().unwrap_or_default());
        if !desired.create {
            if !current.exists {
                return Ok(Vec::new());
            }
            let (table, is_bare) = desired.without(table);
            let line = if is_bare {
                format!("remove {} from crontab", desired.name)
            } else {
                "save unmodified crontab".to_string()
            };
            return Ok(vec![desired.write(line, Why::Present, current, table)]);
        }
        if !current.exists {
            let line = format!("add crontab entry for {shown}");
            return Ok(vec![desired.write(line, Why::Absent, current, format!("{table}{}", desired.entry()))]);
        }
        if !desired.differs(current) {
            return Ok(Vec::new());
        }
        let line = format!("update crontab entry for {shown}");
        Ok(vec![desired.write(line, Why::Differs, current, desired.updated(table))])
    }

    fn state(desired: &Desired, current: &Current, _host: &dyn Host) -> Vec<(&'static str, State)> {
        vec![("user", State::Text(desired.user.clone())), ("command", State::text(current.command.clone()))]
    }
}

/// Rejects a user name that `crontab` would take for an option, and a resource name that has more than one line.
fn unfit_cron(desired: &Desired) -> Option<Assertion> {
    let class = "Chef::Exceptions::Cron";
    if desired.name.contains(['\n', '\r']) {
        let text = format!("{:?} cannot be the name of a cron entry: it is more than one line", desired.name);
        return Some(Assertion::new(class, text));
    }
    unfit(class, "user", &desired.user)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> &'static str {
        match line(text, "# Chef Name: x") {
            Line::Comment => "comment",
            Line::Variable(..) => "variable",
            Line::Job(..) => "job",
            Line::Other => "other",
        }
    }

    #[test]
    fn lines() {
        for (text, wanted) in [
            ("# Chef Name: x", "comment"),
            ("# Chef Name: y", "other"),
            ("PATH=\"/a b\"", "variable"),
            ("=x", "other"),
            ("@daily a=b", "job"),
            ("@often a", "other"),
            ("*/5 0-3 1,2 jan Mon a b", "job"),
            ("0 0 jan * * a", "other"),
            ("0 0 * * a", "other"),
        ] {
            assert_eq!(kind(text), wanted, "{text}");
        }
    }
}
