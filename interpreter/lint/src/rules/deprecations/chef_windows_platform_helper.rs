//! `Chef::Platform.windows?` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/ChefWindowsPlatformHelper",
    summary: "`Chef::Platform.windows?` is used",
    why: "The method is an old internal helper.",
    replaced_by: "platform?('windows')",
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["windows?"])],
    check,
    bad: r"log 'w' if Chef::Platform.windows?
",
    good: r"log 'w' if platform?('windows')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.argc() == 0 && n.recv().is_some_and(|on| on.is_const("Chef::Platform")) {
        report_replacement(cx, n, "platform?('windows')");
    }
}
