//! Commands: those of recipes, and those by which other changes are made.

use crate::access::unknown;
use crate::{ChangeError, CommandFailure, Description, Result, Why, lossy};
use rchef_host::overlay::Answer;
use rchef_host::processes::USUAL_FOLDERS;
use rchef_host::queries::Topic;
use rchef_host::{
    CommandEvent, CommandOutput, CommandSpec, DoubtKind, Flow, Host, OverlayHost, Program, compose, files, users,
};
use std::collections::BTreeMap;
use std::time::Duration;

/// What a secret is shown as.
const MASK: &str = "********";

/// A user or group as a resource names it. A name of digits is a name here; see [`Account::of_text`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Account {
    Id(u32),
    Name(String),
}

impl Account {
    /// Digits are a number, as commands take them.
    pub fn of_text(text: &str) -> Account {
        text.parse().map_or_else(|_| Account::Name(text.to_string()), Account::Id)
    }
    /// As it is shown.
    pub fn shown(&self) -> String {
        match self {
            Account::Id(id) => id.to_string(),
            Account::Name(name) => name.clone(),
        }
    }
    /// The user's number; absent when there is no such user.
    ///
    /// # Errors
    /// The look-up failed.
    pub fn user_id(&self, host: &dyn Host) -> Result<Option<u32>> {
        match self {
            Account::Id(id) => Ok(Some(*id)),
            Account::Name(name) => Ok(host.user_by_name(name.as_bytes())?.map(|found| found.uid)),
        }
    }
    /// The group's number; absent when there is no such group.
    ///
    /// # Errors
    /// The look-up failed.
    pub fn group_id(&self, host: &dyn Host) -> Result<Option<u32>> {
        match self {
            Account::Id(id) => Ok(Some(*id)),
            Account::Name(name) => Ok(host.group_by_name(name.as_bytes())?.map(|found| found.gid)),
        }
    }
}

/// What a command takes over of the user that it runs as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Identity {
    /// The user's number alone.
    #[default]
    Number,
    Groups,
    /// The groups, the environment of a login and, unless another is given, the home directory to work in.
    Login,
}

/// A command as data. Names of users are looked up when it runs.
#[derive(Clone, Debug)]
pub struct Command {
    pub program: Program,
    pub cwd: Option<Vec<u8>>,
    /// Changes to the environment; `None` removes.
    pub env: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    /// The locale and PATH that Chef gives the commands of its own providers.
    pub default_env: bool,
    /// User to run as.
    pub user: Option<Account>,
    /// Group to run as.
    pub group: Option<Account>,
    /// What comes with the user.
    pub identity: Identity,
    pub umask: Option<u32>,
    /// Time that it is given.
    pub timeout: Option<Duration>,
    pub input: Option<Vec<u8>>,
    /// Exit codes that do not count as failures.
    pub returns: Vec<i64>,
    /// Its end is the end, although something that it started still holds its output.
    pub until_exit: bool,
    /// Texts that no message may show.
    pub secrets: Vec<String>,
    /// No message may show anything of it.
    pub hidden: bool,
    /// The line that Chef gives a shell, where this runs a program without one: messages show that.
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
    /// A program of the system with its arguments, in the environment of Chef's own commands.
    pub fn system<T: AsRef<str>>(words: impl IntoIterator<Item = T>) -> Command {
        let words = words.into_iter().map(|word| word.as_ref().as_bytes().to_vec());
        Command { default_env: true, ..Command::argv::<Vec<u8>>(words) }
    }
    pub fn line(line: impl Into<Vec<u8>>) -> Command {
        Command::new(Program::Line(line.into()))
    }
    /// With a limit of its time; none if absent.
    pub fn within(mut self, seconds: Option<f64>) -> Command {
        self.timeout = seconds.map(duration);
        self
    }
    /// Whose exit code does not matter.
    pub fn with_any_status(mut self) -> Command {
        self.returns = (0..256).collect();
        self
    }
    /// With a variable.
    pub fn with_env(mut self, name: &str, value: &str) -> Command {
        self.env.insert(name.into(), Some(value.into()));
        self
    }

    /// Whether a word is among its arguments.
    pub fn has_word(&self, word: &str) -> bool {
        self.program.to_argv().iter().any(|found| found == word.as_bytes())
    }

    /// The command as `Mixlib::ShellOut` shows it: a line, or a list as Ruby inspects it. Secrets are masked.
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

    /// The command as the host runs it, output collected.
    ///
    /// # Errors
    /// A user or group that there is not (`ArgumentError`), a failed look-up.
    pub fn spec(&self, host: &dyn Host) -> Result<CommandSpec> {
        let mut spec = CommandSpec::new(self.program.clone()).captured();
        spec.cwd.clone_from(&self.cwd);
        spec.env.clone_from(&self.env);
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

    /// Runs it to its end, whatever that is; `output` gets what it prints, as it comes.
    ///
    /// # Errors
    /// It could not be started.
    pub fn query_streaming(&self, host: &dyn Host, output: &mut dyn FnMut(&[u8])) -> Result<CommandOutput> {
        let spec = self.spec(host)?;
        let started = host.monotonic_ns();
        let ended = host.run(&spec, &mut |event| {
            match event {
                CommandEvent::Stdout(bytes) | CommandEvent::Stderr(bytes) => output(bytes),
                CommandEvent::Interrupted if host.stop_asked() => return Flow::Kill,
                CommandEvent::Interrupted | CommandEvent::Started(_) => {}
            }
            Flow::Continue
        })?;
        host.note(&|| {
            let seconds = host.monotonic_ns().saturating_sub(started) as f64 / 1e9;
            let how = match (ended.timed_out, ended.status.code(), ended.status.signal()) {
                (true, ..) => "took longer than it may and was ended".to_string(),
                (false, Some(code), _) => format!("returned {code}"),
                (false, None, signal) => format!("was ended by signal {}", signal.unwrap_or_default()),
            };
            format!("Command {} {how} after {seconds:.3} s", self.shown())
        });
        Ok(ended)
    }
    /// Runs it to its end, whatever that is.
    ///
    /// # Errors
    /// It could not be started.
    pub fn query(&self, host: &dyn Host) -> Result<CommandOutput> {
        self.query_streaming(host, &mut |_| {})
    }
    /// Runs it; an end that is not among [`Command::returns`] is an error.
    ///
    /// # Errors
    /// It could not be started, it failed, or it took too long.
    pub fn run(&self, host: &dyn Host) -> Result<CommandOutput> {
        self.run_streaming(host, &mut |_| {})
    }
    /// Runs it as [`Command::run`]; `output` gets what it prints, as it comes.
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

    /// Why an end is an error; absent where it is none.
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

/// Seconds as a time that a command is given.
pub fn duration(seconds: f64) -> Duration {
    Duration::from_secs_f64(if seconds.is_nan() { 0.0 } else { seconds.clamp(0.0, 1e9) })
}

/// A PATH with the folders that every system has.
pub fn with_usual_folders(path: &[u8]) -> Vec<u8> {
    let mut folders: Vec<&[u8]> = path.split(|byte| *byte == b':').filter(|folder| !folder.is_empty()).collect();
    for folder in USUAL_FOLDERS {
        if !folders.contains(&folder.as_bytes()) {
            folders.push(folder.as_bytes());
        }
    }
    folders.join(&b':')
}

/// A UTF-8 locale, and a PATH with the system's directories.
fn default_env(host: &dyn Host, spec: &mut CommandSpec) {
    let path = with_usual_folders(&host.env(b"PATH").unwrap_or_default());
    let locale = b"C.UTF-8".to_vec();
    for (name, value) in [("LC_ALL", locale.clone()), ("LANG", locale.clone()), ("LANGUAGE", locale), ("PATH", path)] {
        spec.env.entry(name.into()).or_insert(Some(value));
    }
}

/// Forgets what the package and service managers said: something ran that may have changed it.
pub fn forget_answers(host: &dyn Host) {
    forget_installed(host);
    host.invalidate(Topic::Candidates);
}

/// Forgets which packages are installed and what services do: packages have changed. What is on offer stays as it is.
pub fn forget_installed(host: &dyn Host) {
    for topic in [Topic::Packages, Topic::Services] {
        host.invalidate(topic);
    }
}

/// Runs a command of a recipe.
#[derive(Clone, Debug)]
pub struct RunCommand {
    pub command: Command,
    /// As the resource shows it.
    pub shown: String,
    /// Its output is shown as it comes.
    pub live_stream: bool,
    /// What is there once it has run.
    pub creates: Option<Vec<u8>>,
    /// Command lines of guards that stop it once it has run (`not_if`).
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
    /// What the command does is unknown, except for what it creates, the guards that it meets, and commands of the system.
    pub(crate) fn assume(&self, overlay: &OverlayHost) -> Result<()> {
        for line in &self.met_by {
            overlay.assume_answer(line.as_bytes(), Answer::default(), true);
        }
        if let Some(path) = &self.creates
            && !compose::exists(overlay, path)
        {
            compose::create_dir_all(overlay, files::dirname(path), 0o755)?;
            compose::write_file(overlay, path, b"", 0o644)?;
        }
        let spec = self.command.spec(overlay)?;
        if !overlay.assume_command(&spec) {
            let shown = if self.command.hidden { "(sensitive command)" } else { &self.shown };
            overlay.doubt(DoubtKind::Effects, shown.as_bytes());
        }
        Ok(())
    }
    pub(crate) fn describe(&self) -> Description {
        let shown = if self.command.hidden { "(sensitive command)".to_string() } else { self.shown.clone() };
        Description::new("run_command", shown, Why::Asked)
    }
}
