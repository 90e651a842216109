//! The metadata depends on a cookbook whose resources are part of Chef.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/UnnecessaryDependsChef15",
    summary: "A cookbook is depended on whose resources Chef has itself",
    why: "Chef has its resources itself since 15.0.",
    level: Level::Info,
    file: "metadata.rb",
    since: "15.0",
    replaced_by: "the resources of Chef",
    fix: Fix::Unsafe,
    include: METADATA,
    on: &[On::Call(&["depends"])],
    check,
    bad: r"name 'web'
depends 'libarchive'
",
    good: r"name 'web'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if depends(n, &["libarchive", "windows_dns", "windows_uac", "windows_dfs"]) {
        report_removal(cx, n);
    }
}
