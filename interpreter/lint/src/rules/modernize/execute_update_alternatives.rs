//! `update-alternatives` is run.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/ExecuteUpdateAlternatives",
    summary: "`update-alternatives` is run",
    why: "`alternatives` does it, and only when it is needed.",
    level: Level::Info,
    since: "16.0",
    replaced_by: "alternatives",
    exclude: NO_RESOURCES,
    on: &[On::Call(&["execute"]), On::Block(&["execute", "bash", "sh", "csh", "ksh", "zsh"])],
    check,
    bad: r"execute 'update-alternatives --set editor /usr/bin/vim'
",
    good: r"alternatives 'editor' do
  path '/usr/bin/vim'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.is(Kind::Send) {
        if n.arg(0).and_then(N::as_str).is_some_and(manages) {
            cx.report(n.span());
        }
        return;
    }
    let commands = properties(n, &["execute"], &["command"]);
    let scripts = properties(n, &["bash", "sh", "csh", "ksh", "zsh"], &["code"]);
    if commands.into_iter().chain(scripts).any(|property| quoted_value(property).is_some_and(manages)) {
        cx.report(n.span());
    }
}

fn manages(command: &str) -> bool {
    let mut words = command.split_ascii_whitespace();
    let program = words.next().unwrap_or_default();
    let folders = ["/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/"];
    let program = folders.iter().find_map(|folder| program.strip_prefix(folder)).unwrap_or(program);
    let word = words.next().unwrap_or_default();
    matches!(program, "alternatives" | "update-alternatives")
        && ["--install", "--set", "--auto", "--remove"].iter().any(|option| {
            word.strip_prefix(option).is_some_and(|rest| {
                let longer = rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_');
                let all = *option == "--remove" && rest.starts_with("-all");
                !longer && !all
            })
        })
}
