//! An archive is unpacked by a command.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/ExecuteArchiveExtract",
    summary: "An archive is unpacked by a command",
    why: "`archive_file` does it without tools on the machine, and only when it is needed.",
    level: Level::Info,
    since: "15.0",
    replaced_by: "archive_file",
    default: false,
    exclude: METADATA,
    on: &[On::Call(&["execute"]), On::Block(&["execute", "bash", "sh", "csh", "ksh", "zsh", "script"])],
    check,
    bad: r"execute 'tar xzf /tmp/a.tgz'
",
    good: r"archive_file '/tmp/a.tgz' do
  destination '/opt'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.is(Kind::Send) {
        let Some(command) = n.arg(0).filter(|command| command.is_any(&[Kind::Str, Kind::Dstr])) else { return };
        let text = command.src();
        let text = text.strip_prefix(['"', '\'']).unwrap_or(text);
        if unpacks(text.strip_suffix(['"', '\'']).unwrap_or(text)) {
            cx.report(n.span());
        }
        return;
    }
    let commands = properties(n, &["execute"], &["command"]);
    let scripts = properties(n, &["bash", "sh", "csh", "ksh", "zsh", "script"], &["code"]);
    if commands.into_iter().chain(scripts).any(|property| quoted_value(property).is_some_and(unpacks)) {
        cx.report(n.span());
    }
}

/// Whether a command is a single `tar` that extracts, or a single `unzip`.
fn unpacks(command: &str) -> bool {
    if ["&&", "||", ";", "|", "`", "$(", "\n"].iter().any(|operator| command.contains(operator)) {
        return false;
    }
    let command = command.to_ascii_lowercase();
    let mut words = command.split_ascii_whitespace();
    let program = words.next().unwrap_or_default();
    match program.rsplit('/').next() {
        Some("unzip") => true,
        Some("tar") => words.next().is_some_and(|word| {
            let letters = word.strip_prefix('-').unwrap_or(word);
            let long = word
                .strip_prefix("--extract")
                .is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_'));
            long || (letters.contains('x') && letters.bytes().all(|byte| byte.is_ascii_lowercase()))
        }),
        _ => false,
    }
}
