//! A command removes a file.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/ExecuteDeleteFile",
    summary: "A command removes a file",
    why: "`file` and `directory` with the action `:delete` say what is wanted, work in why-run mode, and only act when there is something to remove.",
    replaced_by: "file or directory with action :delete",
    exclude: NO_RESOURCES,
    on: &[On::Call(&["execute"]), On::Block(&["execute", "bash", "sh", "csh", "ksh", "zsh"])],
    check,
    bad: r"execute 'rm /tmp/a'
",
    good: r"file '/tmp/a' do
  action :delete
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.is(Kind::Send) {
        let command = n.only_arg().and_then(N::as_str).filter(|_| n.recv().is_none());
        if command.is_some_and(removes) {
            cx.report(n.span());
        }
        return;
    }
    let commands = properties(n, &["execute"], &["command"]);
    let scripts = properties(n, &["bash", "sh", "csh", "ksh", "zsh"], &["code"]);
    if commands.into_iter().chain(scripts).any(|property| quoted_value(property).is_some_and(removes)) {
        cx.report(n.span());
    }
}

/// Whether a command is `rm` of a single path and nothing else.
fn removes(command: &str) -> bool {
    let mut words = command.split_ascii_whitespace();
    let program = words.next().is_some_and(|word| matches!(word, "rm" | "/bin/rm" | "/usr/bin/rm"));
    let flag = |word: &str| {
        word.len() > 1 && word.starts_with('-') && word[1..].bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    let mut rest = words.skip_while(|word| flag(word)).peekable();
    // without another word, a flag counts as the path: `rm -f`
    let path = match rest.next() {
        Some(path) => path,
        None => match command.split_ascii_whitespace().skip(1).last() {
            Some(path) => path,
            None => return false,
        },
    };
    program
        && rest.next().is_none()
        && !path.contains([';', '&', '|', '<', '>', '$', '`', '(', ')', '{', '}', '*', '?', '['])
}
