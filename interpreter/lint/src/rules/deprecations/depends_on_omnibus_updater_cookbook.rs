//! The metadata depends on the cookbook omnibus_updater.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/DependsOnOmnibusUpdaterCookbook",
    summary: "The cookbook omnibus_updater is depended on",
    why: "It does not work with current Chef.",
    file: "metadata.rb",
    replaced_by: "chef_client_updater",
    fix: Fix::Unsafe,
    include: METADATA,
    on: &[On::Call(&["depends"])],
    check,
    bad: r"name 'web'
depends 'omnibus_updater'
",
    good: r"name 'web'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if depends(n, &["omnibus_updater"]) {
        report_removal(cx, n);
    }
}
