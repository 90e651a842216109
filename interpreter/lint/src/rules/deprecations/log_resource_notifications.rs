//! A `log` resource notifies.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/LogResourceNotifications",
    summary: "A `log` resource notifies",
    why: "`log` no longer counts as updated since Chef 16, so it never notifies.",
    since: "15.8",
    replaced_by: "notify_group",
    exclude: BERKSFILE_TOO,
    on: &[On::Block(&["log"])],
    check,
    bad: r"log 'a' do
  notifies :restart, 'service[a]'
end
",
    good: r"notify_group 'a' do
  notifies :restart, 'service[a]'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &["log"], &["notifies"]) {
        cx.report(property.span());
    }
}
