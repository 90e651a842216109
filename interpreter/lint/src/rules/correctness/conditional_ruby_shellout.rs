//! A guard's block runs a command with `system` or `shell_out`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/ConditionalRubyShellout",
    summary: "A guard's block runs a command by `system` or `shell_out`",
    why: "A guard runs a command itself when it is given as a string.",
    replaced_by: "the command as an argument",
    fix: Fix::Unsafe,
    exclude: NO_RESOURCES,
    on: &[On::Block(&["only_if", "not_if"])],
    check,
    bad: r"log 'a' do
  only_if { system('which a') }
end
",
    good: r"log 'a' do
  only_if 'which a'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some() || n.argc() > 0 || !n.params().is_empty() {
        return;
    }
    let Some(body) = n.body() else { return };
    let ran = if body.is_call("system") {
        body.only_arg()
    } else if body.is_send("==") && body.only_arg().is_some_and(|zero| zero.is(Kind::Int) && zero.value() == "0") {
        body.recv()
            .filter(|status| status.is_send("exitstatus") && status.argc() == 0)
            .and_then(N::recv)
            .filter(|run| run.is_call("shell_out"))
            .and_then(N::only_arg)
    } else {
        None
    };
    if let Some(command) = ran.filter(|command| command.is(Kind::Str)) {
        report_replacement(cx, n, format!("{} {}", n.name(), command.src()));
    }
}
