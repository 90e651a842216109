//! `chocolatey_package` with the action `:uninstall`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/ChocolateyPackageUninstallAction",
    summary: "`chocolatey_package` with the action `:uninstall`",
    why: "The action was removed.",
    removed_in: "14",
    replaced_by: ":remove",
    fix: Fix::Safe,
    exclude: METADATA,
    on: &[On::Block(&["chocolatey_package"])],
    check,
    bad: r"chocolatey_package 'git' do
  action :uninstall
end
",
    good: r"chocolatey_package 'git' do
  action :remove
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for action in properties(n, &["chocolatey_package"], &["action"]) {
        for (symbol, prefix) in action_symbols(action) {
            if symbol.is_sym("uninstall") {
                report_replacement(cx, symbol, format!("{prefix}remove"));
            }
        }
    }
}
