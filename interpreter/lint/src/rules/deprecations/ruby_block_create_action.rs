//! `ruby_block` has the action `:create` instead of `:run`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/RubyBlockCreateAction",
    summary: "`ruby_block` is created instead of run",
    why: "The action `:create` is an old name of `:run`.",
    replaced_by: ":run",
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Block(&["ruby_block"]), On::Call(&["notifies", "subscribes"])],
    check,
    bad: r"ruby_block 'a' do
  block { 1 }
  action :create
end
",
    good: r"ruby_block 'a' do
  block { 1 }
  action :run
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for action in properties(n, &["ruby_block"], &["action"]) {
        for (symbol, prefix) in action_symbols(action) {
            if symbol.is_sym("create") {
                report_replacement(cx, symbol, format!("{prefix}run"));
            }
        }
    }
    if !n.is(Kind::Send) || n.recv().is_some() {
        return;
    }
    let (Some(action), Some(target)) = (n.arg(0), n.arg(1)) else { return };
    let literal = if target.is(Kind::Dstr) { target.kid(0) } else { Some(target) };
    let block = literal.and_then(N::as_str).is_some_and(|name| name.starts_with("ruby_block["));
    if action.is_sym("create") && block {
        report_replacement(cx, action, ":run");
    }
}
