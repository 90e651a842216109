//! `windows_task` with the action `:change`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/WindowsTaskChangeAction",
    summary: "`windows_task` with the action `:change`",
    why: "The action was removed; `:create` also updates.",
    since: "13.0",
    removed_in: "13",
    replaced_by: ":create",
    fix: Fix::Safe,
    exclude: METADATA,
    on: &[On::Block(&["windows_task"])],
    check,
    bad: r"windows_task 'a' do
  action :change
end
",
    good: r"windows_task 'a' do
  action :create
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for action in properties(n, &["windows_task"], &["action"]) {
        let Some(value) = action.arg(0) else { continue };
        let symbols = if value.is(Kind::Array) { value.kids().collect() } else { vec![value] };
        for symbol in symbols.into_iter().filter(|symbol| symbol.is_sym("change")) {
            let other = value.is(Kind::Array)
                && value.places() == 2
                && value.kids().any(|kid| kid.is_sym("create") || kid.is_str("create"));
            if !value.is(Kind::Array) {
                report_replacement(cx, symbol, ":create");
            } else if other {
                cx.report_fix(symbol.span(), Edit::replace(value.span(), ":create"));
            } else {
                cx.report(symbol.span());
            }
        }
    }
}
