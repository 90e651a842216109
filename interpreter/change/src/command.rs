//! Commands: those of recipes, and those that make other changes.

use crate::access::unknown;
use crate::{ChangeError, CommandFailure, Description, Result, Why, lossy};
use rchef_host::error::errno_number;
use rchef_host::overlay::Answer;
use rchef_host::processes::{USUAL_FOLDERS, needs_shell, note_ended};
use rchef_host::queries::Topic;
use rchef_host::{
    CommandEvent, CommandOutput, CommandSpec, DoubtKind, ExitStatus, Files, Flow, Host, HostError, OverlayHost,
    Processes, Program, compose, files, users,
};
use std::collections::BTreeMap;
use std::time::Duration;

/// The replacement for a secret.
const MASK: &str = "********";

/// A user or group by name or ID. A name of digits is a name here; see [`Account::of_text`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Account {
    Id(u32),
    Name(String),
}

impl Account {
    /// Parses a text; digits mean an ID, as in commands.
    pub fn of_text(text: &str) -> Account {
        text.parse().map_or_else(|_| Account::Name(text.to_string()), Account::Id)
    }
    pub fn shown(&self) -> String {
        match self {
            Account::Id(id) => id.to_string(),
            Account::Name(name) => name.clone(),
        }
    }
    /// The user's ID; None if there is no such user.
    ///
    /// # Errors
    /// The look-up fails.
    pub fn user_id(&self, host: &dyn Host) -> Result<Option<u32>> {
        match self {
            Account::Id(id) => Ok(Some(*id)),
            Account::Name(name) => Ok(host.user_by_name(name.as_bytes())?.map(|found| found.uid)),
        }
    }
    /// The group's ID; None if there is no such group.
    ///
    /// # Errors
    /// The look-up fails.
    pub fn group_id(&self, host: &dyn Host) -> Result<Option<u32>> {
        match self {
            Account::Id(id) => Ok(Some(*id)),
            Account::Name(name) => Ok(host.group_by_name(name.as_bytes())?.map(|found| found.gid)),
        }
    }
}

/// Which attributes of its user a command gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Identity {
    /// Only the user's ID.
    #[default]
    Number,
    Groups,
    /// The groups, the environment of a login, and the home directory as working directory unless another is given.
    Login,
}

/// A command as data. User names are looked up when it runs.
#[derive(Clone, Debug)]
pub struct Command {
    pub program: Program,
    pub cwd: Option<Vec<u8>>,
    /// Changes to the environment; `None` removes a variable.
    pub env: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    /// Set the locale and PATH that Chef gives to its providers' commands.
    pub default_env: bool,
    pub user: Option<Account>,
    pub group: Option<Account>,
    pub identity: Identity,
    pub umask: Option<u32>,
    pub timeout: Option<Duration>,
    pub input: Option<Vec<u8>>,
    /// Exit codes that count as success.
    pub returns: Vec<i64>,
    /// Wait only for the command's own exit, even if a process that it started keeps the output open.
    pub until_exit: bool,
    /// Texts to mask in messages.
    pub secrets: Vec<String>,
    /// Show nothing of the command in messages.
    pub hidden: bool,
    /// The line to show in messages, for a program that Chef runs in a shell but this does not.
    pub line: Option<String>,
}

impl Command {
    fn new(program: Program) -> Command {
        Command {
            program,
            cwd: None,
            env: BTreeMap::new(),
            default_env: false,
            user: None,
            group: None,
            identity: Identity::Number,
            umask: None,
            timeout: None,
            input: None,
            returns: vec![0],
            until_exit: true,
            secrets: Vec::new(),
            hidden: false,
            line: None,
        }
    }
    /// A program with its arguments.
    pub fn argv<T: Into<Vec<u8>>>(words: impl IntoIterator<Item = T>) -> Command {
        Command::new(Program::Argv(words.into_iter().map(Into::into).collect()))
    }
    /// A program with its arguments, in the environment of Chef's own commands.
    pub fn system<T: AsRef<str>>(words: impl IntoIterator<Item = T>) -> Command {
        let words = words.into_iter().map(|word| word.as_ref().as_bytes().to_vec());
        Command { default_env: true, ..Command::argv::<Vec<u8>>(words) }
    }
    pub fn line(line: impl Into<Vec<u8>>) -> Command {
        Command::new(Program::Line(line.into()))
    }
    /// Sets the timeout; none if None.
    pub fn within(mut self, seconds: Option<f64>) -> Command {
        self.timeout = seconds.map(duration);
        self
    }
    /// Accepts any exit code.
    pub fn with_any_status(mut self) -> Command {
        self.returns = (0..256).collect();
        self
    }
    /// Sets an environment variable.
    pub fn with_env(mut self, name: &str, value: &str) -> Command {
        self.env.insert(name.into(), Some(value.into()));
        self
    }

    /// Whether this is one of its arguments.
    pub fn has_word(&self, word: &str) -> bool {
        self.program.to_argv().iter().any(|found| found == word.as_bytes())
    }

    /// The command as `Mixlib::ShellOut` shows it: a line, or the inspected Array. Secrets are masked.
    pub fn shown(&self) -> String {
        if self.hidden {
            return "(sensitive command)".into();
        }
        if let Some(line) = &self.line {
            return self.masked(line.as_bytes());
        }
        match &self.program {
            Program::Argv(argv) if argv.len() != 1 => {
                let words: Vec<String> = argv.iter().map(|word| format!("{:?}", self.masked(word))).collect();
                format!("[{}]", words.join(", "))
            }
            Program::Argv(argv) => self.masked(&argv.concat()),
            Program::Line(line) | Program::Shell(line) => self.masked(line),
        }
    }

    fn masked(&self, text: &[u8]) -> String {
        let secrets = self.secrets.iter().filter(|secret| !secret.is_empty());
        secrets.fold(lossy(text), |text, secret| text.replace(secret, MASK))
    }

    /// The command for the host, with its output captured.
    ///
    /// # Errors
    /// The user or group does not exist (`ArgumentError`), or the look-up fails.
    pub fn spec(&self, host: &dyn Host) -> Result<CommandSpec> {
        let mut spec = CommandSpec::new(self.program.clone()).captured();
        spec.cwd.clone_from(&self.cwd);
        spec.env = self.env.clone().into_iter().collect();
        spec.umask = self.umask;
        spec.timeout = self.timeout;
        spec.input.clone_from(&self.input);
        spec.until_exit = self.until_exit;
        if let Some(user) = &self.user {
            spec.uid = Some(user.user_id(host)?.ok_or_else(|| unknown(user, true))?);
        }
        if let Some(group) = &self.group {
            spec.gid = Some(group.group_id(host)?.ok_or_else(|| unknown(group, false))?);
        }
        if self.identity != Identity::Number {
            self.take_identity(host, &mut spec)?;
        }
        if self.default_env {
            default_env(host, &mut spec);
        }
        Ok(spec)
    }

    fn take_identity(&self, host: &dyn Host, spec: &mut CommandSpec) -> Result<()> {
        let Some(uid) = spec.uid else { return Ok(()) };
        let Some(user) = host.user_by_id(uid)? else { return Ok(()) };
        spec.gid = Some(spec.gid.unwrap_or(user.gid));
        spec.groups = Some(users::group_ids(host, &user)?);
        if self.identity != Identity::Login {
            return Ok(());
        }
        let folders = USUAL_FOLDERS.iter().filter(|folder| uid == 0 || !folder.ends_with("sbin"));
        let path = folders.copied().collect::<Vec<_>>().join(":");
        for (name, value) in [
            ("USER", &user.name[..]),
            ("LOGNAME", &user.name),
            ("HOME", &user.dir),
            ("SHELL", &user.shell),
            ("PATH", path.as_bytes()),
        ] {
            spec.env.entry(name.into()).or_insert(Some(value.to_vec()));
        }
        spec.cwd.get_or_insert(user.dir);
        Ok(())
    }

    /// Runs the command and accepts any exit status; `output` gets its output as it arrives.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn query_streaming(&self, host: &dyn Host, output: &mut dyn FnMut(&[u8])) -> Result<CommandOutput> {
        let spec = match self.spec(host) {
            Err(ChangeError::Raise { class: class @ "ArgumentError", message }) => {
                return Ok(not_started(&format!("{message} ({class})"), output));
            }
            spec => spec?,
        };
        let started = host.monotonic_ns();
        let ended = host.run(&spec, &mut |event| {
            match event {
                CommandEvent::Stdout(bytes) | CommandEvent::Stderr(bytes) => output(bytes),
                CommandEvent::Interrupted if host.stop_asked() => return Flow::Kill,
                CommandEvent::Interrupted | CommandEvent::Started(_) => {}
            }
            Flow::Continue
        });
        let ended = match ended {
            Err(error) => match obstacle(&error, &spec) {
                Some(text) => not_started(&text, output),
                None => return Err(error.into()),
            },
            Ok(ended) => ended,
        };
        note_ended(host, &|| self.shown(), started, &ended);
        Ok(ended)
    }
    /// Runs the command and accepts any exit status.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn query(&self, host: &dyn Host) -> Result<CommandOutput> {
        self.query_streaming(host, &mut |_| {})
    }
    /// Runs the command; an exit code that is not in [`Command::returns`] is an error.
    ///
    /// # Errors
    /// It cannot be started, fails, or exceeds its timeout.
    pub fn run(&self, host: &dyn Host) -> Result<CommandOutput> {
        self.run_streaming(host, &mut |_| {})
    }
    /// Like [`Command::run`]; `output` gets the output as it arrives.
    ///
    /// # Errors
    /// As [`Command::run`].
    pub fn run_streaming(&self, host: &dyn Host, output: &mut dyn FnMut(&[u8])) -> Result<CommandOutput> {
        let ended = self.query_streaming(host, output)?;
        match self.failure(&ended) {
            Some(failure) => Err(ChangeError::Command(Box::new(failure))),
            None => Ok(ended),
        }
    }

    /// The failure that an exit code means, without output; None for success.
    pub(crate) fn failure_of(&self, code: i32) -> Option<ChangeError> {
        let status = ExitStatus::exited(0, code);
        let output = CommandOutput { status, stdout: Vec::new(), stderr: Vec::new(), timed_out: false, killed: false };
        self.failure(&output).map(|failure| ChangeError::Command(Box::new(failure)))
    }

    /// The failure that an exit status means; None for success.
    pub(crate) fn failure(&self, output: &CommandOutput) -> Option<CommandFailure> {
        let code = output.status.code().map(i64::from);
        if !output.timed_out && code.is_some_and(|code| self.returns.contains(&code)) {
            return None;
        }
        Some(CommandFailure {
            command: self.shown(),
            code,
            expected: self.returns.clone(),
            stdout: if self.hidden { String::new() } else { self.masked(&output.stdout) },
            stderr: if self.hidden { String::new() } else { self.masked(&output.stderr) },
            timed_out: self.timeout.filter(|_| output.timed_out),
            hidden: self.hidden,
        })
    }
}

/// What kept a command's process from reaching its program: its working directory, or the change of its user. The rest is an error of the program.
fn obstacle(error: &HostError, spec: &CommandSpec) -> Option<String> {
    let name = error.name()?;
    if error.op == "chdir" {
        let path = lossy(error.path.as_deref().unwrap_or_default());
        return Some(format!("{} @ dir_s_chdir - {path} (Errno::{name})", error.message()));
    }
    let changes_user = spec.uid.is_some() || spec.gid.is_some();
    (name == "EPERM" && changes_user).then(|| format!("{} (Errno::{name})", error.message()))
}

/// The output of a command that was not started: in Chef its process has forked already, so it says why and ends with status 1.
fn not_started(text: &str, output: &mut dyn FnMut(&[u8])) -> CommandOutput {
    let stderr = format!("{text}\n").into_bytes();
    output(&stderr);
    CommandOutput { status: ExitStatus::exited(0, 1), stdout: Vec::new(), stderr, timed_out: false, killed: false }
}

/// Seconds as a Duration.
pub fn duration(seconds: f64) -> Duration {
    Duration::from_secs_f64(if seconds.is_nan() { 0.0 } else { seconds.clamp(0.0, 1e9) })
}

/// A PATH with the standard directories added.
pub fn with_usual_folders(path: &[u8]) -> Vec<u8> {
    let mut folders: Vec<&[u8]> = path.split(|byte| *byte == b':').filter(|folder| !folder.is_empty()).collect();
    for folder in USUAL_FOLDERS {
        if !folders.contains(&folder.as_bytes()) {
            folders.push(folder.as_bytes());
        }
    }
    folders.join(&b':')
}

/// Sets a UTF-8 locale, and a PATH with the system's directories.
fn default_env(host: &dyn Host, spec: &mut CommandSpec) {
    let path = with_usual_folders(&host.env(b"PATH").unwrap_or_default());
    let locale = b"C.UTF-8".to_vec();
    for (name, value) in [("LC_ALL", locale.clone()), ("LANG", locale.clone()), ("LANGUAGE", locale), ("PATH", path)] {
        spec.env.entry(name.into()).or_insert(Some(value));
    }
}

/// Discards cached answers of package and service managers, because a command may have changed them.
pub fn forget_answers(host: &dyn Host) {
    forget_installed(host);
    host.invalidate(Topic::Candidates);
}

/// Discards the cached states of installed packages and services, because packages have changed. Candidates stay cached.
pub fn forget_installed(host: &dyn Host) {
    for topic in [Topic::Packages, Topic::Services] {
        host.invalidate(topic);
    }
}

#[derive(Clone, Debug)]
pub struct RunCommand {
    pub command: Command,
    /// The command as shown by the resource.
    pub shown: String,
    /// Show the output as it arrives.
    pub live_stream: bool,
    /// The path that exists once the command has run.
    pub creates: Option<Vec<u8>>,
    /// The command lines of `not_if` guards, which succeed once the command has run.
    pub met_by: Vec<String>,
}

impl RunCommand {
    pub(crate) fn apply(&self, host: &dyn Host, output: &mut dyn FnMut(&[u8])) -> Result<()> {
        let result = if self.live_stream && !self.command.hidden {
            self.command.run_streaming(host, output)
        } else {
            self.command.run(host)
        };
        forget_answers(host);
        result.map(drop)
    }
    /// The failure to start a program that does not exist, if it certainly does not: nothing with unknown effects may have brought it.
    fn of_no_program(&self, overlay: &OverlayHost, spec: &CommandSpec) -> Option<ChangeError> {
        let line = match &spec.program {
            Program::Shell(_) => return None,
            Program::Line(line) => Some(line),
            Program::Argv(words) => words.first().filter(|_| words.len() == 1),
        };
        if overlay.is_uncertain() || line.is_some_and(|line| needs_shell(line)) {
            return None;
        }
        let argv = spec.program.to_argv();
        let program = argv.first()?;
        let is_missing =
            |path: &[u8]| overlay.stat(path).is_err_and(|error| matches!(error.name(), Some("ENOENT" | "ENOTDIR")));
        let is_found = if program.contains(&b'/') {
            !program.starts_with(b"/") || !is_missing(program)
        } else {
            let path = spec.env.get(&b"PATH"[..]).cloned().unwrap_or_else(|| overlay.env(b"PATH"))?;
            path.split(|byte| *byte == b':').any(|folder| !is_missing(&files::join(folder, program)))
        };
        if is_found {
            return None;
        }
        Some(HostError::at(errno_number("ENOENT")?, "exec", program).into())
    }

    /// The effects are unknown, except for `creates`, the `not_if` guards, and commands that are simulated.
    pub(crate) fn assume(&self, overlay: &OverlayHost) -> Result<()> {
        let spec = self.command.spec(overlay)?;
        let simulated = overlay.assume_code(&spec);
        match simulated {
            Some(code) => {
                if let Some(failure) = self.command.failure_of(code) {
                    return Err(failure);
                }
            }
            None => {
                if let Some(failure) = self.of_no_program(overlay, &spec) {
                    return Err(failure);
                }
                let shown = if self.command.hidden { "(sensitive command)" } else { &self.shown };
                overlay.doubt(DoubtKind::Effects, shown.as_bytes());
                return self.assume_asked(overlay);
            }
        }
        Ok(())
    }
    /// Assumes of a command with unknown effects that it does what its `creates` and its `not_if` guards are there for.
    fn assume_asked(&self, overlay: &OverlayHost) -> Result<()> {
        for line in &self.met_by {
            overlay.assume_answer(line.as_bytes(), Answer::default(), true);
        }
        if let Some(path) = &self.creates
            && !compose::exists(overlay, path)
        {
            compose::create_dir_all(overlay, files::dirname(path), 0o755)?;
            compose::write_file(overlay, path, b"", 0o644)?;
        }
        Ok(())
    }
    pub(crate) fn describe(&self) -> Description {
        let shown = if self.command.hidden { "(sensitive command)".to_string() } else { self.shown.clone() };
        Description::new("run_command", shown, Why::Asked)
    }
}
