//! `yum_repository` with the action `:add` or `:delete`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/DeprecatedYumRepositoryActions",
    summary: "`yum_repository` with the action `:add` or `:delete`",
    why: "The resource of Chef has `:create` and `:remove`.",
    since: "12.14",
    replaced_by: ":create, :remove",
    fix: Fix::Safe,
    exclude: &["**/metadata.rb", "**/attributes/*.rb", "**/Berksfile", "**/Rakefile"],
    on: &[On::Block(&["yum_repository"])],
    check,
    bad: r"yum_repository 'epel' do
  action :add
end
",
    good: r"yum_repository 'epel' do
  action :create
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for action in properties(n, &["yum_repository"], &["action"]) {
        if action.arg(0).is_some_and(|first| first.is_sym("add") || first.is_sym("delete")) {
            let text = action.src().replace("add", "create").replace("delete", "remove");
            report_replacement(cx, action, text);
        }
    }
}
