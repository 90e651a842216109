//! The metadata depends on the cookbook kernel_module.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/DependsOnKernelModuleCookbook",
    summary: "The cookbook kernel_module is depended on",
    why: "Chef has its resources itself since 14.3.",
    level: Level::Info,
    file: "metadata.rb",
    since: "14.3",
    fix: Fix::Unsafe,
    include: METADATA,
    on: &[On::Call(&["depends"])],
    check,
    bad: r"name 'web'
depends 'kernel_module'
",
    good: r"name 'web'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if depends(n, &["kernel_module"]) {
        report_removal(cx, n);
    }
}
