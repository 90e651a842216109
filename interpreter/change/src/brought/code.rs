//! Simulates commands of recipes (`execute`, `bash` and their like) on the overlay, as scripts of packages are simulated.

use super::command;
use super::script::{Code, run_code};
use super::sh::{Node, parse};
use crate::lossy;
use crate::shell::looks::has_plain_environment;
use crate::shell::{base, commands_of, is_of_system};
use rchef_host::overlay::Answer;
use rchef_host::processes::{USUAL_FOLDERS, needs_shell};
use rchef_host::{CommandSpec, OverlayHost, Processes, Program, Purpose, compose};
use rchef_text::shell::Part;

const SHELLS: [&str; 3] = ["sh", "bash", "dash"];

/// Simulates a command by root in an environment that does not matter; None if its effects are not fully known.
pub fn assume(overlay: &OverlayHost, spec: &CommandSpec) -> Option<Answer> {
    run(overlay, spec, false)
}

/// The answer to a command that only queries, from what is assumed; None if nothing is assumed yet, or if the overlay cannot tell. Content that
/// `verify` checks exists in the overlay only.
pub fn answer(overlay: &OverlayHost, spec: &CommandSpec) -> Option<Answer> {
    let of_overlay = match overlay.purpose() {
        Purpose::Query => false,
        Purpose::Check => true,
        Purpose::Code | Purpose::Guard => overlay.assumed() > 0,
    };
    if !overlay.simulates() || !of_overlay {
        return None;
    }
    run(overlay, spec, true)
}

fn run(overlay: &OverlayHost, spec: &CommandSpec, only_tells: bool) -> Option<Answer> {
    let is_roots = [spec.uid, spec.gid].iter().all(|id| id.is_none_or(|id| id == 0)) && spec.argv0.is_none();
    if !is_roots || spec.umask.is_some_and(|mask| mask != 0o022) || !has_plain_environment(overlay, spec) {
        return None;
    }
    let path = spec.env.get(&b"PATH"[..]).cloned().flatten().or_else(|| overlay.env(b"PATH"));
    let path = lossy(&path.unwrap_or_else(|| USUAL_FOLDERS.join(":").into_bytes()));
    let (text, shell) = text_of(overlay, spec, &path)?;
    let (name, options) = shell.split_first()?;
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let is_bash = base(name) == "bash";
    let list = parse(&text)?;
    // code with commands that are not simulated has no effect
    if !only_tells && !is_simulated(&list) {
        return None;
    }
    let code =
        Code { list: &list, is_bash, options: &options, directory: spec.cwd.as_deref(), path: &path, only_tells };
    let (code, output) = overlay.with_all_rights(|| run_code(overlay, &code))?;
    Some(Answer { stdout: output.into_bytes(), stderr: Vec::new(), code })
}

/// The code of a command, and the shell that runs it with its options.
fn text_of(overlay: &OverlayHost, spec: &CommandSpec, path: &str) -> Option<(String, Vec<String>)> {
    let sh = || vec!["sh".to_string()];
    if let Some(input) = &spec.input {
        let [(_, words)] = &commands_of(spec)?[..] else { return None };
        return Some((String::from_utf8(input.clone()).ok()?, is_shell(words).then(|| words.clone())?));
    }
    let line = match &spec.program {
        Program::Shell(line) => Some(line),
        Program::Line(line) => Some(line).filter(|line| needs_shell(line)),
        Program::Argv(words) => words.first().filter(|line| words.len() == 1 && needs_shell(line)),
    };
    if let Some(line) = line {
        return Some((String::from_utf8(line.clone()).ok()?, sh()));
    }
    let [(_, words)] = &commands_of(spec)?[..] else { return None };
    match &words[..] {
        [shell @ .., flag, code] if flag == "-c" && is_shell(shell) => return Some((code.clone(), shell.to_vec())),
        _ => {}
    }
    // without a shell a builtin without an executable cannot be run
    let name = words.first()?;
    let is_program = if name.contains('/') {
        compose::exists(overlay, name.as_bytes())
    } else {
        compose::program(overlay, path.split(':').map(str::as_bytes), name).is_some()
    };
    if !is_program {
        return None;
    }
    let quoted: Vec<String> = words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
    Some((quoted.join(" "), sh()))
}

/// Whether these words start a shell that reads its code from stdin.
fn is_shell(words: &[String]) -> bool {
    let [name, options @ ..] = words else { return false };
    let are_known = options.iter().all(|option| ["-e", "-x", "-u", "-ex", "-eu", "-eux"].contains(&option.as_str()));
    is_of_system(name) && SHELLS.contains(&base(name)) && are_known
}

/// Whether all commands of a list are simulated.
fn is_simulated(list: &[Node]) -> bool {
    list.iter().all(|node| match node {
        Node::Simple { assignments, words, redirections } => {
            let values = assignments.iter().map(|(_, value)| value);
            let all = values.chain(words).chain(redirections.iter().map(|redirection| &redirection.target));
            let runs_none = all.flat_map(|word| &word.parts).all(|part| match part {
                Part::Substitution { text, .. } => !text.contains(['(', '`']),
                Part::Text(_) | Part::Pattern(_) => true,
            });
            runs_none && words.first().is_none_or(|word| word.plain().is_some_and(|name| command::is_simulated(&name)))
        }
        Node::Pipeline(list) | Node::Group(list) | Node::Subshell(list) => is_simulated(list),
        Node::Chain(first, rest) => {
            is_simulated(std::slice::from_ref(first))
                && rest.iter().all(|(_, node)| is_simulated(std::slice::from_ref(node)))
        }
        Node::Not(node) | Node::Redirected(node, _) => is_simulated(std::slice::from_ref(node)),
        Node::If(branches, other) => {
            branches.iter().all(|(condition, body)| is_simulated(condition) && is_simulated(body))
                && is_simulated(other)
        }
        Node::Case(_, branches) => branches.iter().all(|(_, body)| is_simulated(body)),
        Node::For(_, _, body) => is_simulated(body),
        Node::Loop { condition, body, .. } => is_simulated(condition) && is_simulated(body),
        Node::Background(_) | Node::Function(..) => false,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a failure fails the test
    use super::super::machine;
    use super::*;
    use rchef_host::Files;

    #[test]
    fn commands_of_recipes() {
        let host = machine();
        let code = |spec: &CommandSpec| assume(&host, spec).map(|answer| answer.code);
        let shell = |line: &str| code(&CommandSpec::shell(line));
        for (line, wanted) in [
            ("mkdir -p /srv/a/b", Some(0)),
            ("mkdir /srv/a", Some(1)),
            ("ln -s a /srv/l && touch '/srv/a b'", Some(0)),
            ("adduser --system rr && mkdir /srv/x || mkdir /srv/y", Some(0)),
            ("echo \"127.0.0.1  x\" >> /srv/hosts", Some(0)),
            ("mkdir /srv/n; frob /srv/n", None),
            ("mkdir /srv/$(date)", None),
            ("cd /srv", None),
            ("mkdir relative", None),
            ("rm -rf /srv/a/b &", None),
            ("mkdir $DIRECTORY", None),
        ] {
            assert_eq!(shell(line), wanted, "{line}");
        }
        for (path, is_there) in
            [("/srv/a/b", true), ("/srv/a b", true), ("/srv/x", true), ("/srv/y", false), ("/srv/n", false)]
        {
            assert_eq!(host.lstat(path.as_bytes()).is_ok(), is_there, "{path}");
        }
        assert_eq!(compose::read_file(&host, b"/srv/hosts").unwrap(), b"127.0.0.1  x\n");
        assert_eq!(code(&CommandSpec::argv(["mkdir", "/srv/it's"])), Some(0));
        assert!(host.stat(b"/srv/it's").is_ok());
        let mut script = CommandSpec::shell("\"bash\" -e");
        script.input = Some(b"mkdir /srv/of-bash\nif [ ! -d /srv/a ]; then exit 3; fi\nexit 2\n".to_vec());
        assert_eq!(code(&script), Some(2));
        assert!(host.stat(b"/srv/of-bash").is_ok());
        script.input = Some(b"modprobe x\nmkdir /srv/perhaps\n".to_vec());
        assert_eq!(code(&script), None, "it may have failed");
        let mut of_nobody = CommandSpec::shell("touch /srv/f");
        of_nobody.uid = Some(65534);
        assert_eq!(code(&of_nobody), None);
    }

    #[test]
    fn guards_that_grep() {
        let host = machine();
        compose::write_file(&host, b"/srv/f", b"x\na-x\n", 0o644).unwrap();
        host.note_assumed();
        let code = |line: &str| answer(&host, &CommandSpec::shell(line)).map(|answer| answer.code);
        for (line, wanted) in [
            ("dirname / | grep -qx /", Some(0)),
            ("[ a == a ] || true", None),
            ("! true | false", Some(0)),
            ("false || ! false && true", Some(0)),
            ("grep -q x /srv/f /srv/none", Some(0)),
            ("grep -q y /srv/f /srv/none", Some(2)),
            ("grep x /srv/f /srv/f", None),
            ("grep -qF 'X\nx' /srv/f", None),
            ("grep -qw -e -x /srv/f", Some(1)),
            ("grep -q -- -x /srv/f", Some(0)),
            ("/srv/bin/test -d /nonexistent", None),
            ("command -v ls", None),
            ("command -v ls || true", Some(0)),
            ("test -n \"$(grep x /srv/f)\"", Some(0)),
            ("if [ -e /srv/f ]; then grep -q y /srv/f; fi", Some(1)),
            ("cat /srv/f | grep -v a | grep -c x", None),
            ("cat /srv/f | grep -v a | grep -qx x", Some(0)),
            ("grep -q x </srv/f", None),
            ("touch /srv/not || true", None),
            ("echo x >/srv/not", None),
        ] {
            assert_eq!(code(line), wanted, "{line}");
        }
        assert!(host.lstat(b"/srv/not").is_err(), "a guard changes nothing");
        let mut of_nobody = CommandSpec::shell("test -r /srv/f");
        assert_eq!(answer(&host, &of_nobody).map(|answer| answer.code), Some(0));
        of_nobody.uid = Some(65534);
        assert!(answer(&host, &of_nobody).is_none());
        let mut of_path = CommandSpec::shell("which ls");
        of_path.env.insert(b"PATH".to_vec(), Some(b"/srv/bin".to_vec()));
        assert!(answer(&host, &of_path).is_none());
    }
}
