//! A resource has the action `:none`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/ResourceWithNoneAction",
    summary: "A resource has the action `:none`",
    why: "There is no such action.",
    replaced_by: ":nothing",
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Kind(Kind::Block)],
    check,
    bad: r"service 'a' do
  action :none
end
",
    good: r"service 'a' do
  action :nothing
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for action in properties(n, &[], &["action"]) {
        for (symbol, prefix) in action_symbols(action) {
            if symbol.is_sym("none") {
                report_replacement(cx, symbol, format!("{prefix}nothing"));
            }
        }
    }
}
