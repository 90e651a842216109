//! `yum_repository` with `url`, `keyurl` or `mirrorexpire`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/DeprecatedYumRepositoryProperties",
    summary: "`yum_repository` with `url`, `keyurl` or `mirrorexpire`",
    why: "The properties have other names in the resource of Chef.",
    since: "12.14",
    replaced_by: "baseurl, gpgkey, mirror_expire",
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Block(&["yum_repository"])],
    check,
    bad: r"yum_repository 'epel' do
  url 'https://example.com'
end
",
    good: r"yum_repository 'epel' do
  baseurl 'https://example.com'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for (old, new) in [("url", "baseurl"), ("keyurl", "gpgkey"), ("mirrorexpire", "mirror_expire")] {
        for property in properties(n, &["yum_repository"], &[old]) {
            report_new_name(cx, property, old, new);
        }
    }
}
