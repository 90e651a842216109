//! What would install the client of Chef or Cinc, which rchef stands for: package names, and commands of `execute` and `script`.

use rchef_change::{Assertion, Command};
use rchef_host::Program;
use rchef_text::shell::{Part, Token, Word, tokens};

/// Whether a package or package file is the client of Chef or Cinc, which rchef replaces.
pub(crate) fn is_chef(name: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or(name);
    let Some(rest) = ["chef", "cinc"].iter().find_map(|product| base.strip_prefix(product)) else { return false };
    let rest = ["-infra-client", "-client"].iter().find_map(|part| rest.strip_prefix(part)).unwrap_or(rest);
    let is_version = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    rest.is_empty() || rest.starts_with('.') || rest.strip_prefix(['-', '_', '=']).is_some_and(is_version)
}

/// What is said of a resource that would install it.
pub(crate) fn refused(resource: &str, what: &str) -> Assertion {
    let text = format!(
        "{resource}: {what} is the client that rchef stands for, so it is not installed beside it; `allow_chef_install true` in client.rb lets it be"
    );
    Assertion::new("Chef::Exceptions::UnsupportedAction", text)
}

/// Package managers that install what is named, with the words or options that say so; those without have a verb of their own.
const MANAGERS: &[(&str, &[&str])] = &[
    ("apt-get", &["install", "upgrade"]),
    ("apt", &["install", "upgrade"]),
    ("aptitude", &["install", "safe-upgrade", "full-upgrade"]),
    ("yum", &["install", "localinstall", "reinstall", "update", "upgrade"]),
    ("dnf", &["install", "localinstall", "reinstall", "update", "upgrade"]),
    ("microdnf", &["install", "update", "upgrade"]),
    ("zypper", &["install", "in", "update", "up"]),
    ("snap", &["install"]),
    ("gem", &["install", "update"]),
    ("dpkg", &["-i", "--install"]),
    ("rpm", &["-i", "-U", "-F", "--install", "--upgrade", "--freshen"]),
];
/// The programs that read a script.
const SHELLS: &[&str] = &["sh", "bash", "dash", "ksh", "zsh"];
/// Programs that run the command after them, and their own options.
const WRAPPERS: &[&str] =
    &["sudo", "env", "nice", "nohup", "time", "timeout", "exec", "command", "if", "then", "do", "!"];
/// Hosts of the installation script, which installs the client unless `-P` names another product.
const HOSTS: &[&str] = &[
    "omnitruck.chef.io",
    "omnitruck.cinc.sh",
    "chef.io/chef/install",
    "opscode.com/chef/install",
    "getchef.com/chef/install",
];

/// What of Chef or Cinc a command would install.
pub(crate) fn installed_by(command: &Command) -> Option<String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match &command.program {
        Program::Argv(words) if words.len() > 1 => {
            let words: Vec<String> = words.iter().map(|word| text(word)).collect();
            match &words[..] {
                [shell, flag, script, ..] if SHELLS.contains(&base(shell)) && flag.ends_with('c') => in_script(script),
                _ => in_command(&words),
            }
        }
        Program::Argv(words) => in_script(&text(words.first()?)),
        Program::Line(line) | Program::Shell(line) => {
            let line = text(line);
            let reads_shell =
                line.split_whitespace().next().is_some_and(|first| SHELLS.contains(&base(first.trim_matches('"'))));
            let code = command.input.as_deref().filter(|_| reads_shell);
            in_script(&line).or_else(|| in_script(&text(code?)))
        }
    }
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The text of a word, with substitutions as they stand.
fn shown(word: &Word) -> String {
    word.parts
        .iter()
        .map(|part| match part {
            Part::Text(text) | Part::Substitution { text, .. } => text.clone(),
            Part::Pattern(c) => c.to_string(),
        })
        .collect()
}

/// The same of a shell script.
fn in_script(script: &str) -> Option<String> {
    if !["chef", "cinc", "getchef", "opscode"].iter().any(|product| script.contains(product)) {
        return None;
    }
    let mut commands = vec![Vec::new()];
    match tokens(script) {
        Some(found) => {
            for token in found {
                match token {
                    Token::Word(word) => commands.last_mut()?.push(shown(&word)),
                    Token::Operator(_) => commands.push(Vec::new()),
                    Token::Redirection(_) => {}
                }
            }
        }
        None => commands = script.lines().map(|line| line.split_whitespace().map(str::to_string).collect()).collect(),
    }
    commands.iter().find_map(|words| in_command(words)).or_else(|| by_script_of_chef(&commands))
}

/// The words of a command from its program on.
fn program(words: &[String]) -> &[String] {
    let mut rest = words;
    let mut wrapped = false;
    while let [first, after @ ..] = rest {
        let is_wrapper = WRAPPERS.contains(&first.as_str());
        let is_option = wrapped && (first.starts_with('-') || first.starts_with(|c: char| c.is_ascii_digit()));
        let is_setting = first.split_once('=').is_some_and(|(name, _)| !name.is_empty() && !name.contains(['-', '/']));
        if !(is_wrapper || is_option || is_setting) {
            break;
        }
        wrapped |= is_wrapper;
        rest = after;
    }
    rest
}

/// The same of the words of one command.
fn in_command(words: &[String]) -> Option<String> {
    let [first, rest @ ..] = program(words) else { return None };
    let (manager, verbs) = MANAGERS.iter().find(|(manager, _)| *manager == base(first))?;
    let is_verb = |word: &String| {
        verbs.iter().any(|verb| {
            word == verb || *manager == "rpm" && verb.len() == 2 && !word.starts_with("--") && word.starts_with(*verb)
        })
    };
    let verb = rest.iter().position(is_verb)?;
    let mut named = rest[verb + 1..].iter().filter(|word| !word.starts_with('-'));
    named.find(|word| is_chef(word)).cloned()
}

/// The address of Chef's installation script, where the commands fetch and run it for the client.
fn by_script_of_chef(commands: &[Vec<String>]) -> Option<String> {
    let words = || commands.iter().flatten();
    let address = words().find(|word| HOSTS.iter().any(|host| word.contains(host)))?;
    let is_shell = |words: &Vec<String>| program(words).first().is_some_and(|first| SHELLS.contains(&base(first)));
    let runs = commands.iter().any(is_shell);
    let is_for_client = |product: &String| matches!(product.as_str(), "chef" | "cinc" | "chef-ice");
    let product = words().skip_while(|word| *word != "-P" && *word != "--project").nth(1);
    (runs && product.is_none_or(is_for_client)).then(|| address.clone())
}
