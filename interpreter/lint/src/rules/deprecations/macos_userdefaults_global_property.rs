//! `macos_userdefaults` with the property `global`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/MacosUserdefaultsGlobalProperty",
    summary: "`macos_userdefaults` with the property `global`",
    why: "Without `domain` the resource sets the global domain; the property does nothing.",
    since: "16.3",
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Block(&["macos_userdefaults"])],
    check,
    bad: r"macos_userdefaults 'a' do
  global true
  key 'k'
end
",
    good: r"macos_userdefaults 'a' do
  key 'k'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &["macos_userdefaults"], &["global"]) {
        report_removal(cx, property);
    }
}
