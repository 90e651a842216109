//! `execute` with the property `path`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/ExecutePathProperty",
    summary: "`execute` with the property `path`",
    why: "The property was never used on Unix, and was removed.",
    removed_in: "13",
    replaced_by: "environment",
    exclude: NO_RESOURCES,
    on: &[On::Block(&["execute"])],
    check,
    bad: r"execute 'a' do
  path ['/opt/bin']
end
",
    good: r"execute 'a' do
  environment 'PATH' => '/opt/bin'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &["execute"], &["path"]) {
        cx.report(property.span());
    }
}
