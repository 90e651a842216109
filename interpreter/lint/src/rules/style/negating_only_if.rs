//! `only_if` negates its condition.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Style/NegatingOnlyIf",
    summary: "`only_if` negates its condition",
    why: "`not_if` says it.",
    level: Level::Info,
    replaced_by: "not_if",
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Block(&["only_if"])],
    check,
    bad: r"log 'a' do
  only_if { !node['a'] }
end
",
    good: r"log 'a' do
  not_if { node['a'] }
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some() || n.argc() > 0 || !n.params().is_empty() {
        return;
    }
    let Some(code) = n.body().filter(|code| code.is_send("!") && code.argc() == 0) else { return };
    let Some(inner) = code.recv() else { return };
    let control =
        n.parent().and_then(N::parent).is_some_and(|outer| outer.is(Kind::Block) && outer.name() == "control");
    if control || (inner.is_send("!") && inner.recv().is_some()) {
        return;
    }
    let edits = vec![
        Edit::replace(code.span(), replace_at_lines(code.src(), "!", "")),
        Edit::replace(n.call().span(), "not_if"),
    ];
    cx.report_edits(n.span(), edits);
}
