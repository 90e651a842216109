//! `verify` uses `%{file}`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/VerifyPropertyUsesFileExpansion",
    summary: "`verify` uses `%{file}`",
    why: "The name was removed.",
    since: "12.5",
    removed_in: "13",
    replaced_by: "%{path}",
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Kind(Kind::Block)],
    check,
    bad: r"template '/etc/a' do
  verify 'check %{file}'
end
",
    good: r"template '/etc/a' do
  verify 'check %{path}'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &[], &["verify"]) {
        if !property.src().contains("%{file}") {
            return;
        }
        report_word(cx, property, "%{file}", "%{path}");
    }
}
