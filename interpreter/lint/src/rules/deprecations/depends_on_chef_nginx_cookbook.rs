//! The metadata depends on the cookbook chef_nginx.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/DependsOnChefNginxCookbook",
    summary: "The cookbook chef_nginx is depended on",
    why: "It was merged into the cookbook nginx.",
    file: "metadata.rb",
    replaced_by: "nginx",
    fix: Fix::Unsafe,
    include: METADATA,
    on: &[On::Call(&["depends"])],
    check,
    bad: r"name 'web'
depends 'chef_nginx'
",
    good: r"name 'web'
depends 'nginx'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if depends_plainly(n, &["chef_nginx"]) {
        report_removal(cx, n);
    }
}
