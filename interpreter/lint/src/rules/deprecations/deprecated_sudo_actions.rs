//! `sudo` with the action `:install` or `:remove`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/DeprecatedSudoActions",
    summary: "`sudo` with the action `:install` or `:remove`",
    why: "The resource of Chef has `:create` and `:delete`.",
    since: "14.0",
    replaced_by: ":create, :delete",
    fix: Fix::Safe,
    exclude: &["**/spec/**/*.rb", "**/metadata.rb", "**/attributes/*.rb", "**/Berksfile", "**/Rakefile"],
    on: &[On::Block(&["sudo"])],
    check,
    bad: r"sudo 'admins' do
  action :remove
end
",
    good: r"sudo 'admins' do
  action :delete
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for action in properties(n, &["sudo"], &["action"]) {
        if action.arg(0).is_some_and(|first| first.is_sym("install") || first.is_sym("remove")) {
            let text = action.src().replace("install", "create").replace("remove", "delete");
            report_replacement(cx, action, text);
        }
    }
}
