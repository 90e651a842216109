//! The metadata depends on a cookbook whose resources are part of Chef.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/UnnecessaryDependsChef14",
    summary: "A cookbook is depended on whose resources Chef has itself",
    why: "Chef has its resources itself since 14.0.",
    level: Level::Info,
    file: "metadata.rb",
    since: "14.0",
    replaced_by: "the resources of Chef",
    fix: Fix::Unsafe,
    include: METADATA,
    on: &[On::Call(&["depends"])],
    check,
    bad: r"name 'web'
depends 'build-essential'
",
    good: r"name 'web'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if depends(n, &["build-essential", "chef_handler", "chef_hostname", "dmg", "mac_os_x", "swap", "sysctl"]) {
        report_removal(cx, n);
    }
}
