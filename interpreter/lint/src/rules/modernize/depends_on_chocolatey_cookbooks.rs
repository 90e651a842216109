//! The metadata depends on a cookbook whose resources are part of Chef.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/DependsOnChocolateyCookbooks",
    summary: "A cookbook is depended on whose resources Chef has itself",
    why: "Chef has its resources itself since 14.3.",
    level: Level::Info,
    file: "metadata.rb",
    since: "14.3",
    fix: Fix::Unsafe,
    include: METADATA,
    on: &[On::Call(&["depends"])],
    check,
    bad: r"name 'web'
depends 'chocolatey_source'
",
    good: r"name 'web'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if depends(n, &["chocolatey_source", "chocolatey_config"]) {
        report_removal(cx, n);
    }
}
