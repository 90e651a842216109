//! A notification's action is a string.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/NotifiesActionNotSymbol",
    summary: "A notification's action is a string",
    why: "Actions are symbols; Chef's later versions may refuse a string.",
    replaced_by: "a symbol",
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Kind(Kind::Block)],
    check,
    bad: r"template '/etc/a' do
  notifies 'restart', 'service[a]'
end
",
    good: r"template '/etc/a' do
  notifies :restart, 'service[a]'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &[], &["notifies", "subscribes"]) {
        let Some(action) = property.arg(0).filter(|action| property.is(Kind::Send) && action.is(Kind::Str)) else {
            return;
        };
        cx.report_fix(property.span(), Edit::replace(action.span(), format!(":{}", action.value())));
    }
}
