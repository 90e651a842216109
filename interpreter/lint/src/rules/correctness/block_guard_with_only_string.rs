//! A guard's block holds only a string.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/BlockGuardWithOnlyString",
    summary: "A guard's block holds only a string",
    why: "A string is true; as an argument it would be run as a command.",
    replaced_by: "the string as an argument",
    fix: Fix::Unsafe,
    exclude: NO_RESOURCES,
    on: &[On::Block(&["not_if", "only_if"])],
    check,
    bad: r"template '/etc/a' do
  not_if { 'test -f /etc/a' }
end
",
    good: r"template '/etc/a' do
  not_if 'test -f /etc/a'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some() || n.argc() > 0 || !n.params().is_empty() {
        return;
    }
    if let Some(text) = n.body().filter(|body| body.is(Kind::Str)) {
        report_replacement(cx, n, format!("{} {}", n.name(), text.src()));
    }
}
